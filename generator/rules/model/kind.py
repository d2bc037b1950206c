"""``kinds/<id>.yaml``: a kind of entry that players field and pay for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from generator.rules.formulas.scope import FormulaText
from generator.rules.model.base import (
    CHOICES,
    Certificate,
    ChoiceModel,
    Id,
    LabelText,
    Name,
    NumberText,
    OneOf,
    Ref,
    Repeated,
    Seq,
)


class FieldModel(ChoiceModel):
    """One field of a design. Exactly one of ``range``, ``of``, ``from``, ``yes_no`` and ``list``."""

    one_of = (*CHOICES, "list")

    list_: Annotated[dict[Name, FieldModel] | None, Field(alias="list")] = None
    """Any number of entries, each with fields of its own."""
    default: str | int | bool | None = None
    """Used when the design leaves the field out; a list's default is empty. Without one the field must be given.

    ``none`` is always allowed as default of a field with ``from``: the design then has none of the rows.
    """


class LineModel(Repeated, Certificate, OneOf):
    """One line of the working: a cost with ``points``, or a ``subtotal`` that later lines build on.

    A ``figure`` or a ``die`` is shown and never counted: a kind may have no other lines, and so no points.
    ``each`` repeats it for every entry of a list field, ``for_n`` for every whole number from the first formula to
    the second; ``join`` names table rows; ``when`` leaves it out; ``name`` lets later formulas use its result.
    """

    one_of = ("points", "subtotal", "figure", "die")
    optional_with = ("capacity", "systems")

    line: Id
    """Its id, which layers address."""
    label: LabelText
    """The printed text; ``{name}`` in it stands for a value."""
    for_n: Annotated[tuple[FormulaText, FormulaText] | None, Field(strict=False)] = None
    """Two formulas: the line repeats for every whole number ``n`` from the first to the second."""
    points: NumberText | None = None
    """The cost, which counts towards the total. ``others`` in it stands for the points of all lines without it."""
    subtotal: NumberText | None = None
    """A figure that later lines build on; does not count towards the total."""
    figure: FormulaText | None = None
    """A number or a word to print, which costs nothing. An unknown value prints a dash."""
    die: FormulaText | None = None
    """A die to print, given by its number of sides."""
    unit: str = ""
    """The unit printed after a figure, such as ″."""
    capacity: NumberText | None = None
    """How much capacity it uses."""
    systems: NumberText | None = None
    """How many weapon systems it uses."""
    name: Name | None = None
    """A name for its result (the sum, where it repeats) in later formulas."""


class LimitModel(Repeated, Certificate):
    """A rule that a design must obey; ``says`` is the message if it does not."""

    limit: Id
    """Its id; with the rule set’s it is the code of the problem."""
    that: FormulaText
    """The condition that must hold."""
    blame: Annotated[Name, Ref("blamed")]
    """The field to change if it does not hold. For a unit or force also a tally: the first entry that adds to it."""
    says: str
    """The message: the rule, and what to do."""
    severity: Literal["error", "advice"] = "error"
    """An error, or advice for a design that is allowed but unusual."""


class KindModel(Certificate):
    """A kind as written. ``based_on`` inherits everything from another kind except the entries under ``without``.

    The kinds ``unit`` and ``force`` hold designs. Their formulas can read the totals of the tallies of all kinds, and
    ``elements``, ``points`` and (in a force) ``units``.
    """

    kind: Id
    """Its id: the name of its file."""
    title: str
    """Its printed name."""
    says: str = ""
    """A sentence about it."""
    based_on: Id | None = None
    """Another kind, whose fields, lines and limits this kind inherits."""
    without: Seq[str] = ()
    """Fields, lines and limits of the kind it is based on that do not apply."""
    idle: bool = False
    """Its designs have no quality, confidence or other values of their unit, because they have no crew under fire."""
    on_sheet: Annotated[Id, Ref("sheet of the kind")] | None = None
    """The sheet of this kind that prints its figures. Rosters list its designs without their working."""
    fields: dict[Name, FieldModel] = Field(default_factory=dict)
    """The fields of a design, in order."""
    let: dict[Name, FormulaText] = Field(default_factory=dict)
    """Named formulas, computed once, in order."""
    tallies: dict[Name, FormulaText] = Field(default_factory=dict)
    """Figures, or yes/no, that ``unit`` and ``force`` add up. Their lines and limits use the sums by these names."""
    lines: Seq[LineModel] = ()
    """The working of the price, in order."""
    allowed: Capacity | None = None
    """The capacity and the weapon systems that a design may use."""
    limits: Seq[LimitModel] = ()
    """The limits that a design must obey."""


class Capacity(Certificate):
    """The capacity and the weapon systems that a design may use."""

    capacity: NumberText | None = None
    """The most capacity that the lines may use together."""
    systems: NumberText | None = None
    """The most weapon systems that the lines may use together."""
