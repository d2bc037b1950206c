"""What a kind or a card is based on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from generator.problems import Problem


def lineage(
    sources: Mapping[str, Any], own: str, known: Collection[str], what: str, problems: list[Problem]
) -> tuple[str, ...] | None:
    """The ids that this one is based on, the most basic first. R229: there is none of that id, or a circle.

    ``sources`` have a ``model`` that may say ``based_on`` and the ``part`` it was read from; ``known`` are all ids,
    those that could not be read as well. None without a problem of its own where one further down has the problem.
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
