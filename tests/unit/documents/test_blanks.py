"""Blank cards and sheets: every kind that has a card, its heads and boxes, and no figure of any design."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generator.commands.access import load_valid, open_library
from generator.commands.jobs import BLANKS, Findings, Selection
from generator.commands.printer import Output, imposed
from generator.commands.printing import build, ruleset_jobs
from generator.problems import ProblemsError
from generator.render.assemble.impose import FOLD, SHEETS, Imposition
from generator.render.blocks import Cell, Strip, Table
from generator.render.cards.columns import front_texts, needs_back
from generator.render.cards.deck import EACH, IN_ROW, Line
from generator.render.page.html import render_html
from generator.render.page.pdf import boxes_of, render_pdf
from generator.resources import rulesdata

pytestmark = pytest.mark.slow

MM = 96 / 25.4
"""Pixels of the engine."""


def blanks(rules: str, *folders: Path) -> list[Any]:
    """Return the deck of blank cards that a build of a rule set prints, and its blank sheets."""
    return [job.paper for job in ruleset_jobs(open_library(*folders), [rules], [BLANKS], Findings())]


@pytest.mark.parametrize("rules", ["dirtside2", "stargrunt2", "fma-skirmish", "sla-3d"])
def test_each_kind_has_a_sheet_of_blank_cards(rules: str) -> None:
    made = blanks(rules)[0]
    data = load_valid(open_library(), rules, [("cards", "all")])
    kinds = {kind.title for name, kind in data.kinds.items() if name in data.cards and name != "unit"}
    whose = [card.who for card in made.cards]
    assert whose == [who for who in dict.fromkeys(whose) for _ in range(EACH)]
    assert {*whose} == kinds
    assert made.bounds == ()
    for card in made.cards:
        assert len(card.front) == (4 if card.columns else 0)
        assert all(head for axis in card.axes for head in axis.targets)
        assert front_texts(card)[1] or not card.facts
        lines = [line for line in card.front if isinstance(line, Line)]
        figures = [stat.figure for stat in (*card.stats, *card.plan.beside)] + [*card.plan.faces]
        assert not any((*figures, card.points, card.note, *(text.strip() for line in lines for text in line.cells)))
        assert not any(chance.text for line in lines for chance in line.chances if chance)
        assert needs_back(card) == bool(card.runs)
        assert not card.own
        assert not card.mark
        assert card.boxes
    assert render_pdf(replace(made, cards=made.cards[-EACH:]), paper="letter", ink="mono").pages == 1 + bool(
        made.cards[-1].runs
    )


def test_blank_cards_have_boxes_for_men_and_hits() -> None:
    squad = blanks("stargrunt2")[0].cards[0]
    assert [(box.label, box.many) for box in squad.boxes] == [("Men lost", IN_ROW), ("Suppressed", 3)]
    assert squad.stats[0].label == "Quality"
    assert squad.axes[0].targets == ("…″",) * 5
    iceburg = {card.who: card for card in blanks("dirtside2-iceburg")[0].cards}
    assert [iceburg[who].elements for who in ("Vehicle", "Emplacement")] == [(1, 2, 3, 4, 5, 6)] * 2
    missiles = [(box.label.strip("…"), box.many) for box in iceburg["Cruise missiles"].boxes]
    assert missiles == [("Flown ", IN_ROW), ("Destroyed", IN_ROW)]
    assert [fact.label for fact in iceburg["Vehicle"].facts] == ["Systems back on"]
    character = blanks("sla-3d")[0].cards[0]
    assert [stat.label for stat in character.plan.beside] == ["PV", "suit PV"]
    assert [tell.split()[0] for tell in character.tells] == ["Move"]
    assert [run.label[:4] for run in character.runs] == [
        "Inca", "Beyo", "Head", "Tors", "Abdo", "Righ", "Left", "Righ", "Left"
    ]  # fmt: skip


def test_a_character_has_a_blank_combat_sheet() -> None:
    sheet = blanks("sla-3d")[1]
    blocks = [block for row in sheet.rows for column in row.columns for part in column for block in part.blocks]
    labels = [(figure.label, figure.text) for block in blocks if isinstance(block, Strip) for figure in block.figures]
    assert ("STR", "") in labels
    assert not any(text for _, text in labels)
    rows = [row for block in blocks if isinstance(block, Table) for row in block.rows]
    fists = next(row for row in rows if row[0].text == "Fists")
    assert all(cell.blank and not cell.text for cell in fists[1:])
    assert ["Lost every … rounds", *"5432111"] in [[cell.text for cell in row] for row in rows]


def test_a_blank_sheet_is_printed_in_large_print() -> None:
    assert render_pdf(blanks("sla-3d")[1].enlarged(), paper="letter", ink="mono").pages


def tables(sheet: Any) -> list[Table]:
    """Return the tables of a sheet."""
    return [block for row in sheet.rows for block in row.blocks if isinstance(block, Table)]


def test_each_table_of_weapons_has_two_empty_rows() -> None:
    weapons = [table for table in tables(blanks("sla-3d")[1]) if table.caption in {"Weapon", "Gun"}]
    empty = [[row for row in table.rows if all(cell == Cell("", blank=True) for cell in row)] for table in weapons]
    assert [len(rows) for rows in empty] == [2, 2, 2]


def test_a_blank_sheet_has_no_entry_of_the_starter(tmp_path: Path) -> None:
    layer = tmp_path / "crews"
    text = """ruleset: crews
title: Crews
short: Crews
edition: "2001-12-31"
authors: [Me]
rights: Mine.
extends: [fma-skirmish]
source: mine
sources:
  mine: {title: Crews, author: Me, date: "2001-12-31", short: Crews}
"""
    kind = """kind: crew
title: Crew
cite: p. 1
fields:
  arms: {label: Arms, list: {weapon: {label: Weapon, from: weapons}, count: {label: Count, range: 1..8, default: 1}}}
lines: [{line: arms, label: "{weapon}", each: arms, figure: count, cite: p. 1}]
limits: [{limit: unarmed, severity: advice, that: count(arms.weapon) > 0, blame: arms, says: Take a gun., cite: p. 1}]
"""
    rows = 'rows: [{label: "{count} × {weapon}"}], columns: [{head: How many, show: count}]'
    named = f'{{table: mine, title: "{{weapon}}", each: arms, {rows}}}'
    sheet = f"""sheet: log
title: Log
strap: A log.
kicker: Log
of: crew
rows:
  - columns: [[{{section: Arms, blocks: [{{means: [{{table: arms, title: Arm, each: arms, {rows}}}, {named}]}}]}}]]
"""
    for name, said in (("ruleset", text), ("kinds/crew", kind), ("sheets/log", sheet)):
        path = layer / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(said, encoding="utf-8")
    made = next(sheet for sheet in blanks("crews", tmp_path) if sheet.id.endswith("log"))
    assert [[column.head for column in table.columns] for table in tables(made)] == [
        ["Arm", "How many"],
        ["", "How many"],
    ]
    assert [table.rows for table in tables(made)] == [((Cell("", blank=True),) * 2,)] * 2


@pytest.mark.parametrize(("paper", "ink"), [("a4", "colour"), ("letter", "mono")])
def test_lines_of_a_blank_sheet_have_room_for_a_pencil(paper: Any, ink: Any) -> None:
    """Lines are at least 9 mm long, those of names 35 mm and those of figures without a head 20 mm. Rows are 7.5 mm."""
    found = {"td": list[tuple[float, float]](), "th": list[tuple[float, float]]()}

    def walk(box: Any, row: float = 0, cell: str = "") -> None:
        row = box.height / MM if box.element_tag == "tr" else row
        cell = box.element_tag if box.element_tag in found else cell
        if cell and box.element is not None and box.element.get("class") == "line":
            found[cell].append((box.width / MM, row))
        for child in getattr(box, "children", ()):
            walk(child, row, cell)

    for page in boxes_of(render_html(blanks("sla-3d")[1], paper, ink)):
        walk(page)
    assert min(wide for wide, _ in found["th"]) >= 35
    assert min(wide for wide, _ in found["td"]) >= 9
    assert min(high for lines in found.values() for _, high in lines) >= 7.5


def test_a_rule_set_without_sheets_has_blank_cards(tmp_path: Path) -> None:
    own = tmp_path / "fma-skirmish"
    shutil.copytree(rulesdata() / own.name, own)
    shutil.rmtree(own / "sheets")
    found = Findings()
    assert [job.sheet for job in ruleset_jobs(open_library(tmp_path), [own.name], [BLANKS], found)] == [BLANKS]
    assert [problem for problem in found.problems if problem.severity == "error"] == []


def test_blank_cards_are_index_cards() -> None:
    jobs = ruleset_jobs(open_library(), ["dirtside2"], [BLANKS], Findings())
    with pytest.raises(ProblemsError) as raised:
        imposed(jobs, Imposition(SHEETS, size="tarot"), ["a4"])
    assert [problem.code for problem in raised.value.problems] == ["R328"]
    assert imposed(jobs, Imposition(SHEETS), ["a4"]) != jobs


@pytest.mark.parametrize("way", [SHEETS, FOLD])
@pytest.mark.parametrize(("rules", "pages"), [("fma-skirmish", 1), ("sla-3d", 2)])
def test_one_sided_blank_cards_have_no_sheets_of_backs(tmp_path: Path, way: str, rules: str, pages: int) -> None:
    output = Output(tmp_path, imposition=Imposition(way), no_cache=True, jobs=1)
    built = build(open_library(), [rules], output, selection=Selection(only=(BLANKS,)))[0]["built"]
    assert [file["pages"] for file in built if "-cards-" in Path(file["path"]).name] == [pages]


def test_a_kind_without_a_card_has_no_blank_card(tmp_path: Path) -> None:
    layer = tmp_path / "forts"
    (layer / "kinds").mkdir(parents=True)
    about = "short: Forts\nedition: '2001-12-31'\nauthors: [Me]\nrights: Mine.\nextends: [fma-skirmish]\nsource: mine\n"
    source = "sources:\n  mine: {title: Forts, author: Me, date: '2001-12-31', short: Forts}\n"
    (layer / "ruleset.yaml").write_text(f"ruleset: forts\ntitle: Forts\n{about}{source}", encoding="utf-8")
    wall = "lines: [{line: wall, label: Wall, figure: 3, cite: p. 1}]\n"
    bunker = f"kind: bunker\ntitle: Bunker\ncite: p. 1\nfields: {{}}\n{wall}"
    (layer / "kinds" / "bunker.yaml").write_text(bunker, encoding="utf-8")
    assert {card.who for card in blanks("forts", tmp_path)[0].cards} == {"Figure"}


def test_a_label_that_is_a_word_of_the_design_is_a_line_and_leaves_other_boxes(tmp_path: Path) -> None:
    own = tmp_path / "dirtside2-iceburg"
    shutil.copytree(rulesdata() / own.name, own)
    card = own / "cards" / "cruise-missile-battery.yaml"
    card.write_text(card.read_text(encoding="utf-8").replace("Flown {warhead}", "{warhead} flown"), encoding="utf-8")
    boxes = next(card.boxes for card in blanks(own.name, tmp_path)[0].cards if card.who == "Cruise missiles")
    labels = [(box.label.strip("…"), box.many) for box in boxes]
    assert labels[:2] == [(" flown", IN_ROW), ("Destroyed", IN_ROW)]
