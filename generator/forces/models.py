"""A force as its player writes it. The kinds of its rules add the fields of designs and units."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, StringConstraints

from generator.rules.model.base import Line, Model, Seq
from generator.rules.model.settings import SettingsModel

MAX_COUNT = 999
MAX_NAME = 80
MAX_ENTRIES = 2000
"""Designs or units in one file."""

Label: TypeAlias = Annotated[Line, StringConstraints(max_length=MAX_NAME)]
Names: TypeAlias = Annotated[
    tuple[str, ...], BeforeValidator(lambda given: (given,) if isinstance(given, str) else given), Field(strict=False)
]
"""A list of names, or one alone."""
Rules: TypeAlias = Annotated[Names, Field(min_length=1, max_length=9)]
Note: TypeAlias = Annotated[str, StringConstraints(max_length=2000)]


class EntryModel(Model):
    """So many of a design in a unit."""

    design: Label
    """The name of a design, of this file or of a library."""
    count: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 1
    """How many of it."""


class DesignModel(Model):
    """What every design says; the rest are the fields of its kind."""

    design: Label
    """Its name, which units call it by."""
    kind: str
    """What it is: one of the kinds of the rules."""
    note: Note = ""
    """Whatever its player wants to read on its card."""


class UnitModel(Model):
    """What every unit says; the rest are the fields that the rules give a unit."""

    unit: Label
    """Its name."""
    of: Seq[EntryModel]
    """What it is made of."""
    note: Note = ""
    """Whatever its player wants to read on its card."""


class LibraryModel(SettingsModel):
    """Designs that several forces share. ``options`` and ``answers`` count where it is checked by itself."""

    rules: Rules | None = None
    """The rules to check it by, where it is checked or priced by itself."""
    designs: Annotated[tuple[dict[str, Any], ...], Field(strict=False, max_length=MAX_ENTRIES)]
    """The designs, each with the fields of its kind."""


class ForceModel(SettingsModel):
    """A force: its rules, its designs, its units. ``options`` and ``answers`` are as in a file of settings."""

    force: Label
    """Its name."""
    rules: Rules
    """The rule set, or the layers that are used together."""
    budget: Annotated[int | None, Field(ge=0, le=10_000_000)] = None
    """How many points it may cost."""
    note: Note = ""
    """Whatever its player wants to read on its roster."""
    libraries: Annotated[Names, Field(max_length=20)] = ()
    """Files of designs that several forces share, in the folder of this file or below it."""
    designs: Annotated[tuple[dict[str, Any], ...], Field(strict=False, max_length=MAX_ENTRIES)] = ()
    """The designs, each with the fields of its kind."""
    units: Annotated[tuple[dict[str, Any], ...], Field(strict=False, max_length=MAX_ENTRIES)] = ()
    """The units, each with what it is made of."""
