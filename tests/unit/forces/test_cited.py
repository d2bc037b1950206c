"""Where the lines of designs come from."""

from __future__ import annotations

import pytest

from generator.forces.cited import cited, subject
from generator.pipeline.forces import mustered
from generator.rules.examples import examples
from generator.rules.library import SAMPLES, open_library


def test_every_line_of_a_force_stands_under_its_source_and_each_source_once() -> None:
    library = open_library()
    [folder] = [one for one in library.folders if one.ruleset == "dirtside2-iceburg"]
    force = mustered(library, examples([folder], SAMPLES)["nightfall-raiders"].path)
    found = cited(force.designs)
    assert len({one.cite for one in found}) == len(found)
    lines = {(line.birth.cite_text, subject(line)) for design in force.designs for line in design.priced.lines}
    assert {(one.cite, line) for one in found for line in one.lines} == lines
    assert all(line and not any(sign in line for sign in "×:,(") for _, line in lines)


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("Armour 3, Standard", "Armour"),
        ("1 × HKP/3, Turret", "Weapons"),
        ("Wound threshold (WT), a wound above", "Wound threshold"),
        ("Sword: hits", "Weapons"),
    ],
)
def test_a_line_is_told_by_what_it_is_about(label: str, said: str) -> None:
    library = open_library()
    [folder] = [one for one in library.folders if one.ruleset == "dirtside2-iceburg"]
    force = mustered(library, examples([folder], SAMPLES)["nightfall-raiders"].path)
    line = next(line for design in force.designs for line in design.priced.lines if line.id == "weapons")
    from dataclasses import replace

    assert subject(replace(line, label=label)) == said
