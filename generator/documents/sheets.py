"""The sheets of a rule set: composed from their descriptions in rule data, and proved with every option setting."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generator.documents.blocks.composition import Composition
from generator.documents.blocks.readings import holds, reading_numbers
from generator.documents.words import imprint
from generator.problems import LayoutError, Problem, ProblemsError, Span, has_errors
from generator.render.blocks import Block, Cell, Chart, Group, Hexes, Row, Section, Table
from generator.render.blocks import Sheet as PaperSheet
from generator.rules.check.ruleset import MAX_COMBINATIONS, check_ruleset, check_words, untouched
from generator.rules.entries.choices import other_settings
from generator.rules.load.load import ALL, load
from generator.rules.model.manifest import DOT
from generator.rules.procedures.answers import spell_inputs
from generator.rules.source.library import (
    BATTLES,
    CHANGES,
    ERRATA,
    FOLDERS,
    MANIFEST,
    MISSIONS,
    SAMPLES,
    SCENARIO,
    Folder,
    Library,
)
from generator.scenarios.scenario import check_names, columns_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from generator.forces.force import Design
    from generator.rules.model.base import Block as BlockModel
    from generator.rules.model.sheet import SectionModel
    from generator.rules.ruleset import RuleSet, Sheet
    from generator.rules.source.parts import Place


def compose(
    ruleset: RuleSet, sheet: Sheet, fingerprint: str, problems: list[Problem], seen: Collection[str] = ()
) -> PaperSheet:
    """Return a printable sheet of a rule set. The rule set must have passed its check.

    ``fingerprint`` is that of the rule data, for the foot. Blocks that show only the odds of procedures in ``seen`` are
    left out. Problems of the blocks are added. Raises ProblemsError, such as R241, for a block without an answer.
    """
    model, manifest, short = sheet.model, ruleset.manifest, ruleset.manifest.short
    name = f"{ruleset.id}-{model.sheet}"
    if ruleset.is_one_of_several(sheet):
        name, short = f"{ruleset.id}-{sheet.owner}-{model.sheet}", ruleset.manifests[sheet.owner].short
    numbers = reading_numbers(ruleset) if model.plays else None
    rows = rows_of(ruleset.as_printed_on(sheet), sheet, problems, seen, numbers=numbers)
    tables = (block for row in rows for block in row.blocks if isinstance(block, Table))
    printed = {cell.mark for table in tables for cells in table.rows for cell in cells}
    marked = numbers is not None and not printed.isdisjoint(numbers.values())
    return PaperSheet(
        id=name,
        title=model.title,
        strap=model.strap,
        kicker=(f"{model.kicker}{DOT}R: see Readings" if marked else model.kicker, short),
        rows=rows,
        imprint=imprint(manifest, fingerprint, f"fieldpress, after {', '.join(manifest.authors)}"),
    )


def rows_of(
    ruleset: RuleSet,
    sheet: Sheet,
    problems: list[Problem],
    seen: Collection[str] = (),
    design: Design | None = None,
    wanted: Callable[[SectionModel], SectionModel | None] = lambda section: section,
    *,
    numbers: Mapping[int, str] | None = None,
) -> tuple[Row, ...]:
    """Return the rows of a sheet, without empty rows and columns; problems of the blocks are added.

    ``wanted`` changes each section, or returns None to leave it out. Blocks that show only the odds of procedures in
    ``seen`` are left out. ``design`` is the design of a sheet about a design. ``numbers`` are the numbers of rulings in
    the list of readings, by the ``id`` of a ruling's provenance.

    Raises ProblemsError as ``compose`` does. Raises FormulaUseError for a formula of a block or condition without an
    answer, which the check of a rule set reports.
    """
    rows = []
    for r, row in enumerate(sheet.model.rows):
        columns = []
        for c, column in enumerate(row.columns):
            place = sheet.place / "rows" / r / "columns" / c
            work = Composition(ruleset, place, problems, design, sheet.model.plays, numbers)
            there = ((work._replace(place=place / s), item) for s, item in enumerate(map(wanted, column)) if item)
            columns.append(tuple(filter(None, (_section(item, at, seen) for at, item in there))))
        if any(columns):
            shares = tuple(share for share, column in zip(row.shares, columns, strict=False) if column)
            filled = tuple(column for column in columns if column)
            half = len(filled) == 1 and len(columns) == 2 and not sheet.model.plays  # noqa: PLR2004 - of two
            rows.append(Row(filled, shares, row.new_page, row.loose, half=half, phase=row.phase))
    return tuple(rows)


def unprintable(ruleset: RuleSet, sheet: Sheet, error: LayoutError) -> Problem:
    """Return F132 for a layout error: at the block, its section, or the sheet's strap, kicker or title."""
    place = _place_of(ruleset, sheet, error.block, error.text)
    hint = error.remedy.to_sheet or error.remedy.to_text
    return place.problem("F132", "a page that can be printed", str(error), hint)


def _place_of(ruleset: RuleSet, sheet: Sheet, name: str, text: str) -> Place:
    """Return the place in the data of the section or block with this printed name, preferably of one with the text.

    A block also counts as having the name of its section. If none matches, return the place of the strap or kicker that
    has the text, or else of the title.
    """
    found = []
    for section, place in sheet.sections():
        if section.section == name:
            found.append((text in section.section or text in section.aside, place / "section"))
        for index, block in enumerate(section.blocks):
            at = place / "blocks" / index
            applies = holds(ruleset, block.when, at / "when", [])
            printed = _blocks(block, Composition(ruleset, at, [])) if applies else ()
            names = {section.section, *(getattr(item, key, "") for item in printed for key in ("caption", "title"))}
            if name in names:
                found.append((any(text in repr(block) for block in printed), at))
    best = [place for fits, place in found if fits] or [place for _, place in found]
    above = (key for key in ("strap", "kicker") if text in getattr(sheet.model, key))
    return best[0] if best else sheet.place / next(above, "title")


def _section(section: SectionModel, context: Composition, seen: Collection[str]) -> Section | None:
    """Return a section without the blocks that options exclude, and without those that show only odds in ``seen``.

    ``seen`` holds ids of procedures. Return None if options exclude the section, or if no block is left. Adds the
    problems of conditions and blocks to the problems of ``context``. Raises as ``rows_of`` does.
    """
    ruleset, place, problems = context[:3]
    if not holds(ruleset, section.when, place / "when", problems):
        return None
    blocks: list[Block] = []
    for index, block in enumerate(section.blocks):
        at = place / "blocks" / index
        if holds(ruleset, block.when, at / "when", problems) and block.only_odds_of() not in seen:
            blocks.extend(_blocks(block, context._replace(place=at)))
    if not blocks:
        return None
    if context.large:
        blocks = [replace(block, roomy=True) if isinstance(block, Table) else block for block in blocks]
    if section.abreast > 1:
        blocks = _gather(blocks)
    return Section(section.section, tuple(blocks), section.aside, section.abreast)


def _gather(blocks: list[Block]) -> list[Block]:
    """Return the blocks for a section with blocks side by side.

    Every block up to the last table, chart or hex diagram keeps its place. The blocks after it share one place. Without
    a table, chart or hex diagram, all blocks share one place.
    """
    last = max((index for index, block in enumerate(blocks) if isinstance(block, Table | Hexes | Chart)), default=-1)
    words = tuple(blocks[last + 1 :])
    return [*blocks[: last + 1], Group("", words)] if len(words) > 1 else blocks


def _blocks(block: BlockModel, context: Composition) -> tuple[Block, ...]:
    printed = block.compose(context)
    return tuple(map(_told, printed if isinstance(printed, tuple) else (printed,)))


def _told(block: Block) -> Block:
    """Return the block; a table without rows gets a row "None"."""
    if not isinstance(block, Table) or block.rows:
        return block
    return replace(block, rows=((Cell("None"), *(Cell("") for _ in block.columns[1:])),), group_rows=())


def proof(library: Library, name: str, progress: Callable[[int, int, str], None] = lambda *_: None) -> list[Problem]:
    """Return the problems of a rule set. If there is no error, the rule set is also checked with other option settings.

    ``name`` is an id, or several ids joined by ``+``. ``progress`` is called before each sheet is made, then before
    each other setting is checked. It gets the count of those done, the count of all, and a text that names the next.
    Unused files are always reported (R239). If the rule set cannot be loaded, all other problems are those of loading.
    """
    ruleset, problems = _proof(library, name, progress=progress)
    if ruleset is not None and any(folder.scenario_ids() for folder in ruleset.chain):
        whole = not has_errors(problems)  # after an error, further checks would only report consequences
        ground = load(library, name, problems, only=[(SCENARIO, ALL)])
        problems += columns_problems(ground) if ground is not None and not has_errors(problems) else ()
        if ground is not None and whole:
            check_names(ground, ruleset, problems)
            check_words(ground.tables.values(), ground.own, problems)
    problems += [stray for folder in map(library.find, name.split("+")) if folder for stray in unused_files(folder)]
    if ruleset is None or has_errors(problems):
        return problems
    return problems + _otherwise(library, ruleset, progress)


def _proof(
    library: Library,
    name: str,
    parts: int = 1,
    changed: Collection[str] | None = None,
    progress: Callable[[int, int, str], None] = lambda *_: None,
) -> tuple[RuleSet | None, list[Problem]]:
    """Return a rule set and its problems; None if the rule set cannot be loaded.

    A rule set with errors of loading is not checked further. If there is no error, its own sheets are made, too.
    ``progress`` is called before each of them, as in ``proof``. The highest number of combinations of inputs to try is
    divided by ``parts``. With the names of ``changed`` options, odds that do not depend on these options are not
    checked again.
    """
    problems: list[Problem] = []
    ruleset = load(library, name, problems)
    seen = () if ruleset is None or changed is None else untouched(ruleset.procedures, changed)
    try:
        if ruleset is not None and not has_errors(problems):
            check_ruleset(ruleset, problems, MAX_COMBINATIONS // parts, seen)
        if ruleset is not None and not has_errors(problems):
            sheets = ruleset.own_sheets()
            for index, sheet in enumerate(sheets):  # some problems only appear when a sheet is made: designs, prices
                progress(index, len(sheets), f"{name}, {sheet.model.title}")
                compose(ruleset, sheet, "", problems, seen)
    except ProblemsError as error:
        problems += error.problems
    return ruleset, problems


def _otherwise(library: Library, ruleset: RuleSet, progress: Callable[[int, int, str], None]) -> list[Problem]:
    """Return the errors that occur only with other option settings, each once, with the first settings that cause it.

    The settings are those of ``other_settings``, and are added to the problem's ``found``. Options that a user has set
    keep their values. ``progress`` is called before each setting, as in ``proof``. The rule set must have no errors.
    """
    held = {option.name for option in library.settings.options_for({folder.ruleset for folder in ruleset.chain})}
    ways = other_settings(ruleset.options, held)
    problems: dict[tuple[str, Span, str], Problem] = {}
    for index, way in enumerate(ways):
        progress(index, len(ways), f"{ruleset.id} with {spell_inputs(way)}")
        for problem in _proof(library.with_options(way), ruleset.id, len(ways), way)[1]:
            if problem.severity == "error":
                said = problem._replace(found=f"{problem.found}, with {spell_inputs(way)}")
                problems.setdefault((problem.code, problem.span, problem.field), said)
    return list(problems.values())


_HEADS = (MANIFEST, CHANGES, ERRATA)
_FOLDERS = (*FOLDERS, MISSIONS, SAMPLES, BATTLES)


_DATA = (".yaml", ".yml", ".json", ".csv")
"""The endings of rule data; other files, such as notes and pictures, are not reported."""


def unused_files(folder: Folder) -> list[Problem]:
    """Return R239 (advice) for each file of a rule set that looks like rule data and that nothing reads.

    Rule data are .yaml, .yml, .json and .csv files in the folder of the rule set and in all folders inside it. Hidden
    files, and files in hidden folders, do not count.
    """
    read = {folder.path / name for name in _HEADS}
    read.update(file for name in _FOLDERS for file in (folder.path / name).glob("*.yaml"))
    found = []
    for file in sorted({*folder.path.rglob("*")} - read):
        way = file.relative_to(folder.path)
        hidden = any(part.startswith(".") for part in way.parts)
        if file.suffix.lower() in _DATA and not hidden and file.is_file():
            hint = "rename or move the file, or delete it"
            expected = f"{', '.join(_HEADS)}, or a file ID.yaml right in {'/, '.join(_FOLDERS)}/"
            span = Span(folder.show(*way.parts))
            found.append(Problem("R239", span, expected, "a file that nothing reads", hint=hint, severity="advice"))
    return found
