"""Commands about the data of players and authors: forces, scenarios, odds and rule sets."""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.options import (
    FORCE,
    PROBLEMS,
    RULESET,
    Named,
    Number,
    Progress,
    Word,
    exit_if_errors,
    finish,
    folders,
    format_option,
    guarded,
    library,
    once,
    print_answer,
    print_json,
    print_problems,
    rules_path_option,
    settings_of,
    settings_options,
    several,
    with_library,
    with_settings,
    words_argument,
)
from generator.problems import Problem, ProblemsError, refused
from generator.reporting.tables import Format, table
from generator.rules.source.library import Library

if TYPE_CHECKING:
    from generator.commands.access import Data


@click.command()
@click.argument("folder", type=Named("a folder for the new files"), metavar="DIR")
@click.argument("ruleset", required=False, type=RULESET)
@once("--sample", Word("a sample"), "NAME", "Begin with a copy of this sample; fieldpress rules RULESET lists them.")
@once("--battle", Word("a finished battle"), "ID", "Copy this finished battle instead, with its own rules.")
@with_library
def new(rulesets: Library, *, folder: Path, ruleset: str | None, sample: str | None, battle: str | None) -> None:
    """Make a folder with a first force to change, and an editor's help for it.

    With --battle it has a finished battle instead, and RULESET is left out. If one of the files is there already,
    nothing is written.
    """
    if battle is None and ruleset is None:
        raise click.UsageError("Missing argument 'RULESET'; or name a battle: --battle ID.")
    if battle is not None and (ruleset is not None or sample is not None):
        raise click.UsageError("A battle has its own rules and forces: give only --battle.")
    if battle is not None:
        from generator.commands.scenarios import new_battle

        paths = new_battle(rulesets, battle, folder)
    else:
        from generator.commands import forces

        paths = forces.new(rulesets, str(ruleset), folder, sample)
    for path in paths:
        click.echo(str(path))


@click.command()
@words_argument("forces", FORCE, "FORCE...")
@format_option("text", "markdown", "csv", "json")
@with_settings
def cost(rulesets: Library, *, forces: tuple[Path, ...], form: str) -> None:
    """Price a force file, line by line, with its working, capacity and the limits that it breaks.

    Several files are set side by side, with what each spends on every kind of thing.
    """
    from generator.commands import forces as commands
    from generator.reporting.forces import compared_text, cost_text
    from generator.reporting.problems import problems_text

    data, problems = commands.cost(rulesets, forces)
    print_answer(data, form, cost_text if len(forces) == 1 else compared_text)
    if problems and form != "json":
        click.echo(f"\n{problems_text(problems)}", err=form == "csv")
    exit_if_errors(problems)


@click.command()
@click.argument("source", type=FORCE, metavar="FORCE")
@click.argument("target", type=Named("the new file, NEW.csv, NEW.xlsx, NEW.qr or NEW.yaml"), metavar="NEW")
@with_settings
def convert(rulesets: Library, *, source: Path, target: Path) -> None:
    """Write a force as a spreadsheet (NEW.csv, NEW.xlsx), a line to send (NEW.qr), or YAML (NEW.yaml).

    Designs of libraries are written out with it; what is a default is left out.
    """
    from generator.commands import forces
    from generator.reporting.problems import problems_in_short

    problems = forces.convert(rulesets, source, target)
    click.echo(str(target))
    if problems:
        click.echo(problems_in_short([problem for problem in problems if problem.code == "F213"], problems), err=True)


@click.command()
@click.argument("ruleset", type=RULESET)
@click.option("--scenario", is_flag=True, help="Print the schema of scenario files.")
@with_library
def schema(rulesets: Library, *, ruleset: str, scenario: bool) -> None:
    """Print the JSON Schema of a rule set's force files, or of its scenario files.

    An editor that knows it completes fields and marks what is wrong while you write.
    """
    from generator.commands import forces, scenarios

    what = scenarios.schema if scenario else forces.schema
    print_json(what(rulesets, ruleset))


@click.command()
@click.argument("ruleset", type=RULESET)
@once("--points", Number(1), "N", "The points of the stronger side.")
@once("--size", Number(1, such_as=12), "N", "The number of figures or squads, in a game without points.")
@once("--seed", Number(0, 10**18, 7), "N", "The seed of the dice.", default=1, show_default=True)
@once("--mission", Word("a mission"), "ID", "This mission; fieldpress rules RULESET missions lists them.")
@once(
    "--map", Word("a region"), "ID", "A map of this region; fieldpress rules RULESET regions lists them.", dest="region"
)
@once(
    "--terrain",
    Named("the file of your terrain"),
    "FILE",
    "Lay only the pieces of terrain that you own, as this file lists them.",
)
@several(
    "--side-force", FORCE, "FILE", "A force to choose units from; if given twice, the first attacks.", dest="forces"
)
@once(
    "--pin",
    (Word("parts of a scenario"), Named("the file of a scenario")),
    "PARTS FILE",
    "Keep parts of a scenario (mission, forces, map, deployment), and roll the rest.",
    instead="name all its parts in one, such as --pin map,forces FILE",
)
@with_settings
def scenario(rulesets: Library, /, *, ruleset: str, **options: Any) -> None:
    """Roll a scenario: print a file to check, to change and to build.

    The same seed and data give the same scenario.
    """
    from generator.commands.scenarios import set_up
    from generator.scenarios.generate.roll import ScenarioRequest

    if len(options["forces"]) > 2:  # noqa: PLR2004 - the attacker and the defender
        raise click.UsageError("a rolled scenario has two sides: give --side-force at most twice")
    text, notes = set_up(rulesets, ruleset).roll(ScenarioRequest(**options))
    click.echo(text, nl=False)
    for item in notes:
        click.echo(f"Note: {item.what}: {item.found}\n  help: {item.hint}", err=True)


AGAINST = "--against"
_HERE = "\0"
"""The mark for the position of ``--against`` among the inputs: no argument can contain this character."""


class WithAgainst(click.Command):
    """A command that separates the inputs before and after ``--against``, which click alone does not do."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with a mark inserted among the inputs after the option ``--against`` and its value."""
        end = args.index("--") if "--" in args else len(args)
        place = next((place for place in range(end - 1, -1, -1) if args[place].partition("=")[0] == AGAINST), None)
        if place is not None:
            behind = place + (1 if "=" in args[place] else 2)
            args = [*args[:behind], *([_HERE] if behind <= end else []), *args[behind:]]
        return super().parse_args(ctx, args)


@click.command(cls=WithAgainst)
@click.argument("question", required=False, type=RULESET, metavar="[RULESET[/PROCEDURE]]")
@click.argument("inputs", nargs=-1, metavar="[KEY=VALUE]...")
@once(
    AGAINST,
    Word("another procedure"),
    "RULESET[/PROCEDURE]",
    "Compare with another procedure; inputs after it are only for that one.",
)
@once(
    "--reach",
    Word("an outcome and a chance, such as hit=50%"),
    "OUTCOME=CHANCE",
    "Which value of an input gives this chance, such as hit=50%?",
)
@once("--best", Word("an outcome"), "OUTCOME", "Rank the options: which gives the greatest chance, or mean?")
@once("--forces", FORCE, "FORCE FORCE", "The odds of two forces against each other, instead of a procedure.", nargs=2)
@once("--worst", Word("an outcome"), "OUTCOME", "Rank the options, lowest chance or mean first.")
@several("--by", Word("an input"), "INPUT", "The input to search, or to choose; may be repeated to choose.")
@click.option("--greatest", is_flag=True, help="With --reach: the greatest such value instead of the least.")
@format_option("text", "markdown", "csv", "json")
@with_settings
def odds(rulesets: Library, /, *, question: str | None, inputs: tuple[str, ...], form: str, **options: Any) -> None:
    """Exact odds of a procedure. Without one, list those of a rule set with their inputs.

    A range (armour=1..5) or a list (valid=red,all) in one to three inputs makes a grid.
    """
    from generator.commands import decisions

    forces = options.pop("forces")
    given = [name for name, value in options.items() if value]
    if forces is not None:
        if given:
            found, hint = f"--forces with --{given[0]}", f"remove --{given[0]}, or ask for the odds of a procedure"
            raise ProblemsError(decisions.conflicting_options("--forces without other questions", found, hint))
        from generator.commands.forces import matchup
        from generator.reporting.forces import matchup_text

        words = (question, *inputs) if question is not None else inputs
        data, problems = matchup(rulesets, forces, words)
        print_answer(data, form, matchup_text)
        finish(problems, form)
        return
    if question is None:
        message = "Missing argument '[RULESET[/PROCEDURE]]'. Name a rule set; fieldpress rules lists them."
        raise click.UsageError(message)
    if inputs and Path(question).suffix and Path(question).is_file():
        hint = f"for two forces: fieldpress odds --forces {question} {inputs[0]}"
        raise ProblemsError(refused("R301", question, "a rule set", "a file", hint))
    from generator.reporting.odds import answer_text

    words, own = split_at_against(question, inputs)
    ruleset, _, procedure = question.partition("/")
    if not (procedure or words or given):
        print_answer(decisions.list_procedures(rulesets, ruleset), form, _listed)
        return
    with Progress(shown=sys.stderr.isatty(), after=1) as bar:
        data = decisions.ask(decisions.Query(rulesets, ruleset, procedure, words, own=own, progress=bar, **options))
    print_answer(data, form, answer_text)


def split_at_against(question: str, inputs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the inputs before and after ``--against``; without the option, all inputs and an empty tuple.

    ``question`` and ``inputs`` are the arguments as ``WithAgainst`` leaves them, with its mark at the place of the
    option. Raises ProblemsError: R321 if ``--against`` comes before the procedure.
    """
    if question == _HERE:
        from generator.commands.decisions import conflicting_options

        hint = "fieldpress odds RULESET/PROCEDURE KEY=VALUE... --against RULESET/PROCEDURE KEY=VALUE..."
        raise ProblemsError(conflicting_options(f"{AGAINST} after the procedure", f"{AGAINST} first", hint))
    place = inputs.index(_HERE) if _HERE in inputs else len(inputs)
    return inputs[:place], inputs[place + 1 :]


def _listed(data: dict[str, Any], form: Format, width: int | None) -> str:
    """Return a table for the data of ``list_procedures``: a row for each input of each procedure.

    A row has the input's allowed values, its default and its condition. In text, only the first row of a procedure has
    the procedure's id. ``width`` is the most characters of a line of text; None for no limit.
    """
    from generator.reporting.odds import spell

    rows = []
    for procedure in data["procedures"]:
        name = procedure["procedure"]
        for item in procedure["inputs"]:
            default = f" (else {spell(item['default'])})" if item["default"] is not None else ""
            when = f", when {item['when']}" if item["when"] else ""
            rows.append([name, item["input"], f"{item['allowed']}{default}{when}"])
            name = "" if form == "text" else name
    return table(["procedure", "input", "allowed"], rows, form, width)


@click.command()
@click.argument("ruleset", required=False, type=RULESET)
@click.argument("thing", required=False, type=Word("a table, a kind or a procedure"), metavar="[TABLE]")
@format_option("text", "markdown", "csv", "json")
@with_settings
def rules(library: Library, *, ruleset: str | None, thing: str | None, form: str) -> None:
    """Show rule sets, battles and supplements, one rule set or a table.

    Each row of a table is shown with its citation and status. Instead of a table, name a kind, procedure, option, limit
    or erratum, or the word options or errata. If an id has two meanings, write procedures/ID, tables/ID or kinds/ID.
    CSV without a rule set lists only rule sets.
    """
    from generator.commands import rulesets

    problems: tuple[Problem, ...] = ()
    if ruleset is None:
        data, problems = rulesets.list_rulesets(library)
        heads, listed = ["rule set", "title", "edition", "extends"], data["rulesets"]
        rows = [[item["ruleset"], item["title"], item["edition"], ", ".join(item["extends"])] for item in listed]
    elif thing is None:
        data = rulesets.describe_ruleset(library, ruleset)
        heads, rows = ["", "id", "title", "from"], _things(data)
    else:
        data = rulesets.show(library, ruleset, thing)
        heads, rows = _table(data)
    tables = [(heads, rows)]
    if ruleset is None and form != "csv":
        tables.append((["", "id", "title", "rule set"], [[*item.values()] for item in data["finished"]]))
    print_answer(data, form, lambda _, *shape: "\n\n".join(table(*part, *shape) for part in tables))
    finish(problems, form)


def _things(data: dict[str, Any]) -> list[list[str]]:
    """Return a row for each thing in the data of ``describe_ruleset``: what it is, id, title, and rule set of origin.

    If tables, kinds or procedures share an id, their folder is before it, as ``fieldpress rules`` needs: ``tables/ID``.
    """
    shown = ("table", "kind", "procedure")
    ids = Counter(name[what] for what in shown for name in data[f"{what}s"])
    rows = []
    for what in (*shown, "sheet", "sample", "battle"):
        for name in data[f"{what}s"]:
            is_shared = what in shown and ids[name[what]] > 1
            rows.append([what, f"{what}s/{name[what]}" if is_shared else name[what], name["title"], name["from"]])
    return rows


def _table(data: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return the heads and rows to print for the data of ``show``, without empty columns of the provenance.

    A column of the table named like one of the provenance, such as note, is printed once, with the table's values.
    """
    heads = [*dict.fromkeys((*data["columns"], "cite", "status", "raw", "note"))]
    rows = [[row[head] for head in heads] for row in data["rows"]]
    used = [i for i, head in enumerate(heads) if head in data["columns"] or any(row[i] for row in rows)]
    return [heads[i] for i in used], [[row[i] for i in used] for row in rows]


_OTHER = Word("two rule sets or two files of forces")


@click.command()
@click.argument("a", type=_OTHER)
@click.argument("b", type=_OTHER)
@format_option("text", "markdown", "csv", "json")
@rules_path_option
@guarded
def diff(*, a: str, b: str, form: str, rules_path: tuple[Path, ...]) -> None:
    """Show what rule set B changes in rule set A, or force B in force A.

    Name two force files to list designs and units of only one force, and fields and points that differ. Name two rule
    sets by id or folder to list what differs in options, tables, kinds, procedures and errata, with citations and
    reasons. A table, kind or procedure of only one rule set is one difference.
    """
    from generator.commands import forces, rulesets
    from generator.commands.access import is_players

    are_forces = [is_players(Path(word)) for word in (a, b)]
    if any(are_forces):  # the other word is then also meant as a force
        data, problems = forces.diff(library(rules_path), Path(a), Path(b))
    else:
        data, problems = rulesets.diff(folders(rules_path), a, b), ()
    print_answer(data, form, partial(_text, of_forces=any(are_forces)))
    if problems:
        from generator.reporting.problems import problems_in_short

        unread = forces.reading_problems(problems)
        click.echo(f"\n{problems_in_short(unread, problems)}", err=True)
        if unread:
            click.get_current_context().exit(PROBLEMS)


def _text(data: Data, form: Format, width: int | None, *, of_forces: bool) -> str:
    """Return the differences in the data of ``diff_data`` as a table.

    The form ``text`` has a sentence if there are no differences, and only the counts of the entries for unrelated rule
    sets. With ``of_forces``, the table has no reasons and citations. ``width`` is as in ``table``.
    """
    if not data["changes"] and form == "text":
        return "No differences."
    if not data["related"] and form == "text" and not of_forces:
        a, b = data["a"], data["b"]
        rows = [[item["what"], item["only_a"], item["only_b"], item["both"]] for item in data["counts"]]
        numbers = table(["", f"only {a}", f"only {b}", "both, by id"], rows, form, width)
        head = f"{a} and {b} have no rule set in common: neither is based on the other."
        return f"{head}\n\n{numbers}\n\nTo list every row, use --format json, csv or markdown."
    heads = ["kind", "what", "from", "to"] + ([] if of_forces else ["reason", "cite"])
    return table(heads, [[item[head] for head in heads] for item in data["changes"]], form, width)


@click.command()
@words_argument("targets", Word("the file of a force or scenario, or a rule set"), "FILE...")
@format_option("text", "json")
@rules_path_option
@settings_options
@guarded
def check(*, targets: tuple[str, ...], form: str, rules_path: tuple[Path, ...], **settings: Any) -> None:
    """Find every problem in a force, a scenario, a book or rule data.

    Name a force or scenario file, a finished battle, or the folder of a supplement. For rule data, name a rule set, its
    folder, a folder of rule sets, or a file of a rule set. Nothing is written. Only fieldpress build finds texts that
    do not fit on their pages.
    """
    from generator.commands import rulesets

    with Progress(shown=sys.stderr.isatty(), after=1) as bar:
        problems = rulesets.check(folders(rules_path), targets, settings_of(**settings), bar)
    print_problems(problems, form, err=False)
    exit_if_errors(problems)


@click.command()
@click.argument("code", type=Word("a problem code, such as F203"))
@with_library
def explain(rulesets: Library, *, code: str) -> None:
    """Say what a problem code means.

    A code such as F203 has an example and its fix. For a limit of a rule set (RULESET/LIMIT), print its text, formula
    and source.
    """
    from generator.commands import rulesets as commands

    click.echo(commands.explain(rulesets, code))


@click.command()
@words_argument("names", RULESET, "NAME...")
@once("--language", Word("the tag of a language"), "TAG", "Such as de.", required=True)
@with_library
def words(rulesets: Library, *, names: tuple[str, ...], language: str) -> None:
    """Print a catalogue of the texts of rule sets and battles.

    Fill in the empty entries, and save the catalogue as words/LANGUAGE.po in the folder of the rule set.
    """
    from generator.commands.languages import catalogue
    from generator.commands.printing import jobs_of
    from generator.commands.web import say_site

    text, problems = catalogue(rulesets, names, language, partial(jobs_of, rulesets), partial(say_site, rulesets))
    click.echo(text, nl=False)
    finish(problems, "text")


@click.command()
def templates() -> None:
    """List the pieces of a book that a template of your own may replace, with the values it may and must print.

    fieldpress check BOOK checks the templates of a book.
    """
    from generator.render.own_templates import PIECES

    rows = [[name, ", ".join(piece.values), piece.needed] for name, piece in PIECES.items()]
    click.echo(table(("Piece", "Values", "Must print"), rows, "text"))
