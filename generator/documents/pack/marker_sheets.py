"""The marker documents of a battle: one for each side, and one for all with the turn track."""

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
    """A side's markers: printed for the side, without room there, and spares to fill other sheets."""

    found: Sequence[Made]
    rest: Sequence[Made]
    spares: Sequence[Made]


def marker_sheet(scenario: Scenario, fingerprint: str, side: int | None = None) -> Counters | None:
    """Return the marker sheets of a ``side``; without a side, the common markers and those without room.

    A side's sheets have its own markers and, as far as these sheets have room, the other markers for its units. Free
    places are filled with spare markers, except a row of blank markers. None if a side has no markers of its own.
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
    """Return the markers of a side. If none shows its side, all its markers go to the common sheets."""
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
    """Return empty sheets of each paper, with room for the notes on all markers that may be there.

    Both papers get the same markers.
    """
    return [packing_of(_sheet(scenario, fingerprint, may_be, side, rest), paper) for paper in PAPERS]


def _place(papers: Sequence[Packing], found: Iterable[Made]) -> None:
    """Place the markers on the sheets of every paper, markers with two places first."""
    for made in _folded_first(found):
        for paper in papers:
            paper.place(made.counter.places)


def _spares(papers: Sequence[Packing], spares: Sequence[Made]) -> tuple[list[Made], list[Made]]:
    """Return the spare markers that have room, one of each kind in turn, and the others."""
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
    """Return the markers with two places first, then the others, each in the order of the rules."""
    return sorted(found, key=lambda made: (-made.counter.places, made.number))


def _sheet(
    scenario: Scenario, fingerprint: str, found: Iterable[Made], side: int | None = None, rest: Iterable[Made] = ()
) -> Counters:
    """Return the document of these markers, with a note on the ``rest``, which is on the common sheet."""
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
    """Yield a note that markers without room with their side are on the common sheet."""
    words = list(dict.fromkeys(within(made.counter.word) for made in rest))
    if words:
        yield f"More of these on the sheet for everybody: {', '.join(words)}."


def _turns(scenario: Scenario) -> Iterator[Turn]:
    """Yield the turns with their public events."""
    for number in range(1, turns_of(scenario) + 1):
        yield Turn(number, tuple(due_in(scenario, number, brief=True)))
