"""The names that a formula may use, and what is known about each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

FormulaText: TypeAlias = str | int | bool | Fraction
"""A formula as written in a file; plain numbers and yes/no need no quotes."""

Shape = Literal["value", "row", "fields", "records", "table"]


class Words(NamedTuple):
    """The texts that a value can be, so that a comparison with any other text can be reported."""

    texts: frozenset[str] = frozenset()
    """The texts; empty for a value that is never a text."""
    spelled: str = "a number"
    """The possible values in words, for messages."""
    listed: bool = False
    """Whether the value is a list whose entries are these texts."""
    truth: bool = False
    """Whether the value is yes or no, or none."""


class Name(NamedTuple):
    """What is known about a name: a plain value, a joined row, a list of records, or a table to look up in.

    The shape ``fields`` is a roll with several values, each with its own name: ``drawn.points``.
    """

    shape: Shape = "value"
    columns: frozenset[str] = frozenset()
    keys: tuple[Words, ...] = ()
    """The texts in each key column of a table."""
    only: str = ""
    """The only column that is not a key, which a look-up without a column returns; empty if there are several."""
    words: Words | None = None
    """The texts that the value can be, if they are known."""
    inside: Mapping[str, Words] = MappingProxyType({})
    """The texts of each column whose texts are known."""


VALUE = Name()
TRUTH = Name(words=Words(spelled="yes or no", truth=True))


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that formulas at one place in the data can use."""

    names: Mapping[str, Name] = field(default_factory=dict)

    def __or__(self, more: Mapping[str, Name]) -> Scope:
        """Return this scope with further names in it."""
        return Scope({**self.names, **more})


def identifier(table_id: str) -> str:
    """Return a table's id as it is written in formulas: hyphens become underscores.

    >>> identifier("level-dice")
    'level_dice'
    """
    return table_id.replace("-", "_")
