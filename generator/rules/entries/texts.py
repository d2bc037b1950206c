"""Which texts a value may be: what formulas that compare it are checked with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.rules.formulas.scope import Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generator.rules.entries.tables import Column, Table

_NEVER = {
    "int": "a number",
    "number": "a number",
    "die": "a number of sides",
    "target": "a number",
    "yes_no": "yes or no",
    "span": "from and to",
}
"""The types of columns that hold no text, and what they hold."""
_MANY = 12
"""The most words of a table that a message lists."""


def words_of_columns(table: Table, tables: Mapping[str, Table]) -> dict[str, Words]:
    """The texts that may stand in each column, where they are known."""
    found = {column.name: _words(column, table, tables) for column in table.columns}
    return {name: words for name, words in found.items() if words is not None}


def words_of_keys(table: Table) -> tuple[Words, ...]:
    """Return the texts in each key column: no row is found by another one."""
    return tuple(_words_in(table, column) for column in map(table.column, table.key))


def _words(column: Column, table: Table, tables: Mapping[str, Table]) -> Words | None:
    """Return None where any text may stand here: a missing figure may become anything."""
    if column.type in _NEVER:
        return Words(spelled=_NEVER[column.type], truth=column.type == "yes_no")
    listed = column.type == "words"
    if column.of:
        return Words(frozenset(column.of), ", ".join(column.of), listed)
    if column.listed:
        others = [tables[text] for text in column.listed if text in tables]
        known = [word for other in others for word in (*other.names(), *other.gone(other.key[0]))]
        return _told(_texts(known), listed=listed) if len(others) == len(column.listed) else None
    return None if any(row[column.name] is None for row in table.rows) else _words_in(table, column)


def _words_in(table: Table, column: Column) -> Words:
    """The texts that stand in a column, with those that a layer took away."""
    if column.type in _NEVER:
        return Words(spelled=_NEVER[column.type])
    cells = (row[column.name] for row in table.rows)
    here = [item for cell in cells for item in (cell if isinstance(cell, tuple) else (cell,))]
    return _told(_texts((*here, *table.gone(column.name))), listed=column.type == "words")


def _texts(values: Iterable[Any]) -> frozenset[str]:
    return frozenset(value for value in values if isinstance(value, str))


def _told(texts: frozenset[str], *, listed: bool) -> Words:
    words = sorted(texts)
    return Words(texts, ", ".join(words[:_MANY]) + (", ..." if len(words) > _MANY else ""), listed)
