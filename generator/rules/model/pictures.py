"""The blocks of a sheet that are drawn: diagrams of hexes, and charts of distributions."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from generator.rules.model.base import Id, Model, Name, Ref, Said, Seq, TableId
from generator.rules.model.block import Block


def _rising(steps: tuple[int, ...]) -> tuple[int, ...]:
    if list(steps) != sorted(set(steps)):
        code = "rising"
        raise PydanticCustomError(code, "numbers that rise")
    return steps


HexColumn = Annotated[Name, Ref("column", of="hexes")]
OddsInput = Annotated[Name, Ref("input", of="procedure")]
OddsValue = Annotated[Any, Ref("value", of="procedure")]
ChartInput = Annotated[Name, Ref("input", of="chart")]


class HexMap(Model):
    """One diagram of several."""

    title: Said
    """Printed over it."""
    given: dict[OddsInput, OddsValue] = Field(default_factory=dict)
    """Inputs of the procedure that are its own."""


class HexOdds(Model):
    """The chance of every hex of a diagram, from a procedure that tells which hex comes up."""

    procedure: Annotated[Id, Ref("procedure with dice")]
    """The procedure."""
    which: Annotated[Id, Ref("distribution", of="procedure")]
    """The distribution, one of those under the procedure's ``which``: its values are the table's keys."""
    given: dict[OddsInput, OddsValue] = Field(default_factory=dict)
    """Inputs that are the same for all diagrams."""
    maps: Annotated[Seq[HexMap], Field(min_length=1, max_length=12)]
    """The diagrams, in order."""
    aim: OddsInput | None = None
    """The input whose value is the key of the hex that is aimed at: this hex is marked."""
    beside: str = ""
    """What the chance of no hex is called, in the line under a diagram."""
    steps: Annotated[
        Seq[Annotated[int, Field(ge=1, le=99)]], Field(min_length=1, max_length=5), AfterValidator(_rising)
    ]
    """Percentages from which a hex takes the next tint, lowest first: the chances of single hexes are small."""


class HexesBlock(Block):
    """A table whose rows are hexes, drawn: its columns ``q`` and ``r`` say where each stands."""

    hexes: TableId
    """The table."""
    text: HexColumn
    """The column that is written into each hex."""
    group: HexColumn | None = None
    """The column whose change from hex to hex draws a heavy line."""
    members: bool = False
    """Whether a line under the diagram says which hexes belong to which group."""
    flat: bool = False
    """Flat sides up and down, so that there is a straight up; else corners."""
    centre: str = ""
    """Written into the hex at 0, 0, where the table has none there."""
    caption: str = ""
    """The drawing’s printed name, else the table’s title."""
    size: Annotated[int, Field(ge=4, le=20)] = 8
    """Millimetres across a hex, flat to flat."""
    odds: HexOdds | None = None
    """The chance of every hex, printed and tinted; one diagram for each of its maps."""


class ChartBlock(Block):
    """Exact odds as bars: the outcomes of a procedure, or how likely each value of one of its numbers is."""

    chart: Annotated[Id, Ref("procedure with dice")]
    """The procedure."""
    number: Annotated[Id, Ref("number", of="chart")] | None = None
    """One of the procedure's numbers; without one its outcomes are drawn."""
    caption: Said
    """The question that the chart answers, printed over it."""
    axis: str = ""
    """What the values under the bars are, printed below them."""
    given: dict[ChartInput, Annotated[Any, Ref("value", of="chart")]] = Field(default_factory=dict)
    """Fixed inputs; a list of values for the one under ``each``."""
    each: ChartInput | None = None
    """The input that has bars for each of its values."""
    panel: str = ""
    """Printed before each value of ``each``."""
    names: dict[str, str] = Field(default_factory=dict)
    """Printed names of values of ``each``, where the values’ own do not serve."""
    beside: bool = False
    """Set to true: the bars for the values of ``each`` stand side by side in one chart, else in a chart for each."""
    lack: str = ""
    """What stands under the bar for no number at all; without it the chart tells only of those rolls that have one."""
    mean: str = ""
    """Which rolls the mean is of, where some have no number: “when it hits”."""
    most: Annotated[int, Field(ge=1, le=40)] | None = None
    """This number and all above it share the last bar."""
    height: Annotated[int, Field(ge=15, le=80)] = 30
    """Millimetres that a bar of the highest chance in these charts takes."""
