"""Table goods of a rule set: the chits of its pots, a grid of dice that draws a chit, and its templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.render.markers.sheets import Tray
from generator.render.markers.table_goods import WIDEST, Board, Chit, Draws, Ruler, Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.markers.pieces import Piece
    from generator.rules.entries.tables import Table
    from generator.rules.ruleset import RuleSet

TEMPLATES = "templates"
"""The table of a rule set, in its folder for scenarios."""
_DICE = (4, 6, 8, 10, 12, 20)


def chits(rules: RuleSet) -> Iterator[Tray]:
    """Yield a tray with every chit of each pot that the procedures draw from, each as often as it is in the pot."""
    for pot in _pots(rules):
        groups = dict.fromkeys(chit.word for chit in pot if chit.group is not None)
        counts = [f"{sum(chit.word == word for chit in pot)} {word}" for word in groups]
        marks = sum(chit.group is None for chit in pot)
        counts += [f"{marks} special"] if marks else []
        yield Tray(pot, f"The whole pot of {len(pot)}: {', '.join(counts)}. Leave the backs plain. Draw from a mug.")


def draws(rules: RuleSet) -> Iterator[Tray]:
    """Yield a tray with a grid of chits for each pot: a row die and a column die draw a chit from it.

    The dice are those that leave the fewest cells empty. A pot that is too large for all dice has no grid.
    """
    for pot in _pots(rules):
        pairs = [(down, across) for across in _DICE for down in _DICE if down <= across and down * across >= len(pot)]
        if pairs:
            down, across = min(pairs, key=lambda pair: (pair[0] * pair[1], pair[1]))
            title = f"A draw without chits: roll D{down} for the row and D{across} for the column. "
            title += "Roll again if you drew this cell before in the same draw."
            yield Tray((Draws(down, across, pot),), title, gap=1)


def templates(rules: RuleSet) -> Iterator[Tray]:
    """Yield a tray with the templates, rulers and boards of the rules; nothing if the rules have none.

    Those wider than 196 mm are left out.
    """
    table = rules.tables.get(TEMPLATES)
    pieces: list[Piece] = []
    for row in table.rows if table is not None else ():
        name, given = str(row["name"]), row.values
        if row["shape"] == "board":
            pieces.append(Board(name, tuple(str(given["boxes"]).split("; "))))
        elif row["shape"] == "ruler":
            pieces.append(Ruler(name, int(given["reach"])))
        else:
            pieces.append(Template(name, float(given["reach"]), float(given["inner"] or 0), given["degrees"] or 360))
    if pieces:
        yield Tray(tuple(piece for piece in pieces if piece.width <= WIDEST), "Templates", gap=5)


def _pots(rules: RuleSet) -> list[tuple[Chit, ...]]:
    """Return the chits of each pot with its marks, each combination once.

    A pot is in use if a procedure of its own rule set draws from it. A layer with other dice replaces all these
    procedures.
    """
    drawn = [
        roll.draw
        for procedure in rules.procedures.values()
        for case in procedure.model.cases
        for roll in case.rolls
        if roll.draw is not None and procedure.owner == rules.tables[roll.draw.pot].owner
    ]
    named = sorted({(draw.pot, draw.marks or "") for draw in drawn})
    return [(*_numbered(rules.tables[pot]), *(_marked(rules.tables[marks]) if marks else ())) for pot, marks in named]


def _numbered(pot: Table) -> Iterator[Chit]:
    group, number = pot.key
    groups = [*dict.fromkeys(row[group] for row in pot.rows)]
    for row in pot.rows:
        chit = Chit(str(row[number]), str(row[group]), groups.index(row[group]))
        yield from [chit] * row["count"]


def _marked(marks: Table) -> Iterator[Chit]:
    """Yield the mark chits.

    The figure of a chit is the printed name of the mark, and the word below it is the mark's key.
    """
    names = marks.names()
    for row in marks.rows:
        key = row[marks.key[0]]
        yield from [Chit(names[key], "" if names[key].lower() == str(key) else str(key))] * row["count"]
