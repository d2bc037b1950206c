"""The checks of a grid of odds: its procedure, inputs and outcomes must be there, and it must not be endless."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.rules.answers import spell_inputs
from generator.rules.binding import option_names, table_scope
from generator.rules.wording import chosen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.rules.block_checks import Case, Checker
    from generator.rules.choices import Choice
    from generator.rules.models.base import FormulaText
    from generator.rules.models.table_blocks import GridBlock
    from generator.rules.procedures import Procedure

MAX_CELLS = 2_000
"""The most cells of one grid."""


def check_grid(checker: Checker, block: GridBlock) -> None:
    """R203 a value or a grid too large, R231 no such procedure, R232 no such input or outcome, R314 an input lacks."""
    rolled = [name for name, one in checker.ruleset.procedures.items() if one.cases]
    if not checker.known(block.grid, rolled, "a procedure with dice", "grid"):
        return
    before = len(checker.problems)
    procedure = checker.ruleset.procedures[block.grid]
    inputs = [one.name for one in procedure.inputs]
    for key, name in (("rows", block.rows), ("columns", block.columns), ("each", block.each)):
        if name is not None:
            checker.known(name, inputs, "an input", key, code="R232")
    for name, given in block.given.items():
        if checker.known(name, inputs, "an input", "given", name, code="R232"):
            checker.allowed(name, given, next(one.choice for one in procedure.inputs if one.name == name))
    named = {block.rows, block.columns, block.each, *block.given}
    lacking = [one for one in procedure.inputs if one.required and one.when is None and one.name not in named]
    for one in lacking if len(checker.problems) == before else ():
        checker.missing("R314", one.name, f"{one.name}: ...", f"{one.label}: {one.choice.spell()}")
    if len(checker.problems) == before:
        _small_enough(checker, block, procedure)
    for name, text in block.dice.items():
        if checker.known(name, inputs, "an input", "dice", name, code="R232"):
            choice = next(one.choice for one in procedure.inputs if one.name == name)
            given = block.given.get(name, list(choice.values))
            values = map(choice.read, given if isinstance(given, list) else [given])
            cases = [{name: value} for value in values if value is not None]
            _dice(checker, name, text, choice, [(spell_inputs(case), case) for case in cases])
    outcomes = [one.id for one in procedure.outcomes]
    for index, outcome in enumerate(block.measure.outcomes):
        checker.known(outcome, outcomes, "an outcome", "measure", "outcomes", index, code="R232")


def _small_enough(checker: Checker, block: GridBlock, procedure: Procedure) -> None:
    """R203: a grid of more cells than anybody reads, each of which takes its time."""
    cells = 1
    for name in (block.rows, block.columns, block.each):
        known = procedure.input(name) if name is not None else None
        given = block.given.get(name or "")
        if known is not None:
            cells *= len(known.choice.values) if given is None else len(given) if isinstance(given, list) else 1
    if cells > MAX_CELLS:
        hint = "list the values to print under given"
        checker.problems.append(
            checker.at("grid").problem("R203", found=f"{cells} cells", expected=f"at most {MAX_CELLS}", hint=hint)
        )


def _dice(checker: Checker, name: str, text: FormulaText, choice: Choice, cases: Iterable[Case]) -> None:
    scope = (
        table_scope(checker.ruleset.tables.values()) | option_names(checker.ruleset.options) | {name: chosen(choice)}
    )
    checker.reckon(text, scope, cases, checker.place / "dice" / name, as_condition=False)
