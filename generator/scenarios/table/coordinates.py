"""A table as the attacker sees it: percent ahead of his edge and along it, made half inches east and north."""

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
        """It as a zone says it."""
        return {"at": [self.left, self.low], "size": [self.right - self.left, self.high - self.low]}

    def holds(self, spot: tuple[int, int]) -> bool:
        """Whether a spot lies in it."""
        return self.left <= spot[0] <= self.right and self.low <= spot[1] <= self.high


class Frame(NamedTuple):
    """A table, and the edge from which the attacker comes."""

    table: Extent
    facing: str

    def area(self, ahead: Span, along: Span) -> Area:
        """The part of the table between these percentages."""
        level = self.facing in ("west", "east")
        far = (self.table.wide, self.table.deep) if level else (self.table.deep, self.table.wide)
        near, side = _part(ahead, far[0]), _part(along, far[1])
        if self.facing in ("east", "north"):
            near = far[0] - near[1], far[0] - near[0]
        return Area(near[0], side[0], near[1], side[1]) if level else Area(side[0], near[0], side[1], near[1])

    def edge(self, word: str) -> str:
        """Which edge of the map is meant: the attacker's, the defender's, or one between them."""
        if word in ("attacker", "defender"):
            return self.facing if word == "attacker" else _ACROSS[self.facing]
        level = self.facing in ("west", "east")
        return {"low": "south" if level else "west", "high": "north" if level else "east"}[word]

    def stretch(self, word: str, along: Span) -> Span:
        """The part of an edge between these percentages: of one between the two sides, from the attacker's on."""
        edge = self.edge(word)
        long = self.table.wide if edge in ("north", "south") else self.table.deep
        start, end = _part(along, long)
        if word in ("low", "high") and self.facing in ("east", "north"):
            return long - end, long - start
        return start, end


def _part(span: Span, long: int) -> Span:
    """Percentages of a length as half inches, at least one apart."""
    start, end = span[0] * long // WHOLE, span[1] * long // WHOLE
    return (start, end) if start < end else (min(start, long - 1), min(start, long - 1) + 1)


def spot_in(area: Area, table: Extent, chance: Chance) -> tuple[int, int]:
    """A spot in an area, on whole inches, a little way from the edge of the table."""
    return (
        _inch(area.left, area.right, table.wide, chance),
        _inch(area.low, area.high, table.deep, chance),
    )


def _inch(start: int, end: int, long: int, chance: Chance) -> int:
    low, high = max(start, 4), min(end, long - 4)
    return 2 * chance.between((low + 1) // 2, max(high // 2, (low + 1) // 2))
