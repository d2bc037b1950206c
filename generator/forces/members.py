"""What a unit is made of, in the short way: ``of: 4 x Sabre; Scout``, or ``of: [4 x Sabre, Scout]``."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.notation import COUNT, TIMES

if TYPE_CHECKING:
    from collections.abc import Collection

    from generator.rules.places import Place


class Member(NamedTuple):
    """An entry as it was given, or as if it had been given with keys."""

    given: Any
    place: Place
    offset: int | None
    """Where its name begins in the text that is at the place; None for one that was given with keys."""


def read_members(listed: Any, place: Place, names: Collection[str]) -> list[Member]:
    """The entries of a unit; nothing where neither a list nor a text was given. ``names`` are those of designs."""
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
        _member(one, place / index, 0, names)
        if isinstance(one, str) and one.strip()
        else Member(one, place / index, None)
        for index, one in entries
    ]


def _member(text: str, place: Place, offset: int, names: Collection[str]) -> Member:
    times = None if text in names else TIMES.match(text)
    if times is None or times.end() == len(text):
        return Member({"design": text}, place, offset)
    return Member({"design": text[times.end() :], COUNT: int(times[1])}, place, offset + times.end())


def meant_members(text: str, names: Collection[str]) -> str:
    """What was meant by a name that no design has: how many behind it or without ``x``, other signs between entries.

    Empty where nobody can tell.
    """
    from generator.forces.meant import split_text  # most names are those of designs

    said = []
    for count, name in split_text(text):
        near = [name] if name in names else get_close_matches(name, names, n=1)
        if not near:
            return ""
        said.append(f"{count} x {near[0]}" if count else near[0])
    return "; ".join(said)
