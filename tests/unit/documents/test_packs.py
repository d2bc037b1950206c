"""A pack: its parts, who may read each part, and the notes on rules that are not in play."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pikepdf
import pypdfium2
import pytest

from generator.commands.access import open_library
from generator.commands.jobs import Findings, Job, Pack, Selection
from generator.commands.packs import _references, scenario_jobs
from generator.commands.printer import Output
from generator.commands.printing import build
from generator.commands.rulesets import check
from generator.commands.scenarios import load_scenario_file
from generator.documents.pack.public import PlanRow, cover, facts, odds_table, sides_section
from generator.documents.pack.side_sheets import umpire_sheet
from generator.problems import ProblemsError
from generator.render.blocks import PAPERS, Map, Paper, Row, Sheet, Table, Weapons
from generator.render.page.pdf import render_pdf
from generator.rules.load.load import ALL, load
from generator.scenarios.files import battles_in_reach
from tests.unit.rules.test_cards import CARD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.rules.source.library import Library
    from generator.scenarios.scenario import Scenario
    from tests.conftest import Bench

pytestmark = pytest.mark.slow

TIN = Path(__file__).parents[2] / "cases" / "rules"
GUNS = (TIN / "tin/tables/guns.yaml").read_text(encoding="utf-8")
DUEL = """\
scenario: The yard
rules: [tin]
table: {{width: 36, depth: 36}}
sides:
  - {{side: Red, force: {0}}}
  - {{side: Blue, force: {1}}}
"""
CHANGED = "changes: [{set: sheets.quick.title, was: Quick sheet, to: Gold, reason: New title., cite: p. 1}]\n"
FORCE = "{designs: [{design: Wagon, kind: tank, wall: 0}], units: [{unit: First, of: [{design: Wagon}]}]}"
BATTLE = f"""\
scenario: The hill
rules: [tin]
situation: Everybody knows this.
table: {{width: 48, depth: 36}}
turns: 6
sides:
  - {{side: Red, briefing: Orders of the reds, secret: Whisper of the reds, force: {FORCE}}}
  - {{side: Blue, briefing: Orders of the blues, secret: Whisper of the blues, force: {FORCE}}}
zones:
  - {{zone: West, side: Red, at: [0, 0], size: [4, 36]}}
  - {{zone: East, side: Blue, at: [44, 0], size: [4, 36]}}
objectives: [{{objective: Well, at: [20, 20], radius: 1, points: 5}}]
special: [night]
set_pieces:
  - {{piece: Pit of the reds, side: Red, at: [12, 30], secret: yes, turn: 2}}
  - {{piece: Mine of the blues, side: Blue, secret: yes}}
  - {{piece: Flood of the blues, side: Blue, secret: yes, turn: 5}}
  - {{piece: Bell of the umpire, secret: yes, turn: 3}}
umpire: Whisper of the umpire
"""
UMPIRE = ("Whisper of the umpire", "Bell of the umpire")
RED, BLUE = (
    ("Whisper of the reds", "Pit of the reds"),
    ("Whisper of the blues", "Mine of the blues", "Flood of the blues"),
)


@pytest.fixture
def battle(tmp_path: Path) -> Path:
    path = tmp_path / "battle.yaml"
    path.write_text(BATTLE, encoding="utf-8")
    return path


def test_only_the_parts_of_a_battle_are_joined(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError) as refused:
        build(open_library(TIN), ["tin"], Output(tmp_path), selection=Selection(bind=True))
    assert [problem.code for problem in refused.value.problems] == ["R328"]
    assert not [*tmp_path.iterdir()]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The text of every page of the whole, by the bookmark of its part."""
    path = tmp_path_factory.mktemp("pack") / "battle.yaml"
    path.write_text(BATTLE, encoding="utf-8")
    data, problems = build(open_library(TIN), [str(path)], Output(path.parent / "out"), selection=Selection(bind=True))
    assert problems == ()
    [one] = data["built"]
    assert one["sheet"] == "pack"
    document = pypdfium2.PdfDocument(one["path"])
    assert one["pages"] == len(document)
    said = [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]
    with pikepdf.open(one["path"]) as pdf, pdf.open_outline() as outline:
        numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages)}
        starts = {mark.title: numbers[mark.destination[0].objgen] for mark in outline.root}  # type: ignore[index]
    ends = [*list(starts.values())[1:], len(said)]
    return {title: said[start:end] for (title, start), end in zip(starts.items(), ends, strict=True)}


def test_each_side_learns_its_own_secrets_and_nobody_elses(pages: dict[str, list[str]]) -> None:
    secrets = {*RED, *BLUE, *UMPIRE}
    told = {title: {one for one in secrets if one in " ".join(said)} for title, said in pages.items()}
    assert told.pop("Red: orders") == {*RED}
    assert told.pop("Blue: orders") == {*BLUE}
    assert told.pop("For the umpire") == secrets
    assert {title: found for title, found in told.items() if found} == {}
    assert {"Cover", "The table", "Red: roster"} <= {*told}
    assert {"Red: cards", "Markers and turn track"} <= {*told}
    assert "Orders of the blues" not in " ".join(pages["Red: orders"])
    assert "Orders of the reds" in pages["Red: orders"][0]


@pytest.mark.parametrize("many", [2, 4, 6])
def test_a_cover_has_room_for_every_number_of_sides(many: int, tmp_path: Path) -> None:
    sides = "".join(f"  - {{side: S{number}, force: {FORCE}}}\n" for number in range(many))
    path = tmp_path / "battle.yaml"
    path.write_text(f"scenario: All\nrules: [tin]\ntable: {{width: 36, depth: 36}}\nsides:\n{sides}", encoding="utf-8")
    if many == 6:  # the most
        assert pages_of_cover(open_library(TIN), path, "a4") == 1
    [figure] = [
        one for one in facts(load_scenario_file(open_library(TIN), path)).figures if one.label.startswith("points")
    ]
    assert figure.text.count(":") == (1 if many == 2 else 0)


def test_a_cover_has_room_for_the_names_of_two_layers(tmp_path: Path) -> None:
    path, rules = tmp_path / "battle.yaml", "dirtside2-fma, dirtside2-iceburg"
    path.write_text(
        f"scenario: Both\nrules: [{rules}]\ntable: {{width: 48, depth: 48}}\nsides: [{{side: Red}}, {{side: Blue}}]\n",
        encoding="utf-8",
    )
    assert [pages_of_cover(open_library(), path, paper) for paper in PAPERS] == [1, 1]


def pages_of_cover(library: Library, battle: Path, paper: Paper) -> int:
    """Return how many pages a cover takes. Each part has one page."""
    [pack] = scenario_jobs(library, battle, Selection(bind=True), Findings())
    assert isinstance(pack, Pack)
    cover = pack.cover([1] * len(pack.parts), linked=False)
    return render_pdf(cover, paper=paper, ink="mono", numbered=False).pages


def listed(title: str, sides: int) -> str:
    """A row of the print plan: what it is, who gets it, and how many sides it has."""
    said = title.replace("orders", "orders, secrets, map")
    return rf"{re.escape(said)} (everybody|each player, the umpire|the umpire|Red|Blue) {sides}\b"


def test_the_print_plan_tells_the_sides_of_each_part(pages: dict[str, list[str]]) -> None:
    before, count = 0, sum(map(len, pages.values()))
    [cover] = pages["Cover"]
    for title, said in pages.items():
        assert f"{before + 1} of {count}" in said[0]
        assert title == "Cover" or re.search(listed(title, len(said)), cover)
        before += len(said)


def test_no_page_is_left_empty(pages: dict[str, list[str]]) -> None:
    assert all(len(text.split()) > 20 for said in pages.values() for text in said)


def test_parts_are_files_of_a_folder_and_hold_only_what_their_readers_may_know(battle: Path, tmp_path: Path) -> None:
    built = build(open_library(TIN), [str(battle)], Output(tmp_path / "out"))[0]["built"]
    paths = [Path(one["path"]) for one in built]
    assert {path.parent for path in paths} == {tmp_path / "out" / "the-hill"}
    told: dict[str, set[str]] = {}
    for path in paths:
        text = " ".join(
            " ".join(page.get_textpage().get_text_bounded().split()) for page in pypdfium2.PdfDocument(path)
        )
        told[path.name.removesuffix("-a4.pdf")] = {one for one in (*RED, *BLUE, *UMPIRE) if one in text}
        with pikepdf.open(path) as pdf:
            assert not pdf.attachments
    assert told.pop("2-red") == {*RED}
    assert told.pop("2-blue") == {*BLUE}
    assert told.pop("3-umpire") == {*RED, *BLUE, *UMPIRE}
    assert {"0-cover", "1-table", "5-cards-red", "6-markers", "9-roster-blue"} <= {*told}
    assert not set.union(*told.values())


def test_the_cover_alone_tells_the_pages_of_the_whole(
    pages: dict[str, list[str]], battle: Path, tmp_path: Path
) -> None:
    cover = Selection(parts=("0-cover",))
    built = build(open_library(TIN), [str(battle)], Output(tmp_path / "out"), selection=cover)[0]["built"]
    [(name, path)] = [(one["sheet"], one["path"]) for one in built]
    assert (name, Path(path).name) == ("0-cover", "0-cover-a4.pdf")
    [said] = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path)]
    for title, part in pages.items():
        assert title == "Cover" or re.search(listed(title, len(part)), " ".join(said.split()))
    with pikepdf.open(path) as pdf:  # there is nothing that it could lead to
        assert not pdf.pages[0].get("/Annots")


def test_what_is_made_again_is_found_again(battle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDPRESS_CACHE", str(tmp_path / "shelf"))
    library, out = open_library(TIN), tmp_path / "out"
    names = Selection(parts=("2-red", "9-roster-blue"))

    def reused() -> list[bool]:
        return [one["reused"] for one in build(library, [str(battle)], Output(out), selection=names)[0]["built"]]

    assert reused() == [False, False]
    before = [path.read_bytes() for path in sorted((out / "the-hill").iterdir())]
    assert reused() == [True, True]
    assert [path.read_bytes() for path in sorted((out / "the-hill").iterdir())] == before
    battle.write_text(BATTLE.replace("Orders of the reds", "Other orders"), encoding="utf-8")
    assert reused() == [False, True]


def test_parts_that_were_printed_before_are_not_printed_again(battle: Path, tmp_path: Path) -> None:
    library, out = open_library(TIN), tmp_path / "out"
    assert build(library, [str(battle)], Output(out))[0]["built"]
    assert build(library, [str(battle)], Output(tmp_path / "next", earlier=out))[0]["built"] == []


def test_no_part_is_written_if_one_of_them_cannot_be_written(battle: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "the-hill" / "2-red-a4.pdf").mkdir(parents=True)
    with pytest.raises(ProblemsError, match="F131"):
        build(open_library(TIN), [str(battle)], Output(out))
    assert [path for path in out.rglob("*") if path.is_file()] == []


@cache
def shipped(name: str) -> tuple[Scenario, Pack]:
    library = open_library()
    path = battles_in_reach(library)[name].path
    [pack] = scenario_jobs(library, path, Selection(bind=True), Findings())
    assert isinstance(pack, Pack)
    return load_scenario_file(library, path), pack


BATTLES = sorted(battles_in_reach(open_library()))


def test_a_part_says_the_same_alone() -> None:
    _, pack = shipped("bond-store-nine")
    path = battles_in_reach(open_library())["bond-store-nine"].path
    [alone] = scenario_jobs(open_library(), path, Selection(parts=("1-table",)), Findings())
    assert isinstance(alone, Job)
    assert alone.paper == next(part.paper for part in pack.parts if part.sheet == "1-table")


@pytest.mark.parametrize(("paper", "size"), [("a4", (420.0, 297.0)), ("letter", (431.8, 279.4))])
def test_a_poster_of_the_map_is_two_sheets_wide(
    paper: Paper, size: tuple[float, float], battle: Path, tmp_path: Path
) -> None:
    asked = Selection(parts=("1-poster",))
    [one] = build(open_library(TIN), [str(battle)], Output(tmp_path, papers=(paper,)), selection=asked)[0]["built"]
    [page] = pypdfium2.PdfDocument(one["path"])
    assert Path(one["path"]).stem == f"1-poster-{'a3' if paper == 'a4' else 'tabloid'}"
    assert page.get_size() == pytest.approx([side / 25.4 * 72 for side in size], abs=0.1)
    said = page.get_textpage().get_text_bounded()
    assert "West" in said  # a zone
    assert "Q" not in said.split()  # the sign of the pit, which is on the maps of the reds and the umpire


def sentences(texts: Any) -> set[str]:
    return {text.strip() for text in texts if text.strip()}


def in_public(said: Any) -> str:
    """What the writer of a battle lets everybody read: everything but forces, orders and secrets."""
    if isinstance(said, dict):
        own = said.get("secret") in (True, "yes")
        kept = (one for key, one in said.items() if key not in ("force", "briefing", "secret", "umpire"))
        return "" if own else " ".join(map(in_public, kept))
    return " ".join(map(in_public, said)) if isinstance(said, list) else str(said)


@pytest.mark.parametrize(
    ("part", "copies"), [("1-table", 3), ("1-poster", 1), ("1-board", 1), ("4-reference", 3), ("9-readings", 1)]
)
def test_each_player_gets_the_pages_to_play_with(part: str, copies: int) -> None:
    assert PlanRow(part, part, "", "everybody", 1).copies(3) == copies


@pytest.mark.parametrize("name", BATTLES)
def test_no_public_page_names_what_a_side_fields_unless_the_battle_itself_does(name: str) -> None:
    scenario, pack = shipped(name)
    forces = [side.force for side in scenario.sides if side.force is not None]
    names = {one.name for force in forces for one in force.designs}
    names |= {one.name for force in forces for one in force.units}
    told = in_public(scenario.place.value())
    secret = {one for one in names if one not in told}
    assert len(secret) > 3
    cover = pack.cover([2] * len(pack.parts), linked=True)
    public = [cover, *(part.paper for part in pack.parts if part.whose == "everybody")]
    named = re.compile("|".join(rf"\b{re.escape(one)}\b" for one in secret))
    assert [(paper.id, one) for paper in public for one in named.findall(repr(paper))] == []
    rows = Counter(title for title, _ in {(part.listed or part.title, part.whose) for part in pack.parts})
    assert {title: repr(cover).count(f"text={title!r}") for title in rows} == dict(rows)


@pytest.mark.parametrize("name", BATTLES)
def test_no_part_of_a_finished_battle_tells_a_secret_to_those_who_do_not_know_it(name: str) -> None:
    scenario, pack = shipped(name)
    secrets = {
        side.name: sentences(side.secret)
        | {one.name for one in scenario.set_pieces if one.secret and one.side == side.name}
        for side in scenario.sides
    }
    everything = {secret for some in secrets.values() for secret in some} | sentences(scenario.umpire)
    everything |= {one.note for one in scenario.set_pieces if one.secret and not one.side}
    assert len(everything) >= 3
    for part in pack.parts:
        said = repr(part.paper)
        mine = everything if part.whose == "the umpire" else secrets.get(part.whose, set())
        assert {secret for secret in everything - mine if repr(secret)[1:-1] in said} == set(), part.sheet
    umpire = repr(next(part.paper for part in pack.parts if part.sheet == "3-umpire"))
    assert {secret for secret in everything if repr(secret)[1:-1] not in umpire} == set()


def test_the_umpire_writes_down_where_the_designs_of_a_force_without_units_begin(battle: Path) -> None:
    force = "{designs: [{design: Cart, kind: tank, wall: 0}]}"
    battle.write_text(BATTLE.replace(f"blues, force: {FORCE}", f"blues, force: {force}"), encoding="utf-8")
    sheet = repr(umpire_sheet(load_scenario_file(open_library(TIN), battle), ""))
    assert "'First'" in sheet
    assert "'Cart'" in sheet


def test_the_umpire_has_a_map_of_all_that_is_hidden_if_anything_is(battle: Path) -> None:
    def maps() -> list[Map]:
        sheet = umpire_sheet(load_scenario_file(open_library(TIN), battle), "")
        sections = [section for row in sheet.rows for column in row.columns for section in column]
        return [block for section in sections for block in section.blocks if isinstance(block, Map)]

    [plan] = maps()
    assert {mark.name for mark in plan.marks} == {"Well", "Pit of the reds"}  # nothing else has a place
    battle.write_text(BATTLE.replace("at: [12, 30], secret: yes", "secret: yes"), encoding="utf-8")
    assert maps() == []


def test_the_cover_asks_for_no_die_because_of_a_square_of_the_map(battle: Path) -> None:
    battle.write_text(DUEL.format(FORCE, FORCE), encoding="utf-8")
    papers: Any = [("Longest lane", "24″ D4–B2"), ("Longest lane", "30″ A3–D12"), "Roll D6."]
    assert "Dice: D6." in repr(cover(load_scenario_file(open_library(TIN), battle), (), papers, ""))


def test_the_cover_tells_how_long_it_takes_and_which_dice_to_bring() -> None:
    """Three Bridges: 17 units act in 9 turns, which is 153 minutes."""
    _, pack = shipped("three-bridges")
    said = repr(pack.cover([1] * len(pack.parts), linked=False))
    assert "about 3 hours" in said
    assert "Dice: D4, D6, D8, D10, D12." in said
    assert "--only markers** prints the pot of 119 chits" in said
    assert "chits" not in repr(
        shipped("corrie-main")[1].cover([1] * len(shipped("corrie-main")[1].parts), linked=False)
    )


def test_the_cover_says_whether_a_battle_needs_an_umpire(tmp_path: Path) -> None:
    def cover(pack: Pack) -> str:
        return repr(pack.cover([1] * len(pack.parts), linked=False))

    assert "cannot be played without an umpire" in cover(shipped("cantle-row")[1])
    assert "Without an umpire nobody reads 3-umpire" in cover(shipped("three-bridges")[1])
    path = tmp_path / "duel.yaml"
    path.write_text(DUEL.format(FORCE, FORCE), encoding="utf-8")
    [pack] = scenario_jobs(open_library(TIN), path, Selection(bind=True), Findings())
    assert isinstance(pack, Pack)
    assert "3-umpire" not in {part.sheet for part in pack.parts}  # nothing is secret
    assert "umpire" not in cover(pack)


def test_the_rules_of_a_pack_are_those_in_play() -> None:
    def bars(name: str, part: str) -> set[str]:
        rules = next(item.paper for item in shipped(name)[1].parts if item.sheet == part)
        assert isinstance(rules, Sheet)
        titles = {section.title for row in rules.rows for column in row.columns for section in column}
        return titles | {row.phase for row in rules.rows}

    raid, delay = bars("sallow-head", "4-reference-2"), bars("three-bridges", "4-reference-2")
    assert {"Firing a SAM", "Several fire controls"} <= raid
    assert {"Cruise missiles", "Firing a SAM"}.isdisjoint(delay)
    assert {"Cruise missiles", "What the missile does"}.isdisjoint(raid)  # its special rule sets them aside
    assert {"Air to air", "Dog-fight", "Guns in the air"}.isdisjoint(raid)
    assert "Damage" in bars("three-bridges", "4-reference") & bars("corrie-main", "4-reference")
    assert {"Artillery", "Shells", "Calling for fire"} <= delay
    assert {"Artillery", "Shells", "Calling for fire"}.isdisjoint(raid)  # no guns


def test_a_battle_of_nothing_but_guided_missiles_has_their_row_of_the_strip_of_weapons(tmp_path: Path) -> None:
    lancers = "{design: Lancers, kind: infantry-team, type: line, role: gms-l}"
    force = f"{{designs: [{lancers}], units: [{{unit: First, of: Lancers}}]}}"
    path = tmp_path / "duel.yaml"
    path.write_text(DUEL.format(force, force).replace("tin", "dirtside2"), encoding="utf-8")
    [part] = scenario_jobs(open_library(), path, Selection(only=("4-reference",)), Findings())
    assert isinstance(part, Job)
    assert isinstance(part.paper, Sheet)
    strips = [block for row in part.paper.rows for block in row.blocks if isinstance(block, Weapons)]
    assert [[weapon.name for weapon in strip.weapons] for strip in strips] == [["GMS/L"]]


def test_the_sections_on_artillery_are_for_each_player_and_not_in_the_appendix() -> None:
    """The row of the print plan has the part, its title, who gets it, its pages and its copies."""
    pack = shipped("three-bridges")[1]
    sheet = pack.cover([1] * len(pack.parts), linked=False)
    assert isinstance(sheet, Sheet)
    plans = [block for row in sheet.rows for block in row.blocks if isinstance(block, Table)]
    rows = [[cell.text for cell in row] for row in plans[0].rows]
    [guns] = [row for row in rows if "Artillery" in row[1]]
    [play] = [row for row in rows if row[0] == "4-reference"]
    assert (guns[0], *guns[2:]) == ("4-reference-2", *play[2:])


def test_a_layer_with_a_play_sheet_prints_it_alone() -> None:
    parts = {name: {item.sheet for item in shipped(name)[1].parts} for name in ("corrie-main", "three-bridges")}
    assert {name: "4-reference-2" in ids for name, ids in parts.items()} == {
        "corrie-main": False,
        "three-bridges": True,
    }


def test_a_layer_with_handouts_prints_them_alone_and_a_layer_that_changes_a_title_loses_none(bench: Bench) -> None:
    bench.change("tin/sheets/quick.yaml", "section: Shooting\n", "section: Shooting\n          handout: true\n")
    quick = (bench.folder / "tin/sheets/quick.yaml").read_text(encoding="utf-8")
    bench.write("steel/sheets/more.yaml", quick.replace("sheet: quick", "sheet: more"))
    gold = (TIN / "steel/ruleset.yaml").read_text(encoding="utf-8").replace("[tin]", "[steel]")
    bench.write("gold/ruleset.yaml", gold.replace("ruleset: steel", "ruleset: gold"))
    bench.write("gold/changes.yaml", CHANGED)

    def handouts(ruleset: str) -> list[str]:
        return [sheet.model.sheet for part in _references(bench.rules(ruleset)) for sheet in part]

    assert [handouts(name) for name in ("tin", "steel", "gold")] == [["quick"], ["more"], ["more", "quick"]]
    bench.write("tin/sheets/quick.yaml", f"{quick}handout: 1\n")
    assert handouts("tin") == ["quick"]  # not twice
    bench.write("tin/sheets/play.yaml", quick.replace("sheet: quick", "sheet: play") + "handout: 1\n")
    assert handouts("tin") == ["play", "quick"]


def test_readings_of_a_pack_are_of_rules_at_the_table() -> None:
    def said(name: str) -> str:
        return repr(next(part.paper for part in shipped(name)[1].parts if part.sheet == "9-readings"))

    assert "Fieldpress’s own" not in said("bond-store-nine")  # its table of terrain is no source’s
    assert "Chits that count" in said("three-bridges")
    assert "no price of its own" not in said("three-bridges")
    assert "The text counts every layer worn" not in said("cantle-row")  # an option that is not taken


def test_rows_of_what_nobody_has_are_left_out() -> None:
    """Three Bridges has no DFFG and no SLAM."""
    blocks = (
        block for row in rules_rows("three-bridges") for column in row.columns for one in column for block in one.blocks
    )
    strip = next(block for block in blocks if isinstance(block, Weapons))
    assert [weapon.name for weapon in strip.weapons] == ["RFAC", "HVC", "HKP", "MDC", "HEL", "GMS/L", "GMS/H"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [("5-card-crew", "5-cards-crew"), ("6-marker", "6-markers")],
)
def test_a_misspelt_part_is_reported_with_the_nearest_part(said: str, meant: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemsError) as caught:
        build(open_library(), ["bond-store-nine"], Output(tmp_path), selection=Selection(parts=(said,)))
    assert [(one.code, one.hint) for one in caught.value.problems] == [("F214", f"did you mean {meant}?")]


def test_columns_of_what_nobody_has_are_left_out() -> None:
    """Three Bridges has everything on the ground but walkers; Sallow Head is without low wheels and grav, too."""
    found = [heads(rules_rows(name), "") for name in ("three-bridges", "sallow-head")]
    assert [[head for head in each if head in MOVERS] for each in found] == [
        ["Foot", "Low wheel", "High wheel", "Track", "GEV", "Grav"],
        ["Foot", "High wheel", "Track", "GEV"],
    ]


def test_a_layer_with_dice_of_its_own_leaves_no_chit_to_be_drawn() -> None:
    _, pack = shipped("corrie-main")
    said = {one.sheet: repr(one.paper) for one in pack.parts}
    drawn = ("BOOM", "Systems down", "2 chits", "draws **", "draw as many")
    assert {(one, word) for one, text in said.items() for word in drawn if word in text} == set()
    assert "BOOM" in repr([one.paper for one in shipped("three-bridges")[1].parts])


def test_what_a_special_rule_sets_aside_is_printed_nowhere() -> None:
    _, pack = shipped("sallow-head")
    launcher = next(card for one in pack.parts for card in getattr(one.paper, "cards", ()) if card.name == "Long Arm")
    assert launcher.front == ()
    assert "to launch one or more missiles" not in repr([one.paper for one in pack.parts])
    scenario, _ = shipped("sallow-head")
    aside = {name for special in scenario.special for name in special.sets_aside}
    rules = load(open_library(), "dirtside2-iceburg", [], [("tables", ALL), ("procedures", ALL)])
    assert rules is not None
    assert aside - {"cruise-missile-battery"} <= {*rules.procedures, *rules.tables}
    # The battery fires by the rule itself: nobody activates or tests it, so it has no boxes and no markers for that.
    assert "cruise-missile-battery" in aside
    assert launcher.ladder == ()


def test_signs_that_no_page_can_show_are_told_as_by_a_check(battle: Path) -> None:
    battle.write_text(BATTLE.replace(UMPIRE[0], "漢, then 𓀀"), encoding="utf-8")
    told = [one for one in check([TIN], [str(battle)]) if one.code == "F132"]
    with pytest.raises(ProblemsError) as caught:
        scenario_jobs(open_library(TIN), battle, Selection(), Findings())
    assert [*caught.value.problems] == told
    assert len(told) == 1


MOVERS = ("Foot", "Low wheel", "High wheel", "Track", "GEV", "Grav", "Walker")


def rules_rows(battle: str) -> Sequence[Row]:
    """The rules in play of a finished battle."""
    paper = next(one.paper for one in shipped(battle)[1].parts if one.sheet == "4-reference")
    assert isinstance(paper, Sheet)
    return paper.rows


def heads(rows: Sequence[Row], title: str) -> list[str]:
    """The heads of the tables under a bar."""
    sections = [one for row in rows for column in row.columns for one in column if one.title == title]
    tables = [block for one in sections for block in one.blocks if isinstance(block, Table)]
    return [one.head for table in tables for one in table.columns]


def fronts(rows: Sequence[Row], title: str) -> set[str]:
    """What the rows of all tables under a bar begin with."""
    sections = [one for row in rows for column in row.columns for one in column if one.title == title]
    tables = [block for one in sections for block in one.blocks if isinstance(block, Table)]
    return {row[0].text for table in tables for row in table.rows}


TANKS = "{{designs: [{{design: Wagon, kind: tank, wall: {wall}, weapons: [{guns}]}}]}}"


def in_play(bench: Bench, concerns: str, *forces: tuple[int, str]) -> tuple[set[str], bool]:
    """The guns on the sheet of a battle between forces with this wall and gun, and whether their dice are there."""
    sheet = (TIN / "tin/sheets/quick.yaml").read_text(encoding="utf-8")
    bench.write("tin/sheets/quick.yaml", sheet.replace("rows:\n", "handout: 1\nrows:\n", 1))
    bench.write("tin/tables/guns.yaml", GUNS.replace("label: Die}", f"label: Die, {concerns}}}"))
    sides = [TANKS.format(wall=wall, guns=f"{{gun: {gun}}}" if gun else "") for wall, gun in forces]
    battle = bench.folder / "battle.yaml"
    battle.write_text(DUEL.format(*sides), encoding="utf-8")
    (part,) = scenario_jobs(open_library(bench.folder), battle, Selection(parts=("4-reference",)), Findings())
    assert isinstance(part, Job)
    assert isinstance(part.paper, Sheet)
    return fronts(part.paper.rows, "Shooting"), "Die" in heads(part.paper.rows, "Shooting")


def test_a_side_without_designs_has_no_cards(battle: Path) -> None:
    battle.write_text(DUEL.format("{}", FORCE), encoding="utf-8")
    [pack] = scenario_jobs(open_library(TIN), battle, Selection(bind=True), Findings())
    assert isinstance(pack, Pack)
    assert {part.sheet for part in pack.parts if "cards" in part.sheet} == {"5-cards-blue"}


def test_a_side_of_designs_alone_has_a_model_of_each_and_no_units(battle: Path) -> None:
    alone = "{designs: [{design: Wagon, kind: tank, wall: 0}]}"
    battle.write_text(DUEL.format(alone, FORCE.replace("Wagon}]}", "Wagon, count: 3}]}")), encoding="utf-8")
    section = sides_section(load_scenario_file(open_library(TIN), battle))
    assert section is not None
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    assert [[cell.text for cell in row][:3] for row in table.rows] == [["Red", "–", "1"], ["Blue", "1", "3"]]


@pytest.mark.parametrize("known", [0, 3])
def test_the_strengths_of_many_sides_are_not_known_if_one_is_not(bench: Bench, battle: Path, known: int) -> None:
    bench.change("tin/kinds/tank.yaml", "points: 10", "points: 0")
    sides = "".join(f"  - {{side: S{number}, force: {FORCE if number < known else '{}'}}}\n" for number in range(4))
    battle.write_text(DUEL.partition("  - ")[0].format() + sides, encoding="utf-8")
    assert facts(load_scenario_file(open_library(bench.folder), battle)).figures[-1].text == "–"


def test_the_print_plan_names_no_section_that_an_option_leaves_out(bench: Bench) -> None:
    head = (TIN / "tin/ruleset.yaml").read_text(encoding="utf-8")
    fog = "options:\n  fog: {label: Fog, yes_no: true, default: false, cite: p. 9}\n"
    bench.write("tin/ruleset.yaml", head + fog)
    bench.change("tin/sheets/quick.yaml", "section: Shooting\n", "section: Shooting\n          handout: true\n")
    bench.change(
        "tin/sheets/quick.yaml", "section: Odds\n", "section: Odds\n          handout: true\n          when: fog\n"
    )
    battle = bench.folder / "battle.yaml"
    for settings, listed in (("", "Shooting"), ("options: {tin: {fog: yes}}\n", "Shooting, Odds")):
        battle.write_text(DUEL.format(FORCE, FORCE) + settings, encoding="utf-8")
        (part,) = scenario_jobs(open_library(bench.folder), battle, Selection(parts=("4-reference",)), Findings())
        assert isinstance(part, Job)
        assert part.listed == f"Reference: {listed}"


def test_a_row_is_in_play_where_a_design_chose_its_key(bench: Bench) -> None:
    assert in_play(bench, "", (0, "pop"), (0, ""))[0] == {"Pop gun"}
    assert in_play(bench, "", (0, "pop"), (0, "cannon"))[0] == {"Pop gun", "Big cannon"}
    assert in_play(bench, "", (0, ""), (0, ""))[0] == set()


def test_a_table_whose_condition_leaves_only_rows_out_of_play_is_left_out(bench: Bench) -> None:
    """A gun is in play, but not one of those that the table prints: the pack has no table that says None."""
    sheet = (TIN / "tin/sheets/quick.yaml").read_text(encoding="utf-8")
    assert "{table: guns" in sheet
    changed = sheet.replace("{table: guns", "{table: guns, where: gun == 'cannon'")
    bench.write("tin/sheets/quick.yaml", changed.replace("rows:\n", "handout: 1\nrows:\n", 1))
    battle = bench.folder / "battle.yaml"
    for guns, found in (("pop", set()), ("cannon", {"Big cannon"})):
        force = TANKS.format(wall=0, guns=f"{{gun: {guns}}}")
        battle.write_text(DUEL.format(force, force), encoding="utf-8")
        (part,) = scenario_jobs(open_library(bench.folder), battle, Selection(parts=("4-reference",)), Findings())
        assert isinstance(part, Job)
        assert isinstance(part.paper, Sheet)
        assert fronts(part.paper.rows, "Shooting") == found


@pytest.mark.parametrize(
    ("concerns", "printed"),
    [
        ("concerns: [tank]", True),
        ("concerns: [tank.wall]", True),
        ("concerns: [tank.wall=2]", False),
        ('concerns: ["*.wall=1"]', True),
        ("concerns: [guns]", True),
        ("concerns: [guns=cannon]", False),
        ("concerns: [guns=cannon, guns.words=Pop gun]", True),
        ("concerns: [special-rules.procedure=shoot]", False),
    ],
)
def test_a_column_is_in_play_where_it_concerns_a_force(bench: Bench, concerns: str, *, printed: bool) -> None:
    assert in_play(bench, concerns, (1, "pop"), (0, ""))[1] is printed


def test_what_is_headed_by_a_force_says_whose_it_is(battle: Path) -> None:
    text = battle.read_text(encoding="utf-8")
    battle.write_text(text.replace("force: {designs", "force: {force: The *first*, designs", 1), encoding="utf-8")
    names = ("9-roster-red", "9-roster-blue")
    made = scenario_jobs(open_library(TIN), battle, Selection(parts=names), Findings())
    papers: dict[str, Any] = {one.sheet: one.paper for one in made if isinstance(one, Job)}
    assert {name: paper.strap.partition(".")[0] for name, paper in papers.items()} == {
        "9-roster-red": "Red",
        "9-roster-blue": "What is fielded, what it costs, and why",
    }


def test_every_side_has_files_of_its_own(battle: Path) -> None:
    named = DUEL.format("{}", "{}").replace("Red", "Side 2").replace("Blue", "Ω")
    battle.write_text(f"{named}  - {{side: Side 3}}\n  - {{side: Side 2!}}\n", encoding="utf-8")
    [pack] = scenario_jobs(open_library(TIN), battle, Selection(bind=True), Findings())
    assert isinstance(pack, Pack)
    assert max(Counter(part.sheet for part in pack.parts).values()) == 1


def test_a_guise_without_an_answer_is_reported_at_its_condition(bench: Bench) -> None:
    bench.write(
        "tin/cards/tank.yaml", CARD.replace("target:", "guises:\n  - {guise: high, when: 1 / wall > 0}\ntarget:")
    )
    battle = bench.folder / "battle.yaml"
    battle.write_text(DUEL.format(FORCE, FORCE), encoding="utf-8")
    with pytest.raises(ProblemsError) as raised:
        scenario_jobs(open_library(bench.folder), battle, Selection(bind=True), Findings())
    (problem,) = raised.value.problems
    assert (problem.code, Path(problem.span.file).name) == ("R241", "tank.yaml")
    assert problem in check([bench.folder], [str(battle)])


def test_odds_of_too_many_inputs_are_left_out_at_once(bench: Bench) -> None:
    inputs = ", ".join(f"in{number}: {{label: In, range: 0..99}}" for number in range(20))
    text = f"procedure: wide\ntitle: Wide\ncite: p. 4\ninputs: {{{inputs}}}\n"
    bench.write(
        "tin/procedures/wide.yaml", f"{text}outcomes: [{{outcome: hit, label: Hit}}]\ncases: [{{always: hit}}]\n"
    )
    assert odds_table(bench.rules().procedures["wide"]) is None


def test_a_force_with_errors_has_no_strength_that_is_too_low(tmp_path: Path) -> None:
    path = tmp_path / "bridges.yaml"
    text = battles_in_reach(open_library())["three-bridges"].path.read_text(encoding="utf-8")
    path.write_text(text.replace("plant: CFE", "plant: XXX", 1), encoding="utf-8")
    scenario = load_scenario_file(open_library(), path, [("cards", ALL), ("sheets", ALL)])
    assert not all(side.force is None or side.force.whole for side in scenario.sides)
    assert [figure.label for figure in facts(scenario).figures][2] != "points"
