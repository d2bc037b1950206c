"""What a field of a design or an input of a question may be: a range, a list of words, a table's key, or yes and no."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from generator.rules.complaints import show
from generator.rules.models.base import several
from generator.rules.tables import listed_names
from generator.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.problems import Problem
    from generator.rules.binding import Shelf
    from generator.rules.models.kind import FieldModel
    from generator.rules.models.manifest import OptionModel
    from generator.rules.models.procedure import FractionsModel, InputModel
    from generator.rules.places import Place

T = TypeVar("T")
_MAX_NAMED = 3
"""Values with the given word in them that are named."""
YES_NO = {"yes": True, "no": False, "true": True, "false": False}


def spell_value(value: object) -> str:
    """A value as people write it.

    >>> spell_value(True), spell_value(3), spell_value("pop")
    ('yes', '3', 'pop')
    """
    return "yes" if value is True else "no" if value is False else str(value)


class Choice(NamedTuple):
    """The values allowed, in order, and each one's printed name."""

    values: tuple[Any, ...]
    names: Mapping[Any, str]
    gone: tuple[Any, ...] = ()
    """What it was before layers changed the table of its values."""
    said: str = ""
    """The allowed values in words, where they are too many to list."""
    words: Mapping[str, Any] = MappingProxyType({})
    """What else each value is called, as ``spelling`` has it."""

    @property
    def is_range(self) -> bool:
        """Whether the values are consecutive whole numbers."""
        return bool(self.values) and all(
            isinstance(value, int) and not isinstance(value, bool) for value in self.values
        )

    def spell(self) -> str:
        """The allowed values as a person reads them."""
        if self.said:
            return self.said
        if self.is_range and len(self.values) > 2 and self.values == tuple(range(self.values[0], self.values[-1] + 1)):  # noqa: PLR2004 - two are listed
            return f"{self.values[0]} to {self.values[-1]}"
        return ", ".join(map(spell_value, self.values))

    def read(self, given: object) -> Any:
        """The value meant by a word or number as a person writes it: an id, a printed name, yes or no."""
        if given in self.values and not (isinstance(given, bool) ^ isinstance(self.values[0], bool)):
            return given
        text = str(given).strip().lower()
        if self.said:
            number = _number(text)
            return number if number in self.values else None
        if self.is_range:
            figures = text.removeprefix("-")
            number = int(text) if figures.isascii() and figures.isdigit() and len(text) < 9 else None  # noqa: PLR2004 - no figure in a rule is longer
            named = {name.lower(): value for value, name in self.names.items()}
            return number if number in self.values else named.get(text)
        if True in self.values:
            return YES_NO.get(text)
        for value in self.values:
            if text in (str(value).lower(), self.names.get(value, "").lower()):
                return value
        for value in self.values:
            if spelling(text) in (spelling(str(value)), spelling(self.names.get(value, ""))):
                return value
        if spelling(text) in self.words:
            return self.words[spelling(text)]
        die = f"D{text}"  # a die may be said by its number of sides
        return die if text.isdigit() and die in self.values else None

    def near(self, given: object) -> str:
        """A hint at the word that was meant, or at the end of a range that was passed."""
        if self.is_range and isinstance(given, int) and not isinstance(given, bool):
            return f"the least is {self.values[0]}" if given < self.values[0] else f"the most is {self.values[-1]}"
        word = spelling(str(given))
        several = [value for value in self.values if isinstance(value, str) and word in spelling(value).split()]
        if 1 < len(several) <= _MAX_NAMED:
            return f"did you mean {', '.join(several[:-1])} or {several[-1]}?"
        meant = self.meant(given)
        return "" if meant is None else f"did you mean {meant}?"

    def meant(self, given: object) -> Any:
        """The value whose word is nearly the one that was given; None where there is none, and for numbers."""
        if self.is_range or self.said:
            return None
        ids = {str(value).lower(): value for value in self.values if not isinstance(value, bool)}
        words = {spelling(word): value for word, value in (*self.words.items(), *_turned(self.names))} | ids
        said = str(given).lower()
        close = nearest(said, words)
        near = [close] if close else [one for one in words if len(said) > 1 and one.startswith(said)]
        return words[near[0]] if near and len({words[one] for one in near}) == 1 else None


def spelling(text: str) -> str:
    """What is the same in all spellings of a word: small letters, a space for each hyphen.

    >>> spelling("Hull-down") == spelling("hull  down")
    True
    """
    return " ".join(text.lower().replace("-", " ").replace("_", " ").split())


def _turned(names: Mapping[Any, str]) -> Iterable[tuple[str, Any]]:
    return ((name, value) for value, name in names.items() if not isinstance(value, bool))


def with_words(choice: Choice, known_as: Mapping[str, Sequence[str]], place: Place, problems: list[Problem]) -> Choice:
    """The choice with other words for its values. R203: for a value that it does not have; R207: a word twice."""
    words: dict[str, Any] = {}
    for given, others in known_as.items():
        if given not in choice.values:
            expected, near = choice.spell(), choice.near(given)
            problems.append((place / given).problem("R203", found=given, expected=expected, hint=near, at_key=True))
            continue
        for index, other in enumerate(others):
            if choice.read(other) is not None or words.setdefault(spelling(other), given) != given:
                expected = "a word that no value has yet"
                problems.append((place / given / index).problem("R207", found=other, expected=expected))
    return choice._replace(words=words)


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """All of them, or as many as are wanted, taken evenly from the first to the last.

    >>> spread("abcdefg", 3), spread("abc", 1), spread("abc", 5)
    (['a', 'd', 'g'], ['a'], 'abc')
    """
    count = len(items)
    if count <= most:
        return items
    return [items[index * (count - 1) // max(most - 1, 1)] for index in range(most)]


def read_choice(
    model: InputModel | FieldModel | OptionModel, shelf: Shelf, place: Place, problems: list[Problem]
) -> Choice | None:
    """The choice that an input or a field declares. R224: not exactly one way of saying so; R225: an empty table."""
    fractions: FractionsModel | None = getattr(model, "fractions", None)
    ways = [bool(model.range), bool(model.of), bool(model.from_), model.yes_no, fractions is not None]
    if sum(ways) != 1:
        found, expected = f"{sum(ways)} ways of saying what is allowed", "one of range, of, from, yes_no"
        problems.append(place.problem("R224", found=found, expected=expected))
        return None
    if fractions is not None:
        return _fractions(fractions)
    if model.yes_no:
        return Choice((False, True), {False: "no", True: "yes"})
    if model.range:
        low, high = map(int, model.range.split(".."))
        return Choice(tuple(range(low, high + 1)), {})
    if model.of:
        return Choice(model.of, {})
    tables = [shelf.table(table_id) for table_id in several(model.from_)]
    empty = next((table for table in tables if not table.rows), None)
    if empty is not None:
        found, expected = f"the table {empty.id} without rows", "a table that lists values"
        problems.append((place / "from").problem("R225", found=found, expected=expected))
        return None
    names = listed_names(shelf.tables, several(model.from_))
    return Choice(tuple(names), names, tuple(gone for table in tables for gone in table.gone(table.key[0])))


def _fractions(model: FractionsModel) -> Choice:
    parts = sorted(set(model.parts))
    found = {Fraction(number, part) for part in parts for number in range(model.to * part + 1)}
    values = tuple(int(one) if one.denominator == 1 else one for one in sorted(found))
    example = f"{model.to * parts[-1] - 1}/{parts[-1]}"
    return Choice(values, {}, said=f"0 to {model.to}, or a fraction of {_or(parts)} parts such as {example}")


def _or(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last


def _number(text: str) -> int | Fraction | None:
    """A number as people write it: 3, 23/8, 2 7/8 or 2.875."""
    if len(text) > 12 or not text.isascii():  # noqa: PLR2004 - no figure in a rule is longer
        return None
    try:
        found = sum(map(Fraction, text.split())) if text.strip() else None
    except (ValueError, ZeroDivisionError):
        return None
    return int(found) if found is not None and found.denominator == 1 else found


def read_default(choice: Choice, given: object, place: Place, problems: list[Problem]) -> Any:
    """The default that an input or a field declares. R203: one that it does not allow."""
    if given is None:
        return None
    default = choice.read(given)
    if default is None:
        hint = choice.near(given)
        problems.append((place / "default").problem("R203", found=show(given), expected=choice.spell(), hint=hint))
    return default
