"""The blocks of a sheet that are about a design: for sheets that say ``of`` which kind they are."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from generator.rules.model.base import FormulaText, Seq, TableId
from generator.rules.model.block import Block
from generator.rules.model.card import CardColumnModel, CardRowModel, StatModel, TableOfDesignModel


class StripFigureModel(StatModel):
    """A big figure over a small label, on a sheet: exactly one of ``show``, ``die`` and ``line``."""


class StripBlock(Block):
    """Big figures over small labels, side by side."""

    strip: Annotated[Seq[StripFigureModel], Field(min_length=1)]
    """The figures, from the left."""


class MeansRowModel(CardRowModel):
    """A row of a table about a design."""

    unit: str = ""
    """What stands behind its figures, where their columns have no unit."""
    strong: bool = False
    """Set to true: in heavy type."""


class MeansColumnModel(CardColumnModel):
    """A column of a table about a design: exactly one of ``show``, ``die``, ``boxes`` and ``write``."""

    boxes: FormulaText | None = None
    """So many boxes to tick, in fives; for none, or a number that is not known, a line to write on."""
    write: bool = False
    """Set to true: a line to write on."""


class MeansTableModel(TableOfDesignModel):
    """A table about a design. What is not known is a line to write on, where a ``when`` does not hold stands a dash."""

    through: TableId | None = None
    """A table of the rules: each row stands once for every row of it, whose columns are then names of their own."""
    rows: Annotated[Seq[MeansRowModel], Field(min_length=1)]
    """Its rows. Tables that stand together, with one title and the same heads, are printed as one."""
    columns: Seq[MeansColumnModel] = ()
    """Its columns, behind the heads of the rows."""


class MeansBlock(Block):
    """What a design has and can do, as tables."""

    means: Annotated[Seq[MeansTableModel], Field(min_length=1)]
    """The tables, from the top. Where the design has nothing for any of them, the block is left out."""
    least: Annotated[int, Field(ge=0, le=40)] = 0
    """So many rows at the least: empty ones to write in fill the last table up."""
    note: str = ""
    """What is printed under the last table."""


__all__ = ["MeansBlock", "MeansColumnModel", "MeansRowModel", "MeansTableModel", "StripBlock", "StripFigureModel"]
