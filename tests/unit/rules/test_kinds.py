"""Kinds: fields, lines and limits of their own, and what they take from the kinds they are based on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from generator.rules.entries.kinds import Kind
    from tests.conftest import Bench

CART = "kind: cart\ntitle: Cart\ncite: p. 8\nbased_on: tank\n"
SLEDGE = "kind: sledge\ntitle: Sledge\ncite: p. 9\nbased_on: cart\n"

JOIN = ', join: {g: "gunz[1]"}'


def cart(bench: Bench, more: str = "") -> Kind:
    bench.write("tin/kinds/cart.yaml", CART + more)
    return bench.rules().kinds["cart"]


def sledge(bench: Bench, more: str = "") -> Kind:
    bench.write("tin/kinds/sledge.yaml", SLEDGE + more)
    return bench.rules().kinds["sledge"]


def names(kind: Kind) -> tuple[list[str], list[str], list[str]]:
    return (
        [field.name for field in kind.fields],
        [line.id for line in kind.lines],
        [limit.id for limit in kind.limits],
    )


def points(kind: Kind) -> list[str]:
    return [line.points.text if line.points else "" for line in kind.lines]


def line(line_id: str, points: str, more: str = "") -> str:
    return f"  - {{line: {line_id}, label: {line_id}, points: {points}, cite: x{more}}}\n"


def test_a_kind_has_fields_with_choices_and_lists_with_fields(bench: Bench) -> None:
    tank = bench.rules().kinds["tank"]
    wall, crewed, weapons = tank.fields
    assert (wall.required, crewed.required, weapons.required) == (True, False, False)
    assert wall.choice is not None
    assert wall.choice.values == (0, 1, 2)
    assert (weapons.choice, [one.name for one in weapons.fields]) == (None, ["gun", "count"])
    assert tank.field("crewed") == crewed
    assert tank.field("crew") is None


def test_a_kind_takes_over_everything(bench: Bench) -> None:
    kind = cart(bench)
    assert names(kind) == names(bench.rules().kinds["tank"])
    assert (kind.id, kind.title, kind.provenance.cite_text) == ("cart", "Cart", "Tin p. 8")
    assert kind.capacity is not None


def test_a_kind_leaves_out_what_it_says(bench: Bench) -> None:
    assert names(cart(bench, "without: [crewed, guns, room]\n")) == (["wall", "weapons"], ["hull", "walls"], [])


def test_what_a_kind_says_anew_takes_the_place_of_what_it_took_over(bench: Bench) -> None:
    kind = cart(
        bench,
        "fields:\n  wall: {label: Planks, range: 0..1}\n  wheels: {label: Wheels, of: [two, four]}\n"
        f"lines:\n{line('walls', 'wall * 2')}{line('wheels', '3')}"
        "limits:\n  - {limit: room, that: capacity_used < 2, blame: weapons, says: One gun., cite: x}\n",
    )
    assert names(kind) == (["wall", "crewed", "weapons", "wheels"], ["hull", "walls", "guns", "wheels"], ["room"])
    assert kind.fields[0].label == "Planks"
    assert points(kind) == ["10", "wall * 2", "count * g.cost", "3"]
    assert kind.limits[0].says == "One gun."


def test_a_kind_may_leave_out_a_line_and_say_it_anew(bench: Bench) -> None:
    kind = cart(bench, f"without: [walls]\nlines:\n{line('walls', '1')}")
    assert points(kind) == ["10", "1", "count * g.cost"]


def test_allowances_are_taken_over_one_by_one(bench: Bench) -> None:
    kind = cart(bench, "allowed: {systems: 2, cite: x}\n")
    assert kind.capacity is not None
    assert kind.systems is not None
    assert (kind.capacity.text, kind.systems.text) == ("4", "2")


def test_a_kind_may_be_based_on_one_that_is_based_on_another(bench: Bench) -> None:
    cart(bench, f"without: [guns]\nlines:\n{line('wheels', '3')}")
    kind = sledge(bench, f"without: [wheels]\nlines:\n{line('runners', '4')}")
    assert names(kind)[1] == ["hull", "walls", "runners"]


def test_what_was_left_out_and_said_anew_on_the_way_is_there(bench: Bench) -> None:
    cart(bench, f"without: [walls]\nlines:\n{line('walls', '1')}")
    assert points(sledge(bench)) == ["10", "1", "count * g.cost"]


def test_what_was_left_out_on_the_way_may_come_back(bench: Bench) -> None:
    cart(bench, "without: [walls]\n")
    assert names(sledge(bench, f"lines:\n{line('walls', '7')}"))[1] == ["hull", "guns", "walls"]


def test_a_line_says_which_kind_it_was_written_for_and_which_rule_set_says_it(bench: Bench) -> None:
    kind = cart(bench, f"lines:\n{line('wheels', '3')}")
    assert [(one.origin, one.owner) for one in kind.lines[-2:]] == [("tank", "tin"), ("cart", "tin")]
    bench.layer("steel", "set: kinds.tank.lines.hull.points, was: 10, to: 12, reason: Heavy., cite: x")
    assert bench.rules("steel").kinds["cart"].lines[0].owner == "steel"


def test_names_of_kinds_and_lines_are_known_to_the_formulas_behind_them(bench: Bench) -> None:
    kind = cart(
        bench,
        "let: {twice: strength * 2}\n"
        f"lines:\n{line('wheels', 'twice + hull', ', name: wheels')}{line('spokes', 'wheels * 2')}"
        "limits:\n  - {limit: spokes, that: wheels < 9 and systems_used == 0, blame: wall, says: x, cite: x}\n",
    )
    assert points(kind)[-2:] == ["twice + hull", "wheels * 2"]


@pytest.mark.parametrize(
    ("more", "code", "caret"),
    [
        (f"lines:\n{line('spokes', 'wheels * 2')}{line('wheels', '3', ', name: wheels')}", "R223", "wheels * 2"),
        (f"lines:\n{line('spokes', 'n * 2')}", "R223", "n * 2"),
        (f"lines:\n{line('spokes', '2 * capacity_used')}", "R223", "capacity_used"),
        (f"lines:\n{line('spokes', 'gun')}", "R223", "gun, cite"),
        (f"lines:\n{line('spokes', 'count', ', each: wall')}", "R228", "wall}"),
        (f"lines:\n{line('spokes', '3', ', for_n: [1, wals]')}", "R223", "wals]"),
        (f"lines:\n{line('spokes', '3', JOIN)}", "R225", "gunz[1]"),
        (f"lines:\n{line('wheels', '3')}{line('wheels', '4')}", "R207", "wheels, label: wheels, points: 4"),
        (f"lines:\n{line('wheels', '3', ', subtotal: 4')}", "R224", "{line: wheels"),
        ("lines:\n  - {line: wheels, label: x, cite: x}\n", "R224", "{line: wheels"),
        ("lines:\n  - {line: wheels, label: x, points: 3}\n", "R209", "{line: wheels"),
        ("limits:\n  - {limit: x, that: yes, blame: wals, says: x, cite: x}\n", "R223", "wals"),
        ("limits:\n  - {limit: x, that: yes, blame: gun, says: x, cite: x}\n", "R223", "gun"),
        ("limits:\n  - {limit: x, that: yes, blame: guns, says: x, cite: x}\n", "R223", "guns"),
        ("limits:\n  - {limit: x, each: gun, that: count < 2, blame: count, says: x, cite: x}\n", "R228", "gun"),
        ("without: [wheels]\n", "R232", "wheels"),
        ("without: [title]\n", "R232", "title"),
        ("fields:\n  x: {label: X}\n", "R224", "{label: X}"),
        ("fields:\n  x: {label: X, range: 1..2, list: {y: {label: Y, range: 1..2}}}\n", "R224", "{label: X"),
        ("let: {a: b, b: wall}\n", "R223", "b, b"),
    ],
)
def test_a_slip_is_one_problem_in_the_kind_that_makes_it(bench: Bench, more: str, code: str, caret: str) -> None:
    bench.write("tin/kinds/cart.yaml", CART + more)
    bench.write("tin/kinds/sledge.yaml", SLEDGE)
    (problem,) = bench.load("tin")[1]
    assert problem.code == code
    assert problem.span.file.endswith("/tin/kinds/cart.yaml")
    assert problem.span.text[problem.span.column - 1 :].startswith(caret)


def test_a_limit_of_a_list_may_blame_a_field_of_its_entries(bench: Bench) -> None:
    kind = cart(bench, "limits:\n  - {limit: x, each: weapons, that: count < 3, blame: gun, says: x, cite: x}\n")
    assert (kind.limits[-1].each, kind.limits[-1].blame, kind.limits[-1].severity) == ("weapons", "gun", "error")


def test_a_limit_may_be_advice(bench: Bench) -> None:
    limit = "  - {limit: x, that: wall > 0, blame: wall, says: Take a wall., severity: advice, cite: x}\n"
    assert cart(bench, f"limits:\n{limit}").limits[-1].severity == "advice"


def test_a_field_whose_table_is_not_there_is_one_problem(bench: Bench) -> None:
    bench.write(
        "tin/kinds/cart.yaml", f"{CART}fields:\n  load: {{label: Load, from: loads}}\nlines:\n{line('x', 'load * 2')}"
    )
    assert bench.problems() == ["R225 tin/kinds/cart.yaml:6:29 the table loads"]


def test_a_missing_table_is_told_once_by_all_kinds_and_procedures(bench: Bench) -> None:
    bench.write("tin/kinds/cart.yaml", f"{CART}fields:\n  load: {{label: Load, from: loads}}\n")
    bench.change("tin/procedures/shoot.yaml", "when: shots > 2", 'when: "loads[shots] > 2"')
    assert bench.problems() == ["R225 tin/kinds/cart.yaml:6:29 the table loads"]


def test_a_circle_of_kinds_is_told_once_and_what_is_based_on_it_says_nothing(bench: Bench) -> None:
    bench.write("tin/kinds/cart.yaml", CART.replace("tank", "sledge"))
    bench.write("tin/kinds/sledge.yaml", SLEDGE)
    bench.write("tin/kinds/toy.yaml", SLEDGE.replace("kind: sledge", "kind: toy"))
    assert bench.problems() == ["R229 tin/kinds/cart.yaml:4:11 cart > sledge > cart"]


def test_a_kind_based_on_itself_is_a_circle_too(bench: Bench) -> None:
    bench.write("tin/kinds/cart.yaml", CART.replace("tank", "cart"))
    assert bench.problems() == ["R229 tin/kinds/cart.yaml:4:11 cart > cart"]


def test_a_kind_whose_base_cannot_be_read_says_nothing(bench: Bench) -> None:
    bench.write("tin/kinds/cart.yaml", f"{CART}lines:\n{line('x', 'hull')}")
    bench.write("tin/kinds/tank.yaml", "kind: tank\n")
    assert [one[:26] for one in bench.problems()] == ["R201 tin/kinds/tank.yaml:1"]


def test_a_kind_that_leans_on_a_broken_table_is_left_out_without_a_word(bench: Bench) -> None:
    bench.change("tin/tables/guns.yaml", "die: D6", "die: D0")
    rules, problems = bench.load("tin")
    assert rules is not None
    assert [one.code for one in problems] == ["R206"]
    assert rules.kinds == {}
