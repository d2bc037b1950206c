"""Which of several alike a sheet is about: each is called by its unit and its number there, as on its marker."""

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
"""As many alike have a sheet each; more share one, and what is kept of each stands behind it."""


class One(NamedTuple):
    """One of a design in a force."""

    unit: str
    number: str
    """Which of its unit it is; empty where that has no other."""
    apart: bool
    """Whether other units have this design too, so that a number alone does not tell which it is."""

    @property
    def which(self) -> str:
        """What tells it from the others."""
        return ", ".join(filter(None, (self.number, self._where)))

    def called(self, design: Design) -> str:
        """The name of its design with that."""
        number = f"{_SPACE}{self.number}" if self.number else ""
        return ", ".join(filter(None, (f"{breakable(design.name)}{number}", self._where)))

    @property
    def _where(self) -> str:
        return breakable(self.unit) if self.apart else ""


class About(NamedTuple):
    """What a sheet is about: a design, and those of it that share the sheet."""

    design: Design
    each: tuple[One, ...]

    @property
    def shared(self) -> bool:
        """Whether what is kept of each but the first stands behind the sheet of all."""
        return len(self.each) > _TWO

    def sheets(self) -> Iterator[About]:
        """A sheet for each of two, else one for all."""
        if self.shared:
            yield self
        else:
            yield from (self._replace(each=(item,)) for item in self.each)

    def as_one(self) -> About:
        """For a sheet on which nothing is kept of each: all of them are the same."""
        return self._replace(each=tuple(item._replace(number="", apart=False) for item in self.each))

    @property
    def title(self) -> str:
        """Its name and which it is; of several the first and the last, where all are of one unit."""
        first, *others = self.each
        if not others:
            return first.called(self.design)
        name = breakable(self.design.name)
        return name if first.apart or not first.number else f"{name}{_SPACE}{first.number} to {others[-1].number}"

    @property
    def units(self) -> str:
        """The units that it is in, of several with its numbers in each."""
        units = [_numbered(list(alike)) for _, alike in groupby(self.each, attrgetter("unit"))]
        told = ", ".join(filter(None, units))
        return f"{'Unit' if len(units) == 1 else 'Units'}: {told}" if told else ""


def alike(force: Force, kind: str, only: Collection[str]) -> Iterator[About]:
    """Each design of the kind once, with those that are wanted."""
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
    """A unit, with the numbers of those in it where other units have some too."""
    first, last = mine[0], mine[-1]
    span = f" {first.number} to {last.number}" if first.apart and first is not last else ""
    return f"{first.unit}{span}"
