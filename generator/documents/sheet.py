"""A whole sheet: from its description in data to blocks of paper."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generator.documents.grids import grid_blocks, tint_key
from generator.documents.prices import price_blocks, working_block
from generator.documents.readings import counts_block, readings_block, sources_block
from generator.documents.tables import across_block, pivot_block, table_block
from generator.documents.words import date
from generator.render.blocks import Block, Group, Prose, Row, Section, Steps, Table
from generator.render.blocks import Sheet as PaperSheet
from generator.rules.models import sheet as models

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet, Sheet


def compose(ruleset: RuleSet, sheet: Sheet, fingerprint: str, problems: list[Problem]) -> PaperSheet:
    """The sheet as paper shows it. The sheet must have passed ``generator.rules.checks``."""
    model, manifest = sheet.model, ruleset.manifest
    rows = [
        Row(
            tuple(
                tuple(
                    _section(ruleset, section, sheet.place / "rows" / r / "columns" / c / s, problems)
                    for s, section in enumerate(column)
                )
                for c, column in enumerate(row.columns)
            ),
            row.shares,
            row.new_page,
        )
        for r, row in enumerate(model.rows)
    ]
    return PaperSheet(
        id=f"{ruleset.id}-{model.sheet}",
        title=model.title,
        strap=model.strap,
        kicker=(model.kicker, manifest.short),
        rows=tuple(rows),
        author=f"fieldpress, after {', '.join(manifest.authors)}",
        edition=date(manifest.edition),
        fingerprint=fingerprint,
        source=manifest.title,
        rights=manifest.rights,
        created=manifest.edition if "-" in manifest.edition else f"{manifest.edition}-01-01",
    )


def _section(ruleset: RuleSet, section: models.SectionModel, place: Place, problems: list[Problem]) -> Section:
    blocks: list[Block] = []
    for index, block in enumerate(section.blocks):
        blocks.extend(_blocks(ruleset, block, place / "blocks" / index, problems))
    if section.roomy:
        blocks = [replace(block, roomy=True) if isinstance(block, Table) and block.grid else block for block in blocks]
    if section.abreast > 1:
        blocks = _gather(blocks)
    return Section(section.section, tuple(blocks), section.aside, section.abreast)


def _gather(blocks: list[Block]) -> list[Block]:
    """Tables side by side, each in a place of its own; the words behind them share one."""
    last = max((index for index, block in enumerate(blocks) if isinstance(block, Table)), default=-1)
    words = tuple(blocks[last + 1 :])
    return [*blocks[: last + 1], Group("", words)] if len(words) > 1 else blocks


def _blocks(  # noqa: PLR0911 - one branch for each block that a sheet knows
    ruleset: RuleSet, block: models.BlockModel, place: Place, problems: list[Problem]
) -> tuple[Block, ...]:
    match block:
        case models.StepsBlock():
            return (Steps(ruleset.procedures[block.steps].steps),)
        case models.TableBlock():
            return (table_block(ruleset, block, place, problems),)
        case models.AcrossBlock():
            return (across_block(ruleset, block),)
        case models.PivotBlock():
            return (pivot_block(ruleset, block),)
        case models.GridBlock():
            return grid_blocks(ruleset, block, place, problems)
        case models.PricesBlock():
            return price_blocks(ruleset, block, place, problems)
        case models.WorkingBlock():
            return (working_block(ruleset, block, place, problems),)
        case models.NotesBlock():
            return (Prose(block.notes),)
        case models.ProseBlock():
            return (Prose(block.prose, "text"),)
        case models.KeyBlock():
            return (tint_key(),)
        case models.ReadingsBlock():
            return (readings_block(ruleset, block),)
        case models.CountsBlock():
            return (counts_block(ruleset, block),)
        case models.SourcesBlock():
            return (sources_block(ruleset, block),)
