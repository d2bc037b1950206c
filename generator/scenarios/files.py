"""A scenario file: its shape checked, whatever can be used kept, nothing compared with the rules yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from generator.errors import ProblemsError
from generator.forces.files import ForceFile, force_in, read_force
from generator.forces.models import MAX_NAME
from generator.rules.complaints import show
from generator.rules.misspelt import respell
from generator.rules.parts import Part
from generator.rules.settings import settings_in
from generator.rules.validation import validate
from generator.scenarios.models import (
    EntryModel,
    MarkerModel,
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
from generator.scenarios.partly import partly
from generator.sources.yaml12 import read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from generator.problems import Problem
    from generator.rules.models.base import Model
    from generator.rules.places import Place
    from generator.rules.settings import Settings

M = TypeVar("M", bound="Model")

_LISTS: dict[str, type[Model]] = {
    "sides": SideModel,
    "terrain": PieceModel,
    "zones": ZoneModel,
    "entries": EntryModel,
    "objectives": ObjectiveModel,
    "victory": VictoryModel,
    "set_pieces": SetPieceModel,
    "markers": MarkerModel,
    "rolls": RollModel,
}
"""The lists of a scenario, and what is in each."""


NO_RULES = ["-"]
"""What stands for the rules of a force whose scenario says none."""


class Given(NamedTuple):
    """An entry of a list as far as it can be used, and where it stands."""

    model: Any
    place: Place
    holes: frozenset[str] = frozenset()
    """The keys whose values cannot be used."""

    def at(self, key: str) -> Place:
        """Where the value of a key stands."""
        return self.place / key


class SideFile(NamedTuple):
    """A side with what its force file says; None where that cannot be used."""

    given: Given
    force: ForceFile | None
    inline: bool

    @property
    def model(self) -> SideModel:
        """The side as far as it can be used."""
        found: SideModel = self.given.model
        return found

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.given.place


class ScenarioFile(NamedTuple):
    """What a scenario file says, its forces read."""

    name: str
    rules: tuple[str, ...]
    """Empty where nothing usable was said."""
    settings: Settings
    plain: Given
    """The keys that are one value each."""
    table: Given | None
    """None where nothing of it can be used."""
    sides: tuple[SideFile, ...]
    lists: dict[str, tuple[Given, ...]]
    """Of each list what can be used."""
    torn: frozenset[str]
    """The lists of which something cannot be used at all."""
    special: tuple[tuple[str | RuleModel, Place], ...]
    place: Place
    problems: tuple[Problem, ...]
    """What is wrong with its shape, and with that of its forces."""


def read_scenario(path: Path) -> ScenarioFile:
    """Read a scenario file and the forces of its sides.

    Raises ProblemsError where there is nothing to go on with: F1xx a file that cannot be read, R203 one without
    keys. S215: a force that may not be read.
    """
    document, unread = read_yaml(path, str(path))
    problems = list(unread)
    if document is None:
        raise ProblemsError(*problems)
    part = Part("", document)
    respell(ScenarioModel, part, problems)
    validate(ScenarioModel, part.value, part.place, problems)
    whole = _given(ScenarioModel, part.value, part.place())
    if whole is None:
        raise ProblemsError(*problems)
    problems.sort(key=lambda one: one.span)
    said = whole.at("rules").value()
    rules = [said] if isinstance(said, str) else said
    if not isinstance(rules, list) or not all(isinstance(one, str) for one in rules):
        rules = []
    lists, torn = {}, set()
    for name, entry in _LISTS.items():
        lists[name], all_there = _usable(whole, name, entry)
        torn |= set() if all_there else {name}
    name = whole.at("scenario").value()
    sides = tuple(_side(path, part, one, rules, problems) for one in lists.pop("sides"))
    return ScenarioFile(
        name[:MAX_NAME] if isinstance(name, str) and name.strip() else path.stem,
        tuple(rules),
        settings_in(part),
        whole,
        _given(TableModel, whole.at("table").value(), whole.at("table")),
        sides,
        lists,
        frozenset(torn),
        _special(whole),
        part.place(),
        tuple(problems),
    )


def _given(entry: type[Model], value: Any, place: Place) -> Given | None:
    found = partly(entry, value, place)
    return None if found is None else Given(found.model, place, found.holes)


def _usable(whole: Given, name: str, entry: type[Model]) -> tuple[tuple[Given, ...], bool]:
    """The entries of a list as far as they can be used, and whether all can: what is wrong with others was told."""
    at = whole.at(name)
    entries = at.value()
    if not isinstance(entries, list):
        strange = whole.holes - ScenarioModel.model_fields.keys()  # a key that nobody knows may be what is lacking
        return (), name not in whole.holes and not (entries is None and strange)
    most = ScenarioModel.model_fields[name].metadata
    limit = next((one.max_length for one in most if hasattr(one, "max_length")), None)
    read = [_given(entry, one, at / index) for index, one in enumerate(entries[:limit])]
    found = tuple(one for one in read if one is not None)
    return found, len(found) == len(entries)


def _special(whole: Given) -> tuple[tuple[str | RuleModel, Place], ...]:
    at = whole.at("special")
    entries = at.value()
    found: list[tuple[str | RuleModel, Place]] = []
    for index, one in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(one, str):
            found.append((one, at / index))
        elif (rule := _given(RuleModel, one, at / index)) is not None and not rule.holes:
            found.append((rule.model, at / index))
    return tuple(found)


def _side(path: Path, part: Part, given: Given, rules: list[str], problems: list[Problem]) -> SideFile:
    side, at = given.model, given.at("force")
    if "force" in given.holes:
        return SideFile(given, None, inline=False)
    if isinstance(side.force, str):
        return SideFile(given, _from_file(path, side.force, at, problems), inline=False)
    inner = Part("", part.document.inside(at.written()[1]))
    given_by = {"force": side.side, "rules": rules or NO_RULES}
    force = _told(lambda: force_in(inner, path, [], given_by), lambda one: within(one, at), problems)
    return SideFile(given, force, inline=True)


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
        hint = (
            "write the force into the scenario, or name its file"
            if own
            else "put it beside the scenario, or below, and no link to elsewhere"
        )
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
