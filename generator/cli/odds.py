"""``fieldpress odds``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.options import FORCE, RULESET, Progress, Word, format_option, once, print_answer, with_settings
from generator.problems import ProblemsError, refused
from generator.rules.source.library import Library

if TYPE_CHECKING:
    from generator.reporting.tables import Format

AGAINST = "--against"
PATIENCE = 1.0
"""Seconds before progress is shown."""
_HERE = "\0"
"""The mark for the position of ``--against`` among the inputs: no argument can contain this character."""


class WithAgainst(click.Command):
    """A command that separates the inputs before and after ``--against``, which click alone does not do."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert a mark among the inputs, after the option ``--against`` and its value."""
        end = args.index("--") if "--" in args else len(args)
        place = next((place for place in range(end - 1, -1, -1) if args[place].partition("=")[0] == AGAINST), None)
        if place is not None:
            behind = place + (1 if "=" in args[place] else 2)
            args = [*args[:behind], *([_HERE] if behind <= end else []), *args[behind:]]
        return super().parse_args(ctx, args)


@click.command(cls=WithAgainst)
@click.argument(
    "question",
    required=False,
    type=RULESET,
    metavar="[RULESET[/PROCEDURE]]",
)
@click.argument("inputs", nargs=-1, metavar="[KEY=VALUE]...")
@once(
    AGAINST,
    type=Word("another procedure"),
    metavar="RULESET[/PROCEDURE]",
    help="Compare with another procedure; inputs after it are only for that one.",
)
@once(
    "--reach",
    type=Word("an outcome and a chance, such as hit=50%"),
    metavar="OUTCOME=CHANCE",
    help="Which value of an input gives this chance, such as hit=50%?",
)
@once(
    "--best",
    type=Word("an outcome"),
    metavar="OUTCOME",
    help="Rank the options: which gives the greatest chance, or mean?",
)
@once(
    "--forces",
    nargs=2,
    type=FORCE,
    metavar="FORCE FORCE",
    help="The odds of two forces against each other, instead of a procedure.",
)
@once("--worst", type=Word("an outcome"), metavar="OUTCOME", help="Rank the options, lowest chance or mean first.")
@click.option(
    "--by",
    multiple=True,
    type=Word("an input"),
    metavar="INPUT",
    help="The input to search, or to choose; may be repeated to choose.",
)
@click.option("--greatest", is_flag=True, help="With --reach: the greatest such value instead of the least.")
@format_option("text", "markdown", "csv", "json")
@with_settings
def odds(
    rulesets: Library,
    /,
    *,
    question: str | None,
    inputs: tuple[str, ...],
    forces: tuple[Path, Path] | None,
    form: str,
    **options: Any,
) -> None:
    """Exact odds of a procedure. Without one, list the procedures with their inputs.

    A range (armour=1..5) or a list (valid=red,all) in one to three inputs makes a grid.
    """
    given = [name for name, value in options.items() if value]
    if forces is not None:
        if given:
            from generator.commands.decisions import conflicting_options

            found, hint = f"--forces with --{given[0]}", f"remove --{given[0]}, or ask for the odds of a procedure"
            raise ProblemsError(conflicting_options("--forces without other questions", found, hint))
        from generator.commands.forces import matchup
        from generator.reporting.forces import matchup_text

        words = (question, *inputs) if question is not None else inputs
        print_answer(matchup(rulesets, forces, words), form, matchup_text)
        return
    if question is None:
        message = "Missing argument '[RULESET[/PROCEDURE]]'. Name a rule set; fieldpress rules lists them."
        raise click.UsageError(message)
    if inputs and Path(question).suffix and Path(question).is_file():
        hint = f"for two forces: fieldpress odds --forces {question} {inputs[0]}"
        raise ProblemsError(refused("R301", question, "a rule set", "a file", hint))
    from generator.commands import decisions
    from generator.reporting.odds import answer_text

    words, own = split_at_against(question, inputs)
    ruleset, _, procedure = question.partition("/")
    if not (procedure or words or given):
        print_answer(decisions.list_procedures(rulesets, ruleset), form, _listed)
        return
    with Progress(shown=sys.stderr.isatty(), after=PATIENCE) as bar:
        data = decisions.ask(decisions.Query(rulesets, ruleset, procedure, words, own=own, progress=bar, **options))
    print_answer(data, form, answer_text)


def split_at_against(question: str, inputs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the inputs before and after ``--against``.

    Raises ProblemsError: R321 if ``--against`` comes before the procedure.
    """
    if question == _HERE:
        from generator.commands.decisions import conflicting_options

        hint = "fieldpress odds RULESET/PROCEDURE KEY=VALUE... --against RULESET/PROCEDURE KEY=VALUE..."
        raise ProblemsError(conflicting_options(f"{AGAINST} after the procedure", f"{AGAINST} first", hint))
    place = inputs.index(_HERE) if _HERE in inputs else len(inputs)
    return inputs[:place], inputs[place + 1 :]


def _listed(data: dict[str, Any], form: Format, width: int | None) -> str:
    """Return a table of procedures, with their inputs and allowed values."""
    from generator.reporting.odds import spell
    from generator.reporting.tables import table

    rows = []
    for procedure in data["procedures"]:
        name = procedure["procedure"]
        for item in procedure["inputs"]:
            default = f" (else {spell(item['default'])})" if item["default"] is not None else ""
            when = f", when {item['when']}" if item["when"] else ""
            rows.append([name, item["input"], f"{item['allowed']}{default}{when}"])
            name = "" if form == "text" else name
    return table(["procedure", "input", "allowed"], rows, form, width)
