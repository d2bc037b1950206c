"""Markers on sheets of paper that are well used: those of each side, and those of all with a track of the turns."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.battle import due_in, file_name, slug, turns_of
from generator.documents.imprint import draft, imprint
from generator.documents.markers import markers_of_all, markers_of_side
from generator.render.blocks import PAPERS
from generator.render.counters import Counters, Turn, packing_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.documents.markers import Made
    from generator.render.packing import Packing
    from generator.scenarios.scenario import Scenario


class _Leaf(NamedTuple):
    """What is printed for a side, and what had no room there."""

    found: Sequence[Made]
    rest: Sequence[Made]


def marker_sheet(scenario: Scenario, fingerprint: str, side: int | None = None) -> Counters | None:
    """The markers of a ``side`` by its number; without one those of all, and what had no room with the sides.

    A side has those that show whose they are and, as far as the same sheets have room, what else is made for its units.
    Every sheet that is begun is filled with more of what is used up most. None where there is no marker for a side.
    """
    if side is not None:
        found, _ = _of_side(scenario, side, fingerprint)
        return _sheet(scenario, fingerprint, found, side) if found else None
    rest = [one for number in range(len(scenario.sides)) for one in _of_side(scenario, number, fingerprint).rest]
    found = [*markers_of_all(scenario), *rest]
    papers = _papers(scenario, fingerprint)
    _place(papers, found)
    issued = [one for number in range(len(scenario.sides)) for one in markers_of_side(scenario, number, owned=False)]
    return _sheet(scenario, fingerprint, [*found, *_spares(papers, issued)])


def _of_side(scenario: Scenario, side: int, fingerprint: str) -> _Leaf:
    """What is handed to a side; where none of it shows whose it is, all of it is everybody's."""
    owned, issued = (markers_of_side(scenario, side, owned=one) for one in (True, False))
    if not owned:
        return _Leaf((), issued)
    papers = _papers(scenario, fingerprint, side)
    _place(papers, owned)
    found, rest = [*owned], []
    for one in _folded_first(issued):
        if all(paper.has_room(one.counter.places) for paper in papers):
            _place(papers, [one])
            found.append(one)
        else:
            rest.append(one)
    return _Leaf([*found, *_spares(papers, issued)], rest)


def _papers(scenario: Scenario, fingerprint: str, side: int | None = None) -> list[Packing]:
    """Empty sheets of each paper: what is printed on one is printed on the other."""
    return [packing_of(_sheet(scenario, fingerprint, (), side), paper) for paper in PAPERS]


def _place(papers: Sequence[Packing], found: Iterable[Made]) -> None:
    for one in _folded_first(found):
        for paper in papers:
            paper.place(one.counter.places)


def _spares(papers: Sequence[Packing], issued: Sequence[Made]) -> Iterator[Made]:
    """More of what is used up most, of each in turn, while there is room for it."""
    kinds = list({one.number: one for one in issued if one.spare}.values())
    for one in cycle(kinds):
        if not all(paper.has_room(one.counter.places) for paper in papers):
            return
        _place(papers, [one])
        yield one


def _folded_first(found: Iterable[Made]) -> list[Made]:
    """Those that take two places first, as the others find room beside them; else as the rules list them."""
    return sorted(found, key=lambda one: (-one.counter.places, one.number))


def _sheet(scenario: Scenario, fingerprint: str, found: Iterable[Made], side: int | None = None) -> Counters:
    """The document that holds them."""
    whose = "" if side is None else f" of {scenario.sides[side].name}"
    name = "" if side is None else f"-{slug(scenario, scenario.sides[side])}"
    return Counters(
        id=f"{file_name(scenario)}{name}-markers",
        title=f"{scenario.name}: markers{whose}",
        strap="To be cut out: print on one side. Those of two halves are folded at the broken line and glued.",
        counters=tuple(one.counter for one in _folded_first(found)),
        turns=tuple(_turns(scenario)) if side is None else (),
        sides=tuple(one.name for one in scenario.sides),
        colours=tuple(one.colour for one in scenario.sides),
        banner=draft(scenario.problems),
        imprint=imprint(scenario.rules.manifest, fingerprint),
    )


def _turns(scenario: Scenario) -> Iterator[Turn]:
    """The turns, with who comes on and what happens for all to see."""
    for number in range(1, turns_of(scenario) + 1):
        yield Turn(number, tuple(due_in(scenario, number, named=False)))
