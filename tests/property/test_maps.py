"""Maps of any table: no text lies on another text or on a sign, and every name is printed.

The oracle measures the letters themselves, with the widths that their font files have, and looks for signs in the
picture.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Literal, NamedTuple

import font_source_sans_pro
import pytest
from fontTools.ttLib import TTFont

from generator.render.blocks import Map, MapEntry, MapMark, MapPiece, MapShape, MapZone
from generator.render.maps.map import draw_map, fitted, whole_height

if TYPE_CHECKING:
    from generator.render.drawing import Drawing, Label

pytestmark = pytest.mark.slow

FILES = {400: "Regular", 600: "Semibold", 700: "Bold"}
ASCENT, DESCENT = 0.74, 0.23
"""How far letters reach from their baseline, in sizes of their type."""
NAMES = ("Copse", "The long wall", "Old battery on the ridge", "Mill", "Sallow Water", "A", "Number Two shaft")
TABLES = [(72, 48), (48, 48), (36, 36), (24, 24), (120, 60), (240, 12), (12, 240), (12.5, 13)]
EDGES: list[Literal["north", "east", "south", "west"]] = ["north", "east", "south", "west"]


class Box(NamedTuple):
    """What a text or a sign covers."""

    what: str
    left: float
    top: float
    right: float
    bottom: float

    def on(self, other: Box) -> bool:
        wide = min(self.right, other.right) - max(self.left, other.left)
        return wide > 0.02 and min(self.bottom, other.bottom) - max(self.top, other.top) > 0.02


@cache
def advances(weight: int) -> dict[str, float]:
    path = Path(next(iter(font_source_sans_pro.__path__)), "files", f"SourceSansPro-{FILES[weight]}.ttf")
    with TTFont(path) as font:
        units, widths = font["head"].unitsPerEm, font["hmtx"].metrics
        return {chr(code): widths[name][0] / units for code, name in font.getBestCmap().items()}


def covered(label: Label) -> Box:
    """The letters of a text, and the ground behind them where there is one."""
    length = {key: float(value) for key, value in re.findall(r"([a-z-]+):(-?[\d.]+)mm", label.style)}
    size, left, right = length["font-size"], length["left"], length["left"] + length["width"]
    weight = re.search(r"font-weight:(\d+)", label.style)
    widths = advances(int(weight[1]) if weight else 600)
    lines = label.text.split("\n")
    wide = max(sum(widths[letter] for letter in line) for line in lines) * size
    begins = left if "text-align:left" in label.style else (left + right - wide) / 2
    ends = begins + wide
    if "background" in label.style:
        begins, ends = min(begins, left), max(ends, right)
    # A line's box has its letters in the middle: their font's own line is as much higher above as below.
    baseline = length["top"] + length["line-height"] / 2 + size * (ASCENT - DESCENT) / 2
    down = length["line-height"] * (len(lines) - 1)
    return Box(label.text, begins, baseline - 0.66 * size, ends, baseline + down + 0.2 * size)


def signs(drawn: Drawing) -> list[Box]:
    """Discs, rings, and squares on their corner, wherever they stand on the table."""
    svg = str(drawn.svg).partition('stroke="#111" stroke-width="0.6"/>')[2]
    number = r"(-?[\d.]+)"
    round_ = re.findall(rf'<circle cx="{number}" cy="{number}" r="(2\.[23])"', svg)
    found = [Box("disc", float(x) - float(r), float(y) - float(r), float(x) + float(r), float(y) + float(r))
             for x, y, r in round_]  # fmt: skip
    for x, y, far in re.findall(rf'<path d="M{number} {number}l(2\.8\d) 2\.8\dl-2\.8\d', svg):
        reach = float(far) / 2  # the square that fits into it: letters and names keep off its corners, too
        found.append(Box("square", float(x) - reach, float(y), float(x) + reach, float(y) + 4 * reach))
    return found


def plan(chance: Random, size: tuple[float, float], pieces: int) -> Map:
    wide, deep = size

    def spot() -> tuple[float, float]:
        return round(chance.uniform(0, wide), 1), round(chance.uniform(0, deep), 1)

    def shape(kinds: int = 3) -> MapShape:
        x, y = spot()
        kind = chance.randrange(kinds)
        if kind == 0:
            return MapShape(((x, y),), radius=chance.uniform(0.5, wide / 8))
        if kind == 2:
            return MapShape(((x, y), spot(), spot()), wide=chance.choice([0.5, 1, 2.5]))
        across, down = chance.uniform(1, wide / 5), chance.uniform(1, deep / 5)
        return MapShape(((x, y), (x + across, y), (x + across, y + down), (x, y + down)))

    heap = spot()
    patterns = ("trees", "slope", "road", "houses", "wall")
    return Map(
        wide,
        deep,
        tuple(MapPiece(chance.choice(patterns), shape(), chance.choice(NAMES)) for _ in range(pieces)),
        tuple(MapZone(shape(2), chance.choice(NAMES), side) for side in (0, 1, 1)),
        tuple(MapEntry(letter, chance.choice(EDGES), 0, min(size), chance.randrange(2)) for letter in "ABC"),
        tuple(
            MapMark(sign, heap if chance.random() < 0.3 else spot(), chance.choice([0, 2]), "", sign.isdigit())
            for sign in ("1", "2", "3", "Z", "Y")
        ),
        (("trees", "Light woods"), ("slope", "Hill")),
        ("Red", "Blue"),
        ("", ""),
        "A table",
        "Table",
        chance.choice([60, 100, 150]) if deep <= 60 else 150,
    )


@pytest.mark.parametrize("size", TABLES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_text_lies_on_another_and_every_name_is_told(size: tuple[float, float]) -> None:
    chance = Random(f"{size}")  # noqa: S311 - not for secrets
    for pieces in (6, 30):
        given = plan(chance, size, pieces)
        drawn = draw_map(given, "mono", 186)
        texts = [covered(one) for one in drawn.labels]
        assert not [(one.what, other.what) for one, other in combinations(texts, 2) if one.on(other)]
        names = [one for one in texts if one.what not in ("1", "2", "3", "A", "B", "C", "Y", "Z")]
        stands = signs(drawn)
        assert len(stands) >= len(given.marks) + len(given.entries)
        assert not [(one.what, sign.what) for one in names for sign in stands if one.on(sign)]
        told = [re.sub(r" \(.* north\)$", "", one.what.replace("\n", " ")) for one in texts]
        wanted = [one.name for one in given.pieces] + [one.name for one in given.zones]
        for name in set(wanted):
            assert told.count(name) >= wanted.count(name)


def test_a_name_without_a_place_has_a_number_that_no_objective_has_and_that_stands_below() -> None:
    square = MapShape(((20, 20), (23, 20), (23, 23), (20, 23)))
    pieces = tuple(MapPiece("houses", square, f"The house of number {number}") for number in range(20))
    marks = tuple(MapMark(str(number), (4.0 * number, 4)) for number in range(1, 11))
    given = Map(72, 48, pieces, (), (), marks, (("houses", "Village"),), (), (), "A table", "Table", 60)
    drawn = draw_map(given, "mono", 186)
    texts = [one.text for one in drawn.labels]
    below = texts[texts.index("Names on the map") + 1 :]
    numbers, names = below[::2], below[1::2]
    assert numbers == [str(number) for number in range(21, 21 + len(numbers))]
    assert all(name in {one.name for one in pieces} for name in names)
    assert all(texts.count(number) == 2 for number in numbers)
    assert {one.replace("\n", " ") for one in texts} >= {one.name for one in pieces}


def test_a_map_with_the_names_below_it_fits_where_it_was_fitted() -> None:
    given = plan(Random(5), (72, 48), 50)  # noqa: S311 - not for secrets
    made = fitted(given, "mono", 186, 140)
    assert whole_height(made, "mono", 186) <= 140.0001
    assert "Names on the map" in [one.text for one in draw_map(made, "mono", 186).labels]
    high = re.search(r"height:([\d.]+)mm", draw_map(made, "mono", 186).style)
    assert high is not None
    assert float(high[1]) <= 140


def test_signs_of_one_place_stand_beside_each_other_and_lead_there() -> None:
    marks = (MapMark("1", (20, 20)), MapMark("2", (20, 20)), MapMark("Z", (20.5, 20), objective=False))
    given = Map(72, 48, (), (), (), marks, (), (), (), "A table", "Table")
    drawn = draw_map(given, "mono", 186)
    stands = signs(drawn)
    assert len(stands) == len(marks)
    assert not [1 for one, other in combinations(stands, 2) if one.on(other)]
