"""The longest lists that are lawful: how many pages they take, and that these are full."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from generator.commands.access import open_library
from generator.commands.forces import load_force_file
from generator.documents.force.designs import sheets_of_designs
from generator.documents.force.rosters import roster
from generator.render.page.pdf import render_pdf
from generator.resources import rulesdata

if TYPE_CHECKING:
    from pathlib import Path

    from generator.forces.force import Force

pytestmark = pytest.mark.slow

FULL = 2 / 3


def force(folder: Path, rules: str, design: str, *more: str) -> Force:
    path = folder / "force.yaml"
    path.write_text(f"force: Most\nrules: [{rules}]\ndesigns:\n  - {{design: Most, {design}}}\n", encoding="utf-8")
    found = load_force_file(open_library(), path, more)
    assert not [one for one in found.problems if one.severity == "error"]
    return found


def every(table: str, key: str) -> list[str]:
    """The keys of a table, as its file has them."""
    return [row[key] for row in yaml.safe_load((rulesdata() / table).read_text(encoding="utf-8"))["rows"]]


def test_a_character_with_every_skill_and_eight_guns_has_three_pages(tmp_path: Path) -> None:
    skills = "; ".join(f"{one} 3" for one in every("sla-3d/tables/skills.yaml", "skill"))
    guns = "; ".join(f"{one} 3" for one in every("sla-3d/tables/stock-firearms.yaml", "gun")[:8])
    stats = "kind: character, str: 5, dex: 5, dia: 5, conc: 5, phys: 5, cool: 5"
    most = force(tmp_path, "sla-3d", f'{stats}, skills: "{skills}", stock_guns: "{guns}"', "sheets")
    ((_, sheet),) = sheets_of_designs(most, "")
    rendered = render_pdf(sheet, paper="letter", ink="mono")
    assert rendered.pages == 3


def test_a_design_with_as_many_weapons_as_systems_has_its_roster_on_one_page(tmp_path: Path) -> None:
    hull = "kind: vehicle, size: 7, armour: 7, plant: FGP, mobility: grav, fire_control: superior, ecm: superior"
    weapons = ", ".join("{weapon: RFAC, class: 1, mount: fixed}" for _ in range(7))
    most = force(tmp_path, "dirtside2", f"{hull}, weapons: [{weapons}]")
    (design,) = most.designs
    assert design.priced.systems.used == design.priced.systems.allowed
    rendered = render_pdf(roster(most, ""), paper="a4", ink="mono")
    assert rendered.pages == 1
    assert rendered.fill[0] > FULL
