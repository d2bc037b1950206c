"""Lines to write on."""

from __future__ import annotations

from generator.render.blocks import Cell, Column, Row, Section, Table


def lines_to_write_on(title: str, aside: str = "") -> Row:
    """Return lines across the page under a title, as many as the page has room for."""
    table = Table((Column(""),), ((Cell("", blank=True),),), title, head_first=False)
    return Row(((Section(title, (table,), aside, filling=True),),))
