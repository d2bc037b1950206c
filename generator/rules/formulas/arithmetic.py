"""What the signs of formulas do: exact arithmetic within bounds, comparisons, and looking in lists."""

from __future__ import annotations

import ast
import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.functions import bounded, numeric, whole

if TYPE_CHECKING:
    from collections.abc import Callable

_SMALL = 10**9
"""Numbers of which no operation gives one too large."""
_MAX_BITS = 200
"""How large a result may grow: sixty digits, where no rule comes near."""
_ACTIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: whole(Fraction(a) / Fraction(b)),
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """Return a comparison of numbers that refuses yes, no and texts."""
    return lambda a, b: compare(a, b) if type(a) is int and type(b) is int else compare(numeric(a), numeric(b))


def _equal(a: Any, b: Any) -> bool:
    """Whether two values are equal. Raises FormulaUseError for yes or no beside a number."""
    if type(a) is not type(b) and isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        numeric(a), numeric(b)
    return bool(a == b)


COMPARISON: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: _equal,
    ast.NotEq: lambda a, b: not _equal(a, b),
    ast.Lt: _ordered(operator.lt),
    ast.LtE: _ordered(operator.le),
    ast.Gt: _ordered(operator.gt),
    ast.GtE: _ordered(operator.ge),
    ast.In: lambda a, b: a in listed(b),
    ast.NotIn: lambda a, b: a not in listed(b),
}


def listed(items: Any) -> Any:
    """A list to look in; a part of a text is not one of its entries."""
    if isinstance(items, str):
        raise TypeError
    return items


def _arithmetic(sign: type[ast.operator]) -> Callable[[Any, Any], Any]:
    """An operation on exact numbers, or lists put together; texts have no sums, and no result grows without end."""
    action = _ACTIONS[sign]
    joins_lists = sign is ast.Add

    def run(a: Any, b: Any) -> Any:
        if type(a) is int and type(b) is int and -_SMALL < a < _SMALL and -_SMALL < b < _SMALL:
            return action(a, b)
        if isinstance(a, tuple) or isinstance(b, tuple):
            if not joins_lists:
                raise TypeError
            return bounded(a + b)
        result = whole(action(numeric(a), numeric(b)))
        if result.numerator.bit_length() > _MAX_BITS or result.denominator.bit_length() > _MAX_BITS:
            message = "a number of more than sixty digits"
            raise FormulaUseError(message)
        return result

    return run


ARITHMETIC = {sign: _arithmetic(sign) for sign in _ACTIONS}
"""What formulas may do with two numbers."""


def find(table: Any, column: str, *keys: Any) -> Any:
    """One column of a row of a table."""
    return table.find(keys)[column]
