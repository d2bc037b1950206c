"""Build a checked scenario from its file, its rules and its forces: look up names, draw outlines, run the checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from generator.forces.load import name_twice
from generator.problems import Problem, suggest
from generator.rules.source.parts import Place, in_order
from generator.rules.source.validation import show
from generator.scenarios import scenario as checked
from generator.scenarios.check import CHECKS
from generator.scenarios.models import Advice, Entry, MarkerModel, Objective, ShapeModel, Zone
from generator.scenarios.table import Extent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.forces.force import Force
    from generator.rules.ruleset import RuleSet
    from generator.scenarios.files import ScenarioFile, SideFile


def stage(
    file: ScenarioFile, rules: RuleSet, forces: Sequence[Force | None], found: Sequence[Problem]
) -> checked.Scenario:
    """Return the scenario of a file, with all problems but the advice that the file accepts.

    ``forces`` are the forces of its sides in order, and ``found`` are the problems of these forces. Entries with S201,
    S203, S205 or S212 are left out, and special rules with S204. Codes: S201 no such terrain; S203 no valid shape; S204
    a duplicate name; S205 no such side; S209 a force for other rules; S212 no such special rule. Further codes are
    those of ``generator.scenarios.check``. Problems of the file and of ``found`` are included.
    """
    return _Stage(file, rules).scenario(forces, found)


_ADVICE = frozenset(get_args(Advice))
_PLAIN = ("mission", "situation", "turns", "first", "light", "weather", "umpire", "needs_umpire", "seed", "edition")
"""The keys of a file that a scenario has as they are."""


class _Stage:
    """Builds a scenario from its file and collects the problems."""

    def __init__(self, file: ScenarioFile, rules: RuleSet) -> None:
        self.file = file
        self.rules = rules
        self.sides = [side.model.side for side in file.sides]
        self.problems: list[Problem] = []
        self.broken: set[str] = set(file.broken)
        """The incomplete sections: an entry was left out or may be missing, or two sides have the same name."""
        if len({*self.sides}) < len(self.sides):
            self.broken.add("sides")  # two sides share a name, so one of the names is wrong

    def scenario(self, forces: Sequence[Force | None], found: Sequence[Problem]) -> checked.Scenario:
        """Return the scenario with all problems, after every check whose sections are complete.

        ``forces`` are the forces of the sides in order, and ``found`` are their problems. Designs of kinds that a
        special rule sets aside become idle. Advice that the file accepts is left out. S204: two zones, two entries or
        two objectives have the same name.
        """
        file, plain = self.file, self.file.plain
        self.problems += [*file.problems, *found]
        for section, key in (("zones", "zone"), ("entries", "entry"), ("objectives", "objective")):
            self.once([(entry.name, entry.place / key) for entry in file.lists[section]])
        special, accepted = tuple(self.special()), {item.advice for item in file.lists["accepts"]}
        aside = {name for special_rule in special for name in special_rule.sets_aside}
        scenario = checked.Scenario(
            name=plain.scenario,
            rules=self.rules,
            place=file.place,
            table=Extent(plain.table.width, plain.table.depth),
            sides=tuple(self.fighting([force.resting(aside) if force else None for force in forces])),
            terrain=tuple(self.terrain()),
            zones=tuple(self.zones()),
            entries=tuple(self.entries()),
            objectives=tuple(self.objectives()),
            victory=tuple(self.of_sides("victory")),
            special=special,
            set_pieces=tuple(self.of_sides("set_pieces")),
            markers=tuple(self.markers()),
            rolls=file.lists["rolls"],
            **{key: getattr(plain, key) for key in _PLAIN},
        )
        scenario = scenario._replace(broken=frozenset(self.broken))
        for check, sections in CHECKS:
            if scenario.broken.isdisjoint(sections):
                self.problems += check(scenario)
        graded = [item._replace(severity="advice") if item.code in _ADVICE else item for item in self.problems]
        kept = (problem for problem in graded if problem.code not in accepted)
        return scenario._replace(problems=in_order(scenario.place, kept))

    def fighting(self, forces: Sequence[Force | None]) -> Iterator[checked.Side]:
        """Yield every side with its force; ``forces`` are in the order of the sides, None for no force.

        Adds S204 for a side with the name of an earlier one, ignoring case, and S209 for a force for other rules.
        """
        self.once([(side.model.side, side.model.place / "side") for side in self.file.sides])
        for item, force in zip(self.file.sides, forces, strict=True):
            self.same_rules(item)
            movers, model = checked.movers_of(force, self.rules) if force else (), item.model
            told = model.briefing, model.secret
            yield checked.Side(model.side, force, model.points, *told, model.colour, movers, model.place)

    def same_rules(self, side: SideFile) -> None:
        """Report S209 if a side's force was written for rules that the scenario does not use."""
        own = {name for rule in self.file.rules for name in rule.split("+")}  # invalid rules are reported elsewhere
        used = {folder.ruleset for folder in self.rules.chain} | own
        written = [name for rule in side.force.rules for name in rule.split("+")] if side.force else []
        other = [item for item in written if item not in used]
        if other:
            hint = f"bring another force; or, if both are of one game, add {other[0]} to the rules of the scenario"
            expected, found = f"a force for {self.rules.id}", f"one for {', '.join(other)}"
            self.problems.append((side.model.place / "force").problem("S209", expected, found, hint))

    def terrain(self) -> Iterator[checked.Piece]:
        """Yield the pieces of terrain with a known kind and a valid shape.

        Adds S201 for an unknown kind and S203 for an invalid shape, or both. Each marks ``terrain`` as broken.
        """
        known = checked.terrains(self.rules)
        for model in self.file.lists["terrain"]:
            kind = checked.named(model.kind, known)
            if kind is None:
                self.problems.append(checked.unknown_kind(model.kind, known, model.place / "kind"))
            if not is_shaped(model, self.problems) or kind is None:
                self.broken.add("terrain")
            else:
                yield checked.Piece(model.piece, kind, model, model.note)

    def zones(self) -> Iterator[Zone]:
        """Yield the deployment zones of known sides with a valid shape.

        Adds S205 as ``named`` does, and S203 for an invalid shape or a path. Each marks ``zones`` as broken.
        """
        for zone in self.of_sides("zones"):
            shaped = is_shaped(zone, self.problems)
            if shaped and zone.outline.flows:
                self.problems.append((zone.place / "path").problem("S203", "an area", "a path", "write its corners"))
            if not shaped or zone.outline.flows:
                self.broken.add("zones")
            else:
                yield zone

    def entries(self) -> Iterator[Entry]:
        """Yield the entries of known sides; if the end of a stretch is missing, it is the east or north corner.

        If the start is at or beyond this corner, the end is half an inch after the start. S205: no such side.
        """
        table = self.file.plain.table
        for entry in self.of_sides("entries"):
            whole = table.width if entry.edge in ("north", "south") else table.depth
            end = entry.end if "end" in entry.model_fields_set else max(whole, entry.start + 1)
            yield entry.model_copy(update={"end": end})

    def objectives(self) -> Iterator[Objective]:
        """Yield the objectives whose sides are all known; an objective that names no sides gets the names of all.

        Each objective is a copy with the sides' names as the scenario spells them. Adds S205 as ``named`` does.
        """
        for model in self.file.lists["objectives"]:
            at = model.place / "sides"
            places = [at / index for index in range(len(model.sides))] if isinstance(at.value(), list) else [at]
            whose = [self.named("objectives", *item) for item in zip(model.sides, places, strict=False)]
            if all(whose):
                yield model.model_copy(update={"sides": tuple(whose or self.sides)})

    def special(self) -> Iterator[checked.SpecialRule]:
        """Yield the special rules, from the tables or in words.

        S204: a rule that was named before; S212: no such rule. These rules are left out.
        """
        known = checked.special_rules(self.rules)
        told: set[str] = set()
        for said in self.file.lists["special"]:
            written, own = said.rule, bool(said.says)
            rule = checked.SpecialRule("", written, said.says, "") if own else checked.named(written, known)
            name = rule.id if rule and not own else written.lower()
            if name in told:
                hint = "take this one out" + (", or give it another name" if own else "")
                self.problems.append(said.place.problem("S204", "each special rule once", f"{written} again", hint))
            elif rule is None:
                listed = f"special rules: {', '.join(known)}; or say it in words: " if known else "say it in words: "
                hint = suggest(written, known, f"{listed}{{rule: ..., says: ...}}")
                self.problems.append(said.place.problem("S212", "a special rule", show(written), hint))
            else:
                yield rule
            told.add(name)

    def markers(self) -> Sequence[MarkerModel]:
        """Return all markers. Adds S204 for a marker with the front and back of an earlier one, ignoring case."""
        models = self.file.lists["markers"]
        faces = [f"{model.marker} / {model.back}" if model.back else model.marker for model in models]
        places = [model.place / "marker" for model in models]
        self.once([*zip(faces, places, strict=True)])  # markers with different backs may share a front
        return models

    def of_sides(self, section: str) -> Iterator[Any]:
        """Yield the entries of a list that name no side, or a known side.

        Each entry is a copy with the side's name as the scenario spells it. Adds S205 as ``named`` does.
        """
        for entry in self.file.lists[section]:
            side = self.named(section, entry.side, entry.place / "side") if entry.side else ""
            if side or not entry.side:
                yield entry.model_copy(update={"side": side})

    def named(self, section: str, name: str, place: Place) -> str:
        """Return a side's name as the scenario spells it, ignoring case; empty if there is no such side.

        Empty also if several sides fit and none exactly. If the result is empty, ``section`` is marked as broken and
        S205 is added. S205 is not added if a side could not be read, or if two sides have the same name.
        """
        alike = [side for side in self.sides if side.lower() == name.lower()]
        if name in self.sides or len(alike) == 1:
            return name if name in self.sides else alike[0]
        if "sides" not in self.broken:
            hint = suggest(name, self.sides, f"sides: {', '.join(dict.fromkeys(self.sides))}")
            self.problems.append(place.problem("S205", "a side of this scenario", name, hint))
        self.broken.add(section)
        return ""

    def once(self, names: Sequence[tuple[str, Place]]) -> None:
        """Report S204 at each use of a name in the list after its first use, ignoring case."""
        first: dict[str, Place] = {}
        for name, place in names:
            if first.setdefault(name.casefold(), place) is not place:
                problem = name_twice(place, name, first[name.casefold()])
                self.problems.append(problem._replace(code="S204", expected="a name of its own"))


WAYS = ("corners", "size", "radius", "path")
"""The keys that each give a shape; a piece or a zone has exactly one of them."""
_LISTED = "corners; at and size; at and radius; or path"


def is_shaped(model: ShapeModel, problems: list[Problem]) -> bool:
    """Return whether a piece or a zone has a valid shape; if not, add S203.

    S203: no shape, several shapes, or a size or a radius without ``at``. Also corners that enclose no area or whose
    outline crosses or touches itself, and a path whose points are all the same.
    """
    said = [item for item in WAYS if getattr(model, item) is not None]
    at, found, expected, hint = model.place, "", f"one shape: {_LISTED}", ""
    if not said:
        found, hint = "no shape", "add at: and size:, at: and radius:, corners: or path:"
    elif len(said) > 1:
        at, found, hint = at / said[1], " and ".join(said), f"take {' or '.join(said)} out"
    elif said[0] in ("size", "radius") and model.at is None:
        where = "south-west corner" if said == ["size"] else "middle"
        at, found, expected, hint = at / said[0], f"{said[0]} alone", _LISTED, f"add at: its {where}, [east, north]"
    elif model.corners is not None and not model.outline.is_simple():
        found, hint = "corners that enclose nothing, or an edge that meets another", "go around it once, in order"
        at, expected = at / "corners", "an area"
    elif model.path is not None and len(set(model.path)) == 1:
        at, found, expected, hint = at / "path", "one place", "a path", "write where it begins and where it ends"
    if found:
        at_key = len(said) > 1 or expected == _LISTED
        problems.append(at.problem("S203", expected, found, hint, at_key=at_key))
    return not found
