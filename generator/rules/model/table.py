"""``tables/<id>.yaml`` and ``missions/<id>.yaml``: tables with cited rows, and missions, which are rows of tables."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from generator.rules.model.base import Certificate, Concerning, Id, Name, Range, Ref, Seq, TableIds, several

ColumnType: TypeAlias = Literal["int", "number", "die", "word", "text", "yes_no", "span", "words", "target"]


class ColumnModel(Concerning):
    """A column: its type, its allowed values, and its printed head."""

    type: ColumnType
    """The type of its cells: a word is for formulas, a text for readers, a span is 3 or "2..6", words are a list.

    A die is D2 to D1000, or up to 40 equal dice such as 2D6. A target is 4 or 4+: it prints as 4+ and computes as 4.
    """
    label: str
    """Its head in print."""
    unit: str = ""
    """Printed beside the label."""
    optional: bool = False
    """Whether a row may leave it out or set it to null."""
    of: Seq[str] = ()
    """The words or texts allowed here. In a key column a layer may add rows with others."""
    from_: Annotated[TableIds | None, Field(alias="from")] = None
    """A table whose first key column lists the words or numbers allowed here, or several such tables."""
    free: bool = False
    """Set to true: a column of words that may hold any word. The first key column needs no such mark."""
    range: Range | None = None
    """The numbers allowed here. A single key column must have a row for each of them."""
    signed: bool = False
    """Whether numbers from 0 up are printed with a plus, as for modifiers."""

    @property
    def listed(self) -> tuple[str, ...]:
        """The ids of the tables under ``from``, which also give the printed names of the words; may be empty."""
        return several(self.from_)

    @property
    def bounds(self) -> tuple[int, ...]:
        """The least and the greatest allowed number; empty without a range."""
        return tuple(map(int, self.range.split(".."))) if self.range else ()


class TableRowModel(Certificate, Concerning):
    """The keys of a row that are not columns."""


class TableModel(Certificate, Concerning):
    """A table as written. Its certificate holds for each row without a certificate of its own."""

    table: Id
    """Its id: the name of its file."""
    title: str
    """Its printed name."""
    says: str = ""
    """A sentence about it."""
    key: Annotated[Seq[Annotated[Name, Ref("own column")]], Field(min_length=1)]
    """The columns by which a row is found; no two rows have the same values in them."""
    name: Annotated[Name, Ref("own column")] | None = None
    """The column that holds a row's printed name, if the key is a short word."""
    columns: Annotated[dict[Name, ColumnModel], Field(min_length=1)]
    """The columns, in printed order."""
    rows: Seq[dict[str, Any]] = ()
    """The rows: a value for each column, any key of a certificate, and ``concerns``."""


Rows: TypeAlias = Seq[dict[str, Any]]
"""Rows of a table, without the columns for the mission and the number."""


class MissionModel(Certificate):
    """A mission as written: a row of the table ``missions``, and rows of the tables about its parts.

    Its certificate holds for each row without a certificate of its own.
    """

    mission: Id
    """Its id: the name of its file."""
    order: Annotated[int, Field(ge=1, le=999)] = 999
    """Its place among the missions of its rule set; missions with the same place are in the order of their ids."""
    name: str
    """Its printed name."""
    weight: int
    """How often it comes up, against the weights of the others."""
    attacker: int
    """The attacker’s part of the ratio of strengths."""
    defender: int
    """The defender’s part of the ratio of strengths."""
    turns: int | str
    """The length of the battle, from..to."""
    mobile: bool | Literal["yes", "no"]
    """Whether both sides move."""
    deployments: Seq[str]
    """The deployments that fit it."""
    attack_needs: Seq[str] = ()
    """The arms that the attacker needs."""
    defence_needs: Seq[str] = ()
    """The arms that the defender needs."""
    needs: Seq[str] = ()
    """Kinds of terrain: the mission is not fought without them."""
    special: Seq[str] = ()
    """The special rules that it brings."""
    title: str
    """The title of a battle with this mission."""
    says: str
    """What it is about, in a few words."""
    situation: str
    """The text for everybody."""
    attack: str
    """The text for the attacker."""
    defence: str
    """The text for the defender."""
    goals: Rows = ()
    """Its objectives: rows of the table ``goals``."""
    awards: Rows = ()
    """What else scores: rows of the table ``awards``."""
    pieces: Rows = ()
    """What stands or happens on the map: rows of the table ``fixtures``."""
    events: Rows = ()
    """What comes or happens in a turn: rows of the table ``arrivals``."""
