"""Validate values with pydantic, and report each error as a problem with line, column and hint."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from generator.parsing.text import Path, value_at
from generator.parsing.yaml12 import read_yaml
from generator.problems import Problem, ProblemsError, nearest, suggest, suggest_key
from generator.rules.formulas.working import spell
from generator.rules.model.base import FORMS
from generator.rules.source.parts import Part, Place

M = TypeVar("M", bound=BaseModel)

MERGE = "<<"
"""The merge key of YAML 1.1. A key that seems to be missing may be in the merged value."""
WRITTEN_OUT = "replace << by the keys that it merges"
"""The hint for a merge key."""


class ReferenceChecker(Protocol):
    """Checker that looks up the names in a model, and reports missing names."""

    def check(self, model: BaseModel, place: Place, *around: Any) -> bool:
        """Look up every reference of a model, and of the models inside it; return whether no name is missing.

        No missing name of the model is reported twice. A reference that can only be looked up later counts as found.
        ``place`` is where the model is written; ``around`` are the models around it, from the inside out.
        """

    def check_name(self, what: str, word: str, place: Place, *around: Any) -> bool:
        """Look up one name that no model declares as a reference; return whether it was found.

        Adds a problem for a missing name. ``what`` is the kind of thing that the name stands for, such as ``kind``.
        ``place`` is where the name is written; ``around`` is as for ``check``.
        """


def validate(model: type[M], value: object, place: Callable[[Path], Place], problems: list[Problem]) -> M | None:
    """Return the value as a model; if it is invalid, return None and add a problem for each wrong value or key.

    ``place`` returns the place of a path of the value. Codes: R201 missing key, R202 unknown key, R203 wrong value, or
    the code of a check of the model, such as R224. Errors that only follow from others are left out.
    """
    try:
        return model.model_validate(value)
    except ValidationError as refused:
        problems.extend(_problems(model, value, refused, place))
        return None


def read_model(model: type[M], path: pathlib.Path) -> tuple[M, Part]:
    """Return a user's YAML file as a model, and as a part for the places of later problems.

    An empty file counts as a file without keys.
    Raises ProblemsError for any problem: F1xx for problems of reading the file, and the problems of ``validate``.
    """
    document, unread = read_yaml(path, str(path))
    problems = list(unread)
    if document is None:
        raise ProblemsError(*problems)
    part = Part("", document)
    read = validate(model, part.value if part.value is not None else {}, part.place, problems)
    if problems or read is None:
        raise ProblemsError(*problems)
    return read, part


def _problems(
    model: type[BaseModel], value: object, refused: ValidationError, place: Callable[[Path], Place]
) -> Iterator[Problem]:
    """Yield one problem for each wrong value and each unknown or missing key.

    Errors that follow from others are left out, and so are missing keys that an unknown key resembles, or
    that ``<<`` may merge.
    """
    errors: dict[Path, list[Any]] = {}
    for error in refused.errors(include_url=False):
        path = real_path(value, error["loc"], missing=error["type"] == "missing")
        if not _follows(error):
            errors.setdefault(path, []).append(error)
    followed = {path[:length] for path in errors for length in range(len(path))}
    unknown = [path for path, listed in errors.items() if listed[0]["type"] == "extra_forbidden"]
    misspelt = {(*path[:-1], nearest(path[-1], keys_at(model, path[:-1], value))) for path in unknown}
    for path, listed in errors.items():
        if path in followed and path not in unknown:
            continue
        missing = listed[0]["type"] == "missing"
        merged = missing and MERGE in value_at(value, path[:-1])
        if not merged and not (missing and path in misspelt):
            yield _problem(model, value, path, listed, place(path))


def _follows(error: Any) -> bool:
    """Return whether a list is too short only because some of its entries were refused."""
    return bool(error["type"] == "too_short") and len(error["input"] or ()) >= error["ctx"]["min_length"]


def real_path(value: Any, loc: tuple[str | int, ...], *, missing: bool) -> Path:
    """Return the path in ``value`` of the location ``loc`` of a pydantic error.

    Pydantic's own steps (union members, tags, "[key]") are left out. The last step of a ``missing`` key is kept,
    although it is not in the value.
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
    """Return whether a mapping or list has a value at this step."""
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and step < len(value)


_REPLACED: dict[str | int, str] = {"opposed": "rolls", "target": "rolls"}
"""Keys of earlier versions, each with the key that says the same now."""


def _problem(model: type[BaseModel], value: Any, path: Path, errors: list[Any], where: Place) -> Problem:
    """Return the problem with what ``value`` has at a path, which is at the place ``where``.

    ``errors`` are pydantic's errors there: several, for example, from the members of a union.
    """
    errors = sorted(errors, key=lambda error: "hint" not in error.get("ctx", {}))
    error = errors[0]
    kind, actual = error["type"], error["input"]
    if kind == "missing":
        name = str(path[-1]) if path else "a key"
        return where.problem("R201", f"the key {name}", "nothing", f"add {name}: ...")
    if kind == "extra_forbidden":
        known = sorted(keys_at(model, path[:-1], value))
        otherwise = f"known here: {', '.join(known)}" if known else ""
        document, written_path = where.written()
        hint = suggest_key(path[-1], known, value_at(document.value, written_path[:-1]), otherwise)
        hint = WRITTEN_OUT if path[-1] == MERGE else hint
        if (new := _REPLACED.get(path[-1])) in known:
            hint = f"{path[-1]} is no longer a key: write {new} and results"
        return where.problem("R202", "a known key", f"the key {path[-1]}", hint, at_key=True)
    found = error.get("ctx", {}).get("found") or written(actual, where)
    if kind in ("too_short", "too_long") and actual:
        found = f"{len(actual)} {'entry' if len(actual) == 1 else 'entries'}"
    at_key = error["loc"][-1:] == ("[key]",)
    code = error.get("ctx", {}).get("code", "R203")
    return where.problem(code, expected_of(errors), found, hint_of(error), at_key=at_key)


def check_ids(ids: Sequence[str], place: Place, key: str, problems: list[Problem]) -> None:
    """Add R207 for each id that occurs again in the list at ``place``; ``key`` is the key of an entry with its id."""
    first: dict[str, int] = {}
    for index, item in enumerate(ids):
        if first.setdefault(item, index) != index:
            there = (place / first[item]).span()
            hint = f"the first is at {there.file}:{there.line}"
            found, expected = f"the {key} {item} again", f"one {key} of each id"
            problems.append((place / index / key).problem("R207", expected, found, hint))


def keys_at(model: type[BaseModel], path: Path, value: Any) -> set[str]:
    """Return the keys that the model allows at a path of the value, as files write them.

    The path must exist. In a union, only the members that share the most keys with the value count.
    """
    here: set[type[BaseModel]] = {model}
    for step in path:
        value = value[step]
        inner: set[type[BaseModel]] = set()
        for item in here:
            for name, info in item.model_fields.items():
                if step in (name, info.alias):
                    inner |= models_in(info.annotation)
        here = inner or here
    shared = {item: len(_keys(item) & set(value)) for item in here}
    return set().union(*(_keys(item) for item in here if shared[item] == max(shared.values())))


def _keys(model: type[BaseModel]) -> set[str]:
    return {info.alias or name for name, info in model.model_fields.items()}


def models_in(annotation: Any) -> set[type[BaseModel]]:
    """Return all pydantic models in the type of a field, also inside tuples, mappings and unions; empty for others."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation}
    arguments = getattr(annotation, "__args__", ()) or ()
    return set().union(*(models_in(argument) for argument in arguments)) if arguments else set()


_PLAIN_NUMBER = re.compile(r"[-+.\deE]+")


@cache
def _words() -> dict[str, dict[str, str]]:
    """Return the contents of ``value_errors.yaml``: the words for the usual types of pydantic error."""
    document, _ = read_yaml(pathlib.Path(__file__).with_name("value_errors.yaml"), "")
    return document.value  # type: ignore[return-value, union-attr] # our own file


def show(value: object) -> str:
    """Return a value in the words of a problem, such as yes for True; a list or mapping is only described.

    A long text is cut to 60 characters.
    """
    if isinstance(value, dict):
        return "a list of keys with values"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return spell(value)
    text = str(value) or "an empty text"
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004 - what fits a line


def expected_of(errors: list[Any]) -> str:
    """Return what pydantic expected of a value, in words.

    Several errors come from the members of a union. The first error counts, but if any of them is about an instance,
    a formula is expected.
    """
    error = errors[0]
    kind, context = error["type"], error.get("ctx", {})
    if any(error["type"] == "is_instance_of" for error in errors):
        kind = "is_instance_of"
    if kind == "literal_error":
        return f"one of {', '.join(_choices(error))}"
    if kind == "string_pattern_mismatch":
        return FORMS.get(context["pattern"], f"a text of the form {context['pattern']}")
    if kind not in _words():
        return str(error["msg"])
    return _words()[kind]["expected"].format(**context).replace(" 1 entries", " one entry")


def written(value: object, where: Place) -> str:
    """Return a value as a problem prints it; a decimal is copied from the file, because 1.500 may mean thousands."""
    if isinstance(value, Fraction):
        span = where.span()
        number = _PLAIN_NUMBER.match(span.text, max(span.column - 1, 0))
        return number[0] if number else show(value)
    return show(value)


def hint_of(error: Any) -> str:
    """Return a hint for a pydantic error, or an empty text."""
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    if "hint" in context:
        return str(context["hint"])
    if kind in ("string_too_long", "too_long"):
        return f"remove {len(value) - context['max_length']}"
    if kind == "literal_error":
        return suggest(value, _choices(error), "") if isinstance(value, str) else ""
    if kind in ("string_type", "texts") and value is not None:
        return "write one text, without brackets" if isinstance(value, list) else "put the text in quotes"
    return _words().get(kind, {}).get("hint", "")


def _choices(error: Any) -> list[str]:
    """Return the allowed values that a pydantic error of the type ``literal_error`` lists."""
    return str(error["ctx"]["expected"]).replace("'", "").replace(" or ", ", ").split(", ")
