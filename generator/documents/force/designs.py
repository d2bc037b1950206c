"""Sheets about designs: a rule set's sheets for a kind, printed for each design of the kind in a force."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.documents.force.cards import fielded, is_wanted
from generator.documents.force.rosters import file_name, force_sheet, hyphened
from generator.documents.reference.sheet import rows_of
from generator.errors import ProblemsError
from generator.forces.card_values import no_figure
from generator.render.blocks import Row, Section, Sheet, Table
from generator.render.type.prose import breakable
from generator.rules.formulas.errors import FormulaUseError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from generator.forces.force import Design, Force
    from generator.problems import Problem
    from generator.rules.model.sheet import SectionModel
    from generator.rules.ruleset import Sheet as SheetData
    from generator.rules.source.parts import Place

_PLAYERS = " · "
_FIRST, _OTHERS = "first", "others"
_SHARES = (5, 3)
"""Width shares of hit boxes and of the other sections of each element."""


class Printed(NamedTuple):
    """A sheet of one design, with the name of its description in the rule data."""

    name: str
    sheet: Sheet


def sheets_of_designs(force: Force, fingerprint: str, only: Collection[str] = ()) -> Iterator[Printed]:
    """Yield every sheet of a kind in the rules for every fielded design of the kind; ``only`` as for cards.

    Raises ProblemsError (R241) if a formula of a sheet has no answer for a design.
    """
    for data in force.rules.sheets_of_kinds():
        taken: set[str] = set()
        compiled: dict[Place, Any] = {}
        for about in alike(force, data.model.of or "", only):
            own = any(section.apiece for section in _sections(data))
            try:
                rows = _rows(force, data, about, compiled)
            except FormulaUseError as error:
                raise no_figure(error, data.place, about.design.name) from None
            sheet = _sheet(force, data, about if own else about.as_one(), rows, fingerprint, taken)
            yield Printed(data.model.sheet, sheet)


def _sections(data: SheetData) -> Iterator[SectionModel]:
    return (section for row in data.model.rows for column in row.columns for section in column)


def _rows(force: Force, data: SheetData, about: About, compiled: dict[Place, Any]) -> tuple[Row, ...]:
    """Return the rows of a sheet; for several equal elements, also the own sections of each but the first."""
    problems: list[Problem] = []
    printed = partial(rows_of, force.rules.as_printed_on(data), data, problems, design=about.design, compiled=compiled)
    rows = printed(wanted=lambda section: None if section.apiece == _OTHERS else section)
    first, *others = about.each
    if about.shared:
        own = {section.section for section in _sections(data) if section.apiece in {True, _FIRST}}
        rows = tuple(_of_the_first(row, own, first.which) for row in rows)
    if about.shared:
        own_rows = printed(wanted=lambda section: section if section.apiece in {True, _OTHERS} else None)
        rows += tuple(_of_each(own_rows, [other.called(about.design) for other in others]))
    if problems:
        raise ProblemsError(*problems)
    return rows


def _of_each(rows: Sequence[Row], names: Sequence[str]) -> Iterator[Row]:
    """Yield the sections of these rows for each name."""
    sections = [_bare(section) for row in rows for column in row.columns for section in column]
    if not sections:
        return
    first, *others = sections
    for name in names:
        columns = ((replace(first, title=name),), tuple(others)) if others else ((replace(first, title=name),),)
        yield Row(columns, _SHARES[: len(columns)])


def _bare(section: Section) -> Section:
    """Return a section without notes that the first sheet has already."""
    blocks = (replace(block, note="") if isinstance(block, Table) else block for block in section.blocks)
    return replace(section, aside="", blocks=tuple(blocks))


def _of_the_first(row: Row, own: Collection[str], which: str) -> Row:
    """Return the row with the first element's number after the titles of sections that each element has."""
    columns = (
        tuple(replace(item, title=f"{item.title}: {which}") if item.title in own else item for item in column)
        for column in row.columns
    )
    return replace(row, columns=tuple(columns))


def _sheet(
    force: Force,
    data: SheetData,
    about: About,
    rows: tuple[Row, ...],
    fingerprint: str,
    taken: set[str],
) -> Sheet:
    model, design = data.model, about.design
    said = _PLAYERS.join(text for text in (about.units, design.note.strip()) if text)
    sheet = force_sheet(force, model.sheet, breakable(said) or model.strap, rows, fingerprint)
    return replace(
        sheet,
        id=_id(f"{file_name(force)}-{model.sheet}", design, taken),
        title=about.title,
        plain_strap=bool(said),
        kicker=(model.kicker, breakable(force.name), *sheet.kicker[1:]),
    )


def _id(before: str, design: Design, taken: set[str]) -> str:
    """Return a unique file name for a design's sheet, even if designs have similar names."""
    name = hyphened(design.name) or "design"
    found = next(item for item in (name, *(f"{name}-{n}" for n in range(2, len(taken) + 3))) if item not in taken)
    taken.add(found)
    return f"{before}-{found}"


_SPACE = "\N{NO-BREAK SPACE}"


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
        return len(self.each) > 1

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
