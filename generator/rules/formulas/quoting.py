"""Prepare the text of a formula for Python's parser: one line, plain letters, reserved words usable as names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.rules.formulas.errors import FormulaError

if TYPE_CHECKING:
    from generator.rules.formulas.scope import FormulaText

MAX_LENGTH = 500
"""The most characters of a formula: far more than any real formula, and few enough to parse at once."""

_ASCII = 127
_INSTEAD = {"×": "*", "÷": "/", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "“": "'", "”": "'", "’": "'"}
"""Plain signs to write instead of typographic signs."""
# Field names may be reserved words of Python ("class"). Python's parser looks for keywords before it converts
# mathematical letters to plain letters. So such a word is spelled with a mathematical letter for the parser.
_RESERVED = re.compile(
    r"""'[^']*'|"[^"]*"|\b(?:as|class|def|del|for|from|global|import|is|pass|return|try|while|with)\b"""
)
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
_FOLDED = 0x1D5BA - ord("a")


def written(text: FormulaText) -> str:
    """Return the formula on one line. Raises FormulaError if it is too long or has other than plain letters."""
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


def spell(source: str) -> str:
    """Return the text with reserved words outside quotation marks in a spelling that Python's parser reads as names."""
    return _RESERVED.sub(_fold, source)


def _fold(match: re.Match[str]) -> str:
    """Return a reserved word with a mathematical first letter, and a quoted text as it is."""
    word = match[0]
    return word if word[0] in "'\"" else chr(ord(word[0]) + _FOLDED) + word[1:]
