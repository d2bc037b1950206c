"""Tell the umpire how even two sides are in a game without points, with the working."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.forces.exchange import Exchange
    from generator.rules.entries.tables import Row

UNEQUAL = Fraction(15, 100)
"""The most that two sides may differ in expected exchange."""
_HOW = (
    "Balance, by exact odds: each of the {counted} fires its best weapon once, at an enemy chosen at random. Where the "
    "rules tell these apart, the range is middle and the target is in the open."
)
_BY_PRICE = "Balance: no weapon here has the figures for odds, so the sides are compared by price."


def working(exchange: Exchange, names: Sequence[str], mission: Row, counted: str) -> list[str]:
    """Return sentences for the umpire: what each side does in a round, and by how much the sides differ."""
    wanted = mission["attacker"], mission["defender"]
    ratio = f"The mission gives the attacker {wanted[0]} to {wanted[1]}."
    differ = f"The sides differ by {percent(exchange.difference(*wanted))}."
    mine, theirs = exchange.elements
    if not exchange.by_fire:
        prices = (
            f"{name}: {size} {counted}, {price} points."
            for name, size, price in zip(names, exchange.elements, exchange.values, strict=True)
        )
        return [" ".join((_BY_PRICE, *prices, ratio, differ))]
    sides = (
        f"{name}: {size} {counted} score {hits:.2f} hits, {percent(share)} of the enemy’s {enemy}."
        for name, size, hits, share, enemy in zip(
            names, (mine, theirs), map(float, exchange.values), exchange.shares, (theirs, mine), strict=True
        )
    )
    told = [_HOW.format(counted=counted), *sides]
    if wanted[0] != wanted[1]:
        squares = [part * part for part in wanted]
        parts = " against ".join(
            f"{percent(share)} ÷ {square}" for share, square in zip(exchange.shares, squares, strict=True)
        )
        told += [ratio, f"Equal troops would score shares of {squares[0]} to {squares[1]}, so compare {parts}."]
    return [" ".join((*told, differ))]


def percent(share: Fraction) -> str:
    r"""Return a share as a percentage, rounded to the nearest whole number.

    >>> percent(Fraction(1, 8)), percent(Fraction(1, 3))
    ('13\xa0%', '33\xa0%')
    """
    return f"{int(100 * share + Fraction(1, 2))}\N{NO-BREAK SPACE}%"
