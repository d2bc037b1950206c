"""Errata: printed examples that break their own rule, with the arithmetic checked."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from generator.rules.entries.compiled import Compiled, Compiler
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.working import arithmetic, spell
from generator.rules.source.model_errors import show
from generator.rules.source.provenance import CitationResolver, Provenance
from generator.rules.source.validation import check_ids

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.entries.namespace import Namespace
    from generator.rules.formulas.compiler import Formula
    from generator.rules.model.mission import ErrataModel
    from generator.rules.source.parts import Part, Place


def read_errata(
    part: Part,
    model: ErrataModel,
    namespace: Namespace,
    resolver: CitationResolver,
    problems: list[Problem],
    *,
    changed: bool,
) -> tuple[Compiled, ...]:
    """Return the errata of a rule set: their models with ``id``, ``owner`` and ``provenance``; the working is a text.

    Adds R234 for a working whose result is not the figure under ``holds``. If layers may have ``changed`` the figures,
    the working is not checked: an erratum is about its own source.
    """
    check_ids([erratum.erratum for erratum in model.errata], part.place(("errata",)), "erratum", problems)
    errata = []
    for index, item in enumerate(model.errata):
        compiler, place = Compiler(namespace.scope, namespace, problems), part.place(("errata", index))
        erratum, cite = compiler.entry(item, place), resolver.citations(item.cite, place / "cite", problems)
        if erratum.working is not None and not changed and not compiler.binder.lost:
            _check(erratum.working, item.holds, namespace, place, problems)
        spelled = {name: str(getattr(item, name)) for name in ("printed", "holds")}
        spelled["working"] = "" if erratum.working is None else arithmetic(erratum.working)
        provenance = Provenance(cite, "erratum", note=item.note)
        errata.append(erratum.replaced(id=item.erratum, owner=part.owner, provenance=provenance, **spelled))
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
