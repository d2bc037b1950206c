"""Rendering of a document as one self-contained HTML page, which fetches nothing."""

from __future__ import annotations

import re
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from generator import resources
from generator.render.blocks import Align, Block, Cell, Ink, Paper, Row, Sheet, Table
from generator.render.drawing import pictograms
from generator.render.geometry import FOOT_LINE, LYING_NUMBER, NUMBER, geometry
from generator.render.page.charts import draw_chart
from generator.render.page.hexes import AIMED, draw
from generator.render.page.page_setup import USUAL, Document, Setting, page_setup_of
from generator.render.type.fonts import FACE_RULES
from generator.render.type.prose import inline, is_marked
from generator.render.type.table_widths import column_widths, in_columns

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generator.render.assemble.binding import Size
    from generator.render.drawing import Drawing

_ALIGNED: dict[Align, str] = {"left": "", "centre": "c", "right": "r"}
_STYLED = re.compile(r'(?P<before><\w[^<>]*) style="(?P<style>[^"]*)"(?P<after>[^<>]*>)')
_STYLES_HERE = "<styles/>"
"""A placeholder for the styles, replaced once the page is known. User texts cannot contain it: they are escaped."""
_WHITE = "#ffffff"
_SQUARE, _QUIET = 0.5, 4
"""The width of a square of a code in millimetres, and the squares around it that stay white."""
_ENDLESS = 100_000
"""The height in millimetres of a page that holds any document."""
_UNNUMBERED = "@page { @bottom-right { content: '' } } .page > .count { visibility: hidden }"


def render_html(document: Document, paper: Paper, ink: Ink, setting: Setting = USUAL) -> str:
    """Return the document as HTML, including its styles."""
    dressed = page_setup_of(document, paper)
    template = environment().get_template(dressed.template)
    html = template.render(sheet=document, paper=paper, ink=ink, loose=setting.loose, numbers=count(), **dressed.names)
    folder = resources.templates() / "css"
    names = (*dressed.styles, f"ink-{ink}.css")
    sheets = "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
    rules = [FACE_RULES, *dressed.rules]
    if (colour := document.theme.values(ink)["paper"]) != _WHITE:
        rules.append(f"{dressed.ground} {{ background: {colour} }}")
    rules += document.theme.font_rules()
    if setting.higher_foot:
        foot = geometry(paper).foot + setting.higher_foot * FOOT_LINE
        rules.append(f"@page {{ margin-bottom: {foot:.2f}mm }}")
    if setting.tall:
        rules.append(f"@page {{ size: {dressed.names['page'].paper[0]}mm {_ENDLESS}mm }}")
        rules.append(".page::after { content: '00' } .ref::after { content: ', page 00' }")
    if isinstance(document, Sheet) and (of := document.say("of")) != "of":
        rules.append(f'@page {{ @bottom-right {{ content: counter(page) " {of} " counter(pages) }} }}')
    if not setting.numbered:
        rules.append(_UNNUMBERED)
    sheets, html = document.theme.resolve(sheets, ink), document.theme.resolve(html, ink)
    if not isinstance(document, Sheet):
        html = with_classes(html, rules)
    # The engine caches the first style element for all documents and reads the rules of this document each time.
    return html.replace(_STYLES_HERE, "\n".join((sheets, "</style><style>", *rules)), 1)


def with_classes(html: str, rules: list[str]) -> str:
    """Return the page with its inline styles replaced by classes, and add their CSS to ``rules``.

    The engine computes each class once.
    """
    classes: dict[str, str] = {}

    def with_class(match: re.Match[str]) -> str:
        name = classes.setdefault(match["style"], f"s{len(classes)}")
        tag = match["before"] + match["after"]
        classed = tag.replace('class="', f'class="{name} ', 1)
        return classed if classed != tag else f'{match["before"]} class="{name}"{match["after"]}'

    html = _STYLED.sub(with_class, html)
    rules += (f".{name} {{ {style} }}" for style, name in classes.items())
    return html


def numbers_html(sizes: Sequence[Size], before: int, total: int) -> str:
    """Return an HTML page for each size, with only its page number at the place of the foot.

    ``before`` is the count of pages before the first of these pages; ``total`` is the count of all pages.
    """
    from generator.render.drawing import mm

    names = {size: number for number, size in enumerate(dict.fromkeys(sizes))}
    template = environment().get_template("numbers.html.j2")
    html = template.render(sizes=sizes, names=names, before=before, total=total, off=NUMBER, lying=LYING_NUMBER, mm=mm)
    rules = [FACE_RULES, (resources.templates() / "css" / "numbers.css").read_text(encoding="utf-8")]
    rules += [
        f"@page size{name} {{ size: {mm(size.width)}mm {mm(size.height)}mm; margin: 0 }}"
        for size, name in names.items()
    ]
    return html.replace(_STYLES_HERE, "\n".join(rules), 1)


@cache
def environment(*more: Path) -> Environment:
    """Return the environment of our templates and of the templates in the folders ``more``.

    In a template, ``catalogue`` collects the distributions of odds cells for the screen. On paper it is None.
    """
    environment = Environment(
        loader=FileSystemLoader([resources.templates(), *more]),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(prose=inline)
    environment.globals.update(
        column_widths=column_widths,
        aimed=AIMED,
        catalogue=None,
        draw=draw,
        draw_chart=draw_chart,
        draw_code=_draw_code,
        draw_map=_draw_map,
        draw_swatch=_draw_swatch,
        has_head=has_head,
        head_attributes=head_attributes,
        is_marked=is_marked,
        iter=iter,
        laid_out=laid_out,
        next=next,
        pictograms=pictograms(),
        places=places,
        portions=portions,
        row_attributes=row_attributes,
        row_classes=row_classes,
        styles_here=Markup(_STYLES_HERE),  # noqa: S704  our own constant
        table_classes=table_classes,
        template_of=template_of,
    )
    return environment


def _draw_map(*given: Any) -> Drawing:
    from generator.render.maps.map import draw_map  # few documents have a map

    return draw_map(*given)


class _DrawnCode(NamedTuple):
    """The picture of a QR code as an address, and its width in millimetres."""

    address: str
    width: float


def _draw_code(text: str) -> _DrawnCode:
    """Return the picture of a QR code whose squares are large enough for a printer and a phone."""
    import segno  # few documents have a code

    code = segno.make_qr(text, error="L", boost_error=False)
    return _DrawnCode(code.png_data_uri(scale=4, border=_QUIET), code.symbol_size(border=_QUIET)[0] * _SQUARE)


def _draw_swatch(pattern: str, ink: Ink) -> str:
    """Return a sample of a pattern of terrain as the address of a picture."""
    from generator.render.maps.terrain import swatch  # few documents have a map

    return f"data:image/svg+xml,{quote(swatch(pattern, ink))}"


def template_of(block: Block) -> Template:
    """Return the template with the macro that prints a block."""
    if block.template is None:
        return environment().get_template("blocks.html.j2")
    return environment(block.template.parent).get_template(block.template.name)


def row_classes(row: Row, loose: bool) -> str:  # noqa: FBT001  templates speak by position
    """Return the CSS classes of a row; a ``loose`` row may be divided between pages."""
    side, lead = len(row.columns) > 1, not any(section.blocks for sections in row.columns for section in sections)
    names = {"side": side, "kept": side and not (loose or row.loose), "fresh": row.new_page, "lead": lead}
    return " ".join(["row", *(name for name, given in names.items() if given)])


def table_classes(table: Table, loose: bool, torn: bool) -> str:  # noqa: FBT001  as above
    """Return the CSS classes of a table.

    A ``loose`` table may be divided between its rows, a ``torn`` table within a row.
    """
    names = {
        "long": table.breakable or loose,
        "torn": torn,
        "dense": table.dense,
        "roomy": table.roomy,
        "headless": not has_head(table),
    }
    return " ".join(["grid" if table.tinted else "plain", *(name for name, given in names.items() if given)])


def has_head(table: Table) -> bool:
    """Return whether any column has a head or a die above it."""
    return any(column.head or column.die for column in table.columns)


def head_attributes(table: Table, index: int) -> Markup:
    """Return the HTML attributes of a column's head cell."""
    return _classes(_ALIGNED[_column_align(table, index)])


def row_attributes(table: Table, index: int) -> Markup:
    """Return the HTML attributes of the row with this index.

    They are classes for the start of a group, for rows that stay together, and for rows to write in.
    """
    mine = all(cell.blank for cell in table.rows[index])
    follows, continued = index in table.follows or index in table.more, index + 1 in table.more
    names = {"begins": index in table.group_rows, "follows": follows, "continued": continued, "mine": mine}
    return _classes(*(name for name, given in names.items() if given))


class LaidOut(NamedTuple):
    """A table cell, ready for the template."""

    cell: Cell
    tag: str
    attributes: Markup
    html: Markup
    fives: tuple[int, ...]
    """The number of boxes to tick in each cluster of up to five."""


def laid_out(table: Table, cells: tuple[Cell, ...]) -> list[LaidOut]:
    """Return the cells of one row, ready for the template."""
    printed = []
    labels = not (table.head_first or has_head(table))  # each value has its label in the cell before it
    for index, cell in in_columns(cells):
        column = table.columns[index]
        head = index % 2 == 0 if labels else index == 0 and table.head_first
        names = (
            _ALIGNED[cell.align or _column_align(table, index)],
            f"t{cell.tint}" if table.tinted and not head else "",
            "b" if cell.strong else "",
        )
        attributes = _classes(*names)
        if head:
            attributes = Markup(' scope="row"') + attributes
        if cell.span > 1:
            attributes += Markup(' colspan="{}"').format(cell.span)
        text = escape(cell.text) if cell.plain or column.plain else inline(cell.text)
        if cell.part:
            text = Markup('<a href="part:{}">{}</a>').format(cell.part, text)
        fives = tuple(min(5, cell.boxes - first) for first in range(0, 0 if cell.blank else cell.boxes, 5))
        printed.append(LaidOut(cell, "th" if head else "td", attributes, text, fives))
    return printed


def _classes(*names: str) -> Markup:
    given = " ".join(name for name in names if name)
    return Markup(' class="{}"').format(given) if given else Markup("")


def _column_align(table: Table, index: int) -> Align:
    """Return the alignment of a column: centred in grids, except for heads of rows."""
    if table.tinted and not (index == 0 and table.head_first):
        return "centre"
    return table.columns[index].align


def places(blocks: tuple[Block, ...], abreast: int) -> list[tuple[Block | None, ...]]:
    """Return the blocks in rows of ``abreast`` blocks; the last row is filled up with None."""
    padded = (*blocks, *(None for _ in range(-len(blocks) % abreast)))
    return [padded[start : start + abreast] for start in range(0, len(padded), abreast)]


def portions(shares: Sequence[int], count: int) -> list[float]:
    """Return the widths of ``count`` columns in percent; equal widths if no shares are given."""
    weights = list(shares) or [1] * count
    return [round(100 * weight / sum(weights), 3) for weight in weights]
