"""Where the lines of designs come from."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from generator.commands.access import open_library
from generator.commands.forces import load_force_file
from generator.forces.pricing import Priced, cited, subject
from generator.rules.source.library import SAMPLES, examples

if TYPE_CHECKING:
    from generator.forces.force import Force


@cache
def _sample(ruleset: str, name: str) -> Force:
    library = open_library()
    [folder] = [one for one in library.folders if one.ruleset == ruleset]
    return load_force_file(library, examples([folder], SAMPLES)[name].path)


def _priced(force: Force) -> list[Priced]:
    return [one.priced for one in force.designs]


def test_every_line_of_a_force_stands_once_and_so_does_each_source() -> None:
    force = _sample("dirtside2-iceburg", "nightfall-raiders")
    found = cited(_priced(force), {"book", "iceburg"})
    assert len({one.cite for one in found}) == len(found)
    lines = [line for one in found for line in one.lines]
    assert len(set(lines)) == len(lines)
    assert set(lines) == {subject(line) for design in force.designs for line in design.priced.lines}
    assert all(line and not any(sign in line for sign in "×:,({") for line in lines)
    [control] = [one for one in found if "Fire control" in one.lines]
    assert control.cite == "DSII pp. 52–53; Iceburg Multiple Fire Control Systems"


def test_only_documents_of_the_rules_are_told_where_there_are_any() -> None:
    force = _sample("dirtside2", "tessaly-brigade")
    assert {one.cite.split()[0] for one in cited(_priced(force), {"book"})} == {"DSII"}
    elsewhere = cited(_priced(force), {"no-such-document"})
    assert any("Iceburg" in one.cite for one in elsewhere)  # the line is told, whatever it stands on


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("Armour {armour}, {type}", "Armour"),
        ("{count} × {weapon}/{class}, {mount}", "Weapons"),
        ("{lad} × LAD", "LAD"),
        ("{extra} × extra APSW", "Extra APSW"),
        ("{type} team", "Team"),
        ("Firepower, {count} × {weapon}, each", "Firepower"),
        ("Of it in the first band only, {count} × {weapon}", "Of it in the first band only"),
        ("Room for {count} × vehicle of size {size}", "Room for …"),
        ("Combat move, the roll × 2", "Combat move"),
        ("Wound threshold (WT), a wound above", "Wound threshold"),
        ("{weapon}: hits on 3D6", "Weapons"),
    ],
)
def test_a_line_is_told_by_the_words_that_its_rules_have_for_it(label: str, said: str) -> None:
    force = _sample("dirtside2-iceburg", "nightfall-raiders")
    line = next(line for design in force.designs for line in design.priced.lines if line.id == "weapons")
    assert subject(replace(line, template=label)) == said
