"""Texts of sheets as blocks: the steps of procedures, notes and plain paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from generator.documents.blocks.tables import DAGGER
from generator.render.blocks import Prose, Steps
from generator.rules.model.base import Id, NonBlank, Ref, Seq
from generator.rules.model.block import Block, Thinned

if TYPE_CHECKING:
    from generator.documents.blocks.composition import Composition
    from generator.rules.ruleset import RuleSet


class StepsBlock(Thinned):
    """The steps of a procedure, numbered."""

    keyword = "steps"

    steps: Annotated[Id, Ref("procedure with steps")]
    """The procedure."""
    changed: bool = False
    """Whether steps changed by a layer begin with a dagger."""

    def entries(self, rules: RuleSet) -> list[str] | None:
        """Return the ids of the steps."""
        procedure = rules.procedures.get(self.steps)
        return None if procedure is None else [step.id for step in procedure.steps if step.id]

    def compose(self, context: Composition) -> tuple[Steps, ...]:
        """Return the steps that apply with the current options; no block if none applies."""
        procedure = context.ruleset.procedures[self.steps]
        steps = tuple(
            f"{DAGGER} {step.says}" if self.changed and step.owner != procedure.owner else step.says
            for step in procedure.steps_now()
            if not step.id or step.id not in self.without
        )
        return (Steps(steps),) if steps else ()


class NotesBlock(Thinned):
    """Notes in italics. In ``only_for`` and ``without`` the bold words at the start of a note name it."""

    keyword = "notes"
    explains = True

    notes: Annotated[Seq[NonBlank], Field(min_length=1)]
    """The paragraphs."""
    joined: str = ""
    """The text between the notes if they are joined to one paragraph, which ends with a full stop."""

    def entries(self, rules: RuleSet) -> list[str]:
        """Return the bold words with which notes begin."""
        del rules
        return [start for note in self.notes if (start := beginning(note))]

    def compose(self, context: Composition) -> tuple[Prose, ...]:
        """Return the notes that are printed, separately or as one paragraph; no block if none is."""
        del context
        kept = tuple(note for note in self.notes if not beginning(note) or beginning(note) not in self.without)
        if kept and self.joined:
            kept = (self.joined.join(kept).removesuffix(".") + ".",)
        return (Prose(kept),) if kept else ()


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
    """Return the bold words at the start of a note, which name it; empty if there are none.

    >>> beginning("**River:** at a ford."), beginning("**GMS/L**, **GMS/H** missiles"), beginning("A dash: **none**.")
    ('River', 'GMS/L', '')
    """
    _, bold, rest = note.partition("**") if note.startswith("**") else ("", "", "")
    return rest.partition(bold)[0].rstrip(":.") if bold else ""
