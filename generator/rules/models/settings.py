"""A player's settings: options of rule sets, and figures that their sources leave out."""

from __future__ import annotations

from typing import Any, TypeAlias

from pydantic import Field

from generator.rules.models.base import Id, Model, Name

Value: TypeAlias = str | int | bool


class SettingsModel(Model):
    """The file of settings, by rule set."""

    options: dict[Id, dict[Name, Value]] = Field(default_factory=dict)
    """How options are set: ``fractions: up``."""
    answers: dict[Id, dict[str, Any]] = Field(default_factory=dict)
    """Figures that are a gap in the source, by address: ``tables.guns[musket].cost: 4``."""
