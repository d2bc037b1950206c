"""Tables of a card that are printed as one."""

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
    """Tables with the same heads that stand together and have one title are one."""
    for (title, heads, targets), alike in groupby(grids, attrgetter("title", "heads", "targets")):
        together = list(alike)
        asked = tuple(dict.fromkeys(one for grid in together for one in grid.asked))
        yield Grid(title, heads, targets, tuple(_at_once(line for grid in together for line in grid.lines)), asked)


def _at_once(lines: Iterable[Line]) -> list[Line]:
    """Lines of one head that have no chance in the same column are one: what fires otherwise near than far."""
    found: list[Line] = []
    for line in lines:
        same = next((at for at, one in enumerate(found) if _goes_with(one, line)), None)
        if same is None:
            found.append(line)
        else:
            both = zip(found[same].chances, line.chances, strict=True)
            found[same] = found[same]._replace(chances=tuple(two if one == NO_CHANCE else one for one, two in both))
    return found


def _goes_with(one: Line, other: Line) -> bool:
    alike = one.head == other.head and one.cells == other.cells and bool(one.chances)
    return alike and all(NO_CHANCE in both for both in zip(one.chances, other.chances, strict=True))
