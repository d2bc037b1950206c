"""Checks for signs in players' texts that our fonts cannot print."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import name

from generator.scenarios.files import within

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from generator.forces.force import Force
    from generator.problems import Problem
    from generator.rules.source.parts import Place
    from generator.scenarios.scenario import Scenario

_ALL_THERE = "\u012c"
"""All letters before this letter are in every font."""
OF_PRINT = frozenset("\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u2032\u2033\u2212")
"""Further signs that are in every font, so that no font is read for an apostrophe."""
_SHOWN = 3
PRINTABLE, OTHERWISE = "a page that can be printed", "write it with other signs"
"""What is expected of texts, and the hint for signs that cannot be printed."""
_NAMES = ("force", "rules", "side", "sides")
"""The keys of a scenario with names of other things. A side's own name is reported at the side."""


def strange_signs(force: Force) -> Iterator[Problem]:
    """Yield F132 for each name and note of a force, its designs and its units with signs that our fonts do not have."""
    yield from _in(force.texts())


def strange_signs_of_battle(scenario: Scenario) -> Iterator[Problem]:
    """Yield F132 for each text of a scenario and each name or note of its forces with signs that our fonts do not have.

    The colours of sides are left out, and references to forces, rule sets and sides, such as the side of a zone.
    """
    yield from _in(scenario.place.texts(_NAMES))
    for side in scenario.sides:
        for key in ("side", "briefing", "secret"):
            yield from _in((side.place / key).texts())
        if side.force is not None:
            yield from (within(sign, side.place / "force") for sign in strange_signs(side.force))


def _in(texts: Iterable[tuple[Place, str]]) -> Iterator[Problem]:
    """Yield F132 for each text with signs that cannot be printed; each of ``texts`` is a place and its text."""
    for place, text in texts:
        if (missing := missing_glyphs(text)) is not None:
            found, offset = missing
            yield place.problem("F132", PRINTABLE, found, OTHERWISE, offset=offset)


def missing_glyphs(text: str, more: Collection[str] = ()) -> tuple[str, int] | None:
    """Return a phrase about the signs of a text that cannot be printed, and the offset of the first sign in the text.

    The phrase is such as "no glyph in our fonts for '☃' (U+2603 SNOWMAN)". It names at most three signs and counts the
    others. None if all can be printed. ``more`` are letters that other fonts have.
    """
    if max((item for item in text if item not in OF_PRINT), default="") < _ALL_THERE:
        return None
    from generator.render.type.text_length import unknown_signs  # fonts are read for few texts

    signs = unknown_signs(text, more)
    said = ", ".join(f"{sign!r} (U+{ord(sign):04X} {name(sign, '')})".replace(" )", ")") for sign in signs[:_SHOWN])
    rest = f" and {len(signs) - _SHOWN} more" if len(signs) > _SHOWN else ""
    return (f"no glyph in our fonts for {said}{rest}", text.index(signs[0])) if signs else None
