"""Sheets on paper."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from generator.errors import LayoutError, ProblemsError, RenderError
from generator.pipeline.access import load_sound, unknown, writing
from generator.pipeline.checks import is_players, is_scenario
from generator.pipeline.forces import mustered
from generator.pipeline.scenarios import staged
from generator.problems import Problem, Span, has_errors
from generator.reporting.problems import problem_data

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generator.forces.force import Force
    from generator.pipeline.access import Data
    from generator.render.blocks import Ink, Paper
    from generator.render.blocks import Sheet as PaperSheet
    from generator.rules.library import Library
    from generator.rules.ruleset import RuleSet
    from generator.scenarios.scenario import Scenario

_ELSEWHERE = "give another folder with --out"


class Job(NamedTuple):
    """One sheet to print."""

    paper: PaperSheet
    sheet: str
    """What the result calls it."""
    stem: str
    """The name of its file, without paper and ink."""
    blame: Callable[[LayoutError], Problem]
    """What is to be mended where it cannot be laid out."""


def build(
    library: Library,
    what: Sequence[str],
    out: Path,
    *,
    papers: Sequence[Paper] = ("a4",),
    inks: Sequence[Ink] = ("colour",),
    only: Sequence[str] = (),
    progress: Callable[[int, int, str], None] = lambda _done, _all, _name: None,
) -> tuple[Data, tuple[Problem, ...]]:
    """Sheets of rule sets, forces and scenarios as PDFs in ``out``, and what is wrong with players' files: drafts.

    Nothing is written while there are problems of rule data. Raises ProblemsError, and RenderError where a page cannot
    be made.
    """
    problems: list[Problem] = []
    faults: list[Problem] = []
    known: dict[str, None] = {}
    jobs: list[Job] = []
    files = [word for word in what if is_players(Path(word))]
    named = [word for word in what if word not in files]
    for file in files:
        if is_scenario(Path(file)):
            jobs += _scenario_jobs(staged(library, Path(file)), only, known, faults)
        else:
            jobs += _force_jobs(mustered(library, Path(file)), only, known, faults)
    if named:
        jobs += _ruleset_jobs(library, named, only, known, problems)
    problems += [unknown("R319", "sheet", one, list(known)) for one in only if one not in known]
    if has_errors(problems):
        raise ProblemsError(*dict.fromkeys(problems))
    printed = _print(jobs, out, papers, inks, progress)
    told = tuple(dict.fromkeys((*problems, *faults)))
    return {"built": printed, "problems": [problem_data(problem) for problem in told]}, told


def _ruleset_jobs(
    library: Library, what: Sequence[str], only: Sequence[str], known: dict[str, None], problems: list[Problem]
) -> list[Job]:
    """The sheets of rule sets; ``known`` learns their names."""
    from generator.documents.sheet import compose, unprintable
    from generator.rules.checks import check_ruleset
    from generator.rules.editions import fingerprint, set_words
    from generator.rules.sheet_checks import check_sheet

    jobs: list[Job] = []
    for name in dict.fromkeys(one for word in what for one in (library.ids() if word == "all" else (word,))):
        ruleset = _load_for_print(library, name, only)
        # A layer without sheets of its own prints those of its parents, with its changes in them.
        printable = ruleset.own_sheets() or (tuple(ruleset.sheets.values()) if name in what else ())
        known.update((word, None) for sheet in printable for word in ruleset.names_of(sheet))
        known.update(dict.fromkeys(_own_sheet_ids(library, name)))
        own = [sheet for sheet in printable if not only or {*ruleset.names_of(sheet)} & {*only}]
        before = len(problems)
        for sheet in own:
            check_sheet(ruleset, sheet, problems)
        if not all(folder.shipped for folder in ruleset.chain):  # the shipped ones are checked before they are shipped
            check_ruleset(ruleset, problems)
        if not has_errors(problems[before:]):
            mark = fingerprint(ruleset)
            for sheet in own:
                paper = compose(ruleset, sheet, mark, problems)
                blame = partial(unprintable, ruleset, sheet)
                jobs.append(Job(paper, sheet.model.sheet, f"{paper.id}{set_words(ruleset)}", blame))
        if name in what and not printable:
            problems.append(_no_sheets(ruleset))
    return jobs


def _force_jobs(force: Force, only: Sequence[str], known: dict[str, None], faults: list[Problem]) -> list[Job]:
    """The sheets of a force, a draft where it has ``faults``."""
    from generator.documents.rosters import roster
    from generator.rules.editions import fingerprint

    known["roster"] = None
    faults += force.problems
    if only and "roster" not in only:
        return []
    sheet = roster(force, fingerprint(force.rules))
    return [Job(sheet, "roster", sheet.id, partial(_unprintable, force))]


def _scenario_jobs(scenario: Scenario, only: Sequence[str], known: dict[str, None], faults: list[Problem]) -> list[Job]:
    """The sheets of a scenario, a draft where it has ``faults``. Raises ProblemsError where it has no table."""
    from generator.documents.maps import map_sheet
    from generator.rules.editions import fingerprint

    known["map"] = None
    if scenario.table is None:
        raise ProblemsError(*scenario.problems)
    faults += scenario.problems
    if only and "map" not in only:
        return []
    sheet = map_sheet(scenario, scenario.table, fingerprint(scenario.rules, scenario=True))
    return [Job(sheet, "map", sheet.id, partial(_unprintable, scenario))]


def _unprintable(players: Force | Scenario, error: LayoutError) -> Problem:
    """F132 for a player's file, where the text stands that cannot be laid out."""
    from generator.sources.text import place_of, split_lines

    document = players.place.inside.document
    offset = document.text.find(error.text) if error.text else -1
    problem = players.place.problem("F132", found=str(error), expected="a page that can be made", hint=error.remedy)
    if offset < 0:
        return problem
    line, column = place_of(document.text, offset)
    return problem._replace(span=Span(document.name, line, column, split_lines(document.text)[line - 1]))


def _print(
    jobs: Sequence[Job],
    out: Path,
    papers: Sequence[Paper],
    inks: Sequence[Ink],
    progress: Callable[[int, int, str], None],
) -> list[Data]:
    from generator.render.pdf import render_pdf, write_atomically

    with writing(out, "a folder to write in", _ELSEWHERE):
        out.mkdir(parents=True, exist_ok=True)
    built = []
    wanted = [(job, paper, ink) for paper in papers for ink in inks for job in jobs]
    for done, (job, paper, ink) in enumerate(wanted):
        path = out / f"{job.stem}-{paper}{'' if ink == 'colour' else f'-{ink}'}.pdf"
        progress(done, len(wanted), path.name)
        try:
            rendered = render_pdf(job.paper, paper=paper, ink=ink)
        except LayoutError as error:
            raise RenderError(str(error), job.blame(error)) from None
        with writing(path, "a file to write", _ELSEWHERE):
            write_atomically(path, rendered.pdf)
        built.append(
            {"path": str(path), "sheet": job.sheet, "pages": rendered.pages, "paper": paper, "ink": ink}
            | {"reused": False}
        )
    progress(len(wanted), len(wanted), "")
    return built


def _own_sheet_ids(library: Library, name: str) -> tuple[str, ...]:
    folder = library.find(name)
    return folder.ids("sheets") if folder else ()


def _load_for_print(library: Library, name: str, only: Sequence[str]) -> RuleSet:
    """The rule set; of a shipped one, as much as the sheets wanted lean on, unless one of them lists all there is."""
    wanted = [one for one in only if one in _own_sheet_ids(library, name)]
    if not wanted:
        return load_sound(library, name)
    ruleset = load_sound(library, name, only=[("sheets", one) for one in wanted])
    lists_all = any(sheet.model.lists_everything for sheet in ruleset.own_sheets())
    return ruleset if all(folder.shipped for folder in ruleset.chain) and not lists_all else load_sound(library, name)


def _no_sheets(ruleset: RuleSet) -> Problem:
    span = Span("command line", 1, 1, ruleset.id)
    return Problem("R319", span, "a rule set with sheets", "one without", "", "put one into its folder sheets/")
