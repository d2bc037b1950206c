"""Where a piece of rule data stands: in its own file or in a layer's, and at which character of a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.parsing.yaml12 import parse_yaml
from generator.rules.source.parts import Part

if TYPE_CHECKING:
    from generator.parsing.text import Path
    from tests.conftest import Bench


def part_of(text: str) -> Part:
    document, problems = parse_yaml(text, "a.yaml")
    assert document is not None
    assert problems == ()
    return Part("tin", document)


def caret(text: str, path: Path, offset: int | None) -> str:
    """What the caret of a problem stands under."""
    span = part_of(text).place(path).problem("R223", found="x", expected="y", offset=offset).span
    return span.text[span.column - 1 :]


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("points: size * wall", 0, "size * wall"),
        ("points: size * wall", 7, "wall"),
        ("points: size *", 6, ""),
        ("points: 'size * wall'", 0, "size * wall'"),
        ("points: 'size * wall'", 7, "wall'"),
        ('points: "size * wall"', 7, 'wall"'),
        ("points: 'guns[''pop''].die'", 12, "die'"),
        ('points: "guns[\\"pop\\"].die"', 12, 'die"'),
        ("points: >-\n  size *\n  wall", 7, ">-"),
        ("points: |\n  size\n", 0, "|"),
        ("points: 'size *\n  wall'", 7, "'size *"),
        ("points: size *\n  wall", 7, "size *"),
    ],
)
def test_a_place_in_a_formula_counts_quotation_marks_as_they_are_typed(text: str, offset: int, expected: str) -> None:
    assert caret(text, ("points",), offset) == expected


def test_without_an_offset_the_place_is_the_value_with_its_quotation_mark() -> None:
    assert caret("points: 'size'", ("points",), None) == "'size'"


def test_what_is_missing_is_looked_for_at_the_key_of_what_lacks_it() -> None:
    part = part_of("lines:\n  - {line: hull}\n")
    assert (part.place(("lines", 0, "points")) / "x").span()[1:3] == (2, 5)
    assert part.place(("limits",)).span()[1:3] == (1, 1)


def test_what_a_layer_wrote_stands_in_the_layers_file(bench: Bench) -> None:
    bench.layer("steel", 'set: "tables.guns[pop].cost", was: 3, to: 9, reason: Dearer., cite: x')
    row = bench.rules("steel").tables["guns"].rows[0]
    assert row["cost"] == 9
    assert row.place.span().file.endswith("tin/tables/guns.yaml")
    written = (row.place / "cost").span()
    assert (written.file.removeprefix(f"{bench.folder}/"), written.line) == ("steel/changes.yaml", 2)
    assert written.text[written.column - 1 :].startswith("9, reason")


def test_what_stands_behind_a_removed_entry_is_still_found_where_it_was_written(bench: Bench) -> None:
    bench.layer("steel", "remove: kinds.tank.lines.walls, reason: No walls.")
    line = bench.rules("steel").kinds["tank"].lines[1]
    assert line.id == "guns"
    bench.change("tin/kinds/tank.yaml", "count * g.cost", "count * g.kost")
    assert bench.problems("steel") == ["R223 tin/kinds/tank.yaml:17:101 kost"]
