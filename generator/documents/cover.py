"""The cover of a pack: what battle it is, the table seen from above, and on which page everything stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.battle import battle_sheet
from generator.documents.booklets import facts
from generator.documents.maps import battlefield
from generator.render.blocks import Cell, Column, Row, Section, Steps, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.render.blocks import Sheet
    from generator.scenarios.scenario import Scenario

_HIGHEST = 88.0
"""Millimetres of the table on the cover."""
_HOW = (
    "Print at 100 %, on both sides or on one. Check the ruler on the cards.",
    "Take the pack apart: each side gets the pages that name it and nobody else does; the umpire keeps his own.",
    "Lay the table by the map. Everybody reads the situation, each side its orders; then deploy.",
)


class Entry(NamedTuple):
    """A line of the contents."""

    part: str
    title: str
    whose: str
    page: int


def cover(scenario: Scenario, contents: Sequence[Entry], fingerprint: str) -> Sheet:
    """One page: title, figures, map and contents. What is secret stands nowhere."""
    rows = [Row(((Section("", (facts(scenario),)),),))]
    if scenario.table is not None:
        plan = replace(battlefield(scenario, scenario.table), highest=_HIGHEST)
        rows.append(Row(((Section("", (plan,)),),)))
    lines = tuple(
        (Cell(one.title, plain=True, part=one.part), Cell(one.whose, plain=True), Cell(str(one.page)))
        for one in contents
    )
    heads = (Column("Part", share=8), Column("For", share=5), Column("Page", align="right", share=2))
    listed = Section("Contents", (Table(heads, lines, "Contents", dense=True, head_first=False),))
    how = Section("How to use this pack", (Steps(_HOW),))
    rows.append(Row(((listed,), (how,)), (3, 2)))
    kicker = ("scenario pack", scenario.rules.manifest.short)
    return battle_sheet(scenario, "cover", scenario.name, scenario.mission, kicker, rows, fingerprint, cover=True)
