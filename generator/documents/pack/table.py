"""The table sheet of a battle: the map, and facing it what is needed to lay the table, to begin and to win."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generator.documents.pack.battle import (
    agreed,
    battle_sheet,
    deployment,
    flags,
    set_pieces,
    special_rules,
    terrain,
    winning,
    words,
)
from generator.documents.pack.maps import battlefield, lay_list
from generator.documents.pack.side_sheets import sides_section
from generator.documents.words import NOTHING
from generator.documents.words import number as figure
from generator.render.blocks import Cell, Column, Row, Section, Sheet, Table
from generator.render.language import Phrase
from generator.render.maps.map import square_of
from generator.rules.model.manifest import DOT
from generator.scenarios.check import inches
from generator.scenarios.facts import MapFacts, map_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.scenarios.scenario import Objective, Scenario
    from generator.scenarios.table.reach import Extent

_LOWEST, _HIGHEST = 60.0, 300.0
"""Least and greatest height of a map with everything around it, in millimetres."""


def poster(scenario: Scenario, table: Extent, fingerprint: str) -> Sheet:
    """Return a sheet with only the map, on a page as wide as two sheets of paper. It shows no secrets."""
    alone = _sheet(scenario, table, "poster", (), fingerprint)
    return replace(alone, poster=True, kicker=(scenario.rules.manifest.short,))


def table_sheet(scenario: Scenario, table: Extent, procedures: Iterable[Section], fingerprint: str) -> Sheet:
    """Return the sheet for everybody: the map, and what is needed to lay the table, to win and to keep the score.

    ``procedures`` are the sections about procedures that only this battle has. The sheet shows no secrets.
    """
    sections = (
        lay_list(scenario),
        words("Situation", scenario.situation),
        sides_section(scenario),
        winning(scenario),
        deployment(scenario),
        score(scenario),
        set_pieces(scenario),
        terrain(scenario),
        agreed(scenario),
        *procedures,
        special_rules(scenario),
    )
    return _sheet(scenario, table, "table", filter(None, sections), fingerprint)


def _sheet(scenario: Scenario, table: Extent, name: str, sections: Iterable[Section], fingerprint: str) -> Sheet:
    """Return a sheet with the map on its first page and the sections on the next pages."""
    plan = replace(
        battlefield(scenario, table), least=_LOWEST, highest=_HIGHEST, facts=_facts(map_facts(scenario), table)
    )
    rows = [Row(((Section("", (plan,)),),))]
    rows += [Row(((section,),), half=True, new_page=not number) for number, section in enumerate(sections)]
    facts = (f"{inches(table.wide)} × {inches(table.deep)}", f"{scenario.turns} turns" if scenario.turns else "")
    kicker = (scenario.rules.manifest.short, DOT.join(filter(None, facts)))
    sheet = battle_sheet(scenario, name, scenario.name, scenario.mission, kicker, rows, fingerprint, flows=True)
    return replace(sheet, landscape=True)


def _facts(measured: MapFacts | None, table: Extent) -> tuple[tuple[str, str], ...]:
    """Return the measured facts of the table for the strip below the map, each with its name.

    Empty if nothing was measured.
    """
    if measured is None:
        return ()
    facts = [("Covered", f"{measured.covered} %")]
    if measured.seen_across is not None:
        facts.append(("Seen start to start", f"{measured.seen_across} %"))
    if measured.lane is not None:
        squares = [square_of(east / 2, north / 2, table.deep / 2) for east, north in (measured.lane[:2])]
        facts.append(("Longest lane", f"{inches(measured.lane.length)} {squares[0]}–{squares[1]}"))
    facts.append(("Widest gap", inches(measured.gap)))
    return tuple(facts)


_BLANK = Cell("", blank=True)
_HELD = (
    "You hold an objective at the end if a model of yours is within the distance and none of the enemy’s is. Models "
    "that are out of action do not count."
)
_WINS = "Twice the enemy’s total or more: decisive victory. More: marginal victory. Equal totals: a draw."


def score(scenario: Scenario) -> Section | None:
    """Return a section with what is worth points, with a place for each side’s score.

    None if the scenario has no objectives and nothing else scores.
    """
    worth = any(item.points for item in scenario.objectives) or bool(scenario.victory)
    rows = [*_rows(scenario)]
    if not rows:
        return None
    heads = [Column("", share=2), Column("Objective or deed", share=13), Column("Points", align="right", share=3)]
    if worth:
        heads += [Column(side.name, align="centre", share=5) for side in scenario.sides]
        rows.append((Cell(""), _BLANK, _BLANK, *(_BLANK for _ in scenario.sides)))  # what a side’s secret may be worth
        rows.append((Cell(""), Cell("Total", strong=True), Cell(""), *(_BLANK for _ in scenario.sides)))
    held = any(not item.once for item in scenario.objectives)
    note = " ".join(text for text, needed in ((_HELD, held), (_WINS, worth)) if needed)
    begins = (len(rows) - 1,) if worth else ()
    table = Table(tuple(heads), tuple(rows), "What is worth points", group_rows=begins, dense=True, note=note)
    return Section("Objectives and score", (table,), "write at the end" if worth else "")


def _rows(scenario: Scenario) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each objective and each other way to score. A side that cannot get the points has a dash."""
    worth = any(item.points for item in scenario.objectives) or bool(scenario.victory)
    names = [side.name for side in scenario.sides]
    for sign, item in flags(scenario):
        places = (_BLANK if item.points and name in item.sides else Cell(NOTHING) for name in names)
        points = Cell(str(item.points) if item.points else NOTHING)
        yield (Cell(sign, strong=True), Cell(_said(item), plain=True), points, *(places if worth else ()))
    for award in scenario.victory:
        places = (_BLANK if award.side in (name, "") else Cell(NOTHING) for name in names)
        yield (Cell(""), Cell(award.when, plain=True), Cell(figure(award.points)), *places)


def _said(item: Objective) -> str:
    """Return an objective's name, the distance within which it is held, and its note."""
    told = item.once and item.note  # the note says how it is won
    held = "" if told else f"within {inches(item.radius)}" if item.radius else "touch it"
    once = "Won once, by the first side alone within the distance." if item.once and item.points else ""
    return Phrase.joined(". ", (Phrase.joined(", ", (item.name, held and Phrase(held))), item.note or Phrase(once)))
