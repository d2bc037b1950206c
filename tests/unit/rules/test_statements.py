"""Every statement of a rule set with its certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.rules.describe.browse import row_key, row_value, spell, statements

if TYPE_CHECKING:
    from tests.conftest import Bench


def test_every_row_procedure_kind_line_and_limit_is_a_statement(bench: Bench) -> None:
    told = statements(bench.rules())
    tables = bench.rules().tables
    assert len(told) == sum(len(table.rows) for table in tables.values()) + 1 + 1 + 3 + 1
    assert {one.owner for one in told} == {"tin"}
    assert {one.subject for one in told} == {"Effects of a level roll", "Guns", "Walls", "Shooting", "Tank"}
    assert all(one.provenance.cite for one in told)


def test_a_layer_owns_what_it_changed_last(bench: Bench) -> None:
    own = statements(bench.rules("steel"), parents=False)
    assert [(one.owner, one.subject, one.key) for one in own] == [("steel", "Guns", "Pop gun")]
    assert len(statements(bench.rules("steel"))) == len(statements(bench.rules("tin")))


def test_lines_and_limits_that_a_layer_changed_are_its_own(bench: Bench) -> None:
    bench.layer(
        "steel",
        "set: kinds.tank.lines.hull.points, was: 10, to: 12, reason: Heavy., cite: x",
        "set: kinds.tank.limits.room.says, was: At most four guns., to: Four., reason: Short., cite: x",
    )
    own = statements(bench.rules("steel"), parents=False)
    assert [one.provenance.note for one in own] == ["Heavy.", "Short."]


def test_what_a_kind_takes_over_is_told_of_the_kind_it_comes_from(bench: Bench) -> None:
    bench.write(
        "tin/kinds/cart.yaml",
        "kind: cart\ntitle: Cart\ncite: p. 8\nbased_on: tank\n"
        "lines: [{line: wheels, label: Wheels, points: 3, cite: x}]\n",
    )
    assert [one.subject for one in statements(bench.rules())].count("Cart") == 2


def test_a_row_is_told_by_its_printed_name_and_its_values(bench: Bench) -> None:
    tables = bench.rules().tables
    guns, walls, effects = tables["guns"], tables["walls"], tables["effects"]
    assert row_key(guns, guns.rows[0]) == "Pop gun"
    assert row_key(walls, walls.rows[1]) == "1"
    assert row_key(effects, effects.rows[0]) == "1 to 3"
    assert "D6" in row_value(guns, guns.rows[0])
    assert row_value(walls, walls.rows[1]) == "D6"
    assert row_value(walls, walls.rows[0]) == "none"


def test_a_row_without_a_printed_name_is_told_by_its_key(bench: Bench) -> None:
    bench.change(
        "tin/tables/guns.yaml", "words: {type: text, label: Gun}", "words: {type: text, label: Gun, optional: true}"
    )
    bench.change("tin/tables/guns.yaml", "words: Pop gun, ", "")
    guns = bench.rules().tables["guns"]
    assert [row_key(guns, row) for row in guns.rows] == ["pop", "Big cannon"]


def test_what_is_rolled_is_the_key_and_words_for_formulas_are_left_out(bench: Bench) -> None:
    bench.write(
        "tin/tables/ends.yaml",
        "table: ends\ntitle: Ends\ncite: x\nkey: [roll]\nname: words\ncolumns:\n  roll: {type: span, label: Roll}\n"
        "  outcome: {type: word, label: Outcome}\n  words: {type: text, label: Effect}\n"
        "  gun: {type: word, label: Gun, from: guns}\n"
        'rows: [{roll: "1..2", outcome: gun-lost, words: The gun is lost, gun: cannon}]\n',
    )
    rules = bench.rules()
    ends = rules.tables["ends"]
    assert row_key(ends, ends.rows[0]) == "1 to 2"
    assert row_value(ends, ends.rows[0], rules.tables) == "Effect The gun is lost, Gun Big cannon"
    assert row_value(ends, ends.rows[0]) == "Effect The gun is lost, Gun cannon"


def test_values_are_told_as_people_write_them(bench: Bench) -> None:
    bench.write(
        "tin/tables/things.yaml",
        "table: things\ntitle: Things\ncite: x\nkey: [roll]\ncolumns:\n  roll: {type: span, label: Roll}\n"
        "  die: {type: die, label: D, optional: true}\n  open: {type: yes_no, label: Open}\n"
        "  may: {type: words, label: M}\n"
        'rows:\n  - {roll: 3, die: D12, open: yes, may: [a, b]}\n  - {roll: "4..5", die: null, open: no, may: []}\n',
    )
    table = bench.rules().tables["things"]
    told = [[spell(table, row, column.name) for column in table.columns] for row in table.rows]
    assert told == [["3", "D12", "open", "a b"], ["4 to 5", "none", "not open", ""]]


def test_options_are_told_by_their_labels_behind_everything_else(bench: Bench) -> None:
    for name, source, cite in (("tin", "book", "p. 9"), ("steel", "page", "line 9")):
        bench.change(
            f"{name}/ruleset.yaml",
            f"source: {source}\n",
            f"source: {source}\noptions: {{{name}ed: {{label: Of {name}, yes_no: true, default: no, cite: {cite}}}}}\n",
        )
    told = statements(bench.rules("steel"))
    assert [(one.owner, one.subject, one.key, one.value, one.provenance.cite_text) for one in told[-2:]] == [
        ("tin", "Option", "Of tin", "Standard: no", "Tin p. 9"),
        ("steel", "Option", "Of steel", "Standard: no", "Steel line 9"),
    ]
    assert [one.key for one in statements(bench.rules("steel"), parents=False)] == ["Pop gun", "Of steel"]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Hull", "Hull"),
        ("Wall {wall}", "Wall"),
        ("SAM, {count}", "SAM"),
        ("Stealth, {count} × level", "Stealth level"),
        ("Room for {count} × {gun} team", "Room for team"),
        ("Guns, {count}, in turrets", "Guns, in turrets"),
        ("{count} × {gun}, rounds: {count}", "rounds"),
        ("{count} × {gun}", "Guns"),
        ("{gun}: {count}/{gun} shots", "shots"),
        ("Fire control {count}, {gun}", "Fire control"),
    ],
)
def test_a_line_is_told_by_its_label_without_what_a_design_fills_in(bench: Bench, label: str, name: str) -> None:
    bench.change("tin/kinds/tank.yaml", '"{count} x {gun}"', f'"{label}"')
    assert [one.key for one in statements(bench.rules()) if one.subject == "Tank"][3] == name


def test_a_limit_is_told_as_one(bench: Bench) -> None:
    bench.change("tin/kinds/tank.yaml", "limit: room", "limit: enough-room")
    limit = statements(bench.rules())[-1]
    assert (limit.key, limit.value) == ("Enough room", "At most four guns.")


def test_a_statement_says_in_words_what_is_used_where_the_data_does(bench: Bench) -> None:
    bench.write(
        "tin/tables/odd.yaml",
        "table: odd\ntitle: Odd\ncite: x\nused: See there.\nkey: [n]\n"
        "columns: {n: {type: int, label: N}, m: {type: int, label: M}}\n"
        "rows:\n  - {n: 1, m: 5}\n  - {n: 2, m: 6, used: Six of them.}\n  - {n: 3, m: 7, note: Another matter.}\n",
    )
    told = [one.value for one in statements(bench.rules()) if one.subject == "Odd"]
    assert told == ["See there.", "Six of them.", "7"]
