"""The figures of a design, computed from formulas and formatted for cards and sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.documents.words import NOTHING, number
from generator.errors import ProblemsError
from generator.forces.context import filled, shown
from generator.forces.notation import COUNT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.forces.context import Values
    from generator.forces.force import Design
    from generator.rules.cards.card import Box, Duel, Tell
    from generator.rules.cards.figures import CardTable, Row, Shown, Stat
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.errors import FormulaUseError
    from generator.rules.source.parts import Place

_ONE = "1 × "


MOST_BOXES = 60
"""Most boxes that are printed; for more, a line to write on is printed."""


def entries(design: Design, part: CardTable | Tell | Box | Duel) -> Iterator[Values]:
    """Yield the values of each entry that a part of a card is printed for; its condition may leave entries out.

    Equal entries of a list become one entry with the sum of their counts.
    """
    for here in _counted_together(design, part):
        if holds(part.when, here):
            yield here


def _counted_together(design: Design, part: CardTable | Tell | Box | Duel) -> Iterable[Values]:
    """Return the entries of a part; entries equal but for their count are joined."""
    every = design.priced.values.entries(part.each, part.join)
    field = design.kind.field(part.each) if part.each is not None else None
    names = [item.name for item in field.fields] if field is not None else []
    if COUNT not in names:
        return every
    found: dict[tuple[Any, ...], Values] = {}
    for here in every:
        said = tuple(here[name] for name in names if name != COUNT)
        if said in found:
            found[said][COUNT] += here[COUNT]
        else:
            found[said] = here
    return found.values()


def no_figure(error: FormulaUseError, place: Place, what: str) -> ProblemsError:
    """Return the error R241: a formula of a card or a sheet has no answer for a design."""
    found = f"{error} ({what})"
    at = error.place or place
    return ProblemsError(at.problem("R241", found=found, expected="a figure to print", hint=error.hint))


def value(formula: Formula, values: Values) -> Any:
    """Return the value of a formula."""
    return formula(values)


def holds(formula: Formula | None, values: Values) -> bool:
    """Return whether a condition holds; True without a condition."""
    return formula is None or formula.holds(values)


def label(text: str, design: Design, each: str | None, values: Values) -> str:
    """Return a text with its values filled in; a leading count of 1 is left out."""
    return filled(text, design.kind, each, values).removeprefix(_ONE)


def figure(what: Shown, values: Values) -> str:
    """Return a figure for print."""
    if what.die is not None:
        return shown(what.die, values, what.unit, die=True)
    text = shown(what.value, values) if what.value is not None else NOTHING
    return text + what.unit if text != NOTHING else text


def rows(table: CardTable, design: Design, here: Values) -> Iterator[tuple[Row, str, Values]]:
    """Yield the rows of a table that apply, each with its head and the values for its columns."""
    for within in _through(table, here):
        for row in table.rows:
            inside = learned(row.let, within)
            if holds(row.when, inside):
                yield row, label(row.label, design, table.each, inside), inside


def _through(table: CardTable, here: Values) -> Iterator[Values]:
    """Yield the values once, or once for each row of the table that is repeated, with that row's values added."""
    if table.through is None:
        yield here
        return
    for row in table.through.rows:
        within = here.copied()
        within.update(row.values)
        yield within


def learned(let: Iterable[tuple[str, Formula]], here: Values) -> Values:
    """Return the values with the names of ``let`` added."""
    inside = here.copied()
    for name, formula in let:
        inside[name] = formula(inside)
    return inside


def stats(strip: Iterable[Stat], design: Design, *, dashed: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the figures that apply, each with its label; if ``dashed``, the others, too, with a dash."""
    for stat in strip:
        here = next(iter(design.priced.values.entries(None, stat.join)))
        text = NOTHING
        if holds(stat.shown.when, here):
            if stat.line is None:
                text = figure(stat.shown, here)
            elif (line := design.priced.line(stat.line)) is not None:
                text = line.figure or number(line.amount)
            else:
                text = ""
        elif not dashed:
            continue
        if text or dashed:
            yield text or NOTHING, label(stat.label, design, None, here)
