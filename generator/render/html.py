"""A sheet as one self-contained HTML page: templates, style sheets, nothing fetched from anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from generator import resources
from generator.render.blocks import Chart, Group, Hexes, Map, Prose, Steps, Strip, Table, TintKey
from generator.render.card_tables import cell_lines
from generator.render.charts import draw_chart
from generator.render.deck import Deck
from generator.render.drawing import mm
from generator.render.faces import OF, ROOM, box_width
from generator.render.fonts import face_rules
from generator.render.hexes import AIMED, draw
from generator.render.imposition import pages
from generator.render.maps import draw_map
from generator.render.prose import inline, is_marked, literal
from generator.render.symbols import draw_symbol
from generator.render.widths import column_widths, in_columns, is_grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.render.blocks import Align, Block, Cell, Ink, Paper, Row, Sheet

_ALIGNED: dict[Align, str] = {"left": "", "centre": "c", "right": "r"}
_STYLES_HERE = "/*STYLES*/"
_FOOT, _FOOT_LINE = 16.5, 3.53
"""Millimetres below the text of a page, as the papers' styles have it, and of one more line in the foot."""


def render_html(
    sheet: Sheet | Deck,
    paper: Paper,
    ink: Ink,
    *,
    loose: frozenset[str] = frozenset(),
    higher_foot: int = 0,
    air: str = "",
) -> str:
    """The whole document, styles and all. ``loose`` names what may be divided between pages, because no page holds it.

    ``higher_foot`` is how many lines the foot needs beyond those that it has room for. ``air`` is what stands above and
    below the text of rows of tables, where that is not what the styles say.
    """
    cards = isinstance(sheet, Deck)
    template = _environment().get_template("cards.html.j2" if cards else "sheet.html.j2")
    html = template.render(sheet=sheet, paper=paper, ink=ink, loose=loose, numbers=count())
    folder = resources.templates() / "css"
    own = ("cards.css", f"cards-{paper}.css") if cards else ("sheet.css", f"paper-{paper}.css")
    names = (*own, f"ink-{ink}.css")
    rules = [face_rules(html), *((folder / name).read_text(encoding="utf-8") for name in names)]
    if air:
        rules.append(f".row td, .row tbody th {{ padding-top: {air}; padding-bottom: {air} }}")
    if higher_foot:
        rules.append(f"@page {{ margin-bottom: {_FOOT + higher_foot * _FOOT_LINE:.2f}mm }}")
    return html.replace(_STYLES_HERE, "\n".join(rules), 1)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resources.templates()),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(prose=inline)
    environment.globals.update(
        block_kind=block_kind,
        box_width=box_width,
        column_widths=column_widths,
        aimed=AIMED,
        cell_lines=cell_lines,
        draw=draw,
        draw_chart=draw_chart,
        draw_map=draw_map,
        draw_symbol=draw_symbol,
        foot_line=foot_line,
        has_head=has_head,
        head_attributes=head_attributes,
        is_marked=is_marked,
        laid_out=laid_out,
        mm=mm,
        next=next,
        of_width=OF,
        pages=pages,
        places=places,
        portions=portions,
        room=ROOM,
        row_attributes=row_attributes,
        row_classes=row_classes,
        styles_here=Markup(_STYLES_HERE),  # noqa: S704  our own constant
        table_classes=table_classes,
    )
    return environment


def block_kind(block: Block) -> str:
    """The macro that prints a block."""
    match block:
        case Table():
            return "table"
        case Strip():
            return "strip"
        case Steps():
            return "steps"
        case Prose():
            return "prose"
        case TintKey():
            return "tint_key"
        case Hexes():
            return "hexes"
        case Chart():
            return "chart"
        case Map():
            return "map"
        case Group():
            return "group"


def row_classes(row: Row, loose: bool) -> str:  # noqa: FBT001  templates speak by position
    """The classes of a row; a loose one may be divided between pages."""
    side, lead = len(row.columns) > 1, not any(section.blocks for sections in row.columns for section in sections)
    names = {"row": True, "side": side, "kept": side and not (loose or row.loose), "fresh": row.new_page, "lead": lead}
    return " ".join(name for name, given in names.items() if given)


def table_classes(table: Table, loose: bool, torn: bool) -> str:  # noqa: FBT001  as above
    """The classes of a table; a loose one may be divided between its rows, a torn one within them."""
    names = {
        "long": table.breakable or loose,
        "torn": torn,
        "dense": table.dense,
        "roomy": table.roomy,
        "wordy": table.wordy,
        "headless": not has_head(table),
    }
    return " ".join(["grid" if is_grid(table) else "plain", *(name for name, given in names.items() if given)])


def has_head(table: Table) -> bool:
    """Whether any column has something to print above it."""
    return any(column.head or column.die for column in table.columns)


def head_attributes(table: Table, index: int) -> Markup:
    """The attributes of a column's head."""
    return _classes(_ALIGNED[_column_align(table, index)])


def row_attributes(table: Table, index: int) -> Markup:
    """The attributes of a row: one that begins a group, one that is all for the players to write."""
    mine = all(cell.blank for cell in table.rows[index])
    follows = index in table.follows
    return _classes("begins" if index in table.group_rows else "", "follows" if follows else "", "mine" if mine else "")


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A cell as the template prints it."""

    tag: str
    attributes: Markup
    html: Markup
    mark: str
    blank: bool
    fives: tuple[int, ...]
    """Boxes to tick, as many as stand close together."""


def laid_out(table: Table, cells: tuple[Cell, ...]) -> list[LaidOut]:
    """The cells of one row."""
    printed = []
    for index, cell in in_columns(cells):
        column = table.columns[index]
        head = index == 0 and table.head_first
        names = (
            _ALIGNED[cell.align or _column_align(table, index)],
            f"t{cell.tint}" if is_grid(table) and not head else "",
            "b" if cell.strong else "",
        )
        attributes = _classes(*names)
        if head:
            attributes = Markup(' scope="row"') + attributes
        if cell.span > 1:
            attributes += Markup(' colspan="{}"').format(cell.span)
        text = literal(cell.text) if cell.plain or column.plain else inline(cell.text)
        fives = tuple(min(5, cell.boxes - first) for first in range(0, 0 if cell.blank else cell.boxes, 5))
        printed.append(LaidOut("th" if head else "td", attributes, text, cell.mark, cell.blank, fives))
    return printed


def _classes(*names: str) -> Markup:
    given = " ".join(name for name in names if name)
    return Markup(' class="{}"').format(given) if given else Markup("")


def _column_align(table: Table, index: int) -> Align:
    if is_grid(table) and not (index == 0 and table.head_first):
        return "centre"
    return table.columns[index].align


def places(blocks: tuple[Block, ...], abreast: int) -> list[tuple[Block | None, ...]]:
    """Blocks in rows of so many; None where the last row has no more."""
    padded = (*blocks, *(None for _ in range(-len(blocks) % abreast)))
    return [padded[start : start + abreast] for start in range(0, len(padded), abreast)]


def foot_line(sheet: Sheet) -> str:
    """What the foot says about where the figures come from."""
    edition = f"edition {sheet.edition}" if sheet.edition else ""
    data = f"data {sheet.fingerprint}" if sheet.fingerprint else ""
    return " · ".join(part for part in (sheet.source, edition, data) if part)


def portions(shares: Sequence[int], count: int) -> list[float]:
    """Widths of columns in percent; equal where no shares are given."""
    weights = list(shares) or [1] * count
    return [round(100 * weight / sum(weights), 3) for weight in weights]
