"""Forces as spreadsheets, entries in the short way, and the way back."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pypdfium2
import pytest
import zxingcpp
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.commands.access import open_library
from generator.commands.forces import convert, load_force_file
from generator.commands.jobs import Selection
from generator.commands.printer import Output
from generator.commands.printing import build
from generator.forces.designs import read_entries, read_setting, spell_entries, spell_setting, write_yaml
from generator.forces.spreadsheet import _without_nothing, write_code, write_spreadsheet, write_workbook
from generator.parsing.tables import packed
from generator.parsing.text import FORBIDDEN
from generator.parsing.yaml12 import parse_yaml, to_yaml
from generator.problems import ProblemsError
from generator.render.blocks import Code
from generator.resources import rulesdata
from generator.rules.entries.kinds import FORCE, UNIT, Field
from generator.rules.load.load import ALL, load

if TYPE_CHECKING:
    from generator.forces.force import Force

pytestmark = pytest.mark.slow

LIBRARY = open_library()
RULES = load(LIBRARY, "dirtside2-iceburg", [], only=[("kinds", ALL)])
assert RULES is not None
KINDS = {name: kind for name, kind in RULES.kinds.items() if name not in (UNIT, FORCE)}
WEAPONS = next(one for one in KINDS["vehicle"].fields if one.name == "weapons")
MISSILES = next(one for one in KINDS["vehicle"].fields if one.name == "missiles")


def read(folder: Path, text: str, name: str = "force.csv") -> Force:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return load_force_file(LIBRARY, path)


# The short way


@pytest.mark.parametrize(
    ("field", "text", "entries"),
    [
        (WEAPONS, "HKP/3", [{"weapon": "HKP", "class": 3}]),
        (WEAPONS, "2 x HKP 3 fixed; rfac/1", [
            {"count": 2, "weapon": "HKP", "class": 3, "mount": "fixed"}, {"weapon": "rfac", "class": 1},
        ]),
        (WEAPONS, "HKP 3 2", [{"weapon": "HKP", "class": 3, "count": 2}]),
        (MISSILES, "GMS/L enhanced; 3 × GMS/H/superior;", [
            {"missile": "GMS/L", "quality": "enhanced"}, {"count": 3, "missile": "GMS/H", "quality": "superior"},
        ]),
        (WEAPONS, " ; ", []),
    ],
)  # fmt: skip
def test_entries_are_read_in_the_order_of_their_fields(field: Field, text: str, entries: list[dict[str, Any]]) -> None:
    read_back = list(read_entries(field.fields, text))
    assert [one.values for one in read_back] == entries
    assert all(one.rest == "" for one in read_back)
    assert [text[one.offset :].split(";", maxsplit=1)[0].strip() != "" for one in read_back] == [True] * len(entries)


def test_a_word_that_is_none_is_kept_to_be_told() -> None:
    (entry,) = read_entries(WEAPONS.fields, "HKQ/3")
    assert entry.values == {"weapon": "HKQ", "class": 3}
    (entry,) = read_entries(WEAPONS.fields, "HKP/3 with a view")
    assert entry.rest == "with a view"


def _value(field: Field) -> st.SearchStrategy[Any]:
    if field.choice is None:
        inner = st.fixed_dictionaries({one.name: _value(one) for one in field.fields})
        return st.lists(inner, max_size=3)
    return st.sampled_from(field.choice.values)


OPTIONAL = tuple(
    one._replace(default=one.choice.values[0], required=False) if one.choice and one.required else one
    for one in WEAPONS.fields
)
"""The fields of a list in which every field has a default."""


@pytest.mark.parametrize("fields", [WEAPONS.fields, OPTIONAL])
@given(entries=st.lists(st.fixed_dictionaries({one.name: _value(one) for one in WEAPONS.fields}), max_size=4))
@example(entries=[{one.name: one.default for one in OPTIONAL}])
def test_what_is_spelled_reads_back(fields: tuple[Field, ...], entries: list[dict[str, Any]]) -> None:
    defaults = {one.name: one.default for one in fields}
    found = [defaults | one.values for one in read_entries(fields, spell_entries(fields, entries))]
    assert found == entries


# Settings

VALUES: st.SearchStrategy[Any] = st.one_of(
    st.integers(-99, 99),
    st.booleans(),
    st.sampled_from([0.5, -2.125, 1e30, 5e-25, 3.0]),
    st.sampled_from(
        ["yes", "no", "true", "null", "", " ", "D6", "08", "1e3", "0o17", "0.5", "[a]", "'a'", '"', "a: b"]
    ),
    st.text(max_size=9).filter(lambda text: FORBIDDEN.search(text) is None),
    st.lists(st.sampled_from(["a", "b, c", "08", "yes"]), max_size=3),
)
"""Values of settings, such as those that look like another in a cell."""
OPTIONS = st.dictionaries(st.sampled_from(["fog", "hybrid"]), VALUES.filter(lambda one: isinstance(one, str | int)))
ANSWERS = st.dictionaries(st.sampled_from(["tables.guns[musket].cost", "tables.guns[a, b; c].die"]), VALUES)
SET_ELSEWHERE = st.fixed_dictionaries(
    {},
    optional={
        "options": st.dictionaries(st.sampled_from(["tin-soldiers", "stargrunt2"]), OPTIONS, min_size=1),
        "answers": st.dictionaries(st.sampled_from(["tin-soldiers"]), ANSWERS, min_size=1),
    },
)
"""Settings for rules that the force does not use: they may say anything, and have to survive."""


@given(VALUES)
def test_the_cell_of_a_setting_reads_back(value: Any) -> None:
    value = exact(value)
    cell = spell_setting(value)
    assert cell == cell.strip() != ""
    assert (type(read_setting(cell)), read_setting(cell)) == (type(value), value)


@given(VALUES)
def test_yaml_reads_back_what_was_written(value: Any) -> None:
    value = exact(value)
    document, problems = parse_yaml(to_yaml({"it": value}), "")
    assert document is not None
    assert not problems
    assert document.value == {"it": value}


def test_a_value_that_occurs_twice_is_written_twice() -> None:
    half, names = Fraction(1, 2), ["Fox", "Wolf"]
    document, problems = parse_yaml(to_yaml({"first": [half, names], "second": [half, names]}), "")
    assert document is not None
    assert not problems
    assert document.value == {"first": [half, names], "second": [half, names]}


def exact(value: Any) -> Any:
    """A number with a point as files are read."""
    return Fraction(repr(value)) if isinstance(value, float) else value


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("3", 3), ("D6", "D6"), ("0.5", Fraction(1, 2)), ('"3"', "3"), ("yes", "yes"), ("TRUE", True),
        ("[a, b]", ["a", "b"]), ("[a", "[a"), ("Heavy: slow", "Heavy: slow"), ("9" * 40, "9" * 40),
    ],
)  # fmt: skip
def test_a_cell_is_read_as_a_file_of_settings_reads_it(cell: str, value: Any) -> None:
    assert read_setting(cell) == value


# Whole forces


@st.composite
def forces(draw: st.DrawFn) -> dict[str, Any]:
    designs = []
    for number in range(draw(st.integers(1, 4))):
        kind = KINDS[draw(st.sampled_from(sorted(KINDS)))]
        chosen = {one.name: draw(_value(one)) for one in kind.fields if one.required or draw(st.booleans())}
        designs.append({"design": f'Design; {number}, "x"', "kind": kind.id, **chosen})
    of = st.fixed_dictionaries(
        {"design": st.sampled_from([one["design"] for one in designs]), "count": st.integers(1, 9)}
    )
    units = [
        {
            "unit": f"U {number}",
            "quality": draw(st.sampled_from(["green", "veteran"])),
            "note": draw(st.sampled_from(["", "Down; the hill", "08"])),
            "of": draw(st.lists(of, min_size=1, max_size=3)),
        }
        for number in range(draw(st.integers(0, 3)))
    ]
    return {"force": "Réds", "rules": ["dirtside2-iceburg"], "budget": draw(st.integers(0, 9999)), "note": "One\nTwo",
            "designs": designs, "units": units, **draw(SET_ELSEWHERE)}  # fmt: skip


def content(force: Force) -> Any:
    designs = {one.name: (one.kind.id, {**one.values}, one.points, one.note) for one in force.designs}
    units = [(one.name, {**one.values}, one.note, [(e.design.name, e.count) for e in one.of]) for one in force.units]
    return force.name, force.budget, force.note, designs, units, force.total, set_in(force)


def set_in(force: Force) -> list[tuple[Any, ...]]:
    """What the force's file sets; a number and a text that spells it are not the same, nor are 1 and 1.0."""
    return [(one.ruleset, one.name, type(one.value), one.value) for part in force.settings for one in part]


@settings(max_examples=3)
@given(forces())
def test_a_force_is_the_same_after_a_way_through_either_file(said: dict[str, Any]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        first = read(folder, json.dumps(said, ensure_ascii=False), "force.yaml")
        assert content(read(folder, write_spreadsheet(first))) == content(first)
        assert content(read(folder, write_yaml(first), "again.yaml")) == content(first)
        (folder / "again.xlsx").write_bytes(write_workbook(first))
        assert content(load_force_file(LIBRARY, folder / "again.xlsx")) == content(first)


def test_a_name_and_a_note_that_are_numbers_come_back(tmp_path: Path) -> None:
    said = {"force": "1944", "rules": "fma-skirmish", "note": "1944",
            "designs": [{"design": "Ann", "kind": "figure", "quality": "regular", "motivation": 1}]}  # fmt: skip
    first = read(tmp_path, json.dumps(said), "force.yaml")
    assert content(read(tmp_path, write_spreadsheet(first))) == content(first)


def test_what_a_spreadsheet_cannot_hold_is_named(tmp_path: Path) -> None:
    (tmp_path / "ann.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    ann = {"design": "Ann", "kind": "figure", "quality": "regular", "motivation": 1}
    said = {"force": "Reds", "rules": "fma-skirmish", "designs": [ann | {"picture": {"file": "ann.svg", "alt": "A"}}],
            "units": [{"unit": "Squad", "of": [{"design": "Ann"}]}, {"unit": "Nobody", "of": []}]}  # fmt: skip
    source = tmp_path / "force.yaml"
    source.write_text(json.dumps(said))
    for ending, lost in (("csv", ["the picture of Ann", "the unit Nobody, without designs"]), ("yaml", [])):
        problems = convert(LIBRARY, source, tmp_path / f"new.{ending}")
        assert [problem.found for problem in problems if problem.code == "F213"] == lost


SAMPLES = sorted(rulesdata().glob("*/samples/*.yaml"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_each_sample_is_the_same_after_a_way_through_a_code(sample: Path, tmp_path: Path) -> None:
    first = load_force_file(LIBRARY, sample)
    line = write_code(first)
    assert len(line) <= Code.MOST
    wrapped = "\n".join(line[start : start + 70] for start in range(0, len(line), 70)).lower()  # as messages do
    assert content(read(tmp_path, wrapped, "force.qr")) == content(first)


def test_the_code_on_a_roster_holds_the_force(tmp_path: Path) -> None:
    sample = rulesdata() / "fma-skirmish" / "samples" / "quay-nine-watch.yaml"
    data, _ = build(LIBRARY, [str(sample)], Output(tmp_path, jobs=1), selection=Selection(["roster"]))
    pages = pypdfium2.PdfDocument(data["built"][0]["path"])
    (found,) = zxingcpp.read_barcodes(pages[len(pages) - 1].render(scale=300 / 72).to_pil())
    assert content(read(tmp_path, found.text, "force.qr")) == content(load_force_file(LIBRARY, sample))


@pytest.mark.parametrize(
    "line", ["", "FIELDPRESS:", "FIELDPRESS:ABC1", "force,rules\nReds,fma-skirmish", "FIELDPRESS:AAAA"]
)
def test_a_line_that_is_not_a_code_is_named(line: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemsError) as raised:
        read(tmp_path, line, "force.qr")
    assert [problem.code for problem in raised.value.problems] == ["F104"]


def test_a_code_that_unpacks_to_too_much_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError) as raised:
        read(tmp_path, packed("force,rules\n" * 300_000), "force.qr")
    assert [problem.code for problem in raised.value.problems] == ["F104"]


RUNS = ("=1+1", "+cmd", "-2+3", "@SUM(A1)", "'=x", "''=x", '=HYPERLINK("http://a";"b")')


@pytest.mark.parametrize("name", RUNS)
def test_no_cell_is_a_formula_and_names_that_look_like_one_come_back(name: str, tmp_path: Path) -> None:
    said = {"force": name, "rules": "fma-skirmish", "note": name,
            "designs": [{"design": name, "kind": "figure", "quality": "regular", "motivation": 1}],
            "units": [{"unit": name, "of": [{"design": name}]}]}  # fmt: skip
    first = read(tmp_path, json.dumps(said), "force.yaml")
    text = write_spreadsheet(first)
    assert not [cell for row in csv.reader(io.StringIO(text)) for cell in row if cell.startswith(tuple("=+-@"))]
    assert content(read(tmp_path, text)) == content(first)
    path = tmp_path / "force.xlsx"
    path.write_bytes(write_workbook(first))
    cells = [cell for row in openpyxl.load_workbook(path).worksheets[0].rows for cell in row]
    assert "f" not in {cell.data_type for cell in cells}
    assert content(load_force_file(LIBRARY, path)) == content(first)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no archive", b"force,rules\nReds,fma-skirmish\n"])
def test_a_file_that_is_not_a_workbook_is_named(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "force.xlsx"
    path.write_bytes(data)
    with pytest.raises(ProblemsError) as raised:
        load_force_file(LIBRARY, path)
    assert [problem.code for problem in raised.value.problems] == ["F104"]


@pytest.mark.parametrize("cell", ["=1+2", "#REF!"])
def test_a_formula_without_a_value_is_named_by_its_cell(cell: str, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0].append(["force.name", "unit.count"])
    book.worksheets[0].append(["Reds", cell])
    book.save(tmp_path / "force.xlsx")
    with pytest.raises(ProblemsError) as refused:
        load_force_file(LIBRARY, tmp_path / "force.xlsx")
    [problem] = refused.value.problems
    assert (problem.code, problem.found) == ("F104", "no value, or an error, in B2")


def test_a_workbook_that_unpacks_to_too_much_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "force.xlsx"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 60_000_000)
    with pytest.raises(ProblemsError) as raised:
        load_force_file(LIBRARY, path)
    assert [problem.code for problem in raised.value.problems] == ["F104"]


def test_a_problem_of_a_workbook_has_its_row(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.append(["force", "rules", "design", "kind", "quality", "motivation", "note"])
    sheet.append(["Reds", "fma-skirmish", "Ann", "figure", "regular", 1, date(2026, 11, 29)])
    sheet.append([None, None, "Bob", "figure", "regullar", 1.0])
    book.save(tmp_path / "force.xlsx")
    force = load_force_file(LIBRARY, tmp_path / "force.xlsx")
    assert [(problem.code, problem.span.line) for problem in force.problems if problem.severity == "error"] == [
        ("F203", 3)
    ]
    assert [(item.name, item.note) for item in force.designs] == [("Ann", "2026-11-29")]


def test_settings_that_price_a_force_go_along(tmp_path: Path) -> None:
    said = {"force": "Greens", "rules": "fma-skirmish", "options": {"fma-skirmish": {"motivation_points": "yes"}},
            "answers": {"fma-skirmish": {"tables.weapons[gauss-rifle].firepower": "D8"}},
            "designs": [{"design": "Ann", "kind": "figure", "quality": "regular", "motivation": 1,
                         "arms": [{"weapon": "gauss-rifle"}]}]}  # fmt: skip
    first = read(tmp_path, json.dumps(said), "force.yaml")
    without = read(tmp_path, json.dumps({**said, "options": {}}), "without.yaml")
    assert first.total == without.total + 5  # what the poster asks for high motivation
    for again in (read(tmp_path, write_spreadsheet(first)), read(tmp_path, write_yaml(first), "again.yaml")):
        assert content(again) == content(first)
        assert "D8" in [one.figure for one in again.designs[0].priced.lines]


def test_settings_have_columns_of_their_own_and_are_told_at_their_cells(tmp_path: Path) -> None:
    head = (
        "force,rules,options.fma-skirmish.motivation_points,options.fma-skirmish.fog,options.fog,design,kind,quality\n"
    )
    refused = read(tmp_path, f"{head}Greens,fma-skirmish,,true,,Ann,figure,regular\n,,maybe,,,Bob,figure,regular\n")
    told = [one for one in refused.problems if one.code.startswith("R")]
    assert [(one.code, one.span.line, one.span.column) for one in told] == [
        ("R331", 1, 73),  # the name in its heading
        ("R332", 3, 3),
    ]
    found = read(tmp_path, f"{head}Greens,fma-skirmish,yes,,thick,Ann,figure,regular\n,,no,,,Bob,figure,regular\n")
    assert set_in(found) == [("fma-skirmish", "motivation_points", str, "yes")]  # the first filled cell
    assert [(one.code, one.field) for one in found.problems if one.severity == "error"] == [
        ("F201", "designs[0].options.fog"),
        ("F216", "options.fma-skirmish.motivation_points"),
    ]


def test_a_cell_is_told_at_its_line_and_column(tmp_path: Path) -> None:
    text = (
        "force,rules,unit,unit.quality,unit.count,design,kind,type,role\n"
        "Reds,dirtside2,First,vetran,3,Foot,infantry-team,line,rifle\n"
        ",,First,,,Guns,infantry-team,lin,\n"
        ",,Second,,x,Foot,,,\n"
    )
    found = read(tmp_path, text)
    assert [(one.code, one.field, one.span.line, one.span.column) for one in found.problems] == [
        ("F203", "units[0].quality", 2, 22),
        ("F203", "designs[1].type", 3, 30),
        ("R203", "units[1].of[0].count", 4, 11),
    ]


def test_any_count_that_is_too_large_is_told_so(tmp_path: Path) -> None:
    head = "force,rules,unit,unit.count,design,kind,type\n"
    rows = "Reds,dirtside2,First,1000,Foot,infantry-team,line\n,,Second,99999999999999999999,Foot,,\n"
    first, second = read(tmp_path, head + rows).problems
    assert first.expected == second.expected


def test_doubled_quotation_marks_before_a_word_are_counted(tmp_path: Path) -> None:
    head = "force,rules,design,kind,size,plant,mobility,weapons\n"
    text = 'Reds,dirtside2,Tank,vehicle,3,HMT,fast tracked,"""HKP""/3; RFAC/9"\n'
    last = read(tmp_path, head + text).problems[-1]
    assert text[last.span.column - 1 :] == '9"\n'


def test_semicolons_and_printed_names_as_spreadsheets_write_them(tmp_path: Path) -> None:
    head = "force;rules;design;kind;size;armour;plant;mobility;weapons"
    text = f'{head}\nReds;dirtside2;Tank;Vehicle;3;3;HMT;Fast tracked;"HKP/3; RFAC/1"\n'
    found = read(tmp_path, text)
    assert [one.code for one in found.problems] == ["F212", "dirtside2/weapons-without-fire-control"]
    assert found.designs[0].points == 44 + 30 + 5  # the bare hull of Dirtside II p. 52, 3 × 10 and 1 × 5


def test_of_what_is_said_of_the_force_the_first_cell_counts(tmp_path: Path) -> None:
    head = "force,rules,budget,force.note,design,kind,type\n"
    text = "Reds,dirtside2,100,First,A,infantry-team,line\nBlues,stargrunt2,200,Last,B,infantry-team,line\n"
    found = read(tmp_path, head + text)
    assert (found.name, found.rules.id, found.budget, found.note) == ("Reds", "dirtside2", 100, "First")


@pytest.mark.parametrize(
    ("column", "cell", "same"),
    [("drift", "-1.0", "-1"), ("size", "1234567.00", "1234567"), ("size", "1.5", "1.5"), ("design", "2.0", "2.0")],
)
def test_a_whole_number_needs_no_fraction(column: str, cell: str, same: str) -> None:
    assert _without_nothing(column, cell) == same


def test_a_fraction_of_nothing_and_empty_cells_behind_the_last_column_are_passed_over(tmp_path: Path) -> None:
    head = "force,rules,budget,design,kind,size,armour,plant,mobility,carried_vehicles,unit,unit.count\n"
    told = read(tmp_path, f"{head}Reds,dirtside2,900.0,2.0,vehicle,4.0,1.00,HMT,fast tracked,1.0,1.0,3.0,,\n")
    assert [one.code for one in told.problems] == []
    (design,) = told.designs
    assert (design.name, design.values["size"], design.values["armour"], told.units[0].name) == ("2.0", 4, 1, "1.0")
    assert [entry["size"] for entry in design.values["carried_vehicles"]] == [1]
    assert (told.budget, told.units[0].of[0].count) == (900, 3)
