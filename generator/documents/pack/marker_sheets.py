"""The sheets of things to cut out: of each side of a battle, of the battle, and of a rule set without a battle."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from generator.documents.imprint import draft, imprint
from generator.documents.pack.battle import due_in, file_name, slug, turns_of
from generator.documents.pack.markers import markers_of_all, markers_of_rules, markers_of_side
from generator.documents.pack.table_goods import chits, draws, templates
from generator.render.markers.counters import Counter
from generator.render.markers.sheets import MarkerSheets, Tray, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.documents.pack.markers import Made
    from generator.rules.ruleset import RuleSet
    from generator.scenarios.scenario import Scenario

_CUT = "To cut out: print on one side."
_FOLD = " Fold at the broken line and glue."
_TURNS = 10
"""The turns on the track of a rule set."""


def marker_sheet(scenario: Scenario, fingerprint: str, side: int | None = None) -> MarkerSheets | None:
    """Return the marker sheets of a ``side``; without a side, the common markers and the turn track.

    None if a side has no markers that show whose they are: its other markers are then among the common markers.
    """
    if side is not None:
        markers = _of_side(scenario, side)
        return _sheet(scenario, fingerprint, markers, side) if markers else None
    sides = [number for number in range(len(scenario.sides)) if not _of_side(scenario, number)]
    more = [made for number in sides for made in markers_of_side(scenario, number, owned=False)]
    return _sheet(scenario, fingerprint, [*markers_of_all(scenario), *more])


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


def _of_side(scenario: Scenario, side: int) -> list[Made]:
    """Return the markers of a side; none if no marker shows the side."""
    owned = markers_of_side(scenario, side, owned=True)
    return [*owned, *markers_of_side(scenario, side, owned=False)] if owned else []


def _sheet(scenario: Scenario, fingerprint: str, markers: Sequence[Made], side: int | None = None) -> MarkerSheets:
    """Return the document of these markers of a battle."""
    whose = "" if side is None else f" of {scenario.sides[side].name}"
    name = "" if side is None else f"-{slug(scenario, scenario.sides[side])}"
    folded = any(not isinstance(made.piece, Counter) or made.piece.back for made in markers)
    return MarkerSheets(
        id=f"{file_name(scenario)}{name}-markers",
        title=f"{scenario.name}: markers{whose}",
        strap=_CUT + (_FOLD if folded else ""),
        trays=(*_trays(markers), *(draws(scenario.rules) if side is None else ())),
        note=" ".join(_notes(markers)),
        turns=tuple(_turns(scenario)) if side is None else (),
        sides=tuple(item.name for item in scenario.sides),
        colours=tuple(item.colour for item in scenario.sides),
        banner=draft(scenario.problems),
        imprint=imprint(scenario.rules.manifest, fingerprint),
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
    ranks = sorted({(counter.rank, counter.word, counter.colour) for counter in counters if counter.rank})
    if ranks:
        shown = [
            f"{rank} {word.lower()}" + (f" ({colour.lower()})" if colour.lower() not in ("", word.lower()) else "")
            for rank, word, colour in ranks
        ]
        yield f"Chevrons: {', '.join(shown)}."
    yield from dict.fromkeys(made.says for made in markers if made.says)


def _turns(scenario: Scenario) -> Iterator[Turn]:
    """Yield the turns with their public events."""
    for number in range(1, turns_of(scenario) + 1):
        yield Turn(number, tuple(due_in(scenario, number, brief=True)))
