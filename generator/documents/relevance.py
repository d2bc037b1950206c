"""The kinds, fields and values that a force uses, in the words of ``only_for`` on sheets and cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.rules.model.block import ANY_KIND

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.forces.force import Force
    from generator.rules.entries.kinds import Field


def fielding(force: Force | None) -> frozenset[str]:
    """Return the kinds, fields and values of all designs of a force, spelled as in ``only_for``."""
    found: set[str] = set()
    for design in force.designs if force is not None else ():
        found.add(design.kind.id)
        for kind in (design.kind.id, ANY_KIND):
            found.update(_words(design.kind.fields, design.values, kind))
    return frozenset(found)


def _words(fields: Sequence[Field], values: Mapping[str, Any], before: str) -> Iterator[str]:
    """Yield the words of the fields that differ from their defaults, and of their values."""
    for field in fields:
        value = values.get(field.name)
        if value is None or value in (field.default, ()):
            continue
        word = f"{before}.{field.name}"
        yield word
        if field.choice is None:
            for entry in value:
                yield from _words(field.fields, entry, word)
        else:
            yield f"{word}={value}"
