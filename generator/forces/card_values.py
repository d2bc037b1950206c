"""Values of the parts of a card: conditions, names and labels, for a design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.errors import ProblemsError
from generator.forces.context import filled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.forces.context import Values
    from generator.forces.force import Design
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.errors import FormulaUseError
    from generator.rules.source.parts import Place


_ONE = "1 × "


def no_figure(error: FormulaUseError, place: Place, what: str) -> ProblemsError:
    """Return the error R241: a formula of a card or a sheet has no answer for a design."""
    found = f"{error} ({what})"
    at = error.place or place
    return ProblemsError(at.problem("R241", found=found, expected="a figure to print", hint=error.hint))


def holds(formula: Formula | None, values: Values) -> bool:
    """Return whether a condition holds; True without a condition."""
    return formula is None or formula.holds(values)


def learned(let: Iterable[tuple[str, Formula]], here: Values) -> Values:
    """Return the values with the names of ``let`` added."""
    inside = here.copied()
    for name, formula in let:
        inside[name] = formula(inside)
    return inside


def label(text: str, design: Design, each: str | None, values: Values) -> str:
    """Return a text with its values filled in; a leading count of 1 is left out."""
    return filled(text, design.kind, each, values).removeprefix(_ONE)
