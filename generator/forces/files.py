"""Read a force file and its libraries of designs, and check their structure. Nothing is priced yet."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.forces.models import MAX_ENTRIES, MAX_NAME, ForceModel, LibraryModel
from generator.parsing.workbook import TABLES
from generator.parsing.yaml12 import is_named_yaml, read_yaml
from generator.problems import Problem, Span
from generator.rules.source.model_errors import show
from generator.rules.source.parts import Part, Place
from generator.rules.source.settings import Settings, settings_in
from generator.rules.source.validation import validate

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generator.parsing.document import Document


NO_FORCE = "a force has force: its name, and rules: its rule set; a scenario has scenario:, rules: and sides:"
"""The hint for a file that is not a force."""


class ForceFile(NamedTuple):
    """The contents of a force file, with the designs of its libraries."""

    name: str
    rules: tuple[str, ...]
    """Empty if the file names no valid rules."""
    budget: int | None
    note: str
    edition: str
    settings: Settings
    designs: tuple[Place, ...]
    """The places of the designs: those of libraries, then those of the file itself."""
    units: tuple[Place, ...]
    complete: bool
    """Whether the file lists units (even if their names are missing), or is a library, which has no units."""
    place: Place
    problems: tuple[Problem, ...]
    """The problems with the structure of the file; the rest of the file can be used."""
    table: bool = False
    """Whether the file is a spreadsheet, which has headings instead of keys."""


def _says_force(value: Any) -> bool:
    """Return whether a file's contents have a key of a force or a library, in any case."""
    return isinstance(value, dict) and bool({"force", "units", "designs"} & {*map(str.lower, value)})


def read_force(path: Path) -> ForceFile:
    """Read a force file and its libraries. A library of designs with ``rules`` is read as a force without units.

    Raises ProblemsError if nothing can be used: F1xx a file that cannot be read, F205 not a force, F122 if a row that
    was left out may contain the missing columns.
    """
    document, problems = _read(path)
    if document is None:
        raise ProblemsError(*problems)
    return force_in(Part("", document), path, [*problems])


def force_in(
    part: Part, path: Path, problems: list[Problem], defaults: Mapping[str, Any] = MappingProxyType({})
) -> ForceFile:
    """Return the force in a part of a file, with the ``problems`` of reading the file before its own problems.

    ``defaults`` gives values to keys that the force may leave out. Raises ProblemsError as ``read_force`` does.
    """
    table = path.suffix.lower() in TABLES
    if isinstance(part.value, dict) and defaults:
        part.value |= {key: item for key, item in defaults.items() if key not in part.value}
    contents: Any = part.value
    of_forces = ForceModel.model_fields.keys() - LibraryModel.model_fields.keys() - {"note", "libraries"}
    library = isinstance(contents, dict) and "designs" in contents and of_forces.isdisjoint(map(str.lower, contents))
    if any(problem.code == "F122" for problem in problems) and not {"force", "rules"} <= set(contents):
        raise ProblemsError(*problems)  # the missing columns may be in a row that was left out
    if not _says_force(contents) or (library and "rules" not in contents):
        text = isinstance(contents, str) and len(contents.split()) > 1 and not is_named_yaml(path)
        found = "a library of designs without rules" if library else "a text" if text else show(contents)
        hint = NO_FORCE
        if library:
            hint = "add rules: [...] to check it by itself; a force names it under libraries:"
        if table:
            hint = "add the columns force and rules, and fill them in once"
        if isinstance(contents, dict) and "sides" in contents:
            found, hint = "a scenario", "check and build take one; the forces of its sides may have files of their own"
        span = part.place().span()
        span = span if isinstance(contents, dict) or is_named_yaml(path) else span._replace(text="")
        problems.append(Problem("F205", span, "a force", found, hint=hint))
        raise ProblemsError(*problems)
    model_problems: list[Problem] = []
    model = validate(LibraryModel if library else ForceModel, contents, part.place, model_problems)
    about_units = any(problem.code == "R201" and problem.field.startswith("unit") for problem in problems)
    problems += (_of_a_heading(problem, part.place().span()) for problem in model_problems) if table else model_problems
    # Values that the model refuses are reported; the other values are used.
    rules = [contents.get("rules")] if isinstance(contents.get("rules"), str) else contents.get("rules")
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        rules = []
    designs = _from_libraries(path, part, problems)
    doubled = any((problem.code, problem.field) == ("F106", "budget") for problem in problems)
    name, budget = contents.get("force"), None if doubled else contents.get("budget")  # nobody knows which counts
    return ForceFile(
        name[:MAX_NAME] if isinstance(name, str) and name.strip() else path.stem,
        tuple(rules),
        budget if isinstance(budget, int) and not isinstance(budget, bool) and budget >= 0 else None,
        model.note if isinstance(model, ForceModel) else "",
        model.edition if isinstance(model, ForceModel) else "",
        settings_in(part),
        (*designs, *_listed(part, "designs")),
        _listed(part, "units"),
        library or about_units or contents.get("units", []) != [],
        part.place(),
        tuple(problems),
        table,
    )


def _read(path: Path) -> tuple[Document | None, tuple[Problem, ...]]:
    """Return the document of a YAML file, or of a spreadsheet if the file has its extension."""
    if path.suffix.lower() in TABLES:
        from generator.forces.spreadsheet import read_spreadsheet

        return read_spreadsheet(path, str(path))
    return read_yaml(path, str(path))


def _of_a_heading(problem: Problem, start: Span) -> Problem:
    """Return a problem; if a key is missing, its text speaks of the column or heading of a spreadsheet."""
    if problem.code != "R201":
        return problem
    hint = f"add the heading {problem.field}, and fill it in once" if problem.span == start else "fill it in once"
    return problem._replace(expected=f"the column {problem.field}", hint=hint)


def _listed(part: Part, what: str) -> tuple[Place, ...]:
    """Return the places of the entries of a list that are mappings; at most ``MAX_ENTRIES``."""
    entries = part.value.get(what) if isinstance(part.value, dict) else None
    if not isinstance(entries, list):
        return ()
    listed = enumerate(entries[:MAX_ENTRIES])
    return tuple(part.place((what, index)) for index, item in listed if isinstance(item, dict))


def _from_libraries(path: Path, part: Part, problems: list[Problem]) -> list[Place]:
    """Return the designs of the libraries that a force names.

    Adds F205 for a file that is not a library, and F208 for a library that is named twice. Adds F206 for a file outside
    the force's folder, or for the force itself.
    """
    listed = part.value.get("libraries")
    designs: list[Place] = []
    seen: set[Path] = set()
    for index, name in enumerate(listed if isinstance(listed, list) else [listed]):
        place = part.place(("libraries", index) if isinstance(listed, list) else ("libraries",))
        if not isinstance(name, str):
            continue
        target = path.parent / name
        real = target.resolve()
        if real in seen:
            problems.append(place.problem("F208", "each library once", name, "remove this one"))
        elif real == path.resolve():
            hint = "remove it: a force always has its own designs"
            problems.append(place.problem("F206", "another file", name, hint))
        elif not real.is_relative_to(path.parent.resolve()):
            hint = "move it into the folder of the force, and use no link to another folder"
            problems.append(place.problem("F206", "a file in the force's folder", name, hint))
        else:
            designs += _designs_of(target, place, name, problems)
        seen.add(real)
    return designs


def located(problem: Problem, at: Place) -> Problem:
    """Return a problem of a file; if it is about the whole file, its place is ``at``, where the file is named."""
    return problem if problem.span.line else at.problem(problem.code, problem.expected, problem.found, problem.hint)


def _designs_of(target: Path, place: Place, name: str, problems: list[Problem]) -> tuple[Place, ...]:
    """Return the designs of a library file. Adds F205 if the file is not a library."""
    document, unread = _read(target)
    problems += [located(problem, place) for problem in unread]
    if document is None:
        return ()
    library = Part("", document)
    if not _says_force(library.value):
        hint = "a library begins with designs: and lists them"
        problems.append(place.problem("F205", "a library of designs", name, hint))
    elif {"force", "units"} & {*library.value}:
        hint = "move its designs into a file that has only designs:"
        problems.append(place.problem("F205", "a library of designs", "a force", hint))
    else:
        validate(LibraryModel, library.value, library.place, problems)
    return _listed(library, "designs")
