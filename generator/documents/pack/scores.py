"""The score table of a scenario: objectives, other points, and the steps of victory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.documents.words import NOTHING
from generator.documents.words import number as figure
from generator.render.blocks import Cell, Column, Section, Table
from generator.scenarios.check import inches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.scenarios.scenario import Objective, Scenario

_BLANK = Cell("", blank=True)
_HELD = "You hold an objective at the end if you have a unit within the distance and the enemy has none."
_WINS = "Twice the enemy’s total or more: decisive victory. More: marginal victory. Equal totals: a draw."


def score(scenario: Scenario) -> Section | None:
    """Return what is worth points, with a place for each side’s score; None if nothing is an objective or scores."""
    worth = any(item.points for item in scenario.objectives) or bool(scenario.victory)
    rows = [*_rows(scenario)]
    if not rows:
        return None
    heads = [Column("", share=2), Column("Objective or deed", share=15), Column("Points", align="right", share=3)]
    if worth:
        heads += [Column(side.name, align="centre", share=4) for side in scenario.sides]
        rows.append((Cell(""), _BLANK, _BLANK, *(_BLANK for _ in scenario.sides)))  # what a side’s secret may be worth
        rows.append((Cell(""), Cell("Total", strong=True), Cell(""), *(_BLANK for _ in scenario.sides)))
    held = any(not item.once for item in scenario.objectives)
    note = " ".join(text for text, needed in ((_HELD, held), (_WINS, worth)) if needed)
    begins = (len(rows) - 1,) if worth else ()
    table = Table(tuple(heads), tuple(rows), "What is worth points", group_rows=begins, dense=True, note=note)
    return Section("Objectives and score", (table,), "write at the end" if worth else "")


def _rows(scenario: Scenario) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each objective and each other way to score; a side that cannot have the points has a dash."""
    worth = any(item.points for item in scenario.objectives) or bool(scenario.victory)
    names = [side.name for side in scenario.sides]
    for number, item in enumerate(scenario.objectives, start=1):
        places = (_BLANK if item.points and name in item.sides else Cell(NOTHING) for name in names)
        points = Cell(str(item.points) if item.points else NOTHING)
        yield (Cell(str(number), strong=True), Cell(_said(item), plain=True), points, *(places if worth else ()))
    for award in scenario.victory:
        places = (_BLANK if award.side in (name, "") else Cell(NOTHING) for name in names)
        yield (Cell(""), Cell(award.when, plain=True), Cell(figure(award.points)), *places)


def _said(item: Objective) -> str:
    """Return an objective's name, the distance within which it is held, and its note."""
    told = item.once and item.note  # the note says how it is won
    held = "" if told else f", within {inches(item.radius)}" if item.radius else ", touch it"
    once = "Won once, by the first side alone within the distance." if item.once and item.points else ""
    return ". ".join(filter(None, (f"{item.name}{held}", item.note or once)))
