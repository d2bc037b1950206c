"""A player's files: a force with its libraries of designs, shape checked, nothing priced yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.forces.models import ForceModel, LibraryModel
from generator.problems import Problem, Span
from generator.rules.parts import Part
from generator.rules.settings import Settings, settings_in
from generator.rules.validation import validate
from generator.sources.yaml12 import read_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from generator.rules.places import Place
    from generator.sources.document import Document


class Written(NamedTuple):
    """A design or a unit as it stands in a file."""

    given: Any
    place: Place


class ForceFile(NamedTuple):
    """What a force file says, its libraries read."""

    name: str
    rules: tuple[str, ...]
    budget: int | None
    note: str
    settings: Settings
    designs: tuple[Written, ...]
    """Those of libraries first."""
    units: tuple[Written, ...]
    place: Place
    problems: tuple[Problem, ...]
    """What is wrong with the file's shape; the rest of it can be used."""


def is_force(document: Document) -> bool:
    """Whether a file is meant as a force."""
    return isinstance(document.value, dict) and bool({"force", "units", "designs"} & document.value.keys())


def read_force(path: Path) -> ForceFile:
    """Read a force file and its libraries. A library of designs that says its rules is a force without units.

    Raises ProblemsError where there is nothing to go on with: F1xx a file that cannot be read, F205 no force,
    R201 to R203 one that does not say its name or rules.
    """
    document, unread = _read(path)
    problems = list(unread)
    if document is None:
        raise ProblemsError(*problems)
    part = Part("", document)
    given: Any = part.value
    library = isinstance(given, dict) and "designs" in given and not {"force", "units"} & given.keys()
    if not is_force(document) or (library and "rules" not in given):
        found = "a library of designs without rules" if library else "something else"
        hint = "a force file begins with force: its name, and rules: its rule set"
        problems.append(Problem("F205", Span(str(path)), "a force", found, hint=hint))
        raise ProblemsError(*problems)
    model = validate(LibraryModel if library else ForceModel, given, part.place, problems)
    # What the model refuses is told; the rest is used, as long as the rules stand.
    rules = [given.get("rules")] if isinstance(given.get("rules"), str) else given.get("rules")
    if not isinstance(rules, list) or not rules or not all(isinstance(one, str) for one in rules):
        raise ProblemsError(*problems)
    settings = settings_in(part) if model is not None else Settings()
    budget = given.get("budget")
    named = given.get("force")
    return ForceFile(
        named if isinstance(named, str) else path.stem,
        tuple(rules),
        budget if isinstance(budget, int) and not isinstance(budget, bool) and budget >= 0 else None,
        model.note if isinstance(model, ForceModel) else "",
        settings,
        (*_from_libraries(path, part, problems), *_listed(part, "designs")),
        _listed(part, "units"),
        part.place(),
        tuple(problems),
    )


def _read(path: Path) -> tuple[Document | None, tuple[Problem, ...]]:
    """A file's document: YAML, or a spreadsheet where its name ends so."""
    if path.suffix.lower() == ".csv":
        from generator.forces.spreadsheet import read_spreadsheet

        return read_spreadsheet(path, str(path))
    return read_yaml(path, str(path))


def _listed(part: Part, what: str) -> tuple[Written, ...]:
    entries = part.value.get(what) if isinstance(part.value, dict) else None
    if not isinstance(entries, list):
        return ()
    return tuple(Written(one, part.place((what, index))) for index, one in enumerate(entries) if isinstance(one, dict))


def _from_libraries(path: Path, part: Part, problems: list[Problem]) -> tuple[Written, ...]:
    """The designs of the libraries that a force names. F205: no library; F206: one outside the force's folder."""
    names = part.value.get("libraries")
    found: list[Written] = []
    for index, name in enumerate(names if isinstance(names, list) else ()):
        place = part.place(("libraries", index))
        if not isinstance(name, str):
            continue
        folder = path.parent.resolve()
        target = path.parent / name
        if not target.resolve().is_relative_to(folder):
            hint = "put it beside the force, or in a folder below it"
            problems.append(place.problem("F206", found=name, expected="a file in the force's folder", hint=hint))
            continue
        document, unread = _read(target)
        problems += [one if document is not None else _blamed(one, place, name) for one in unread]
        if document is None:
            continue
        if not is_force(document):
            hint = "a library begins with designs: and lists them"
            problems.append(place.problem("F205", found=name, expected="a library of designs", hint=hint))
            continue
        library = Part("", document)
        validate(LibraryModel, library.value if library.value is not None else {}, library.place, problems)
        found += _listed(library, "designs")
    return tuple(found)


def _blamed(problem: Problem, place: Place, name: str) -> Problem:
    """A library that is not there is told where the force names it."""
    if problem.span.line or problem.code != "F101":
        return problem
    return place.problem(problem.code, found=name, expected=problem.expected, hint=problem.hint)
