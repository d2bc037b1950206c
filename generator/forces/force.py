"""The types of a checked and priced force: designs, units, and the whole force."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.kinds import UNIT, Kind
from generator.rules.formulas.functions import Number, whole

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from generator.forces.pricing import Priced
    from generator.problems import Problem
    from generator.render.pictures import Picture
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place
    from generator.rules.source.settings import Settings


class Design(NamedTuple):
    """A checked and priced design; all of its fields are valid.

    ``problems`` are only those of the design, such as its broken limits.
    """

    name: str
    kind: Kind
    values: Mapping[str, Any]
    """The values of the fields, by name."""
    priced: Priced
    place: Place
    note: str
    problems: tuple[Problem, ...]
    picture: Picture | None = None

    @property
    def points(self) -> Number:
        """The cost of one element of this design."""
        return self.priced.total


@dataclass(frozen=True, slots=True)
class UnitEntry:
    """An entry of a unit: a design and its count of elements."""

    design: Design
    count: int
    place: Place

    @property
    def points(self) -> Number:
        """The cost of all elements of the entry."""
        return self.design.points * self.count


class Unit(NamedTuple):
    """A unit and the designs in it."""

    name: str
    values: Mapping[str, Any]
    """The values of the fields, by name."""
    of: tuple[UnitEntry, ...]
    """The valid entries; the others are left out, and then ``known`` is False."""
    known: bool
    """Whether the keys that all units have are valid, and every design that the unit names is valid."""
    priced: Priced | None
    """The unit's own cost lines and limits; None if the unit is not ``known``, or the rules have no kind ``unit``."""
    place: Place
    note: str
    problems: tuple[Problem, ...]

    @property
    def points(self) -> Number | None:
        """The cost of the unit; None if the unit is not ``known``."""
        return self.known_points if self.known else None

    @property
    def known_points(self) -> Number:
        """The cost of the unit itself and of its valid entries.

        The cost of the unit itself counts as 0 if the unit is not ``known``.
        """
        own = self.priced.total if self.priced else 0
        return whole(own + sum((entry.points for entry in self.of), start=0))

    @property
    def elements(self) -> int:
        """The count of elements in the unit; entries that are not valid do not count."""
        return sum(entry.count for entry in self.of)

    @property
    def pays(self) -> bool:
        """Whether the unit costs points, is not ``known``, or has a design of a kind that costs points."""
        return not self.known or bool(self.known_points) or any(entry.design.kind.pays for entry in self.of)


class Force(NamedTuple):
    """A checked and priced force and its rules."""

    name: str
    rules: RuleSet
    budget: int | None
    note: str
    edition: str
    """The edition of the rule data for which the force was made; empty if the file does not say."""
    settings: Settings
    """The options and answers that the force file sets."""
    designs: tuple[Design, ...]
    """The valid designs, first those of libraries, each list in the order of its file."""
    units: tuple[Unit, ...]
    """The units that can be read, each with its valid entries."""
    in_units: bool
    """Whether the file has units, valid or not; every design counts once if not."""
    total: Number
    """The cost of everything that has a price, with what the force pays as a whole.

    Less than the true cost if the force is not ``whole``.
    """
    whole: bool
    """Whether every design and unit of the file is valid and included."""
    priced: Priced | None
    """The force's own cost lines and limits, if the rules have a kind ``force`` and the force is whole."""
    place: Place
    problems: tuple[Problem, ...]
    """Every problem of the force, its units and its designs, in the order of the file."""

    @property
    def own_points(self) -> Number:
        """The points that the force pays as a whole, in addition to its units.

        0 if the rules have no kind ``force``, or if the force is not ``whole``.
        """
        return self.priced.total if self.priced else 0

    @property
    def counts(self) -> dict[str, int]:
        """The count of elements of each design in the units, by its name; empty for a force without units."""
        by_name: dict[str, int] = {}
        for unit in self.units:
            for entry in unit.of:
                by_name[entry.design.name] = by_name.get(entry.design.name, 0) + entry.count
        return by_name

    def is_namesake(self, unit: Unit) -> bool:
        """Return whether the cards name the only element of a unit after the unit, not after its design.

        True if the unit has one element and another unit has the same design. False if the rules have a kind ``unit``,
        where a squad is a unit and not an element.
        """
        if UNIT in self.rules.kinds or unit.elements != 1:
            return False
        design = unit.of[0].design.name
        return sum(any(item.design.name == design for item in other.of) for other in self.units) > 1

    def texts(self) -> Iterator[tuple[Place, str]]:
        """Yield each name and note of the force, its designs and its units, after its place."""
        for place in (self.place, *(design.place for design in self.designs), *(unit.place for unit in self.units)):
            for key in ("force", "design", "unit", "note"):
                yield from (place / key).texts()

    def resting(self, kinds: Collection[str]) -> Force:
        """Return the force with the designs of these kinds marked as idle: they do not act. Kinds are given by id."""

        def at_rest(design: Design) -> Design:
            """Return a design, marked as idle if the outer ``kinds`` has the id of its kind."""
            return design._replace(kind=replace(design.kind, idle=True)) if design.kind.id in kinds else design

        units = (
            unit._replace(of=tuple(replace(entry, design=at_rest(entry.design)) for entry in unit.of))
            for unit in self.units
        )
        return self._replace(designs=tuple(map(at_rest, self.designs)), units=tuple(units))

    @property
    def entries(self) -> tuple[UnitEntry, ...]:
        """The valid entries of all units. If the file has no units, valid or not, every design counts once."""
        loose = (UnitEntry(design, 1, design.place) for design in self.designs)
        return tuple((entry for unit in self.units for entry in unit.of) if self.in_units else loose)

    @property
    def shared_points(self) -> Number:
        """The points that no entry costs: what the units and the whole force pay themselves."""
        return self.total - sum((entry.points for entry in self.entries), start=0)

    @property
    def elements(self) -> int:
        """The count of elements in all ``entries``; each design counts once if the file has no units."""
        return sum(entry.count for entry in self.entries)

    @property
    def models(self) -> int:
        """The count of elements in all ``entries``, without those of idle kinds, such as ammunition."""
        return sum(entry.count for entry in self.entries if not entry.design.kind.idle)

    @property
    def pays(self) -> bool:
        """Whether the force costs points, has a design of a kind that costs points, or has no designs."""
        return not self.designs or bool(self.total) or any(design.kind.pays for design in self.designs)
