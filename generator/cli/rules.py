"""Commands for authors: ``fieldpress rules``, ``diff``, ``check``, ``explain``, ``words`` and ``templates``."""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.options import (
    PROBLEMS,
    RULESET,
    Progress,
    Word,
    exit_if_errors,
    folders,
    format_option,
    guarded,
    library,
    once,
    print_answer,
    print_problems,
    rules_path_option,
    settings_of,
    settings_options,
    with_library,
    with_settings,
    words_argument,
)
from generator.rules.source.library import Library

if TYPE_CHECKING:
    from generator.commands.access import Data
    from generator.problems import Problem
    from generator.reporting.tables import Format


@click.command()
@click.argument("ruleset", required=False, type=RULESET)
@click.argument("thing", required=False, type=Word("a table, a kind or a procedure"), metavar="[TABLE]")
@format_option("text", "markdown", "csv", "json")
@with_settings
def rules(library: Library, *, ruleset: str | None, thing: str | None, form: str) -> None:
    """Show the rule sets and battles, one rule set, or a table.

    Each row of a table is shown with its citation and status. Instead of a table, name a kind, a procedure, the word
    options or the word errata. If an id has two meanings, write procedures/ID, tables/ID or kinds/ID.
    """
    from generator.commands import rulesets
    from generator.reporting.tables import table

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
    if problems and form != "json":
        print_problems(problems)
    if problems:
        click.get_current_context().exit(PROBLEMS)


def _things(data: dict[str, Any]) -> list[list[str]]:
    """Return the rows for the contents of a rule set.

    An id that several things share is preceded by its folder, such as ``tables/``, as ``fieldpress rules`` then needs.
    """
    shown = ("table", "kind", "procedure")
    ids = Counter(name[what] for what in shown for name in data[f"{what}s"])
    return [
        [
            what,
            f"{what}s/{name[what]}" if what in shown and ids[name[what]] > 1 else name[what],
            name["title"],
            name["from"],
        ]
        for what in (*shown, "sheet", "sample", "battle")
        for name in data[f"{what}s"]
    ]


def _table(data: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return the heads and rows of a table with its provenance, without empty columns of the provenance."""
    heads = [*data["columns"], "cite", "status", "raw", "note"]
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
    sets by id or folder to list rows, price lines, limits and steps that differ, with both citations and the reason. A
    table, kind or procedure of only one rule set is one difference.
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
    """Return the differences as a table; for text about unrelated rule sets only their numbers."""
    from generator.reporting.tables import table

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
def check(
    *,
    targets: tuple[str, ...],
    form: str,
    rules_path: tuple[Path, ...],
    settings: Path | None,
    set_: tuple[str, ...],
) -> None:
    """Find every problem in a force, a scenario or rule data.

    Name a force or scenario file, or a rule set, its folder or one of its files. Nothing is written.
    """
    from generator.commands import rulesets

    with Progress(shown=sys.stderr.isatty(), after=1) as bar:
        problems = rulesets.check(folders(rules_path), targets, settings_of(settings, set_), bar)
    print_problems(problems, form, err=False)
    exit_if_errors(problems)


@click.command()
@click.argument("code", type=Word("a problem code, such as F203"))
@with_library
def explain(rulesets: Library, *, code: str) -> None:
    """Say what a problem code means, with an example and its fix."""
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

    of_site = partial(say_site, rulesets)
    click.echo(catalogue(rulesets, names, language, partial(jobs_of, rulesets, names), of_site), nl=False)


@click.command()
def templates() -> None:
    """List the pieces of a book that a template of your own may replace, with their values.

    fieldpress check BOOK checks the templates of a book.
    """
    from generator.render.own_templates import PIECES
    from generator.reporting.tables import table

    rows = [[name, ", ".join(piece.values), piece.needed] for name, piece in PIECES.items()]
    click.echo(table(("Piece", "Values", "Must print"), rows, "text"))
