"""``kinds/<id>.yaml`` and ``cards/<kind>.yaml``: entries that players field and pay for, and their cards."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from generator.rules.formulas.scope import FormulaText, Role
from generator.rules.model.base import (
    CHOICES,
    Certificate,
    ChoiceModel,
    ExactlyOne,
    Id,
    LabelText,
    Model,
    Name,
    NumberText,
    Ref,
    Repeated,
    Seq,
    TableId,
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


class LineModel(Repeated, Certificate, ExactlyOne):
    """One line of the working. Exactly one of ``points``, ``subtotal``, ``figure`` and ``die``.

    A line with ``capacity`` or ``systems`` may have none of the four. Only ``points`` count towards the total: a kind
    without them has no points. ``each`` repeats the line for every entry of a list field, ``for_n`` for every whole
    number from the first formula to the second. ``join`` names table rows, ``when`` leaves the line out, and ``name``
    lets later formulas use its result.
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
    """Its id. The code of the problem is the id of the rule set, a slash and this id."""
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
    """Figures that ``unit`` and ``force`` add up; yes counts as 1, no as 0.

    Lines and limits of ``unit`` and ``force`` read the sums by these names.
    """
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


LineId = Annotated[Id, Ref("line")]
AskedInput = Annotated[Name, Ref("input", of="ask")]
AnyInput = Annotated[Name, Ref("input of a procedure")]


class Figure(ExactlyOne):
    """The common keys of figures to print. A figure has exactly one of the keys that its model lists in ``one_of``."""

    show: FormulaText | None = None
    """A number or a word; an unknown value prints a dash."""
    die: FormulaText | None = None
    """A die, by its number of sides."""
    unit: str = ""
    """The unit printed after it, such as ″."""
    when: FormulaText | None = None
    """It is left out if this does not hold."""


class StatModel(Figure):
    """A big figure over a small label: exactly one of ``show``, ``die`` and ``line``."""

    one_of = ("show", "die", "line")

    stat: Id
    """Its id, which layers address."""
    label: LabelText
    """The text printed under it; ``{name}`` in it stands for a value."""
    line: LineId | None = None
    """Instead of a formula: the result of this line of the kind."""
    join: dict[Name, FormulaText] = Field(default_factory=dict)
    """Rows of tables under names of their own, as in a line."""


class CardColumnModel(Figure):
    """A column of a table on a card: exactly one of ``show``, ``die`` and ``text``."""

    one_of: ClassVar[tuple[str, ...]] = ("show", "die", "text")

    head: str
    """The head of the column. Columns with the same head are one column of the card."""
    text: LabelText | None = None
    """Instead of ``show`` and ``die``: words; ``{name}`` in them stands for a value."""


class CardRowModel(Model):
    """A row of a table on a card, such as a range band."""

    let: dict[Name, FormulaText] = Field(default_factory=dict)
    """Named formulas that the columns and odds of this row can read."""
    label: LabelText
    """Its head; ``{name}`` in it stands for a value."""
    when: FormulaText | None = None
    """The row is left out if this does not hold."""


class QuestionModel(Model):
    """A question about a shot at a target."""

    ask: Annotated[Id, Ref("procedure to ask")]
    """The procedure."""
    with_: dict[AskedInput, FormulaText] = Field(default_factory=dict, alias="with")
    """The firer's inputs. Other inputs come from the target, or take their defaults."""
    chance: Annotated[Seq[Annotated[Id, Ref("outcome", of="ask")]], Field(min_length=1)]
    """The outcomes whose chances are added up."""


class CardOddsModel(QuestionModel):
    """Odds at the end of a table’s rows: a column for each target."""

    says: str
    """What the chances are for, such as: hit and destroy."""
    at: Annotated[Id, Ref("reference")]
    """The targets: a reference of the card."""
    when: FormulaText | None = None
    """The odds are left out if this does not hold."""


class TableOfDesignModel(Repeated):
    """The common keys of tables about a design, on a card or a sheet."""

    table: Id
    """Its id, which layers address."""
    title: LabelText
    """The title over its first column; ``{name}`` in it stands for a value."""


class CardTableModel(TableOfDesignModel):
    """Rows of the weapon table of a card, such as the range bands of a weapon."""

    title: LabelText = ""
    """The name before its first row, such as the weapon; ``{name}`` in it stands for a value."""
    rows: Annotated[Seq[CardRowModel], Field(min_length=1)]
    """Its rows."""
    columns: Seq[CardColumnModel] = ()
    """Its figures. All tables of a card share one column for each head."""
    odds: CardOddsModel | None = None
    """The odds against each target, after the columns."""


class MeansRowModel(CardRowModel):
    """A row of a table about a design."""

    unit: str = ""
    """The unit of its figures, if their columns have none."""


class MeansColumnModel(CardColumnModel):
    """A column of a table about a design: exactly one of ``show``, ``die``, ``boxes`` and ``write``."""

    one_of = ("show", "die", "boxes", "write")

    boxes: FormulaText | None = None
    """The number of boxes to tick, in fives; for none or an unknown number, a line to write on."""
    write: bool = False
    """Set to true: a line to write on."""


class MeansTableModel(TableOfDesignModel):
    """A table about a design.

    An unknown value prints a line to write on. A column whose ``when`` does not hold prints a dash.
    """

    through: TableId | None = None
    """A table of the rules: each row is repeated for every row of that table, whose columns are then names."""
    rows: Annotated[Seq[MeansRowModel], Field(min_length=1)]
    """Its rows. Neighbouring tables with the same title and heads are printed as one table."""
    columns: Seq[MeansColumnModel] = ()
    """Its columns, after the heads of the rows."""


class TellModel(Repeated):
    """A few words on a card, printed in one line of text with others."""

    tell: Id
    """Its id, which layers address."""
    let: dict[Name, FormulaText] = Field(default_factory=dict)
    """Named formulas that ``says`` can read."""
    says: LabelText
    """Its text; ``{name}`` in it stands for a value."""
    spare: bool = False
    """Set to true: printed only where the card has room left, and never on a back of its own."""


class BoxModel(Repeated):
    """Boxes to tick at the table."""

    box: Id
    """Its id, which layers address."""
    label: LabelText
    """The label of the boxes; ``{name}`` in it stands for a value."""
    count: FormulaText = 1
    """How many boxes."""
    per: Literal["element", "card"] = "element"
    """Whether each element of a unit has them, or the card."""
    ring: bool = False
    """Set to true: the element's number in a ring to cross out, instead of a box."""


class CardTargetModel(Model):
    """A target for the odds on cards."""

    head: LabelText
    """The head of its column; ``{name}`` in it stands for a value of the firer."""
    inputs: dict[AnyInput, FormulaText]
    """The inputs for procedures."""


class ReferenceModel(Model):
    """The targets for the odds on a card."""

    reference: Id
    """Its id, which odds and layers address."""
    says: str
    """A description of the targets in a few words."""
    targets: Annotated[Seq[CardTargetModel], Field(min_length=1, max_length=6)]
    """The targets, a column for each."""
    guise: Annotated[Id, Ref("guise")] | None = None
    """The ``guise`` of designs that are such targets. Its rules are in play if an enemy has such a design."""


class GuiseModel(Model):
    """Another kind of target that a design can be, such as an aircraft in flight."""

    guise: Id
    """Its id, which references name."""
    when: FormulaText | None = None
    """The condition for this kind of target; without it, always."""


class DuelModel(Repeated):
    """A shot in the balance note of a scenario, which says how many such shots a target needs."""

    duel: Id
    """Its id, which layers address."""
    let: dict[Name, FormulaText] = Field(default_factory=dict)
    """Named formulas that ``name`` and the questions can read."""
    name: LabelText
    """The weapon and the range; ``{name}`` in it stands for a value."""
    says: str
    """The effect that is asked for, such as: destroy."""
    asks: Annotated[Seq[QuestionModel], Field(min_length=1, max_length=4)]
    """Questions in order, which must all succeed."""


class SignModel(Model):
    """A sign of a symbol, with its condition."""

    sign: Literal[
        "none", "armour", "tracked", "wheeled", "hover", "grav", "walker", "infantry", "artillery", "missile",
        "air-defence", "aircraft", "rotor", "ship", "engineer", "supply", "ammunition", "medical", "command",
        "observer", "mines", "person",
    ]  # fmt: skip
    """The sign that is drawn in the frame."""
    when: FormulaText | None = None
    """The sign is skipped if this does not hold."""


FRAMES = ("land", "air", "water", "fixed", "foot", "none")
"""The frames of symbols."""


class SymbolModel(Model):
    """The symbol of a card: the frame shows where it fights, the sign shows its type, bars over it show its size."""

    frame: Annotated[FormulaText, Role("formula", FRAMES)]
    """A formula whose result is land, air, water, fixed, foot or none."""
    signs: Annotated[Seq[SignModel], Field(min_length=1)]
    """The first sign whose condition holds is drawn."""
    size: FormulaText | None = None
    """The number of bars over the symbol: its size class."""


SHAPES = ("hull", "hover", "tracks", "wheels", "legs", "craft", "ship", "block", "base", "figure", "body")
"""The outlines of plans."""


class PlanModel(Model):
    """The plan of a design at the upper right of its card: an outline with figures on its faces."""

    shape: Annotated[FormulaText, Role("formula", SHAPES)]
    """A formula whose result is an outline, such as hull, tracks, wheels, legs, craft, base, figure or body."""
    faces: Annotated[Seq[FormulaText], Field(max_length=6)] = ()
    """The figures in front, left, right and behind; on a body: head, trunk, arms and legs."""
    beside: Annotated[Seq[StatModel], Field(max_length=2)] = ()
    """Figures beside it."""


class CardModel(Certificate):
    """A card as written. Its formulas can read the same names as the lines of the kind."""

    card: Annotated[Id, Ref("kind")]
    """The kind that it is for."""
    based_on: Id | None = None
    """Another card, whose parts this card inherits."""
    without: Seq[str] = ()
    """Parts of the card it is based on that do not apply."""
    who: LabelText = ""
    """What the design is, such as its mobility, for the line under its name; ``{name}`` stands for a value."""
    symbol: SymbolModel | None = None
    """Its symbol."""
    strip: Annotated[Seq[StatModel], Field(max_length=5)] = ()
    """The figures under the name, always in the same places: a figure that does not apply prints a dash."""
    plan: PlanModel | None = None
    """The plan at the upper right."""
    chevrons: FormulaText | None = None
    """The number of chevrons on the band, such as the quality of the unit."""
    axes: Annotated[Seq[Annotated[Id, Ref("reference")]], Field(max_length=2)] = ()
    """The references with columns of their own in the weapon table; others get a head row. Without it, the first."""
    tables: Seq[CardTableModel] = ()
    """The rows of the weapon table, such as the effects of weapons."""
    facts: Seq[StatModel] = ()
    """Further figures, on the front as far as there is room."""
    tells: Seq[TellModel] = ()
    """Facts in words, after the further figures. In cards/unit.yaml, the first is the test, on the front."""
    also: Seq[LineId] = ()
    """Lines of the kind whose labels are added to the facts."""
    boxes: Seq[BoxModel] = ()
    """Boxes to tick at the table."""
    ladder: Annotated[Seq[str], Field(max_length=5)] = ()
    """States of a unit, from the best, with a rung to mark for each."""
    target: dict[Name, FormulaText] = Field(default_factory=dict)
    """The inputs for procedures if the design is a target."""
    aimed_at: FormulaText | None = None
    """Whether enemies can shoot at the design; without it, always."""
    guises: Seq[GuiseModel] = ()
    """Other kinds of target that the design can be."""
    references: Seq[ReferenceModel] = ()
    """The targets for its odds."""
    duels: Seq[DuelModel] = ()
    """Its shots in the balance note of a scenario, at middle range."""
