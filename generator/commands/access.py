"""Helpers of all commands: load a rule set without problems, report unknown words, write new files."""

from __future__ import annotations

import errno
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.files import all_or_none
from generator.parsing.tables import TABLES
from generator.parsing.text import STDIN, read_text
from generator.problems import (
    FieldpressError,
    Problem,
    ProblemsError,
    RenderError,
    Span,
    has_errors,
    raise_any,
    refused,
    suggest,
)
from generator.rules.load.load import load
from generator.rules.model.base import DATA, Block
from generator.rules.model.manifest import Costs, Manifest, PartKey
from generator.rules.ruleset import RuleSet
from generator.rules.source import library as on_disk
from generator.rules.source.library import MANIFEST, ONCE, TAKE_OUT, Library, is_example, unknown_target
from generator.rules.source.parts import Place, in_order
from generator.rules.source.settings import NOTHING_SET, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction
    from pathlib import Path

    from generator.forces.load import ForceFile
    from generator.rules.describe.differences import Difference
    from generator.scenarios.files import ScenarioFile

Data: TypeAlias = "dict[str, Any]"
"""The result of a command: the JSON contract as Python data."""


_BEGINS = re.compile(r"""^(?:\{\s*)?["']?(?:scenario|sides)["']?\s*:""", re.MULTILINE | re.IGNORECASE)
"""A top-level key that a scenario has and a force does not."""


def open_library(*user_folders: Path, settings: Settings = NOTHING_SET) -> Library:
    """Return a library of the user's and the shipped rule sets, whose sheets may use all kinds of blocks.

    A user's rule set goes before a shipped one of the same id. ``settings`` are the player's options, and figures that
    fill gaps. Raises ProblemsError for a user's folder that does not exist (F101), is a file (F102), or neither is nor
    holds a rule set (R301). Raises OSError for a folder that cannot be read, and for a name that is too long.
    """
    return on_disk.open_library(*user_folders, settings=settings, blocks=_blocks)


def _blocks() -> tuple[type[Block], ...]:
    from generator.documents.blocks.registry import BLOCKS  # few commands read sheets

    return BLOCKS


def load_valid(library: Library, name: str, only: Iterable[PartKey] | None = None) -> RuleSet:
    """Return a rule set, or at least the parts in ``only``. Raises ProblemsError if it is unknown or has errors.

    ``name`` is an id, or several ids joined by ``+``. A part is a pair of a category and an id or ``ALL``. Its whole
    category is loaded, with the categories that it needs, such as tables. Without ``only``, every category except
    ``SCENARIO`` is loaded. If ``only`` is empty, only the manifest and the chain of parents are of use. Advice on the
    rule set is dropped.
    """
    problems: list[Problem] = []
    ruleset = load(library, name, problems, only)
    if ruleset is None or has_errors(problems):
        raise ProblemsError(*problems)
    return ruleset


def load_for_file(
    library: Library,
    file: ForceFile | ScenarioFile,
    only: Collection[PartKey],
    ignored: list[Problem],
    checked: Callable[[RuleSet], Sequence[Problem]],
) -> RuleSet:
    """Return the rule set, or the combined rule sets, that a player's file names under ``rules``.

    ``only`` names the parts of the rules to load. Settings in files that the rules refuse are left out, and their
    problems are added to ``ignored``. ``checked`` returns the problems of the file under given rules. It is called only
    if a name is missing or wrong.

    Raises ProblemsError if the rules have errors, with the problems of the file in addition. If a name is missing or
    wrong, the problems are those of ``name_problems`` and of the checks that need no rules.
    """
    at = file.place / "rules"
    unsound = name_problems(library, file.rules, at)
    if unsound or not file.rules:
        head: dict[str, Any] = {"costs": Costs()}
        no_rules = RuleSet("", Manifest.model_construct(None, **head), ())
        checks = [item for item in checked(no_rules) if item.code not in _OF_RULES]
        raise ProblemsError(*in_order(file.place, [_with_rules(problem, library) for problem in (*checks, *unsound)]))
    rules = load(library, "+".join(file.rules), unsound, only)
    if rules is not None and not has_errors(unsound):
        return rules
    if refused := library.settings.refused_by(unsound):  # a refused figure makes its whole table unreadable
        ignored += refused
        fitting = library._replace(settings=library.settings.without(refused))
        return load_for_file(fitting, file._replace(problems=(*file.problems, *refused)), only, ignored, checked)
    words = {span for option in library.settings.options for span in option.spans()}  # places on the command line
    placed = [
        at.problem(problem.code, problem.expected, problem.found, _one_game(problem))
        if problem.span.file == "command line" and problem.span not in words
        else problem
        for problem in unsound
    ]
    raise ProblemsError(*in_order(file.place, (*file.problems, *placed)))


def _one_game(problem: Problem) -> str:
    """Return the hint for a file's R305 (rules without a common parent); empty for any other problem."""
    odd = problem.span.text[problem.span.column - 1 :].partition("+")[0]
    return (
        f"remove {odd}, or keep only {odd}: all rules of a file must share a parent" if problem.code == "R305" else ""
    )


_OF_RULES = ("F201", "F207", "F211", "F212", "S201", "S209", "S212", "S216")
"""Codes that depend on rules; they are left out if a file has no valid rules."""


def _with_rules(problem: Problem, library: Library) -> Problem:
    """Return the problem with a hint that gives an example and lists the rule sets, if ``rules`` is missing.

    Return any other problem unchanged.
    """
    if (problem.code, problem.field) != ("R201", "rules"):
        return problem
    ids = library.ids()
    of_a_table = problem.expected.startswith("the column")
    such_as = f"{problem.hint}, such as {ids[0]}" if of_a_table else f"such as rules: [{ids[0]}]"
    return problem._replace(hint=f"{such_as}; there are: {', '.join(ids)}")


def name_problems(library: Library, names: Sequence[str], at: Place) -> list[Problem]:
    """Return R301 for each name that is not a rule set, and R207 for each repetition of a name.

    The ids in a name joined by ``+`` are checked one by one. ``at`` is the place of the names: a list or a single text.
    """
    problems: list[Problem] = []
    alone = isinstance(at.value(), str)
    seen: set[str] = set()
    for index, name in enumerate(names):
        for part in name.split("+"):
            where = at if alone else at / index
            if part in seen:
                problems.append(where.problem("R207", ONCE, f"{part} again", TAKE_OUT))
            elif library.find(part) is None:
                several = [word for word in part.replace(",", " ").split() if library.find(word)]
                hint = f"write a list: rules: [{', '.join(several)}]" if len(several) > 1 else library.hint(part)
                problems.append(where.problem("R301", "a rule set", part, hint))
            seen.add(part)
    return problems


def is_players(path: Path) -> bool:
    """Return whether a file is a player's file: outside every rule set, or a sample or battle of a rule set.

    True for standard input; False for a folder or a missing file.
    """
    if path == STDIN:
        return True
    try:
        if path.is_dir() or not path.exists():
            return False
    except OSError:  # a name that is too long
        return False
    return is_example(path) or not any((folder / MANIFEST).is_file() for folder in path.absolute().parents)


def is_scenario(path: Path) -> bool:
    """Return whether a file is meant as a scenario; False for a spreadsheet and for a file that cannot be read."""
    if path.suffix.lower() in TABLES:
        return False
    try:
        return _BEGINS.search(read_text(path, str(path))) is not None
    except ProblemsError:
        return False


def rulesets_named(library: Library, words: Iterable[str]) -> list[str]:
    """Return the ids of the rule sets that words name, each once; ``all`` names every rule set.

    Ids joined by ``+`` stay one name. Raises ProblemsError: R301 or F101 for each word that names no rule set.
    """
    names = list(dict.fromkeys(name for word in words for name in (library.ids() if word == "all" else (word,))))
    raise_any(unknown_target(library, name) for name in names if not all(map(library.find, name.split("+"))))
    return names


def unknown(code: str, what: str, word: str, known: Sequence[str]) -> Problem:
    """Return a problem with this code for a word on the command line that a rule set does not know.

    ``what`` says what of the rule set the word should name, without an article, such as ``sheet``. Its part before a
    comma is the field of the problem. The hint is the nearest of the ``known`` words, or a list of these words, if
    there are any.
    """
    hint = suggest(word, known, f"there are: {', '.join(known)}" if known else None)
    return refused(code, word, f"a {what} of this rule set", word, hint, what.partition(",")[0])


def sheet_hint(rules: RuleSet, word: str) -> str:
    """Return the hint for a key of ``rules.sheets``: the command that prints the sheet. Empty for any other word."""
    if word not in rules.sheets:
        return ""
    owner, model = rules.sheets[word].owner, rules.sheets[word].model
    return f"{word} is a sheet of {owner}: fieldpress build {'FORCE.yaml' if model.of else owner} --only {word}"


def of_another_edition(
    code: str, edition: str, place: Place, library: Library, rules: RuleSet, hint: str
) -> Iterator[Problem]:
    """Yield advice with this code and hint if the fingerprint in a file's edition is not in ``fingerprints(rules)``.

    ``edition`` is the edition that the file names, and ``place`` the place of the whole file; the advice is at its key
    ``edition``. Yield nothing if a player's own figures are set: then the fingerprint depends on which tables are
    loaded. Yield nothing if the edition names no data.
    """
    from generator.rules.describe.differences import fingerprints

    made = re.search(DATA, edition)
    if made and not library.settings.answers and made[1] not in fingerprints(rules):
        expected, found = f"data {next(fingerprints(rules))}, those of the rules", f"data {made[1]}"
        yield (place / "edition").problem(code, expected, found, hint, severity="advice")


def no_sheets(ruleset: str) -> Problem:
    """Return R319, which says that a rule set has no sheets."""
    return refused("R319", ruleset, "a rule set with sheets", "one without", "add a sheet to its folder sheets/")


@contextmanager
def writing(path: Path, expected: str, hint: str = "") -> Iterator[None]:
    """Turn an OSError inside the ``with`` block into ProblemsError (F131) about this path.

    ``expected`` and ``hint`` are the texts of the problem.
    """
    try:
        yield
    except OSError as error:
        problem = Problem("F131", Span(str(path)), expected, (error.strerror or str(error)).lower(), hint=hint)
        raise ProblemsError(problem) from None


_FULL = frozenset(getattr(errno, item) for item in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, item))
"""Error numbers for a full disk, an exceeded quota or a file that is too large, as far as the system has them."""


def problems_of(error: FieldpressError | OSError) -> tuple[Problem, ...]:
    """Return the problems of an error that ends a command.

    A page that cannot be made has the problem of its error, or F132 if the error has none. A rule without an answer is
    R241. A disk without room for a file, and a file that cannot be replaced, are F131. Any other error of a file or
    folder is F130.
    """
    if isinstance(error, ProblemsError):
        return error.problems
    if isinstance(error, RenderError):
        of_machine = Problem("F132", Span("output"), "a page that can be printed", f"an error: {error}")
        return (error.problem or of_machine,)
    if isinstance(error, FieldpressError):  # no command has turned it into a problem
        place = getattr(error, "place", None)
        span = place.span() if place is not None else Span("command line")
        return (Problem("R241", span, "an answer", str(error), hint="report this as an error of fieldpress"),)
    reason = (error.strerror or str(error)).lower()
    if error.errno in _FULL:
        hint = "free space on its disk and in the folder for temporary files"
        return (Problem("F131", Span(str(error.filename or "output")), "free space for the file", reason, hint=hint),)
    if error.filename2:  # Windows does not replace a file that another program has open
        return (Problem("F131", Span(str(error.filename2)), "a file to replace", reason, hint="close it elsewhere"),)
    hint = "check its name, its permissions and its folder"
    span = Span(str(error.filename or "command line"))
    return (Problem("F130", span, "a file or folder that can be used", reason, hint=hint),)


def write_new(files: Mapping[Path, str | bytes]) -> None:
    """Write new files: all of them or none. Raises ProblemsError (F131) if a file exists or cannot be written.

    ``files`` has the contents of each file by path; a text is written as UTF-8. The folders must exist.
    """
    for path in files:
        if path.exists() or path.is_symlink():
            hint = "delete it, or give another name"
            raise ProblemsError(Problem("F131", Span(str(path)), "a new file", "a file with that name", hint=hint))
    with all_or_none() as write:
        for path, text in files.items():
            missing = "" if path.parent.is_dir() else f"create the folder {path.parent}: it does not exist"
            with writing(path, "a new file", missing or "check the folder, and whether there is room"):
                write(path, text.encode("utf-8") if isinstance(text, str) else text)


def write_with_schema(folder: Path, name: str, text: str, schema: Data) -> tuple[Path, Path]:
    """Write a new file of a player and its schema into a folder, and return the paths of both.

    The files are ``NAME.yaml`` and ``NAME.schema.json``. A line before the ``text`` names the schema for editors. A
    missing folder is made. Raises ProblemsError (F131) if a file exists or cannot be written.
    """
    from generator.reporting.tables import to_json

    file, schema_file = folder / f"{name}.yaml", folder / f"{name}.schema.json"
    with writing(folder, "a folder to write in", "name a folder: the new files are written into it"):
        folder.mkdir(parents=True, exist_ok=True)
    head = f"# yaml-language-server: $schema={schema_file.name}\n"
    write_new({file: head + text, schema_file: to_json(schema) + "\n"})
    return file, schema_file


def diff_data(
    before: str,
    after: str,
    counts: Mapping[str, tuple[int, int, int]],
    differences: Iterable[Difference],
    *,
    related: bool,
) -> Data:
    """Return the differences between two rule sets or forces as data of the JSON contract.

    ``before`` and ``after`` are their names for the output; ``related`` is False if they are of different games.
    ``counts`` gives, for each sort of entry, how many are only in ``before``, only in ``after``, and in both.
    """
    keys = "what", "kind", "from", "to", "reason", "cite"
    return {
        "a": before,
        "b": after,
        "related": related,
        "counts": [{"what": what, "only_a": a, "only_b": b, "both": both} for what, (a, b, both) in counts.items()],
        "changes": [dict(zip(keys, difference, strict=True)) for difference in differences],
    }


def decimal(number: Fraction) -> float:
    """Return a fraction as a decimal number rounded to six places, halves up.

    >>> from fractions import Fraction
    >>> decimal(Fraction(2, 3)), decimal(Fraction(-1, 3))
    (0.666667, -0.333333)
    """
    return ((number * 2_000_000 + 1) // 2) / 1_000_000
