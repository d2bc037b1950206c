"""Tables of the rule set as blocks: pivots, captions, figures of one column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from generator.render.blocks import Table
    from tests.conftest import Bench
    from tests.unit.documents.conftest import Print, Refuse

BANDS = """\
table: bands
title: Range bands
cite: p. 6
key: [gun, size]
columns:
  gun: {type: word, label: Gun, from: guns}
  size: {type: int, label: Size}
  close: {type: int, label: Close}
  far: {type: int, label: Far, optional: true}
rows:
  - {gun: pop, size: 1, close: 8, far: 16}
  - {gun: pop, size: 2, close: 9, far: 18}
  - {gun: cannon, size: 2, close: 60, far: null}
"""
PIVOT = "{pivot: bands, rows: gun, columns: [size], column: close"


def texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


@pytest.fixture
def bands(bench: Bench) -> Bench:
    bench.write("tin/tables/bands.yaml", BANDS)
    return bench


@pytest.mark.usefixtures("bands")
def test_a_pivot_has_a_dash_where_there_is_no_row(printed: Print) -> None:
    assert texts(printed(f"{PIVOT}}}")) == [["pop", "8", "9"], ["cannon", "–", "60"]]


@pytest.mark.usefixtures("bands")
def test_a_pivot_shows_the_rows_for_which_a_formula_holds(printed: Print) -> None:
    table = printed(f"{PIVOT}, where: far != none and size > 1}}")
    assert ([column.head for column in table.columns], texts(table)) == (["Gun", "2"], [["pop", "9"]])


@pytest.mark.usefixtures("bands")
@pytest.mark.parametrize(
    ("more", "code", "found"),
    [("where: fra > 1", "R223", "fra"), ("where: far > 1", "R241", None)],
)
def test_what_a_pivot_names_must_be_there(refused: Refuse, more: str, code: str, found: str | None) -> None:
    (problem,) = refused(f"{PIVOT}, {more}}}")
    assert (problem.code, problem.found if found else None) == (code, found)


@pytest.mark.usefixtures("bands")
@pytest.mark.parametrize(
    "block",
    [
        "{table: bands",
        PIVOT,
        "{across: [{table: guns, column: cost, label: Price}], head: Gun",
    ],
)
def test_a_caption_is_printed_over_the_table_that_has_one(printed: Print, block: str) -> None:
    table = printed(f"{block}, caption: All of them}}")
    assert (table.caption, table.show_caption) == ("All of them", True)
    assert printed(f"{block}}}").show_caption is False


@pytest.mark.parametrize(
    ("weights", "shown"),
    [
        (("0.5", "1", "12.5"), ["½", "1", "12½"]),
        (("-0.5", "1"), ["−½", "1"]),
        (("0.5", "0.25"), ["0.5", "0.25"]),
        (("1", "20"), ["1", "20"]),
    ],
)
def test_halves_have_a_sign_where_nothing_finer_stands_beside_them(
    bench: Bench, printed: Print, weights: tuple[str, ...], shown: list[str]
) -> None:
    rows = "".join(f"  - {{no: {index}, weight: {weight}}}\n" for index, weight in enumerate(weights))
    bench.write(
        "tin/tables/loads.yaml",
        "table: loads\ntitle: Loads\ncite: p. 7\nkey: [no]\ncolumns:\n  no: {type: int, label: No.}\n"
        f"  weight: {{type: number, label: Weight}}\nrows:\n{rows}",
    )
    column = [row[1].text for row in printed("{table: loads}").rows]
    assert [text.strip() for text in column] == shown
    assert len({len(text.replace("½", "..")) for text in column}) == 1, "units stand under units"


def test_a_word_without_a_name_is_printed_as_itself(bench: Bench, printed: Print) -> None:
    bench.write(
        "tin/tables/grounds.yaml",
        "table: grounds\ntitle: Grounds\ncite: p. 7\nkey: [ground]\nname: label\ncolumns:\n"
        "  ground: {type: word, label: Ground, free: true}\n  label: {type: text, label: Label, optional: true}\n"
        "  reach: {type: span, label: Reach, optional: true}\nrows:\n"
        "  - {ground: bog, label: null, reach: null}\n  - {ground: mud, label: Deep mud, reach: 2..4}\n",
    )
    bench.write(
        "tin/tables/paces.yaml",
        "table: paces\ntitle: Paces\ncite: p. 7\nkey: [ground]\ncolumns:\n"
        "  ground: {type: word, label: Ground, from: grounds}\n  pace: {type: int, label: Pace}\nrows:\n"
        "  - {ground: bog, pace: 1}\n  - {ground: mud, pace: 2}\n",
    )
    assert texts(printed("{table: paces}")) == [["bog", "1"], ["Deep mud", "2"]]
    assert texts(printed("{table: paces, shown_as: reach}")) == [["–", "1"], ["2–4", "2"]]


def test_a_list_of_words_is_printed_by_their_names(bench: Bench, printed: Print) -> None:
    columns = "{crew: {type: word, label: Crew, free: true}, guns: {type: words, label: Guns, from: guns}}"
    rows = "[{crew: any, guns: [pop, cannon]}]"
    text = f"table: crews\ntitle: Crews\ncite: x\nkey: [crew]\ncolumns: {columns}\nrows: {rows}\n"
    bench.write("tin/tables/crews.yaml", text)
    assert texts(printed("{table: crews}")) == [["any", "Pop gun, Big cannon"]]


@pytest.mark.parametrize(("show", "head"), [("total", "Points"), ("sum", "Points"), ("capacity", "Capacity")])
def test_a_column_of_prices_is_named_after_what_it_shows(printed: Print, show: str, head: str) -> None:
    table = printed(f"{{prices: tank, rows: wall, show: {show}}}")
    assert [column.head for column in table.columns] == ["Wall", head]


def test_each_of_many_notes_of_a_table_has_a_mark_of_its_own(bench: Bench, printed: Print) -> None:
    row = "  - {{gun: pop, size: {0}, close: 8, status: ruled, note: Note {0}.}}\n"
    bench.write("tin/tables/bands.yaml", BANDS + "".join(row.format(size) for size in range(3, 33)))
    table = printed("{table: bands}")
    marks = [cell.mark for row in table.rows for cell in row if cell.mark]
    assert (len(marks), len(set(marks))) == (30, 30)
    assert all(f"**{mark}** Ruled: Note {number}." in table.note for number, mark in enumerate(marks, start=3))
