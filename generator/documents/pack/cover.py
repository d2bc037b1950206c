"""The cover of a pack: the battle, a view of the table, and the contents with page numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.pack.battle import battle_sheet
from generator.documents.pack.booklets import facts
from generator.documents.pack.maps import battlefield
from generator.render.blocks import Cell, Column, Prose, Row, Section, Table
from generator.rules.model.manifest import DOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.render.blocks import Sheet
    from generator.scenarios.scenario import Scenario

_LOWEST = 36.0
"""Least height in millimetres of the table on the cover."""
_COLUMNS = 3
_HOW = (
    "Print at 100 %, on both sides of the paper or on one: the backs of cards and markers are left empty, and the "
    "scale on them shows whether the size is right. Give everyone the public pages. Give each side only the pages "
    "with its name, and the umpire the last part, when he has read the briefings of the sides. {} "
    "Then lay the table by the map, whose legend explains its signs, and deploy."
)
_WITHOUT = (
    "Without an umpire leave that part shut: its events do not happen, and what a side would have told him it "
    "announces as it happens."
)
_NEEDED = "This battle needs an umpire."
_EVERYBODY = "everybody"


class Entry(NamedTuple):
    """A line of the contents."""

    part: str
    title: str
    whose: str
    page: int


def cover(scenario: Scenario, contents: Sequence[Entry], fingerprint: str) -> Sheet:
    """Return the cover page: title, figures, map and contents. It shows no secrets."""
    columns = _contents(scenario, contents)
    rows = [Row(((Section("", (facts(scenario),)),),))]
    if scenario.table is not None:
        plan = replace(battlefield(scenario, scenario.table), least=_LOWEST)
        rows.append(Row(((Section("", (plan,)),),)))
    how = _HOW.format(_NEEDED if scenario.needs_umpire else _WITHOUT)
    rows += [Row(columns), Row(((Section("", (Prose((how,)),)),),))]
    # The place beside the title is narrow, so a game and its expansions have a line each.
    kicker = ("scenario pack", *scenario.rules.manifest.short.split(DOT))
    return battle_sheet(scenario, "cover", scenario.name, scenario.mission, kicker, rows, fingerprint, cover=True)


def _contents(scenario: Scenario, contents: Sequence[Entry]) -> tuple[tuple[Section, ...], ...]:
    """Return columns of contents: public and umpire's parts first, then the parts of each side."""
    names = [side.name for side in scenario.sides]
    shared = [content for content in contents if content.whose == _EVERYBODY]
    kept = [content for content in contents if content.whose not in (_EVERYBODY, *names)]
    columns = [[_listed(title, some) for title, some in (("For everybody", shared), ("Umpire", kept)) if some]]
    columns += [[] for _ in range(min(len(names), _COLUMNS - 1))]
    for number, name in enumerate(names):
        section = _listed(name, [content for content in contents if content.whose == name])
        columns[1 + number % (_COLUMNS - 1)].append(section)
    return tuple(tuple(column) for column in columns if column)


def _listed(title: str, contents: Sequence[Entry]) -> Section:
    """Return contents as a section; titles omit the owner's name."""
    cells = tuple(
        (Cell(_said(content), plain=True, part=content.part), Cell(str(content.page))) for content in contents
    )
    heads = (Column("", share=7), Column("", align="right", share=3))
    return Section(
        title, (Table(heads, cells, f"Contents: {title}", plain_caption=True, dense=True, head_first=False),)
    )


def _said(entry: Entry) -> str:
    """Return an entry's title without its owner's name."""
    said = entry.title.removeprefix(f"{entry.whose}: ")
    return said[:1].upper() + said[1:]
