"""A scenario as its author writes it. Lengths are inches on the table, whole or half: here they count half inches."""

from __future__ import annotations

from typing import Annotated, Any, Literal, LiteralString, TypeAlias

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from generator.forces.models import MAX_NAME, Label, Rules
from generator.rules.model.base import Line, Model, Said, Seq
from generator.rules.model.settings import SettingsModel
from generator.scenarios.lengths import Inches, Length, Radius, Side, Size, Spot

MAX_PIECES = 200
"""Pieces of terrain; of whatever else stands on the map there are fewer."""
MAX_CORNERS = 40
MAX_LISTED = 60
MAX_PROSE = 8000
MAX_MARKED, MAX_COPIES = 30, 20
"""Letters that 25 mm have room for, and copies of a marker."""
FEWEST_SIDES, MOST_SIDES = 2, 6
MAX_POINTS = 1_000_000
_TEXT = {"type": "string", "pattern": r"\S", "maxLength": MAX_PROSE}


def _one_or_several(said: LiteralString) -> BeforeValidator:
    """One text, or a list of them, as a list."""

    def read(given: Any) -> Any:
        if not isinstance(given, str | list | tuple):
            code = "texts"
            raise PydanticCustomError(code, said)
        return (given,) if isinstance(given, str) else given

    return BeforeValidator(read)


Prose: TypeAlias = Annotated[str, StringConstraints(max_length=MAX_PROSE)]
Paragraphs: TypeAlias = Annotated[
    tuple[Annotated[Said, StringConstraints(max_length=MAX_PROSE)], ...],
    _one_or_several("a text, or a list of texts"),
    Field(strict=False, max_length=MAX_LISTED),
    WithJsonSchema({"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "maxItems": MAX_LISTED}]}),
]


def _rule(given: Any) -> Any:
    """Return a special rule by its name or in words; report a value that is neither, not a text without quotes."""
    if not isinstance(given, str | dict | RuleModel):
        code = "special_rule"
        raise PydanticCustomError(code, "a special rule")
    return given


Points: TypeAlias = Annotated[int, Field(ge=0, le=MAX_POINTS)]
Turn: TypeAlias = Annotated[int, Field(ge=1, le=99)]
Word: TypeAlias = Annotated[Line, StringConstraints(max_length=200)]


class TableModel(Model):
    """The table, in inches from its south-west corner: east first, then north."""

    width: Side
    """From west to east."""
    depth: Side
    """From south to north."""


class ShapeModel(Model):
    """What a piece or a zone takes up: exactly one of ``corners``, ``size``, ``radius`` and ``path``."""

    corners: Annotated[Seq[Spot] | None, Field(min_length=3, max_length=MAX_CORNERS)] = None
    """Its corners in order, the last joined to the first."""
    at: Spot | None = None
    """With ``size`` its south-west corner, with ``radius`` its middle."""
    size: Size | None = None
    """How far a rectangle goes east, and how far north."""
    turned: Annotated[int, Field(ge=-345, le=345, multiple_of=15)] = 0
    """How far the rectangle is turned about its middle: degrees, clockwise, in steps of 15."""
    radius: Length | None = None
    """Of a circle."""
    path: Annotated[Seq[Spot] | None, Field(min_length=2, max_length=MAX_CORNERS)] = None
    """The points that a road or a river goes through."""
    wide: Length = 2
    """How wide the road or river is."""


class PieceModel(ShapeModel):
    """A piece of terrain."""

    piece: Annotated[str, StringConstraints(max_length=MAX_NAME)] = ""
    """Its name on the map; without it, it has none."""
    kind: Word
    """What it is: a kind of terrain of the rules."""
    note: Prose = ""
    """What is agreed about it."""


class ZoneModel(ShapeModel):
    """Where a side deploys."""

    zone: Label
    """Its name on the map."""
    side: Label
    """Whose it is."""
    note: Prose = ""
    """What may stand there, or when."""


class ObjectiveModel(Model):
    """Something that points are given for."""

    objective: Label
    """Its name."""
    at: Spot
    """Where it lies."""
    radius: Radius = 0
    """How near one must be to hold it."""
    points: Points = 0
    """What it is worth."""
    sides: Annotated[
        tuple[Label, ...],
        _one_or_several("the name of a side, or a list of names"),
        Field(strict=False, min_length=1, max_length=MOST_SIDES),
        WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}),
    ] = ()
    """Who may win it; without it, everyone."""
    note: Prose = ""
    """When it is held, and what else there is to it."""
    once: bool | Literal["yes", "no"] = False
    """Whether it is won once for all, and not by holding it: its score sheet has one box."""


class EntryModel(Model):
    """A stretch of a table's edge where a side comes on."""

    entry: Label
    """Its name on the map."""
    side: Label
    """Whose it is."""
    edge: Literal["north", "south", "east", "west"]
    """Which edge."""
    from_: Annotated[Inches | None, Field(alias="from")] = None
    """Where it begins, in inches from the west or the south; without it, at the corner."""
    to: Inches | None = None
    """Where it ends; without it, at the other corner."""
    turn: Turn = 1
    """From which turn on."""
    if_: Annotated[Said, StringConstraints(max_length=MAX_NAME), Field(alias="if")] = ""
    """On what condition, in a few words that go on after “if”; without it, in any case."""
    comes: Annotated[Said, StringConstraints(max_length=MAX_NAME)] = ""
    """Who comes on here, in a few words that go on after a colon; without it, the rest of the side."""
    note: Prose = ""
    """A note on it."""


class SideModel(Model):
    """One of those who fight."""

    side: Label
    """Its name."""
    force: Annotated[str, StringConstraints(min_length=1, max_length=200)] | dict[str, Any]
    """The file of its force, in the folder of the scenario or below it; or what such a file says."""
    points: Points | None = None
    """What its force may cost."""
    briefing: Paragraphs = ()
    """What its players may read."""
    secret: Paragraphs = ()
    """What only its players may read."""
    umpired: Annotated[
        tuple[Label, ...],
        _one_or_several("a unit or a design, or a list of them"),
        Field(strict=False, max_length=MAX_LISTED),
        WithJsonSchema({"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "maxItems": MAX_LISTED}]}),
    ] = ()
    """Which of its units and designs the umpire plays at times: their cards and sheets are in his part, too."""
    colour: Word = ""
    """A word for its colour, where the map is printed in colours."""


class VictoryModel(Model):
    """Points for something other than an objective."""

    side: Label | None = None
    """The side that gets the points; without it, the side that does it."""
    points: Annotated[int, Field(ge=-MAX_POINTS, le=MAX_POINTS)]
    """How many."""
    when: Annotated[Said, StringConstraints(max_length=600)]
    """For what."""
    once: bool | Literal["yes", "no"] = False
    """Whether it is counted once, such as at the end: its score sheet has one place for it, not one a turn."""


class RuleModel(Model):
    """A special rule of this battle's own."""

    rule: Label
    """Its name."""
    says: Annotated[Said, StringConstraints(max_length=MAX_PROSE)]
    """What it does."""


class SetPieceModel(Model):
    """Something that stands on the table, or happens there, and is no unit that moves."""

    piece: Label
    """Its name on the map."""
    of: Word = ""
    """Its design of the side, or a few words for what it is."""
    side: Label | None = None
    """Whose it is."""
    at: Spot | None = None
    """Where; without it, where its side writes it down."""
    radius: Radius = 0
    """How far it reaches on all sides of that."""
    secret: bool | Literal["yes", "no"] = False
    """Whether its side alone knows of it: then it stands on no other map. An event of no side is the umpire’s."""
    turn: Turn | None = None
    """When it happens."""
    note: Prose = ""
    """What it does."""


class MarkerModel(Model):
    """A marker that this battle needs, printed with those that all use."""

    marker: Annotated[Label, StringConstraints(max_length=MAX_MARKED)]
    """What stands on it."""
    count: Annotated[int, Field(ge=0, le=MAX_COPIES)] = 1
    """How many of it there are; 0 leaves out the marker of the rules that says so."""
    back: Annotated[str, StringConstraints(max_length=MAX_MARKED)] = ""
    """What its other side says; without it, it has none."""


class RollModel(Model):
    """What a generator rolled, so that the scenario says where it comes from."""

    table: Word
    """The table that was rolled on."""
    roll: Annotated[int, Field(ge=0, le=10**9)] | Word
    """What was rolled."""
    result: Word
    """What came of it."""


class ScenarioModel(SettingsModel):
    """A battle. ``options`` and ``answers`` are as in a file of settings."""

    scenario: Label
    """Its name."""
    rules: Rules
    """The rule set, or the layers that are used together."""
    mission: Word = ""
    """What it is about, in a few words."""
    situation: Paragraphs = ()
    """What everybody knows."""
    table: TableModel
    """How large the table is."""
    turns: Turn | None = None
    """After which turn it is over."""
    first: Word = ""
    """Who deploys and who moves first; without it the rule book says so."""
    light: Word = ""
    """Daylight, dawn, night."""
    weather: Word = ""
    """Fine, rain, fog."""
    sides: Annotated[Seq[SideModel], Field(min_length=FEWEST_SIDES, max_length=MOST_SIDES)]
    """Who fights."""
    terrain: Annotated[Seq[PieceModel], Field(max_length=MAX_PIECES)] = ()
    """What lies on the table."""
    zones: Annotated[Seq[ZoneModel], Field(max_length=MAX_LISTED)] = ()
    """Where the sides deploy."""
    entries: Annotated[Seq[EntryModel], Field(max_length=MAX_LISTED)] = ()
    """Where they come on."""
    objectives: Annotated[Seq[ObjectiveModel], Field(max_length=MAX_LISTED)] = ()
    """What is fought for."""
    victory: Annotated[Seq[VictoryModel], Field(max_length=MAX_LISTED)] = ()
    """What else is worth points."""
    special: Annotated[Seq[Annotated[Word | RuleModel, BeforeValidator(_rule)]], Field(max_length=MAX_LISTED)] = ()
    """Special rules: those of the rules by id or name, others in words."""
    set_pieces: Annotated[Seq[SetPieceModel], Field(max_length=MAX_PIECES)] = ()
    """Emplacements, strikes, minefields."""
    markers: Annotated[Seq[MarkerModel], Field(max_length=MAX_LISTED)] = ()
    """Markers that this battle needs in addition to the markers of its rules; everybody sees them."""
    umpire: Paragraphs = ()
    """What only the umpire knows."""
    needs_umpire: bool | Literal["yes", "no"] = False
    """Whether nobody can play this battle without one."""
    seed: Annotated[int | None, Field(ge=0, le=10**18)] = None
    """What a generator rolled it from."""
    edition: Word = ""
    """The data that it was rolled from."""
    rolls: Annotated[Seq[RollModel], Field(max_length=1000)] = ()
    """What was rolled."""
