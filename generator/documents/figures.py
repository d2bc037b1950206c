"""The figures of a design, computed from formulas and formatted for cards and sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.documents.words import NOTHING, number
from generator.forces.card_values import holds, label, with_let
from generator.forces.context import Values, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.forces.force import Design
    from generator.rules.entries.compiled import Compiled

MOST_BOXES = 60
"""Most boxes that are printed; for more, a line to write on is printed."""


def figure(what: Compiled, values: Values, unit: str = "") -> str:
    """Return the result of a card's formula for print, with its own unit or else with ``unit``; a dash for no value."""
    unit = what.unit or unit
    if what.die is not None:
        return shown(what.die, values, unit, die=True)
    text = shown(what.show, values) if what.show is not None else NOTHING
    return text + unit if text != NOTHING else text


def rows(table: Compiled, design: Design, here: Values) -> Iterator[tuple[Compiled, str, Values]]:
    """Yield the rows of a table whose condition holds, each with its head and the values for its columns.

    If the table repeats for the rows of another table, these rows' values are added.
    """
    through = getattr(table, "through", None)  # tables of cards have none
    for repeated in [row.values for row in through.rows] if through is not None else [{}]:
        within = here.copied()
        within.update(repeated)
        for row in table.rows:
            inside = with_let(row.let, within)
            if holds(row.when, inside):
                yield row, label(row.label, design, table.each, inside), inside


def stats(strip: Iterable[Compiled], design: Design, *, dashed: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the figures whose condition holds, each with its label. Figures without a value are left out.

    With ``dashed``, all other figures are yielded, too, with a dash.
    """
    for stat in strip:
        here = next(iter(design.priced.values.entries(None, stat.join)))
        text = NOTHING
        if holds(stat.when, here):
            if stat.line is None:
                text = figure(stat, here)
            elif (line := design.priced.line(stat.line)) is not None:
                text = line.figure or number(line.amount)
            else:
                text = ""
        elif not dashed:
            continue
        if text or dashed:
            yield text or NOTHING, label(stat.label, design, None, here)
