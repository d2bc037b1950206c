"""Base models of rule files and of the blocks of sheets, and common field types."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias, TypeVar, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from generator.rules.formulas.scope import FormulaText, Role

T = TypeVar("T")

Seq: TypeAlias = Annotated[tuple[T, ...], Field(strict=False)]
"""A list in the file that becomes a tuple; its entries are validated strictly."""

_ID = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
_NAME = r"^[a-z][a-z0-9_]*$"
_RANGE = r"^-?\d{1,6}\.\.-?\d{1,6}$"
_DATE = r"^\d{4}(-\d{2}-\d{2})?$"
_NON_BLANK = r"\S"
_LINE = r"^\S(.*\S)?$"
DATA = r"\bdata ([0-9a-f]{4} [0-9a-f]{4})\b"
"""The pattern of the fingerprint of rule data in an edition and in the foot of a sheet; group 1 is the fingerprint."""
FORMS = {
    _ID: "small letters and digits, in words joined by hyphens",
    _NAME: "small letters, digits and underscores, with a letter first",
    _RANGE: "from..to, such as 1..5",
    _DATE: "a date such as 2001-12-31, in quotes",
    _NON_BLANK: "a text that is not blank",
    _LINE: "a text in one line, without spaces around it",
    DATA: "the edition in the foot of a sheet, such as data 1a2b 3c4d",
}
"""For each pattern, the words in which a problem names the expected form of text."""

Id: TypeAlias = Annotated[str, StringConstraints(pattern=_ID, max_length=60)]
"""Small letters and digits in words joined by hyphens."""

_WORDS = ("and", "else", "if", "in", "no", "none", "not", "or", "yes")


def _free(name: str) -> str:
    if name in _WORDS:
        raise PydanticCustomError("word_of_formulas", "a name that is not a word of formulas")
    return name


Name: TypeAlias = Annotated[str, StringConstraints(pattern=_NAME, max_length=40)]
"""A field, column or input: small letters, digits and underscores, as formulas spell it."""

FreeName: TypeAlias = Annotated[Name, AfterValidator(_free)]
"""A name that formulas use without a prefix. It must not be a reserved word of formulas."""


NonBlank: TypeAlias = Annotated[str, StringConstraints(pattern=_NON_BLANK)]
"""A text that is not blank."""
Line: TypeAlias = Annotated[str, StringConstraints(pattern=_LINE)]
"""A text in one line, without spaces around it."""


@dataclass(frozen=True, slots=True)
class Ref:
    """Declaration that a text names an entry of the rules: a table, a column of a table, an input of a procedure.

    ``of`` is the field that names the holder: the table of a column, the procedure of an input. This field is in the
    same model or in a model around it. ``generator.rules.check.references`` looks up every declared reference.
    """

    what: str
    of: str = ""


LabelText: TypeAlias = Annotated[str, Role("label")]
"""A text in which ``{name}`` stands for a value."""


NumberText: TypeAlias = Annotated[FormulaText, Role("number")]
"""The formula of a number, never of yes or no."""

TableId: TypeAlias = Annotated[Id, Ref("table")]
TableIds: TypeAlias = TableId | Annotated[Seq[TableId], Field(min_length=1)]
"""The id of a table, or a list of ids."""
Fielded: TypeAlias = Annotated[str, Ref("fielded")]
"""A part of a force: a kind, a field of a kind, a value of a field, or a row of a table that lists such values."""
ANY_KIND = "*"
"""In a part of a force: a kind of any name."""
SPECIAL = "special-rules.procedure"
"""In a part of a force: the procedure of a special rule of the battle."""
ListField: TypeAlias = Annotated[Name, Ref("list field")]
"""A list field of the kind that a card, a line or a sheet is for."""


def several(ids: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the ids of a key that takes one id or a list, as a tuple; empty for None."""
    return (ids,) if isinstance(ids, str) else ids or ()


def _forwards(text: str) -> str:
    low, high = map(int, text.split(".."))
    if low > high:
        raise PydanticCustomError("backwards", "the smaller number first")
    return text


Range: TypeAlias = Annotated[str, StringConstraints(pattern=_RANGE), AfterValidator(_forwards)]
"""Whole numbers from..to, both included."""


def _in_the_calendar(text: str) -> str:
    try:
        date.fromisoformat(text if "-" in text else f"{text}-01-01")
    except ValueError:
        raise PydanticCustomError("no_date", "a date of the calendar") from None
    return text


Date: TypeAlias = Annotated[str, StringConstraints(pattern=_DATE), AfterValidator(_in_the_calendar)]
"""A date of the calendar such as 2001-12-31, or only a year."""

Cite: TypeAlias = NonBlank | Annotated[dict[str, NonBlank], Field(min_length=1)]
"""A place in the rule set's own source ("p. 52"), or source ids with a place in each."""

Status: TypeAlias = Literal["plain", "read", "ruled", "erratum", "gap"]
Support: TypeAlias = Literal["agreed", "single", "disputed", "derived"]


class Model(BaseModel):
    """Base of all models: frozen, strict, unknown keys are refused."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True, populate_by_name=True
    )


@cache
def markers(model: type[BaseModel], kind: type[Ref | Role]) -> tuple[tuple[str, str, Any], ...]:
    """Return for each field of a model: its name, its key in the file, and its marker, or None.

    A marker is the ``Ref`` or ``Role`` in the type of a field; ``kind`` says which of the two. A mapping with markers
    has a pair instead: the marker of its keys and the marker of its values, each perhaps None.
    """
    fields = model.model_fields.items()
    return tuple((name, info.alias or name, _marker(kind, info.annotation, info.metadata)) for name, info in fields)


def _marker(kind: type[Ref | Role], annotation: Any, metadata: Sequence[Any] = ()) -> Any:
    found = next((item for item in reversed(metadata) if isinstance(item, kind)), None)
    if found is not None:
        return found
    if get_origin(annotation) is Annotated:
        return _marker(kind, annotation.__origin__, annotation.__metadata__)
    inner = [_marker(kind, argument) for argument in get_args(annotation)]
    is_pair = get_origin(annotation) is dict and any(inner)
    return tuple(inner) if is_pair else next(filter(None, inner), None)


CHOICES = ("range", "of", "from", "yes_no")
"""The keys that give the allowed values of a field, an input or an option."""


class ExactlyOne(Model):
    """A model that must have exactly one key of ``one_of``; otherwise it is refused with R224.

    A key whose value is null, false, an empty text or an empty list counts as missing.
    """

    one_of: ClassVar[tuple[str, ...]] = ()
    """The keys, as files write them."""
    optional_with: ClassVar[tuple[str, ...]] = ()
    """If the model has one of these keys, all keys of ``one_of`` may be left out."""

    @model_validator(mode="after")
    def _one_of(self) -> Self:
        present = [key for key in self.one_of if self._has(key)]
        if len(present) > 1 or not (present or any(map(self._has, self.optional_with))):
            *most, last = self.one_of
            context = {"code": "R224", "found": " and ".join(present) or "none of them"}
            raise PydanticCustomError("one_of", f"one of {', '.join(most)} and {last}", context)
        return self

    def _has(self, key: str) -> bool:
        value = getattr(self, key if key in type(self).model_fields else f"{key}_")
        return value is not None and value is not False and value not in ((), "")


class ChoiceModel(ExactlyOne):
    """The common keys of a field, an input and an option: its name, and its allowed values in one of several ways."""

    one_of: ClassVar[tuple[str, ...]] = CHOICES
    label: str
    """Its printed name."""
    range: Range | None = None
    """Any whole number from..to, both included."""
    of: Seq[str] = ()
    """Any of these words."""
    from_: Annotated[TableIds | None, Field(alias="from")] = None
    """A table whose first key column lists the values, or several such tables."""
    yes_no: bool = False
    """Set to true: yes or no."""


class Concerning(Model):
    """Something in the rules that is about certain parts of a force."""

    concerns: Seq[Fielded] = ()
    """The parts of a force that it is about: the pack of a scenario leaves it out if no force has one of them.

    A kind (``minefield``), a field that is not at its default (``vehicle.sam``, ``*.ads`` for any kind), or its value
    (``vehicle.weapons.weapon=SLAM``). A row of a table from which designs choose: ``weapon-types=SLAM``, or by one of
    its columns, ``mobility-types.medium=air``; ``infantry`` for any row. A special rule of the battle by its
    procedure: ``special-rules.procedure=artillery-fire``.
    """


class Repeated(Model):
    """Something about a design that may be repeated, and that may be left out."""

    each: ListField | None = None
    """A list field: it is repeated for each of its entries, whose fields are then names of their own."""
    join: dict[Name, FormulaText] = Field(default_factory=dict)
    """Rows of tables under names of their own: ``g: guns[gun]`` for ``g.cost``."""
    when: FormulaText | None = None
    """It is left out if this does not hold."""


class Certificate(Model):
    """Where a statement comes from: citation, status, the glyphs as printed, a note."""

    cite: Cite | None = None
    """Where it is printed: a page or section of the rule set's own source, or source ids with a place in each."""
    status: Status = "plain"
    """How certain it is: plainly printed, read from damaged print, ruled as the source is silent, an erratum, a gap."""
    support: Support | None = None
    """How the sources support it: they agree, a single source has it, they dispute it, or it is derived from others."""
    raw: str = ""
    """The signs as printed, if they had to be read from damaged print."""
    note: str = ""
    """What was unclear and what was decided; a ruling, an erratum and a gap must have one."""
    used: str = ""
    """The value that these rules use, in short, for the list of readings, if the figure itself does not show it."""


class Block(Model):
    """The keys of every block. Each kind of block is a subclass with its keys, its check and its composer."""

    keyword: ClassVar[str] = ""
    """The key of a sheet that names this kind of block."""
    of_design: ClassVar[bool] = False
    """Whether such blocks are about a design, so that they are only on sheets of a kind."""
    lists_everything: ClassVar[bool] = False
    """Whether such blocks list all statements of the rule set."""
    explains: ClassVar[bool] = False
    """Whether such blocks only explain the other blocks of their section."""

    when: FormulaText | None = None
    """Printed only if this condition on the options holds."""

    def statuses(self) -> Sequence[str]:
        """Return the statuses (``gap``, ``ruled`` ...) whose statements the block lists.

        This base class returns an empty tuple.
        """
        return ()

    def only_odds_of(self) -> str | None:
        """Return the id of the procedure if the block shows only odds of one procedure, else None.

        This base class returns None.
        """
        return None

    def check(self, checker: Any) -> None:
        """Add problems with the values of the block to ``checker``, a ``BlockChecker``.

        References in the block were looked up before. This base class adds no problems.
        """

    def compose(self, context: Any) -> Any:
        """Return a block of the printed page, or a tuple of blocks, which may be empty.

        Problems are added to those of ``context``. This base class returns an empty tuple.
        """
        del context
        return ()


Entry: TypeAlias = Annotated[str, Ref("entry")]
"""A step by its id, or a row by its first key."""


class Thinned(Block):
    """A block of several entries; a pack leaves out entries about things that no side has."""

    without: Seq[Entry] = ()
    """Steps by their ids, or rows by their first keys, that are not printed."""

    def entries(self, rules: Any) -> Collection[str] | None:
        """Return the names of entries as the key ``without`` lists them: ids of steps, or keys of rows.

        A step without an id has no name. Return None if the table or the procedure is missing. This base class returns
        an empty tuple.
        """
        del rules
        return ()

    def in_play(self, rules: Any, play: Any) -> Any:
        """Return the block without the entries about things that no side has, or None to leave out the whole block.

        ``play`` knows what the sides of the battle have. This base class returns the block unchanged.
        """
        del rules, play
        return self
