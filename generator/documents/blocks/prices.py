"""Price grids as blocks: every lawful design over two or three fields, with its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.documents.blocks.tables import FIGURE_SPACE
from generator.documents.words import NOTHING, number, points
from generator.forces.designs import read_design
from generator.forces.pricing import Priced, price
from generator.render.blocks import Cell, Column, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generator.problems import Problem
    from generator.rules.entries.kinds import Field, Kind
    from generator.rules.formulas.functions import Number
    from generator.rules.model.sheet import PricesBlock, WorkingBlock
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place


def price_blocks(ruleset: RuleSet, block: PricesBlock, place: Place, problems: list[Problem]) -> tuple[Table, ...]:
    """A table for each value of ``each``, or one table."""
    kind = ruleset.kinds[block.prices]
    panels = []
    for value in field_values(kind, block.each, block.given) if block.each else (None,):
        fixed = {} if block.each is None else {block.each: value}
        panels.append(_panel(ruleset, kind, block, fixed, place, problems))
    return tuple(panels)


def _panel(
    ruleset: RuleSet,
    kind: Kind,
    block: PricesBlock,
    fixed: dict[str, Any],
    place: Place,
    problems: list[Problem],
) -> Table:
    columns = field_values(kind, block.columns, block.given) if block.columns else (None,)
    varied = {block.rows, block.columns, block.each}
    given = {name: value for name, value in block.given.items() if name not in varied} | fixed
    found: list[tuple[str, list[Priced | None]]] = []
    for row in field_values(kind, block.rows, block.given):
        lawful = []
        for column in columns:
            said = {**given, block.rows: row} | ({block.columns: column} if block.columns else {})
            design = read_design(kind, nested(said), place / "given", problems)
            priced = price(kind, design, ruleset.manifest.costs) if design is not None else None
            lawful.append(priced if priced and priced.lawful else None)
        if any(lawful):
            found.append((_named(kind, block.rows, row, block), lawful))
    paid = {line.id for _, some in found for one in some if one for line in one.lines if line.points}
    terms = [line.id for line in kind.lines if line.id in paid]
    shown = [[_shown(one, block, terms) if one else NOTHING for one in some] for _, some in found]
    if block.show != "sum":  # figures under figures, as in any table
        widest = [max(map(len, texts)) for texts in zip(*shown, strict=True)]
        shown = [[text.rjust(wide, FIGURE_SPACE) for text, wide in zip(texts, widest, strict=True)] for texts in shown]
    rows = [(Cell(name), *map(Cell, texts)) for (name, _), texts in zip(found, shown, strict=True)]
    heads = [Column(block.head or _label(kind, block.rows))]
    for column in columns:
        text = _named(kind, block.columns, column, block) if block.columns else block.total
        heads.append(Column(text, align="right" if block.show == "sum" else "centre"))
    panel = f"{block.panel} {_named(kind, block.each, fixed[block.each], block)}".strip() if block.each else block.panel
    return Table(tuple(heads), tuple(rows), panel or kind.title, show_caption=bool(panel), dense=True)


def _shown(priced: Priced, block: PricesBlock, terms: Sequence[str]) -> str:
    """What a cell shows. A sum has the same terms in every cell of a table: a line that costs nothing here is a 0."""
    if block.show == "capacity":
        return number(priced.capacity.used)
    if block.show == "total":
        return number(priced.total)
    points = [[line.points for line in priced.lines if line.id == term and line.points] or [0] for term in terms]
    return f"{' + '.join(number(one) for some in points for one in some)} = **{number(priced.total)}**"


def _label(kind: Kind, path: str) -> str:
    return _field(kind, path).label


def _named(kind: Kind, path: str, value: object, block: PricesBlock) -> str:
    choice = _field(kind, path).choice
    own = choice.names.get(value, str(value)) if choice else str(value)
    return block.names.get(str(value), block.names.get(own, own))


def _field(kind: Kind, path: str) -> Field:
    first, *rest = path.split(".")
    found = next(field for field in kind.fields if field.name == first)
    for step in rest:
        found = next(field for field in found.fields if field.name == step)
    return found


def field_values(kind: Kind, path: str, given: Mapping[str, Any]) -> tuple[Any, ...]:
    """The values that a field varies over: those given, or all that it may have."""
    wanted = given.get(path)
    if wanted is None:
        choice = _field(kind, path).choice
        return choice.values if choice else ()
    return tuple(wanted) if isinstance(wanted, list) else (wanted,)


def nested(said: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted names as a design has them: the first entry of a list.

    >>> nested({"size": 3, "missiles.count": 2, "missiles.warhead": "HE"})
    {'size': 3, 'missiles': [{'count': 2, 'warhead': 'HE'}]}
    """
    design: dict[str, Any] = {}
    for name, value in said.items():
        first, dot, rest = name.partition(".")
        if dot:
            design.setdefault(first, [{}])[0][rest] = value
        else:
            design[first] = value
    return design


def working_block(ruleset: RuleSet, block: WorkingBlock, place: Place, problems: list[Problem]) -> Table:
    """One design with every line that costs something; subtotals in italics."""
    kind = ruleset.kinds[block.working]
    design = read_design(kind, block.design, place / "design", problems)
    if design is None:
        return Table(_WORKING, (), block.title)
    priced = price(kind, design, ruleset.manifest.costs)
    broken = " ".join(dict.fromkeys(one.limit.says for one in priced.broken if one.limit.severity == "error"))
    note = f"**Breaks a limit:** {broken}" if broken else ""
    return working_table(priced, block.title, number(priced.total), note)


def working_table(priced: Priced, title: str, total: str, note: str, *, held: bool = False) -> Table:
    """The lines of a design that cost or show something, and their total; subtotals in italics.

    With ``held`` also what takes up room or counts as a weapon system. What shows figures alone has no total.
    """
    shown = [bool(line.figure) for line in priced.lines]
    only = bool(shown) and all(shown)
    figures = any(shown) and not only and not held
    heads = _FIGURES if only else _HELD if held else _SHOWN if figures else _WORKING
    rows = []
    for line in priced.lines:
        paid = points(line.amount) if line.points is not None else f"*{points(line.amount)}*"
        said = line.figure or (paid if line.amount else "")
        shows = (line.figure, paid if line.amount and not line.figure else "") if figures else (said,)
        cells = (line.label, line.working, *shows, *_holds(line.capacity, line.systems))
        if said or (held and (line.capacity or line.systems)):
            rows.append(tuple(Cell(text) for text in cells[: len(heads)]))
    if only:
        return Table(heads, tuple(rows), title, show_caption=True, note=note, dense=True)
    sums = ("Total", "", *(("",) if figures else ()), total, *_holds(priced.capacity.used, priced.systems.used))
    rows.append(tuple(Cell(text, strong=True) for text in sums[: len(heads)]))
    return Table(heads, tuple(rows), title, show_caption=True, note=note, group_rows=(len(rows) - 1,), dense=True)


def _holds(capacity: Number, systems: Number) -> tuple[str, str]:
    return (number(capacity) if capacity else "", number(systems) if systems else "")


_WORKING = (Column("Line"), Column("Working"), Column("Points", align="right"))
_FIGURES = (Column("Line", share=54), Column("Working", share=30), Column("Figure", align="centre", share=16))
_SHOWN = (
    Column("Line", share=44),
    Column("Working", share=20),
    Column("Figure", align="centre", share=18),
    Column("Points", align="right", share=18),
)
_HELD = (
    Column("Line", share=36),
    Column("Working", share=28),
    Column("Points", align="right", share=15),
    Column("Cap.", align="right", share=11),
    Column("Sys.", align="right", share=10),
)
