"""Values of the parts of a card: conditions, names and labels, for a design."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from generator.errors import ProblemsError
from generator.forces.context import Values, filled
from generator.forces.notation import COUNT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from generator.forces.force import Design
    from generator.rules.entries.compiled import Compiled
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.errors import FormulaUseError
    from generator.rules.source.parts import Place


_ONE = "1 × "


def no_figure(error: FormulaUseError, place: Place, what: str) -> ProblemsError:
    """Return the error R241 for a formula of a card or a sheet without an answer; ``what`` names the card or sheet.

    The problem is at the formula, or at ``place`` if the formula's place is not known.
    """
    return ProblemsError((error.place or place).problem("R241", "a figure to print", f"{error} ({what})", error.hint))


def holds(formula: Formula | None, values: Values) -> bool:
    """Return whether a condition holds; True without a condition."""
    return formula is None or formula.holds(values)


def with_let(
    let: Iterable[tuple[str, Formula]], here: Values, fixed: Mapping[str, Any] = MappingProxyType({})
) -> Values:
    """Return a copy of the values with the names of ``let`` added, each computed by its formula.

    A name in ``fixed`` has its value from there instead.
    """
    inside = here.copied()
    for name, formula in let:
        inside[name] = fixed[name] if name in fixed else formula(inside)
    return inside


def label(text: str, design: Design, each: str | None, values: Values) -> str:
    """Return a text with its placeholders filled in; a leading count of 1 is left out.

    ``each`` is the list field whose entry the ``values`` are about, None for the whole design.
    """
    return filled(text, design.kind, each, values).removeprefix(_ONE)


def entries(design: Design, part: Compiled) -> Iterator[Values]:
    """Yield the values of each list entry for which a part of a card is printed.

    Entries that do not meet the part's condition are left out. Entries that differ only in their count become one entry
    with the sum of the counts. A part that is not about a list yields the values of the design once.
    """
    every: Iterable[Values] = design.priced.values.entries(part.each, part.join)
    field = design.kind.field(part.each) if part.each is not None else None
    names = [item.name for item in field.fields] if field is not None else []
    if COUNT in names:
        by_key: dict[tuple[Any, ...], Values] = {}
        for here in every:
            first = by_key.setdefault(tuple(here[name] for name in names if name != COUNT), here)
            if first is not here:
                first[COUNT] += here[COUNT]
        every = by_key.values()
    yield from (here for here in every if holds(part.when, here))
