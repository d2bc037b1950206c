"""Layers: what a rule set may change in the ones it stands on, in what order, and who wins."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from generator.rules.procedures.answers import answer

if TYPE_CHECKING:
    from generator.rules.entries.kinds import Kind
    from tests.conftest import Bench

WHY = "reason: Because., cite: line 9"


def cost(bench: Bench, ruleset: str = "steel", gun: str = "pop") -> Any:
    return bench.rules(ruleset).tables["guns"].find((gun,))["cost"]


def tank(bench: Bench, ruleset: str = "steel") -> Kind:
    return bench.rules(ruleset).kinds["tank"]


# Each kind of change


def test_a_figure_of_a_row_is_set(bench: Bench) -> None:
    assert (cost(bench, "tin"), cost(bench, "steel")) == (3, 4)


def test_a_row_is_added_behind_the_others(bench: Bench) -> None:
    bench.layer("steel", f'add: "tables.guns[sling]", with: {{gun: sling, words: Sling, die: D4, cost: 1}}, {WHY}')
    guns = bench.rules("steel").tables["guns"]
    assert [row["gun"] for row in guns.rows] == ["pop", "cannon", "sling"]
    assert guns.find(("sling",))["die"] == 4


def test_a_row_is_replaced_where_it_stands(bench: Bench) -> None:
    bench.layer("steel", f'replace: "tables.guns[pop]", with: {{gun: pop, words: Air gun, die: D8, cost: 5}}, {WHY}')
    guns = bench.rules("steel").tables["guns"]
    assert [row["words"] for row in guns.rows] == ["Air gun", "Big cannon"]


def test_a_row_is_removed(bench: Bench) -> None:
    bench.layer("steel", f'remove: "tables.guns[pop]", {WHY}')
    rules = bench.rules("steel")
    assert [row["gun"] for row in rules.tables["guns"].rows] == ["cannon"]
    assert rules.procedures["shoot"].inputs[0].choice.values == ("cannon",)


def test_a_new_row_has_nothing_of_a_row_that_is_gone(bench: Bench) -> None:
    new = (f'"tables.guns[{name}]", with: {{gun: {name}, words: A, die: D4, cost: 1}}, {WHY}' for name in "abcd")
    bench.layer("steel", f'set: "tables.guns[pop].cost", was: 3, to: 4, {WHY}')
    bench.layer("brass", f'remove: "tables.guns[pop]", {WHY}', *(f"add: {row}" for row in new))
    bench.change("brass/ruleset.yaml", "[tin]", "[steel]")
    _, *rows = bench.rules("brass").tables["guns"].rows
    assert [[change.layer for change in row.changes] for row in rows] == [["brass"]] * 4
    assert {(row.place / "cost").span().file for row in rows} == {str(bench.folder / "brass/changes.yaml")}


def test_a_row_is_addressed_by_all_its_keys(bench: Bench) -> None:
    bench.write(
        "tin/tables/pairs.yaml",
        "table: pairs\ntitle: Pairs\ncite: x\nkey: [a, roll]\ncolumns:\n  a: {type: word, label: A}\n"
        '  roll: {type: span, label: Roll}\n  it: {type: int, label: It}\nrows:\n  - {a: x, roll: "1..3", it: 1}\n'
        "  - {a: x, roll: 4, it: 3}\n",
    )
    bench.layer("steel", f'set: "tables.pairs[x, 1..3].it", was: 1, to: 7, {WHY}')
    assert [row["it"] for row in bench.rules("steel").tables["pairs"].rows] == [7, 3]


def test_a_line_is_set_added_replaced_and_removed(bench: Bench) -> None:
    bench.layer(
        "steel",
        f"set: kinds.tank.lines.hull.points, was: 10, to: 12, {WHY}",
        f"add: kinds.tank.lines.wheels, with: {{line: wheels, label: Wheels, points: 2, cite: x}}, {WHY}",
        f"replace: kinds.tank.lines.walls, with: {{line: walls, label: Steel, points: wall * 9, cite: x}}, {WHY}",
        f"remove: kinds.tank.lines.guns, {WHY}",
    )
    assert [(line.id, line.label, line.points and line.points.text) for line in tank(bench).lines] == [
        ("hull", "Hull", "12"),
        ("walls", "Steel", "wall * 9"),
        ("wheels", "Wheels", "2"),
    ]


def test_a_limit_is_set_added_and_removed(bench: Bench) -> None:
    bench.layer(
        "steel",
        f"set: kinds.tank.limits.room.says, was: At most four guns., to: Four., {WHY}",
        f"add: kinds.tank.limits.low, with: {{limit: low, that: wall < 2, blame: wall, says: Low., cite: x}}, {WHY}",
    )
    assert [(limit.id, limit.says) for limit in tank(bench).limits] == [("room", "Four."), ("low", "Low.")]
    bench.layer("steel", f"remove: kinds.tank.limits.room, {WHY}")
    assert tank(bench).limits == ()


def test_fields_and_names_of_a_kind_are_added(bench: Bench) -> None:
    bench.layer(
        "steel",
        f"add: kinds.tank.fields.wheels, with: {{label: Wheels, range: 2..6, default: 4}}, {WHY}",
        f'set: kinds.tank.let.axles, was: null, to: "wheels / 2", {WHY}',
    )
    kind = tank(bench)
    assert kind.field("wheels") is not None
    assert [name for name, _ in kind.let] == ["strength", "axles"]


def test_outcomes_of_a_procedure_and_texts_of_a_sheet_are_changed(bench: Bench) -> None:
    bench.layer(
        "steel",
        f"set: procedures.shoot.outcomes.hit.label, was: Hit, to: Struck, {WHY}",
        f"set: sheets.quick.title, was: Quick sheet, to: Steel sheet, {WHY}",
    )
    rules = bench.rules("steel")
    assert rules.procedures["shoot"].outcomes[0].label == "Struck"
    assert rules.sheets["quick"].model.title == "Steel sheet"


def test_a_sheet_belongs_to_the_layer_that_changed_it_last(bench: Bench) -> None:
    bench.layer(
        "steel",
        f"set: sheets.quick.title, was: Quick sheet, to: Steel sheet, {WHY}",
        f"set: sheets.quick.rows.only.new_page, was: null, to: true, {WHY}",
    )
    bench.change("tin/sheets/quick.yaml", "  - columns:", "  - row: only\n    columns:")
    bench.layer("brass", f"set: sheets.quick.title, was: Steel sheet, to: Brass sheet, {WHY}")
    bench.change("brass/ruleset.yaml", "[tin]", "[steel]")
    bench.layer("gold", f"remove: sheets.quick.rows.only.new_page, {WHY}")
    bench.change("gold/ruleset.yaml", "[tin]", "[brass]")
    assert [[sheet.owner for sheet in bench.rules(name).own_sheets()] for name in ("brass", "gold")] == [
        ["brass"],
        ["gold"],
    ]


def test_the_parent_stays_as_it_is(bench: Bench) -> None:
    part = bench.rules("steel").tables["guns"].place.inside
    as_read: Any = part.document.value
    assert (part.value["rows"][0]["cost"], as_read["rows"][0]["cost"]) == (4, 3)
    assert cost(bench, "tin") == 3


# Certificates


def test_a_changed_figure_is_certified_by_the_layer(bench: Bench) -> None:
    provenance = bench.rules("steel").tables["guns"].rows[0].provenance
    assert (provenance.cite_text, provenance.status, provenance.note) == (
        "Steel line 1",
        "plain",
        "Steel pop guns are dearer.",
    )


def test_a_change_may_have_a_status_and_a_note_of_its_own(bench: Bench) -> None:
    bench.layer(
        "steel", 'set: "tables.guns[pop].cost", was: 3, to: 4, reason: Dearer., status: read, note: A blot., cite: x'
    )
    provenance = bench.rules("steel").tables["guns"].rows[0].provenance
    assert (provenance.status, provenance.note) == ("read", "A blot.")


def test_an_added_row_cites_in_the_words_of_its_layer(bench: Bench) -> None:
    bench.layer(
        "steel", f'add: "tables.guns[sling]", with: {{gun: sling, words: Sling, die: D4, cost: 1, cite: line 3}}, {WHY}'
    )
    assert bench.rules("steel").tables["guns"].rows[2].provenance.cite_text == "Page line 3"


@pytest.mark.parametrize("change", ['replace: "tables.guns[pop]"', 'add: "tables.guns[sling]"'])
def test_a_row_of_a_layer_without_a_citation_has_that_of_its_change(bench: Bench, change: str) -> None:
    gun = change.partition("[")[2].rstrip(']"')
    bench.layer(
        "steel", f"{change}, with: {{gun: {gun}, words: New, die: D4, cost: 1}}, reason: Dear guns., cite: p. 2"
    )
    provenance = bench.rules("steel").tables["guns"].find((gun,)).provenance
    assert (provenance.cite_text, provenance.note) == ("Page p. 2", "Dear guns.")


def test_a_layer_that_replaces_a_single_cell_certifies_its_row(bench: Bench) -> None:
    bench.layer("steel", 'replace: "tables.guns[pop].cost", with: 5, reason: Dearer., cite: line 9')
    rows = bench.rules("steel").tables["guns"].rows
    assert [row.provenance.cite_text for row in rows] == ["Page line 9", "Tin p. 1"]
    assert [row.provenance.note for row in rows] == ["Dearer.", ""]


# Order and conflicts


def test_a_layer_over_a_layer_changes_what_the_lower_one_made(bench: Bench) -> None:
    bench.layer("chrome", f'set: "tables.guns[pop].cost", was: 4, to: 6, {WHY}')
    bench.change("chrome/ruleset.yaml", "extends: [tin]", "extends: [steel]")
    assert cost(bench, "chrome") == 6


def test_a_layer_over_a_layer_still_notices_that_the_lower_one_moved_on(bench: Bench) -> None:
    bench.layer("chrome", f'set: "tables.guns[pop].cost", was: 3, to: 6, {WHY}')
    bench.change("chrome/ruleset.yaml", "extends: [tin]", "extends: [steel]")
    assert bench.problems("chrome") == ["R211 chrome/changes.yaml:2:41 was: 3"]


def test_siblings_that_change_different_things_combine(bench: Bench) -> None:
    bench.layer("brass", f'set: "tables.guns[cannon].cost", was: 8, to: 7, {WHY}')
    for both in ("steel+brass", "brass+steel"):
        assert (cost(bench, both), cost(bench, both, "cannon")) == (4, 7)


@pytest.mark.parametrize(
    "address",
    [
        'set: "tables.guns[pop].cost", was: 3, to: 2',
        'set: "tables.guns[ pop ].cost", was: 3, to: 2',
        'remove: "tables.guns[pop]"',
    ],
)
@pytest.mark.parametrize("both", ["steel+brass", "brass+steel"])
def test_siblings_that_change_the_same_thing_are_in_conflict(bench: Bench, address: str, both: str) -> None:
    bench.layer("brass", f"{address}, {WHY}")
    rules, (problem,) = bench.load(both)
    second, first = reversed(both.split("+"))
    assert problem.code == "R212"
    assert problem.span.file.endswith(f"{second}/changes.yaml")
    assert f"which {first} changes too" in problem.found
    assert problem.hint == f"add over: [{first}] to the change that must win"
    assert rules is not None


@pytest.mark.parametrize("both", ["steel+brass", "brass+steel"])
def test_the_change_that_says_so_wins_whatever_the_order(bench: Bench, both: str) -> None:
    bench.layer("brass", f'set: "tables.guns[pop].cost", was: 3, to: 2, over: [steel], {WHY}')
    assert cost(bench, both) == 2


def test_one_change_may_win_over_several(bench: Bench) -> None:
    bench.layer("brass", f'set: "tables.guns[pop].cost", was: 3, to: 2, {WHY}')
    bench.layer("gold", f'set: "tables.guns[pop].cost", was: 3, to: 9, over: [steel, brass], {WHY}')
    assert cost(bench, "steel+gold+brass") == 9
    assert [one[:4] for one in bench.problems("steel+brass")] == ["R212"]


def test_a_winner_over_a_layer_and_the_one_above_it_names_both(bench: Bench) -> None:
    bench.layer("chrome", f'set: "tables.guns[pop].cost", was: 4, to: 6, {WHY}')
    bench.change("chrome/ruleset.yaml", "extends: [tin]", "extends: [steel]")
    bench.layer("gold", f'set: "tables.guns[pop].cost", was: 3, to: 9, over: [steel, chrome], {WHY}')
    assert cost(bench, "chrome+gold") == 9


def test_a_layer_may_add_a_line_and_set_a_part_of_it(bench: Bench) -> None:
    bench.layer(
        "steel",
        f"add: kinds.tank.lines.wheels, with: {{line: wheels, label: Wheels, points: 2, cite: x}}, {WHY}",
        f"set: kinds.tank.lines.wheels.points, was: 2, to: 3, {WHY}",
    )
    wheels = tank(bench).lines[-1].points
    assert wheels is not None
    assert wheels.text == "3"


def test_what_a_layer_says_is_not_rewritten_by_the_next(bench: Bench) -> None:
    bench.layer(
        "steel", f"add: kinds.tank.lines.wheels, with: {{line: wheels, label: Wheels, points: 2, cite: x}}, {WHY}"
    )
    bench.layer("chrome", f"set: kinds.tank.lines.wheels.points, was: 2, to: 3, {WHY}")
    bench.change("chrome/ruleset.yaml", "extends: [tin]", "extends: [steel]")
    added, _ = bench.rules("chrome").layers[0].changes[0]
    assert added.with_["points"] == 2


# What is refused


@pytest.mark.parametrize(
    ("change", "code", "hint"),
    [
        ('set: "tables.guns[popp].cost", was: 3, to: 4', "R210", "did you mean pop?"),
        ('set: "tables.gunz[pop].cost", was: 3, to: 4', "R210", "did you mean tables.guns?"),
        ("set: kinds.tnak.lines.hull.points, was: 10, to: 4", "R210", "did you mean kinds.tank?"),
        ("set: kinds.tank.lines.hul.points, was: 10, to: 4", "R210", "did you mean hull?"),
        ("set: kinds.tank.lines.hull.point, was: 10, to: 4", "R210", "did you mean points?"),
        ("set: kinds.tank.line.hull.points, was: 10, to: 4", "R210", "did you mean lines?"),
        ("set: kinds.tank.title.more, was: 10, to: 4", "R210", "title holds no further names"),
        ("remove: sheets.quick.rows.0", "R210", "the entries of rows have no ids: change the whole list"),
        ("remove: kinds.tank.limits.rom", "R210", "did you mean room?"),
        ('set: "weapons[pop]", was: 1, to: 2', "R210", ""),
        ('add: "tables.guns[pop]", with: {gun: pop}', "R210", "use replace instead of add"),
        ("add: kinds.tank.lines.hull, with: {line: hull}", "R210", "use replace instead of add"),
        ('add: "tables.guns[sling]", with: {gun: slink}', "R210", "write the same id in the address and in the entry"),
        (
            "replace: kinds.tank.lines.hull, with: {line: hulk}",
            "R210",
            "write the same id in the address and in the entry",
        ),
        ("replace: kinds.tank.lines.hull, with: 3", "R210", "write the same id in the address and in the entry"),
        ('set: "tables.guns[pop].cost", was: 2, to: 4', "R211", "check the new value, then correct was"),
        ("set: kinds.tank.let.axles, was: 3, to: 4", "R210", "there are: strength"),
    ],
)
def test_a_change_that_does_not_fit_is_refused_and_nothing_follows_from_it(
    bench: Bench, change: str, code: str, hint: str
) -> None:
    bench.layer(
        "steel",
        f"{change}, {WHY}",
        f'set: kinds.tank.lines.walls.points, was: "hull * wall / 4", to: axles + 1, {WHY}',
    )
    (problem,) = bench.load("steel")[1]
    assert problem.code == code
    assert hint in problem.hint
    assert (problem.span.file.removeprefix(f"{bench.folder}/"), problem.span.line) == ("steel/changes.yaml", 2)


def test_a_broken_change_leaves_unjudged_what_the_layer_is_about(bench: Bench) -> None:
    bench.layer(
        "steel",
        "add: kinds.tank.fields.wheels, with: {label: Wheels, range: 2..6}, cite: x",
        f"add: kinds.tank.lines.wheels, with: {{line: wheels, label: Wheels, points: wheels, cite: x}}, {WHY}",
    )
    bench.write("steel/kinds/cart.yaml", "kind: cart\ntitle: Cart\ncite: x\nbased_on: tank\nlet: {axles: wheels / 2}\n")
    assert bench.problems("steel") == ["R201 steel/changes.yaml:2:5 nothing"]


def test_problems_of_tables_are_told_before_those_of_layers(bench: Bench) -> None:
    bench.layer("steel", f'set: "tables.guns[popp].cost", was: 3, to: 4, {WHY}')
    bench.change("tin/tables/walls.yaml", "die: D8", "die: D0")
    assert bench.problems("steel") == ["R206 tin/tables/walls.yaml:11:20 D0"]
    bench.change("tin/tables/walls.yaml", "die: D0", "die: D8")
    assert bench.problems("steel") == ["R210 steel/changes.yaml:2:11 tables.guns[popp].cost"]


def test_a_change_that_only_fails_because_of_a_slip_below_is_not_told(bench: Bench) -> None:
    bench.change("tin/tables/guns.yaml", "key: [gun]", "key: [gnu]")
    assert bench.problems("steel") == ["R204 tin/tables/guns.yaml:4:7 gnu"]


def test_a_change_in_a_part_that_is_not_asked_for_is_not_looked_at(bench: Bench) -> None:
    bench.layer("steel", f"set: kinds.tank.lines.hull.points, was: 11, to: 12, {WHY}")
    assert bench.rules("steel", only=[("procedures", "shoot")]).procedures["shoot"].owner == "tin"


def test_a_formula_of_a_layer_may_lean_on_a_table_that_only_it_needs(bench: Bench) -> None:
    bench.write("steel/tables/odd-dice.yaml", "table: odd-dice\ntitle: x\ncite: x\nkey: [id]\ncolumns:\n"
                "  id: {type: int, label: x}\n  die: {type: die, label: x}\nrows: [{id: 1, die: D12}]\n")  # fmt: skip
    bench.write(
        "steel/changes.yaml",
        "changes:\n  - replace: procedures.shoot.cases\n    with:\n"
        "      - rolls: [{roll: a, die: 'odd_dice[1]'}, {roll: b, die: 6}]\n"
        "        results: [{outcome: hit, when: a > b}, {outcome: missed}]\n    reason: Bigger dice.\n    cite: x\n",
    )
    only = bench.rules("steel", only=[("procedures", "shoot")])
    assert set(only.tables) >= {"odd-dice"}
    shoot = only.procedures["shoot"]
    inputs = {item.name: item.choice.values[0] for item in shoot.inputs}
    higher = Fraction(sum(a > b for a in range(1, 13) for b in range(1, 7)), 72)
    assert answer(shoot, inputs).chance("hit") == higher
