"""The score sheet of a scenario: objectives held by turn, other points, and totals."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from generator.documents.pack.battle import battle_sheet, due_in, turns_of
from generator.documents.words import number as figure
from generator.render.blocks import Cell, Column, Row, Section, Sheet, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.scenarios.scenario import Scenario, Side

_MOST_COLUMNS = 12
"""Most turns with columns of their own; more turns have boxes in a row."""
_ROWS = 2
"""Empty rows of each side, for unforeseen points."""
_BLANK = Cell("", blank=True)
_HELD = "Tick what is held at each turn’s end: the last turn played counts. Write down what else is won."
_SPACE = "\N{NO-BREAK SPACE}"


def score_sheet(scenario: Scenario, fingerprint: str) -> Sheet:
    """Return the score sheet: players, each side's possible points by turn with a total, and a log of turns."""
    sections = [_players(scenario), *(_of_side(scenario, side) for side in scenario.sides), _log(scenario), _end()]
    rows = [Row(((section,),)) for section in sections]
    held = any(objective.points and not objective.once for objective in scenario.objectives)
    strap = _HELD if held else "Write down what is won, and in which turn."
    kicker = ("score sheet", scenario.rules.manifest.short)
    return battle_sheet(scenario, "score-sheet", scenario.name, strap, kicker, rows, fingerprint)


def _players(scenario: Scenario) -> Section:
    """Return the lines to write on for players, date and umpire or place."""
    asked = [f"{side.name}, played by" for side in scenario.sides]
    umpired = scenario.umpire or any(side.secret for side in scenario.sides)
    others = ["Date", *(["Umpire"] if umpired else ["Place"])]
    rows = tuple(
        (*_asked(left), *_asked(right)) for left, right in zip_longest(asked, others[: len(asked)], fillvalue="")
    )
    heads = (Column("", share=6), Column("", share=8), Column("", share=2), Column("", share=6))
    return Section("", (Table(heads, rows, "Who played, and when", head_first=False, roomy=True),))


def _end() -> Section:
    rows = ((*_asked("Won by"), *_asked("With points")),)
    heads = (Column("", share=2), Column("", share=9), Column("", share=3), Column("", share=6))
    return Section("", (Table(heads, rows, "Who won", head_first=False, roomy=True),))


def _asked(label: str) -> tuple[Cell, Cell]:
    """Return a label and a cell to write in; two empty cells without a label."""
    return (Cell(label, plain=True, strong=True), _BLANK) if label else (Cell(""), Cell(""))


def _of_side(scenario: Scenario, side: Side) -> Section:
    """Return a side's possible points: boxes for each turn, or lines for repeated gains, with the score."""
    turns = turns_of(scenario)
    apart = turns <= _MOST_COLUMNS
    heads = [Column("No.", share=2), Column("For", share=17), Column("Points", align="right", share=3)]
    if apart:
        heads += [Column(str(turn), align="centre", share=2) for turn in range(1, turns + 1)]
    else:
        heads.append(Column(f"Turns 1 to {turns}", share=24))
    heads += [Column("", share=1), Column("Score", share=4)]  # an empty column before the score
    each = turns if apart else 1
    boxes = (Cell("", boxes=1),) * turns if apart else (Cell("", boxes=turns),)
    single: tuple[Cell, ...] = (Cell(f"won{_SPACE}", boxes=1, align="centre"),)
    if turns > 1 and apart:  # a box would seem to belong to one turn
        single = (Cell("won in turn", span=each // 2, align="right"), replace(_BLANK, span=each - each // 2))
    single_count = (replace(_BLANK, span=each),)
    score = (Cell(""), _BLANK)
    counted = ((_BLANK,) * each) + score
    mine = [(n, item) for n, item in enumerate(scenario.objectives, start=1) if item.points and side.name in item.sides]
    rows: list[tuple[Cell, ...]] = [
        (
            Cell(str(number), strong=True),
            Cell(item.name, plain=True),
            Cell(str(item.points)),
            *(single if item.once else boxes),
            *score,
        )
        for number, item in mine
    ]
    rows += [
        (
            Cell(""),
            Cell(victory.when, plain=True),
            Cell(figure(victory.points)),
            *((*single_count, *score) if victory.once else counted),
        )
        for victory in scenario.victory
        if victory.side in (side.name, "")
    ]
    rows += [(Cell(""), _BLANK, _BLANK, *counted)] * _ROWS
    begins = [len(mine)] if 0 < len(mine) < len(rows) else []
    begins.append(len(rows))
    rows.append((Cell(""), Cell("Running total", strong=True), Cell(""), *counted))
    table = Table(
        tuple(heads), tuple(rows), f"Points of {side.name} by turn", plain_caption=True, group_rows=tuple(begins),
        dense=True, breakable=True,
    )  # fmt: skip
    aside = "held at the end of turn: the last one played counts" if any(not item.once for _, item in mine) else ""
    return Section(side.name, (table,), aside)


def _log(scenario: Scenario) -> Section:
    """Return the log with a line for each turn, with its public events printed."""
    rows: list[tuple[Cell, ...]] = []
    for turn in range(1, turns_of(scenario) + 1):
        due = "; ".join(due_in(scenario, turn))
        rows.append((Cell(str(turn), strong=True), Cell(due, plain=True), _BLANK))
    heads: Sequence[Column] = (
        Column("Turn", share=2),
        Column("Comes on or happens", share=12),
        Column("What became of it", share=12),
    )
    if not any(row[1].text for row in rows):
        heads, rows = (heads[0], heads[2]), [(row[0], row[2]) for row in rows]
    return Section("Turn by turn", (Table(tuple(heads), tuple(rows), "Turn by turn", breakable=True),))
