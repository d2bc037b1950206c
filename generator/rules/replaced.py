"""Which procedures of its parents a layer's procedures replace, and what becomes of everything that names these."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generator.rules.chain import Replacement, ancestors, read_file
from generator.rules.options import near

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.rules.chain import Work
    from generator.rules.library import Folder
    from generator.rules.models.sheet import SectionModel
    from generator.rules.procedures import Procedure
    from generator.rules.ruleset import Sheet

_NAMES_PROCEDURE = ("steps", "grid", "chart")
"""The keys with which blocks of a sheet name a procedure; hexes name it under ``odds``."""
_NAMES_INPUT = ("rows", "columns", "each")
"""The keys with which grids and charts name an input."""


def read_replacements(work: Work, chain: tuple[Folder, ...]) -> None:
    """Note which procedure replaces which: ``work.replaced``.

    Codes: R210 no parent has a procedure of that id, R212 two procedures replace the same one, R304 a procedure has
    the id of a parent's and does not say that it replaces it.
    """
    quiet = replace(work, problems=[])
    for folder in chain:
        below = ancestors(work, folder.ruleset)
        owners = {one: lower.ruleset for lower in chain if lower.ruleset in below for one in lower.ids("procedures")}
        for own in folder.ids("procedures") if owners else ():
            part = read_file(quiet, folder, "procedures", f"{own}.yaml")
            if part is None:
                continue
            lists = (part.value.get(key) for key in ("replaces", "over"))
            listed, over = (tuple(one) if isinstance(one, list) else () for one in lists)
            if own in owners and own not in listed:
                found, hint = f"procedure {own}, which {owners[own]} has", f"add replaces: [{own}], or use another id"
                place = part.place(("procedure",))
                work.problems.append(place.problem("R304", found=found, expected="a new id", hint=hint))
            for index, old in enumerate(listed):
                place = part.place(("replaces", index))
                if not isinstance(old, str) or old not in owners:
                    expected, hint = "a procedure of a parent", near(str(old), owners)
                    work.problems.append(place.problem("R210", found=str(old), expected=expected, hint=hint))
                    continue
                mine = Replacement(folder.ruleset, own, over)
                other = work.replaced.get(old)
                if other is None or other.owner in below or (other.owner in mine.over and mine.owner not in other.over):
                    work.replaced[old] = mine
                elif mine.owner not in other.over or other.owner in mine.over:
                    beside = other.owner != mine.owner
                    found = f"{old}, which {other.owner}/{other.id} replaces"
                    hint = f"add over: [{other.owner}]" if beside else f"delete {old} here or in {other.id}"
                    expected = "one procedure that replaces it"
                    work.problems.append(place.problem("R212", found=found, expected=expected, hint=hint))


def without_replaced(work: Work, sheet: Sheet, procedures: Mapping[str, Procedure]) -> Sheet:
    """The sheet without blocks about procedures that another layer replaces, and without sections that are left bare.

    A block stays if the new procedure has the same id, and the inputs and outcomes that the block names. What goes is
    hidden, so that the rest keeps its place in the file. A sheet of the layer itself, or of a layer that stands on
    it, stays as it is: there such a block is a mistake (R231).
    """
    from generator.rules.models.sheet import KeyBlock, NotesBlock, ProseBlock

    reach = ancestors(work, sheet.owner) | {sheet.owner}
    replaced = {old for old, one in work.replaced.items() if one.owner not in reach}
    hidden = KeyBlock(key="tints", when="no")

    def is_gone(block: Any) -> bool:
        odds = getattr(block, "odds", None)
        named = next((getattr(block, key) for key in _NAMES_PROCEDURE if hasattr(block, key)), odds and odds.procedure)
        if named not in replaced or named not in procedures:
            return named in replaced
        inputs = {name for key in _NAMES_INPUT if (name := getattr(block, key, None))} | {*getattr(block, "given", ())}
        outcomes = block.measure.outcomes if hasattr(block, "measure") else ()
        known = {one.name for one in procedures[named].inputs}, {one.id for one in procedures[named].outcomes}
        return not (inputs <= known[0] and known[1].issuperset(outcomes)) and not hasattr(block, "steps")

    def kept(section: SectionModel) -> SectionModel:
        blocks = tuple(hidden if is_gone(block) else block for block in section.blocks)
        bare = hidden in blocks and all(isinstance(one, KeyBlock | NotesBlock | ProseBlock) for one in blocks)
        return section.model_copy(update={"blocks": blocks, "when": "no" if bare else section.when})

    rows = [
        row.model_copy(update={"columns": tuple(tuple(map(kept, column)) for column in row.columns)})
        for row in sheet.model.rows
    ]
    return sheet._replace(model=sheet.model.model_copy(update={"rows": tuple(rows)})) if replaced else sheet
