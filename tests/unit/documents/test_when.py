"""What a sheet leaves out for the options: blocks, sections, columns, rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.documents.sheets import compose
from generator.render.blocks import Prose, Sheet, Steps, Table
from generator.rules.check.ruleset import check_sheet

if TYPE_CHECKING:
    from generator.problems import Problem
    from tests.conftest import Bench
    from tests.unit.documents.conftest import Print, Printer, Refuse


@pytest.fixture(autouse=True)
def _options(bench: Bench) -> None:
    head = (bench.folder / "tin/ruleset.yaml").read_text(encoding="utf-8")
    bench.write(
        "tin/ruleset.yaml",
        f"{head}options:\n  fog: {{label: Fog, yes_no: true, default: false, cite: p. 9}}\n"
        "  level: {label: Level, range: 0..3, default: 1, cite: p. 9}\n",
    )


def block(text: str, when: str = "") -> str:
    return f"{{prose: [{text}]{f', when: {when}' if when else ''}}}"


def section(name: str, *blocks: str, when: str = "") -> str:
    condition = f", when: {when}" if when else ""
    return f"{{section: {name}{condition}, blocks: [{', '.join(blocks)}]}}"


def row(*columns: str, more: str = "") -> str:
    return f"  - {{columns: [{', '.join(f'[{one}]' for one in columns)}]{more}}}\n"


def shape(sheet: Sheet) -> list[list[list[tuple[str, list[str]]]]]:
    """Every row as columns of sections with their paragraphs."""
    return [
        [
            [(one.title, [p for b in one.blocks if isinstance(b, Prose) for p in b.paragraphs]) for one in column]
            for column in row.columns
        ]
        for row in sheet.rows
    ]


TWO = row(section("A", block("a"), block("b", "fog")), section("B", block("c"), when="fog"))


def test_blocks_and_sections_are_left_out_where_their_condition_does_not_hold(bench: Bench, printer: Printer) -> None:
    assert shape(printer(TWO)) == [[[("A", ["a"])]]]
    bench.set("fog=yes")
    assert shape(printer(TWO)) == [[[("A", ["a", "b"])], [("B", ["c"])]]]


def test_a_section_all_of_whose_blocks_are_left_out_is_left_out(printer: Printer) -> None:
    rows = row(f"{section('A', block('a', 'fog'), block('b', 'level > 1'))}, {section('B', block('c'))}")
    assert shape(printer(rows)) == [[[("B", ["c"])]]]


def test_one_section_of_a_column_may_go_and_the_other_stay(bench: Bench, printer: Printer) -> None:
    rows = row(f"{section('A', block('a'), when='not fog')}, {section('B', block('b'), when='fog')}")
    assert shape(printer(rows)) == [[[("A", ["a"])]]]
    bench.set("fog=yes")
    assert shape(printer(rows)) == [[[("B", ["b"])]]]


def test_a_column_that_is_left_out_takes_its_share_along(bench: Bench, printer: Printer) -> None:
    rows = row(
        section("A", block("a")),
        section("B", block("b"), when="fog"),
        section("C", block("c")),
        more=", shares: [5, 3, 2]",
    )
    sheet = printer(rows)
    assert shape(sheet) == [[[("A", ["a"])], [("C", ["c"])]]]
    assert sheet.rows[0].shares == (5, 2)
    bench.set("fog=yes")
    assert printer(rows).rows[0].shares == (5, 3, 2)


def test_a_row_that_is_left_out_takes_its_new_page_along(bench: Bench, printer: Printer) -> None:
    rows = row(section("A", block("a"))) + row(section("B", block("b"), when="level > 2"), more=", new_page: true")
    rows += row(section("C", block("c")))
    sheet = printer(rows)
    assert shape(sheet) == [[[("A", ["a"])]], [[("C", ["c"])]]]
    assert [one.new_page for one in sheet.rows] == [False, False]
    bench.set("level=3")
    assert [one.new_page for one in printer(rows).rows] == [False, True, False]


def test_a_sheet_may_be_left_out_altogether(printer: Printer) -> None:
    assert printer(row(section("A", block("a"), when="fog"))).rows == ()


def test_every_kind_of_block_may_have_a_condition(bench: Bench, printer: Printer) -> None:
    blocks = [
        "{steps: shoot, when: fog}",
        "{table: guns, when: fog}",
        "{across: [{table: walls, column: die, label: x}], head: x, when: fog}",
        "{pivot: guns, rows: gun, columns: [words], column: cost, when: fog}",
        "{grid: shoot, rows: gun, columns: wall, measure: {outcomes: [hit]}, when: fog}",
        "{prices: tank, rows: wall, when: fog}",
        "{working: tank, title: T, design: {wall: 1}, when: fog}",
        "{notes: [x], when: fog}",
        "{key: tints, when: fog}",
        "{readings: [ruled], when: fog}",
        "{sources: cited, when: fog}",
        "{options: all, when: fog}",
        "{errata: all, when: fog}",
        "{limits: tank, when: fog}",
    ]
    rows = row(section("A", block("a"), *blocks))
    assert len(printer(rows).rows[0].columns[0][0].blocks) == 1
    bench.set("fog=yes")
    assert len(printer(rows).rows[0].columns[0][0].blocks) == 2 + len(blocks)  # readings have a legend


@pytest.mark.parametrize(
    ("when", "printed"),
    [
        ("level == 1", True),
        ("level > 1", False),
        ("level >= 1", True),
        ("level != 1", False),
        ("yes", True),
        ("no", False),
    ],
)
def test_a_condition_is_any_formula_over_the_options(printer: Printer, when: str, printed: bool) -> None:  # noqa: FBT001 - what comes out
    assert bool(printer(row(section("A", block("a"), when=when))).rows) == printed


def test_what_is_left_out_is_not_reckoned(bench: Bench, printer: Printer) -> None:
    bench.change("tin/procedures/shoot.yaml", '"guns[gun].die"', '"none if fog else guns[gun].die"')
    rows = row(
        section("A", block("a"), "{grid: shoot, rows: gun, columns: wall, measure: {outcomes: [hit]}, when: not fog}")
    )
    assert len(printer(rows).rows[0].columns[0][0].blocks) == 2
    bench.set("fog=yes")
    assert len(printer(rows).rows[0].columns[0][0].blocks) == 1


# What a condition cannot be


@pytest.mark.parametrize(
    ("when", "code", "found"),
    [
        ("mist", "R223", "mist"),
        ("fog and", "R221", "the end of the formula"),
        ("gun == 'pop'", "R223", "gun"),
        ("guns['pop'].cost > 2", "R225", "the table guns"),
        ("1 / (level - 1) > 0", "R241", "a division by zero"),
        ("level - 1", "R241", "0 for a condition, not yes or no"),
        ("level > 'a'", "R222", "'a'"),
        ("[1]", "R203", "a list"),
    ],
)
@pytest.mark.parametrize("where", ["block", "section"])
def test_a_condition_that_cannot_be_is_one_problem_at_its_place(
    bench: Bench, when: str, code: str, found: str, where: str
) -> None:
    told = f'"{when}"' if when[0] != "[" else when
    rows = row(section("A", block("a", told if where == "block" else ""), when=told if where == "section" else ""))
    bench.write("tin/sheets/own.yaml", f"sheet: own\ntitle: Own\nstrap: s\nkicker: k\nrows:\n{rows}")
    rules, problems = bench.load("tin")
    assert rules is not None
    if "own" in rules.sheets:
        check_sheet(rules, rules.sheets["own"], problems)
    (problem,) = problems
    at = "rows[0].columns[0][0]" + (".blocks[0]" if where == "block" else "")
    assert (problem.code, problem.found, problem.field) == (code, found, f"{at}.when")


def test_what_is_left_out_is_checked_all_the_same(refused: Refuse) -> None:
    assert [one.code for one in refused("{table: gunz, when: fog}")] == ["R225"]


# Options in the other formulas of a sheet


def test_the_rows_of_a_table_may_hang_on_an_option(bench: Bench, printed: Print) -> None:
    table = "{table: walls, where: wall > level or fog}"
    assert [cells[0].text for cells in printed(table).rows] == ["2"]
    bench.set("level=0")
    assert [cells[0].text for cells in printed(table).rows] == ["1", "2"]
    bench.set("fog=yes")
    assert [cells[0].text for cells in printed(table).rows] == ["0", "1", "2"]


def test_a_column_hides_an_option_of_its_name(bench: Bench, printed: Print) -> None:
    bench.change(
        "tin/ruleset.yaml",
        "  fog: {label: Fog",
        "  wall: {label: Wall, range: 0..9, default: 9, cite: p. 9}\n  fog: {label: Fog",
    )
    assert [cells[0].text for cells in printed("{table: walls, where: wall == 1}").rows] == ["1"]


def test_the_dice_beside_a_grid_may_hang_on_an_option(bench: Bench, printed: Print) -> None:
    grid = (
        "{grid: shoot, rows: gun, columns: wall, given: {wall: [1, 2]}, measure: {outcomes: [hit]}, "
        'dice: {gun: "up(guns[gun].die, level)", wall: "walls[wall]"}}'
    )
    table = printed(grid)
    assert isinstance(table, Table)
    assert [cells[0].text.split("\N{NO-BREAK SPACE}")[0] for cells in table.rows] == ["D8", "D12"]
    assert [head.die for head in table.columns[1:]] == ["D6", "D8"]
    bench.set("level=0")
    assert [cells[0].text.split("\N{NO-BREAK SPACE}")[0] for cells in printed(grid).rows] == ["D6", "D10"]


def test_the_steps_on_a_sheet_are_those_that_hold(bench: Bench, printed: Print) -> None:
    bench.write(
        "tin/procedures/walk.yaml",
        "procedure: walk\ntitle: Walking\ncite: p. 9\n"
        "steps:\n  - Go.\n  - {step: fog, says: Hold hands., when: fog}\n  - Stop.\n",
    )
    assert printed("{steps: walk}") == Steps(("Go.", "Stop."))
    bench.set("fog=yes")
    assert printed("{steps: walk}") == Steps(("Go.", "Hold\N{NO-BREAK SPACE}hands.", "Stop."))


def test_a_table_without_rows_says_so(bench: Bench, printed: Print) -> None:
    table = "{table: walls, where: wall < level - 1}"
    bench.set("level=2")
    assert [cells[0].text for cells in printed(table).rows] == ["0"]
    bench.set("level=1")
    rules = bench.rules()
    problems: list[Problem] = []
    check_sheet(rules, rules.sheets["own"], problems)
    assert [(one.code, one.severity) for one in problems] == [("R238", "advice")]
    own = compose(rules, rules.sheets["own"], "", problems).rows[0].columns[0][0].blocks[0]
    assert isinstance(own, Table)
    assert [[cell.text for cell in cells] for cells in own.rows] == [["None", ""]]


def test_a_glossary_all_of_whose_rows_are_left_out_is_left_out(printer: Printer) -> None:
    row = "  - columns: [[{section: S, blocks: [{prose: [a]}, {glossary: guns, without: [WITHOUT]}]}]]\n"
    assert shape(printer(row.replace("WITHOUT", "pop"))) == [[[("S", ["a", "**cannon** Big cannon."])]]]
    assert shape(printer(row.replace("WITHOUT", "pop, cannon"))) == [[[("S", ["a"])]]]


def test_a_block_all_of_whose_steps_are_left_out_is_left_out(bench: Bench, printer: Printer) -> None:
    walk = "procedure: walk\ntitle: Walking\ncite: p. 9\nsteps:\n  - {step: fog, says: Hold hands., when: fog}\n"
    bench.write("tin/procedures/walk.yaml", walk)
    rows = row(section("A", "{steps: walk}"), section("B", block("b")))
    assert shape(printer(rows)) == [[[("B", ["b"])]]]
    bench.set("fog=yes")
    assert [part.title for column in printer(rows).rows[0].columns for part in column] == ["A", "B"]


@pytest.mark.parametrize(
    ("block", "code", "field", "found"),
    [
        ("{table: walls, where: die > 6}", "R241", "where", "values that do not go together"),
        ("{table: walls, where: 6 // wall > 1}", "R241", "where", "a division by zero (wall=0)"),
        ("{table: walls, where: wal > 1}", "R223", "where", "wal"),
        ("{table: walls, where: wall > mist}", "R223", "where", "mist"),
    ],
)
def test_the_rows_of_a_table_must_all_have_an_answer(
    refused: Refuse, block: str, code: str, field: str, found: str
) -> None:
    (problem,) = refused(block)
    assert problem.code == code
    assert problem.field == f"rows[0].columns[0][0].blocks[0].{field}"
    assert problem.found.startswith(found)


@pytest.mark.parametrize(
    ("dice", "given", "code", "found"),
    [
        ("wall: 'walls[wall + 1]'", "{}", "R241", "the table walls has no row for 3 (wall=2)"),
        ("wall: 'walls[wall + 1]'", "{wall: [0, 1]}", "", ""),
        ("wall: 'walls[wall + 1]'", "{wall: [0, 2]}", "R241", "the table walls has no row for 3 (wall=2)"),
        ("gun: 'guns[gun].dye'", "{}", "R223", "dye"),
        ("gun: gun", "{}", "R241", "pop sides of a die, not 1 to 1000 (gun=pop)"),
        ("gun: 'guns[gun].cost / 2'", "{}", "R241", "1.5 sides of a die, not 1 to 1000 (gun=pop)"),
        ("gun: shots - 1", "{}", "R223", "shots"),
        ("shots: 'walls[shots]'", "{shots: 2}", "", ""),
        ("shots: 'walls[shots]'", "{shots: 3}", "R241", "the table walls has no row for 3 (shots=3)"),
    ],
)
def test_the_dice_beside_a_grid_must_be_there_for_every_value(
    refused: Refuse, dice: str, given: str, code: str, found: str
) -> None:
    block = f"{{grid: shoot, rows: gun, columns: wall, given: {given}, measure: {{outcomes: [hit]}}, dice: {{{dice}}}}}"
    assert [(one.code, one.found) for one in refused(block)] == ([(code, found)] if code else [])


@pytest.mark.parametrize(
    ("block", "problems"),
    [
        ("{table: gunz, where: wall > 1}", [("R225", "table", "the table gunz")]),
        ("{across: [{table: gunz, column: die, label: x}], head: x}", [("R225", "across[0].table", "the table gunz")]),
        ("{across: [{table: guns, column: dye, label: x}], head: x}", [("R232", "across[0].column", "dye")]),
        ("{prices: tank, rows: wall, columns: crewed}", []),
    ],
)
def test_what_a_block_names_is_looked_up(refused: Refuse, block: str, problems: list[tuple[str, str, str]]) -> None:
    at = "rows[0].columns[0][0].blocks[0]."
    assert [(one.code, one.field.removeprefix(at), one.found) for one in refused(block)] == problems


def test_a_grid_needs_a_procedure_with_dice(bench: Bench, refused: Refuse) -> None:
    bench.write("tin/procedures/walk.yaml", "procedure: walk\ntitle: Walking\ncite: p. 9\nsteps: [Go.]\n")
    (problem,) = refused("{grid: walk, rows: gun, columns: wall, measure: {outcomes: [hit]}}")
    assert (problem.code, problem.found) == ("R231", "walk")
    assert problem.hint == "there are: shoot"


def test_formulas_of_a_sheet_may_look_up_tables(bench: Bench) -> None:
    bench.change(
        "tin/sheets/quick.yaml", "given: {shots: 2}", "given: {shots: 2}\n              dice: {wall: 'walls[wall]'}"
    )
    rules = bench.rules()
    problems: list[Problem] = []
    check_sheet(rules, rules.sheets["quick"], problems)
    assert problems == []
