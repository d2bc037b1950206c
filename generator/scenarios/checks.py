"""What a scenario must keep: everything on the table, nothing in the way of anything else, something to win for all.

Each check is a function of a scenario; none says again what merely follows from what another said.
"""

from __future__ import annotations

from difflib import get_close_matches
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from generator.rules.formulas.working import spell
from generator.scenarios.marches import Marches
from generator.scenarios.outlines import HALF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from generator.problems import Problem
    from generator.rules.places import Place
    from generator.scenarios.reach import Extent
    from generator.scenarios.scenario import Entry, Piece, Scenario, SetPiece, Shape, Zone

_NEAR = 0.8
"""How like the name of a design a word is that was meant as one: a letter or two are wrong."""


def inches(halves: int) -> str:
    """Half inches as print shows inches.

    >>> inches(25), inches(-4)
    ('12.5″', '-2″')
    """
    return f"{spell(Fraction(halves, 2))}″"


def _budgets(scenario: Scenario) -> Iterator[Problem]:
    """S208: a force costs more than its side may spend."""
    for side in scenario.sides:
        total = side.force.total if side.force else 0
        if side.points is not None and total > side.points:
            found = f"{spell(total)}, over by {spell(total - side.points)}"
            expected, hint = f"at most {side.points} points", "field less, or allow more"
            yield (side.place / "points").problem("S208", found=found, expected=expected, hint=hint)


def _on_the_table(scenario: Scenario) -> Iterator[Problem]:
    """S202: something lies beyond the edge of the table. A road or a river may hang over it by half its width."""
    if scenario.table is None:
        return
    shaped: tuple[Piece | Zone, ...] = (*scenario.terrain, *scenario.zones)
    for one in shaped:
        yield from _off(one.place / _written(one.place), one.shape, scenario.table)
    for objective in scenario.objectives:
        yield from _away(objective.place / "at", objective.at, scenario.table)
    for piece in scenario.set_pieces:
        if piece.at is not None:
            yield from _away(piece.place / "at", piece.at, scenario.table)
    for entry in scenario.entries:
        long = scenario.table.wide if entry.edge in ("north", "south") else scenario.table.deep
        if not 0 <= entry.start < entry.end <= long:
            found = f"{inches(entry.start)} to {inches(entry.end)}"
            hint = "the smaller number first" if entry.start >= entry.end else ""
            expected = f"a stretch of the {entry.edge} edge, 0 to {inches(long)}"
            at = entry.place / ("from" if not 0 <= entry.start < long or hint else "to")
            yield at.problem("S202", found=found, expected=expected, hint=hint)


def _written(place: Place) -> str:
    """The key under which a shape stands."""
    said = place.inside.value[place.path[0]][place.path[1]]
    return next((one for one in ("corners", "path", "at") if one in said), "at")


def _off(place: Place, shape: Shape, table: Extent) -> Iterator[Problem]:
    outline = shape.outline._replace(margin=0) if shape.flows else shape.outline
    box, far = outline.box, (table.wide * HALF, table.deep * HALF)
    sides = ((-box.left, "west"), (-box.low, "south"), (box.right - far[0], "east"), (box.high - far[1], "north"))
    beyond = [f"{_rounded(over)} past the {edge} edge" for over, edge in sides if over > 0]
    if beyond:
        expected = f"a place on the table of {inches(table.wide)} × {inches(table.deep)}"
        yield place.problem("S202", found=" and ".join(beyond), expected=expected, hint="move it, or make it smaller")


def _rounded(units: int) -> str:
    """Some units as inches, the next half inch up."""
    return inches(-(-units // HALF))


def _away(place: Place, at: tuple[int, int], table: Extent) -> Iterator[Problem]:
    if not _is_on(at, table):
        found = f"{inches(at[0])} east, {inches(at[1])} north"
        expected = f"a place on the table of {inches(table.wide)} × {inches(table.deep)}"
        yield place.problem("S202", found=found, expected=expected)


def _is_on(at: tuple[int, int], table: Extent) -> bool:
    return 0 <= at[0] <= table.wide and 0 <= at[1] <= table.deep


def _zones_apart(scenario: Scenario) -> Iterator[Problem]:
    """S206: two sides would deploy in the same place."""
    for first, second in combinations(scenario.zones, 2):
        if first.side != second.side and first.shape.outline.overlaps(second.shape.outline):
            found = f"{second.name} of {second.side} over {first.name} of {first.side}"
            at = second.place / _written(second.place)
            yield at.problem("S206", found=found, expected="zones apart", hint="make one of them smaller")


def _pieces_apart(scenario: Scenario) -> Iterator[Problem]:
    """S207: two pieces of terrain lie in the same place, and neither is of a kind that may lie over the other.

    Of what a piece lies over, the first is told.
    """
    for index, second in enumerate(scenario.terrain):
        outline = second.shape.outline
        apart = (one for one in scenario.terrain[:index] if not (_may_lie(one, second) or _may_lie(second, one)))
        first = next((one for one in apart if outline.overlaps(one.shape.outline)), None)
        if first is not None:
            found = f"{_called(second)} over {_called(first)}"
            over = second.terrain.over
            hint = f"{second.terrain.name.lower()} may lie over: {', '.join(over)}" if over else "move one of them"
            at = second.place / _written(second.place)
            yield at.problem("S207", found=found, expected="pieces beside each other", hint=hint)


def _may_lie(upper: Piece, lower: Piece) -> bool:
    return lower.terrain.id in upper.terrain.over


def _called(piece: Piece) -> str:
    if piece.name:
        return piece.name
    first = piece.place.span().line
    return f"{piece.terrain.name.lower()} (line {first})"


def _reach(scenario: Scenario) -> Iterator[Problem]:
    """S210: nobody of a side can get to an objective of his. S211 (advice): some cannot.

    Only sides that move over the ground and begin somewhere are looked at.
    """
    if scenario.table is None:
        return
    marches = Marches(scenario, scenario.table)
    for objective in (one for one in scenario.objectives if _is_on(one.at, scenario.table)):
        for side in scenario.sides:
            stopped = marches.stopped(side, objective) if side.movers and side.name in objective.sides else ()
            if not stopped:
                continue
            names = ", ".join(one.name.lower() for one in stopped)
            at, hint = objective.place / "at", "open a way to it, move it, or give it a radius"
            if len(stopped) == len(side.movers):
                found = f"no way for {side.name} ({names})"
                yield at.problem("S210", found=found, expected="an objective within reach", hint=hint)
            else:
                found, expected = (
                    f"no way for {names} of {side.name}",
                    "an objective within reach of all who may win it",
                )
                yield at.problem("S211", found=found, expected=expected, hint=hint, severity="advice")


def _winnable(scenario: Scenario) -> Iterator[Problem]:
    """S213: a side that can win no points."""
    for side in scenario.sides:
        most = sum(one.points for one in scenario.objectives if side.name in one.sides)
        most += sum(max(one.points, 0) for one in scenario.victory if one.side in ("", side.name))
        if not most:
            hint = f"give points to an objective, or add to victory: {{side: {side.name}, points: 10, when: ...}}"
            at = side.place / "side"
            yield at.problem("S213", found=f"none for {side.name}", expected="points that a side can win", hint=hint)


def _begins(scenario: Scenario) -> Iterator[Problem]:
    """S214 (advice): a side has neither zone nor entry. One that was refused may be its own."""
    said = [scenario.place.inside.value.get(name) or () for name in ("zones", "entries")]
    if [len(scenario.zones), len(scenario.entries)] != [len(one) for one in said]:
        return
    theirs = {one.side for one in scenario.zones} | {one.side for one in scenario.entries}
    for side in scenario.sides:
        if side.name not in theirs:
            hint, found = "add one to zones: or entries:", f"none for {side.name}"
            expected = "a zone or an entry of each side"
            yield (side.place / "side").problem("S214", found=found, expected=expected, hint=hint, severity="advice")


def _secrets(scenario: Scenario) -> Iterator[Problem]:
    """S216: a secret that is nobody's would be printed for nobody."""
    for one in scenario.set_pieces:
        if one.secret and not one.side and "side" not in _entry(one.place):
            hint = "name its side, or tell it under umpire:"
            yield (one.place / "secret").problem("S216", found=one.name, expected="a secret of a side", hint=hint)


def _entry(place: Place) -> dict[str, object]:
    found: dict[str, object] = place.inside.value[place.path[0]][place.path[1]]
    return found


def _in_time(scenario: Scenario) -> Iterator[Problem]:
    """S217: something happens when the game is over."""
    timed: tuple[Entry | SetPiece, ...] = (*scenario.entries, *scenario.set_pieces)
    for one in timed:
        if scenario.turns is not None and one.turn is not None and one.turn > scenario.turns:
            at, found = one.place / "turn", f"turn {one.turn}"
            yield at.problem("S217", found=found, expected=f"one of the {scenario.turns} turns of the game")


def _designs_meant(scenario: Scenario) -> Iterator[Problem]:
    """S224 (advice): what a set piece is of is nearly the name of a design."""
    for one in scenario.set_pieces:
        sides = [side for side in scenario.sides if one.side in ("", side.name)]
        names = {design.name.lower(): design.name for side in sides if side.force for design in side.force.designs}
        said = one.of.lower()
        near = get_close_matches(said, names, n=1, cutoff=_NEAR) if said and said not in names else ()
        if near:
            hint, at = f"did you mean {names[near[0]]}?", one.place / "of"
            expected = "a design of its side, or what it is in a few words"
            yield at.problem("S224", found=one.of, expected=expected, hint=hint, severity="advice")


CHECKS: tuple[Callable[[Scenario], Iterator[Problem]], ...] = (
    _budgets,
    _on_the_table,
    _zones_apart,
    _pieces_apart,
    _reach,
    _winnable,
    _begins,
    _secrets,
    _in_time,
    _designs_meant,
)
"""Every check, in the order in which they are made."""
