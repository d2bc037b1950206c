"""From pydantic's complaints to problems with a line, a column and a remedy."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from generator.rules.complaints import TYPES, expected_of, hint_of, show, written
from generator.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pydantic.fields import FieldInfo

    from generator.problems import Problem
    from generator.rules.places import Place
    from generator.sources.document import Path

M = TypeVar("M", bound=BaseModel)

NO_EXAMPLES: Mapping[str, str] = MappingProxyType({})
MERGE = "<<"
"""A key of YAML 1.1 that stood for all keys of another value: what is not there may be there."""
WRITTEN_OUT = "YAML 1.2 does not merge: write the keys of << out in its place"
"""How to do without it."""
_COMMA = "in braces a comma ends a value: "
_OF_NUMBERS, _OF_WORDS = (
    "write 1000 for 1,000, 1.5 for 1,5, and two numbers in brackets: [10, 20]",
    "put a text with commas in quotes",
)
"""What helps where a number or the rest of a text is a key."""
_WORD = re.compile(r"[\w][\w .'-]{0,40}$")
_TIMES = re.compile(r"(\d{1,3}) ?[x×] ?(\w[\w .'-]{0,40})$", re.IGNORECASE)
_COUNTED = re.compile(r"\d+ entr(y|ies)$")
"""What a list is called that is too short or too long."""
_NO_WORDS = ("nothing", "a list", "an empty list", "an empty text", "a list of keys with values", "yes", "no")
"""What ``show`` calls a value that is no word."""
NOTHING = ("none", "no", "nothing", "n/a", "-", "–", "—")
"""What is written where there is none of something."""
_SUCH_AS = "such as "


def validate(
    model: type[M],
    value: object,
    place: Callable[[Path], Place],
    problems: list[Problem],
    such_as: Mapping[str, str] = NO_EXAMPLES,
) -> M | None:
    """The value as a model, or None with each complaint as a problem.

    ``place`` tells where a path of the value was written. ``such_as`` has by key (``designs``; ``designs[]`` for its
    entries, ``designs[]x`` for one with a count ``{n}``; ``options.*`` for any key ``{key}`` in it) how to write what
    is there, ``{}`` for a text that was given, where nothing better can be said.
    Codes: R201 missing key, R202 unknown key, R203 wrong value.
    """
    try:
        return model.model_validate(value)
    except ValidationError as refused:
        found = _problems(model, value, refused, place)
        problems.extend(_with_example(one, model, path, such_as, value) for path, one in found)
        return None


def _with_example(
    problem: Problem, model: type[BaseModel], path: Path, such_as: Mapping[str, str], whole: Any
) -> Problem:
    keys = [step for step in path if isinstance(step, str)]
    if not keys:
        return problem
    last = keys[-1] + "[]" * isinstance(path[-1], int)
    example = such_as.get(f"{keys[-2]}.{last}" if len(keys) > 1 else last, such_as.get(last))
    if example is None and len(keys) > 1 and f"{keys[-2]}.*" in such_as:
        return problem._replace(hint=problem.hint or _of_any_key(such_as[f"{keys[-2]}.*"], path, whole))
    nothing = problem.expected == TYPES["tuple_type"] and problem.found.lower() in NOTHING
    if nothing and not any(one.is_required() for one in _fields_at(model, path)):
        return problem._replace(hint=f"leave {keys[-1]} out where there is none")
    if problem.code == "R201" and example is not None and _SUCH_AS in example:
        shown = example.partition(_SUCH_AS)[2].partition(";")[0]
        return problem._replace(hint=f"add {shown.replace('{}', '...')}")
    if problem.hint or example is None:
        return problem
    times = _TIMES.match(problem.found)
    if times and f"{keys[-1]}[]x" in such_as:
        return problem._replace(hint=such_as[f"{keys[-1]}[]x"].replace("{}", times[2]).replace("{n}", times[1]))
    is_word = _WORD.match(problem.found) and not _COUNTED.match(problem.found) and problem.found not in _NO_WORDS
    word = problem.found if is_word else "..."
    return problem._replace(hint=example.replace("{}", word))


def _of_any_key(example: str, path: Path, whole: Any) -> str:
    """An example with the key and the value that are there, and the rule set that the file itself names."""
    rules = whole.get("rules") if isinstance(whole, dict) else None
    named = rules[0] if isinstance(rules, list) and rules else rules
    own = named if isinstance(named, str) and named else "my-rules"
    given = _at(whole, path)
    if path[-1] in (named, *(rules if isinstance(rules, list) else ())):
        value = "..." if isinstance(given, dict | list) else show(given)
        return f"write what is set by name, such as {path[-1]}: {{name: {value}}}"
    if isinstance(given, dict | list):  # it stands under a word that is no id
        return f"write the id of a rule set, such as {own}"
    return example.replace("{key}", str(path[-1])).replace("my-rules", own).replace("{}", show(given))


def _problems(
    model: type[BaseModel], value: object, refused: ValidationError, place: Callable[[Path], Place]
) -> Iterator[tuple[Path, Problem]]:
    errors: dict[Path, list[Any]] = {}
    for error in refused.errors(include_url=False):
        path = real_path(value, error["loc"], missing=error["type"] == "missing")
        if not place(path).refused() and not _follows(error):
            errors.setdefault(path, []).append(error)
    followed = {path[:length] for path in errors for length in range(len(path))}
    unknown = [path for path, complaints in errors.items() if complaints[0]["type"] == "extra_forbidden"]
    meant = {(*path[:-1], _meant(model, path, value)) for path in unknown}
    for path, complaints in errors.items():
        told_inside = path in followed and path not in unknown
        missing = complaints[0]["type"] == "missing"
        merged = missing and (MERGE in _at(value, path[:-1]) or place((*path[:-1], MERGE)).refused())
        told_already = missing and (path in meant or merged)
        if not told_inside and not told_already:
            yield path, _problem(model, value, path, complaints, place(path))


def _follows(error: Any) -> bool:
    """Whether a list is short only because of entries that are refused themselves."""
    return bool(error["type"] == "too_short") and len(error["input"] or ()) >= error["ctx"]["min_length"]


def _cut_by_comma(key: str, value: Any) -> str:
    """What helps where a key is what stood behind a comma; else an empty text."""
    if key.isdigit():
        return _COMMA + _OF_NUMBERS
    return _COMMA + _OF_WORDS if value is None and " " in key else ""


def _meant(model: type[BaseModel], path: Path, value: Any) -> str | None:
    """The key that a misspelt one stands for, of those that are not there."""
    holder = _at(value, path[:-1])
    return nearest(path[-1], keys_at(model, path[:-1], value) - set(holder)) or None


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def real_path(value: Any, loc: tuple[str | int, ...], *, missing: bool = False) -> Path:
    """A location without pydantic's own steps (union members, tags, "[key]"), which the value does not have.

    The last step of something ``missing`` is no such step, though the value does not have it either.
    """
    path: list[str | int] = []
    here = value
    for index, step in enumerate(loc):
        last = index == len(loc) - 1
        tag = not last and len(path) > 1 and path[-2] == "blocks" and loc[index - 1] == path[-1]
        if _holds(here, step) and not tag:
            here = here[step]
        elif tag or not last or not missing:
            continue
        path.append(step)
    return tuple(path)


def _holds(value: object, step: str | int) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and step < len(value)


def _problem(model: type[BaseModel], value: Any, path: Path, complaints: list[Any], where: Place) -> Problem:
    """What stands here breaks a rule; several complaints are those of a union's members."""
    error = complaints[0]
    kind = error["type"]
    if kind == "missing":
        name = str(path[-1]) if path else "a key"
        return where.problem("R201", found="nothing", expected=f"the key {name}", hint=f"add {name}: ...")
    if kind == "extra_forbidden":
        meant = _meant(model, path, value)
        known = ", ".join(sorted(keys_at(model, path[:-1], value)))
        hint = f"did you mean {meant}?" if meant else f"known here: {known}" if known else ""
        hint = WRITTEN_OUT if path[-1] == MERGE else _cut_by_comma(str(path[-1]), _at(value, path)) or hint
        return where.problem("R202", found=f"the key {path[-1]}", expected="a known key", hint=hint, at_key=True)
    found = error.get("ctx", {}).get("found") or written(error["input"], where)
    if kind in ("too_short", "too_long") and error["input"]:
        found = f"{len(error['input'])} {'entry' if len(error['input']) == 1 else 'entries'}"
    hint = hint_of(kind, error, found)
    given = error["input"]
    named = isinstance(given, dict) and all(isinstance(one, dict) for one in given.values())
    if kind == "tuple_type" and isinstance(given, dict) and not named and _lists_keys(model, path):
        hint = "put it in brackets: [{...}]"
    is_formula = any(one["type"] == "is_instance_of" for one in complaints)
    expected = "a formula" if is_formula else expected_of(kind, error)
    return where.problem("R203", found=found, expected=expected, hint=hint, at_key=error["loc"][-1:] == ("[key]",))


def check_ids(ids: Sequence[str], place: Place, key: str, problems: list[Problem]) -> None:
    """R207: two entries of a list have one id."""
    first: dict[str, int] = {}
    for index, one in enumerate(ids):
        if first.setdefault(one, index) != index:
            there = (place / first[one]).span()
            hint = f"the first is at {there.file}:{there.line}"
            found, expected = f"the {key} {one} again", f"one {key} of each id"
            problems.append((place / index / key).problem("R207", found=found, expected=expected, hint=hint))


def keys_at(model: type[BaseModel], path: Path, value: Any) -> set[str]:
    """The keys that the model allows at a path of the value, as people write them.

    Of a union's members those count that know most of the keys that are there.
    """
    here: set[type[BaseModel]] = {model}
    for step in path:
        value = value[step]
        inner: set[type[BaseModel]] = set()
        for one in here:
            for name, info in one.model_fields.items():
                if step in (name, info.alias):
                    inner |= models_in(info.annotation)
        here = inner or here
    shared = {one: len(_keys(one) & set(value)) for one in here}
    return set().union(*(_keys(one) for one in here if shared[one] == max(shared.values())))


def _lists_keys(model: type[BaseModel], path: Path) -> bool:
    """Whether what stands here is a list of what has keys."""
    given = [one.annotation for one in _fields_at(model, path)]
    return any(models_in(one) or "dict[" in str(one) for one in given)


def _fields_at(model: type[BaseModel], path: Path) -> list[FieldInfo]:
    """What the models that may stand there have under this key."""
    here = {model}
    for step in path[:-1]:
        here = set().union(*(_of(one, step) for one in here)) or here
    return [info for one in here for name, info in one.model_fields.items() if path[-1] in (name, info.alias)]


def _of(model: type[BaseModel], step: str | int) -> set[type[BaseModel]]:
    named = (info for name, info in model.model_fields.items() if step in (name, info.alias))
    return set().union(*(models_in(info.annotation) for info in named))


def _keys(model: type[BaseModel]) -> set[str]:
    return {info.alias or name for name, info in model.model_fields.items()}


def models_in(annotation: Any) -> set[type[BaseModel]]:
    """The models among what a field may hold."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation}
    arguments = getattr(annotation, "__args__", ()) or ()
    return set().union(*(models_in(argument) for argument in arguments)) if arguments else set()
