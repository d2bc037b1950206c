"""Grids of odds: what stands above them, and rows that read the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
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
