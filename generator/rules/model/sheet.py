"""``sheets/<id>.yaml``: what a printed sheet shows, in what order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from generator.rules.model.base import Fielded, FormulaText, Id, Model, Name, Ref, Said, Seq, Status, Support
from generator.rules.model.block import Block, Thinned, is_played
from generator.rules.model.design_blocks import MeansBlock, StripBlock
from generator.rules.model.pictures import ChartBlock, HexesBlock
from generator.rules.model.table_blocks import AcrossBlock, GridBlock, PivotBlock, TableBlock

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence


KindId = Annotated[Id, Ref("kind")]
PricedField = Annotated[str, Ref("field", of="prices")]
PricedChoice = Annotated[str, Ref("field with values", of="prices")]


class StepsBlock(Thinned):
    """The steps of a procedure, numbered."""

    steps: Annotated[Id, Ref("procedure with steps")]
    """The procedure."""
    changed: bool = False
    """Whether steps that a layer changed begin with a dagger."""


class PricesBlock(Block):
    """Prices of a kind over two fields of the design, one panel for each value of ``each``.

    A field inside a list is named with a dot (``missiles.count``: the first entry's). Designs that break a limit of
    the kind are left blank, rows without a lawful design left out.
    """

    prices: KindId
    """The kind."""
    rows: PricedChoice
    """The field that goes down the side."""
    columns: PricedChoice | None = None
    """The field that goes along the top; without one there is a single column."""
    each: PricedChoice | None = None
    """The field that has a panel for each of its values."""
    given: dict[PricedField, Annotated[Any, Ref("value of a field", of="prices")]] = Field(default_factory=dict)
    """Fixed fields; a list of values for one that rows, columns or panels vary over."""
    show: Literal["total", "sum", "capacity"] = "total"
    """The total, the sum of the lines with the total, or the capacity used."""
    names: dict[str, str] = Field(default_factory=dict)
    """Printed names of values, where the values' own do not serve."""
    panel: str = ""
    """A panel’s head; the value of ``each`` follows it."""
    head: str = ""
    """The head of the column of row names, else the label of that field."""
    total: str = "Points"
    """The column's head where nothing varies across."""


class WorkingBlock(Block):
    """The whole working of one example design."""

    working: KindId
    """The kind."""
    title: str
    """Printed above the working."""
    design: dict[Name, Any]
    """The example: a value for each field that it sets."""


class NotesBlock(Thinned):
    """Notes in italics. In ``only_for`` and ``without`` a note goes by the bold words that it begins with."""

    notes: Annotated[Seq[Said], Field(min_length=1)]
    """The paragraphs."""
    joined: str = ""
    """What parts the notes where they stand in one paragraph, which ends with a full stop."""


class ProseBlock(Block):
    """Plain paragraphs."""

    prose: Annotated[Seq[Said], Field(min_length=1)]
    """The paragraphs."""


class KeyBlock(Block):
    """The key to the tints of the grids."""

    key: Literal["tints"]
    """What is explained: the tints."""


class ReadingsBlock(Block):
    """Every statement of the rule set (and its parents, if wanted) with one of these statuses.

    In a combination of layers, the sheet lists its layer's own statements; a layer's sheet of the same name lists that
    layer's.
    """

    readings: Annotated[Seq[Status], Field(min_length=1)]
    """Statements with one of these statuses."""
    support: Seq[Support] = ()
    """Of those only the ones with one of these degrees of support."""
    parents: bool = True
    """Whether the parents’ statements are listed too."""


class SourcesBlock(Block):
    """The documents that the statements cite."""

    sources: Literal["cited"]
    """Which documents: those cited."""
    parents: bool = True
    """Whether those that the parents cite are listed too."""


class OptionsBlock(Block):
    """The options, what each does and how it is set: the rule set's own, or its parents' too."""

    options: Literal["own", "all"]
    """The rule set’s own, or all with its parents’."""


class ErrataBlock(Block):
    """The examples that break their own rule: the rule set's own, or its parents' too."""

    errata: Literal["own", "all"]
    """The rule set’s own, or all with its parents’."""


class LimitsBlock(Block):
    """What a kind's designs must keep, with where it is printed."""

    limits: KindId
    """The kind."""


_BLOCKS = {
    "steps": StepsBlock,
    "table": TableBlock,
    "across": AcrossBlock,
    "pivot": PivotBlock,
    "grid": GridBlock,
    "prices": PricesBlock,
    "working": WorkingBlock,
    "notes": NotesBlock,
    "prose": ProseBlock,
    "key": KeyBlock,
    "readings": ReadingsBlock,
    "sources": SourcesBlock,
    "options": OptionsBlock,
    "errata": ErrataBlock,
    "limits": LimitsBlock,
    "hexes": HexesBlock,
    "chart": ChartBlock,
    "strip": StripBlock,
    "means": MeansBlock,
}
BLOCK_NAMES = tuple(_BLOCKS)


def _which(value: object) -> str | None:
    keys = list(value) if isinstance(value, dict) else [type(value).__name__.removesuffix("Block").lower()]
    return next((key for key in keys if key in _BLOCKS), None)


BlockModel: TypeAlias = Annotated[
    Annotated[StepsBlock, Tag("steps")]
    | Annotated[TableBlock, Tag("table")]
    | Annotated[AcrossBlock, Tag("across")]
    | Annotated[PivotBlock, Tag("pivot")]
    | Annotated[GridBlock, Tag("grid")]
    | Annotated[PricesBlock, Tag("prices")]
    | Annotated[WorkingBlock, Tag("working")]
    | Annotated[NotesBlock, Tag("notes")]
    | Annotated[ProseBlock, Tag("prose")]
    | Annotated[KeyBlock, Tag("key")]
    | Annotated[ReadingsBlock, Tag("readings")]
    | Annotated[SourcesBlock, Tag("sources")]
    | Annotated[OptionsBlock, Tag("options")]
    | Annotated[ErrataBlock, Tag("errata")]
    | Annotated[LimitsBlock, Tag("limits")]
    | Annotated[HexesBlock, Tag("hexes")]
    | Annotated[ChartBlock, Tag("chart")]
    | Annotated[StripBlock, Tag("strip")]
    | Annotated[MeansBlock, Tag("means")],
    Discriminator(_which),
]


class SectionModel(Model):
    """A bar with its title, and what stands under it."""

    section: str
    """The title in the bar."""
    aside: str = ""
    """The words at the bar’s right end."""
    abreast: Annotated[int, Field(ge=1, le=3)] = 1
    """How many blocks stand side by side."""
    roomy: bool = False
    """Larger type and more air, for a section that has a page to itself."""
    when: FormulaText | None = None
    """Only printed where this holds for the options."""
    only_for: Seq[Fielded] = ()
    """In the pack of a scenario only printed where a force has one of these.

    A kind (``minefield``), a field that is not at its default (``vehicle.sam``, ``vehicle.weapons``), or a field with a
    value (``vehicle.armour_type=reactive``, ``vehicle.weapons.weapon=HEL``); ``*`` for any kind (``*.ads``). With
    ``both:`` (``both:*.aam``), two sides must each have such a thing: for rules about aircraft that shoot at aircraft.
    With ``also:`` (``also:*.ads``), a force must have such a thing in addition. A special rule of the battle by its
    procedure (``special-rules.procedure=artillery-fire``) counts as well.
    """
    apiece: bool | Literal["first", "others"] = False
    """On a sheet about a design: each of several that are fielded has this for itself, on pages behind the others.

    ``others``: it stands on these pages alone, where the first has it elsewhere; ``first``: that part, printed once.
    """
    no_handout: bool = False
    """Set to true: never in a pack, as it is about building forces and not about play."""
    blocks: Annotated[Seq[BlockModel], Field(min_length=1)]
    """What stands under the bar, from the top."""

    def is_for(self, sides: Sequence[Collection[str]]) -> bool:
        """Whether it is for the table, and about anything that the ``sides`` play with."""
        if self.no_handout:
            return False
        return is_played(self.only_for, sides)


class RowModel(Model):
    """Columns side by side; a row is kept on one page where it fits."""

    columns: Annotated[Seq[Annotated[Seq[SectionModel], Field(min_length=1)]], Field(min_length=1, max_length=3)]
    """The columns, from the left; each is a list of sections, from the top."""
    shares: Seq[Annotated[int, Field(ge=1, le=100)]] = ()
    """How wide the columns are, in parts; equal where nothing is said."""
    new_page: bool = False
    """Whether the row begins a new page."""
    loose: bool = False
    """Whether its columns may be divided between pages; else they go to the next page where they do not fit."""


class SheetModel(Model):
    """A sheet as written."""

    sheet: Id
    """Its id: the name of its file."""
    title: str
    """Its printed name."""
    strap: str
    """The line under the title."""
    kicker: str
    """The words at the title’s right."""
    of: Annotated[Id, Ref("kind of designs")] | None = None
    """A kind: the sheet is printed with a force, once for each of its designs of that kind, and not with the rules."""
    handout: Annotated[int, Field(ge=1, le=99)] | None = None
    """What it says goes into the pack of a scenario, as far as it is in play there: its place among the handouts."""
    instead_of: Seq[str] = ()
    """Titles of sections of its parents’ handouts: in a pack this sheet speaks for them."""
    about: str = ""
    """What the sheet is for; not printed."""
    notes: bool = False
    """Whether lines for notes fill the last page, on a sheet of a kind."""
    rows: Annotated[Seq[RowModel], Field(min_length=1)]
    """What stands one below the other."""

    @property
    def lists_everything(self) -> bool:
        """Whether a block of it goes through all statements of the rule set."""
        return any(isinstance(block, ReadingsBlock | ErrataBlock) for block in self.blocks())

    def blocks(self) -> Iterator[BlockModel]:
        """Every block, in order."""
        return (block for row in self.rows for column in row.columns for part in column for block in part.blocks)
