"""What a battle puts into play, and what the sheets of its rules say about just that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generator.documents.imprint import draft, imprint
from generator.documents.options import options_block
from generator.documents.readings import readings_block
from generator.documents.rosters import hyphened
from generator.documents.sheet import rows_of
from generator.errors import ProblemsError
from generator.render.blocks import Prose, Row, Section
from generator.render.blocks import Sheet as PaperSheet
from generator.rules.models.pictures import ChartBlock
from generator.rules.models.sheet import GridBlock, OptionsBlock, ReadingsBlock, StepsBlock
from generator.rules.sheet_checks import tables_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.problems import Problem
    from generator.rules.kinds import Field
    from generator.rules.models.sheet import BlockModel
    from generator.rules.ruleset import RuleSet, Sheet
    from generator.scenarios.scenario import Scenario


def in_play(scenario: Scenario) -> frozenset[str]:
    """Kinds, fields and values of all designs that are fielded, spelt as ``only_for`` of a section has them."""
    found: set[str] = set()
    for side in scenario.sides:
        for design in side.force.designs if side.force is not None else ():
            found.add(design.kind.id)
            found.update(_words(design.kind.fields, design.values, design.kind.id))
    return frozenset(found)


def _words(fields: Sequence[Field], values: Mapping[str, Any], before: str) -> Iterator[str]:
    for field in fields:
        value = values.get(field.name)
        if value is None or value in (field.default, ()):
            continue
        word = f"{before}.{field.name}"
        yield word
        if field.choice is None:
            for entry in value:
                yield from _words(field.fields, entry, word)
        else:
            yield f"{word}={value}"


def handouts(rules: RuleSet) -> tuple[Sheet, ...]:
    """The sheets that go into packs, those of the layers first."""
    wanted = [one for one in rules.printed_sheets() if one.model.handout]
    return tuple(sorted(wanted, key=lambda one: one.owner not in rules.own))


def rules_in_play(scenario: Scenario, fingerprint: str) -> PaperSheet | None:
    """The quick reference of this battle alone; None where the rules have no sheet for packs.

    Raises ProblemsError where a sheet cannot be printed.
    """
    rules, playing = scenario.rules, in_play(scenario)
    problems: list[Problem] = []
    rows: list[Row] = []
    sheets = handouts(rules)
    for sheet in sheets:
        own = rows_of(rules.as_printed_on(sheet), sheet, problems, playing=playing)
        rows += (replace(row, new_page=False) for row in own)
    if problems:
        raise ProblemsError(*problems)
    strap = "What is in play tonight, and nothing else."
    return _sheet(scenario, "rules", "Rules in play", strap, rows, fingerprint) if rows else None


def readings_in_play(scenario: Scenario, fingerprint: str) -> PaperSheet | None:
    """The rulings on what the quick reference and the designs lean on, and how the options are set."""
    rules = scenario.rules
    playing = in_play(scenario)
    subjects = {rules.kinds[one].title for one in playing if one in rules.kinds}
    subjects |= _subjects(rules, [block for sheet in handouts(rules) for block in _blocks(sheet, playing)])
    for special in scenario.special:
        if special.procedure in rules.procedures:
            subjects.add(rules.procedures[special.procedure].title)
    table = readings_block(rules, ReadingsBlock(readings=("read", "ruled", "gap", "erratum")), subjects)
    rows = []
    if table.rows:
        key = (
            "**Read:** printed badly, read so. **Ruled:** the source is silent or unclear. "
            "**Gap:** the figure is nowhere; your own book has it."
        )
        rows.append(Row(((Section("Readings and rulings that matter here", (Prose((key,)), table)),),)))
    if rules.options:
        options = options_block(rules, OptionsBlock(options="all"))
        rows.append(Row(((Section("Options as they are set", (options,)),),)))
    strap = "Where the sources are silent or unclear, and what this battle goes by."
    return _sheet(scenario, "readings", "Readings", strap, rows, fingerprint) if rows else None


def _blocks(sheet: Sheet, playing: frozenset[str]) -> Iterator[BlockModel]:
    """The blocks that are printed of a sheet."""
    for row in sheet.model.rows:
        for column in row.columns:
            for section in column:
                if section.is_for(playing):
                    yield from section.blocks


def _subjects(rules: RuleSet, blocks: Sequence[BlockModel]) -> set[str]:
    """What blocks are about: the titles of their tables and procedures."""
    procedures = set()
    for block in blocks:
        match block:
            case StepsBlock():
                procedures.add(block.steps)
            case GridBlock():
                procedures.add(block.grid)
            case ChartBlock():
                procedures.add(block.chart)
            case _:
                pass
    return {rules.tables[one].title for one in tables_of(blocks)} | {rules.procedures[one].title for one in procedures}


def _sheet(scenario: Scenario, name: str, title: str, strap: str, rows: Sequence[Row], fingerprint: str) -> PaperSheet:
    manifest = scenario.rules.manifest
    return PaperSheet(
        id=f"{hyphened(scenario.name) or 'scenario'}-{name}",
        title=title,
        strap=strap,
        kicker=(scenario.name, manifest.short),
        rows=tuple(rows),
        banner=draft(scenario.problems),
        **imprint(manifest, fingerprint),
    )
