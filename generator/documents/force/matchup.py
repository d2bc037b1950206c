"""The odds of a force against another as a sheet: each shot at each target, and all elements together."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.documents.force.rosters import sheet_about
from generator.documents.words import NOTHING, decimal, percent, tint
from generator.render.blocks import Cell, Column, Prose, Section, Sheet, Table
from generator.render.language import Phrase
from generator.render.type.prose import breakable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generator.forces.force import Force

_TARGETS = 6
"""The most targets beside each other."""
_NOTE = (
    "Percent: one shot. Number in brackets: expected successes if all elements with the weapon fire once. All "
    "together: the chance of at least one success if each element fires its best shot, and the expected successes. "
    "A dash: the shot has no odds at that design. +1 after a name: one more design is the same target. Odds by class "
    "of target, such as targets in cover, are on the firer’s card."
)


def matchup_sheet(force: Force, enemy: str, fires: Sequence[Mapping[str, Any]], fingerprint: str) -> Sheet:
    """Return the sheet of odds of a force and its enemy, whose name is ``enemy``.

    ``fires`` holds the odds of each force against the other, as ``generator.commands.matchups`` computes them. A force
    that has no shots has no section.
    """
    rows = [
        Section(Phrase("{force} at {enemy}", force=fire["force"], enemy=fire["at"]), tuple(_tables(fire)), "percent")
        for fire in fires
        if fire["shots"]
    ]
    rows.append(Section("", (Prose((_NOTE,)),)))
    strap = Phrase("{force} and {enemy}", force=force.name, enemy=enemy)
    kicker = ("Odds", force.rules.manifest.short)
    return sheet_about(force, "matchup", "Force against force", strap, kicker, rows, fingerprint)


def _tables(fire: Mapping[str, Any]) -> list[Table]:
    """Return a table for every six targets: a row for each way to fire, then a row for all elements together."""
    targets = [item["targets"] for item in fire["together"]]
    return [_table(fire, targets[start : start + _TARGETS]) for start in range(0, len(targets), _TARGETS)]


def _table(fire: Mapping[str, Any], targets: Sequence[list[str]]) -> Table:
    """Return the table of at most six ``targets``, each given by the names of its designs."""
    shots: dict[str, dict[str, Cell]] = {}
    for shot in fire["shots"]:
        if shot["targets"] in targets:
            name = f"{shot['elements']} × {shot['firer']}, {shot['shot']}: {shot['to']}"
            chance = Fraction(shot["chance"])
            text = f"{percent(chance)} ({decimal(chance * shot['elements'], 1)})"
            shots.setdefault(name, {})[shot["targets"][0]] = Cell(text, tint(chance))
    rows = [
        (Cell(breakable(name), plain=True), *(cells.get(names[0], Cell(NOTHING)) for names in targets))
        for name, cells in shots.items()
    ]
    together = {item["targets"][0]: item for item in fire["together"]}
    rows.append((Cell("All together", strong=True), *(_all_together(together[names[0]]) for names in targets)))
    # The first of the designs that are alike as targets, and the count of the other designs.
    names_of = [f"{names[0]} +{len(names) - 1}" if len(names) > 1 else names[0] for names in targets]
    heads = (Column("Firer and shot"), *(Column(name, align="centre") for name in names_of))
    caption = f"{fire['force']} at {fire['at']}"
    return Table(heads, tuple(rows), caption, plain_caption=True, breakable=True, group_rows=(len(rows) - 1,))


def _all_together(item: Mapping[str, Any]) -> Cell:
    """Return the cell with the chance of at least one success of all elements, and the expected count of successes."""
    chance = Fraction(str(item["at_least_one"]))
    return Cell(f"{percent(chance)} ({decimal(Fraction(str(item['expected'])), 1)})", tint(chance), strong=True)
