"""Two forces against each other: against the procedures themselves, and against a sum over all numbers of hits."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from generator.cli.group import fieldpress
from generator.commands.access import Data, open_library
from generator.commands.decisions import Query, ask
from generator.commands.forces import _fired, fires_of, load_force_file, matchup
from generator.commands.jobs import CARDS
from generator.documents.force.rosters import matchup_sheet
from generator.problems import ProblemsError
from generator.render.blocks import Prose, Table
from generator.reporting.forces import matchup_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.rules.source.library import Library

SAMPLES = Path(__file__).parents[3] / "rulesdata/dirtside2/samples"
FORCES = SAMPLES / "tessaly-brigade.yaml", SAMPLES / "karst-armour.yaml"


def odds_of(library: Library, paths: Sequence[Path], words: Sequence[str]) -> Data:
    """Return the data of the odds of two forces, without their problems."""
    return matchup(library, paths, words)[0]


def chance(procedure: str, outcome: str, *words: str) -> Fraction:
    """Return the chance of an outcome of a procedure of Dirtside II."""
    [cell] = ask(Query(open_library(), "dirtside2", procedure, words))["cells"]
    return Fraction(next(item["probability"] for item in cell["outcomes"] if item["outcome"] == outcome))


def test_a_shot_is_hit_times_kill_in_each_band() -> None:
    """Gannet fires MDC/4 with superior fire control at Ridge: size 3, armour 3. The chits are those of each band."""
    data = odds_of(open_library(), FORCES, ["band=close,medium,long"])
    found = [
        Fraction(shot["chance"])
        for shot in data["fires"][0]["shots"]
        if shot["firer"] == "Gannet" and shot["shot"].startswith("MDC") and shot["targets"] == ["Ridge"]
    ]
    assert found == [
        chance("fire-to-hit", "hit", "fire_control=superior", f"band={band}", "signature=3")
        * chance("chit-damage", "destroyed", "chits=4", f"valid={valid}", "armour=3")
        for band, valid in (("close", "all"), ("medium", "red+yellow"), ("long", "red"))
    ]


LAYER = """\
ruleset: bands
title: Bands
short: Bands
edition: "2003"
authors: [Nobody]
rights: Made up for the tests.
extends: [dirtside2]
source: page
sources: {page: {title: A page, short: Page}}
"""
CHANGE = """\
changes:
  - set: cards.vehicle.duels.guns.name
    was: "{weapon}/{class}, {reach}″"
    to: "{weapon}/{class}"
    reason: The band is not in the name.
    cite: p. 1
"""


def test_a_value_that_the_name_of_a_shot_does_not_say_is_not_left_out(tmp_path: Path) -> None:
    (tmp_path / "bands").mkdir()
    (tmp_path / "bands" / "ruleset.yaml").write_text(LAYER, encoding="utf-8")
    (tmp_path / "bands" / "changes.yaml").write_text(CHANGE, encoding="utf-8")
    library, paths = open_library(tmp_path), [tmp_path / path.name for path in FORCES]
    for path, source in zip(paths, FORCES, strict=True):
        path.write_text(source.read_text(encoding="utf-8").replace("[dirtside2]", "[bands]"), encoding="utf-8")
    data, usual = (odds_of(library, some, ["band=close,medium,long"]) for some in (paths, FORCES))
    found = [[(shot["targets"], shot["chance"]) for shot in item["fires"][0]["shots"]] for item in (data, usual)]
    assert found[0] == found[1]
    ways = {(shot["firer"], shot["shot"], *shot["targets"]) for shot in data["fires"][0]["shots"]}
    assert len(ways) == len(data["fires"][0]["shots"])


def test_expected_and_at_least_one_are_those_of_independent_shots() -> None:
    [shot, *_] = odds_of(open_library(), FORCES, [])["fires"][0]["shots"]
    p, n = Fraction(shot["chance"]), shot["elements"]
    hits = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    assert shot["expected"] == pytest.approx(float(sum(k * weight for k, weight in enumerate(hits))), abs=1e-6)
    assert shot["at_least_one"] == pytest.approx(float(sum(hits[1:])), abs=1e-6)


def test_many_shots_are_never_certain() -> None:
    paths = [SAMPLES / name for name in ("karst-armour.yaml", "volmark-levy.yaml")]
    sums = [item for fire in odds_of(open_library(), paths, [])["fires"] for item in fire["together"]]
    assert max(item["at_least_one"] for item in sums) == 0.999999


@pytest.mark.parametrize(("chance", "found"), [("0", 0), ("1/99999999", 0.000001), ("99999999/100000000", 0.999999)])
def test_only_what_is_impossible_has_no_chance(chance: str, found: float) -> None:
    assert _fired([(Fraction(chance), 1)])["at_least_one"] == found


@pytest.mark.parametrize(("word", "code"), [("bnd=close", "R312"), ("band=cloze", "R313"), ("band", "R311")])
def test_a_wrong_input_is_reported(word: str, code: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        odds_of(open_library(), FORCES, [word])
    assert [problem.code for problem in caught.value.problems] == [code]


@pytest.mark.parametrize(
    ("force", "codes"),
    [
        ("force: Reds\nrules: [dirtside2]\ndesigns: [{design: Lance, kind: vehicle, size: 9}]\n", {"F203"}),
        ("force: Reds\nrules: [dirtside2]\n", {"R201"}),
        ((SAMPLES.parents[1] / "stargrunt2/samples/redwater-guard.yaml").read_text("utf-8"), {"S209"}),
    ],
)
def test_a_force_with_problems_or_of_another_game_has_no_odds(tmp_path: Path, force: str, codes: set[str]) -> None:
    (tmp_path / "force.yaml").write_text(force, "utf-8")
    with pytest.raises(ProblemsError) as caught:
        odds_of(open_library(), (FORCES[0], tmp_path / "force.yaml"), [])
    assert {problem.code for problem in caught.value.problems} >= codes


def test_text_has_a_column_for_each_target_and_csv_a_row_for_each_pair() -> None:
    data = odds_of(open_library(), FORCES, [])
    text = matchup_text(data, "text")
    assert "Tessaly Contract Brigade at Karst Armoured Regiment: chance of one shot" in text
    assert "Crag +1" in text
    starred = {"fires": [fire | {"force": "Red *A* <b>"} for fire in data["fires"]]}
    assert r"## Red \*A\* \<b\> at" in matchup_text(starred, "markdown")
    rows = matchup_text(data, "csv").splitlines()
    assert len(rows) == 1 + sum(len(fire["shots"]) + len(fire["together"]) for fire in data["fires"])


def test_all_elements_together_miss_as_often_as_each_of_them_misses() -> None:
    fire = odds_of(open_library(), FORCES, [])["fires"][0]
    for item in fire["together"]:
        at = [shot for shot in fire["shots"] if (shot["targets"], shot["to"]) == (item["targets"], item["to"])]
        miss = Fraction(1)
        for firer in {shot["firer"] for shot in at}:
            best = max((shot for shot in at if shot["firer"] == firer), key=lambda shot: Fraction(shot["chance"]))
            for _ in range(best["elements"]):
                miss -= miss * Fraction(best["chance"])
        assert item["at_least_one"] == pytest.approx(float(1 - miss), abs=1e-6)


def test_the_sheet_has_a_cell_for_each_pair_of_a_shot_and_a_target() -> None:
    library = open_library()
    force, enemy = (load_force_file(library, path, (CARDS,)) for path in FORCES)
    fires = fires_of(force, enemy)
    sheet = matchup_sheet(force, enemy.name, fires, "")
    tables = [block for row in sheet.rows for block in row.columns[0][0].blocks if isinstance(block, Table)]
    cells = [
        cell.text
        for table in tables
        for row in table.rows[: table.group_rows[0]]
        for cell in row[1:]
        if cell.text != "–"
    ]
    pairs = {(*shot["targets"], shot["firer"], shot["shot"]) for fire in fires for shot in fire["shots"]}
    assert len(cells) == len(pairs)
    below = [block for row in sheet.rows for block in row.columns[0][0].blocks[-1:] if isinstance(block, Prose)]
    told = {text for block in below if block.plain for text in block.paragraphs}
    alike = {(*shot["targets"],) for fire in fires for shot in fire["shots"] if len(shot["targets"]) > 1}
    assert told == {f"{name} +{len(others)}: {', '.join(others)}" for name, *others in alike} != set()


def test_a_force_without_odds_is_told_why_and_what_to_ask(tmp_path: Path) -> None:
    path = tmp_path / "clerks.yaml"
    clerk = "{design: Clerk, kind: figure, quality: green}"
    path.write_text(f"force: Clerks\nrules: [fma-skirmish]\ndesigns:\n  - {clerk}\n", encoding="utf-8")
    text = matchup_text(odds_of(open_library(), (path, path), []), "text")
    assert text.count("no odds") == 2
    assert "fieldpress odds fma-skirmish/quick-fire" in text


GUNNER = """\
force: Gunners
rules: [sla-3d]
answers:
  sla-3d:
    "tables.firearms[mal-anvil].rng": 20
    "tables.firearms[mal-anvil].pen": 6
    "tables.firearms[mal-anvil].dam": 5
designs:
  - {design: Anna, kind: character, str: 8, dex: 8, dia: 8, conc: 8, phys: 8, cool: 8, guns: mal-anvil 6}
  - {design: Berit, kind: character, str: 8, dex: 8, dia: 8, conc: 8, phys: 8, cool: 8, stock_guns: fen-603 6}
"""


def test_shots_that_only_hit_are_not_added_to_shots_that_get_through(tmp_path: Path) -> None:
    """Each effect has its own sum in the data, in the text and on the sheet."""
    path, library = tmp_path / "gunners.yaml", open_library()
    path.write_text(GUNNER, "utf-8")
    data = odds_of(library, (path, path), [])
    fire = data["fires"][0]
    effects = {shot["firer"]: shot["to"] for shot in fire["shots"]}
    assert len(set(effects.values())) == 2
    chances = {shot["to"]: float(Fraction(shot["chance"])) for shot in fire["shots"]}
    sums = {item["to"]: (item["elements"], item["expected"]) for item in fire["together"]}
    assert sums == {effect: (1, pytest.approx(chance, abs=1e-6)) for effect, chance in chances.items()}
    rows = [row for row in matchup_text(data, "csv").splitlines() if "all together" in row]
    assert all(any(effect in row for row in rows) for effect in chances)
    assert matchup_text(data, "text").count("all together") == 2 * 2 * len(chances)
    force = load_force_file(library, path, (CARDS,))
    [*tables, _] = matchup_sheet(force, force.name, data["fires"], "").rows
    [block, *_] = tables[0].columns[0][0].blocks
    assert isinstance(block, Table)
    assert len(block.rows[block.group_rows[0] :]) == len(chances)


def test_advice_about_the_forces_is_kept(tmp_path: Path) -> None:
    older = tmp_path / "older.yaml"
    text = FORCES[0].read_text("utf-8")
    older.write_text(text.replace("designs:", "edition: edition 1996 · data 0000 0000\n\ndesigns:", 1), "utf-8")
    data, problems = matchup(open_library(), (older, FORCES[1]), [])
    assert "F217" in {problem.code for problem in problems}
    assert {problem.severity for problem in problems} == {"advice"}
    assert [problem["code"] for problem in data["problems"]] == [problem.code for problem in problems]


def test_a_sheet_of_few_shots_with_long_texts_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "gunners.yaml"
    path.write_text(GUNNER, "utf-8")
    words = ["build", str(path), "--against", str(path), "--only", "matchup", "--out", str(tmp_path)]
    assert CliRunner().invoke(fieldpress, words).exit_code == 0
