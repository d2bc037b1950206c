"""Read mission files: each holds a row of the table ``missions``, and rows of the tables about its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.rules.entries.tables import CERTIFICATE_KEYS
from generator.rules.load.chain import read_file
from generator.rules.model.mission import MissionModel
from generator.rules.source.library import MISSIONS
from generator.rules.source.validation import validate

if TYPE_CHECKING:
    from generator.rules.load.chain import LoadState
    from generator.rules.source.library import Folder
    from generator.rules.source.parts import Part

_PARTS = {
    "goals": ("goals", "mission", "goal"),
    "awards": ("awards", "mission", "award"),
    "pieces": ("fixtures", "mission", "fixture"),
    "events": ("arrivals", "cause", "arrival"),
}
"""For each list of a mission: the table of its rows, and the table's columns for the mission and the number."""


def add_missions(state: LoadState, folder: Folder) -> None:
    """Add the rows of a rule set's mission files to the tables for scenarios that were read.

    Adds R201 to R203 for a mission file of another shape, and R303 if its id is not its file name.
    """
    tables = {name: state.parts["tables", name] for name in _tables() if ("tables", name) in state.parts}
    if not tables:
        return
    missions = []
    for mission_id in folder.ids(MISSIONS):
        part = read_file(state, folder, MISSIONS, f"{mission_id}.yaml")
        model = validate(MissionModel, part.value, part.place, state.problems) if part is not None else None
        if part is None or model is None:
            continue
        if model.mission != mission_id:
            at, hint = part.place(("mission",)), "the file is named after its mission"
            state.problems.append(at.problem("R303", found=model.mission, expected=mission_id, hint=hint))
            continue
        missions.append((model.order, mission_id, part))
    for _, mission_id, part in sorted(missions, key=lambda item: item[:2]):
        _add(tables, mission_id, part)


def _tables() -> tuple[str, ...]:
    """Return the tables to which mission files add rows."""
    return ("missions", *(table for table, *_ in _PARTS.values()))


def _add(tables: dict[str, Part], mission_id: str, part: Part) -> None:
    """Add the rows of one mission file to the tables."""
    written: dict[str, Any] = part.value
    certificate = {key: value for key, value in written.items() if key in CERTIFICATE_KEYS}
    if "missions" in tables:
        row = {key: value for key, value in written.items() if key not in (*_PARTS, "order")}
        tables["missions"].add_row(row, part.place())
    for key, (table, owner, number) in _PARTS.items():
        for index, entry in enumerate(written.get(key, ()) if table in tables else ()):
            row = {owner: mission_id, number: index + 1, **certificate, **entry}
            tables[table].add_row(row, part.place((key, index)))
