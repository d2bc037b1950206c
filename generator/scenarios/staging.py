"""From a scenario file, its rules and its forces to a scenario: names looked up, outlines drawn, everything checked."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from generator.rules.complaints import show
from generator.rules.misspelt import near_key
from generator.scenarios.checks import CHECKS
from generator.scenarios.ground import anything, movers_of, named, special_rules, terrains
from generator.scenarios.lengths import MOST
from generator.scenarios.reach import Extent
from generator.scenarios.scenario import (
    EDGES,
    Edge,
    Entry,
    Marker,
    Objective,
    Piece,
    Roll,
    Scenario,
    SetPiece,
    Side,
    SpecialRule,
    Unsure,
    Victory,
    Zone,
)
from generator.scenarios.shapes import shape
from generator.suggest import nearest, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.forces.force import Force
    from generator.problems import Problem
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet
    from generator.scenarios.files import Given, ScenarioFile, SideFile

T = TypeVar("T")

_ANYWHERE = 4 * MOST
"""Half inches around an objective of which nobody knows how near one must be."""


def stage(file: ScenarioFile, rules: RuleSet, forces: Sequence[Force | None], found: Sequence[Problem]) -> Scenario:
    """The scenario of a file; ``forces`` are those of its sides, ``found`` what was wrong with them.

    Codes: S201 no such terrain, S203 no shape, S204 a name twice, S205 no such side, S209 other rules,
    S212 no such special rule, and those of ``generator.scenarios.checks``.
    """
    return _Stage(file, rules).scenario(forces, found)


def in_order(scenario: Scenario, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Each problem once, in the order of the file; those of forces in other files behind."""
    own = scenario.place.span().file
    return tuple(sorted(dict.fromkeys(problems), key=lambda one: (one.span.file != own, one.span)))


class _Stage:
    """What is known while the file is gone through."""

    def __init__(self, file: ScenarioFile, rules: RuleSet) -> None:
        self.file = file
        self.rules = rules
        self.sides = [one.model.side for one in file.sides if "side" not in one.given.holes]
        self.lacking = len(file.sides) - len({*self.sides})
        """How many sides have no name that can be used: they have none, or that of another."""
        self.nobodys: list[tuple[str, Place]] = []
        """Names that no side has, where one of those may have it."""
        self.problems: list[Problem] = []
        self.unfit: list[object] = []
        """What is there for the checks alone: a key that it cannot do without is refused."""
        self.ways = "terrain" in file.torn
        self.begins: set[str] = set(self.sides) if {"zones", "entries"} & file.torn else set()
        self.wins: set[str] = set(self.sides) if {"objectives", "victory"} & file.torn else set()

    def scenario(self, forces: Sequence[Force | None], found: Sequence[Problem]) -> Scenario:
        file, plain = self.file, self.file.plain.model
        table, lost = (file.table.model, file.table.holes) if file.table else (None, frozenset(("width", "depth")))
        self.problems += [*file.problems, *found]
        special = tuple(self.special())
        aside = {name for one in special for name in one.sets_aside}
        scenario = Scenario(
            name=file.name,
            rules=self.rules,
            mission=plain.mission,
            situation=plain.situation,
            table=Extent(table.width, table.depth) if table and not lost else None,
            turns=plain.turns,
            first=plain.first,
            needs_umpire=_is_yes(plain.needs_umpire),
            light=plain.light,
            weather=plain.weather,
            sides=tuple(self.fighting([one.resting(aside) if one else None for one in forces])),
            terrain=tuple(self.terrain()),
            zones=tuple(self.zones()),
            entries=tuple(self.entries()),
            objectives=tuple(self.objectives()),
            victory=tuple(self.victory()),
            special=special,
            set_pieces=tuple(self.set_pieces()),
            markers=tuple(self.markers()),
            umpire=plain.umpire,
            seed=plain.seed,
            edition=plain.edition,
            rolls=tuple(
                Roll(one.model.table, str(one.model.roll), one.model.result)
                for one in file.lists["rolls"]
                if not one.holes
            ),
            place=file.place,
            problems=(),
        )
        if "sides" not in file.torn and file.sides:
            self.problems += self.misnamed()
        known = [None if name in lost or table is None else getattr(table, name) for name in ("width", "depth")]
        unsure = Unsure(known[0], known[1], self.ways, frozenset(self.begins), frozenset(self.wins))
        scenario = scenario._replace(unsure=unsure)
        for check in CHECKS:
            self.problems += check(scenario)
        return self.fit(scenario)._replace(problems=in_order(scenario, self.problems))

    def fit(self, scenario: Scenario) -> Scenario:
        """Without what was there for the checks alone."""
        if not self.unfit:
            return scenario
        away = {id(one) for one in self.unfit}

        def fitting(those: tuple[T, ...]) -> tuple[T, ...]:
            return tuple(one for one in those if id(one) not in away)

        return scenario._replace(
            sides=fitting(scenario.sides),
            terrain=fitting(scenario.terrain),
            zones=fitting(scenario.zones),
            entries=fitting(scenario.entries),
            objectives=fitting(scenario.objectives),
            victory=fitting(scenario.victory),
            set_pieces=fitting(scenario.set_pieces),
        )

    def kept(self, one: T, *, fit: bool) -> T:
        """The same, remembered where it does not fit."""
        if not fit:
            self.unfit.append(one)
        return one

    def fighting(self, forces: Sequence[Force | None]) -> Iterator[Side]:
        self.once([(one.model.side, one.given.at("side")) for one in self.file.sides if "side" not in one.given.holes])
        for one, force in zip(self.file.sides, forces, strict=True):
            self.same_rules(one)
            movers = movers_of(force, self.rules) if force else ()
            model, named = one.model, "side" not in one.given.holes
            side = Side(
                model.side if named else "",
                force,
                model.points,
                model.briefing,
                model.secret,
                model.umpired,
                model.colour,
                movers,
                one.place,
            )
            yield self.kept(side, fit=named)

    def same_rules(self, side: SideFile) -> None:
        """S209: a force was written for rules that the scenario does not use."""
        own = {name for one in self.file.rules for name in one.split("+")}  # what is wrong with them is told there
        used = {folder.ruleset for folder in self.rules.chain} | own
        written = [name for one in side.force.rules for name in one.split("+")] if side.force else []
        other = [one for one in written if one not in used]
        if other:
            hint = f"bring another force; or, if both are of one game, add {other[0]} to the rules of the scenario"
            expected, found = f"a force for {self.rules.id}", f"one for {', '.join(other)}"
            at = side.given.at("force")
            self.problems.append(at.problem("S209", found=found, expected=expected, hint=hint))

    def terrain(self) -> Iterator[Piece]:
        known = terrains(self.rules)
        for given in self.file.lists["terrain"]:
            said = given.model.kind
            kind = named(said, known) if "kind" not in given.holes else None
            meant = kind
            if kind is None and "kind" not in given.holes:
                names = {word: one for one in known.values() for word in (one.id, one.name.lower())}
                near = nearest(said, names)
                nothing = "the rules have no table scenario/terrain.yaml"
                hint = f"did you mean {near}?" if near else f"kinds: {', '.join(known)}" if known else nothing
                expected = "a kind of terrain of the rules"
                self.problems.append(given.at("kind").problem("S201", found=said, expected=expected, hint=hint))
                meant = names[near] if near else None
            drawn = shape(given, self.problems)
            if drawn is not None:
                terrain = meant or anything(known)
                if terrain is not None:
                    piece = Piece(given.model.piece, terrain, drawn, given.model.note, given.place)
                    yield self.kept(piece, fit=kind is not None)
            elif meant is None or meant.frees:
                self.ways = True

    def zones(self) -> Iterator[Zone]:
        self.once(self.names("zones", "zone"))
        for given in self.file.lists["zones"]:
            side, meant = self.side(given)
            drawn = shape(given, self.problems)
            if drawn is not None and drawn.flows:
                found, hint = "a path", "write its corners"
                self.problems.append(given.at("path").problem("S203", found=found, expected="an area", hint=hint))
                drawn = None
            if drawn is None:
                self.begins |= {meant} if meant else {*self.sides}
            else:
                zone = Zone(given.model.zone, meant, drawn, given.model.note, given.place)
                yield self.kept(zone, fit=bool(side) and "zone" not in given.holes)

    def entries(self) -> Iterator[Entry]:
        self.once(self.names("entries", "entry"))
        table = self.file.table
        for given in self.file.lists["entries"]:
            model = given.model
            side, meant = self.side(given)
            edge = _edge(given)
            if edge is None:
                self.begins |= {meant} if meant else {*self.sides}
                continue
            across = "width" if edge in ("north", "south") else "depth"
            whole = getattr(table.model, across) if table and across not in table.holes else 0
            start = 0 if model.from_ is None else model.from_
            end = max(whole, start + 1) if model.to is None else model.to
            entry = Entry(
                model.entry, meant, edge, start, end, model.turn, model.note, given.place, model.if_, model.comes
            )
            yield self.kept(entry, fit=bool(side) and not given.holes & {"entry", "edge"})

    def objectives(self) -> Iterator[Objective]:
        self.once(self.names("objectives", "objective"))
        for given in self.file.lists["objectives"]:
            model, holes = given.model, given.holes
            found = self.of_sides(given)
            meant = tuple(one for _, one in found if one)
            whose = tuple(self.sides) if not model.sides else meant
            if "sides" in holes or len(meant) < len(found):
                self.wins |= {*self.sides}
            if "points" in holes or ("at" in holes and model.points):
                self.wins |= {*whose}
            if "at" not in holes:
                whose, radius = () if "sides" in holes else whose, _ANYWHERE if "radius" in holes else model.radius
                once = _is_yes(model.once)
                one = Objective(model.objective, model.at, radius, model.points, whose, model.note, given.place, once)
                fit = not holes & {"objective", "sides", "radius"} and all(side for side, _ in found)
                yield self.kept(one, fit=fit)

    def of_sides(self, given: Given) -> list[tuple[str, str]]:
        """The sides that an objective names, as ``side`` has them."""
        at = given.at("sides")
        several = isinstance(at.value(), list)
        return [self.named(one, at / index if several else at) for index, one in enumerate(given.model.sides)]

    def victory(self) -> Iterator[Victory]:
        for given in self.file.lists["victory"]:
            side, meant = self.side(given) if given.model.side is not None else ("", "")
            anybody = given.model.side is None and "side" not in given.holes
            if given.holes & {"points", "side"} or not (meant or anybody):
                self.wins |= {meant} if meant else {*self.sides}
            else:
                fit = bool(side or anybody) and "when" not in given.holes
                once = _is_yes(given.model.once)
                yield self.kept(Victory(meant, given.model.points, given.model.when, once), fit=fit)

    def special(self) -> Iterator[SpecialRule]:
        known = special_rules(self.rules)
        told: set[str] = set()
        for said, place in self.file.special:
            rule = named(said, known) if isinstance(said, str) else None
            written = said if isinstance(said, str) else said.rule
            name = rule.id if rule else written.lower()
            if name in told:
                hint = "take this one out" + (", or give it another name" if not isinstance(said, str) else "")
                found, expected = f"{written} again", "each special rule once"
                self.problems.append(place.problem("S204", found=found, expected=expected, hint=hint))
                continue
            told.add(name)
            if not isinstance(said, str):
                yield SpecialRule("", said.rule, said.says, "")
                continue
            if rule is None:
                listed = f"special rules: {', '.join(known)}; or say it in words: " if known else "say it in words: "
                hint = suggest(said, known, f"{listed}{{rule: ..., says: ...}}")
                self.problems.append(place.problem("S212", found=show(said), expected="a special rule", hint=hint))
            else:
                yield rule

    def set_pieces(self) -> Iterator[SetPiece]:
        for given in self.file.lists["set_pieces"]:
            model = given.model
            side, meant = self.side(given) if model.side is not None else ("", "")
            secret = _is_yes(model.secret)
            name = "" if "piece" in given.holes else model.piece
            where = model.at, 0 if "radius" in given.holes else model.radius
            piece = SetPiece(name, model.of, meant, *where, secret, model.turn, model.note, given.place)
            # One that nobody can read for certain may be a secret.
            yield self.kept(piece, fit=not given.holes and bool(side or model.side is None))

    def markers(self) -> Iterator[Marker]:
        backs = [one.model.back for one in self.file.lists["markers"] if "marker" not in one.holes]
        names = zip(self.names("markers", "marker"), backs, strict=True)  # what differs beneath may look alike
        self.once([(f"{name} / {back}" if back else name, place) for (name, place), back in names])
        for given in self.file.lists["markers"]:
            if not given.holes:
                yield Marker(given.model.marker, given.model.count, given.model.back)

    def names(self, what: str, key: str) -> list[tuple[str, Place]]:
        """The names in a list, and where each stands."""
        return [(getattr(one.model, key), one.at(key)) for one in self.file.lists[what] if key not in one.holes]

    def side(self, given: Given) -> tuple[str, str]:
        """The side that an entry names, as it is there and as it is meant; nothing, where nobody knows."""
        return ("", "") if "side" in given.holes else self.named(given.model.side, given.at("side"))

    def named(self, name: str, place: Place) -> tuple[str, str]:
        """The side of this name, there and meant. S205: there is none."""
        alike = [one for one in self.sides if one.lower() == name.lower()]
        if name in self.sides or len(alike) == 1:
            meant = name if name in self.sides else alike[0]
            return meant, meant
        self.nobodys.append((name, place))
        return "", "" if self.lacking or "sides" in self.file.torn else nearest(name, self.sides)

    def misnamed(self) -> Iterator[Problem]:
        """S205: names that no side has. What is said most may be the name that a side lacks, unless it is a slip."""
        often = Counter(name for name, _ in self.nobodys)
        names = [one for one, count in often.most_common() if count > 1 or not nearest(one, self.sides)]
        meant = names[: self.lacking]
        known = tuple(dict.fromkeys((*self.sides, *meant)))
        for name, place in self.nobodys:
            if name not in meant:
                hint = suggest(name, known, f"sides: {', '.join(dict.fromkeys(self.sides))}")
                yield place.problem("S205", found=name, expected="a side of this scenario", hint=hint)

    def once(self, names: Sequence[tuple[str, Place]]) -> None:
        """S204: two things of one list have one name, be it in other letters, small or capital."""
        first: dict[str, Place] = {}
        for name, place in names:
            if first.setdefault(name.casefold(), place) is not place:
                there = first[name.casefold()].span()
                hint = f"call one of the two otherwise: the first is at {there.file}:{there.line}"
                self.problems.append(place.problem("S204", found=name, expected="a name of its own", hint=hint))


def _is_yes(given: object) -> bool:
    """Whether a file says yes, as a word or as YAML has it."""
    return given in (True, "yes")


def _edge(given: Given) -> Edge | None:
    """The edge that an entry says or means."""
    if "edge" not in given.holes:
        edge: Edge = given.model.edge
        return edge
    said = given.at("edge").value()
    near = near_key(said, EDGES) if isinstance(said, str) else None
    return next((one for one in EDGES if one == near), None)
