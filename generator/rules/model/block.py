"""What all blocks of a sheet share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field

from generator.rules.model.base import Fielded, FormulaText, Model, Ref, Seq

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

BOTH = "both:"
"""Begins a word of ``only_for`` that two sides must have."""
ALSO = "also:"
"""Begins a word of ``only_for`` that needs one more such thing in play."""


ANY_KIND = "*"
"""In a word of ``only_for``: a kind of any name."""
SPECIAL = "special-rules.procedure"
"""In a word of ``only_for``: the procedure of a special rule of the battle."""


class Block(Model):
    """What every block may say."""

    when: FormulaText | None = None
    """Only printed where this holds for the options."""


Entry: TypeAlias = Annotated[str, Ref("entry")]
"""A step, a row by its first key, or a note by the bold words that it begins with."""


class Thinned(Block):
    """A block of several entries; a pack leaves out entries for things that no side has."""

    only_for: dict[Entry, Seq[Fielded]] = Field(default_factory=dict)
    """For a step, or what a row begins with: in the pack of a scenario only printed where a force has one of these.

    Spelt as in ``only_for`` of a section.
    """
    without: Seq[Entry] = ()
    """Steps, or rows that begin so, that are not printed."""


def beginning(note: str) -> str:
    """The bold words that a note begins with, by which it is named.

    >>> beginning("**River:** at a ford."), beginning("**GMS/L**, **GMS/H** missiles"), beginning("A dash: **none**.")
    ('River', 'GMS/L', '')
    """
    _, bold, rest = note.partition("**") if note.startswith("**") else ("", "", "")
    return rest.partition(bold)[0].rstrip(":.") if bold else ""


def is_played(words: Sequence[str], sides: Sequence[Collection[str]]) -> bool:
    """Whether what is ``only_for`` these words is about anything that the ``sides`` play with."""
    both, also = ({word.removeprefix(one) for word in words if word.startswith(one)} for one in (BOTH, ALSO))
    alone = {word for word in words if not word.startswith((BOTH, ALSO))}
    wanted = all(not some or any(not some.isdisjoint(side) for side in sides) for some in (alone, also))
    return wanted and (not both or sum(not both.isdisjoint(side) for side in sides) > 1)
