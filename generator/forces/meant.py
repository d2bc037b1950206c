"""What was probably meant by a value that a field does not allow, or an entry that cannot be read."""

from __future__ import annotations

import re
from difflib import get_close_matches
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any

from generator.forces.notation import COUNT, read_entry
from generator.rules.choices import YES_NO, spell_value
from generator.rules.validation import show

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.forces.notation import Written
    from generator.problems import Problem
    from generator.rules.kinds import Field
    from generator.rules.places import Place

_DIGITS = re.compile(r"\d{1,6}")
_SIGNS = re.compile(r"[,:()\[\]{}|_=-]+")
_GLUED = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_BETWEEN_ENTRIES = re.compile(r"\s*[,+&\n]\s*|\s+and\s+", re.IGNORECASE)
_MAX_WORDS = 4
"""Words that are tried in any order."""
_MAX_LISTED = 6
"""Values that are listed once more."""
_MAX_TEXT = 60
"""A longer text is not guessed at."""


def form_of(field: Field, given: Any, *, named: bool = True) -> str:
    """How a value of the field is written, by an example that is allowed; ``named`` with the field's name."""
    choice = field.choice
    if choice is None:
        return ""
    name = f"{field.name}: " if named else ""
    if True in choice.values and not choice.is_range:
        return "write yes or no"
    if choice.is_range:
        digits = _DIGITS.search(given) if isinstance(given, str) else None
        if digits and int(digits[0]) in choice.values:
            return f"did you mean {int(digits[0])}?"
        least, most = choice.values[0], choice.values[-1]
        near = min(max(int(given), least), most) if isinstance(given, Fraction) else max(least, min(1, most))
        return f"write a whole number, such as {name}{near}"
    others = [spell_value(one) for one in choice.values if one != field.default] or [spell_value(choice.values[0])]
    truth = YES_NO.get(str(given).lower()) if isinstance(given, str | bool) else None
    if truth is False and "none" in choice.values:
        return "did you mean none?"
    if truth and 1 < len(others) <= _MAX_LISTED:
        return f"say which: {', '.join(others[:-1])} or {others[-1]}"
    return f"write one of these, such as {name}{others[0]}"


def misread(field: Field, entry: Written, at: Place, told: Iterable[Problem]) -> Iterator[tuple[Problem, int]]:
    """F203 for an entry in the short way that cannot be read, and where: once if it is plain what was meant.

    ``told`` is what is wrong with the values that were read. Nothing is said to be missing: it may be what was misread.
    """
    several = meant_entries(field.fields, entry.text)
    if several:
        expected, hint = "semicolons between entries", f"write {several}"
        yield at.problem("F203", found=show(entry.text), expected=expected, hint=hint), entry.offset
        return
    one = meant_entry(field.fields, entry.text)
    refused = [problem for problem in told if problem.code == "F203"]
    for problem in refused[:1] if one else refused:
        mended = problem._replace(hint=f"did you mean {one}?") if one else problem
        yield mended, entry.starts[problem.field.rpartition(".")[2]]
    if not refused:
        lacking = next((inner for inner in field.fields if inner.required and inner.name not in entry.given), None)
        if lacking is not None and lacking.choice is not None:
            expected = f"{lacking.label}: {lacking.choice.spell()}"
            hint = lacking.choice.near(entry.rest) or form_of(lacking, entry.rest, named=False)
        else:
            expected = f"{', '.join(inner.label.lower() for inner in field.fields)}, in this order"
            hint = "take it out; between entries write semicolons"
        hint = f"did you mean {one}?" if one else hint
        yield at.problem("F203", found=show(entry.rest), expected=expected, hint=hint), entry.starts[""]


def meant_entry(fields: Sequence[Field], text: str) -> str:
    """The entry that was meant, in the short way; empty where nobody can tell, or it could be two.

    Other signs between the values, values in another order and misspelt words are seen through.
    """
    if len(text) > _MAX_TEXT:
        return ""
    known = {form.lower() for field in fields for form in _forms(field)}
    called = {word.lower() for field in fields for word in (field.name, field.label)} - known
    for attempt in _attempts(text):
        if given := _understood(fields, attempt):
            return _spelled(fields, given)
        words = [_nearest(word, known) for word in attempt.split() if word.lower() not in called]
        if given := _understood(fields, " ".join(words)):
            return _spelled(fields, given)
        if 1 < len(words) <= _MAX_WORDS:
            others = {
                _spelled(fields, one) for mixed in permutations(words) if (one := _understood(fields, " ".join(mixed)))
            }
            if len(others) == 1:
                return others.pop()
    return ""


def meant_entries(fields: Sequence[Field], text: str) -> str:
    """The entries that were meant where something else than semicolons stands between them; empty for anything else."""
    pieces = [one for one in _BETWEEN_ENTRIES.split(text) if one]
    if len(pieces) < 2 or len(text) > _MAX_TEXT * len(pieces):  # noqa: PLR2004 - one entry has nothing between
        return ""
    meant = [one if _understood(fields, one) else meant_entry(fields, one) for one in pieces]
    return "; ".join(meant) if all(meant) else ""


def _attempts(text: str) -> Iterator[str]:
    """The text with the signs that the short way has, in place of others."""
    yield text.replace("-", "/").replace("–", "/")
    bare = _SIGNS.sub(" ", text.replace("–", "-"))
    yield bare
    yield _GLUED.sub(" ", bare.replace("/", " "))


def _understood(fields: Sequence[Field], text: str) -> Mapping[str, Any] | None:
    """The values of an entry that can be read to its end."""
    written = read_entry(fields, text.strip())
    if written.rest or not written.given:
        return None
    given: dict[str, Any] = {}
    for field in fields:
        if field.choice is None or (field.required and field.name not in written.given):
            return None
        if field.name in written.given:
            given[field.name] = field.choice.read(written.given[field.name])
            if given[field.name] is None:
                return None
    return given


def _nearest(word: str, known: set[str]) -> str:
    if word.lower() in known or word.isdigit():
        return word
    near = get_close_matches(word.lower(), known, n=1, cutoff=0.7)
    return near[0] if near else word


def _forms(field: Field) -> Iterator[str]:
    if field.choice is not None and not field.choice.is_range:
        for value in field.choice.values:
            yield spell_value(value)
            yield field.choice.names.get(value, spell_value(value))


def _spelled(fields: Sequence[Field], given: Mapping[str, Any]) -> str:
    """An entry as people write it: ``2 x HKP/3 turret``."""
    said = ""
    for field in fields:
        if field.name in given and field.name != COUNT:
            number = isinstance(given[field.name], int) and not isinstance(given[field.name], bool)
            between = "/" if number and said and not said[-1].isdigit() else " " if said else ""
            said += between + spell_value(given[field.name])
    return f"{given[COUNT]} x {said}" if COUNT in given else said
