"""Advice on a whole battle: what a table that was rolled is refused for, and a table made by hand is advised about.

The limits are those of the regions of the rules. Rules without the table ``regions`` give no advice on the ground.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.forces.force import Design, Force, Unit
from generator.scenarios.facts import begins_of, covered_share, covers_of, distance, seen_across, sight_of, starts_of
from generator.scenarios.table.outlines import HALF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from generator.problems import Problem
    from generator.scenarios.scenario import Objective, Piece, Scenario

REGIONS = "regions"
HOUSES = ("building", "houses", "ruins")
"""The drawings of terrain that no road, railway or river leads through."""
PATHS = ("road", "rail", "stream", "brook")
MARCH, REACH = "march", "reach"
"""Names that a kind may define: the inches that a design moves in a turn, and the inches that it shoots."""


def amiss_of(percent: int, limits: tuple[int, int], what: str) -> str:
    """Return in words how a percentage is outside its limits, the lowest and the highest; empty if it is inside.

    ``what`` follows the percentage in the words.

    >>> amiss_of(31, (20, 28), "of the table covered")
    '31 % of the table covered instead of 20 to 28 %'
    """
    low, high = limits
    return "" if low <= percent <= high else f"{percent} % {what} instead of {low} to {high} %"


COVERED, SEEN = "of the table covered", "of sight lines open"


def designs_of(unit: Unit | Design) -> list[Design]:
    """Return the designs of a unit; in a force without units each design is a unit."""
    return [entry.design for entry in unit.of] if isinstance(unit, Unit) else [unit]


def comes_near(designs: Sequence[Design], inches: int, turns: int, out: int = 0) -> bool:
    """Return whether a unit of these designs can come within reach of a place so many inches away, in so many turns.

    ``out`` is the distance in inches to an exit, which the unit must march. The best design counts, because carriers
    take their teams along. A design without a march goes anywhere, except an idle design: it does not count.
    """
    near = []
    for design in designs:
        march = design.priced.values.get(MARCH)
        if march is not None:
            reach = design.priced.values.get(REACH) or 0
            near.append(march * turns + reach >= inches and march * turns >= out)
        elif not design.kind.idle:
            return True
    return not near or any(near)


def units_near(force: Force, inches: int, turns: int, out: int = 0) -> set[str]:
    """Return the names of the units that can come within reach of a place, and to an exit ``out`` inches away.

    The place is ``inches`` away. In a force without units, each design is a unit.
    """
    return {unit.name for unit in force.units or force.designs if comes_near(designs_of(unit), inches, turns, out)}


def pieces_under(objective: Objective, terrain: Iterable[Piece]) -> list[Piece]:
    """Return the pieces of terrain on which an objective lies; the edge of a piece counts."""
    at = objective.at[0] * HALF, objective.at[1] * HALF
    return [piece for piece in terrain if piece.outline.holds(at)]


def _cover(scenario: Scenario) -> Iterator[Problem]:
    """Yield S232 if less or more of the table is covered than in any region of the rules."""
    if scenario.table is not None and scenario.terrain and REGIONS in scenario.rules.tables:
        share = covered_share(covers_of(scenario.terrain), scenario.table)
        hints = "add pieces of terrain, or larger pieces", "take pieces of terrain out"
        yield from _outside_limits(scenario, "S232", "share", share, COVERED, hints)


def _sight(scenario: Scenario) -> Iterator[Problem]:
    """Yield S233 if fewer or more sight lines between two sides are open than in any region of the rules."""
    if scenario.table is not None and scenario.terrain and REGIONS in scenario.rules.tables:
        sight = sight_of(scenario.terrain, scenario.table)
        seen = seen_across(sight, [*starts_of(begins_of(scenario, scenario.table), scenario.table, sight).values()])
        hints = "open a lane between the sides", "put a wood, a hill or buildings between the sides"
        if seen is not None:
            yield from _outside_limits(scenario, "S233", "seen", seen, SEEN, hints)


def _outside_limits(
    scenario: Scenario, code: str, column: str, percent: int, what: str, hints: tuple[str, str]
) -> Iterator[Problem]:
    """Yield advice if a percentage is outside the limits of all regions; ``hints`` are for too little and too much."""
    spans = [row[column] for row in scenario.rules.tables[REGIONS].rows]
    low, high = min(span[0] for span in spans), max(span[1] for span in spans)
    if not low <= percent <= high:
        expected = f"{low} to {high} %, as in the regions of these rules"
        at, found, hint = scenario.place / "terrain", f"{percent} % {what}", hints[percent > high]
        yield at.problem(code, expected, found, hint, at_key=True)  # about all pieces together


def _standing(scenario: Scenario) -> Iterator[Problem]:
    """Yield S234 for each objective that lies on no piece, or has the name of a piece on which it does not lie."""
    for objective in scenario.objectives if scenario.terrain and REGIONS in scenario.rules.tables else ():
        under = pieces_under(objective, scenario.terrain)
        named = [piece for piece in scenario.terrain if piece.name and piece.name in objective.name]
        at = objective.place / "at"
        if not under:
            found, hint = (
                f"{objective.name} on bare ground",
                "move it onto a piece, or add the piece that it stands for",
            )
            yield at.problem("S234", "an objective on a piece", found, hint)
        elif named and not any(piece in under for piece in named):
            found = f"{objective.name}, which is not on {named[0].name}"
            hint = f"move it onto {named[0].name}, or give it another name"
            yield at.problem("S234", "an objective on the piece that it names", found, hint)


def _houses(scenario: Scenario) -> Iterator[Problem]:
    """Yield S235 for each road, railway or river that leads through a building."""
    houses = [piece for piece in scenario.terrain if piece.terrain.drawn in HOUSES]
    for path in (piece for piece in scenario.terrain if piece.outline.flows and piece.terrain.drawn in PATHS):
        through = next((house for house in houses if path.outline.overlaps(house.outline)), None)
        if through is not None:
            called = through.name or through.terrain.name.lower()
            at, found = path.place / "path", f"{path.name or path.terrain.name} through {called}"
            yield at.problem("S235", "a path around buildings", found, f"lead the path around {called}")


def _entered(scenario: Scenario) -> Iterator[Problem]:
    """Yield S236 for each entry of a side with a zone that does not say who enters here."""
    for entry in scenario.entries:
        zones = [zone for zone in scenario.zones if zone.side == entry.side]
        if zones and not (entry.comes or entry.condition or entry.note) and not any(zone.note for zone in zones):
            hint = "add comes: with the units that enter here, or take the entry out"
            at, found = entry.place / "entry", f"{entry.name} of {entry.side}"
            yield at.problem("S236", "an entry that somebody uses", found, hint)


def _in_reach(scenario: Scenario) -> Iterator[Problem]:
    """Yield S237 for each objective that no unit of a side that may win it can come near before the game ends."""
    if scenario.table is None or scenario.turns is None:
        return
    begins = begins_of(scenario, scenario.table)
    for side in scenario.sides:
        for objective in scenario.objectives if begins[side.name] else ():
            if side.force is None or not side.force.whole or side.name not in objective.sides or not objective.points:
                continue
            inches = max(0, distance(begins[side.name], objective.at) - objective.radius) // 2
            if not units_near(side.force, inches, scenario.turns):
                found = f"{objective.name}, {inches}″ from {side.name}"
                expected = f"an objective that a unit can come near in {scenario.turns} turns"
                at, hint = objective.place / "at", "move the objective, deploy nearer, or add turns"
                yield at.problem("S237", expected, found, hint)


ADVICE: tuple[tuple[Callable[[Scenario], Iterator[Problem]], tuple[str, ...]], ...] = (
    (_cover, ("table", "terrain")),
    (_sight, ("table", "terrain", "zones", "entries")),
    (_standing, ("terrain", "objectives")),
    (_houses, ("terrain",)),
    (_entered, ("zones", "entries")),
    (_in_reach, ("table", "zones", "entries", "sides")),
)
"""Every check that gives advice on a whole battle, and the sections that it needs without a missing entry."""
