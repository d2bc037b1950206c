"""The script on the page of a force prices designs exactly as the program does."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import load_valid, open_library
from generator.commands.forces import load_force_file
from generator.documents.web import force_values, price_data, shot_data
from generator.forces.cards import shots, targets
from generator.forces.force import Design, Force
from generator.forces.pricing import price
from generator.problems import ProblemsError
from generator.render.web import to_script
from generator.resources import templates
from generator.rules.entries.kinds import Field, Kind, kinds_of_designs
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.functions import FUNCTIONS
from generator.rules.source.library import SAMPLES, examples

if TYPE_CHECKING:
    from pathlib import Path

    from generator.rules.ruleset import RuleSet
    from tests.conftest import Bench

NODE = shutil.which("node")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(NODE is None, reason="node runs the script")]

GAMES = ("dirtside2", "dirtside2-iceburg", "stargrunt2", "fma-skirmish", "sla-3d")
DESIGNS = 20
"""Random designs of each game."""
SEED = 20261126

PRICE_ALL = """
const { readFileSync } = require("fs");
const [data, ...scripts] = process.argv.slice(1);
for (const script of scripts) (0, eval)(readFileSync(script, "utf-8"));
const { rules: given, designs } = JSON.parse(readFileSync(data, "utf-8"));
const rules = new fieldpress.price.Rules(given);
const shown = (number) => number === null ? null : `${number.n}${number.isWhole() ? "" : "/" + number.d}`;
console.log(JSON.stringify(designs.map(({ kind, values }) => {
  try {
    const itsKind = rules.kinds.get(kind);
    const design = fieldpress.price.readDesign(itsKind, values);
    const { lines, points, capacity, systems, broken, tallies } = fieldpress.price.price(rules, itsKind, design);
    return {
      points: shown(points),
      capacity: [shown(capacity.used), shown(capacity.limit)],
      systems: [shown(systems.used), shown(systems.limit)],
      lines: lines.map((line) => [line.id, line.label, shown(line.points), shown(line.amount), line.figure]),
      broken: broken.map((limit) => limit.id),
      tallies: Object.fromEntries(Object.entries(tallies).map(([name, number]) => [name, shown(number)])),
    };
  } catch (error) {
    return { failed: true, why: error.message };
  }
})));
"""


def in_node(script: str, data: Path, *names: str) -> str:
    """What a script prints, run with the path of its data and the paths of scripts of the site."""
    paths = [str(templates() / "web" / f"{name}.js") for name in names]
    command = [NODE or "node", "-e", script, str(data), *paths]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout  # noqa: S603 - ours


def random_value(random: Random, field: Field) -> Any:
    if field.choice is None:
        entry_count = random.choice([0, 0, 1, 1, 2, 3])
        return tuple({inner.name: random_value(random, inner) for inner in field.fields} for _ in range(entry_count))
    plain_design = field.default is not None and random.random() < 0.6
    return field.default if plain_design else random.choice(field.choice.values)


def priced(rules: RuleSet, kind: Kind, values: dict[str, Any]) -> dict[str, Any]:
    """What the program says of a design, in the form of PRICE_ALL."""
    try:
        found = price(kind, values, rules.manifest.costs)
    except ProblemsError:
        return {"failed": True}
    capacity, systems = found.capacity, found.systems
    return {
        "points": str(found.total),
        "capacity": [str(capacity.used), None if capacity.allowed is None else str(capacity.allowed)],
        "systems": [str(systems.used), None if systems.allowed is None else str(systems.allowed)],
        "lines": [
            [line.id, line.label, None if line.points is None else str(line.points), str(line.amount), line.figure]
            for line in found.lines
        ],
        "broken": list(dict.fromkeys(item.limit.id for item in found.broken)),
        "tallies": {name: str(number) for name, number in found.tallies.items()},
    }


@pytest.mark.parametrize("game", GAMES)
def test_the_script_agrees_with_the_program(game: str, tmp_path: Path) -> None:
    rules = load_valid(open_library(), game)
    random = Random(SEED)  # noqa: S311 - the same designs each time
    kinds = [*kinds_of_designs(rules.kinds).values()]
    designs = []
    for number in range(DESIGNS):
        kind = kinds[number % len(kinds)]
        designs.append((kind, {field.name: random_value(random, field) for field in kind.fields}))
    given = [{"kind": kind.id, "values": values} for kind, values in designs]
    data = tmp_path / "data.json"
    data.write_text(to_script({"rules": price_data(rules, []), "designs": given}), encoding="utf-8")
    answers = json.loads(in_node(PRICE_ALL, data, "elements", "exact", "formulas", "price"))
    expected = [priced(rules, kind, values) for kind, values in designs]
    for item, here, there in zip(given, expected, answers, strict=True):
        if here != {"failed": True} or not there.get("failed"):
            assert there == here, item
    assert sum("failed" not in item for item in expected) > DESIGNS / 2


FIRE = """
const { readFileSync } = require("fs");
const [data, ...scripts] = process.argv.slice(1);
for (const script of scripts) (0, eval)(readFileSync(script, "utf-8"));
const { rules: given, shots: grids, forces, fixed } = JSON.parse(readFileSync(data, "utf-8"));
const { Shots, fielded, fires } = fieldpress.shots;
const rules = new fieldpress.price.Rules(given), shots = new Shots(grids);
const { read } = fieldpress.formulas;
const chosen = Object.fromEntries(Object.entries(fixed).map(([name, value]) => [name, read(value)]));
const [first, second] = forces.map((force) => fielded(rules, force));
console.log(JSON.stringify([[first, second], [second, first]].map(([firing, fired]) => {
  const { aims, firers } = fires(shots, firing, fired, chosen);
  return firers.flatMap(({ design, at }) => at.flatMap((some, place) => some.map(({ label, chance }) =>
    [design, label, aims[place].names, `${chance.n}${chance.isWhole() ? "" : "/" + chance.d}`])));
})));
"""


def random_designs(rules: RuleSet, force: Force) -> list[Design]:
    """Random designs that the rules can price, fire and aim at."""
    random = Random(SEED)  # noqa: S311 - the same designs each time
    kinds = [*kinds_of_designs(rules.kinds).values()]
    designs = []
    for number in range(DESIGNS):
        kind = kinds[number % len(kinds)]
        values = {field.name: random_value(random, field) for field in kind.fields}
        try:
            found = price(kind, values, rules.manifest.costs)
            design = Design(f"Design {number}", kind, values, found, force.place, "", ())
            alone = force._replace(designs=(design,), units=())
            [*shots(alone)], targets(alone)
        except (ProblemsError, FormulaUseError):
            continue
        designs.append(design)
    return designs


@cache
def grids_of(game: str) -> dict[str, Any]:
    """The odds of the shots of a game, which take long to compute."""
    return shot_data(load_valid(open_library(), game))


def under(rules: RuleSet, force: Force) -> Force:
    """The force with the rules of a layer: every design once, at its price there, if the layer has a price."""
    designs = []
    for design in force.designs:
        kind = rules.kinds[design.kind.id]
        with suppress(ProblemsError):
            designs.append(design._replace(kind=kind, priced=price(kind, design.values, rules.manifest.costs)))
    return force._replace(rules=rules, designs=tuple(designs), units=())


@pytest.mark.parametrize(
    ("game", "far"),
    [*((game, False) for game in (*GAMES, "dirtside2-fma", "stargrunt2-quick")), ("dirtside2-iceburg", True)],
)
def test_the_odds_of_random_designs_agree(game: str, far: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a parameter
    library = open_library()
    rules = load_valid(library, game)
    path = next(item.path for item in examples(rules.chain, SAMPLES).values())
    enemy = under(rules, load_force_file(library, path))
    force = enemy._replace(designs=tuple(random_designs(rules, enemy)), units=())
    grids = grids_of(game)
    free = {name: item for card in grids["cards"] for duel in card["duels"] for name, item in duel["free"].items()}
    fixed = {name: item["values"][-1] for name, item in free.items()} if far else {}
    forces = [force_values(force), force_values(enemy)]
    data = tmp_path / "data.json"
    data.write_text(
        to_script({"rules": price_data(rules, []), "shots": grids, "forces": forces, "fixed": fixed}), encoding="utf-8"
    )
    answers = json.loads(in_node(FIRE, data, "elements", "exact", "formulas", "price", "shots"))
    for (firing, fired), found in zip(((force, enemy), (enemy, force)), answers, strict=True):
        expected = [
            [shot.design.name, shot.name, [*aim.names], str(chance)]
            for aim in targets(fired)
            for shot in shots(firing, fixed)
            if (chance := shot.chance(aim.inputs)) is not None
        ]
        assert sorted(found) == sorted(expected)
    assert len(force.designs) > DESIGNS / 2
    assert any(answers)


PRICE_FORCES = """
const { readFileSync, writeFileSync } = require("fs");
const [folder, ...scripts] = process.argv.slice(1);
for (const script of scripts) (0, eval)(readFileSync(script, "utf-8"));
const data = JSON.parse(readFileSync(`${folder}/data.json`, "utf-8"));
const rules = new fieldpress.price.Rules(data);
console.log(JSON.stringify(data.samples.map((force, number) => {
  writeFileSync(`${folder}/${number}.yaml`, fieldpress.price.forceFile(data.rules, force));
  const { points, whole } = fieldpress.price.priceForce(rules, force);
  return [String(points), (whole?.broken ?? []).map((limit) => limit.id)];
})));
"""


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_force_costs_the_same_and_is_saved_as_a_force_file(game: str, tmp_path: Path) -> None:
    library = open_library()
    rules = load_valid(library, game)
    samples = [load_force_file(library, item.path) for item in examples(rules.chain[-1:], SAMPLES).values()]
    assert samples
    (tmp_path / "data.json").write_text(to_script(price_data(rules, samples)), encoding="utf-8")
    answers = json.loads(in_node(PRICE_FORCES, tmp_path, "elements", "exact", "formulas", "price"))
    for number, (force, (points, broken)) in enumerate(zip(samples, answers, strict=True)):
        assert points == str(force.total)
        assert broken == ([item.limit.id for item in force.priced.broken] if force.priced else [])
        again = load_force_file(library, tmp_path / f"{number}.yaml")
        assert again.total == force.total
        assert [(item.name, item.values) for item in again.designs] == [
            (item.name, item.values) for item in force.designs
        ]
        assert [unit.values for unit in again.units] == [unit.values for unit in force.units]


def test_a_limit_on_points_counts_all_designs(bench: Bench, tmp_path: Path) -> None:
    limit = "{limit: cheap, that: points <= 30, blame: points, says: At most 30 points., cite: p. 7}"
    bench.write("tin/kinds/force.yaml", f"kind: force\ntitle: Force\ncite: p. 7\nlimits: [{limit}]\n")
    path = tmp_path / "reds.yaml"
    path.write_text(
        "force: R\nrules: tin\ndesigns: [{design: A, kind: tank, wall: 0}]\nunits: [{unit: U, of: 4 x A}]\n"
    )
    library = open_library(bench.folder)
    data = price_data(load_valid(library, "tin"), [load_force_file(library, path)])
    (tmp_path / "data.json").write_text(to_script(data), encoding="utf-8")
    answers = json.loads(in_node(PRICE_FORCES, tmp_path, "elements", "exact", "formulas", "price"))
    assert answers == [["40", ["cheap"]]]


def test_the_script_knows_every_function(tmp_path: Path) -> None:
    script = """
    for (const script of process.argv.slice(2)) (0, eval)(require("fs").readFileSync(script, "utf-8"));
    console.log(JSON.stringify(Object.keys(fieldpress.formulas.FUNCTIONS)));
    """
    assert sorted(json.loads(in_node(script, tmp_path, "elements", "exact", "formulas"))) == sorted(FUNCTIONS)


def test_figures_have_the_decimal_sign_of_the_language(tmp_path: Path) -> None:
    script = """
    globalThis.fieldpressSays = { ".": "," };
    for (const script of process.argv.slice(2)) (0, eval)(require("fs").readFileSync(script, "utf-8"));
    const { Fraction, percent } = fieldpress.exact;
    const [small, half] = [Fraction.of("1/8000"), Fraction.of("19/2")];
    console.log(JSON.stringify([percent(small), percent(Fraction.of("1/8")), String(half), half.decimal(2)]));
    """
    assert json.loads(in_node(script, tmp_path, "elements", "exact")) == ["<0,1", "12,5", "9,5", "9.50"]
