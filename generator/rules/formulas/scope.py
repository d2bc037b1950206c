"""Which names a formula may use, and what each of them is."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

FormulaText: TypeAlias = str | int | bool | Fraction
"""A formula as written; plain numbers and yes/no need no quotes."""

Shape = Literal["value", "row", "fields", "records", "table"]


class Words(NamedTuple):
    """All the texts that a value may be, so that a formula which compares it with another one can be told so."""

    texts: frozenset[str] = frozenset()
    """None of them for a value that is never a text."""
    spelled: str = "a number"
    """What it may be, as a person reads it."""
    listed: bool = False
    """Whether the value is a list whose entries are meant."""
    truth: bool = False
    """Whether the value is yes or no, or none."""


class Name(NamedTuple):
    """What stands behind a name: a plain value, a joined row, a list of records, or a table to look up in.

    ``fields`` is a roll of several values, each with a name of its own: ``drawn.points``.
    """

    shape: Shape = "value"
    columns: frozenset[str] = frozenset()
    keys: tuple[Words, ...] = ()
    """The texts in each key column of a table."""
    only: str = ""
    """The one column that is no key: what a look-up without a column gives."""
    words: Words | None = None
    """The texts that a value may be, where they are known."""
    inside: Mapping[str, Words] = MappingProxyType({})
    """Those of its columns, where they are known."""


VALUE = Name()
TRUTH = Name(words=Words(spelled="yes or no", truth=True))


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of one place in the data."""

    names: Mapping[str, Name] = field(default_factory=dict)

    def __or__(self, more: Mapping[str, Name]) -> Scope:
        """This scope with further names in it."""
        return Scope({**self.names, **more})


def identifier(table_id: str) -> str:
    """How a table's id is written in a formula: hyphens become underscores.

    >>> identifier("level-dice")
    'level_dice'
    """
    return table_id.replace("-", "_")
