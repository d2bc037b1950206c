"""Questions to a procedure as users write them: ``key=value``, with ranges and lists for a grid."""

from __future__ import annotations

from itertools import product
from math import prod
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.parsing.text import Assignment, invalid_assignment
from generator.problems import Problem, ProblemsError, Span, raise_any, suggest
from generator.rules.procedures.answers import Answer, answer, complete_one, does_not_apply
from generator.rules.procedures.procedure import Input, Procedure

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from generator.rules.entries.choices import Choice

MAX_VARIED = 3
"""How many inputs may vary in one grid: more cannot be read on paper or screen."""
MAX_CELLS = 2_000
"""How many combinations one question may have: the slowest procedures answer this many in less than a minute."""

Progress: TypeAlias = "Callable[[int, int], None]"
"""Callback that is called after each combination with the number done and the number of all."""


class Question(NamedTuple):
    """A question to a procedure: the values of each input that it names, and where it names them."""

    values: Mapping[str, tuple[Any, ...]]
    spans: Mapping[str, Span]

    @property
    def varied(self) -> tuple[str, ...]:
        """The names of the inputs with several values, in the order of the question."""
        return tuple(name for name, choices in self.values.items() if len(choices) > 1)


def silent(done: int, total: int) -> None:
    """Do nothing: the callback of questions whose progress is not shown."""


def ask(procedure: Procedure, words: Iterable[Assignment], progress: Progress = silent) -> tuple[Answer, ...]:
    """Return the answer for each combination of the question's inputs; the last varied input changes fastest.

    Combinations that differ only in inputs that do not apply give one answer.

    Raises ProblemsError: R311 a word without name or value; R312 unknown or doubled input; R313 value not allowed; R314
    input missing; R315 too many varied inputs; R316 an input that never applies; R326 too many combinations; R241 the
    rule data has no answer.
    """
    return answer_all(procedure, read_question(procedure, words), progress)


def read_question(
    procedure: Procedure, words: Iterable[Assignment], whole: Mapping[str, Span] = MappingProxyType({})
) -> Question:
    """Return the values that the words give to each input. Other inputs are left out, except those in ``whole``.

    ``whole`` has the names of inputs that take all their values unless a word names them, each with its place.

    Raises ProblemsError: R311 to R313, R315 and R326 as ``ask`` does; R312 also for an unknown input of ``whole``.
    """
    problems: list[Problem] = []
    question = read_values(procedure, words, problems)
    values, spans = dict(question.values), dict(question.spans)
    for name, span in whole.items():
        known = procedure.find_input(name)
        if known is None:
            problems.append(unknown_input(name, span, [item.name for item in procedure.inputs]))
        elif known.name not in values:
            values[known.name], spans[known.name] = known.choice.values, span
    raise_any(problems)
    few_enough([(name, spans[name], len(choices)) for name, choices in values.items() if len(choices) > 1])
    return Question(values, spans)


def few_enough(varied: Sequence[tuple[str, Span, int]]) -> None:
    """Raise ProblemsError if too many inputs vary (R315) or their values make too many combinations (R326).

    ``varied`` has the name of each input with several values, where it is named, and how many values it has.
    """
    if len(varied) > MAX_VARIED:
        names = ", ".join(name for name, _, _ in varied)
        hint = "fix some of them to one value"
        at = varied[MAX_VARIED][1]
        raise ProblemsError(Problem("R315", at, f"at most {MAX_VARIED} inputs that vary", names, hint=hint))
    cells = prod(count for _, _, count in varied)
    if cells > MAX_CELLS:
        name, at, count = max(varied, key=itemgetter(2))
        others = cells // count
        most = MAX_CELLS // others
        hint = f"give {name} one value" if others <= MAX_CELLS else "give two of them one value"
        hint += f", or at most {most} of its {count}" if most > 1 else ""
        found = f"{cells} ({' times '.join(str(count) for _, _, count in varied)})"
        raise ProblemsError(Problem("R326", at, f"at most {MAX_CELLS} combinations of inputs", found, name, hint))


def answer_all(
    procedure: Procedure, question: Question, progress: Progress = silent, needed: Collection[str] = ()
) -> tuple[Answer, ...]:
    """Return the answer for each combination of inputs; the last varied input changes fastest.

    Combinations that differ only in inputs that do not apply give one answer.

    Raises ProblemsError: R314 and R241 as ``ask`` does; R316 for an input that never applies, or for an input in
    ``needed`` (exact names) that does not always apply.
    """
    here = Span("command line")
    axes = [
        _Axis((name,), question.spans.get(name, here), tuple((value,) for value in values))
        for name, values in question.values.items()
    ]
    return tuple(answer for (answer,) in _answers((procedure,), axes, (None,), progress, needed))


def read_values(procedure: Procedure, words: Iterable[Assignment], problems: list[Problem]) -> Question:
    """Return the values of each input that the words name. Adds R311 to R313 as ``read_word`` does.

    If two words name the same input, the first counts, and the second gives R312. Values that cannot be read are left
    out, so that the tuple of an input may be empty.
    """
    values: dict[str, tuple[Any, ...]] = {}
    spans: dict[str, Span] = {}
    names = [item.name for item in procedure.inputs]
    for word in words:
        known = procedure.find_input(word.name)
        read = read_word(word, known, names, problems, repeated=known is not None and known.name in spans)
        if known is not None:
            spans.setdefault(known.name, word.span)
            values.setdefault(known.name, read)
    return Question(values, spans)


def read_word(
    word: Assignment,
    known: Input | None,
    names: Sequence[str],
    problems: list[Problem],
    *,
    repeated: bool,
    expected: str = "an input of this procedure",
) -> tuple[Any, ...]:
    """Return the values that a word gives to the ``known`` input (None: there is no such input).

    Values that cannot be read, and all values of a ``repeated`` input, are left out. Adds R312 for a ``repeated``
    input, else R311 for a word without name or ``=``. Otherwise adds R312 for an unknown input, or R311 for a missing
    value. Adds R313 for each value or range that is not allowed.

    ``names`` are the names of all inputs, for hints. ``expected`` is what the message about an unknown input expects.
    """
    if repeated:
        hint = f"inputs: {', '.join(names)}"
        problems.append(Problem("R312", word.span, "each input once", f"{word.name} twice", word.name, hint))
    elif not word.name or (known is None and "=" not in word.word):
        hint = f"no spaces around =; inputs: {', '.join(names)}"
        problems.append(invalid_assignment(word, hint, f"{names[0]}=..." if names else "a=b"))
    elif known is None:
        problems.append(unknown_input(word.name, word.span, names, expected))
    elif not word.value:
        first = known.choice.values[0]
        example = f"{known.name}={'yes' if isinstance(first, bool) else first}"
        problems.append(invalid_assignment(word, f"{known.label}: {known.choice.spell()}", example, known.name))
    else:
        return read_input(known, word, problems)
    return ()


def unknown_input(name: str, span: Span, names: Sequence[str], expected: str = "an input of this procedure") -> Problem:
    """Return R312 at ``span`` for a name that no input has; the hint is the nearest of ``names``, or else all.

    ``expected`` is what the message expects.
    """
    hint = suggest(name.lower().replace("-", "_"), names, f"inputs: {', '.join(names)}")
    return Problem("R312", span, expected, name, name, hint)


def read_input(known: Input, word: Assignment, problems: list[Problem]) -> tuple[Any, ...]:
    """Return the values that one ``key=value`` names, such as a list or a range, each once.

    Adds R313 for each value or range that is not allowed, and leaves out all of it.
    """
    whole = known.choice.read(word.value)
    if whole is not None:
        return (whole,)
    chosen: list[Any] = []
    column = word.value_span.column
    for piece in word.value.split(","):
        values = _piece(known.choice, piece)
        if values:
            chosen.extend(value for value in values if value not in chosen)
        else:
            span = Span(word.span.file, 1, column, word.span.text)
            first, last = known.choice.values[0], known.choice.values[-1]
            ends = f"write a range of these values in their order, such as {first}..{last}"
            hint = ends if ".." in piece else known.choice.near(piece)
            problems.append(Problem("R313", span, known.choice.spell(), piece or "nothing", word.name, hint))
        column += len(piece) + 1
    return tuple(chosen)


def _piece(choice: Choice, piece: str) -> tuple[Any, ...]:
    """Return the values that a piece such as ``3`` or ``1..4`` names.

    A range goes by the order of the allowed values. Between two whole numbers, it has only whole numbers, even if the
    input allows fractions. Return an empty tuple for a range in the wrong order, and for a piece that is not allowed.
    """
    low, dots, high = piece.partition("..")
    if not dots:
        value = choice.read(piece)
        return () if value is None else (value,)
    first, last = choice.read(low), choice.read(high)
    if first is None or last is None:
        return ()
    order = choice.values
    between = order[order.index(first) : order.index(last) + 1]
    if choice.description and isinstance(first, int) and isinstance(last, int):  # 0..3 means 0, 1, 2, 3
        return tuple(value for value in between if isinstance(value, int))
    return between


class _Axis(NamedTuple):
    """One ``key=value`` of a question to one procedure or several."""

    names: tuple[str, ...]
    """The name of the input in each procedure, empty in a procedure without it."""
    span: Span
    points: tuple[tuple[Any, ...], ...]
    """The values of the input; each is a tuple with the value for each procedure."""


def _answers(
    procedures: Sequence[Procedure],
    axes: Sequence[_Axis],
    ends: Sequence[Span | None],
    progress: Progress,
    needed: Collection[str] = (),
) -> Iterator[tuple[Answer, ...]]:
    """Yield the answers of all procedures for each combination of inputs; the last varied input changes fastest.

    Combinations that differ only in inputs that do not apply give one answer. ``ends`` is where the words of each
    procedure end (None: at the end of the line). Raises ProblemsError: R314 for a missing input; R316 for an input that
    never applies, or for a ``needed`` input that does not always apply; R241 if the rule data has no answer.
    """
    problems: list[Problem] = []
    completed: dict[Any, None] = {}
    for points in product(*(axis.points for axis in axes)):
        sides = []
        for side, (procedure, end) in enumerate(zip(procedures, ends, strict=True)):
            named = [(axis.names[side], axis.span, point[side]) for axis, point in zip(axes, points, strict=True)]
            spans = {name: span for name, span, _ in named if name}
            given = {name: value for name, _, value in named if name}
            free = [name for name in given if name not in needed]
            sides.append(tuple(complete_one(procedure, given, spans, problems, free, end).items()))
        completed[tuple(sides)] = None
    for axis in axes:
        known = next(filter(None, map(Procedure.input, procedures, axis.names)))
        used = any(name in dict(side) for sides in completed for name, side in zip(axis.names, sides, strict=True))
        if known.name not in needed and not used:
            problems.append(does_not_apply(known, axis.span))
    # An input that is missing in several combinations or procedures is reported once.
    once = {(problem.code, problem.field): problem for problem in reversed(problems)}
    raise_any(reversed(once.values()))

    for done, sides in enumerate(completed, start=1):
        yield tuple(answer(procedure, dict(inputs)) for procedure, inputs in zip(procedures, sides, strict=True))
        progress(done, len(completed))


Pair: TypeAlias = tuple[Answer, Answer]
Words: TypeAlias = "Sequence[Assignment]"


def ask_both(
    first: Procedure, second: Procedure, both: Words, own: Words, ends: tuple[Span, Span], progress: Progress = silent
) -> tuple[Pair, ...]:
    """Return the pair of answers for each combination of inputs; the last varied input changes fastest.

    Inputs for ``both`` go to each procedure that has such an input. The ``own`` inputs go to the second procedure only,
    and replace inputs for ``both`` there. A shared input has the same value in both answers of a pair. Combinations
    that differ only in inputs that do not apply give one pair. ``ends`` is where the words of each procedure end.

    Raises ProblemsError as ``ask`` does: R241, R311 to R316, R326.
    """
    problems: list[Problem] = []
    axes = _axes(first, second, both, own, problems)
    raise_any(problems)
    few_enough([(axis.names[0] or axis.names[1], axis.span, len(axis.points)) for axis in axes if axis.points[1:]])
    return tuple((one, other) for one, other in _answers((first, second), axes, ends, progress))


def _axes(first: Procedure, second: Procedure, both: Words, own: Words, problems: list[Problem]) -> list[_Axis]:
    """Return the axes of a question to two procedures. Adds R311 to R313 for words that are refused.

    The words of ``both`` are for both procedures, the words of ``own`` only for the second. For an input that ``own``
    gives, the second procedure does not use ``both``. If only one procedure knows a word of ``both``, the name of the
    input found there is also looked up in the other.
    """
    alone = read_values(second, own, problems)
    names = list(dict.fromkeys(item.name for procedure in (first, second) for item in procedure.inputs))
    axes: list[_Axis] = []
    used: tuple[set[str], set[str]] = set(), set()
    for word in both:
        mine, theirs = first.find_input(word.name), second.find_input(word.name)
        mine = mine or (first.find_input(theirs.name) if theirs else None)
        theirs = theirs or (second.find_input(mine.name) if mine else None)
        repeated = mine is not None and mine.name in used[0]
        asked, expected = names, "an input of one of the two procedures"
        if theirs is not None and theirs.name in alone.spans:
            theirs, asked, expected = None, [item.name for item in first.inputs], f"an input of {first.id}"
        elif theirs is not None:
            repeated |= theirs.name in used[1]
        values = read_word(word, mine or theirs, asked, problems, repeated=repeated, expected=expected)
        if values:
            converted = _same(second, theirs, word, values, problems) if mine and theirs else values
            named = mine.name if mine else "", theirs.name if theirs else ""
            axes.append(_Axis(named, word.span, tuple(zip(values, converted, strict=True))))
        for side, item in enumerate((mine, theirs)):
            used[side].update([item.name] if item else [])
    return axes + [
        _Axis(("", name), alone.spans[name], tuple(zip(values, values, strict=True)))
        for name, values in alone.values.items()
    ]


def _same(
    second: Procedure, known: Input, word: Assignment, values: tuple[Any, ...], problems: list[Problem]
) -> tuple[Any, ...]:
    """Return the second procedure's values of the same spelling as ``values``, which the first procedure read.

    ``known`` is the input of the second procedure, and ``word`` is the user's word for both. Adds R313 for values that
    the second procedure does not allow; they are None in the result.
    """
    converted = tuple(known.choice.read(value) for value in values)
    refused = [str(value) for value, theirs in zip(values, converted, strict=True) if theirs is None]
    if refused:
        hint = f"say {known.name} a second time behind --against, for {second.id} alone"
        expected = f"values that {second.id} allows too: {known.choice.spell()}"
        problems.append(Problem("R313", word.value_span, expected, ", ".join(refused), known.name, hint))
    return converted
