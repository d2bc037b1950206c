"""The score sheet of a scenario: who held what in which turn, what else was worth points, and what it came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.documents.battle import battle_sheet, turns_of
from generator.documents.words import number as figure
from generator.render.blocks import Cell, Column, Row, Section, Sheet, Table

if TYPE_CHECKING:
    from generator.scenarios.scenario import Scenario

_MOST_COLUMNS = 12
"""Turns that have columns of their own; of more there are boxes in a row."""
_LINES = 3
"""Rows for what nobody thought of."""


def score_sheet(scenario: Scenario, fingerprint: str) -> Sheet:
    """Boxes for every objective, turn and side, lines for other points and totals, and a log of the turns."""
    sections = [_objectives(scenario), _others(scenario), _totals(scenario), _log(scenario)]
    rows = [Row(((section,),)) for section in sections if section is not None]
    strap = "Who held what, and what it came to. Tick a box at the end of the turn."
    kicker = ("score sheet", scenario.rules.manifest.short)
    return battle_sheet(scenario, "score-sheet", scenario.name, strap, kicker, rows, fingerprint, evened=True)


def _objectives(scenario: Scenario) -> Section | None:
    """For each side what it may win, with a box for each turn."""
    turns = turns_of(scenario)
    apart = turns <= _MOST_COLUMNS
    heads = [Column("No.", share=2), Column("Objective", share=12), Column("Points", align="right", share=3)]
    if apart:
        heads += [Column(str(turn), align="centre", share=2) for turn in range(1, turns + 1)]
    else:
        heads.append(Column(f"Turns 1 to {turns}", share=24))
    heads.append(Column("Score", share=5))
    rows: list[tuple[Cell, ...]] = []
    begins = []
    for side in scenario.sides:
        won = [(n, one) for n, one in enumerate(scenario.objectives, start=1) if one.points and side.name in one.sides]
        if not won:
            continue
        begins.append(len(rows))
        rows.append((Cell(side.name, plain=True, strong=True, span=len(heads)),))
        for number, one in won:
            boxes = (Cell("", boxes=1),) * turns if apart else (Cell("", boxes=turns),)
            said = Cell(str(number), strong=True), Cell(one.name, plain=True), Cell(str(one.points))
            rows.append((*said, *boxes, Cell("", blank=True)))
    if not rows:
        return None
    aside = "held at the end of turn: the last counts"
    table = Table(
        tuple(heads), tuple(rows), "Objectives by side and turn", group_rows=tuple(begins[1:]), breakable=True
    )
    return Section("Objectives", (table,), aside)


def _others(scenario: Scenario) -> Section:
    """What else is worth points, and lines for what is not foreseen."""
    heads = (
        Column("Side", share=4),
        Column("For", share=20),
        Column("Points", align="right", share=3),
        Column("Whose", share=5),
        Column("Score", share=4),
    )
    blank = Cell("", blank=True)
    rows: list[tuple[Cell, ...]] = [
        (Cell(one.side or "All", plain=True), Cell(one.when, plain=True), Cell(figure(one.points)), blank, blank)
        for one in scenario.victory
    ]
    rows += [(blank,) * len(heads)] * _LINES
    return Section("Other points", (Table(heads, tuple(rows), "What else is worth points", breakable=True),))


def _totals(scenario: Scenario) -> Section:
    heads = (Column("Side", share=8), *(Column(one, share=5) for one in ("Objectives", "Other points", "Total")))
    blank = Cell("", blank=True)
    rows = tuple((Cell(one.name, plain=True, strong=True), blank, blank, blank) for one in scenario.sides)
    return Section("Total", (Table(heads, rows, "What it came to", roomy=True),))


def _log(scenario: Scenario) -> Section:
    """A line for each turn: what is to happen stands there already."""
    rows: list[tuple[Cell, ...]] = []
    for turn in range(1, turns_of(scenario) + 1):
        due = [f"{one.name} ({one.side})" for one in scenario.entries if one.turn == turn]
        due += [one.name for one in scenario.set_pieces if one.turn == turn and not one.secret]
        rows.append((Cell(str(turn), strong=True), Cell(", ".join(due), plain=True), Cell("", blank=True)))
    heads: tuple[Column, ...] = (
        Column("Turn", share=2),
        Column("Comes on or happens", share=8),
        Column("What became of it", share=16),
    )
    if not any(row[1].text for row in rows):
        heads, rows = (heads[0], heads[2]), [(row[0], row[2]) for row in rows]
    table = Table(heads, tuple(rows), "Turn by turn", breakable=True)
    return Section("Turn by turn", (table,))
