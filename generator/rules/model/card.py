"""``cards/<kind>.yaml``: what stands on the card of a design of that kind."""

from __future__ import annotations

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from generator.rules.model.base import Certificate, Fielded, FormulaText, Id, ListField, Model, Name, Ref, Seq, TableId

Shown: TypeAlias = FormulaText | Annotated[Seq[FormulaText], Field(min_length=1, max_length=5)]
"""A formula, or several whose values stand side by side: 4·3·3."""


LineId = Annotated[Id, Ref("line")]
AskedInput = Annotated[Name, Ref("input", of="ask")]
AnyInput = Annotated[Name, Ref("input of a procedure")]


class Figure(Model):
    """Something to read: exactly one of ``show``, ``die`` and ``line``."""

    show: Shown | None = None
    """A number or a word, or a list of them; what is not known is a dash."""
    die: FormulaText | None = None
    """A die, by its number of sides."""
    unit: str = ""
    """What stands behind it, such as ″."""
    when: FormulaText | None = None
    """It is left out where this does not hold."""


class StatModel(Figure):
    """A big figure over a small label."""

    stat: Id
    """Its id, which layers address."""
    label: str
    """What is printed under it; ``{name}`` in it stands for a value."""
    line: LineId | None = None
    """Instead of a formula: what this line of the kind comes to."""
    join: dict[Name, FormulaText] = Field(default_factory=dict)
    """Rows of tables under names of their own, as in a line."""


class CardColumnModel(Figure):
    """A column of a table on a card."""

    head: str
    """What stands over it."""


class CardRowModel(Model):
    """A row of a table on a card, such as a range band."""

    label: str
    """Its head; ``{name}`` in it stands for a value."""
    let: dict[Name, FormulaText] = Field(default_factory=dict)
    """What the columns and odds know by these names in this row."""
    when: FormulaText | None = None
    """The row is left out where this does not hold."""


class ShotRowModel(CardRowModel):
    """A row of a table on a card whose means may be bought apart, such as a shell."""

    only_with: Seq[Fielded] = ()
    """Of a force that has designs of the kinds named here, only where it has one of these; as in ``only_for``."""


class CardOddsModel(Model):
    """Odds at the end of a table’s rows: a column for each target."""

    ask: Annotated[Id, Ref("procedure to ask")]
    """The procedure."""
    with_: dict[AskedInput, FormulaText] = Field(default_factory=dict, alias="with")
    """What the firer brings to it. Further inputs are the target’s, else their defaults."""
    chance: Annotated[Seq[Annotated[Id, Ref("outcome", of="ask")]], Field(min_length=1)]
    """The outcomes whose chances are added up."""
    says: str
    """What the figures are the chance of, such as: hit and destroy."""
    at: Annotated[Id, Ref("reference")]
    """The reference that they are against where no enemy is named."""
    when: FormulaText | None = None
    """No odds where this does not hold."""


class TableOfDesignModel(Model):
    """What a table about a design says of itself, on a card or a sheet."""

    table: Id
    """Its id, which layers address."""
    title: str
    """What it is about, over its first column; ``{name}`` in it stands for a value."""
    each: ListField | None = None
    """A list field: one table for each of its entries, whose fields are then names of their own."""
    join: dict[Name, FormulaText] = Field(default_factory=dict)
    """Rows of tables under names of their own, as in a line."""
    when: FormulaText | None = None
    """The table is left out where this does not hold."""


class CardTableModel(TableOfDesignModel):
    """A table on a card: what a weapon does in each of its range bands, say."""

    rows: Annotated[Seq[ShotRowModel], Field(min_length=1)]
    """Its rows. Tables that stand together and have one title are printed as one."""
    shared: str = ""
    """The name of a card that all designs share: its rows stand there, each once, instead of on every card."""
    turned: bool = False
    """Whether rows and columns change places in print: what is written as a row stands there as a column."""
    columns: Seq[CardColumnModel] = ()
    """Its columns, behind the heads of the rows."""
    odds: CardOddsModel | None = None
    """Odds against each target, behind the columns."""

    @model_validator(mode="after")
    def _turned_without_odds(self) -> Self:
        if self.turned and self.odds is not None:
            code = "turned_odds"
            raise PydanticCustomError(code, "a table with odds that is not turned, or one without odds")
        return self


class MeansRowModel(CardRowModel):
    """A row of a table about a design."""

    unit: str = ""
    """What stands behind its figures, where their columns have no unit."""
    strong: bool = False
    """Set to true: in heavy type."""


class MeansColumnModel(CardColumnModel):
    """A column of a table about a design: exactly one of ``show``, ``die``, ``boxes`` and ``write``."""

    boxes: FormulaText | None = None
    """So many boxes to tick, in fives; for none, or a number that is not known, a line to write on."""
    write: bool = False
    """Set to true: a line to write on."""


class MeansTableModel(TableOfDesignModel):
    """A table about a design. What is not known is a line to write on, where a ``when`` does not hold stands a dash."""

    through: TableId | None = None
    """A table of the rules: each row stands once for every row of it, whose columns are then names of their own."""
    rows: Annotated[Seq[MeansRowModel], Field(min_length=1)]
    """Its rows. Tables that stand together, with one title and the same heads, are printed as one."""
    columns: Seq[MeansColumnModel] = ()
    """Its columns, behind the heads of the rows."""


class TellModel(Model):
    """A few words on a card, in one run with others."""

    tell: Id
    """Its id, which layers address."""
    says: str
    """Its text; ``{name}`` in it stands for a value."""
    each: ListField | None = None
    """A list field: the text is printed for each of its entries."""
    join: dict[Name, FormulaText] = Field(default_factory=dict)
    """Rows of tables under names of their own, as in a line."""
    let: dict[Name, FormulaText] = Field(default_factory=dict)
    """Values that ``says`` knows by these names."""
    when: FormulaText | None = None
    """Left out where this does not hold."""


class BoxModel(Model):
    """Boxes to tick at the table."""

    box: Id
    """Its id, which layers address."""
    label: str
    """What is ticked; ``{name}`` in it stands for a value."""
    count: FormulaText = 1
    """How many boxes."""
    each: ListField | None = None
    """A list field: boxes for each of its entries."""
    join: dict[Name, FormulaText] = Field(default_factory=dict)
    """Rows of tables under names of their own, as in a line."""
    when: FormulaText | None = None
    """Left out where this does not hold."""
    per: Literal["element", "card"] = "element"
    """Whether each element of a unit has them, or the card."""
    letter: Annotated[str, Field(max_length=1)] = ""
    """What is printed in the box where a card has boxes of several elements: the label is then told once for all."""


class CardTargetModel(Model):
    """One of the targets that cards tell odds against where no enemy is named."""

    head: str
    """What stands over its column; ``{name}`` in it stands for a value of the firer."""
    inputs: dict[AnyInput, FormulaText]
    """The inputs for procedures."""


class ReferenceModel(Model):
    """What the odds on a card are against where no enemy is named."""

    reference: Id
    """Its id, which odds and layers address."""
    says: str
    """Which targets these are, in a few words."""
    targets: Annotated[Seq[CardTargetModel], Field(min_length=1, max_length=6)]
    """The targets, a column for each."""
    reads: dict[AnyInput, Name] = Field(default_factory=dict)
    """Where an enemy is named: inputs that are called otherwise in the ``target`` of his designs: of another face."""
    theirs: str | None = None
    """Said where an enemy is named and the design is the target: his own shots are then the columns."""
    guise: Annotated[Id, Ref("guise")] | None = None
    """Where an enemy is named: they are what his cards tell under this ``guise``, instead of their ``target``."""
    only_for: Seq[Fielded] = ()
    """Where an enemy is named, only where his force has one of these; said as a section of a sheet says it."""


class GuiseModel(Model):
    """The inputs of a design as another kind of target than the usual, such as an aircraft."""

    guise: Id
    """As what: references name it."""
    inputs: dict[AnyInput, FormulaText]
    """The inputs for procedures; the card for the kind ``unit`` adds inputs to all its designs with this guise."""
    when: FormulaText | None = None
    """Whether it is that at all."""


class DuelAskModel(Model):
    """A question about a shot at a target."""

    ask: Annotated[Id, Ref("procedure to ask")]
    """The procedure."""
    with_: dict[AskedInput, FormulaText] = Field(default_factory=dict, alias="with")
    """What the firer brings to it. Further inputs are the target’s, else their defaults."""
    chance: Annotated[Seq[Annotated[Id, Ref("outcome", of="ask")]], Field(min_length=1)]
    """The outcomes whose chances are added up."""


class DuelModel(Model):
    """A shot in the balance note of a scenario: how many of them a target takes."""

    duel: Id
    """Its id, which layers address."""
    name: str
    """What fires, and how far; ``{name}`` in it stands for a value."""
    head: str | None = None
    """What stands over its column on the card of what it is fired at, else its name."""
    says: str
    """What is asked for, such as: destroy."""
    asks: Annotated[Seq[DuelAskModel], Field(min_length=1, max_length=4)]
    """Questions one after the other: all of it must come about."""
    each: ListField | None = None
    """A list field: a shot for each of its entries."""
    join: dict[Name, FormulaText] = Field(default_factory=dict)
    """Rows of tables under names of their own, as in a line."""
    let: dict[Name, FormulaText] = Field(default_factory=dict)
    """Values that ``name`` and the questions know by these names."""
    when: FormulaText | None = None
    """Left out where this does not hold."""


class SignModel(Model):
    """A sign, and when it is the one."""

    sign: Literal[
        "none", "armour", "tracked", "wheeled", "hover", "grav", "walker", "infantry", "artillery", "missile",
        "air-defence", "aircraft", "rotor", "ship", "engineer", "supply", "ammunition", "medical", "command",
        "observer", "mines", "person",
    ]  # fmt: skip
    """What is drawn in the frame."""
    when: FormulaText | None = None
    """It is passed over where this does not hold."""


FRAMES = ("land", "air", "water", "fixed", "foot", "none")
"""What the frame of a symbol may be."""


class SymbolModel(Model):
    """The symbol of a card: a frame by where it fights, a sign by what it is, bars over it by its size."""

    frame: FormulaText
    """A formula that comes to land, air, water, fixed, foot or none."""
    signs: Annotated[Seq[SignModel], Field(min_length=1)]
    """The first of them that fits is drawn."""
    size: FormulaText | None = None
    """How many bars stand over it: its size class."""


class CardModel(Certificate):
    """A card as written. Its figures are formulas that know what the lines of the kind know."""

    card: Annotated[Id, Ref("kind")]
    """The kind that it is for."""
    based_on: Id | None = None
    """Another card, whose parts this one takes over."""
    without: Seq[Annotated[str, Ref("part of the base")]] = ()
    """Parts of the card it is based on that do not apply."""
    symbol: SymbolModel | None = None
    """Its symbol."""
    strip: Seq[StatModel] = ()
    """The big figures under the name."""
    tables: Seq[CardTableModel] = ()
    """What weapons and other means do."""
    tells: Seq[TellModel] = ()
    """Facts in one run of words."""
    also: Seq[LineId] = ()
    """Lines of the kind whose labels join the same run."""
    boxes: Seq[BoxModel] = ()
    """What is ticked at the table."""
    target: dict[Name, FormulaText] = Field(default_factory=dict)
    """The inputs for procedures where the design is the target of an enemy's card."""
    aimed_at: FormulaText | None = None
    """Whether it is such an enemy at all; always, where nothing is said."""
    guises: Seq[GuiseModel] = ()
    """What else it can be aimed at as."""
    references: Seq[ReferenceModel] = ()
    """What its odds are against where no enemy is named."""
    duels: Seq[DuelModel] = ()
    """Its shots in the balance note of a scenario, at middle range."""
