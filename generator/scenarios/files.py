"""Read a scenario file: check its structure and keep the valid parts. Find the finished battles of rule sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError

from generator.files import real_path
from generator.forces.load import NO_RULES, ForceFile, force_in, read_force, sound
from generator.forces.models import as_label
from generator.parsing.yaml12 import read_yaml
from generator.problems import Problem, ProblemsError, nearest, refused, suggest
from generator.rules.model.base import Model
from generator.rules.source.library import BATTLES, Example, Library, examples
from generator.rules.source.parts import Part, Place, located
from generator.rules.source.settings import Settings, settings_in
from generator.rules.source.validation import models_in, show, validate
from generator.scenarios import models

M = TypeVar("M", bound=Model)

_FIELDS = {name: models_in(field.annotation) for name, field in models.ScenarioModel.model_fields.items()}
_LISTS: dict[str, Any] = {name: model for name, found in _FIELDS.items() for model in found if name != "table"}
"""The lists of a scenario file, and the model of each list's entries."""
_TWO_SIDES = [{"side": "A", "force": {}}, {"side": "B", "force": {}}]
"""Valid sides that stand in for the sides of a file, while its other keys are read."""


class NamedRule(NamedTuple):
    """A special rule that the file only names; ``says`` is always empty."""

    rule: str
    place: Place
    says: str = ""


class SideFile(NamedTuple):
    """A side with its force file; the force is None if it cannot be used.

    ``inline`` says whether the force is written inside the scenario file.
    """

    model: models.SideModel
    force: ForceFile | None
    inline: bool


class ScenarioFile(NamedTuple):
    """The contents of a scenario file and of its force files."""

    rules: tuple[str, ...]
    """Empty if the file names no valid rules."""
    settings: Settings
    plain: models.ScenarioModel
    """The keys that are not lists; a key that cannot be read has its default."""
    sides: tuple[SideFile, ...]
    lists: dict[str, tuple[Any, ...]]
    """The readable entries of each list of the file but ``sides``, by key."""
    broken: frozenset[str]
    """The sections with entries that could not be read, or that may be missing because a key is misspelt."""
    place: Place
    problems: tuple[Problem, ...]
    """The problems with the structure of the scenario file and of its force files."""


def read_scenario(path: Path) -> ScenarioFile:
    """Read a scenario file and the forces of its sides. Invalid entries of lists are left out.

    A side is left out only if its key ``side`` or ``force`` is missing or invalid. If its force cannot be used, the
    side has the force None. Raises ProblemsError if nothing can be used: F1xx a file that cannot be read, R203 a file
    that is empty or not a mapping. Other problems are returned with the file: F1xx, R201 to R203, the problems of
    ``read_force``, and S215 for a force file that may not be read.
    """
    document, unread = read_yaml(path, str(path))
    problems = list(unread)
    if document is None:
        raise ProblemsError(*problems)
    part = Part("", document)
    validate(models.ScenarioModel, part.value, part.place, problems)
    if not isinstance(part.value, dict):
        raise ProblemsError(*problems)
    problems.sort(key=lambda problem: problem.span)
    whole, value = part.place(), part.value
    called = value.get("scenario")
    name = as_label(called if isinstance(called, str) and called.strip() else path.stem)
    required = {"scenario": name, "rules": NO_RULES, "sides": _TWO_SIDES, "table": {"width": 12, "depth": 12}}
    plain = sound(models.ScenarioModel, whole, required, _LISTS)
    rules = () if plain.rules == tuple(NO_RULES) else plain.rules
    unknown = value.keys() - models.ScenarioModel.model_fields.keys()  # it may be a missing list, misspelt
    lists = {name: tuple(_entries(entry, whole / name)) for name, entry in _LISTS.items()}
    broken = {"table"} if _read(models.TableModel, whole / "table") is None else set()
    for name, entries in lists.items():
        given = value.get(name)
        complete = len(entries) == len(given) if isinstance(given, list) else name not in value and not unknown
        broken |= set() if complete else {name}
    sides = tuple(_side(path, part, item, rules, problems) for item in lists.pop("sides"))
    return ScenarioFile(rules, settings_in(part), plain, sides, lists, frozenset(broken), whole, tuple(problems))


def _read(model: type[M], place: Place) -> M | None:
    """Return the value at a place as its model; None if it is invalid. The whole file's validation reported that.

    A side with invalid optional keys is valid: these keys get their defaults.
    """
    if model is models.SideModel:
        side: M | None = sound(model, place, {})
        return side
    try:
        return model.model_validate(place.value(), context=place)
    except ValidationError:
        return None


def _entries(model: type[Model], place: Place) -> Iterator[Any]:
    """Yield the entries of a list that ``_read`` can read; nothing if there is no list.

    In the list of special rules, each text is yielded as a ``NamedRule``, even if it names no rule.
    """
    given = place.value()
    for index, item in enumerate(given if isinstance(given, list) else ()):
        if model is models.RuleModel and isinstance(item, str):
            yield NamedRule(item, place / index)
        elif (entry := _read(model, place / index)) is not None:
            yield entry


def _side(path: Path, part: Part, side: models.SideModel, rules: Sequence[str], problems: list[Problem]) -> SideFile:
    """Return a side with its force, which is in a file of its own or inside the scenario file ``path``.

    Adds the problems of reading the force; if it cannot be read, the side has no force. A force inside the scenario may
    leave out its name and its rules: it then has the name of its side and the scenario's ``rules``.
    """
    at = side.place / "force"
    force: ForceFile | None = None
    try:
        if isinstance(side.force, str):
            force = read_force(_beside(path, side.force, at))
        else:
            inner = Part("", part.document.inside(at.written()[1]))
            force = force_in(inner, path, [], {"force": side.side, "rules": [*rules] or NO_RULES})
        found = force.problems
    except ProblemsError as error:
        found = error.problems
    inline = not isinstance(side.force, str)
    problems += [within(problem, at) if inline else located(problem, at) for problem in found]
    return SideFile(side, force, inline)


def within(problem: Problem, at: Place) -> Problem:
    """Return a problem of a force inside a scenario, with its field as a path from the top of the scenario.

    ``at`` is the place of the force in the scenario. A problem in another file is returned unchanged.
    """
    if problem.span.file != at.span().file:
        return problem
    whole = at.problem("", "", "").field
    return problem._replace(field=f"{whole}.{problem.field}" if problem.field else whole)


def _beside(path: Path, name: str, at: Place) -> Path:
    """Return the file of a force that a scenario names.

    Raises ProblemsError (S215) if the file is not in the scenario's folder or below it, or is the scenario itself.
    """
    target = path.parent / name
    real = real_path(target)
    if real == path.resolve() or not real.is_relative_to(path.parent.resolve()):
        hint = "put the force beside the scenario or below it, without links; or write it into the scenario"
        raise ProblemsError(at.problem("S215", "the file of a force in the scenario's folder", show(name), hint))
    return target


def battles_in_reach(library: Library) -> dict[str, Example]:
    """Return the finished battles of every available rule set, by name.

    If a user's battle and a shipped battle have the same name, the user's battle is returned.
    """
    return dict(sorted(examples(reversed(library.folders), BATTLES).items()))


def path_of_battle(library: Library, word: str) -> Path | None:
    """Return the file of the finished battle with this name; None if there is no such battle.

    None also if a rule set or an existing file has the name: they come first.
    """
    battle = battles_in_reach(library).get(word)
    return battle.path if battle and library.find(word) is None and not Path(word).is_file() else None


def misspelt_battle(library: Library, word: str) -> Problem | None:
    """Return R301 for a word that looks like a misspelt battle; None for a battle, an existing path or several ids.

    None also for a word that is not near any name. The word must be nearer to the name of a battle than to the id of a
    rule set.
    """
    known = battles_in_reach(library)
    near = nearest(word, (*library.ids(), *known))
    if near not in known or word in known or Path(word).exists() or "+" in word:
        return None
    return refused("R301", word, "a rule set, a battle or a file", word, f"did you mean {near}?")


def battle_named(known: Mapping[str, Example], name: str) -> Example:
    """Return the battle with this name. Raises ProblemsError (R329) if there is no such battle."""
    if name not in known:
        hint = suggest(name, known, None if known else "there is none: roll one with fieldpress scenario")
        raise ProblemsError(refused("R329", name, "a finished battle", name, hint, "battle"))
    return known[name]
