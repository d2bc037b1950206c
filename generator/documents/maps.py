"""The map of a scenario on paper: the table to scale, and who begins where and fights for what beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from generator.documents.rosters import hyphened
from generator.documents.words import NOTHING, date
from generator.documents.words import number as figure
from generator.render.blocks import (
    Cell,
    Column,
    Map,
    MapEntry,
    MapMark,
    MapPiece,
    MapShape,
    MapZone,
    Prose,
    Row,
    Section,
    Sheet,
    Table,
)
from generator.render.maps import high_below
from generator.render.widths import ems
from generator.scenarios.checks import inches
from generator.scenarios.outlines import HALF

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generator.scenarios.reach import Extent
    from generator.scenarios.scenario import Scenario, SetPiece, Shape

Part: TypeAlias = "Callable[[Scenario], Section | None]"
Columns: TypeAlias = "tuple[tuple[Section, ...], tuple[Section, ...]]"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PAGE, _COLUMN = 226.0, 90.0
"""Millimetres under the masthead of the shorter paper, and across one of two columns."""
_BLANK = 0.25
"""Ems between two words."""
_SECTION, _ROW, _LINE, _EM = 15.8, 1.1, 3.9, 3.1
"""Those of a section without its rows, of a row without its lines, of a line, and of an em."""
_ROOMY, _ACROSS = 120.0, 172.0
"""A table as high as this, or as wide as a page lets it be, leaves room for the words of special rules."""
_HARDLY = 0.88
"""How much of its height the table keeps where words go over the page anyway."""
_WORTH = 2 / 3
"""How much of the second page is taken, or more stands there."""
_HIGHEST, _LOWEST = 150.0, 66.0
"""What the table itself may take from north to south, however little or much stands under it."""


def map_sheet(scenario: Scenario, table: Extent, fingerprint: str) -> Sheet:
    """The map with its legend, then deployment, objectives, terrain and victory; what is secret stands nowhere."""
    manifest = scenario.rules.manifest
    errors = sum(one.severity == "error" for one in scenario.problems)
    plan = _map(scenario, table)
    columns, highest = _arranged(scenario, plan, (_victory, _special_rules))
    if highest < min(_ROOMY, plan.depth / plan.width * _ACROSS):
        shorter, left = _arranged(scenario, plan, (_victory_and_rules,))
        columns, highest = (shorter, left) if left >= _LOWEST else (columns, left)
    over: Columns = ((), ())
    if highest < _LOWEST:  # too many words for one page
        columns, over, highest = _parted(scenario, plan)
    plan = replace(plan, highest=min(highest, _HIGHEST))
    rows = [Row(((Section("", (plan,)),),))]
    for under, new_page in ((columns, False), (over, True)):
        if any(under):
            rows.append(Row(tuple(column for column in under if column), new_page=new_page))
    facts = (
        scenario.mission,
        f"{inches(table.wide)} × {inches(table.deep)}",
        f"{scenario.turns} turns" if scenario.turns else "",
        scenario.light,
        scenario.weather,
    )
    return Sheet(
        id=f"{hyphened(scenario.name) or 'scenario'}-map",
        title=scenario.name,
        strap=" · ".join(one for one in facts if one),
        kicker=("map", manifest.short),
        rows=tuple(rows),
        author="fieldpress",
        edition=date(manifest.edition),
        fingerprint=fingerprint,
        source=manifest.title,
        rights=manifest.rights,
        created=manifest.edition if "-" in manifest.edition else f"{manifest.edition}-01-01",
        banner=f"Draft: {errors} problem{'s' if errors != 1 else ''}" if errors else "",
    )


def _arranged(scenario: Scenario, plan: Map, more: Sequence[Part]) -> tuple[Columns, float]:
    """What stands under the map in two columns, and how high that lets the table be."""
    columns = _balanced(_sections(scenario, more))
    return columns, _PAGE - high_below(plan) - _highest(columns)


def _parted(scenario: Scenario, plan: Map) -> tuple[Columns, Columns, float]:
    """What finds room under a map that is hardly smaller than it may be, what goes over the page; and its height."""
    sections = _sections(scenario, (_victory, _special_rules))
    room = _PAGE - high_below(plan)
    least = min(_HIGHEST, plan.depth / plan.width * _ACROSS) * _HARDLY
    fitting = 0
    for count in range(2, len(sections)):  # a single one would stand beside nothing
        more = _balanced(sections[count:])
        if _highest(_balanced(sections[:count])) <= room - least and _highest(more) >= _PAGE * _WORTH:
            fitting = count
    under = _balanced(sections[:fitting])
    return under, _balanced(sections[fitting:]), room - _highest(under)


def _sections(scenario: Scenario, more: Sequence[Part]) -> list[Section]:
    return [one for one in (part(scenario) for part in (*_PARTS, *more)) if one is not None]


def _highest(columns: Columns) -> float:
    return max(sum(map(_height, column)) for column in columns)


def _balanced(sections: Sequence[Section]) -> Columns:
    """Two columns: each section goes where there is less so far."""
    columns: tuple[list[Section], list[Section]] = ([], [])
    heights = [0.0, 0.0]
    for section in sections:
        shorter = heights.index(min(heights))
        columns[shorter].append(section)
        heights[shorter] += _height(section)
    return tuple(columns[0]), tuple(columns[1])


def _height(section: Section) -> float:
    """How high a section will be, at a guess."""
    high = _SECTION
    for block in section.blocks:
        if isinstance(block, Table):
            whole = sum(column.share for column in block.columns)
            for row in block.rows:
                at, lines = 0, 1
                for cell in row:
                    share = sum(column.share for column in block.columns[at : at + cell.span])
                    lines = max(lines, _lines(cell.text, (_COLUMN * share / whole - 1.6) / _EM))
                    at += cell.span
                high += _ROW + _LINE * lines
        elif isinstance(block, Prose):
            high += sum(2 + 4.6 * _lines(text, _COLUMN / 3.5) for text in block.paragraphs)
    return high


def _lines(text: str, room: float) -> int:
    """How many lines a text takes in a column of so many ems, broken between words."""
    lines, left = 1, room
    for word in text.split():
        wide = ems(word)
        if wide > left and left < room:
            lines, left = lines + 1, room
        left -= wide + _BLANK
    return lines


def _map(scenario: Scenario, table: Extent) -> Map:
    sides = tuple(one.name for one in scenario.sides)
    kinds: dict[str, dict[str, None]] = {}
    for piece in scenario.terrain:
        kinds.setdefault(piece.terrain.drawn, {})[piece.terrain.name] = None
    marks = [
        MapMark(str(number), _spot(one.at), one.radius / 2, one.name)
        for number, one in enumerate(scenario.objectives, start=1)
    ]
    marks += [
        MapMark(sign, _spot(one.at), name=one.name, objective=False)
        for sign, one in _open_pieces(scenario)
        if one.at is not None
    ]
    entries = tuple(
        MapEntry(_letter(number), one.edge, one.start / 2, one.end / 2, sides.index(one.side))
        for number, one in enumerate(scenario.entries)
    )
    return Map(
        table.wide / 2,
        table.deep / 2,
        tuple(MapPiece(one.terrain.drawn, _shape(one.shape), one.name) for one in scenario.terrain),
        tuple(MapZone(_shape(one.shape), one.name, sides.index(one.side)) for one in scenario.zones),
        entries,
        tuple(marks),
        tuple((drawn, ", ".join(names)) for drawn, names in kinds.items()),
        sides,
        tuple(one.colour for one in scenario.sides),
        _alt(scenario, table),
        scenario.name,
    )


def _letter(number: int) -> str:
    return _LETTERS[number % len(_LETTERS)]


def _spot(at: tuple[int, int]) -> tuple[float, float]:
    return at[0] / 2, at[1] / 2


def _shape(shape: Shape) -> MapShape:
    outline = shape.outline
    points = tuple((x / (2 * HALF), y / (2 * HALF)) for x, y in outline.corners)
    around = outline.margin / (2 * HALF)
    return MapShape(points, around if shape.round else 0, 2 * around if shape.flows else 0)


def _alt(scenario: Scenario, table: Extent) -> str:
    """The map in words."""
    said = [f"Map of a table of {inches(table.wide)} by {inches(table.deep)}, north up"]
    said += [f"{one.name or one.terrain.name}: {one.terrain.name.lower()}" for one in scenario.terrain]
    said += [f"{one.name}: zone of {one.side}" for one in scenario.zones]
    said += [
        f"{_letter(number)}: entry of {one.side}, {_where(one.edge, one.start, one.end)}"
        for number, one in enumerate(scenario.entries)
    ]
    said += [f"objective {number}: {one.name}" for number, one in enumerate(scenario.objectives, start=1)]
    return "; ".join(said)


def _where(edge: str, start: int, end: int) -> str:
    return f"{edge} edge, {inches(start)} to {inches(end)}"


def _deployment(scenario: Scenario) -> Section | None:
    """Every zone and every entry, under the side that uses it."""
    rows: list[tuple[Cell, ...]] = []
    for side in scenario.sides:
        begins = [
            (one.name, _size(one.shape), NOTHING, one.note) for one in scenario.zones if one.side == side.name
        ] + [
            (f"{_letter(number)} · {one.name}", _where(one.edge, one.start, one.end), str(one.turn), one.note)
            for number, one in enumerate(scenario.entries)
            if one.side == side.name
        ]
        if begins:
            rows.append((Cell(side.name, plain=True, strong=True, span=3),))
        for name, where, turn, note in begins:
            rows.append((Cell(name, plain=True), Cell(where), Cell(turn)))
            if note:
                rows.append((Cell(note, plain=True, span=3),))
    if not rows:
        return None
    heads = (Column("Zone or entry", share=9), Column("Where", share=9), Column("Turn", align="right", share=2))
    begins_at = tuple(number for number, row in enumerate(rows) if row[0].strong and number)
    return Section("Deployment", (Table(heads, tuple(rows), "Who deploys where", group_rows=begins_at, dense=True),))


def _set_pieces(scenario: Scenario) -> Section | None:
    """What stands on the table for all to see."""
    rows: list[tuple[Cell, ...]] = []
    for sign, one in _open_pieces(scenario):
        said = ", ".join(part for part in (one.of, f"turn {one.turn}" if one.turn else "") if part)
        said = ". ".join(part for part in (said, one.note) if part)
        rows.append(
            (
                Cell(sign, strong=True),
                Cell(one.name, plain=True),
                Cell(said, plain=True),
                Cell(one.side or "all", plain=True),
            )
        )
    heads = (Column("", share=1), Column("Set piece", share=5), Column("What", share=6), Column("Whose", share=3))
    return Section("On the table", (Table(heads, tuple(rows), "Set pieces", dense=True),)) if rows else None


def _special_rules(scenario: Scenario) -> Section | None:
    """The words of special rules, where there is room for them."""
    rows = tuple((Cell(one.name, plain=True, strong=True), Cell(one.says, plain=True)) for one in scenario.special)
    heads = (Column("Rule", share=2), Column("What it does", share=5))
    return Section("Special rules", (Table(heads, rows, "Special rules of this battle", dense=True),)) if rows else None


def _open_pieces(scenario: Scenario) -> list[tuple[str, SetPiece]]:
    """Set pieces that are nobody's secret and have a place, each with its sign on the map."""
    shown = [one for one in scenario.set_pieces if one.at is not None and not one.secret]
    return [(_LETTERS[-1 - number % len(_LETTERS)], one) for number, one in enumerate(shown)]


def _situation(scenario: Scenario) -> Section | None:
    texts = tuple(line for text in scenario.situation for line in text.splitlines() if line.strip())
    return Section("Situation", (Prose(texts, "text", plain=True),)) if texts else None


def _size(shape: Shape) -> str:
    """Where an area lies: of a rectangle its ends, of anything else the box around it."""
    box = shape.outline.box
    if shape.round:
        x, y = shape.outline.corners[0]
        return f"{inches(shape.outline.margin // HALF)} around {inches(x // HALF)}, {inches(y // HALF)}"
    left, low, right, high = (inches(one // HALF) for one in box)
    return f"{left.rstrip('″')}–{right} east, {low.rstrip('″')}–{high} north"


def _objectives(scenario: Scenario) -> Section | None:
    if not scenario.objectives:
        return None
    everyone = tuple(one.name for one in scenario.sides)
    rows: list[tuple[Cell, ...]] = []
    for number, one in enumerate(scenario.objectives, start=1):
        held = inches(one.radius) if one.radius else "touch"
        who = "all" if set(one.sides) == set(everyone) else ", ".join(one.sides)
        rows.append(
            (
                Cell(str(number), strong=True),
                Cell(one.name, plain=True),
                Cell(held),
                Cell(who, plain=True),
                Cell(str(one.points)),
            )
        )
        if one.note:
            rows.append((Cell(""), Cell(one.note, plain=True, span=4)))
    heads = (
        Column("No.", share=2),
        Column("Objective", share=6),
        Column("Within", share=3),
        Column("For", share=3),
        Column("Points", align="right", share=3),
    )
    return Section("Objectives", (Table(heads, tuple(rows), "What is fought for", dense=True),))


def _terrain(scenario: Scenario) -> Section | None:
    """What the kinds on the table mean: whom they stop, of those that are in play."""
    kinds = {one.terrain.id: one.terrain for one in scenario.terrain}
    if not kinds:
        return None
    playing = {mover.id: mover.name for side in scenario.sides for mover in side.movers}
    alike: dict[tuple[str, str], list[str]] = {}
    for kind in kinds.values():
        stops = ", ".join(playing[one] for one in kind.stops if one in playing)
        alike.setdefault((kind.sight or NOTHING, stops or NOTHING), []).append(kind.name)
    stopping = any(stops != NOTHING for _, stops in alike)
    rows: list[tuple[Cell, ...]] = []
    for (sight, stops), names in alike.items():
        rows.append((Cell(", ".join(names)), Cell(sight), Cell(stops))[: 3 if stopping else 2])
    heads = (Column("Terrain", share=7), Column("Sight", share=3), Column("Stops, of those here", share=6))
    heads_shown = heads if stopping else heads[:2]
    return Section("Terrain", (Table(heads_shown, tuple(rows), "Kinds of terrain on this table", dense=True),))


def _victory(scenario: Scenario) -> Section | None:
    if not scenario.victory:
        return None
    rows = tuple(
        (Cell(one.side or "All", plain=True), Cell(one.when, plain=True), Cell(figure(one.points)))
        for one in scenario.victory
    )
    heads = (Column("Side", share=3), Column("For", share=8), Column("Points", align="right", share=3))
    return Section("Victory points", (Table(heads, rows, "What else is worth points", dense=True),))


def _victory_and_rules(scenario: Scenario) -> Section | None:
    """What is worth points, and which special rules there are: their words stand elsewhere."""
    victory = _victory(scenario)
    names = ", ".join(one.name for one in scenario.special)
    if not names:
        return victory
    told = Prose((f"Special rules: {names}.",), plain=True)
    if victory is None:
        return Section("Special rules", (told,))
    return Section("Victory points and special rules", (*victory.blocks, told))


_PARTS: tuple[Part, ...] = (
    _deployment,
    _objectives,
    _terrain,
    _set_pieces,
    _situation,
)
"""What stands under the map, in the order in which room is found for it."""
