"""Catalogues of messages in the format of gettext: one file for each language."""

from __future__ import annotations

import io
import re
from collections import Counter
from typing import TYPE_CHECKING

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, read_po, write_po

from generator.parsing.text import split_lines
from generator.problems import Problem, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LATIN = "latn"
_LINE = re.compile(r'(?:#.*|(?:(?:msgid|msgstr|msgctxt|msgid_plural|msgstr\[[0-5]\]) *)?"(?:[^"\\]|\\.)*")?')
"""A line of a catalogue, without the blanks around it."""
_MESSAGE = re.compile(r'^msgid ((?:".*"\s*)+)', re.MULTILINE)
_JOINT = re.compile(r'"\s*\n\s*"')
_MARKS = re.compile(r"#|\*\*?|\{[^{}]*\}")
"""The marks that an entry keeps: the sign for a number, bold, slanted, and names and statuses in braces."""


def read_catalogue(text: str, file: str) -> tuple[dict[str, str], list[Problem]]:
    """Return the translations in a catalogue by their English messages, and its problems (F145), with their lines.

    An entry that is empty or marked as fuzzy (not yet checked) is left out. An entry whose marks differ from the
    English text has a problem, but is returned. If a line cannot be read, there are no entries. ``file`` is the name
    of the file in problems.
    """
    lines = split_lines(text)

    def problem(number: int, expected: str, found: str, hint: str) -> Problem:
        return Problem("F145", Span(file, number, 1, lines[number - 1]), expected, found, hint=hint)

    hint = 'write msgid "English text", and below it msgstr "text in the language", each with both quotation marks'
    problems = [
        problem(number, "a line of a gettext catalogue", line.strip(), hint)
        for number, line in enumerate(lines, start=1)
        if not _LINE.fullmatch(line.strip())
    ]
    if problems:
        return {}, problems
    try:
        catalogue = read_po(lines, abort_invalid=True)
    except (PoFileError, ValueError, LookupError, TypeError) as error:
        number = (getattr(error, "lineno", None) or 0) + 1
        return {}, [problem(min(number, len(lines)), "a gettext catalogue", str(error), hint)]
    seen: dict[str, int] = {}
    for match in _MESSAGE.finditer(text):
        number = text.count("\n", 0, match.start()) + 1
        first = seen.setdefault(_JOINT.sub("", match[1].strip()), number)
        if first != number:
            problems.append(
                problem(number, "one entry for each text", f"a second entry, after line {first}", "remove one")
            )
    entries: dict[str, str] = {}
    for item in catalogue:
        if not isinstance(item.id, str) or not item.id or not item.string or item.fuzzy:
            continue
        entries[item.id] = entry = str(item.string)
        wanted, given = Counter(_MARKS.findall(item.id)), Counter(_MARKS.findall(entry))
        if wanted != given:
            missing, more = (" ".join((one - other).elements()) for one, other in ((wanted, given), (given, wanted)))
            found = " and ".join(filter(None, (missing and f"{missing} missing", more and f"{more} added")))
            remedy = "write each #, *, ** and word in braces as often as in the English text"
            problems.append(problem(item.lineno or 1, "the marks of the English text", f"{found} in {entry!r}", remedy))
    return entries, problems


def write_catalogue(messages: Iterable[str], entries: Mapping[str, str]) -> str:
    """Return the text of a catalogue with each message once, in order, and its translation in ``entries``.

    The translation is empty if ``entries`` does not have the message. Entries for other messages are left out.
    """
    catalogue = Catalog()
    for message in messages:
        catalogue.add(message, entries.get(message, ""))
    out = io.BytesIO()
    write_po(out, catalogue, width=0, omit_header=True)
    return out.getvalue().decode()


def find_tag(word: str) -> str:
    """Return the tag of a language in its usual spelling; empty if there is no such language.

    >>> find_tag("DE"), find_tag("pt_br"), find_tag("german")
    ('de', 'pt-BR', '')
    """
    try:
        return str(Locale.parse(word.replace("_", "-"), sep="-")).replace("_", "-")
    except (UnknownLocaleError, ValueError):
        return ""


def tag_hint(word: str) -> str:
    """Return the hint for a word that is no tag: the tag of the language with this English name.

    >>> tag_hint("german"), tag_hint("klingon")
    ('did you mean de?', 'write a tag such as de or pt-BR')
    """
    tags = {name.lower(): tag for tag, name in Locale("en").languages.items() if find_tag(tag)}
    tag = tags.get(word.lower(), "")
    return f"did you mean {tag}?" if tag else "write a tag such as de or pt-BR"


def has_decimal_comma(tag: str) -> bool:
    """Return whether a comma begins the decimals of numbers in this language; the tag is one from ``find_tag``."""
    return bool(Locale.parse(tag, sep="-").number_symbols[_LATIN]["decimal"] == ",")
