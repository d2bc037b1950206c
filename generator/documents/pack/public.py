"""The pages of a pack for everybody: the cover, and the table sheet with the map, the terrain and the score."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.blocks.tables import listing, table_of
from generator.documents.force.rosters import sheet_about
from generator.documents.pack import battle
from generator.documents.pack.battle import named, plain
from generator.documents.pack.maps import OPENING, battlefield, lay_list, models
from generator.documents.pack.markers import chits, markers_of_battle, templates
from generator.documents.words import NOTES, NOTHING, number, percent, points, tint, within
from generator.problems import Problem
from generator.render.blocks import Cell, Column, Figure, Prose, Row, Section, Sheet, Steps, Strip, Table
from generator.render.language import Phrase, spoken_list
from generator.render.maps.map import square_of
from generator.render.markers import Counter as Marker
from generator.rules.entries.choices import spell_value
from generator.rules.model.manifest import DOT
from generator.rules.procedures.answers import answer, complete_one
from generator.scenarios.check import inches
from generator.scenarios.facts import MapFacts, map_facts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from fractions import Fraction

    from generator.forces.force import Force
    from generator.render.page.html import Document
    from generator.rules.procedures.procedure import Procedure
    from generator.scenarios.models import Objective
    from generator.scenarios.scenario import Scenario
    from generator.scenarios.table import Extent


_OWN = ("1-table", "4-")
"""The parts that each player needs on paper: the id of one, and how the ids of others begin."""
_APPENDIX = "9"
"""The first digit of the parts that nobody needs to play."""
_DIE = re.compile(r"(?<![A-Za-z–])D(4|6|8|10|12|20)\b(?!–[A-Z])")
"""A die in the text of a paper. Two squares of the map have a dash between them, such as A3–D4."""


class PlanRow(NamedTuple):
    """A row of the print plan: the id of a part of the pack, its title, whose it is, and its count of pages."""

    id: str
    part: str
    """The part that the row links to; empty for no link."""
    title: str
    whose: str
    pages: int

    def copies(self, people: int) -> int:
        """Return how many copies of the part to print for this count of people, the umpire included.

        Each person needs a copy of the table sheet and of each reference sheet. Any other part is needed once.
        """
        return people if self.id.startswith(_OWN) else 1


def cover(scenario: Scenario, plan: Sequence[PlanRow], papers: Iterable[Document], fingerprint: str) -> Sheet:
    """Return the cover page: title, figures, print plan, and what to bring. The cover shows no secrets.

    ``plan`` are the rows of the print plan, without the cover. The dice to bring are the dice that the ``papers`` name.
    """
    secrets = scenario.has_secrets
    players = f"Players: {len(scenario.sides)}{', and an umpire' if secrets else ''}."
    sizes = sorted({int(size) for paper in papers for size in _DIE.findall(repr(paper))})
    dice = f"Dice: {', '.join(f'D{size}' for size in sizes)}." if sizes else ""
    bringing = " ".join(filter(None, (players, _time(scenario), dice)))
    without = () if not secrets else (NOTES["umpire_needed" if scenario.needs_umpire else "umpire_missing"],)
    sections = (
        Section("", (facts(scenario),)),
        _plan(plan, len(scenario.sides) + secrets, umpired=secrets),
        Section("Print once for every battle", (Prose((_goods(scenario),), "text"),)),
        _bring(scenario),
        Section("", (Prose((bringing, *without, NOTES["how_to_print"])),)),
    )
    # The place beside the title is narrow, so a game and its expansions have a line each.
    kicker = ("scenario pack", *scenario.rules.manifest.short.split(DOT))
    return sheet_about(scenario, "cover", scenario.name, scenario.mission, kicker, sections, fingerprint, cover=True)


def _goods(scenario: Scenario) -> str:
    """Return a sentence with the command that prints the things to cut out, and with the list of these things.

    They are the same in every battle of these rules: chits and templates, if the rules have them, and spare markers.
    """
    pots = [f"the pot of {len(tray.pieces)} chits" for tray in chits(scenario.rules)]
    goods = [*pots, *(["templates"] if any(templates(scenario.rules)) else []), "markers to spare"]
    listed = spoken_list([*map(Phrase, goods)])
    command = f"fieldpress build {scenario.rules.id} --only markers"
    return Phrase("**{command}** prints {goods}.", command=command, goods=listed)


def _time(scenario: Scenario) -> str:
    """Return a sentence with an estimate of how long the battle takes, in whole hours, at least one.

    The estimate is a minute for each unit or figure that acts, in each turn; without a count of turns, in 12 turns.
    Each marker of quality stands for a unit or figure that acts. If the battle has no such marker, all elements act.
    """
    acting = sum(1 for made in markers_of_battle(scenario) if isinstance(made.piece, Marker) and made.piece.rank)
    forces = [side.force for side in scenario.sides if side.force is not None]
    acting = acting or sum(sum(force.counts.values()) or len(force.designs) for force in forces)
    hours = max(1, round(acting * battle.turns_of(scenario) / 60))
    return f"Time: about {hours} hour{'s' if hours > 1 else ''}, at a minute for each unit or figure in a turn."


def _plan(plan: Sequence[PlanRow], people: int, *, umpired: bool) -> Section | None:
    """Return the print plan: who gets which part, with its pages and copies; None if ``plan`` is empty.

    ``people`` is the count of players, the umpire included if the battle is ``umpired``.
    """
    each = "each player, the umpire" if umpired else "each player"
    rows = []
    for entry in plan:
        copies = entry.copies(people)
        title, whose = Cell(entry.title, plain=True, part=entry.part), plain(each if copies > 1 else entry.whose)
        rows.append((named(entry.id), title, whose, str(entry.pages), str(copies)))
    played = [entry for entry in plan if not entry.id.startswith(_APPENDIX)]
    once = 1 + sum(entry.pages for entry in played)
    copied = 1 + sum(entry.pages * entry.copies(people) for entry in played)
    aside = f"with this cover, without 9: {once} sides, {copied} with all copies"
    return listing("plan", rows, aside)


def _bring(scenario: Scenario) -> Section | None:
    """Return a section with the pieces and models that the table needs, by kind of terrain.

    Openings such as doors do not count. None without other terrain.
    """
    kinds: dict[str, Counter[str]] = {}
    for piece in scenario.terrain:
        if piece.terrain.drawn == OPENING:
            continue
        model, many = models(piece)
        kinds.setdefault(piece.terrain.name, Counter()).update({"": 1, model: many})
    rows = []
    for name, counts in kinds.items():
        pieces = str(counts.pop(""))
        counted = (f"{many} {model}{'s' if many > 1 else ''}" for model, many in counts.items())
        rows.append((named(name), pieces, ", ".join(counted)))
    half = -(-len(rows) // 2)
    halves = tuple(table_of("bring", part) for part in (rows[:half], rows[half:]) if part)
    return Section("Terrain to bring", halves, abreast=2) if rows else None


_LOWEST, _HIGHEST = 60.0, 300.0
"""Least and greatest height of a map with everything around it, in millimetres."""


def poster(scenario: Scenario, table: Extent, fingerprint: str) -> Sheet:
    """Return a sheet with only the map and its facts, on a page as wide as two sheets of paper. It shows no secrets."""
    alone = _sheet(scenario, table, "poster", (), fingerprint)
    return replace(alone, poster=True, kicker=(scenario.rules.manifest.short,))


def table_sheet(scenario: Scenario, table: Extent, procedures: Iterable[Section], fingerprint: str) -> Sheet:
    """Return the sheet for everybody: the map, and what is needed to lay the table, to win and to keep the score.

    ``table`` is the size of the table. ``procedures`` are the sections about procedures of special rules. The sheet
    shows no secrets. ``fingerprint`` is that of the rule data, for the foot.
    """
    sections = (
        lay_list(scenario),
        battle.words("Situation", scenario.situation),
        sides_section(scenario),
        battle.winning(scenario),
        battle.deployment(scenario),
        score(scenario),
        battle.set_pieces(scenario),
        battle.terrain(scenario),
        battle.agreed(scenario),
        *procedures,
        battle.special_rules(scenario),
    )
    return _sheet(scenario, table, "table", filter(None, sections), fingerprint)


def _sheet(scenario: Scenario, table: Extent, name: str, sections: Iterable[Section], fingerprint: str) -> Sheet:
    """Return a sheet with the map on its first page and the sections on the next pages.

    ``name`` ends the sheet's id, such as "table".
    """
    plan = replace(
        battlefield(scenario, table), least=_LOWEST, highest=_HIGHEST, facts=_facts(map_facts(scenario), table)
    )
    rows = [Row(((Section("", (plan,)),),))]
    rows += [Row(((section,),), half=True, new_page=not number) for number, section in enumerate(sections)]
    facts = (_table_size(scenario), f"{scenario.turns} turns" if scenario.turns else "")
    kicker = (scenario.rules.manifest.short, DOT.join(filter(None, facts)))
    title, strap = scenario.name, scenario.mission
    return sheet_about(scenario, name, title, strap, kicker, rows, fingerprint, flows=True, landscape=True)


def _facts(measured: MapFacts, table: Extent) -> tuple[tuple[str, str], ...]:
    """Return the measured facts of the table for the strip below the map, each after its name.

    Facts that could not be measured are left out. ``table`` is the size of the table.
    """
    facts = [("Covered", f"{measured.covered} %")]
    if measured.seen_across is not None:
        facts.append(("Seen start to start", f"{measured.seen_across} %"))
    if measured.lane is not None:
        size = table.wide / 2, table.deep / 2
        squares = [square_of(east / 2, north / 2, *size) for east, north in measured.lane[:2]]
        facts.append(("Longest lane", f"{inches(measured.lane.length)} {squares[0]}–{squares[1]}"))
    facts.append(("Widest gap", inches(measured.gap)))
    return tuple(facts)


_BLANK = Cell("", blank=True)


def score(scenario: Scenario) -> Section | None:
    """Return a section with all objectives and victory conditions, their points, and a place for each side’s score.

    If no objective has points and there are no victory conditions, there are no places for scores. None if there are
    neither objectives nor victory conditions.
    """
    worth = any(item.points for item in scenario.objectives) or bool(scenario.victory)
    names = [side.name for side in scenario.sides]

    def places(sides: Collection[str]) -> list[Cell]:
        """Return a cell for each side of the scenario: a space to write on if ``sides`` has its name, else a dash.

        Return no cells if ``worth`` is false: nothing in the scenario gives points.
        """
        return [_BLANK if name in sides else Cell(NOTHING) for name in names] if worth else []

    rows: list[tuple[Cell, ...]] = []
    for sign, item in battle.flags(scenario):
        points, sides = (str(item.points), item.sides) if item.points else (NOTHING, ())
        rows.append((Cell(sign, strong=True), plain(_said(item)), Cell(points), *places(sides)))
    for award in scenario.victory:
        sides = (award.side,) if award.side else tuple(names)
        rows.append((Cell(""), plain(award.when), Cell(number(award.points)), *places(sides)))
    sides_of = [(name, 5, "centre") for name in names if worth]
    heads = ("", 2), ("Objective or deed", 13), ("Points", 3, "right"), *sides_of
    if worth:
        rows.append((Cell(""), _BLANK, _BLANK, *places(names)))  # what a side’s secret may be worth
        rows.append((Cell(""), Cell("Total", strong=True), Cell(""), *places(names)))
    held = any(not item.once for item in scenario.objectives)
    note = " ".join(text for text, needed in ((NOTES["held"], held), (NOTES["victory"], worth)) if needed)
    begins = (len(rows) - 1,) if worth else ()
    aside = "write at the end" if worth else ""
    return listing("score", rows, aside, heads=heads, group_rows=begins, note=note)


def _said(item: Objective) -> str:
    """Return an objective's name, the distance within which it is held, and its note.

    The distance is "touch it" for a radius of 0. It is left out if the objective is won once and has a note, which says
    how. If an objective that is won once has points and no note, a sentence says that it is won once.
    """
    told = item.once and item.note  # the note says how it is won
    held = "" if told else f"within {inches(item.radius)}" if item.radius else "touch it"
    once = "Won once, by the first side alone within the distance." if item.once and item.points else ""
    return Phrase.joined(". ", (Phrase.joined(", ", (item.name, held and Phrase(held))), item.note or Phrase(once)))


_MOST_CASES, _MOST_OUTCOMES = 12, 5
"""Most rows of the odds of a special rule, and most outcomes."""
_ABREAST = 3
"""Most sides whose strengths are shown side by side in big figures."""


def facts(scenario: Scenario) -> Strip:
    """Return the battle's table size, turns and strengths as big figures; a dash for what is missing.

    Strengths are points if each side has a force that is ``whole`` and costs points. Otherwise they are models, called
    units if each force has as many models as units. For more than three sides, only the lowest and the highest strength
    are shown, or one dash if a strength is missing.
    """
    forces = [side.force for side in scenario.sides]
    totals = [force.total if force is not None and force.whole else 0 for force in forces]
    models = [force.models if force is not None else 0 for force in forces]
    figures = [
        Figure(_table_size(scenario) or NOTHING, "table"),
        Figure(str(scenario.turns) if scenario.turns else NOTHING, "turns"),
        _versus(totals, "points") if all(totals) else _versus(models, "models" if _has_models(forces) else "units"),
    ]
    return Strip(tuple(figures))


def _has_models(forces: Iterable[Force | None]) -> bool:
    """Return whether any force has more or fewer models than units. A force that is None does not count."""
    return any(force is not None and force.models != len(force.units) for force in forces)


def _versus(each: Sequence[Fraction | int], what: str) -> Figure:
    """Return the strengths of the sides as a big figure over the label ``what``; a dash for a strength of 0.

    For more than three sides, the figure shows only the lowest and the highest strength, or just one dash if any
    strength is 0. The label then ends with "a side".
    """
    if len(each) <= _ABREAST:
        return Figure(" : ".join(points(item) if item else NOTHING for item in each), what)
    span = "–".join(points(item) for item in sorted({min(each), max(each)}))
    return Figure(span if all(each) else NOTHING, f"{what} a side")


def _table_size(scenario: Scenario) -> str:
    """Return the width and depth of the table in inches, as a text."""
    return f"{inches(scenario.table.wide)} × {inches(scenario.table.deep)}"


def sides_section(scenario: Scenario) -> Section | None:
    """Return a section with each side's force, units, models and points; a dash for what is missing or not known.

    A force with the name of its side has a dash, too. The columns for forces, models and points are left out if they
    would tell nothing new. The table size, turns, light and weather are beside the title. None without sides.
    """
    paid = any(side.force is not None and side.force.total for side in scenario.sides)
    has_name = any(side.force is not None and side.force.name != side.name for side in scenario.sides)
    has_models = _has_models(side.force for side in scenario.sides)
    rows = []
    for side in scenario.sides:
        force = side.force
        name = force.name if force is not None and force.name != side.name else NOTHING
        units = str(len(force.units)) if force is not None and force.units else NOTHING
        models = str(force.models) if force is not None and force.elements else NOTHING
        total = points(force.total) if force is not None and force.whole and force.total else NOTHING
        of = plain(name) if has_name else None
        rows.append((named(side.name), of, units, models if has_models else None, total if paid else None))
    turns = f"{scenario.turns} turns" if scenario.turns else ""
    sky = [item for item in (scenario.light, scenario.weather) if item]
    said = (_table_size(scenario), turns, ", ".join([*sky[:1], *map(within, sky[1:])]))
    return listing("sides", rows, " · ".join(filter(None, said)))


def procedures(scenario: Scenario, told: Collection[str]) -> Iterator[Section]:
    """Yield a section for each procedure of a special rule, with its steps and odds.

    Steps of the procedures whose ids are in ``told`` are left out: they are printed elsewhere. A procedure with neither
    steps nor odds to print has no section. Raises ProblemsError (R241) as ``odds_table`` does.
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
    """Return a table with the percent chances of a procedure's outcomes.

    It has a row for each combination of the required inputs without a condition (``when``). None for a procedure
    without cases, for more than 12 rows or 5 outcomes, and if another required input applies. Inputs with defaults have
    their defaults, which the note names. Raises ProblemsError (R241) if a combination has no answer.
    """
    asked = [item for item in procedure.inputs if item.required and item.when is None]
    many = prod(len(item.choice.values) for item in asked)
    if not procedure.cases or many > _MOST_CASES or len(procedure.outcomes) > _MOST_OUTCOMES:
        return None
    rows, taken, problems = [], dict[str, str](), list[Problem]()
    for case in product(*(item.choice.values for item in asked)):
        inputs = complete_one(procedure, dict(zip((item.name for item in asked), case, strict=True)), {}, problems)
        if problems:
            return None
        for item in procedure.inputs:
            if item.name in inputs and item not in asked:
                value = inputs[item.name]
                taken[item.name] = f"{within(item.label)} {item.choice.names.get(value, spell_value(value))}"
        chances = {outcome.id: chance for outcome, chance in answer(procedure, inputs, whole=False).outcomes}
        named_values = (item.choice.names.get(value, str(value)) for item, value in zip(asked, case, strict=True))
        told = (chances.get(outcome.id, 0) for outcome in procedure.outcomes)
        rows.append((*map(Cell, named_values), *(Cell(percent(item), tint(item), align="centre") for item in told)))
    heads = [Column(item.label) for item in asked]
    heads += [Column(outcome.label, align="centre") for outcome in procedure.outcomes]
    note = f"Reckoned with {', '.join(taken.values())}." if taken else ""
    return Table(tuple(heads), tuple(rows), f"Odds: {procedure.title}", head_first=bool(asked), note=note)
