"""Dice as rule data and players write them, and as values in formulas: D8 is 8, 2D6 is ``Dice(2, 6)``."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from generator.rules.formulas.errors import FormulaUseError
from generator.rules.source.validation import show

MAX_SIDES = 1_000
"""The most sides of a die."""
MAX_DICE = 40
"""The most dice, counters or repetitions in one roll."""
_WRITTEN = re.compile(r"([1-9]\d?)?[Dd]([1-9]\d{0,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Dice:
    """Several equal dice whose results are added up, as one value: 2D6."""

    count: int
    sides: int

    def __str__(self) -> str:
        return f"{self.count}D{self.sides}"


def read_dice(text: object) -> int | Dice | None:
    """Return the sides of the die that a text names, or several equal dice as ``Dice``; None for any other text.

    A text may name D2 to D1000, and up to 40 dice.

    >>> read_dice("d20"), str(read_dice("2D6")), read_dice("D1"), read_dice("W6")
    (20, '2D6', None, None)
    """
    written = _WRITTEN.fullmatch(str(text))
    if written is None:
        return None
    count, sides = int(written[1] or 1), int(written[2])
    if not 2 <= sides <= MAX_SIDES or count > MAX_DICE:  # noqa: PLR2004 - a die has two sides
        return None
    return sides if count == 1 else Dice(count, sides)


def spell_dice(value: Any) -> str:
    """Return dice as they are printed; ``value`` is anything that ``dice_of`` accepts.

    The text is empty if there are no dice. Raises FormulaUseError as ``dice_of`` does.

    >>> spell_dice(8), spell_dice(Dice(2, 6)), spell_dice((6, 6, 4))
    ('D8', '2D6', '2D6 + D4')
    """
    counted = Counter(dice_of(value))
    return " + ".join(f"{'' if count == 1 else count}D{sides}" for sides, count in counted.items())


def dice_of(value: Any) -> list[int]:
    """Return the sides of each die of a value: None has no dice, a tuple has the dice of its entries.

    A whole number from 1 to MAX_SIDES is a die. Raises FormulaUseError for a value that is no die, and for a tuple of
    more than MAX_DICE dice.

    >>> dice_of(8), dice_of(Dice(2, 6)), dice_of((4, None, 4)), dice_of(None)
    ([8], [6, 6], [4, 4], [])
    """
    match value:
        case None:
            return []
        case Dice():
            return [value.sides] * value.count
        case tuple():
            sides = [die for part in value for die in dice_of(part)]
            if len(sides) > MAX_DICE:
                raise FormulaUseError(f"{len(sides)} dice, more than {MAX_DICE}")
            return sides
        case _:
            return [within(value, "sides of a die", 1, MAX_SIDES)]


def within(value: Any, what: str, least: int, most: int) -> int:
    """Return a whole number from ``least`` to ``most`` unchanged. Raises FormulaUseError for any other value.

    ``what`` stands after the value in the message, such as ``sides of a die``.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        message, hint = f"{show(value)} {what}, not {least} to {most}", f"make it a whole number from {least} to {most}"
        raise FormulaUseError(message, hint=hint)
    return value


def whole_number(value: Any, what: str) -> int:
    """Return a whole number unchanged. Raises FormulaUseError for any other value, yes and no included.

    ``what`` stands after the value in the message.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise FormulaUseError(f"{show(value)} {what}, not a whole number")
    return value
