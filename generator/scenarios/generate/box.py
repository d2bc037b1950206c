"""The terrain that a player owns: what can be built with it, and what is left while a table is laid."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from generator.scenarios.generate.shapes import Keys, house, round_
from generator.scenarios.table.outlines import STEP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.problems import Problem
    from generator.rules.entries.tables import Row
    from generator.rules.source.parts import Place
    from generator.scenarios.chance import Chance
    from generator.scenarios.table.reach import Extent


class Owned(NamedTuple):
    """A piece of terrain that a player owns. Lengths are in half inches."""

    kind: str
    size: tuple[int, int]
    round: bool

    @property
    def area(self) -> float:
        """The area, in square half inches."""
        return self.size[0] * self.size[1] * (0.785 if self.round else 1)


class Box(NamedTuple):
    """The terrain that a player owns."""

    place: Place
    """The place of its pieces in the file."""
    kinds: frozenset[str]
    """The ids of its kinds of terrain."""
    pieces: tuple[Owned, ...]
    """Each piece with a footprint."""

    def lacks(self, region: Row, rows: Sequence[Row], names: dict[str, str], table: Extent) -> str:
        """Return why a region cannot be built with these pieces; empty if it can. ``rows`` are its kinds of terrain."""
        for row in rows:
            if row["terrain"] not in self.kinds and (row["pieces"] or (0, 0))[0]:
                return f"no {names[row['terrain']]}"
        covered, least = self.covered(rows, table), region["share"][0] + 1
        return "" if covered >= least else f"pieces for {int(covered)} % of the table, {least} % needed"

    def covered(self, rows: Sequence[Row], table: Extent) -> float:
        """Return the share of a table that these pieces cover in a region, in percent."""
        most = Counter[str]()
        for row in rows:
            most[row["terrain"]] += (row["share"] or (0, 0))[1]
        return sum(min(share, self._share(kind, table)) for kind, share in most.items())

    def _share(self, kind: str, table: Extent) -> float:
        return sum(piece.area for piece in self.pieces if piece.kind == kind) * 100 / (table.wide * table.deep)


class Remaining:
    """The pieces of a box that are not on the table yet."""

    def __init__(self, box: Box) -> None:
        self._left = list(box.pieces)

    def offers(self, kind: str, chance: Chance) -> Iterator[tuple[tuple[Keys, ...], Owned]]:
        """Yield the pieces of a kind in a random order, each turned at random."""
        for piece in dict.fromkeys(chance.shuffled(piece for piece in self._left if piece.kind == kind)):
            turned = STEP * chance.below(12)
            yield round_(piece.size[0], chance) if piece.round else (house(piece.size, turned),), piece

    def take(self, piece: Owned) -> None:
        """Take a piece that was laid."""
        self._left.remove(piece)


def not_buildable(box: Box, expected: str, reason: str) -> Problem:
    """Return S238 for terrain that cannot be built from a box."""
    hint = "add pieces to the box, of more kinds too, or roll a smaller battle"
    return box.place.problem("S238", expected, reason, hint, at_key=True)
