"""The cover of a pack: what battle it is, the table seen from above, and on which page everything stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.battle import battle_sheet
from generator.documents.booklets import facts
from generator.documents.heights import column_height, lines
from generator.documents.maps import battlefield, unnamed
from generator.render.blocks import Cell, Column, Prose, Row, Section, Table
from generator.render.maps import fitted, high_below

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.render.blocks import Sheet
    from generator.scenarios.scenario import Scenario

_HIGHEST, _LOWEST, _ALONE, _PAGE = 92.0, 36.0, 120.0, 155.0
"""Millimetres that the table on the cover may take, with the contents and without them, and what a page has under a
title of one line and the figures."""
_SLACK = 20.0
"""What a guess at the contents may be too high by."""
_TITLE, _TITLE_LINE = 15.0, 15.0
"""Ems of the title's first line, and millimetres of another."""
_HOW = (
    "Print at 100 %, cards and markers on one side: a ruler tells whether it was. Each side gets the pages that name "
    "it, and nobody else does; the umpire keeps the last part. Then lay the table by the map, and deploy."
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
    rows, beneath = [Row(((Section("", (facts(scenario),)),),))], True
    if scenario.table is not None:
        plan = unnamed(battlefield(scenario, scenario.table))
        taken = max(map(column_height, columns)) + _TITLE_LINE * (lines(scenario.name, _TITLE) - 1)
        beneath = _PAGE - taken + _SLACK - high_below(replace(plan, highest=_LOWEST)) >= _LOWEST
        plan = fitted(plan, _PAGE - taken, _LOWEST, _HIGHEST) if beneath else fitted(plan, _PAGE, _LOWEST, _ALONE)
        rows.append(Row(((Section("", (plan,)),),)))
    rows += [Row(columns, new_page=not beneath), Row(((Section("", (Prose((_HOW,)),)),),))]
    kicker = ("scenario pack", scenario.rules.manifest.short)
    return battle_sheet(scenario, "cover", scenario.name, scenario.mission, kicker, rows, fingerprint, cover=True)


def _listed(title: str, contents: Sequence[Entry]) -> Section:
    """Lines of the contents."""
    cells = tuple((Cell(one.title, plain=True, part=one.part), Cell(str(one.page))) for one in contents)
    heads = (Column("Part", share=8), Column("Page", align="right", share=2))
    return Section(title, (Table(heads, cells, f"Contents: {title.lower()}", dense=True, head_first=False),))
