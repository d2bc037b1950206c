"""Forces as spreadsheets, entries in the short way, and the way back."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.forces.notation import read_entries, spell_entries
from generator.forces.spreadsheet import write_spreadsheet
from generator.forces.writing import write_yaml
from generator.pipeline.forces import mustered
from generator.rules.kinds import FORCE, UNIT, Field
from generator.rules.library import open_library
from generator.rules.loading import ALL, load

if TYPE_CHECKING:
    from generator.forces.force import Force

LIBRARY = open_library()
RULES = load(LIBRARY, "dirtside2-iceburg", [], only=[("kinds", ALL)])
assert RULES is not None
KINDS = {name: kind for name, kind in RULES.kinds.items() if name not in (UNIT, FORCE)}
WEAPONS = next(one for one in KINDS["vehicle"].fields if one.name == "weapons")
MISSILES = next(one for one in KINDS["vehicle"].fields if one.name == "missiles")


def read(folder: Path, text: str, name: str = "force.csv") -> Force:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return mustered(LIBRARY, path)


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
    assert [one.given for one in read_back] == entries
    assert all(one.rest == "" for one in read_back)
    assert [text[one.offset :].split(";", maxsplit=1)[0].strip() != "" for one in read_back] == [True] * len(entries)


def test_a_word_that_is_none_is_kept_to_be_told() -> None:
    (entry,) = read_entries(WEAPONS.fields, "HKQ/3")
    assert entry.given == {"weapon": "HKQ", "class": 3}
    (entry,) = read_entries(WEAPONS.fields, "HKP/3 with a view")
    assert entry.rest == "with a view"


def _value(field: Field) -> st.SearchStrategy[Any]:
    if field.choice is None:
        inner = st.fixed_dictionaries({one.name: _value(one) for one in field.fields})
        return st.lists(inner, max_size=3)
    return st.sampled_from(field.choice.values)


@given(st.lists(st.fixed_dictionaries({one.name: _value(one) for one in WEAPONS.fields}), max_size=4))
def test_what_is_spelled_reads_back(entries: list[dict[str, Any]]) -> None:
    defaults = {one.name: one.default for one in WEAPONS.fields}
    found = [defaults | one.given for one in read_entries(WEAPONS.fields, spell_entries(WEAPONS.fields, entries))]
    assert found == entries


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
            "of": draw(st.lists(of, min_size=1, max_size=3)),
        }
        for number in range(draw(st.integers(0, 3)))
    ]
    return {"force": "Réds", "rules": ["dirtside2-iceburg"], "budget": draw(st.integers(0, 9999)), "note": "One\nTwo",
            "designs": designs, "units": units}  # fmt: skip


def content(force: Force) -> Any:
    designs = {one.name: (one.kind.id, {**one.values}, one.points, one.note) for one in force.designs}
    units = [(one.name, {**one.values}, [(e.design.name, e.count) for e in one.of]) for one in force.units]
    return force.name, force.budget, force.note, designs, units, force.total


@settings(deadline=None, max_examples=40)
@given(forces())
def test_a_force_is_the_same_after_a_way_through_either_file(said: dict[str, Any]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        first = read(folder, yaml.safe_dump(said), "force.yaml")
        assert content(read(folder, write_spreadsheet(first))) == content(first)
        assert content(read(folder, write_yaml(first), "again.yaml")) == content(first)


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


def test_semicolons_and_printed_names_as_spreadsheets_write_them(tmp_path: Path) -> None:
    head = "force;rules;design;kind;size;armour;plant;mobility;weapons"
    text = f'{head}\nReds;dirtside2;Tank;Vehicle;3;3;HMT;Fast tracked;"HKP/3; RFAC/1"\n'
    found = read(tmp_path, text)
    assert [one.code for one in found.problems] == ["F212"]
    assert found.designs[0].points == 44 + 30 + 5  # the bare hull of Dirtside II p. 52, 3 × 10 and 1 × 5


def test_of_what_is_said_of_the_force_the_first_cell_counts(tmp_path: Path) -> None:
    head = "force,rules,budget,force.note,design,kind,type\n"
    text = "Reds,dirtside2,100,First,A,infantry-team,line\nBlues,stargrunt2,200,Last,B,infantry-team,line\n"
    found = read(tmp_path, head + text)
    assert (found.name, found.rules.id, found.budget, found.note) == ("Reds", "dirtside2", 100, "First")
