"""The kinds of block of a sheet, in the order in which messages and schemas list them."""

from __future__ import annotations

from generator.documents.blocks import designs, hexes, odds, readings, tables, texts

BLOCKS = (
    texts.StepsBlock,
    tables.TableBlock,
    tables.AcrossBlock,
    tables.PivotBlock,
    odds.GridBlock,
    designs.PricesBlock,
    designs.WorkingBlock,
    texts.NotesBlock,
    texts.GlossaryBlock,
    texts.ProseBlock,
    odds.KeyBlock,
    readings.ReadingsBlock,
    readings.SourcesBlock,
    readings.OptionsBlock,
    readings.ErrataBlock,
    readings.LimitsBlock,
    hexes.HexesBlock,
    odds.ChartBlock,
    designs.StripBlock,
    designs.MeansBlock,
    texts.ShortStepsBlock,
    texts.ResultsBlock,
    texts.WeaponsBlock,
    texts.ExampleBlock,
    texts.BandsBlock,
)
