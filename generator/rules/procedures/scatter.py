"""Rolls over a field of hexes, compiled: a shot that strays, and several shots that stray one from the other."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.odds.distribution import Distribution
from generator.odds.hexes import Spot, Walk, stray
from generator.rules.entries.dice import MAX_DICE, whole_number, within
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.model.procedure import AskModel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from generator.rules.entries.tables import Table
    from generator.rules.formulas.compiler import Formula
    from generator.rules.model.procedure import StrayModel, WalkModel
    from generator.rules.procedures.rolls import RollReader
    from generator.rules.procedures.sequence import Branches, Reply
    from generator.rules.source.places import Place

    Ways = Callable[[Mapping[str, Any]], Branches]

STRAYED = ("hex", "q", "r")
MAX_FAR = 1_000
"""The furthest that a shot strays."""


class _Field(NamedTuple):
    places: Mapping[Spot, int]
    """The hexes that count, numbered."""
    keys: tuple[Any, ...]
    """What the table calls them."""
    ways: tuple[Spot, ...]

    def key(self, place: int | None) -> Any:
        return None if place is None else self.keys[place]


def stray_roll(reader: RollReader, model: StrayModel, place: Place) -> Ways | None:
    """One shot: the hex it strikes (or none, beside the field), and the two coordinates of where that is."""
    field = _field(reader, model, place)
    start = _start(reader, model, place)
    by = reader.formula(model.by, place / "by")
    if field is None or start is None or by is None:
        return None

    def ways(values: Mapping[str, Any]) -> Branches:
        far = within(by(values), "hexes to stray", 0, MAX_FAR)
        ends = stray(_spot(start, values), far, field.ways)
        return [((field.key(field.places.get(spot)), *spot), ways) for spot, ways in ends.items()], len(field.ways)

    return ways


def walk_roll(reader: RollReader, model: WalkModel, place: Place) -> Ways | None:
    """Several shots: how many of them strike the field, or where any one of them strikes."""
    field = _field(reader, model, place)
    start = _start(reader, model, place)
    by = _far(reader, model, place)
    shots = reader.formula(model.shots, place / "shots")
    steered = reader.formula(model.steered, place / "steered")
    if field is None or start is None or by is None or shots is None or steered is None:
        return None
    target = tuple(field.places.items())

    def ways(values: Mapping[str, Any]) -> Branches:
        spread = by(values)
        count = within(shots(values), "shots", 0, MAX_DICE)
        turns = within(steered(values), "shots that are steered", 0, MAX_DICE)
        walk = _walk(target, field.ways, tuple(spread.weights), count, turns)
        spot = _spot(start, values)
        if model.gives == "strikes":
            strikes = walk.strikes(spot)
            return [((number,), ways) for number, ways in strikes.weights], strikes.total
        struck = walk.struck(spot)
        return [((field.key(where),), ways) for where, ways in struck.weights], struck.total

    return ways


@lru_cache(maxsize=256)
def _walk(
    target: tuple[tuple[Spot, int], ...],
    ways: tuple[Spot, ...],
    spread: tuple[tuple[int | None, int], ...],
    shots: int,
    steered: int,
) -> Walk:
    """The walk over this field: two rolls of a case, and a rule set under several options, share its sums."""
    return Walk(dict(target), ways, Distribution(dict(spread)), shots, steered)


def _field(reader: RollReader, model: StrayModel, place: Place) -> _Field | None:
    """The two tables. R225 for one without a key and whole numbers q and r."""
    found = []
    for name in ("field", "ways"):
        table = reader.shelf.table(getattr(model, name))
        if not _has_spots(table):
            expected = "a table with one key and columns q and r of whole numbers"
            reader.problems.append((place / name).problem("R225", found=table.id, expected=expected))
            return None
        found.append(table)
    field, ways = found
    keys = tuple(row[field.key[0]] for row in field.rows)
    places = {(row["q"], row["r"]): index for index, row in enumerate(field.rows)}
    return _Field(places, keys, tuple((row["q"], row["r"]) for row in ways.rows))


def _has_spots(table: Table) -> bool:
    types = {column.name: column.type for column in table.columns}
    whole = all(isinstance(row[name], int) for row in table.rows for name in ("q", "r") if name in types)
    return len(table.key) == 1 and types.get("q") == types.get("r") == "int" and whole and bool(table.rows)


def _start(reader: RollReader, model: StrayModel, place: Place) -> tuple[Formula, ...] | None:
    found = [reader.formula(text, place / "start" / index) for index, text in enumerate(model.start)]
    whole = tuple(one for one in found if one is not None)
    return whole if len(whole) == len(found) else None


def _far(reader: RollReader, model: WalkModel, place: Place) -> Callable[[Mapping[str, Any]], Distribution[Any]] | None:
    """How far the shots stray: a number, or a figure of another procedure."""
    if isinstance(model.by, AskModel):
        ask = reader.asking(model.by, place / "by")
        return None if ask is None else lambda values: _finished(ask(values), place / "by")
    by = reader.formula(model.by, place / "by")
    return None if by is None else lambda values: _distances(Distribution.certain(by(values)))


def _finished(reply: Reply, place: Place) -> Distribution[int | None]:
    if reply.remainders:
        message = "a figure with dice that are rolled again, for how far a shot strays"
        raise FormulaUseError(message, place)
    return _distances(reply.odds)


def _distances(found: Distribution[Any]) -> Distribution[int | None]:
    for far, _ in found.weights:
        if far is not None:
            within(far, "hexes to stray", 0, MAX_FAR)
    return found


def _spot(start: tuple[Formula, ...], values: Mapping[str, Any]) -> Spot:
    q, r = (one(values) for one in start)
    return whole_number(q, "for the place of a hex"), whole_number(r, "for the place of a hex")
