"""Names for equal elements on sheets: each is named by its unit and its number there, as on its marker."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.force.cards import fielded, is_wanted
from generator.documents.words import breakable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from generator.forces.force import Design, Force

_SPACE = "\N{NO-BREAK SPACE}"
_TWO = 2
"""Most equal elements with a sheet each; more share a sheet, followed by the records of each."""


class One(NamedTuple):
    """One element of a design in a force."""

    unit: str
    number: str
    """Its number in its unit; empty if the unit has no other of this design."""
    apart: bool
    """Whether other units have this design, too, so that a number alone is ambiguous."""

    @property
    def which(self) -> str:
        """Its number and unit, as far as needed to tell it from the others."""
        return ", ".join(filter(None, (self.number, self._where)))

    def called(self, design: Design) -> str:
        """Return the design's name with its number and unit."""
        number = f"{_SPACE}{self.number}" if self.number else ""
        return ", ".join(filter(None, (f"{breakable(design.name)}{number}", self._where)))

    @property
    def _where(self) -> str:
        return breakable(self.unit) if self.apart else ""


class About(NamedTuple):
    """The subject of a sheet: a design, and its elements that share the sheet."""

    design: Design
    each: tuple[One, ...]

    @property
    def shared(self) -> bool:
        """Whether the elements share a sheet, followed by the records of each but the first."""
        return len(self.each) > _TWO

    def sheets(self) -> Iterator[About]:
        """Yield a subject for each of up to two elements, else one for all."""
        if self.shared:
            yield self
        else:
            yield from (self._replace(each=(item,)) for item in self.each)

    def as_one(self) -> About:
        """Return the subject without numbers and units, for a sheet without records of each element."""
        return self._replace(each=tuple(item._replace(number="", apart=False) for item in self.each))

    @property
    def title(self) -> str:
        """The design's name with the element's number or, for several of one unit, the first and last numbers."""
        first, *others = self.each
        if not others:
            return first.called(self.design)
        name = breakable(self.design.name)
        return name if first.apart or not first.number else f"{name}{_SPACE}{first.number} to {others[-1].number}"

    @property
    def units(self) -> str:
        """The units of the elements, with their numbers in each unit if there are several."""
        units = [_numbered(list(alike)) for _, alike in groupby(self.each, attrgetter("unit"))]
        told = ", ".join(filter(None, units))
        return f"{'Unit' if len(units) == 1 else 'Units'}: {told}" if told else ""


def alike(force: Force, kind: str, only: Collection[str]) -> Iterator[About]:
    """Yield each design of the kind once, with its wanted elements."""
    every = [item for item in fielded(force) if item.design.kind.id == kind]
    names = [item.design.name for item in every]
    found: dict[str, About] = {}
    for item in every:
        if is_wanted(item, only):
            unit, apart = item.unit.name if item.unit is not None else "", names.count(item.design.name) > 1
            numbers = map(str, range(1, item.many + 1)) if item.many > 1 else [""]
            before = found.get(item.design.name, About(item.design, ()))
            each = (*before.each, *(One(unit, number, apart) for number in numbers))
            found[item.design.name] = before._replace(each=each)
    yield from found.values()


def _numbered(mine: Sequence[One]) -> str:
    """Return a unit's name, with its elements' numbers if other units have this design, too."""
    first, last = mine[0], mine[-1]
    span = f" {first.number} to {last.number}" if first.apart and first is not last else ""
    return f"{first.unit}{span}"
