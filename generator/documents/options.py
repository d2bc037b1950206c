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
    from generator.rules.options import Option
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet

_MANY = 8
"""Numbers that are listed one by one."""


def holds(ruleset: RuleSet, when: FormulaText | None, place: Place, problems: list[Problem]) -> bool:
    """Whether something is printed with the options as they are set."""
    if when is None:
        return True
    formula = bind(when, Scope(dict.fromkeys(ruleset.options, VALUE)), place, problems)
    return formula is not None and bool(formula(names_of({}, ruleset.options)))


def _set(option: Option) -> str:
    """How an option is set, among all that it may be; of many numbers only the first and the last."""
    if option.choice.is_range and len(option.choice.values) > _MANY:
        return f"**{option.value}** ({option.choice.spell()})"
    return " / ".join(f"**{one}**" if value == option.value else one for value, one in option.spelled())


def options_block(ruleset: RuleSet, block: OptionsBlock) -> Table:
    """Every option: what it does, what it may be, and how it is set here."""
    rows = []
    for option in ruleset.options.values():
        if block.options == "all" or option.owner in ruleset.own:
            cells = (option.label, _set(option), option.says, option.birth.cite_text)
            rows.append(tuple(Cell(text) for text in cells))
    heads = (
        Column("Option", share=4),
        Column("Set", share=3),
        Column("What it does", share=9),
        Column("Source", share=3),
    )
    return Table(heads, tuple(rows), "Options", dense=True)
