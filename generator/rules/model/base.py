"""What all models of rule files share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from generator.rules.formulas.scope import FormulaText

T = TypeVar("T")

Seq: TypeAlias = Annotated[tuple[T, ...], Field(strict=False)]
"""A list in the file, a tuple here; what is inside stays strict."""

_ID = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
_NAME = r"^[a-z][a-z0-9_]*$"
_RANGE = r"^-?\d{1,6}\.\.-?\d{1,6}$"
_DATE = r"^\d{4}(-\d{2}-\d{2})?$"
_SAID = r"\S"
_LINE = r"^\S(.*\S)?$"
FORMS = {
    _ID: "small letters and digits, in words joined by hyphens",
    _NAME: "small letters, digits and underscores, with a letter first",
    _RANGE: "from..to, such as 1..5",
    _DATE: "a date such as 2001-12-31, in quotes",
    _SAID: "a text that says something",
    _LINE: "a text in one line, without spaces around it",
}
"""What the forms of texts are called when one is not kept."""

Id: TypeAlias = Annotated[str, StringConstraints(pattern=_ID, max_length=60)]
"""Small letters and digits in words joined by hyphens."""

_WORDS = ("and", "else", "if", "in", "no", "none", "not", "or", "yes")


def _free(name: str) -> str:
    if name in _WORDS:
        code = "word_of_formulas"
        raise PydanticCustomError(code, "a name that is no word of formulas")
    return name


Name: TypeAlias = Annotated[str, StringConstraints(pattern=_NAME, max_length=40)]
"""A field, column or input: small letters, digits and underscores, as formulas spell it."""

FreeName: TypeAlias = Annotated[Name, AfterValidator(_free)]
"""A name that formulas read alone, so that it must not be one of their words."""


Said: TypeAlias = Annotated[str, StringConstraints(pattern=_SAID)]
Line: TypeAlias = Annotated[str, StringConstraints(pattern=_LINE)]
"""A text that is not empty."""


@dataclass(frozen=True, slots=True)
class Ref:
    """Declares that a text names something of the rules: a table, a column of a table, an input of a procedure.

    ``of`` is the field that names the holder: the table of a column, the procedure of an input. It stands beside the
    text or in a model around it. ``generator.rules.check.references`` looks every declared reference up.
    """

    what: str
    of: str = ""


TableId: TypeAlias = Annotated[Id, Ref("table")]
TableIds: TypeAlias = TableId | Annotated[Seq[TableId], Field(min_length=1)]
"""A table, or several."""
Fielded: TypeAlias = Annotated[str, Ref("fielded")]
"""What a force may have: a kind, a field of a kind, a field with a value; or a special rule of the battle."""
ListField: TypeAlias = Annotated[Name, Ref("list field")]
"""A list field of the kind that a card, a line or a sheet is for."""


def several(named: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the ids of a key that takes one id or a list."""
    return (named,) if isinstance(named, str) else named or ()


def _forwards(text: str) -> str:
    low, high = map(int, text.split(".."))
    if low > high:
        code = "backwards"
        raise PydanticCustomError(code, "the smaller number first")
    return text


Range: TypeAlias = Annotated[str, StringConstraints(pattern=_RANGE), AfterValidator(_forwards)]
"""Whole numbers from..to, both included."""


def _in_the_calendar(text: str) -> str:
    try:
        date.fromisoformat(text if "-" in text else f"{text}-01-01")
    except ValueError:
        code = "no_date"
        raise PydanticCustomError(code, "a date of the calendar") from None
    return text


Date: TypeAlias = Annotated[str, StringConstraints(pattern=_DATE), AfterValidator(_in_the_calendar)]

Cite: TypeAlias = Said | Annotated[dict[str, Said], Field(min_length=1)]
"""A place in the rule set's own source ("p. 52"), or source ids with a place in each."""

Status: TypeAlias = Literal["plain", "read", "ruled", "erratum", "gap"]
Support: TypeAlias = Literal["agreed", "single", "disputed", "derived"]


class Model(BaseModel):
    """Frozen, strict, nothing unknown let through."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True, populate_by_name=True
    )


class Certificate(Model):
    """Where a statement comes from: citation, status, the glyphs as printed, a note."""

    cite: Cite | None = None
    """Where it is printed: a page or section of the rule set's own source, or source ids with a place in each."""
    status: Status = "plain"
    """How sure it is: plainly printed, read from damaged print, ruled where the source is silent, an erratum, a gap."""
    support: Support | None = None
    """How far the sources bear it out: agreed, a single one, disputed among them, or derived from others."""
    raw: str = ""
    """The signs as printed, where they had to be read."""
    note: str = ""
    """What was unclear and what was decided; a ruling, an erratum and a gap must have one."""
    used: str = ""
    """What these rules use, in short, for the list of readings, where the figure itself does not tell it."""


__all__ = [
    "FORMS",
    "Certificate",
    "Cite",
    "Date",
    "Fielded",
    "FormulaText",
    "FreeName",
    "Id",
    "Line",
    "ListField",
    "Model",
    "Name",
    "Range",
    "Ref",
    "Said",
    "Seq",
    "Status",
    "Support",
    "TableId",
    "TableIds",
    "several",
]
