"""Prices: line by line, rounded as the rule set says, with what is held and which limits are broken."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from generator.forces.designs import read_fields
from generator.forces.pricing import Priced, needs_price, price
from generator.problems import Problem, ProblemsError

if TYPE_CHECKING:
    from generator.rules.entries.kinds import Kind
    from tests.conftest import Bench

CART = """\
kind: cart
title: Cart
cite: p. 8
fields:
  size: {label: Size, range: 0..9}
  gun: {label: Gun, of: [none, pop, cannon], default: none}
  fast: {label: Fast, yes_no: true, default: false}
  spare: {label: Spare, from: guns, default: none}
  loads:
    label: Loads
    list:
      gun: {label: Gun, from: guns}
      class: {label: Class, range: 1..5, default: 1}
      count: {label: How many, range: 1..9, default: 1}
"""


class Shop:
    """A kind in the making, and the price of its designs."""

    def __init__(self, bench: Bench, *lines: str, more: str = "", costs: str = "") -> None:
        told = "".join(f"  - {{{line}, cite: x}}\n" for line in lines)
        bench.write("tin/kinds/cart.yaml", f"{CART}lines:\n{told}{more}")
        if costs:
            bench.change("tin/ruleset.yaml", "source: book\n", f"source: book\ncosts: {costs}\n")
        rules = bench.rules()
        self.kind: Kind = rules.kinds["cart"]
        self.costs = rules.manifest.costs

    def price(self, **design: Any) -> Priced:
        problems: list[Problem] = []
        complete = read_fields(self.kind.fields, {"size": 3, **design}, self.kind.place, problems)
        assert problems == []
        assert complete is not None
        return price(self.kind, complete, self.costs)

    def points(self, **design: Any) -> list[tuple[str, Any]]:
        return [(line.id, line.points) for line in self.price(**design).lines]

    def refused(self, **design: Any) -> str:
        with pytest.raises(ProblemsError) as caught:
            self.price(**design)
        (problem,) = caught.value.problems
        assert problem.code == "R241"
        assert problem.span.file.endswith("kinds/cart.yaml")
        return problem.found


def loads(*entries: tuple[str, int, int]) -> list[dict[str, Any]]:
    return [{"gun": gun, "class": size, "count": count} for gun, size, count in entries]


# Rounding


@pytest.mark.parametrize(
    ("points", "rounded"),
    [("9.6", 10), ("13.5", 14), ("13.4", 13), ("5 / 2", 3), ("1 / 3", 0), ("-5 / 2", -2), ("size / 2", 2)],
)
def test_a_line_is_rounded_to_the_nearest_point_a_half_upwards(bench: Bench, points: str, rounded: int) -> None:
    shop = Shop(bench, f'line: hull, label: Hull, points: "{points}", capacity: 1')
    assert shop.points() == [("hull", rounded)]


def test_each_line_is_rounded_by_itself(bench: Bench) -> None:
    shop = Shop(bench, *(f"line: {one}, label: x, points: 2.5" for one in ("a", "b", "c")))
    assert shop.price().total == 9


def test_later_lines_build_on_rounded_ones(bench: Bench) -> None:
    shop = Shop(bench, "line: hull, label: x, points: 2.5, name: hull", "line: double, label: x, points: hull * 2")
    assert shop.points() == [("hull", 3), ("double", 6)]


def test_a_rule_set_may_round_the_total_alone(bench: Bench) -> None:
    shop = Shop(
        bench, *(f"line: {one}, label: x, points: 2.5" for one in ("a", "b", "c")), costs="{line: none, total: half-up}"
    )
    assert shop.points() == [("a", Fraction(5, 2)), ("b", Fraction(5, 2)), ("c", Fraction(5, 2))]
    assert shop.price().total == 8


def test_a_rule_set_may_not_round_at_all(bench: Bench) -> None:
    shop = Shop(
        bench, "line: a, label: x, points: 2.5", "line: b, label: x, points: 1.5", costs="{line: none, total: none}"
    )
    assert shop.price().total == 4
    assert type(shop.price().total) is int


# Lines


def test_a_subtotal_counts_for_others_and_not_for_the_total(bench: Bench) -> None:
    shop = Shop(
        bench,
        "line: hull, label: x, points: 4, name: hull",
        "line: base, label: x, subtotal: hull * 1.5, name: base",
        "line: plant, label: x, points: base / 2",
    )
    priced = shop.price()
    assert [(line.id, line.points, line.amount) for line in priced.lines] == [
        ("hull", 4, 4),
        ("base", None, 6),
        ("plant", 3, 3),
    ]
    assert priced.total == 7


def test_a_subtotal_is_not_rounded(bench: Bench) -> None:
    shop = Shop(bench, "line: base, label: x, subtotal: 2.5, name: base", "line: plant, label: x, points: base * 2")
    assert shop.price().total == 5


def test_a_line_for_each_entry_of_a_list(bench: Bench) -> None:
    shop = Shop(bench, 'line: guns, label: "{count} x {gun}/{class}", each: loads, join: {g: "guns[gun]"},'
                " points: count * class * g.cost, name: guns", "line: share, label: x, points: guns / 2")  # fmt: skip
    priced = shop.price(loads=loads(("pop", 2, 1), ("cannon", 1, 3)))
    assert [(line.label, line.points) for line in priced.lines] == [
        ("1 x Pop gun/2", 6),
        ("3 x Big cannon/1", 24),
        ("x", 15),
    ]
    assert shop.points() == []


def test_a_line_counts_through_numbers(bench: Bench) -> None:
    shop = Shop(bench, 'line: further, label: "No. {n}", for_n: [2, size], points: n * 10')
    assert [(line.label, line.points) for line in shop.price(size=4).lines] == [
        ("No. 2", 20),
        ("No. 3", 30),
        ("No. 4", 40),
    ]
    assert shop.points(size=1) == []


def test_the_nth_largest_prices_the_nth(bench: Bench) -> None:
    shop = Shop(bench, 'line: control, label: x, for_n: [1, "count(loads.class)"], points: "nth(loads.class, n)"')
    assert shop.points(loads=loads(("pop", 2, 1), ("pop", 5, 1), ("pop", 3, 1))) == [
        ("control", 5),
        ("control", 3),
        ("control", 2),
    ]


def test_a_line_is_left_out_when_its_condition_does_not_hold(bench: Bench) -> None:
    shop = Shop(bench, "line: speed, label: x, when: fast, points: size * 2")
    assert shop.points() == []
    assert shop.points(fast="yes") == [("speed", 6)]


def test_a_condition_guards_the_row_that_is_joined(bench: Bench) -> None:
    shop = Shop(bench, "line: gun, label: x, join: {g: \"guns[gun]\"}, when: gun != 'none', points: g.cost")
    assert shop.points() == []
    assert shop.points(gun="cannon") == [("gun", 8)]


def test_a_condition_of_an_entry_sees_the_entry(bench: Bench) -> None:
    shop = Shop(bench, "line: big, label: x, each: loads, when: class > size, points: class")
    assert shop.points(loads=loads(("pop", 2, 1), ("pop", 4, 1), ("pop", 5, 1))) == [("big", 4), ("big", 5)]


def test_names_of_the_kind_are_reckoned_once_before_the_lines(bench: Bench) -> None:
    shop = Shop(
        bench, "line: a, label: x, points: largest * 2", more="let: {largest: max(loads.class), twice: largest * 2}\n"
    )
    assert shop.points(loads=loads(("pop", 2, 1), ("pop", 5, 1))) == [("a", 10)]
    assert shop.points() == []


def test_lines_that_cost_and_hold_nothing_are_left_out(bench: Bench) -> None:
    shop = Shop(
        bench,
        "line: free, label: x, points: 0",
        "line: room, label: x, capacity: 2",
        "line: kit, label: x, points: 0, systems: 1",
    )
    assert shop.points() == [("room", 0), ("kit", 0)]


def test_a_label_is_filled_in(bench: Bench) -> None:
    shop = Shop(bench, 'line: hull, label: "{size} {gun}", points: 1, name: turret_5',
                'line: more, label: "{turret_5}", points: 1')  # fmt: skip
    assert [line.label for line in shop.price().lines] == ["3 none", "1"]
    shop = Shop(bench, 'line: hull, label: "{fast} {large}", points: 1', more="let: {large: size > 2}\n")
    assert [line.label for line in shop.price().lines] == ["no yes"]


def test_a_share_of_all_other_lines_is_worked_out_last(bench: Bench) -> None:
    shop = Shop(
        bench,
        "line: share, label: x, points: others * 25 / 100, name: share",
        "line: hull, label: x, points: 10",
        "line: half, label: x, points: others / 2",
        "line: gun, label: x, points: 9",
    )
    # 25% and 50% of 10 + 9, neither of the other: 4.75 and 9.5
    assert shop.points() == [("hull", 10), ("gun", 9), ("share", 5), ("half", 10)]
    assert shop.price().total == 34
    assert shop.price().lines[2].working == "19 × 25 ÷ 100 = 4.75"


@pytest.mark.parametrize(
    ("line", "figure", "working"),
    [
        ("figure: size", "3", ""),
        ('figure: size * 2, unit: "″"', "6″", "3 × 2"),
        ("figure: 1 - size", "−2", "1 − 3"),
        ("figure: floor(size / 2)", "1", "3 ÷ 2, rounded down"),
        ("figure: size / 2", "1.5", "3 ÷ 2"),
        ("figure: gun", "none", ""),
        ("figure: fast", "no", ""),
        ("figure: none", "–", ""),
        ("figure: \"'half - track / <=' if size > 1 else 'foot'\"", "half - track / <=", ""),
        ("die: \"guns['pop'].die\"", "D6", ""),
        ("die: size + 5", "D8", "3 + 5"),
    ],
)
def test_a_figure_is_shown_and_never_counted(bench: Bench, line: str, figure: str, working: str) -> None:
    shop = Shop(bench, "line: hull, label: x, points: 10", f"line: shown, label: x, {line}")
    shown = shop.price().line("shown")
    assert shown is not None
    assert (shown.figure, shown.points, shown.amount if shown.figure == "–" else 0) == (figure, None, 0)
    assert (shown.working, shop.price().total) == (working, 10)


def test_later_lines_build_on_a_named_figure(bench: Bench) -> None:
    shop = Shop(
        bench,
        "line: fire, label: x, each: loads, figure: count * 2, name: fire",
        "line: die, label: x, die: fire, when: fire > 0",
    )
    shown = [line.figure for line in shop.price(loads=loads(("pop", 1, 3), ("pop", 1, 1))).lines]
    assert shown == ["6", "2", "D8"]
    assert shop.price().lines == ()


def test_a_field_may_be_none_of_the_rows_of_its_table(bench: Bench) -> None:
    shop = Shop(
        bench,
        'line: spare, label: "{spare}", when: spare != \'none\', points: "guns[spare].cost"',
    )
    assert shop.points() == []
    assert shop.points(spare="Big cannon") == [("spare", 8)]


def test_a_line_shows_its_working_and_its_certificate(bench: Bench) -> None:
    shop = Shop(bench, 'line: hull, label: x, points: "size * 2 + 1"', "line: room, label: x, capacity: 1")
    hull, room = shop.price().lines
    assert hull.working == "3 × 2 + 1"
    assert room.working == ""
    assert hull.provenance.cite_text == "Tin x"


def test_a_line_is_found_by_its_id(bench: Bench) -> None:
    priced = Shop(bench, "line: hull, label: x, points: 4").price()
    hull = priced.line("hull")
    assert hull is not None
    assert hull.points == 4
    assert priced.line("hulk") is None


# What is held, and limits


def test_what_is_held_is_added_up_and_set_beside_what_there_is(bench: Bench) -> None:
    shop = Shop(
        bench,
        "line: guns, label: x, each: loads, points: 1, capacity: class * count, systems: count",
        "line: plant, label: x, points: 1, capacity: 0.5",
        more="allowed: {capacity: size * 5, systems: size, cite: x}\n",
    )
    priced = shop.price(loads=loads(("pop", 2, 2), ("pop", 1, 1)))
    assert (priced.capacity.used, priced.capacity.allowed) == (Fraction(11, 2), 15)
    assert (priced.systems.used, priced.systems.allowed) == (3, 3)


def test_without_an_allowance_there_is_no_limit(bench: Bench) -> None:
    priced = Shop(bench, "line: a, label: x, points: 1, capacity: 7").price()
    assert (priced.capacity.used, priced.capacity.allowed, priced.systems.allowed) == (7, None, None)


def test_a_table_may_say_that_there_is_no_limit(bench: Bench) -> None:
    shop = Shop(bench, "line: a, label: x, points: 1", more='allowed: {capacity: "walls[size]", cite: x}\n')
    assert shop.price(size=0).capacity.allowed is None
    assert shop.price(size=2).capacity.allowed == 8


def test_a_limit_depends_on_a_price_that_only_the_row_of_a_row_reads(bench: Bench) -> None:
    bench.write("tin/tables/hulls.yaml", HULLS)
    more = """limits:
  - {limit: far, join: {a: "hulls[capacity_used]", b: "guns[a.gun]"}, that: b.cost < 9, blame: gun, says: No., cite: x}
"""
    shop = Shop(bench, "line: hull, label: Hull, points: 1", more=more)
    assert needs_price(shop.kind, shop.kind.limits[0])


HULLS = """\
table: hulls
title: Hulls
cite: x
key: [hull]
columns: {hull: {type: int, label: Hull, range: 0..1}, gun: {type: word, label: Gun, from: guns}}
rows: [{hull: 0, gun: pop}, {hull: 1, gun: cannon}]
"""

LIMITS = """\
allowed: {capacity: 4, cite: x}
limits:
  - {limit: room, that: capacity_used <= capacity_allowed, blame: loads, says: Too much., cite: x}
  - {limit: classes, each: loads, join: {g: "guns[gun]"}, that: class * 2 <= g.cost, blame: class, says: No., cite: x}
  - {limit: fast, when: fast, that: size < 5, blame: size, says: Too heavy., cite: x}
  - {limit: plan, that: size > 1, blame: size, says: Rather larger., severity: advice, cite: x}
"""


@pytest.mark.parametrize(
    ("design", "broken"),
    [
        ({}, []),
        ({"loads": loads(("pop", 1, 4))}, []),
        ({"loads": loads(("pop", 1, 5))}, ["room"]),
        ({"loads": loads(("pop", 1, 1), ("pop", 2, 1))}, ["classes"]),
        ({"loads": loads(("cannon", 4, 1))}, []),
        ({"loads": loads(("cannon", 5, 1))}, ["room", "classes"]),
        ({"size": 5}, []),
        ({"size": 5, "fast": True}, ["fast"]),
        ({"size": 1}, ["plan"]),
    ],
)
def test_broken_limits_are_named(bench: Bench, design: dict[str, Any], broken: list[str]) -> None:
    shop = Shop(bench, "line: guns, label: x, each: loads, points: 1, capacity: class * count", more=LIMITS)
    priced = shop.price(**design)
    assert [one.limit.id for one in priced.broken] == broken
    assert priced.lawful == (broken in ([], ["plan"]))


# No price


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('points: "walls[size]"', "the table walls has no row for 3 (size=3 gun=none fast=no spare=none)"),
        ("points: gun", "none where gun should give a number"),
        ('points: "walls[0]"', "nothing where walls[0] should give a number"),
        ("points: 1, capacity: gun", "none where gun should give a number"),
        ('points: 1, systems: "(1, 2)"', "a list where (1, 2) should give a number"),
        ("points: 1 / (size - 3)", "a division by zero"),
        ("points: n, for_n: [1, 2.5]", "a line for every number from 1 to 5/2"),
        ("points: n, for_n: [1, 99999999]", "a line for every number from 1 to 99999999"),
        ("points: n, for_n: [1, gun]", "none where gun should give a number"),
        ("points: 1, when: gun > 3", "values that do not go together"),
        ("die: size / 2", "1.5 sides of a die, not 1 to 1000, where size / 2 should give a die"),
        ("figure: gun, name: shown", "none where gun should give a number"),
        ('figure: "(1, 2, 3)"', "a list where (1, 2, 3) should give a number or a word"),
    ],
)
def test_a_design_without_a_price_is_a_problem_of_the_rule_data(bench: Bench, line: str, reason: str) -> None:
    assert reason in Shop(bench, f"line: odd, label: x, {line}").refused()


def test_an_allowance_must_be_a_number(bench: Bench) -> None:
    shop = Shop(bench, "line: a, label: x, points: 1", more="allowed: {capacity: gun, cite: x}\n")
    assert "none where gun should give a number" in shop.refused()
