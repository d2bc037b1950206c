"""What a rule set says of itself: readings, sources, errata, limits, and options with the conditions on them."""

from __future__ import annotations

from itertools import count, groupby
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from generator.documents.blocks.tables import table_of
from generator.documents.words import NOTES, NOTHING, date, ended
from generator.render.blocks import Cell, Prose, Table
from generator.rules.describe.browse import Statement, statements
from generator.rules.entries.compiled import bind, values_of_options
from generator.rules.formulas.scope import VALUE, FormulaText, Scope
from generator.rules.model.base import Block, Id, Ref, Seq, Status, Support

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from generator.documents.blocks.composition import Composition
    from generator.problems import Problem
    from generator.rules.entries.choices import Option
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place

_SHORT = 36
"""The most characters of a value that may share an entry of the list with different values."""
_MANY = 4
"""The most rows whose keys an entry names, if the data gives their common value in short."""


class ReadingsBlock(Block):
    """Every statement of the rule set (and its parents, if wanted) with one of these statuses.

    In a combination of layers, their own statements are listed; a layer with a sheet of the same name lists its own.
    """

    keyword = "readings"
    lists_everything = True

    readings: Annotated[Seq[Status], Field(min_length=1)]
    """Statements with one of these statuses."""
    support: Seq[Support] = ()
    """Statements with one of these degrees of support and a note are listed, too."""
    parents: bool = True
    """Whether the parents’ statements are listed too."""

    def statuses(self) -> tuple[Status, ...]:
        """Return the statuses under ``readings``: statements with one of them are listed."""
        return self.readings

    def compose(self, context: Composition) -> tuple[Prose | Table, ...]:
        """Return the legend and the table of readings, as ``readings_block`` does; empty if there are no readings."""
        return readings_block(context.ruleset, self)


class SourcesBlock(Block):
    """The documents that the statements cite."""

    keyword = "sources"

    sources: Literal["cited"]
    """The documents to list: those cited."""
    parents: bool = True
    """Whether documents that the parents cite are listed too."""

    def compose(self, context: Composition) -> Table:
        """Return a table of the documents that statements cite: the short name, then title, author and date.

        Without ``parents``, only documents that the rule set's own statements cite are listed.
        """
        cited = {
            cite.source
            for statement in statements(context.ruleset, parents=self.parents)
            for cite in statement.provenance.cite
        }
        rows = [
            (f"**{source.short}**", ", ".join(filter(None, (source.title, source.author, date(source.date)))))
            for key, source in context.ruleset.sources.items()
            if key in cited
        ]
        return table_of("sources", rows)


class ErrataBlock(Block):
    """The examples that break their own rule: the rule set's own, or its parents' too."""

    keyword = "errata"
    lists_everything = True

    errata: Literal["own", "all"]
    """The rule set’s own, or all with its parents’."""

    def compose(self, context: Composition) -> Table:
        """Return the table of examples that break their own rule.

        With ``errata: own`` they are those of the rule set itself, with ``errata: all`` also those of its parents.

        A row has the title, the printed and the correct result, the arithmetic, a note and sources.
        """
        errata = [item for item in context.ruleset.errata if self.errata == "all" or item.owner in context.ruleset.own]
        rows = (
            (f"**{item.title}**", item.printed, item.holds, item.working or NOTHING, source.note, source.cite_text)
            for item, source in ((item, item.provenance) for item in errata)
        )
        return table_of("errata", rows)


class LimitsBlock(Block):
    """The limits of a kind's designs, with their sources."""

    keyword = "limits"

    limits: Annotated[Id, Ref("kind")]
    """The kind."""

    def compose(self, context: Composition) -> Table:
        """Return the table of limits. Limits with the same text share a row, which has the sources of the first."""
        kind = context.ruleset.kinds[self.limits]
        first = {limit.says: limit for limit in reversed(kind.limits)}
        rows = (
            (f"*Advice:* {limit.says}" if limit.severity == "advice" else limit.says, limit.provenance.cite_text)
            for limit in kind.limits
            if first[limit.says] is limit
        )
        return table_of("limits", rows, caption=f"Limits: {kind.title}")


def readings_block(
    ruleset: RuleSet, block: ReadingsBlock, subjects: Collection[str] | None = None
) -> tuple[Prose | Table, ...]:
    """Return a legend and a table of the statements that the block lists; empty if there are none.

    Neighbouring statements with the same subject, status, note and sources share a row. If one of two has a long
    value, they share a row only if their values are equal. With ``subjects``, only statements with one of these
    subjects are listed. Gaps that the players filled are listed, too, as the players' own figures.
    """
    everything = statements(ruleset, parents=block.parents)
    rows: list[tuple[Cell, ...]] = []
    headings: list[int] = []
    number = count(1)
    listed = _by_subject(everything, block, subjects)
    for subject, groups in listed:
        if len(groups) > 1:
            headings.append(len(rows))
            rows.append((Cell(""), Cell(f"**{subject}**", span=2)))
        rows += [_row(next(number), group, headed=len(groups) > 1) for group in groups]
    marks = {_mark(group[0]) for _, groups in listed for group in groups}
    legend = " ".join(f"{{{status}}} {meaning}" for status, meaning in NOTES["marks"].items() if status in marks)
    follows = tuple(index + 1 for index in headings)
    table = table_of("readings", rows, group_rows=tuple(headings), follows=follows)
    return (Prose((legend,)), table) if rows else ()


def reading_numbers(ruleset: RuleSet) -> dict[int, str]:
    """Return the number of each statement in the list of readings, by the Python ``id()`` of its provenance.

    A number is a text such as ``R3``. Statements that share an entry of the list have the same number. Empty unless
    the sheets of the rule set have exactly one such list: a combination of layers may have several.
    """
    blocks = ((sheet, block) for sheet in ruleset.sheets.values() for block in sheet.model.blocks())
    lists = [(sheet, block) for sheet, block in blocks if isinstance(block, ReadingsBlock)]
    if len(lists) != 1:
        return {}
    sheet, block = lists[0]
    listed = _by_subject(statements(ruleset.as_printed_on(sheet), parents=block.parents), block)
    numbered = enumerate((group for _, groups in listed for group in groups), 1)
    return {id(item.provenance): f"R{number}" for number, group in numbered for item in group}


def _by_subject(
    everything: Iterable[Statement], block: ReadingsBlock, subjects: Collection[str] | None = None
) -> list[tuple[str, list[list[Statement]]]]:
    """Return the subjects with their entries; an entry has neighbouring listed statements with the same ``_reason``.

    Statements with one of the block's statuses are listed, and those with a note and one of its degrees of support.
    Players' own figures are listed, too. A subject comes again if listed statements of another lie between its own.
    Subjects with a single entry come first; otherwise the order of ``everything`` is kept. ``subjects`` limits the
    result to these subjects.
    """

    def is_listed(statement: Statement) -> bool:
        source = statement.provenance
        wanted = source.status in (*block.readings, "yours") or (source.support in block.support and source.note != "")
        return wanted and (subjects is None or statement.subject in subjects)

    listed = filter(is_listed, everything)
    found = [
        (subject, [list(group) for _, group in groupby(some, key=_reason)])
        for subject, some in groupby(listed, key=lambda statement: statement.subject)
    ]
    # Subjects with a single row have no heading, so they come before all headings.
    return sorted(found, key=lambda item: len(item[1]) > 1)


def _reason(statement: Statement) -> tuple[str, ...]:
    """Return the key by which neighbouring statements are grouped into an entry of the list.

    It is what an entry prints once: subject, status, note and sources, and the value if it is long.
    """
    alone, source = statement.value if len(statement.value) > _SHORT else "", statement.provenance
    return statement.subject, source.status, source.note, source.cite_text, alone


def _mark(statement: Statement) -> str:
    """Return the mark that is printed before a statement: its status, with two exceptions.

    A plain statement has the mark ``ruled``. A statement restored from damaged print has the mark ``erratum``.
    """
    status = statement.provenance.status
    return {"plain": "ruled", "read": "erratum"}.get(status, status)


def _row(number: int, group: list[Statement], *, headed: bool) -> tuple[Cell, ...]:
    """Return the cells of the row of a group of statements: its ``number`` in the list, its text and its sources.

    With ``headed``, the subject is a heading above the row.
    """
    provenance = group[0].provenance
    values = list(dict.fromkeys(statement.value for statement in group if statement.value))
    same = len(values) < 2  # noqa: PLR2004 - several values have their keys beside them
    many = bool(provenance.used) and len(group) > _MANY
    keys = "" if many or not same else ", ".join(statement.key for statement in group if statement.key)
    keys = f"{group[0].label} {keys}".strip() if keys else ""
    subjects = [] if headed else [group[0].subject]
    question = ": ".join([*subjects, keys] if keys else subjects)
    answer = "".join(values) if same else " · ".join(f"{item.key}: {item.value}" for item in group)
    raw = "; ".join(dict.fromkeys(statement.provenance.raw for statement in group if statement.provenance.raw))
    printed = f"Printed “{raw}”." if raw and raw not in provenance.note else ""
    answer = f"**{ended(answer)}**" if answer else ""
    texts = (f"{{{_mark(group[0])}}}", f"*{question}:*" if question else "", answer, provenance.note, printed)
    return Cell(f"R{number}"), Cell(" ".join(filter(None, texts))), Cell(provenance.cite_text)


_LISTED = 8
"""Most numbers that are listed one by one."""


class OptionsBlock(Block):
    """The options, with their effects and settings: the rule set's own, or its parents' too."""

    keyword = "options"

    options: Literal["own", "all"]
    """The rule set’s own, or all with its parents’."""

    def compose(self, context: Composition) -> Table:
        """Return the table of options: those of the rule set itself; with ``options: all``, its parents', too.

        A row has the name, the choices with the current choice in bold, the effects and the sources.
        """
        rules = context.ruleset
        options = [option for option in rules.options.values() if self.options == "all" or option.owner in rules.own]
        rows = ((item.label, _choices(item), item.says, item.provenance.cite_text) for item in options)
        note = "Bold: the choice used on these sheets." if options else ""
        return table_of("options", rows, note=note)


def holds(ruleset: RuleSet, when: FormulaText | None, place: Place, problems: list[Problem]) -> bool:
    """Return whether a condition on the options holds with the current settings; True without a condition.

    A condition that cannot be compiled does not hold, and its problem is added. Raises FormulaUseError if the condition
    has no answer.
    """
    if when is None:
        return True
    formula = bind(when, Scope(dict.fromkeys(ruleset.options, VALUE)), place, problems)
    return formula is not None and formula.holds(values_of_options(ruleset.options))


def _choices(option: Option) -> str:
    """Return an option's choices as a text, the current choice in bold and the standard marked.

    Of a long range, only these two choices and the range are in the text.
    """
    if option.choice.is_range and len(option.choice.values) > _LISTED:
        standard = "standard" if option.value == option.default else f"standard: {option.default}"
        return f"**{option.value}** ({standard}) of {option.choice.spell()}"
    said = (
        (f"**{item}**" if value == option.value else item) + (" (standard)" if value == option.default else "")
        for value, item in option.spelled()
    )
    return "\N{NO-BREAK SPACE}/ ".join(said)
