"""The prices and odds of a game as data for a script of the site.

A grid has the chance for every combination of the inputs that matter. If a procedure begins with a roll to which only
some inputs matter, such as the roll to hit, its grid has two factors: the chance of each result of that roll, and the
chance of success after that result. The sum of their products is the exact chance.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.forces.cards import asked
from generator.forces.designs import given_values
from generator.problems import ProblemsError
from generator.rules.entries.compiled import Compiled
from generator.rules.entries.kinds import Field, Kind, unit_fields
from generator.rules.entries.tables import Table
from generator.rules.formulas.compiler import Formula, compile_formula
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import VALUE, Scope, identifier
from generator.rules.formulas.working import exported
from generator.rules.procedures.sequence import OUTCOME, Program, ResultKey, Roll, needed_rolls, run

if TYPE_CHECKING:
    from generator.forces.force import Force
    from generator.rules.cards.card import Card
    from generator.rules.entries.choices import Choice
    from generator.rules.procedures.procedure import Input, Procedure
    from generator.rules.ruleset import RuleSet


_LINE = (
    "id", "each", "join", "for_n", "when", "points", "subtotal", "figure", "die", "capacity", "systems", "label",
    "unit", "name", "last",
)  # fmt: skip
_LIMIT = ("id", "each", "join", "when", "that", "says", "severity", "blame")
_DUEL = ("says", "each", "join", "let", "when")
"""What a script needs of a line, a limit and a shot."""


def price_data(rules: RuleSet, samples: Iterable[Force]) -> dict[str, Any]:
    """Return what a script needs to price designs as ``generator.forces.pricing`` does, with the sample forces.

    :func:`generator.render.web.to_script` writes it.
    """
    kinds, cards = rules.kinds.values(), rules.cards.values()
    of_kinds = [(kind.let, kind.tallies, kind.capacity, kind.systems, kind.lines, kind.limits) for kind in kinds]
    of_cards = [(card.target, card.aimed_at, card.duels) for card in cards]
    used = {name for formula in _formulas([*of_kinds, *of_cards]) for name in formula.uses}
    return {
        "rules": rules.id,
        "costs": {"line": rules.manifest.costs.line, "total": rules.manifest.costs.total},
        "tables": {
            identifier(table.id): _table(table) for table in rules.tables.values() if identifier(table.id) in used
        },
        "options": {name: option.value for name, option in rules.options.items()},
        "kinds": [kind_data(kind) for kind in kinds],
        "samples": [force_values(force) for force in samples],
    }


def _formulas(part: Any) -> Iterator[Formula]:
    """Yield every formula in nested lists and compiled parts of rules."""
    if isinstance(part, Formula):
        yield part
    elif isinstance(part, Compiled | list | tuple):
        for item in vars(part).values() if isinstance(part, Compiled) else part:
            yield from _formulas(item)


def kind_data(kind: Kind) -> dict[str, Any]:
    """Return a kind as data for a script: its fields, and its formulas as trees (nested lists)."""
    return {
        "id": kind.id,
        "title": kind.title,
        "pays": kind.pays,
        "added": kind.added,
        "fields": [_field(field) for field in kind.fields],
        **_entry(kind, ("let", "tallies")),
        "lines": [_entry(line, _LINE) for line in kind.lines],
        "allowed": _entry(kind, ("capacity", "systems")),
        "limits": [_entry(limit, _LIMIT) for limit in kind.limits],
    }


def _entry(entry: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return the attributes with these names of a compiled part of rules, such as a kind, a line or a shot.

    Formulas are trees. Attributes that are None are left out.
    """
    found = {name: _trees(getattr(entry, name), row=name == "join") for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _trees(value: Any, *, row: bool = False) -> Any:
    """Return a value of an entry with its formulas as trees; ``row`` says that they give rows of tables."""
    if isinstance(value, tuple):
        return [_trees(item, row=row) for item in value]
    return exported(value, row=row) if isinstance(value, Formula) else value


def _field(field: Field) -> dict[str, Any]:
    """Return a field as data for a script; for a list, with the fields of its entries.

    Any other field has its allowed values, their names and a default: the first value if the rules give none.
    """
    data: dict[str, Any] = {"name": field.name, "label": field.label}
    if field.choice is None:
        return data | {"fields": [_field(inner) for inner in field.fields]}
    default = field.choice.values[0] if field.default is None else field.default
    return data | {"values": field.choice.values, "names": _names(field.choice), "default": default}


def _names(choice: Choice) -> dict[str, str]:
    """Return the printed name of each value of a choice that has one, by the value as text (``True`` for yes)."""
    return {str(value): name for value, name in choice.names.items()}


def _table(table: Table) -> dict[str, Any]:
    columns = [column.name for column in table.columns]
    return {"key": table.key, "columns": columns, "rows": [[row[name] for name in columns] for row in table.rows]}


def force_values(force: Force) -> dict[str, Any]:
    """Return the name, budget, designs and units of a force as data for a script.

    Default values are left out. The designs include those of libraries.
    """
    of_units = unit_fields(force.rules.kinds)
    designs = [
        {"design": item.name, "kind": item.kind.id, "values": given_values(item.kind.fields, item.values)}
        for item in force.designs
    ]
    units = [
        {
            "unit": unit.name,
            "values": given_values(of_units, unit.values),
            "of": [{"design": entry.design.name, "count": entry.count} for entry in unit.of],
        }
        for unit in force.units
    ]
    return {"force": force.name, "budget": force.budget, "designs": designs, "units": units}


_PRINTED = frozenset(("title", "label", "says", "names", "force", "design", "unit"))
_FOR_FORMULAS = frozenset(("tables", "options", "values", "inputs", "defaults"))
"""The names of data with texts that pages show, and of data that formulas compare."""


def said_data(data: Any, say: Callable[[str], str], *, shown: bool = False) -> Any:
    """Return a copy of data for a script in which ``say`` has replaced each text that pages show.

    With ``shown``, ``data`` is such a text, or a mapping whose texts are all shown. Otherwise only texts under keys
    such as ``title`` are shown. Texts that are items of a list, and values that formulas compare, are not changed.
    """
    if isinstance(data, list):
        return [said_data(item, say) for item in data]
    if isinstance(data, dict):
        parts = {name: said_data(value, say, shown=shown or name in _PRINTED) for name, value in data.items()}
        return parts | {name: data[name] for name in _FOR_FORMULAS & data.keys()}
    return say(data) if shown and isinstance(data, str) else data


Inputs: TypeAlias = "dict[str, Sequence[Any]]"
"""The values that each input can have."""
OddsCell: TypeAlias = "list[Fraction] | None"
"""The chances of a combination of inputs; None if the rules have no answer."""
Given: TypeAlias = "tuple[str, Any, Mapping[str, Any]]"
"""An input, the formula that gives its value as a tree, and the formulas of the names in it."""
MOST_CELLS = 10_000
"""The most cells of a grid. The script shows no odds for a procedure with more cells."""


def shot_data(rules: RuleSet) -> dict[str, Any]:
    """Return the targets and shots of the cards that have any, and the grids that the shots look up.

    Formulas are trees: nested lists, as :func:`exported` makes them. A grid is None if it has more than ``MOST_CELLS``
    cells.
    """
    cards = [card for card in rules.cards.values() if card.target or card.duels]
    trees: list[Given] = [(name, exported(formula), {}) for card in cards for name, formula in card.target]
    asks: dict[tuple[str, tuple[str, ...]], tuple[Procedure, list[Given]]] = {}
    for duel in (duel for card in cards for duel in card.duels):
        free = _free_inputs(duel)
        own = dict(_trees(duel.join, row=True)) | {name: tree for name, tree in _trees(duel.let) if name not in free}
        for ask in duel.asks:
            _, given = asks.setdefault((ask.procedure.id, ask.chance), (ask.procedure, [*trees]))
            given += [(name, exported(formula), own) for name, formula in ask.inputs]
    grids = [grid(procedure, key[1], _values(procedure, given)) for key, (procedure, given) in asks.items()]
    return {"cards": [_card(card, [*asks]) for card in cards], "grids": grids}


def _card(card: Card, asks: Sequence[tuple[str, tuple[str, ...]]]) -> dict[str, Any]:
    duels = [
        {
            **_entry(duel, _DUEL),
            "label": duel.name,
            "asks": [[asks.index((ask.procedure.id, ask.chance)), _trees(ask.inputs)] for ask in duel.asks],
            "free": {
                name: {"label": item.label, "values": item.choice.values, "names": _names(item.choice)}
                for name, item in _free_inputs(duel).items()
            },
        }
        for duel in card.duels
    ]
    return {**_entry(card, ("kind", "target", "aimed_at")), "duels": duels}


def _free_inputs(duel: Compiled) -> dict[str, Input]:
    """Return the inputs of a shot that a reader of the site may change, such as the range, by name.

    They are the shot's own names that are inputs of its procedures, and that formulas of its other own names read.
    An input of several procedures is that of the first.
    """
    read = {name for _, formula in duel.let for name in formula.names}
    pairs = ((name, ask.procedure.find_input(name)) for name, _ in duel.let for ask in reversed(duel.asks))
    return {name: item for name, item in pairs if name in read and item is not None}


# ---- The values of inputs.


def _values(procedure: Procedure, given: Iterable[Given]) -> Inputs:
    """Return values of each input of a procedure that include all that shots and targets give, in the input's order.

    An input has all its values if a formula may give any value. Inputs that nothing gives are left out.
    """
    found: dict[str, set[Any] | None] = {}
    for name, tree, names in given:
        values, before = _results(tree, names, procedure.names), found.get(name, set())
        found[name] = None if values is None or before is None else before | values
    return {
        item.name: [value for value in item.choice.values if known is None or value in known]
        for item in procedure.inputs
        if (known := found.get(item.name, set())) is None or known
    }


def _results(tree: Any, names: Mapping[str, Any], tables: Mapping[str, Any]) -> set[Any] | None:
    """Return constants and cells that include every result of a formula; None if it is not a choice of these.

    A look-up counts as all cells of its column, whatever its keys are, so some values may never be results. ``tree`` is
    the formula, ``names`` are the trees of names that it may read, and ``tables`` are tables by name.
    """
    match tree:
        case ["if", _, yes, no]:
            some, others = _results(yes, names, tables), _results(no, names, tables)
            return None if some is None or others is None else some | others
        case ["cell", ["get", joined], column] if joined in names:
            return _results(["cell", names[joined], column], {}, tables)
        case ["cell", ["row", table, _], column] if isinstance(tables.get(table), Table):
            return {row[column] for row in tables[table].rows}
        case list():
            return None
        case _:
            return {tree}


# ---- The chances.


def grid(procedure: Procedure, chance: Collection[str], inputs: Inputs) -> dict[str, Any] | None:
    """Return the total chance of the outcomes in ``chance``, for all combinations of inputs, as data for a script.

    ``chance`` has ids, and ``inputs`` has the values that each input can have. None if more than ``MOST_CELLS`` cells
    are needed. The data are the values and defaults of the inputs, two ``factors`` as ``_factor`` makes them, and
    ``odds``: each different chance once, as text such as 77/128. If dividing the chance saves no cells, the first
    factor is always 1.
    """
    results = [name for case in procedure.cases for name in (*case.program.results[OUTCOME].names, *case.times.names)]
    _, read = needed_rolls([roll for case in procedure.cases for roll in case.program.rolls], results)
    all_names = _inputs_among(read, procedure, inputs)
    factors = _factors(procedure, inputs, _count(all_names, inputs))
    names = ([], all_names) if factors is None else (factors.first, factors.then)
    if sum(_count(some, inputs) for some in names) > MOST_CELLS:
        return None
    if factors is None:
        whole = [_cell(procedure, chance, inputs, given) for given in _combinations(all_names, inputs)]
        cells: tuple[Sequence[OddsCell], Sequence[OddsCell]] = [[Fraction(1)]], whole
    else:
        cells = _cells_of_factors(procedure, factors, chance, inputs)
    odds: dict[Fraction, int] = {}
    data = [_factor(factor, cells_of, odds) for factor, cells_of in zip(names, cells, strict=True)]
    defaults = {item.name: item.default for item in procedure.inputs if not item.required}
    return {
        "inputs": inputs,
        "defaults": {name: value for name, value in defaults.items() if name in inputs},
        "factors": data,
        "odds": [str(number) for number in odds],
    }


def _factor(names: Sequence[str], cells: Sequence[OddsCell], odds: dict[Fraction, int]) -> dict[str, Any]:
    """Return a factor: its inputs, its different cells, and the number of the cell of each combination of inputs.

    Cells have numbers for chances; new chances are added to ``odds``. A cell is null without an answer.
    """
    kept: dict[tuple[int, ...] | None, int] = {}
    at = []
    for cell in cells:
        numbers = None if cell is None else tuple([odds.setdefault(chance, len(odds)) for chance in cell])
        at.append(kept.setdefault(numbers, len(kept)))
    return {"names": names, "cells": [*kept], "at": at}


def _cell(procedure: Procedure, chance: Collection[str], inputs: Inputs, given: Mapping[str, Any]) -> OddsCell:
    """Return a list with one chance, that of the outcomes in ``chance`` for the ``given`` inputs.

    Return None without an answer. Inputs that are not given have the first of their values, which must not matter.
    """
    try:
        answer = asked(procedure, {**{name: values[0] for name, values in inputs.items()}, **given})
    except ProblemsError:
        return None
    return None if answer is None else [Fraction(answer.chance(*chance))]


def _count(names: Iterable[str], inputs: Inputs) -> int:
    return prod(len(inputs[name]) for name in names)


def _combinations(names: Sequence[str], inputs: Inputs) -> Iterator[dict[str, Any]]:
    """Yield all combinations of the values of these inputs; the last input changes first."""
    for values in product(*(inputs[name] for name in names)):
        yield dict(zip(names, values, strict=True))


def _inputs_among(names: Iterable[str], procedure: Procedure, inputs: Inputs) -> list[str]:
    """Return, in their order, the ``inputs`` among these names or read by a condition of any case or input."""
    conditions = (*(case.when for case in procedure.cases), *(item.when for item in procedure.inputs))
    read = {*names, *(name for when in conditions if when is not None for name in when.names)}
    return [name for name in inputs if name in read]


class Factors(NamedTuple):
    """A program as two factors: its first rolls, and everything after these rolls."""

    first: list[str]
    """The inputs that matter to the first rolls."""
    rolled: Program
    """The first rolls."""
    result: ResultKey
    """The result of the first rolls: the only result that matters later."""
    then: list[str]
    """The inputs that matter after the first rolls."""
    after: Program


def _factors(procedure: Procedure, inputs: Inputs, most: int) -> Factors | None:
    """Return the factors with the fewest cells for these inputs; None if no factors have fewer cells than ``most``.

    A procedure has factors only if exactly one of its cases rolls, and this case is not repeated.
    """
    rolling = [case for case in procedure.cases if case.program.rolls]
    if len(rolling) != 1 or rolling[0].times.names or rolling[0].times({}) != 1:
        return None
    outcome = rolling[0].program.results[OUTCOME]
    rolls, _ = needed_rolls(rolling[0].program.rolls, outcome.names)
    found = []
    varying: set[str] = set()
    fixed: tuple[Roll, ...] = ()
    for cut, roll in enumerate(rolls, 1):
        if roll.formula is not None and varying.isdisjoint(roll.reads):
            fixed = (*fixed, roll)
            continue
        varying.update(roll.names)
        after, read = needed_rolls((*fixed, *rolls[cut:]), outcome.names)
        name, *others = varying & read
        if not others and name.isidentifier():
            key = "which", name
            first, read_first = needed_rolls(rolls[:cut], [name])
            result = compile_formula(name, Scope({name: VALUE}))
            rolled, rest = Program(first, {key: result}), Program(after, {OUTCOME: outcome})
            then = _inputs_among(read, procedure, inputs)
            found.append(Factors([item for item in inputs if item in read_first], rolled, key, then, rest))
    counts = [_count(item.first, inputs) + _count(item.then, inputs) for item in found]
    return found[counts.index(min(counts))] if counts and min(counts) < most else None


def _cells_of_factors(
    procedure: Procedure, factors: Factors, chance: Collection[str], inputs: Inputs
) -> tuple[Sequence[OddsCell], Sequence[OddsCell]]:
    """Return the cells of the first rolls and the cells of the later rolls, for all combinations of their inputs.

    A first cell holds the chance of each result. A later cell holds the chance of success after each of these results,
    or a single chance if the case makes no roll. Success is an outcome in ``chance``. A cell is None without an answer.
    ``inputs`` has the values of inputs by name; other inputs have their defaults.
    """
    other = {item.name: item.default for item in procedure.inputs if item.name not in inputs}
    known = {**procedure.names, **other}
    rolled = [_rolled(factors, {**known, **given}) for given in _combinations(factors.first, inputs)]
    results = list(dict.fromkeys(result for odds in rolled if odds is not None for result in odds))
    first = [None if odds is None else [odds.get(result, Fraction(0)) for result in results] for odds in rolled]
    combinations = _combinations(factors.then, inputs)
    return first, [_after(procedure, factors, chance, {**known, **given}, results) for given in combinations]


def _rolled(factors: Factors, values: Mapping[str, Any]) -> dict[Any, Fraction] | None:
    """Return the chance of each result of the first rolls of ``factors`` for these inputs; None without an answer."""
    try:
        tally = run(factors.rolled, values)
    except (FormulaUseError, ValueError):
        return None
    return {result: Fraction(weight, tally.total) for result, weight in tally.results[factors.result].items()}


def _after(
    procedure: Procedure, factors: Factors, chance: Collection[str], values: Mapping[str, Any], results: Iterable[Any]
) -> OddsCell:
    """Return a list: the chance of success after each of these results of the first rolls.

    Success is an outcome in ``chance``. If the case makes no roll, the list has a single chance. Return None instead of
    a list if no case fits, or as soon as one of the results has no answer.
    """
    try:
        case = next(case for case in procedure.cases if case.when is None or case.when.holds(values))
        if not case.program.rolls:
            return [Fraction(int(case.program.results[OUTCOME](values) in chance))]
        cell = []
        for result in results:
            tally = run(factors.after, {**values, factors.result[1]: result})
            cell.append(Fraction(sum(tally.results[OUTCOME].get(outcome, 0) for outcome in chance), tally.total))
    except (FormulaUseError, ValueError, StopIteration):
        return None
    return cell
