"""Lines to write on."""

from __future__ import annotations

from generator.render.blocks import Cell, Column, Row, Section, Table


def lines_to_write_on(title: str, aside: str = "") -> Row:
    """Return a full-width row of lines to write on, which grows to fill the page, under a ``title``."""
    table = Table((Column(""),), ((Cell("", blank=True),),), title, head_first=False)
    return Row(((Section(title, (table,), aside, filling=True),),))
