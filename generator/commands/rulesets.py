"""List, explain, compare and check rule sets, and check the files of players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from generator.commands.access import (
    Data,
    diff_data,
    is_players,
    is_scenario,
    load_valid,
    open_library,
    sheet_hint,
    unknown,
)
from generator.commands.jobs import CARDS, EVERYTHING, SHEETS, Findings
from generator.problems import Problem, ProblemsError, Span, has_errors, raise_any, refused, suggest
from generator.reporting.problems import pages, problem_data
from generator.rules.source.library import (
    BATTLES,
    SAMPLES,
    SCENARIO,
    Library,
    examples,
    folders_of,
    is_example,
    is_supplement,
    targets_of,
)
from generator.rules.source.parts import in_order
from generator.rules.source.settings import NOTHING_SET, Settings, unknown_rulesets
from generator.scenarios.files import battles_in_reach, misspelt_battle, path_of_battle

_FORM_OF_A_CODE = "a code is F, R or S with three digits, such as F203; a limit has its rule set and a slash before it"


def list_rulesets(library: Library) -> tuple[Data, tuple[Problem, ...]]:
    """Return data with the readable rule sets, the finished battles and supplements, and the problems of other sets.

    The second value is these problems again, as ``Problem`` objects.
    """
    from generator.commands.books import find_supplements
    from generator.documents.supplement import read_supplement

    listed, problems = [], list[Problem]()
    for name in library.ids():
        try:
            manifest = load_valid(library, name, only=()).manifest
        except ProblemsError as error:
            problems += error.problems
            continue
        head = {"ruleset": name, "title": manifest.title, "edition": manifest.edition}
        listed.append(head | {"extends": list(manifest.extends), "about": manifest.about})
    problems = [*dict.fromkeys(problems)]  # a parent's problems are also problems of its layers
    finished = [("battle", name, item.title(), item.folder.ruleset) for name, item in battles_in_reach(library).items()]
    books = {name: read_supplement(folder).model for name, folder in find_supplements(["all"]).items()}
    finished += [("supplement", name, book.title, book.rules) for name, book in books.items()]
    rows = [dict(zip(("what", "id", "title", "ruleset"), item, strict=True)) for item in finished]
    data = {"rulesets": listed, "finished": rows, "problems": [problem_data(problem) for problem in problems]}
    return data, tuple(problems)


def describe_ruleset(library: Library, name: str) -> Data:
    """Return the id, title and origin of each table, kind, procedure and sheet of a rule set, own or inherited.

    Samples and battles are listed, too; tables that only scenarios use are left out. A table also has its number of
    rows. Raises ProblemsError for a name that is not in the library, and for a rule set with errors.
    """
    ruleset = load_valid(library, name)
    contents: Data = {"ruleset": name, "title": ruleset.manifest.title, "edition": ruleset.manifest.edition}
    procedures = sorted(ruleset.procedures.values(), key=lambda procedure: procedure.id)
    named: dict[str, Iterable[Any]] = {
        "table": ruleset.tables.values(),
        "kind": ruleset.kinds.values(),
        "procedure": procedures,
    }
    for what, entries in named.items():
        contents[f"{what}s"] = [{what: entry.id, "title": entry.title, "from": entry.owner} for entry in entries]
    for data, table in zip(contents["tables"], ruleset.tables.values(), strict=True):
        data["rows"] = len(table.rows)
    contents["sheets"] = [
        {"sheet": key, "title": item.model.title, "from": item.owner} for key, item in ruleset.sheets.items()
    ]
    for item, namespace in (("sample", SAMPLES), ("battle", BATTLES)):
        shipped = examples(ruleset.chain, namespace).items()
        contents[namespace] = [{item: key, "title": of.title(), "from": of.folder.ruleset} for key, of in shipped]
    return contents


def show(library: Library, name: str, word: str) -> Data:
    """Return the rows of a table, kind, procedure, option, limit or erratum as data, each with its provenance.

    The provenance of a row without one, such as a field, has empty texts. ``word`` is an id, ``options`` or ``errata``,
    perhaps with a category, such as ``procedures/shoot``. Raises ProblemsError: R317 for a word that names no entry, or
    as ``load_valid`` does.
    """
    from generator.rules.describe.browse import PARTS, listing, names, split_word

    category, entry_id = split_word(word)
    chain = load_valid(library, name, only=()).chain
    there = {(what, item) for folder in chain for what in PARTS for item in folder.ids(what)}
    there |= {(SCENARIO, item) for folder in chain for item in folder.scenario_ids()}
    wanted = [(what, entry_id) for what in (*PARTS, SCENARIO) if category in ("", what.replace(SCENARIO, "tables"))]
    ruleset = load_valid(library, name, only=[key for key in wanted if key in there][:1] or None)
    listed = listing(ruleset, word)
    if listed is None:
        problem = unknown("R317", "table, kind or procedure", word, names(ruleset))
        if new := ruleset.replaced.get(entry_id):
            hint = f"read it: fieldpress rules {name} {new}"
            problem = problem._replace(found=f"{word}, which {new} replaces", hint=hint)
        elif hint := sheet_hint(ruleset, word):
            problem = problem._replace(hint=hint)
        raise ProblemsError(problem)
    return {"ruleset": name, listed.what: entry_id, "columns": list(listed.columns), "rows": list(listed.rows)}


def diff(user_folders: Iterable[Path], before: str, after: str) -> Data:
    """Return the differences between two rule sets. Each is named by its id or its folder.

    Raises ProblemsError for rule sets with errors. Codes for names: R301 or F101 if a name stands for no rule set, R301
    if it is the folder of several.
    """
    from generator.rules.describe.differences import counts, differences, related

    folders, problems = tuple(user_folders), list[Problem]()
    folders += folders_of(folders, (before, after))  # either rule set may be the other's parent
    targets = [targets_of(open_library, folders, word, NOTHING_SET, problems) for word in (before, after)]
    raise_any(problems)
    for word, named in zip((before, after), targets, strict=True):
        if len(named) != 1:
            names = ", ".join(name for _, name in named) or "none"
            problem = Problem("R301", Span(word), "the folder of one rule set", names, hint="name one of them")
            raise ProblemsError(problem)
    first, second = (load_valid(library, name) for ((library, name),) in targets)
    return diff_data(before, after, counts(first, second), differences(first, second), related=related(first, second))


def explain(library: Library, code: str) -> str:
    """Return the page of a problem code, or the text, formula and source of a rule set's limit.

    For a limit, ``code`` is the id of the rule set and that of the limit, such as ``tin-soldiers/hands``. Only for a
    code, letter case does not matter. Kinds may have different limits of one id: all are returned, with the titles of
    their kinds. Raises ProblemsError (R320) if there is no such code or limit, and as ``load_valid`` does for a rule
    set.
    """
    name, slash, limit_id = code.partition("/")
    if slash:
        ruleset = load_valid(library, name)
        texts: dict[str, dict[str, list[str]]] = {}
        for kind in ruleset.kinds.values():
            for limit in kind.limits:
                text = f"{limit.says}\nRule: {limit.that.text}   [{limit.provenance.cite_text}]"
                texts.setdefault(limit.id, {}).setdefault(text, []).append(kind.title)
        if limit_id not in texts:
            raise ProblemsError(unknown("R320", "limit", limit_id, sorted(texts)))
        return "\n".join(f"{name}/{limit_id} ({', '.join(kinds)}): {text}" for text, kinds in texts[limit_id].items())
    known = pages()
    if code.upper() not in known:
        hint = suggest(code, known, _FORM_OF_A_CODE)
        raise ProblemsError(refused("R320", code, "a problem code", code, hint, "problem code"))
    return known[code.upper()]


def check(
    user_folders: Iterable[Path],
    targets: Sequence[str],
    settings: Settings = NOTHING_SET,
    progress: Callable[[int, int, str], None] = lambda *_: None,
) -> tuple[Problem, ...]:
    """Return the problems of forces, scenarios, supplements and rule sets. Nothing is written.

    A target is an id of a rule set or battle, a file or a folder; an unknown id is a problem, too. A rule set without
    errors is also checked with other values of the options that are not set. If that finds no errors, its own samples
    and battles are checked. Problems that differ only in the hint are returned once. ``progress`` is called before each
    sheet of a rule set, and before each other setting of its options. It gets the count of those done, the count of
    all, and a name. Raises ProblemsError as ``open_library`` does.
    """
    problems: list[Problem] = []
    folders = tuple(user_folders)
    rulesets = []
    for target in targets:
        if is_players(Path(target)):
            problems += _players_problems(folders, Path(target), settings)
            continue
        library = open_library(*folders, settings=settings)
        if is_supplement(Path(target)):
            from generator.commands.books import supplement_job  # they import what prints
            from generator.commands.printing import jobs_of

            try:
                supplement_job(library, Path(target), problems, jobs_of)
            except ProblemsError as error:
                problems += error.problems
        elif (battle := path_of_battle(library, target)) is not None:
            problems += _players_problems(folders, battle, settings)
        elif (misspelt := misspelt_battle(library, target)) is not None:
            problems.append(misspelt)
        else:
            rulesets += targets_of(open_library, folders, target, settings, problems)
    problems += (
        unknown_rulesets(settings, {name for library, _ in rulesets for name in library.ids()}) if rulesets else ()
    )
    for library, name in rulesets:
        from generator.commands.languages import catalogue_problems  # only rule sets need them
        from generator.documents.sheets import proof

        folder = library.find(name)
        problems += catalogue_problems(folder.path) if folder else ()
        rule_problems = proof(library, name, progress)
        problems += rule_problems if has_errors(rule_problems) else (*rule_problems, *of_examples(library, name))
    once: dict[Problem, Problem] = {}
    for problem in problems:  # of duplicates, the first has the fullest hint
        once.setdefault(problem._replace(hint=""), problem)
    return tuple(once.values())


def _players_problems(folders: tuple[Path, ...], path: Path, settings: Settings) -> tuple[Problem, ...]:
    """Return the problems of a player's file and of the settings for it.

    The cards and sheets of a force are not checked. The rules may be shipped or in ``folders``, and for a sample or
    battle also next to its own rule set.
    """
    beside = (path.absolute().parents[2],) if is_example(path) else ()  # the example's rule set and its parents
    library = open_library(*folders, *beside, settings=settings)
    return (*unknown_rulesets(settings, library.ids()), *_problems_of(library, path))


def of_examples(library: Library, name: str) -> list[Problem]:
    """Return the problems of a rule set's own samples and battles.

    Battles are checked with advice, because they are played as they are. Advice on samples is left out, because it
    depends on the battle in which a sample is used.
    """
    own = [folder for part in name.split("+") if (folder := library.find(part)) is not None]
    samples = examples(own, SAMPLES).values()
    sample_problems = [problem for sample in samples for problem in _problems_of(library, sample.path, (CARDS, SHEETS))]
    return [problem for problem in sample_problems if problem.severity == "error"] + [
        problem for item in examples(own, BATTLES).values() for problem in _problems_of(library, item.path)
    ]


def _problems_of(library: Library, path: Path, more: Collection[str] = ()) -> tuple[Problem, ...]:
    """Return the problems of a scenario, or of a force and its sheets and cards, also if the file cannot be read.

    The parts of a scenario's pack are composed as for ``build``, without the poster and the board. Problems of their
    layout are not found. ``more`` are the categories of rules to load for a force in addition to its kinds. The force's
    sheets and cards are checked only if ``more`` has their categories.
    """
    from generator.commands.forces import load_force_file
    from generator.documents.unprintable import strange_signs

    found = Findings()
    try:  # some problems appear only when parts, cards and sheets are made
        if is_scenario(path):
            from generator.commands.packs import scenario_jobs

            scenario_jobs(library, path, EVERYTHING, found)
            return tuple(found.faults)
        force = load_force_file(library, path, more)
        found.faults.extend(in_order(force.place, (*force.problems, *strange_signs(force))))
        if CARDS in more:
            from generator.documents.force.cards import deck

            deck(force, "")
        if force.rules.sheets_of_kinds():
            from generator.documents.force.designs import sheets_of_designs

            list(sheets_of_designs(force, ""))
    except ProblemsError as error:
        found.faults.extend(error.problems)
    return tuple(found.faults)
