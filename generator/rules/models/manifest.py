"""``ruleset.yaml``: what a rule set is, whose it is, and which parents it stands on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from generator.rules.models.base import Certificate, Date, Id, Model, Name, Range, Seq


class Source(Model):
    """A document that figures are cited from."""

    title: str
    author: str = ""
    date: str = ""
    short: str
    """How a citation names it in print."""


class Costs(Model):
    """How points are rounded."""

    line: Literal["half-up", "none"] = "half-up"
    total: Literal["half-up", "none"] = "none"


class OptionModel(Certificate):
    """A switch that players set for a build or a force. Exactly one of ``range``, ``of``, ``from`` and ``yes_no``."""

    label: str
    says: str = ""
    """What it does, in a sentence."""
    range: Range | None = None
    of: Seq[str] = ()
    from_: Annotated[Id | None, Field(alias="from")] = None
    """A table: its first key column lists the values."""
    yes_no: bool = False
    default: str | int | bool


class Manifest(Model):
    """The head of a rule set."""

    ruleset: Id
    title: str
    short: str
    """The name in a page's head."""
    edition: Date
    authors: Annotated[Seq[str], Field(min_length=1)]
    rights: str
    """One line for the foot of every page."""
    about: str = ""
    extends: Seq[Id] = ()
    source: Id
    """The source that a bare citation ("p. 52") means."""
    sources: dict[str, Source] = Field(default_factory=dict)
    length: Literal["inch", "cm", "metre"] = "inch"
    costs: Costs = Field(default_factory=Costs)
    options: dict[Name, OptionModel] = Field(default_factory=dict)
    """Names that every formula knows, and the values that players may give them."""
