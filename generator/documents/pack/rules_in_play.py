"""The rules in play: the parts of the rules' sheets that concern a battle."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from generator.documents.blocks.charts import ChartBlock
from generator.documents.blocks.grids import GridBlock
from generator.documents.blocks.options import OptionsBlock, holds, options_block
from generator.documents.blocks.readings import ReadingsBlock, readings_block
from generator.documents.pack.battle import battle_sheet
from generator.documents.reference.sheet import rows_of
from generator.documents.relevance import InPlay
from generator.errors import ProblemsError
from generator.forces.target_profiles import asked_at_guises, odds_at_guises
from generator.render.blocks import Row, Section
from generator.render.page.writing import lines_to_write_on
from generator.rules.check.references import words_of
from generator.rules.check.sheets import tables_of
from generator.rules.model.base import SPECIAL
from generator.rules.model.block import Thinned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.problems import Problem
    from generator.render.blocks import Sheet as PaperSheet
    from generator.rules.model.block import Block
    from generator.rules.model.sheet import SectionModel
    from generator.rules.ruleset import RuleSet, Sheet
    from generator.scenarios.scenario import Scenario


class Handouts:
    """The contents of pack sheets that concern a battle: ``sheets`` of parent rule sets first."""

    def __init__(self, scenario: Scenario, sheets: Sequence[Sheet]) -> None:
        """Collect what is in play: the forces' designs and the special rules."""
        self._scenario = scenario
        special = (f"{SPECIAL}={item.procedure}" for item in scenario.special)
        self._sheets = sheets
        forces = [side.force for side in scenario.sides if side.force is not None]
        self._play = InPlay(scenario.rules, forces, special)
        self._idle = {odds.procedure.id for card in scenario.rules.cards.values() for odds, _ in odds_at_guises(card)}
        """The procedures about targets with a guise that no force has: about aircraft, for example."""
        for force in forces:
            self._idle.difference_update(asked_at_guises(force, (enemy for enemy in forces if enemy is not force)))

    def rows(self) -> tuple[Row, ...]:
        """Return the rows of everything in play. Raises ProblemsError if a sheet cannot be printed."""
        rules = self._scenario.rules
        problems: list[Problem] = []
        rows: list[Row] = []
        for sheet in self._sheets:
            wanted = partial(self._thinned, sheet)
            rows += rows_of(rules.as_printed_on(sheet), sheet, problems, wanted=wanted)
        if problems:
            raise ProblemsError(*problems)
        return tuple(rows)

    def subjects(self) -> set[str]:
        """Return the titles of the tables and procedures on the sheets."""
        rules = self._scenario.rules
        found = {rules.tables[table].title for table in tables_of(self._blocks())}
        return found | {rules.procedures[text].title for text in (*self.told(), *_asked(self._blocks()))}

    def told(self) -> set[str]:
        """Return the procedures whose steps are on the sheets."""
        return {*_told(self._blocks())}

    def _blocks(self) -> Iterator[Block]:
        for sheet in self._sheets:
            for part in (part for row in sheet.model.rows for column in row.columns for part in column):
                thinned = self._thinned(sheet, part)
                if thinned is not None and self._is_set(sheet, part):
                    yield from filter(partial(self._is_set, sheet), thinned.blocks)

    def _is_set(self, sheet: Sheet, what: SectionModel | Block) -> bool:
        """Return whether a section or block is printed with the current options."""
        return holds(self._scenario.rules, what.when, sheet.place, [])

    def _thinned(self, sheet: Sheet, section: SectionModel) -> SectionModel | None:
        """Return the section with only what is in play; None if it is not wanted."""
        spoken_for = {title for item in self._sheets if item.owner != sheet.owner for title in item.model.instead_of}
        aside = not self._scenario.aside.isdisjoint(_shown(section.blocks))
        if section.no_handout or section.section in spoken_for or aside or not self._is_in_play(section):
            return None
        blocks = tuple(block for block in map(self._block, section.blocks) if block is not None)
        shown = [block for block in section.blocks if not block.explains]
        if shown and all(block.explains or isinstance(block, OptionsBlock) for block in blocks):
            return None  # the options are printed behind the readings
        return section.model_copy(update={"blocks": blocks})

    def _is_in_play(self, section: SectionModel) -> bool:
        """Return whether what a section belongs to is in play."""
        belongs = section.of or (*_told(section.blocks), *_asked(section.blocks))
        playing = (name for name in belongs if name not in self._idle)
        return not belongs or any(self._play.has(self._scenario.rules.concerns(name)) for name in playing)

    def _block(self, block: Block) -> Block | None:
        """Return the block with only what is in play; None if nothing is left."""
        return block.in_play(self._scenario.rules, self._play) if isinstance(block, Thinned) else block


def rules_in_play(scenario: Scenario, handouts: Handouts, fingerprint: str) -> PaperSheet | None:
    """Return a quick reference for this battle, with the readings that matter and the option settings.

    None if the rules have none of these. Raises ProblemsError if a sheet cannot be printed.
    """
    rows = [*_in_columns(handouts.rows()), *_readings(scenario, handouts)]
    strap = "What these forces can use. Most of what neither side has is left out."
    kicker = (scenario.name, scenario.rules.manifest.short)
    if not rows:
        return None
    # The players' own rulings go where they look for rulings.
    rows.append(lines_to_write_on("Agreed at this table", "what you have ruled yourselves"))
    return battle_sheet(scenario, "rules", "Rules in play", strap, kicker, rows, fingerprint, flows=True)


def _in_columns(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield each section of two equal columns in a row of half the width, and all other rows as they are."""
    for row in rows:
        if row.half or (len(row.columns) == 2 and not row.shares):  # noqa: PLR2004 - two columns
            yield from (Row(((section,),), half=True) for column in row.columns for section in column)
        else:
            yield row


def _readings(scenario: Scenario, handouts: Handouts) -> list[Row]:
    """Return the readings and rulings that matter in this battle, and the option settings."""
    rules = scenario.rules
    subjects = handouts.subjects()
    for special in scenario.special:
        if (procedure := rules.procedure(special.procedure)) is not None:
            subjects.add(procedure.title)
    mine = _for_play(rules)
    readings = readings_block(mine, ReadingsBlock(readings=("ruled", "gap", "erratum")), subjects)
    rows = []
    if readings:
        rows.append(Row(((Section("Readings and rulings that matter here", readings),),)))
    if rules.options:
        options = options_block(rules, OptionsBlock(options="all"))
        rows.append(Row(((Section("Options as they are set", (options,)),),)))
    return rows


def _for_play(rules: RuleSet) -> RuleSet:
    """Return the rules without the kinds for building forces and without tables from scenario folders."""
    own = {text for folder in rules.chain for text in folder.scenario_ids()}
    return rules._replace(kinds={}, tables={name: item for name, item in rules.tables.items() if name not in own})


def _told(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the procedures whose steps blocks print."""
    return (name for block in blocks for name in words_of(block, "procedure with steps"))


def _shown(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the procedures and tables that blocks print."""
    yield from _told(blocks)
    yield from _asked(blocks)
    yield from tables_of(blocks)


def _asked(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the procedures whose odds blocks print."""
    for block in blocks:
        if isinstance(block, GridBlock):
            yield block.grid
        elif isinstance(block, ChartBlock):
            yield block.chart
