"""Catalogues of messages in the format of gettext: one file for each language."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, read_po, write_po

from generator.problems import Problem, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LATIN = "latn"


def read_catalogue(text: str, file: str) -> tuple[dict[str, str], list[Problem]]:
    """Return the entries of a catalogue by their English messages, and its problems: F145 for a line of another form.

    An entry that is empty or marked as fuzzy is left out.
    """
    try:
        catalogue = read_po(io.BytesIO(text.encode()), abort_invalid=True)
    except PoFileError as error:
        expected, found = "a line of a gettext catalogue", str(error.line or "").strip() or "something else"
        hint = 'write msgid "English text", and below it msgstr "text in the language"'
        return {}, [Problem("F145", Span(file, (error.lineno or 0) + 1, 1), expected, found, hint=hint)]
    return {str(item.id): str(item.string) for item in catalogue if item.id and item.string and not item.fuzzy}, []


def write_catalogue(messages: Iterable[str], entries: Mapping[str, str]) -> str:
    """Return a catalogue with these messages in order, each with its entry or an empty one."""
    catalogue = Catalog()
    for message in messages:
        catalogue.add(message, entries.get(message, ""))
    out = io.BytesIO()
    write_po(out, catalogue, width=0, omit_header=True)
    return out.getvalue().decode()


def name_of_language(tag: str) -> str:
    """Return the English name of a language, such as German for ``de``; empty if there is no such language."""
    try:
        return Locale.parse(tag, sep="-").english_name or ""
    except (UnknownLocaleError, ValueError):
        return ""


def has_decimal_comma(tag: str) -> bool:
    """Return whether a comma begins the decimals of numbers in this language."""
    return bool(Locale.parse(tag, sep="-").number_symbols[_LATIN]["decimal"] == ",")
