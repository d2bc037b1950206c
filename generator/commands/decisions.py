"""Answer questions to procedures: exact odds, comparisons, the input that reaches a chance, ranked options."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.commands.access import Data, decimal, load_valid, unknown
from generator.parsing.text import part_words
from generator.problems import Problem, ProblemsError, Span, refused
from generator.rules.load.load import ALL
from generator.rules.procedures import goals
from generator.rules.procedures.procedure import Procedure, Remark
from generator.rules.procedures.questions import Progress, Question, answer_all, ask_both, read_question, silent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.rules.procedures.answers import Answer
    from generator.rules.procedures.goals import Goal
    from generator.rules.source.library import Library


class Query(NamedTuple):
    """A command line of ``fieldpress odds``, and the rule sets that answer it."""

    library: Library
    ruleset: str
    procedure: str
    words: Sequence[str]
    """The inputs before ``--against``."""
    against: str | None = None
    """The rule set, or the rule set and procedure, to compare with."""
    own: tuple[str, ...] = ()
    """The inputs after ``--against``, which apply only to the second procedure."""
    reach: str | None = None
    """An outcome, event or values of a figure, and the chance that it should have, such as ``hit=1/2``."""
    best: str | None = None
    """An outcome, event or figure: the options with its greatest chance or mean come first."""
    worst: str | None = None
    """An outcome, event or figure: the options with its least chance or mean come first."""
    by: tuple[str, ...] = ()
    """The input to vary for ``reach``, or the inputs to choose for ``best`` and ``worst``."""
    greatest: bool = False
    """Whether ``reach`` looks for the greatest value of the input instead of the least."""
    progress: Progress = silent
    """A function that is called after each answer."""

    def answer(self, **answer: Any) -> Data:
        """Return data of the JSON contract: the rule set, the procedure, no problems, and the keys of ``answer``."""
        return {"ruleset": self.ruleset, "procedure": self.procedure, "problems": [], **answer}


def ask(query: Query) -> Data:
    """Return the answer to a question of ``fieldpress odds`` about a procedure.

    Without an option, the answer has the odds for every combination of the values of the inputs.

    Raises ProblemsError: R321 for options that do not go together, R318 if there is no such procedure. R311 to R316 and
    R326 are for inputs that do not fit the procedure, R241 for a formula without an answer. Further codes are those of
    ``load_valid`` and of the function that answers the question.
    """
    values = {"--against": query.against, "--reach": query.reach, "--best": query.best, "--worst": query.worst}
    asked = [(option, value) for option, value in values.items() if value is not None]
    _check_together(query, [option for option, _ in asked])
    for option, value in asked:
        answer = {"--against": _compare, "--reach": _reach}.get(option, _rank)
        return answer(query, option, value)
    procedure, question, _ = _question(query)
    return query.answer(cells=[cell_data(procedure, item) for item in answer_all(procedure, question, query.progress)])


def _check_together(query: Query, questions: Sequence[str]) -> None:
    """Raise ProblemsError (R321) for options that do not go together.

    ``questions`` are the options given of ``--against``, ``--reach``, ``--best`` and ``--worst``: at most one is
    allowed. ``--greatest`` needs ``--reach``. ``--by`` needs a question other than ``--against``, and ``--reach`` takes
    only one ``--by``.
    """
    typed, by = " ".join(questions), " ".join(f"--by {name}" for name in query.by)
    if len(questions) > 1:
        wrong = "only one of --against, --reach, --best and --worst", typed, "ask one question at a time"
    elif query.greatest and query.reach is None:
        wrong = "--greatest with --reach", "--greatest alone", "add --reach hit=1/2"
    elif query.by and typed not in ("--reach", "--best", "--worst"):
        hint = "add --reach, --best or --worst, or leave --by out"
        wrong = "--by with --reach, --best or --worst", f"--by {typed}".strip(), hint
    elif len(query.by) > 1 and query.reach is not None:
        wrong = "one --by with --reach", by, "give the other inputs several values; each combination has an answer"
    else:
        return
    raise ProblemsError(conflicting_options(*wrong))


def conflicting_options(expected: str, found: str, hint: str) -> Problem:
    """Return R321 for options that do not go together, with the ``expected`` and the ``found`` options."""
    return Problem("R321", Span("command line"), expected, found, hint=hint)


def _option(name: str, value: str) -> Span:
    """Return the place of an option's value on the command line."""
    return Span("command line", 1, len(name) + 2, f"{name} {value}")


def _compare(query: Query, option: str, against: str) -> Data:
    """Return the odds of two procedures, cell by cell: different procedures, rule sets or inputs.

    ``option`` is ``--against``, and ``against`` its value. A value without a procedure names the query's procedure in
    another rule set. Raises ProblemsError as ``ask`` does.
    """
    words = query.words
    other, _, other_id = against.partition("/")
    other_id = other_id or query.procedure
    middle = f"{option} {against}"
    line = " ".join([*words, middle, *query.own])
    both = part_words(words, after=" ".join([middle, *query.own]))
    own = part_words(query.own, before=" ".join([*words, middle]))
    first = load_procedure(query.library, query.ruleset, query.procedure, [word.name for word in both])
    same = (other, other_id) == (query.ruleset, query.procedure)
    second = first if same else load_procedure(query.library, other, other_id, [word.name for word in (*both, *own)])
    ends = Span("command line", 1, len(" ".join(words)) + 1, line), Span("command line", 1, len(line) + 1, line)
    cells = [
        _pair((first, item), (second, other_answer))
        for item, other_answer in ask_both(first, second, both, own, ends, query.progress)
    ]
    return query.answer(against={"ruleset": other, "procedure": other_id}, cells=cells)


def _pair(*both: tuple[Procedure, Answer]) -> Data:
    """Return the cells of two procedures, and the differences of all outcomes, events and figures that both cells have.

    A value of a figure that can occur in only one of the cells has the chance 0 in the other.
    """
    first, second = (answer for _, answer in both)
    chances = [{outcome.id: chance for outcome, chance in item.outcomes} for item in (first, second)]
    figures = [{**item.numbers, **item.which} for item in (first, second)]
    return {
        "first": cell_data(*both[0]),
        "second": cell_data(*both[1]),
        "outcomes": [{"outcome": name, **_two(*both)} for name, both in _shared(*chances)],
        "marginals": [{"event": name, **_two(*both)} for name, both in _shared(first.events, second.events)],
        "distributions": {
            name: [
                {"value": figure_data(value), **_two(item.probability(value), other.probability(value))}
                for value, _ in sorted(dict([*item.weights, *other.weights]).items(), key=by_value)
            ]
            for name, (item, other) in _shared(*figures)
        },
        "means": {
            name: _two(item.mean(), other.mean()) for name, (item, other) in _shared(first.numbers, second.numbers)
        },
    }


def _shared(first: Mapping[Any, Any], second: Mapping[Any, Any]) -> Iterable[tuple[Any, tuple[Any, Any]]]:
    """Return the keys that both mappings have, each with its value in both mappings."""
    return ((name, (first[name], second[name])) for name in first if name in second)


def _two(first: Fraction, second: Fraction) -> Data:
    """Return two numbers and their difference, the second minus the first, as texts of exact fractions.

    The difference is also there as a decimal number.
    """
    difference = second - first
    return {
        "first": str(first), "second": str(second), "difference": str(difference), "decimal": decimal(difference),
    }  # fmt: skip


def _reach(query: Query, option: str, text: str) -> Data:
    """Return the first value of an input that reaches a chance, for each combination of the other inputs.

    ``option`` is ``--reach``, and ``text`` its value: a goal and a chance, such as ``hit=1/2``. With ``--greatest``,
    the value is the last that reaches the chance. If no value reaches the chance, the entry has the value that comes
    nearest. Without ``--by``, the only input with several values is searched.

    Raises ProblemsError: R311 for another text, R322 for an unknown goal or values that its figure never has, R323 for
    a wrong chance. R324 is an input whose values are not in order, R325 no single input to search, or one with a single
    value. Others are as in ``ask``.
    """
    what, equals, chance_text = text.rpartition("=")
    span = _option(option, text)
    if not equals or what.endswith((">", "<")):
        raise ProblemsError(Problem("R311", span, "outcome=chance, such as hit=1/2", text or "nothing"))
    procedure, question, by = _question(query)
    goal = goals.read_goal(procedure, what, span, means=False)
    chance = goals.read_chance(chance_text, span._replace(column=span.column + len(what) + 1))
    if not by:
        by = question.varied
        if len(by) != 1:
            found = f"{', '.join(by) or 'no input'} with several values, and no --by"
            hint = "name the input to search: --by INPUT"
            raise ProblemsError(Problem("R325", span, "one input with several values to search", found, hint=hint))
    goals.check_ordered(procedure, question, by[0], _option("--by", by[0]))
    cells = answer_all(procedure, question, query.progress, by)
    goals.check_possible(goal, cells, span)
    return query.answer(
        reach={"what": goal.text, **probability_data(chance)},
        by=by[0],
        **{"from": "greatest" if query.greatest else "least"},
        answers=reach(cells, question, goal, chance, by[0], greatest=query.greatest),
    )


def reach(
    answers: Iterable[Answer], question: Question, goal: Goal, chance: Fraction, by: str, *, greatest: bool = False
) -> list[Data]:
    """Return the first value of the input ``by`` that reaches the chance, or the last such value if ``greatest``.

    The result has one entry for each combination of the other inputs. If no value reaches the chance, ``reached`` is
    False, and the entry has the value with the greatest chance. ``steady`` says whether the value and all values after
    it reach the chance, or the value and all before it if ``greatest``.
    """
    entries = []
    for group in _groups(answers, question, (by,)):
        walked = group[::-1] if greatest else group
        chances = [goal.result(item) or Fraction(0) for item in walked]
        place = next((place for place, item in enumerate(chances) if item >= chance), None)
        best = chances.index(max(chances)) if place is None else place
        inputs = inputs_data(walked[best].inputs)
        entries.append(
            {
                "inputs": {name: value for name, value in inputs.items() if name != by},
                "reached": place is not None,
                "value": inputs[by],
                **probability_data(chances[best]),
                "steady": place is not None and min(chances[place:]) >= chance,
                "notes": list(walked[best].notes),
            }
        )
    return entries


def _rank(query: Query, option: str, text: str) -> Data:
    """Return the values of some inputs, ranked by a chance or a mean, for each combination of the other inputs.

    The ranked inputs are those under ``--by``, or else all inputs with several values. ``option`` is ``--best`` or
    ``--worst``, and ``text`` its value, a goal. Raises ProblemsError as ``ask`` does. R322 is for an unknown goal or
    values that its figure never has. R325 is for an input under ``--by`` with a single value, or no input with several.
    """
    span, least = _option(option, text), option == "--worst"
    procedure, question, by = _question(query)
    goal = goals.read_goal(procedure, text, span, means=True)
    goals.check_choices(question, by, span)
    by = by or question.varied
    cells = answer_all(procedure, question, query.progress)
    goals.check_possible(goal, cells, span)
    return query.answer(
        what=goal.text,
        measure="mean" if goal.is_mean else "chance",
        first="least" if least else "greatest",
        by=list(by),
        rankings=rank(cells, question, goal, by, least=least),
    )


def rank(
    answers: Iterable[Answer], question: Question, goal: Goal, by: Sequence[str], *, least: bool = False
) -> list[Data]:
    """Return the values of the inputs ``by``, ranked by the goal, for each combination of the other inputs.

    The greatest result comes first, or the least if ``least``. Equal options share a rank, and the next rank is
    skipped: 1, 1, 3. Options without a mean are not ranked; they are under ``without``.
    """
    rankings = []
    for group in _groups(answers, question, by):
        chosen = [{name: item.inputs[name] for name in by if name in item.inputs} for item in group]
        results = [(goal.result(item), item, inputs_data(inputs)) for item, inputs in zip(group, chosen, strict=True)]
        counted = [(gives, item, inputs) for gives, item, inputs in results if gives is not None]
        counted.sort(key=itemgetter(0), reverse=not least)
        ranked = [gives for gives, _, _ in counted]
        shared = inputs_data(group[0].inputs).items()
        rankings.append(
            {
                "inputs": {
                    name: value
                    for name, value in shared
                    if name not in by and all(name in answer.inputs for answer in group)
                },
                "options": [
                    {
                        "rank": ranked.index(gives) + 1,
                        "tied": ranked.count(gives) > 1,
                        "inputs": inputs,
                        "exact": str(gives),
                        "decimal": decimal(gives),
                        "known": str(goal.has_value(item) if goal.is_mean else 1),
                        "notes": list(item.notes),
                    }
                    for gives, item, inputs in counted
                ],
                "without": [inputs for gives, _, inputs in results if gives is None],
            }
        )
    return rankings


def _groups(answers: Iterable[Answer], question: Question, by: Sequence[str]) -> list[list[Answer]]:
    """Group the answers with equal values of all varied inputs other than ``by``.

    An input that does not apply counts as a value of its own. Groups are in the order of their first answers. The
    answers of a group keep their order.
    """
    others = [name for name in question.varied if name not in by]
    groups: dict[tuple[Any, ...], list[Answer]] = {}
    for answer in answers:
        groups.setdefault(tuple(answer.inputs.get(name) for name in others), []).append(answer)
    return list(groups.values())


def _question(query: Query) -> tuple[Procedure, Question, tuple[str, ...]]:
    """Return the procedure, the question about it, and the names of the inputs under ``--by``.

    An input under ``--by`` without a value takes all of its values. Raises ProblemsError as ``ask`` does.
    """
    assignments, by = part_words(query.words), query.by
    names = [*(word.name for word in assignments), *by]
    procedure = load_procedure(query.library, query.ruleset, query.procedure, names)
    question = read_question(procedure, assignments, {text: _option("--by", text) for text in by})
    inputs = (procedure.find_input(text) for text in by)
    return procedure, question, tuple(dict.fromkeys(item.name for item in inputs if item is not None))


def list_procedures(library: Library, name: str) -> Data:
    """Return the procedures of a rule set that have odds, in the order of their ids, with their inputs and outcomes.

    Each input has its allowed values, default and condition. Raises ProblemsError if the rule set is unknown
    or has errors.
    """
    loaded = load_valid(library, name, only=[("procedures", ALL)]).procedures.values()
    procedures = sorted(loaded, key=attrgetter("id"))
    return {"ruleset": name, "procedures": [_describe(procedure) for procedure in procedures if procedure.cases]}


def _describe(procedure: Procedure) -> Data:
    inputs = [
        {
            "input": item.name, "label": item.label, "allowed": item.choice.spell(),
            "default": None if item.required else item.default, "when": item.when.text if item.when else "",
        }
        for item in procedure.inputs
    ]  # fmt: skip
    outcomes = [outcome.id for outcome in procedure.outcomes]
    return {"procedure": procedure.id, "title": procedure.title, "inputs": inputs, "outcomes": outcomes}


def load_procedure(library: Library, name: str, procedure_id: str, inputs: Sequence[str]) -> Procedure:
    """Return a procedure with dice of the rule set ``name``, or the procedure with another id that replaces it.

    ``inputs`` are the names of the inputs that the question gives; a replacement must take them. Answers of a
    replacement have a note. Raises ProblemsError: the problems of the rule set, or R318. R318 means that there is no
    such procedure, that it has no dice, or that its replacement needs other inputs.
    """
    ruleset = load_valid(library, name, only=[("procedures", procedure_id)])
    procedure = ruleset.procedure(procedure_id)
    if procedure is None:
        ids = {text for folder in ruleset.chain for text in folder.ids("procedures")}
        raise ProblemsError(unknown("R318", "procedure", procedure_id, sorted(ids - ruleset.replaced.keys())))
    if not procedure.cases:
        found = f"{procedure_id}, which has steps but no dice"
        hint = f"read them: fieldpress rules {name} {procedure_id}"
        raise ProblemsError(
            refused("R318", f"{name}/{procedure_id}", "a procedure with dice", found, hint, "procedure")
        )
    return procedure if procedure.id == procedure_id else _answering(procedure, name, procedure_id, inputs)


def _answering(procedure: Procedure, name: str, replaced: str, inputs: Sequence[str]) -> Procedure:
    """Return a replacement with a note that it replaces the procedure ``replaced`` of the rule set ``name``.

    ``inputs`` are the names that the question gives. Raises ProblemsError (R318) if the replacement does not have all
    of them, or needs another one whatever their values are.
    """
    inputs_named = [procedure.find_input(text) for text in inputs]
    missing = [item for item in procedure.inputs if item.required and item.when is None and item not in inputs_named]
    if None in inputs_named or missing:
        expected = "a procedure that holds in this rule set"
        found = f"{replaced}, which {procedure.id} of {procedure.owner} replaces"
        hint = f"ask {name}/{procedure.id} with {', '.join(item.name for item in procedure.inputs)}"
        raise ProblemsError(refused("R318", f"{name}/{replaced}", expected, found, hint, "procedure"))
    note = f"{procedure.id} of {procedure.owner} answers: it replaces {replaced}"
    return replace(procedure, remarks=(Remark(None, note), *procedure.remarks))


def cell_data(procedure: Procedure, answer: Answer) -> Data:
    """Return the odds of one combination of inputs as data of the JSON contract.

    A figure that cannot occur has an empty list.
    """
    return {
        "inputs": inputs_data(answer.inputs),
        "outcomes": [{"outcome": item.id, **probability_data(chance)} for item, chance in answer.outcomes],
        "marginals": [{"event": name, **probability_data(chance)} for name, chance in answer.events.items()],
        "distributions": dict.fromkeys(procedure.results("numbers", "which"), ())
        | {
            name: [
                {"value": figure_data(value), **probability_data(distribution.probability(value))}
                for value, _ in sorted(distribution.weights, key=by_value)
            ]
            for name, distribution in (*answer.numbers.items(), *answer.which.items())
        },
        "means": {name: str(numbers.mean()) for name, numbers in answer.numbers.items()},
        "notes": list(answer.notes),
    }


def inputs_data(inputs: Mapping[str, Any]) -> Data:
    """Return inputs as data of the JSON contract: whole numbers, words, true and false. A fraction becomes a text."""
    return {name: figure_data(value) for name, value in inputs.items()}


def by_value(weighed: tuple[Any, int]) -> list[tuple[bool, Any, str]]:
    """Return a sort key for weighted values: numbers by size, then all other values by their texts.

    Tuples are compared item by item.
    """
    values = weighed[0] if isinstance(weighed[0], tuple) else (weighed[0],)
    texts = [value is None or isinstance(value, str) for value in values]
    return [(text, 0 if text else value, str(value)) for text, value in zip(texts, values, strict=True)]


def figure_data(value: Any) -> Any:
    """Return a figure as data of the JSON contract: a whole number, true or false, or else a text.

    A fraction becomes a text, and None the text ``none``. A tuple becomes a list of such data.
    """
    if isinstance(value, tuple):
        return [*map(figure_data, value)]
    return value if isinstance(value, int) else "none" if value is None else str(value)


def probability_data(chance: Fraction) -> Data:
    """Return a chance as data of the JSON contract: the exact fraction as text, and a rounded decimal number."""
    return {"probability": str(chance), "decimal": decimal(chance)}
