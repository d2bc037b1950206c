"""Maps: to scale, in every ink, every name clear of all pieces, signs and other names."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import shapely

from generator.commands.access import open_library
from generator.commands.scenarios import load_scenario_file, set_up
from generator.documents.pack.maps import battlefield
from generator.render.blocks import INKS, Map, MapEntry, MapMark, MapPiece, MapShape, MapZone
from generator.render.maps.map import draw_map, height
from generator.render.maps.signs import Places, name_width
from generator.render.maps.terrain import LOOKS, Feature, Frame, draw_terrain, swatch
from generator.render.type.text_length import POINT, length
from generator.rules.load.load import ALL, load
from generator.rules.source.library import SCENARIO, Example
from generator.scenarios.files import battles_in_reach
from generator.scenarios.generate.roll import ScenarioRequest

if TYPE_CHECKING:
    from pathlib import Path

    from generator.render.drawing import Drawing, Label
    from generator.scenarios.scenario import Scenario

pytestmark = pytest.mark.slow

LIBRARY = open_library()
BATTLES = list(battles_in_reach(LIBRARY).values())
SQUARE = MapShape(((10, 10), (20, 10), (20, 20), (10, 20)))
EMPTY: dict[str, Any] = {
    "width": 72, "depth": 48, "pieces": (), "zones": (), "entries": (), "marks": (),
    "colours": ("", ""), "alt": "A table", "caption": "Table",
}  # fmt: skip


def plan(**changed: Any) -> Map:
    return Map(**{**EMPTY, **changed})


def table_of(drawn: Drawing, width: float, depth: float) -> Frame:
    """Where the table lies: its border is the one rectangle that is stroked but not filled."""
    [found] = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="[\d.]+" fill="none"', drawn.svg)
    left, top, wide = map(float, found)
    return Frame(left, top, wide / width, width, depth)


def styled(style: str) -> dict[str, float]:
    return {key: float(value) for key, value in re.findall(r"([a-z-]+):(-?[\d.]+)mm", style)}


def letters(label: Label) -> shapely.Polygon:
    """The box around the letters of a label: from the top of capitals to the baseline."""
    at = styled(label.style)
    middle, size = at["left"] + at["width"] / 2, at["font-size"]
    half = length(label.text, size / POINT, "sans-semibold") / 2
    line = at["top"] + at["line-height"] / 2
    return shapely.box(middle - half, line - size * 0.33, middle + half, line + size * 0.33)


@pytest.mark.parametrize(("width", "depth"), [(72, 48), (48, 48), (24, 36), (240, 12), (12, 240), (12.5, 13)])
def test_an_inch_is_as_long_everywhere_and_the_map_fits(width: float, depth: float) -> None:
    given = plan(width=width, depth=depth, highest=186)
    drawn = draw_map(given, "mono", 283)
    [size] = re.findall(r'<rect x="[\d.]+" y="[\d.]+" width="([\d.]+)" height="([\d.]+)" fill="none"', drawn.svg)
    wide, high = map(float, size)
    assert wide / width == pytest.approx(high / depth, abs=0.01)
    room = styled(drawn.style)
    assert room["width"] == 283
    assert room["height"] == pytest.approx(height(given, 283), abs=0.01)
    assert room["height"] <= 186.01


def test_a_ring_has_its_true_size_and_place() -> None:
    drawn = draw_map(plan(marks=(MapMark("1", (18, 12), 3),), highest=186), "mono", 283)
    table = table_of(drawn, 72, 48)
    x, y, radius = map(float, re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', drawn.svg)[0])
    assert (x, y) == pytest.approx(table.at((18, 12)), abs=0.02)
    assert radius == pytest.approx(3 * table.inch, abs=0.02)


def test_the_south_west_corner_is_at_the_lower_left_and_squares_count_from_the_north_west() -> None:
    drawn = draw_map(plan(highest=186), "mono", 283)
    table = table_of(drawn, 72, 48)
    left, top, right, bottom = table.box
    assert table.at((0, 0)) == (left, bottom)
    assert table.at((72, 48)) == pytest.approx((right, top))
    places = {one.text: letters(one).centroid for one in drawn.labels}
    assert [places[letter].x for letter in "ABCDEF"] == pytest.approx(
        [left + (n + 0.5) * 12 * table.inch for n in range(6)], abs=0.1
    )
    assert places["1"].y < places["4"].y


def test_an_arrow_is_on_its_edge_and_says_its_turn() -> None:
    entry = MapEntry("A", "west", 10, 20, 1, 3)
    drawn = draw_map(plan(entries=(entry,), highest=186), "colour", 283)
    table = table_of(drawn, 72, 48)
    [label] = [one for one in drawn.labels if one.text.startswith("A ")]
    assert "3" in label.text
    assert letters(label).centroid.y == pytest.approx(table.at((0, 15))[1], abs=0.5)
    assert 0 < letters(label).bounds[0] - table.left < 12
    leaving = draw_map(plan(entries=(entry._replace(turn=None, leaves=True),), highest=186), "colour", 283)
    assert [one.text for one in leaving.labels if one.text.startswith("A")].count("A") == 2  # a square and the exit
    assert leaving.svg != drawn.svg


@pytest.mark.parametrize("pattern", sorted(LOOKS))
def test_black_inks_have_no_colour_and_low_ink_no_tint(pattern: str) -> None:
    for ink in INKS:
        drawn = swatch(pattern, ink)
        fills = set(re.findall(r'(?:fill|stroke)="(#\w+)"', drawn))
        if ink != "colour":
            assert all(len(set(fill[1:])) == 1 or fill[1:3] == fill[3:5] == fill[5:] for fill in fills), fills
        if ink == "low":
            assert fills <= {"#111", "#fff", "#ffffff"}


def test_no_two_patterns_look_the_same_in_black() -> None:
    assert len({swatch(name, "low") for name in LOOKS}) == len(LOOKS)
    middle = shapely.LineString(((0, 15), (90, 15)))
    names = [name for name, look in LOOKS.items() if look.way]
    ways = {name: draw_terrain(name, [Feature(name, middle.buffer(2), middle, 4)], "low") for name in names}
    assert len({*ways.values()}) == len(names)


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_every_kind_of_terrain_has_a_pattern_of_its_own(name: str) -> None:
    rules = load(LIBRARY, name, [], [(SCENARIO, ALL)])
    assert rules is not None
    drawn = [row["drawn"] for row in rules.tables["terrain"].rows]
    assert set(drawn) <= set(LOOKS)
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("inch", [1.6, 2.4, 3.7, 5.5])
@pytest.mark.parametrize(("many", "size"), [(1, (3, 2)), (2, (4, 3)), (3, (5, 4)), (10, (9, 6)), (24, (12, 12))])
def test_a_map_has_as_many_houses_as_the_lay_list_at_every_scale(many: int, size: tuple[int, int], inch: float) -> None:
    area = shapely.box(0, 0, size[0] * inch, size[1] * inch)
    drawn = draw_terrain("houses", [Feature("houses", area, models=many)], "low")
    [solid] = re.findall(r'<path d="([^"]*)" fill="#111"/>', drawn)
    outlines = [outline for outline in solid.split("M") if outline]
    assert len(outlines) == (2 if many == 1 else many)  # one house has two halves of a roof


def test_the_number_of_a_piece_stands_off_what_lies_on_it() -> None:
    lake = MapPiece("water", MapShape(((10, 10), (40, 10), (40, 40), (10, 40))), "", 71)
    ship = MapPiece("ship", MapShape(((20, 20), (30, 20), (30, 30), (20, 30))), "", 72)
    drawn = draw_map(plan(pieces=(ship, lake), highest=186), "mono", 283)
    table = table_of(drawn, 72, 48)
    places = {label.text: letters(label) for label in drawn.labels if label.text in ("71", "72")}
    assert not places["71"].intersects(table.area(ship.shape))
    assert table.area(lake.shape).covers(places["71"])
    assert table.area(ship.shape).covers(places["72"])


def random_plan(seed: int, size: tuple[int, int], many: int) -> Map:
    chance = Random(seed)  # noqa: S311 - not for secrets
    wide, deep = size

    def shape() -> MapShape:
        x, y = chance.uniform(0, wide), chance.uniform(0, deep)
        kind = chance.randrange(3)
        if kind == 0:
            return MapShape(((x, y),), radius=chance.uniform(0.5, wide / 8))
        if kind == 1:
            ends = [(chance.uniform(0, wide), chance.uniform(0, deep)) for _ in range(2)]
            return MapShape(((x, y), *ends), wide=chance.choice([0.5, 1, 2.5]))
        across, down = chance.uniform(1, wide / 5), chance.uniform(1, deep / 5)
        return MapShape(((x, y), (x + across, y), (x + across, y + down), (x, y + down)))

    names = ("Copse", "The long wall", "Old battery on the ridge", "Mill", "Sallow Water")
    return plan(
        width=wide,
        depth=deep,
        pieces=tuple(
            MapPiece(chance.choice(sorted(LOOKS)), shape(), chance.choice(names), number)
            for number in range(1, many + 1)
        ),
        zones=(MapZone(MapShape(((0, 0), (wide, 0), (wide, deep / 5), (0, deep / 5))), "The start", 0),),
        entries=(MapEntry("A", "north", 0, wide, 0, 2), MapEntry("B", "east", 0, deep, 1, 3)),
        marks=tuple(
            MapMark(sign, (chance.uniform(0, wide), chance.uniform(0, deep)), chance.choice([0, 3]), "", sign.isdigit())
            for sign in ("1", "2", "3", "Z", "Y")
        ),
        highest=186,
    )


@pytest.mark.parametrize("size", [(72, 48), (12, 48)])
def test_texts_keep_off_each_other_and_names_keep_off_everything(size: tuple[int, int]) -> None:
    for seed, many in ((1, 8), (2, 20)):
        given = random_plan(seed, size, many)
        clear_of_all(given)


@pytest.mark.parametrize("battle", BATTLES, ids=lambda battle: battle.name)
def test_every_name_is_on_a_shipped_map_clear_of_all_else(battle: Example) -> None:
    every_name_is_on_the_map(load_scenario_file(LIBRARY, battle.path))


def test_every_name_is_on_a_rolled_map_clear_of_all_else(tmp_path: Path) -> None:
    path = tmp_path / "battle.yaml"
    path.write_text(set_up(LIBRARY, "stargrunt2").roll(ScenarioRequest(4))[0], encoding="utf-8")
    every_name_is_on_the_map(load_scenario_file(LIBRARY, path), but=2)


def every_name_is_on_the_map(scenario: Scenario, but: int = 0) -> None:
    """Assert it for the map of the table on A4, and for a side's on Letter; ``but`` so many have a number alone."""
    plan = battlefield(scenario, scenario.table, [side.name for side in scenario.sides])
    for across, highest in ((277, 186), (182, 190)):
        given = replace(plan, highest=highest)
        texts = {label.text.lower() for label in clear_of_all(given, across)}
        missing = [piece for piece in given.pieces if piece.name and printed_name(piece).lower() not in texts]
        assert len(missing) <= but
        assert {str(piece.number) for piece in missing} <= texts
        assert {zone.name.rpartition(": ")[2].lower() for zone in given.zones} <= {
            text.rpartition(": ")[2] for text in texts
        }


@pytest.mark.parametrize("seed", range(12))
def test_a_name_is_nearest_to_its_own_piece_or_joined_to_it(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - not for secrets
    spots = [(chance.uniform(0, 150), chance.uniform(0, 100)) for _ in range(20)]
    pieces = [shapely.box(x, y, x + chance.uniform(3, 25), y + chance.uniform(3, 15)) for x, y in spots]
    places = Places((0, 0, 150, 100), pieces)
    boxes = []
    lines = []
    for index, piece in enumerate(pieces):
        place = places.name("Gannet Row", 2.83, piece, index)
        if place is None:
            continue
        (x, y), wide = place.middle, name_width("Gannet Row", 2.83)
        name = shapely.box(x - wide / 2, y - 1.4, x + wide / 2, y + 1.4)
        boxes.append(name)
        if place.line is not None:
            lines.append(place.line)
            assert place.line.distance(piece) < 0.01
            assert place.line.distance(name) < 1
            continue
        near = name.distance(piece)
        strangers = [other for other in pieces if other is not piece]
        assert piece.covers(name) or all(near < other.distance(name) for other in strangers)
    assert len(boxes) > len(pieces) / 3
    assert all(first.intersection(second).area < 0.01 for first, second in combinations(boxes, 2))
    assert not any(line.intersects(box.buffer(-0.1)) for line in lines for box in boxes)


def test_names_keep_off_borders_and_each_other_and_lines_end_where_a_piece_is_seen() -> None:
    house, wood, river = shapely.box(40, 40, 50, 50), shapely.box(80, 40, 100, 50), shapely.box(78, 30, 102, 46)
    border = shapely.LineString(((0, 38), (150, 38))).buffer(0.4)
    places = Places((0, 0, 150, 100), [house, wood, river], [border])
    half = name_width("Gannet Row", 2.83) / 2
    boxes = []
    for index, piece in enumerate((house, wood)):
        place = places.name("Gannet Row", 2.83, piece, index)
        assert place is not None
        (x, y) = place.middle
        boxes.append(shapely.box(x - half, y - 1.4, x + half, y + 1.4))
        assert not boxes[-1].intersects(border)
        if place.line is not None:
            assert not river.contains(shapely.Point(place.line.coords[-1]))
    assert boxes[0].distance(boxes[1]) > 2


def test_the_sign_of_a_set_piece_stands_off_a_bridge() -> None:
    bridge = MapPiece("bridge", MapShape(((20, 20), (20, 24)), wide=1.5), "", 1)
    drawn = draw_map(plan(pieces=(bridge,), marks=(MapMark("L", (20, 22), objective=False),), highest=186), "mono", 283)
    [sign] = [letters(label) for label in drawn.labels if label.text == "L"]
    assert sign.distance(table_of(drawn, 72, 48).area(bridge.shape)) > 1


def printed_name(piece: MapPiece) -> str:
    """Return the name of a piece as a map prints it, with its number."""
    return f"{piece.number} {piece.name}" if piece.number and piece.name else piece.name


def clear_of_all(given: Map, across: float = 283) -> tuple[Label, ...]:
    """Return the texts. Assert that no text is small or lies on another, and that no name covers a foreign piece."""
    drawn = draw_map(given, "mono", across)
    table = table_of(drawn, given.width, given.depth)
    boxes = [(label.text, letters(label)) for label in drawn.labels]
    for (first, box), (second, other) in combinations(boxes, 2):
        assert box.intersection(other).area < 0.02, (first, second)
    assert min(styled(label.style)["font-size"] for label in drawn.labels) >= 7 * POINT
    pieces = [(printed_name(piece), table.feature(piece).area) for piece in given.pieces]
    for text, box in boxes:
        own = [area for name, area in pieces if name == text]
        if not own:
            continue
        for name, area in pieces:
            # A name may lie inside its own large piece, and on what its piece lies on.
            lies_under = any(area.buffer(0.2).covers(mine) for mine in own)
            assert name == text or lies_under or box.intersection(area).area < 0.02, (text, name)
    return drawn.labels


def test_a_zone_far_beyond_the_table_is_left_out() -> None:
    zone = MapZone(MapShape(((90, 20), (99, 20), (99, 30), (90, 30))), "The far side", 0)
    assert draw_map(plan(zones=(zone,)), "mono", 283).labels == draw_map(plan(), "mono", 283).labels


def test_a_small_zone_has_its_name_beside_it() -> None:
    zone = MapZone(MapShape(((30, 20), (33, 20), (33, 22), (30, 22))), "Behind the chandler’s", 0)
    drawn = draw_map(plan(zones=(zone,), highest=186), "mono", 283)
    table = table_of(drawn, 72, 48)
    [name] = [letters(label) for label in drawn.labels if label.text == zone.name]
    assert 0 < name.distance(table.area(zone.shape)) < 3


def test_a_piece_without_room_for_its_name_still_has_its_number() -> None:
    sea = MapPiece("water", MapShape(((0, 0), (72, 0), (72, 48), (0, 48))), "The sea", 1)
    rocks = tuple(
        MapPiece(
            "crags", MapShape(((x, y), (x + 5, y), (x + 5, y + 5), (x, y + 5))), f"The rocks of number {x} {y}", 2 + n
        )
        for n, (x, y) in enumerate((x, y) for x in range(0, 30, 5) for y in range(0, 20, 5))
    )
    texts = [label.text for label in draw_map(plan(pieces=(sea, *rocks), highest=186), "mono", 283).labels]
    assert {str(number) for number in range(2, 2 + len(rocks))} <= {text.split()[0] for text in texts}


def test_signs_of_one_point_stand_apart() -> None:
    marks = (MapMark("1", (20, 20)), MapMark("2", (20, 20)), MapMark("Z", (20.5, 20), objective=False))
    drawn = draw_map(plan(marks=marks, highest=186), "mono", 283)
    places = {one.text: letters(one) for one in drawn.labels if one.text in ("2", "Z")}
    assert places["2"].distance(places["Z"]) > 2


def test_facts_stand_below_the_table_as_far_as_there_is_room() -> None:
    facts = tuple((f"fact {number}", f"{number} %") for number in range(40))
    drawn = draw_map(plan(facts=facts, highest=186), "mono", 283)
    texts = [label.text for label in drawn.labels]
    assert "fact 0" in texts
    assert "fact 39" not in texts
    assert all(letters(one).bounds[2] < 283 for one in drawn.labels)
