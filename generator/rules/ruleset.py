"""A rule set with everything of its parents, layers applied: frozen, ready to be asked and printed."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.kinds import Owner
from generator.rules.entries.namespace import Namespace
from generator.rules.formulas.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.rules.cards.card import Card
    from generator.rules.entries.choices import Option
    from generator.rules.entries.errata import Erratum
    from generator.rules.entries.kinds import Kind
    from generator.rules.entries.tables import Table
    from generator.rules.model.base import Ref
    from generator.rules.model.manifest import Manifest, Source
    from generator.rules.model.sheet import SheetModel
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.source.library import Folder
    from generator.rules.source.parts import Layer, Place


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

    def namespace(self) -> Namespace:
        """Return the tables and options that formulas may name."""
        return Namespace(self.tables, self.options, self.scope)

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
        """Return whether several layers have a sheet of this name, so that its layer is printed with it."""
        return any(item.model.sheet == sheet.model.sheet and item is not sheet for item in self.sheets.values())

    def as_printed_on(self, sheet: Sheet) -> RuleSet:
        """What its own is on a sheet: a layer with a sheet of the same name speaks there for itself."""
        elsewhere = {item.owner for item in self.sheets.values() if item.model.sheet == sheet.model.sheet}
        return self._replace(own=self.own - elsewhere | (self.own & {sheet.owner}))


class Reference(NamedTuple):
    """A name in the data, and where it stands."""

    ref: Ref
    word: Any
    place: Place
    around: tuple[Any, ...]
    """The models around it, from the inside out; last the ``Owner``, for an entry of a kind, a card or a sheet."""
    key: str = ""
    """The key in front of it, for a value in a mapping."""

    @property
    def holder(self) -> Any:
        """What the field ``of`` says: the table of a column, the procedure of an input."""
        return next((held for model in self.around if (held := getattr(model, self.ref.of, None)) is not None), None)

    @property
    def owner(self) -> Owner:
        """The kind, card or sheet that it stands in."""
        return next(item for item in self.around if isinstance(item, Owner))
