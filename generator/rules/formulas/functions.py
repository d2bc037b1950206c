"""Operations of formulas: exact arithmetic within bounds, comparisons, and the functions that they may call."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from generator.odds.dice import shift
from generator.parsing.text import shown
from generator.rules.formulas.errors import FormulaUseError

Number = int | Fraction

MAX_LIST = 10_000
"""The most values that a list may hold, with the values of lists inside it."""
_SMALL = 10**18
"""Results below this number, as most are, need no check of their size."""
_MAX_BITS = 200
"""The most bits of a result: about sixty digits, more than any rule needs."""


class Function(NamedTuple):
    """An allowed function: its body, its least and most arguments, and one line for the documentation."""

    body: Callable[..., Any]
    least: int
    most: int
    says: str


def whole(number: Number) -> Number:
    """Return a whole number as an int, and any other fraction as it is.

    >>> whole(Fraction(4, 2)), whole(Fraction(1, 2))
    (2, Fraction(1, 2))
    """
    return number.numerator if number.denominator == 1 else number


def bounded(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a list as it is. Raises FormulaUseError above MAX_LIST values, inner lists and their values included."""
    count = size(items) - 1
    if count > MAX_LIST:
        raise FormulaUseError(f"a list of {count} values (at most {MAX_LIST})")
    return items


def size(value: Any) -> int:
    """Return the size of a value: 1, and for a list in addition the sizes of its entries.

    >>> size(7), size(()), size(((1, 2), 3))
    (1, 1, 5)
    """
    return 1 + sum(map(size, value)) if isinstance(value, tuple | list) else 1


def numeric(value: Any) -> Any:
    """Return a value unchanged. Raises FormulaUseError for yes, no and texts; other values are not checked."""
    kind = type(value)
    if kind is bool or kind is str:
        found = "yes or no" if kind is bool else "a text"
        raise FormulaUseError(f"values that do not go together ({found} where a number belongs)")
    return value


def truth(value: Any) -> bool:
    """Return the result of a condition; none is no. Raises FormulaUseError for any other value than yes or no."""
    if value is None or isinstance(value, bool):
        return bool(value)
    found = "a list" if isinstance(value, tuple | frozenset) else shown(str(value))
    hint = "compare it with something, such as == or > 0"
    raise FormulaUseError(f"{found} for a condition, not yes or no", hint=hint)


_ACTIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: whole(Fraction(a) / Fraction(b)),
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def _arithmetic(sign: type[ast.operator]) -> Callable[[Any, Any], Any]:
    """Return an operation on exact numbers; ``+`` also joins two lists.

    The operation raises FormulaUseError for results beyond the bounds. For values that are not numbers, and for a
    division by zero, it raises FormulaUseError or an error of ``NO_VALUE``.
    """
    action = _ACTIONS[sign]

    # Fractions are slow, and the states of a procedure compute with the same few. Typed, because yes equals 1.
    @lru_cache(maxsize=1_000, typed=True)
    def exact(a: Any, b: Any) -> Any:
        result = whole(action(numeric(a), numeric(b)))
        if result.numerator.bit_length() > _MAX_BITS or result.denominator.bit_length() > _MAX_BITS:
            raise FormulaUseError("a number of more than sixty digits")
        return result

    def run(a: Any, b: Any) -> Any:
        if type(a) is int and type(b) is int:
            result = action(a, b)
            if -_SMALL < result < _SMALL:
                return result
        if isinstance(a, tuple) or isinstance(b, tuple):
            if sign is not ast.Add:
                raise TypeError
            return bounded(a + b)
        return exact(a, b)

    return run


ARITHMETIC = {sign: _arithmetic(sign) for sign in _ACTIONS}


def equal(a: Any, b: Any) -> bool:
    """Return whether two values are equal. Values of different types never are, except an int and a Fraction.

    Raises FormulaUseError for yes or no compared with a number.
    """
    if type(a) is not type(b) and isinstance(a, Number) and isinstance(b, Number):
        numeric(a), numeric(b)
    return bool(a == b)


def contains(value: Any, items: Any) -> bool:
    """Return whether a value is in a list, compared as ``equal`` does, with its errors.

    Raises TypeError if ``items`` is not a list.
    """
    if type(items) is str:
        raise TypeError
    return any(equal(value, item) for item in items) if isinstance(value, Number) else value in items


def column_of(records: Sequence[Any], column: str) -> tuple[Any, ...]:
    """Return the value of a column for each record. Raises KeyError for a record without the column."""
    return tuple([record[column] for record in records])


def floor(number: Number) -> int:
    """Return the largest whole number not above ``number``. Raises FormulaUseError for yes, no and texts."""
    numeric(number)
    return number.numerator // number.denominator


def ceil(number: Number) -> int:
    """Return the smallest whole number not below ``number``. Raises FormulaUseError for yes, no and texts."""
    numeric(number)
    return -(-number.numerator // number.denominator)


def round_half_up(number: Number) -> int:
    """Return the nearest whole number; an exact half is rounded up. Raises FormulaUseError for yes, no and texts.

    >>> round_half_up(Fraction(96, 10)), round_half_up(Fraction(27, 2)), round_half_up(Fraction(-27, 2))
    (10, 14, -13)
    """
    return floor(numeric(number) + Fraction(1, 2))


def _largest(*arguments: Any) -> Any:
    return max(_items(arguments), default=0)


def _smallest(*arguments: Any) -> Any:
    return min(_items(arguments), default=0)


def _items(arguments: Sequence[Any]) -> Sequence[Any]:
    """Return the numbers given as arguments or as one list. Raises FormulaUseError for yes, no and texts."""
    items = arguments[0] if len(arguments) == 1 and type(arguments[0]) in {tuple, list} else arguments
    for item in items:
        numeric(item)
    return items


def _listed(items: Any) -> Any:
    """Return a tuple, list or frozenset as it is. Raises FormulaUseError for any other value."""
    if not isinstance(items, tuple | list | frozenset):
        raise FormulaUseError("values that do not go together (a single value where a list belongs)")
    return items


def _total(items: Sequence[Number]) -> Number:
    return whole(sum(map(numeric, _listed(items)), Fraction(0)))


def _nth(items: Sequence[Number], place: int) -> Number:
    """Return the number at this place in descending order; place 1 is the largest number.

    Raises FormulaUseError if there is none, for a single value instead of a list, and for yes, no and texts in it.
    """
    ranked = sorted(map(numeric, _listed(items)), reverse=True)
    if not 1 <= place <= len(ranked):
        raise FormulaUseError(f"there is no number {place} in a list of {len(ranked)}")
    return ranked[place - 1]  # type: ignore[no-any-return] # numeric gives what it gets


def _times(items: Sequence[Any] | Number, counts: Sequence[int] | int) -> tuple[Any, ...]:
    """Return a list with each entry repeated; ``counts`` has a number for each entry, or is one number for all.

    A single value counts as a list of one entry. Raises FormulaUseError for lists of different lengths and for a result
    above MAX_LIST values. Also raises it for a count that is negative, yes, no or a text.
    """
    many = items if isinstance(items, tuple | list) else (items,)
    each = counts if isinstance(counts, tuple | list) else (counts,) * len(many)
    _same_length(many, each)
    if min(map(numeric, each), default=0) < 0:
        raise FormulaUseError(f"an entry {min(each)} times")
    total = sum(size(item) * count for item, count in zip(many, each, strict=True))
    if total > MAX_LIST:
        raise FormulaUseError(f"a list of {total} values (at most {MAX_LIST})")
    return tuple(item for item, count in zip(many, each, strict=True) for _ in range(count))


def _where(items: Sequence[Any], marks: Sequence[Any], mark: object) -> tuple[Any, ...]:
    """Return the entries of a list whose mark equals ``mark``; ``marks`` has the mark of each entry.

    Raises FormulaUseError for a single value instead of a list, for lists of different lengths, and for yes or no
    compared with a number.
    """
    _same_length(_listed(items), _listed(marks))
    return tuple(item for item, other in zip(items, marks, strict=True) if equal(other, mark))


def _same_length(items: Sequence[Any], others: Sequence[Any]) -> None:
    """Raise FormulaUseError unless two lists have the same length."""
    if len(items) != len(others):
        raise FormulaUseError(f"lists of {len(items)} and {len(others)} entries that go together")


def _up(die: int | None, steps: int = 1) -> int | None:
    return None if die is None else shift(die, steps)


def _down(die: int | None, steps: int = 1) -> int | None:
    return None if die is None else shift(die, -steps)


FUNCTIONS: dict[str, Function] = {
    "min": Function(_smallest, 1, 9, "the smallest of several numbers or of one list (0 for an empty list)"),
    "max": Function(_largest, 1, 9, "the largest of several numbers or of one list (0 for an empty list)"),
    "floor": Function(floor, 1, 1, "rounded down to a whole number"),
    "ceil": Function(ceil, 1, 1, "rounded up to a whole number"),
    "round_half_up": Function(round_half_up, 1, 1, "rounded to the nearest whole number, a half upwards"),
    "count": Function(lambda items: len(_listed(items)), 1, 1, "how many entries a list has"),
    "sum": Function(_total, 1, 1, "the sum of a list"),
    "nth": Function(_nth, 2, 2, "the nth largest of a list: nth(list, 2) is the second largest"),
    "times": Function(_times, 2, 2, "a list with each entry repeated: times(weapons.class, weapons.count)"),
    "where": Function(
        _where, 3, 3, "the entries of a list whose mark is this: where(weapons.class, weapons.mount, 'turret')"
    ),
    "up": Function(_up, 1, 2, "a die some types up the ladder, one if not said: up(die, 2)"),
    "down": Function(_down, 1, 2, "a die some types down the ladder, one if not said"),
}

KNOWN: dict[str, Any] = {"__builtins__": {}, "_fraction": lru_cache(Fraction)}
KNOWN |= {f"_{check.__name__}": check for check in (bounded, column_of, contains, equal, numeric, truth)}
KNOWN |= {f"_{sign.__name__}": action for sign, action in ARITHMETIC.items()}
KNOWN |= {name: function.body for name, function in FUNCTIONS.items()}
"""All functions that a compiled formula can call."""
