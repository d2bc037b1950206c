"""The terrain that a player owns: read its file, and say what can be built with it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import Field

from generator.errors import ProblemsError
from generator.forces.models import Label
from generator.rules.model.base import Model, Seq
from generator.rules.source.validation import read_model
from generator.scenarios.facts import WAYS
from generator.scenarios.models import MAX_LISTED, MAX_PIECES, Length, Size, Word
from generator.scenarios.terrain_kinds import named, terrains, unknown_kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generator.problems import Problem
    from generator.rules.entries.tables import Row
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place
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
    """The terrain that a player owns, to which a rolled map is limited."""

    place: Place
    """The place of its pieces in the file."""
    kinds: frozenset[str]
    """The ids of its kinds of terrain."""
    pieces: tuple[Owned, ...]
    """Each piece with a footprint."""

    def lacks(self, region: Row, rows: Sequence[Row], names: dict[str, str], table: Extent) -> str:
        """Return in words why a region cannot be built with these pieces; empty if it can.

        ``rows`` are the region's kinds of terrain, and ``names`` the printed name of each kind by its id.
        """
        for row in rows:
            if row["terrain"] not in self.kinds and (row["pieces"] or (0, 0))[0]:
                return f"no {names[row['terrain']]}"
        covered, least = self.covered(rows, table), region["share"][0] + 1
        return "" if covered >= least else f"pieces for {int(covered)} % of the table, {least} % needed"

    def covered(self, rows: Sequence[Row], table: Extent) -> float:
        """Return the share of a table that these pieces cover in a region, in percent.

        A kind counts up to the greatest share that ``rows``, the region's kinds of terrain, give it.
        """
        most, owned, whole = Counter[str](), defaultdict[str, float](float), table.wide * table.deep
        for row in rows:
            most[row["terrain"]] += (row["share"] or (0, 0))[1]
        for piece in self.pieces:
            owned[piece.kind] += piece.area * 100 / whole
        return sum(min(share, owned[kind]) for kind, share in most.items())


def not_buildable(box: Box, expected: str, reason: str) -> Problem:
    """Return S238 for terrain that cannot be built from a box; ``reason`` is what is missing."""
    hint = "add pieces to the box, of more kinds too, or roll a smaller battle"
    return box.place.problem("S238", expected, reason, hint, at_key=True)


_DRAWN_FREELY = (*WAYS, "rail", "stream", "torrent", "brook")
"""The drawings of kinds that need no footprint: their pieces are laid as long as the table needs them."""


class OwnedModel(Model):
    """Pieces of terrain of one kind and one size."""

    kind: Word
    """The kind of terrain, from the rules."""
    size: Size | None = None
    """The two sides of a rectangle in which a piece fits, in inches."""
    radius: Length | None = None
    """The radius of a round piece, in inches."""
    count: Annotated[int, Field(ge=1, le=MAX_PIECES)] = 1
    """The number of such pieces."""


class BoxModel(Model):
    """The terrain that a player owns."""

    box: Label
    """The name of the collection."""
    pieces: Annotated[Seq[OwnedModel], Field(min_length=1, max_length=MAX_LISTED)]
    """The pieces."""


def read_box(path: Path, rules: RuleSet) -> Box:
    """Return the terrain that a player owns from a file.

    Raises ProblemsError: F1xx if it cannot be read; R201 to R203 for wrong keys or values; S201 for an unknown kind of
    terrain; S203 for a piece without a footprint, or with two.
    """
    model, part = read_model(BoxModel, path)
    problems: list[Problem] = []
    known = terrains(rules)
    kinds: set[str] = set()
    pieces: list[Owned] = []
    for number, item in enumerate(model.pieces):
        place, kind = part.place() / "pieces" / number, named(item.kind, known)
        if kind is None:
            problems.append(unknown_kind(item.kind, known, place / "kind"))
            continue
        kinds.add(kind.id)
        given = [key for key in ("size", "radius") if getattr(item, key) is not None]
        if len(given) > 1 or (not given and kind.drawn not in _DRAWN_FREELY):
            found = " and ".join(given) or "no footprint"
            hint = "write size: with two sides in inches, or radius:"
            problems.append(place.problem("S203", "size or radius", found, hint))
        elif given:
            size = item.size or (2 * (item.radius or 0), 2 * (item.radius or 0))
            pieces += [Owned(kind.id, size, item.radius is not None)] * item.count
    if problems:
        raise ProblemsError(*problems)
    return Box(part.place() / "pieces", frozenset(kinds), tuple(pieces))
