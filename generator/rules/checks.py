"""What loading does not see: sheets that name nothing, procedures that leave a combination without an answer."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from generator.errors import ProblemsError
from generator.rules.answers import answer, is_asked, spell_inputs
from generator.rules.sheet_checks import check_sheet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.problems import Problem
    from generator.rules.procedures import Input, Procedure
    from generator.rules.ruleset import RuleSet

MAX_COMBINATIONS = 5_000
"""Combinations of inputs tried for each procedure: all of them for every one shipped."""


def check_ruleset(ruleset: RuleSet, problems: list[Problem]) -> None:
    """Every problem that shows only when the whole rule set is there."""
    for sheet in ruleset.sheets.values():
        check_sheet(ruleset, sheet, problems)
    for procedure in ruleset.procedures.values():
        _check_total(procedure, problems)


def _check_total(procedure: Procedure, problems: list[Problem]) -> None:
    """R233: the outcomes of a combination of inputs do not add up to 1; R241: one has no answer."""
    try:
        _check_combinations(procedure, problems)
    except ProblemsError as error:
        problems.extend(error.problems[:1])


def _check_combinations(procedure: Procedure, problems: list[Problem]) -> None:
    for inputs in combinations(procedure):
        chances = sum(chance for _, chance in answer(procedure, inputs).outcomes)
        if chances != 1:
            found = f"outcomes that add up to {chances} for {spell_inputs(inputs)}"
            hint = "an outcome that comes up is missing, or its when leaves it out"
            problems.append((procedure.place / "outcomes").problem("R233", found=found, expected="1", hint=hint))
            return


def combinations(procedure: Procedure) -> Iterator[dict[str, object]]:
    """Combinations of inputs that apply together, in order, at most MAX_COMBINATIONS of them.

    Raises ProblemsError (R241) where an input's ``when`` has no answer.
    """
    waiting: list[dict[str, object]] = [{}]
    for one in procedure.inputs:
        waiting = list(islice(_with_input(procedure, one, waiting), MAX_COMBINATIONS))
    yield from waiting


def _with_input(procedure: Procedure, one: Input, waiting: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    for given in waiting:
        if is_asked(procedure, one, given):
            for value in one.choice.values:
                yield {**given, one.name: value}
        else:
            yield given
