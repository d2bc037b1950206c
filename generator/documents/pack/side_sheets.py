"""The sheets of the sides and of the umpire, and the umpire's balance note."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

from generator.documents.blocks.tables import listing, table_of
from generator.documents.force.rosters import counted, designs_table, sheet_about, unit_word, units_table
from generator.documents.pack import battle
from generator.documents.pack.battle import named, plain
from generator.documents.pack.maps import battlefield
from generator.documents.words import NOTES, NOTHING, decimal, ended, within
from generator.forces.cards import Target, no_figure, shots, targets
from generator.render.blocks import Cell, Prose, Row, Section, Sheet, Table
from generator.render.language import Phrase
from generator.render.type.prose import breakable
from generator.rules.entries.kinds import unit_fields
from generator.rules.formulas.errors import FormulaUseError
from generator.scenarios.check import inches
from generator.scenarios.facts import map_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction

    from generator.forces.force import Force
    from generator.scenarios.scenario import Scenario, Side


_SMALL, _LARGE = 84.0, 190.0
"""Least height of a map below other content, and greatest height, in millimetres."""


def side_sheet(scenario: Scenario, side: Side, fingerprint: str) -> Sheet:
    """Return a side's sheet: orders, units, deployment and aims on its front, its secrets and its map on its back."""
    rows = (
        battle.words("Your orders", side.briefing),
        _units(side),
        battle.deployment(scenario, side.name),
        battle.victory(scenario, side),
        *_secret_rows(scenario, side),
    )
    strap = f"{scenario.name}. {scenario.mission}" if scenario.mission else scenario.name
    name, kicker = battle.slug(scenario, side), ("orders", "for this side alone")
    return sheet_about(scenario, name, side.name, strap, kicker, rows, fingerprint)


def umpire_sheet(scenario: Scenario, fingerprint: str) -> Sheet:
    """Return the umpire's sheet: the orders and units of all sides, all secrets, and the events.

    The set pieces with a place, and the map, are on it only if one of these pieces is secret. The special rules, zones
    and score are on the table sheet, which the umpire also has.
    """
    everyone = tuple(side.name for side in scenario.sides)
    for_sides = [
        [
            battle.words(f"{side.name}: orders", side.briefing),
            battle.words(f"{side.name}: secrets", side.secret),
            _unit_list(scenario, side),
        ]
        for side in scenario.sides
    ]
    columns = tuple(filter(None, (tuple(filter(None, sections)) for sections in for_sides)))
    hidden = any(piece.secret for _, piece in battle.shown_pieces(scenario, everyone))
    rows = (
        battle.words("For the umpire alone", scenario.umpire),
        Row(columns, loose=True) if columns else None,
        events(scenario),
        battle.set_pieces(scenario, everyone) if hidden else None,
        _unplaced(scenario, everyone),
        _map(scenario, everyone, "The table with all that is hidden") if hidden else None,
    )
    strap, kicker = f"{scenario.name}: the rules and the score are in 1-table", ("umpire", "keep apart")
    return sheet_about(scenario, "umpire", "For the umpire", strap, kicker, rows, fingerprint, flows=True)


def events(scenario: Scenario) -> Section | None:
    """Return a section with events by turn, secret events included; None without events.

    Events are entries, timed set pieces, special rules that start, and the end of the battle. For a rolled scenario
    they are also the sentences that name a turn, as ``_written`` yields them.
    """
    found = [(entry.turn, battle.comes_on(scenario, entry), entry.note) for entry in scenario.entries]
    found += [
        (piece.turn, battle.of_side(piece.side, piece.name), piece.note)
        for piece in scenario.set_pieces
        if piece.turn is not None
    ]
    if scenario.rolls:
        found += _written(scenario)
    found += [(turn, battle.began(name), "") for turn, name in scenario.late]
    if scenario.turns:
        found.append((scenario.turns, battle.ENDS, ""))
    return _by_turn("In which turn", found)


def _written(scenario: Scenario) -> Iterator[tuple[int, str, str]]:
    """Yield the turn, the sentence and an empty note for each sentence of a rolled scenario that names a turn.

    The sentences are those of the situation, the special rules, and the briefings and secrets of the sides. The name of
    the rule or side is put before the sentence. A sentence comes once for each turn that ``battle.turns_named`` finds
    in it. A turn that a set piece has, too, is left out, unless the sentence is a secret.
    """
    listed = {piece.turn for piece in scenario.set_pieces}
    secrets = {text for side in scenario.sides for text in side.secret}
    texts = [*(("", text) for text in scenario.situation), *((rule.name, rule.says) for rule in scenario.special)]
    texts += [(side.name, text) for side in scenario.sides for text in (*side.briefing, *side.secret)]
    for owner, text in texts:
        for turn, sentence in battle.turns_named(text):
            if turn not in listed or text in secrets:
                yield turn, battle.of_side(owner, sentence), ""


def _by_turn(title: str, found: Iterable[tuple[int, str, str]]) -> Section | None:
    """Return a section with events in the order of their turns; None without events.

    Each of ``found`` is a turn, what happens, and a note. Events of the same turn keep their order.
    """
    by_turn = sorted(found, key=lambda item: item[0])
    rows = ((named(str(turn)), plain(Phrase.joined(" ", (ended(said), note)))) for turn, said, note in by_turn)
    return listing("events", rows, title=title)


def _unit_list(scenario: Scenario, side: Side) -> Section | None:
    """Return a section with a side's units, each with a line on which the umpire writes where it begins.

    It has the designs of a force without units. None for a force that could not be read, or that has neither.
    """
    if side.force is None:
        return None
    grade = next((field for field in unit_fields(scenario.rules.kinds) if field.choice is not None), None)
    rows = []
    for unit in side.force.units:
        of = [*map(counted, unit.of)]
        of += [within(unit_word(grade, unit))] if grade is not None else []
        made = ", ".join(said for said in of if said not in (breakable(unit.name), NOTHING))
        rows.append((named(unit.name), plain(made), Cell("", blank=True)))
    if not rows:
        rows = [(named(design.name), plain(design.kind.title), Cell("", blank=True)) for design in side.force.designs]
    return listing("begins", rows, caption=Phrase("Units of {side}", side=side.name))


def _units(side: Side) -> Section:
    force = side.force
    if force is None:
        return Section("Your units", (Prose(("Your force could not be read.",)),))
    title, table = ("units", units_table) if force.units else ("designs", designs_table)
    aside = force.name if force.name != side.name else ""
    return Section(f"Your {title}", (replace(table(force, pays=False), dense=False),), aside)


def _secret_rows(scenario: Scenario, side: Side) -> Iterator[Row]:
    """Yield a row each for a side's secret texts, its secret events by turn, set pieces, pieces to place, and its map.

    The set pieces are the public ones and its own, with a place. Only the map is always there. The first row begins a
    new page.
    """
    told = battle.words("You alone know", side.secret)
    pieces = battle.set_pieces(scenario, (side.name,))
    own = (piece for piece in scenario.set_pieces if piece.secret and piece.side == side.name and piece.is_event)
    events = ((piece.turn, piece.name, piece.note) for piece in own if piece.turn is not None)
    timed = _by_turn("In which turn, as you alone know", events)
    plan = _map(scenario, (side.name,), "Your map", "write on it where your units are")
    sections = (told, timed, pieces, _unplaced(scenario, (side.name,)), plan)
    for index, section in enumerate(filter(None, sections)):
        yield Row(((section,),), new_page=index == 0)


def _map(scenario: Scenario, knowing: Sequence[str], title: str, aside: str = "") -> Section:
    """Return a section with the map, and on it the secret set pieces of the sides whose names are in ``knowing``.

    ``aside`` stands beside the title.
    """
    plan = replace(battlefield(scenario, scenario.table, knowing), least=_SMALL, highest=_LARGE)
    return Section(title, (plan,), aside)


def _unplaced(scenario: Scenario, knowing: Sequence[str]) -> Section | None:
    """Return a section with the set pieces without a place, each with a line to write the place on; None if none.

    These are the pieces, secret or not, of the sides whose names are in ``knowing``. Pieces without a side, and events
    (see ``SetPiece.is_event``), are left out.
    """
    found = [
        piece for piece in scenario.set_pieces if piece.at is None and piece.side in knowing and not piece.is_event
    ]
    rows = tuple(
        (
            named(piece.name),
            f"event, turn {piece.turn}" if piece.turn else "set piece",
            plain(". ".join(filter(None, (battle.reaching(piece), piece.note))) or NOTHING),
            Cell("where:", blank=True),
        )
        for piece in sorted(found, key=lambda piece: piece.turn or 0)
    )
    some = {bool(piece.turn) for piece in found}
    title = " and ".join(said for timed, said in ((False, "to be placed"), (True, "to come")) if timed in some)
    return listing("unplaced", rows, title=title.capitalize())


_FIRERS, _SHOTS, _TARGETS = 6, 2, 4
"""Most designs of a side as firers, most weapons of each, and most targets of the other side."""
_NEVER = "never"


def balance_sheet(scenario: Scenario, fingerprint: str) -> Sheet | None:
    """Return a sheet for the umpire: distances to objectives, the balance note, and the dice of a rolled scenario.

    None if all three are missing. Raises ProblemsError as ``balance`` does.
    """
    rolls = ((plain(roll.table), plain(str(roll.roll)), plain(roll.result)) for roll in scenario.rolls)
    aside = f"seed {scenario.seed}" if scenario.seed is not None else ""
    sections = [_ways(scenario), balance(scenario), listing("rolls", rolls, aside)]
    if not any(sections):
        return None
    return sheet_about(scenario, "balance", "Balance", scenario.name, ("umpire", "appendix"), sections, fingerprint)


def _ways(scenario: Scenario) -> Section | None:
    """Return a section on where each side begins: its distance to each objective, and how much of the table it sees.

    What they see is left out if a side begins where it sees nothing. A last column has the largest difference between
    sides. Return None if fewer than two sides have a zone or an entry. Without objectives, only sides that begin where
    they see something have a column; None if these are fewer than two.
    """
    measured = map_facts(scenario)
    distances = [ways for _, ways in measured.distances if len(ways) > 1]
    names = [name for name, _ in (*distances, measured.seen_from)[0]]
    if len(names) < 2:  # noqa: PLR2004 - a difference needs two
        return None
    rows = [(f"To F{n}", [far for _, far in ways], inches) for n, ways in enumerate(distances, start=1)]
    if [name for name, _ in measured.seen_from] == names:
        rows.append(("Of the table seen", [share for _, share in measured.seen_from], "{} %".format))
    heads = ("", 0), *((name, 0, "right") for name in (*names, "Difference"))
    cells = (
        (Cell(what, strong=True), *(Cell(write(number)) for number in (*each, max(each) - min(each))))
        for what, each, write in rows
    )
    return listing("ways", cells, heads=heads)


def balance(scenario: Scenario) -> Section | None:
    """Return the balance note: the average number of shots that each side needs against each other side.

    None if no shot has odds. Raises ProblemsError (R241) if a formula of a card or a procedure has no answer.
    """
    sides = [(side.name, side.force) for side in scenario.sides if side.force is not None]
    tables: list[Table | Prose] = []
    try:
        for (firer, firing), (target, fired_at) in permutations(sides, 2):
            caption = Phrase("{firer} at {target}: shots needed", firer=firer, target=target)
            tables += _table(firing, fired_at, caption)
    except FormulaUseError as error:
        raise no_figure(error, scenario.place, "the balance note") from None
    return Section("Balance", (Prose((NOTES["balance"],), "text", plain=True), *tables)) if tables else None


def expected(chance: Fraction | None) -> str:
    """Return the average number of shots needed at this chance; a dash if the chance is None.

    >>> from fractions import Fraction
    >>> expected(Fraction(5, 12)), expected(Fraction(1)), expected(Fraction(0)), expected(None)
    ('2.4', '1.0', 'never', '–')
    """
    if chance is None:
        return NOTHING
    return decimal(1 / chance) if chance else _NEVER


def _table(firing: Force, fired_at: Force, caption: str) -> Iterator[Table | Prose]:
    """Yield a table with a row for each way to fire at the targets, then the names of targets that share a column.

    It has at most six firing designs, two ways for each, and four columns of targets. Firers with the same way and the
    same odds share a row. Of a design's ways with equal odds of the same effect, only the first counts. Yield nothing
    if no shot has odds. Raises FormulaUseError if a formula of a shot has no answer, and ProblemsError (R241) if a
    formula of a target or a procedure has none.
    """
    found = targets(fired_at)
    asked = [(shot, [shot.chance(target.inputs) for target in found]) for shot in shots(firing)]
    asked = [(shot, chances) for shot, chances in asked if any(chance is not None for chance in chances)]
    designs = list(dict.fromkeys(shot.design.name for shot, _ in asked))[:_FIRERS]
    asked = [(shot, chances) for shot, chances in asked if shot.design.name in designs]
    columns = _columns(found, [chances for _, chances in asked])
    rows: dict[tuple[str, ...], list[str]] = {}
    ways: dict[str, set[tuple[str, ...]]] = {}
    for shot, chances in asked:
        way = (shot.duel.says, *(expected(chances[index]) for index, _ in columns))
        own = ways.setdefault(shot.design.name, set())  # two ways of a design with equal odds are one
        if set(way[1:]) - {NOTHING} and way not in own and len(own) < _SHOTS:
            own.add(way)
            rows.setdefault((shot.name, *way), []).append(shot.design.name)
    if not rows:
        return
    # A name in a cell is broken if it is longer than its column; a head is not.
    names = (Cell(""), Cell(""), Cell(""), *(named(target.label) for _, target in columns))
    heads = ("Firer", 8), ("With", 8), ("To", 4), *(("", 5, "right") for _ in columns)
    cells = (
        (plain(", ".join(dict.fromkeys(firers))), plain(name), plain(says), *map(Cell, needed))
        for (name, says, *needed), firers in rows.items()
    )
    yield table_of("shots_needed", (names, *cells), heads=heads, caption=caption)
    shared = [f"{target.label}: {', '.join(target.names)}." for _, target in columns if len(target.names) > 1]
    if shared:
        yield Prose((" ".join(shared),), plain=True)


def _columns(found: Sequence[Target], given: Sequence[Sequence[Fraction | None]]) -> list[tuple[int, Target]]:
    """Return the first four targets with odds, each after its index in ``found``; targets with equal odds are joined.

    ``given`` holds, for each shot, the chance at each target of ``found``; None if the shot has no odds at it.
    """
    columns: dict[tuple[Fraction | None, ...], tuple[int, Target]] = {}
    for index, target in enumerate(found):
        chances = tuple(row[index] for row in given)
        if any(chance is not None for chance in chances):
            first, same = columns.get(chances, (index, Target((), target.inputs)))
            columns[chances] = first, same._replace(names=(*same.names, *target.names))
    return list(columns.values())[:_TARGETS]
