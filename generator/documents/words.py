"""Formatting of numbers, dates and texts for print, and the imprint of documents."""

from __future__ import annotations

import re
import tomllib
from calendar import month_name
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.render.imprinted import Imprint
from generator.render.language import Phrase
from generator.resources import templates
from generator.rules.entries.tables import Column, written
from generator.rules.formulas.functions import round_half_up

if TYPE_CHECKING:
    from generator.documents.supplement import SupplementModel
    from generator.problems import Problem
    from generator.rules.model.manifest import Manifest


NOTES: Mapping[str, Any] = tomllib.loads((templates() / "notes.toml").read_text(encoding="utf-8"))
"""The notes that documents of every game have, by their names in ``notes.toml``."""
NOTHING = "–"
MINUS = "−"
_ISO = re.compile(r"(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_MARKS, _FULL, _FREE = 20, "■", "–"

TINT_BOUNDS = (20, 40, 55, 70, 85)
"""Percentages from which a grid's cell takes the next tint: the same steps on every sheet."""


def percent(chance: Fraction | int) -> str:
    """Return a chance from 0 to 1 as a whole percentage without its sign, rounded half up.

    A possible chance is never 0, and an uncertain chance never 100.

    >>> percent(Fraction(77, 128)), percent(Fraction(1, 300)), percent(Fraction(299, 300)), percent(0), percent(1)
    ('60', '<1', '>99', '0', '100')
    """
    rounded = round_half_up(Fraction(chance) * 100)
    if rounded == 0 and chance:
        return "<1"
    if rounded == 100 and chance != 1:  # noqa: PLR2004 - all of it
        return ">99"
    return str(rounded)


def tint(chance: Fraction | int, bounds: Sequence[int] = TINT_BOUNDS) -> int:
    """Return the tint step of a chance, from 0 (white) up, by its rounded percentage.

    The step is the count of ``bounds``, which are percentages, that the chance reaches: 5 at most with the usual
    bounds.

    >>> [tint(Fraction(n, 100)) for n in (19, 20, 54, 55, 84, 85)], tint(Fraction(3, 100), (1, 3, 9))
    ([0, 1, 2, 3, 4, 5], 2)
    """
    rounded = round_half_up(Fraction(chance) * 100)
    return sum(rounded >= bound for bound in bounds)


def decimal(number: Fraction | int, places: int = 1) -> str:
    """Return a number with this number of decimal places, rounded half up.

    >>> decimal(Fraction(128, 77)), decimal(Fraction(5, 4), 2)
    ('1.7', '1.25')
    """
    scaled = round_half_up(Fraction(number) * 10**places)
    sign, digits = (MINUS, str(-scaled)) if scaled < 0 else ("", str(scaled))
    digits = digits.rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def number(value: Fraction | int) -> str:
    """Return a number for print: with a minus sign, and fractions as decimals with one or two places.

    >>> number(-3), number(1200), number(Fraction(1, 2))
    ('−3', '1200', '0.5')
    """
    if isinstance(value, Fraction) and value.denominator != 1:
        return decimal(value, 1 if value.denominator in (2, 5, 10) else 2)
    return str(int(value)).replace("-", MINUS)


def points(value: Fraction | int) -> str:
    """Return points for print: whole points with a comma before the thousands, fractions as ``number`` does.

    >>> points(2140), points(-12), points(Fraction(5, 2))
    ('2,140', '−12', '2.5')
    """
    if isinstance(value, Fraction) and value.denominator != 1:
        return number(value)
    return f"{int(value):,}".replace("-", MINUS)


def within(words: str) -> str:
    """Return words for use within a sentence: the first letter is small, unless a capital letter follows it.

    >>> within("Heavy rain"), within("ADS and guns"), within("")
    ('heavy rain', 'ADS and guns', '')
    """
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]


def ended(sentence: str) -> str:
    """Return a sentence with a full stop added, unless it ends with ``.``, ``!``, ``?`` or ``…``.

    >>> ended("The tide is out"), ended("Who goes there?")
    ('The tide is out.', 'Who goes there?')
    """
    return sentence if sentence.endswith((".", "!", "?", "…")) else Phrase("{sentence}.", sentence=sentence)


def whole_end(sentence: str) -> str:
    r"""Return a sentence whose last two words stay on one line, so that no last line has a single word.

    >>> whole_end("Roll the die again.").split(" ")[-1] == "die\N{NO-BREAK SPACE}again."
    True
    """
    start, space, end = sentence.rpartition(" ")
    return f"{start}\u00a0{end}" if space else end


def gauge(used: Fraction | int, allowed: Fraction | int) -> str:
    """Return a bar with a sign for each allowed point, at most twenty: squares for used points, dashes for free ones.

    The bar looks full only if no room is left. If anything is used, it has a square, unless it would then look full.
    Return "" if ``allowed`` is 0.

    >>> gauge(2, 3), gauge(0, 2), gauge(7, 5), gauge(19, 20)
    ('■■–', '––', '■■■■■', '■■■■■■■■■■■■■■■■■■■–')
    >>> gauge(24, 25) == gauge(19, 20), gauge(1, 90) == gauge(1, 20)
    (True, True)
    """
    marks = min(-(-allowed // 1), _MARKS)
    full = 0 if not allowed or not used else marks
    if 0 < used < allowed:
        full = min(max(1, round_half_up(Fraction(used) * marks / allowed)), marks - 1)
    return _FULL * int(full) + _FREE * int(marks - full)


def date(text: str) -> str:
    """Return a date for print, if the text is a full ISO date; any other text, such as a year, is returned unchanged.

    A day up to 31 counts in any month.

    >>> date("1998-02-15"), date("1993"), date("1998-15-02")
    ('15 February 1998', '1993', '1998-15-02')
    """
    found = _ISO.fullmatch(text)
    return f"{int(found[3])} {month_name[int(found[2])]} {found[1]}" if found else text


def cell_text(value: Any, column: Column, names: Mapping[Any, str] | None = None) -> str:
    """Return the value of a table's cell for print, written as the type of its column requires; a dash for None.

    A value in ``names``, or a word of a list, is printed as its name there, whatever the type.
    """
    if names and value in names:
        return names[value]
    if value is None:
        return NOTHING
    match column.type:
        case "die" | "target":
            return written(value, column.type)
        case "span":
            low, high = value
            return str(low) if low == high else f"{low}–{high}"
        case "yes_no":
            return "yes" if value else "no"
        case "words":
            return ", ".join((names or {}).get(word, word) for word in value)
        case "int" | "number":
            return f"+{number(value)}" if column.signed and value >= 0 else number(value)
        case _:
            return str(value)


def imprint(manifest: Manifest | SupplementModel, fingerprint: str, author: str = "fieldpress") -> Imprint:
    """Return the imprint of a document, from the manifest of its rule set or book and the fingerprint of its data.

    ``author`` and the edition's date are metadata of the file. An edition that is only a year counts from 1 January.
    """
    return Imprint(
        author=author,
        edition=date(manifest.edition),
        fingerprint=fingerprint,
        source=manifest.title,
        rights=manifest.rights,
        created=manifest.edition if "-" in manifest.edition else f"{manifest.edition}-01-01",
    )


def draft(problems: Iterable[Problem]) -> str:
    """Return the draft warning for every page, such as "Draft: 2 problems"; empty if there is no error.

    Only errors are counted.
    """
    errors = sum(problem.severity == "error" for problem in problems)
    return f"Draft: {errors} problem{'s' if errors != 1 else ''}" if errors else ""
