"""Sections about a battle, for the map, for everybody, for one side, and for the umpire."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.documents.blocks.tables import listing
from generator.documents.force.rosters import hyphened
from generator.documents.words import NOTHING, ended, number
from generator.render.blocks import Cell, Prose, Section
from generator.render.language import Phrase
from generator.scenarios.check import inches
from generator.scenarios.scenario import TERRAIN, Scenario, Side, Terrain
from generator.scenarios.table import HALF, Outline

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from generator.scenarios.models import Edge, Entry, Objective, SetPiece


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BLOCK = 5
"""The most letters for public set pieces, and for the secrets of each side; then letters get a number."""
_STEM = 4
"""Number of letters: a kind whose name and class begin with the same letters needs no note on its class."""
_USUAL_TURNS = 12
_SPACE = "\N{NO-BREAK SPACE}"
_FIRST = "Deploy and move as your rule book says, unless orders or a special rule name a side"
ENDS = "The battle ends after this turn"
_TURN = re.compile(r"\bturns? (\d+)", re.IGNORECASE)
_SIGHT = {"crest": "to its crest"}
"""The printed words for sight, if the word in the table alone would be unclear."""


def slug(scenario: Scenario, side: Side) -> str:
    """Return a side's name for parts and file names, such as "red-company".

    A name that is empty or taken by an earlier side gets the side's number from 1, such as "side-1" or
    "red-company-side-2".
    """
    names: list[str] = []
    for position, item in enumerate(scenario.sides, start=1):
        name = hyphened(item.name)
        while not name or name in names:
            name = "-".join(filter(None, (name, "side", str(position))))
        names.append(name)
    return names[scenario.sides.index(side)]


def turns_of(scenario: Scenario) -> int:
    """Return the scenario's count of turns, or 12 if it gives none."""
    return scenario.turns or _USUAL_TURNS


def letter(number: int) -> str:
    """Return the letter for an index: A for 0, Z for 25 and for -1. After Z, A follows again."""
    return _LETTERS[number % len(_LETTERS)]


def flags(scenario: Scenario) -> Iterator[tuple[str, Objective]]:
    """Yield each objective after the sign of its flag, in the order of the file: F1, F2 and so on."""
    return ((f"F{number}", item) for number, item in enumerate(scenario.objectives, start=1))


def where(edge: str, start: int, end: int) -> str:
    """Return a stretch of a table edge in words, such as "north edge, 0″ to 48″", even if it is the whole edge.

    ``start`` and ``end`` are half inches along the edge.
    """
    return f"{edge} edge, {inches(start)}{_SPACE}to{_SPACE}{inches(end)}"


def comes_on(scenario: Scenario, entry: Entry, *, brief: bool = False) -> str:
    """Return a sentence about an entry: its side, its letter on the map, its place, its units and its condition.

    The place is the stretch of the table edge in inches and the name of the entry. With ``brief``, it is left out.
    Units and condition are left out if the scenario does not give them. The turn and the note are not in the sentence.
    The sentence has no full stop.
    """
    sign, (start, end) = letter(scenario.entries.index(entry)), map(inches, (entry.start, entry.end))
    where_ = f"{entry.edge} edge {start.rstrip('″')}–{end} ({{name}})"
    lies = "" if brief else Phrase(where_, name=bare(entry.side, entry.name))
    begins = Phrase("{side} enter at {sign}", side=entry.side, sign=sign)
    only = entry.condition and Phrase("if {condition}", condition=entry.condition)
    return Phrase.joined(", ", (Phrase.joined(": ", (Phrase.joined(", ", (begins, lies)), entry.comes)), only))


def due_in(scenario: Scenario, turn: int, *, brief: bool = False) -> list[str]:
    """Return the public events of a turn: entries, timed set pieces, special rules that start, the end of the battle.

    With ``brief``, the places of entries are left out. For a rolled scenario, the list also has each sentence of the
    situation and victory conditions that names the turn. It also has the name of each special rule and public set piece
    whose text names the turn. None of these texts comes twice.
    """
    found = [comes_on(scenario, entry, brief=brief) for entry in scenario.entries if entry.turn == turn]
    pieces = [piece for piece in scenario.set_pieces if not piece.secret]
    found += [piece.name for piece in pieces if piece.turn == turn]
    found += [began(name) for from_turn, name in scenario.late if from_turn == turn]
    if scenario.rolls:
        texts = [("", text) for text in (*scenario.situation, *(award.when for award in scenario.victory))]
        texts += [(rule.name, rule.says) for rule in scenario.special] + [(piece.name, piece.note) for piece in pieces]
        named = ((number, name or said) for name, text in texts for number, said in turns_named(text))
        found += dict.fromkeys(said for number, said in named if number == turn and said not in found)
    return [*found, ENDS] if turn == scenario.turns else found


def turns_named(text: str) -> Iterator[tuple[int, str]]:
    """Yield each turn that a sentence of the text names, with this sentence; a turn that it names twice comes once.

    Only the number right after "turn" or "turns" counts: 1 in "turns 1 and 2". Any full stop ends a sentence, except
    before a digit. The sentence comes without its full stop.
    """
    for sentence in re.split(r"\.(?!\d)", text):
        yield from ((int(number), sentence.strip()) for number in dict.fromkeys(_TURN.findall(sentence)))


def began(rule: str) -> str:
    """Return the event text for the special rule named ``rule`` in its first turn, such as "Night from now on"."""
    return Phrase("{rule} from now on", rule=rule)


def of_side(side: str, name: str) -> str:
    """Return a name with its side in front, unless the name begins with the side and a colon already.

    >>> of_side("Reds", "the ford"), of_side("Reds", "Reds: first road"), of_side("", "the tide")
    ('Reds: the ford', 'Reds: first road', 'the tide')
    """
    return name if not side or name.startswith(f"{side}:") else f"{side}: {name}"


def bare(side: str, name: str) -> str:
    """Return a name without the side and colon at its beginning, for places that show the side already.

    >>> bare("Reds", "Reds: first road"), bare("Reds", "The ford")
    ('First road', 'The ford')
    """
    own = name.removeprefix(f"{side}: ")
    return own if own == name else f"{own[:1].upper()}{own[1:]}"


def deployment(scenario: Scenario, only: str = "") -> Section | None:
    """Return a section with the zones and entries of all sides, or of the side with the name ``only``.

    None if there are neither zones nor entries. A zone's note is in a row below the zone. The units of an entry, its
    condition and its note are in a row below the entry.
    """
    rows: list[tuple[Cell, ...]] = []
    more: list[int] = []
    for name in [only] if only else [side.name for side in scenario.sides]:
        zones = [zone for zone in scenario.zones if zone.side == name]
        begins = [("", zone.name, _size(zone.outline), "start", zone.note) for zone in zones]
        for index, item in enumerate(scenario.entries):
            if item.side == name:
                lies = where(item.edge, item.start, item.end)
                begins.append((letter(index), item.name, lies, str(item.turn), _coming(item)))
        if begins and not only:
            rows.append((Cell(name, plain=True, strong=True, span=4),))
        for sign, own, lies, turn, note in begins:
            rows.append((Cell(sign, strong=True), plain(bare(name, own)), Cell(lies), Cell(turn)))
            if note:
                more.append(len(rows))
                rows.append((Cell(""), Cell(note, plain=True, span=3)))
    begins_at = tuple(number for number, row in enumerate(rows) if row[0].span > 1 and number)
    return listing("deployment", rows, group_rows=begins_at, more=tuple(more))


def _coming(entry: Entry) -> str:
    """Return a sentence on who enters and on what condition, followed by the entry's note.

    Each of the three may be missing; empty if all are missing.
    """
    only = f"if {entry.condition}" if entry.condition else ""
    said = ", ".join(filter(None, (entry.comes, only)))
    return " ".join(filter(None, (said and f"{said[0].upper()}{said[1:]}.", entry.note)))


def set_pieces(scenario: Scenario, knowing: Collection[str] = ()) -> Section | None:
    """Return a section with the set pieces that have a place, such as minefields; None if there is nothing to show.

    These are the public pieces, and the secret pieces of the sides whose names are in ``knowing``. If ``knowing`` is
    empty, the section also has the public events, and the public pieces without a side and without a place. Of
    these, events without a note are left out, and pieces with neither a note nor ``of``.
    """
    rows = []
    shown = shown_pieces(scenario, knowing)
    nowhere = [("", item) for item in scenario.set_pieces if item.at is None and not item.secret and not knowing]
    shown += [(sign, item) for sign, item in nowhere if (item.note or item.of) and (item.is_event or not item.side)]
    owned = any(item.side for _, item in shown)
    for sign, item in shown:
        east, north = map(inches, item.at or (0, 0))
        lies = Phrase(f"{east}{_SPACE}east, {north}{_SPACE}north") if item.at is not None else ""
        said = ", ".join(part for part in (reaching(item), f"turn {item.turn}" if item.turn else "") if part)
        said = ". ".join(part for part in (said, item.note) if part)
        said = said[:1].upper() + said[1:]
        whose = Phrase("{side}, hidden" if item.secret else "{side}", side=item.side or "all")
        name = Phrase.joined(", ", (item.name, lies))
        rows.append((Cell(sign, strong=True), plain(name), plain(said), plain(whose) if owned else None))
    others = any(item.at is None or edge_of(scenario, item) for _, item in shown)
    return listing("set_pieces", rows, title="Set pieces" if others else "Diamonds on the map")


def edge_of(scenario: Scenario, piece: SetPiece) -> Edge | None:
    """Return the edge of the table on which a side's set piece lies; None if it lies on no edge.

    None also for a piece without a side or without a place. In a corner, the edge is west or east.
    """
    if piece.at is None or not piece.side:
        return None
    (east, north), (wide, deep) = piece.at, scenario.table
    edges: dict[Edge, bool] = {"west": east == 0, "east": east == wide, "south": north == 0, "north": north == deep}
    return next((edge for edge, there in edges.items() if there), None)


def reaching(piece: SetPiece) -> str:
    """Return what a set piece is (``of``) and its radius in inches, such as "mines, 2″ all round".

    What is missing is left out; empty if both are missing.
    """
    return ", ".join(filter(None, (piece.of, f"{inches(piece.radius)} all round" if piece.radius else "")))


def special_rules(scenario: Scenario) -> Section | None:
    """Return a section with the name and text of each special rule; None if the scenario has no special rules.

    A rule for the last turns has its first turn after its name, if the scenario has a count of turns.
    """
    late = {name: Phrase(f"from turn {turn}") for turn, name in scenario.late}
    rows = (
        (named(Phrase.joined(", ", (item.name, late.get(item.name, "")))), plain(item.says))
        for item in scenario.special
    )
    return listing("special_rules", rows)


def plain(text: str) -> Cell:
    """Return a cell with a player's own words, printed without markup."""
    return Cell(text, plain=True)


def named(text: str) -> Cell:
    """Return a cell with a name in bold; signs of markup in the name are printed as they are."""
    return Cell(text, plain=True, strong=True)


def shown_pieces(scenario: Scenario, knowing: Collection[str] = ()) -> list[tuple[str, SetPiece]]:
    """Return the set pieces that have a place, each after its sign on the map, in the order of the file.

    These are the public pieces, and the secret pieces of the sides whose names are in ``knowing``. A sign is the same
    for everyone who knows the piece, and does not reveal whether there are more pieces. Public pieces have the last
    letters up to Z, and each side's secrets have a block of letters before them. A block has five letters, or fewer if
    entries and sides leave fewer. Further pieces of a block get its letters again with a number, such as Z2.
    """
    shown, counts = [], dict[int, int]()
    sides = [side.name for side in scenario.sides]
    size = max(1, min(_BLOCK, (len(_LETTERS) - len(scenario.entries)) // (1 + len(sides))))
    everybodys = sum(piece.at is not None and not piece.secret for piece in scenario.set_pieces)
    for piece in scenario.set_pieces:
        if piece.at is None or (piece.secret and piece.side not in sides):
            continue
        block = 1 + sides.index(piece.side) if piece.secret else 0
        number = counts[block] = counts.get(block, -1) + 1
        again, place = divmod(number, size)
        first = -size * (block + 1) if block else -min(size, everybodys - size * again)
        if not piece.secret or piece.side in knowing:
            shown.append((f"{letter(first + place)}{again + 1 if again else ''}", piece))
    return shown


def words(title: str, texts: Sequence[str]) -> Section | None:
    """Return a section with a paragraph, without markup, for each line that is not blank; None if all are blank."""
    lines = tuple(line for text in texts for line in text.splitlines() if line.strip())
    return Section(title, (Prose(lines, "text", plain=True),)) if lines else None


def _size(outline: Outline) -> str:
    """Return where an area lies: the radius and centre of a circle, or else its extent east and north.

    Lengths are in inches, rounded down to half inches.
    """
    if outline.round:
        x, y = outline.corners[0]
        return f"{inches(outline.margin // HALF)} around {inches(x // HALF)}, {inches(y // HALF)}"
    left, low, right, high = (inches(item // HALF) for item in outline.box)
    return f"{left.rstrip('″')}–{right}{_SPACE}east, {low.rstrip('″')}–{high}{_SPACE}north"


def terrain(scenario: Scenario) -> Section | None:
    """Return a section with the kinds of terrain on the table; None without terrain.

    It says how each kind blocks sight, what it counts as, such as its cover, and which movers in play cannot enter.
    Kinds with the same cells share a row. Notes on kinds stand below.
    """
    kinds = {piece.terrain.id: piece.terrain for piece in scenario.terrain}
    if not kinds:
        return None
    playing = {mover.id: mover.name for side in scenario.sides for mover in side.movers}
    grouped, meant = _counted(tuple(kinds.values()))
    alike: dict[tuple[str, ...], list[str]] = {}
    for kind in kinds.values():
        stops = ", ".join(playing[stop] for stop in kind.stops if stop in playing)
        counts = ("" if count.usual else count.name for count in kind.counts if count.label in grouped)
        told = (_SIGHT.get(kind.sight, kind.sight), *counts, stops)
        alike.setdefault(tuple(count or NOTHING for count in told), []).append(kind.name)
    stopping = any(told[-1] != NOTHING for told in alike)
    rows = ((", ".join(names), *told[:-1], told[-1] if stopping else None) for told, names in alike.items())
    heads = ("Terrain", 7), ("Sight", 4), *((label, 5) for label in grouped), ("Cannot enter", 6)
    listed = "; ".join(f"{', '.join(names)} as {what}" for what, names in meant.items())
    table = scenario.rules.tables[TERRAIN].provenance.note
    own = dict.fromkeys(kind.provenance.note for kind in kinds.values() if kind.provenance.note not in ("", table))
    note = " ".join((*((f"Counted: {listed}.",) if listed else ()), *own))
    return listing("terrain", rows, heads=heads, note=note)


def agreed(scenario: Scenario) -> Section | None:
    """Return a section with the names and notes of terrain pieces with a note, equal pairs once; None without notes."""
    noted = dict.fromkeys((piece.name or piece.terrain.name, piece.note) for piece in scenario.terrain if piece.note)
    rows = ((named(name), plain(note)) for name, note in noted)
    return listing("agreed", rows)


def _counted(kinds: Sequence[Terrain]) -> tuple[list[str], dict[str, list[str]]]:
    """Return the labels of properties that get a column, such as cover, and the exceptions of all other properties.

    A property gets a column if it has at most half as many values as there are kinds. It also gets one if over half of
    the kinds are exceptions. Exceptions are lists of names of kinds, by what the kinds count as. A kind is no exception
    if its name begins with the same four letters as what it counts as.
    """
    grouped, apart = [], dict[str, list[str]]()
    for counts in zip(*(kind.counts for kind in kinds), strict=True):
        said = [(kind.name, item.name) for kind, item in zip(kinds, counts, strict=True) if item.name]
        others = [(name, what) for name, what in said if what[:_STEM] != name[:_STEM]]
        if 2 * len({what for _, what in said}) <= len(kinds) or 2 * len(others) > len(kinds):
            grouped.append(counts[0].label)
        else:
            for name, what in others:
                apart.setdefault(what, []).append(name)
    return grouped, apart


def winning(scenario: Scenario) -> Section:
    """Return the section on who deploys and moves first; as the rule book says, if the scenario does not say it."""
    first = scenario.first or _FIRST
    return Section("First", (Prose((ended(first[:1].upper() + first[1:]),), "text", plain=True),))


def victory(scenario: Scenario, side: Side) -> Section | None:
    """Return a section with the objectives that have points for a side, and its victory conditions; None without any.

    Victory conditions that any side may meet are in the section, too. Their points may be 0 or negative.
    """
    held = [item for item in scenario.objectives if item.points and side.name in item.sides]
    wanted = [item for item in scenario.victory if item.side in (side.name, "")]
    rows = (
        *((plain(f"Objective: {item.name}"), number(item.points)) for item in held),
        *((plain(item.when), number(item.points)) for item in wanted),
    )
    return listing("victory", rows)
