"""Base models of the blocks of a sheet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Any, ClassVar, TypeAlias

from generator.rules.formulas.scope import FormulaText
from generator.rules.model.base import Model, Ref, Seq


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
        """Return the statuses (``gap``, ``ruled`` ...) whose statements the block lists in full; usually none."""
        return ()

    def only_odds_of(self) -> str | None:
        """Return the procedure whose odds are all that the block shows, or None."""
        return None

    def check(self, checker: Any) -> None:
        """Add problems with the values of the block to the ``BlockChecker``. The block's names were checked before."""

    def compose(self, context: Any) -> Any:
        """Return a block of the printed page, or a tuple of several. Problems are added to those of ``context``."""
        del context
        return ()


Entry: TypeAlias = Annotated[str, Ref("entry")]
"""A step, or a row by its first key."""


class Thinned(Block):
    """A block of several entries; a pack leaves out entries about things that no side has."""

    without: Seq[Entry] = ()
    """Steps, or first words of rows, that are not printed."""

    def entries(self, rules: Any) -> Collection[str] | None:
        """Return the names of all entries, as ``without`` has them; None if their table or procedure is missing."""
        del rules
        return ()

    def in_play(self, rules: Any, play: Any) -> Any:
        """Return the block with only the entries that are about something that a side has; None if there are none.

        ``play`` knows what the sides of the battle have.
        """
        del rules, play
        return self
