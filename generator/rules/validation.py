"""From pydantic's complaints to problems with a line, a column and a remedy."""

from __future__ import annotations

import re
from difflib import get_close_matches
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from generator.rules.models.base import FORMS
from generator.sources.scalars import MAX_DIGITS

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
_COMMA = "in braces a comma ends a value: write 1000 for 1,000, and two numbers in brackets: [10, 20]"
"""What helps where a number is a key."""
_WORD = re.compile(r"[\w][\w .'-]{0,40}$")
_TIMES = re.compile(r"(\d{1,3}) ?[x×] ?(\w[\w .'-]{0,40})$", re.IGNORECASE)
_COUNTED = re.compile(r"\d+ entr(y|ies)$")
"""What a list is called that is too short or too long."""
_NO_WORDS = ("nothing", "a list", "an empty list", "an empty text", "a list of keys with values", "yes", "no")
"""What ``show`` calls a value that is no word."""
NOTHING = ("none", "no", "nothing", "n/a", "-", "–", "—")
"""What is written where there is none of something."""
_SUCH_AS = "such as "
_FIGURE = re.compile(r"-?\d{1,9}(?:[.,’'_ \u00a0\u202f]\d{1,9})*")
_WHOLE = re.compile(r"(?P<whole>[1-9]\d{0,2}(?P<mark>[.,’'_ \u00a0\u202f])\d{3}(?:(?P=mark)\d{3})*|\d+)(?:[.,]0+)?")
"""A whole number, with one sign between its thousands or none, and perhaps a fraction of nothing."""
_THOUSANDS = re.compile(r"(\d{1,4})(?:[.,](\d{1,3}))? ?k\b", re.IGNORECASE)
_PLAIN_NUMBER = re.compile(r"[-+.\deE]+")

_TYPES = {
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "yes or no (true or false)",
    "dict_type": "a list of keys with values",
    "model_type": "a list of keys with values",
    "model_attributes_type": "a list of keys with values",
    "tuple_type": "a list",
}


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
    nothing = problem.expected == _TYPES["tuple_type"] and problem.found.lower() in NOTHING
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
        if not place(path).refused():
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


def _meant(model: type[BaseModel], path: Path, value: Any) -> str | None:
    """The key that a misspelt one stands for, of those that are not there."""
    holder = _at(value, path[:-1])
    near = get_close_matches(str(path[-1]), keys_at(model, path[:-1], value) - set(holder), n=1)
    return near[0] if near else None


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
        hint = WRITTEN_OUT if path[-1] == MERGE else _COMMA if str(path[-1]).isdigit() else hint
        return where.problem("R202", found=f"the key {path[-1]}", expected="a known key", hint=hint, at_key=True)
    found = error.get("ctx", {}).get("found") or _written(error["input"], where)
    if kind in ("too_short", "too_long") and error["input"]:
        found = f"{len(error['input'])} {'entry' if len(error['input']) == 1 else 'entries'}"
    hint = _hint(kind, error, found)
    given = error["input"]
    named = isinstance(given, dict) and all(isinstance(one, dict) for one in given.values())
    if kind == "tuple_type" and isinstance(given, dict) and not named and _lists_keys(model, path):
        hint = "put it in brackets: [{...}]"
    is_formula = any(one["type"] == "is_instance_of" for one in complaints)
    expected = "a formula" if is_formula else _expected(kind, error)
    return where.problem("R203", found=found, expected=expected, hint=hint, at_key=error["loc"][-1:] == ("[key]",))


def _expected(kind: str, error: Any) -> str:  # noqa: PLR0911 - one for each kind of complaint
    context = error.get("ctx", {})
    if kind in _TYPES:
        return _TYPES[kind]
    if kind == "literal_error":
        return f"one of {context['expected']}".replace("'", "").replace(" or ", ", ")
    if kind == "string_pattern_mismatch":
        return FORMS.get(context["pattern"], f"a text of the form {context['pattern']}")
    if kind == "string_too_long":
        return f"at most {context['max_length']} characters"
    if kind == "string_too_short":
        return f"at least {context['min_length']} characters"
    if kind == "multiple_of":
        return f"a multiple of {context['multiple_of']}"
    if kind in ("greater_than_equal", "less_than_equal"):
        return f"{context['ge']} or more" if "ge" in context else f"{context['le']} or less"
    if kind == "too_short":
        least = context["min_length"]
        return "at least one entry" if least == 1 else f"at least {least} entries"
    if kind == "too_long":
        return f"at most {context['max_length']} entries"
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return "one of the blocks a sheet knows"
    if kind in (
        "one_action",
        "set_needs",
        "with_needed",
        "turned_odds",
        "backwards",
        "no_date",
        "rising",
        "word_of_formulas",
        "halves",
        "pair",
        "texts",
        "special_rule",
    ):
        return str(error["msg"])
    return "another value"


def _written(given: object, where: Place) -> str:
    """A value as a problem names it; a decimal as it stands in its file, where 1.500 may mean thousands."""
    if isinstance(given, Fraction):
        span = where.span()
        number = _PLAIN_NUMBER.match(span.text, max(span.column - 1, 0))
        return number[0] if number else show(given)
    return show(given)


def _hint(kind: str, error: Any, found: str) -> str:  # noqa: PLR0911 - one for each kind of complaint
    given = error["input"]
    if kind == "int_type":
        return _whole(given, found)
    if kind == "string_too_long":
        return f"it has {len(given)}: take {len(given) - error['ctx']['max_length']} out"
    if kind == "too_long" and isinstance(given, list):
        return f"take {len(given) - error['ctx']['max_length']} out, or write several files"
    if kind in ("halves", "pair"):
        return str(error["ctx"]["hint"])
    if kind == "texts" and given is None:
        return "write a text behind it, or leave the key out"
    if kind == "texts":
        return "write the words alone" if isinstance(given, dict) else "put quotes around it"
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        from generator.rules.models.sheet import BLOCK_NAMES

        return f"blocks: {', '.join(BLOCK_NAMES)}"
    if kind == "literal_error" and isinstance(given, str):
        words = error["ctx"]["expected"].replace(" or ", ", ").replace("'", "").split(", ")
        near = get_close_matches(given, words, n=1)
        return f"did you mean {near[0]}?" if near else ""
    if kind in ("greater_than_equal", "less_than_equal"):
        return f"the least is {error['ctx']['ge']}" if "ge" in error["ctx"] else f"the most is {error['ctx']['le']}"
    if kind == "bool_type" and given in ("yes", "no"):
        return "in rule data write true or false"
    if kind == "string_type" and given is not None and not isinstance(given, dict | list):
        return "put quotes around it"
    return ""


def _whole(given: object, found: str) -> str:
    """How something that was ``found`` is written as a whole number."""
    if isinstance(given, str) and given.strip().isdecimal() and len(given) <= MAX_DIGITS:
        return "without quotation marks" if given.isascii() else f"did you mean {int(given)}?"
    if isinstance(given, list):
        return "without brackets" if len(given) == 1 and isinstance(given[0], int) else ""
    if not isinstance(given, str | Fraction):
        return ""
    if thousands := _THOUSANDS.search(found):
        return f"did you mean {thousands[1]}{(thousands[2] or '').ljust(3, '0')}?"
    if digits := digits_in(found):
        return f"did you mean {digits}?"
    if isinstance(given, Fraction):
        return (
            f"did you mean {given}?"
            if given.denominator == 1
            else f"without a fraction, such as {max(round(given), 1)}"
        )
    return ""


def digits_in(text: str) -> str:
    """The digits of the only number in a text, where that is a whole one.

    >>> digits_in("1,200 points"), digits_in("1.5"), digits_in("6 by 4")
    ('1200', '', '')
    """
    figures = _FIGURE.findall(text)
    meant = _WHOLE.fullmatch(figures[0]) if len(figures) == 1 else None
    return re.sub(r"[^0-9]", "", meant["whole"]) if meant else ""


def check_ids(ids: Sequence[str], place: Place, key: str, problems: list[Problem]) -> None:
    """R207: two entries of a list have one id."""
    first: dict[str, int] = {}
    for index, one in enumerate(ids):
        if first.setdefault(one, index) != index:
            there = (place / first[one]).span()
            hint = f"the first is at {there.file}:{there.line}"
            found, expected = f"the {key} {one} again", f"one {key} of each id"
            problems.append((place / index / key).problem("R207", found=found, expected=expected, hint=hint))


def show(value: object) -> str:
    """A value as a problem names it, shortened."""
    if isinstance(value, dict):
        return "a list of keys with values"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return _decimal(value)
    text = str(value) or "an empty text"
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004 - what fits a line


def _decimal(number: Fraction) -> str:
    """A number as files have it: with a point where that comes to an end, as it does in all of them."""
    from decimal import Decimal

    if 10**20 % number.denominator:
        return str(number)
    return f"{Decimal(number.numerator) / number.denominator:f}"


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
