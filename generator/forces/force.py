"""A force under its rules: designs and units, checked and priced."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.kinds import UNIT
from generator.rules.formulas.functions import whole

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from generator.forces.pricing import Priced
    from generator.problems import Problem
    from generator.rules.entries.kinds import Kind
    from generator.rules.formulas.functions import Number
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place
    from generator.rules.source.settings import Settings


class Design(NamedTuple):
    """A design whose fields have no problem, checked and priced."""

    name: str
    kind: Kind
    values: Mapping[str, Any]
    """Its fields by name."""
    priced: Priced
    place: Place
    note: str
    problems: tuple[Problem, ...]

    @property
    def points(self) -> Number:
        """What one of it costs."""
        return self.priced.total


@dataclass(frozen=True, slots=True)
class Entry:
    """So many of a design in a unit."""

    design: Design
    count: int
    place: Place
    offset: int | None = None
    """Where it begins in the text at its place; None for one that was given with keys."""

    @property
    def points(self) -> Number:
        """What they cost together."""
        return self.design.points * self.count


class Unit(NamedTuple):
    """A unit with what is in it."""

    name: str
    values: Mapping[str, Any]
    """Its fields by name."""
    of: tuple[Entry, ...]
    known: bool
    """Whether every design that it names is there and has no problem with its fields."""
    priced: Priced | None
    """Its own lines and limits, where the rules have a kind ``unit`` and everything in it is known."""
    place: Place
    note: str
    problems: tuple[Problem, ...]

    @property
    def points(self) -> Number | None:
        """What it costs; None where something in it is not known."""
        return self.known_points if self.known else None

    @property
    def known_points(self) -> Number:
        """What all in it that has a price comes to."""
        own = self.priced.total if self.priced else 0
        return whole(own + sum((entry.points for entry in self.of), start=0))

    @property
    def elements(self) -> int:
        """How many designs stand in it."""
        return sum(entry.count for entry in self.of)

    @property
    def pays(self) -> bool:
        """Whether anything in it is of a kind that has points."""
        return not self.known or bool(self.known_points) or any(entry.design.kind.pays for entry in self.of)


class Force(NamedTuple):
    """A force under its rules."""

    name: str
    rules: RuleSet
    budget: int | None
    note: str
    settings: Settings
    """The options and answers that its own file sets."""
    designs: tuple[Design, ...]
    units: tuple[Unit, ...]
    """Empty where the file has none: then every design counts once."""
    total: Number
    """What all that has a price comes to."""
    whole: bool
    """Whether every design and unit of the file is here."""
    priced: Priced | None
    """The force's own lines and limits, where the rules have a kind ``force`` and the force is whole."""
    place: Place
    problems: tuple[Problem, ...]
    """Every one of the force, its units and its designs, in the order of the file."""

    @property
    def own_points(self) -> Number:
        """What the force pays as a whole, beside its units."""
        return self.priced.total if self.priced else 0

    @property
    def counts(self) -> dict[str, int]:
        """How many of each design the units have; empty for a force without units."""
        found: dict[str, int] = {}
        for unit in self.units:
            for entry in unit.of:
                found[entry.design.name] = found.get(entry.design.name, 0) + entry.count
        return found

    def is_namesake(self, unit: Unit) -> bool:
        """Whether the only element of a unit goes by the unit's name: others of its design are elsewhere.

        Only by rules that know nothing of units themselves: where the squad is the element.
        """
        if UNIT in self.rules.kinds or unit.elements != 1:
            return False
        design = unit.of[0].design.name
        return sum(any(item.design.name == design for item in other.of) for other in self.units) > 1

    def resting(self, kinds: Collection[str]) -> Force:
        """The same, of whose designs of these kinds nothing of their unit is kept: they do not act."""

        def at_rest(design: Design) -> Design:
            return design._replace(kind=replace(design.kind, idle=True)) if design.kind.id in kinds else design

        units = (
            unit._replace(of=tuple(replace(entry, design=at_rest(entry.design)) for entry in unit.of))
            for unit in self.units
        )
        return self._replace(designs=tuple(map(at_rest, self.designs)), units=tuple(units))

    @property
    def loose(self) -> tuple[Entry, ...]:
        """Every design, once, where there are no units."""
        return () if self.units else tuple(Entry(design, 1, design.place) for design in self.designs)

    @property
    def elements(self) -> int:
        """How many designs are fielded; each once where there are no units."""
        return sum(unit.elements for unit in self.units) if self.units else len(self.designs)

    @property
    def pays(self) -> bool:
        """Whether anything in it has points by its rules."""
        return not self.designs or bool(self.total) or any(design.kind.pays for design in self.designs)
