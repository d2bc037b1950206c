"""The reference sheets of a pack: the play sheet and the sheets of layers, with only what a battle uses."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from generator.documents.blocks.composition import Composition, InPlay
from generator.documents.blocks.odds import ChartBlock, GridBlock
from generator.documents.blocks.readings import OptionsBlock, ReadingsBlock, holds, readings_block
from generator.documents.force.rosters import sheet_about
from generator.documents.sheets import rows_of
from generator.forces.cards import asked_at_guises, no_figure, odds_at_guises
from generator.problems import Problem, ProblemsError
from generator.render.blocks import Row, Section
from generator.render.blocks import Sheet as PaperSheet
from generator.render.language import Phrase
from generator.rules.check.references import words_of
from generator.rules.check.ruleset import tables_of
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.model.base import SPECIAL, Block, Thinned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.rules.model.sheet import SectionModel
    from generator.rules.ruleset import Sheet
    from generator.scenarios.scenario import Scenario


class PackReference:
    """The reference sheets of a pack, cut down to what concerns its battle."""

    def __init__(self, scenario: Scenario, sheets: Sequence[Sheet]) -> None:
        """Collect what is in play: the forces' designs and the special rules.

        ``sheets`` are the sheets of rules whose sections the pack may print. Raises ProblemsError (R241) if a formula
        of a card has no answer for a design.
        """
        self._scenario = scenario
        self._sheets = sheets
        special = (f"{SPECIAL}={item.procedure}" for item in scenario.special)
        forces = [side.force for side in scenario.sides if side.force is not None]
        self._play = InPlay(scenario.rules, forces, special)
        self._idle = {odds.procedure.id for card in scenario.rules.cards.values() for odds, _ in odds_at_guises(card)}
        """The procedures about targets with a guise that no force has: about aircraft, for example."""
        try:
            for force in forces:
                self._idle.difference_update(asked_at_guises(force, (enemy for enemy in forces if enemy is not force)))
        except FormulaUseError as error:
            raise no_figure(error, scenario.place, "the reference sheets") from None

    def sheet(self, sheets: Sequence[Sheet], fingerprint: str) -> PaperSheet | None:
        """Return some of the sheets as one sheet with only what is in play; None if no row is left.

        Only a play sheet that is alone keeps its own layout. Otherwise each section of two equal columns gets a
        half-width row. Sheets without a row do not count. ``fingerprint`` is that of the rule data, for the foot.

        Raises ProblemsError with the problems of the blocks, and FormulaUseError for a formula without an answer.
        """
        scenario = self._scenario
        problems: list[Problem] = []
        printed: list[Sheet] = []
        rows: list[Row] = []
        for sheet in sheets:
            rules = scenario.rules.as_printed_on(sheet)
            if found := rows_of(rules, sheet, problems, wanted=partial(self._thinned, sheet)):
                printed.append(sheet)
                rows += found
        if problems:
            raise ProblemsError(*problems)
        if not printed:
            return None
        first, alone = printed[0].model, len(printed) == 1
        title, plays = first.title if alone else Phrase("PackReference"), alone and first.plays
        strap = first.strap if alone and first.in_packs else self.titles(printed)
        rows = rows if plays else [*_in_columns(rows)]
        name, kicker = f"{printed[0].owner}-{first.sheet}", (scenario.name, scenario.rules.manifest.short)
        return sheet_about(scenario, name, title, strap, kicker, rows, fingerprint, flows=not plays)

    def titles(self, sheets: Sequence[Sheet]) -> str:
        """Return the titles for a print plan, with commas between them; empty if nothing is printed.

        A play sheet or a handout has its own title if at least one of its sections is in play. Any other sheet has the
        titles of its handout sections that are in play instead. Raises FormulaUseError as ``sheet`` does.
        """
        listed: list[str] = []
        for sheet in sheets:
            printed = (part.section for part in sheet.model.sections() if self._thinned(sheet, part))
            listed += [sheet.model.title for _ in islice(printed, 1)] if sheet.model.in_packs else printed
        return Phrase.joined(", ", listed)

    def told(self) -> set[str]:
        """Return the ids of the procedures whose steps are on the sheets, so that no other sheet prints these steps.

        Raises FormulaUseError as ``sheet`` does.
        """
        return {*_told(self._blocks())}

    def readings(self, fingerprint: str) -> PaperSheet | None:
        """Return a sheet of the readings that matter in this battle, and of the options; None if there are neither.

        Readings are statements with the status ruled, gap or erratum, and gaps that players filled. Statements about
        building forces, and statements in tables for scenarios, are left out. All options of the rules are listed.
        ``fingerprint`` is that of the rule data, for the foot. Raises FormulaUseError as ``sheet`` does.
        """
        scenario, rules = self._scenario, self._scenario.rules
        procedures = {*self.told(), *_asked(self._blocks()), *(item.procedure for item in scenario.special)}
        subjects = {rules.tables[table].title for table in tables_of(self._blocks())}
        subjects |= {rules.procedures[name].title for name in procedures if name in rules.procedures}
        # No reading about building forces, and none from scenario folders.
        own = {text for folder in rules.chain for text in folder.scenario_ids()}
        tables = {name: item for name, item in rules.tables.items() if name not in own}
        statuses = ReadingsBlock(readings=("ruled", "gap", "erratum"))
        readings = readings_block(rules._replace(kinds={}, tables=tables), statuses, subjects)
        rows = [Section("Readings and rulings", readings)] if readings else []
        if rules.options:
            options = OptionsBlock(options="all").compose(Composition(rules, scenario.place, []))
            rows.append(Section("Options", (options,)))
        title, kicker = "Readings", (scenario.name, rules.manifest.short)
        strap = "How the rules of this battle are read where they leave a question open"
        return sheet_about(scenario, "readings", title, strap, kicker, rows, fingerprint) if rows else None

    def _blocks(self) -> Iterator[Block]:
        for sheet in self._sheets:
            for part in sheet.model.sections():
                if (thinned := self._thinned(sheet, part)) is not None:
                    yield from filter(partial(self._is_set, sheet), thinned.blocks)

    def _is_set(self, sheet: Sheet, what: SectionModel | Block) -> bool:
        """Return whether the current options allow a section or block. Raises FormulaUseError as ``holds`` does."""
        return holds(self._scenario.rules, what.when, sheet.place, [])

    def _thinned(self, sheet: Sheet, section: SectionModel) -> SectionModel | None:
        """Return the section with only what is in play; None if nothing of it is.

        Also None if only explanations and options are left, unless the section has nothing but explanations. Also None
        if the special rules set aside a procedure or table that the section prints. Also None if neither the section
        nor its sheet is a handout, unless the sheet is a play sheet. Also None if an option leaves it out. Raises
        FormulaUseError for a condition without an answer.
        """
        printed = sheet.model.in_packs or section.handout
        if not printed or not self._is_set(sheet, section):
            return None
        shown_ids = {*_told(section.blocks), *_asked(section.blocks), *tables_of(section.blocks)}
        if not shown_ids.isdisjoint(self._scenario.aside) or not self._is_in_play(section):
            return None
        rules, play = self._scenario.rules, self._play
        thinned = (block.in_play(rules, play) if isinstance(block, Thinned) else block for block in section.blocks)
        blocks = tuple(block for block in thinned if block is not None)
        shown = [block for block in section.blocks if not block.explains]
        if shown and all(block.explains or isinstance(block, OptionsBlock) for block in blocks):
            return None  # the options are printed behind the readings
        return section.model_copy(update={"blocks": blocks})

    def _is_in_play(self, section: SectionModel) -> bool:
        """Return whether any procedure or part that a section belongs to is in play.

        A section without ``of`` belongs to the procedures that it prints. True if it belongs to nothing.
        """
        belongs = section.of or (*_told(section.blocks), *_asked(section.blocks))
        playing = (name for name in belongs if name not in self._idle)
        return not belongs or any(self._play.has(self._scenario.rules.concerns(name)) for name in playing)


def _in_columns(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield each section of a half-width row, or of a row of two equal columns, in a half-width row of its own.

    Yield all other rows unchanged.
    """
    for row in rows:
        if row.half or (len(row.columns) == 2 and not row.shares):  # noqa: PLR2004 - two columns
            yield from (Row(((section,),), half=True) for column in row.columns for section in column)
        else:
            yield row


def _told(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the ids of the procedures whose steps are printed in the blocks. An id may come twice."""
    return (name for block in blocks for name in words_of(block, "procedure with steps"))


def _asked(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the ids of the procedures whose odds are printed in grids or charts. An id may come twice."""
    return (getattr(block, block.keyword) for block in blocks if isinstance(block, GridBlock | ChartBlock))
