"""What the rules say of battles: kinds of terrain, ways of moving, special rules. All of it stands in their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.rules.block_checks import Checker
from generator.rules.choices import spell_value
from generator.scenarios.scenario import Counted, Mover, SpecialRule, Terrain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generator.forces.force import Design, Force
    from generator.problems import Problem
    from generator.rules.ruleset import RuleSet
    from generator.rules.tables import Column, Row, Table

TERRAIN, MOVERS, SPECIAL = "terrain", "movers", "special-rules"
"""The tables of the folder ``scenario`` that a scenario leans on."""


def terrains(rules: RuleSet) -> dict[str, Terrain]:
    """Every kind of terrain, by id."""
    table = rules.tables.get(TERRAIN)
    if table is None:
        return {}
    things = [(column, rules.tables[column.listed]) for column in table.columns if _is_a_thing(column, rules)]
    return {one.id: one for one in (_terrain(table, row, things) for row in table.rows)}


def _is_a_thing(column: Column, rules: RuleSet) -> bool:
    """Whether each of its cells is one thing of another table."""
    return column.type == "word" and column.listed in rules.tables


def _counted(column: Column, listed: Table, value: Any) -> Counted:
    """What a cell says; the first row of a table is what is so where nothing is said."""
    return Counted(
        column.label, listed.names().get(value, ""), bool(listed.rows) and value == listed.rows[0][listed.key[0]]
    )


def _terrain(table: Table, row: Row, things: Sequence[tuple[Column, Table]]) -> Terrain:
    key = str(row[table.key[0]])
    given = row.values
    return Terrain(
        key,
        str(row[table.name or table.key[0]]),
        str(given.get("drawn") or ""),
        str(given.get("sight") or ""),
        tuple(_counted(column, listed, given.get(column.name)) for column, listed in things),
        tuple(given.get("stops") or ()),
        tuple(given.get("over") or ()),
        tuple(given.get("frees") or ()),
        row.birth,
    )


def anything(known: Mapping[str, Terrain]) -> Terrain | None:
    """What stands for a kind that nobody knows: it stops nobody, is in nobody's way and leads through everything."""
    every = tuple(known)
    return next((one._replace(id="", name="", stops=(), over=every, frees=every) for one in known.values()), None)


def special_rules(rules: RuleSet) -> dict[str, SpecialRule]:
    """Every special rule that a scenario may name, by id."""
    table = rules.tables.get(SPECIAL)
    found = {}
    for row in table.rows if table is not None else ():
        key = str(row["rule"])
        given = row.values
        name, says = str(given.get("name") or key), str(given.get("says") or "")
        found[key] = SpecialRule(
            key,
            name,
            says,
            str(given.get("procedure") or ""),
            tuple(given.get("sets_aside") or ()),
            last if isinstance(last := given.get("last_turns"), int) else 0,
        )
    return found


def check_special_rules(ground: RuleSet, rules: RuleSet, problems: list[Problem]) -> None:
    """R231: what a special rule leans on or sets aside is not there. ``ground`` has its table, ``rules`` the others."""
    table = ground.tables.get(SPECIAL)
    for row in table.rows if table is not None else ():
        checker = Checker(rules, row.place, problems)
        if asked := row.values.get("procedure"):
            checker.known(str(asked), [*rules.procedures, *rules.replaced], "a procedure", "procedure")
        for index, name in enumerate(row.values.get("sets_aside") or ()):
            known = [*rules.procedures, *rules.replaced, *rules.tables, *rules.kinds]
            checker.known(name, known, "a procedure, a table or a kind", "sets_aside", index)


def movers_of(force: Force, rules: RuleSet) -> tuple[Mover, ...]:
    """How what a force fields moves over the ground, in the order of the rules; nothing that flies or stands still."""
    table = rules.tables.get(MOVERS)
    if table is None:
        return ()
    fielded = {entry.design.name for unit in force.units for entry in unit.of}
    designs = [one for one in force.designs if one.name in fielded or not force.units]
    moving = [row for row in table.rows if any(_moves(row.values, design) for design in designs)]
    return tuple(Mover(str(row["mover"]), str(row.values.get("name") or row["mover"])) for row in moving)


def _moves(row: Mapping[str, Any], design: Design) -> bool:
    """Whether a design moves in this way: it is of such a kind, and its field has such a value."""
    if design.kind.id not in row["kinds"]:
        return False
    field = row.get("field")
    value = design.values.get(field) if field else None
    return not field or (value is not None and spell_value(value) in (row.get("values") or ()))


def named(wanted: str, known: Mapping[str, Any]) -> Any:
    """What is meant by an id or by a printed name; None where nothing is."""
    word = wanted.strip().lower()
    return next((one for key, one in known.items() if word in (key.lower(), one.name.lower())), None)
