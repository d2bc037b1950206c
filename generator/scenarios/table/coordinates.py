"""Convert coordinates as the attacker sees the table into half inches east and north.

The attacker's coordinates are percentages: ahead from the attacker's edge, and along that edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from generator.scenarios.chance import Chance
    from generator.scenarios.table.reach import Extent

Span = tuple[int, int]
_ACROSS = {"west": "east", "east": "west", "south": "north", "north": "south"}
WHOLE = 100


class Area(NamedTuple):
    """An upright rectangle, in half inches."""

    left: int
    low: int
    right: int
    high: int

    def shape(self) -> dict[str, Any]:
        """Return the rectangle as the keys of a zone in a scenario file, ``at`` and ``size``, in half inches."""
        return {"at": [self.left, self.low], "size": [self.right - self.left, self.high - self.low]}

    def holds(self, spot: tuple[int, int]) -> bool:
        """Return whether a spot is in the rectangle or on its edge."""
        return self.left <= spot[0] <= self.right and self.low <= spot[1] <= self.high


class Frame(NamedTuple):
    """A table, and the edge from which the attacker comes."""

    table: Extent
    facing: str

    def area(self, ahead: Span, along: Span) -> Area:
        """Return the part of the table between these percentages: ahead from the attacker's edge, and along that edge.

        It is at least half an inch wide and deep.
        """
        level = self.facing in ("west", "east")
        far = (self.table.wide, self.table.deep) if level else (self.table.deep, self.table.wide)
        near, side = _part(ahead, far[0]), _part(along, far[1])
        if self.facing in ("east", "north"):
            near = far[0] - near[1], far[0] - near[0]
        return Area(near[0], side[0], near[1], side[1]) if level else Area(side[0], near[0], side[1], near[1])

    def edge(self, word: str) -> str:
        """Return the edge for a word: ``attacker``, ``defender``, or ``low`` or ``high`` for the edges between them.

        ``low`` is the southern or western of these edges. Raises KeyError for any other word.
        """
        if word in ("attacker", "defender"):
            return self.facing if word == "attacker" else _ACROSS[self.facing]
        level = self.facing in ("west", "east")
        return {"low": "south" if level else "west", "high": "north" if level else "east"}[word]

    def stretch(self, word: str, along: Span) -> Span:
        """Return the part of an edge between these percentages, in half inches from the west or the south.

        ``word`` is one for ``edge``. On edges between the sides, percentages begin at the attacker's end.
        """
        edge = self.edge(word)
        long = self.table.wide if edge in ("north", "south") else self.table.deep
        start, end = _part(along, long)
        if word in ("low", "high") and self.facing in ("east", "north"):
            return long - end, long - start
        return start, end


def _part(span: Span, long: int) -> Span:
    """Return percentages of a length as half inches, at least one half inch apart."""
    start, end = span[0] * long // WHOLE, span[1] * long // WHOLE
    return (start, end) if start < end else (min(start, long - 1), min(start, long - 1) + 1)


def spot_in(area: Area, chance: Chance) -> tuple[int, int]:
    """Return a random spot in an area, in half inches, on whole inches."""
    east, north = (
        2 * chance.between((low + 1) // 2, max(high // 2, (low + 1) // 2))
        for low, high in ((area.left, area.right), (area.low, area.high))
    )
    return east, north
