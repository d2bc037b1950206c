"""``fieldpress odds``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from generator.cli.options import (
    format_option,
    guarded,
    library,
    line_width,
    print_json,
    rules_path_option,
    settings_options,
)

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("question", metavar="RULESET[/PROCEDURE]")
@click.argument("inputs", nargs=-1, metavar="[KEY=VALUE]...")
@format_option("text", "markdown", "csv", "json")
@rules_path_option
@settings_options
@click.pass_context
@guarded
def odds(
    context: click.Context,
    *,
    question: str,
    inputs: tuple[str, ...],
    form: str,
    rules_path: tuple[Path, ...],
    settings: Path | None,
    set_: tuple[str, ...],
) -> None:
    """Exact odds of a procedure. Without one, list the procedures with their inputs.

    A range (armour=1..5) or a list (valid=red,all) in one to three inputs makes a grid.
    """
    from generator.pipeline import questions

    ruleset, _, procedure = question.partition("/")
    rules = library(context, rules_path, settings, set_)
    if not procedure and not inputs:
        data = questions.list_procedures(rules, ruleset)
        print_json(data) if form == "json" else click.echo(_listed(data, form))
        return
    data = questions.odds(rules, ruleset, procedure, inputs)
    if form == "json":
        print_json(data)
        return
    from generator.reporting.odds import odds_text

    click.echo(odds_text(data, form, line_width()))  # type: ignore[arg-type] # one of the format option's choices


def _listed(data: dict[str, object], form: str) -> str:
    from generator.reporting.odds import spell
    from generator.reporting.tables import table

    rows = []
    for procedure in data["procedures"]:  # type: ignore[attr-defined] # the contract's data
        name = procedure["procedure"]
        for one in procedure["inputs"]:
            default = f" (else {spell(one['default'])})" if one["default"] is not None else ""
            when = f", when {one['when']}" if one["when"] else ""
            rows.append([name, one["input"], f"{one['allowed']}{default}{when}"])
            name = "" if form == "text" else name
    return table(["procedure", "input", "allowed"], rows, form, line_width())  # type: ignore[arg-type] # as above
