"""Apply layers: the changes that a rule set makes to its parents, and the figures that players give."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.problems import Problem, suggest
from generator.rules.entries.tables import ROW_KEYS
from generator.rules.model.manifest import ENTRIES, OTHER, ROW, ChangeModel, PartKey
from generator.rules.source.parts import Applied, Layer, Part, Place
from generator.rules.source.validation import show

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from generator.parsing.text import Path
    from generator.rules.source.settings import Setting

_BRACKETS = "begin with the folder, and put only the key of a table's row in brackets"

_ChangeKey: TypeAlias = tuple[str, int]
"""A change: its layer's rule set and its index there."""


def check_citation(change: ChangeModel, place: Place, problems: list[Problem]) -> None:
    """Add R209 for a change without a citation: the parent's citation does not cover the layer's value.

    A change that removes an entry needs no citation, and neither do changes of sheets and cards.
    """
    own = change.with_.get("cite") if isinstance(change.with_, dict) else None
    sheet = change.part is not None and change.part[0] in ("sheets", "cards")
    if change.cite is None and own is None and change.action != "remove" and not sheet:
        hint = "add cite: with the place in the layer’s source"
        problems.append((place / change.action).problem("R209", "cite: page or section", "no citation", hint))


def apply_layers(
    layers: tuple[Layer, ...],
    parts: Mapping[PartKey, Part],
    known: Collection[PartKey],
    of_scenarios: Collection[PartKey],
) -> list[Problem]:
    """Write the changes of all layers into the parts, in order; return the problems of changes that are refused.

    Parts that are not loaded are left out. ``known`` are all parts with a file, ``of_scenarios`` are the parts only for
    scenarios. Codes: R210 nothing at the address, R211 the parent's value is not the value under ``was``, R212 two
    layers in conflict.
    """
    problems: list[Problem] = []
    beaten = _conflicts(layers, problems)
    for layer in layers:
        for index, (change, place) in enumerate(layer.changes):
            key, at = change.part, place / change.action
            if key is None:
                expected = "an address such as tables.guns[heavy].cost or kinds.tank.lines.hull.points"
                problems.append(at.problem("R210", expected, change.target, _BRACKETS))
            elif key in of_scenarios and key not in known:
                hint = "move this change to scenario/changes.yaml"
                problems.append(at.problem("R210", "an entry that is not only for scenarios", change.target, hint))
            elif key not in known:
                problems.append(at.problem("R210", "an entry of a parent", change.target, _near_part(key, known)))
            elif key in parts and (layer.ruleset, index) not in beaten:
                problems += filter(None, [_apply(parts[key], layer.ruleset, change, place)])
    return problems


def apply_answers(
    answers: Iterable[Setting], parts: Mapping[PartKey, Part], known: Collection[PartKey], problems: list[Problem]
) -> None:
    """Write the figures that players give into the gaps of tables; the last figure for a gap wins.

    Adds R333 if the address is not a gap, and R206 if no figure is given.
    """
    for answer in answers:
        change = ChangeModel.model_construct(set=answer.name, to=answer.value, reason="")
        key = change.part
        part = parts.get(key) if key is not None else None
        if answer.place is None or (part is None and key in known):
            continue
        target = _resolve(part, change) if part is not None else _near_part(key, known)
        row, column, _ = target if not isinstance(target, str) else ({}, "", ())
        if part is None or not _is_gap(part, row, str(column)):
            expected = "a gap, which is a figure that the source does not give"
            hint = target if isinstance(target, str) else "write a layer to change a figure that is not a gap"
            hint = "write an address such as tables.guns[heavy].cost" if key is None else hint
            problems.append(answer.refuse("R333", expected, answer.name, hint))
        elif answer.value is None:
            problems.append(answer.refuse("R206", "a figure", "nothing", "delete the line", at_value=True))
        else:
            about = part.value["columns"][column]
            label = about.get("label") if isinstance(about, dict) else column
            change = change.model_copy(update={"reason": f"{label} given by the players."})
            part.put(row, column, answer.value, answer.place, Applied("", change, column, answer.place))


def _is_gap(part: Part, row: Any, column: str) -> bool:
    """Return whether the status of a cell is gap and the source gives no figure; False if there is no such part.

    The status may come from the row, the table or a layer. A figure that a player filled in is still a gap.
    """
    if not isinstance(row, dict) or column in ROW_KEYS:
        return False
    changes = part.changes_in(row)
    set_so = (change.change.status for change in changes if change.change.action == "set")
    is_gap = "gap" in (row.get("status", part.value.get("status")), *set_so)
    answered = any(not change.layer and change.key == column for change in changes)
    return is_gap and (answered or row.get(column) is None) and column in part.value.get("columns", {})


def _conflicts(layers: tuple[Layer, ...], problems: list[Problem]) -> set[_ChangeKey]:
    """Return the changes that are overridden by another layer's change. Adds R212 for conflicts without a winner."""
    beaten: set[_ChangeKey] = set()
    claims: dict[PartKey | None, list[tuple[Layer, int]]] = {}
    for layer in layers:
        for index, (change, _) in enumerate(layer.changes):
            claims.setdefault(change.part, []).append((layer, index))
    pairs = (pair for part, listed in claims.items() if part is not None for pair in combinations(listed, 2))
    for (rival, number), (layer, index) in pairs:
        (other, there), (change, place) = rival.changes[number], layer.changes[index]
        earlier, later = (rival.ruleset, number), (layer.ruleset, index)
        if not beaten.isdisjoint((earlier, later)) or not _conflict(layer, change, rival, other):
            continue
        wins, loses = rival.ruleset in change.over, layer.ruleset in other.over
        beaten.add(earlier if wins and not loses and layer is not rival else later)
        if wins == loses or layer is rival:
            hint = f"add over: [{rival.ruleset}] to the change that must win"
            hint = "delete one of the two changes" if layer is rival else hint
            at = f"{there.span().file}:{there.span().line}"
            found = f"{change.target}, which {rival.ruleset} changes too ({at})"
            problems.append((place / change.action).problem("R212", "one change of this entry", found, hint))
    return beaten


def _conflict(layer: Layer, change: ChangeModel, rival: Layer, other: ChangeModel) -> bool:
    """Return whether a change and an earlier change of the same file conflict.

    Two changes of a layer conflict at the same address. Changes of unrelated layers also conflict if one address is
    inside the other.
    """
    mine, theirs = _address(change), _address(other)
    if layer is rival:
        return mine == theirs
    shared = min(len(mine), len(theirs))
    return rival.ruleset not in layer.ancestors and mine[:shared] == theirs[:shared]


def _address(change: ChangeModel) -> tuple[str, ...]:
    """Return the address of a change inside its part as a tuple of steps."""
    row = ROW.match(change.target)
    if row:
        keys = ", ".join(key.strip() for key in row["keys"].split(","))
        return "rows", keys, *([row["column"]] if row["column"] else ())
    other = OTHER.match(change.target)
    return tuple(other["steps"].split(".")) if other else ()


def _apply(part: Part, layer: str, change: ChangeModel, place: Place) -> Problem | None:
    """Write one change into a part; return R210 or R211 if that is not possible."""
    at, action = place / change.action, change.action
    target = _resolve(part, change)
    if isinstance(target, str):
        return at.problem("R210", "an entry of a parent", change.target, target)
    container, key, path = target
    exists = key in container if isinstance(container, dict) else int(key) < len(container)
    before = container[key] if exists else None
    if action == "add" and exists:
        return at.problem("R210", "a new id", f"{change.target}, which exists", "use replace instead of add")
    if action == "set" and before != change.was:
        found, expected = f"was: {show(change.was)}", f"{show(before)}, the parent's value"
        return (place / "was").problem("R211", expected, found, "check the new value, then correct was")
    if action == "remove":
        part.drop(container, key, path)
        return None
    step, value = ("to", change.to) if action == "set" else ("with", change.with_)
    if isinstance(container, list) and action != "set":
        names = _id_keys(part, change, path)
        expected, found = _address(change)[-1], _id(names, value)
        if expected != found:
            expected, found = _with_keys(names, expected), _with_keys(names, found)
            hint = "write the same id in the address and in the entry"
            return (place / "with").problem("R210", expected, found, hint)
        container += [] if exists else [None]
    part.put(container, key, value, place / step, Applied(layer, change, key, place))
    return None


def _id_keys(part: Part, change: ChangeModel, path: Path) -> list[str]:
    """Return the keys that hold the ids of the entries of a list; empty if they have no ids."""
    names = part.value.get("key") if ROW.match(change.target) else [ENTRIES.get(str(path[-1]) if path else "")]
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else []


def _id(names: list[str], entry: object) -> str:
    """Return the id of an entry as an address has it."""
    values = entry if isinstance(entry, dict) else {}
    return ", ".join(key.strip() for name in names for key in str(values.get(name, "nothing")).split(","))


def _with_keys(names: list[str], entry_id: str) -> str:
    """Return an id with the keys that hold it."""
    ids = entry_id.split(", ", len(names) - 1)
    return ", ".join(f"{name}: {item}" for name, item in zip(names, ids, strict=False))


def _resolve(part: Part, change: ChangeModel) -> tuple[Any, str | int, Path] | str:
    """Return the container and key that a change addresses, with the container's path, or a hint if not found."""
    here: Any = part.value
    path: Path = ()
    *outer, final = _address(change) or ("",)
    for step in (*outer, final):
        last = len(path) == len(outer)
        key: str | int = step
        adds = last and change.action == "add"
        spelled = ".".join(map(str, path))
        if isinstance(here, list):
            names = _id_keys(part, change, path)
            ids = [_id(names, entry) for entry in here]
            if not names or (here and not {*ids} - {_id(names, {})}):
                return f"the entries of {spelled} have no ids: change the whole list"
            if step not in ids and not adds:
                return suggest(step, [item for item in ids if item != _id(names, {})])
            if ROW.match(change.target) and last and change.action == "set":
                return "add the column after the row, such as .points"
            key = ids.index(step) if step in ids else len(here)
        elif not isinstance(here, dict):
            return f"{spelled} holds no further names"
        elif path[:1] == ("rows",) and ROW.match(change.target):
            columns = part.value.get("columns")
            if isinstance(columns, dict) and step not in (*columns, *ROW_KEYS):
                return suggest(step, [str(item) for item in columns])
        elif step not in here and not adds and not (last and change.action == "set" and change.was is None):
            return "name a table that has rows" if step == "rows" else suggest(step, list(here))
        if last:
            return here, key, path
        here, path = here[key], (*path, key)
    return ""


def _near_part(key: PartKey | None, known: Collection[PartKey]) -> str:
    """Return a hint with the part of this category that may be meant; empty for an address that cannot be read."""
    if key is None:
        return ""
    return suggest(".".join(key), [".".join(part_key) for part_key in sorted(known) if part_key[0] == key[0]])
