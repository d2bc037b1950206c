"""Checks for signs in players' texts that our fonts cannot print."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import name

from generator.scenarios.files import within

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

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
_LISTS = {
    "sides": ("side", "briefing", "secret"),
    "terrain": ("piece", "note"),
    "zones": ("zone", "note"),
    "entries": ("entry", "note"),
    "objectives": ("objective", "note"),
    "victory": ("when",),
    "special": ("rule", "says"),
    "set_pieces": ("piece", "of", "note"),
    "rolls": ("table", "result"),
}
"""The lists of a scenario, and the printed texts of each. A side's name is reported at the side."""


def strange_signs(force: Force) -> Iterator[Problem]:
    """Yield F132 for each name and note of a force with signs that our fonts do not have."""
    yield from _strange(force.place, "force", "note")
    for design in force.designs:
        yield from _strange(design.place, "design", "note")
    for unit in force.units:
        yield from _strange(unit.place, "unit", "note")


def strange_signs_of_battle(scenario: Scenario) -> Iterator[Problem]:
    """Yield F132 for each text of a scenario, and of its forces, with signs that our fonts do not have."""
    for key in ("scenario", "mission", "situation", "light", "weather", "umpire"):
        yield from _in(scenario.place / key)
    for what, keys in _LISTS.items():
        listed = (scenario.place / what).value()
        for index in range(len(listed) if isinstance(listed, list) else 0):
            yield from _strange(scenario.place / what / index, *keys)
    for side in scenario.sides:
        if side.force is not None:
            at = side.place / "force"
            yield from (within(sign, at) for sign in strange_signs(side.force))


def _strange(place: Place, *keys: str) -> Iterator[Problem]:
    for key in keys:
        yield from _in(place / key)


def _in(place: Place) -> Iterator[Problem]:
    """Yield F132 if the text at a place has signs that cannot be printed; for a list, for each such text."""
    text = place.value()
    if isinstance(text, list):
        for index in range(len(text)):
            yield from _in(place / index)
    elif isinstance(text, str) and (missing := missing_glyphs(text)) is not None:
        found, offset = missing
        yield place.problem("F132", PRINTABLE, found, OTHERWISE, offset=offset)


def missing_glyphs(text: str, more: Collection[str] = ()) -> tuple[str, int] | None:
    """Return the signs of a text that cannot be printed, as messages name them, and the offset of the first.

    None if all can be printed. ``more`` are the letters of other fonts than ours.
    """
    if max((item for item in text if item not in OF_PRINT), default="") < _ALL_THERE:
        return None
    from generator.render.type.text_length import unknown_signs  # fonts are read for few texts

    signs = unknown_signs(text, more)
    said = ", ".join(f"{sign!r} (U+{ord(sign):04X} {name(sign, '')})".replace(" )", ")") for sign in signs[:_SHOWN])
    rest = f" and {len(signs) - _SHOWN} more" if len(signs) > _SHOWN else ""
    return (f"no glyph in our fonts for {said}{rest}", text.index(signs[0])) if signs else None
