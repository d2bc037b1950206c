"""Fields of hexes that shots strike and stray over, as rolls of a procedure need them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.odds.distribution import Distribution
from generator.odds.hexes import Spot, Walk
from generator.rules.entries.dice import whole_number, within
from generator.rules.formulas.errors import FormulaUseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.rules.entries.tables import Table
    from generator.rules.formulas.compiler import Formula
    from generator.rules.procedures.sequence import Reply
    from generator.rules.source.parts import Place

MAX_FAR = 1_000
"""The greatest distance that a shot may stray, in hexes."""


class Field(NamedTuple):
    """The hexes that shots can strike, and the directions in which they stray."""

    places: Mapping[Spot, int]
    """The coordinates of each hex, with its index in ``keys``."""
    keys: tuple[Any, ...]
    """The names of the hexes in the table."""
    directions: tuple[Spot, ...]
    """The steps from a hex to its neighbours, all equally likely."""

    def key(self, place: int | None) -> Any:
        """Return the name of the hex with this index, None for a place outside the field."""
        return None if place is None else self.keys[place]


@lru_cache(maxsize=256)
def walk_over(
    target: tuple[tuple[Spot, int], ...],
    steps: tuple[Spot, ...],
    spread: tuple[tuple[int | None, int], ...],
    shots: int,
    steered: int,
) -> Walk:
    """Return a walk over this field. It is cached, so that rolls and rule sets with the same field share its sums."""
    return Walk(dict(target), steps, Distribution(dict(spread)), shots, steered)


def has_spots(table: Table) -> bool:
    """Return whether a table has rows, a single key, and whole numbers in its columns q and r."""
    types = {column.name: column.type for column in table.columns}
    whole = all(isinstance(row[name], int) for row in table.rows for name in ("q", "r") if name in types)
    return len(table.key) == 1 and types.get("q") == types.get("r") == "int" and whole and bool(table.rows)


def distances(reply: Reply, place: Place) -> Distribution[int | None]:
    """Return the distances that shots stray.

    Raises FormulaUseError for a distance that is not a whole number up to MAX_FAR, and for re-rolled dice cut short.
    """
    if reply.remainders:
        raise FormulaUseError("a figure with dice that are rolled again, for how far a shot strays", place)
    for far, _ in reply.odds.weights:
        if far is not None:
            within(far, "hexes to stray", 0, MAX_FAR)
    return reply.odds


def spot_of(start: tuple[Formula, ...], values: Mapping[str, Any]) -> Spot:
    """Return the coordinates of a hex. Raises FormulaUseError if they are not whole numbers."""
    q, r = (formula(values) for formula in start)
    return whole_number(q, "for the place of a hex"), whole_number(r, "for the place of a hex")
