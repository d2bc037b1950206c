"""What was probably meant by a value that a field does not allow, or an entry that cannot be read."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any

from generator.forces.notation import COUNT, read_entry
from generator.rules.choices import YES_NO, spell_value
from generator.rules.complaints import show
from generator.rules.validation import NOTHING
from generator.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.forces.notation import Written
    from generator.problems import Problem
    from generator.rules.kinds import Field
    from generator.rules.places import Place

_HOW_MANY = {"single": "1", "two": "2", "twin": "2", "double": "2", "three": "3", "triple": "3", "four": "4"}
_ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_DIGITS = re.compile(r"(?<![\d.,-])(\d{1,6})(?:\.0+)?(?![\d.,])")
_DECIMAL = re.compile(r"\d{1,6}[.,]\d{1,6}")
_NUMBERS = re.compile(r"\d+")
_SIGNS = re.compile(r"[,:()\[\]{}|_=-]+")
_GLUED = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_BETWEEN_ENTRIES = re.compile(r"\s*[,+&|\n]\s*|\s+and\s+", re.IGNORECASE)
_LEADING = re.compile(rf"({'|'.join(_HOW_MANY)}|\d{{1,9}})\s*[x×*]?\s*(?=[^\W\d])", re.IGNORECASE)
_TRAILING = re.compile(r"\s*[x×*]\s*(\d{1,9})$", re.IGNORECASE)
"""How many, in front of an entry or behind it."""
SEMICOLONS = "semicolons between entries"
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
        digits = _DIGITS.findall(given) if isinstance(given, str) else []
        if isinstance(given, str) and given.strip() in _ROMAN:
            digits = [str(_ROMAN.index(given.strip()))]
        if len(digits) == 1:
            number = int(digits[0])
            return f"did you mean {number}?" if number in choice.values else choice.near(number)
        if isinstance(given, str) and (decimal := _DECIMAL.fullmatch(given.strip())):
            given = Fraction(decimal[0].replace(",", "."))
        least, most = choice.values[0], choice.values[-1]
        near = min(max(int(given), least), most) if isinstance(given, Fraction) else max(least, min(1, most))
        return f"write a whole number from {least} to {most}, such as {name}{near}"
    others = [spell_value(one) for one in choice.values if one != field.default] or [spell_value(choice.values[0])]
    truth = YES_NO.get(str(given).lower()) if isinstance(given, str | bool) else None
    if truth is False and "none" in choice.values:
        return "did you mean none?"
    if truth and 1 < len(others) <= _MAX_LISTED:
        return f"say which: {', '.join(others[:-1])} or {others[-1]}"
    if isinstance(given, str) and len(others) > _MAX_LISTED:  # the first would seem the nearest
        return f"write one of the {len(choice.values)} that are expected, as it stands there"
    return f"write one of these, such as {name}{others[0]}"


def misread(field: Field, entry: Written, at: Place, told: Iterable[Problem]) -> Iterator[tuple[Problem, int]]:
    """F203 for an entry in the short way that cannot be read, and where: once if it is plain what was meant.

    ``told`` is what is wrong with the values that were read. Nothing is said to be missing: it may be what was misread.
    """
    if entry.text.lower() in NOTHING:
        yield (
            at.problem("F203", found=show(entry.text), expected="entries", hint="leave it out where there is none"),
            entry.offset,
        )
        return
    several = meant_entries(field.fields, entry.text)
    if several:
        expected, hint = SEMICOLONS, f"write {several}"
        yield at.problem("F203", found=show(entry.text), expected=expected, hint=hint), entry.offset
        return
    refused = [problem for problem in told if problem.code == "F203"]
    one = "" if refused and _only_numbers(field, entry, refused) else meant_entry(field.fields, entry.text)
    for problem in refused[:1] if one else refused:
        name = problem.field.rpartition(".")[2]
        inner = next(inner for inner in field.fields if inner.name == name)
        hint = problem.hint if _is_guess(problem.hint) else form_of(inner, entry.given[name], named=False)
        yield problem._replace(hint=f"did you mean {one}?" if one else hint), entry.starts[name]
    if not refused:
        lacking = next((inner for inner in field.fields if inner.required and inner.name not in entry.given), None)
        if lacking is not None and lacking.choice is not None:
            expected = f"{lacking.label}: {lacking.choice.spell()}"
            hint = lacking.choice.near(entry.rest) or form_of(lacking, entry.rest, named=False)
        else:
            expected = f"{', '.join(inner.label.lower() for inner in field.fields)}, in this order"
            behind = entry.starts.get(COUNT, entry.offset) > entry.offset  # how many, said by a number among the rest
            rest = f"without it this is {_spelled(field.fields, entry.given)}" if behind else "take it out"
            hint = f"{rest}; between entries write semicolons"
        hint = f"did you mean {one}?" if one else hint
        yield at.problem("F203", found=show(entry.rest), expected=expected, hint=hint), entry.starts[""]


def _only_numbers(field: Field, entry: Written, refused: Iterable[Problem]) -> bool:
    """Whether an entry was read to its end, and nothing but numbers too large or too small was refused in it."""
    ranges = {inner.name for inner in field.fields if inner.choice is not None and inner.choice.is_range}
    return not entry.rest and all(
        (name := problem.field.rpartition(".")[2]) in ranges and int(entry.given[name]) >= 0 for problem in refused
    )


def _is_guess(hint: str) -> bool:
    """Whether a hint names what was meant, or the end of a range."""
    return hint.startswith(("did you mean", "the "))


def in_short(fields: Sequence[Field], given: Mapping[str, Any], place: Place) -> Problem | None:
    """F203 for an entry with all of it in one value, ``weapon: HKP/3``, or in one key, ``HKP: 3``; None for others."""
    for key, value in given.items():
        named = any(field.name == key for field in fields)
        if not named and len(given) > 1:
            continue
        text = str(value) if named else f"{key} {value}"
        said = _understood(fields, text)
        if said is not None and len(said) > 1:
            plain = ", ".join(f"{name}: {spell_value(one)}" for name, one in said.items())
            expected = f"{', '.join(field.name for field in fields)}, each by itself"
            at = place / key
            return at.problem("F203", found=show(text), expected=expected, hint=f"write {plain}", at_key=not named)
    return None


def meant_entry(fields: Sequence[Field], text: str) -> str:
    """The entry that was meant, in the short way; empty where nobody can tell, or it could be two.

    Other signs between the values, values in another order and misspelt words are seen through. No number is left out.
    """
    meant = _meant(fields, text) if len(text) <= _MAX_TEXT else ""
    return meant if {*_NUMBERS.findall(text)} <= {*_NUMBERS.findall(meant)} else ""


def _meant(fields: Sequence[Field], text: str) -> str:
    known = {form.lower() for field in fields for form in _forms(field)}
    called = {word.lower() for field in fields for word in (field.name, field.label)} - known
    for attempt in _attempts(text):
        if given := _understood(fields, attempt):
            return _spelled(fields, given)
        words = [_nearest(word, known) for word in attempt.split() if word.lower() not in called]
        if given := _understood(fields, " ".join(words)):
            return _spelled(fields, given)
        if 1 < len(words) <= _MAX_WORDS:
            numbers = [word for word in words if word.isdigit()]
            others = {
                _spelled(fields, one)
                for mixed in permutations(words)
                if [word for word in mixed if word.isdigit()] == numbers  # which of two is meant nobody can tell
                and (one := _understood(fields, " ".join(mixed)))
            }
            if len(others) == 1:
                return others.pop()
    return ""


def meant_entries(fields: Sequence[Field], text: str) -> str:
    """The entries that were meant where something else than semicolons stands between them; empty for anything else.

    A piece that begins as an entry does is one, even if its number is not allowed.
    """
    pieces = [one for one in _BETWEEN_ENTRIES.split(text) if one]
    if len(pieces) == 1:
        written = read_entry(fields, text)
        if not written.rest or not _understood(fields, text[: -len(written.rest)]):
            return ""
        pieces = [text[: -len(written.rest)].strip(" /"), written.rest]
    if len(text) > _MAX_TEXT * len(pieces):
        return ""
    meant = [one if _understood(fields, one) else meant_entry(fields, one) or _begun(fields, one) for one in pieces]
    return "; ".join(meant) if len(meant) > 1 and all(meant) else ""


def split_text(text: str) -> Iterator[tuple[str, str]]:
    """Names in a text with any signs between them, each with how many of it; nothing for one.

    >>> [*split_text("two Scouts + Sabre x3, 4 Bunker")]
    [('2', 'Scouts'), ('3', 'Sabre'), ('4', 'Bunker')]
    """
    for piece in _BETWEEN_ENTRIES.split(text[:_MAX_TEXT]):
        leading, trailing = _LEADING.match(piece), _TRAILING.search(piece)
        if leading:
            yield _HOW_MANY.get(leading[1].lower(), leading[1]), piece[leading.end() :].strip()
        elif trailing:
            yield trailing[1], piece[: trailing.start()].strip()
        elif piece.strip():
            yield "", piece.strip()


def cut_entries(
    fields: Sequence[Field], given: Mapping[str, Any], place: Place, problems: list[Problem]
) -> tuple[Mapping[str, Any], set[str]]:
    """What is given without keys that are entries of the list before them: in braces a comma ends a value.

    F203 at each such list, and the names of these.
    """
    holder: Field | None = None
    cut: dict[str, list[str]] = {}
    for key, value in given.items():
        field = next((one for one in fields if one.name == key), None)
        if field is not None:
            holder = field if field.choice is None and isinstance(value, str) else None
        elif holder is not None and value is None and isinstance(key, str):
            inner = holder.fields
            if _understood(inner, key) or meant_entry(inner, key) or _begun(inner, key):
                cut.setdefault(holder.name, []).append(key)
    for name, keys in cut.items():
        inner = next(one.fields for one in fields if one.name == name)
        entries, at = (str(given[name]), *keys), place / name
        plain = (one if _understood(inner, one) else meant_entry(inner, one) or one for one in entries)
        hint = f"write {name}: {'; '.join(plain)}"
        problems.append(at.problem("F203", found=", ".join(entries), expected=SEMICOLONS, hint=hint))
    gone = {key for keys in cut.values() for key in keys}
    return {key: value for key, value in given.items() if key not in gone}, {*cut}


def _begun(fields: Sequence[Field], text: str) -> str:
    """The text again if it begins with a word that only an entry begins with."""
    first = next((field for field in fields if field.required and field.choice and not field.choice.is_range), None)
    given = read_entry(fields, text).given
    said = given.get(first.name) if first is not None else None
    return (
        text if first is not None and first.choice and said is not None and first.choice.read(said) is not None else ""
    )


def _attempts(text: str) -> Iterator[str]:
    """The text with how many in front of it, and with the signs that the short way has in place of others."""
    trailing = _TRAILING.search(text)
    if trailing and (before := text[: trailing.start()].rstrip(" ,")):
        yield f"{trailing[1]} x {before}"
    if leading := _LEADING.match(text):
        number = _HOW_MANY.get(leading[1].lower(), leading[1])
        yield f"{number} x {text[leading.end() :]}"
    yield text.replace("-", "/").replace("–", "/").replace("\\", "/")
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
    return nearest(word, known, cutoff=0.7) or word


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
