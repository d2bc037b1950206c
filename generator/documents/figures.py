"""The figures of a design, computed from formulas and formatted for cards and sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.documents.words import NOTHING, number
from generator.forces.card_values import holds, label, learned
from generator.forces.context import shown
from generator.forces.notation import COUNT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.forces.context import Values
    from generator.forces.force import Design
    from generator.rules.cards.card import Box, Duel, Tell
    from generator.rules.cards.figures import CardTable, Row, Shown, Stat
    from generator.rules.formulas.compiler import Formula

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


def value(formula: Formula, values: Values) -> Any:
    """Return the value of a formula."""
    return formula(values)


def figure(what: Shown, values: Values) -> str:
    """Return a figure for print; several values are joined by dots."""
    if what.die is not None:
        return shown(what.die, values, what.unit, die=True)
    parts = [shown(item, values) for item in what.values]
    return "·".join(parts) + (what.unit if parts != [NOTHING] else "")


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


def stats(strip: Iterable[Stat], design: Design) -> Iterator[tuple[str, str]]:
    """Yield the big figures that apply, each with its label."""
    for stat in strip:
        here = next(iter(design.priced.values.entries(None, stat.join)))
        if not holds(stat.shown.when, here):
            continue
        said = label(stat.label, design, None, here)
        if stat.line is None:
            yield figure(stat.shown, here), said
        elif (line := design.priced.line(stat.line)) is not None:
            yield line.figure or number(line.amount), said
