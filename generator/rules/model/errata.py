"""``errata.yaml``: examples of the source that break its own rule, each with its arithmetic."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from generator.rules.model.base import Cite, FormulaText, Id, Model, Seq


class ErratumModel(Model):
    """A printed example that is wrong."""

    erratum: Id
    """Its id."""
    title: str
    """The example, in a few words."""
    printed: str | int
    """The result that the source prints."""
    holds: str | int
    """The result of the source's own rule."""
    working: FormulaText | None = None
    """The rule with its figures; its result must be ``holds``."""
    cite: Cite
    """Where it is printed: a page or section of the rule set’s own source, or source ids with a place in each."""
    note: Annotated[str, Field(min_length=3)]
    """How the example departs from the rule."""


class ErrataModel(Model):
    """The file of errata."""

    errata: Annotated[Seq[ErratumModel], Field(min_length=1)]
    """The errata, in order."""
