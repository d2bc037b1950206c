"""Tables whose rows are hexes, as diagrams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.commands import rulesets
from generator.documents.blocks.hexes import spans
from generator.render.blocks import Hex, Hexes

if TYPE_CHECKING:
    from tests.conftest import Bench
    from tests.unit.documents.conftest import Print, Refuse

HEAD = """\
table: arcs
title: Fields of fire
cite: p. 6
key: [{key}]
columns:
  q: {{type: int, label: Q, optional: true}}
  r: {{type: {r}, label: R, optional: true}}
  arc: {{type: word, label: Arc, of: [front, rear], optional: true}}
  gun: {{type: word, label: Gun, from: guns, optional: true}}
  name: {{type: word, label: Name, free: true}}
rows:
"""
ROWS = (
    "{q: 0, r: -1, arc: front, gun: pop, name: a}",
    "{q: 1, r: -1, arc: front, gun: cannon, name: b}",
    "{q: 0, r: 1, arc: rear, gun: null, name: c}",
)


def write(bench: Bench, *rows: str, key: str = "q, r", r: str = "int") -> None:
    bench.write("tin/tables/arcs.yaml", HEAD.format(key=key, r=r) + "".join(f"  - {row}\n" for row in rows))


def test_every_row_is_a_hex_with_its_text_and_its_group(bench: Bench, printed: Print) -> None:
    write(bench, *ROWS)
    diagram = printed("{hexes: arcs, text: name, group: arc}")
    assert diagram == Hexes(
        (Hex(0, -1, "a", "front"), Hex(1, -1, "b", "front"), Hex(0, 1, "c", "rear")),
        "Fields of fire: a at 0, -1, b at 1, -1, c at 0, 1",
        8,
        flat=False,
        caption="Fields of fire",
    )


def test_without_a_group_all_hexes_are_one(bench: Bench, printed: Print) -> None:
    write(bench, *ROWS)
    assert {one.group for one in printed("{hexes: arcs, text: name}").hexes} == {""}


def test_size_and_the_side_that_is_up_are_as_the_sheet_says(bench: Bench, printed: Print) -> None:
    write(bench, *ROWS)
    diagram = printed("{hexes: arcs, text: name, size: 12, flat: true}")
    assert (diagram.size, diagram.flat) == (12, True)


def test_words_of_a_table_are_written_by_their_printed_names(bench: Bench, printed: Print) -> None:
    write(bench, *ROWS)
    assert [one.text for one in printed("{hexes: arcs, text: gun}").hexes] == ["Pop gun", "Big cannon", "–"]


def test_numbers_that_follow_each_other_are_a_range_and_other_signs_are_texts() -> None:
    assert spans(["1", "2", "²", "³", "x"]) == "1–2, ², ³, x"


def test_a_centre_is_written_where_the_table_has_no_hex(bench: Bench, printed: Print) -> None:
    write(bench, *ROWS)
    diagram = printed("{hexes: arcs, text: name, group: arc, centre: You}")
    assert diagram.hexes[-1] == Hex(0, 0, "You", "")
    assert diagram.alt.endswith("c at 0, 1, You at 0, 0")
    write(bench, *ROWS, "{q: 0, r: 0, arc: front, name: m}")
    diagram = printed("{hexes: arcs, text: name, group: arc, centre: You}")
    assert [one.text for one in diagram.hexes if (one.q, one.r) == (0, 0)] == ["m"]


def test_a_hex_without_a_text_goes_unsaid(bench: Bench, printed: Print) -> None:
    write(bench, ROWS[0], '{q: 3, r: 3, name: ""}')
    diagram = printed("{hexes: arcs, text: name}")
    assert (len(diagram.hexes), diagram.alt) == (2, "Fields of fire: a at 0, -1")


def test_a_table_of_hexes_is_used(bench: Bench, printed: Print) -> None:
    write(bench, *ROWS)
    printed("{hexes: arcs, text: name}")
    assert rulesets.check((bench.folder,), ("tin",)) == ()


@pytest.mark.parametrize(
    ("block", "code", "field", "found"),
    [
        ("{hexes: arc, text: name}", "R225", "hexes", "the table arc"),
        ("{hexes: arcs, text: nmae}", "R232", "text", "nmae"),
        ("{hexes: arcs, text: name, group: arcs}", "R232", "group", "arcs"),
    ],
)
def test_what_a_diagram_names_must_be_there(
    bench: Bench, refused: Refuse, block: str, code: str, field: str, found: str
) -> None:
    write(bench, *ROWS)
    (problem,) = refused(block)
    at = f"rows[0].columns[0][0].blocks[0].{field}"
    assert (problem.code, problem.field, problem.found) == (code, at, found)


def test_a_table_without_places_is_told(refused: Refuse) -> None:
    told = [(one.code, one.field.rpartition(".")[2], one.found) for one in refused("{hexes: guns, text: words}")]
    assert told == [("R232", "hexes", "q"), ("R232", "hexes", "r")]


@pytest.mark.parametrize(
    ("rows", "key", "r", "found"),
    [
        ((*ROWS, "{q: 0, r: 1, name: d}"), "name", "int", "the table arcs with two hexes at 0, 1"),
        (("{q: 0, r: null, name: d}",), "name", "int", "the table arcs with a hex at 0, nothing"),
        (("{q: null, r: 3, name: d}",), "name", "int", "the table arcs with a hex at nothing, 3"),
        (("{q: 0, r: up, name: d}",), "name", "word", "the table arcs with a hex at 0, up"),
        (("{q: 0, r: yes, name: d}",), "name", "yes_no", "the table arcs with a hex at 0, yes"),
        (("{q: 0, r: 1.5, name: d}",), "name", "number", "the table arcs with a hex at 0, 1.5"),
    ],
)
def test_every_hex_has_a_place_of_its_own(
    bench: Bench, refused: Refuse, rows: tuple[str, ...], key: str, r: str, found: str
) -> None:
    write(bench, *rows, key=key, r=r)
    (problem,) = refused("{hexes: arcs, text: name}")
    assert (problem.code, problem.found) == ("R225", found)
    assert problem.field == "rows[0].columns[0][0].blocks[0].hexes"


@pytest.mark.parametrize(
    ("more", "code"),
    [("size: 3", "R203"), ("size: 21", "R203"), ("size: 8.5", "R203"), ("flat: yes", "R203"), ("side: 3", "R202")],
)
def test_how_it_is_drawn_is_checked(bench: Bench, more: str, code: str) -> None:
    write(bench, *ROWS)
    bench.change("tin/sheets/quick.yaml", "{steps: shoot}", f"{{hexes: arcs, text: name, {more}}}")
    assert [one[:4] for one in bench.problems()] == [code]


def test_a_diagram_needs_a_text(bench: Bench) -> None:
    write(bench, *ROWS)
    bench.change("tin/sheets/quick.yaml", "{steps: shoot}", "{hexes: arcs}")
    assert [(one.code, one.expected) for one in bench.load("tin")[1]] == [("R201", "the key text")]


# The odds of hexes

SCATTER = """\
procedure: scatter
title: Scatter
cite: p. 4
steps: [Roll.]
inputs:
  at: {label: At, from: spots}
  wild: {label: Wild, yes_no: true, default: false}
  calm: {label: Calm, yes_no: true, default: false, when: not wild}
outcomes:
  - {outcome: done, label: Done}
cases:
  - rolls:
      - {roll: d, die: 6}
    results:
      - {outcome: done}
    which:
      spot: "at if d < 4 and not wild else 'b' if d == 4 else none"
      face: d
"""
SPOTS = """\
table: spots
title: Spots
cite: p. 6
key: [spot]
columns:
  spot: {type: word, label: Spot}
  q: {type: int, label: Q}
  r: {type: int, label: R}
  side: {type: word, label: Side}
  mark: {type: text, label: Mark}
rows:
  - {spot: a, q: 0, r: 0, side: left, mark: L}
  - {spot: b, q: 0, r: 1, side: left, mark: L}
  - {spot: c, q: 2, r: 0, side: right, mark: R}
"""
MAP = "{{hexes: spots, text: mark, group: side, flat: true, odds: {{procedure: scatter, which: spot, {more}}}}}"
ONE = "maps: [{title: One, given: {at: a}}], steps: [10, 40]"


@pytest.fixture
def scatter(bench: Bench) -> None:
    bench.write("tin/procedures/scatter.yaml", SCATTER)
    bench.write("tin/tables/spots.yaml", SPOTS)


@pytest.mark.usefixtures("scatter")
def test_each_hex_has_its_chance_and_tint_and_the_one_aimed_at_is_marked(printed: Print) -> None:
    maps = "maps: [{title: Aimed, given: {at: a}}, {title: Wild, given: {at: c, wild: yes}}]"
    aimed, wild, key = printed(MAP.format(more=f"{maps}, steps: [10, 40], aim: at, beside: Off"))
    assert [(one.text, one.tint, one.aim) for one in aimed.hexes] == [
        ("50", 2, True),
        ("17", 1, False),
        ("", 0, False),
    ]
    assert [(one.text, one.tint, one.aim) for one in wild.hexes] == [("", 0, False), ("17", 1, False), ("", 0, True)]
    assert (aimed.title, aimed.under, wild.under) == ("Aimed", "Off: 33 %", "Off: 83 %")
    assert aimed.alt == "Aimed. 50 %: L at 0, 0 (aimed at). 17 %: L at 0, 1. Off: 33 %"
    assert (key.bounds, key.aim) == (("under 10", "10–39", "40 and up"), "aimed at")


@pytest.mark.usefixtures("scatter")
def test_a_text_with_a_place_of_its_own_stands_there_and_in_no_hex(printed: Print) -> None:
    diagram, _ = printed(MAP.format(more=f"{ONE}, names: {{L: [1, 0]}}"))
    assert diagram.names == (Hex(1, 0, "L"),)
    assert [one.below for one in diagram.hexes] == ["", "", "R"]


@pytest.mark.usefixtures("scatter")
def test_each_hex_has_its_text_below(printed: Print) -> None:
    diagram, _ = printed(MAP.format(more=ONE))
    assert (diagram.names, [one.below for one in diagram.hexes]) == ((), ["L", "L", "R"])


@pytest.mark.usefixtures("scatter")
@pytest.mark.parametrize(
    ("more", "told"),
    [
        (f"{ONE}, aim: wild", [("R232", "odds.aim", "wild")]),
        (f"{ONE}, given: {{att: a}}", [("R232", "odds.given.att", "att")]),
        (f"{ONE}, given: {{wild: maybe}}", [("R203", "odds.given.wild", "maybe")]),
        (ONE.replace("at: a", "at: [a, b]"), [("R203", "odds.maps[0].given.at", "a list")]),
        (ONE.replace("at: a", "at: z"), [("R203", "odds.maps[0].given.at", "z")]),
        (ONE.replace("at: a", ""), [("R314", "odds.maps[0].given.at", "nothing")]),
        (ONE.replace("at: a", "at: a, wild: yes, calm: yes"), [("R316", "odds.maps[0].given.calm", "calm")]),
    ],
)
def test_what_the_odds_name_must_be_there(refused: Refuse, more: str, told: list[tuple[str, str, str]]) -> None:
    found = [(one.code, one.field.rpartition("blocks[0].")[2], one.found) for one in refused(MAP.format(more=more))]
    assert found == told


@pytest.mark.usefixtures("scatter")
@pytest.mark.parametrize(
    ("old", "new", "code", "field"),
    [
        ("procedure: scatter", "procedure: scater", "R231", "odds.procedure"),
        ("which: spot", "which: spots", "R232", "odds.which"),
        ("hexes: spots, text: mark, group: side", "hexes: arcs, text: name", "R225", "hexes"),
    ],
)
def test_procedure_distribution_and_table_must_fit(
    bench: Bench, refused: Refuse, old: str, new: str, code: str, field: str
) -> None:
    write(bench, *ROWS)
    found = [
        (one.code, one.field.rpartition("blocks[0].")[2]) for one in refused(MAP.format(more=ONE).replace(old, new))
    ]
    assert found == [(code, field)]


@pytest.mark.usefixtures("scatter")
@pytest.mark.parametrize("steps", ["[]", "[40, 10]", "[10, 10]", "[0, 10]", "[1, 2, 3, 4, 5, 6]", "[10, 100]"])
def test_steps_rise_within_the_five_tints(bench: Bench, steps: str) -> None:
    block = MAP.format(more=ONE.replace("[10, 40]", steps))
    bench.change("tin/sheets/quick.yaml", "{steps: shoot}", block)
    assert [one[:4] for one in bench.problems()] == ["R203"]
