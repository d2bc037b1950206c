"""The sheets of things to cut out: of a battle, and of a rule set without a battle."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from generator.documents.imprint import draft, imprint
from generator.documents.pack.battle import due_in, file_name, turns_of
from generator.documents.pack.markers import Made, markers_of_battle, markers_of_rules
from generator.documents.pack.table_goods import chits, draws, templates
from generator.render.markers.counters import Counter
from generator.render.markers.sheets import MarkerSheets, Tray, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.rules.ruleset import RuleSet
    from generator.scenarios.scenario import Scenario

_CUT = "To cut out: print on one side."
_FOLD = " Fold at the broken line and glue."
_TURNS = 10
"""The turns on the track of a rule set."""


def marker_sheet(scenario: Scenario, fingerprint: str) -> MarkerSheets:
    """Return the marker sheets of a battle, with its turn track."""
    markers = markers_of_battle(scenario)
    folded = any(not isinstance(made.piece, Counter) or made.piece.back for made in markers)
    return MarkerSheets(
        id=f"{file_name(scenario)}-markers",
        title=f"{scenario.name}: markers",
        strap=_CUT + (_FOLD if folded else ""),
        trays=tuple(_trays(markers)),
        note=" ".join(_notes(markers)),
        turns=tuple(_turns(scenario)),
        sides=tuple(item.name for item in scenario.sides),
        colours=tuple(item.colour for item in scenario.sides),
        banner=draft(scenario.problems),
        imprint=imprint(scenario.rules.manifest, fingerprint),
    )


def table_goods(rules: RuleSet, fingerprint: str) -> MarkerSheets:
    """Return the things to cut out of a rule set: chits, markers, flags, templates, boards, and a turn track."""
    markers = markers_of_rules(rules)
    trays = [*chits(rules), *_trays(markers), *templates(rules), *draws(rules)]
    return MarkerSheets(
        id=f"{rules.id}-markers",
        title=f"{rules.manifest.title}: things to cut out",
        strap=_CUT + _FOLD,
        trays=tuple(trays),
        note=" ".join(_notes(markers)),
        turns=tuple(Turn(number) for number in range(1, _TURNS + 1)),
        imprint=imprint(rules.manifest, fingerprint),
    )


def _trays(markers: Iterable[Made]) -> Iterator[Tray]:
    """Yield a tray for each size of marker, the widest first, each in the order of the rules."""

    def size(made: Made) -> tuple[float, float]:
        return -made.piece.width, -made.piece.height

    for _, group in groupby(sorted(markers, key=lambda made: (*size(made), made.number)), size):
        yield Tray(tuple(made.piece for made in group))


def _notes(markers: Sequence[Made]) -> Iterator[str]:
    """Yield the meaning of chevrons, and the notes of the rules on some markers."""
    counters = [made.piece for made in markers if isinstance(made.piece, Counter)]
    ranks = sorted({(counter.rank, counter.word.lower()) for counter in counters if counter.rank})
    if ranks:
        yield f"Chevrons: {', '.join(f'{rank} {word}' for rank, word in ranks)}."
    yield from dict.fromkeys(made.says for made in markers if made.says)


def _turns(scenario: Scenario) -> Iterator[Turn]:
    """Yield the turns with their public events."""
    for number in range(1, turns_of(scenario) + 1):
        yield Turn(number, tuple(due_in(scenario, number, brief=True)))
