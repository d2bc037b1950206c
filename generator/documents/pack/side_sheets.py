"""The sheets of the sides and of the umpire, and sections that the table sheet shares with them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import compress, product
from typing import TYPE_CHECKING

from generator.documents.force.rosters import counted, designs_table, unit_word, units_table
from generator.documents.pack.battle import (
    ENDS,
    battle_sheet,
    began,
    comes_on,
    deployment,
    of_side,
    pairs,
    reaching,
    set_pieces,
    shown_pieces,
    skies,
    slug,
    victory,
    words,
)
from generator.documents.pack.maps import battlefield
from generator.documents.words import NOTHING, ended, percent, points, tint, within
from generator.render.blocks import Cell, Column, Figure, Prose, Row, Section, Sheet, Steps, Strip, Table
from generator.render.language import Phrase
from generator.render.type.prose import breakable
from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import unit_fields
from generator.rules.procedures.answers import answer
from generator.rules.procedures.inputs import complete_one
from generator.scenarios.check import inches

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from fractions import Fraction

    from generator.problems import Problem
    from generator.rules.procedures.procedure import Procedure
    from generator.scenarios.scenario import Scenario, Side

_MOST_CASES = 12
"""Most rows of the odds of a special rule."""
_MOST_OUTCOMES = 5
_SMALL, _LARGE = 84.0, 190.0
"""Least height of a map below other content, and greatest height, in millimetres."""
_TURN = re.compile(r"[^.]*\bturns? (\d+)[^.]*\.?")
"""A sentence that names a turn."""
_ABREAST = 3
"""Most sides whose strengths are shown side by side in big figures."""


def side_sheet(scenario: Scenario, side: Side, fingerprint: str) -> Sheet:
    """Return a side's sheet: orders, units, deployment and aims on its front, its secrets and its map on its back."""
    rows = (
        words("Your orders", side.briefing),
        _units(side),
        deployment(scenario, side.name),
        victory(scenario, side),
        *_secret_rows(scenario, side),
    )
    strap = f"{scenario.name}. {scenario.mission}" if scenario.mission else scenario.name
    name, kicker = slug(scenario, side), ("orders", "for this side alone")
    return battle_sheet(scenario, name, side.name, strap, kicker, rows, fingerprint)


def umpire_sheet(scenario: Scenario, fingerprint: str) -> Sheet:
    """Return the umpire's sheet: orders, all secrets and events.

    The special rules, zones and score are on the table sheet, which the umpire also has.
    """
    everyone = tuple(side.name for side in scenario.sides)
    for_sides = [
        [
            words(f"{side.name}: orders", side.briefing),
            words(f"{side.name}: secrets", side.secret),
            _unit_list(scenario, side),
        ]
        for side in scenario.sides
    ]
    columns = tuple(filter(None, (tuple(filter(None, sections)) for sections in for_sides)))
    known_events = events(scenario, (*everyone, ""))  # only the umpire knows secrets of no side
    hidden = any(piece.secret for _, piece in shown_pieces(scenario, everyone))
    pieces = set_pieces(scenario, everyone) if hidden else None
    rows = (
        words("For the umpire alone", scenario.umpire),
        Row(columns, loose=True) if columns else None,
        known_events,
        pieces,
        _unplaced(scenario, everyone),
        _map(scenario, everyone, "The table with all that is hidden") if hidden else None,
    )
    strap, kicker = f"{scenario.name}: the rules and the score are in 1-table", ("umpire", "keep apart")
    return battle_sheet(scenario, "umpire", "For the umpire", strap, kicker, rows, fingerprint, flows=True)


def facts(scenario: Scenario) -> Strip:
    """Return the battle's table size, turns and strengths as big figures; a dash for a figure that is not known.

    Strengths are points, or units if a side has no points.
    """
    table = scenario.table
    forces = [side.force for side in scenario.sides]
    totals = [force.total or 0 if force is not None else 0 for force in forces]
    strength = [len(force.units) if force is not None else 0 for force in forces]
    figures = [
        Figure(f"{inches(table.wide)} × {inches(table.deep)}" if table is not None else NOTHING, "table"),
        Figure(str(scenario.turns) if scenario.turns else NOTHING, "turns"),
        _versus(totals, "points") if all(totals) else _versus(strength, "units"),
    ]
    return Strip(tuple(figures))


def _versus(each: Sequence[Fraction | int], what: str) -> Figure:
    """Return the strengths of the sides as a big figure.

    For more than three sides, the figure shows only the lowest and the highest strength.
    """
    if len(each) <= _ABREAST:
        return Figure(" : ".join(points(item) if item else NOTHING for item in each), what)
    return Figure("–".join(points(item) for item in sorted({min(each), max(each)})), f"{what} a side")


def sides_section(scenario: Scenario) -> Section:
    """Return the section on the sides: a table of their forces, units and points; a dash for what is not known."""
    paid = any(side.force is not None and side.force.total for side in scenario.sides)
    named = any(side.force is not None and side.force.name != side.name for side in scenario.sides)
    shown = (True, named, True, paid)
    rows = []
    for side in scenario.sides:
        force = side.force
        name = force.name if force is not None and force.name != side.name else NOTHING
        units = str(len(force.units)) if force is not None else NOTHING
        total = points(force.total) if force is not None and force.total else NOTHING
        cells = Cell(side.name, plain=True, strong=True), Cell(name, plain=True), Cell(units), Cell(total)
        rows.append(tuple(compress(cells, shown)))
    heads = (
        Column("Side", share=5),
        Column("Force", share=10),
        Column("Units", align="right", share=3),
        Column("Cost", align="right", share=3),
    )
    table = scenario.table
    size = f"{inches(table.wide)} × {inches(table.deep)}" if table is not None else ""
    said = (size, f"{scenario.turns} turns" if scenario.turns else "", ", ".join(skies(scenario)))
    fielded = Table(tuple(compress(heads, shown)), tuple(rows), "The sides", dense=True)
    return Section("Who fights", (fielded,), aside=" · ".join(filter(None, said)))


def events(scenario: Scenario, knowing: Sequence[str]) -> Section | None:
    """Return a section with the events by turn that everybody or the ``knowing`` sides know; None without events.

    An empty name among the ``knowing`` sides stands for secrets of no side, which the umpire knows.
    """
    found = [(entry.turn, comes_on(scenario, entry), entry.note) for entry in scenario.entries]
    found += [
        (piece.turn, of_side(piece.side, piece.name), piece.note)
        for piece in scenario.set_pieces
        if piece.turn is not None and (not piece.secret or piece.side in knowing)
    ]
    if scenario.rolls:
        found += _written(scenario)
    found += [(turn, began(name), "") for turn, name in scenario.late]
    if scenario.turns:
        found.append((scenario.turns, ENDS, ""))
    return _by_turn("In which turn", found)


def _written(scenario: Scenario) -> Iterator[tuple[int, str, str]]:
    """Yield the turn, the sentence and an empty note for each sentence of a rolled text that names a turn.

    A sentence is left out if a set piece arrives in this turn.
    """
    listed = {piece.turn for piece in scenario.set_pieces}
    texts = [*(("", text) for text in scenario.situation), *((rule.name, rule.says) for rule in scenario.special)]
    texts += [(side.name, text) for side in scenario.sides for text in (*side.briefing, *side.secret)]
    for owner, text in texts:
        for found in _TURN.finditer(text):
            if int(found[1]) not in listed:
                yield int(found[1]), of_side(owner, found[0].strip()), ""


def _by_turn(title: str, found: Iterable[tuple[int, str, str]]) -> Section | None:
    """Return a section with events in the order of their turns; None without events.

    Each of ``found`` is a turn, what happens, and a note.
    """
    by_turn = sorted(found, key=lambda item: item[0])
    rows = ((str(turn), Phrase.joined(" ", (ended(said), note))) for turn, said, note in by_turn)
    heads = (Column("Turn", share=1), Column("What happens", share=8))
    return pairs(title, Table(heads, (), "Events by turn", dense=True), rows)


def _unit_list(scenario: Scenario, side: Side) -> Section | None:
    """Return a side's units, each with a line to write where or in which turn it begins; None without units."""
    grade = next((field for field in unit_fields(scenario.rules.kinds) if field.choice is not None), None)
    rows = []
    for unit in side.force.units if side.force is not None else ():
        of = [*map(counted, unit.of)]
        of += [within(unit_word(grade, unit))] if grade is not None else []
        made = ", ".join(said for said in of if said not in (breakable(unit.name), NOTHING))
        rows.append((Cell(unit.name, plain=True, strong=True), Cell(made, plain=True), Cell("", blank=True)))
    heads = (Column("Unit", share=8), Column("Made up of", share=13), Column("Begins", share=4))
    table = Table(heads, tuple(rows), Phrase("Units of {side}", side=side.name), dense=True, breakable=True)
    return Section("", (table,)) if rows else None


def _units(side: Side) -> Section:
    force = side.force
    if force is None:
        return Section("Your units", (Prose(("Your force could not be read.",)),))
    title, table = ("units", units_table) if force.units else ("designs", designs_table)
    aside = force.name if force.name != side.name else ""
    return Section(f"Your {title}", (replace(table(force, pays=False), dense=False),), aside)


def _secret_rows(scenario: Scenario, side: Side) -> Iterator[Row]:
    """Yield the secrets of a side, which begin on a new page, and a map to write on."""
    told = words("You alone know", side.secret)
    pieces = set_pieces(scenario, (side.name,))
    own = (piece for piece in scenario.set_pieces if piece.secret and piece.side == side.name and piece.is_event)
    events = ((piece.turn, piece.name, piece.note) for piece in own if piece.turn is not None)
    timed = _by_turn("In which turn, as you alone know", events)
    plan = _map(scenario, (side.name,), "Your map", "write on it where your units are")
    sections = (told, timed, pieces, _unplaced(scenario, (side.name,)), plan)
    for index, section in enumerate(filter(None, sections)):
        yield Row(((section,),), new_page=index == 0)


def _map(scenario: Scenario, knowing: Sequence[str], title: str, aside: str = "") -> Section | None:
    """Return a section with the map that the ``knowing`` sides see; None for a draft without a table."""
    if scenario.table is None:
        return None
    plan = replace(battlefield(scenario, scenario.table, knowing), least=_SMALL, highest=_LARGE)
    return Section(title, (plan,), aside)


def _unplaced(scenario: Scenario, knowing: Sequence[str]) -> Section | None:
    """Return the set pieces and events without a place, each with a line to write the place on.

    None if every piece of the ``knowing`` sides has a place.
    """
    found = [
        piece for piece in scenario.set_pieces if piece.at is None and piece.side in knowing and not piece.is_event
    ]
    rows = tuple(
        (
            Cell(piece.name, plain=True, strong=True),
            Cell(f"event, turn {piece.turn}" if piece.turn else "set piece"),
            Cell(". ".join(filter(None, (reaching(piece), piece.note))) or NOTHING, plain=True),
            Cell("where:", blank=True),
        )
        for piece in sorted(found, key=lambda piece: piece.turn or 0)
    )
    some = {bool(piece.turn) for piece in found}
    title = " and ".join(said for timed, said in ((False, "to be placed"), (True, "to come")) if timed in some)
    heads = (Column("What", share=3), Column("It is", share=3), Column("Which", share=6), Column("Write down", share=6))
    table = Table(heads, rows, "Set pieces and events without a place")
    return Section(title.capitalize(), (table,)) if rows else None


def procedures(scenario: Scenario, told: Collection[str]) -> Iterator[Section]:
    """Yield a section for each procedure of a special rule, with its steps and odds.

    Steps of the procedures in ``told`` are left out: they are printed elsewhere.
    """
    for name in dict.fromkeys(item.procedure for item in scenario.special if item.procedure):
        procedure = scenario.rules.procedure(name)
        if procedure is None:
            continue
        steps = () if procedure.id in told else tuple(step.says for step in procedure.steps_now())
        odds = odds_table(procedure)
        blocks = ((Steps(steps),) if steps else ()) + ((odds,) if odds is not None else ())
        if blocks:
            yield Section(procedure.title, blocks, aside="percent" if odds is not None else "")


def odds_table(procedure: Procedure) -> Table | None:
    """Return a table with the percent chances of a procedure's outcomes: a row for each combination of required inputs.

    None for a procedure without dice, for more than 12 rows or 5 outcomes, and if an input cannot be completed.
    """
    asked = [item for item in procedure.inputs if item.required and item.when is None]
    cases = list(product(*(item.choice.values for item in asked)))
    if not procedure.cases or len(cases) > _MOST_CASES or len(procedure.outcomes) > _MOST_OUTCOMES:
        return None
    rows = []
    taken: dict[str, str] = {}
    for case in cases:
        problems: list[Problem] = []
        said = dict(zip((item.name for item in asked), case, strict=True))
        inputs = complete_one(procedure, said, {}, problems)
        if problems:
            return None
        for item in procedure.inputs:
            if item.name in inputs and item not in asked:
                value = inputs[item.name]
                taken[item.name] = f"{within(item.label)} {item.choice.names.get(value, spell_value(value))}"
        chances = {outcome.id: chance for outcome, chance in answer(procedure, inputs, whole=False).outcomes}
        heads_of_row = (Cell(item.choice.names.get(said[item.name], str(said[item.name]))) for item in asked)
        told = (chances.get(outcome.id, 0) for outcome in procedure.outcomes)
        rows.append((*heads_of_row, *(Cell(percent(item), tint(item), align="centre") for item in told)))
    heads = (
        *(Column(item.label) for item in asked),
        *(Column(outcome.label, align="centre") for outcome in procedure.outcomes),
    )
    note = f"Reckoned with {', '.join(taken.values())}." if taken else ""
    return Table(heads, tuple(rows), f"Odds: {procedure.title}", head_first=bool(asked), note=note)
