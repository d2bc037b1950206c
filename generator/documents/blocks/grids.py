"""Odds grids as blocks: one panel for each value of an input, tinted by the chance."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from generator.documents.words import NOTHING, TINT_BOUNDS, decimal, percent, tint
from generator.render.blocks import Cell, Column, Table, TintKey
from generator.rules.check.sheets import values_of
from generator.rules.entries.dice import spell_dice
from generator.rules.entries.namespace import bind
from generator.rules.formulas.scope import VALUE
from generator.rules.procedures.answers import answer
from generator.rules.procedures.inputs import complete_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.problems import Problem
    from generator.rules.formulas.compiler import Formula
    from generator.rules.model.table_blocks import GridBlock, Measure
    from generator.rules.procedures.answers import Answer
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place


def grid_blocks(ruleset: RuleSet, block: GridBlock, place: Place, problems: list[Problem]) -> tuple[Table, ...]:
    """A table for each value of ``each``, or one table."""
    procedure = ruleset.procedures[block.grid]
    dice = _dice(ruleset, block, place, problems)
    panels = []
    for value in values_of(procedure, block.each, block.given) if block.each else (None,):
        fixed = [name for name in block.given if name not in (block.rows, block.columns, block.each)]
        given = {name: values_of(procedure, name, block.given)[0] for name in fixed}
        if block.each:
            given[block.each] = value
        panels.append(_panel(procedure, block, given, dice))
    return _merged(panels) if block.merge else tuple(panels)


def tint_key(bounds: Sequence[int] = TINT_BOUNDS, aim: str = "") -> TintKey:
    """The key under the grids, or under what has steps and a mark of its own.

    >>> tint_key((1, 2, 4)).bounds
    ('under 1', '1', '2–3', '4 and up')
    """
    steps = [f"{low}–{high - 1}" if high > low + 1 else str(low) for low, high in pairwise(bounds)]
    return TintKey((f"under {bounds[0]}", *steps, f"{bounds[-1]} and up"), aim)


def _dice(ruleset: RuleSet, block: GridBlock, place: Place, problems: list[Problem]) -> Mapping[str, Formula]:
    found = {}
    for name, text in block.dice.items():
        formula = bind(text, ruleset.scope | {name: VALUE}, place / "dice" / name, problems)
        if formula:
            found[name] = formula
    return found


def _panel(procedure: Procedure, block: GridBlock, given: Mapping[str, Any], dice: Mapping[str, Formula]) -> Table:
    def die(name: str, value: object) -> str:
        sides = dice[name]({**procedure.names, name: value}) if name in dice else None
        return spell_dice(sides)

    def named(name: str, value: object) -> str:
        own = procedure.input(name).choice.names.get(value, str(value))  # type: ignore[union-attr] # the sheet was checked
        keys = (f"{name}={value}", str(value), own)
        return next((block.names[key] for key in keys if key in block.names), own)

    columns = values_of(procedure, block.columns, block.given)
    answers: list[Answer] = []
    rows = []
    panel = block.panel
    if block.each:
        value = given[block.each]
        panel = f"{block.panel} {named(block.each, value)} {die(block.each, value)}".strip()
    above = panel if block.head or block.along else ""
    corner = block.head if above else panel or block.head
    for row in values_of(procedure, block.rows, block.given) if block.rows else (None,):
        own = {block.rows: row} if block.rows else {}
        head = f"{die(block.rows, row)} {named(block.rows, row)}".strip() if block.rows else corner or procedure.title
        cells = [Cell(head)]
        for column in columns:
            inputs = complete_inputs(procedure, {**given, **own, block.columns: column})
            answers.append(answer(procedure, inputs, whole=False))
            cells.append(measure_cell(block.measure, answers[-1].chance(*block.measure.outcomes)))
        rows.append(tuple(cells))
    heads = [Column(corner if block.rows else procedure.input(block.columns).label)]  # type: ignore[union-attr] # as above
    for value in columns:
        text = f"{block.column_prefix}{named(block.columns, value)}"
        heads.append(Column(text, die=die(block.columns, value), align="centre"))
    caption = f"{procedure.title}: {panel or block.head}"
    note = cut_short(answers)
    return Table(tuple(heads), tuple(rows), caption, over=above, along=block.along, grid=True, note=note)


def cut_short(answers: Iterable[Answer]) -> str:
    """Return the note on dice that stop after their last re-roll; empty where no dice do."""
    chances = [chance for one in answers for chance in one.remainders.values()]
    if not chances:
        return ""
    return f"Dice stop after the last re-roll. Largest chance that a die would go on: {percent(max(chances))} percent."


def _merged(panels: Sequence[Table]) -> tuple[Table, ...]:
    """Panels whose neighbouring rows are one where they read the same in all, so that panels stay level."""
    kept: list[list[int]] = []
    for index in range(len(panels[0].rows)):
        if kept and all(panel.rows[index][1:] == panel.rows[kept[-1][0]][1:] for panel in panels):
            kept[-1].append(index)
        else:
            kept.append([index])
    return tuple(
        replace(
            panel,
            rows=tuple(
                (Cell(_joined([panel.rows[index][0].text for index in alike])), *panel.rows[alike[0]][1:])
                for alike in kept
            ),
        )
        for panel in panels
    )


def _joined(names: list[str]) -> str:
    """Names of rows beside each other; a die that all begin with stands once.

    >>> _joined(["D8 Powered", "D8 APSW"]), _joined(["D4 Twig", "D6 Cane"]), _joined(["HKP", "MDC"])
    ('D8 Powered, APSW', 'D4 Twig, D6 Cane', 'HKP, MDC')
    """
    first, *rest = names
    die, space, _ = first.partition(" ")
    shared = f"{die}{space}" if die in {"D4", "D6", "D8", "D10", "D12"} else ""
    alike = all(name.startswith(shared) for name in rest)
    return ", ".join([first, *(name.removeprefix(shared) if alike else name for name in rest)])


def measure_cell(measure: Measure, chance: Fraction | int) -> Cell:
    """A chance as a tinted cell: as a percentage, or as the tries it takes on average."""
    if not measure.tries:
        return Cell(percent(chance) if chance else measure.never, tint(chance))
    return Cell(decimal(1 / Fraction(chance)) if chance else NOTHING, tint(chance))
