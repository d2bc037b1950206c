"""Write the odds of two forces as text, from data of the JSON contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.reporting.odds import percent
from generator.reporting.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.reporting.tables import Format

_HEADS = ["force", "firer", "shot", "to", "target", "chance", "elements", "expected", "at least one"]


def matchup_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return three matrices for each force: one shot, the expected number and at least one; CSV has a row a pair."""
    if form == "csv":
        return table(_HEADS, [row for fire in data["fires"] for row in _rows(fire)], form)
    parts = []
    for fire in data["fires"]:
        shots = fire["shots"]
        for caption, cells in (
            ("chance of one shot", [percent(shot["chance"]) for shot in shots]),
            ("expected, if all elements fire once", [f"{shot['expected']:.2f}" for shot in shots]),
            (
                "chance of at least one, if all elements fire once",
                [percent(str(shot["at_least_one"])) for shot in shots],
            ),
        ):
            heading = f"{fire['force']} at {fire['at']}: {caption}"
            parts.append(f"## {heading}" if form == "markdown" else heading)
            parts.append(_matrix(shots, cells, form, width) if shots else "no shots with odds")
    return "\n\n".join(parts)


def _rows(fire: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Yield a row for each pair of a shot and a target."""
    for shot in fire["shots"]:
        named = [fire["force"], shot["firer"], shot["shot"], shot["to"], ", ".join(shot["targets"])]
        yield [*named, shot["chance"], shot["elements"], shot["expected"], shot["at_least_one"]]


def _matrix(shots: Sequence[Mapping[str, Any]], cells: Sequence[str], form: Format, width: int | None) -> str:
    """Return a table with a row for each way to fire, and a column for each target."""
    columns = list(dict.fromkeys(map(_target, shots)))
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for shot, cell in zip(shots, cells, strict=True):
        firer = f"{shot['elements']} × {shot['firer']}"
        rows.setdefault((firer, f"{shot['shot']}: {shot['to']}"), {})[_target(shot)] = cell
    body = [[*names, *(found.get(column, "–") for column in columns)] for names, found in rows.items()]
    return table(["firer", "shot", *columns], body, form, width)


def _target(shot: Mapping[str, Any]) -> str:
    """Return the first of the designs that are alike as targets, and the number of others."""
    first, *others = shot["targets"]
    return f"{first} +{len(others)}" if others else first
