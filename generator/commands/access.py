"""What every command begins with: a rule set without problems, and a word that nobody knows."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.errors import ProblemsError
from generator.files import write_atomically
from generator.problems import Problem, Span, has_errors
from generator.rules.source import library as on_disk
from generator.rules.source.settings import NOTHING_SET
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from generator.rules.describe.differences import Difference
    from generator.rules.model.block import Block
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.library import Library
    from generator.rules.source.parts import Place
    from generator.rules.source.settings import Settings

Data: TypeAlias = "dict[str, Any]"
"""What a command gives: the JSON contract as Python has it."""
PartKey: TypeAlias = "tuple[str, str]"


def open_library(*user_folders: Path, settings: Settings = NOTHING_SET) -> Library:
    """Return the user's and the shipped rule sets, whose sheets may have blocks of all our kinds."""
    return on_disk.open_library(*user_folders, settings=settings, blocks=_blocks)


def _blocks() -> tuple[type[Block], ...]:
    from generator.documents.blocks.registry import BLOCKS  # few commands read sheets

    return BLOCKS


def load_sound(library: Library, name: str, only: Iterable[PartKey] | None = None) -> RuleSet:
    """The rule set, or as much of it as is asked for. Raises ProblemsError."""
    from generator.rules.load.load import load

    problems: list[Problem] = []
    ruleset = load(library, name, problems, only)
    if ruleset is None or has_errors(problems):
        raise ProblemsError(*problems)
    return ruleset


def load_named(
    library: Library,
    names: Sequence[str],
    place: Place,
    told: Sequence[Problem],
    only: Iterable[PartKey],
    passed_over: list[Problem] | None = None,
) -> RuleSet:
    """The rule set that a player's file names under ``rules``, or its layers together.

    ``passed_over`` learns which settings of files the rules refuse, where anybody asks: they are as if not there.

    Raises ProblemsError with R301 for a missing rule set, with the problems of combined rule sets, and with the
    problems of the file in ``told``.
    """
    from generator.rules.load.load import load

    at = place / "rules"
    unsound = unsound_names(library, names, at)
    if unsound:
        raise ProblemsError(*_in_order(place, (*told, *unsound)))
    rules = load(library, "+".join(names), unsound, only)
    if rules is not None and not has_errors(unsound):
        return rules
    refused = () if passed_over is None else library.settings.refused_by(unsound)
    if refused and passed_over is not None:  # a figure that its table refuses takes the whole table along
        passed_over += refused
        fitting = library._replace(settings=library.settings.without(refused))
        return load_named(fitting, names, place, (*told, *refused), only, passed_over)
    words = {
        span for option in library.settings.options for span in (option.span, option.value_span)
    }  # of the command line
    placed = [
        at.problem(name.code, found=name.found, expected=name.expected, hint=_one_game(name))
        if name.span.file == "command line" and name.span not in words
        else name
        for name in unsound
    ]
    raise ProblemsError(*_in_order(place, (*told, *placed)))


def _in_order(place: Place, problems: Iterable[Problem]) -> list[Problem]:
    """In the order of the file of a place; those of other files behind."""
    return sorted(problems, key=lambda problem: (problem.span.file != place.span().file, problem.span))


def without_rules_twice(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Without words that nobody knows where ``rules`` stands twice: the other rules may know them."""
    twice = any((problem.code, problem.field) == ("F106", "rules") for problem in problems)
    return tuple(
        problem
        for problem in problems
        if not (twice and problem.code in _WORDS and not problem.hint.startswith("did you"))
    )


_WORDS = ("F201", "F207", "S201", "S209", "S212")
"""Fields, kinds and names that the rules do not have."""


def _one_game(problem: Problem) -> str:
    """What to do in a file about rules that share no parent."""
    odd = problem.span.text[problem.span.column - 1 :].partition("+")[0]
    return f"take out {odd}, or keep it alone: the rules of a file are of one game" if problem.code == "R305" else ""


def load_meant(
    names: Sequence[str],
    library: Library,
    place: Place,
    load: Callable[[Sequence[str]], RuleSet],
    checked: Callable[[RuleSet], Sequence[Problem]],
) -> tuple[RuleSet, tuple[Problem, ...]]:
    """The rule set that a player's file names, or means; and R301 for each name that is nearly one.

    Raises ProblemsError as ``load`` does. If no rule set can be guessed, the problems of the checks without rules
    (``checked``) are reported.
    """
    unsound = unsound_names(library, names, place / "rules")
    meant = [_meant_by(library, name) for name in names]
    if meant and None not in meant:
        try:
            return load(tuple(dict.fromkeys("+".join(filter(None, meant)).split("+")))), tuple(unsound)
        except ProblemsError:
            if not unsound:
                raise
    found = [item for item in checked(_no_rules()) if item.code not in _OF_RULES]
    told = [_with_rules(name, library) for name in (*found, *unsound)]
    raise ProblemsError(*_in_order(place, told))


_OF_RULES = ("F201", "F207", "F211", "F212", "S201", "S209", "S212", "S216")
"""Codes that need rules, and that do not count while a file has no rules."""


def _no_rules() -> RuleSet:
    """A rule set that knows nothing."""
    from generator.rules.model.manifest import Costs, Manifest
    from generator.rules.ruleset import RuleSet

    head: dict[str, Any] = {"costs": Costs()}
    manifest = Manifest.model_construct(None, **head)
    return RuleSet("", manifest, (), {}, {}, {}, {}, {}, {}, {}, (), {}, (), frozenset(), frozenset())


def _with_rules(problem: Problem, library: Library) -> Problem:
    """With an example of rules where there are none at all."""
    if (problem.code, problem.field) != ("R201", "rules"):
        return problem
    ids = library.ids()
    of_a_table = problem.expected.startswith("the column")
    such_as = f"{problem.hint}, such as {ids[0]}" if of_a_table else f"such as rules: [{ids[0]}]"
    return problem._replace(hint=f"{such_as}; there are: {', '.join(ids)}")


def unsound_names(library: Library, names: Sequence[str], at: Place) -> list[Problem]:
    """R301 for each name that no rule set has, R207 for each that stands there a second time."""
    from generator.rules.source.library import ONCE, TAKE_OUT

    found: list[Problem] = []
    alone = isinstance(at.value(), str)
    seen: set[str] = set()
    for index, name in enumerate(names):
        for part in name.split("+"):
            where = at if alone else at / index
            if part in seen:
                found.append(where.problem("R207", found=f"{part} again", expected=ONCE, hint=TAKE_OUT))
            elif library.find(part) is None:
                several = [word for word in part.replace(",", " ").split() if library.find(word)]
                hint = f"write a list: rules: [{', '.join(several)}]" if len(several) > 1 else library.hint(part)
                found.append(where.problem("R301", found=part, expected="a rule set", hint=hint))
            seen.add(part)
    return found


def _meant_by(library: Library, name: str) -> str | None:
    """The rule sets that a name means, joined as it joins them; None where that is not certain."""
    meant = [part if library.find(part) else library.nearest(part) for part in name.split("+")]
    return None if None in meant else "+".join(item for item in meant if item)


def unknown(code: str, what: str, word: str, known: Sequence[str]) -> Problem:
    """A problem with a word of the command line, and the nearest that is known."""
    hint = suggest(word, known, f"there are: {', '.join(known)}")
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


def write_new(files: Mapping[Path, str]) -> None:
    """Files that were not there before: all of them or none. Raises ProblemsError (F131) where one was or cannot be."""
    for path in files:
        if path.exists() or path.is_symlink():
            hint = "delete it first, or give another name"
            raise ProblemsError(Problem("F131", Span(str(path)), "a new file", "a file with that name", hint=hint))
    made: list[Path] = []
    try:
        for path, text in files.items():
            with writing(path, "a new file", "check the folder, and whether there is room"):
                write_atomically(path, text.encode("utf-8"))
            made.append(path)
    except BaseException:
        for path in made:
            path.unlink(missing_ok=True)
        raise


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
                "what": difference.what,
                "kind": difference.kind,
                "from": difference.before,
                "to": difference.after,
                "reason": difference.reason,
                "cite": difference.cite,
            }
            for difference in differences
        ],
    }
