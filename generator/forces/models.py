"""The models of a force file. The kinds of the rules add the fields of designs and units."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema

from generator.rules.model.base import DATA, Line, Model, Seq
from generator.rules.model.manifest import SettingsModel
from generator.rules.source.pictures import PictureModel

MAX_COUNT = 999
MAX_NAME = 80
MAX_ENTRIES = 2000
"""The most designs, and the most units, in one file."""

Label: TypeAlias = Annotated[Line, StringConstraints(max_length=MAX_NAME)]


def as_label(text: str) -> str:
    """Return a text as a ``Label``: in one line, with single spaces, cut at 80 characters; a dash for a blank text."""
    return " ".join(text.split())[:MAX_NAME].strip() or "–"


_NAMES = BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)


def _names_schema(fewest: int) -> WithJsonSchema:
    """Return the JSON Schema of a name, or of a list of at least ``fewest`` names."""
    names = {"type": "array", "items": {"type": "string"}, "minItems": fewest}
    return WithJsonSchema({"anyOf": [{"type": "string"}, names]})


Libraries: TypeAlias = Annotated[tuple[str, ...], _NAMES, Field(strict=False, max_length=20), _names_schema(0)]
Rules: TypeAlias = Annotated[tuple[str, ...], _NAMES, Field(strict=False, min_length=1, max_length=9), _names_schema(1)]
Note: TypeAlias = Annotated[str, StringConstraints(max_length=2000, strip_whitespace=True)]


class EntryModel(Model):
    """An entry of a unit: a design and its number."""

    design: Label
    """The name of a design in this file or in a library."""
    count: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 1
    """The number of elements of this design."""


class DesignModel(Model):
    """The keys of every design; further keys are the fields of its kind."""

    design: Label
    """The name of the design, which units use."""
    kind: str
    """The kind of the design, from the rules."""
    note: Note = ""
    """A note that is printed on the card."""
    picture: PictureModel | None = None
    """A picture at the head of upright cards."""


class UnitModel(Model):
    """The keys of every unit; further keys are the fields that the rules give a unit."""

    unit: Label
    """The name of the unit."""
    of: Seq[EntryModel]
    """The designs in the unit, and their numbers."""
    note: Note = ""
    """A note that is printed on the card."""


class LibraryModel(SettingsModel):
    """Designs that several forces share. ``options`` and ``answers`` apply only if the library is checked by itself."""

    rules: Rules | None = None
    """The rules to use if the library is checked or priced by itself."""
    designs: Annotated[tuple[dict[str, Any], ...], Field(strict=False, max_length=MAX_ENTRIES)]
    """The designs, each with the fields of its kind."""


class ForceModel(SettingsModel):
    """A force: its rules, its designs, its units. ``options`` and ``answers`` are as in a file of settings."""

    force: Label
    """The name of the force."""
    rules: Rules
    """The rule set, or the layers that are used together."""
    budget: Annotated[int | None, Field(ge=0, le=10_000_000)] = None
    """The most points that the force may cost."""
    note: Note = ""
    """A note that is printed on the roster."""
    edition: Annotated[str, StringConstraints(pattern=DATA, max_length=200)] = ""
    """The edition of the rule data for which the force was made, as in the foot of its sheets: ``data 1a2b 3c4d``."""
    libraries: Libraries = ()
    """Files of designs that several forces share, in the folder of this file or below it."""
    designs: Annotated[tuple[dict[str, Any], ...], Field(strict=False, max_length=MAX_ENTRIES)] = ()
    """The designs, each with the fields of its kind."""
    units: Annotated[tuple[dict[str, Any], ...], Field(strict=False, max_length=MAX_ENTRIES)] = ()
    """The units, each with the designs in it."""
