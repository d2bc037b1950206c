"""Complete the inputs of a procedure, and compute its exact answer for them."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.odds.distribution import Distribution, first_of
from generator.problems import Problem, ProblemsError, Span, raise_any
from generator.rules.entries.choices import spell_value
from generator.rules.entries.dice import within
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.procedures.sequence import OUTCOME, Remainders, Reply, repeated, run

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from generator.rules.procedures.procedure import Case, Input, Outcome, Procedure


def complete_one(
    procedure: Procedure,
    inputs: Mapping[str, Any],
    spans: Mapping[str, Span],
    problems: list[Problem],
    passed_over: Collection[str] = (),
    end: Span | None = None,
) -> dict[str, Any]:
    """Return the inputs that apply, in the procedure's order and with defaults; ``spans`` are their places.

    The condition (``when``) of an input reads the inputs before it. Values are not checked, and names that the
    procedure does not have are ignored. Inputs of ``passed_over`` that do not apply are left out.

    Adds R314 for a missing input, at ``end`` or else at the end of the line. Adds R316 for any other given input that
    does not apply. Raises ProblemsError (R241) if a condition has no answer and no input before it is missing.
    """
    complete: dict[str, Any] = {}
    missing = False
    for item in procedure.inputs:
        try:
            applies = is_asked(procedure, item, complete)
        except ProblemsError:
            if missing:
                continue  # its condition may read the missing input
            raise
        if item.name in inputs:
            if applies:
                complete[item.name] = inputs[item.name]
            elif item.name not in passed_over:
                problems.append(does_not_apply(item, spans.get(item.name, Span("command line"))))
        elif applies and item.required:
            hint = f"{item.label}: {item.choice.spell()}"
            problems.append(Problem("R314", end or _end(spans), f"{item.name}=...", "nothing", item.name, hint))
            missing = True
        elif applies:
            complete[item.name] = item.default
    return complete


def _end(spans: Mapping[str, Span]) -> Span:
    """Return the place at the end of the line of the first of ``spans``; without spans, of an empty command line."""
    span = next(iter(spans.values()), Span("command line"))
    return Span(span.file, 1, max(1, len(span.text) + 1), span.text)


def does_not_apply(item: Input, span: Span) -> Problem:
    """Return R316 for an input that does not apply with the other inputs as given; the hint has its condition."""
    hint = f"leave it out: it applies only when {item.when.text}" if item.when else ""
    return Problem("R316", span, "an input that applies here", item.name, item.name, hint)


def complete_inputs(
    procedure: Procedure, inputs: Mapping[str, Any], passed_over: Collection[str] = ()
) -> dict[str, Any]:
    """Return the inputs that apply, in the procedure's order, with defaults for those that are not given.

    As in ``complete_one``, values are not checked, and names that the procedure does not have are ignored. Inputs of
    ``passed_over`` that do not apply are left out.

    Raises ProblemsError with what ``complete_one`` adds or raises: R314 for a missing input, R316 for any other given
    input that does not apply, or R241.
    """
    problems: list[Problem] = []
    complete = complete_one(procedure, inputs, {}, problems, passed_over)
    raise_any(problems)
    return complete


def no_answer(procedure: Procedure, inputs: Mapping[str, Any], error: Exception) -> ProblemsError:
    """Return an error with R241: the rule data has no answer for these inputs.

    The problem points at the place of ``error``, or at the procedure if the error has no place.
    """
    found = f"{error} ({spell_inputs(inputs)})"
    hint = getattr(error, "hint", "") or "add a case or row for this combination of inputs"
    place = getattr(error, "place", None) or procedure.place
    return ProblemsError(place.problem("R241", "an answer", found, hint))


def is_asked(procedure: Procedure, item: Input, inputs: Mapping[str, Any]) -> bool:
    """Return whether an input applies, given the inputs before it.

    Raises ProblemsError (R241) if its condition has no answer.
    """
    try:
        return item.when is None or item.when.holds({**procedure.names, **inputs})
    except FormulaUseError as error:
        raise no_answer(procedure, inputs, error) from error


def spell_inputs(inputs: Mapping[str, Any]) -> str:
    """Return values by name as ``name=value``, with spaces between them, and with yes and no in words.

    >>> spell_inputs({"wall": 2, "aimed": False})
    'wall=2 aimed=no'
    """
    return " ".join(f"{name}={spell_value(value)}" for name, value in inputs.items())


_ENDLESS = " asks itself"
MAX_TIMES = 1_000
"""How many times a case may repeat its roll."""


class Answer(NamedTuple):
    """The chance of each outcome that is possible for these inputs, in the procedure's order.

    The chances are exact and add up to 1, unless the rule data has the problem R233. If a case repeats its roll
    (``times``), the outcomes are those of all rolls together; ``events``, ``numbers`` and ``which`` are those of one
    roll.
    """

    inputs: Mapping[str, Any]
    outcomes: tuple[tuple[Outcome, Fraction], ...]
    notes: tuple[str, ...]
    events: Mapping[str, Fraction] = MappingProxyType({})
    """The chance of each event, by its name; only events of the case that applies."""
    numbers: Mapping[str, Distribution[Any]] = MappingProxyType({})
    """The distribution of each figure that is a number and has a value in at least one roll."""
    which: Mapping[str, Distribution[Any]] = MappingProxyType({})
    """The distribution of each figure that is not a number."""
    total: int = 0
    """The weight of all rolls. The total of a figure is smaller if it has no value in some rolls."""
    remainders: Remainders = MappingProxyType({})
    """The chance, by roll, that a die stops although it would be rolled again; over all rolls of ``times``."""

    def none(self, number: str) -> Fraction:
        """Return the chance that a number has no value; 1 for a number that the answer does not have."""
        there = self.numbers.get(number)
        return 1 - Fraction(there.total, self.total) if there is not None else Fraction(1)

    def chance(self, *outcomes: str) -> Fraction | int:
        """Return the chance that one of these outcomes comes up; ids that the answer does not have add 0."""
        return sum(chance for outcome, chance in self.outcomes if outcome.id in outcomes)


def answer(procedure: Procedure, inputs: Mapping[str, Any], *, whole: bool = True) -> Answer:
    """Return the exact answer for complete inputs, as ``complete_inputs`` returns them.

    If not ``whole``, the answer has no figures (the values of ``numbers`` and ``which``), which saves time. Answers
    are cached.

    Raises ProblemsError (R241) if the rule data has no answer: for example, no case fits, a look-up finds no row, or
    the rolls have too many results to compute.
    """
    return _answer(procedure, whole, *inputs.items())


@lru_cache(maxsize=20_000)
def _answer(procedure: Procedure, whole: bool, *items: tuple[str, Any]) -> Answer:  # noqa: FBT001 - part of the key
    inputs = dict(items)
    values = {**procedure.names, **inputs}
    try:
        outcomes = tuple(
            outcome for outcome in procedure.outcomes if outcome.when is None or outcome.when.holds(values)
        )
        case = _case(procedure, values)
        order = tuple(outcome.id for outcome in outcomes)
        tally = run(case.program if whole else case.program.without_figures, values)
        times = _times(case, values)
        once = Distribution(tally.results[OUTCOME])
        distribution = once if times == 1 else first_of(once, order, times)
        remarks = [remark.note for remark in procedure.remarks if remark.when is None or remark.when.holds(values)]
    except (FormulaUseError, ValueError) as error:
        raise no_answer(procedure, inputs, error) from error
    chances = tuple((outcome, distribution.probability(outcome.id)) for outcome in outcomes)
    notes = tuple(note for note in (case.note, *remarks) if note)
    remainders = repeated(tally.remainders, times)
    cut_short = "dice stop after the last re-roll; the chance that one would be rolled again is"
    notes += tuple(f"{roll}: {cut_short} {chance}" for roll, chance in remainders.items())
    events = {name: Fraction(weights.get(True, 0), tally.total) for name, weights in tally.named("events").items()}
    numbers, which = (
        {name: Distribution(weights) for name, weights in tally.named(field).items()} for field in ("numbers", "which")
    )
    return Answer(inputs, chances, notes, events, numbers, which, tally.total, remainders)


def reply_of(procedures: Mapping[str, Procedure], name: str, inputs: Mapping[str, Any], figure: str = "") -> Reply:
    """Return the odds of the outcomes of the procedure ``name``, which another procedure asks.

    The reply also has the chances that dice of the procedure are cut short.

    With ``figure``, return the odds of this number in one roll of its case; its value None stands for no value.
    Missing inputs take their defaults, and inputs that do not apply are ignored.

    Raises FormulaUseError if the procedure is missing, has no dice or asks itself without end. Also raises it for a
    missing input without default, and if the procedure has no such input, value or number, or no answer. With
    ``figure``, raises ValueError if a roll has too many results to compute.
    """
    procedure = procedures.get(name)
    if procedure is None or not procedure.cases:
        raise FormulaUseError(f"{name} has no dice")
    checked: dict[str, Any] = {}
    for key, value in inputs.items():
        known = procedure.find_input(key)
        if known is None or value not in known.choice.values:
            raise FormulaUseError(f"{name} knows no {key}={value}")
        checked[known.name] = value
    try:
        complete = complete_inputs(procedure, checked, passed_over=checked)
        return _number(procedure, complete, figure) if figure else _outcomes(procedure, complete)
    except ProblemsError as error:
        raise _failed_answer(name, error) from None
    except RecursionError:
        message, hint = f"{name}{_ENDLESS}", "use a pool with again for a die that is rolled again"
        raise FormulaUseError(message, hint=hint) from None


def _outcomes(procedure: Procedure, inputs: Mapping[str, Any]) -> Reply:
    """Return the odds of the outcome ids for complete inputs. Raises ProblemsError as ``answer`` does."""
    reply = answer(procedure, inputs, whole=False)
    common = lcm(*(chance.denominator for _, chance in reply.outcomes))
    return Reply(Distribution((item.id, int(chance * common)) for item, chance in reply.outcomes), reply.remainders)


def _number(procedure: Procedure, inputs: Mapping[str, Any], figure: str) -> Reply:
    """Return the odds of one number of a procedure, in one roll of its case; a roll without the number counts as None.

    Raises FormulaUseError if no case fits, if its case does not have the number, or if a formula has no answer. Raises
    ValueError as ``run`` does.
    """
    values, key = {**procedure.names, **inputs}, ("numbers", figure)
    program = _case(procedure, values).program
    if key not in program.results:
        raise FormulaUseError(f"{procedure.id} has no {figure} for {spell_inputs(inputs)}")
    tally = run(program.only(key), values)
    weights = tally.results[key]
    return Reply(Distribution({**weights, None: tally.total - sum(weights.values())}), tally.remainders)


def _case(procedure: Procedure, values: Mapping[str, Any]) -> Case:
    """Return the first case whose condition holds, or that has no condition.

    Raises FormulaUseError if there is none, or if a condition has no answer.
    """
    for case in procedure.cases:
        if case.when is None or case.when.holds(values):
            return case
    hint = "add a case for these inputs, or a last case without when"
    raise FormulaUseError("no case fits", procedure.place / "cases", hint)


def _times(case: Case, values: Mapping[str, Any]) -> int:
    """Return how often a case is rolled. Raises FormulaUseError unless it is a whole number from 1 to MAX_TIMES."""
    try:
        return within(case.times(values), "rolls", 1, MAX_TIMES)
    except FormulaUseError as error:
        raise error.at(case.times.place, case.times.uses) from None


def _failed_answer(name: str, error: ProblemsError) -> FormulaUseError:
    """Return an error that the asked procedure ``name`` has no answer, because of ``error``.

    It has the place of the formula that failed, if known.
    """
    cause = error.__cause__
    if not isinstance(cause, FormulaUseError):
        return FormulaUseError(f"{name}: {error.problems[0].found}")
    endless = cause.reason.endswith(_ENDLESS)
    message = cause.reason if endless else f"{name}: {cause.reason}"  # a procedure that asks itself is named once
    failure = FormulaUseError(message, hint=cause.hint).at(cause.place, cause.tables)
    failure.reason = cause.reason
    return failure
