"""Find the kinds or cards that a kind or card is based on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from generator.problems import Problem


def lineage(
    sources: Mapping[str, Any], own: str, known: Collection[str], what: str, problems: list[Problem]
) -> tuple[str, ...] | None:
    """Return the ids that ``own`` is based on, the most basic first; None if they cannot be found.

    ``sources`` have a ``model`` with ``based_on`` and the ``part`` it was read from. ``known`` are all ids, with those
    that could not be read. Adds R229 for an unknown id or a circle, once: not for ids further up the same line.
    """
    way = [own]
    while (base := sources[way[-1]].model.based_on) is not None:
        if base in way and own != min(way[way.index(base) :]):
            return None
        if base in way or base not in sources:
            if base in way or (len(way) == 1 and base not in known):
                found = " > ".join((*way, base)) if base in way else base
                hint = suggest(base, sources, f"{what}s here: {', '.join(sorted(sources))}")
                hint = f"a {what} cannot stand on itself" if base in way else hint
                at = sources[own].part.place(("based_on",))
                problems.append(at.problem("R229", found=found, expected=f"another {what}", hint=hint))
            return None
        way.append(base)
    return tuple(reversed(way[1:]))
