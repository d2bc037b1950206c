"""Read the entries of a unit in short notation: ``of: 4 x Sabre; Scout``, or ``of: [4 x Sabre, Scout]``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.notation import COUNT

if TYPE_CHECKING:
    from collections.abc import Collection

    from generator.problems import Problem
    from generator.rules.source.parts import Place


_TIMES = re.compile(r"(?P<whole>-?\d{1,40})(?P<part>[.,]\d{1,9})?(?:\s*[x×]\s+|[x×](?=\S))", re.IGNORECASE)
"""The count before a design, including counts that are not allowed."""


class Member(NamedTuple):
    """An entry of a unit. Short notation is turned into the mapping that it stands for."""

    given: Any
    place: Place
    offset: int | None
    """The offset of the design's name in the text at the place; None for an entry that is a mapping."""
    start: int = 0
    """The offset of the entry in the text: of its count, if it has one."""

    def told(self, problem: Problem) -> Problem:
        """Return a problem with this entry, moved to its word if the entry is in short notation."""
        if self.offset is None:
            return problem
        return self.place.shifted(problem, self.start if problem.field.endswith(f".{COUNT}") else self.offset)


def read_members(listed: Any, place: Place, names: Collection[str]) -> list[Member]:
    """Return the entries of a unit; empty if ``listed`` is neither a list nor a text. ``names`` are known designs."""
    if isinstance(listed, str):
        if listed in names:
            return [_member(listed, place, 0, names)]
        found, offset = [], 0
        for part in listed.split(";"):
            if part.strip():
                found.append(_member(part.strip(), place, offset + len(part) - len(part.lstrip()), names))
            offset += len(part) + 1
        return found
    entries = enumerate(listed if isinstance(listed, list) else ())
    return [
        _member(item, place / index, 0, names)
        if isinstance(item, str) and item.strip()
        else Member(item, place / index, None)
        for index, item in entries
    ]


def _member(text: str, place: Place, offset: int, names: Collection[str]) -> Member:
    """Return an entry in short notation; a text that is a known design's name has no count."""
    times = None if text in names else _TIMES.match(text)
    if times is None or times.end() == len(text):
        return Member({"design": text}, place, offset, offset)
    part = (times["part"] or "").replace(",", ".")
    count = Fraction(times["whole"] + part) if part else int(times["whole"])
    return Member({"design": text[times.end() :], COUNT: count}, place, offset + times.end(), offset)
