"""The immutable blocks that sheets are made of.

``documents/`` fills these blocks; the templates print them. Text is *inline prose* unless a field says otherwise:
``**bold**`` and ``*italic*`` work, the whole words D4 D6 D8 D10 D12 become drawn dice, and ``{ruled}`` and the other
statuses a small mark. Nothing here is HTML: text is escaped when it is printed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, pairwise
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, Self, TypeAlias

from generator.render.imprinted import Imprinted

Align: TypeAlias = Literal["left", "centre", "right"]
Paper: TypeAlias = Literal["a4", "letter"]
Ink: TypeAlias = Literal["colour", "mono", "low"]
PAPERS: tuple[Paper, ...] = ("a4", "letter")
INKS: tuple[Ink, ...] = ("colour", "mono", "low")


class Block:
    """The contents of a section. Each class of block names the macro that prints it."""

    __slots__ = ()
    macro: ClassVar[str]
    """The name of the macro, called with the block and its width in percent of the page."""
    template: ClassVar[Path | None] = None
    """The file with the macro; None for our ``blocks.html.j2``."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table."""

    text: str
    tint: int = 0
    """0 is white, 5 the darkest."""
    strong: bool = False
    align: Align | None = None
    """The alignment; None for the column's alignment."""
    span: int = 1
    mark: str = ""
    """A small raised mark behind the text, such as a reading's number."""
    plain: bool = False
    """Print exactly these characters: no bold, no italic, no drawn dice. For glyphs quoted from a source."""
    blank: bool = False
    """A line for the players to write on is printed, with the text if there is one."""
    boxes: int = 0
    """Number of boxes to tick, in groups of five. With ``blank``, the line is as long as this number of boxes."""
    swatch: str = ""
    """A pattern of terrain; the cell shows a sample of it."""
    part: str = ""
    """The part of a pack that the text links to."""
    picture: str = ""
    """The name of a pictogram in front of the text."""
    odds: tuple[tuple[str, Fraction], ...] = field(default=(), repr=False, compare=False)
    """The whole distribution behind a chance: each outcome with its chance. Only screens show it."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head and the setting of its cells."""

    head: str
    share: int = 0
    """Width in proportion to other columns with a share; 0 for the width of its content."""
    align: Align = "left"
    die: str = ""
    """Drawn above the head, such as "D8"."""
    unit: str = ""
    """A unit such as "mm", printed lighter after the head."""
    plain: bool = False
    """All cells of the column are printed without markup."""


@dataclass(frozen=True, slots=True)
class Table(Block):
    """Rows under heads. A table with a tint anywhere is set as a grid: gaps instead of hairlines, figures centred."""

    macro = "table"
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str
    """The table's caption, for screen readers; printed only with ``show_caption``."""
    show_caption: bool = False
    plain_caption: bool = False
    """Print the caption and ``over`` without markup, as a player's own words."""
    over: str = ""
    """A line above the heads, repeated with them on each page, that says which of several tables this is."""
    along: str = ""
    """The meaning of the columns, printed at the right end of the line with ``over``."""
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
    """Indices of rows that add to the row above: they stay on its page, without a rule between."""
    grid: bool = False
    """Set as a grid even if no cell is tinted."""
    dense: bool = False
    """Closer rows, for tables that fill a page."""
    roomy: bool = False
    """Larger type and looser rows, for a few tables on a page of their own."""
    continued: str = field(default="continued", repr=False)
    tinted: bool = field(init=False, repr=False, compare=False)
    """Whether the table is set as a grid; computed once, because every cell needs it."""

    @property
    def has_head(self) -> bool:
        """Whether any column has a head or a die above it."""
        return any(column.head or column.die for column in self.columns)

    def __post_init__(self) -> None:
        """Set ``tinted``, which is true with ``grid`` or with any tinted cell."""
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


class Result(NamedTuple):
    """A box with one outcome of a roll."""

    sign: str
    """The comparison that leads to the outcome, such as ">"."""
    name: str
    effect: str = ""
    tint: int = 0
    """The strength of the outcome: 0 is a white box, 1 a tinted box, 2 a dark box."""


@dataclass(frozen=True, slots=True)
class Results(Block):
    """The outcomes of a roll in boxes side by side."""

    macro = "results"
    results: tuple[Result, ...]


class WeaponGroup(NamedTuple):
    """Columns of a weapon strip under a common head."""

    head: str
    columns: tuple[str, ...]
    share: int
    """The width of the group in percent of the strip."""


class Weapon(NamedTuple):
    """A weapon of a strip: its name, its name in full, and a text for each column, or one for all."""

    name: str
    full: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Weapons(Block):
    """A strip with one row for each weapon."""

    macro = "weapons"
    caption: str
    head: str
    groups: tuple[WeaponGroup, ...]
    weapons: tuple[Weapon, ...]


@dataclass(frozen=True, slots=True)
class Prose(Block):
    """Paragraphs: notes in italic serif, running text in upright serif, or a worked example in a box."""

    macro = "prose"
    paragraphs: tuple[str, ...]
    style: Literal["note", "text", "example"] = "note"
    plain: bool = False
    """Print the paragraphs without markup, as a player's own words."""


@dataclass(frozen=True, slots=True)
class Code(Block):
    """A QR code, with a line of capitals and digits."""

    macro = "code"
    text: str
    """At most ``MOST`` characters."""
    alt: str
    MOST: ClassVar[int] = 4296
    """How many capitals and digits the largest code holds."""


@dataclass(frozen=True, slots=True)
class TintKey(Block):
    """The key under grids, lightest first: "under 20", "20", "40", "55", "70", "85 and up"."""

    macro = "tint_key"
    bounds: tuple[str, ...]
    aim: str = ""
    """The meaning of the mark of an aimed hex, if diagrams have one."""


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex of a diagram, in axial coordinates: ``q`` to the right, ``r`` down."""

    q: int
    r: int
    text: str
    """Printed inside, without markup."""
    group: str = ""
    """Hexes of one group are set off from all others by a heavier line."""
    below: str = ""
    """A second line, in lighter type."""
    tint: int | None = None
    """The tint step, as in a cell; None for a hex without odds."""
    aim: bool = False
    """Whether the hex is aimed at, and so marked in its corners."""


@dataclass(frozen=True, slots=True)
class Hexes(Block):
    """A diagram of hexes, drawn to size."""

    macro = "hexes"
    hexes: tuple[Hex, ...]
    alt: str
    """A description in words, for screen readers."""
    size: float
    """Millimetres from one side of a hex to the opposite side."""
    flat: bool = False
    """Whether flat sides, not corners, are at the top and bottom."""
    caption: str = ""
    names: tuple[Hex, ...] = ()
    """Texts in places without a hex, such as the name of the group beside it."""
    title: str = ""
    under: str = ""
    """Texts above and below the diagram."""


class Series(NamedTuple):
    """The bars of one distribution, one for each value of its panel, and the text at each bar."""

    name: str
    chances: tuple[Fraction, ...]
    texts: tuple[str, ...]
    mean: float | None = None
    """The position of the mean among the values: 0 is the middle of the first value, 1 of the second."""
    mean_text: str = ""


class Panel(NamedTuple):
    """Bars over one row of values; the bars of several series are side by side at each value."""

    title: str
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Chart(Block):
    """A bar chart; all panels have the same values and the same scale."""

    macro = "chart"
    caption: str
    """The question that the chart answers, printed above it."""
    values: tuple[str, ...]
    panels: tuple[Panel, ...]
    alt: str
    """Every figure in words, for screen readers."""
    height: float
    """Millimetres of the highest bar."""
    axis: str = ""
    """The meaning of the values, printed under them."""


class MapShape(NamedTuple):
    """The shape of a map feature in inches from the south-west corner: a polygon, a circle or a way."""

    points: tuple[tuple[float, float], ...]
    radius: float = 0
    """The radius of a circle around its one point."""
    wide: float = 0
    """The width of a way along its points."""


class MapPiece(NamedTuple):
    """A piece of terrain on a map."""

    pattern: str
    """The name of its drawing style in ``generator.render.maps.terrain``."""
    shape: MapShape
    name: str = ""
    number: int = 0
    """Its number in the lay list; 0 for no number."""
    models: int = 1
    """The number of models on it: steps of a hill, from 1 to 3, or houses."""
    blocks: bool = False
    """Whether nothing is seen through it."""


class MapZone(NamedTuple):
    """A deployment zone of a side."""

    shape: MapShape
    name: str
    side: int
    """The number of the side, which decides the border's dashes."""
    own: str = ""  # the name without the side, for a place that is too narrow for ``name``


class MapEntry(NamedTuple):
    """A stretch of the table's edge where a side enters or leaves, in inches from its west end or its south end."""

    sign: str
    """The sign at its arrow."""
    edge: Literal["north", "south", "east", "west"]
    start: float
    end: float
    side: int
    turn: int | None = 1
    leaves: bool = False


class MapMark(NamedTuple):
    """An objective or a set piece on a map, in inches from the south-west corner. A radius of 0 draws no circle."""

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
    depth: float
    """Inches from west to east, and from south to north."""
    pieces: tuple[MapPiece, ...]
    zones: tuple[MapZone, ...]
    entries: tuple[MapEntry, ...]
    marks: tuple[MapMark, ...]
    colours: tuple[str, ...]
    """A colour word for each side, or an empty string."""
    alt: str
    caption: str
    facts: tuple[tuple[str, str], ...] = ()
    """Facts of the table with their names, printed below the map as far as there is room."""
    highest: float = 150
    least: float = 0
    """Greatest and least height in millimetres, with everything around the table. A map with a least height grows."""
    turn: str = field(default="turn", repr=False)
    scale: str = field(default="Squares of 12″. 1″ is", repr=False)
    """Words of the drawing: before the turn of an entry, and before the scale in millimetres."""


@dataclass(frozen=True, slots=True)
class Group(Block):
    """Blocks that take a single place in a section. A group with a title has a bar of its own."""

    macro = "group"
    title: str
    blocks: tuple[Block, ...]
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A bar with a title, and the blocks under it. Without a title there is no bar."""

    title: str
    blocks: tuple[Block, ...]
    aside: str = ""
    abreast: int = 1
    """Number of blocks side by side, filled row by row."""


@dataclass(frozen=True, slots=True)
class Row:
    """Columns of sections, kept on one page if possible. With ``phase``, the row begins a phase of a play sheet."""

    columns: tuple[tuple[Section, ...], ...]
    shares: tuple[int, ...] = ()
    """Widths in proportion; empty for equal widths."""
    new_page: bool = False
    loose: bool = False
    """Whether the row may be divided between pages."""
    half: bool = False
    """Whether its one column has half the width of the page."""
    phase: str = ""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections of all columns."""
        return tuple(chain.from_iterable(self.columns))

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of all sections."""
        return tuple(block for section in self.sections for block in section.blocks)

    def changed(self, change: Callable[[Block], Block]) -> Row:
        """Return the row with each block replaced by the result of ``change`` for it."""
        made = ([replace(part, blocks=tuple(map(change, part.blocks))) for part in column] for column in self.columns)
        return replace(self, columns=tuple(map(tuple, made)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet(Imprinted):
    """A document of tables and texts."""

    kicker: tuple[str, ...]
    """Small spaced capitals at the right of the title."""
    rows: tuple[Row, ...]
    flows: bool = False
    """Whether half-width rows are put side by side and long tables divided, to fill the pages."""
    close: bool = False
    plain_strap: bool = False
    """Print the strap without markup, as a player's own words."""
    landscape: bool = False
    """Whether the pages are wider than high."""
    poster: bool = False
    """Whether a landscape page is as wide as two sheets of the paper: A3 or Tabloid."""
    cover: bool = False
    """Whether a large title fills the head of the first page."""
    large: bool = False
    """Whether the text is printed at 14 pt."""

    def enlarged(self) -> Self:
        """Return the sheet in large print, in one column unless it is a play sheet; a sheet with a map is unchanged."""
        if any(isinstance(block, Map) for row in self.rows for block in row.blocks):
            return self
        if self.plays:
            return replace(self, large=True)
        rows = (Row(((replace(part, abreast=1),),)) for row in self.rows for part in row.sections)
        return replace(self, large=True, flows=False, rows=tuple(rows))

    @property
    def plays(self) -> bool:
        """Whether the document is a play sheet: at least one row begins a phase."""
        return any(row.phase for row in self.rows)

    def pieces(self) -> list[Self]:
        """Return a landscape sheet in parts, divided before each row with ``new_page``; any other sheet as one part.

        A change in one part then does not draw the map of another again. Each has the title, only the first the strap.
        """
        starts = [number for number, row in enumerate(self.rows) if number and row.new_page and self.landscape]
        return [
            replace(self, rows=self.rows[start:end], strap="" if start else self.strap)
            for start, end in pairwise([0, *starts, len(self.rows)])
        ]

    def sides(self) -> list[list[tuple[int, str, list[Row]]]]:
        """Return each page's phases: number from 1 (0 in sheets without steps), name, rows. A phase may span pages."""
        counts = any(isinstance(block, Steps) for row in self.rows for block in row.blocks)
        sides: list[list[tuple[int, str, list[Row]]]] = []
        number, phase = 0, ""
        for row in self.rows:
            if row.new_page or not sides:
                sides.append([])
            if row.phase or not sides[-1]:
                number += counts and bool(row.phase or not number)
                sides[-1].append((number, phase := row.phase or phase, []))
            sides[-1][-1][2].append(row)
        return sides
