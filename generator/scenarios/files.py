"""A scenario file: its shape checked, whatever can be used kept, nothing compared with the rules yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from generator.errors import ProblemsError
from generator.forces.files import ForceFile, force_in, read_force
from generator.forces.models import MAX_NAME
from generator.parsing.yaml12 import read_yaml
from generator.rules.source.model_errors import show
from generator.rules.source.parts import Part
from generator.rules.source.settings import settings_in
from generator.rules.source.validation import validate
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

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from generator.problems import Problem
    from generator.rules.model.base import Model
    from generator.rules.source.parts import Place
    from generator.rules.source.settings import Settings

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


_STAND_INS: dict[str, Any] = {
    "scenario": "-",
    "rules": NO_RULES,
    "sides": [{"side": "A", "force": {}}, {"side": "B", "force": {}}],
    "table": {"width": 12, "depth": 12},
}
"""For required keys: values of the right shape while the other keys are read."""


class Given(NamedTuple):
    """An entry of a list, and where it stands."""

    model: Any
    place: Place

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
        """The side."""
        side: SideModel = self.given.model
        return side

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
    plain: ScenarioModel
    """The keys that are one value each; the default of each that cannot be read."""
    table: TableModel | None
    """None where it cannot be read."""
    sides: tuple[SideFile, ...]
    lists: dict[str, tuple[Given, ...]]
    """The entries of each list that can be read."""
    broken: frozenset[str]
    """The sections that have more than can be read."""
    special: tuple[tuple[str | RuleModel, Place], ...]
    place: Place
    problems: tuple[Problem, ...]
    """What is wrong with its shape, and with that of its forces."""


def read_scenario(path: Path) -> ScenarioFile:
    """Read a scenario file and the forces of its sides. An entry with a problem is left out.

    Raises ProblemsError where there is nothing to go on with: F1xx a file that cannot be read, R203 one without
    keys. S215: a force that may not be read.
    """
    document, unread = read_yaml(path, str(path))
    problems = list(unread)
    if document is None:
        raise ProblemsError(*problems)
    part = Part("", document)
    validate(ScenarioModel, part.value, part.place, problems)
    if not isinstance(part.value, dict):
        raise ProblemsError(*problems)
    problems.sort(key=lambda problem: problem.span)
    whole, value = part.place(), part.value
    said = value.get("rules")
    rules = [said] if isinstance(said, str) else said
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        rules = []
    unknown = bool(value.keys() - ScenarioModel.model_fields.keys())  # it may stand for a list that is missing
    lists = {name: _entries(entry, whole / name) for name, entry in _LISTS.items()}
    table = _read(TableModel, whole / "table")
    broken = {"table"} if table is None else set()
    for name, entries in lists.items():
        given = value.get(name)
        complete = len(entries) == len(given) if isinstance(given, list) else name not in value and not unknown
        broken |= set() if complete else {name}
    called = value.get("scenario")
    sides = tuple(_side(path, part, item, rules, problems) for item in lists.pop("sides"))
    return ScenarioFile(
        called[:MAX_NAME] if isinstance(called, str) and called.strip() else path.stem,
        tuple(rules),
        settings_in(part),
        _plain(whole),
        table.model if table else None,
        sides,
        lists,
        frozenset(broken),
        _special(whole / "special"),
        whole,
        tuple(problems),
    )


def _read(model: type[Model], place: Place) -> Given | None:
    """What stands at a place, as its model; None where it has a problem, which was reported with the whole file."""
    document, path = place.written()
    if any(item[: len(path)] == path for item in document.refused):
        return None
    try:
        return Given(model.model_validate(place.value()), place)
    except ValidationError:
        return None


def _read_side(place: Place) -> Given | None:
    """A side, without its optional keys that have a problem: its name and its force are enough to check the rest."""
    value = place.value()
    kept = {key: item for key, item in value.items() if not (place / key).refused()} if isinstance(value, dict) else {}
    try:
        SideModel.model_validate(kept)
    except ValidationError as error:
        wrong = {item["loc"][0] for item in error.errors(include_url=False) if item["loc"]}
        kept = {key: item for key, item in kept.items() if key not in wrong}
    return Given(SideModel.model_validate(kept), place) if {"side", "force"} <= kept.keys() else None


def _entries(model: type[Model], place: Place) -> tuple[Given, ...]:
    """The entries of a list that can be read."""
    given = place.value()
    places = [place / index for index in range(len(given) if isinstance(given, list) else 0)]
    read = (_read_side(item) if model is SideModel else _read(model, item) for item in places)
    return tuple(item for item in read if item is not None)


def _plain(whole: Place) -> ScenarioModel:
    """The scenario without its lists, each key by itself."""
    sound: dict[str, Any] = {}
    for key, item in whole.value().items():
        if key not in _LISTS and key != "special" and not (whole / key).refused():
            try:
                ScenarioModel.model_validate({**_STAND_INS, key: item})
            except ValidationError:
                continue
            sound[key] = item
    return ScenarioModel.model_validate({**_STAND_INS, **sound})


def _special(at: Place) -> tuple[tuple[str | RuleModel, Place], ...]:
    entries = at.value()
    found: list[tuple[str | RuleModel, Place]] = []
    for index, item in enumerate(entries if isinstance(entries, list) else ()):
        rule = None if isinstance(item, str) else _read(RuleModel, at / index)
        if isinstance(item, str):
            found.append((item, at / index))
        elif rule is not None:
            found.append((rule.model, at / index))
    return tuple(found)


def _side(path: Path, part: Part, given: Given, rules: list[str], problems: list[Problem]) -> SideFile:
    side, at = given.model, given.at("force")
    if isinstance(side.force, str):
        return SideFile(given, _from_file(path, side.force, at, problems), inline=False)
    inner = Part("", part.document.inside(at.written()[1]))
    given_by = {"force": side.side, "rules": rules or NO_RULES}
    force = _told(lambda: force_in(inner, path, [], given_by), lambda item: within(item, at), problems)
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
    return _told(lambda: read_force(target), lambda item: item if item.span.line else _here(item, at), problems)


def _here(problem: Problem, at: Place) -> Problem:
    return at.problem(problem.code, found=problem.found, expected=problem.expected, hint=problem.hint)


def _told(
    read: Callable[[], ForceFile], placed: Callable[[Problem], Problem], problems: list[Problem]
) -> ForceFile | None:
    """What is read, and its problems told; None where there is nothing to go on with."""
    try:
        force = read()
    except ProblemsError as error:
        problems += [placed(problem) for problem in error.problems]
        return None
    problems += [placed(problem) for problem in force.problems]
    return force
