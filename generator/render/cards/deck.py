"""The immutable data of cards: ``documents/`` fills these classes, ``faces`` lays them out.

Texts are inline prose, as in ``blocks``, unless a field says that it is printed without markup.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from generator.render.imprinted import Imprinted

_PIECE = 24
"""Number of cards rendered together: full sheets of four, in about six seconds and little memory."""
SHARED = "*"
"""The mark after a column head that stands for other designs as well."""


class Stat(NamedTuple):
    """A big figure over a small label."""

    figure: str
    label: str


class Chance(NamedTuple):
    """A percentage and its tint step; None if the question does not apply to this target."""

    text: str
    tint: int | None


class Line(NamedTuple):
    """A row of a table: its head, its figures, its chances."""

    head: str
    cells: tuple[str, ...]
    chances: tuple[Chance, ...]
    goes_on: bool = False
    """Whether the row stays on the face of the row above, such as a further range of one weapon."""


class Target(NamedTuple):
    """The head of a column of chances, and the designs that it stands for."""

    head: str
    names: tuple[str, ...]
    clear: bool = False
    """Whether the head is the first design's name, or a shortened form of it."""


class Asked(NamedTuple):
    """The meaning of percentages: what they are the chance of, and against whom."""

    says: str
    of: str = ""
    """The target of the percentages if no enemy is named."""
    targets: tuple[Target, ...] = ()
    untold: tuple[str, ...] = ()
    """Designs without a column."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table on a card, such as a weapon's effects with a row for each range band."""

    title: str
    heads: tuple[str, ...]
    """Heads of the columns after the first."""
    targets: tuple[str, ...]
    """Heads of the columns of chances."""
    lines: tuple[Line, ...]
    asked: tuple[Asked, ...] = ()


class Boxes(NamedTuple):
    """A number of boxes to tick, with a label."""

    label: str
    many: int
    letters: str = ""
    """A letter for each box, printed inside it if there is no label."""


class Ticks(NamedTuple):
    """The boxes of one element of a unit; ``name`` is empty if the unit has only one element."""

    name: str
    boxes: tuple[Boxes, ...]
    says: str = ""
    """A heading, instead of boxes, for the boxes of the elements after it."""


class Symbol(NamedTuple):
    """The unit symbol beside the name, as :mod:`unit_icons` draws it."""

    frame: str
    sign: str
    size: int = 0


NO_SYMBOL = Symbol("none", "none")
"""The symbol of a card without a drawing; its name begins at the edge."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card before its layout."""

    name: str
    """A player's own words, printed without markup, as are ``who`` and ``note``."""
    who: str
    """The unit and its notes."""
    points: str
    under_points: tuple[str, ...]
    symbol: Symbol
    stats: tuple[Stat, ...]
    grids: tuple[Grid, ...]
    also: str
    note: str
    ticks: tuple[Ticks, ...]
    mark: str = field(default="", compare=False)
    """A warning printed before ``who``, such as Draft. Not compared: a card is equal with or without it."""
    unit: str = field(default="", compare=False)
    """The name of the card's unit, which keeps the unit's cards together."""
    like: Card | None = field(default=None, compare=False)
    """The card of the same design that needs the most room, if it has several faces. This card is divided like it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck(Imprinted):
    """A document of cards."""

    cards: tuple[Card, ...]
    owner: str = ""
    """The owner of the cards, printed without markup on blank cards for notes."""
    bounds: tuple[str, ...] = ()
    """The key of tints, lightest first; empty if no card has odds."""

    def pieces(self) -> list[Deck]:
        """Return decks of a few cards each, rendered separately, so that a changed card costs only its own deck."""
        starts = range(0, max(len(self.cards), 1), _PIECE)
        return [replace(self, cards=self.cards[start : start + _PIECE]) for start in starts]
