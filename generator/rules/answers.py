"""Exact answers of procedures: one for every combination of inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.odds.chain import chain
from generator.odds.distribution import Distribution
from generator.odds.opposed import opposed
from generator.odds.repeat import first_of
from generator.odds.target import target_roll
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.procedures import OpposedRoll, TableRoll

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from generator.rules.formulas.compiler import Formula
    from generator.rules.procedures import Case, Input, Outcome, Procedure, TargetRoll


MAX_SIDES = 1_000
"""The largest die that is rolled."""
MAX_TIMES = 1_000
"""How often a roll may be repeated."""


class Answer(NamedTuple):
    """The chance of every outcome for these inputs, in the procedure's order; the chances add up to exactly 1."""

    inputs: Mapping[str, Any]
    outcomes: tuple[tuple[Outcome, Fraction], ...]
    notes: tuple[str, ...]

    def chance(self, *outcomes: str) -> Fraction | int:
        """The chance of any of these outcomes."""
        return sum(chance for outcome, chance in self.outcomes if outcome.id in outcomes)


def answer(procedure: Procedure, inputs: Mapping[str, Any]) -> Answer:
    """The exact answer for inputs that were checked (``generator.rules.questions``).

    Raises ProblemsError (R241) where the rule data has no answer: no case fits, or a look-up finds no row.
    """
    values = {**procedure.names, **inputs}
    try:
        outcomes = tuple(one for one in procedure.outcomes if one.when is None or one.when(values))
        case = next(one for one in procedure.cases if one.when is None or one.when(values))
        distribution = _distribution(case, values, tuple(one.id for one in outcomes))
        remarks = [one.note for one in procedure.remarks if one.when(values)]
    except StopIteration:
        raise no_answer(procedure, inputs, "no case fits") from None
    except (FormulaUseError, ValueError) as error:
        raise no_answer(procedure, inputs, str(error)) from None
    chances = tuple((one, distribution.probability(one.id)) for one in outcomes)
    return Answer(inputs, chances, tuple(note for note in (case.note, *remarks) if note))


def spell_inputs(inputs: Mapping[str, Any]) -> str:
    """Inputs as a question says them.

    >>> spell_inputs({"wall": 2, "aimed": False})
    'wall=2 aimed=no'
    """
    words = {True: "yes", False: "no"}
    return " ".join(f"{name}={words[value] if isinstance(value, bool) else value}" for name, value in inputs.items())


def no_answer(procedure: Procedure, inputs: Mapping[str, Any], reason: str) -> ProblemsError:
    """R241: the rule data has no answer for these inputs."""
    said = spell_inputs(inputs)
    hint = "the rule data must cover every combination of inputs"
    return ProblemsError(procedure.place.problem("R241", found=f"{reason} ({said})", expected="an answer", hint=hint))


def is_asked(procedure: Procedure, one: Input, given: Mapping[str, Any]) -> bool:
    """Whether an input is asked for, as the inputs before it are. Raises ProblemsError (R241)."""
    try:
        return one.when is None or bool(one.when({**procedure.names, **given}))
    except FormulaUseError as error:
        raise no_answer(procedure, given, str(error)) from None


def _distribution(case: Case, values: Mapping[str, Any], order: tuple[str, ...]) -> Distribution[str]:
    if isinstance(case.roll, str):
        return Distribution.certain(case.roll)
    once = _opposed(case.roll, values) if isinstance(case.roll, OpposedRoll) else _target(case.roll, values)
    times = _whole(case.times(values), MAX_TIMES, "rolls")
    return once if times == 1 else first_of(once, order, times)


def _opposed(roll: OpposedRoll, values: Mapping[str, Any]) -> Distribution[str]:
    result = opposed(_dice(roll.attacker, values), _dice(roll.defender, values))
    level = roll.level
    return chain(
        result,
        {
            "above": Distribution.certain(roll.above),
            "level": _table_roll(level, values) if isinstance(level, TableRoll) else Distribution.certain(level),
            "below": Distribution.certain(roll.below),
        },
    )


def _target(roll: TargetRoll, values: Mapping[str, Any]) -> Distribution[str]:
    (die,) = _dice((roll.die,), values)
    needed = roll.needed(values)
    if not isinstance(needed, int):
        message = f"{needed} to be rolled, not a whole number"
        raise FormulaUseError(message)
    named = {"passed": roll.passed, "failed": roll.failed}
    return target_roll(die, needed, strictly=roll.strict).map(lambda result: named[result])


def _dice(formulas: tuple[Formula, ...], values: Mapping[str, Any]) -> list[int]:
    return [_whole(formula(values), MAX_SIDES, "sides of a die") for formula in formulas]


def _whole(value: Any, most: int, what: str) -> int:
    """A number of dice or sides that can be reckoned with."""
    if value is None:
        message = "there is no die to roll"
        raise FormulaUseError(message)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        message = f"{value} {what}, not 1 to {most}"
        raise FormulaUseError(message)
    return value


def _table_roll(roll: TableRoll, values: Mapping[str, Any]) -> Distribution[str]:
    sides = _whole(roll.die(values), MAX_SIDES, "sides of a die")
    return Distribution.from_weights((roll.table.find((face,))["outcome"], 1) for face in range(1, sides + 1))
