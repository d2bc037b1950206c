"""``errata.yaml``: examples of the source that break its own rule, each with the arithmetic."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from generator.rules.model.base import Cite, FormulaText, Id, Model, Seq


class ErratumModel(Model):
    """One example that goes wrong."""

    erratum: Id
    """Its id."""
    title: str
    """The example, in a few words."""
    printed: str | int
    """What the source comes to."""
    holds: str | int
    """What its own rule comes to."""
    working: FormulaText | None = None
    """The rule worked out; it must come to ``holds``."""
    cite: Cite
    """Where it is printed: a page or section of the rule set’s own source, or source ids with a place in each."""
    note: Annotated[str, Field(min_length=3)]
    """Where the example leaves the rule."""


class ErrataModel(Model):
    """The file of errata."""

    errata: Annotated[Seq[ErratumModel], Field(min_length=1)]
    """The errata, in order."""
