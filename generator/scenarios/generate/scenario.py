"""Generate a scenario from a seed: roll every part on the tables of the rules, record every roll, write it as YAML.

The same seed, data and wishes give the same scenario. Each part draws from its own stream of random numbers. Naming
the mission that would have been rolled therefore does not change the units that are drawn.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from math import dist
from textwrap import indent
from typing import TYPE_CHECKING, Any

from generator.forces.models import MAX_NAME
from generator.parsing.yaml12 import read_plain, to_yaml
from generator.problems import ProblemsError, refused
from generator.rules.formulas.errors import FormulaUseError
from generator.scenarios.chance import Chance
from generator.scenarios.check import comes_near, designs_of
from generator.scenarios.generate.draw_forces import ROLES, DrawnForce, ForceDrawer, Samples, check_kept
from generator.scenarios.generate.objectives import Names, Site, TableLayout, crossing
from generator.scenarios.generate.roll import KEPT, Picked, Picking, ScenarioRequest
from generator.scenarios.generate.shapes import WHOLE, OrientedTable, Spot, keys_of, spot_in
from generator.scenarios.generate.tables import ARRIVALS, MAX_WORD, ScenarioTables, Shortfall, fill, has_one
from generator.scenarios.generate.units import candidates
from generator.scenarios.scenario import Side, movers_of
from generator.scenarios.table import Extent

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from generator.rules.entries.tables import Row
    from generator.rules.ruleset import RuleSet

_LENGTHS = ("at", "size", "radius", "wide", "from", "to", "corners", "path")
_LATE = 2, 3
"""The turns in which a late unit may enter."""
_WIDTH = 25
"""The stretch of an edge on which a late unit enters, in percent of the edge."""


def generated(
    rules: RuleSet, edition: str, request: ScenarioRequest, samples: Samples
) -> tuple[dict[str, Any], tuple[Shortfall, ...]]:
    """Return the contents of the file of a scenario that fits the user's wishes, and where the scenario falls short.

    A side without a force of the user draws from one of the ``samples``. ``edition`` is the edition of the data, for
    the file. Raises ProblemsError: S218 for tables, S219 for words in tables, S220 and S226 for forces, S221 for the
    size, S222 for the mission. R241 if a formula has no answer. Further codes are those of
    ``Picking.picked`` and ``TableLayout.sited``, and the problems of a sample.
    """
    generation = _Generation(rules, request, samples)
    return generation.said(edition), tuple(generation.tables.shortfalls)


class _Generation:
    """Generates a scenario. Its mission, region, conditions and forces are drawn when it is made."""

    def __init__(self, rules: RuleSet, request: ScenarioRequest, samples: Samples) -> None:
        self.rules = rules
        self.request = request
        self.samples = samples
        self.tables = ScenarioTables(rules)
        self.battle, self.size = self._battle()
        if request.box is not None:
            self.tables.use_box(request.box, self._size_of_table())
        self.picks, self.forces = self._fought()

    def _battle(self) -> tuple[Row, int]:
        """Return the row for the size asked for, and the size: the usual size if the user asks for none.

        The size of kept forces counts as asked for. If no row has a usual size, the greatest size of the first row is
        the usual size. Raises ProblemsError (S221) for a size outside the rows. S221 also for points in a game that
        counts elements, and for elements in a game that counts points.
        """
        table = self.rules.tables["battle-sizes"]
        usual = next((row for row in table.rows if row["usual"]), table.rows[0])
        counted, name = not self.tables.by_elements, usual["name"]
        given, other = (self.request.points, self.request.size) if counted else (self.request.size, self.request.points)
        flag = "--points" if counted else "--size"
        if other is not None:
            hint = f"{flag} {usual['usual'] or usual['size'][1]} says how many {name} the stronger side has"
            wrong = "--size" if counted else "--points"
            raise ProblemsError(refused("S221", str(other), f"{flag}: this game counts {name}", wrong, hint, "size"))
        if given is None and self.request.kept is not None:
            given = self.request.kept.size(by_elements=self.tables.by_elements)
        size = given if given is not None else int(usual["usual"] or usual["size"][1])
        try:
            return table.find((size,)), size
        except FormulaUseError:
            low, high = min(row["size"][0] for row in table.rows), max(row["size"][1] for row in table.rows)
            hint = f"{flag} {high} is the most; roll several battles for more" if size > high else f"{flag} {low}"
            expected = f"{low:,} to {high:,} {name}"
            raise ProblemsError(refused("S221", str(size), expected, f"{size:,}", hint, "size")) from None

    def said(self, edition: str) -> dict[str, Any]:
        """Return the contents of the scenario file, without empty keys. Call this once, because it records rolls.

        The terrain is laid here, unless the map is kept. Raises ProblemsError: S231 if no table of the region passes,
        S219 for a placeholder without a word, S218 if no secret can be rolled.
        """
        tables, seed, picks = self.tables, self.request.seed, self.picks
        mission, complication, attacker, defender = picks.mission, picks.complication, *self.forces
        key, frame, names = mission["mission"], self._frame(picks), Names(tables, seed)
        words = {role: force.name for role, force in zip(ROLES, self.forces, strict=True)}
        words |= {group: names.draw(group) for group in ("officer", "operation")}
        words |= {f"{role}_edge": frame.edge(role) for role in ROLES}
        sides = (
            Side(drawn.name, drawn.force, drawn.target, (), (), "", movers_of(drawn.force, self.rules), drawn.place)
            for drawn in self.forces
        )
        layout = TableLayout(tables, seed, frame, tuple(sides), words, picks.deployment["deployment"])
        site = self._sited(layout, names)
        self.words = words = {**words, "place": site.named}
        late: dict[str, Spot] = {}
        for force in self.forces:
            late_unit, late[force.role] = self._late(force, frame, site)
            words |= late_unit
        arms = {item.role: {unit.arm for unit in candidates(item.force, tables, moving=False)} for item in self.forces}
        twists = twisted(tables, seed, arms, {piece.terrain.id for piece in site.pieces})
        told = (mission, "situation"), (picks.region, "says"), (complication, "situation")
        told_secrets = [fill(row, "umpire", self._against(item)) for item, row in zip(self.forces, twists, strict=True)]
        fixtures = [self._fixture(row, frame) for row in tables.rows("fixtures", mission=key)]
        said: dict[str, Any] = {
            "scenario": fill(mission, "title", words)[:80],
            "rules": self.rules.id.split("+"),
            "mission": f"{mission['name']}: {fill(mission, 'says', words)}"[:MAX_WORD],
            "situation": [*self._texts(*told), f"Attacker: {attacker.name}. Defender: {defender.name}."],
            "table": {"width": _inch(frame.table.wide), "depth": _inch(frame.table.deep)},
            "turns": picks.turns,
            "first": self._first(),
            "light": str(picks.light["name"]),
            "weather": str(picks.weather["name"]),
            "sides": [self._side(*item) for item in zip(self.forces, ("attack", "defence"), twists, strict=True)],
            "terrain": [
                _inches(piece=piece.name, kind=piece.terrain.id, **keys_of(piece.shape), note=piece.note)
                for piece in site.pieces
            ],
            "zones": [_inches(**zone) for zone in layout.zones],
            "entries": [_inches(**entry) for entry in layout.entries],
            "objectives": [_inches(**objective) for objective in site.objectives],
            "victory": [  # with its points, also if these are 0
                _inches(side=words.get(row["who"])) | {"points": row["points"], "when": fill(row, "when", words)}
                for row in tables.rows("awards", mission=key)
            ],
            "special": list(dict.fromkeys(picks.special)),
            "set_pieces": [*fixtures, *self._arrivals((key, complication["complication"]), arms, late)],
            "umpire": [*filter(None, told_secrets)],
            "seed": seed,
            "edition": edition[:MAX_WORD],
            "rolls": tables.rolls,
        }
        return {key: value for key, value in said.items() if value not in ([], "")}

    def _sited(self, layout: TableLayout, names: Names) -> Site:
        """Return the map, kept or laid, and record it.

        Raises ProblemsError as ``TableLayout.sited`` or ``TableLayout.kept`` does.
        """
        tables, mission, region = self.tables, self.picks.mission, self.picks.region
        goals = tables.rows("goals", mission=mission["mission"])
        if region is not None:
            return layout.sited(region, 2 * self.battle["lane"], mission, goals, names)
        kept = self.request.keeps("map")
        pieces = kept.pieces(tables) if kept is not None else ()
        tables.record("region-terrain", KEPT, f"{len(pieces)} pieces")
        return layout.kept(pieces, goals, names)

    def _fought(self) -> tuple[Picked, tuple[DrawnForce, ...]]:
        """Return the rolled rows and the forces of both sides.

        Another mission is rolled if a side has too few units of an arm that the mission needs, or no usable unit at
        all. A mission that the user named or kept stays. If no mission does better, the last mission with forces stays.

        Raises ProblemsError as ``Picking.picked`` and ``_levies`` do. S220 of ``_levies`` is raised only if a mission
        that stays has no forces, or if no mission has any.
        """
        tables, picking = self.tables, Picking(self.tables, self.request, self.battle)
        free = self.request.mission is None and self.request.keeps("mission") is None
        told: list[dict[str, Any]] = []
        barred: list[str] = []
        possible: list[str] = []
        while True:
            picks = picking.picked(barred)
            barred.append(str(picks.mission["mission"]))
            last = not free or len(barred) >= len(picking.missions)
            try:
                forces = self._levies(picks)
                possible.append(barred[-1])
            except ProblemsError as error:  # S220: a side has too few points for any unit
                if (last and not possible) or any(problem.code != "S220" for problem in error.problems):
                    raise
                if last:
                    barred.remove(possible.pop())
                last, tables.missed = False, True
            if last or not tables.missed:
                tables.rolls[:0] = told
                return picks, forces
            again = f"{picks.mission['name']}: rolled again, nobody has what it asks for at this size"
            told.append({**tables.rolls[0], "result": again})
            tables.rolls, tables.shortfalls, tables.missed = [], [], False

    def _frame(self, picks: Picked) -> OrientedTable:
        """Return the kept table, or a table for a battle of this size, with the attacker's edge."""
        kept = self.request.keeps("map")
        return OrientedTable(kept.scenario.table if kept else self._size_of_table(), str(picks.facing["facing"]))

    def _size_of_table(self) -> Extent:
        """Return the size of the table that the row for this size of battle gives."""
        return Extent(2 * self.battle["width"], 2 * self.battle["depth"])

    def _levies(self, picks: Picked) -> tuple[DrawnForce, ...]:
        """Return the forces of both sides, kept or drawn.

        Raises ProblemsError: S220 if a side has no usable unit, and otherwise as ``ForceDrawer.raised`` does.
        """
        tables, kept, mission = self.tables, self.request.keeps("forces"), picks.mission
        if kept is None:
            away, frame = picks.weather.values.get("keeps_away") or (), self._frame(picks)
            ways = {role: crossing(tables, frame, mission, picks.deployment, role) for role in ROLES}
            drawing = ForceDrawer(tables, self.request.seed, mission, self.battle, self.size, away, ways, picks.turns)
            return drawing.raised(self.request.sources, self.samples)
        forces = kept.drawn_forces()
        check_kept(forces, tables, mission)
        return forces

    def _texts(self, *parts: tuple[Row | None, str]) -> list[str]:
        """Return the texts of several rows and columns, placeholders filled; without missing rows and empty cells.

        Raises ProblemsError (S219) as ``fill`` does.
        """
        return [fill(row, column, self.words) for row, column in parts if row is not None and row[column]]

    def _side(self, force: DrawnForce, column: str, twist: Row) -> dict[str, Any]:
        """Return a side as an entry of the file, without empty keys.

        ``column`` is the column with the orders of its role, and ``twist`` is the row of its secret. Raises
        ProblemsError (S219) for a placeholder without a word.
        """
        told = self._texts((self.picks.mission, column), (self.picks.complication, column))
        points = None if self.tables.by_elements else force.target
        secret = fill(twist, "says", self._against(force))
        return _inches(side=force.name, points=points, briefing=told, secret=[secret], force=force.said)

    def _against(self, force: DrawnForce) -> dict[str, str]:
        """Return all words for the secret of a side.

        In addition to ``words``, these are the side, the enemy, and the enemy's unit that costs most. In a
        game without points, it is the enemy's first unit.
        """
        enemy = next(item for item in self.forces if item.role != force.role)
        costs = {unit.name: unit.points or 0 for unit in enemy.force.units or enemy.force.designs}
        dearest = max(costs, key=lambda name: costs[name])
        return {**self.words, "side": force.name, "enemy": enemy.name, "dearest": dearest}

    def _late(self, drawn: DrawnForce, frame: OrientedTable, site: Site) -> tuple[dict[str, str], Spot]:
        """Return the words for a unit that arrives late, and the middle of the stretch of edge where it enters.

        The words are for the unit, its turn, and where it enters; the middle is in half inches. The unit is random
        among those that were taken after the first, move, and come near an objective of the side in time. If no unit is
        like that, the last unit is late. The stretch is a quarter of the side's edge, or the nearest quarter of an edge
        beside it.
        """
        role, chance = drawn.role, Chance(self.request.seed, "late", drawn.role)
        turn, edge = chance.between(*_LATE), (role, "low", "high")[chance.below(3)]
        start = chance.below(WHOLE - _WIDTH) if edge == role else (0 if role == ROLES[0] else WHOLE - _WIDTH)
        first, last = frame.stretch(edge, (start, start + _WIDTH))
        side, middle, (wide, deep) = frame.edge(edge), (first + last) // 2, frame.table
        spot = {"west": (0, middle), "east": (wide, middle), "south": (middle, 0), "north": (middle, deep)}[side]
        theirs = [item for item in site.objectives if item.get("sides", drawn.name) == drawn.name]
        inches = min((int(dist(spot, item["at"]) - item["radius"]) // 2 for item in theirs), default=0)
        designs = {unit.name: designs_of(unit) for unit in drawn.force.units or drawn.force.designs}

        moving = {unit.name for unit in candidates(drawn.force, self.tables, moving=True)}
        moving = {name for name in moving if not all(design.kind.idle for design in designs[name])}
        coming = {name for name in moving if comes_near(designs[name], inches, self.picks.turns - turn + 1)}
        names = [name for name in drawn.units[1:] if name in coming] or [drawn.units[-1]]
        corner = "west" if side in ("north", "south") else "south"
        enters = f"the {side} edge, {(first + 1) // 2}″ to {last // 2}″ from its {corner} end"
        words = {f"{role}_late": names[chance.below(len(names))], f"{role}_turn": str(turn), f"{role}_enters": enters}
        return words, spot

    def _first(self) -> str:
        """Return as a text who deploys first and who acts first in turn 1, and record both.

        In a ``mobile`` mission, chance decides who deploys first; otherwise the defender does. Chance decides who acts
        first, unless a special rule has ``attacker_first``: then the attacker does. The text says that the sides take
        turns later. It is cut after ``MAX_WORD`` characters.
        """
        chance, names = Chance(self.request.seed, "first"), [item.name for item in self.forces]
        deploys, acts = chance.below(2) if self.picks.mission["mobile"] else 1, chance.below(2)
        rules = [row for row in self.tables.rows("special-rules") if row["rule"] in self.picks.special]
        surprised = any(row.values.get("attacker_first") for row in rules)
        acts, unless = (0, "") if surprised else (acts, ", unless your rules roll for it")
        self.tables.record("first", deploys + 1, f"{ROLES[deploys]} deploys first")
        self.tables.record("first", acts + 1, f"{ROLES[acts]} acts first")
        later = "Later turns: the sides take turns to act first"
        return f"First to deploy: {names[deploys]}. First to act in turn 1{unless}: {names[acts]}. {later}"[:MAX_WORD]

    def _fixture(self, row: Row, frame: OrientedTable) -> dict[str, Any]:
        """Return the set piece of a row as an entry of the file: at a random spot of the area that the row gives.

        Raises ProblemsError (S219) for a placeholder without a word.
        """
        chance = Chance(self.request.seed, "fixtures", str(row["mission"]), str(row["name"]))
        at = spot_in(frame.area(row["ahead"], row["along"]), chance)
        return _inches(
            piece=fill(row, "name", self.words)[:MAX_NAME],
            of=fill(row, "of", self.words)[:MAX_WORD],
            side=self.words[row["who"]],
            at=at,
            turn=row["turn"],
            secret=row["secret"],
            note=fill(row, "told", self.words),
        )

    def _arrivals(
        self, causes: Sequence[str], arms: Mapping[str, Collection[str]], late: Mapping[str, Spot]
    ) -> list[dict[str, Any]]:
        """Return the timed events of a mission and a complication, each as a secret set piece of the row's side.

        ``causes`` are the ids of both, ``arms`` the arms of each role, and ``late`` where each role's late unit enters,
        in half inches. A row that ``needs`` arms counts only if its role has one of these arms. A row without a turn is
        about the late unit. Its set piece has the unit's turn, and lies where the unit enters; the arrival is recorded
        as a roll.
        """
        found = []
        for row in self.tables.rows(ARRIVALS):
            if row["cause"] in causes and has_one(row, "needs", arms[row["who"]]):
                who, words, turn, at = row["who"], self.words, row["turn"], None
                if not turn:
                    turn, at = int(words[f"{who}_turn"]), late[who]
                    self.tables.record(ARRIVALS, turn, f"{words[f'{who}_late']}: {words[f'{who}_enters']}")
                piece = fill(row, "says", words)[:MAX_NAME]
                found.append(_inches(piece=piece, side=words[who], secret=True, at=at, turn=turn))
        return found


def _inches(**said: Any) -> dict[str, Any]:
    """Return an entry of the file. The values of keys in ``_LENGTHS`` are in inches instead of half inches.

    Keys whose value is empty, 0, None or False are left out.
    """
    return {key: _inch(value) if key in _LENGTHS else value for key, value in said.items() if value}


def _inch(halves: Any) -> Any:
    """Return half inches, or lists of half inches, as inches."""
    if isinstance(halves, list | tuple):
        return [_inch(item) for item in halves]
    return halves // 2 if halves % 2 == 0 else Fraction(halves, 2)


def twisted(
    tables: ScenarioTables, seed: int, arms: Mapping[str, Collection[str]], ground: Collection[str]
) -> tuple[Row, ...]:
    """Roll the secret of each side, and record the rolls; return the table rows, the attacker's first.

    The defender gets another row than the attacker if another fits. ``who`` says for which role a row is. A row that
    ``needs`` arms is for a side that fields one of these arms, which ``arms`` holds by role. A row with ``on`` is for a
    map with one of these kinds of terrain, whose ids are in ``ground``. A row with the weight 0 fits nobody. If no row
    fits, any row may be rolled. Raises ProblemsError (S218) if all rows have the weight 0.
    """
    found: list[Row] = []
    on_ground = [row for row in tables.rows("twists") if row["weight"] and has_one(row, "on", ground)]
    for role in ROLES:
        fit = [row for row in on_ground if row["who"] in ("either", role) and has_one(row, "needs", arms[role])]
        new = [row for row in fit if row not in found]
        found.append(tables.roll("twists", Chance(seed, "twists", role), new or fit or None))
    return tuple(found)


_WIDE = 140
_PLAIN = re.compile(r"[^\W\d_][\w ’″.()/×+-]*(?<! )", re.UNICODE)
"""A text that needs no quotes: it begins with a letter and has no character that is special in YAML."""


def spell_scenario(said: dict[str, Any]) -> str:
    """Return the contents of a scenario file as YAML text."""
    return "".join(_spelled(f"{key}:", value, "") for key, value in said.items())


def _spelled(head: str, value: Any, before: str) -> str:
    """Return ``head``, a key with a colon or a dash, and its value as lines of YAML. ``before`` is the indentation.

    Both are on one line if they fit, or if the value is a list of points.
    """
    line = f"{before}{head} {in_a_line(value)}\n"
    points = isinstance(value, list) and all(isinstance(item, list) for item in value)
    if isinstance(value, str) and len(line) > _WIDE:
        return indent(to_yaml([value] if head == "-" else {head[:-1]: value}), before)
    if len(line) <= _WIDE or points or not isinstance(value, dict | list):
        return line
    items = [("-", item) for item in value] if isinstance(value, list) else [(f"{key}:", value[key]) for key in value]
    lines = "".join(_spelled(*item, f"{before}  ") for item in items)
    return f"{before}- {lines.lstrip()}" if head == "-" else f"{before}{head}\n{lines}"


def in_a_line(value: Any) -> str:
    """Return a value in YAML's flow style.

    >>> from fractions import Fraction
    >>> in_a_line({"at": [3, Fraction(5, 2)], "name": "Hill 104", "note": "no: none", "yes": True})
    '{at: [3, 2.5], name: Hill 104, note: "no: none", yes: true}'
    >>> in_a_line(["on", "12", "", "null", "a, b"])
    '[on, "12", "", "null", "a, b"]'
    """
    if isinstance(value, dict):
        return f"{{{', '.join(f'{in_a_line(key)}: {in_a_line(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(in_a_line, value))}]"
    return _scalar(value)


@lru_cache(maxsize=4096, typed=True)
def _scalar(value: Any) -> str:
    """Return a scalar as YAML on one line; a text is in quotes unless it is sure to need none."""
    plain = isinstance(value, str) and _PLAIN.fullmatch(value) and isinstance(read_plain(value), str)
    return value if plain else to_yaml(value, in_a_line=True)
