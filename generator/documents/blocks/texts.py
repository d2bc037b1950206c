"""Texts of sheets as blocks: the steps of procedures, notes and plain paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from generator.documents.blocks.tables import RowsBlock
from generator.documents.words import whole_end
from generator.render.blocks import Prose, Steps
from generator.rules.model.base import Id, NonBlank, Ref, Seq, TableId
from generator.rules.model.block import Block, Thinned

if TYPE_CHECKING:
    from generator.documents.blocks.composition import Composition
    from generator.documents.relevance import InPlay
    from generator.rules.ruleset import RuleSet


class StepsBlock(Thinned):
    """The steps of a procedure, numbered."""

    keyword = "steps"

    steps: Annotated[Id, Ref("procedure with steps")]
    """The procedure."""

    def entries(self, rules: RuleSet) -> list[str] | None:
        """Return the ids of the steps, by which a block may leave them out; None if there is no such procedure.

        A step without an id is always printed.
        """
        procedure = rules.procedures.get(self.steps)
        return None if procedure is None else [step.id for step in procedure.steps if step.id]

    def in_play(self, rules: RuleSet, play: InPlay) -> StepsBlock | None:
        """Return the block without the steps about things that no force has; None if no step is left."""
        steps = [step for step in rules.procedures[self.steps].steps if step.id not in self.without]
        idle = [step.id for step in steps if not play.has(step.concerns)]
        return self.model_copy(update={"without": (*self.without, *idle)}) if len(idle) < len(steps) else None

    def compose(self, context: Composition) -> tuple[Steps, ...]:
        """Return the steps that apply with the current options; empty if no step applies."""
        applying = context.ruleset.procedures[self.steps].steps_now()
        steps = tuple(whole_end(step.says) for step in applying if not step.id or step.id not in self.without)
        return (Steps(steps),) if steps else ()


class NotesBlock(Thinned):
    """Notes in italics. ``without`` names a note by the bold words at its start."""

    keyword = "notes"
    explains = True

    notes: Annotated[Seq[NonBlank], Field(min_length=1)]
    """The paragraphs."""

    def entries(self, rules: RuleSet) -> list[str]:
        """Return the bold words with which notes begin, by which a block may leave them out.

        Notes that begin with other words are not in the list.
        """
        del rules
        return [start for note in self.notes if (start := beginning(note))]

    def compose(self, context: Composition) -> tuple[Prose, ...]:
        """Return the notes that are printed; empty if all notes are left out."""
        del context
        kept = tuple(note for note in self.notes if not beginning(note) or beginning(note) not in self.without)
        return (Prose(tuple(map(whole_end, kept))),) if kept else ()


class GlossaryBlock(RowsBlock):
    """The rows of a table as one paragraph: each key in bold, with its printed name."""

    keyword = "glossary"

    glossary: TableId
    """The table."""

    def compose(self, context: Composition) -> Prose:
        """Return the paragraph."""
        names = context.ruleset.tables[self.glossary].names().items()
        kept = (f"**{key}** {name}" for key, name in names if str(key) not in self.without)
        return Prose((f"{'; '.join(kept)}.",))


class ProseBlock(Block):
    """Plain paragraphs."""

    keyword = "prose"
    explains = True

    prose: Annotated[Seq[NonBlank], Field(min_length=1)]
    """The paragraphs."""

    def compose(self, context: Composition) -> Prose:
        """Return the paragraphs."""
        del context
        return Prose(self.prose, "text")


def beginning(note: str) -> str:
    """Return the bold words at the start of a note, which name it; empty if the note does not start with bold words.

    >>> beginning("**River:** at a ford."), beginning("**GMS/L**, **GMS/H** missiles"), beginning("A dash: **none**.")
    ('River', 'GMS/L', '')
    """
    _, bold, rest = note.partition("**") if note.startswith("**") else ("", "", "")
    return rest.partition(bold)[0].rstrip(":.") if bold else ""
