"""Maps: to scale, in every ink, every name on the table and none on another."""

from __future__ import annotations

import re
from itertools import combinations, cycle
from math import hypot
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library
from generator.commands.scenarios import load_scenario_file
from generator.documents.pack.booklets import side_booklet, umpire_sheet
from generator.documents.pack.maps import map_sheet
from generator.render.blocks import INKS, PAPERS, Map, MapEntry, MapMark, MapPiece, MapShape, MapZone
from generator.render.geometry import geometry
from generator.render.maps.areas import Area, box
from generator.render.maps.battlefield import RING, Frame, grounds, moved, spots
from generator.render.maps.map import draw_map, fitted, whole_height
from generator.render.maps.terrain import LOOKS, draw_terrain
from generator.render.page.columns import arranged
from generator.render.page.html import portions
from generator.render.page.page_setup import Setting
from generator.render.page.pdf import boxes_of
from generator.rules.load.load import ALL, load
from generator.rules.source.library import SCENARIO
from generator.scenarios.battles import battles_in_reach

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.blocks import Paper
    from generator.render.drawing import Drawing
    from generator.rules.load.examples import Example

pytestmark = pytest.mark.slow

SQUARE = MapShape(((10, 10), (20, 10), (20, 20), (10, 20)))
EMPTY: dict[str, Any] = {
    "width": 72, "depth": 48, "pieces": (), "zones": (), "entries": (), "marks": (), "kinds": (),
    "sides": ("Red", "Blue"), "colours": ("", ""), "alt": "A table", "caption": "Table",
}  # fmt: skip


def plan(**changed: Any) -> Map:
    return Map(**{**EMPTY, **changed})


def frame(svg: str) -> tuple[float, ...]:
    """Where the table lies: its border is the one heavy rectangle."""
    [found] = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="none"', svg)
    return tuple(map(float, found))


def styled(style: str) -> dict[str, float]:
    return {key: float(value) for key, value in re.findall(r"([a-z-]+):([\d.]+)mm", style)}


@pytest.mark.parametrize(("width", "depth"), [(72, 48), (48, 48), (24, 36), (240, 12), (12, 240), (12.5, 13)])
@pytest.mark.parametrize("across", [186, 90])
def test_an_inch_is_as_long_everywhere_and_the_table_fits(width: float, depth: float, across: float) -> None:
    drawn = draw_map(plan(width=width, depth=depth, highest=120), "mono", across)
    left, top, wide, high = frame(drawn.svg)
    assert wide / width == pytest.approx(high / depth, abs=0.01)
    assert high <= 120.01
    room = styled(drawn.style)
    assert left + wide <= room["width"] == across
    assert top + high <= room["height"]
    assert room["height"] == pytest.approx(
        whole_height(plan(width=width, depth=depth, highest=120), "mono", across), abs=0.01
    )


def test_a_map_with_all_that_stands_around_it_is_no_higher_than_its_room() -> None:
    high = plan(width=36, depth=72, pieces=(MapPiece("Wood", SQUARE, "trees"),), kinds=(("trees", "Woods"),))
    assert styled(draw_map(high, "mono", 130).style)["height"] > 150
    drawn = draw_map(fitted(high, "mono", 130, 150), "mono", 130)
    assert 140 < styled(drawn.style)["height"] <= 150.01


def test_a_circle_stands_where_it_was_put() -> None:
    drawn = draw_map(plan(marks=(MapMark("1", (18, 12), 3),)), "mono", 186)
    left, top, wide, high = frame(drawn.svg)
    inch = wide / 72
    circles = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', drawn.svg)
    x, y, radius = map(float, circles[0])
    assert (x, y) == pytest.approx((left + 18 * inch, top + high - 12 * inch), abs=0.02)
    assert radius == pytest.approx(3 * inch, abs=0.02)


@pytest.mark.parametrize(("edge", "start"), [("north", (0, 1)), ("south", (0, 0)), ("west", (0, 0)), ("east", (1, 0))])
def test_an_entry_lies_on_its_edge(edge: Any, start: tuple[int, int]) -> None:
    drawn = draw_map(plan(entries=(MapEntry("A", edge, 0, 6, 0),)), "mono", 186)
    left, top, wide, high = frame(drawn.svg)
    bars = re.findall(
        r'<path d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)" fill="none" stroke="#333" stroke-width="1.4"', drawn.svg
    )
    x, y = float(bars[0][0]), float(bars[0][1])
    assert (x, y) == pytest.approx((left + wide * start[0], top + high * (1 - start[1])), abs=0.02)


@pytest.mark.parametrize("edge", ["north", "south", "west", "east"])
def test_the_sign_of_an_entry_stands_on_its_edge_however_small_the_map(edge: Any) -> None:
    """Three come on there, and what is fought for lies where the middle of the edge is."""
    at: dict[str, tuple[float, float]] = {"north": (36, 48), "south": (36, 0), "west": (0, 24), "east": (72, 24)}
    size = 72 if edge in ("north", "south") else 48
    entries = tuple(MapEntry(sign, edge, 0, size, number) for number, sign in enumerate("ABC"))
    sides = {"sides": ("Red", "Blue", "Green"), "colours": ("red", "blue", "green")}
    drawn = draw_map(plan(entries=entries, marks=(MapMark("1", at[edge]),), highest=40, **sides), "mono", 186)
    rings = [(float(x), float(y)) for x, y in re.findall(rf'<circle cx="([\d.]+)" cy="([\d.]+)" r="{RING}"', drawn.svg)]
    left, top, wide, high = frame(drawn.svg)
    lies, far = {"north": (1, top), "south": (1, top + high), "west": (0, left), "east": (0, left + wide)}[edge]
    assert [one[lies] for one in rings] == pytest.approx([far] * 3, abs=0.02)
    along = [(left, left + wide), (top, top + high)][1 - lies]
    assert all(along[0] <= one[1 - lies] <= along[1] for one in rings)
    for one, other in combinations([*[ring[1 - lies] for ring in rings], sum(along) / 2], 2):
        assert abs(one - other) >= 2 * RING  # of each other, and of the objective


def test_names_stay_on_the_table_and_off_each_other() -> None:
    spots = [(4, 4), (4, 7), (6, 40), (68, 46), (70, 2), (36, 24), (37, 25), (38, 26), (36, 23)]
    pieces = tuple(
        MapPiece("trees", MapShape((spot,), radius=1.5), f"The wood of number {n}") for n, spot in enumerate(spots)
    )
    drawn = draw_map(plan(pieces=pieces), "colour", 186)
    left, top, wide, high = frame(drawn.svg)
    called = [styled(one.style) for one in drawn.labels if one.text.startswith("The wood")]
    assert len(called) == len(spots)
    boxes = [
        (one["left"], one["top"], one["left"] + one["width"], one["top"] + one["font-size"] * 1.2) for one in called
    ]
    for a, b, c, d in boxes:
        assert left <= a
        assert c <= left + wide
        assert top - 1 <= b
        assert d <= top + high + 1
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] + 0.3 or other[3] <= one[1] + 0.3


@pytest.mark.parametrize("pattern", sorted(LOOKS))
def test_with_little_ink_and_in_black_a_pattern_has_no_colour_and_with_little_ink_no_tint(pattern: str) -> None:
    shapes = [box(0, 0, 30, 20), Area(((0, 0), (30, 5)), 3)]
    for ink in INKS:
        drawn = draw_terrain(pattern, shapes, ink)
        fills = set(re.findall(r'(?:fill|stroke)="(#\w+)"', drawn))
        if ink != "colour":
            assert all(len(set(fill[1:])) == 1 or fill[1:3] == fill[3:5] == fill[5:] for fill in fills), fills
        if ink == "low":
            assert fills <= {"#111", "#fff", "#ffffff"}


@pytest.mark.parametrize("area", [box(0, 0, 40, 30), Area(((0, 15), (40, 15)), 4)], ids=["area", "way"])
def test_no_two_patterns_look_the_same_in_black(area: Area) -> None:
    drawn = {name: draw_terrain(name, [area], "low") for name in LOOKS}
    kinds = [
        name for name in drawn
        if not area.wide or name in ("stream", "brook", "road", "bridge", "ford", "wall")
    ]  # fmt: skip
    assert len({drawn[name] for name in kinds}) == len(kinds)


@pytest.mark.parametrize("name", open_library().ids())
def test_every_kind_of_terrain_has_a_pattern_of_its_own(name: str) -> None:
    rules = load(open_library(), name, [], [(SCENARIO, ALL)])
    assert rules is not None
    drawn = [row["drawn"] for row in rules.tables["terrain"].rows]
    assert set(drawn) <= set(LOOKS)
    assert len(set(drawn)) == len(drawn)


def test_the_legend_has_all_that_is_drawn() -> None:
    drawn = draw_map(
        plan(
            pieces=(MapPiece("trees", SQUARE, "Copse"),),
            zones=(MapZone(SQUARE, "Line", 1),),
            entries=(MapEntry("A", "west", 0, 6, 0),),
            marks=(MapMark("1", (5, 5), 2), MapMark("Z", (9, 9), 3, objective=False)),
            kinds=(("trees", "Light woods"),),
        ),
        "mono",
        186,
    )
    texts = [one.text for one in drawn.labels]
    for wanted in (
        "Light woods",
        "Zone of Blue",
        "Entry of Red",
        "Objective",
        "Held within",
        "Set piece",
        "Its reach",
        "Copse",
        "Line",
        "A",
        "1",
        "Z",
        "N",
        "72″",
        "48″",
    ):
        assert wanted in texts
    assert "Zone of Red" not in texts


def test_a_sign_beside_its_place_keeps_off_circles_and_its_line_off_other_signs() -> None:
    """Three lie on one place, in a circle; signs are all around, but for the east."""
    around = [(x, y) for x in (29, 36, 43) for y in (17, 24, 31) if (x, y) not in ((36, 24), (43, 24))]
    marks = [MapMark("1", (36, 24), 3), *(MapMark("Z", spot, objective=False) for spot in around)]
    marks += [MapMark("Y", (36, 24), objective=False), MapMark("X", (36, 24), objective=False)]
    table = Frame(0, 0, 2.0, 144, 96)
    (at, *others, first, second) = spots(plan(marks=tuple(marks)), table)
    assert (at, others) == (table.at((36, 24)), [table.at(one) for one in around])
    assert first[1] == at[1]
    assert first[0] - at[0] > 3 * 2.0 + 3  # in the east, off the circle
    assert second != at  # farther east its line would run through the other's sign: better on the circle
    assert hypot(second[0] - at[0], second[1] - at[1]) < 3 * 2.0


def test_a_sign_on_a_bridge_stands_beside_it_on_its_circle() -> None:
    mark, table = MapMark("1", (36, 24), 3), Frame(0, 0, 2.0, 144, 96)
    bridge, road = (MapPiece("bridge", MapShape(((36, 24 - far), (36, 24 + far)), wide=1), "") for far in (2, 20))
    assert spots(plan(pieces=(road,), marks=(mark,)), table) == [table.at((36, 24))]
    [spot] = spots(plan(pieces=(road, bridge), marks=(mark,)), table)
    assert spot == pytest.approx(table.at((39, 24)))
    at = table.at((36, 24))
    assert moved(mark, spot, table) == moved(mark, at, table) == ""  # the circle leads to it
    assert moved(mark, (at[0] + 12, at[1]), table)


# What a name lies on

LIBRARY = open_library()
BATTLES = list(battles_in_reach(LIBRARY).values())
COVERED = 0.5


def maps_of(one: Example, paper: Paper) -> Iterator[tuple[Map, float]]:
    """Every map of a battle that names anything: everybody's, each side's and the umpire's, with their widths."""
    scenario = load_scenario_file(LIBRARY, one.path)
    assert scenario.table is not None
    sheets = [map_sheet(scenario, scenario.table, ""), umpire_sheet(scenario, "")]
    sheets += [side_booklet(scenario, side, "") for side in scenario.sides]
    made = (arranged(sheet, paper, "mono", Setting(), boxes_of) for sheet in sheets if sheet is not None)
    for row in (row for sheet in made for row in sheet.rows):
        for portion, column in zip(portions(row.shares, len(row.columns)), row.columns, strict=True):
            for block in (block for section in column for block in section.blocks):
                if isinstance(block, Map):
                    yield block, geometry(paper).across(portion)


def called(drawn: Drawing) -> Iterator[tuple[str, bool, list[tuple[float, float]]]]:
    """Names that stand on the map, whether of a zone, and places spread over what they cover."""
    for one in drawn.labels:
        if "background" in one.style:
            at = styled(one.style)
            high = at["line-height"] * (one.text.count("\n") + 1)
            spots = [(at["left"] + at["width"] * (x + 0.5) / 12, at["top"] + high * (y + 0.5) / 4)
                     for x in range(12) for y in range(4)]  # fmt: skip
            yield one.text.replace("\n", " "), "italic" in one.style, spots


def part_on(spots: Sequence[tuple[float, float]], area: Area) -> float:
    return sum(area.holds(spot) for spot in spots) / len(spots)


def within(area: Area) -> list[tuple[float, float]]:
    """Places spread over an area, or along a way."""
    if area.wide:
        return [area.along(part / 20) for part in range(21)]
    left, top, right, bottom = area.box
    spots = [
        (left + (right - left) * x / 13, top + (bottom - top) * y / 13) for x in range(1, 13) for y in range(1, 13)
    ]
    return [spot for spot in spots if area.holds(spot)]


def misleading(given: Map, across: float) -> Iterator[str]:
    """Names mostly on foreign terrain or, for zones, on a foreign zone; names of features inside do not count."""
    drawn = draw_map(given, "mono", across)
    left, top, wide, high = frame(drawn.svg)
    table = Frame(left, top, wide / given.width, wide, high)
    pieces = [(one.name, table.area(one.shape)) for one in given.pieces]
    zones = [(one.name, table.area(one.shape)) for one in given.zones]
    for name, zone, stands in called(drawn):
        own = [area for known, area in (zones if zone else pieces) if known == name]
        for other, area in [*pieces, *zones] if zone else pieces:
            if other == name or part_on(stands, area) <= COVERED:
                continue
            if not any(part_on(within(one), area) > COVERED or part_on(stands, one) > COVERED for one in own):
                yield f"{name} on {other or 'a piece without a name'}"


@pytest.mark.parametrize(
    ("battle", "paper"), [*zip(BATTLES, cycle(PAPERS))], ids=lambda value: getattr(value, "name", value)
)
def test_no_name_of_a_shipped_battle_lies_on_what_it_does_not_name(battle: Example, paper: Paper) -> None:
    assert [name for given, across in maps_of(battle, paper) for name in misleading(given, across)] == []


def rectangle(left: float, south: float, wide: float, deep: float) -> MapShape:
    east, north = left + wide, south + deep
    return MapShape(((left, south), (east, south), (east, north), (left, north)))


def test_a_name_with_no_fair_place_has_a_number_and_leaves_its_neighbours_theirs() -> None:
    """A shed in the middle of four woods: its name would lie on one of them."""
    woods = ((10, 10, 20, 31), (33, 10, 20, 31), (30, 10, 3, 14), (30, 27, 3, 14))
    pieces = [MapPiece("trees", rectangle(*one), f"Wood {number}") for number, one in enumerate(woods)]
    given = plan(pieces=(*pieces, MapPiece("houses", rectangle(30, 24, 3, 3), "The charcoal shed")))
    texts = [one.text for one in draw_map(given, "mono", 186).labels]
    below = texts[texts.index("Names on the map") :]
    assert "The charcoal shed" in below
    assert {"Wood 0", "Wood 1"} <= {*texts} - {*below}


def test_what_lies_in_a_wood_has_its_name_there() -> None:
    wood = MapPiece("trees", rectangle(5, 5, 60, 40), "The great wood")
    given = plan(pieces=(wood, MapPiece("houses", rectangle(40, 24, 3, 3), "The charcoal shed")))
    drawn = draw_map(given, "mono", 186)
    assert "Names on the map" not in [one.text for one in drawn.labels]
    assert list(misleading(given, 186)) == []


def test_houses_stand_beside_the_road_that_runs_through_them() -> None:
    block, road = box(10, 10, 9, 8), Area(((14.5, 0), (14.5, 40)), 3)
    under = block._replace(under=(road,))
    for area in (block, under):
        assert all(area.holds(spot, 1.6) for spot in area.spread(4.2, 1.6, shift=0.3))
    assert any(road.holds(spot, -1.2) for spot in block.spread(4.2, 1.6, shift=0.3))
    beside = list(under.spread(4.2, 1.6, shift=0.3))
    assert beside
    assert not any(road.holds(spot, -1.2) for spot in beside)
    covered = block._replace(under=(Area(((14.5, 0), (14.5, 40)), 12),))  # no place is left: as if it were not there
    assert list(covered.spread(4.2, 1.6, shift=0.3)) == list(block.spread(4.2, 1.6, shift=0.3))
    [(_, fields), (_, [road])] = grounds(
        plan(
            pieces=(
                MapPiece("road", MapShape(((15, 0), (15, 40)), wide=2), ""),
                MapPiece("furrows", SQUARE, ""),
                MapPiece("furrows", MapShape(tuple((x + 20, y) for x, y in SQUARE.points)), ""),
            )
        ),
        Frame(0, 0, 2.0, 144, 96),
    )
    assert [one.under for one in fields] == [(road,), ()]
