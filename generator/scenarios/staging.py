"""From a scenario file, its rules and its forces to a scenario: names looked up, outlines drawn, everything checked."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from generator.rules.validation import show
from generator.scenarios.checks import CHECKS
from generator.scenarios.ground import movers_of, named, special_rules, terrains
from generator.scenarios.outlines import HALF, Outline, circle, rectangle, way
from generator.scenarios.reach import Extent
from generator.scenarios.scenario import (
    Entry,
    Objective,
    Piece,
    Roll,
    Scenario,
    SetPiece,
    Shape,
    Side,
    SpecialRule,
    Victory,
    Zone,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.forces.force import Force
    from generator.problems import Problem
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet
    from generator.scenarios.files import ScenarioFile, SideFile
    from generator.scenarios.models import ShapeModel

_WAYS = ("corners", "size", "radius", "path")


def stage(file: ScenarioFile, rules: RuleSet, forces: Sequence[Force | None], found: Sequence[Problem]) -> Scenario:
    """The scenario of a file; ``forces`` are those of its sides, ``found`` what was wrong with them.

    Codes: S201 no such terrain, S203 no shape, S204 a name twice, S205 no such side, S209 other rules,
    S212 no such special rule, and those of ``generator.scenarios.checks``.
    """
    return _Stage(file, rules).scenario(forces, found)


class _Stage:
    """What is known while the file is gone through."""

    def __init__(self, file: ScenarioFile, rules: RuleSet) -> None:
        self.file = file
        self.rules = rules
        self.sides = [one.model.side for one in file.sides]
        raw = file.place.inside.value.get("sides")
        self.whole = len(raw) == len(file.sides) if isinstance(raw, list) else False
        """Whether every side is known: else a name that nobody has may be that of a refused one."""
        self.problems: list[Problem] = []

    def scenario(self, forces: Sequence[Force | None], found: Sequence[Problem]) -> Scenario:
        file, plain = self.file, self.file.plain
        table = file.table
        self.problems += [*file.problems, *found]
        scenario = Scenario(
            name=file.name,
            rules=self.rules,
            mission=plain.mission if plain else "",
            situation=plain.situation if plain else (),
            table=Extent(table.width, table.depth) if table else None,
            turns=plain.turns if plain else None,
            light=plain.light if plain else "",
            weather=plain.weather if plain else "",
            sides=tuple(self.fighting(forces)),
            terrain=tuple(self.terrain()),
            zones=tuple(self.zones()),
            entries=tuple(self.entries()),
            objectives=tuple(self.objectives()),
            victory=tuple(self.victory()),
            special=tuple(self.special()),
            set_pieces=tuple(self.set_pieces()),
            umpire=plain.umpire if plain else (),
            seed=plain.seed if plain else None,
            edition=plain.edition if plain else "",
            rolls=tuple(Roll(one.model.table, str(one.model.roll), one.model.result) for one in file.lists["rolls"]),
            place=file.place,
            problems=(),
        )
        for check in CHECKS:
            self.problems += check(scenario)
        own = file.place.span().file
        ordered = sorted(dict.fromkeys(self.problems), key=lambda one: (one.span.file != own, one.span))
        return scenario._replace(problems=tuple(ordered))

    def fighting(self, forces: Sequence[Force | None]) -> Iterator[Side]:
        self.once([(one.model.side, one.place / "side") for one in self.file.sides])
        for one, force in zip(self.file.sides, forces, strict=True):
            self.same_rules(one)
            movers = movers_of(force, self.rules) if force else ()
            model = one.model
            yield Side(model.side, force, model.points, model.briefing, model.secret, model.colour, movers, one.place)

    def same_rules(self, side: SideFile) -> None:
        """S209: a force was written for rules that the scenario does not use."""
        used = {folder.ruleset for folder in self.rules.chain}
        written = [name for one in side.force.rules for name in one.split("+")] if side.force else []
        other = [one for one in written if one not in used]
        if other:
            hint = f"add {other[0]} to the rules of the scenario, or bring another force"
            expected, found = f"a force for {self.rules.id}", f"one for {', '.join(other)}"
            at = side.place / "force"
            self.problems.append(at.problem("S209", found=found, expected=expected, hint=hint))

    def terrain(self) -> Iterator[Piece]:
        known = terrains(self.rules)
        for model, place in self.file.lists["terrain"]:
            kind = named(model.kind, known)
            if kind is None:
                names = {word: None for one in known.values() for word in (one.id, one.name.lower())}
                near = get_close_matches(model.kind.lower(), names, n=1)
                nothing = "the rules have no table scenario/terrain.yaml"
                hint = f"did you mean {near[0]}?" if near else f"kinds: {', '.join(known)}" if known else nothing
                expected = "a kind of terrain of the rules"
                self.problems.append((place / "kind").problem("S201", found=model.kind, expected=expected, hint=hint))
            shape = self.shape(model, place)
            if kind is not None and shape is not None:
                yield Piece(model.piece, kind, shape, model.note, place)

    def zones(self) -> Iterator[Zone]:
        given = self.file.lists["zones"]
        self.once([(one.model.zone, one.place / "zone") for one in given])
        for model, place in given:
            side = self.side(model.side, place / "side")
            shape = self.shape(model, place)
            if shape is not None and shape.flows:
                found, hint = "a path", "write its corners"
                self.problems.append((place / "path").problem("S203", found=found, expected="an area", hint=hint))
            elif shape is not None and side:
                yield Zone(model.zone, side, shape, model.note, place)

    def entries(self) -> Iterator[Entry]:
        given = self.file.lists["entries"]
        self.once([(one.model.entry, one.place / "entry") for one in given])
        table = self.file.table
        for model, place in given:
            side = self.side(model.side, place / "side")
            if side:
                long = (table.width, table.depth) if table else (0, 0)
                whole = long[0] if model.edge in ("north", "south") else long[1]
                start = 0 if model.from_ is None else model.from_
                end = whole if model.to is None else model.to
                yield Entry(model.entry, side, model.edge, start, end, model.turn, model.note, place)

    def objectives(self) -> Iterator[Objective]:
        given = self.file.lists["objectives"]
        self.once([(one.model.objective, one.place / "objective") for one in given])
        for model, place in given:
            at = place / "sides"
            several = isinstance(place.inside.value["objectives"][place.path[-1]].get("sides"), list)
            sides = [self.side(one, at / index if several else at) for index, one in enumerate(model.sides)]
            whose = tuple(one for one in sides if one) if model.sides else tuple(self.sides)
            yield Objective(model.objective, model.at, model.radius, model.points, whose, model.note, place)

    def victory(self) -> Iterator[Victory]:
        for model, place in self.file.lists["victory"]:
            side = self.side(model.side, place / "side") if model.side is not None else ""
            if side or model.side is None:
                yield Victory(side, model.points, model.when)

    def special(self) -> Iterator[SpecialRule]:
        known = special_rules(self.rules)
        for said, place in self.file.special:
            if not isinstance(said, str):
                yield SpecialRule("", said.rule, said.says, "")
                continue
            rule = named(said, known)
            if rule is None:
                near = get_close_matches(said.lower(), known, n=1)
                listed = f"special rules: {', '.join(known)}; or say it in words: " if known else "say it in words: "
                hint = f"did you mean {near[0]}?" if near else f"{listed}{{rule: ..., says: ...}}"
                self.problems.append(place.problem("S212", found=show(said), expected="a special rule", hint=hint))
            else:
                yield rule

    def set_pieces(self) -> Iterator[SetPiece]:
        for model, place in self.file.lists["set_pieces"]:
            side = self.side(model.side, place / "side") if model.side is not None else ""
            secret = model.secret in (True, "yes")
            yield SetPiece(model.piece, model.of, side, model.at, secret, model.turn, model.note, place)

    def side(self, name: str, place: Place) -> str:
        """The side of this name; nothing, and S205, where there is none."""
        if name in self.sides:
            return name
        if self.whole:
            near = get_close_matches(name, self.sides, n=1)
            hint = f"did you mean {near[0]}?" if near else f"sides: {', '.join(self.sides)}"
            self.problems.append(place.problem("S205", found=name, expected="a side of this scenario", hint=hint))
        return ""

    def once(self, names: Sequence[tuple[str, Place]]) -> None:
        """S204: two things of one list have one name."""
        first: dict[str, Place] = {}
        for name, place in names:
            if first.setdefault(name, place) is not place:
                there = first[name].span()
                hint = f"call one of the two otherwise: the first is at {there.file}:{there.line}"
                self.problems.append(place.problem("S204", found=name, expected="a name of its own", hint=hint))

    def shape(self, model: ShapeModel, place: Place) -> Shape | None:
        """What a piece or a zone takes up. S203 where that is nothing, or two things at once, or crosses itself."""
        said = [one for one in _WAYS if getattr(model, one) is not None]
        needs = "at" if said in (["size"], ["radius"]) else ""
        listed = "corners; at and size; at and radius; or path"
        if len(said) != 1:
            found = " and ".join(said) or "no shape"
            at = place / said[1] if said else place
            self.problems.append(at.problem("S203", found=found, expected=f"one shape: {listed}", at_key=bool(said)))
            return None
        if needs and model.at is None:
            found = f"{said[0]} alone"
            self.problems.append((place / said[0]).problem("S203", found=found, expected=listed, at_key=True))
            return None
        shape = _shape(model)
        if model.corners is not None and not shape.outline.is_simple():
            found, hint = "corners that enclose nothing, or an edge that meets another", "go around it once, in order"
            self.problems.append((place / "corners").problem("S203", found=found, expected="an area", hint=hint))
            return None
        return shape


def _shape(model: ShapeModel) -> Shape:
    def units(halves: Any) -> tuple[int, int]:
        return halves[0] * HALF, halves[1] * HALF

    at = units(model.at or (0, 0))
    if model.path is not None:
        return Shape(way([units(one) for one in model.path], model.wide * HALF), round=False, flows=True)
    if model.radius is not None:
        return Shape(circle(at, model.radius * HALF), round=True, flows=False)
    if model.size is not None:
        return Shape(rectangle(at, units(model.size), model.turned), round=False, flows=False)
    corners = tuple(units(one) for one in model.corners or ())
    return Shape(Outline(corners, closed=True), round=False, flows=False)
