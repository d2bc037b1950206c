"""The files beside the folders of a rule set: ``ruleset.yaml``, ``changes.yaml``, ``errata.yaml``, and settings."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from generator.rules.formulas.scope import FormulaText
from generator.rules.model.base import Certificate, ChoiceModel, Cite, Date, ExactlyOne, FreeName, Id, Model, Name, Seq

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


PartKey: TypeAlias = tuple[str, str]
"""A file of a rule set: its folder ("tables") and its id."""

ROW = re.compile(r"^tables\.(?P<id>[a-z0-9-]+)\[(?P<keys>[^\]]*)\](?:\.(?P<column>[a-z0-9_]+))?$")
"""The address of a row of a table, or of one value in it, such as ``tables.guns[heavy, 1].cost``."""
CARD_LISTS = {"strip": "stat", "facts": "stat", "boxes": "box"}
CARD_LISTS |= {f"{key}s": key for key in ("table", "tell", "reference", "duel", "guise")}
"""The lists of a card whose entries have ids, each with the key that holds the id."""
ENTRIES = CARD_LISTS | {f"{key}s": key for key in ("line", "limit", "outcome", "step", "sign", "row")}
"""All lists whose entries have ids, each with the key that holds the id."""
ACTIONS = ("set", "add", "replace", "remove")
"""The keys of a change that hold its address; each change has exactly one of them."""
OTHER = re.compile(r"^(?P<category>tables|kinds|procedures|sheets|cards)\.(?P<id>[a-z0-9-]+)\.(?P<steps>[a-z0-9_.-]+)$")
"""The address of an entry inside a file, such as ``kinds.tank.lines.hull.points``."""


class ChangeModel(Certificate, ExactlyOne):
    """One change, addressed by id, never by position. Exactly one of ``set``, ``add``, ``replace``, ``remove``."""

    one_of = ACTIONS

    set: str | None = None
    """The address of one value to change."""
    add: str | None = None
    """The address of a new row, field, line, limit or the like."""
    replace: str | None = None
    """The address of an entry to replace by another entry."""
    remove: str | None = None
    """The address of an entry to remove."""
    was: Any = None
    """The parent's value. If the parent's value changes later, the layer is refused."""
    to: Any = None
    """The new value."""
    with_: Any = Field(default=None, alias="with")
    """The entry to add, or the entry that replaces the other."""
    reason: str = Field(min_length=3)
    """The reason in a few words; printed as the note of the figure."""
    over: Seq[Id] = ()
    """Sibling layers whose changes of the same entry are overridden by this change."""

    @model_validator(mode="after")
    def _goes_with(self) -> Self:
        goes_with = {"set": {"was", "to"}, "remove": set[str]()}.get(self.action, {"with_"})
        if self.model_fields_set & {"was", "to", "with_"} != goes_with:
            code = "goes_with"
            raise PydanticCustomError(code, "was and to beside set, with beside add or replace, and no other of them")
        return self

    @property
    def action(self) -> str:
        """The action of the change: ``set``, ``add``, ``replace`` or ``remove``."""
        return next(name for name in ACTIONS if getattr(self, name) is not None)

    @property
    def target(self) -> str:
        """The address of what the change sets, adds, replaces or removes, as written."""
        target: str = getattr(self, self.action)
        return target

    @property
    def part(self) -> PartKey | None:
        """The part that is changed, as category and id; None for an address that cannot be read."""
        row, other = ROW.match(self.target), OTHER.match(self.target)
        if row:
            return "tables", row["id"]
        return (other["category"], other["id"]) if other else None


class ChangesModel(Model):
    """The file of changes."""

    changes: Seq[ChangeModel]
    """The changes, in order."""


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
