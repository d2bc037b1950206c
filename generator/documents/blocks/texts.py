"""Texts of sheets as blocks: steps, notes and paragraphs, and the boxes, strips and bands of play sheets."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import gcd, prod
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from generator.documents.blocks.odds import fixed_inputs
from generator.documents.blocks.tables import RowsBlock, printed_cell, rows_where
from generator.documents.words import NOTHING, percent, whole_end
from generator.render.blocks import Cell, Column, Prose, Result, Results, Steps, Table, Weapon, WeaponGroup, Weapons
from generator.rules.formulas.scope import FormulaText
from generator.rules.model.base import Block, Concerning, Id, Line, Model, Name, NonBlank, Ref, Seq, TableId, Thinned
from generator.rules.procedures.answers import answer, complete_inputs

if TYPE_CHECKING:
    from generator.documents.blocks.composition import Composition, InPlay
    from generator.rules.check.ruleset import BlockChecker
    from generator.rules.entries.tables import Row
    from generator.rules.ruleset import RuleSet


class StepsBlock(Thinned):
    """The steps of a procedure, numbered."""

    keyword = "steps"

    steps: Annotated[Id, Ref("procedure with steps")]
    """The procedure."""

    def entries(self, rules: RuleSet) -> list[str] | None:
        """Return the ids of the steps, by which a block may leave them out; None if there is no such procedure.

        A step without an id is always printed.
        """
        procedure = rules.procedures.get(self.steps)
        return None if procedure is None else [step.id for step in procedure.steps if step.id]

    def in_play(self, rules: RuleSet, play: InPlay) -> StepsBlock | None:
        """Return the block without the steps about things that no force has; None if no step is left."""
        steps = [step for step in rules.procedures[self.steps].steps if step.id not in self.without]
        idle = [step.id for step in steps if not play.has(step.concerns)]
        return self.model_copy(update={"without": (*self.without, *idle)}) if len(idle) < len(steps) else None

    def compose(self, context: Composition) -> tuple[Steps, ...]:
        """Return a block with the steps that apply with the current options and are not left out.

        Empty if there are no such steps. The last two words of a step stay on one line.
        """
        applying = context.ruleset.procedures[self.steps].steps_now()
        steps = tuple(whole_end(step.says) for step in applying if not step.id or step.id not in self.without)
        return (Steps(steps),) if steps else ()


class NotesBlock(Block):
    """Notes in italics."""

    keyword = "notes"
    explains = True

    notes: Annotated[Seq[NonBlank], Field(min_length=1)]
    """The paragraphs."""

    def compose(self, _context: Composition) -> Prose:
        """Return the notes; the last two words of each stay on one line."""
        return Prose(tuple(map(whole_end, self.notes)))


class GlossaryBlock(RowsBlock):
    """The rows of a table as one paragraph: each key in bold, with its printed name."""

    keyword = "glossary"

    glossary: TableId
    """The table."""

    def compose(self, context: Composition) -> tuple[Prose, ...]:
        """Return the paragraph, without the rows under ``without``; empty if no row is left."""
        names = context.ruleset.tables[self.glossary].names().items()
        kept = [f"**{key}** {name}" for key, name in names if str(key) not in self.without]
        return (Prose((f"{'; '.join(kept)}.",)),) if kept else ()


class ProseBlock(Block):
    """Plain paragraphs."""

    keyword = "prose"
    explains = True

    prose: Annotated[Seq[NonBlank], Field(min_length=1)]
    """The paragraphs."""

    def compose(self, _context: Composition) -> Prose:
        """Return the paragraphs."""
        return Prose(self.prose, "text")


_WORDS = 14
"""Most words of a step of a phase."""


def _short(step: str) -> str:
    if len(step.split()) > _WORDS:
        raise PydanticCustomError("words", f"a step of at most {_WORDS} words", {"hint": "shorten the step"})
    return step


class ShortStepsBlock(Block):
    """The steps of a phase of play in short words: at most five steps of at most fourteen words."""

    keyword = "short_steps"

    short_steps: Annotated[Seq[Annotated[Line, AfterValidator(_short)]], Field(min_length=1, max_length=5)]
    """The steps, each an imperative; bold type marks the action."""

    def compose(self, _context: Composition) -> Steps:
        """Return the steps; the last two words of each stay on one line."""
        return Steps(tuple(map(whole_end, self.short_steps)))


class OutcomeBox(Model):
    """A box with one outcome of a roll."""

    sign: Literal["<", "≤", "=", "≥", ">", "½", "1", ""] = ""
    """The comparison that leads to the outcome."""
    name: Line
    """The outcome."""
    effect: str = ""
    """A line under it that says what happens."""
    strength: Annotated[int, Field(ge=0, le=2)] = 0
    """0 for a white box, 1 for a tinted box, 2 for a dark box: the strongest outcome."""


class ResultsBlock(Block):
    """The outcomes of a roll in boxes side by side."""

    keyword = "results"

    results: Annotated[Seq[OutcomeBox], Field(min_length=1, max_length=4)]
    """The outcomes, from the lowest roll."""

    def compose(self, _context: Composition) -> Results:
        """Return the block for print, with a box for each outcome.

        The last two words of a name or an effect stay on one line.
        """
        boxes = self.results
        return Results(
            tuple(Result(box.sign, whole_end(box.name), whole_end(box.effect), box.strength) for box in boxes)
        )


class Factor(Model):
    """A chance of a worked example: a question to a procedure."""

    says: Line
    """The case in words, and the name of the chance: "Basic missile at enhanced ECM, no PDS: hit"."""
    grid: Annotated[Id, Ref("procedure with dice")]
    """The procedure."""
    given: dict[Annotated[Name, Ref("input", of="grid")], Annotated[Any, Ref("value", of="grid")]]
    """The inputs."""
    outcomes: Annotated[Seq[Annotated[Id, Ref("outcome", of="grid")]], Field(min_length=1)]
    """The outcomes whose chances are added up."""


class ExampleBlock(Block):
    """A worked example in a box: chances read from grids; several are multiplied."""

    keyword = "example"

    example: Annotated[Seq[Factor], Field(min_length=1)]
    """The chances."""

    def check(self, checker: BlockChecker) -> None:
        """Report R203 for a list under ``given``, and R314, R316 or R241 as ``BlockChecker.complete`` does."""
        for index, factor in enumerate(self.example):
            procedure = checker.ruleset.procedures[factor.grid]
            if checker.check_values(factor.given, (), "example", index):
                checker.complete(procedure, fixed_inputs(procedure, factor.given), checker.place / "example" / index)

    def compose(self, context: Composition) -> Prose:
        """Return a line for each chance, with its words and percentage; for several, also a line with their product.

        The product is computed exactly and then rounded. Raises ProblemsError (R241) for a chance without an answer.
        """
        exact = []
        for factor in self.example:
            procedure = context.ruleset.procedures[factor.grid]
            inputs = complete_inputs(procedure, fixed_inputs(procedure, factor.given))
            exact.append(Fraction(answer(procedure, inputs, whole=False).chance(*factor.outcomes)))
        lines = [f"{factor.says} **{percent(chance)}%**" for factor, chance in zip(self.example, exact, strict=True)]
        if len(exact) > 1:
            lines.append(f"{' × '.join(f'{percent(chance)}%' for chance in exact)} = **{percent(prod(exact))}%**")
        return Prose((f"**Example.** {lines[0]}", *lines[1:]), style="example")


class WeaponColumns(Model):
    """Columns of a weapon strip: figures from a table whose first key is the weapon."""

    head: str
    """The head over the columns."""
    table: TableId
    """The table."""
    across: Annotated[Name, Ref("column", of="table")] | None = None
    """The key column whose values go along the top; without it the group is one column."""
    where: FormulaText | None = None
    """Only the rows for which this holds (the row's columns are its names)."""
    columns: Annotated[Seq[Annotated[Name, Ref("column", of="table")]], Field(min_length=1)]
    """The columns whose values share a cell: of three figures, the first is bold and the last light."""
    names: dict[str, str] = Field(default_factory=dict)
    """Printed names of the values along the top."""
    shown_as: Name | None = None
    """The column of the listing table that is printed for a word, such as its tokens."""
    lack: str = NOTHING
    """The text of a cell without figures."""
    share: Annotated[int, Field(ge=1, le=90)]
    """The width in percent of the strip."""


class FurtherWeapon(Concerning):
    """A row of a weapon strip with a sentence instead of figures, such as a missile without range bands."""

    name: Line
    """The name."""
    says: Line
    """The sentence."""


class WeaponsBlock(RowsBlock):
    """A strip with one row for each weapon: its name, its name in full, and figures from several tables."""

    keyword = "weapons"

    weapons: TableId
    """The table with a row for each weapon; its first key is the weapon."""
    full: Annotated[Name, Ref("column", of="weapons")] | None = None
    """The column with the name in full."""
    groups: Annotated[Seq[WeaponColumns], Field(min_length=1)]
    """The groups of columns, from the left."""
    further: Seq[FurtherWeapon] = ()
    """The last rows."""

    def in_play(self, rules: RuleSet, play: InPlay) -> Self | None:
        """Return the block without the rows about weapons that no force has; None if no row about a weapon is left."""
        further = [row for row in self.further if play.has(row.concerns)]
        block = super().in_play(rules, play)
        if block is None and any(row.concerns for row in further):
            block = self.model_copy(update={"without": self.entries(rules)})
        return block and block.model_copy(update={"further": further})

    def check(self, checker: BlockChecker) -> None:
        """Report R221 to R223, R225, R237 or R241 for errors in the ``where`` of a group.

        R238 (advice) is for a ``where`` that holds for no row.
        """
        for number, group in enumerate(self.groups):
            checker.where(group.table, group.where, checker.place / "groups" / number)

    def compose(self, context: Composition) -> Weapons:
        """Return the strip: a row for each weapon that is not under ``without``, then the further rows.

        A cell without figures has its group's text for missing figures. If several rows of a table have the same cell,
        the last of them counts. Adds problems and raises FormulaUseError as ``rows_where`` does.
        """
        table = context.ruleset.tables[self.weapons]
        rows = [row for row in table.rows if str(row[table.key[0]]) not in self.without]
        keys = [row[table.key[0]] for row in rows]
        cells: dict[object, list[str]] = {key: [] for key in keys}
        groups = []
        for number, group in enumerate(self.groups):
            source = context.ruleset.tables[group.table]
            by_key: dict[tuple[object, ...], Row] = {}
            tops: dict[object, str] = {}
            for row in rows_where(context._replace(place=context.place / "groups" / number), source, group.where):
                top = row[group.across] if group.across else None
                tops[top] = group.names.get(str(top), str(top)) if group.across else ""
                by_key[row[source.key[0]], top] = row
            groups.append(WeaponGroup(group.head, tuple(tops.values()), group.share))
            for key in keys:
                cells[key] += [_figures(context, group, by_key.get((key, top))) for top in tops]
        weapons = tuple(
            Weapon(str(key), str(row[self.full] or "") if self.full else "", tuple(cells[key]))
            for key, row in zip(keys, rows, strict=True)
        )
        further = tuple(Weapon(row.name, "", (row.says,)) for row in self.further)
        return Weapons(table.title, "Weapon", tuple(groups), weapons + further)


def _figures(context: Composition, group: WeaponColumns, row: Row | None) -> str:
    """Return the figures of a row for one cell, with markup. Empty figures and dashes are left out.

    Without a row, or if no figure is left, return the group's text for missing figures.
    """
    if row is None:
        return group.lack
    source = context.ruleset.tables[group.table]
    texts = [printed_cell(context.ruleset, source.column(name), row, group.shown_as) for name in group.columns]
    texts = [text.replace(" ", "\N{NO-BREAK SPACE}") for text in texts if text not in ("", NOTHING)]
    if group.across and len(group.columns) > 1:
        texts = [f"**{text}**" if i == 0 else f"*{text}*" if i > 1 else text for i, text in enumerate(texts)]
    return " ".join(texts) or group.lack


_BANDS = 5
"""Most bands: as many as there are tints."""
_FAR = 500
"""The longest distance that is drawn: each unit may be a column."""
_NAMED = 8
"""A box has its name if its length times this number is at least the length of the longest row."""


class BandsBlock(Block):
    """Distances drawn to scale: a row of tinted boxes for each column of a table, each with its name and its end."""

    keyword = "bands"

    bands: TableId
    """The table, with a row for each band, at most five."""
    named: Annotated[Name, Ref("column", of="bands")]
    """The column that is printed in the boxes, if they are wide enough, such as the die of each band."""
    ends: Annotated[Seq[Annotated[Name, Ref("column", of="bands")]], Field(min_length=1)]
    """The columns with the far end of each band in whole units, each with a row of boxes."""

    def check(self, checker: BlockChecker) -> None:
        """Report R203 for no or too many bands, and for ends that are not whole numbers, do not grow or are too far."""
        table = checker.ruleset.tables[self.bands]
        if not 1 <= len(table.rows) <= _BANDS:
            checker.refuse("R203", f"{len(table.rows)} bands", f"1 to {_BANDS} bands", "bands")
        for index, name in enumerate(self.ends):
            ends = [0, *(row[name] for row in table.rows)]
            grow = table.column(name).type == "int" and None not in ends and ends == sorted({*ends})
            if not grow or ends[-1] > _FAR:
                checker.refuse("R203", name, f"a column of whole numbers that grow, up to {_FAR}", "ends", index)

    def compose(self, context: Composition) -> Table:
        """Return a table with a row of boxes for each column under ``ends``. The block must have passed its check.

        Such a column has the far ends of the bands. The printed columns after the first stand for equal distances. Each
        band spans as many of them as its length needs.
        """
        table = context.ruleset.tables[self.bands]
        named, lengths = table.column(self.named), [row[name] for row in table.rows for name in self.ends]
        unit = gcd(*lengths)
        longest = max(lengths) // unit
        names = [printed_cell(context.ruleset, named, row) for row in table.rows]
        rows: list[tuple[Cell, ...]] = []
        for name in self.ends:
            ends = [0, *(row[name] for row in table.rows)]
            row = [Cell(table.column(name).label)]
            for tint, (near, far) in enumerate(pairwise(ends), 1):
                text = f"{names[tint - 1]} {far}" if (far - near) * _NAMED >= max(lengths) else str(far)
                row.append(Cell(text, tint, align="right", span=(far - near) // unit))
            if rest := longest - ends[-1] // unit:
                row.append(Cell("", span=rest))
            rows.append(tuple(row))
        heads = (Column("", share=longest), *(Column("", share=4) for _ in range(longest)))
        return Table(heads, tuple(rows), table.title, dense=True)
