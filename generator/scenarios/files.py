"""A scenario file: its shape checked, whatever can be used kept, nothing compared with the rules yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from generator.errors import ProblemsError
from generator.forces.files import ForceFile, force_in, read_force
from generator.forces.models import MAX_NAME
from generator.rules.parts import Part
from generator.rules.settings import Settings, settings_in
from generator.rules.validation import show, validate
from generator.scenarios.models import (
    EntryModel,
    ObjectiveModel,
    PieceModel,
    RollModel,
    RuleModel,
    ScenarioModel,
    SetPieceModel,
    SideModel,
    TableModel,
    VictoryModel,
    ZoneModel,
)
from generator.sources.yaml12 import read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from generator.problems import Problem
    from generator.rules.models.base import Model
    from generator.rules.places import Place

M = TypeVar("M", bound="Model")

_LISTS: dict[str, type[Model]] = {
    "sides": SideModel,
    "terrain": PieceModel,
    "zones": ZoneModel,
    "entries": EntryModel,
    "objectives": ObjectiveModel,
    "victory": VictoryModel,
    "set_pieces": SetPieceModel,
    "rolls": RollModel,
}
"""The lists of a scenario, and what is in each."""


class Given(NamedTuple):
    """An entry of a list that can be used, and where it stands."""

    model: Any
    place: Place


class SideFile(NamedTuple):
    """A side with what its force file says; None where that cannot be used."""

    model: SideModel
    force: ForceFile | None
    inline: bool
    place: Place


class ScenarioFile(NamedTuple):
    """What a scenario file says, its forces read."""

    name: str
    rules: tuple[str, ...]
    settings: Settings
    plain: ScenarioModel | None
    """The keys that are one value each; None where the file does not keep its shape."""
    table: TableModel | None
    sides: tuple[SideFile, ...]
    lists: dict[str, tuple[Given, ...]]
    """Of each list what can be used."""
    special: tuple[tuple[str | RuleModel, Place], ...]
    place: Place
    problems: tuple[Problem, ...]
    """What is wrong with its shape, and with that of its forces."""


def read_scenario(path: Path) -> ScenarioFile:
    """Read a scenario file and the forces of its sides.

    Raises ProblemsError where there is nothing to go on with: F1xx a file that cannot be read, R201 to R203 one that
    does not say its rules. S215: a force that may not be read.
    """
    document, unread = read_yaml(path, str(path))
    problems = list(unread)
    if document is None:
        raise ProblemsError(*problems)
    part = Part("", document)
    given: Any = part.value
    model = validate(ScenarioModel, given, part.place, problems)
    said = given.get("rules") if isinstance(given, dict) else None
    rules = [said] if isinstance(said, str) else said
    if not isinstance(rules, list) or not rules or not all(isinstance(one, str) for one in rules):
        raise ProblemsError(*problems)
    lists = {name: _usable(part, name, entry) for name, entry in _LISTS.items()}
    name = given.get("scenario")
    sides = tuple(_side(path, part, one, rules, problems) for one in lists.pop("sides"))
    return ScenarioFile(
        name[:MAX_NAME] if isinstance(name, str) and name.strip() else path.stem,
        tuple(rules),
        settings_in(part) if model is not None else Settings(),
        model,
        validate(TableModel, given.get("table"), part.place, []),
        sides,
        lists,
        _special(part),
        part.place(),
        tuple(problems),
    )


def _usable(part: Part, name: str, entry: type[Model]) -> tuple[Given, ...]:
    """The entries of a list that keep their shape: what is wrong with the others was told of the whole file."""
    entries = part.value.get(name)
    if not isinstance(entries, list):
        return ()
    read = ((validate(entry, one, part.place, []), part.place((name, index))) for index, one in enumerate(entries))
    most = ScenarioModel.model_fields[name].metadata
    limit = next((one.max_length for one in most if hasattr(one, "max_length")), None)
    return tuple(Given(model, place) for model, place in read if model is not None)[:limit]


def _special(part: Part) -> tuple[tuple[str | RuleModel, Place], ...]:
    entries = part.value.get("special")
    found: list[tuple[str | RuleModel, Place]] = []
    for index, one in enumerate(entries if isinstance(entries, list) else ()):
        model = one if isinstance(one, str) else validate(RuleModel, one, part.place, [])
        if model is not None:
            found.append((model, part.place(("special", index))))
    return tuple(found)


def _side(path: Path, part: Part, given: Given, rules: list[str], problems: list[Problem]) -> SideFile:
    side, at = given.model, given.place / "force"
    if isinstance(side.force, str):
        force = _from_file(path, side.force, at, problems)
        return SideFile(side, force, inline=False, place=given.place)
    inner = Part("", part.document.inside(at.path))
    inner.value = {"force": side.side, "rules": rules, **inner.value}
    force = _told(lambda: force_in(inner, path, []), lambda one: within(one, at), problems)
    return SideFile(side, force, inline=True, place=given.place)


def within(problem: Problem, at: Place) -> Problem:
    """A problem of a force that stands inside a scenario: its field goes on from there."""
    if problem.span.file != at.span().file:
        return problem
    whole = at.problem("", found="", expected="").field
    return problem._replace(field=f"{whole}.{problem.field}" if problem.field else whole)


def _from_file(path: Path, name: str, at: Place, problems: list[Problem]) -> ForceFile | None:
    """The force of a file that a scenario names. S215: it is not in the scenario's folder, or is the scenario."""
    target = path.parent / name
    real = target.resolve()
    if real == path.resolve() or not real.is_relative_to(path.parent.resolve()):
        own = real == path.resolve()
        hint = "write the force into the scenario, or name its file" if own else "put it beside the scenario, or below"
        expected = "the file of a force" if own else "a file in the scenario's folder"
        problems.append(at.problem("S215", found=show(name), expected=expected, hint=hint))
        return None
    # What is wrong with the file as a whole is told where the scenario names it.
    return _told(lambda: read_force(target), lambda one: one if one.span.line else _here(one, at), problems)


def _here(problem: Problem, at: Place) -> Problem:
    return at.problem(problem.code, found=problem.found, expected=problem.expected, hint=problem.hint)


def _told(
    read: Callable[[], ForceFile], placed: Callable[[Problem], Problem], problems: list[Problem]
) -> ForceFile | None:
    """What is read, and its problems told; None where there is nothing to go on with."""
    try:
        force = read()
    except ProblemsError as error:
        problems += [placed(one) for one in error.problems]
        return None
    problems += [placed(one) for one in force.problems]
    return force
