"""Where the lines of designs come from: each source once, with what it is the source of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.forces.force import Design
    from generator.forces.pricing import CostLine

_FIGURES = re.compile(r"[×:]|^\d")
"""Signs of a label that tells figures or names before what it is about."""
_AFTER = re.compile(r"\s*\d*(?:[,(].*)?$")


class Cited(NamedTuple):
    """A source, and the lines that stand on it."""

    cite: str
    lines: tuple[str, ...]


def cited(designs: Iterable[Design]) -> tuple[Cited, ...]:
    """Every source of the lines of these designs, in the order in which they come."""
    found: dict[str, dict[str, None]] = {}
    for design in designs:
        for line in design.priced.lines:
            if line.birth.cite_text:
                found.setdefault(line.birth.cite_text, {})[subject(line)] = None
    return tuple(Cited(cite, tuple(lines)) for cite, lines in found.items())


def subject(line: CostLine) -> str:
    """What a line is about, whatever its figures: the first words of its label, else its id."""
    if _FIGURES.search(line.label):
        words = line.id.replace("-", " ")
        return words[:1].upper() + words[1:]
    return _AFTER.sub("", line.label, count=1)
