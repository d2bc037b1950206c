"""Errata: printed examples that break their own rule, with the arithmetic checked."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from generator.rules.entries.namespace import Binder, Namespace
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.working import arithmetic, spell
from generator.rules.source.model_errors import show
from generator.rules.source.provenance import CitationResolver, Provenance
from generator.rules.source.validation import check_ids

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.formulas.compiler import Formula
    from generator.rules.model.mission import ErrataModel
    from generator.rules.source.parts import Part, Place


class Erratum(NamedTuple):
    """A printed example that is wrong: the printed result, the right result, and its working."""

    id: str
    owner: str
    title: str
    printed: str
    holds: str
    working: str
    """The rule with its figures; empty if there is nothing to compute."""
    provenance: Provenance


def read_errata(
    part: Part,
    model: ErrataModel,
    namespace: Namespace,
    resolver: CitationResolver,
    problems: list[Problem],
    *,
    changed: bool,
) -> tuple[Erratum, ...]:
    """Return the errata of a rule set. Adds R234 for a working whose result is not the figure under ``holds``.

    If layers may have ``changed`` the figures, the working is not checked: an erratum is about its own source.
    """
    check_ids([erratum.erratum for erratum in model.errata], part.place(("errata",)), "erratum", problems)
    errata = []
    for index, item in enumerate(model.errata):
        place = part.place(("errata", index))
        cite = resolver.citations(item.cite, place / "cite", problems)
        binder = Binder(namespace, problems)
        working = binder.formula(item.working, namespace.scope, place / "working")
        if working is not None and not changed and not binder.lost:
            _check(working, item.holds, namespace, place, problems)
        spelled = "" if working is None else arithmetic(working)
        provenance = Provenance(cite, "erratum", None, "", item.note)
        errata.append(
            Erratum(item.erratum, part.owner, item.title, str(item.printed), str(item.holds), spelled, provenance)
        )
    return tuple(errata)


def _check(working: Formula, holds: str | int, namespace: Namespace, place: Place, problems: list[Problem]) -> None:
    """Add R234 if the result of a working is not ``holds``; options have their defaults."""
    options = {name: option.default for name, option in namespace.options.items()}
    try:
        result = working(namespace.names() | options)
    except FormulaUseError as error:
        problems.append((place / "working").problem("R234", "a result", str(error)))
        return
    exact = isinstance(result, int | Fraction) and not isinstance(result, bool)
    spelled = spell(result) if exact else show(result)
    if spelled != str(holds):
        hint = "correct the working, or the figure under holds"
        problems.append((place / "holds").problem("R234", spelled, show(holds), hint))
