"""What a side must not learn from its own cards: the other sides' hidden designs and units."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.problems import Problem
    from generator.render.cards.deck import Card, Deck
    from generator.scenarios.scenario import Scenario, Side


def hidden_from(scenario: Scenario, side: Side) -> frozenset[str]:
    """Return the names of other sides' designs and units that this side must not learn.

    These names are in a secret set piece of their side, or in a secret of their side. A name that the side's own force
    has, too, is not hidden.
    """
    found: set[str] = set()
    for other in scenario.sides:
        if other is side or other.force is None:
            continue
        secrets = [piece for piece in scenario.set_pieces if piece.secret and piece.side == other.name]
        words = " ".join((*other.secret, *(f"{piece.name} {piece.of}" for piece in secrets)))
        found.update(name for name in _names(other) if _stands_in(name, words))
    return frozenset(found - set(_names(side)))


def betrayals(scenario: Scenario, side: Side, deck: Deck) -> Iterator[Problem]:
    """Yield S230 for each name hidden from the side that stands on a card of its deck."""
    hidden = sorted(hidden_from(scenario, side))
    for card in deck.cards:
        text = " ".join(_texts(card))
        for name in hidden:
            if _stands_in(name, text):
                hint = f"leave {name} out of the note of {card.name}, or out of the secrets"
                expected = "cards without what the other side hides"
                yield (side.place / "side").problem("S230", expected, f"{name} on {card.name}", hint)


def _names(side: Side) -> Iterator[str]:
    if side.force is not None:
        yield from (design.name for design in side.force.designs)
        yield from (unit.name for unit in side.force.units)


def _stands_in(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def _texts(part: Card | Any) -> Iterator[str]:
    """Yield all texts in a card."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple):
        for item in part:
            yield from _texts(item)
    elif hasattr(part, "__dataclass_fields__"):
        for field in fields(part):
            yield from _texts(getattr(part, field.name))
