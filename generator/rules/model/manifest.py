"""``ruleset.yaml``: what a rule set is, whose it is, its parents; and the settings that players give for it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from generator.rules.model.base import Certificate, ChoiceModel, Date, FreeName, Id, Model, Name, Seq

DOT = " · "
"""The separator between the short name of a game and the short name of its variant."""


class Source(Model):
    """A document that figures are cited from."""

    title: str
    """The document’s title."""
    author: str = ""
    """Who wrote it."""
    date: str = ""
    """When it appeared, in any form."""
    short: str
    """Its short name in printed citations."""


class Costs(Model):
    """How points are rounded."""

    line: Literal["half-up", "none"] = "half-up"
    """How each line of a price is rounded: to the nearest point, a half upwards, or not at all."""
    total: Literal["half-up", "none"] = "none"
    """How the total of a price is rounded, in the same two ways."""


class OptionModel(Certificate, ChoiceModel):
    """A switch that players set for a build or a force. Exactly one of ``range``, ``of``, ``from`` and ``yes_no``."""

    says: str = ""
    """What it does, in a sentence."""
    default: str | int | bool
    """Its value if players do not set it."""


class Manifest(Model):
    """The head of a rule set."""

    ruleset: Id
    """Its id: the name of its folder."""
    title: str
    """Its printed name."""
    short: str
    """The name in a page's head."""
    edition: Date
    """The date of the text; also the date inside its PDFs, so that the same data gives the same bytes."""
    authors: Annotated[Seq[str], Field(min_length=1)]
    """Who wrote the rules."""
    rights: str
    """One line for the foot of every page."""
    about: str = ""
    """A few sentences for the list of rule sets."""
    extends: Seq[Id] = ()
    """The parents of the rule set: all their tables, kinds, procedures, sheets and cards are part of it."""
    source: Id
    """The source of a citation that names no source, such as "p. 52"."""
    sources: dict[str, Source] = Field(default_factory=dict)
    """Every document that is cited, by an id."""
    costs: Costs = Field(default_factory=Costs)
    """How points are rounded."""
    options: dict[FreeName, OptionModel] = Field(default_factory=dict)
    """Names that every formula can read, with the values that players may give them."""


Value: TypeAlias = str | int | bool


def _by_name(value: Any) -> Any:
    if not isinstance(value, dict):
        code, hint = "settings", "write the id of the rule set first: {my-rules: {name: value}}"
        raise PydanticCustomError(code, "names with values, under the id of a rule set", {"hint": hint})
    return value


_ByName = BeforeValidator(_by_name)


class SettingsModel(Model):
    """The file of settings, by rule set."""

    options: dict[Id, Annotated[dict[Name, Value], _ByName]] = Field(default_factory=dict)
    """The values of options, such as ``fractions: up``."""
    answers: dict[Id, Annotated[dict[str, Any], _ByName]] = Field(default_factory=dict)
    """Figures for gaps in the source, by address: ``tables.guns[musket].cost: 4``."""
