"""Read the file of the terrain that a player owns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from generator.errors import ProblemsError
from generator.forces.models import Label
from generator.rules.model.base import Model, Seq
from generator.rules.source.validation import read_model
from generator.scenarios.facts import WAYS
from generator.scenarios.generate.box import Box, Owned
from generator.scenarios.models import MAX_LISTED, MAX_PIECES, Length, Size, Word
from generator.scenarios.terrain_kinds import named, terrains, unknown_kind

if TYPE_CHECKING:
    from pathlib import Path

    from generator.problems import Problem
    from generator.rules.ruleset import RuleSet

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
    """Return the terrain of a file.

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
