"""Options as players set them: what a sheet leaves out for them, and a table of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.render.blocks import Cell, Column, Table
from generator.rules.binding import bind, names_of
from generator.rules.formulas.scope import VALUE, Scope

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.models.base import FormulaText
    from generator.rules.models.sheet import OptionsBlock
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet


def holds(ruleset: RuleSet, when: FormulaText | None, place: Place, problems: list[Problem]) -> bool:
    """Whether something is printed with the options as they are set."""
    if when is None:
        return True
    formula = bind(when, Scope(dict.fromkeys(ruleset.options, VALUE)), place, problems)
    return formula is not None and bool(formula(names_of({}, ruleset.options)))


def options_block(ruleset: RuleSet, block: OptionsBlock) -> Table:
    """Every option: what it does, what it may be, and how it is set here."""
    rows = []
    for option in ruleset.options.values():
        if block.options == "all" or option.owner == ruleset.id:
            allowed = [f"**{one}**" if value == option.value else one for value, one in option.spelled()]
            rows.append(
                (Cell(option.label), Cell(" / ".join(allowed)), Cell(option.says), Cell(option.birth.cite_text))
            )
    heads = (
        Column("Option", share=4),
        Column("Set", share=3),
        Column("What it does", share=9),
        Column("Source", share=3),
    )
    return Table(heads, tuple(rows), "Options", dense=True)
