"""The kinds of block of a sheet, in the order in which messages and schemas list them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.documents.blocks.designs import MeansBlock, PricesBlock, StripBlock, WorkingBlock
from generator.documents.blocks.hexes import HexesBlock
from generator.documents.blocks.odds import ChartBlock, GridBlock, KeyBlock
from generator.documents.blocks.readings import ErrataBlock, LimitsBlock, OptionsBlock, ReadingsBlock, SourcesBlock
from generator.documents.blocks.tables import AcrossBlock, PivotBlock, TableBlock
from generator.documents.blocks.texts import (
    BandsBlock,
    ExampleBlock,
    GlossaryBlock,
    NotesBlock,
    ProseBlock,
    ResultsBlock,
    ShortStepsBlock,
    StepsBlock,
    WeaponsBlock,
)

if TYPE_CHECKING:
    from generator.rules.model.block import Block

BLOCKS: tuple[type[Block], ...] = (
    StepsBlock,
    TableBlock,
    AcrossBlock,
    PivotBlock,
    GridBlock,
    PricesBlock,
    WorkingBlock,
    NotesBlock,
    GlossaryBlock,
    ProseBlock,
    KeyBlock,
    ReadingsBlock,
    SourcesBlock,
    OptionsBlock,
    ErrataBlock,
    LimitsBlock,
    HexesBlock,
    ChartBlock,
    StripBlock,
    MeansBlock,
    ShortStepsBlock,
    ResultsBlock,
    WeaponsBlock,
    ExampleBlock,
    BandsBlock,
)
