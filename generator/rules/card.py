"""A card as it stands ready to be filled with a design: what is on it, as formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from generator.rules.figures import CardTable, Stat
    from generator.rules.formulas.compiler import Formula
    from generator.rules.places import Place
    from generator.rules.procedures import Procedure


class Symbol(NamedTuple):
    """Frame and size as formulas, and signs with the condition of each."""

    frame: Formula
    signs: tuple[tuple[str, Formula | None], ...]
    size: Formula | None


class Tell(NamedTuple):
    """A few words, or some for each entry of a list field."""

    says: str
    each: str | None
    join: tuple[tuple[str, Formula], ...]
    let: tuple[tuple[str, Formula], ...]
    when: Formula | None


class Box(NamedTuple):
    """Boxes to tick."""

    label: str
    count: Formula
    each: str | None
    join: tuple[tuple[str, Formula], ...]
    when: Formula | None
    per: str
    letter: str = ""
    """What is printed in it where the label is told once for several elements."""


class Question(NamedTuple):
    """A procedure, what the firer brings to it, and the outcomes whose chances are added up."""

    procedure: Procedure
    given: tuple[tuple[str, Formula], ...]
    chance: tuple[str, ...]


class Duel(NamedTuple):
    """A shot: what must come about, question after question; or one for each entry of a list field."""

    name: str
    head: str
    """Over a column on the card of what it is fired at."""
    says: str
    asks: tuple[Question, ...]
    each: str | None
    join: tuple[tuple[str, Formula], ...]
    let: tuple[tuple[str, Formula], ...]
    when: Formula | None


class Guise(NamedTuple):
    """What procedures are told of a design, or of its unit, that is aimed at as something."""

    id: str
    inputs: tuple[tuple[str, Formula], ...]
    when: Formula | None
    place: Place


class Card(NamedTuple):
    """A card, ready to be filled with a design of its kind."""

    kind: str
    owner: str
    symbol: Symbol | None
    strip: tuple[Stat, ...]
    tables: tuple[CardTable, ...]
    tells: tuple[Tell, ...]
    also: tuple[str, ...]
    boxes: tuple[Box, ...]
    target: tuple[tuple[str, Formula], ...]
    aimed_at: Formula | None
    duels: tuple[Duel, ...]
    guises: tuple[Guise, ...]
    place: Place
