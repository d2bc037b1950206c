"""A checked, immutable scenario, ready to print, and the kinds of things in it that the rules list."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.parsing.yaml12 import read_yaml
from generator.problems import Problem, suggest
from generator.rules.check.references import References
from generator.rules.entries.choices import spell_value
from generator.rules.entries.tables import Column, Row, Table, cell_problem, listed_names, read_cell
from generator.rules.model.base import several
from generator.rules.model.table import ColumnModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.forces.force import Design, Force
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place, Provenance
    from generator.scenarios.models import Entry, MarkerModel, Objective, RollModel, SetPiece, ShapeModel, Victory, Zone
    from generator.scenarios.table import Extent, Outline


class Counted(NamedTuple):
    """A property of a kind of terrain, such as its cover: a column's label and the name of the value."""

    label: str
    name: str
    usual: bool
    """Whether this is the default value: the first row of the table that lists the values."""


class Terrain(NamedTuple):
    """A kind of terrain from the rules."""

    id: str
    name: str
    drawn: str
    """How a map draws this terrain."""
    sight: str
    """The word for sight over this terrain: ``open``, ``crest`` or ``blocked``."""
    counts: tuple[Counted, ...]
    """Its other properties in the rules, such as its cover."""
    stops: tuple[str, ...]
    """The ids of the ways of moving that cannot enter this terrain."""
    over: tuple[str, ...]
    """The ids of the kinds of terrain that this kind may lie over."""
    frees: tuple[str, ...]
    """The ids of the kinds of terrain that this kind makes passable, such as a bridge over water."""
    provenance: Provenance


class Mover(NamedTuple):
    """A way of moving over the ground from the rules."""

    id: str
    name: str


class Piece(NamedTuple):
    """A piece of terrain."""

    name: str
    terrain: Terrain
    shape: ShapeModel
    note: str = ""
    group: str = ""
    """In a rolled scenario: the group of names from which its name comes; empty for a piece that gets none."""

    @property
    def outline(self) -> Outline:
        """The outline of the piece, in outline units."""
        return self.shape.outline

    @property
    def place(self) -> Place:
        """The place in the file; None for a piece that was rolled."""
        return self.shape.place


class Side(NamedTuple):
    """A side of the battle.

    ``points`` is the most that its force may cost, None for no limit. Only the side's own players read ``secret``.
    """

    name: str
    force: Force | None
    """None if the force could not be read."""
    points: int | None
    briefing: tuple[str, ...]
    secret: tuple[str, ...]
    colour: str
    movers: tuple[Mover, ...]
    """The ways in which its designs move over the ground, in the order of the rules."""
    place: Place


class SpecialRule(NamedTuple):
    """A special rule of the scenario."""

    id: str
    """Empty for a rule that the scenario itself defines."""
    name: str
    says: str
    procedure: str
    """The id of the procedure that gives the rule's odds; empty if there is none."""
    sets_aside: tuple[str, ...] = ()
    """The ids of the procedures, tables and kinds that do not apply while the rule is in force."""
    last_turns: int = 0
    """The number of turns at the end to which the rule applies; 0 for all turns."""


class Scenario(NamedTuple):
    """A battle, its rules and its problems."""

    name: str
    rules: RuleSet
    place: Place
    table: Extent
    """The size of the table; the smallest size if ``broken`` has ``table``, because the file's table cannot be read."""
    mission: str = ""
    situation: tuple[str, ...] = ()
    turns: int | None = None
    first: str = ""
    """Who deploys and who moves first, if the scenario says so."""
    light: str = ""
    weather: str = ""
    sides: tuple[Side, ...] = ()
    terrain: tuple[Piece, ...] = ()
    zones: tuple[Zone, ...] = ()
    entries: tuple[Entry, ...] = ()
    objectives: tuple[Objective, ...] = ()
    victory: tuple[Victory, ...] = ()
    special: tuple[SpecialRule, ...] = ()
    set_pieces: tuple[SetPiece, ...] = ()
    markers: tuple[MarkerModel, ...] = ()
    umpire: tuple[str, ...] = ()
    needs_umpire: bool = False
    """Whether the battle cannot be played without an umpire."""
    seed: int | None = None
    edition: str = ""
    rolls: tuple[RollModel, ...] = ()
    problems: tuple[Problem, ...] = ()
    """Every problem but accepted advice, in the order of the file; problems in force files come last."""
    broken: frozenset[str] = frozenset()
    """The sections that have an entry with a problem: checks that need all entries of these sections are skipped."""

    @property
    def has_secrets(self) -> bool:
        """Whether the battle has secret texts, secret set pieces or texts for the umpire, or needs an umpire."""
        hidden = any(side.secret for side in self.sides) or any(piece.secret for piece in self.set_pieces)
        return bool(self.umpire) or hidden or self.needs_umpire

    @property
    def late(self) -> tuple[tuple[int, str], ...]:
        """For each special rule that applies only to the last turns: its first turn, at least 1, and its name.

        Empty if the scenario gives no count of turns.
        """
        end = self.turns or 0
        late = (item for item in self.special if item.last_turns)
        return tuple((max(1, end - item.last_turns + 1), item.name) for item in late) if end else ()

    @property
    def aside(self) -> frozenset[str]:
        """The ids of the procedures, tables and kinds that the scenario's special rules set aside.

        If another procedure replaces a procedure that is set aside, both ids are included.
        """
        named = [name for special in self.special for name in special.sets_aside]
        return frozenset((*named, *(self.rules.replaced.get(name, name) for name in named)))


TERRAIN, MOVERS, SPECIAL = "terrain", "movers", "special-rules"
"""The tables in the folder ``scenario`` that every scenario uses."""
_NOTHING = ("none", "no", "0", "")


def terrains(rules: RuleSet) -> dict[str, Terrain]:
    """Return every kind of terrain, by id; empty if the rules have no table of terrain."""
    table = rules.tables.get(TERRAIN)
    if table is None:
        return {}
    words = [column for column in table.columns if column.type == "word" and len(column.listed) == 1]
    things = [(column, rules.tables[name]) for column in words for name in column.listed if name in rules.tables]
    return {item.id: item for item in (_terrain(table, row, things) for row in table.rows)}


def unknown_kind(word: str, known: Mapping[str, Terrain], place: Place) -> Problem:
    """Return S201 for a kind of terrain that the rules do not have.

    The hint names a similar kind, or else all kinds; without any kinds, it says that the table of terrain is missing.
    """
    names = [name for kind in known.values() for name in (kind.id, kind.name.lower())]
    otherwise = f"kinds: {', '.join(known)}" if known else "the rules have no table scenario/terrain.yaml"
    return place.problem("S201", "a kind of terrain of the rules", word, suggest(word, names, otherwise))


def _counted(column: Column, listed: Table, value: Any) -> Counted:
    """Return a cell as a property of a terrain: the column's label, the value's name, and whether it is the default.

    ``listed`` is the table that lists the values; the value of its first row is the default. The name is empty if
    the table does not list the value.
    """
    usual = bool(listed.rows) and value == listed.rows[0][listed.key[0]]
    return Counted(column.label, listed.names().get(value, ""), usual)


def _terrain(table: Table, row: Row, things: Sequence[tuple[Column, Table]]) -> Terrain:
    """Return the terrain of a row; each of ``things`` is a column with the table that lists its values."""
    name, given = str(row[table.name or table.key[0]]), row.values
    drawn, sight = (str(given.get(column) or "") for column in ("drawn", "sight"))
    counts = tuple(_counted(column, listed, given.get(column.name)) for column, listed in things)
    stops, over, frees = (tuple(given.get(column) or ()) for column in ("stops", "over", "frees"))
    return Terrain(str(row[table.key[0]]), name, drawn, sight, counts, stops, over, frees, row.provenance)


def special_rules(rules: RuleSet) -> dict[str, SpecialRule]:
    """Return every special rule that a scenario may name, by id; empty if the rules have no table of them."""
    found = {}
    for row in rules.rows(SPECIAL):
        key, given = str(row["rule"]), row.values
        says, procedure = (str(given.get(column) or "") for column in ("says", "procedure"))
        turns, aside = given.get("last_turns") or 0, tuple(given.get("sets_aside") or ())
        found[key] = SpecialRule(key, str(given.get("name") or key), says, procedure, aside, turns)
    return found


@cache
def table_columns() -> Any:
    """Return the contents of ``tables.yaml``: the columns of the tables that scenarios use, by table.

    It also lists the tables that are used without rolls, that a roll requires, and that must have rows.
    """
    document, _ = read_yaml(Path(__file__).with_name("tables.yaml"), "tables.yaml")
    return document and document.value


def columns_problems(rules: RuleSet) -> Iterator[Problem]:
    """Yield S218 for what a scenario cannot use in the tables in the folder ``scenario`` of the rules.

    These are tables that need rows but have none, columns that are missing or of the wrong type, and values that are
    not allowed. Tables that only a roll uses are left out if one of the tables that it needs is missing.
    """
    known, ids = table_columns(), {name for folder in rules.chain for name in folder.scenario_ids()}
    used = known["columns"] if rules.tables.keys() >= {*known["required"]} else known["without_rolls"]
    for table in (rules.tables[name] for name in used if name in ids and name in rules.tables):
        there = {column.name: column.type for column in table.columns}
        for key, model in known["columns"][table.id].items():
            name, wanted = key.removesuffix("?"), model["type"]
            given = there.get(name)
            if given == wanted:
                yield from _cell_problems(table, name, model, rules.tables)
            elif given or key == name:
                found = f"{name} of type {given}" if given else f"no column {name}"
                yield (table.place / "columns").problem("S218", f"a column {name} of type {wanted}", found)
        if not table.rows and table.id in known["with_rows"]:
            yield table.place.problem("S218", "rows to roll on", "no rows")


def _cell_problems(table: Table, name: str, model: Any, tables: Mapping[str, Table]) -> Iterator[Problem]:
    """Yield S218 for each value in a column that is not as ``model``, an entry of ``tables.yaml``, describes it.

    ``tables`` are all tables by id; ``model`` may name those that list the allowed words.
    """
    words = [str(word) for word in listed_names(tables, several(model.get("from")))]
    wanted = ColumnModel.model_construct(**{"of": words} | model)
    for place in (row.place / name for row in table.rows):
        try:
            read_cell(place.value(), wanted, name)
        except ValueError as error:
            yield cell_problem("S218", place, error, "docs/scenarios.md says what the table is for")


def check_names(ground: RuleSet, rules: RuleSet, problems: list[Problem]) -> None:
    """Add a problem for each name in the tables for scenarios that names nothing in the rules.

    Only columns that have the key ``names`` in ``tables.yaml`` are checked. ``ground`` are the rules with these tables,
    and the names are looked up in ``rules``. R231: no such procedure, table or kind. R232: no such field or column.
    R203: no such value.
    """
    walker = References(rules, problems, whole=True)
    columns = (
        (table_id, key.removesuffix("?"), model["names"])
        for table_id, columns in table_columns()["columns"].items()
        for key, model in columns.items()
        if "names" in model
    )
    for table_id, column, what in columns:
        for row in ground.rows(table_id):
            cell = row.values.get(column)
            if isinstance(cell, tuple):
                for index, word in enumerate(cell):
                    walker.check_name(what, word, row.place / column / index)
            elif cell is not None:
                walker.check_name(what, cell, row.place / column)


def movers_of(force: Force, rules: RuleSet) -> tuple[Mover, ...]:
    """Return the ways in which a force's units move over the ground, in the order of the rules.

    A design that fits no row of the table of ways, such as a design that flies, has none. Designs in no unit do not
    count, but in a force without units every design counts.
    """
    designs = {entry.design.name: entry.design for entry in force.entries}.values()
    moving = [row for row in rules.rows(MOVERS) if any(fits(row, design) for design in designs)]
    return tuple(Mover(str(row["mover"]), str(row.values.get("name") or row["mover"])) for row in moving)


def fits(row: Row, design: Design) -> bool:
    """Return whether a design fits a row of a table with the columns ``kinds``, ``field`` and ``values``.

    The design fits if its kind is in ``kinds`` and the value of its ``field`` is in ``values``. Without a field, the
    kind alone counts. With a field but without values, every value fits except none, no, 0 and an empty text or list.
    """
    field, values = row.values.get("field"), row.values.get("values")
    if design.kind.id not in row["kinds"] or not field:
        return design.kind.id in row["kinds"]
    given = design.values.get(field)
    if values:
        return given is not None and spell_value(given) in values
    return bool(given) and spell_value(given) not in _NOTHING


def named(wanted: str, known: Mapping[str, Any]) -> Any:
    """Return the thing in ``known`` with this id or printed name, ignoring case; None if there is none."""
    word = wanted.strip().lower()
    return next((item for key, item in known.items() if word in (key.lower(), item.name.lower())), None)
