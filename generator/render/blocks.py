"""The vocabulary of paper: what any sheet is made of, frozen.

``documents/`` fills these blocks; the templates print them. Text is *inline prose* unless a field says otherwise.
``**bold**`` and ``*italic*`` work, and the whole words D4 D6 D8 D10 D12 become drawn dice. ``{ruled}`` and its like
become a small status mark, and everything else is printed as it stands. Nothing here is HTML: text is escaped when it
is printed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias

from generator.render.imprinted import Imprinted

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

Align: TypeAlias = Literal["left", "centre", "right"]
Paper: TypeAlias = Literal["a4", "letter"]
Ink: TypeAlias = Literal["colour", "mono", "low"]

PAPERS: tuple[Paper, ...] = ("a4", "letter")
INKS: tuple[Ink, ...] = ("colour", "mono", "low")
TINTS = 6
"""Steps of a grid: white and five tints; the two darkest carry white figures."""


class Block:
    """What stands under a bar. Each class of block names the macro that prints it."""

    __slots__ = ()
    macro: ClassVar[str]
    """The macro: it is called with the block and with its width in percent of the page."""
    template: ClassVar[Path | None] = None
    """The file that has the macro; None for our ``blocks.html.j2``."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table."""

    text: str
    tint: int = 0
    """0 is white, 5 the darkest."""
    strong: bool = False
    align: Align | None = None
    """None takes the column's."""
    span: int = 1
    mark: str = ""
    """A small raised mark behind the text, such as a reading's number."""
    plain: bool = False
    """Print exactly these characters: no bold, no italic, no drawn dice. For glyphs quoted from a source."""
    blank: bool = False
    """Nothing is printed but a line, for the players to write on."""
    boxes: int = 0
    """So many boxes to tick, in fives; of a line to write on, how many it is as long as."""
    named: tuple[str, ...] = ()
    """Further boxes to tick, each behind a word or number of its own."""
    part: str = ""
    """The part of a pack that the text leads to, on a screen."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column's head, and how its cells stand."""

    head: str
    die: str = ""
    """Drawn above the head, such as "D8"."""
    align: Align = "left"
    share: int = 0
    """Width in proportion to the other columns that name one; 0 takes what its content asks for."""
    unit: str = ""
    """Printed lighter behind the head, such as "mm"."""
    plain: bool = False
    """All cells below are printed exactly as they stand."""
    brief: str = ""
    """The head on pages to be folded, which have no room for a long one."""


@dataclass(frozen=True, slots=True)
class Table(Block):
    """Rows under heads. A table with a tint anywhere is set as a grid: gaps instead of hairlines, figures centred."""

    macro = "table"
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str
    """What the table is, for a reader who hears it; printed only with ``show_caption``."""
    show_caption: bool = False
    plain_caption: bool = False
    """Print it, and ``over``, exactly as it stands: a player's own words."""
    over: str = ""
    """A line above the heads, repeated with them on each page: which of several tables this is."""
    along: str = ""
    """What the columns are, at the right end of that line."""
    head_first: bool = True
    """The first cell of a row is the head of that row."""
    note: str = ""
    breakable: bool = False
    """May run over pages; its head is repeated on each."""
    group_rows: tuple[int, ...] = ()
    """Indices of rows that begin a group: a heavier rule stands above them."""
    follows: tuple[int, ...] = ()
    """Indices of rows that stay on the page of the row above."""
    more: tuple[int, ...] = ()
    """Indices of rows that say more of the row above: they stay on its page, and no rule is between them."""
    grid: bool = False
    """Set as a grid even where no cell is tinted."""
    dense: bool = False
    """Less air in the rows, for tables that fill a page."""
    roomy: bool = False
    """Larger type and more air, for a few tables that have a page to themselves."""
    wordy: bool = False
    """Sentences stand beside sentences: columns further apart."""
    tinted: bool = field(init=False, repr=False, compare=False)
    """Whether it is set as a grid: asked for every cell, so it is looked up once."""

    def __post_init__(self) -> None:
        """Look at its cells."""
        object.__setattr__(self, "tinted", self.grid or any(cell.tint for row in self.rows for cell in row))


class Figure(NamedTuple):
    """A big figure over a small label."""

    text: str
    """Empty for a line to write on."""
    label: str


@dataclass(frozen=True, slots=True)
class Strip(Block):
    """Big figures side by side."""

    macro = "strip"
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Steps(Block):
    """Numbered discs with short imperatives."""

    macro = "steps"
    steps: tuple[str, ...]
    start: int = 1


@dataclass(frozen=True, slots=True)
class Prose(Block):
    """Paragraphs: notes in italic serif, or running text in upright serif."""

    macro = "prose"
    paragraphs: tuple[str, ...]
    style: Literal["note", "text"] = "note"
    plain: bool = False
    """Print the paragraphs exactly as they stand: a player's own words."""
    folded: bool | None = None
    """Whether it is for pages to be folded alone, as it says what their brief heads mean, or for all others alone."""


@dataclass(frozen=True, slots=True)
class TintKey(Block):
    """The key under grids, lightest first: "under 20", "20", "40", "55", "70", "85 and up"."""

    macro = "tint_key"
    bounds: tuple[str, ...]
    aim: str = ""
    """What the mark of a hex means, where diagrams have one."""


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex of a diagram, in axial coordinates: ``q`` to the right, ``r`` down."""

    q: int
    r: int
    text: str
    """Printed inside, exactly as it stands."""
    group: str = ""
    """Hexes of one group are set off from all others by a heavier line."""
    below: str = ""
    """A second line, in lighter type."""
    tint: int | None = None
    """As of a cell; None for a hex that has no odds."""
    aim: bool = False
    """Marked in its corners."""


@dataclass(frozen=True, slots=True)
class Hexes(Block):
    """A diagram of hexes, drawn to size."""

    macro = "hexes"
    hexes: tuple[Hex, ...]
    alt: str
    """What it shows, for a reader who hears it."""
    size: float
    """Millimetres from one side of a hex to the opposite one."""
    flat: bool = False
    """Flat sides up and down; else corners."""
    caption: str = ""
    names: tuple[Hex, ...] = ()
    """Texts in places where there is no hex, such as the name of the group beside it."""
    title: str = ""
    """Printed over it."""
    under: str = ""
    """Printed under it."""


@dataclass(frozen=True, slots=True)
class Series:
    """The bars of one distribution, one for each value of its panel."""

    name: str
    chances: tuple[Fraction, ...]
    texts: tuple[str, ...]
    """What is printed at each bar."""
    mean: float | None = None
    """Where the mean stands among the values: 0 is the middle of the first, 1 that of the second."""
    mean_text: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """Bars over one row of values; several series stand side by side at each."""

    title: str
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Chart(Block):
    """Bars over values, drawn; all panels have the same values and the same scale."""

    macro = "chart"
    caption: str
    """The question that it answers, printed over it."""
    values: tuple[str, ...]
    panels: tuple[Panel, ...]
    alt: str
    """Every figure, for a reader who hears it."""
    height: float
    """Millimetres of the highest bar."""
    axis: str = ""
    """What the values are, printed under them."""
    apart: bool = False
    """The first value stands a little apart, because it is another kind of number."""


@dataclass(frozen=True, slots=True)
class MapShape:
    """What something on a map takes up, in inches from the south-west corner: a polygon, a circle or a way."""

    points: tuple[tuple[float, float], ...]
    radius: float = 0
    """Of a circle around its one point."""
    wide: float = 0
    """Of a way along its points."""


@dataclass(frozen=True, slots=True)
class MapPiece:
    """A piece of terrain."""

    pattern: str
    """How it is drawn: a word that ``generator.render.maps.terrain`` knows."""
    shape: MapShape
    name: str = ""


@dataclass(frozen=True, slots=True)
class MapZone:
    """Where a side deploys."""

    shape: MapShape
    name: str
    side: int
    """Which side: its hatching."""


@dataclass(frozen=True, slots=True)
class MapEntry:
    """A stretch of an edge where a side comes on."""

    sign: str
    """What stands at its arrow."""
    edge: Literal["north", "south", "east", "west"]
    start: float
    end: float
    side: int


@dataclass(frozen=True, slots=True)
class MapMark:
    """An objective, or something that stands on the table."""

    sign: str
    at: tuple[float, float]
    radius: float = 0
    name: str = ""
    objective: bool = True


@dataclass(frozen=True, slots=True)
class Map(Block):
    """A table seen from above, drawn to scale, north up."""

    macro = "map"
    width: float
    """Inches from west to east."""
    depth: float
    """Inches from south to north."""
    pieces: tuple[MapPiece, ...]
    zones: tuple[MapZone, ...]
    entries: tuple[MapEntry, ...]
    marks: tuple[MapMark, ...]
    kinds: tuple[tuple[str, str], ...]
    """The legend of the terrain: patterns, and what they mean."""
    sides: tuple[str, ...]
    """The names of the sides, in the order of their hatchings."""
    colours: tuple[str, ...]
    """A word for the colour of each; or nothing."""
    alt: str
    """What it shows, for a reader who hears it."""
    caption: str
    highest: float = 150
    """Millimetres that the table itself may take from north to south."""
    least: float = 0
    """Millimetres that it takes at least on a page with other things; it then grows into what they leave free."""
    legend: bool = True
    """Whether the legend explains its patterns and signs."""


@dataclass(frozen=True, slots=True)
class Group(Block):
    """Blocks that take one place among the others of a section, under a bar of their own if they have a title."""

    macro = "group"
    title: str
    blocks: tuple[Block, ...]
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A bar with a title, and what stands under it. Without a title there is no bar."""

    title: str
    blocks: tuple[Block, ...]
    aside: str = ""
    """At the right of the bar."""
    abreast: int = 1
    """How many blocks stand side by side, filled row by row."""
    filling: bool = False
    """Lines to write on fill what its page leaves free; it is left out where that is little, and on folded pages."""


@dataclass(frozen=True, slots=True)
class Row:
    """Columns of sections, side by side and kept together where a page can hold them."""

    columns: tuple[tuple[Section, ...], ...]
    shares: tuple[int, ...] = ()
    """Widths in proportion; empty for equal ones."""
    new_page: bool = False
    loose: bool = False
    """May be divided between pages."""
    new_leaf: bool = False
    """Begins a new sheet of paper, where both sides are printed on."""
    half: bool = False
    """Its one column has half the width of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet(Imprinted):
    """One document of tables and texts."""

    kicker: tuple[str, ...]
    """Small spaced capitals at the right of the title."""
    rows: tuple[Row, ...]
    flows: bool = False
    """Rows of half the width are put side by side, and long tables are divided, so that they fill the pages."""
    close: bool = False
    """Rows of tables stand closer."""
    inside: str = ""
    """The title from which on nobody else may look: on pages to be folded that is never on the outside."""
    plain_strap: bool = False
    """Print it exactly as it stands: a player's own words."""
    cover: bool = False
    """Begins with a title that fills the head of the page."""

    @property
    def is_sealed(self) -> bool:
        """Whether nobody else may look into any of it."""
        first = next((item for row in self.rows for column in row.columns for item in column), None)
        return first is not None and first.title == self.inside
