"""What the blocks of a sheet are composed from: their context, and the parts of forces that are in play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import Field, every_field, kinds_of_designs
from generator.rules.model.base import ANY_KIND

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from generator.forces.force import Design, Force
    from generator.problems import Problem
    from generator.rules.entries.tables import Row, Table
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place


class Composition(NamedTuple):
    """What a block of a sheet is composed from: the rule set, the block's place in the data, the list of problems."""

    ruleset: RuleSet
    place: Place
    problems: list[Problem]
    design: Design | None = None
    """The design that the sheet is about, on a sheet of a kind."""
    large: bool = False
    """Whether tables have the larger type of play sheets."""
    numbers: Mapping[int, str] | None = None
    """The numbers of rulings, shown in tables without notes, by the ``id`` of the row's provenance."""


class InPlay:
    """What some forces have. Sheets leave out what concerns none of these forces.

    Parts are spelled as under ``concerns`` in rule data, such as ``vehicle.sam`` or ``weapon-types=SLAM``.
    """

    def __init__(self, rules: RuleSet, forces: Iterable[Force], parts: Iterable[str] = ()) -> None:
        """Collect the parts of all designs, and the rows of tables that the designs choose or that chosen rows name.

        ``parts`` are further parts in play, such as special rules of a battle.
        """
        self._tables = rules.tables
        self._parts = set(parts)
        fields = [field for kind in kinds_of_designs(rules.kinds).values() for _, field in every_field(kind.fields)]
        choices = [field.choice for field in fields if field.choice is not None]
        self._chosen: dict[str, set[Any]] = {table: set() for choice in choices for table in choice.tables}
        """For each table from which designs may choose: the keys of the rows that are chosen."""
        for design in (design for force in forces for design in force.designs):
            self._parts.add(design.kind.id)
            self._add(design.kind.fields, design.values, (design.kind.id, ANY_KIND))

    def has(self, concerns: Collection[str]) -> bool:
        """Return whether one of the parts in ``concerns`` is in play; True if ``concerns`` is empty."""
        return not concerns or not self._parts.isdisjoint(concerns)

    def has_row(self, table: Table, row: Row) -> bool:
        """Return whether a row concerns a force. A row without ``concerns`` does if designs chose all of its keys.

        Numbers count as chosen, and so do words that designs cannot choose.
        """
        if row.concerns:
            return self.has(row.concerns)
        return all(self._has_key(table, name, row[name]) for name in table.key)

    def _has_key(self, table: Table, name: str, key: Any) -> bool:
        """Return whether a key concerns a force; a row of the table has this key in its key column ``name``.

        A word concerns a force if a design chose it. A word counts as chosen if no table that lists such words has it,
        or if designs never choose from a table that has it. A number always counts: rules shift designs along a scale.
        """
        if not isinstance(key, str):
            return True
        lists = (table.id,) if name == table.key[0] and table.id in self._chosen else table.column(name).listed
        holders = [item for item in lists if item in self._tables and key in self._tables[item].names()]
        return not holders or any(item not in self._chosen or key in self._chosen[item] for item in holders)

    def _add(self, fields: Sequence[Field], values: Mapping[str, Any], before: Sequence[str]) -> None:
        """Add the rows that values name, and the parts for each field whose value is not its default.

        Each text in ``before`` gives a part such as ``vehicle.size``. A field with a single value also gives a part
        such as ``vehicle.size=3``. The fields of list entries are added in the same way.
        """
        for field in fields:
            value, names = values.get(field.name), [f"{name}.{field.name}" for name in before]
            if value is not None and value not in (field.default, ()):
                self._parts.update(
                    names, () if field.choice is None else (f"{name}={spell_value(value)}" for name in names)
                )
            if field.choice is not None:
                self._choose_row(field.choice.tables, value)
            else:
                for entry in value or ():
                    self._add(field.fields, entry, names)

    def _choose_row(self, tables: Sequence[str], key: Any) -> None:
        """Add the row with this key in each table that has one, all rows that it names, and the parts of these rows."""
        for table in (self._tables[item] for item in tables if item in self._tables):
            chosen = self._chosen.setdefault(table.id, set())
            if key in chosen or key not in table.names():
                continue
            chosen.add(key)
            self._parts.update((table.id, f"{table.id}={key}"))
            row = table.find((key,))
            for column in table.columns:
                if isinstance(cell := row[column.name], str):
                    self._parts.update((f"{table.id}.{column.name}", f"{table.id}.{column.name}={cell}"))
                    self._choose_row(column.listed, cell)
