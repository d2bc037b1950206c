"""The options of a battle hold for its forces, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.commands.access import open_library
from generator.commands.scenarios import load_scenario_file
from generator.resources import rulesdata

if TYPE_CHECKING:
    from pathlib import Path


def test_the_option_of_a_battle_goes_before_that_of_a_force(tmp_path: Path) -> None:
    shipped = rulesdata() / "fma-skirmish" / "battles" / "bond-store-nine.yaml"
    text = shipped.read_text(encoding="utf-8")
    path = tmp_path / "battle.yaml"
    own = "    force:\n      options: {fma-skirmish: {range_bands: yes}}\n"
    path.write_text(text.replace("    force:\n", own, 1), encoding="utf-8")
    option = load_scenario_file(open_library(), path).rules.options["range_bands"]
    assert option.value is False
