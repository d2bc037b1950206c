"""Roll what a side's briefing has in addition to its orders: its secret, and events by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.forces.models import MAX_NAME
from generator.scenarios.chance import Chance
from generator.scenarios.generate.draw_forces import ROLES
from generator.scenarios.generate.tables import fill

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from generator.rules.entries.tables import Row
    from generator.scenarios.generate.tables import ScenarioTables

ARRIVALS = "arrivals"
"""An optional table: the events by turn of a mission or a complication."""


def twisted(
    scenario_tables: ScenarioTables, seed: int, arms: Mapping[str, Collection[str]], ground: Collection[str]
) -> tuple[Row, ...]:
    """Return the secret of each side, the attacker first; the secrets differ if the table has enough rows.

    A row that ``needs`` arms is for a side that fields one of these arms. A row with ``on`` is for a map that has one
    of these kinds of terrain.
    """
    found: list[Row] = []
    for role in ROLES:
        fit = [
            row
            for row in scenario_tables.rows("twists")
            if row["who"] in ("either", role) and has_one(row, "needs", arms[role]) and has_one(row, "on", ground)
        ]
        new = [row for row in fit if row not in found]
        found.append(scenario_tables.roll("twists", Chance(seed, "twists", role), new or fit or None))
    return tuple(found)


def arrivals(
    scenario_tables: ScenarioTables,
    causes: Sequence[str],
    arms: Mapping[str, Collection[str]],
    words: Mapping[str, str],
) -> list[dict[str, Any]]:
    """Return the events by turn of a mission and a complication, as a side's secret set pieces without a place."""
    if ARRIVALS not in scenario_tables.rules.tables:
        return []
    return [
        {"piece": fill(row, "says", words)[:MAX_NAME], "side": words[row["who"]], "turn": row["turn"], "secret": True}
        for row in scenario_tables.rows(ARRIVALS)
        if row["cause"] in causes and has_one(row, "needs", arms[row["who"]])
    ]


def has_one(row: Row, column: str, there: Collection[str]) -> bool:
    """Return whether one of the values in a row's column is there, or the column is empty or missing."""
    asked = row.values.get(column)
    return not asked or any(value in there for value in asked)
