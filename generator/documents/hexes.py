"""Tables whose rows are hexes, as diagrams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.documents.tables import printed_cell
from generator.render.blocks import Hex, Hexes

if TYPE_CHECKING:
    from generator.rules.models.sheet import HexesBlock
    from generator.rules.ruleset import RuleSet


def hexes_block(ruleset: RuleSet, block: HexesBlock) -> Hexes:
    """Every row of the table as a hex at its ``q`` and ``r``."""
    table = ruleset.tables[block.hexes]
    text = table.column(block.text)
    hexes = [
        Hex(row["q"], row["r"], printed_cell(ruleset, text, row), str(row[block.group]) if block.group else "")
        for row in table.rows
    ]
    if block.centre and (0, 0) not in {(one.q, one.r) for one in hexes}:
        hexes.append(Hex(0, 0, block.centre))
    said = ", ".join(f"{one.text} at {one.q}, {one.r}" for one in hexes if one.text)
    return Hexes(tuple(hexes), f"{table.title}: {said}", block.size, block.flat, block.caption or table.title)
