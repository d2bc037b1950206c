"""What all kinds of block of a sheet share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

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
    """What every block may say. Each kind of block is a subclass with its keys, its check and its composer."""

    keyword: ClassVar[str] = ""
    """The key by which a sheet names this kind."""
    of_design: ClassVar[bool] = False
    """Whether such blocks are about a design: they stand only on sheets of a kind."""
    lists_everything: ClassVar[bool] = False
    """Whether such blocks go through all statements of the rule set."""
    explains: ClassVar[bool] = False
    """Whether such blocks only explain those beside them."""

    when: FormulaText | None = None
    """Only printed where this holds for the options."""

    def statuses(self) -> Sequence[str]:
        """Return the statuses whose statements the block lists in full."""
        return ()

    def only_odds_of(self) -> str | None:
        """Return the procedure whose odds are all that the block shows, or None."""
        return None

    def check(self, checker: Any) -> None:
        """Report what is wrong with the values. Every name in the block is known by then."""

    def compose(self, context: Any) -> Any:
        """Return the block of paper, or a tuple of several. What is wrong is added to the problems of ``context``."""
        del context
        return ()


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

    def entries(self, rules: Any) -> Collection[str] | None:
        """Return the names of the entries; None where the rules do not have what holds them."""
        del rules
        return ()


def is_played(words: Sequence[str], sides: Sequence[Collection[str]]) -> bool:
    """Whether what is ``only_for`` these words is about anything that the ``sides`` play with."""
    both, also = ({word.removeprefix(item) for word in words if word.startswith(item)} for item in (BOTH, ALSO))
    alone = {word for word in words if not word.startswith((BOTH, ALSO))}
    wanted = all(not some or any(not some.isdisjoint(side) for side in sides) for some in (alone, also))
    return wanted and (not both or sum(not both.isdisjoint(side) for side in sides) > 1)
