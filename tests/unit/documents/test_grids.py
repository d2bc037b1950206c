"""Grids of odds: what stands above them, and rows that read the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from generator.commands.access import open_library
from generator.documents.blocks.composition import Composition
from generator.documents.blocks.odds import GridBlock
from generator.documents.blocks.readings import holds
from generator.rules.load.load import load

if TYPE_CHECKING:
    from generator.problems import Problem
    from tests.conftest import Bench
    from tests.unit.documents.conftest import Print

pytestmark = pytest.mark.slow

POKE = """\
procedure: poke
title: Poke
cite: p. 4
steps: [Roll.]
inputs:
  stick: {label: Stick, of: [twig, cane, pole, log]}
  wall: {label: Wall, range: 1..2}
  day: {label: Day, of: [dry, wet]}
outcomes:
  - {outcome: through, label: Through}
  - {outcome: bent, label: Bent}
cases:
  - rolls: [{roll: d, die: 6}]
    results:
      - {outcome: through, when: "d > (wall + 2 if stick == 'pole' or stick == 'cane' and day == 'wet' else wall)"}
      - {outcome: bent}
"""
RULES = Path(__file__).parents[3] / "rulesdata"
GRID = "grid: poke, rows: stick, columns: wall, each: day, measure: {outcomes: [through]}"


def test_a_panel_stands_above_the_names_of_rows_and_columns(bench: Bench, printed: Print) -> None:
    bench.write("tin/procedures/poke.yaml", POKE)
    dry, wet = printed(f"{{{GRID}, head: Rod, along: Depth, panel: Day}}")
    assert [(table.over, table.along, table.columns[0].head) for table in (dry, wet)] == [
        ("Day dry", "Depth\N{NO-BREAK SPACE}→", "Rod\N{NO-BREAK SPACE}↓"),
        ("Day wet", "Depth\N{NO-BREAK SPACE}→", "Rod\N{NO-BREAK SPACE}↓"),
    ]


def test_without_names_the_labels_of_the_inputs_stand_at_the_axes(bench: Bench, printed: Print) -> None:
    bench.write("tin/procedures/poke.yaml", POKE)
    dry, wet = printed(f"{{{GRID}}}")
    assert [(table.over, table.along, table.columns[0].head) for table in (dry, wet)] == [
        ("dry", "Wall\N{NO-BREAK SPACE}→", "Stick\N{NO-BREAK SPACE}↓"),
        ("wet", "Wall\N{NO-BREAK SPACE}→", "Stick\N{NO-BREAK SPACE}↓"),
    ]


@pytest.mark.parametrize("rules", sorted(folder.name for folder in RULES.iterdir() if folder.is_dir()))
def test_every_shipped_grid_names_both_axes(rules: str) -> None:
    """Rows carry an arrow down, columns an arrow across, so that nobody asks whose die is whose."""
    problems: list[Problem] = []
    ruleset = load(open_library(), rules, problems)
    assert ruleset is not None
    for sheet in ruleset.own_sheets():
        for block in sheet.model.blocks():
            if isinstance(block, GridBlock) and block.rows and holds(ruleset, block.when, sheet.place, problems):
                for table in block.compose(Composition(ruleset, sheet.place, problems)):
                    names = table.columns[0].head, table.along
                    assert [name[-1] for name in names] == ["↓", "→"], table.caption
                    assert all(len(name) > 2 for name in names), table.caption
    assert problems == []


def test_neighbouring_rows_that_read_the_same_in_every_panel_are_one(bench: Bench, printed: Print) -> None:
    bench.write("tin/procedures/poke.yaml", POKE)
    dry, wet = printed(f"{{{GRID}, merge: true}}")
    # In the dry, twig and cane and log are alike; in the wet, cane and pole. No pair is alike in both.
    assert [row[0].text for row in dry.rows] == [row[0].text for row in wet.rows] == ["twig", "cane", "pole", "log"]
    only = printed(f"{{{GRID}, merge: true, given: {{day: dry}}}}")
    assert [[cell.text for cell in row] for row in only.rows] == [
        ["twig, cane", "83", "67"],
        ["pole", "50", "33"],
        ["log", "83", "67"],
    ]


def test_a_value_may_have_a_name_of_its_own_in_one_input(bench: Bench, printed: Print) -> None:
    bench.write("tin/procedures/poke.yaml", POKE)
    (table,) = (
        printed(
            "{grid: poke, rows: wall, columns: wall, given: {stick: log, day: dry}, "
            "measure: {outcomes: [through]}, names: {wall=1: thin, '2': thick, stick=1: no}}"
        ),
    )
    assert [row[0].text for row in table.rows] == ["thin", "thick"]


def test_a_grid_with_one_input_is_a_row_of_cells(bench: Bench, printed: Print) -> None:
    bench.write("tin/procedures/poke.yaml", POKE)
    one = "{grid: poke, columns: wall, given: {stick: pole, day: dry}, measure: {outcomes: [through]}, head: Chance}"
    table = printed(one)
    assert [column.head for column in table.columns] == ["", "1", "2"]
    # More than 3 on a die is 3/6, more than 4 is 2/6.
    assert [[cell.text for cell in row] for row in table.rows] == [["Chance", "50", "33"]]


def test_each_panel_of_one_input_names_its_row(bench: Bench, printed: Print) -> None:
    bench.write("tin/procedures/poke.yaml", POKE)
    one = "{grid: poke, columns: wall, each: day, given: {stick: cane}, measure: {outcomes: [through]}}"
    assert [[row[0].text for row in table.rows] for table in printed(one)] == [["dry"], ["wet"]]
