"""The immutable data of cards: ``documents/`` fills these classes, the template prints them at fixed places.

Texts are inline prose, as in ``blocks``, unless a field says that it is printed without markup.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Self

from generator.render.drawing import BLACK, COLOURS, GREY
from generator.render.imprinted import Imprinted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.blocks import Ink
    from generator.render.pictures import Picture

INDEX, POKER, TAROT = "index", "poker", "tarot"
SIZES = {INDEX: (127.0, 76.2), POKER: (63.5, 88.9), TAROT: (70.0, 120.0)}
"""The width and height of a card of each size in millimetres; all but index cards are upright."""

EACH = 4
"""Number of cards on a sheet of paper."""
_PIECE = 4 * EACH
"""Number of cards rendered together: whole sheets, in a few seconds and little memory."""
FRONT_ROWS, BACK_ROWS, FOOT_ROWS, TICKS = 5, 7, 3, 2
"""Most rows of the weapon table on the front and on the back, and at the foot of the front: of boxes, of ticks."""
FIGURES, ABREAST, IN_ROW = 5, 6, 12
"""Number of figures under the name, of boxes of full width side by side, and of boxes in a row at most."""
_SIDE = "#1d5b86"
"""The colour of a side without one of its own."""
CUT = "Cut along the marks."
"""The end of the strap of a sheet with cutting marks."""
ONE_SIDE = "Print on stiff paper, on one side."
SHORT_EDGE, LONG_EDGE = (f"Print on stiff paper, both sides, flip on the {edge} edge." for edge in ("short", "long"))
"""How to print cards: the beginnings of straps."""


class Stat(NamedTuple):
    """A figure and its label."""

    figure: str
    label: str


class Percentage(NamedTuple):
    """A percentage and its tint step, which is None if the question does not apply to this target."""

    text: str
    tint: int | None


NO_CHANCE = Percentage("–", None)


class Line(NamedTuple):
    """A row of the weapon table: its weapon, its situation, its figures, its chances."""

    title: str
    head: str
    cells: tuple[str, ...]
    chances: tuple[Percentage | None, ...]
    """A chance in the column of each target; None for a column that the row leaves free."""
    follows: bool = False
    """Whether the row is a further situation of the row above."""
    own: bool = False
    """Whether its chances have a head row of their own, an ``Axis`` above it."""


class Axis(NamedTuple):
    """A group of columns of chances: what the chances are of, and the head of each target's column."""

    says: str
    targets: tuple[str, ...]
    title: str = ""
    """The title of the rows below, if the axis has a head row of its own."""


class CardColumn(NamedTuple):
    """A column of figures. A ``narrow`` column has only bare numbers and dice."""

    head: str
    narrow: bool


class Boxes(NamedTuple):
    """Boxes to tick, with their count and a label."""

    label: str
    many: int
    ring: bool = False
    """Whether the elements' numbers, which are crossed out, stand instead of boxes."""


class Listed(NamedTuple):
    """A list, such as the designs of an enemy. Each row is a head and its text."""

    title: str
    rows: tuple[tuple[str, str], ...]


class Symbol(NamedTuple):
    """The unit symbol beside the name, as ``card-drawings.html.j2`` draws it."""

    frame: str
    sign: str
    size: int = 0


NO_SYMBOL = Symbol("none", "none")
"""The symbol of a card without a drawing."""


class Plan(NamedTuple):
    """The plan at the upper right: an outline with figures on its faces, and figures beside it."""

    shape: str
    faces: tuple[str, ...]
    """The figures in front, left, right and behind."""
    beside: tuple[Stat, ...]


NO_PLAN = Plan("", (), ())


@dataclass(frozen=True, slots=True)
class Card:
    """One card, front and back."""

    name: str
    """A player's own words, printed without markup, as are ``who`` and ``note``."""
    who: str
    """The kind, the unit and its values."""
    points: str = ""
    symbol: Symbol = NO_SYMBOL
    chevrons: int = 0
    stats: tuple[Stat, ...] = ()
    plan: Plan = NO_PLAN
    columns: tuple[CardColumn, ...] = ()
    axes: tuple[Axis, ...] = ()
    front: tuple[Line | Axis, ...] = ()
    back: tuple[Line | Axis, ...] = ()
    elements: tuple[int, ...] = ()
    """The numbers of the elements; a single number is not printed."""
    boxes: tuple[Boxes, ...] = ()
    """The boxes of each element."""
    test: str = ""
    ticks: tuple[str, ...] = ()
    """The labels of the unit's boxes."""
    ladder: tuple[str, ...] = ()
    """The unit's states, from the best."""
    facts: tuple[Stat, ...] = ()
    lists: tuple[Listed, ...] = ()
    tells: tuple[str, ...] = ()
    spare: tuple[str, ...] = ()
    """Further texts, printed on the first card as far as there is room.

    They are on its front, or on its back if it has one anyway.
    """
    runs: tuple[Boxes, ...] = ()
    """Boxes on the back."""
    note: str = ""
    own: str = ""
    """What the design is, in words of its kind's card."""
    part: tuple[int, int] = (1, 1)
    """The number of this card among those of its design and unit, and how many there are."""
    which: str = field(default="card {number} of {count}", repr=False)
    """The words for this place."""
    picture: Picture | None = None
    """The picture at the head of an upright card."""
    mark: str = field(default="", compare=False)
    """A warning printed before ``who``, such as Draft. Not compared: a card is equal with or without it."""
    unit: str = field(default="", compare=False)

    def box_rows(self) -> Iterator[tuple[str, int]]:
        """Yield the label and the count of boxes of each row at the foot of the front. Rings are left out.

        A row has the boxes of all elements. Boxes that do not fit into a row continue in a row without a label.
        """
        for boxes in self.boxes:
            many = 0 if boxes.ring else boxes.many * max(1, len(self.elements))
            for start in range(0, many, IN_ROW):
                yield "" if start else boxes.label, min(many - start, IN_ROW)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck(Imprinted):
    """A document of cards."""

    cards: tuple[Card, ...]
    owner: str = ""
    """The side or force whose cards they are, printed without markup."""
    colour: str = ""
    """A colour word of ``drawing.COLOURS``; empty for the usual one."""
    emblem: int = 0
    """The number of the emblem and the edge: sides differ in black ink, too."""
    size: str = INDEX
    """One of ``SIZES``."""
    bounds: tuple[str, ...] = ()
    """The key of tints, lightest first; empty if no card has odds."""
    apart: tuple[bool, ...] = ()
    """For a document with a page for each side of a card: its sides, False for fronts and True for backs."""
    frames: tuple[bool, ...] = ()
    """For a document with what is printed around imposed cards: its sheets, True for backs."""
    upright: bool = False
    """Whether the sheets of frames are higher than wide."""

    @property
    def is_upright_apart(self) -> bool:
        """Whether each page is one side of an upright card."""
        return bool(self.apart) and self.size != INDEX

    def side_colour(self, ink: Ink) -> str:
        """Return the colour of the band that shows whose card it is.

        This is the colour of the side, or the usual colour if the side has none. In inks without colour, the band is
        black for emblem 0 and grey for any other emblem.
        """
        if ink != "colour":
            return BLACK if self.emblem == 0 else GREY
        return COLOURS.get(self.colour, _SIDE)

    def pieces(self) -> list[Self]:
        """Return decks of at most 16 cards each; after a change of a card, only its deck must be rendered again.

        A deck without cards gives one deck without cards.
        """
        starts = range(0, max(len(self.cards), 1), _PIECE)
        return [replace(self, cards=self.cards[start : start + _PIECE]) for start in starts]
