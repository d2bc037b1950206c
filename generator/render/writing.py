"""Lines to write on."""

from __future__ import annotations

from generator.render.blocks import Cell, Column, Table

LINE = 7.4
"""Millimetres from one to the next."""


def lines_to_write_on(many: int, caption: str) -> Table:
    """So many lines across their place."""
    rows = ((Cell("", blank=True),),) * many
    return Table((Column(""),), rows, caption, head_first=False)
