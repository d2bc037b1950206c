"""What formulas about a design find behind names, and how its values are called in print."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
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

_NO_JOIN: Mapping[str, Formula] = MappingProxyType({})


class Values(dict[str, Any]):
    """Values with joined rows that are looked up when a formula first reads them, so that ``when`` can guard them."""

    __slots__ = ("_join",)

    def __init__(self, values: Mapping[str, Any], join: tuple[tuple[str, Formula], ...] = ()) -> None:
        super().__init__(values)
        self._join = dict(join) if join else _NO_JOIN

    def __missing__(self, name: str) -> Any:
        if name not in self._join:
            raise KeyError(name)
        self[name] = row = self._join[name](self)
        return row

    def copied(self) -> Values:
        """The same values, to learn more than these may know."""
        return Values(self, tuple(self._join.items()))

    def entries(self, each: str | None, join: tuple[tuple[str, Formula], ...]) -> Iterator[Values]:
        """These values, with joined rows; with ``each``, once for every entry of that list field."""
        if each is None and not join:
            yield self
            return
        for record in self[each] if each else ({},):
            yield Values({**self, **record}, join)


def filled(label: str, kind: Kind, each: str | None, values: Mapping[str, Any]) -> str:
    """A label with its values in it, by their printed names where they have them."""
    return PLACEHOLDER.sub(lambda match: _said(kind, each, match[1], values[match[1]]), label)


def _said(kind: Kind, each: str | None, name: str, value: Any) -> str:
    record = kind.field(each) if each else None
    field = next((field for field in (*(record.fields if record else ()), *kind.fields) if field.name == name), None)
    names = field.choice.names if field is not None and field.choice is not None else {}
    return _span(value) or str(names.get(value, "–" if value is None else value))


def _span(value: object) -> str:
    """A span of a table; nothing for anything else."""
    match value:
        case (int(low), int(high)):
            return str(low) if low == high else f"{low}–{high}"
        case _:
            return ""


def shown(formula: Formula, values: Mapping[str, Any], unit: str = "", *, die: bool = False) -> str:
    """A figure or a die as it is read; a dash where the rules have none."""
    value = formula(values)
    if value is None:
        return "–"
    if die:
        try:
            return spell_dice(value)
        except FormulaUseError as error:
            message = f"{error}, where {show(formula.text)} should give a die"
            raise FormulaUseError(message, formula.place) from None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | Fraction):
        return f"−{spell(-value)}{unit}" if value < 0 else f"{spell(value)}{unit}"
    if span := _span(value):
        return span
    if not isinstance(value, str):
        message = f"{show(value)} where {show(formula.text)} should give a number or a word"
        raise FormulaUseError(message, formula.place)
    return value
