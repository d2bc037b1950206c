"""The texts that a value in a table can be. Formulas that compare the value are checked with them."""

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
"""The column types that hold no text, each with a description of what it holds."""
_MANY = 12
"""How many words of a table a message lists at most."""


def words_of_columns(table: Table, tables: Mapping[str, Table]) -> dict[str, Words]:
    """Return the texts that each column can hold, for the columns whose texts are known."""
    by_column = {column.name: _words(column, table, tables) for column in table.columns}
    return {name: words for name, words in by_column.items() if words is not None}


def words_of_keys(table: Table) -> tuple[Words, ...]:
    """Return the texts in each key column; a look-up by any other text finds no row."""
    return tuple(_words_in(table, column) for column in map(table.column, table.key))


def _words(column: Column, table: Table, tables: Mapping[str, Table]) -> Words | None:
    """Return the texts that a column can hold; None if it can hold any text, as in a column with a missing value."""
    if column.type in _NEVER:
        return Words(spelled=_NEVER[column.type], truth=column.type == "yes_no")
    listed = column.type == "words"
    if column.of:
        return Words(frozenset(column.of), ", ".join(column.of), listed)
    if column.listed:
        others = [tables[text] for text in column.listed if text in tables]
        known = [word for other in others for word in (*other.names(), *other.former(other.key[0]))]
        return _as_words(_texts(known), listed=listed) if len(others) == len(column.listed) else None
    return None if any(row[column.name] is None for row in table.rows) else _words_in(table, column)


def _words_in(table: Table, column: Column) -> Words:
    """Return the texts in a column, and the texts that a layer removed from it."""
    if column.type in _NEVER:
        return Words(spelled=_NEVER[column.type])
    cells = (row[column.name] for row in table.rows)
    here = [item for cell in cells for item in (cell if isinstance(cell, tuple) else (cell,))]
    return _as_words(_texts((*here, *table.former(column.name))), listed=column.type == "words")


def _texts(values: Iterable[Any]) -> frozenset[str]:
    return frozenset(value for value in values if isinstance(value, str))


def _as_words(texts: frozenset[str], *, listed: bool) -> Words:
    """Return the texts with a short list of them for messages."""
    words = sorted(texts)
    return Words(texts, ", ".join(words[:_MANY]) + (", ..." if len(words) > _MANY else ""), listed)
