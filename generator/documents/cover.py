"""The cover of a pack: what battle it is, the table seen from above, and on which page everything stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.documents.battle import battle_sheet
from generator.documents.booklets import facts
from generator.documents.columns import height, lines
from generator.documents.maps import battlefield, unnamed
from generator.render.blocks import Cell, Column, Prose, Row, Section, Table
from generator.render.maps import fitted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.render.blocks import Sheet
    from generator.scenarios.scenario import Scenario

_HIGHEST, _LOWEST, _PAGE = 92.0, 40.0, 158.0
"""Millimetres that the table on the cover may take, and what a page has under a title of one line and the figures."""
_TITLE, _TITLE_LINE = 15.0, 15.0
"""Ems of the title's first line, and millimetres of another."""
_HOW = (
    "Print at 100 %: a ruler on cards and markers tells whether it was. Print these on one side, as they are cut out; "
    "the rest may go on both. Take the pack apart: each side gets the pages that name it, and nobody else does; the "
    "umpire keeps the last part. Then lay the table by the map, and deploy."
)
_EVERYBODY = "everybody"


class Entry(NamedTuple):
    """A line of the contents."""

    part: str
    title: str
    whose: str
    page: int


def cover(scenario: Scenario, contents: Sequence[Entry], fingerprint: str) -> Sheet:
    """One page: title, figures, map and contents. What is secret stands nowhere."""
    shared = [one for one in contents if one.whose == _EVERYBODY]
    apart = [one for one in contents if one.whose != _EVERYBODY]
    columns = tuple((_listed(title, some),) for title, some in (("For everybody", shared), ("To be handed out", apart)))
    rows = [Row(((Section("", (facts(scenario),)),),))]
    if scenario.table is not None:
        plan = unnamed(battlefield(scenario, scenario.table))
        taken = max(height(one) for (one,) in columns) + _TITLE_LINE * (lines(scenario.name, _TITLE) - 1)
        rows.append(Row(((Section("", (fitted(plan, _PAGE - taken, _LOWEST, _HIGHEST),)),),)))
    rows += [Row(columns), Row(((Section("", (Prose((_HOW,)),)),),))]
    kicker = ("scenario pack", scenario.rules.manifest.short)
    return battle_sheet(scenario, "cover", scenario.name, scenario.mission, kicker, rows, fingerprint, cover=True)


def _listed(title: str, contents: Sequence[Entry]) -> Section:
    """Lines of the contents."""
    cells = tuple((Cell(one.title, plain=True, part=one.part), Cell(str(one.page))) for one in contents)
    heads = (Column("Part", share=8), Column("Page", align="right", share=2))
    return Section(title, (Table(heads, cells, f"Contents: {title.lower()}", dense=True, head_first=False),))
