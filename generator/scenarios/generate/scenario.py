"""Generate a scenario from a seed: roll every part on the tables of the rules, and record every roll.

The same seed, data and wishes give the same scenario. Each part draws from its own stream of random numbers. Naming
the mission that would have been rolled therefore does not change the units that are drawn.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.forces.exchange import Matchup
from generator.forces.models import MAX_NAME
from generator.rules.formulas.errors import FormulaUseError
from generator.scenarios.advice import comes_near, designs_of
from generator.scenarios.chance import Chance
from generator.scenarios.generate.draw_forces import (
    NEEDS,
    ROLES,
    ForceDrawer,
    lacking,
    miss,
    must_move,
    stands_still,
    working,
)
from generator.scenarios.generate.objectives import Names, TableLayout, from_edge, from_start
from generator.scenarios.generate.pins import KEPT, ScenarioRequest
from generator.scenarios.generate.roll import Fitting, fitting_regions, picked
from generator.scenarios.generate.tables import ARRIVALS, ScenarioTables, fill, refused
from generator.scenarios.generate.units import ELEMENTS, candidates, standing
from generator.scenarios.scenario import Side
from generator.scenarios.table.coordinates import WHOLE, Frame, spot_in
from generator.scenarios.table.reach import Extent
from generator.scenarios.terrain_kinds import movers_of, terrains

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from generator.rules.entries.tables import Row
    from generator.rules.ruleset import RuleSet
    from generator.scenarios.generate.draw_forces import DrawnForce, SampleForce
    from generator.scenarios.generate.ground import Laid
    from generator.scenarios.generate.objectives import Site
    from generator.scenarios.generate.roll import Picked
    from generator.scenarios.generate.tables import Rolled, Shortfall

MAX_SEED = 10**18
_LENGTHS = ("at", "size", "radius", "wide", "from", "to")
_POINTS = ("corners", "path")
_LATE = 2, 3
"""The turns in which a late unit may enter."""
_WIDTH = 25
"""The stretch of an edge on which a late unit enters, in percent of the edge."""
_WORD = 200
"""The most characters of a one-line text in a scenario file."""


class Generated(NamedTuple):
    """A generated scenario."""

    said: dict[str, Any]
    """The contents of the scenario file, in file order, with lengths in inches."""
    shortfalls: tuple[Shortfall, ...]


def generated(rules: RuleSet, edition: str, request: ScenarioRequest, samples: Sequence[SampleForce]) -> Generated:
    """Return a scenario that fits the user's wishes.

    Raises ProblemsError: S218 to S222 and S226 if tables, words in tables, forces, sizes or missions are missing.
    """
    generation = _Generation(rules, edition, request)
    said = generation.said(samples)
    return Generated(said, tuple(generation.scenario_tables.shortfalls))


class _Generation:
    """Generates a scenario."""

    def __init__(self, rules: RuleSet, edition: str, request: ScenarioRequest) -> None:
        self.rules = rules
        self.edition = edition
        self.request = request
        self.scenario_tables = ScenarioTables(rules)
        self.battle, self.size = self._battle()
        if request.box is not None:
            self.scenario_tables.use_box(request.box, self._size_of_table())

    def _battle(self) -> tuple[Row, int]:
        """Return the row for the size asked for, and the size.

        S221: the game counts points instead of elements (or elements instead of points), or has no row for the size.
        """
        table = self.rules.tables["battle-sizes"]
        usual = next((row for row in table.rows if row["usual"]), table.rows[0])
        counted, name = usual["counts"] == "points", usual["name"]
        given, other = (self.request.points, self.request.size) if counted else (self.request.size, self.request.points)
        flag = "--points" if counted else "--size"
        if other is not None:
            hint = f"{flag} {usual['usual'] or usual['size'][1]} says how many {name} the stronger side has"
            wrong = "--size" if counted else "--points"
            raise ProblemsError(refused("S221", str(other), f"{flag}: this game counts {name}", wrong, hint, "size"))
        if given is None and self.request.kept is not None:
            given = self.request.kept.size(usual["counts"])
        size = given if given is not None else int(usual["usual"] or usual["size"][1])
        try:
            return table.find((size,)), size
        except FormulaUseError:
            low, high = min(row["size"][0] for row in table.rows), max(row["size"][1] for row in table.rows)
            hint = f"{flag} {high} is the most; roll several battles for more" if size > high else f"{flag} {low}"
            expected = f"{low:,} to {high:,} {name}"
            raise ProblemsError(refused("S221", str(size), expected, f"{size:,}", hint, "size")) from None

    def said(self, samples: Sequence[SampleForce]) -> dict[str, Any]:
        """Return the contents of the scenario file, without empty keys."""
        scenario_tables, seed = self.scenario_tables, self.request.seed
        picks, drawn_forces = self._fought(samples)
        mission, region, complication = picks.mission, picks.region, picks.complication
        sides = [_fighter(item, self.rules) for item in drawn_forces]
        names = Names(scenario_tables, seed)
        words = {"attacker": drawn_forces[0].name, "defender": drawn_forces[1].name, "officer": names.draw("officer"),
                 "operation": names.draw("operation")}  # fmt: skip
        frame = self._frame(picks)
        for item in drawn_forces:
            inches = from_edge(scenario_tables, frame, mission, item.role)
            words |= late_words(item, scenario_tables, frame, Chance(seed, "late", item.role), (inches, picks.turns))
        table_layout = TableLayout(scenario_tables, seed, frame, sides, words, terrains(self.rules))
        table_layout.deploy(str(picks.deployment["deployment"]))
        key = mission["mission"]
        goals = scenario_tables.rows("goals", mission=key)
        if region is not None:
            region, site = self._sited(table_layout, region, mission, names)
        else:
            site = table_layout.kept(self._pieces(), goals, names)
        words["place"] = site.named
        twists = twisted(scenario_tables, seed, self._arms(drawn_forces), {piece.terrain.id for piece in site.pieces})
        said: dict[str, Any] = {
            "scenario": fill(mission, "title", words)[:80],
            "rules": self.rules.id.split("+"),
            "mission": f"{mission['name']}: {fill(mission, 'says', words)}"[:_WORD],
            "situation": [
                *_texts((mission, "situation"), (region, "says"), (complication, "situation"), words=words),
                f"Attacker: {drawn_forces[0].name}. Defender: {drawn_forces[1].name}.",
            ],
            "table": {"width": _inch(frame.table.wide), "depth": _inch(frame.table.deep)},
            "turns": picks.turns,
            "first": self._first(drawn_forces, mission),
            "light": str(picks.light["name"]),
            "weather": str(picks.weather["name"]),
            "sides": [
                self._side(item, mission, complication, twist, words)
                for item, twist in zip(drawn_forces, twists, strict=True)
            ],
            "terrain": [_piece(piece.name, piece.terrain.id, piece.drawn.said) for piece in site.pieces],
            "zones": [_inches(zone) for zone in table_layout.zones],
            "entries": [_inches(entry) for entry in table_layout.entries],
            "objectives": [_inches(objective) for objective in site.objectives],
            "victory": [self._award(row, drawn_forces, words) for row in scenario_tables.rows("awards", mission=key)],
            "special": list(dict.fromkeys(picks.special)),
            "set_pieces": [
                *(
                    self._fixture(row, drawn_forces, frame, words)
                    for row in scenario_tables.rows("fixtures", mission=key)
                ),
                *arrivals(scenario_tables, (key, str(complication["complication"])), self._arms(drawn_forces), words),
            ],
            "umpire": [
                *(fill(row, "umpire", words) for row in twists if row["umpire"]),
                *self._balance(drawn_forces, mission),
            ],
            "seed": seed,
            "edition": self.edition[:_WORD],
            "rolls": [
                roll._replace(table=roll.table[:_WORD], result=roll.result[:_WORD]).said()
                for roll in scenario_tables.rolls
            ],
        }
        return {key: value for key, value in said.items() if value not in ([], "")}

    def _sited(self, table_layout: TableLayout, region: Row, mission: Row, names: Names) -> tuple[Row, Site]:
        """Return a region and a map of it. If no table of a rolled region passes, another region is rolled.

        Raises ProblemsError: S231 if no table of any region passes.
        """
        scenario_tables, lane = self.scenario_tables, 2 * self.battle["lane"]
        goals = scenario_tables.rows("goals", mission=mission["mission"])
        left = fitting_regions(scenario_tables, mission)
        chosen = self.request.region is not None
        while True:
            try:
                return region, table_layout.sited(region, lane, mission, goals, names, chosen=chosen)
            except ProblemsError:
                left = [row for row in left if row is not region]
                if chosen or not left:
                    raise
                scenario_tables.record("regions", "again", f"{region['name']}: no table passes")
                region = scenario_tables.roll("regions", Chance(self.request.seed, "region", len(left)), left)

    def _fought(self, samples: Sequence[SampleForce]) -> tuple[Picked, tuple[DrawnForce, ...]]:
        """Return the rolled rows and the forces.

        If a side has no unit of an arm that the mission needs, another mission is rolled, unless the user named or kept
        it. If no other mission does better, the first one stays.
        """
        scenario_tables = self.scenario_tables
        fitting = Fitting(scenario_tables, self.request, self.battle)
        named = self.request.mission is not None or self.request.keeps("mission") is not None
        picks = picked(scenario_tables, self.request, fitting)
        drawn_forces = self._levies(picks, samples)
        first = scenario_tables.rolls, scenario_tables.shortfalls
        many = 0 if named or not scenario_tables.missed else len(fitting.missions)
        told: list[Rolled] = []
        barred: list[str] = []
        other = picks
        while len(barred) + 1 < many:
            again = f"{other.mission['name']}: rolled again, nobody has what it asks for at this size"
            told.append(scenario_tables.rolls[0]._replace(result=again))
            barred.append(str(other.mission["mission"]))
            scenario_tables.rolls, scenario_tables.shortfalls, scenario_tables.missed = [], [], False
            other = picked(scenario_tables, self.request, fitting, barred)
            try:
                raised = self._levies(other, samples)
            except ProblemsError:  # a side has too few points for any unit
                continue
            if not scenario_tables.missed:
                scenario_tables.rolls[:0] = told
                return other, raised
        scenario_tables.rolls, scenario_tables.shortfalls = first
        return picks, drawn_forces

    def _frame(self, picks: Picked) -> Frame:
        """Return the kept table, or a table for a battle of this size, with the attacker's edge."""
        on_map = self.request.keeps("map")
        return Frame(on_map.table() if on_map else self._size_of_table(), str(picks.facing["facing"]))

    def _size_of_table(self) -> Extent:
        """Return the table for a battle of this size."""
        return Extent(2 * self.battle["width"], 2 * self.battle["depth"])

    def _levies(self, picks: Picked, samples: Sequence[SampleForce]) -> tuple[DrawnForce, ...]:
        """Return the forces of both sides, kept or drawn. Raises ProblemsError: S220."""
        kept, mission = self.request.keeps("forces"), picks.mission
        if kept is None:
            away = picks.weather.values.get("keeps_away") or ()
            frame = self._frame(picks)
            crossings = {
                role: (from_start(self.scenario_tables, frame, mission, picks.deployment, role), picks.turns)
                for role in ROLES
            }
            drawing = ForceDrawer(
                self.scenario_tables, self.request.seed, mission, self.battle, self.size, away, crossings
            )
            return drawing.raised(self.request.sources, samples)
        drawn_forces = kept.drawn_forces()
        for drawn_force in drawn_forces:
            self.scenario_tables.record("samples", KEPT, f"{drawn_force.role}: {drawn_force.name}"[:_WORD])
            there = candidates(
                drawn_force.force,
                self.scenario_tables,
                self.battle["counts"],
                moving=must_move(drawn_force.role, mission),
            )
            if not there:
                raise ProblemsError(
                    stands_still(
                        drawn_force.role, drawn_force.force, self.scenario_tables, drawn_force.place, kept=True
                    )
                )
            miss(self.scenario_tables, drawn_force.name, lacking(there, mission[NEEDS[drawn_force.role]] or ()))
        return drawn_forces

    def _balance(self, drawn_forces: Sequence[DrawnForce], mission: Row) -> list[str]:
        """Return how even the sides are, with the working; empty in a game with points, or without odds and prices."""
        if self.battle["counts"] != ELEMENTS:
            return []
        forces = [item.force._replace(rules=self.rules) for item in drawn_forces]
        exchange = Matchup(*forces).compare(*(item.units for item in drawn_forces))
        names = [item.name for item in drawn_forces]
        return working(exchange, names, mission, self.battle["name"]) if exchange is not None else []

    def _arms(self, drawn_forces: Sequence[DrawnForce]) -> dict[str, set[str]]:
        """Return the arms of the fielded units, by role."""
        counts = self.battle["counts"]
        return {
            drawn_force.role: {
                unit.arm for unit in candidates(drawn_force.force, self.scenario_tables, counts, moving=False)
            }
            for drawn_force in drawn_forces
        }

    def _pieces(self) -> tuple[Laid, ...]:
        """Return the terrain of the kept map, and record that it was kept."""
        assert self.request.kept is not None  # noqa: S101 - called only if the map is kept
        pieces = self.request.kept.pieces(self.scenario_tables)
        self.scenario_tables.record("region-terrain", KEPT, f"{len(pieces)} pieces")
        return pieces

    def _side(
        self, drawn_force: DrawnForce, mission: Row, complication: Row, twist: Row, words: Mapping[str, str]
    ) -> dict[str, Any]:
        """Return a side as an entry of the file."""
        column = "attack" if drawn_force.role == ROLES[0] else "defence"
        other = words[ROLES[1] if drawn_force.role == ROLES[0] else ROLES[0]]
        told = _texts((mission, column), (complication, column), words=words)
        said: dict[str, Any] = {"side": drawn_force.name}
        if self.battle["counts"] == "points" and drawn_force.target is not None:
            said["points"] = drawn_force.target
        said |= {"briefing": told, "secret": [fill(twist, "says", {**words, "enemy": other})]}
        return said | {"force": drawn_force.said}

    def _first(self, drawn_forces: Sequence[DrawnForce], mission: Row) -> str:
        """Return who deploys first and who acts first: a defender who holds a position deploys first."""
        chance, names = Chance(self.request.seed, "first"), [item.name for item in drawn_forces]
        deploys, acts = chance.below(2) if mission["mobile"] else 1, chance.below(2)
        self.scenario_tables.record("first", deploys + 1, f"{ROLES[deploys]} deploys first")
        self.scenario_tables.record("first", acts + 1, f"{ROLES[acts]} acts first")
        return (
            f"First to deploy: {names[deploys]}. First to act in turn 1: {names[acts]}. Later turns: as in your rules"
        )

    def _award(self, row: Row, drawn_forces: Sequence[DrawnForce], words: Mapping[str, str]) -> dict[str, Any]:
        """Return a victory condition as an entry of the file."""
        whose = {} if row["who"] == "both" else {"side": _of(row["who"], drawn_forces).name}
        return {**whose, "points": row["points"], "when": fill(row, "when", words)}

    def _fixture(
        self, row: Row, drawn_forces: Sequence[DrawnForce], frame: Frame, words: Mapping[str, str]
    ) -> dict[str, Any]:
        """Return a set piece at a random spot as an entry of the file."""
        chance = Chance(self.request.seed, "fixtures", str(row["mission"]), str(row["name"]))
        at = spot_in(frame.area(row["ahead"], row["along"]), frame.table, chance)
        said: dict[str, Any] = {"piece": fill(row, "name", words), "of": fill(row, "of", words)[:_WORD]}
        said |= {"side": _of(row["who"], drawn_forces).name, "at": list(at)}
        said |= {"turn": row["turn"]} if row["turn"] else {}
        said |= {"secret": True} if row["secret"] else {}
        said |= {"note": fill(row, "told", words)} if row["told"] else {}
        return _inches(said)


def _of(role: str, drawn_forces: Sequence[DrawnForce]) -> DrawnForce:
    """Return the force of a role."""
    return drawn_forces[ROLES.index(role)]


def _fighter(drawn_force: DrawnForce, rules: RuleSet) -> Side:
    """Return a side for the reachability check: its force and how it moves, without briefings."""
    movers = movers_of(drawn_force.force, rules)
    return Side(
        drawn_force.name, drawn_force.force, drawn_force.target, (), (), (), "", movers, drawn_force.force.place
    )


def late_words(
    drawn_force: DrawnForce, scenario_tables: ScenarioTables, frame: Frame, chance: Chance, way: tuple[int, int]
) -> dict[str, str]:
    """Return the words for a unit that arrives late: the unit, its turn, and where it enters.

    The unit is one that moves and comes near an objective in time; the first unit that was taken is on time. ``way``
    is the way from the edge to an objective in inches, and the turns of the battle. The unit enters over its side's
    edge, or over the nearest quarter of an edge beside it.
    """
    role, (inches, turns) = drawn_force.role, way
    designs = {unit.name: designs_of(unit) for unit in drawn_force.force.units or drawn_force.force.designs}
    turn = chance.between(*_LATE)

    def comes(name: str) -> bool:
        moves = not all(design.kind.idle for design in designs[name]) and not standing(designs[name], scenario_tables)
        return moves and comes_near(designs[name], inches, turns - turn + 1)

    names = [name for name in drawn_force.units[1:] if comes(name)] or [drawn_force.units[-1]]
    edge = (role, "low", "high")[chance.below(3)]
    start = chance.below(WHOLE - _WIDTH) if edge == role else (0 if role == ROLES[0] else WHOLE - _WIDTH)
    first, last = frame.stretch(edge, (start, start + _WIDTH))
    side = frame.edge(edge)
    corner = "west" if side in ("north", "south") else "south"
    enters = f"the {side} edge, {(first + 1) // 2}″ to {last // 2}″ from its {corner} end"
    return {f"{role}_late": names[chance.below(len(names))], f"{role}_turn": str(turn), f"{role}_enters": enters}


def _texts(*parts: tuple[Row | None, str], words: Mapping[str, str]) -> list[str]:
    """Return the texts of several rows and columns, placeholders filled; empty cells are skipped."""
    return [fill(row, column, words) for row, column in parts if row is not None and row[column]]


def _piece(name: str, kind: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return a piece of terrain as an entry of the file."""
    return _inches({**({"piece": name} if name else {}), "kind": kind, **said})


def _inches(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry of the file with its half inches as inches."""
    found = dict(said)
    for key in _LENGTHS:
        if key in found:
            value = found[key]
            found[key] = [_inch(item) for item in value] if isinstance(value, list) else _inch(value)
    for key in _POINTS:
        if key in found:
            found[key] = [[_inch(item) for item in spot] for spot in found[key]]
    return found


def _inch(halves: int) -> int | Fraction:
    return halves // 2 if halves % 2 == 0 else Fraction(halves, 2)


def twisted(
    scenario_tables: ScenarioTables, seed: int, arms: Mapping[str, Collection[str]], ground: Collection[str]
) -> tuple[Row, ...]:
    """Return the secret of each side, the attacker first; the secrets differ if the table has enough rows.

    A row that ``needs`` arms is for a side that fields one of these arms. A row with ``on`` is for a map that has one
    of these kinds of terrain.
    """
    found: list[Row] = []
    for role in ROLES:
        fit = [
            row
            for row in scenario_tables.rows("twists")
            if row["who"] in ("either", role) and has_one(row, "needs", arms[role]) and has_one(row, "on", ground)
        ]
        new = [row for row in fit if row not in found]
        found.append(scenario_tables.roll("twists", Chance(seed, "twists", role), new or fit or None))
    return tuple(found)


def arrivals(
    scenario_tables: ScenarioTables,
    causes: Sequence[str],
    arms: Mapping[str, Collection[str]],
    words: Mapping[str, str],
) -> list[dict[str, Any]]:
    """Return the events by turn of a mission and a complication, as a side's secret set pieces without a place.

    A row without a turn is about the late unit, which is recorded.
    """
    found = []
    for row in scenario_tables.rows(ARRIVALS):
        if row["cause"] in causes and has_one(row, "needs", arms[row["who"]]):
            turn, who = row["turn"], row["who"]
            if not turn:
                turn = int(words[f"{who}_turn"])
                scenario_tables.record(ARRIVALS, turn, f"{words[f'{who}_late']}: {words[f'{who}_enters']}"[:_WORD])
            said = {"piece": fill(row, "says", words)[:MAX_NAME], "side": words[who], "turn": turn, "secret": True}
            found.append(said)
    return found


def has_one(row: Row, column: str, there: Collection[str]) -> bool:
    """Return whether one of the values in a row's column is there, or the column is empty or missing."""
    asked = row.values.get(column)
    return not asked or any(value in there for value in asked)
