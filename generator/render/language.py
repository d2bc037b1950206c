"""Documents in another language: each text is replaced by its entry in a catalogue of messages."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar, cast

from markupsafe import Markup, escape

from generator.render.book import Chapter, Heading, ListEntry
from generator.render.type.prose import STATUS, STATUSES
from generator.resources import templates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from generator.render.imprinted import Imprinted

POINT = "."
"""The label for the sign before decimals."""
LABELS = (POINT, *STATUSES, *(templates() / "words" / "labels.txt").read_text(encoding="utf-8").splitlines())
"""The texts that templates and drawings add to those of a document."""
NUMBER = "#"
"""The sign for a number in a message; the numbers of the text take the places of the signs, in the same order."""
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]{2}")
_PART = re.compile(r"\d-[a-z][\w-]*")
"""The name of a part of a pack, such as 1-table: it is the name of a file in every language."""
_NAME = re.compile(r"\{(\w+)\}")
_LIST = re.compile(", ")
_JOINTS = re.compile(r"(?<=[.!?…]) (?=[A-Z*{“])|; | · "), re.compile(": "), _LIST
"""What joins texts that have entries of their own, such as sentences, or the name of a force and the word "cards".

A list is translated only if each of its words has an entry.
"""
_LABELS = ("Table #", "Figure #", "chapter #")
"""Messages whose number is no decimal number: it has a point in every language."""
_REFERENCE = re.compile(r'(<a class="ref" href="[^"]*">)([A-Z][^<]*|chapter \d+)')
"""The label of a place of a book, in running text."""
_NOT_PRINTED = frozenset((
    "align", "colour", "colours", "created", "edge", "fingerprint", "id", "language", "odds", "part", "pattern",
    "picture", "shape", "sign", "size", "style", "swatch", "templates", "theme", "tone", "words",
))  # fmt: skip
"""The fields of documents and blocks whose texts are names for the program."""
_Value = TypeVar("_Value")
_Paper = TypeVar("_Paper", bound="Imprinted")


def _ignored(message: str) -> None:
    """Do nothing about a message without an entry."""


class Phrase(str):
    """A text with names in it, such as "Units of Red Company"; its template has the entry in a catalogue."""

    __slots__ = ("names", "template")
    template: str
    """Such as "Units of {side}"."""
    names: Mapping[str, str]
    """Names stay as they are, unless they have an entry. A phrase in their place is translated."""

    def __new__(cls, template: str, **names: str) -> Self:
        """Return the template with each ``{key}`` replaced by the name of this key; a name may be a phrase itself.

        A key without a name stays as it is.
        """
        self = super().__new__(cls, _filled(template, names))
        self.template, self.names = template, names
        return self

    @classmethod
    def joined(cls, joint: str, texts: Iterable[str]) -> Self:
        """Return a phrase of texts with ``joint`` between them. Empty texts are left out.

        :meth:`Language.say` translates each text of the phrase by its own entry.
        """
        names = {f"text{number}": text for number, text in enumerate(texts) if text}
        return cls(joint.join(f"{{{name}}}" for name in names), **names)

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Return how to pickle the phrase for a process that prints it: as a plain str, without template and names."""
        return str, (str(self),)


def spoken_list(texts: Sequence[str]) -> str:
    """Return texts with commas between them, and "and" before the last. Raises IndexError without texts.

    >>> spoken_list(["templates"]), spoken_list(["a pot", "templates", "markers"])
    ('templates', 'a pot, templates and markers')
    """
    first = Phrase.joined(", ", texts[:-1])
    return Phrase("{list} and {last}", list=first, last=texts[-1]) if first else texts[-1]


def _filled(template: str, names: Mapping[str, str]) -> str:
    return _NAME.sub(lambda found: names.get(found[1], found[0]), template)


CENTIMETRES = {
    "″": "\N{NO-BREAK SPACE}cm", "an inch": "a centimetre", "inches": "centimetres", "inch": "centimetre",
    "Inches": "Centimetres", "Inch": "Centimetre",
}  # fmt: skip
"""The words for centimetres instead of the words for inches, in English."""


class Language(NamedTuple):
    """A language, and its entries for English messages."""

    tag: str
    """As HTML and PDF have it, such as ``de``."""
    entries: Mapping[str, str]
    comma: bool = False
    """Whether a comma begins the decimals of a number, and points part its thousands."""
    centimetres: bool = False
    """Whether each inch is printed as one centimetre."""
    missing: Callable[[str], object] = _ignored
    """A function that is called with each message that has no entry."""
    own: Callable[[str], object] = _ignored
    """A function that is called with each name without an entry; the users' own names may stay as they are."""

    def say(self, text: str) -> str:
        """Return a text in this language, with its numbers and units.

        A text without an entry is translated piece by piece if it is joined from several texts. Of several ways to
        divide it, the way with the fewest missing entries is used. A list is divided only if every piece has an entry.
        If a piece has words but no entry, only its units change. ``missing`` is called with its message; for a name in
        a phrase, ``own`` is called instead.
        """
        return self.measured(self._said(text))

    def of_own(self) -> Language:
        """Return this language for users' own words: a text without an entry goes to ``own``, not to ``missing``."""
        return self._replace(missing=self.own)

    def _said(self, text: str) -> str:
        """Return a text as ``say`` does, but keep inches unless it is a phrase or is translated piece by piece."""
        if isinstance(text, Phrase):
            own = self.of_own()
            names = {key: (self if isinstance(name, Phrase) else own).say(name) for key, name in text.names.items()}
            return _filled(self.say(text.template), names)
        message = message_of(text)
        if _PART.fullmatch(text) or not _WORD.search(_NAME.sub("", text)):
            return self._statuses(self._numbers(text))
        if entry := self.entries.get(message):
            numbers, write = iter(_NUMBERS.findall(text)), str if message in _LABELS else self._numbers
            return self._statuses(re.sub(NUMBER, lambda _: write(next(numbers, "")), entry))
        tries = []
        for joint in _JOINTS:
            if joint.search(text):
                lost: list[str] = []
                pieces, joints = joint.split(text), [*joint.findall(text), ""]
                quiet = self._replace(missing=lost.append)
                said = [quiet.say(piece) + more for piece, more in zip(pieces, joints, strict=True)]
                if not lost or joint is not _LIST:
                    tries.append((lost, said))
        without, said = min(tries, key=lambda item: len(item[0]), default=([message], [text]))
        for some in without:
            self.missing(some)
        return "".join(said)

    def measured(self, text: str) -> str:
        """Return the text with centimetres instead of inches if ``centimetres`` is set. Numbers are not converted."""
        for inches, instead in CENTIMETRES.items() if self.centimetres else ():
            word, to = self.entries.get(inches, inches), self.entries.get(instead, instead)
            text = re.sub(rf"\b{word}\b" if word[0].isalpha() else rf"\s?{word}", to, text)
        return text

    def _numbers(self, text: str) -> str:
        """Return the text with its numbers written as in this language.

        If the language has a decimal comma, a text that is only a point becomes a comma, too.
        """
        if not self.comma:
            return text
        if text == POINT:
            return ","
        return _NUMBERS.sub(lambda found: found[0].translate(str.maketrans(".,", ",.")), text)

    def _statuses(self, text: str) -> str:
        """Return the text with the word of this language in each status mark: ``{ruled}`` becomes ``{ruled=WORD}``."""
        return STATUS.sub(lambda found: f"{{{found[1]}={self.entries.get(found[1], found[1])}}}", text)


ENGLISH = Language("en-GB", {})
"""The language of all texts as their authors write them."""


def message_of(text: str) -> str:
    """Return the message of a catalogue for a text: the text with a sign instead of each number.

    >>> message_of("Costs +5 points, at most 12")
    'Costs +# points, at most #'
    """
    return _NUMBERS.sub(NUMBER, text)


def translated(document: _Paper, language: Language) -> _Paper:
    """Return the document in a language. The words of a text without an entry stay as they are.

    So do a book's headings. In its running text, only units of length and labels of places, such as Table 3, change.
    ``language.missing`` is called with each message without an entry. ``language.own`` is called instead for the user's
    words: names in phrases, texts of a ``plain`` block or cell, and the head of a ``plain`` column.
    """
    digest = sha256(repr((sorted(language.entries.items()), language.centimetres)).encode()).hexdigest()
    words = (*((label, language.say(label)) for label in LABELS), (NUMBER, digest))
    return replace(_said(document, language), language=language.tag, words=words)


def _said(value: _Value, language: Language) -> _Value:
    """Return a value of a document with every printed text in it translated.

    Titles and straps of chapters, headings, and entries of lists of tables and figures, stay as they are. In
    ``Markup``, the running text of a book, only labels of places and units of length change.
    """
    said: Any = value
    if isinstance(value, Heading | ListEntry):
        return value  # as its author wrote it
    if isinstance(value, Chapter):
        return replace(value, blocks=_said(value.blocks, language))
    if isinstance(value, Markup):  # the running text of a book, where only our labels change
        written = _REFERENCE.sub(lambda found: f"{found[1]}{escape(language.say(found[2]))}", value)
        said = Markup(language.measured(written))  # noqa: S704
    elif isinstance(value, str):
        said = language.say(value)
    elif is_dataclass(value) and not isinstance(value, type):
        found = {item.name: getattr(value, item.name) for item in fields(value) if item.init}
        said = replace(value, **_each(found, language))
    elif isinstance(value, tuple):
        named = getattr(value, "_asdict", None)
        items = (_said(item, language) for item in value)
        said = value._replace(**_each(named(), language)) if named else tuple(items)  # type: ignore[attr-defined]
    return cast("_Value", said)


def _each(values: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Return the translated value of each printed field, by name.

    If the field ``plain`` is true, all texts are translated as users' own words.
    """
    told = language.of_own() if values.get("plain") else language
    return {name: _said(value, told) for name, value in values.items() if name not in _NOT_PRINTED}
