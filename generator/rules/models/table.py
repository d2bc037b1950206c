"""``tables/<id>.yaml``: a canonical table with typed columns and cited rows."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from generator.rules.models.base import Certificate, Id, Model, Name, Range, Seq

ColumnType: TypeAlias = Literal["int", "number", "die", "word", "text", "yes_no", "span", "words"]


class ColumnModel(Model):
    """One column: its type, what it may hold, and its head in print."""

    type: ColumnType
    label: str
    unit: str = ""
    optional: bool = False
    """Whether a row may leave it out (or say null)."""
    of: Seq[str] = ()
    """The words allowed here."""
    from_: Annotated[Id | None, Field(alias="from")] = None
    """The table whose first key column lists the words or numbers allowed here."""
    range: Range | None = None
    signed: bool = False
    """Whether print puts a plus before what is above nothing, as modifiers need."""


class TableModel(Certificate):
    """A table as written. Its certificate holds for each row that says nothing else."""

    table: Id
    title: str
    says: str = ""
    key: Annotated[Seq[Name], Field(min_length=1)]
    name: Name | None = None
    """The column that holds a row's printed name, where the key is a short word."""
    columns: Annotated[dict[Name, ColumnModel], Field(min_length=1)]
    rows: Seq[dict[str, Any]] = ()
