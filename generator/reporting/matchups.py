"""Write the odds of two forces as text, from data of the JSON contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.reporting.odds import percent
from generator.reporting.tables import Format, table

_NOTE = (
    "+1 after a name: one more design is the same target. Designs without a direct shot are left out. Shots are at "
    "middle range, or close range for a weapon that has no other, unless you give a range band."
)
_HEADS = ["force", "firer", "shot", "to", "target", "chance", "elements", "expected", "at least one"]


def matchup_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return three tables for each force: the chance of one shot, the expected number, and the chance of at least one.

    Each has a row for each way to fire, and a column for each target. The last row of the second and third is for all
    elements of the force, each with its best shot. A force without shots has a sentence instead. CSV is a single table
    with a row for each shot at each target.
    """
    if form == "csv":
        return table(_HEADS, [row for fire in data["fires"] for row in _rows(fire)], form)
    parts = []
    for fire in data["fires"]:
        shots, together = fire["shots"], fire["together"]
        if not shots:
            parts.append(_no_shots(fire))
            continue
        for caption, cells, sums in (
            ("chance of one shot", [percent(shot["chance"]) for shot in shots], []),
            (
                "expected, if all elements fire once",
                *([f"{item['expected']:.2f}" for item in some] for some in (shots, together)),
            ),
            (
                "chance of at least one, if all elements fire once",
                *([percent(str(item["at_least_one"])) for item in some] for some in (shots, together)),
            ),
        ):
            heading = f"{fire['force']} at {fire['at']}: {caption}"
            parts.append(f"## {heading}" if form == "markdown" else heading)
            body = _matrix(shots, cells)
            if sums:
                at = {_target(item): cell for item, cell in zip(together, sums, strict=True)}
                body.append(["all together", "best shot of each", *(at[column] for column in _targets(shots))])
            parts.append(table(["firer", "shot", *_targets(shots)], body, form, width))
    return "\n\n".join([*parts, *([_NOTE] if any(fire["shots"] for fire in data["fires"]) else [])])


def _rows(fire: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Yield a row for each pair of a shot and a target, then one for all elements at each target."""
    all_together = {"firer": "all together", "shot": "best shot of each", "to": "", "chance": ""}
    for shot in (*fire["shots"], *(all_together | item for item in fire["together"])):
        named = [fire["force"], shot["firer"], shot["shot"], shot["to"], ", ".join(shot["targets"])]
        yield [*named, shot["chance"], shot["elements"], shot["expected"], shot["at_least_one"]]


def _no_shots(fire: Mapping[str, Any]) -> str:
    """Return why a force has no odds, and what to ask instead."""
    why = f"{fire['force']} at {fire['at']}: no odds. The rules do not give the figures that its shots need."
    commands = " or ".join(f"fieldpress odds {name}" for name in fire["asks"])
    return f"{why} Ask with your own figures: {commands}" if commands else why


def _targets(shots: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the heads of the targets."""
    return list(dict.fromkeys(map(_target, shots)))


def _matrix(shots: Sequence[Mapping[str, Any]], cells: Sequence[str]) -> list[list[str]]:
    """Return a row for each way to fire, with a cell for each target."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for shot, cell in zip(shots, cells, strict=True):
        firer = f"{shot['elements']} × {shot['firer']}"
        rows.setdefault((firer, f"{shot['shot']}: {shot['to']}"), {})[_target(shot)] = cell
    return [[*names, *(found.get(column, "–") for column in _targets(shots))] for names, found in rows.items()]


def _target(shot: Mapping[str, Any]) -> str:
    """Return the first of the designs that are alike as targets, and the number of others."""
    first, *others = shot["targets"]
    return f"{first} +{len(others)}" if others else first
