"""Twelve mistakes in one file are twelve problems, and each hint of the form ``field: value`` works as written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from generator.commands.access import open_library
from generator.commands.forces import load_force_file

if TYPE_CHECKING:
    from generator.problems import Problem

CASES = Path(__file__).parents[2] / "cases" / "problems"
HINT = re.compile(r"(?:add )?(?P<field>[a-z_]+): (?P<value>[^()?,]+?)(?: \([−+±].*\))?$")
MEANT = re.compile(r"did you mean (?P<value>[^?]+)\?$")
END = re.compile(r"the (?:most|least) is (?P<value>-?\d+)$")


def case(name: str) -> dict[str, Any]:
    told: dict[str, Any] = yaml.safe_load((CASES / f"{name}.yaml").read_text("utf-8"))
    return told


def problems_of(folder: Path, force: dict[str, Any]) -> tuple[Problem, ...]:
    path = folder / "force.yaml"
    path.write_text(yaml.safe_dump(force, sort_keys=False), "utf-8")
    return load_force_file(open_library(), path).problems


def applied(force: dict[str, Any], problem: Problem) -> dict[str, Any] | None:
    """The force with the hint carried out as written; None for a hint in words."""
    changed: dict[str, Any] = yaml.safe_load(yaml.safe_dump(force))
    steps: list[Any] = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", problem.field)]
    setting, meant = HINT.match(problem.hint), MEANT.match(problem.hint) or END.match(problem.hint)
    *way, last = steps
    if setting:
        last, value = setting["field"], setting["value"]
        holders = [way[:length] for length in range(len(way), 1, -1)]  # the entry, then its design
        for holder in holders:
            here = changed
            for step in holder:
                here = here[step]
            if last in here or holder == holders[-1]:
                here[last] = yaml.safe_load(value)
                return changed
    if meant is None:
        return None
    here = changed
    for step in way:
        here = here[step]
    if problem.code in ("F201", "R202"):
        here[meant["value"]] = here.pop(last)
    else:
        here[last] = yaml.safe_load(meant["value"])
    return changed


@pytest.mark.slow
def test_twelve_mistakes_are_twelve_problems_and_each_hint_works_as_written(tmp_path: Path) -> None:
    force = yaml.safe_load(case("F203-twelve-mistakes")["files"]["force.yaml"])
    found = problems_of(tmp_path, force)
    assert len(found) == 12
    tried = 0
    for problem in found:
        mended = applied(force, problem)
        if mended is None:
            continue
        tried += 1
        left = {(one.code, one.field) for one in problems_of(tmp_path, mended)}
        assert (problem.code, problem.field) not in left, (problem.code, problem.hint)
    assert tried >= 8


HULL = {"kind": "vehicle", "size": 3, "armour": 3, "plant": "HMT", "mobility": "fast tracked"}


@pytest.mark.parametrize(
    ("design", "code"),
    [
        ({**HULL, "armour": 5}, "dirtside2/armour-by-size"),
        ({**HULL, "weapons": [{"weapon": "HEL", "class": 3}], "fire_control": "basic"}, "dirtside2/plant-for-weapon"),
        ({**HULL, "size": 4, "armour": 4, "plant": "FGP", "mobility": "grav", "ads": "superior", "pds": "basic"},
         "dirtside2/capacity"),
        ({"kind": "infantry-team", "type": "line", "role": "gms-h"}, "dirtside2/missile-quality"),
    ],
)  # fmt: skip
def test_the_hint_for_a_limit_is_one_change_of_a_value_that_mends_it(
    tmp_path: Path, design: dict[str, Any], code: str
) -> None:
    force = {"force": "F", "rules": ["dirtside2"], "designs": [{"design": "A", **design}],
             "units": [{"unit": "U", "of": [{"design": "A"}]}]}  # fmt: skip
    (problem,) = [one for one in problems_of(tmp_path, force) if one.code == code]
    assert "leave out" not in problem.hint
    assert ", or " not in problem.hint
    mended = applied(force, problem)
    assert mended is not None
    before = {one.code for one in problems_of(tmp_path, force)}
    assert {one.code for one in problems_of(tmp_path, mended)} == before - {code}


def test_a_design_with_a_wrong_field_has_no_price_and_nothing_that_follows_is_reported(tmp_path: Path) -> None:
    broken = {"design": "A", **HULL, "armour": 9, "weapons": [{"weapon": "HEL", "class": 3}]}
    force = {"force": "F", "rules": ["dirtside2"], "budget": 1, "designs": [broken, {"design": "B", **HULL}],
             "units": [{"unit": "U", "of": [{"design": "A"}, {"design": "B"}]}]}  # fmt: skip
    path = tmp_path / "force.yaml"
    path.write_text(yaml.safe_dump(force, sort_keys=False), "utf-8")
    found = load_force_file(open_library(), path)
    assert [one.code for one in found.problems] == ["F210", "F203"]
    assert found.problems[0].found.startswith("at least ")
    assert [one.name for one in found.designs] == ["B"]
    assert (found.whole, found.units[0].points) == (False, None)
