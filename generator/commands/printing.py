"""Print the sheets of rule sets, forces and scenarios."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from generator.commands.access import (
    Data,
    is_players,
    is_scenario,
    load_valid,
    no_sheets,
    rulesets_named,
    sheet_hint,
    unknown,
)
from generator.commands.books import find_supplements, in_theme, supplement_job, unpacked
from generator.commands.forces import fires_of, load_force_file
from generator.commands.jobs import (
    BLANKS,
    BOOK,
    CARDS,
    EVERYTHING,
    MARKERS,
    MATCHUP,
    ROSTER,
    SHEETS,
    Findings,
    Job,
    Pack,
    Selection,
    in_known_spelling,
    in_large_print,
    unknown_parts,
    unprintable,
)
from generator.commands.languages import in_language
from generator.commands.printer import LARGE, Output, Printer, imposed, is_imposed
from generator.problems import LayoutError, Problem, ProblemsError, RenderError, Span, has_errors, raise_errors, refused
from generator.reporting.problems import problem_data
from generator.rules.describe.differences import fingerprint, set_words
from generator.rules.load.load import ALL
from generator.rules.source.library import SCENARIO, Library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from generator.forces.force import Force
    from generator.render.blocks import Sheet
    from generator.render.page.html import Document


def build(
    library: Library,
    what: Sequence[str],
    output: Output,
    selection: Selection = EVERYTHING,
    progress: Callable[[int, int, str], None] = lambda _done, _all, _text: None,
    written: Callable[[Data], None] = lambda _: None,
    compared: list[Problem] | None = None,
) -> tuple[Data, tuple[Problem, ...]]:
    """Write the sheets of rule sets, forces, scenarios and books as files; return data about the files, and problems.

    ``what`` are the words of the command line. Players' files with errors are printed as drafts, if they can be read,
    their rules are known and their signs can be printed. The problems of forces that are only compared are added to
    ``compared``. :class:`Printer` calls ``progress`` and ``written``. Pictures of the parts of a battle are never
    bound, so that no picture goes to the wrong side.

    Raises ProblemsError, before anything is written, if the rule data or the question has errors, or a file has no
    draft. F131 is for a file that cannot be written, or for two documents of the same name. Raises RenderError if a
    page cannot be made, or ProblemsError if players' files have errors, too.
    """
    found = Findings(compared=[] if compared is None else compared)
    selection = selection._replace(bind=selection.bind and not output.dpi)
    edition, imposition = output.edition, output.imposition
    if imposition and not selection.bind and not edition:  # cards in bound packs and in editions are index cards
        selection = selection._replace(size=imposition.size)

    def begin(job: Job) -> None:
        if output.is_plain:
            printer.begin_job(job, bound=selection.bind)

    with _faults_beside(found.faults), Printer(output, progress) as printer, unpacked(what) as words:
        printer.warm_up(filter(is_players, map(Path, words)))
        books = find_supplements([word for word in words if word != "all" or not selection.only])
        found.known.update({BOOK: None} if books else {})
        jobs = jobs_of(library, [word for word in words if word not in books], selection, found, begin)
        job_of = partial(supplement_job, jobs_of=jobs_of, faults=found.faults)
        alone = BOOK in selection.only
        jobs += [job_of(library, folder, found.problems, alone=alone) for folder in books.values()]
        _must_have_files_of_their_own(jobs, output.out)
        if edition:
            jobs = edition.changed(jobs)
        if output.theme:
            jobs = in_theme(jobs, output.theme)
        if output.language or output.centimetres:
            jobs = in_language(library, jobs, output, found.problems)
        if output.size == LARGE:
            jobs = [in_large_print(job) for job in jobs]
        compares = edition or selection.since  # cards that have not changed are not missing
        if imposition and (not compares or any(is_imposed(job, imposition) for job in jobs)):
            jobs = imposed(jobs, imposition, output.papers)
        printed = printer.print_all(jobs, written)
    reported = tuple(dict.fromkeys((*found.problems, *found.faults)))
    return {"built": printed, "problems": [problem_data(problem) for problem in reported]}, reported


def jobs_of(
    library: Library,
    what: Sequence[str],
    selection: Selection,
    found: Findings | None = None,
    begin: Callable[[Job], None] = lambda _: None,
) -> list[Job | Pack]:
    """Return the print jobs of all rule sets in ``what``, then of all forces, then of all battles.

    Problems are added to the lists of ``found``, but its ``known`` and ``of_kinds`` stay as they are. ``begin`` is
    called with each part of a pack as soon as the part is composed. Raises ProblemsError if the rule data or the
    question has errors, such as R319 for an unknown sheet. R328 is for an option that needs a force or a battle, if
    none is named.
    """
    found = Findings() if found is None else replace(found, known={**found.known}, of_kinds=set())
    problems = found.problems
    jobs: list[Job | Pack] = []
    what = _with_battles(library, what, selection)
    players = [word for word in what if is_players(Path(word))]
    rulesets = [word for word in what if word not in players]
    files = [*{Path(word).resolve(): word for word in players}.values()]
    rulesets_named(library, rulesets)  # words that name nothing are reported before anything is composed
    battles = [file for file in files if is_scenario(Path(file))]
    forces = [Path(file) for file in files if file not in battles]
    if forces:
        jobs += force_jobs(library, forces, selection, found)
    if battles:
        from generator.commands.packs import scenario_jobs

        jobs += [job for file in battles for job in scenario_jobs(library, Path(file), selection, found, begin)]
    if rulesets:
        jobs[:0] = ruleset_jobs(library, rulesets, selection.only, found)  # the rule sets' sheets come first
    if not forces:
        chosen = selection._replace(parts=()) if battles else selection
        options = (*chosen.of_cards(), *(f"--only {text}" for text in selection.only if text in found.of_kinds))
        expected, hint = "a force file to print cards of", "name a force file before it"
        problems += [refused("R328", text, expected, text, hint) for text in options]  # they would have no effect
    if selection.bind and not battles:
        hint = "name a battle, or leave it out"
        problems.append(refused("R328", "--bind", "a battle whose parts are joined", "--bind", hint))
    absent = [text for text in selection.only if text not in found.known]
    if absent:  # an option about cards may be meant for the misspelt sheet
        problems[:] = [problem for problem in problems if problem.code != "R328"]
    expected = "a part of this pack" if battles else "a sheet of this force" if forces else "a sheet of this rule set"
    expected = "book, for a book without its handouts" if BOOK in found.known and not what else expected
    for text in absent:
        problem = unknown("R319", "sheet", text, [*found.known])
        parts = ", ".join(name for name in found.known if text in name.split("-"))
        hint = f"name one of the parts with {text}: {parts}" if parts else problem.hint
        hints = (sheet_hint(load_valid(library, name), text) for name in rulesets_named(library, rulesets))
        problems.append(problem._replace(expected=expected, hint=next(filter(None, hints), hint)))
    raise_errors(tuple(dict.fromkeys(problems)))
    return jobs


def force_jobs(library: Library, paths: Sequence[Path], selection: Selection, found: Findings) -> list[Job]:
    """Return the print jobs of forces. Forces with errors are printed as drafts.

    The names of sheets are added to ``found.known``, and the problems of the forces to ``found.faults``. The problems
    of the forces of ``--against`` and ``--since`` are added to ``found.compared``.

    Returns no jobs if it adds a problem to ``found.problems``. F132: characters that cannot be printed. F214: an
    unknown part. F215: a force of another game to compare with. R328: an option about cards or sheets that ``--only``
    leaves out. Raises ProblemsError as ``load_force_file``, ``deck``, ``fires_of`` and ``sheets_of_designs`` do.
    """
    from generator.documents.unprintable import strange_signs

    found.known.update(dict.fromkeys((ROSTER, CARDS, MATCHUP)))
    cards = selection.sheet(CARDS) or bool(selection.against and selection.sheet(MATCHUP))
    more = (*((CARDS,) if cards else ()), *((SHEETS,) if selection.of_kinds() else ()))
    forces = [load_force_file(library, path, more) for path in paths]
    for force in forces:
        found.known.update(dict.fromkeys(kind.model.sheet for kind in force.rules.sheets_of_kinds()))
    enemy = load_force_file(library, selection.against, (CARDS,)) if selection.against and cards else None
    before = load_force_file(library, selection.since, more) if selection.since and more else None
    found.compared.extend(problem for force in (enemy, before) if force is not None for problem in force.problems)
    names = [design.name for force in forces for design in force.designs]
    names += [unit.name for force in forces for unit in force.units]
    several = [*dict.fromkeys(names)]
    listed = None if several else "correct the force first"
    selection = selection._replace(parts=[*in_known_spelling(selection.parts, several)])
    missing = unknown_parts(selection.parts, names, "a design or a unit of the force", listed)
    missing += _options_without_sheets(selection)
    missing += _of_another_game(forces, "--against", enemy)
    missing += _of_another_game(forces, "--since", before)
    missing += [problem for force in forces for problem in strange_signs(force)]
    found.problems.extend(missing)
    for force in forces:
        found.faults.extend(force.problems)
    if missing:
        return []
    return [job for force in forces for job in _jobs_of_force(force, selection, enemy, before)]


def _jobs_of_force(force: Force, selection: Selection, enemy: Force | None, before: Force | None) -> Iterator[Job]:
    """Yield the wanted jobs of a force: its roster, its cards, its odds against ``enemy``, the sheets of its designs.

    Without an enemy there are no odds. Cards and sheets of designs that are the same in the earlier force ``before``
    are left out. Raises ProblemsError as ``deck``, ``fires_of`` and ``sheets_of_designs`` do.
    """
    from generator.documents.force.cards import by_sides, deck
    from generator.documents.force.designs import sheets_of_designs
    from generator.documents.force.rosters import matchup_sheet, roster, with_code

    mark = fingerprint(force.rules)
    blame = partial(unprintable, force.place)
    if selection.sheet(ROSTER):
        sheet = with_code(roster(force, mark), force)
        yield Job(sheet, ROSTER, sheet.id, blame)
    if selection.sheet(CARDS):
        cards = deck(force, mark, enemy, frozenset(selection.parts))
        if before is not None:
            printed = frozenset(deck(before, mark, enemy).cards)
            cards = replace(cards, cards=tuple(card for card in cards.cards if card not in printed))
        yield from (Job(some, CARDS, some.id, blame) for some in by_sides(cards, selection.size))
    if enemy is not None and selection.sheet(MATCHUP):
        sheet = matchup_sheet(force, enemy.name, fires_of(force, enemy), mark)
        yield Job(sheet, MATCHUP, sheet.id, blame)
    if not force.rules.sheets_of_kinds():
        return
    earlier = [_contents(sheet) for _, sheet in sheets_of_designs(before, mark)] if before is not None else []
    for name, sheet in sheets_of_designs(force, mark, frozenset(selection.parts)):
        if selection.sheet(name) and _contents(sheet) not in earlier:
            yield Job(sheet, name, sheet.id, blame)


def _contents(sheet: Sheet) -> tuple[object, ...]:
    """Return the contents of a sheet for comparison, without the name of its force."""
    return sheet.title, sheet.strap, sheet.banner, sheet.rows


def _options_without_sheets(selection: Selection) -> Iterator[Problem]:
    """Yield R328 for each ``--part``, ``--since`` or ``--against`` if ``--only`` leaves out all that it is allowed for.

    Each is allowed for cards; ``--against`` also for the matchup, the other options also for sheets of designs. Also
    yield R328 for ``--only matchup`` without ``--against``.
    """
    for option in selection.of_cards():
        more = selection.sheet(MATCHUP) if option.startswith("--against") else selection.of_kinds()
        if not more and not selection.sheet(CARDS):
            expected, hint = "cards or sheets of designs to print", f"add --only {CARDS}, or leave it out"
            yield refused("R328", option, expected, option, hint)
    if MATCHUP in selection.only and not selection.against:
        option = f"--only {MATCHUP}"
        yield refused("R328", option, "a force to compare with", option, "add --against FORCE.yaml")


def _of_another_game(forces: Sequence[Force], option: str, other: Force | None) -> Iterator[Problem]:
    """Yield F215 for each printed force that shares no rules with the ``other`` force, which ``option`` names.

    Yield nothing if there is no other force.
    """
    theirs = {folder.ruleset for folder in other.rules.chain} if other is not None else set()
    for force in forces:
        if other is not None and theirs.isdisjoint(folder.ruleset for folder in force.rules.chain):
            at, expected = other.place / "rules", f"a force of {force.rules.id}"
            hint = f"name a force of this game after {option}, or leave it out"
            yield at.problem("F215", expected, other.rules.id, hint)


@contextmanager
def _faults_beside(faults: list[Problem]) -> Iterator[None]:
    """Add ``faults``, the problems of players' files, to a ProblemsError of the ``with`` block.

    A RenderError with a problem becomes a ProblemsError with both. All other exceptions are raised unchanged, and so is
    every exception if no fault is an error.
    """
    try:
        yield
    except (ProblemsError, RenderError) as error:
        of_page = error.problem if isinstance(error, RenderError) else None
        found = error.problems if isinstance(error, ProblemsError) else ()
        found = (of_page._replace(hint="fix the other problems first"),) if of_page else found
        if not found or not has_errors(faults):
            raise
        raise ProblemsError(*dict.fromkeys((*faults, *found))) from None


def _must_have_files_of_their_own(jobs: Sequence[Job | Pack], out: Path) -> None:
    """Raise ProblemsError (F131) for the first two jobs that would be written into the same file."""
    first: dict[str, Job | Pack] = {}
    for job in jobs:
        if first.setdefault(job.stem, job) is not job:
            expected, found = "a file name of its own for each document", "two documents with this name"
            hint = "rename one of them, or print each into its own folder with --out"
            raise ProblemsError(Problem("F131", Span(str(out / job.stem)), expected, found, hint=hint))


def _with_battles(library: Library, what: Sequence[str], selection: Selection) -> list[str]:
    """Return the words of the command line, with the ids of finished battles replaced by their files.

    Each word is in the result once. ``all`` is followed by every finished battle, unless ``only`` names sheets. A
    folder with rule sets is replaced by them, unless a battle has its name.

    Raises ProblemsError: R301 for a word that looks like a misspelt battle.
    """
    from generator.scenarios.files import battles_in_reach, misspelt_battle, path_of_battle

    words: dict[str, None] = {}
    for word in what:
        if word == "all":
            words[word] = None
            words.update((str(item.path), None) for item in battles_in_reach(library).values() if not selection.only)
        elif (battle := path_of_battle(library, word)) is not None:
            words[str(battle)] = None
        elif Path(word).is_dir() and (inside := library.inside(Path(word))):
            words.update(dict.fromkeys(inside))
        elif (misspelt := misspelt_battle(library, word)) is not None:
            raise ProblemsError(misspelt)
        else:
            words[word] = None
    return list(words)


def ruleset_jobs(library: Library, what: Sequence[str], only: Sequence[str], found: Findings) -> list[Job]:
    """Return the print jobs of rule sets; ``only`` names the wanted sheets, and is empty for all sheets.

    A rule set without sheets of its own has those of its parents, but none if only ``all`` names it. Markers and blank
    cards are printed only if ``only`` names them. The names of sheets and the problems that checks find are added to
    ``found``, such as R319 for a named rule set without sheets. If a rule set's checks find errors, its sheets have no
    jobs.

    Raises ProblemsError for a rule set that is unknown or cannot be loaded.
    """
    from generator.documents import sheets
    from generator.rules.check.ruleset import check_ruleset, check_sheet

    jobs: list[Job] = []
    known, problems = found.known, found.problems
    for name in rulesets_named(library, what):
        ruleset = load_valid(library, name)
        # A layer without its own sheets prints its parents' sheets, with the layer's changes.
        printable = ruleset.own_sheets() or (ruleset.printed_sheets() if name in what else ())
        known.update((word, None) for sheet in printable for word in ruleset.names_of(sheet))
        known.update((sheet.model.sheet, None) for sheet in ruleset.sheets.values() if sheet.owner in ruleset.own)
        found.of_kinds.update(sheet.model.sheet for sheet in ruleset.sheets_of_kinds())
        own = [sheet for sheet in printable if not only or {*ruleset.names_of(sheet)} & {*only}]
        before = len(problems)
        for sheet in own:
            check_sheet(ruleset, sheet, problems)
        if not all(folder.shipped for folder in ruleset.chain):  # shipped rule sets were checked before the release
            check_ruleset(ruleset, problems)
        if not has_errors(problems[before:]):
            mark = fingerprint(ruleset)
            for sheet in own:
                paper = sheets.compose(ruleset, sheet, mark, problems)
                blame = partial(sheets.unprintable, ruleset, sheet)
                jobs.append(Job(paper, sheet.model.sheet, f"{paper.id}{set_words(ruleset)}", blame))
        if any(MARKERS in folder.scenario_ids() for folder in ruleset.chain):
            known[MARKERS] = None
            jobs += _markers_jobs(library, name) if MARKERS in only else ()
        if ruleset.cards:
            known[BLANKS] = None
            jobs += _blank_jobs(library, name) if BLANKS in only else ()
        if name in what and not (printable or ruleset.sheets_of_kinds() or {*only} & {MARKERS, BLANKS}):
            problems.append(no_sheets(ruleset.id))
    return jobs


def _blank_jobs(library: Library, name: str) -> Iterator[Job]:
    """Yield the print jobs of the blank cards and sheets of a rule set."""
    from generator.documents.force.designs import blank_deck, blank_sheets
    from generator.forces.starter import starter_force

    with TemporaryDirectory() as folder:
        path = Path(folder) / "blank.yaml"
        path.write_text(starter_force(load_valid(library, name), every=True), encoding="utf-8")
        force = load_force_file(library, path, (CARDS, SHEETS))._replace(problems=())  # such as shells without guns
    mark = fingerprint(force.rules)
    documents: list[Document] = [blank_deck(force, mark), *blank_sheets(force, mark)]
    for document in documents:
        yield Job(document, BLANKS, document.id, partial(_at_rules, name))


def _at_rules(name: str, error: LayoutError) -> Problem:
    """Return F132 at the rule set ``name``: its content cannot be laid out, such as a text that does not fit."""
    return Problem("F132", Span(name), "a page that can be made", error.found, hint=error.remedy.to_text)


def _markers_jobs(library: Library, name: str) -> Iterator[Job]:
    """Yield the print job of all that players of a rule set cut out, such as chits, templates and markers.

    Raises ProblemsError for a rule set with errors, such as S218 for a table that scenarios use.
    """
    from generator.documents.pack.markers import TEMPLATES, table_goods
    from generator.scenarios.scenario import columns_problems

    tables = [(SCENARIO, MARKERS), (SCENARIO, TEMPLATES)]
    rules = load_valid(library, name, [("kinds", ALL), ("procedures", ALL), ("tables", ALL), *tables])
    raise_errors([*columns_problems(rules)])
    document = table_goods(rules, fingerprint(rules, scenario=True))
    yield Job(document, MARKERS, f"{document.id}{set_words(rules)}", partial(_at_rules, name))
