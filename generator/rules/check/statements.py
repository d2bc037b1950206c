"""List the statements of a rule set with their provenance, for appendices and checks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.tables import Column, Row, Table, listed_names, written
from generator.rules.formulas.working import spell as exact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from generator.rules.entries.compiled import Compiled
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Provenance


_FILLED = re.compile(r"[,:×/ ]*\{[^{}]*\}[×/ ]*")
_ROOM = re.compile(r" +(?=[ ,:])")
"""Spaces that are left over where a place was removed."""


class Statement(NamedTuple):
    """A statement of the rules: a row of a table, a procedure or step, a kind, line or limit, an option, an erratum."""

    owner: str
    """The id of the rule set that makes the statement."""
    subject: str
    """The printed title of the table, procedure or kind."""
    key: str
    """The printed name of the row, line or limit."""
    value: str
    """The content in short; empty if the note says everything."""
    provenance: Provenance
    label: str = ""
    """The head of the key column, if the key is a number."""


def statements(ruleset: RuleSet, *, parents: bool = True) -> tuple[Statement, ...]:
    """Return all statements in the order of the data; without ``parents``, only those of ``ruleset.own``."""
    return tuple(
        statement._replace(value=statement.provenance.used) if statement.provenance.used else statement
        for statement in _all(ruleset)
        if parents or statement.owner in ruleset.own
    )


def _all(ruleset: RuleSet) -> Iterator[Statement]:
    """Yield the statements of tables, procedures, kinds, options and errata."""
    for table in ruleset.tables.values():
        for row in table.rows:
            owner = next((change.layer for change in reversed(row.changes) if change.layer), table.owner)
            value = row_value(table, row, ruleset.tables)
            label = key.label if (key := table.column(table.key[0])).type == "int" and not table.name else ""
            yield Statement(owner, table.title, row_key(table, row), value, row.provenance, label)
    for procedure in ruleset.procedures.values():
        yield Statement(procedure.owner, procedure.title, "", "", procedure.provenance)
        for step in procedure.steps:
            if step.provenance is not None:
                yield Statement(step.owner, procedure.title, "", step.says, step.provenance)
    for kind in ruleset.kinds.values():
        yield Statement(kind.owner, kind.title, "", "", kind.provenance)
        for line in kind.lines:
            if line.origin == kind.id:
                yield Statement(line.owner, kind.title, line_name(line), "", line.provenance)
        for limit in kind.limits:
            if limit.origin == kind.id:
                name = limit.id.replace("-", " ").capitalize()
                yield Statement(limit.owner, kind.title, name, limit.says, limit.provenance)
    for option in ruleset.options.values():
        default = option.choice.names.get(option.default, str(option.default))
        yield Statement(option.owner, "Option", option.label, f"Standard: {default}", option.provenance)
    for erratum in ruleset.errata:
        text = f"{erratum.holds}, not {erratum.printed}"
        yield Statement(erratum.owner, "Example", erratum.title, text, erratum.provenance)


def row_key(table: Table, row: Row) -> str:
    """Return the key of a row as text, with the printed name instead of the first key if the table has one."""
    name_column = _name_column(table)
    names = [str(row[name_column])] if name_column else []
    keys = table.key[1:] if name_column else table.key
    return ", ".join([*names, *(spell(table, row, key) for key in keys)])


def row_value(table: Table, row: Row, tables: Mapping[str, Table] | None = None) -> str:
    """Return the values of a row without its key as text; several values have their column heads.

    Words that no table lists are left out if there are other columns. ``tables`` give the printed names of the words
    that they list.
    """
    hidden = {*table.key, _name_column(table)}
    columns = [column for column in table.columns if column.name not in hidden]
    if any(column.type != "word" or column.listed for column in columns):
        # Words that no table lists, such as outcomes, are only for formulas.
        columns = [column for column in columns if column.type != "word" or column.listed]
    filled = [column for column in columns if row[column.name] is not None]
    values = [_listed(table, row, column, tables or {}) for column in filled]
    if len(columns) < 2:  # noqa: PLR2004 - one value needs no head
        return "".join(values) or ("" if row.provenance.status == "gap" else "none")
    alone = len(filled) == 1
    return ", ".join(
        value if column.type == "yes_no" or (alone and column.type == "text") else f"{column.label} {value}"
        for column, value in zip(filled, values, strict=True)
    )


def _name_column(table: Table) -> str | None:
    """Return the column of printed names; None if there is none, or if the first key is a range of rolls."""
    return None if table.column(table.key[0]).type == "span" else table.name


def _listed(table: Table, row: Row, column: Column, tables: Mapping[str, Table]) -> str:
    """Return the printed name of a value if a table lists it, else the value as text."""
    return listed_names(tables, column.listed, printed=True).get(row[column.name]) or spell(table, row, column.name)


def _figure(value: int | Fraction, *, signed: bool) -> str:
    """Return a number as text with a real minus sign, as a decimal if it is short.

    >>> from fractions import Fraction
    >>> _figure(Fraction(3, 10), signed=False), _figure(-3, signed=False), _figure(3, signed=True)
    ('0.3', '−3', '+3')
    """
    text = exact(-value if value < 0 else value)
    return f"−{text}" if value < 0 else f"+{text}" if signed else text


def line_name(line: Compiled) -> str:
    """Return the label of a line (a step of a price) without the places that a design fills, such as ``{size}``.

    If nothing is left, return the id of the line as words.

    >>> from types import SimpleNamespace
    >>> [line_name(SimpleNamespace(id="x", label=label)) for label in ("SAM, {sam}", "Stealth, {n} × level")]
    ['SAM', 'Stealth level']
    """
    return _ROOM.sub("", _FILLED.sub(" ", line.label)).strip(" ,:") or line.id.replace("-", " ").capitalize()


def spell(table: Table, row: Row, name: str) -> str:
    """Return one value of a row as plain text: a die as D8, a span as "2 to 6", no value as "none".

    Yes and no become the head of the column, or the head after "not". Raises KeyError for an unknown column.
    """
    value: Any = row[name]
    if value is None:
        return "none"
    match table.column(name).type:
        case "die" | "target":
            return written(value, table.column(name).type)
        case "span":
            return str(value[0]) if value[0] == value[1] else f"{value[0]} to {value[1]}"
        case "yes_no":
            label = table.column(name).label.lower()
            return label if value else f"not {label}"
        case "words":
            return " ".join(value)
        case "int" | "number":
            return _figure(value, signed=table.column(name).signed)
        case _:
            return str(value)
