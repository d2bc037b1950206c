"""A rule set with everything of its parents, layers applied: frozen, ready to be asked and printed."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from generator.rules.formulas.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.rules.cards import Card
    from generator.rules.changes import Layer
    from generator.rules.errata import Erratum
    from generator.rules.kinds import Kind
    from generator.rules.library import Folder
    from generator.rules.models.manifest import Manifest, Source
    from generator.rules.models.sheet import SheetModel
    from generator.rules.options import Option
    from generator.rules.places import Place
    from generator.rules.procedures import Procedure
    from generator.rules.references import Reference
    from generator.rules.tables import Table


class Sheet(NamedTuple):
    """A sheet as described in data."""

    model: SheetModel
    owner: str
    place: Place


class RuleSet(NamedTuple):
    """One rule set as players use it. Mappings go by id, parents' things first."""

    id: str
    manifest: Manifest
    chain: tuple[Folder, ...]
    """Every rule set it is made of, parents first, itself last."""
    manifests: Mapping[str, Manifest]
    sources: Mapping[str, Source]
    tables: Mapping[str, Table]
    kinds: Mapping[str, Kind]
    procedures: Mapping[str, Procedure]
    sheets: Mapping[str, Sheet]
    cards: Mapping[str, Card]
    """By the kind that each is for."""
    layers: tuple[Layer, ...]
    options: Mapping[str, Option]
    errata: tuple[Erratum, ...]
    used: frozenset[str]
    """The tables that a kind, a procedure or another table leans on, as formulas spell them."""
    own: frozenset[str]
    """Whose things are its own: the rule set itself, or the layers that a combination names."""
    references: tuple[Reference, ...] = ()
    """The names that only the whole rule set has: to be looked up when it is checked."""
    replaced: Mapping[str, str] = MappingProxyType({})
    """The procedures of parents that do not answer here, and the id of what answers for each."""
    scope: Scope = Scope()
    """The tables and options as formulas name them."""

    def procedure(self, name: str) -> Procedure | None:
        """The procedure of this id, or what replaces it."""
        return self.procedures.get(self.replaced.get(name, name))

    def own_sheets(self) -> tuple[Sheet, ...]:
        """The sheets that this rule set itself brings, or the layers of a combination; those of a kind apart."""
        return tuple(sheet for sheet in self.printed_sheets() if sheet.owner in self.own)

    def printed_sheets(self) -> tuple[Sheet, ...]:
        """The sheets that are printed with the rules."""
        return tuple(sheet for sheet in self.sheets.values() if sheet.model.of is None)

    def sheets_of_kinds(self) -> tuple[Sheet, ...]:
        """The sheets that are printed with a force, once for each design of their kind."""
        return tuple(sheet for sheet in self.sheets.values() if sheet.model.of is not None)

    def names_of(self, sheet: Sheet) -> tuple[str, ...]:
        """What a sheet is called: its id, and with its layer where layers beside each other have one of that id."""
        name = sheet.model.sheet
        return (name, f"{sheet.owner}/{name}") if self.is_one_of_several(sheet) else (name,)

    def is_one_of_several(self, sheet: Sheet) -> bool:
        """Whether layers beside each other bring sheets of this one's name, so that each is told by its layer."""
        return any(one.model.sheet == sheet.model.sheet and one is not sheet for one in self.sheets.values())

    def as_printed_on(self, sheet: Sheet) -> RuleSet:
        """What its own is on a sheet: a layer with a sheet of the same name speaks there for itself."""
        elsewhere = {one.owner for one in self.sheets.values() if one.model.sheet == sheet.model.sheet}
        return self._replace(own=self.own - elsewhere | (self.own & {sheet.owner}))
