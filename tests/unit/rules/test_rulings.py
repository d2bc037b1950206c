"""Rulings and gaps that settle what the documents leave open: each has a reason and reaches the readings sheet."""

from __future__ import annotations

import pytest

from generator.commands.access import open_library
from generator.documents.blocks.readings import ReadingsBlock, readings_block
from generator.render.blocks import Table
from generator.rules.describe.browse import statements
from generator.rules.load.load import load

SETTLED = [
    ("sla-3d", "ruled", "Missed Shots", ["13"]),
    ("sla-3d", "ruled", "Rate of Fire (Full Auto)", ["6", "1"]),
    ("sla-3d", "ruled", "Rate of Fire (Semi Auto)", ["miss"]),
    ("dirtside2-iceburg", "ruled", "Aerospace Air to Air Combat", ["AAM", "guns", "surviv"]),
    ("dirtside2-iceburg", "ruled", "Aerospace Air to Air Combat", ["VTOLs", "missile"]),
    ("dirtside2-iceburg", "ruled", "Artillery and Ammo Supply", ["without a roll"]),
    ("dirtside2-iceburg", "gap", "Emplacements", ["odular", "price"]),
    ("dirtside2-iceburg", "ruled", "Cruise Missiles", ["first element", "dud"]),
    ("fma-skirmish", "ruled", "Suppressed Figures in the Open", ["fell back"]),
]


@pytest.mark.parametrize(("name", "status", "cited", "words"), SETTLED)
def test_what_we_settle_has_a_reason_and_stands_among_the_readings(
    name: str, status: str, cited: str, words: list[str]
) -> None:
    ruleset = load(open_library(), name, [])
    assert ruleset is not None
    entries = [
        one
        for one in statements(ruleset, parents=False)
        if one.provenance.status == status
        and one.provenance.cite_text.endswith(cited)
        and all(word in f"{one.value} {one.provenance.note}" for word in words)
    ]
    assert entries
    assert all(one.provenance.note for one in entries)
    _, table = readings_block(ruleset, ReadingsBlock(readings=("ruled", "gap"), parents=False))
    assert isinstance(table, Table)
    printed = " ".join(cell.text for row in table.rows for cell in row)
    assert any(one.provenance.note in printed for one in entries)
