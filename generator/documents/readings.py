"""Readings and rulings as blocks: what was damaged, unclear or missing, and what this project makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.render.blocks import Cell, Column, Table
from generator.rules.statements import Statement, statements

if TYPE_CHECKING:
    from generator.rules.models.sheet import CountsBlock, ReadingsBlock
    from generator.rules.ruleset import RuleSet

STATUSES = ("plain", "read", "ruled", "erratum", "gap")


def readings_block(ruleset: RuleSet, block: ReadingsBlock) -> Table:
    """A numbered table: neighbours of one subject with one reason share a number."""
    wanted = [
        one
        for one in statements(ruleset, parents=block.parents)
        if one.birth.status in block.readings or (one.birth.support in block.support and one.birth.note)
    ]
    rows = []
    for index, group in enumerate(_groups(wanted), start=1):
        first = group[0]
        keys = "; ".join(one.key for one in group if one.key)
        printed = "; ".join(dict.fromkeys(one.birth.raw for one in group if one.birth.raw))
        values = "; ".join(one.value for one in group)
        rows.append(
            (
                Cell(str(index)),
                Cell(f"**{first.subject}**"),
                Cell(keys),
                Cell(printed, plain=True),
                Cell(values),
                Cell(first.birth.note),
                Cell(first.birth.cite_text),
            )
        )
    heads = ("No.", "Subject", "Which", "Printed", "We use", "Why", "Source")
    shares = (3, 9, 9, 9, 10, 22, 10)
    columns = tuple(Column(head, share=share) for head, share in zip(heads, shares, strict=True))
    return Table(columns, tuple(rows), "Readings and rulings", breakable=True)


def _groups(wanted: list[Statement]) -> list[list[Statement]]:
    groups: list[list[Statement]] = []
    for one in wanted:
        last = groups[-1][0] if groups else None
        same = last and (last.subject, last.birth.status, last.birth.note) == (
            one.subject,
            one.birth.status,
            one.birth.note,
        )
        if same:
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def counts_block(ruleset: RuleSet, block: CountsBlock) -> Table:
    """How many statements of each subject have which status, and of all of them."""
    everything = statements(ruleset, parents=block.parents)
    subjects = dict.fromkeys(one.subject for one in everything)
    rows = [_count(subject, [one for one in everything if one.subject == subject]) for subject in subjects]
    rows.append(_count("All", list(everything)))
    heads = (Column("Subject"), *(Column(status.capitalize(), align="right") for status in STATUSES))
    return Table(heads, tuple(rows), "Statements by status", group_rows=(len(rows) - 1,), breakable=True, dense=True)


def _count(head: str, some: list[Statement]) -> tuple[Cell, ...]:
    counts = [sum(one.birth.status == status for one in some) for status in STATUSES]
    return (Cell(head), *(Cell(str(count) if count else "–") for count in counts))
