"""What there is to say about a battle, as sections: for the map, for the whole table, for one side, for the umpire."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from generator.documents.force.rosters import hyphened
from generator.documents.imprint import draft, imprint
from generator.documents.words import NOTHING, within
from generator.documents.words import number as figure
from generator.render.blocks import Cell, Column, Prose, Section, Sheet, Table
from generator.scenarios.check import inches
from generator.scenarios.table.outlines import HALF

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from generator.render.blocks import Row
    from generator.scenarios.scenario import Entry, Scenario, SetPiece, Shape, Side, Terrain

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BLOCK = 5
"""Letters for the set pieces that all may see, and for each side's secrets; then they come again with a number."""
_STEM = 4
"""A thing whose name begins with the same letters counts as what it is called."""
_USUAL_TURNS = 12
_SHORT = 10
"""So long is a name that has room in a narrow column."""
_SPACE = "\N{NO-BREAK SPACE}"
_FIRST = "to deploy and to move: as your rule book says, unless orders or a special rule name a side"
_WINS = "the highest total of points at the end; equal totals are a draw"
ENDS = "The battle ends after this turn"
_SIGHT = {"crest": "to its crest"}
"""What is printed of sight where the word of the table alone would not be understood."""
_ZONES = "A zone is all that lies within its line: a large one is hatched along its edge alone."
_ONCE = "Won once, by the first side alone within the distance."
_HELD = "Held at the end by a side alone within the distance given, unless the row says otherwise."


def battle_sheet(  # noqa: PLR0913 - what a sheet says of itself
    scenario: Scenario,
    name: str,
    title: str,
    strap: str,
    kicker: tuple[str, ...],
    rows: Iterable[Row],
    fingerprint: str,
    *,
    cover: bool = False,
    flows: bool = False,
) -> Sheet:
    """A sheet about a battle: its head and foot, and the word Draft where there are problems."""
    return Sheet(
        id=f"{file_name(scenario)}-{name}",
        title=title,
        strap=strap,
        kicker=kicker,
        rows=tuple(rows),
        banner=draft(scenario.problems),
        plain_strap=True,
        cover=cover,
        flows=flows,
        imprint=imprint(scenario.rules.manifest, fingerprint),
    )


def file_name(scenario: Scenario) -> str:
    """The battle's name as files have it."""
    return hyphened(scenario.name) or hyphened(PurePath(scenario.place.span().file).stem) or "scenario"


def slug(scenario: Scenario, side: Side) -> str:
    """A side's name as parts and files have it: no other side's."""
    number = scenario.sides.index(side)
    name = hyphened(side.name)
    taken = {hyphened(one.name) for one in scenario.sides[:number]}
    return name if name and name not in taken else "-".join(filter(None, (name, "side", str(number + 1))))


def turns_of(scenario: Scenario) -> int:
    """How many turns there are boxes for, also where the scenario does not say how long it lasts."""
    return scenario.turns or _USUAL_TURNS


def skies(scenario: Scenario) -> list[str]:
    """Light and weather, as far as they are said; the second begins with a small letter, as it stands in a line."""
    said = [one for one in (scenario.light, scenario.weather) if one]
    return [*said[:1], *map(within, said[1:])]


def letter(number: int) -> str:
    """The sign of an entry on the map."""
    return _LETTERS[number % len(_LETTERS)]


def where(edge: str, start: int, end: int) -> str:
    """A stretch of an edge in words."""
    return f"{edge} edge, {inches(start)}{_SPACE}to{_SPACE}{inches(end)}"


def comes_on(scenario: Scenario, entry: Entry, *, brief: bool = False) -> str:
    """Who enters, at which sign of the map, which of them, on what condition; and where that is, unless ``brief``."""
    sign, (start, end) = letter(scenario.entries.index(entry)), map(inches, (entry.start, entry.end))
    lies = "" if brief else f", {entry.edge} edge {start.rstrip('″')}–{end} ({bare(entry.side, entry.name)})"
    which = f": {entry.comes}" if entry.comes else ""
    only = f", if {entry.condition}" if entry.condition else ""
    return f"{entry.side} enter at {sign}{lies}{which}{only}"


def due_in(scenario: Scenario, turn: int, *, brief: bool = False) -> list[str]:
    """Who comes on in a turn, on what condition, what happens in it for all to see, and whether it is the last."""
    found = [comes_on(scenario, one, brief=brief) for one in scenario.entries if one.turn == turn]
    found += [one.name for one in scenario.set_pieces if one.turn == turn and not one.secret]
    found += [began(name) for from_turn, name in scenario.late if from_turn == turn]
    return [*found, ENDS] if turn == scenario.turns else found


def began(rule: str) -> str:
    """What stands beside the turn from which on a special rule counts."""
    return f"{rule} from now on"


def of_side(side: str, name: str) -> str:
    """Something of a side, with whose it is before it where its name does not begin with that.

    >>> of_side("Reds", "the ford"), of_side("Reds", "Reds: first road"), of_side("", "the tide")
    ('Reds: the ford', 'Reds: first road', 'the tide')
    """
    return name if not side or name.startswith(f"{side}:") else f"{side}: {name}"


def bare(side: str, name: str) -> str:
    """Something of a side by itself, where whose it is stands beside it.

    >>> bare("Reds", "Reds: first road"), bare("Reds", "The ford")
    ('First road', 'The ford')
    """
    own = name.removeprefix(f"{side}: ")
    return own if own == name else f"{own[:1].upper()}{own[1:]}"


def deployment(scenario: Scenario, only: str = "") -> Section | None:
    """Every zone and every entry, under the side that uses it; or those of one side."""
    rows: list[tuple[Cell, ...]] = []
    more: list[int] = []
    for side in scenario.sides:
        if only and side.name != only:
            continue
        begins = [
            ("", one.name, _size(one.shape), "start", one.note) for one in scenario.zones if one.side == side.name
        ] + [
            (letter(number), one.name, where(one.edge, one.start, one.end), str(one.turn), _coming(one))
            for number, one in enumerate(scenario.entries)
            if one.side == side.name
        ]
        if begins and not only:
            rows.append((Cell(side.name, plain=True, strong=True, span=4),))
        for sign, name, lies, turn, note in begins:
            rows.append((Cell(sign, strong=True), Cell(bare(side.name, name), plain=True), Cell(lies), Cell(turn)))
            if note:
                more.append(len(rows))
                rows.append((Cell(""), Cell(note, plain=True, span=3)))
    if not rows:
        return None
    heads = (
        Column("", share=1),
        Column("Zone or entry", share=8),
        Column("Where", share=9),
        Column("Turn", align="right", share=3),
    )
    begins_at = tuple(number for number, row in enumerate(rows) if row[0].span > 1 and number)
    note = _ZONES if any(not only or one.side == only for one in scenario.zones) else ""
    table = Table(
        heads, tuple(rows), "Who deploys where", group_rows=begins_at, more=tuple(more), dense=True, note=note
    )
    return Section("Deployment", (table,))


def _coming(entry: Entry) -> str:
    """Who comes, on what condition, and what is noted of it: sentences."""
    only = f"if {entry.condition}" if entry.condition else ""
    said = ", ".join(filter(None, (entry.comes, only)))
    return " ".join(filter(None, (said and f"{said[0].upper()}{said[1:]}.", entry.note)))


def set_pieces(scenario: Scenario, knowing: Collection[str] = ()) -> Section | None:
    """Return the set pieces that all see, and the set pieces that the ``knowing`` sides know."""
    rows: list[tuple[Cell, ...]] = []
    shown = [(sign, one) for sign, one in shown_pieces(scenario, knowing) if one.secret or not knowing]
    owned = any(one.side for _, one in shown)
    for sign, one in shown:
        lies = f", {inches(one.at[0])}{_SPACE}east, {inches(one.at[1])}{_SPACE}north" if one.at is not None else ""
        said = ", ".join(part for part in (reaching(one), f"turn {one.turn}" if one.turn else "") if part)
        said = ". ".join(part for part in (said, one.note) if part)
        said = said[:1].upper() + said[1:]
        rows.append(
            (
                Cell(sign, strong=True),
                Cell(one.name + lies, plain=True),
                Cell(said, plain=True),
                *((Cell(one.side or "all", plain=True),) if owned else ()),
            )
        )
    heads = (
        Column("", share=1),
        Column("Set piece", share=6),
        Column("What", share=6),
        *((Column("Whose", share=3),) if owned else ()),
    )
    title = "Hidden, as your map shows it" if knowing else "On the table"
    return Section(title, (Table(heads, tuple(rows), "Set pieces", dense=True),)) if rows else None


def reaching(piece: SetPiece) -> str:
    """What a set piece is, and how far it reaches."""
    return ", ".join(filter(None, (piece.of, f"{inches(piece.radius)} all round" if piece.radius else "")))


def special_rules(scenario: Scenario) -> Section | None:
    """The words of special rules, where there is room for them."""
    rows = tuple((Cell(one.name, plain=True, strong=True), Cell(one.says, plain=True)) for one in scenario.special)
    heads = (Column("Rule", share=2), Column("What it does", share=9))
    return (
        Section("Special rules", (Table(heads, rows, "Special rules of this battle", dense=True, breakable=True),))
        if rows
        else None
    )


def shown_pieces(scenario: Scenario, knowing: Collection[str] = ()) -> list[tuple[str, SetPiece]]:
    """Return placed set pieces, each with its sign on the map: public pieces and the pieces of the sides named.

    A sign is the same for all who know of the piece, and tells nobody whether there are more: what all may see has
    the last letters up to Z, and each side's secrets letters of their own before them.
    """
    shown, counts = [], dict[int, int]()
    sides = [one.name for one in scenario.sides]
    everybodys = sum(one.at is not None and not one.secret for one in scenario.set_pieces)
    for one in scenario.set_pieces:
        if one.at is None or (one.secret and one.side not in sides):
            continue
        block = 1 + sides.index(one.side) if one.secret else 0
        number = counts[block] = counts.get(block, -1) + 1
        again, place = divmod(number, _BLOCK)
        first = -_BLOCK * (block + 1) if block else -min(_BLOCK, everybodys - _BLOCK * again)
        if not one.secret or one.side in knowing:
            shown.append((f"{letter(first + place)}{again + 1 if again else ''}", one))
    return shown


def words(title: str, texts: Sequence[str]) -> Section | None:
    """Paragraphs under a title, as they stand; None where there are none."""
    lines = tuple(line for text in texts for line in text.splitlines() if line.strip())
    return Section(title, (Prose(lines, "text", plain=True),)) if lines else None


def _size(shape: Shape) -> str:
    """Where an area lies: of a rectangle its ends, of anything else the box around it."""
    box = shape.outline.box
    if shape.round:
        x, y = shape.outline.corners[0]
        return f"{inches(shape.outline.margin // HALF)} around {inches(x // HALF)}, {inches(y // HALF)}"
    left, low, right, high = (inches(one // HALF) for one in box)
    return f"{left.rstrip('″')}–{right}{_SPACE}east, {low.rstrip('″')}–{high}{_SPACE}north"


def objectives(scenario: Scenario) -> Section | None:
    """What is fought for, and by whom: the map shows everybody all of it."""
    everyone = tuple(one.name for one in scenario.sides)
    rows: list[tuple[Cell, ...]] = []
    more: list[int] = []
    for number, one in enumerate(scenario.objectives, start=1):
        told = one.once and one.note  # how it is won, wherever that is
        held = inches(one.radius) if one.radius else NOTHING if told else "touch"
        who = "all" if set(one.sides) == set(everyone) else ", ".join(one.sides)
        rows.append(
            (
                Cell(str(number), strong=True),
                Cell(one.name, plain=True),
                Cell(f"{inches(one.at[0])}, {inches(one.at[1])}"),
                Cell(held),
                Cell(who, plain=True),
                Cell(str(one.points) if one.points else NOTHING),
            )
        )
        if one.note or (one.once and one.points):
            more.append(len(rows))
            rows.append((Cell(""), Cell(one.note or _ONCE, plain=True, span=5)))
    if not rows:
        return None
    heads = (
        Column("No.", share=2),
        Column("Objective", share=6),
        Column("East, north", share=5),
        Column("Within", share=3),
        Column("For", share=3),
        Column("Points", align="right", share=3),
    )
    holds = any(not one.once for one in scenario.objectives)
    note = _HELD if holds else ""
    table = Table(heads, tuple(rows), "What is fought for", more=tuple(more), dense=True, note=note)
    return Section("Objectives", (table,))


def terrain(scenario: Scenario) -> Section | None:
    """What the kinds on the table mean: what they count as, and whom they stop, of those that are in play."""
    kinds = {one.terrain.id: one.terrain for one in scenario.terrain}
    if not kinds:
        return None
    playing = {mover.id: mover.name for side in scenario.sides for mover in side.movers}
    grouped, apart = _counted(tuple(kinds.values()))
    alike: dict[tuple[str, ...], list[str]] = {}
    for kind in kinds.values():
        stops = ", ".join(playing[one] for one in kind.stops if one in playing)
        counts = ("" if one.usual else one.name for one in kind.counts if one.label in grouped)
        told = (_SIGHT.get(kind.sight, kind.sight), *counts, stops)
        alike.setdefault(tuple(one or NOTHING for one in told), []).append(kind.name)
    stopping = any(told[-1] != NOTHING for told in alike)
    shown = len(grouped) + (3 if stopping else 2)
    rows = tuple((Cell(", ".join(names)), *map(Cell, told))[:shown] for told, names in alike.items())
    counting = (Column(label, share=5) for label in grouped)
    heads = (Column("Terrain", share=7), Column("Sight", share=4), *counting, Column("Cannot enter", share=6))
    meant: dict[str, list[str]] = {}
    for name, what in apart:
        meant.setdefault(what, []).append(name)
    listed = "; ".join(f"{', '.join(names)} as {what}" for what, names in meant.items())
    note = f"Counted: {listed}." if listed else ""
    return Section("Terrain", (Table(heads[:shown], rows, "Kinds of terrain on this table", dense=True, note=note),))


def agreed(scenario: Scenario) -> Section | None:
    """What is noted of single pieces of terrain, each under its name or what it is; None where nothing is."""
    noted = dict.fromkeys((one.name or one.terrain.name, one.note) for one in scenario.terrain if one.note)
    rows = tuple((Cell(name, plain=True, strong=True), Cell(note, plain=True)) for name, note in noted)
    heads = (Column("Piece", share=2), Column("What is agreed", share=5))
    return Section("Pieces of terrain", (Table(heads, rows, "Notes on terrain", dense=True),)) if rows else None


def _counted(kinds: Sequence[Terrain]) -> tuple[list[str], list[tuple[str, str]]]:
    """The labels by which many kinds are few things, such as cover; of other labels, what is not what it is called."""
    grouped, apart = [], []
    for counts in zip(*(one.counts for one in kinds), strict=True):
        said = [(kind.name, one.name) for kind, one in zip(kinds, counts, strict=True) if one.name]
        others = [(name, what) for name, what in said if what[:_STEM] != name[:_STEM]]
        if 2 * len({what for _, what in said}) <= len(kinds) or 2 * len(others) > len(kinds):
            grouped.append(counts[0].label)
        else:
            apart += others
    return grouped, apart


def winning(scenario: Scenario) -> Section:
    """Who begins, else as the rule book has it, and who wins, where anything is worth points."""
    told = [("First", scenario.first or _FIRST)]
    if scenario.victory or any(one.points for one in scenario.objectives):
        told.append(("Wins", _WINS))
    rows = tuple((Cell(what, strong=True), Cell(said)) for what, said in told)
    heads = (Column("", share=1), Column("", share=12))
    return Section("Setting up and winning", (Table(heads, rows, "Who begins, and who wins", dense=True),))


def victory(scenario: Scenario, side: str = "") -> Section | None:
    """What else is worth points, for everybody or to one side."""
    wanted = [one for one in scenario.victory if not side or one.side in (side, "")]
    if not wanted:
        return None
    rows = tuple(
        (Cell(one.side or "All", plain=True), Cell(one.when, plain=True), Cell(figure(one.points))) for one in wanted
    )
    longest = max(len(one.side) for one in wanted)
    heads = (
        Column("Side", share=4 if longest <= _SHORT else 7),
        Column("For", share=13),
        Column("Points", align="right", share=3),
    )
    return Section("Victory points", (Table(heads, rows, "What else is worth points", dense=True),))
