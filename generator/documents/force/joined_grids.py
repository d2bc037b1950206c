"""Joining of neighbouring tables on a card."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from generator.documents.force.odds_on_cards import NO_CHANCE
from generator.render.cards.deck import Grid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.render.cards.deck import Line


def joined(grids: Sequence[Grid]) -> Iterator[Grid]:
    """Yield the tables, with neighbours joined that have the same title and heads."""
    for (title, heads, targets), alike in groupby(grids, attrgetter("title", "heads", "targets")):
        together = list(alike)
        asked = tuple(dict.fromkeys(item for grid in together for item in grid.asked))
        yield Grid(title, heads, targets, tuple(_at_once(line for grid in together for line in grid.lines)), asked)


def _at_once(lines: Iterable[Line]) -> list[Line]:
    """Return lines with equal ones joined if at most one has a chance in each column, such as near and far fire."""
    found: list[Line] = []
    for line in lines:
        same = next((at for at, item in enumerate(found) if _goes_with(item, line)), None)
        if same is None:
            found.append(line)
        else:
            both = zip(found[same].chances, line.chances, strict=True)
            found[same] = found[same]._replace(chances=tuple(two if item == NO_CHANCE else item for item, two in both))
    return found


def _goes_with(line: Line, other: Line) -> bool:
    """Return whether two lines can be joined: equal, and at most one has a chance in each column."""
    alike = line.head == other.head and line.cells == other.cells and bool(line.chances)
    return alike and all(NO_CHANCE in both for both in zip(line.chances, other.chances, strict=True))
