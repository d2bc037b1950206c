"""Cards as data: every slip in one has its code, at its line and column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Bench

CARD = """\
card: tank
cite: p. 9
symbol: {frame: "'land'", signs: [{sign: armour}], size: wall}
strip:
  - {stat: wall, label: Wall, show: wall}
  - {stat: hull, label: Hull, line: hull}
tables:
  - table: guns
    title: Guns
    each: weapons
    join: {g: "guns[gun]"}
    rows:
      - {label: "{count} x {gun}", let: {many: count}}
    columns:
      - {head: Die, die: g.die}
    odds:
      ask: shoot
      with: {gun: gun}
      chance: [hit]
      says: hit
      at: walls
also: [walls]
boxes:
  - {box: lost, label: Lost, count: strength}
target: {wall: wall}
references:
  - reference: walls
    says: the walls
    targets: [{head: W1, inputs: {wall: 1}}]
"""

SLIPS = {
    "a line that the kind has not": ("line: hull", "line: hill", "R231", "hill"),
    "a line to tell that it has not": ("also: [walls]", "also: [wells]", "R231", "wells"),
    "no such procedure": ("ask: shoot", "ask: shout", "R231", "shout"),
    "no such input": ("with: {gun: gun}", "with: {gin: gun}", "R232", "gin"),
    "no such outcome": ("chance: [hit]", "chance: [hat]", "R232", "hat"),
    "no such reference": ("at: walls", "at: wells", "R231", "wells"),
    "a list that is none": ("each: weapons", "each: wall", "R228", "wall"),
    "a label with an unknown place": ('label: "{count} x {gun}"', 'label: "{count} x {gum}"', "R223", "{gum}"),
    "an unknown name": ("show: wall}", "show: well}", "R223", "well"),
    "an unknown name in a box": ("count: strength", "count: length", "R223", "length"),
    "an unknown name of a target": ("target: {wall: wall}", "target: {wall: well}", "R223", "well"),
    "a figure of a plan that is not known": (
        "also: [walls]",
        "plan: {shape: \"'hull'\", faces: [well]}",
        "R223",
        "well",
    ),
    "an outline that is not drawn": ("also: [walls]", "plan: {shape: \"'hall'\"}", "R203", "hall"),
    "an axis that is no reference": ("also: [walls]", "axes: [wells]", "R231", "wells"),
    "six figures in a strip": (
        "tables:",
        "".join(f"  - {{stat: s{n}, label: Six, show: wall}}\n" for n in range(4)) + "tables:",
        "R203",
        "6 entries",
    ),
    "a head with an unknown place": ("head: W1", 'head: "{well}"', "R223", "{well}"),
    "an unknown column": ("die: g.die", "die: g.dye", "R223", "dye"),
    "a table that is not there": ('g: "guns[gun]"', 'g: "guts[gun]"', "R225", "guts"),
    "two ways to show": ("show: wall}", "show: wall, die: wall}", "R224", "show and die"),
    "no way to show": (", show: wall}", "}", "R224", "none of them"),
    "two ways to show a cell": ("die: g.die", "die: g.die, show: gun", "R224", "show and die"),
    "a stat twice": ("stat: hull", "stat: wall", "R207", "wall"),
    "a sign that is not drawn": ("sign: armour", "sign: amour", "R203", "amour"),
    "a key that no card has": ("also: [walls]", "alsa: [walls]", "R202", "alsa"),
    "a card without a citation": ("cite: p. 9\n", "", "R209", ""),
    "a card for no kind": ("card: tank", "card: tunk", "R303", "tunk"),
}


@pytest.mark.parametrize("what", SLIPS)
def test_a_slip_has_its_code_where_it_stands(bench: Bench, what: str) -> None:
    old, new, code, found = SLIPS[what]
    assert CARD.count(old) == 1
    text = CARD.replace(old, new)
    bench.write("tin/cards/tank.yaml", text)
    (problem,) = bench.load("tin")[1]
    assert problem.code == code
    assert problem.span.file.endswith("tin/cards/tank.yaml")
    assert found in problem.found
    if found and " " not in found:
        line = text.splitlines()[problem.span.line - 1]
        assert line[problem.span.column - 1 :].lstrip("'\"").startswith(found) or found in line
        assert line != CARD.splitlines()[problem.span.line - 1]


def test_a_card_without_a_slip_has_no_problem(bench: Bench) -> None:
    bench.write("tin/cards/tank.yaml", CARD)
    card = bench.rules().cards["tank"]
    assert [one.label for one in card.strip] == ["Wall", "Hull"]


def test_a_card_for_a_kind_that_is_not_there(bench: Bench) -> None:
    bench.write("tin/cards/tunk.yaml", CARD.replace("card: tank", "card: tunk"))
    (problem,) = bench.problems()
    assert problem.split()[0] == "R231"
    assert problem.split()[1].startswith("tin/cards/tunk.yaml:1:")


WAGON = "kind: wagon\ntitle: Wagon\ncite: p. 9\nbased_on: tank\n"


def test_a_card_takes_over_the_parts_of_another(bench: Bench) -> None:
    bench.write("tin/cards/tank.yaml", CARD)
    bench.write("tin/kinds/wagon.yaml", WAGON)
    bench.write(
        "tin/cards/wagon.yaml",
        "card: wagon\nbased_on: tank\ncite: p. 9\nwithout: [hull, lost]\n"
        "strip: [{stat: wall, label: Side, show: wall}]\n",
    )
    card = bench.rules().cards["wagon"]
    assert [one.label for one in card.strip] == ["Side"]
    assert [one.table for one in card.tables] == ["guns"]
    assert card.boxes == ()
    assert card.also == ("walls",)


def test_what_a_target_tells_is_taken_over_by_name(bench: Bench) -> None:
    bench.write("tin/cards/tank.yaml", CARD.replace("target: {wall: wall}", "target: {wall: wall, cover: wall + 1}"))
    bench.write("tin/kinds/wagon.yaml", WAGON)
    bench.write("tin/cards/wagon.yaml", "card: wagon\nbased_on: tank\ncite: p. 9\ntarget: {wall: wall + 5}\n")
    told = {name: formula({"wall": 2}) for name, formula in bench.rules().cards["wagon"].target}
    assert told == {"wall": 7, "cover": 3}


@pytest.mark.parametrize(
    ("says", "code", "place"),
    [
        ("based_on: tonk\ncite: p. 9\n", "R229", "2:11"),
        ("based_on: tank\nwithout: [hall]\ncite: p. 9\n", "R232", "3:11"),
        ("based_on: wagon\ncite: p. 9\n", "R229", "2:11"),
    ],
)
def test_what_a_card_is_based_on_has_to_be_there(bench: Bench, says: str, code: str, place: str) -> None:
    bench.write("tin/cards/tank.yaml", CARD)
    bench.write("tin/kinds/wagon.yaml", WAGON)
    bench.write("tin/cards/wagon.yaml", f"card: wagon\n{says}")
    (problem,) = bench.problems()
    assert problem.split()[:2] == [code, f"tin/cards/wagon.yaml:{place}"]


def test_what_is_wrong_with_a_card_is_told_once(bench: Bench) -> None:
    bench.write("tin/kinds/wagon.yaml", WAGON)
    bench.write("tin/cards/wagon.yaml", "card: wagon\nbased_on: tank\ncite: p. 9\n")
    bench.write("tin/cards/tank.yaml", CARD.replace("target: {wall: wall}", "target: {wall: well}"))
    (problem,) = bench.problems()
    assert problem.split()[:2] == ["R223", "tin/cards/tank.yaml:25:16"]
    bench.write("tin/cards/tank.yaml", CARD.replace("title: ", "titel: ", 1))
    assert all(" tin/cards/tank.yaml:" in problem for problem in bench.problems())


def test_what_a_kind_lacks_of_the_card_that_its_own_is_based_on_names_that_card(bench: Bench) -> None:
    bench.write("tin/cards/tank.yaml", CARD.replace("target: {wall: wall}", "target: {wall: strength}"))
    bench.write(
        "tin/kinds/cart.yaml", "kind: cart\ntitle: Cart\ncite: p. 9\nfields: {wall: {label: Wall, range: 1..5}}\n"
    )
    without = "[hull, guns, walls, lost]"
    bench.write("tin/cards/cart.yaml", f"card: cart\nbased_on: tank\ncite: p. 9\nwithout: {without}\n")
    _, (problem,) = bench.load("tin")
    assert (problem.code, problem.found) == ("R223", "strength")
    assert "the card cart" in problem.hint
