"""Readings and rulings: tables of damaged, unclear or missing statements and of how this project reads them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from generator.documents.words import NOTHING, date
from generator.render.blocks import Cell, Column, Table
from generator.rules.check.statements import Statement, statements
from generator.rules.model.base import Id, Ref, Seq, Status, Support
from generator.rules.model.block import Block

if TYPE_CHECKING:
    from collections.abc import Collection

    from generator.documents.blocks.composition import Composition
    from generator.rules.ruleset import RuleSet

_ISO = re.compile(r"\d{4}(-\d{2}-\d{2})?$")

_SPARSE = 0.2
"""Share of rows that must quote the print for a column "Printed"."""
_SHORT = 36
"""Characters up to which the values of several rows share a cell."""
_MANY = 4
"""Most keys that one statement names."""
_SHARES = {"No.": 3, "Statement": 15, "Printed": 8, "We use": 19, "Why": 24, "Source": 14}


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
        """Return the statuses that are listed."""
        return self.readings

    def compose(self, context: Composition) -> Table:
        """Return the table of readings."""
        return readings_block(context.ruleset, self)


class SourcesBlock(Block):
    """The documents that the statements cite."""

    keyword = "sources"

    sources: Literal["cited"]
    """The documents to list: those cited."""
    parents: bool = True
    """Whether documents that the parents cite are listed too."""

    def compose(self, context: Composition) -> Table:
        """Return the table of cited documents with their short names."""
        cited = {
            cite.source
            for statement in statements(context.ruleset, parents=self.parents)
            for cite in statement.provenance.cite
        }
        rows = []
        for key, source in context.ruleset.sources.items():
            if key in cited:
                said = ", ".join(part for part in (source.title, source.author, _when(source.date)) if part)
                rows.append((Cell(f"**{source.short}**"), Cell(said)))
        return Table((Column("Cited as", share=3), Column("Document", share=6)), tuple(rows), "Sources", dense=True)


class ErrataBlock(Block):
    """The examples that break their own rule: the rule set's own, or its parents' too."""

    keyword = "errata"
    lists_everything = True

    errata: Literal["own", "all"]
    """The rule set’s own, or all with its parents’."""

    def compose(self, context: Composition) -> Table:
        """Return the table of examples that break their own rule: printed and correct results, and arithmetic."""
        rows = []
        for erratum in context.ruleset.errata:
            if self.errata == "all" or erratum.owner in context.ruleset.own:
                texts = (
                    f"**{erratum.title}**",
                    erratum.printed,
                    erratum.holds,
                    erratum.working or NOTHING,
                    erratum.provenance.note,
                )
                rows.append((*map(Cell, texts), Cell(erratum.provenance.cite_text)))
        shares = {"Example": 5, "Printed": 4, "Correct": 4, "By the rule": 6, "What goes wrong": 10, "Source": 4}
        heads = tuple(Column(head, share=share) for head, share in shares.items())
        return Table(heads, tuple(rows), "Errata", dense=True, breakable=True, wordy=True)


class LimitsBlock(Block):
    """The limits of a kind's designs, with their sources."""

    keyword = "limits"

    limits: Annotated[Id, Ref("kind")]
    """The kind."""

    def compose(self, context: Composition) -> Table:
        """Return the table of limits. A rule that several limits enforce, such as for missiles, is in it once."""
        rows = []
        said: set[str] = set()
        for limit in context.ruleset.kinds[self.limits].limits:
            if limit.says in said:
                continue
            said.add(limit.says)
            advice = "*Advice:* " if limit.severity == "advice" else ""
            rows.append((Cell(f"{advice}{limit.says}"), Cell(limit.provenance.cite_text)))
        heads = (Column("What a design must keep", share=3), Column("Source", share=1))
        title = f"Limits: {context.ruleset.kinds[self.limits].title}"
        return Table(heads, tuple(rows), title, head_first=False, breakable=True, dense=True)


def readings_block(ruleset: RuleSet, block: ReadingsBlock, subjects: Collection[str] | None = None) -> Table:
    """Return the numbered table of statements; neighbours with the same subject and reason share a number.

    ``subjects`` limits the table to these subjects. Gaps that the players filled are always listed, as theirs.
    """
    everything = statements(ruleset, parents=block.parents)
    sizes = {subject: len(list(some)) for subject, some in groupby(everything, key=lambda statement: statement.subject)}
    statuses = {*block.readings, "yours"}
    wanted = [
        statement
        for statement in everything
        if (
            statement.provenance.status in statuses
            or (statement.provenance.support in block.support and statement.provenance.note)
        )
        and (subjects is None or statement.subject in subjects)
    ]
    groups = [list(some) for _, some in groupby(wanted, key=_reason)]
    raw = sum(1 for group in groups if any(item.provenance.raw for item in group))
    heads = [head for head in _SHARES if head != "Printed" or raw > len(groups) * _SPARSE]
    rows = []
    for number, group in enumerate(groups, start=1):
        cells = _cells(number, group, whole=len(group) == sizes[group[0].subject] > 1)
        printed = cells["Printed"].text
        if "Printed" not in heads and printed and printed not in cells["Why"].text:
            cells["Why"] = Cell(f"{cells['Why'].text} Printed “{printed}”.".strip())
        if not cells["We use"].text:  # the note is enough
            cells["Why"] = replace(cells["Why"], span=2)
        rows.append(tuple(cells[head] for head in heads if head != "We use" or cells[head].text))
    columns = tuple(Column(head, share=_SHARES[head]) for head in heads)
    return Table(columns, tuple(rows), "Readings and rulings", head_first=False, breakable=True, dense=True, wordy=True)


def read_of(ruleset: RuleSet) -> list[str]:
    """Return the subjects with statements of the status "read"."""
    return list(
        dict.fromkeys(
            statement.subject
            for statement in statements(ruleset, parents=True)
            if statement.provenance.status == "read"
        )
    )


def _reason(statement: Statement) -> tuple[str, ...]:
    """Return the key by which neighbouring statements share a number."""
    alone = statement.value if len(statement.value) > _SHORT else ""
    return (
        statement.subject,
        statement.provenance.status,
        statement.provenance.note,
        statement.provenance.cite_text,
        alone,
    )


def _cells(number: int, group: list[Statement], *, whole: bool) -> dict[str, Cell]:
    """Return the cells of a group of statements, by column."""
    provenance = group[0].provenance
    values = list(dict.fromkeys(statement.value for statement in group))
    same = len(values) == 1
    many = bool(provenance.used) and len(group) > _MANY
    keys = "" if many or (whole and not same) else ", ".join(statement.key for statement in group if statement.key)
    status = f"{{{provenance.status}}} " if provenance.status != "plain" else ""
    return {
        "No.": Cell(str(number)),
        "Statement": Cell(
            f"{status}**{group[0].subject}**" + (f": {keys}" if keys and (same or len(group) == 1) else "")
        ),
        "Printed": Cell(
            "; ".join(dict.fromkeys(statement.provenance.raw for statement in group if statement.provenance.raw)),
            plain=True,
        ),
        "We use": Cell(values[0] if same else " · ".join(f"{statement.key}: {statement.value}" for statement in group)),
        "Why": Cell(provenance.note),
        "Source": Cell(provenance.cite_text),
    }


def _when(written: str) -> str:
    return date(written) if _ISO.match(written) else written
