"""Tables whose rows are hexes, as diagrams; with the chance of each where a procedure tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.documents.blocks.grids import tint_key
from generator.documents.blocks.hex_odds import map_block
from generator.documents.blocks.tables import printed_cell
from generator.render.blocks import Hex, Hexes, Prose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.problems import Problem
    from generator.render.blocks import TintKey
    from generator.rules.model.pictures import HexesBlock
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place


def hexes_block(
    ruleset: RuleSet, block: HexesBlock, place: Place, problems: list[Problem]
) -> tuple[Hexes | Prose | TintKey, ...]:
    """Every row of the table as a hex at its ``q`` and ``r``; where wanted, a line on which belong to which group.

    Reports R225 where the odds have a result that is not a hex of the table.
    """
    table = ruleset.tables[block.hexes]
    text = table.column(block.text)
    hexes = [
        Hex(row["q"], row["r"], printed_cell(ruleset, text, row), str(row[block.group]) if block.group else "")
        for row in table.rows
    ]
    if block.odds is not None:
        maps = [map_block(ruleset, block, block.odds, one, hexes, place, problems) for one in block.odds.maps]
        return *maps, tint_key(block.odds.steps, "aimed at" if block.odds.aim else "")
    if block.centre and (0, 0) not in {(one.q, one.r) for one in hexes}:
        hexes.append(Hex(0, 0, block.centre))
    said = ", ".join(f"{one.text} at {one.q}, {one.r}" for one in hexes if one.text)
    drawn = Hexes(tuple(hexes), f"{table.title}: {said}", block.size, block.flat, block.caption or table.title)
    if block.group is None or not block.members:
        return (drawn,)
    group = table.column(block.group)
    members: dict[str, list[str]] = {}
    for row in table.rows:
        members.setdefault(printed_cell(ruleset, group, row), []).append(printed_cell(ruleset, text, row))
    return drawn, Prose((" · ".join(f"**{name}** {spans(texts)}" for name, texts in members.items()),))


def spans(texts: Sequence[str]) -> str:
    """Numbers that follow each other as a range; words, and numbers apart, one by one.

    >>> spans(["1", "2", "3", "7", "x"])
    '1–3, 7, x'
    """
    found: list[list[str]] = []
    for text in texts:
        last = found[-1][-1] if found else ""
        if text.isdigit() and last.isdigit() and int(text) == int(last) + 1:
            found[-1].append(text)
        else:
            found.append([text])
    return ", ".join(some[0] if len(some) == 1 else f"{some[0]}–{some[-1]}" for some in found)
