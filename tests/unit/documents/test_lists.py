"""Blocks that list what a rule set says: readings, counts, options, errata, limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.render.page.html import render_html

if TYPE_CHECKING:
    from generator.render.blocks import Table
    from tests.conftest import Bench
    from tests.unit.documents.conftest import Print, Printer, Refuse

OPTIONS = (
    "options:\n  fog: {label: Fog, yes_no: true, default: false, says: Nobody can aim., cite: p. 9}\n"
    "  level: {label: Level, range: 1..3, default: 2, cite: p. 8}\n"
    "  crew: {label: Crew, from: guns, default: pop, says: Who stands *there*., cite: {book: p. 7}}\n"
)
HIGH = "  high: {label: High, range: 1..90, default: 20, cite: line 4}\n"
ERRATA = (
    "errata:\n  - {erratum: crate, title: Shots at a crate, printed: 6, holds: 3, working: floor(10 / 3), cite: p. 3, "
    "note: Rounded up.}\n"
    "  - {erratum: two, title: Two crates, printed: many, holds: few, cite: p. 4, note: Who counts.}\n"
)
PLAIN = "Plain: as the source has it."


def declare(bench: Bench) -> None:
    for name, more in (("tin", OPTIONS), ("steel", f"options:\n{HIGH}")):
        head = (bench.folder / name / "ruleset.yaml").read_text(encoding="utf-8")
        bench.write(f"{name}/ruleset.yaml", head + more)


def tear(bench: Bench) -> None:
    """Lose what a cannon costs."""
    bench.change("tin/tables/guns.yaml", "range: 1..20}", "range: 1..20, optional: true}")
    bench.change(
        "tin/tables/guns.yaml", "die: D10, cost: 8}", "die: D10, status: gap, raw: '8?', note: The page is torn.}"
    )


ANSWER = "answers: {tin: {'tables.guns[cannon].cost': 9}}\n"


def texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def heads(table: Table) -> list[str]:
    return [column.head for column in table.columns]


# Options


def choices(*said: str) -> str:
    """Choices beside each other; the stroke stays with the one before it."""
    return "\N{NO-BREAK SPACE}/ ".join(said)


def test_options_are_listed_with_what_is_set_in_bold(bench: Bench, printed: Print) -> None:
    declare(bench)
    table = printed("{options: own}")
    assert heads(table) == ["Option", "Choices", "What it does", "Source"]
    assert texts(table) == [
        ["Fog", choices("**no** (standard)", "yes"), "Nobody can aim.", "Tin p. 9"],
        ["Level", choices("1", "**2** (standard)", "3"), "", "Tin p. 8"],
        ["Crew", choices("**Pop gun** (standard)", "Big cannon"), "Who stands *there*.", "Tin p. 7"],
    ]
    bench.set("fog=yes", "level=1", "crew=cannon")
    assert [row[1] for row in texts(printed("{options: own}"))] == [
        choices("no (standard)", "**yes**"),
        choices("**1**", "2 (standard)", "3"),
        choices("Pop gun (standard)", "**Big cannon**"),
    ]


def test_options_tell_that_there_are_other_sheets_and_no_command(bench: Bench, printed: Print) -> None:
    declare(bench)
    assert printed("{options: own}").note == "Bold: the choice used on these sheets."


def test_options_of_parents_are_listed_where_all_are_wanted(bench: Bench, printed: Print) -> None:
    declare(bench)
    bench.set("high=90")
    assert [row[:2] for row in texts(printed("{options: own}", "steel"))] == [
        ["High", "**90** (standard: 20) of 1 to 90"]
    ]
    assert [row[0] for row in texts(printed("{options: all}", "steel"))] == ["Fog", "Level", "Crew", "High"]
    bench.set()
    assert [row[0] for row in texts(printed("{options: all}"))] == ["Fog", "Level", "Crew"]


def test_numbers_are_listed_one_by_one_up_to_eight_and_words_always(bench: Bench, printed: Print) -> None:
    head = (bench.folder / "tin/ruleset.yaml").read_text(encoding="utf-8")
    words = ", ".join("abcdefghi")
    bench.write(
        "tin/ruleset.yaml",
        f"{head}options:\n  a: {{label: A, range: 1..8, default: 8, cite: x}}\n"
        "  b: {label: B, range: 1..9, default: 9, cite: x}\n"
        f"  c: {{label: C, of: [{words}], default: a, cite: x}}\n",
    )
    assert [row[1] for row in texts(printed("{options: own}"))] == [
        choices(*"1234567", "**8** (standard)"),
        "**9** (standard) of 1 to 9",
        choices("**a** (standard)", *"bcdefghi"),
    ]


def test_a_rule_set_without_options_lists_none(printed: Print) -> None:
    table = printed("{options: all}")
    assert (texts(table), table.note) == ([["None", "", "", ""]], "")


# Errata


def test_errata_are_listed_with_their_arithmetic(bench: Bench, printed: Print) -> None:
    bench.write("tin/errata.yaml", ERRATA)
    table = printed("{errata: own}")
    assert heads(table) == ["Example", "Printed", "Correct", "Sum", "What goes wrong", "Source"]
    assert texts(table) == [
        ["**Shots at a crate**", "6", "3", "10 ÷ 3, rounded down", "Rounded up.", "Tin p. 3"],
        ["**Two crates**", "many", "few", "–", "Who counts.", "Tin p. 4"],
    ]


def test_errata_of_parents_are_listed_where_all_are_wanted(bench: Bench, printed: Print) -> None:
    bench.write("tin/errata.yaml", ERRATA)
    bench.write(
        "steel/errata.yaml",
        "errata: [{erratum: bolt, title: Bolts, printed: 1, holds: 2, cite: line 1, note: Miscounted.}]\n",
    )
    assert [row[0] for row in texts(printed("{errata: own}", "steel"))] == ["**Bolts**"]
    assert len(texts(printed("{errata: all}", "steel"))) == 3


# Limits


def test_limits_are_listed_and_advice_is_marked(bench: Bench, printed: Print) -> None:
    bench.change(
        "tin/kinds/tank.yaml", "limits:\n",
        "limits:\n  - {limit: low, that: wall < 2, blame: wall, says: Rather low., severity: advice, cite: p. 7}\n",
    )  # fmt: skip
    table = printed("{limits: tank}")
    assert heads(table) == ["What a design must keep", "Source"]
    assert texts(table) == [["*Advice:* Rather low.", "Tin p. 7"], ["At most four guns.", "Tin p. 6"]]
    assert table.caption == "Limits: Tank"


def test_limits_of_no_kind_are_told(refused: Refuse) -> None:
    (problem,) = refused("{limits: tnak}")
    assert (problem.code, problem.found, problem.hint) == ("R231", "tnak", "did you mean tank?")


def test_what_lacks_is_a_line_to_write_on_and_so_are_empty_rows(bench: Bench, printed: Print) -> None:
    assert not any(cell.blank for row in printed("{table: guns}").rows for cell in row)
    bench.change("tin/tables/guns.yaml", "range: 1..20}", "range: 1..20, optional: true}")
    bench.change("tin/tables/guns.yaml", "die: D10, cost: 8}", "die: D10, cost: null, status: gap, note: Torn.}")
    table = printed("{table: guns, blank: 2}")
    assert [[cell.blank for cell in row] for row in table.rows] == [
        [False] * 3, [False, False, True], [True] * 3, [True] * 3,
    ]  # fmt: skip
    across = printed("{across: [{table: guns, column: cost, label: Points}], head: Gun}")
    assert [cell.blank for cell in across.rows[0]] == [False, False, True]


@pytest.mark.parametrize("block", ["{options: none}", "{errata: some}", "{options: true}"])
def test_whose_options_and_errata_are_wanted_is_one_of_two_words(bench: Bench, block: str) -> None:
    bench.change("tin/sheets/quick.yaml", "{steps: shoot}", block)
    assert [one[:4] for one in bench.problems()] == ["R203"]


# Readings and counts


def test_a_gap_is_a_reading_and_stays_one_when_the_players_fill_it(bench: Bench, printed: Print) -> None:
    tear(bench)
    readings = "{readings: [gap, ruled]}"
    assert texts(printed(readings)[1])[0] == [
        "R1", "{gap} *Guns: Big cannon:* **Die D10.** The page is torn. Printed “8?”.", "Tin p. 1",
    ]  # fmt: skip
    bench.settle(ANSWER)
    assert texts(printed(readings)[1])[0] == [
        "R1",
        "{yours} *Guns: Big cannon:* **Die D10, Points 9.** Points given by the players. The page is torn.",
        "Tin p. 1",
    ]  # fmt: skip
    questions = [row[1].partition(":* ")[0] for row in texts(printed("{readings: [ruled]}")[1])]
    assert questions == ["{yours} *Guns: Big cannon", "{ruled} *Walls: Wall 0"]


def test_where_the_note_says_it_all_there_is_no_other_answer(bench: Bench, printed: Print) -> None:
    bench.change(
        "tin/kinds/tank.yaml", "four guns., cite: p. 6}", "four guns., cite: p. 6, status: ruled, note: Four.}"
    )
    limit = printed("{readings: [ruled]}")[1].rows[-1]
    assert limit[1].text.endswith(":* **At most four guns.** Four.")
    assert limit[2].text == "Tin p. 6"
    bench.change("tin/procedures/shoot.yaml", "title: Shooting\n", "title: Shooting\nstatus: ruled\nnote: Aim.\n")
    shot = next(row for row in printed("{readings: [ruled]}")[1].rows if "Shooting" in row[1].text)
    assert shot[1].text == "{ruled} *Shooting:* Aim."


# Marks


def test_the_row_of_an_answer_is_marked_as_the_players_own(bench: Bench, printed: Print) -> None:
    tear(bench)
    table = printed("{table: guns}")
    assert (table.rows[1][-1].mark, table.note) == ("a", "**a** Gap: The page is torn.")
    bench.settle(ANSWER)
    table = printed("{table: guns}")
    assert [cell.text for cell in table.rows[1]] == ["Big cannon", "D10", "9"]
    assert (table.rows[1][-1].mark, table.note) == (
        "a",
        "**a** Yours: Points given by the players. The page is torn.",
    )
    silent = printed("{table: guns, notes: false}")
    assert (silent.rows[1][-1].mark, silent.note) == (table.rows[1][-1].mark, table.note)


def test_the_figure_that_players_gave_is_marked_wherever_it_stands(bench: Bench, printed: Print) -> None:
    tear(bench)
    bench.settle(ANSWER)
    yours = "**a** Yours: Points given by the players. The page is torn."
    first = printed("{table: guns, columns: [cost, words]}")
    assert [cell.mark for cell in first.rows[1]] == ["a", ""]
    for block in (
        "{pivot: guns, rows: gun, columns: [words], column: cost}",
        "{across: [{table: guns, column: cost, label: Points}], head: Gun}",
    ):
        table = printed(block)
        marked = [(cell.text, cell.mark) for row in table.rows for cell in row if cell.mark]
        assert (marked, table.note) == ([("9", "a")], yours)
    other = printed("{across: [{table: guns, column: die, label: Die}], head: Gun}")
    assert ([cell.mark for cell in other.rows[0]], other.note) == (["", "", ""], "")


def test_a_figure_that_still_lacks_beside_an_answer_stays_open(bench: Bench, printed: Print) -> None:
    tear(bench)
    bench.change("tin/tables/guns.yaml", "die: {type: die, label: Die}", "die: {type: die, label: Die, optional: true}")
    bench.change("tin/tables/guns.yaml", "words: Big cannon, die: D10,", "words: Big cannon,")
    bench.settle(ANSWER)
    table = printed("{table: guns}")
    assert [(cell.text, cell.mark) for cell in table.rows[1]] == [("Big cannon", ""), ("", ""), ("9", "a")]


def test_the_status_of_an_answer_is_set_as_a_mark(bench: Bench, printer: Printer) -> None:
    tear(bench)
    bench.settle(ANSWER)
    sheet = printer("  - columns:\n      - - section: S\n          blocks:\n            - {readings: [gap]}\n")
    assert '<span class="status">yours</span>' in render_html(sheet, "a4", "mono")
