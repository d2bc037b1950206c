"""The blocks of a sheet that are about a design, compiled: with the tables and options of a rule set that is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.rules.binding import Shelf
from generator.rules.figures import FigureReader
from generator.rules.kinds import kinds_of_designs
from generator.rules.models.design_blocks import StripBlock
from generator.rules.validation import check_ids

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.block_checks import Checker
    from generator.rules.figures import CardTable, Stat
    from generator.rules.kinds import Kind
    from generator.rules.models.design_blocks import MeansBlock
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet


def reader_of(ruleset: RuleSet, kind: Kind, problems: list[Problem]) -> FigureReader:
    """What compiles blocks about designs of this kind."""
    shelf = Shelf(ruleset.tables)
    shelf.name_options(ruleset.options)
    return FigureReader(kind, shelf, problems)


def read_strip(reader: FigureReader, block: StripBlock, place: Place) -> tuple[Stat, ...]:
    """Big figures. Codes: R207 an id twice, R221 to R225 for a formula, R231 no such line."""
    check_ids([one.stat for one in block.strip], place / "strip", "stat", reader.problems)
    return tuple(reader.stat(one, place / "strip" / index) for index, one in enumerate(block.strip))


def read_means(reader: FigureReader, block: MeansBlock, place: Place) -> tuple[CardTable, ...]:
    """Tables about a design. Codes: R207 an id twice, R221 to R225 for a formula, R228 no such list."""
    check_ids([one.table for one in block.means], place / "means", "table", reader.problems)
    return tuple(reader.table(one, place / "means" / index)[0] for index, one in enumerate(block.means))


def check_design_block(checker: Checker, block: StripBlock | MeansBlock, of: str | None) -> None:
    """What is wrong with a block about a design. R203: its sheet is of no kind; R231: of one that is not there."""
    key = "strip" if isinstance(block, StripBlock) else "means"
    kinds = kinds_of_designs(checker.ruleset.kinds)
    if of is None:
        expected, hint = "a sheet of a kind", "say of: and the kind whose designs the sheet is printed for"
        problem = checker.at(key).problem("R203", found=f"{key} without of", expected=expected, hint=hint, at_key=True)
        checker.problems.append(problem)
    elif of in kinds:
        reader = reader_of(checker.ruleset, kinds[of], checker.problems)
        if isinstance(block, StripBlock):
            read_strip(reader, block, checker.place)
        else:
            read_means(reader, block, checker.place)
        checker.uses |= reader.binder.shelf.used
