"""The whole program on one page: each function is one command, from what a person asked to plain data."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from generator.errors import LayoutError, ProblemsError, RenderError
from generator.problems import Problem, Span, has_errors
from generator.reporting.problems import problem_data
from generator.rules.settings import NOTHING_SET, unknown_rulesets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from fractions import Fraction
    from pathlib import Path

    from generator.render.blocks import Ink, Paper
    from generator.rules.answers import Answer
    from generator.rules.library import Library
    from generator.rules.procedures import Procedure
    from generator.rules.ruleset import RuleSet
    from generator.rules.settings import Settings

Data = dict[str, Any]
PartKey = tuple[str, str]


def list_rulesets(library: Library) -> Data:
    """Every rule set in reach."""
    listed = []
    for name in library.ids():
        manifest = _load(library, name, only=()).manifest
        listed.append(
            {
                "ruleset": name,
                "title": manifest.title,
                "edition": manifest.edition,
                "extends": list(manifest.extends),
                "about": manifest.about,
            }
        )
    return {"rulesets": listed}


def describe_ruleset(library: Library, name: str) -> Data:
    """What a rule set holds, its parents' things included."""
    ruleset = _load(library, name)
    things: Data = {"ruleset": name, "title": ruleset.manifest.title, "edition": ruleset.manifest.edition}
    things["tables"] = [
        {"table": one.id, "title": one.title, "from": one.owner, "rows": len(one.rows)}
        for one in ruleset.tables.values()
    ]
    things["kinds"] = [{"kind": one.id, "title": one.title, "from": one.owner} for one in ruleset.kinds.values()]
    things["procedures"] = [
        {"procedure": one.id, "title": one.title, "from": one.owner}
        for one in sorted(ruleset.procedures.values(), key=lambda one: one.id)
    ]
    things["sheets"] = [
        {"sheet": key, "title": one.model.title, "from": one.owner} for key, one in ruleset.sheets.items()
    ]
    return things


def show(library: Library, name: str, word: str) -> Data:
    """A table, kind or procedure, the options or the errata, with the certificate of every row. R317: no such thing."""
    from generator.rules.browse import listing, names, split_word

    category, one = split_word(word)
    tables = category in ("", "tables") and _load(library, name, only=()).chain
    table = any(one in folder.ids("tables") for folder in tables or ())
    ruleset = _load(library, name, only=[("tables", one)] if table else None)
    found = listing(ruleset, word)
    if found is None:
        raise ProblemsError(_unknown("R317", "table, kind or procedure", word, names(ruleset)))
    return {"ruleset": name, found.what: one, "columns": list(found.columns), "rows": list(found.rows)}


def list_procedures(library: Library, name: str) -> Data:
    """The questions that a rule set answers, with their inputs and allowed values."""
    folders = _load(library, name, only=()).chain
    wanted = [("procedures", one) for folder in folders for one in folder.ids("procedures")]
    procedures = sorted(_load(library, name, only=wanted).procedures.values(), key=lambda one: one.id)
    return {"ruleset": name, "procedures": [_describe(one) for one in procedures if one.cases]}


def _describe(procedure: Procedure) -> Data:
    inputs = []
    for one in procedure.inputs:
        default = None if one.required else one.default
        when = one.when.text if one.when else ""
        inputs.append(
            {"input": one.name, "label": one.label, "allowed": one.choice.spell(), "default": default, "when": when}
        )
    outcomes = [one.id for one in procedure.outcomes]
    return {"procedure": procedure.id, "title": procedure.title, "inputs": inputs, "outcomes": outcomes}


def odds(library: Library, name: str, procedure_id: str, words: Sequence[str]) -> Data:
    """The exact odds of a procedure for every combination asked for. R318: no such procedure."""
    from generator.rules.questions import ask, split_words

    ruleset = _load(library, name, only=[("procedures", procedure_id)])
    procedure = ruleset.procedures.get(procedure_id)
    if procedure is None:
        known = sorted({one for folder in ruleset.chain for one in folder.ids("procedures")})
        raise ProblemsError(_unknown("R318", "procedure", procedure_id, known))
    if not procedure.cases:
        found = f"{procedure_id}, which is only told in steps"
        hint = f"read them: fieldpress rules {name} {procedure_id}"
        span = Span("command line", 1, 1, f"{name}/{procedure_id}")
        raise ProblemsError(Problem("R318", span, "a procedure with dice", found, "procedure", hint))
    cells = [_cell(answer) for answer in ask(procedure, split_words(words))]
    return {"ruleset": name, "procedure": procedure_id, "problems": [], "cells": cells}


def _cell(answer: Answer) -> Data:
    """One combination of inputs, as the contract has it."""
    return {
        "inputs": {name: value if isinstance(value, bool) else _figure(value) for name, value in answer.inputs.items()},
        "outcomes": [{"outcome": one.id, **_probability(chance)} for one, chance in answer.outcomes],
        "marginals": [{"event": name, **_probability(chance)} for name, chance in answer.events.items()],
        "distributions": {
            name: [
                {"value": _figure(value), **_probability(found.probability(value))}
                for value, _ in sorted(found.weights, key=_by_value)
            ]
            for name, found in (*answer.numbers.items(), *answer.which.items())
        },
        "means": {name: str(numbers.mean()) for name, numbers in answer.numbers.items()},
        "joint": {
            name: [
                {
                    "values": dict(zip(names, map(_figure, values), strict=True)),
                    **_probability(found.probability(values)),
                }
                for values, _ in sorted(found.weights)
            ]
            for name, (names, found) in answer.together.items()
        },
        "notes": list(answer.notes),
    }


def _by_value(weighed: tuple[Any, int]) -> tuple[bool, Any, str]:
    """Numbers by their size, then what is no number."""
    value, _ = weighed
    no_number = value is None or isinstance(value, str)
    return no_number, 0 if no_number else value, str(value)


def _figure(value: Any) -> int | str:
    return value if isinstance(value, int) else "none" if value is None else str(value)


def _probability(chance: Fraction) -> Data:
    millionths = (chance * 2_000_000 + 1) // 2
    return {"probability": str(chance), "decimal": millionths / 1_000_000}


def _unknown(code: str, what: str, word: str, known: Sequence[str]) -> Problem:
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
    return Problem(
        code, Span("command line", 1, 1, word), f"a {what} of this rule set", word, what.partition(",")[0], hint
    )


def check(
    user_folders: Iterable[Path], targets: Sequence[str], settings: Settings = NOTHING_SET
) -> tuple[Problem, ...]:
    """Every problem of rule sets named by id, folder or file; nothing is written.

    Options that are set stay so; of the others every value is tried.
    """
    from generator.documents.proof import proof
    from generator.rules.targets import targets_of

    problems: list[Problem] = []
    folders = tuple(user_folders)
    asked = [one for target in targets for one in targets_of(folders, target, settings, problems)]
    problems += unknown_rulesets(settings, {name for library, _ in asked for name in library.ids()}) if asked else ()
    for library, name in asked:
        problems += proof(library, name)
    return tuple(dict.fromkeys(problems))


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
    problems += [_unknown("R319", "sheet", one, list(known)) for one in only if one not in known]
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
        return _load(library, name)
    ruleset = _load(library, name, only=[("sheets", one) for one in wanted])
    lists_all = any(sheet.model.lists_everything for sheet in ruleset.own_sheets())
    return ruleset if all(folder.shipped for folder in ruleset.chain) and not lists_all else _load(library, name)


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


def _load(library: Library, name: str, only: Iterable[PartKey] | None = None) -> RuleSet:
    from generator.rules.loading import load

    problems: list[Problem] = []
    ruleset = load(library, name, problems, only)
    if ruleset is None or has_errors(problems):
        raise ProblemsError(*problems)
    return ruleset


def diff(user_folders: Iterable[Path], before: str, after: str, settings: Settings = NOTHING_SET) -> Data:
    """What the second rule set says otherwise than the first. Each is named by id or by its folder."""
    from generator.rules.differences import counts, differences, related
    from generator.rules.targets import folders_of, targets_of

    folders, problems = tuple(user_folders), list[Problem]()
    folders += folders_of(folders, (before, after))  # either may be the other's parent
    targets = [targets_of(folders, word, settings, problems) for word in (before, after)]
    problems += unknown_rulesets(
        settings, {name for found in targets for library, _ in found for name in library.ids()}
    )
    if problems:
        raise ProblemsError(*problems)
    for word, found in zip((before, after), targets, strict=True):
        if len(found) != 1:
            names = ", ".join(name for _, name in found) or "none"
            problem = Problem("R301", Span(word), "the folder of one rule set", names, hint="name one of them")
            raise ProblemsError(problem)
    first, second = (_load(library, name) for ((library, name),) in targets)
    changes = [
        {
            "what": one.what,
            "kind": one.kind,
            "from": one.before,
            "to": one.after,
            "reason": one.reason,
            "cite": one.cite,
        }
        for one in differences(first, second)
    ]
    return {
        "a": before,
        "b": after,
        "related": related(first, second),
        "counts": [
            {"what": what, "only_a": only_a, "only_b": only_b, "both": both}
            for what, (only_a, only_b, both) in counts(first, second).items()
        ],
        "changes": changes,
    }


def explain(library: Library, code: str) -> str:
    """The page of a problem code, or what a rule set's limit says. R320: no such code."""
    from generator.reporting.explain import pages

    name, slash, limit_id = code.partition("/")
    if slash:
        return _explain_limit(library, name, limit_id)
    known = pages()
    if code.upper() not in known:
        raise ProblemsError(_unknown("R320", "problem code", code, list(known)))
    return known[code.upper()]


def _explain_limit(library: Library, name: str, limit_id: str) -> str:
    ruleset = _load(library, name)
    limits = {limit.id: limit for kind in ruleset.kinds.values() for limit in kind.limits}
    if limit_id not in limits:
        raise ProblemsError(_unknown("R320", "limit", limit_id, sorted(limits)))
    limit = limits[limit_id]
    return f"{name}/{limit_id}: {limit.says}\nRule: {limit.that.text}   [{limit.birth.cite_text}]"
