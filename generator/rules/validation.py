"""From pydantic's complaints to problems with a line, a column and a remedy."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.problems import Problem
    from generator.rules.places import Place
    from generator.sources.document import Path

M = TypeVar("M", bound=BaseModel)

_TYPES = {
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "yes or no (true or false)",
    "dict_type": "a list of keys with values",
    "model_type": "a list of keys with values",
    "model_attributes_type": "a list of keys with values",
    "tuple_type": "a list",
}
_YES_NO = {"yes": True, "no": False}


def validate(model: type[M], value: object, place: Callable[[Path], Place], problems: list[Problem]) -> M | None:
    """The value as a model, or None with each complaint as a problem.

    ``place`` tells where a path of the value was written. Codes: R201 missing key, R202 unknown key, R203 wrong value.
    """
    try:
        return model.model_validate(value)
    except ValidationError as refused:
        problems.extend(_problems(model, value, refused, place))
        return None


def _problems(
    model: type[BaseModel], value: object, refused: ValidationError, place: Callable[[Path], Place]
) -> list[Problem]:
    found: list[Problem] = []
    seen: set[Path] = set()
    for error in refused.errors(include_url=False):
        path = real_path(value, error["loc"])
        if path in seen or place(path).refused():
            continue
        seen.add(path)
        found.append(_problem(model, path, error, place))
    return found


def real_path(value: Any, loc: tuple[str | int, ...]) -> Path:
    """A location without pydantic's own steps (union members and tags), which the value does not have."""
    path: list[str | int] = []
    here = value
    for index, step in enumerate(loc):
        if _holds(here, step):
            here = here[step]
        elif index < len(loc) - 1 or not isinstance(here, dict):
            continue
        path.append(step)
    return tuple(path)


def _holds(value: object, step: str | int) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and step < len(value)


def _problem(model: type[BaseModel], path: Path, error: Any, place: Callable[[Path], Place]) -> Problem:
    kind, where = error["type"], place(path)
    if kind == "missing":
        name = str(path[-1]) if path else "a key"
        return where.problem("R201", found="nothing", expected=f"the key {name}", hint=f"add {name}: ...")
    if kind == "extra_forbidden":
        known = sorted(keys_at(model, path[:-1]))
        near = get_close_matches(str(path[-1]), known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}" if known else ""
        return where.problem("R202", found=f"the key {path[-1]}", expected="a known key", hint=hint, at_key=True)
    return where.problem("R203", found=show(error["input"]), expected=_expected(kind, error), hint=_hint(kind, error))


def _expected(kind: str, error: Any) -> str:
    context = error.get("ctx", {})
    if kind in _TYPES:
        return _TYPES[kind]
    if kind == "literal_error":
        return f"one of {context['expected']}".replace("'", "").replace(" or ", ", ")
    if kind == "string_pattern_mismatch":
        return f"a text of the form {context['pattern']}"
    if kind == "string_too_long":
        return f"at most {context['max_length']} characters"
    if kind == "string_too_short":
        return f"at least {context['min_length']} characters"
    if kind == "too_short":
        return f"at least {context['min_length']} entries"
    if kind == "too_long":
        return f"at most {context['max_length']} entries"
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return "one of the blocks a sheet knows"
    if kind in ("one_action", "set_needs", "with_needed", "one_of"):
        return str(error["msg"])
    return "another value"


def _hint(kind: str, error: Any) -> str:
    given = error["input"]
    if kind == "literal_error" and isinstance(given, str):
        words = error["ctx"]["expected"].replace(" or ", ", ").replace("'", "").split(", ")
        near = get_close_matches(given, words, n=1)
        return f"did you mean {near[0]}?" if near else ""
    if kind == "bool_type" and given in _YES_NO:
        return "in rule data write true or false"
    if kind == "string_type":
        return "put quotes around it"
    return ""


def show(value: object) -> str:
    """A value as a problem names it, shortened."""
    if isinstance(value, dict):
        return "a list of keys with values"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004 - what fits a line


def keys_at(model: type[BaseModel], path: Path) -> set[str]:
    """The keys that the model allows at a path, as people write them; empty where that is open."""
    here: set[type[BaseModel]] = {model}
    for step in path:
        if isinstance(step, int):
            continue
        inner: set[type[BaseModel]] = set()
        for one in here:
            for name, info in one.model_fields.items():
                if step in (name, info.alias):
                    inner |= _models(info.annotation)
        here = inner or here
    return {info.alias or name for one in here for name, info in one.model_fields.items()}


def _models(annotation: Any) -> set[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation}
    arguments = getattr(annotation, "__args__", ()) or ()
    return set().union(*(_models(argument) for argument in arguments)) if arguments else set()
