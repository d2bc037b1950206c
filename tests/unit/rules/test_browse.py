"""What a rule set says, row by row: tables, kinds, procedures, options and errata to be read on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from generator.cli.group import fieldpress
from generator.commands import rulesets
from generator.commands.access import open_library
from generator.problems import ProblemsError
from generator.rules.describe.browse import Listing, listing, names

if TYPE_CHECKING:
    from tests.conftest import Bench

CERTIFICATE = ["cite", "status", "raw", "note"]
OPTIONS = (
    "options:\n  fog: {label: Fog, yes_no: true, default: false, says: Nobody can aim., cite: p. 9}\n"
    "  level: {label: Level, range: 0..3, default: 1, cite: p. 8, status: ruled, note: Page 8 is silent.}\n"
)


def told(bench: Bench, word: str, ruleset: str = "tin") -> Listing:
    found = listing(bench.rules(ruleset), word)
    assert found is not None
    for row in found.rows:
        assert list(row) == [*found.columns, *CERTIFICATE]
    return found


def cells(found: Listing, *heads: str) -> list[tuple[Any, ...]]:
    return [tuple(row[head] for head in heads) for row in found.rows]


def declare(bench: Bench) -> None:
    head = (bench.folder / "tin/ruleset.yaml").read_text(encoding="utf-8")
    bench.write("tin/ruleset.yaml", head + OPTIONS)


# Which thing is meant


def test_everything_that_can_be_shown_is_named(bench: Bench) -> None:
    assert names(bench.rules()) == ["effects", "guns", "walls", "tank", "shoot", "options", "errata"]
    assert all(listing(bench.rules(), word) is not None for word in names(bench.rules()))


@pytest.mark.parametrize("word", ["gun", "quick", "", "Guns", "option", "book"])
def test_what_is_none_of_them_is_nothing(bench: Bench, word: str) -> None:
    assert listing(bench.rules(), word) is None


def test_a_table_of_that_name_comes_before_the_options(bench: Bench) -> None:
    bench.write(
        "tin/tables/options.yaml",
        "table: options\ntitle: Options\ncite: p. 9\nkey: [id]\ncolumns:\n  id: {type: int, label: No.}\n"
        "rows: [{id: 1}]\n",
    )
    assert told(bench, "options").what == "table"


def twins(bench: Bench) -> None:
    """A table, a kind and a procedure of one id, and an option and a limit that a table is called like."""
    head = "{what}: twin\ntitle: Twin {what}\ncite: p. 9\n"
    rows = "key: [id]\ncolumns:\n  id: {type: int, label: No.}\nrows: [{id: 1}]\n"
    bench.write("tin/tables/twin.yaml", head.format(what="table") + rows)
    bench.write("tin/kinds/twin.yaml", head.format(what="kind"))
    bench.write("tin/procedures/twin.yaml", head.format(what="procedure") + "steps: [Go., Stop.]\n")
    for name in ("fog", "room"):
        bench.write(f"tin/tables/{name}.yaml", f"table: {name}\ntitle: T\ncite: p. 9\n{rows}")
    declare(bench)


@pytest.mark.parametrize(
    ("word", "what", "first"),
    [
        ("twin", "table", {"id": 1}),
        ("tables/twin", "table", {"id": 1}),
        ("kinds/twin", "kind", {"says": "Twin kind"}),
        ("procedures/twin", "procedure", {"says": "Twin procedure"}),
        ("fog", "table", {"id": 1}),
        ("options/fog", "option", {"option": "fog", "says": "Nobody can aim."}),
        ("level", "option", {"option": "level"}),
        ("room", "table", {"id": 1}),
        ("limits/room", "limit", {"says": "At most four guns.", "cite": "Tin p. 6"}),
        ("options/", "options", {"option": "fog"}),
        ("options/options", "options", {"option": "fog"}),
    ],
)
def test_what_is_two_things_is_shown_as_the_one_that_is_meant(
    bench: Bench, word: str, what: str, first: dict[str, Any]
) -> None:
    twins(bench)
    found = told(bench, word)
    assert found.what == what
    assert first.items() <= found.rows[0].items()
    assert show(bench, word)[what] == (word.strip("/").rpartition("/")[2])


@pytest.mark.parametrize(
    "word", ["kinds/guns", "tables/tank", "tables/", "things/guns", "/guns", "guns/", "options/guns"]
)
def test_what_is_no_such_thing_is_nothing(bench: Bench, word: str) -> None:
    assert listing(bench.rules(), word) is None


def test_what_is_two_things_is_named_so(bench: Bench) -> None:
    twins(bench)
    assert {"tables/twin", "kinds/twin", "procedures/twin", "guns"} <= set(names(bench.rules()))
    assert "twin" not in names(bench.rules())


# Tables


def test_a_table_is_shown_with_figures_as_figures_and_all_else_as_text(bench: Bench) -> None:
    bench.write(
        "tin/tables/things.yaml",
        "table: things\ntitle: Things\ncite: p. 7\nkey: [id]\ncolumns:\n  id: {type: int, label: No.}\n"
        "  die: {type: die, label: D, optional: true}\n  open: {type: yes_no, label: Open}\n"
        "  share: {type: number, label: Share}\n  roll: {type: span, label: Roll}\n  may: {type: words, label: M}\n"
        "rows:\n  - {id: 1, die: D12, open: yes, share: 0.5, roll: '2..4', may: [a, b], raw: 'l', status: read}\n"
        "  - {id: 2, die: null, open: no, share: 3, roll: 6, may: []}\n",
    )
    found = told(bench, "things")
    assert (found.what, found.columns) == ("table", ("id", "die", "open", "share", "roll", "may"))
    assert cells(found, *found.columns) == [(1, "D12", True, "0.5", "2 to 4", "a b"), (2, None, False, 3, "6", "")]
    assert cells(found, *CERTIFICATE) == [("Tin p. 7", "read", "l", ""), ("Tin p. 7", "plain", "", "")]


def test_a_column_that_is_named_like_one_of_the_certificate_is_there_once_with_its_own_values(bench: Bench) -> None:
    bench.write(
        "tin/tables/things.yaml",
        "table: things\ntitle: Things\ncite: p. 7\nkey: [id]\ncolumns:\n"
        "  id: {type: int, label: No.}\n  note: {type: text, label: Remark}\n  cite: {type: text, label: Page}\n"
        "rows:\n  - {id: 1, note: Mine, cite: p. 8}\n",
    )
    words = ["rules", "tin", "things", "--rules-path", str(bench.folder)]
    printed = CliRunner().invoke(fieldpress, [*words, "--format", "csv"], prog_name="fieldpress").stdout
    assert printed.splitlines()[0] == "id,note,cite,status"
    found = listing(bench.rules(), "things")
    assert found is not None
    assert cells(found, "note", "cite", "status") == [("Mine", "p. 8", "plain")]


def test_an_answer_of_the_players_is_shown_as_theirs(bench: Bench) -> None:
    bench.change("tin/tables/guns.yaml", "range: 1..20}", "range: 1..20, optional: true}")
    bench.change("tin/tables/guns.yaml", "die: D10, cost: 8}", "die: D10, status: gap, note: Torn.}")
    assert cells(told(bench, "guns"), "cost", "status")[1] == (None, "gap")
    bench.settle("answers: {tin: {'tables.guns[cannon].cost': 9}}\n")
    assert cells(told(bench, "guns"), "cost", "status", "note")[1] == (
        9,
        "yours",
        "Points given by the players. Torn.",
    )


# Kinds


def test_a_kind_is_shown_part_by_part_with_its_formulas(bench: Bench) -> None:
    found = told(bench, "tank")
    assert (found.what, found.columns) == ("kind", ("part", "id", "says", "rule"))
    assert cells(found, "part", "id", "says", "rule", "cite", "status") == [
        ("kind", "tank", "Tank", "", "Tin p. 5", "plain"),
        ("field", "wall", "Wall", "0 to 2", "", ""),
        ("field", "crewed", "Crewed", "no, yes", "", ""),
        ("field", "weapons", "Guns", "a list", "", ""),
        ("field", "weapons.gun", "Gun", "pop, cannon", "", ""),
        ("field", "weapons.count", "How many", "1 to 4", "", ""),
        ("let", "strength", "", "wall + 1", "", ""),
        ("line", "hull", "Hull", "points 10", "Tin p. 5", "plain"),
        ("line", "walls", "Wall", "points hull * wall / 4", "Tin p. 5", "plain"),
        (
            "line",
            "guns",
            "x",
            "each weapons; g = guns[gun]; points count * g.cost; capacity count",
            "Tin p. 6",
            "plain",
        ),
        ("allowed", "", "", "capacity 4", "", ""),
        ("limit", "room", "At most four guns.", "capacity_used <= capacity_allowed", "Tin p. 6", "plain"),
    ]


def test_conditions_subtotals_systems_and_advice_are_shown(bench: Bench) -> None:
    bench.write(
        "tin/kinds/cart.yaml",
        "kind: cart\ntitle: Cart\nsays: Goes downhill.\ncite: p. 8\nfields: {load: {label: Load, range: 1..9}}\n"
        "lines:\n  - {line: base, label: Base, subtotal: load * 2, when: load > 1, systems: 1, cite: x}\n"
        "allowed: {systems: 2, cite: x}\n"
        "limits:\n  - {limit: light, when: load > 3, that: load < 9, blame: load, says: Take less., severity: advice, "
        "cite: x}\n",
    )
    found = told(bench, "cart")
    assert cells(found, "part", "says", "rule")[0] == ("kind", "Goes downhill.", "")
    assert cells(found, "part", "says", "rule")[2:] == [
        ("line", "Base", "subtotal load * 2; systems 1; when load > 1"),
        ("allowed", "", "systems 2"),
        ("limit", "Advice: Take less.", "load < 9; when load > 3"),
    ]


def test_a_kind_without_an_allowance_shows_none(bench: Bench) -> None:
    bench.write("tin/kinds/cart.yaml", "kind: cart\ntitle: Cart\ncite: p. 8\n")
    assert cells(told(bench, "cart"), "part") == [("kind",)]


def test_a_kind_is_shown_with_what_layers_made_of_it(bench: Bench) -> None:
    bench.layer("steel", "set: kinds.tank.lines.hull.points, was: 10, to: 12, reason: Heavy., cite: line 3")
    hull = next(row for row in told(bench, "tank", "steel").rows if row["id"] == "hull")
    assert (hull["rule"], hull["cite"], hull["note"]) == ("points 12", "Page line 3", "Heavy.")


# Procedures


WALK = """\
procedure: walk
title: Walking
says: One after the other.
cite: p. 9
steps:
  - Move **every** squad.
  - {step: rest, says: "*Rest.*", cite: p. 10, status: ruled, note: Page 9 forgets it.}
  - {step: fog, says: Stay together., when: fog}
  - Stop.
"""


def test_the_steps_of_a_procedure_are_shown_with_their_conditions(bench: Bench) -> None:
    declare(bench)
    bench.write("tin/procedures/walk.yaml", WALK)
    found = told(bench, "walk")
    assert found.what == "procedure"
    assert cells(found, "part", "id", "says", "rule", *CERTIFICATE) == [
        ("procedure", "walk", "One after the other.", "", "Tin p. 9", "plain", "", ""),
        ("step", "1", "Move every squad.", "", "", "", "", ""),
        ("step", "rest", "Rest.", "", "Tin p. 10", "ruled", "", "Page 9 forgets it."),
        ("step", "fog", "Stay together.", "when fog", "", "", "", ""),
        ("step", "4", "Stop.", "", "", "", "", ""),
    ]


def test_the_inputs_and_outcomes_of_a_procedure_are_shown_with_their_conditions(bench: Bench) -> None:
    bench.change("tin/procedures/shoot.yaml", "label: Chipped}", "label: Chipped, when: wall > 0}")
    assert cells(told(bench, "shoot"), "part", "id", "says", "rule") == [
        ("procedure", "shoot", "Shooting", ""),
        ("step", "1", "Roll the dice.", ""),
        ("input", "gun", "Gun", "pop, cannon"),
        ("input", "wall", "Wall", "0 to 2"),
        ("input", "shots", "Shots", "1 to 3"),
        ("input", "aimed", "Aimed", "no, yes, when shots == 1"),
        ("outcome", "hit", "Hit", ""),
        ("outcome", "chipped", "Chipped", "when wall > 0"),
        ("outcome", "missed", "Missed", ""),
    ]


# Options and errata


def test_options_are_shown_as_they_are_set(bench: Bench) -> None:
    declare(bench)
    found = told(bench, "options", "steel")
    assert (found.what, found.columns) == ("options", ("option", "label", "allowed", "set", "says"))
    assert cells(found, *found.columns, "cite", "status", "note") == [
        ("fog", "Fog", "no, yes", False, "Nobody can aim.", "Tin p. 9", "plain", ""),
        ("level", "Level", "0 to 3", 1, "", "Tin p. 8", "ruled", "Page 8 is silent."),
    ]
    bench.set("fog=yes", "level=3")
    assert cells(told(bench, "options"), "set") == [(True,), (3,)]


def test_errata_are_shown_with_their_arithmetic(bench: Bench) -> None:
    bench.write(
        "tin/errata.yaml",
        "errata:\n  - {erratum: crate, title: Shots at a crate, printed: 6, holds: 3, working: floor(10 / 3), "
        "cite: p. 3, note: Rounded up.}\n",
    )
    found = told(bench, "errata", "steel")
    assert (found.what, found.columns) == ("errata", ("erratum", "example", "printed", "holds", "working"))
    assert cells(found, *found.columns, *CERTIFICATE) == [
        ("crate", "Shots at a crate", "6", "3", "10 ÷ 3, rounded down", "Tin p. 3", "erratum", "", "Rounded up.")
    ]


@pytest.mark.parametrize("word", ["options", "errata"])
def test_a_rule_set_without_any_has_an_empty_list(bench: Bench, word: str) -> None:
    assert told(bench, word).rows == ()


# As the command asks for it


def show(bench: Bench, word: str, ruleset: str = "tin") -> dict[str, Any]:
    return rulesets.show(open_library(bench.folder, settings=bench.settings), ruleset, word)


@pytest.mark.parametrize(
    ("word", "what"),
    [("guns", "table"), ("tank", "kind"), ("shoot", "procedure"), ("options", "options"), ("errata", "errata")],
)
def test_the_data_say_what_was_found(bench: Bench, word: str, what: str) -> None:
    data = show(bench, word, "steel")
    assert list(data) == ["ruleset", what, "columns", "rows"]
    assert (data["ruleset"], data[what]) == ("steel", word)


def test_limits_of_several_kinds_with_one_id_are_all_explained(bench: Bench) -> None:
    tank = (bench.folder / "tin/kinds/tank.yaml").read_text(encoding="utf-8")
    bench.write(
        "tin/kinds/truck.yaml", tank.replace("kind: tank", "kind: truck").replace("title: Tank", "title: Truck")
    )
    assert rulesets.explain(open_library(bench.folder), "tin/room").startswith("tin/room (Tank, Truck): At most four")
    bench.change("tin/kinds/truck.yaml", "At most four guns.", "No room.")
    text = rulesets.explain(open_library(bench.folder), "tin/room")
    assert [line for line in text.splitlines() if line.startswith("tin/room")] == [
        "tin/room (Tank): At most four guns.", "tin/room (Truck): No room.",
    ]  # fmt: skip
    assert [row["says"] for row in told(bench, "limits/room").rows] == ["At most four guns.", "No room."]


def test_a_table_is_shown_though_something_else_is_broken(bench: Bench) -> None:
    bench.change("tin/kinds/tank.yaml", "hull * wall / 4", "hull * wal")
    assert len(show(bench, "guns")["rows"]) == 2
    assert show(bench, "shoot")["rows"]
    with pytest.raises(ProblemsError) as caught:
        show(bench, "tank")
    assert [one.code for one in caught.value.problems] == ["R223"]


def test_what_is_not_there_is_told_with_what_is(bench: Bench) -> None:
    for word, hint in (
        ("tnak", "did you mean tank?"),
        ("shot", "did you mean shoot?"),
        ("option", "did you mean options?"),
        ("zzz", "there are: effects, guns, walls, tank, shoot, options, errata"),
    ):
        with pytest.raises(ProblemsError) as caught:
            show(bench, word)
        (problem,) = caught.value.problems
        assert (problem.code, problem.found, problem.field, problem.hint) == ("R317", word, "table", hint)
