"""``ruleset.yaml``: what a rule set is, whose it is, and which parents it stands on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from generator.rules.models.base import Date, Id, Model, Seq


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
