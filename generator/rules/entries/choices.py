"""Allowed values of fields, inputs and options, the texts that a value can be, and the options of a rule set."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from generator.problems import Problem, nearest, suggest
from generator.rules.entries.tables import Column, Table, listed_names
from generator.rules.formulas.scope import Name, Words
from generator.rules.model.base import several
from generator.rules.source.validation import show

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from generator.rules.model.kind import FieldModel
    from generator.rules.model.manifest import OptionModel
    from generator.rules.model.procedure import FractionsModel, InputModel
    from generator.rules.source.parts import Place, Provenance
    from generator.rules.source.settings import Setting


_NEVER = dict.fromkeys(("int", "number", "target"), "a number")
_NEVER |= {"die": "a number of sides", "yes_no": "yes or no", "span": "from and to"}
"""The column types that hold no text, each with a description of what it holds."""
_MANY = 12
"""How many words of a table a message lists at most."""


def words_of_columns(table: Table, tables: Mapping[str, Table]) -> dict[str, Words]:
    """Return the texts that each column can hold, by name of the column, without columns whose texts are not known.

    ``tables`` are the tables that columns name under ``from``. A column of numbers, for example, is known to hold no
    texts.
    """
    by_column = {column.name: _words(column, table, tables) for column in table.columns}
    return {name: words for name, words in by_column.items() if words is not None}


def words_of_keys(table: Table) -> tuple[Words, ...]:
    """Return the texts in each key column, in the order of the keys; a look-up by any other text finds no row.

    Texts that a layer removed are included. A column of numbers, for example, has no texts.
    """
    return tuple(_words_in(table, column) for column in map(table.column, table.key))


def _words(column: Column, table: Table, tables: Mapping[str, Table]) -> Words | None:
    """Return the texts that a column can hold: the texts under ``of`` or ``from``, or else the texts in its rows.

    For a column of numbers, dice, spans, or yes and no, the result has no texts. In a key column, ``of`` does not
    count, because a layer may add other keys. Texts that a layer removed are included.

    Return None if its rows count and a row has no value, or if a table under ``from`` is not in ``tables``.
    """
    if column.type in _NEVER:
        return Words(spelled=_NEVER[column.type], truth=column.type == "yes_no")
    listed = column.type == "words"
    if column.of and column.name not in table.key:  # a layer may add rows with other keys
        return Words(frozenset(column.of), ", ".join(column.of), listed)
    if column.listed:
        others = [tables[text] for text in column.listed if text in tables]
        known = [word for other in others for word in (*other.names(), *other.former(other.key[0]))]
        return _as_words(_texts(known), listed=listed) if len(others) == len(column.listed) else None
    return None if any(row[column.name] is None for row in table.rows) else _words_in(table, column)


def _words_in(table: Table, column: Column) -> Words:
    """Return the texts in a column, and the texts that the column had before layers changed the table."""
    if column.type in _NEVER:
        return Words(spelled=_NEVER[column.type])
    cells = (row[column.name] for row in table.rows)
    here = [item for cell in cells for item in (cell if isinstance(cell, tuple) else (cell,))]
    return _as_words(_texts((*here, *table.former(column.name))), listed=column.type == "words")


def _texts(values: Iterable[Any]) -> frozenset[str]:
    return frozenset(value for value in values if isinstance(value, str))


def _as_words(texts: frozenset[str], *, listed: bool) -> Words:
    """Return the texts with a short list of them for messages; ``listed`` is as in ``Words``."""
    words = sorted(texts)
    return Words(texts, ", ".join(words[:_MANY]) + (", ..." if len(words) > _MANY else ""), listed)


T = TypeVar("T")
_MAX_NAMED = 3
"""A hint names the values that hold the given word only if there are no more than this."""
YES_NO = {"yes": True, "no": False, "true": True, "false": False}


def spell_value(value: object) -> str:
    """Return a value as a user writes it.

    >>> spell_value(True), spell_value(3), spell_value("pop")
    ('yes', '3', 'pop')
    """
    return "yes" if value is True else "no" if value is False else str(value)


class Choice(NamedTuple):
    """The allowed values in order, with the printed names of those values that have one."""

    values: tuple[Any, ...]
    names: Mapping[Any, str]
    former: tuple[Any, ...] = ()
    """The allowed values before layers changed the table that lists them."""
    description: str = ""
    """The allowed values in words, if there are too many to list."""
    words: Mapping[str, Any] = MappingProxyType({})
    """Other words for the values, normalized by ``spelling``."""
    tables: tuple[str, ...] = ()
    """The ids of the tables that list the values."""

    @property
    def is_range(self) -> bool:
        """Whether there are values, and all of them are whole numbers."""
        return bool(self.values) and all(type(value) is int for value in self.values)

    def spell(self) -> str:
        """Return the allowed values as text: their description, a range such as ``1 to 5``, or a list with commas."""
        if self.description:
            return self.description
        if self.is_range and len(self.values) > 2 and self.values == tuple(range(self.values[0], self.values[-1] + 1)):  # noqa: PLR2004 - two are listed
            return f"{self.values[0]} to {self.values[-1]}"
        return ", ".join(map(spell_value, self.values))

    def read(self, word: object) -> Any:
        """Return the allowed value that a word or number means, or None.

        The word may be an id, a printed name, another word for the value, or yes or no, in small or capital letters. A
        die may be named by its number of sides. Compare the result with None, because an allowed value can be False or
        0.
        """
        if word in self.values and not (isinstance(word, bool) ^ isinstance(self.values[0], bool)):
            return self.values[self.values.index(word)]
        text = str(word).strip().lower()
        if self.description:
            number = _number(text)
            return number if number in self.values else None
        if self.is_range:
            figures = text.removeprefix("-")
            number = int(text) if figures.isascii() and figures.isdigit() and len(text) < 9 else None  # noqa: PLR2004 - no figure in a rule is longer
            by_name = {name.lower(): value for value, name in self.names.items()}
            return number if number in self.values else by_name.get(text)
        if any(isinstance(value, bool) for value in self.values):
            return YES_NO.get(text)
        said = spelling(text)
        for value in self.values:
            if said and said in (spelling(str(value)), spelling(self.names.get(value, ""))):
                return value
        if said in self.words:
            return self.words[said]
        die = f"D{text}"  # a die may be said by its number of sides
        return die if text.isdigit() and die in self.values else None

    def near(self, word: object) -> str:
        """Return a hint for a value that is not allowed: similar values, or for an int the end of the range.

        The hint is empty if nothing is similar.
        """
        if self.is_range and isinstance(word, int) and not isinstance(word, bool):
            least, most = min(self.values), max(self.values)
            return f"the least is {least}" if word < least else f"the most is {most}" if word > most else ""
        normalized = spelling(str(word))
        several = [value for value in self.values if isinstance(value, str) and normalized in spelling(value).split()]
        if 1 < len(several) <= _MAX_NAMED:
            return f"did you mean {', '.join(several[:-1])} or {several[-1]}?"
        similar = self.similar(word)
        return "" if similar is None else f"did you mean {similar}?"

    def similar(self, word: object) -> Any:
        """Return the allowed value that is spelled most like a word, or the only one that begins with the word.

        The printed names and other words for values count as spellings. A single letter is no beginning. None if none
        is similar, and if the values are yes and no, whole numbers, or too many to list.
        """
        if self.is_range or self.description:
            return None
        ids = {str(value).lower(): value for value in self.values if not isinstance(value, bool)}
        names = ((name, value) for value, name in self.names.items() if not isinstance(value, bool))
        words = {spelling(word): value for word, value in (*self.words.items(), *names)} | ids
        lower = str(word).lower()
        close = nearest(lower, words)
        near = [close] if close else [word for word in words if len(lower) > 1 and word.startswith(lower)]
        return words[near[0]] if near and len({words[word] for word in near}) == 1 else None


def spelling(text: str) -> str:
    """Return a word in a form in which all its spellings are equal: small letters, single spaces for hyphens.

    An underscore also becomes a space.

    >>> spelling("Hull-down") == spelling("hull  down")
    True
    """
    return " ".join(text.lower().replace("-", " ").replace("_", " ").split())


def with_words(choice: Choice, known_as: Mapping[str, Sequence[str]], place: Place, problems: list[Problem]) -> Choice:
    """Return the choice with further words that mean its values; ``known_as`` has the words for each value.

    ``place`` is the place of ``known_as``. Only values that are texts can have words. Adds R203 for a key of
    ``known_as`` that is no such value of the choice, and R207 for a word that is already in use.
    """
    words: dict[str, Any] = {}
    for value, others in known_as.items():
        if value not in choice.values:
            problems.append((place / value).problem("R203", choice.spell(), value, choice.near(value), at_key=True))
            continue
        for index, other in enumerate(others):
            if choice.read(other) is not None or words.setdefault(spelling(other), value) != value:
                problems.append((place / value / index).problem("R207", "a word that no other value has", other))
    return choice._replace(words=words)


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """Return at most ``most`` of the items, spread evenly from the first to the last; a single item is the first.

    >>> spread("abcdefg", 3), spread("abc", 1), spread("abc", 5)
    (['a', 'd', 'g'], ['a'], 'abc')
    """
    count = len(items)
    if count <= most:
        return items
    return [items[index * (count - 1) // max(most - 1, 1)] for index in range(most)]


def _number(text: str) -> int | Fraction | None:
    """Return the number that a text such as 3, 23/8, 2 7/8 or 2.875 means; None for any other text.

    A text of more than 12 characters is not a number.
    """
    if len(text) > 12 or not text.isascii() or "e" in text.lower():  # noqa: PLR2004 - no figure in a rule is longer
        return None
    parts = text.split()
    try:
        *whole, last = map(Fraction, parts)
    except (ValueError, ZeroDivisionError):  # also for an empty text
        return None
    if whole and not (len(whole) == 1 and parts[0].isdigit() and "/" in parts[1] and 0 < last < 1):
        return None
    number = sum(whole, last)
    return int(number) if number.denominator == 1 else number


def chosen(choice: Choice) -> Name:
    """Return what formulas know about a name whose value is from this choice."""
    return Name(words=words_of_choice(choice))


def words_of_choice(choice: Choice, *, listed: bool = False) -> Words:
    """Return the words of a choice: its texts, the values as a message spells them, and whether all are yes or no.

    The texts are those among the values, and those that a layer removed: formulas of a parent may still compare with
    them. Set ``listed`` if the value is a list whose entries are from the choice.
    """
    truth = all(isinstance(value, bool) for value in choice.values)
    return Words(_texts((*choice.values, *choice.former)), choice.spell(), listed, truth)


class Option(NamedTuple):
    """An option of a rule set, with its allowed values and the value that is set."""

    name: str
    label: str
    says: str
    choice: Choice
    default: Any
    value: Any
    owner: str
    provenance: Provenance

    def spelled(self) -> list[tuple[Any, str]]:
        """Return each allowed value with its printed name, or with the value as text if it has none."""
        return [(value, self.choice.names.get(value, str(value))) for value in self.choice.values]


MAX_SETTINGS = 12
"""How many ways to set the options a check tries at most."""


def set_options(options: dict[str, Option], settings: Iterable[Setting], problems: list[Problem]) -> None:
    """Set the player's values in the mapping ``options`` itself; the last setting of an option wins.

    Adds R331 for an unknown option, R332 for a value that is not allowed; such settings change nothing.
    """
    for setting in settings:
        option = options.get(setting.name)
        if option is None:
            hint = suggest(setting.name, options, None if options else "there are none: leave it out")
            problems.append(setting.refuse("R331", "an option of this rule set", setting.name, hint))
            continue
        value = option.choice.read(setting.value)
        if value is None:
            allowed, hint = option.choice.spell(), option.choice.near(setting.value)
            problems.append(setting.refuse("R332", allowed, show(setting.value), hint, at_value=True))
            continue
        options[setting.name] = option._replace(value=value)


def other_settings(options: Mapping[str, Option], fixed: Collection[str]) -> list[dict[str, Any]]:
    """Return ways to set the options other than now, each as the new values of the options that change, by name.

    The ``fixed`` options keep their values. The ways with the fewest changes come first. They are all combinations. If
    these are more than MAX_SETTINGS, each way changes one option: about MAX_SETTINGS ways, or one or two per option.
    """
    free = {name: option.choice.values for name, option in options.items() if name not in fixed}
    if prod(map(len, free.values())) <= MAX_SETTINGS:
        combinations = [dict(zip(free, values, strict=True)) for values in product(*free.values())]
    else:
        combinations = [
            {name: value}
            for name, values in free.items()
            for value in spread(values, max(2, MAX_SETTINGS // len(free)))
        ]
    changed = (
        {name: value for name, value in combination.items() if value != options[name].value}
        for combination in combinations
    )
    return sorted((combination for combination in changed if combination), key=len)


def read_choice(
    model: InputModel | FieldModel | OptionModel, tables: Mapping[str, Table], place: Place, problems: list[Problem]
) -> Choice | None:
    """Return the choice that an input, a field or an option declares; None with R225 for an empty table.

    ``place`` is the place of the model. Raises KeyError if a table under ``from`` is not in ``tables``.
    """
    fractions: FractionsModel | None = getattr(model, "fractions", None)
    if fractions is not None:
        return _fractions(fractions)
    if model.yes_no:
        return Choice((False, True), {False: "no", True: "yes"})
    if model.range:
        low, high = map(int, model.range.split(".."))
        return Choice(tuple(range(low, high + 1)), {})
    if model.of:
        return Choice(model.of, {})
    listed = [tables[table_id] for table_id in several(model.from_)]
    empty = next((table for table in listed if not table.rows), None)
    if empty is not None:
        found, expected = f"the table {empty.id} without rows", "a table that lists values"
        problems.append((place / "from").problem("R225", expected, found))
        return None
    names = listed_names(tables, several(model.from_))
    former = tuple(key for table in listed for key in table.former(table.key[0]))
    return Choice(tuple(names), names, former, tables=several(model.from_))


def _fractions(model: FractionsModel) -> Choice:
    """Return the choice of all numbers from 0 to ``to`` that are multiples of 1/part for one of ``parts``."""
    parts = sorted(set(model.parts))
    numbers = {Fraction(number, part) for part in parts for number in range(model.to * part + 1)}
    values = tuple(int(item) if item.denominator == 1 else item for item in sorted(numbers))
    example = f"{model.to * parts[-1] - 1}/{parts[-1]}"
    or_parts = " or ".join(map(str, parts))
    return Choice(values, {}, description=f"0 to {model.to}, or a fraction of {or_parts} parts such as {example}")


def read_default(choice: Choice, text: object, place: Place, problems: list[Problem]) -> Any:
    """Return the default that an input, a field or an option declares as ``text``; None if it declares none.

    Adds R203 and returns None for a default that the choice does not allow. ``place`` is the place of the mapping with
    the key ``default``.
    """
    if text is None:
        return None
    default = choice.read(text)
    if default is None:
        problems.append((place / "default").problem("R203", choice.spell(), show(text), choice.near(text)))
    return default
