"""What a player wrote that no page can show: signs that the fonts do not have."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.forces.force import Force
    from generator.problems import Problem
    from generator.rules.places import Place

_ALL_THERE = "\u012c"
"""All letters before this one are in every face."""
_SHOWN = 3


def strange_signs(force: Force) -> Iterator[Problem]:
    """F132 for each name and note of a force with signs that cannot be printed."""
    yield from _strange(force.place, "force", "note")
    for design in force.designs:
        yield from _strange(design.place, "design", "note")
    for unit in force.units:
        yield from _strange(unit.place, "unit", "note")


def _strange(place: Place, *keys: str) -> Iterator[Problem]:
    for key in keys:
        text = (place / key).value()
        if isinstance(text, str) and max(text, default="") >= _ALL_THERE:
            from generator.render.measure import unknown_signs  # fonts are read for few forces

            signs = unknown_signs(text)
            if signs:
                said = ", ".join(
                    f"{one!r} (U+{ord(one):04X} {name(one, '')})".replace(" )", ")") for one in signs[:_SHOWN]
                )
                more = f" and {len(signs) - _SHOWN} more" if len(signs) > _SHOWN else ""
                at, found = place / key, f"no glyph in our fonts for {said}{more}"
                offset, hint = text.index(signs[0]), "write it with other signs"
                yield at.problem("F132", found=found, expected="a page that can be made", hint=hint, offset=offset)
