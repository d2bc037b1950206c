"""Markers on sheets of paper that are well used: those of each side, and those of all with a track of the turns."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.imprint import draft, imprint
from generator.documents.pack.battle import due_in, file_name, slug, turns_of
from generator.documents.pack.markers import markers_of_all, markers_of_side, spares_of_side
from generator.documents.words import within
from generator.render.blocks import PAPERS
from generator.render.markers.counters import Counters, Turn, packing_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.documents.pack.markers import Made
    from generator.render.markers.packing import Packing
    from generator.scenarios.scenario import Scenario

_CUT = "To be cut out: print on one side."
_FOLD = " Those of two halves are folded at the broken line and glued."


class _Leaf(NamedTuple):
    """What is printed for a side, what had no room there, and what is left to fill other sheets."""

    found: Sequence[Made]
    rest: Sequence[Made]
    spares: Sequence[Made]


def marker_sheet(scenario: Scenario, fingerprint: str, side: int | None = None) -> Counters | None:
    """The markers of a ``side`` by its number; without one those of all, and what had no room with the sides.

    A side has those that show whose they are and, as far as the same sheets have room, what else is made for its units.
    Every sheet that is begun is filled with more of what is used up most, but for a row of markers to write on. None
    where there is no marker for a side.
    """
    if side is not None:
        leaf = _of_side(scenario, side, fingerprint)
        return _sheet(scenario, fingerprint, leaf.found, side, leaf.rest) if leaf.found else None
    sides = [_of_side(scenario, number, fingerprint) for number in range(len(scenario.sides))]
    found = [*markers_of_all(scenario), *(item for side in sides for item in side.rest)]
    spares = [spare for side in sides for spare in side.spares]
    papers = _papers(scenario, fingerprint, [*found, *spares])
    _place(papers, found)
    more, _ = _spares(papers, spares)
    return _sheet(scenario, fingerprint, [*found, *more])


def _of_side(scenario: Scenario, side: int, fingerprint: str) -> _Leaf:
    """Return the markers for a side; markers without a sign of their side are everybody's."""
    owned, issued = (markers_of_side(scenario, side, owned=item) for item in (True, False))
    spares = spares_of_side(scenario, side)
    if not owned:
        return _Leaf((), issued, spares)
    papers = _papers(scenario, fingerprint, [*owned, *issued, *spares], side, issued)
    _place(papers, owned)
    found, rest = [*owned], []
    for made in _folded_first(issued):
        if all(paper.has_room(made.counter.places) for paper in papers):
            _place(papers, [made])
            found.append(made)
        else:
            rest.append(made)
    more, left = _spares(papers, spares)
    return _Leaf([*found, *more], rest, left)


def _papers(
    scenario: Scenario, fingerprint: str, may_be: Sequence[Made], side: int | None = None, rest: Sequence[Made] = ()
) -> list[Packing]:
    """Empty sheets of each paper, with room for the notes on all that may be there, or be the rest.

    Both have the same markers.
    """
    return [packing_of(_sheet(scenario, fingerprint, may_be, side, rest), paper) for paper in PAPERS]


def _place(papers: Sequence[Packing], found: Iterable[Made]) -> None:
    for made in _folded_first(found):
        for paper in papers:
            paper.place(made.counter.places)


def _spares(papers: Sequence[Packing], spares: Sequence[Made]) -> tuple[list[Made], list[Made]]:
    """What there is room for, of each kind in turn, and the rest."""
    seen: Counter[int] = Counter()
    turns = []
    for spare in spares:
        turns.append((seen[spare.number], spare.number))
        seen[spare.number] += 1
    waiting = [item for _, item in sorted(zip(turns, spares, strict=True), key=lambda pair: pair[0])]
    for count, item in enumerate(waiting):
        if not all(paper.has_room(item.counter.places, besides_a_row=True) for paper in papers):
            return waiting[:count], waiting[count:]
        _place(papers, [item])
    return waiting, []


def _folded_first(found: Iterable[Made]) -> list[Made]:
    """Those that take two places first, as the others find room beside them; else as the rules list them."""
    return sorted(found, key=lambda made: (-made.counter.places, made.number))


def _sheet(
    scenario: Scenario, fingerprint: str, found: Iterable[Made], side: int | None = None, rest: Iterable[Made] = ()
) -> Counters:
    """The document that holds them, with a word of what the ``rest`` is, on the sheet for everybody."""
    listed = _folded_first(found)
    whose = "" if side is None else f" of {scenario.sides[side].name}"
    name = "" if side is None else f"-{slug(scenario, scenario.sides[side])}"
    return Counters(
        id=f"{file_name(scenario)}{name}-markers",
        title=f"{scenario.name}: markers{whose}",
        strap=_CUT + (_FOLD if any(made.counter.back for made in listed) else ""),
        counters=tuple(made.counter for made in listed),
        note=" ".join((*_notes(listed), *_elsewhere(rest))),
        turns=tuple(_turns(scenario)) if side is None else (),
        sides=tuple(item.name for item in scenario.sides),
        colours=tuple(item.colour for item in scenario.sides),
        banner=draft(scenario.problems),
        imprint=imprint(scenario.rules.manifest, fingerprint),
    )


def _notes(listed: Sequence[Made]) -> Iterator[str]:
    """Yield the meaning of chevrons, and the notes of the rules on some markers."""
    ranks = sorted(
        {(made.counter.rank, made.counter.word, made.counter.colour) for made in listed if made.counter.rank}
    )
    if ranks:
        shown = [
            f"{rank} {word.lower()}" + (f" ({colour.lower()})" if colour.lower() not in ("", word.lower()) else "")
            for rank, word, colour in ranks
        ]
        yield f"Chevrons: {', '.join(shown)}."
    yield from dict.fromkeys(made.says for made in listed if made.says)


def _elsewhere(rest: Iterable[Made]) -> Iterator[str]:
    """Where the markers are that had no room with their side."""
    words = list(dict.fromkeys(within(made.counter.word) for made in rest))
    if words:
        yield f"More of these on the sheet for everybody: {', '.join(words)}."


def _turns(scenario: Scenario) -> Iterator[Turn]:
    """The turns, with who comes on and what happens for all to see."""
    for number in range(1, turns_of(scenario) + 1):
        yield Turn(number, tuple(due_in(scenario, number, brief=True)))
