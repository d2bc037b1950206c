"""The foot of a card's face: what its percentages mean, and against which designs they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.render.cards.deck import SHARED
from generator.render.type.line_breaks import broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.render.cards.deck import Asked, Target

_SIZE = 7.0
FOOTS = (4, 3, 2)
"""Allowed numbers of foot lines, the most first; more lines than the last are used only if names need them."""
_NAMED = (8, 3, 2, 1, 0)
"""Numbers of named designs per profile, tried until the foot fits; at 0 their number is not printed either."""
_SPACE = "\N{NO-BREAK SPACE}"


def foot_lines(asked: Iterable[Asked], width: float, most_lines: int = FOOTS[-1]) -> tuple[str, ...]:
    """Return the lines of the foot, at most ``most_lines`` if naming fewer designs can achieve that.

    Designs without room are counted. No name is cut.
    """
    every = list(dict.fromkeys(asked))
    lines: tuple[str, ...] = ()
    for most in _NAMED:
        lines = broken(_foot(every, most), width, _SIZE)
        if len(lines) <= most_lines:
            break
    return lines


def _foot(asked: Sequence[Asked], most: int = _NAMED[0]) -> str:
    """Return the foot's text: what the percentages are and against whom, with up to ``most`` designs per profile."""
    told: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    explained: set[Target] = set()
    for item in asked:
        of, heads = told.setdefault(item.says, ({}, {}))
        of.update(dict.fromkeys(filter(None, [item.of])))
        for target in item.targets:
            if target not in explained:
                explained.add(target)
                heads.update(dict.fromkeys(filter(None, [_target(target, most)])))
        if item.untold:
            rest = _list(_in_short(item.untold), most) if most else f"{len(item.untold)} more"
            heads[f"no column for {rest}"] = None
    said = [
        " ".join(filter(None, (says, "; ".join(of), f"({'; '.join(heads)})" if heads else "")))
        for says, (of, heads) in told.items()
    ]
    return f"Percent: {'; '.join(said)}." if said else ""


def _target(target: Target, most: int) -> str:
    """Return the designs that a head stands for; empty if the head is the name of its only design."""
    names = _in_short(target.names)
    if target.clear:
        others = _in_short(names[1:])
        return f"{target.head} also {_list(others, max(most - 1, 1))}" if others else ""
    return "" if target.head == names[0] else f"{target.head}{_SPACE}={_SPACE}{_list(names, most)}"


def _in_short(names: Sequence[str]) -> Sequence[str]:
    """Return the names with a first word that all share printed only once.

    >>> _in_short(["Guard rifles", "Guard storm group"]), _in_short(["Team 1", "Team 2"])
    (['Guard rifles', 'storm group'], ['Team 1', 'Team 2'])
    """
    words = [name.partition(" ") for name in names]
    shared = len({first for first, *_ in words}) == 1 and all(rest.replace(" ", "").isalpha() for *_, rest in words)
    return [names[0], *(rest for *_, rest in words[1:])] if shared else names


def _list(names: Sequence[str], most: int) -> str:
    more = len(names) - most
    if not most:
        return names[0] + (SHARED if more > 1 else "")
    others = f" and {more}{_SPACE}other{'s' if more > 1 else ''}" if more > 0 else ""
    return ", ".join(names[:most]) + others
