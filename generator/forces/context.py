"""The values that formulas about a design can use, and how these values are printed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.rules.entries.dice import spell_dice
from generator.rules.entries.namespace import PLACEHOLDER
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.working import spell
from generator.rules.source.model_errors import show

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generator.rules.entries.kinds import Kind
    from generator.rules.formulas.compiler import Formula


class Values(dict[str, Any]):
    """Values by name, with joined table rows that are looked up when a formula first reads them.

    A row that a formula's ``when`` excludes is therefore never looked up.
    """

    __slots__ = ("_join",)

    def __init__(self, values: Mapping[str, Any], join: tuple[tuple[str, Formula], ...] = ()) -> None:
        super().__init__(values)
        self._join = dict(join)

    def __missing__(self, name: str) -> Any:
        """Look up a joined row when it is first read."""
        if name not in self._join:
            raise KeyError(name)
        self[name] = row = self._join[name](self)
        return row

    def copied(self) -> Values:
        """Return a copy, to which values can be added."""
        return Values(self, tuple(self._join.items()))

    def entries(self, each: str | None, join: tuple[tuple[str, Formula], ...]) -> Iterator[Values]:
        """Yield the values once, or once for each entry of the list field ``each``, with the rows ``join`` added."""
        if each is None and not join:
            yield self
            return
        for record in self[each] if each else ({},):
            yield Values({**self, **record}, join)


def filled(label: str, kind: Kind, each: str | None, values: Mapping[str, Any]) -> str:
    """Return a label with its placeholders filled in from ``values``. A value with a printed name appears by that name.

    ``each`` is the list field whose entry the label is about, None for the whole design.
    """
    return PLACEHOLDER.sub(lambda match: _printed_value(kind, each, match[1], values[match[1]]), label)


def _printed_value(kind: Kind, each: str | None, name: str, value: Any) -> str:
    """Return the printed form of a field's value, a dash for None."""
    record = kind.field(each) if each else None
    field = next((field for field in (*(record.fields if record else ()), *kind.fields) if field.name == name), None)
    names = field.choice.names if field is not None and field.choice is not None else {}
    return _span(value) or str(names.get(value, "–" if value is None else value))


def _span(value: object) -> str:
    """Return a table's span as text; empty for any other value."""
    match value:
        case (int(low), int(high)):
            return str(low) if low == high else f"{low}–{high}"
        case _:
            return ""


def shown(formula: Formula, values: Mapping[str, Any], unit: str = "", *, die: bool = False) -> str:
    """Return the result of a formula for print, with ``unit`` after a number; a dash for None.

    With ``die``, the result is printed as dice. Raises FormulaUseError for a value that is not a die, a number or a
    word.
    """
    value = formula(values)
    if value is None:
        return "–"
    if die:
        try:
            return spell_dice(value)
        except FormulaUseError as error:
            raise FormulaUseError(f"{error}, where {show(formula.text)} should give a die", formula.place) from None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | Fraction):
        return f"−{spell(-value)}{unit}" if value < 0 else f"{spell(value)}{unit}"
    if span := _span(value):
        return span
    if not isinstance(value, str):
        raise FormulaUseError(f"{show(value)} where {show(formula.text)} should give a number or a word", formula.place)
    return value
