"""Layers: one rule set's changes to the ones it stands on."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from generator.rules.models.change import OTHER, ROW
from generator.rules.parts import Applied, Part
from generator.rules.validation import show

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.problems import Problem
    from generator.rules.models.change import ChangeModel, PartKey
    from generator.rules.places import Place
    from generator.sources.document import Path

_ITEM = {"lines": "line", "limits": "limit", "outcomes": "outcome"}
"""Lists whose entries carry an id, and the key that holds it."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A rule set's changes, each with the place where it was written, and all rule sets it stands on."""

    ruleset: str
    changes: tuple[tuple[ChangeModel, Place], ...]
    ancestors: frozenset[str]


def apply_layers(layers: tuple[Layer, ...], parts: Mapping[PartKey, Part], problems: list[Problem]) -> None:
    """Write every layer's changes into the parts, in order, leaving out parts that are not loaded.

    Codes: R210 nothing at the address, R211 the parent has moved on, R212 two layers in conflict.
    """
    beaten = _conflicts(layers, problems)
    for layer in layers:
        for index, (change, place) in enumerate(layer.changes):
            key = change.part
            if key is None:
                expected = "an address such as tables.weapons[RFAC].cost or kinds.vehicle.lines.plant.points"
                problems.append((place / change.action).problem("R210", found=change.target, expected=expected))
            elif key in parts and (layer.ruleset, index) not in beaten:
                parts[key].make_own()
                _apply(parts[key], layer.ruleset, change, place, problems)


def _conflicts(layers: tuple[Layer, ...], problems: list[Problem]) -> set[tuple[str, int]]:
    """Changes that give way to a sibling's; two siblings of which neither gives way are a problem."""
    beaten: set[tuple[str, int]] = set()
    first: dict[str, tuple[Layer, int, ChangeModel, Place]] = {}
    for layer in layers:
        for index, (change, place) in enumerate(layer.changes):
            other = first.get(change.target)
            if other is None or other[0].ruleset in layer.ancestors:
                first[change.target] = (layer, index, change, place)
            elif other[0].ruleset in change.over:
                beaten.add((other[0].ruleset, other[1]))
                first[change.target] = (layer, index, change, place)
            elif layer.ruleset in other[2].over:
                beaten.add((layer.ruleset, index))
            else:
                rival = other[0].ruleset
                there = other[3].span()
                problems.append(
                    (place / change.action).problem(
                        "R212",
                        found=f"{change.target}, which {rival} changes too ({there.file}:{there.line})",
                        expected="one layer that changes it, or a word on who wins",
                        hint=f"add over: [{rival}] to the change that shall win",
                    )
                )
    return beaten


def _apply(part: Part, layer: str, change: ChangeModel, place: Place, problems: list[Problem]) -> None:
    found = _resolve(part, change)
    if isinstance(found, str):
        at = place / change.action
        problems.append(at.problem("R210", found=change.target, expected="something that is there", hint=found))
        return
    container, key, path = found
    exists = key in container if isinstance(container, dict) else int(key) < len(container)
    before = container[key] if exists else None
    if change.action == "add" and exists:
        hint = "use replace, with a reason"
        problems.append(
            (place / "add").problem("R210", found="something is there already", expected="a new id", hint=hint)
        )
        return
    if change.action == "set" and before != change.was:
        hint = "look at what the parent says now and decide again"
        problems.append(
            (place / "was").problem(
                "R211", found=f"was: {show(change.was)}", expected=f"{show(before)}, as it stands", hint=hint
            )
        )
        return
    if change.action == "remove":
        part.drop(container, key, path)
        return
    value = change.to if change.action == "set" else change.with_
    if isinstance(container, list) and not exists:
        container.append(None)
    step = "to" if change.action == "set" else "with"
    part.put(container, key, value, place / step, Applied(layer, change, key, before, place))


def _resolve(part: Part, change: ChangeModel) -> tuple[Any, str | int, Path] | str:
    """The container and key that a change addresses and the container's path, or a hint why there is none."""
    row = ROW.match(change.target)
    if row:
        return _resolve_row(part, change, row["keys"], row["column"])
    match = OTHER.match(change.target)
    if match is None:
        return ""
    here: Any = part.value
    path: Path = ()
    steps = match["steps"].split(".")
    for index, step in enumerate(steps):
        last = index == len(steps) - 1
        key: str | int = step
        if isinstance(here, list):
            name = _ITEM.get(str(path[-1]) if path else "", "")
            ids = [entry.get(name) if isinstance(entry, dict) else None for entry in here]
            if step not in ids and not (last and change.action == "add"):
                return _near(step, [str(known) for known in ids])
            key = ids.index(step) if step in ids else len(here)
        elif not isinstance(here, dict):
            return f"{'.'.join(map(str, path))} holds no further names"
        elif step not in here and last and change.action == "set" and change.was is None:
            pass
        elif step not in here and not (last and change.action == "add"):
            return _near(step, list(here))
        if last:
            return here, key, path
        here, path = here[key], (*path, key)
    return ""


def _resolve_row(part: Part, change: ChangeModel, keys: str, column: str | None) -> tuple[Any, str | int, Path] | str:
    rows, names = part.value.get("rows"), part.value.get("key")
    if not isinstance(rows, list) or not isinstance(names, list):
        return "that table has no rows to change"
    wanted = [key.strip() for key in keys.split(",")]
    for index, row in enumerate(rows):
        if isinstance(row, dict) and [str(row.get(name)) for name in names] == wanted:
            return (row, column, ("rows", index)) if column else (rows, index, ("rows",))
    if change.action == "add" and column is None:
        return rows, len(rows), ("rows",)
    known = [", ".join(str(row.get(name)) for name in names) for row in rows if isinstance(row, dict)]
    return _near(", ".join(wanted), known)


def _near(word: str, known: list[str]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"did you mean {near[0]}?" if near else f"there are: {', '.join(known[:12])}"
