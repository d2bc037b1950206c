"""What every command begins with: a rule set without problems, and a word that nobody knows."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.errors import ProblemsError
from generator.problems import Problem, Span, has_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from generator.rules.differences import Difference
    from generator.rules.library import Library
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet

Data: TypeAlias = "dict[str, Any]"
"""What a command gives: the JSON contract as Python has it."""
PartKey: TypeAlias = "tuple[str, str]"


def load_sound(library: Library, name: str, only: Iterable[PartKey] | None = None) -> RuleSet:
    """The rule set, or as much of it as is asked for. Raises ProblemsError."""
    from generator.rules.loading import load

    problems: list[Problem] = []
    ruleset = load(library, name, problems, only)
    if ruleset is None or has_errors(problems):
        raise ProblemsError(*problems)
    return ruleset


def load_named(
    library: Library, names: Sequence[str], place: Place, told: Sequence[Problem], only: Iterable[PartKey]
) -> RuleSet:
    """The rule set that a player's file names under ``rules``, or its layers together.

    Raises ProblemsError, with what was ``told`` of the file already: R301 where the file names what nobody has; what
    is wrong with how rules are put together is told there, too.
    """
    from generator.rules.loading import load

    unsound: list[Problem] = []
    at = place / "rules"
    for index, name in enumerate(names):
        for one in name.split("+"):
            if library.find(one) is None:
                several = [word for word in one.replace(",", " ").split() if library.find(word)]
                hint = f"write a list: rules: [{', '.join(several)}]" if len(several) > 1 else library.hint(one)
                unsound.append((at / index).problem("R301", found=one, expected="a rule set", hint=hint))
    if unsound:
        raise ProblemsError(*told, *unsound)
    rules = load(library, "+".join(dict.fromkeys(names)), unsound, only)
    if rules is not None and not has_errors(unsound):
        return rules
    placed = [
        at.problem(one.code, found=one.found, expected=one.expected) if one.span.file == "command line" else one
        for one in unsound
    ]
    raise ProblemsError(*told, *placed)


def unknown(code: str, what: str, word: str, known: Sequence[str]) -> Problem:
    """A problem with a word of the command line, and the nearest that is known."""
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
    return Problem(
        code, Span("command line", 1, 1, word), f"a {what} of this rule set", word, what.partition(",")[0], hint
    )


@contextmanager
def writing(path: Path, wanted: str, hint: str = "") -> Iterator[None]:
    """F131: the system refuses to write here."""
    try:
        yield
    except OSError as error:
        problem = Problem("F131", Span(str(path)), wanted, (error.strerror or str(error)).lower(), hint=hint)
        raise ProblemsError(problem) from None


def diff_data(
    before: str,
    after: str,
    counts: Mapping[str, tuple[int, int, int]],
    differences: Iterable[Difference],
    *,
    related: bool,
) -> Data:
    """What the second of two rule sets or forces says otherwise, as the JSON contract has it."""
    return {
        "a": before,
        "b": after,
        "related": related,
        "counts": [
            {"what": what, "only_a": only_a, "only_b": only_b, "both": both}
            for what, (only_a, only_b, both) in counts.items()
        ],
        "changes": [
            {
                "what": one.what,
                "kind": one.kind,
                "from": one.before,
                "to": one.after,
                "reason": one.reason,
                "cite": one.cite,
            }
            for one in differences
        ],
    }
