"""Cards shared by several designs, such as a card of all movement rates, and tables turned on their side."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.render.cards.deck import NO_SYMBOL, Card, Grid, Line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.forces.force import Force


class Shared(NamedTuple):
    """A table of one design for a card shared with other designs."""

    card: str
    grid: Grid
    turned: bool


def shared_cards(force: Force, shared: Sequence[Shared], mark: str) -> Iterator[Card]:
    """Yield a card for each card name, with every row once."""
    for name in dict.fromkeys(item.card for item in shared):
        tables: dict[tuple[str, tuple[str, ...], bool], dict[Line, None]] = {}
        for item in (item for item in shared if item.card == name):
            lines = tables.setdefault((item.grid.title, item.grid.heads, item.turned), {})
            lines.update(dict.fromkeys(item.grid.lines))
        grids = (
            (Grid(title, heads, (), tuple(lines)), is_turned) for (title, heads, is_turned), lines in tables.items()
        )
        laid = tuple(turned(grid) if is_turned else grid for grid, is_turned in grids)
        yield Card(name, force.rules.manifest.title, "", (), NO_SYMBOL, (), laid, "", "", (), mark)


def turned(grid: Grid) -> Grid:
    """Return the table with rows and columns exchanged."""
    rows = zip(*(line.cells for line in grid.lines), strict=True)
    lines = (Line(head, cells, ()) for head, cells in zip(grid.heads, rows, strict=True))
    return Grid(grid.title, tuple(line.head for line in grid.lines), (), tuple(lines))
