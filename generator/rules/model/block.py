"""Base models of the blocks of a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

from pydantic import Field

from generator.rules.model.base import Fielded, FormulaText, Model, Ref, Seq

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

BOTH = "both:"
"""The prefix of a word in ``only_for`` that two sides must have."""
ALSO = "also:"
"""The prefix of a word in ``only_for`` that a side must have in addition."""


ANY_KIND = "*"
"""In a word of ``only_for``: a kind of any name."""
SPECIAL = "special-rules.procedure"
"""In a word of ``only_for``: the procedure of a special rule of the battle."""


class Block(Model):
    """The keys of every block. Each kind of block is a subclass with its keys, its check and its composer."""

    keyword: ClassVar[str] = ""
    """The key of a sheet that names this kind of block."""
    of_design: ClassVar[bool] = False
    """Whether such blocks are about a design, so that they are only on sheets of a kind."""
    lists_everything: ClassVar[bool] = False
    """Whether such blocks list all statements of the rule set."""
    explains: ClassVar[bool] = False
    """Whether such blocks only explain the other blocks of their section."""

    when: FormulaText | None = None
    """Printed only if this condition on the options holds."""

    def statuses(self) -> Sequence[str]:
        """Return the statuses whose statements the block lists in full."""
        return ()

    def only_odds_of(self) -> str | None:
        """Return the procedure whose odds are all that the block shows, or None."""
        return None

    def check(self, checker: Any) -> None:
        """Add problems with the values of the block. The names in the block were checked before."""

    def compose(self, context: Any) -> Any:
        """Return a block of the printed page, or a tuple of several. Problems are added to those of ``context``."""
        del context
        return ()


Entry: TypeAlias = Annotated[str, Ref("entry")]
"""A step, a row by its first key, or a note by the bold words that it begins with."""


class Thinned(Block):
    """A block of several entries; a pack leaves out entries for things that no side has."""

    only_for: dict[Entry, Seq[Fielded]] = Field(default_factory=dict)
    """For a step, or the first words of a row: in the pack of a scenario, printed only if a force has one of these.

    The words are those of ``only_for`` of a section.
    """
    without: Seq[Entry] = ()
    """Steps, or first words of rows, that are not printed."""

    def entries(self, rules: Any) -> Collection[str] | None:
        """Return the names of the entries; None if the rules do not have their table or procedure."""
        del rules
        return ()


def is_played(words: Sequence[str], sides: Sequence[Collection[str]]) -> bool:
    """Return whether the forces of the ``sides`` have what the words of an ``only_for`` require."""
    both, also = ({word.removeprefix(item) for word in words if word.startswith(item)} for item in (BOTH, ALSO))
    alone = {word for word in words if not word.startswith((BOTH, ALSO))}
    single = all(not some or any(not some.isdisjoint(side) for side in sides) for some in (alone, also))
    return single and (not both or sum(not both.isdisjoint(side) for side in sides) > 1)
