"""The blocks of a sheet that print tables of the rule set and odds in a grid."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from generator.rules.model.base import Fielded, FormulaText, Id, Model, Name, Ref, Seq, TableId
from generator.rules.model.block import Block, Thinned


class TableBlock(Thinned):
    """A table of the rule set: all columns, or those named, in that order."""

    table: TableId
    """The table."""
    columns: Seq[Annotated[Name, Ref("column", of="table")]] = ()
    """Only these columns, in this order."""
    columns_for: dict[Annotated[Name, Ref("column", of="table")], Seq[Fielded]] = Field(default_factory=dict)
    """For a column: in the pack of a scenario only printed where a force has one of these, as in ``only_for``."""
    where: FormulaText | None = None
    """Only the rows for which this holds (the row's columns are its names)."""
    long: bool = False
    """May run over pages."""
    notes: bool = True
    """Whether the rows' marks and notes are printed."""
    blank: Annotated[int, Field(ge=0, le=20)] = 0
    """So many empty rows at its end, for the players to write in."""
    caption: str = ""
    """A title over the table, where a bar has several; else none is printed."""
    changed: bool = False
    """Whether figures that a layer changed have a dagger."""
    heavy: Seq[str] = ()
    """Cells that say just this are set in heavy type."""


class AcrossRow(Model):
    """One row of an across-table: a table's column laid along the shared key."""

    table: TableId
    """The table."""
    column: Annotated[Name, Ref("column", of="table")]
    """The column that is laid along the key."""
    label: str
    """The row’s head."""


class AcrossBlock(Block):
    """Several tables with the same key, that key along the top."""

    across: Annotated[Seq[AcrossRow], Field(min_length=1)]
    """The rows, from the top."""
    head: str
    """The head of the shared key."""
    keys: Seq[Annotated[str | int, Ref("key across")]] = ()
    """Only these keys, in this order."""
    caption: str = ""
    """A title over the table, where a bar has several; else none is printed."""


PivotColumn = Annotated[Name, Ref("column", of="pivot")]
GridInput = Annotated[Name, Ref("input", of="grid")]


class PivotBlock(Thinned):
    """A table with two or more keys as a grid: one key down the side, the others along the top."""

    pivot: TableId
    """The table."""
    rows: PivotColumn
    """The key column that goes down the side."""
    columns: Annotated[Seq[PivotColumn], Field(min_length=1)]
    """The key columns that go along the top."""
    column: PivotColumn
    """The column whose values fill the grid."""
    more: Seq[PivotColumn] = ()
    """Columns that stand behind it in the same cell, the first in heavy type: **8**, 16, 24."""
    where: FormulaText | None = None
    """Only the rows for which this holds (the row's columns are its names)."""
    given: dict[PivotColumn, Annotated[Any, Ref("cell", of="pivot")]] = Field(default_factory=dict)
    """Key columns held at one value."""
    names: dict[str, str] = Field(default_factory=dict)
    """Printed names of keys; those of several keys are joined by a comma: "armour, no"."""
    head: str = ""
    """The head of the column of row names, else the label of that key."""
    lack: str = ""
    """What is printed where there is no row, else a dash."""
    caption: str = ""
    """A title over the table, where a bar has several; else none is printed."""


class Measure(Model):
    """What a grid prints: the chance of some outcomes, or how many tries they take on average."""

    outcomes: Annotated[Seq[Annotated[Id, Ref("outcome", of="grid")]], Field(min_length=1)]
    """The outcomes whose chances are added up."""
    never: str = "0"
    """What is printed where they cannot come up."""
    tries: bool = False
    """Set to true: print how many tries they take on average."""


class GridBlock(Block):
    """Exact odds of a procedure over one input or two, one panel for each value of ``each``."""

    grid: Annotated[Id, Ref("procedure with dice")]
    """The procedure."""
    rows: GridInput | None = None
    """The input that goes down the side. Without one the grid is a single row of cells."""
    columns: GridInput
    """The input that goes along the top."""
    each: GridInput | None = None
    """The input that has a panel for each of its values."""
    given: dict[GridInput, Annotated[Any, Ref("value", of="grid")]] = Field(default_factory=dict)
    """Fixed inputs; a list of values for one that rows, columns or panels vary over."""
    measure: Measure
    """What is printed in the cells."""
    dice: dict[GridInput, FormulaText] = Field(default_factory=dict)
    """For an input, the die that its value brings: drawn beside the heads."""
    head: str = ""
    """The head of the column of row names; a panel’s head stands above it, or in its place where there is none."""
    along: str = ""
    """What the columns are, printed above them."""
    merge: bool = False
    """Whether rows below each other that read the same in every panel are printed as one, under all their names."""
    names: dict[str, str] = Field(default_factory=dict)
    """Printed names of values, where the values' own do not serve; ``wall=2`` names that of one input only."""
    column_prefix: str = ""
    """Put before each column's value: A1, A2."""
    panel: str = ""
    """A panel's head; the value of ``each`` follows it."""
