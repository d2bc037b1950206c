"""A loaded rule set with everything from its parents, after the changes of layers."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.compiled import Compiled, Namespace
from generator.rules.formulas.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.problems import Problem
    from generator.rules.cards.card import Card
    from generator.rules.entries.choices import Option
    from generator.rules.entries.kinds import Kind
    from generator.rules.entries.tables import Row, Table
    from generator.rules.model.base import Ref
    from generator.rules.model.manifest import Manifest, Source
    from generator.rules.model.sheet import SectionModel, SheetModel
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.source.library import Folder
    from generator.rules.source.parts import Layer, Place


class Sheet(NamedTuple):
    """A sheet with its owner: the rule set that wrote the sheet, or the layer that changed the sheet last."""

    model: SheetModel
    owner: str
    place: Place

    def sections(self) -> Iterator[tuple[SectionModel, Place]]:
        """Yield the sections with their places."""
        for r, row in enumerate(self.model.rows):
            for c, column in enumerate(row.columns):
                for s, section in enumerate(column):
                    yield section, self.place / "rows" / r / "columns" / c / s


class RuleSet(NamedTuple):
    """A rule set as players use it, perhaps with only the parts that were needed. Mappings are by id.

    Tables, kinds, procedures and cards are in alphabetical order of ids, with those of parents among them. Sheets are,
    too, but play sheets come first. Options and sources of parents come before those of their layers.
    """

    id: str
    """The id of the rule set; for a combination, the ids of its layers joined by ``+``."""
    manifest: Manifest
    chain: tuple[Folder, ...]
    """The folders of its rule sets, parents first, its own last."""
    manifests: Mapping[str, Manifest] = MappingProxyType({})
    sources: Mapping[str, Source] = MappingProxyType({})
    tables: Mapping[str, Table] = MappingProxyType({})
    kinds: Mapping[str, Kind] = MappingProxyType({})
    procedures: Mapping[str, Procedure] = MappingProxyType({})
    sheets: Mapping[str, Sheet] = MappingProxyType({})
    """The sheets by id, or by ``layer/id`` if several layers have a sheet of that id."""
    cards: Mapping[str, Card] = MappingProxyType({})
    """The cards by the kind that each card is for."""
    layers: tuple[Layer, ...] = ()
    options: Mapping[str, Option] = MappingProxyType({})
    errata: tuple[Compiled, ...] = ()
    own: frozenset[str] = frozenset()
    """The ids of the rule sets whose entries count as its own: itself, or the layers that a combination names."""
    references: tuple[Reference, ...] = ()
    """References that can be looked up only when the whole rule set is checked."""
    replaced: Mapping[str, str] = MappingProxyType({})
    """The replaced procedures of parents, each with the id of the procedure that answers instead."""
    scope: Scope = Scope()
    """The names of tables and options for formulas."""

    def procedure(self, name: str) -> Procedure | None:
        """Return the procedure that answers for this id: a layer's procedure may replace it. None if there is none."""
        return self.procedures.get(self.replaced.get(name, name))

    def rows(self, table: str) -> tuple[Row, ...]:
        """Return the rows of a table; empty if there is no such table."""
        return self.tables[table].rows if table in self.tables else ()

    def concerns(self, name: str) -> Sequence[str]:
        """Return the parts of a force that a procedure or a table is about; empty if it is about every force.

        A part is written as under ``concerns`` in rule data, such as ``vehicle.sam``. For any other name, such as a
        kind, return only the name itself. A procedure goes before a table of the same id.
        """
        if (procedure := self.procedure(name)) is not None:
            return procedure.model.concerns
        return self.tables[name].concerns if name in self.tables else (name,)

    def namespace(self, problems: list[Problem]) -> Namespace:
        """Return the tables and options that formulas may name, for a compiler, which adds problems to ``problems``."""
        return Namespace(self.tables, self.options, self.scope, problems)

    def own_sheets(self) -> tuple[Sheet, ...]:
        """Return the printed sheets that this rule set, or a layer of the combination, wrote or was last to change."""
        return tuple(sheet for sheet in self.printed_sheets() if sheet.owner in self.own)

    def printed_sheets(self) -> tuple[Sheet, ...]:
        """Return the sheets that are printed with the rules: all except those for the designs of a kind."""
        return tuple(sheet for sheet in self.sheets.values() if sheet.model.of is None)

    def sheets_of_kinds(self) -> tuple[Sheet, ...]:
        """Return the sheets that are printed with a force, once for each design of their kind."""
        return tuple(sheet for sheet in self.sheets.values() if sheet.model.of is not None)

    def names_of(self, sheet: Sheet) -> tuple[str, ...]:
        """Return the names by which a user may choose a sheet: its id, and layer/id if several layers have that id."""
        name = sheet.model.sheet
        return (name, f"{sheet.owner}/{name}") if self.is_one_of_several(sheet) else (name,)

    def is_one_of_several(self, sheet: Sheet) -> bool:
        """Return whether several layers have a sheet of this sheet's id, so that the layer is printed with it."""
        return any(item.model.sheet == sheet.model.sheet and item is not sheet for item in self.sheets.values())

    def as_printed_on(self, sheet: Sheet) -> RuleSet:
        """Return the rule set for printing one sheet: layers with another sheet of its id are taken out of ``own``.

        The layer that owns the sheet stays.
        """
        elsewhere = {item.owner for item in self.sheets.values() if item.model.sheet == sheet.model.sheet}
        return self._replace(own=self.own - elsewhere | (self.own & {sheet.owner}))


class Reference(NamedTuple):
    """A name in the data that refers to an entry, with its place."""

    ref: Ref
    word: Any
    place: Place
    around: tuple[Any, ...]
    """The models around it, from the inside out; for an entry of a kind, card or sheet its kind comes last."""
    key: str = ""
    """The key of the value, if it is in a mapping."""

    @property
    def holder(self) -> Any:
        """The name of the thing that the reference is part of: the table of a column, the procedure of an input.

        None if no model around the reference names it.
        """
        return next((name for model in self.around if (name := getattr(model, self.ref.of, None)) is not None), None)

    @property
    def kind(self) -> Any:
        """The model of the kind of a reference in a kind, in its card, or in a sheet about its designs.

        Do not use it for other references: they have no kind.
        """
        return self.around[-1]
