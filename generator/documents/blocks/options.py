"""Options: conditions of blocks on options, and the table of all options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from generator.render.blocks import Cell, Column, Table
from generator.rules.entries.namespace import bind, names_of
from generator.rules.formulas.scope import VALUE, FormulaText, Scope
from generator.rules.model.block import Block

if TYPE_CHECKING:
    from generator.documents.blocks.composition import Composition
    from generator.problems import Problem
    from generator.rules.entries.choices import Option
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place

_MANY = 8
"""Most numbers that are listed one by one."""


class OptionsBlock(Block):
    """The options, with their effects and settings: the rule set's own, or its parents' too."""

    keyword = "options"

    options: Literal["own", "all"]
    """The rule set’s own, or all with its parents’."""

    def compose(self, context: Composition) -> Table:
        """Return the table of options."""
        return options_block(context.ruleset, self)


def holds(ruleset: RuleSet, when: FormulaText | None, place: Place, problems: list[Problem]) -> bool:
    """Return whether a condition on the options holds with the current settings."""
    if when is None:
        return True
    formula = bind(when, Scope(dict.fromkeys(ruleset.options, VALUE)), place, problems)
    return formula is not None and formula.holds(names_of({}, ruleset.options))


def _choices(option: Option) -> str:
    """Return an option's choices, the current one in bold and the standard marked; a long range in short."""
    if option.choice.is_range and len(option.choice.values) > _MANY:
        standard = "standard" if option.value == option.default else f"standard: {option.default}"
        return f"**{option.value}** ({standard}) of {option.choice.spell()}"
    said = (
        (f"**{item}**" if value == option.value else item) + (" (standard)" if value == option.default else "")
        for value, item in option.spelled()
    )
    return "\N{NO-BREAK SPACE}/ ".join(said)


def options_block(ruleset: RuleSet, block: OptionsBlock) -> Table:
    """Return the table of options: choices with the current setting, effects and sources."""
    options = [option for option in ruleset.options.values() if block.options == "all" or option.owner in ruleset.own]
    rows = [
        tuple(Cell(text) for text in (option.label, _choices(option), option.says, option.provenance.cite_text))
        for option in options
    ]
    heads = (
        Column("Option", share=4),
        Column("Choices", share=4),
        Column("What it does", share=9),
        Column("Source", share=3),
    )
    note = "Bold: as printed here. The sheets can be printed with every other choice too." if options else ""
    return Table(heads, tuple(rows), "Options", dense=True, wordy=True, note=note)
