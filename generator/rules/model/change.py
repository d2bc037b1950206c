"""``changes.yaml``: the changes of a layer to the rule sets that it extends, each with its reason."""

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
    "facts": "stat",
    "tells": "tell",
    "boxes": "box",
    "references": "reference",
    "duels": "duel",
    "guises": "guise",
}
"""The lists of a card whose entries have ids, each with the key that holds the id."""
ENTRIES = CARD_LISTS | {
    "lines": "line",
    "limits": "limit",
    "outcomes": "outcome",
    "steps": "step",
    "signs": "sign",
    "rows": "row",
}
"""All lists whose entries have ids, each with the key that holds the id."""
ACTIONS = ("set", "add", "replace", "remove")
OTHER = re.compile(r"^(?P<category>tables|kinds|procedures|sheets|cards)\.(?P<id>[a-z0-9-]+)\.(?P<steps>[a-z0-9_.-]+)$")


class ChangeModel(Certificate):
    """One change, addressed by id, never by position. Exactly one of ``set``, ``add``, ``replace``, ``remove``."""

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
    def _one_action(self) -> Self:
        actions = [name for name in ACTIONS if getattr(self, name) is not None]
        if len(actions) != 1:
            raise PydanticCustomError("one_action", "one of set, add, replace and remove")
        goes_with = {"set": {"was", "to"}, "remove": set[str]()}.get(actions[0], {"with_"})
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
        """The address that it changes, as written."""
        target: str = getattr(self, self.action)
        return target

    @property
    def part(self) -> PartKey | None:
        """The file that it addresses, as folder and id; None for an address that cannot be read."""
        row, other = ROW.match(self.target), OTHER.match(self.target)
        if row:
            return "tables", row["id"]
        return (other["category"], other["id"]) if other else None


class ChangesModel(Model):
    """The file of changes."""

    changes: Seq[ChangeModel]
    """The changes, in order."""
