"""The distances that units must cross in a mission: from where a side starts to the objectives that it may win."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

from generator.scenarios.table.coordinates import WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.rules.entries.tables import Row
    from generator.scenarios.generate.tables import ScenarioTables
    from generator.scenarios.table.coordinates import Area, Frame, Span

_ALL = (0, WHOLE)
_NEAR, _FAR = (0, 0), (WHOLE, WHOLE)


def from_start(scenario_tables: ScenarioTables, frame: Frame, mission: Row, deployment: Row, role: str) -> int:
    """Return the inches from the zones and entries of a side to the nearest objective that it may win."""
    key = deployment["deployment"]
    zones = scenario_tables.rows("deployment-zones", deployment=key)
    entries = scenario_tables.rows("deployment-entries", deployment=key)
    starts = [frame.area(row["ahead"], row["along"]) for row in zones if row["who"] == role]
    starts += [_edge(frame, row["edge"], row["along"]) for row in entries if row["who"] == role]
    return _nearest(starts, scenario_tables, frame, mission, role)


def from_edge(scenario_tables: ScenarioTables, frame: Frame, mission: Row, role: str) -> int:
    """Return the inches from the edge of a side to the nearest objective that it may win."""
    return _nearest([_edge(frame, role, _ALL)], scenario_tables, frame, mission, role)


def _edge(frame: Frame, word: str, along: Span) -> Area:
    """Return a stretch of an edge as an area."""
    if word in ("low", "high"):
        return frame.area(along, _NEAR if word == "low" else _FAR)
    return frame.area(_NEAR if word == "attacker" else _FAR, along)


def _nearest(starts: Sequence[Area], scenario_tables: ScenarioTables, frame: Frame, mission: Row, role: str) -> int:
    """Return the inches from the nearest start to the nearest place where an objective may lie; 0 without either."""
    goals = [row for row in scenario_tables.rows("goals", mission=mission["mission"]) if row["who"] in ("both", role)]
    gaps = [
        _gap(start, frame.area(row["ahead"], row["along"])) // 2 - row["radius"] for start in starts for row in goals
    ]
    return max(0, min(gaps, default=0))


def _gap(area: Area, other: Area) -> int:
    """Return the straight distance between two areas, in half inches."""
    across = max(0, other.left - area.right, area.left - other.right)
    along = max(0, other.low - area.high, area.low - other.high)
    return isqrt(across * across + along * along)
