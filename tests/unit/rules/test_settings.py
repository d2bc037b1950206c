"""A player's settings: words, files, and the figures that fill the gaps of a source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from generator.problems import Problem, ProblemsError
from generator.rules.describe.browse import statements
from generator.rules.procedures.answers import answer
from generator.rules.source.settings import NOTHING_SET, Settings, read_settings, settings_of_words

if TYPE_CHECKING:
    from pathlib import Path

    from generator.rules.entries.tables import Row
    from tests.conftest import Bench

GUNS = "tin/tables/guns.yaml"
CANNON = "tables.guns[cannon].cost"


def read(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return read_settings(path)


def refused(tmp_path: Path, text: str) -> list[Problem]:
    with pytest.raises(ProblemsError) as caught:
        read(tmp_path, text)
    return list(caught.value.problems)


def said(settings: Settings) -> list[tuple[str, str, Any]]:
    return [(one.ruleset, one.name, one.value) for one in (*settings.options, *settings.answers)]


# Words


def test_words_are_options_of_whichever_rule_set_is_asked(tmp_path: Path) -> None:
    settings = settings_of_words(("fog=yes", "crates=a = b"))
    assert said(settings) == [("", "fog", "yes"), ("", "crates", "a = b")]
    assert settings.options_for({"tin"}) == settings.options_for(set()) == settings.options
    assert settings.answers == ()
    assert settings_of_words(()) == NOTHING_SET == read(tmp_path, "")


def test_words_without_an_equals_sign_are_refused_together() -> None:
    with pytest.raises(ProblemsError) as caught:
        settings_of_words(("fog", "level=3", "=yes"))
    assert [(one.code, one.span.column, one.found) for one in caught.value.problems] == [
        ("R311", 1, "fog"),
        ("R311", 13, "=yes"),
    ]


# Files


def test_a_file_sets_options_and_answers_by_rule_set(tmp_path: Path) -> None:
    settings = read(
        tmp_path,
        "options:\n  tin: {fog: yes, level: 3, dark: true}\n  steel: {fog: no}\n"
        'answers:\n  tin:\n    "tables.guns[cannon].cost": 8\n',
    )
    assert said(settings) == [
        ("tin", "fog", "yes"),
        ("tin", "level", 3),
        ("tin", "dark", True),
        ("steel", "fog", "no"),
        ("tin", CANNON, 8),
    ]
    assert [one.name for one in settings.options_for({"tin"})] == ["fog", "level", "dark"]
    assert [one.value for one in settings.options_for({"tin", "steel"})] == ["yes", 3, True, "no"]
    assert settings.options_for({"brass"}) == settings.answers_for({"steel"}) == ()
    assert settings.answers_for({"tin", "steel"}) == settings.answers


def test_a_setting_knows_where_its_name_and_its_value_stand(tmp_path: Path) -> None:
    [fog] = read(tmp_path, "options:\n  tin:\n    fog: yes\n").options
    assert (fog.span.line, fog.span.column, fog.value_span.column) == (3, 5, 10)
    assert fog.field == "options.tin.fog"
    assert fog.span.file == str(tmp_path / "mine.yaml")


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "options: {}\n", "answers: {tin: {}}\n", "{}\n"])
def test_a_file_may_set_nothing(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == NOTHING_SET


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "found"),
    [
        ("[]\n", "R203", 1, 1, "an empty list"),
        ("fog\n", "R203", 1, 1, "fog"),
        ("options: [tin]\n", "R203", 1, 10, "a list"),
        ("options: {tin: fog}\n", "R203", 1, 16, "fog"),
        ("options: {tin: {fog: [yes]}}\n", "R203", 1, 22, "a list"),
        ("options: {tin: {fog: {a: b}}}\n", "R203", 1, 22, "a list of keys with values"),
        ("options: {tin: {level: 0.5}}\n", "R203", 1, 24, "0.5"),
        ("options: {tin: {fog: null}}\n", "R203", 1, 22, "nothing"),
        ("options: {tin: {Fog: yes}}\n", "R203", 1, 17, "Fog"),
        ("options: {Tin: {fog: yes}}\n", "R203", 1, 11, "Tin"),
        ("options: {steel+tin: {fog: yes}}\n", "R203", 1, 11, "steel+tin"),
        ("answers: [8]\n", "R203", 1, 10, "a list"),
        ("answers: {tin: 8}\n", "R203", 1, 16, "8"),
        ("optoins: {tin: {fog: yes}}\n", "R202", 1, 1, "the key optoins"),
        ("fog: yes\n", "R202", 1, 1, "the key fog"),
        ("options: {tin: {fog: yes, fog: no}}\n", "F106", 1, 27, "fog"),
        ("options: {tin: {fog: &a yes}}\n", "F107", 1, 22, "&a, a name for a value"),
        ("options: {tin: [\n", "F105", 2, 1, "the end of the file"),
    ],
)
def test_a_file_of_another_shape_is_one_problem(
    tmp_path: Path, text: str, code: str, line: int, column: int, found: str
) -> None:
    (problem,) = refused(tmp_path, text)
    assert (problem.code, problem.span.line, problem.span.column, problem.found) == (code, line, column, found)


def test_a_file_that_is_not_there_and_a_folder_are_told(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "nosuch.yaml", "F101"), (tmp_path, "F102")):
        with pytest.raises(ProblemsError) as caught:
            read_settings(path)
        assert [(one.code, one.span.file) for one in caught.value.problems] == [(code, str(path))]


# One after the other


def test_settings_are_joined_in_the_order_in_which_they_are_said(tmp_path: Path) -> None:
    file = read(tmp_path, "options: {tin: {fog: yes}}\nanswers: {tin: {a: 1}}\n")
    both = file | settings_of_words(("fog=no",))
    assert said(both) == [("tin", "fog", "yes"), ("", "fog", "no"), ("tin", "a", 1)]
    assert file | NOTHING_SET == NOTHING_SET | file == file
    with pytest.raises(TypeError):
        file | {"fog": "no"}


def test_the_command_line_has_the_last_word(bench: Bench) -> None:
    bench.change("tin/ruleset.yaml", "source: book\n",
                 "source: book\noptions: {fog: {label: Fog, yes_no: true, default: no, cite: p. 9}}\n")  # fmt: skip
    bench.settle("options: {tin: {fog: yes}}\n")
    assert bench.rules().options["fog"].value is True
    bench.settings |= settings_of_words(("fog=no",))
    assert bench.rules().options["fog"].value is False


def test_of_two_rule_sets_in_a_file_the_one_named_last_counts(bench: Bench) -> None:
    bench.change("tin/ruleset.yaml", "source: book\n",
                 "source: book\noptions: {level: {label: Level, range: 0..9, default: 0, cite: p. 9}}\n")  # fmt: skip
    bench.settle("options: {tin: {level: 1}, steel: {level: 2}, brass: {level: 3, more: 4}}\n")
    assert bench.rules("tin").options["level"].value == 1
    assert bench.rules("steel").options["level"].value == 2
    bench.settle("options: {steel: {level: 2}, tin: {level: 1}}\n")
    assert bench.rules("steel").options["level"].value == 1


def test_an_option_that_is_not_there_is_told_in_the_file(bench: Bench) -> None:
    bench.settle("options:\n  tin: {fog: yes}\n")
    assert bench.problems() == ["R331 mine.yaml:2:9 fog"]
    bench.change("tin/ruleset.yaml", "source: book\n",
                 "source: book\noptions: {fog: {label: Fog, yes_no: true, default: no, cite: p. 9}}\n")  # fmt: skip
    bench.settle("options:\n  tin: {fog: perhaps}\n")
    assert bench.problems() == ["R332 mine.yaml:2:14 perhaps"]
    assert bench.load("tin")[1][0].field == "options.tin.fog"


# Answers


def tear(bench: Bench) -> None:
    """Lose what a cannon costs and how far it reaches."""
    bench.change(
        GUNS, "range: 1..20}", "range: 1..20, optional: true}\n  reach: {type: int, label: Reach, optional: true}"
    )
    bench.change(
        GUNS, "die: D10, cost: 8}", "die: D10, status: gap, raw: '8?', support: single, note: The page is torn.}"
    )


def cannon(bench: Bench, ruleset: str = "tin") -> Row:
    return bench.rules(ruleset).tables["guns"].find(("cannon",))


def test_a_gap_stays_one_until_it_is_answered(bench: Bench) -> None:
    tear(bench)
    row = cannon(bench)
    assert (row["cost"], row.provenance.status, row.provenance.note) == (None, "gap", "The page is torn.")


def test_an_answer_fills_a_gap_and_is_the_players_own(bench: Bench) -> None:
    tear(bench)
    bench.settle(f"answers:\n  tin:\n    '{CANNON}': 9\n")
    row = cannon(bench)
    assert (row["cost"], row["reach"]) == (9, None)
    provenance = row.provenance
    assert (provenance.status, provenance.note, provenance.raw, provenance.support) == (
        "yours",
        "Points given by the players. The page is torn.",
        "",
        None,
    )
    assert provenance.cite_text == "Tin p. 1"


def test_an_answer_counts_in_prices_and_procedures(bench: Bench) -> None:
    bench.change(GUNS, "{type: die, label: Die}", "{type: die, label: Die, optional: true}")
    bench.change(GUNS, "words: Big cannon, die: D10,", "words: Big cannon, status: gap, note: Torn.,")
    bench.settle("answers: {tin: {'tables.guns[cannon].die': D12}}\n")
    shoot = bench.rules(only=[("procedures", "shoot")]).procedures["shoot"]
    assert answer(shoot, {"gun": "cannon", "wall": 1, "shots": 2}).chance("hit") > 0
    assert cannon(bench)["die"] == 12


def test_an_answer_belongs_to_the_rule_set_whose_gap_it_fills(bench: Bench) -> None:
    tear(bench)
    bench.settle(f"answers: {{tin: {{'{CANNON}': 9}}}}\n")
    own = [one for one in statements(bench.rules("steel")) if one.provenance.status == "yours"]
    assert [(one.owner, one.key, one.value) for one in own] == [("tin", "Big cannon", "Die D10, Points 9")]


def test_answers_for_a_layer_do_not_count_below_it(bench: Bench) -> None:
    tear(bench)
    bench.settle(f"answers: {{steel: {{'{CANNON}': 9}}}}\n")
    assert (cannon(bench, "tin")["cost"], cannon(bench, "steel")["cost"]) == (None, 9)
    assert (cannon(bench, "tin").provenance.status, cannon(bench, "steel").provenance.status) == ("gap", "yours")


def test_of_two_answers_to_one_gap_the_last_counts(bench: Bench) -> None:
    tear(bench)
    bench.settle(f"answers: {{tin: {{'{CANNON}': 9, 'tables.guns[ cannon ].cost': 7}}, steel: {{'{CANNON}': 5}}}}\n")
    assert (cannon(bench, "tin")["cost"], cannon(bench, "steel")["cost"]) == (7, 5)


def test_a_row_with_several_gaps_takes_an_answer_to_each(bench: Bench) -> None:
    tear(bench)
    bench.settle(f"answers: {{tin: {{'{CANNON}': 9, 'tables.guns[cannon].reach': 60}}}}\n")
    row = cannon(bench)
    assert (row["cost"], row["reach"], row.provenance.status) == (9, 60, "yours")


def test_an_answer_to_one_figure_of_a_row_opens_no_other(bench: Bench) -> None:
    tear(bench)
    bench.settle(f"answers:\n  tin:\n    '{CANNON}': 9\n    'tables.guns[cannon].die': D12\n")
    assert bench.problems() == ["R333 mine.yaml:4:5 tables.guns[cannon].die"]


def test_a_layer_over_a_gap_fills_it_for_good(bench: Bench) -> None:
    tear(bench)
    bench.layer("steel", f'set: "{CANNON}", was: null, to: 4, reason: Found., cite: x')
    bench.settle(f"answers: {{tin: {{'{CANNON}': 9}}}}\n")
    assert cannon(bench, "tin")["cost"] == 9
    assert [one[:4] for one in bench.problems("steel")] == ["R333"]


def test_a_gap_that_a_layer_made_may_be_answered(bench: Bench) -> None:
    bench.change(GUNS, "range: 1..20}", "range: 1..20, optional: true}")
    bench.layer("steel", f'set: "{CANNON}", was: 8, to: null, reason: Rubbed out., status: gap, cite: x')
    bench.settle(f"answers: {{steel: {{'{CANNON}': 9}}}}\n")
    assert (cannon(bench, "tin").provenance.status, cannon(bench, "steel").provenance.status) == ("plain", "yours")
    assert cannon(bench, "steel")["cost"] == 9


def test_a_row_that_a_layer_brings_is_a_gap_if_it_says_so_itself(bench: Bench) -> None:
    bench.change(GUNS, "range: 1..20}", "range: 1..20, optional: true}")
    bow = '"tables.guns[bow]", with: {gun: bow, words: Bow, die: D4'
    bench.settle("answers: {steel: {'tables.guns[bow].cost': 2}}\n")
    bench.layer("steel", f"add: {bow}, status: gap, note: Torn.}}, reason: There are bows., cite: x")
    assert bench.rules("steel").tables["guns"].find(("bow",)).provenance.status == "yours"
    bench.layer("steel", f"add: {bow}}}, reason: There are bows., cite: x, status: gap")
    assert [one[:4] for one in bench.problems("steel")] == ["R333"]


def test_the_file_of_the_rule_set_stays_as_it_was_read(bench: Bench) -> None:
    tear(bench)
    bench.settle(f"answers: {{tin: {{'{CANNON}': 9}}}}\n")
    part = bench.rules().tables["guns"].place.inside
    as_read: Any = part.document.value
    assert (part.value["rows"][1].get("cost"), as_read["rows"][1].get("cost")) == (9, None)
    bench.settings = NOTHING_SET
    assert cannon(bench)["cost"] is None


CREWS = """\
table: crews
title: Crews
cite: p. 7
status: gap
note: The page is lost.
key: [crew, size]
columns:
  crew: {type: word, label: Crew}
  size: {type: int, label: Size}
  gun: {type: word, label: Gun, from: guns, optional: true}
  drilled: {type: yes_no, label: Drilled, optional: true}
  rolls: {type: span, label: Rolls, optional: true}
  share: {type: number, label: Share, optional: true}
rows:
  - {crew: raw, size: 2}
  - {crew: old, size: 3, gun: pop, status: plain}
"""


def test_a_table_that_is_a_gap_as_a_whole_is_answered_figure_by_figure(bench: Bench) -> None:
    bench.write("tin/tables/crews.yaml", CREWS)
    bench.settle(
        "answers:\n  tin:\n    'tables.crews[raw, 2].gun': cannon\n    'tables.crews[raw,2].drilled': yes\n"
        "    'tables.crews[raw, 2].rolls': 2..4\n    'tables.crews[raw, 2].share': 0.5\n"
    )
    raw, old = bench.rules().tables["crews"].rows
    assert [raw[name] for name in ("gun", "drilled", "rolls")] == ["cannon", True, (2, 4)]
    assert raw["share"] * 2 == 1
    assert (raw.provenance.status, raw.provenance.cite_text, old.provenance.status) == ("yours", "Tin p. 7", "plain")


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("tables.crews[old, 3].drilled", "write a layer"),
        ("tables.crews[raw, 2].crew", "write a layer"),
        ("tables.crews[raw, 2].note", "write a layer"),
        ("tables.crews[raw, 2].status", "write a layer"),
        ("tables.crews[raw, 2]", "add the column after the row, such as .points"),
        ("tables.crews[raw, 3].gun", "did you mean raw, 2?"),
        ("tables.crews[raw].gun", "did you mean raw, 2?"),
        ("tables.crews[raw, 2].guns", "did you mean gun?"),
        ("tables.crew[raw, 2].gun", "did you mean tables.crews?"),
        ("tables.crews.title", "write a layer"),
        ("tables.crews.says", "write a layer"),
        ("tables.crews.rows.0", "the entries of rows have no ids: change the whole list"),
        ("kinds.tank.lines.hull.points", "write a layer"),
        ("procedures.shoot.title", "write a layer"),
        ("guns[cannon].cost", "write an address"),
        ("tables", "write an address"),
        ("crews[raw, 2].gun", "write an address"),
    ],
)
def test_what_is_no_gap_cannot_be_answered(bench: Bench, address: str, hint: str) -> None:
    bench.write("tin/tables/crews.yaml", CREWS)
    bench.settle(f"answers:\n  tin: {{'{address}': 4}}\n")
    (problem,) = bench.load("tin")[1]
    assert (problem.code, problem.found, problem.span.line, problem.span.column) == ("R333", address, 2, 9)
    assert problem.hint.startswith(hint)


@pytest.mark.parametrize(
    ("address", "given", "caret"),
    [
        ("tables.crews[raw, 2].gun", "pup", "pup"),
        ("tables.crews[raw, 2].gun", "3", "3"),
        ("tables.crews[raw, 2].drilled", "often", "often"),
        ("tables.crews[raw, 2].rolls", "4..2", "4..2"),
        ("tables.crews[raw, 2].share", "[1]", "[1]"),
        ("tables.crews[raw, 2].share", "null", "null"),
    ],
)
def test_an_answer_must_be_what_the_column_holds(bench: Bench, address: str, given: str, caret: str) -> None:
    bench.write("tin/tables/crews.yaml", CREWS)
    bench.settle(f"answers:\n  tin:\n    '{address}': {given}\n")
    (problem,) = bench.load("tin")[1]
    assert (problem.code, problem.field) == ("R206", f"answers.tin.{address}")
    assert problem.span.file == str(bench.folder / "mine.yaml")
    assert problem.span.text[problem.span.column - 1 :] == caret


def test_an_answer_that_is_not_asked_for_is_not_looked_at(bench: Bench) -> None:
    bench.settle("answers: {tin: {'tables.guns[cannon].cost': 9}}\n")
    assert bench.rules(only=()).tables == {}
    assert [one[:4] for one in bench.problems()] == ["R333"]


def test_nothing_follows_from_an_answer_in_a_table_that_cannot_be_read(bench: Bench) -> None:
    tear(bench)
    bench.settle(f"answers: {{tin: {{'{CANNON}': 9}}}}\n")
    bench.write(GUNS, "table: [\n")
    assert [one[:4] for one in bench.problems()] == ["F105"]
