"""Checks of a whole scenario, and advice on a whole battle.

Each check takes a scenario and yields problems. A check that needs all entries of a section is skipped if an entry
of that section could not be read. Advice on cover and sight uses the limits of all regions of the rules; a rolled
table must fit its own region. Rules without the table ``regions`` give no such advice.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from generator.forces.fixes import over_budget
from generator.forces.force import Design, Force, Unit
from generator.problems import CLOSE, Problem, nearest, suggest
from generator.render.drawing import COLOURS
from generator.rules.formulas.working import spell
from generator.scenarios import facts
from generator.scenarios.files import within
from generator.scenarios.table import HALF, Extent, Outline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from generator.rules.source.parts import Place
    from generator.scenarios.models import Entry, Objective, SetPiece, Zone
    from generator.scenarios.scenario import Piece, Scenario, Side


def inches(halves: int) -> str:
    """Return half inches as inches for print, with the inch sign.

    >>> inches(25), inches(-4)
    ('12.5″', '-2″')
    """
    return f"{spell(Fraction(halves, 2))}″"


def _budgets(scenario: Scenario) -> Iterator[Problem]:
    """Yield S208 for a force that costs more than its side may spend.

    Yield S228 (advice) for a limit of points on a force whose designs have no price.
    """
    for side in scenario.sides:
        if side.points is None or side.force is None:
            continue
        at = side.place / "points"
        if not side.force.pays:
            found, hint = f"{side.points} points", "leave it out: designs of these rules have no price"
            yield at.problem("S228", "no points", found, hint, at_key=True)
        if side.force.total > side.points:
            problem = over_budget(side.force, side.points, at)
            yield problem._replace(code="S208", hint=f"{problem.hint}, or allow more")


def _on_the_table(scenario: Scenario) -> Iterator[Problem]:
    """Yield S202 for each thing wholly or partly off the table, and for each entry without a valid stretch of its edge.

    A path, such as a road, a river or a wall, may pass the edge by half its width. The radius of an objective or a set
    piece may pass the edge.
    """
    table = scenario.table
    shaped: tuple[Piece | Zone, ...] = (*scenario.terrain, *scenario.zones)
    for item in shaped:
        yield from _off(_written(item), item.outline, table)
    placed: tuple[Objective | SetPiece, ...] = (*scenario.objectives, *scenario.set_pieces)
    for thing in placed:
        if thing.at is not None and not _is_on(thing.at, table):
            found, hint = f"{inches(thing.at[0])} east, {inches(thing.at[1])} north", "move it onto the table"
            yield (thing.place / "at").problem("S202", _spot_on(table), found, hint)
    for entry in scenario.entries:
        yield from _past(entry, table.wide if entry.edge in ("north", "south") else table.deep)


def _spot_on(table: Extent) -> str:
    """Return the text that S202 expects: a place on a table of this size."""
    return f"a place on the table of {inches(table.wide)} × {inches(table.deep)}"


def _past(entry: Entry, long: int) -> Iterator[Problem]:
    """Yield S202 for an entry whose stretch is empty, reversed, or not on its edge of ``long`` half inches."""
    if not 0 <= entry.start < entry.end <= long:
        at = entry.place / ("from" if entry.start > entry.end or not 0 <= entry.start < long else "to")
        found, expected = f"{inches(entry.start)} to {inches(entry.end)}", f"a stretch of the {entry.edge} edge"
        hint = f"give from: and to: between 0 and {inches(long)}, the smaller number first"
        yield at.problem("S202", f"{expected}, 0 to {inches(long)}", found, hint)


def _written(item: Piece | Zone) -> Place:
    """Return the place of the key that gives the shape of a piece or zone: ``corners``, ``path`` or ``at``."""
    said = item.place.value()
    return item.place / next((key for key in ("corners", "path", "at") if key in said), "at")


def _off(place: Place, outline: Outline, table: Extent) -> Iterator[Problem]:
    """Yield S202 for a shape that passes an edge of the table: how far it passes each edge, rounded up to half inches.

    The width of a path does not count.
    """
    west, south, east, north = (outline._replace(margin=0) if outline.flows else outline).box
    past = -west, -south, east - table.wide * HALF, north - table.deep * HALF
    edges = zip(("west", "south", "east", "north"), past, strict=True)
    beyond = [f"{inches(-(-units // HALF))} past the {edge} edge" for edge, units in edges if units > 0]
    if beyond:
        yield place.problem("S202", _spot_on(table), " and ".join(beyond), "move it, or make it smaller")


def _is_on(at: tuple[int, int], table: Extent) -> bool:
    return 0 <= at[0] <= table.wide and 0 <= at[1] <= table.deep


def _zones_apart(scenario: Scenario) -> Iterator[Problem]:
    """Yield S206 for each two overlapping deployment zones of different sides."""
    for first, second in combinations(scenario.zones, 2):
        if first.side != second.side and first.outline.overlaps(second.outline):
            found = f"{second.name} of {second.side} over {first.name} of {first.side}"
            yield _written(second).problem("S206", "zones apart", found, "make one of them smaller")


def _pieces_apart(scenario: Scenario) -> Iterator[Problem]:
    """Yield S207 for each piece of terrain that overlaps an earlier piece, if neither may lie over the other.

    If a piece overlaps several earlier pieces, only the first of them is reported.
    """
    for index, second in enumerate(scenario.terrain):
        outline = second.outline
        over = second.terrain.over
        apart = (item for item in scenario.terrain[:index] if item.terrain.id not in over)
        apart = (item for item in apart if second.terrain.id not in item.terrain.over)
        first = next((item for item in apart if outline.overlaps(item.outline)), None)
        if first is not None:
            found = f"{_called(second)} over {_called(first)}"
            lies = f"; {second.terrain.name.lower()} may lie over: {', '.join(over)}" if over else ""
            yield _written(second).problem("S207", "pieces beside each other", found, f"move one of them{lies}")


def _called(piece: Piece) -> str:
    """Return the name of a piece, or its kind and its line in the file."""
    return piece.name or f"{piece.terrain.name.lower()} (line {piece.place.span().line})"


def _reach(scenario: Scenario) -> Iterator[Problem]:
    """Yield S210 or S211 for each objective that a side may win, if a way of moving of this side does not reach it.

    S210: none of its ways reaches it; S211 (advice): only some of them do. Objectives off the table are skipped. Sides
    that do not move on the ground, have no zone or entry, or have an incomplete force are skipped, too.
    """
    sides = [side for side in scenario.sides if side.force is not None and side.force.whole]
    marches = facts.Marches(scenario)
    for objective in (item for item in scenario.objectives if _is_on(item.at, scenario.table)):
        for side in (side for side in sides if side.name in objective.sides):
            stopped = marches.stopped(side, objective.at, objective.radius)
            names, larger = ", ".join(mover.name.lower() for mover in stopped), "larger " if objective.radius else ""
            hint, at = f"open a way to it, move it, or give it a {larger}radius", objective.place / "at"
            if stopped and len(stopped) == len(side.movers):
                yield at.problem("S210", "an objective within reach", f"no way for {side.name} ({names})", hint)
            elif stopped:
                expected = "an objective within reach of all who may win it"
                yield at.problem("S211", expected, f"no way for {names} of {side.name}", hint)


def _winnable(scenario: Scenario) -> Iterator[Problem]:
    """Yield S213 for each side that cannot win points."""
    for side in scenario.sides:
        most = sum(objective.points for objective in scenario.objectives if side.name in objective.sides)
        most += sum(max(victory.points, 0) for victory in scenario.victory if victory.side in ("", side.name))
        if not most:
            hint = f"give points to an objective, or add to victory: {{side: {side.name}, points: 10, when: ...}}"
            yield (side.place / "side").problem("S213", "points that a side can win", f"none for {side.name}", hint)


def _begins(scenario: Scenario) -> Iterator[Problem]:
    """Yield S214 (advice) for each side without a zone and without an entry."""
    theirs = {zone.side for zone in scenario.zones} | {entry.side for entry in scenario.entries}
    for side in scenario.sides:
        if side.name not in theirs:
            at, found, hint = side.place / "side", f"none for {side.name}", "add one to zones: or entries:"
            yield at.problem("S214", "a zone or an entry of each side", found, hint)


def _secrets(scenario: Scenario) -> Iterator[Problem]:
    """Yield S216 for each secret set piece that has no side and is not an event (see ``SetPiece.is_event``)."""
    for piece in scenario.set_pieces:
        if piece.secret and not piece.side and not piece.is_event:
            at, hint = piece.place / "secret", "name its side, or tell it under umpire:"
            yield at.problem("S216", "a secret of a side", piece.name, hint)


_NOT_SEARCHED = "rules", "options", "sides", "side", "umpire", "accepts", "edition", "rolls", "kind"
"""The keys of a scenario with texts that not everybody reads, or with words of the rules."""


def _given_away(scenario: Scenario) -> Iterator[Problem]:
    """Yield S230 (advice) for each text that names what another side hides from its readers, once for each name.

    ``_hidden`` says what a side hides. Everybody reads the texts of the scenario except secret set pieces, special
    rules that it only names, and values under the keys ``_NOT_SEARCHED``. A side reads its briefing, and the names and
    notes of its force; its secrets are not searched. A name is not hidden from a side that has the name itself, spelt
    alike.
    """
    hidden = {side.name: _hidden(scenario, side) for side in scenario.sides}
    public: dict[str, str] = {}
    for side in scenario.sides:
        own = {*_names(side), *hidden[side.name]}
        secret = {name: other for other in hidden if other != side.name for name in hidden[other] if name not in own}
        public |= secret
        yield from _naming(secret, (side.place / "briefing").texts())
        if side.force is not None:
            yield from (within(problem, side.place / "force") for problem in _naming(secret, side.force.texts()))
    kept = {piece.place.path for piece in scenario.set_pieces if piece.secret}
    for place, text in scenario.place.texts(_NOT_SEARCHED):
        if place.path[:2] not in kept and (place.path[0], len(place.path)) != ("special", 2):
            yield from _naming(public, [(place, text)])


def _hidden(scenario: Scenario, side: Side) -> list[str]:
    """Return the names of a side's secret set pieces, and of its designs and units that stand in its secrets.

    The secrets are its secret texts, and the names, designs and notes of these set pieces.
    """
    pieces = [piece for piece in scenario.set_pieces if piece.secret and piece.side == side.name]
    text = "\n".join((*side.secret, *(said for piece in pieces for said in (piece.name, piece.of, piece.note))))
    return [*(piece.name for piece in pieces), *(name for name in _names(side) if _use_of(name, text))]


def _names(side: Side) -> list[str]:
    force = side.force
    return [*(item.name for item in force.designs), *(item.name for item in force.units)] if force is not None else []


def _naming(secret: Mapping[str, str], texts: Iterable[tuple[Place, str]]) -> Iterator[Problem]:
    """Yield S230 (advice) for each name in each text, at its first use.

    ``secret`` has the names with the sides that hide them. Each of ``texts`` is a place and the text there.
    """
    for place, text in texts:
        for name, side in secret.items():
            if use := _use_of(name, text):
                hint = f"write this text without it, or take it out of the secrets of {side}"
                yield place.problem("S230", f"a text without what {side} hides", name, hint, offset=use.start())


def _use_of(name: str, text: str) -> re.Match[str] | None:
    """Return the first use of a name in a text as whole words, ignoring case; None without a use.

    Endings of the singular and the plural count as equal: none, e, s, es and ses; also y, ys, ie and ies.

    >>> bool(_use_of("Charges", "a charge")), bool(_use_of("Glass", "GLASSES")), bool(_use_of("Tank", "tanker"))
    (True, True, False)
    """
    stem = re.sub(r"(?<=\w)(ies|y)\Z|(?<=\w\w)(es|s)\Z", "", name, flags=re.IGNORECASE)
    forms = "y|ys|ie|ies" if name.lower().endswith(("y", "ies")) else "|e|s|es|ses"
    return re.search(rf"(?<!\w){re.escape(stem)}(?:{forms})(?!\w)", text, re.IGNORECASE)


def _in_time(scenario: Scenario) -> Iterator[Problem]:
    """Yield S217 for each entry and set piece whose turn is after the last turn of the game."""
    timed: tuple[Entry | SetPiece, ...] = (*scenario.entries, *scenario.set_pieces)
    for item in timed:
        if scenario.turns is not None and item.turn is not None and item.turn > scenario.turns:
            at, found = item.place / "turn", f"turn {item.turn}"
            expected, hint = f"one of the {scenario.turns} turns of the game", "an earlier turn, or more turns"
            yield at.problem("S217", expected, found, hint)


def _designs_meant(scenario: Scenario) -> Iterator[Problem]:
    """Yield S224 (advice) for each set piece whose ``of`` looks like a misspelt name of a design of its side.

    A set piece without a side may mean a design of any side.
    """
    for piece in scenario.set_pieces:
        sides = [side for side in scenario.sides if piece.side in ("", side.name)]
        names = {design.name.lower(): design.name for side in sides if side.force for design in side.force.designs}
        said = piece.of.lower()
        near = nearest(said, names, CLOSE) if said and said not in names else ""
        if near:
            hint, at = f"did you mean {names[near]}?", piece.place / "of"
            yield at.problem("S224", "a design of its side, or what it is in a few words", piece.of, hint)


def _colours(scenario: Scenario) -> Iterator[Problem]:
    """Yield S227 (advice) for each side with a colour that cannot be printed; sides without a colour are skipped."""
    for side in scenario.sides:
        said = side.colour.strip().lower()
        if said and said not in COLOURS:
            hint = suggest(said, COLOURS, "it is printed in another colour: take one of these")
            yield (side.place / "colour").problem("S227", f"one of {', '.join(COLOURS)}", side.colour, hint)


REGIONS = "regions"
"""The id of the table of regions, with the usual cover and the usual sight of each."""
HOUSES = ("building", "houses", "ruins")
"""The drawings of terrain that no road, railway or river leads through."""
PATHS = ("road", "rail", "stream", "torrent", "brook")
"""The drawings of roads, railways and rivers that may not lead through a building."""
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
"""The words that follow the percentage of cover, and of open sight lines, in messages."""


def designs_of(unit: Unit | Design) -> list[Design]:
    """Return the design of each entry of a unit; if ``unit`` is a design, return only this design."""
    return [entry.design for entry in unit.of] if isinstance(unit, Unit) else [unit]


def comes_near(designs: Sequence[Design], inches: int, turns: int, out: int = 0) -> bool:
    """Return whether a unit of these designs can come within range of a place ``inches`` away in ``turns`` turns.

    ``out`` is the distance in inches to an exit, to which the unit must march in these turns, too. One design that can
    do this is enough, because carriers take their teams along. A design without a march goes anywhere; an idle design
    without a march does not count. True if no design counts.
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
    """Return the names of the units that can come within range of a place, and march to an exit, in time.

    The place is ``inches`` away, and the exit ``out`` inches; the units have ``turns`` turns. Units of designs without
    a march are named, too, as ``comes_near`` says. In a force without units, each design is a unit.
    """
    return {unit.name for unit in force.units or force.designs if comes_near(designs_of(unit), inches, turns, out)}


def pieces_under(objective: Objective, terrain: Iterable[Piece]) -> list[Piece]:
    """Return the pieces of terrain under the middle of an objective; the edge of a piece counts."""
    at = objective.at[0] * HALF, objective.at[1] * HALF
    return [piece for piece in terrain if piece.outline.holds(at)]


def _cover(scenario: Scenario) -> Iterator[Problem]:
    """Yield S232 (advice) if the covered part of the table is below the lowest or above the highest of all regions.

    Yield nothing for a battle without terrain, or rules without regions.
    """
    if scenario.terrain and REGIONS in scenario.rules.tables:
        share = facts.covered_share(scenario)
        hints = "add pieces of terrain, or larger pieces", "take pieces of terrain out"
        yield from _outside_limits(scenario, "S232", "share", share, COVERED, hints)


def _sight(scenario: Scenario) -> Iterator[Problem]:
    """Yield S233 (advice) if fewer or more sight lines between two sides are open than in any region of the rules.

    The sides are the first two that begin where they see something. Yield nothing for a battle without two such sides
    or without terrain, or rules without regions.
    """
    if scenario.terrain and REGIONS in scenario.rules.tables:
        sight = facts.sight_of(scenario)
        seen = facts.seen_across(sight, [*facts.starts_of(facts.begins_of(scenario), sight).values()])
        hints = "open a lane between the sides", "put a wood, a hill or buildings between the sides"
        if seen is not None:
            yield from _outside_limits(scenario, "S233", "seen", seen, SEEN, hints)


def _outside_limits(
    scenario: Scenario, code: str, column: str, percent: int, what: str, hints: tuple[str, str]
) -> Iterator[Problem]:
    """Yield advice with this code if a percentage is below the lowest or above the highest limit of all regions.

    ``column`` is the column of regions with the limits, and ``what`` is the text after the percentage. ``hints`` are
    for too little and too much.
    """
    spans = [row[column] for row in scenario.rules.tables[REGIONS].rows]
    low, high = min(span[0] for span in spans), max(span[1] for span in spans)
    if not low <= percent <= high:
        expected = f"{low} to {high} %, as in the regions of these rules"
        at, found, hint = scenario.place / "terrain", f"{percent} % {what}", hints[percent > high]
        yield at.problem(code, expected, found, hint, at_key=True)  # about all pieces together


def stands_in(name: str, text: str) -> bool:
    """Return whether a text contains a name as whole words; case is ignored."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def _standing(scenario: Scenario) -> Iterator[Problem]:
    """Yield S234 (advice) for each objective on no piece, or on none of the pieces that it names.

    An objective names a piece if its own name contains the piece's name as whole words. Yield nothing for a battle
    without terrain, or rules without regions.
    """
    for objective in scenario.objectives if scenario.terrain and REGIONS in scenario.rules.tables else ():
        under = pieces_under(objective, scenario.terrain)
        named = [piece for piece in scenario.terrain if piece.name and stands_in(piece.name, objective.name)]
        at = objective.place / "at"
        if not under:
            hint = "move it onto a piece, or add the piece that it stands for"
            yield at.problem("S234", "an objective on a piece", f"{objective.name} on bare ground", hint)
        elif named and not any(piece in under for piece in named):
            found = f"{objective.name}, which is not on {named[0].name}"
            hint = f"move it onto {named[0].name}, or give it another name"
            yield at.problem("S234", "an objective on the piece that it names", found, hint)


def _houses(scenario: Scenario) -> Iterator[Problem]:
    """Yield S235 (advice) for each path of a road, railway, river or stream through a building, houses or ruins.

    A path through several of them is named once.
    """
    houses = [piece for piece in scenario.terrain if piece.terrain.drawn in HOUSES]
    for path in (piece for piece in scenario.terrain if piece.outline.flows and piece.terrain.drawn in PATHS):
        through = next((house for house in houses if path.outline.overlaps(house.outline)), None)
        if through is not None:
            called = through.name or through.terrain.name.lower()
            at, found = path.place / "path", f"{path.name or path.terrain.name} through {called}"
            yield at.problem("S235", "a path around buildings", found, f"lead the path around {called}")


def _entered(scenario: Scenario) -> Iterator[Problem]:
    """Yield S236 (advice) for each entry that nobody seems to use: its side has a zone, and nothing says who enters.

    An entry says who enters by ``comes``, ``if`` or ``note``; a note on a zone of the side is enough, too.
    """
    for entry in scenario.entries:
        zones = [zone for zone in scenario.zones if zone.side == entry.side]
        if zones and not (entry.comes or entry.condition or entry.note) and not any(zone.note for zone in zones):
            hint = "add comes: with the units that enter here, or take the entry out"
            at, found = entry.place / "entry", f"{entry.name} of {entry.side}"
            yield at.problem("S236", "an entry that somebody uses", found, hint)


def _in_reach(scenario: Scenario) -> Iterator[Problem]:
    """Yield S237 (advice) for each side and each objective that it may win, but cannot come near before the game ends.

    ``comes_near`` says which units can. Objectives without points are skipped, and so are sides without a complete
    force, or with neither a zone nor an entry. Yield nothing for a battle without a number of turns.
    """
    if scenario.turns is None:
        return
    begins = facts.begins_of(scenario)
    for side in scenario.sides:
        for objective in scenario.objectives if begins[side.name] else ():
            if side.force is None or not side.force.whole or side.name not in objective.sides or not objective.points:
                continue
            inches = max(0, facts.distance(begins[side.name], objective.at) - objective.radius) // 2
            if not units_near(side.force, inches, scenario.turns):
                found = f"{objective.name}, {inches}″ from {side.name}"
                expected = f"an objective that a unit can come near in {scenario.turns} turns"
                at, hint = objective.place / "at", "move the objective, deploy nearer, or add turns"
                yield at.problem("S237", expected, found, hint)


CHECKS: tuple[tuple[Callable[[Scenario], Iterator[Problem]], tuple[str, ...]], ...] = (
    (_on_the_table, ("table",)),
    (_reach, ("table", "terrain", "zones", "entries")),
    (_winnable, ("objectives", "victory")),
    (_begins, ("zones", "entries")),
    *((check, ()) for check in (_budgets, _zones_apart, _pieces_apart, _secrets, _in_time)),
    *((check, ()) for check in (_designs_meant, _colours, _given_away)),
    (_cover, ("table", "terrain")),
    (_sight, ("table", "terrain", "zones", "entries")),
    (_standing, ("terrain", "objectives")),
    (_houses, ("terrain",)),
    (_entered, ("zones", "entries")),
    (_in_reach, ("table", "zones", "entries", "sides")),
)
"""Every check, and the sections that the check needs without a missing entry."""
