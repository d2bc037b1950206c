"""``kinds/<id>.yaml``: a kind of entry that players field and pay for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from generator.rules.models.base import Certificate, FormulaText, Id, Model, Name, Range, Seq


class FieldModel(Model):
    """One field of a design. Exactly one of ``range``, ``of``, ``from``, ``yes_no`` and ``list``."""

    label: str
    range: Range | None = None
    of: Seq[str] = ()
    from_: Annotated[Id | None, Field(alias="from")] = None
    yes_no: bool = False
    list_: Annotated[dict[Name, FieldModel] | None, Field(alias="list")] = None
    default: str | int | bool | None = None
    """Used when the design leaves the field out; a list's default is empty. Without one the field must be given."""


class LineModel(Certificate):
    """One line of the working: a cost with ``points``, or a ``subtotal`` that later lines build on.

    ``each`` repeats it for every entry of a list field, ``for_n`` for every whole number from the first formula to
    the second; ``join`` names table rows; ``when`` leaves it out; ``name`` lets later formulas use its result.
    """

    line: Id
    label: str
    each: Name | None = None
    for_n: Annotated[tuple[FormulaText, FormulaText] | None, Field(strict=False)] = None
    join: dict[Name, FormulaText] = Field(default_factory=dict)
    when: FormulaText | None = None
    points: FormulaText | None = None
    subtotal: FormulaText | None = None
    capacity: FormulaText | None = None
    systems: FormulaText | None = None
    name: Name | None = None


class LimitModel(Certificate):
    """A rule that a design must keep; ``says`` is what a person reads when it does not."""

    limit: Id
    each: Name | None = None
    join: dict[Name, FormulaText] = Field(default_factory=dict)
    when: FormulaText | None = None
    that: FormulaText
    blame: Name
    says: str
    severity: Literal["error", "advice"] = "error"


class KindModel(Certificate):
    """A kind as written. ``based_on`` takes everything of another kind but what ``without`` names."""

    kind: Id
    title: str
    says: str = ""
    based_on: Id | None = None
    without: Seq[str] = ()
    """Fields, lines and limits of the kind it is based on that do not apply."""
    fields: dict[Name, FieldModel] = Field(default_factory=dict)
    let: dict[Name, FormulaText] = Field(default_factory=dict)
    lines: Seq[LineModel] = ()
    allowed: Capacity | None = None
    limits: Seq[LimitModel] = ()


class Capacity(Certificate):
    """How much a design may hold."""

    capacity: FormulaText | None = None
    systems: FormulaText | None = None
