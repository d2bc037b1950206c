"""``--format json`` is a promise: every result keeps its schema, and means what the schema says."""

from __future__ import annotations

import json
import textwrap
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped] # ships no types

from generator.commands.access import open_library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cli.conftest import Read, Run

    Described = Callable[[str], Any]

pytestmark = pytest.mark.slow

CONTRACT = Path(__file__).parents[2] / "docs" / "reference" / "contract"
SCHEMAS = sorted(CONTRACT.glob("*.schema.json"))
SHIPPED = open_library().ids()


def load(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def inner(schema: object) -> Iterator[dict[str, Any]]:
    """Every schema inside a schema."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from inner(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from inner(value)


def test_each_output_has_its_schema() -> None:
    assert [path.name.removesuffix(".schema.json") for path in SCHEMAS] == [
        "best", "build", "check", "comparison", "cost", "diff", "doctor", "forces", "odds", "problems", "procedures",
        "reach", "ruleset", "rulesets", "table", "thing",
    ]  # fmt: skip


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.stem)
def test_a_schema_is_one_and_lets_nothing_unknown_through(path: Path) -> None:
    schema = load(path)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:fieldpress:contract:{path.name.removesuffix('.schema.json')}"
    assert schema["title"]
    assert schema["description"]
    objects = [one for one in inner(schema) if one.get("type") == "object" and "properties" in one]
    assert objects
    for one in objects:
        assert "additionalProperties" in one
        assert set(one["required"]) == set(one["properties"])


def test_a_problem_is_the_same_everywhere() -> None:
    spelled = {
        json.dumps(load(path)["$defs"]["problem"]) for path in SCHEMAS if "problem" in load(path).get("$defs", {})
    }
    assert len(spelled) == 1


def test_a_schema_refuses_what_it_should() -> None:
    validator = Draft202012Validator(load(CONTRACT / "odds.schema.json"))
    cell = {
        "inputs": {}, "outcomes": [{"outcome": "hit", "probability": "1", "decimal": 1.0}], "marginals": [],
        "distributions": {}, "means": {}, "notes": [],
    }  # fmt: skip
    good = {"ruleset": "a", "procedure": "b", "problems": [], "cells": [cell]}
    validator.validate(good)
    for bad in (
        {**good, "more": 1},
        {**good, "cells": [{**cell, "notes": None}]},
        {**good, "cells": [{**cell, "outcomes": [{"outcome": "hit", "probability": "0.5", "decimal": 0.5}]}]},
        {key: value for key, value in good.items() if key != "problems"},
    ):
        with pytest.raises(ValidationError):
            validator.validate(bad)


def outcomes(cell: dict[str, Any]) -> dict[str, Fraction]:
    return {one["outcome"]: Fraction(one["probability"]) for one in cell["outcomes"]}


def check_cells(data: dict[str, Any]) -> None:
    """What a schema cannot say of odds."""
    for cell in data["cells"]:
        assert sum(outcomes(cell).values()) == 1
        for one in cell["outcomes"]:
            exact = Fraction(one["probability"])
            assert one["probability"] == str(exact)
            assert Fraction(str(one["decimal"])) == Fraction((exact * 2_000_000 + 1) // 2, 1_000_000)


def test_odds_of_one_question(run: Run, read: Read) -> None:
    words = ("weapon_size=3", "valid=red", "armour=2")
    data = read("odds", run("odds", "dirtside2-fma/armour-fire", *words, "--format", "json"))
    assert (data["ruleset"], data["procedure"], data["problems"]) == ("dirtside2-fma", "armour-fire", [])
    check_cells(data)
    [cell] = data["cells"]
    assert cell["inputs"] == {"weapon_size": 3, "valid": "red", "armour": 2}
    # D8 and D6 against D6, by hand: of 288 rolls 197 stand above, 36 level, 55 below.
    assert outcomes(cell)["destroyed"] == Fraction(197, 288)
    assert outcomes(cell)["no-effect"] == Fraction(55, 288)
    assert outcomes(cell)["disabled"] == Fraction(36, 288) * Fraction(5, 10)


def test_inputs_are_numbers_words_and_booleans_with_defaults_filled_in(run: Run, read: Read, rules: Path) -> None:
    words = ("nerve=steady", "paces=1", "--rules-path", str(rules), "--format", "json")
    dry = read("odds", run("odds", "duel/shot", *words))
    assert dry["cells"][0]["inputs"] == {"nerve": "steady", "paces": 1, "rain": False, "wind": "calm"}
    wet = read("odds", run("odds", "duel/shot", "rain=yes", *words))
    assert wet["cells"][0]["inputs"] == {
        "nerve": "steady", "paces": 1, "rain": True, "wind": "calm", "shelter": True,
    }  # fmt: skip
    assert outcomes(dry["cells"][0]) == outcomes(wet["cells"][0])


def test_a_figure_of_yes_and_no_has_booleans_and_is_printed_as_goals_name_it(run: Run, read: Read, rules: Path) -> None:
    shot = rules / "duel/procedures/shot.yaml"
    figures = "    which: {hurt: attack >= defence, both: '[attack > defence, attack]'}\n"
    text = textwrap.dedent(shot.read_text("utf-8"))
    shot.write_text(text.replace("notes:", f"{figures}notes:"), "utf-8")
    asked = "odds", "duel/shot", "nerve=shaky", "paces=1", "--rules-path", str(rules)
    for contract, more in (("odds", ()), ("comparison", ("--against", "duel/shot", "wind=gale"))):
        [cell] = read(contract, run(*asked, *more, "--format", "json"))["cells"]
        assert [item["value"] for item in cell["distributions"]["hurt"]] == [False, True]
    text = run(*asked, "--format", "csv").stdout
    assert "hurt = yes" in text
    assert '"both = yes, 4"' in text
    assert run(*asked, "--best", "hurt:yes", "--by", "wind").exit_code == 0


def test_what_cannot_happen_is_an_answer_with_a_note(run: Run, read: Read, rules: Path) -> None:
    words = ("nerve=steady", "paces=1", "rain=yes", "shelter=no", "wind=gale")
    data = read("odds", run("odds", "duel/shot", *words, "--rules-path", str(rules), "--format", "json"))
    [cell] = data["cells"]
    assert outcomes(cell) == {"hit": 0, "graze": 0, "miss": 1}
    assert cell["notes"] == ["The powder is wet.", "Hold on to your hat."]


@pytest.mark.parametrize(
    ("varied", "shape"),
    [
        (("paces=1..3",), [3]),
        (("wind=calm,gale", "paces=1..2"), [2, 2]),
        (("rain=no,yes", "paces=3,1", "nerve=steady,shaky"), [2, 2, 2]),
    ],
)
def test_the_first_varied_input_is_outermost(
    run: Run, read: Read, rules: Path, varied: tuple[str, ...], shape: list[int]
) -> None:
    fixed = [word for word in ("nerve=steady", "paces=1") if word.split("=")[0] not in str(varied)]
    data = read("odds", run("odds", "duel/shot", *fixed, *varied, "--rules-path", str(rules), "--format", "json"))
    check_cells(data)
    names = [word.split("=")[0] for word in varied]
    seen = [tuple(cell["inputs"][name] for name in names) for cell in data["cells"]]
    firsts = [list(dict.fromkeys(values)) for values in zip(*seen, strict=True)]
    assert [len(values) for values in firsts] == shape
    expected: list[tuple[Any, ...]] = [()]
    for values in firsts:
        expected = [(*before, value) for before in expected for value in values]
    assert seen == expected
    if names[-1] == "nerve":
        assert firsts == [[False, True], [3, 1], ["steady", "shaky"]]


def test_four_varied_inputs_are_too_many(run: Run, read: Read, rules: Path) -> None:
    words = ("nerve=steady,shaky", "paces=1..3", "rain=yes,no", "wind=calm,gale")
    result = run("odds", "duel/shot", *words, "--rules-path", str(rules), "--format", "json")
    [problem] = read("problems", result)["problems"]
    assert result.exit_code == 1
    assert problem["code"] == "R315"


@pytest.fixture(scope="module")
def described(run: Run, read: Read) -> Described:
    """What ``rules`` says of a rule set, asked once."""
    return cache(lambda name: read("ruleset", run("rules", name, "--format", "json")))


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_procedure_is_listed_and_answers(run: Run, read: Read, described: Described, name: str) -> None:
    listed = read("procedures", run("odds", name, "--format", "json"))
    assert listed["ruleset"] == name
    held = described(name)
    known = [one["procedure"] for one in held["procedures"]]
    asked = [one["procedure"] for one in listed["procedures"]]
    assert asked == [one for one in known if one in asked]
    own = {one["procedure"] for one in held["procedures"] if one["from"] == name}
    in_steps = sorted(own - set(asked))[:2]  # told in steps alone
    for one in in_steps:
        refused = read("problems", run("odds", f"{name}/{one}", "--format", "json"))
        assert [problem["code"] for problem in refused["problems"]] == ["R318"]
    for procedure in [*in_steps, *asked[:2]]:
        told = read("thing", run("rules", name, f"procedures/{procedure}", "--format", "json"))
        assert ("outcome" in {row["part"] for row in told["rows"]}) == (procedure in asked)


@pytest.mark.parametrize("name", SHIPPED)
def test_rules_of_every_shipped_rule_set(run: Run, read: Read, described: Described, name: str) -> None:
    held = described(name)
    assert held["ruleset"] == name
    assert name in {one["from"] for what in ("tables", "kinds", "procedures", "sheets") for one in held[what]}
    first = held["tables"][0]
    table = read("table", run("rules", name, first["table"], "--format", "json"))
    assert len(table["rows"]) == first["rows"]


def test_what_a_layer_changes(run: Run, read: Read) -> None:
    data = read("diff", run("diff", "dirtside2", "dirtside2-iceburg", "--format", "json"))
    assert (data["a"], data["b"]) == ("dirtside2", "dirtside2-iceburg")
    changes = {one["what"]: one for one in data["changes"]}
    dearer = changes["tables.weapon-types[RFAC].per_class"]
    assert (dearer["kind"], dearer["from"], dearer["to"]) == ("changed", 5, 6)
    assert dearer["reason"]
    assert [part.split()[0] for part in dearer["cite"].split(" > ")] == ["DSII", "Iceburg"]
    assert changes["tables.sams"]["kind"] == "added"
    assert not [what for what in changes if what.startswith("tables.sams[")]
    back = read("diff", run("diff", "dirtside2-iceburg", "dirtside2", "--format", "json"))["changes"]
    assert {one["what"]: (one["from"], one["to"]) for one in back} == {
        what: (one["to"], one["from"]) for what, one in changes.items()
    }
    assert read("diff", run("diff", "dirtside2", "dirtside2", "--format", "json"))["changes"] == []


def test_the_list_of_rule_sets(run: Run, read: Read, rules: Path) -> None:
    data = read("rulesets", run("rules", "--format", "json", "--rules-path", str(rules)))
    assert [one["ruleset"] for one in data["rulesets"]] == sorted((*SHIPPED, "duel"))
    fma = next(one for one in data["rulesets"] if one["ruleset"] == "dirtside2-fma")
    assert fma["extends"] == ["dirtside2"]
    finished = {(one["what"], one["id"], one["ruleset"]) for one in data["finished"]}
    assert {
        ("battle", "corrie-main", "dirtside2-fma"), ("supplement", "theme-page", "dirtside2-iceburg"),
    } <= finished  # fmt: skip


def test_a_table_with_its_certificates(run: Run, read: Read, rules: Path) -> None:
    data = read("table", run("rules", "duel", "nerves", "--format", "json", "--rules-path", str(rules)))
    assert data["columns"] == ["nerve", "die", "span", "share", "marks", "brave"]
    steady, shaky, none = data["rows"]
    assert list(steady) == [*data["columns"], "cite", "status", "raw", "note"]
    assert (steady["die"], steady["brave"], steady["cite"], steady["status"]) == ("D8", True, "Duels p. 1", "plain")
    assert (shaky["status"], shaky["raw"], shaky["note"]) == ("read", "d&", "A smudge.")
    assert none["die"] is None


def parts(data: dict[str, Any]) -> list[tuple[str, str, str]]:
    assert all(list(row) == [*data["columns"], "cite", "status", "raw", "note"] for row in data["rows"])
    return [(row["part"], row["id"], row["rule"]) for row in data["rows"]]


def test_a_kind_with_its_formulas(run: Run, read: Read, rules: Path) -> None:
    data = read("thing", run("rules", "duel", "duellist", "--format", "json", "--rules-path", str(rules)))
    assert (data["ruleset"], data["kind"]) == ("duel", "duellist")
    assert parts(data) == [
        ("kind", "duellist", ""),
        ("field", "nerve", "steady, shaky, none"),
        ("field", "arms", "a list"),
        ("field", "arms.reach", "1 to 3"),
        ("let", "heavy", "sum(arms.reach)"),
        ("line", "nerve", "points 10 if nerves[nerve].brave else 5"),
        ("line", "arms", "each arms; points reach; capacity 1; when not dusk"),
        ("allowed", "", "capacity 2"),
        ("limit", "hands", "capacity_used <= capacity_allowed"),
    ]
    assert [row["cite"] for row in data["rows"]][5:] == ["Duels p. 3", "Duels p. 4", "", "Duels p. 4"]


def test_a_procedure_with_its_steps_and_inputs(run: Run, read: Read, rules: Path) -> None:
    words = ("--format", "json", "--rules-path", str(rules))
    data = read("thing", run("rules", "duel", "greeting", *words))
    told = [("procedure", "greeting", ""), ("step", "1", ""), ("step", "lantern", "when dusk"), ("step", "turn", "")]
    assert parts(data) == told
    lit = read("thing", run("rules", "duel", "greeting", "--set", "dusk=yes", *words))
    assert [row["says"] for row in lit["rows"]] == ["Greeting", "Bow.", "Raise a lantern.", "Turn."]
    assert (lit["rows"][2]["status"], lit["rows"][2]["note"]) == ("ruled", "Page 10 is dark.")
    asked = read("thing", run("rules", "duel", "shot", *words))
    assert ("input", "shelter", "no, yes, when rain") in parts(asked)


def test_options_and_errata(run: Run, read: Read, rules: Path) -> None:
    words = ("--format", "json", "--rules-path", str(rules))
    data = read("thing", run("rules", "duel", "options", "--set", "paces=3", *words))
    assert [(row["option"], row["set"], row["allowed"]) for row in data["rows"]] == [
        ("dusk", False, "no, yes"),
        ("paces", 3, "1 to 3"),
        ("garb", "cloak", "cloak, shirt"),
    ]
    data = read("thing", run("rules", "duel", "errata", *words))
    assert [(row["erratum"], row["printed"], row["holds"], row["working"]) for row in data["rows"]] == [
        ("at-dawn", "30", "36", "6 × 3 + 6 × 3"),
        ("at-noon", "none", "one", ""),
    ]
    bare = rules / "bare" / "ruleset.yaml"
    bare.parent.mkdir()
    text = (rules / "duel" / "ruleset.yaml").read_text(encoding="utf-8").partition("        options:")[0]
    bare.write_text(text.replace("ruleset: duel", "ruleset: bare"), encoding="utf-8")
    for word in ("options", "errata"):
        assert read("thing", run("rules", "bare", word, *words))["rows"] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_kind_its_options_and_its_errata(run: Run, read: Read, described: Described, name: str) -> None:
    held = described(name)
    for kind in (one["kind"] for one in held["kinds"]):
        told = read("thing", run("rules", name, kind, "--format", "json"))
        assert (told["kind"], told["rows"][0]["part"]) == (kind, "kind")
    for word in ("options", "errata"):
        assert read("thing", run("rules", name, word, "--format", "json"))[word] == word


def test_a_thing_is_one_of_four() -> None:
    validator = Draft202012Validator(load(CONTRACT / "thing.schema.json"))
    certificate = {"cite": "p. 1", "status": "plain", "raw": "", "note": ""}
    row = {"option": "fog", "label": "Fog", "allowed": "no, yes", "set": False, "says": "", **certificate}
    columns = ["option", "label", "allowed", "set", "says"]
    good = {"ruleset": "a", "options": "options", "columns": columns, "rows": [row]}
    validator.validate(good)
    for bad in (
        {**good, "kind": "a"},
        {**good, "options": "errata"},
        {**good, "columns": columns[1:]},
        {**good, "rows": [{**row, "set": None}]},
        {**good, "rows": [{**row, "status": "yours"}]},
        {**good, "rows": [{key: value for key, value in row.items() if key != "cite"}]},
        {**good, "rows": [{**row, "part": "kind"}]},
        {"ruleset": "a", "table": "b", "columns": ["c"], "rows": []},
    ):
        with pytest.raises(ValidationError):
            validator.validate(bad)


def test_an_answer_of_the_players_is_theirs_in_the_data(run: Run, read: Read, rules: Path, tmp_path: Path) -> None:
    table = rules / "duel" / "tables" / "nerves.yaml"
    text = table.read_text(encoding="utf-8")
    table.write_text(
        text.replace("status: ruled, note: No nerve | no die.", "status: gap, note: Torn."), encoding="utf-8"
    )
    mine = tmp_path / "mine.yaml"
    mine.write_text("answers: {duel: {'tables.nerves[none].die': D6}}\n", encoding="utf-8")
    words = ("--settings", str(mine), "--format", "json", "--rules-path", str(rules))
    none = read("table", run("rules", "duel", "nerves", *words))["rows"][2]
    assert (none["die"], none["status"], none["note"]) == (
        "D6",
        "yours",
        "Die given by the players. Torn.",
    )


def test_check_finds_nothing_and_everything(run: Run, read: Read, rules: Path) -> None:
    fine = run("check", str(rules), "--format", "json")
    assert read("check", fine) == {"problems": []}
    assert fine.exit_code == 0
    table = rules / "duel" / "tables" / "nerves.yaml"
    text = table.read_text(encoding="utf-8")
    table.write_text(text.replace("die: D8", "die: D0").replace("nerve: shaky", "nerve: 7"), encoding="utf-8")
    broken = run("check", str(rules), "--format", "json")
    assert broken.exit_code == 1
    problems = read("check", broken)["problems"]
    assert [(one["code"], one["field"], one["found"]) for one in problems[:2]] == [
        ("R206", "rows[0].die", "D0"),
        ("R206", "rows[1].nerve", "7"),
    ]
    line = problems[0]["line"]
    assert table.read_text(encoding="utf-8").splitlines()[line - 1][problems[0]["column"] - 1 :].startswith("D0")


def test_build_says_what_it_wrote(run: Run, read: Read, rules: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    words = ("--rules-path", str(rules), "--paper", "a4", "--paper", "letter", "--ink", "mono", "--out", str(out))
    result = run("build", "duel", *words, "--format", "json")
    data = read("build", result)
    assert result.exit_code == 0
    assert data["problems"] == []
    assert [(one["sheet"], one["pages"], one["paper"], one["ink"]) for one in data["built"]] == [
        ("card", 1, "a4", "mono"),
        ("card", 1, "letter", "mono"),
    ]
    assert [Path(one["path"]).read_bytes()[:5] for one in data["built"]] == [b"%PDF-", b"%PDF-"]
    assert sorted(out.iterdir()) == sorted(Path(one["path"]) for one in data["built"])


def test_doctor(run: Run, read: Read, tmp_path: Path) -> None:
    fine = run("doctor", "--out", str(tmp_path), "--format", "json")
    data = read("doctor", fine)
    assert fine.exit_code == (0 if all(one["ok"] for one in data["checks"]) else 3)
    (tmp_path / "file").write_text("")
    broken = run("doctor", "--out", str(tmp_path / "file" / "inside"), "--format", "json")
    assert [one["check"] for one in read("doctor", broken)["checks"] if not one["ok"]] == ["output folder"]
    assert broken.exit_code == 3
