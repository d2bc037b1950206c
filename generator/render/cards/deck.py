"""The vocabulary of cards, frozen: ``documents/`` fills these, ``faces`` gives each part its place.

Texts are inline prose, as in ``blocks``, but for those that say they are printed exactly as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from generator.render.imprinted import Imprinted

_PIECE = 24
"""Cards that are laid out together: full sheets of four, in a tenth of a minute and little memory."""
SHARED = "*"
"""Behind the name over a column that stands for other designs as well."""


class Stat(NamedTuple):
    """A big figure over a small label."""

    figure: str
    label: str


class Chance(NamedTuple):
    """A chance as a percentage, and its step of tint; None for a target that this cannot be asked about."""

    text: str
    tint: int | None


class Line(NamedTuple):
    """A row of a table: its head, its figures, its chances."""

    head: str
    cells: tuple[str, ...]
    chances: tuple[Chance, ...]
    goes_on: bool = False
    """Whether it belongs with the row above it, such as a further range of one weapon: no face parts the two."""


class Target(NamedTuple):
    """The head of a column of chances, and the designs that it stands for."""

    head: str
    names: tuple[str, ...]
    clear: bool = False
    """Whether the head says which the first of them is: it is its name, or as much of it as there is room for."""


class Asked(NamedTuple):
    """What chances are: of what, and against whom."""

    says: str
    of: str = ""
    """Whom they are against where no enemy is named."""
    targets: tuple[Target, ...] = ()
    untold: tuple[str, ...] = ()
    """Designs that there is no column for."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table on a card: what a weapon does, a row for each range band."""

    title: str
    heads: tuple[str, ...]
    """Over its columns."""
    targets: tuple[str, ...]
    """Over its chances."""
    lines: tuple[Line, ...]
    asked: tuple[Asked, ...] = ()


class Boxes(NamedTuple):
    """So many boxes to tick, and what for."""

    label: str
    many: int
    letters: str = ""
    """A letter for each of them, printed in it where there is no label."""


class Ticks(NamedTuple):
    """Boxes of one element of a unit; ``name`` is empty where there is but one."""

    name: str
    boxes: tuple[Boxes, ...]
    says: str = ""
    """Instead of boxes: what those of the elements behind it are for."""


class Symbol(NamedTuple):
    """What is drawn beside the name: see ``symbols``."""

    frame: str
    sign: str
    size: int = 0


NO_SYMBOL = Symbol("none", "none")
"""Nothing is drawn, and the name begins at the edge."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card, before it is laid out."""

    name: str
    """Printed exactly as it stands, like ``who`` and ``note``: a player's own words."""
    who: str
    """The unit, and its notes."""
    points: str
    under_points: tuple[str, ...]
    symbol: Symbol
    stats: tuple[Stat, ...]
    grids: tuple[Grid, ...]
    also: str
    note: str
    ticks: tuple[Ticks, ...]
    mark: str = field(default="", compare=False)
    """A word before ``who`` that must not be missed, such as Draft: the card is the same without it."""
    unit: str = field(default="", compare=False)
    """The name of its unit, to keep its cards together."""
    like: Card | None = field(default=None, compare=False)
    """The card of the same design that asks for the most room, where that is several faces: this one is shared out
    to faces in the same way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck(Imprinted):
    """One document of cards."""

    cards: tuple[Card, ...]
    owner: str = ""
    """Whose cards they are; stands on cards for notes exactly as it is written."""
    bounds: tuple[str, ...] = ()
    """The key of tints, lightest first; none where no card has odds."""

    def pieces(self) -> list[Deck]:
        """Return decks of few cards each. They are rendered apart, so that a changed card costs only its piece."""
        starts = range(0, max(len(self.cards), 1), _PIECE)
        return [replace(self, cards=self.cards[start : start + _PIECE]) for start in starts]
