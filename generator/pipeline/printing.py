"""Sheets on paper."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from generator.errors import LayoutError, ProblemsError, RenderError
from generator.pipeline.access import load_sound, unknown
from generator.problems import Problem, Span, has_errors
from generator.reporting.problems import problem_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from generator.pipeline.access import Data
    from generator.render.blocks import Ink, Paper
    from generator.rules.library import Library
    from generator.rules.ruleset import RuleSet


def build(
    library: Library,
    what: Sequence[str],
    out: Path,
    *,
    papers: Sequence[Paper] = ("a4",),
    inks: Sequence[Ink] = ("colour",),
    only: Sequence[str] = (),
    progress: Callable[[int, int, str], None] = lambda _done, _all, _name: None,
) -> Data:
    """Sheets of rule sets as PDFs in ``out``. Nothing is written while there are problems.

    Raises ProblemsError, and RenderError where a page cannot be made.
    """
    from generator.documents.sheet import compose, unprintable
    from generator.render.pdf import render_pdf, write_atomically
    from generator.rules.checks import check_ruleset
    from generator.rules.editions import fingerprint, set_words
    from generator.rules.sheet_checks import check_sheet

    problems: list[Problem] = []
    sheets = []
    known: dict[str, None] = {}
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
            sheets += [(compose(ruleset, sheet, mark, problems), sheet, ruleset) for sheet in own]
        if name in what and not printable:
            problems.append(_no_sheets(ruleset))
    problems += [unknown("R319", "sheet", one, list(known)) for one in only if one not in known]
    if has_errors(problems):
        raise ProblemsError(*dict.fromkeys(problems))
    jobs = [(*sheet, paper, ink) for paper in papers for ink in inks for sheet in sheets]
    with _writing(out, "a folder to write in"):
        out.mkdir(parents=True, exist_ok=True)
    built = []
    for done, (paper_sheet, sheet, ruleset, paper, ink) in enumerate(jobs):
        path = out / f"{paper_sheet.id}{set_words(ruleset)}-{paper}{'' if ink == 'colour' else f'-{ink}'}.pdf"
        progress(done, len(jobs), path.name)
        try:
            rendered = render_pdf(paper_sheet, paper=paper, ink=ink)
        except LayoutError as error:
            raise RenderError(str(error), unprintable(ruleset, sheet, error)) from None
        with _writing(path, "a file to write"):
            write_atomically(path, rendered.pdf)
        built.append(
            {"path": str(path), "sheet": sheet.model.sheet, "pages": rendered.pages, "paper": paper, "ink": ink}
            | {"reused": False}
        )
    progress(len(jobs), len(jobs), "")
    return {"built": built, "problems": [problem_data(problem) for problem in problems]}


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


@contextmanager
def _writing(path: Path, wanted: str) -> Iterator[None]:
    """F131: the system refuses to write here."""
    try:
        yield
    except OSError as error:
        hint = "give another folder with --out"
        problem = Problem("F131", Span(str(path)), wanted, (error.strerror or str(error)).lower(), hint=hint)
        raise ProblemsError(problem) from None
