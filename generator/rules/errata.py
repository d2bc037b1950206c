"""Errata: examples of a source that break its own rule, their arithmetic done anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.rules.binding import bind
from generator.rules.births import Birth
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.working import arithmetic
from generator.rules.validation import check_ids, show

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.binding import Shelf
    from generator.rules.births import Registrar
    from generator.rules.models.errata import ErrataModel
    from generator.rules.parts import Part


class Erratum(NamedTuple):
    """One example that goes wrong: what is printed, what its own rule comes to, and how."""

    id: str
    owner: str
    title: str
    printed: str
    holds: str
    working: str
    """The rule with figures in it; nothing where there is nothing to reckon."""
    birth: Birth


def read_errata(
    part: Part, model: ErrataModel, shelf: Shelf, registrar: Registrar, problems: list[Problem]
) -> tuple[Erratum, ...]:
    """The errata of a rule set. R234: a working that comes to something else than what is said to hold."""
    check_ids([one.erratum for one in model.errata], part.place(("errata",)), "erratum", problems)
    found = []
    for index, one in enumerate(model.errata):
        place = part.place(("errata", index))
        cite = registrar.citations(one.cite, place / "cite", problems)
        spelled = ""
        formula = None if one.working is None else bind(one.working, shelf.scope, place / "working", problems)
        if formula is not None:
            try:
                result = formula(shelf.names())
                spelled = arithmetic(formula)
            except FormulaUseError as error:
                problems.append((place / "working").problem("R234", found=str(error), expected="a result"))
                continue
            if result != one.holds:
                hint = "the working and what holds are one figure"
                problems.append(
                    (place / "holds").problem("R234", found=show(one.holds), expected=show(result), hint=hint)
                )
        birth = Birth(cite, "erratum", None, "", one.note)
        found.append(Erratum(one.erratum, part.owner, one.title, str(one.printed), str(one.holds), spelled, birth))
    return tuple(found)
