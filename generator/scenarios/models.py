"""The models of a scenario file. Lengths are whole or half inches in the file, stored as half inches."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, LiteralString, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from generator.forces.models import MAX_NAME, Label, Rules
from generator.rules.model.base import Line, Model, NonBlank, Seq
from generator.rules.model.manifest import SettingsModel
from generator.rules.source.validation import show

if TYPE_CHECKING:
    from generator.rules.source.parts import Place
    from generator.scenarios.table import Outline

LEAST, MOST = 12, 240
"""The shortest and the longest side of a table, in inches."""


def _inches(least: int | Fraction, most: int) -> BeforeValidator:
    """Return a validator that turns inches between two limits, both included, into half inches.

    The validator raises PydanticCustomError for any other number, and for anything but whole or half inches.
    """
    said = f"whole or half inches, {float(least):g} to {most}"

    def read(given: Any) -> int:
        number = isinstance(given, int | Fraction) and not isinstance(given, bool)
        doubled = min(max(round(2 * given), int(2 * least)), 2 * most) if number else 0
        if not number or doubled != 2 * given:
            hint = f"write {show(Fraction(doubled, 2))}" if number else "write inches as a plain number"
            code = "halves"
            raise PydanticCustomError(code, "{said}", {"said": said, "hint": hint})
        return doubled

    return BeforeValidator(read)


def _schema(least: float, most: int) -> WithJsonSchema:
    """Return the JSON Schema of a length in whole or half inches, from ``least`` to ``most``."""
    return WithJsonSchema({"type": "number", "minimum": least, "maximum": most, "multipleOf": 0.5})


def _pair(given: Any) -> Any:
    """Return a value if it is a list of two items; pydantic validates the items afterwards.

    Raises PydanticCustomError for any other value.
    """
    if not isinstance(given, list) or len(given) != 2:  # noqa: PLR2004 - east and north
        found = show(f"[{', '.join(map(show, given))}]" if isinstance(given, list) else given)
        context = {"found": found, "hint": "write two numbers of inches, such as [12, 4.5]"}
        code = "pair"
        raise PydanticCustomError(code, "two numbers in brackets: [east, north]", context)
    return given


Inches: TypeAlias = Annotated[int, _inches(-2 * MOST, 2 * MOST), _schema(-2 * MOST, 2 * MOST)]
"""A coordinate on or near the table: a later check reports places beyond the table's edge."""
Length: TypeAlias = Annotated[int, _inches(Fraction(1, 2), 2 * MOST), _schema(0.5, 2 * MOST)]
Radius: TypeAlias = Annotated[int, _inches(0, MOST), _schema(0, MOST)]
Side: TypeAlias = Annotated[int, _inches(LEAST, MOST), _schema(LEAST, MOST)]
Spot: TypeAlias = Annotated[tuple[Inches, Inches], BeforeValidator(_pair), Field(strict=False)]
Size: TypeAlias = Annotated[tuple[Length, Length], BeforeValidator(_pair), Field(strict=False)]

MAX_PIECES = 200
"""The most pieces of terrain, and the most set pieces."""
MAX_CORNERS = 40
MAX_LISTED = 60
MAX_PROSE = 8000
MAX_MARKED, MAX_COPIES = 30, 20
"""The most letters that fit on a marker of 25 mm, and the most copies of a marker."""
FEWEST_SIDES, MOST_SIDES = 2, 6
MAX_POINTS = 1_000_000
_TEXT = {"type": "string", "pattern": r"\S", "maxLength": MAX_PROSE}


def _one_or_several(said: LiteralString) -> BeforeValidator:
    """Return a validator that turns a single text into a tuple of one text.

    The validator raises PydanticCustomError with the text ``said`` for a value that is neither a text nor a list.
    """

    def read(given: Any) -> Any:
        if not isinstance(given, str | list | tuple):
            raise PydanticCustomError("texts", said)
        return (given,) if isinstance(given, str) else given

    return BeforeValidator(read)


Names: TypeAlias = Annotated[
    tuple[Label, ...],
    _one_or_several("a name, or a list of names"),
    Field(strict=False, min_length=1, max_length=MAX_LISTED),
    WithJsonSchema({"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1, "maxItems": MAX_LISTED}]}),
]
Prose: TypeAlias = Annotated[str, StringConstraints(max_length=MAX_PROSE)]
Paragraphs: TypeAlias = Annotated[
    tuple[Annotated[NonBlank, StringConstraints(max_length=MAX_PROSE)], ...],
    _one_or_several("a text, or a list of texts"),
    Field(strict=False, max_length=MAX_LISTED),
    WithJsonSchema({"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "maxItems": MAX_LISTED}]}),
]


def _rule(given: Any) -> Any:
    """Return a value that may be a special rule: a name, or a rule in words.

    Raises PydanticCustomError for any other value.
    """
    if not isinstance(given, str | dict | RuleModel):
        raise PydanticCustomError("special_rule", "a special rule")
    return given


Points: TypeAlias = Annotated[int, Field(ge=0, le=MAX_POINTS)]
Turn: TypeAlias = Annotated[int, Field(ge=1, le=99)]
Word: TypeAlias = Annotated[Line, StringConstraints(max_length=200)]
YesNo: TypeAlias = Annotated[
    bool,
    BeforeValidator(lambda given: given == "yes" if given in ("yes", "no") else given),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, {"enum": ["yes", "no"], "type": "string"}]}),
]
Edge: TypeAlias = Literal["north", "south", "east", "west"]


class Placed(Model):
    """An entry of a list, which knows its place in the file."""

    model_config = ConfigDict(populate_by_name=False)
    _place: Any = None

    def model_post_init(self, place: Any) -> None:
        """Keep the place, which is the context of the validation."""
        self._place = place

    @property
    def place(self) -> Place:
        """The place in the file; None for an entry that was not read from a file."""
        place: Place = self._place
        return place


class TableModel(Model):
    """The table, in inches from its south-west corner: east first, then north."""

    width: Side
    """From west to east."""
    depth: Side
    """From south to north."""


class ShapeModel(Placed):
    """The shape of a piece or a zone: exactly one of ``corners``, ``size``, ``radius`` and ``path``."""

    corners: Annotated[Seq[Spot] | None, Field(min_length=3, max_length=MAX_CORNERS)] = None
    """The corners in order; the last corner is joined to the first."""
    at: Spot | None = None
    """With ``size``, the south-west corner; with ``radius``, the middle of the circle."""
    size: Size | None = None
    """The size of a rectangle: inches east, then inches north."""
    turned: Annotated[int, Field(ge=-345, le=345, multiple_of=15)] = 0
    """Degrees by which the rectangle is turned clockwise about its middle, in steps of 15."""
    radius: Length | None = None
    """The radius of a circle."""
    path: Annotated[Seq[Spot] | None, Field(min_length=2, max_length=MAX_CORNERS)] = None
    """The points that a road or a river goes through."""
    wide: Length = 2
    """The width of the road or river."""

    @cached_property
    def outline(self) -> Outline:
        """The outline of the shape, in outline units; without corners if no shape is given."""
        from generator.scenarios.table import HALF, Outline, rectangle, units_of

        at = units_of(self.at or (0, 0))
        if self.path is not None:
            return Outline(tuple(map(units_of, self.path)), closed=False, margin=self.wide * HALF // 2)
        if self.radius is not None:
            return Outline((at,), closed=False, margin=self.radius * HALF)
        if self.size is not None:
            return rectangle(at, units_of(self.size), self.turned)
        return Outline(tuple(map(units_of, self.corners or ())), closed=True)


class PieceModel(ShapeModel):
    """A piece of terrain."""

    piece: Annotated[str, StringConstraints(max_length=MAX_NAME)] = ""
    """The name of the piece on the map, if it has one."""
    kind: Word
    """The kind of terrain, from the rules."""
    note: Prose = ""
    """What the players agree about the piece."""


class Zone(ShapeModel):
    """A deployment zone of a side."""

    name: Annotated[Label, Field(alias="zone")]
    """The name of the zone on the map."""
    side: Label
    """The side that deploys here."""
    note: Prose = ""
    """What may deploy here, or when."""


class Objective(Placed):
    """An objective: a place that a side holds for points."""

    name: Annotated[Label, Field(alias="objective")]
    """The name of the objective."""
    at: Spot
    """The place of the objective on the table."""
    radius: Radius = 0
    """The distance within which a unit holds the objective."""
    points: Points = 0
    """The points for the objective."""
    sides: Names = ()
    """The sides that may win the objective; if left out, all sides."""
    note: Prose = ""
    """When the objective is held, and anything else about it."""
    once: YesNo = False
    """Whether the objective is won once and for all, instead of by holding it."""


class Entry(Placed):
    """A stretch of a table edge where a side enters the table."""

    name: Annotated[Label, Field(alias="entry")]
    """The name of the entry on the map."""
    side: Label
    """The side that enters here."""
    edge: Edge
    """The table edge."""
    start: Annotated[Inches, Field(alias="from", default_factory=int)]
    """The start of the stretch, in inches from the west or the south; if left out, the corner."""
    end: Annotated[Inches, Field(alias="to", default_factory=int)]
    """The end of the stretch, in inches from the west or the south; if left out, the other corner."""
    turn: Turn = 1
    """The first turn in which units may enter here."""
    condition: Annotated[NonBlank, StringConstraints(max_length=MAX_NAME), Field(alias="if")] = ""
    """The condition for entering here, in a few words that continue after “if”; if left out, there is none."""
    comes: Annotated[NonBlank, StringConstraints(max_length=MAX_NAME)] = ""
    """The units that enter here, in a few words that continue after a colon; if left out, the rest of the side."""
    note: Prose = ""
    """A note on the entry."""


class SideModel(Placed):
    """A side of the battle."""

    side: Label
    """The name of the side."""
    force: Annotated[str, StringConstraints(min_length=1, max_length=200)] | dict[str, Any]
    """The file of the side's force, in the folder of the scenario or below it; or the contents of such a file."""
    points: Points | None = None
    """The most points that the side's force may cost."""
    briefing: Paragraphs = ()
    """The briefing for the side's players."""
    secret: Paragraphs = ()
    """The secret part of the briefing, for the side's players only."""
    colour: Word = ""
    """The colour of the side on a map in colour, as a word."""


class Victory(Placed):
    """A victory condition: points for something other than an objective."""

    side: Label = ""
    """The side that gets the points; if left out, the side that meets the condition."""
    points: Annotated[int, Field(ge=-MAX_POINTS, le=MAX_POINTS)]
    """The number of points."""
    when: Annotated[NonBlank, StringConstraints(max_length=600)]
    """The condition for the points."""
    once: YesNo = False
    """Whether the points are counted once, such as at the end."""


class RuleModel(Placed):
    """A special rule that the scenario itself defines."""

    rule: Label
    """The name of the rule."""
    says: Annotated[NonBlank, StringConstraints(max_length=MAX_PROSE)]
    """The text of the rule."""


class SetPiece(Placed):
    """Something on the table other than a moving unit, such as an emplacement or a minefield; or an event."""

    name: Annotated[Label, Field(alias="piece")]
    """The name of the set piece on the map."""
    of: Word = ""
    """A design of the side, or a few words for what the set piece is."""
    side: Label = ""
    """The side to which the set piece belongs."""
    at: Spot | None = None
    """The place on the table; if left out, the side's players write it down."""
    radius: Radius = 0
    """The radius of the area that the set piece covers."""
    secret: YesNo = False
    """Whether only its side knows of it: no other side's map shows it. An event without a side is for the umpire."""
    turn: Turn | None = None
    """The turn in which the event happens."""
    note: Prose = ""
    """What the set piece does."""

    @property
    def is_event(self) -> bool:
        """Whether this is an event: it has a turn, but no place and no ``of``."""
        return self.turn is not None and self.at is None and not self.of


class MarkerModel(Placed):
    """A marker that this battle needs, printed with the markers of the rules."""

    marker: Annotated[Label, StringConstraints(max_length=MAX_MARKED)]
    """The text on the marker."""
    count: Annotated[int, Field(ge=0, le=MAX_COPIES)] = 1
    """The number of copies; 0 leaves out the marker of the rules with this text."""
    back: Annotated[str, StringConstraints(max_length=MAX_MARKED)] = ""
    """The text on the back of the marker, if any."""


Advice: TypeAlias = Literal[
    "S211", "S214", "S224", "S227", "S228", "S230", "S232", "S233", "S234", "S235", "S236", "S237"
]
"""The codes of advice on a battle; the other codes of the checks are errors."""


class AcceptedModel(Placed):
    """Advice that the battle does not follow, and why."""

    advice: Advice
    """The code of the advice; problems that are not advice cannot be accepted."""
    why: Annotated[NonBlank, StringConstraints(max_length=600)]
    """The reason."""


class RollModel(Placed):
    """A roll of the generator that made the scenario."""

    table: Word
    """The table on which the generator rolled."""
    roll: Annotated[int, Field(ge=0, le=10**9)] | Word
    """The number rolled, or a word such as “kept” or “chosen”."""
    result: Word
    """The result of the roll."""


class ScenarioModel(SettingsModel):
    """A battle. ``options`` and ``answers`` are as in a file of settings."""

    scenario: Label
    """The name of the scenario."""
    rules: Rules
    """The rule set, or the layers that are used together."""
    mission: Word = ""
    """The mission, in a few words."""
    situation: Paragraphs = ()
    """The situation, which all players may read."""
    table: TableModel
    """The size of the table."""
    turns: Turn | None = None
    """The last turn of the game."""
    first: Word = ""
    """Who deploys and who moves first; if left out, as in the rule book."""
    light: Word = ""
    """The light, such as daylight, dawn or night."""
    weather: Word = ""
    """The weather, such as fine, rain or fog."""
    sides: Annotated[Seq[SideModel], Field(min_length=FEWEST_SIDES, max_length=MOST_SIDES)]
    """The sides of the battle."""
    terrain: Annotated[Seq[PieceModel], Field(max_length=MAX_PIECES)] = ()
    """The pieces of terrain on the table."""
    zones: Annotated[Seq[Zone], Field(max_length=MAX_LISTED)] = ()
    """The deployment zones of the sides."""
    entries: Annotated[Seq[Entry], Field(max_length=MAX_LISTED)] = ()
    """The stretches of table edge where the sides enter."""
    objectives: Annotated[Seq[Objective], Field(max_length=MAX_LISTED)] = ()
    """The objectives."""
    victory: Annotated[Seq[Victory], Field(max_length=MAX_LISTED)] = ()
    """Points for anything other than objectives."""
    special: Annotated[Seq[Annotated[Word | RuleModel, BeforeValidator(_rule)]], Field(max_length=MAX_LISTED)] = ()
    """Special rules: by id or name if the rules have them, otherwise in words."""
    set_pieces: Annotated[Seq[SetPiece], Field(max_length=MAX_PIECES)] = ()
    """Set pieces, such as emplacements, strikes and minefields."""
    markers: Annotated[Seq[MarkerModel], Field(max_length=MAX_LISTED)] = ()
    """Markers that this battle needs in addition to the markers of its rules; everybody sees them."""
    umpire: Paragraphs = ()
    """Information for the umpire only."""
    needs_umpire: YesNo = False
    """Whether the battle cannot be played without an umpire."""
    accepts: Annotated[Seq[AcceptedModel], Field(max_length=MAX_LISTED)] = ()
    """Advice that ``check`` no longer gives on this battle, each with the reason."""
    seed: Annotated[int | None, Field(ge=0, le=10**18)] = None
    """The seed from which the generator made the scenario."""
    edition: Word = ""
    """The edition of the data from which the scenario was generated."""
    rolls: Annotated[Seq[RollModel], Field(max_length=1000)] = ()
    """The rolls of the generator."""
