"""A formula's text on its way to Python's parser: on one line, in plain letters, with every word free for a name."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from generator.rules.formulas.errors import FormulaError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.rules.formulas.scope import FormulaText

MAX_LENGTH = 500
"""Longest formula in characters: far above any real one, low enough that parsing stays instant."""

_ASCII = 127
_INSTEAD = {"×": "*", "÷": "/", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "“": "'", "”": "'", "’": "'"}
"""What to write for signs that word processors like better."""
# Field names may be words that Python keeps for itself ("class"). Python's parser folds mathematical letters to plain
# ones after it has looked for keywords, so such a word is spelled with one for the parser and comes back as itself.
_RESERVED = re.compile(
    r"""'[^']*'|"[^"]*"|\b(?:as|class|def|del|for|from|global|import|is|pass|return|try|while|with)\b"""
)
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
_FOLDED = 0x1D5BA - ord("a")


def written(text: FormulaText) -> str:
    """The formula on one line, if it is short enough and of plain letters."""
    if isinstance(text, bool):
        return "yes" if text else "no"
    source = str(text)
    if len(source) > MAX_LENGTH:
        expected = f"a formula of at most {MAX_LENGTH} characters"
        raise FormulaError(kind="forbidden", found=f"{len(source)} characters", expected=expected)
    line = source.strip().replace("\n", " ")
    outside = _QUOTED.sub(lambda match: " " * len(match[0]), line)
    for place, character in enumerate(line):
        if ord(outside[place]) > _ASCII or character == "\\":
            expected = "plain letters and signs only"
            instead = _INSTEAD.get(character)
            hint = f"write {instead}" if instead else ""
            raise FormulaError(kind="syntax", found=character, expected=expected, hint=hint, offset=place)
    return line


@contextmanager
def placed(text: FormulaText) -> Iterator[None]:
    """Offsets count from where the text begins, spaces before the formula included."""
    try:
        yield
    except FormulaError as error:
        if isinstance(text, str):
            error.offset += len(text) - len(text.lstrip())
        raise


def spell(source: str) -> str:
    """The text with each reserved word outside quotation marks in a spelling that Python's parser takes for a name."""
    return _RESERVED.sub(_fold, source)


def _fold(match: re.Match[str]) -> str:
    word = match[0]
    return word if word[0] in "'\"" else chr(ord(word[0]) + _FOLDED) + word[1:]
