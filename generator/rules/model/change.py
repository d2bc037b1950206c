"""``changes.yaml``: what a layer changes in the rule sets it extends, each change with its reason."""

from __future__ import annotations

import re
from typing import Any, Self, TypeAlias

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from generator.rules.model.base import Certificate, Id, Model, Seq

PartKey: TypeAlias = tuple[str, str]
"""A file of a rule set: its folder ("tables") and its id."""

ROW = re.compile(r"^tables\.(?P<id>[a-z0-9-]+)\[(?P<keys>[^\]]*)\](?:\.(?P<column>[a-z0-9_]+))?$")
CARD_LISTS = {
    "strip": "stat",
    "tables": "table",
    "tells": "tell",
    "boxes": "box",
    "references": "reference",
    "duels": "duel",
    "guises": "guise",
}
"""The lists of a card whose entries have ids, and the key that holds it."""
ACTIONS = ("set", "add", "replace", "remove")
OTHER = re.compile(r"^(?P<category>tables|kinds|procedures|sheets|cards)\.(?P<id>[a-z0-9-]+)\.(?P<steps>[a-z0-9_.-]+)$")


def part_at(address: str) -> PartKey | None:
    """Which file an address leads into; None for one that cannot be read."""
    row, other = ROW.match(address), OTHER.match(address)
    if row:
        return "tables", row["id"]
    return (other["category"], other["id"]) if other else None


def addressed(value: Any) -> set[PartKey]:
    """The files that a file of changes seems to be about, be it ever so broken."""
    changes = value.get("changes")
    entries = [change for change in changes if isinstance(change, dict)] if isinstance(changes, list) else []
    addresses = (entry[action] for entry in entries for action in ACTIONS if isinstance(entry.get(action), str))
    return {part for part in map(part_at, addresses) if part is not None}


class ChangeModel(Certificate):
    """One change, addressed by id, never by position. Exactly one of ``set``, ``add``, ``replace``, ``remove``."""

    set: str | None = None
    """The address of one value to change."""
    add: str | None = None
    """The address of a new row, field, line, limit or the like."""
    replace: str | None = None
    """The address of something that gets another one in its place."""
    remove: str | None = None
    """The address of something to take out."""
    was: Any = None
    """What the parent says; a parent that has moved on is noticed."""
    to: Any = None
    """What holds now."""
    with_: Any = Field(default=None, alias="with")
    """What is added, or stands in the other’s place."""
    reason: str = Field(min_length=3)
    """Why, in a few words; printed as the note of the figure."""
    over: Seq[Id] = ()
    """Sibling layers whose change of the same thing gives way to this one."""

    @model_validator(mode="after")
    def _one_action(self) -> Self:
        actions = [name for name in ACTIONS if getattr(self, name) is not None]
        if len(actions) != 1:
            code = "one_action"
            raise PydanticCustomError(code, "one of set, add, replace and remove")
        if actions[0] == "set" and not {"was", "to"} <= self.model_fields_set:
            code = "set_needs"
            raise PydanticCustomError(code, "set needs both was and to")
        if actions[0] in ("add", "replace") and self.with_ is None:
            code = "with_needed"
            raise PydanticCustomError(code, "with: and what is added, beside add or replace")
        goes_with = {"set": {"was", "to"}, "remove": set[str]()}.get(actions[0], {"with_"})
        if self.model_fields_set & {"was", "to", "with_"} - goes_with:
            code = "one_action"
            raise PydanticCustomError(code, "was and to beside set, with beside add or replace, and no other of them")
        return self

    @property
    def action(self) -> str:
        """Which of the four it is."""
        return next(name for name in ACTIONS if getattr(self, name) is not None)

    @property
    def target(self) -> str:
        """What it changes, as written."""
        target: str = getattr(self, self.action)
        return target

    @property
    def part(self) -> PartKey | None:
        """Which file it is addressed to; None for an address that cannot be read."""
        return part_at(self.target)


class ChangesModel(Model):
    """The file of changes."""

    changes: Seq[ChangeModel]
    """The changes, in order."""
