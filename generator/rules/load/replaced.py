"""Procedures of a layer that replace procedures of its parents, and their effect on sheets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from generator.rules.load.chain import LoadState, ancestors, read_file
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.rules.model.sheet import SectionModel
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.ruleset import Sheet
    from generator.rules.source.library import Folder


class _Replacement(NamedTuple):
    """A procedure that replaces a parent's procedure: its rule set and its id."""

    owner: str
    id: str


def read_replacements(state: LoadState, chain: tuple[Folder, ...]) -> None:
    """Record which procedures replace procedures of parents. A key that is not a list is reported later, with its file.

    Codes: R210 no parent has a procedure of that id, R212 two procedures replace the same procedure.
    """
    quiet, replacements = replace(state, problems=[]), dict[str, _Replacement]()
    for folder in chain:
        below = ancestors(state, folder.ruleset)
        theirs = {text: "" for lower in chain if lower.ruleset in below for text in lower.ids("procedures")}
        for own in folder.ids("procedures") if theirs else ():
            part = read_file(quiet, folder, "procedures", f"{own}.yaml")
            listed = part.value.get("replaces") if part else None
            for index, old in enumerate(map(str, listed) if isinstance(listed, list) else ()):
                other = replacements.get(old)
                if old in theirs and (other is None or other.owner in below):
                    replacements[old] = _Replacement(folder.ruleset, own)
                elif part is not None:
                    code, word, expected, hint = "R210", old, "a procedure of a parent", suggest(old, theirs)
                    if old in theirs and other is not None:
                        code, expected = "R212", "one procedure that replaces it"
                        word, hint = f"{old}, which {other.owner}/{other.id} replaces", f"delete {old} here or there"
                    state.problems.append(part.place(("replaces", index)).problem(code, expected, word, hint))
    state.replaced_by = {("procedures", old): item.owner for old, item in replacements.items()}
    for old in replacements:
        new = old
        for _ in replacements:  # a layer may replace a procedure that itself replaces another
            new = replacements[new].id if new in replacements else new
        if new != old:
            state.replaced[old] = new


def without_replaced(state: LoadState, sheet: Sheet, procedures: Mapping[str, Procedure]) -> Sheet:
    """Return the sheet without blocks about replaced procedures, and without sections that this leaves empty.

    A block stays if the new procedure has the same id and the inputs and outcomes that the block names. Removed blocks
    are hidden, so that the other blocks keep their places in the file. A sheet of the replacing layer, or of a layer
    based on it, is not changed: there such a block is a mistake (R231).
    """
    from generator.rules.check.references import words_of
    from generator.rules.model.block import Block

    reach = ancestors(state, sheet.owner) | {sheet.owner}
    replaced = {old for (_, old), owner in state.replaced_by.items() if owner not in reach}
    hidden = Block(when="no")

    def is_gone(block: Block) -> bool:
        mentioned = words_of(block, "procedure with dice", "procedure with steps") & replaced
        needed = words_of(block, "input"), words_of(block, "outcome")
        return any(word not in procedures or not procedures[word].fits(*needed) for word in mentioned)

    def with_hidden(section: SectionModel) -> SectionModel:
        blocks = tuple(hidden if is_gone(block) else block for block in section.blocks)
        bare = hidden in blocks and all(block is hidden or block.explains for block in blocks)
        return section.model_copy(update={"blocks": blocks, "when": "no" if bare else section.when})

    rows = [
        row.model_copy(update={"columns": tuple(tuple(map(with_hidden, column)) for column in row.columns)})
        for row in sheet.model.rows
    ]
    return sheet._replace(model=sheet.model.model_copy(update={"rows": tuple(rows)})) if replaced else sheet
