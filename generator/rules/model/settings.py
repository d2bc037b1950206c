"""A player's settings: options of rule sets, and figures that their sources leave out."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from generator.rules.model.base import Id, Model, Name

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
