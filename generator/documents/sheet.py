"""A whole sheet: from its description in data to blocks of paper."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.documents.charts import chart_block
from generator.documents.grids import grid_blocks, tint_key
from generator.documents.hexes import hexes_block
from generator.documents.imprint import imprint
from generator.documents.options import holds, options_block
from generator.documents.prices import price_blocks, working_block
from generator.documents.readings import errata_block, limits_block, readings_block, sources_block
from generator.documents.tables import DAGGER, across_block, pivot_block, table_block
from generator.render.blocks import Block, Cell, Chart, Group, Hexes, Prose, Row, Section, Steps, Table
from generator.render.blocks import Sheet as PaperSheet
from generator.rules.models import pictures
from generator.rules.models import sheet as models
from generator.rules.models.block import beginning
from generator.rules.models.table_blocks import AcrossBlock, GridBlock, PivotBlock, TableBlock

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from generator.errors import LayoutError
    from generator.problems import Problem
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet, Sheet

    Printer: TypeAlias = Callable[[RuleSet, Any, Place, list[Problem]], Block | tuple[Block, ...]]
    """What makes blocks of paper of a block of a description."""

_NO_MORE: Mapping[type, Printer] = MappingProxyType({})


def compose(
    ruleset: RuleSet, sheet: Sheet, fingerprint: str, problems: list[Problem], seen: Collection[str] = ()
) -> PaperSheet:
    """The sheet as paper shows it, but for odds of procedures ``seen``; it must have passed ``rules.checks``."""
    model, manifest, short = sheet.model, ruleset.manifest, ruleset.manifest.short
    name = f"{ruleset.id}-{model.sheet}"
    if ruleset.is_one_of_several(sheet):
        name, short = f"{ruleset.id}-{sheet.owner}-{model.sheet}", ruleset.manifests[sheet.owner].short
    return PaperSheet(
        id=name,
        title=model.title,
        strap=model.strap,
        kicker=(model.kicker, short),
        rows=rows_of(ruleset.as_printed_on(sheet), sheet, problems, seen),
        imprint=imprint(manifest, fingerprint, f"fieldpress, after {', '.join(manifest.authors)}"),
    )


def rows_of(
    ruleset: RuleSet,
    sheet: Sheet,
    problems: list[Problem],
    seen: Collection[str] = (),
    more: Mapping[type, Printer] = _NO_MORE,
    wanted: Callable[[models.SectionModel], models.SectionModel | None] = lambda section: section,
) -> tuple[Row, ...]:
    """What stands on a sheet, each section as it is ``wanted``, or not at all.

    ``more`` prints blocks that lean on more than the rules.
    """
    rows = []
    for r, row in enumerate(sheet.model.rows):
        columns = []
        for c, column in enumerate(row.columns):
            place = sheet.place / "rows" / r / "columns" / c
            sections = (
                _section(ruleset, one, place / s, problems, seen, more)
                for s, one in enumerate(map(wanted, column))
                if one is not None
            )
            columns.append(tuple(section for section in sections if section is not None))
        if any(columns):
            shares = tuple(share for share, column in zip(row.shares, columns, strict=False) if column)
            there = tuple(column for column in columns if column)
            half = len(there) == 1 and len(columns) == 2  # noqa: PLR2004 - of two
            rows.append(Row(there, shares, row.new_page, row.loose, half=half))
    return tuple(rows)


def unprintable(ruleset: RuleSet, sheet: Sheet, error: LayoutError) -> Problem:
    """F132 where the sheet describes what cannot be laid out: the block, its section, else the sheet's title."""
    place = _place_of(ruleset, sheet, error.block, error.text)
    hint = error.remedy.to_sheet or error.remedy.to_text
    return place.problem("F132", found=str(error), expected="a page that can be made", hint=hint)


def _place_of(ruleset: RuleSet, sheet: Sheet, name: str, text: str) -> Place:
    """Where the block of this printed name is described: of several, the first in which the text is found as it is."""
    found = []
    for r, row in enumerate(sheet.model.rows):
        for c, column in enumerate(row.columns):
            for s, section in enumerate(column):
                place = sheet.place / "rows" / r / "columns" / c / s
                if section.section == name:
                    found.append((text in section.section or text in section.aside, place / "section"))
                for index, block in enumerate(section.blocks):
                    at = place / "blocks" / index
                    printed = _blocks(ruleset, block, at, []) if holds(ruleset, block.when, at / "when", []) else ()
                    inside = any(text in repr(one) for one in printed)
                    if section.section == name and inside:
                        found.append((True, at))
                    elif any(
                        name and name in (getattr(one, "caption", ""), getattr(one, "title", "")) for one in printed
                    ):
                        found.append((inside, at))
    best = [place for fits, place in found if fits] or [place for _, place in found]
    above = (key for key in ("strap", "kicker") if text in getattr(sheet.model, key))
    return best[0] if best else sheet.place / next(above, "title")


def _section(
    ruleset: RuleSet,
    section: models.SectionModel,
    place: Place,
    problems: list[Problem],
    seen: Collection[str],
    more: Mapping[type, Printer],
) -> Section | None:
    """The section, but for what the options leave out and odds that were seen; None where that is all of it."""
    if not holds(ruleset, section.when, place / "when", problems):
        return None
    blocks: list[Block] = []
    for index, block in enumerate(section.blocks):
        at = place / "blocks" / index
        if holds(ruleset, block.when, at / "when", problems) and _odds_of(block) not in seen:
            blocks.extend(_blocks(ruleset, block, at, problems, more))
    if not blocks:
        return None
    if section.roomy:
        blocks = [replace(block, roomy=True) if isinstance(block, Table) and block.grid else block for block in blocks]
    if section.abreast > 1:
        blocks = _gather(blocks)
    return Section(section.section, tuple(blocks), section.aside, section.abreast)


def _odds_of(block: models.BlockModel) -> str | None:
    """The procedure whose odds a block shows, and nothing that other options change."""
    if isinstance(block, GridBlock) and not block.dice:
        return block.grid
    if isinstance(block, pictures.HexesBlock) and block.odds is not None:
        return block.odds.procedure
    return block.chart if isinstance(block, pictures.ChartBlock) else None


def _gather(blocks: list[Block]) -> list[Block]:
    """Tables and drawings side by side, each in a place of its own; the words behind them share one."""
    last = max((index for index, block in enumerate(blocks) if isinstance(block, Table | Hexes | Chart)), default=-1)
    words = tuple(blocks[last + 1 :])
    return [*blocks[: last + 1], Group("", words)] if len(words) > 1 else blocks


def _blocks(
    ruleset: RuleSet,
    block: models.BlockModel,
    place: Place,
    problems: list[Problem],
    more: Mapping[type, Printer] = _NO_MORE,
) -> tuple[Block, ...]:
    printer = more.get(type(block)) or _PRINTERS[type(block)]
    printed = printer(ruleset, block, place, problems)
    return tuple(map(_told, printed if isinstance(printed, tuple) else (printed,)))


def _told(block: Block) -> Block:
    """The block; a table without rows says that there is nothing."""
    if not isinstance(block, Table) or block.rows:
        return block
    return replace(block, rows=((Cell("None"), *(Cell("") for _ in block.columns[1:])),), group_rows=())


def _steps(ruleset: RuleSet, block: models.StepsBlock) -> tuple[Block, ...]:
    """The steps that hold with the options as they are set; no block where none does."""
    procedure = ruleset.procedures[block.steps]
    steps = tuple(
        f"{DAGGER} {step.says}" if block.changed and step.owner != procedure.owner else step.says
        for step in procedure.steps_now()
        if not step.id or step.id not in block.without
    )
    return (Steps(steps),) if steps else ()


def _notes(block: models.NotesBlock) -> tuple[Block, ...]:
    """Those that are printed, each by itself or as one paragraph; no block where none is."""
    kept = tuple(one for one in block.notes if not beginning(one) or beginning(one) not in block.without)
    if kept and block.joined:
        kept = (block.joined.join(kept).removesuffix(".") + ".",)
    return (Prose(kept),) if kept else ()


_PRINTERS: dict[type, Printer] = {
    models.StepsBlock: lambda ruleset, block, _place, _problems: _steps(ruleset, block),
    TableBlock: table_block,
    AcrossBlock: lambda ruleset, block, _place, _problems: across_block(ruleset, block),
    PivotBlock: pivot_block,
    GridBlock: grid_blocks,
    models.PricesBlock: price_blocks,
    models.WorkingBlock: working_block,
    models.NotesBlock: lambda _ruleset, block, _place, _problems: _notes(block),
    models.ProseBlock: lambda _ruleset, block, _place, _problems: Prose(block.prose, "text"),
    models.KeyBlock: lambda _ruleset, _block, _place, _problems: tint_key(),
    models.ReadingsBlock: lambda ruleset, block, _place, _problems: readings_block(ruleset, block),
    models.SourcesBlock: lambda ruleset, block, _place, _problems: sources_block(ruleset, block),
    models.OptionsBlock: lambda ruleset, block, _place, _problems: options_block(ruleset, block),
    models.ErrataBlock: lambda ruleset, block, _place, _problems: errata_block(ruleset, block),
    models.LimitsBlock: lambda ruleset, block, _place, _problems: limits_block(ruleset, block),
    pictures.HexesBlock: hexes_block,
    pictures.ChartBlock: chart_block,
}
"""What prints each block of a sheet's description."""
