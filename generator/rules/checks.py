"""What loading does not see: sheets that name nothing, procedures that leave a combination without an answer."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from generator.errors import ProblemsError
from generator.rules.answers import answer
from generator.rules.sheet_checks import check_sheet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.problems import Problem
    from generator.rules.procedures import Procedure
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
    """R233: a combination of inputs that no case answers, or whose outcomes do not add up to 1."""
    for inputs in combinations(procedure):
        try:
            chances = sum(chance for _, chance in answer(procedure, inputs).outcomes)
        except ProblemsError as error:
            problems.extend(error.problems[:1])
            return
        if chances != 1:
            said = ", ".join(f"{name}={value}" for name, value in inputs.items())
            found = f"outcomes that add up to {chances} for {said}"
            hint = "an outcome that comes up is missing, or its when leaves it out"
            problems.append((procedure.place / "outcomes").problem("R233", found=found, expected="1", hint=hint))
            return


def combinations(procedure: Procedure) -> Iterator[dict[str, object]]:
    """Combinations of inputs that apply together, in order, at most MAX_COMBINATIONS of them."""
    waiting: list[dict[str, object]] = [{}]
    for one in procedure.inputs:
        waiting = [
            {**given, one.name: value} if one.when is None or one.when({**procedure.tables, **given}) else given
            for given, value in product(waiting, one.choice.values)
        ]
        seen = {tuple(given.items()): given for given in waiting}
        waiting = list(seen.values())[:MAX_COMBINATIONS]
    yield from waiting
