"""A card as it stands ready to be filled with a design: what is on it, as formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from generator.rules.formulas.compiler import Formula
    from generator.rules.places import Place
    from generator.rules.procedures import Procedure


class Symbol(NamedTuple):
    """Frame and size as formulas, and signs with the condition of each."""

    frame: Formula
    signs: tuple[tuple[str, Formula | None], ...]
    size: Formula | None


class Shown(NamedTuple):
    """A figure: values side by side, or a die."""

    values: tuple[Formula, ...]
    die: Formula | None
    unit: str
    when: Formula | None


class Stat(NamedTuple):
    """A big figure and its label; or that of a line of the kind."""

    label: str
    shown: Shown
    line: str | None
    join: tuple[tuple[str, Formula], ...]


class Column(NamedTuple):
    """A column of a table and its head."""

    head: str
    shown: Shown


class Row(NamedTuple):
    """A row of a table: its head, and what its figures know besides."""

    label: str
    let: tuple[tuple[str, Formula], ...]
    when: Formula | None


class Target(NamedTuple):
    """A target that stands for others: the head of its column, and what procedures are told of it."""

    head: str
    inputs: tuple[tuple[str, Formula], ...]


class Reference(NamedTuple):
    """Targets that odds are against where no enemy is named."""

    says: str
    targets: tuple[Target, ...]


class Odds(NamedTuple):
    """A question asked of each target, and the outcomes whose chances are added up."""

    procedure: Procedure
    given: tuple[tuple[str, Formula], ...]
    chance: tuple[str, ...]
    says: str
    at: Reference | None
    """None where its reference has a problem."""
    when: Formula | None


class CardTable(NamedTuple):
    """A table, or one for each entry of a list field."""

    id: str
    title: str
    each: str | None
    join: tuple[tuple[str, Formula], ...]
    when: Formula | None
    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    odds: Odds | None


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
    place: Place
