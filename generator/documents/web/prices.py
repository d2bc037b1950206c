"""The prices of a game as data for a script: tables, kinds with their formulas as trees, and sample forces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.forces.writing import given_values
from generator.rules.entries.kinds import Field, Kind, unit_fields
from generator.rules.formulas.compiler import Formula
from generator.rules.formulas.scope import identifier
from generator.rules.formulas.tree import exported

if TYPE_CHECKING:
    from generator.forces.force import Force
    from generator.rules.cards.card import Card
    from generator.rules.entries.compiled import Compiled
    from generator.rules.entries.tables import Table
    from generator.rules.ruleset import RuleSet

_LINE = ("when", "points", "subtotal", "figure", "die", "capacity", "systems")
"""The formulas of a line."""


def price_data(rules: RuleSet, samples: Iterable[Force]) -> dict[str, Any]:
    """Return what a script needs to price designs as ``generator.forces.pricing`` does, with the sample forces.

    All of it can be written as JSON. Raises FormulaUseError for a formula that cannot be exported.
    """
    kinds = [kind_data(kind) for kind in rules.kinds.values()]
    of_kinds = (formula for kind in rules.kinds.values() for formula in _formulas(kind))
    of_cards = (formula for card in rules.cards.values() for formula in _formulas_of_card(card))
    used = {name for formula in (*of_kinds, *of_cards) for name in formula.uses}
    return {
        "rules": rules.id,
        "costs": {"line": rules.manifest.costs.line, "total": rules.manifest.costs.total},
        "tables": {
            identifier(table.id): _table(table) for table in rules.tables.values() if identifier(table.id) in used
        },
        "options": {name: plain(option.value) for name, option in rules.options.items()},
        "kinds": kinds,
        "samples": [force_values(force) for force in samples],
    }


def _formulas(kind: Kind) -> Iterator[Formula]:
    """Yield every formula that the price of a kind can compute."""
    yield from (formula for _, formula in (*kind.let, *kind.tallies))
    yield from (formula for formula in (kind.capacity, kind.systems) if formula is not None)
    for entry in (*kind.lines, *kind.limits):
        yield from (formula for _, formula in entry.join)
        ends = getattr(entry, "for_n", None) or ()
        yield from (item for item in (*vars(entry).values(), *ends) if isinstance(item, Formula))


def _formulas_of_card(card: Card) -> Iterator[Formula]:
    """Yield the formulas of a card's target and shots."""
    of_asks = (item for duel in card.duels for ask in duel.asks for item in ask.inputs)
    of_duels = (item for duel in card.duels for item in (*duel.join, *duel.let, ("", duel.when)))
    named = (*card.target, ("", card.aimed_at), *of_asks, *of_duels)
    yield from (formula for _, formula in named if formula is not None)


def kind_data(kind: Kind) -> dict[str, Any]:
    """Return a kind as data for a script: its fields, and its formulas as trees (nested lists).

    Raises FormulaUseError for a formula that cannot be exported.
    """
    allowed = {"capacity": kind.capacity, "systems": kind.systems}
    return {
        "id": kind.id,
        "title": kind.title,
        "pays": kind.pays,
        "added": kind.added,
        "fields": [_field(field) for field in kind.fields],
        "let": named_trees(kind.let),
        "tallies": named_trees(kind.tallies),
        "lines": [_line(line) for line in kind.lines],
        "allowed": {name: exported(formula) for name, formula in allowed.items() if formula is not None},
        "limits": [
            _entry(limit, ("when", "that")) | {"says": limit.says, "severity": limit.severity, "blame": limit.blame}
            for limit in kind.limits
        ],
    }


def named_trees(formulas: Iterable[tuple[str, Formula]]) -> list[tuple[str, Any]]:
    """Return each formula, after its name, as a tree: nested lists, as :func:`exported` makes them."""
    return [(name, exported(formula)) for name, formula in formulas]


def _entry(entry: Compiled, names: Iterable[str]) -> dict[str, Any]:
    """Return the values that lines and limits share, with the formulas of these names as trees."""
    trees = {name: exported(formula) for name in names if (formula := getattr(entry, name)) is not None}
    join = [(name, exported(formula, row=True)) for name, formula in entry.join]
    return {"id": entry.id, "each": entry.each, "join": join, **trees}


def _line(line: Compiled) -> dict[str, Any]:
    data = _entry(line, _LINE) | {"label": line.label, "unit": line.unit, "last": line.last}
    if line.name:
        data["name"] = line.name
    if line.for_n:
        data["for_n"] = [exported(end) for end in line.for_n]
    return data


def _field(field: Field) -> dict[str, Any]:
    """Return a field with its allowed values, or a list with the fields of its entries."""
    data: dict[str, Any] = {"name": field.name, "label": field.label}
    if field.choice is None:
        return data | {"fields": [_field(inner) for inner in field.fields]}
    names = {str(value): name for value, name in field.choice.names.items()}
    default = field.choice.values[0] if field.default is None else field.default
    return data | {"values": plain(field.choice.values), "names": names, "default": plain(default)}


def _table(table: Table) -> dict[str, Any]:
    columns = [column.name for column in table.columns]
    rows = [[plain(row[name]) for name in columns] for row in table.rows]
    return {"key": table.key, "columns": columns, "rows": rows}


def force_values(force: Force) -> dict[str, Any]:
    """Return a force as data for a script, as its file gives it: values that are defaults are left out."""
    of_units = unit_fields(force.rules.kinds)
    designs = [
        {"design": item.name, "kind": item.kind.id, "values": plain(given_values(item.kind.fields, item.values))}
        for item in force.designs
    ]
    units = [
        {
            "unit": unit.name,
            "values": plain(given_values(of_units, unit.values)),
            "of": [{"design": entry.design.name, "count": entry.count} for entry in unit.of],
        }
        for unit in force.units
    ]
    return {"force": force.name, "budget": force.budget, "designs": designs, "units": units}


def plain(value: Any) -> Any:
    """Return a value for JSON: a fraction as an exact text under "/", several dice as a text, no decimal numbers.

    >>> plain((Fraction(3, 2), 4, None, True))
    [{'/': '3/2'}, 4, None, True]
    """
    match value:
        case None | bool() | int() | str():
            return value
        case Fraction():
            return {"/": str(value)}
        case tuple() | list():
            return [plain(item) for item in value]
        case Mapping():
            return {name: plain(item) for name, item in value.items()}
        case _:
            return str(value)
