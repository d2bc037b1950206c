"""The tables on which scenarios are rolled, the record of the rolls, and the terrain that a player owns."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field

from generator.forces.models import Label
from generator.problems import Problem, ProblemsError, refused
from generator.rules.model.base import Model, Seq
from generator.rules.source.validation import read_model
from generator.scenarios.facts import WAYS
from generator.scenarios.models import MAX_LISTED, MAX_PIECES, Length, Size, Word
from generator.scenarios.scenario import named, table_columns, terrains, unknown_kind

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from generator.rules.entries.tables import Row
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place
    from generator.scenarios.chance import Chance
    from generator.scenarios.table import Extent


class Owned(NamedTuple):
    """A piece of terrain that a player owns. Lengths are in half inches."""

    kind: str
    size: tuple[int, int]
    round: bool

    @property
    def area(self) -> float:
        """The area, in square half inches."""
        return self.size[0] * self.size[1] * (0.785 if self.round else 1)


class OwnTerrain(NamedTuple):
    """The terrain that a player owns, to which a rolled map is limited."""

    place: Place
    """The place of its pieces in the file."""
    kinds: frozenset[str]
    """The ids of its kinds of terrain."""
    pieces: tuple[Owned, ...]
    """Each piece with a footprint."""

    def lacks(self, region: Row, rows: Sequence[Row], names: dict[str, str], table: Extent) -> str:
        """Return in words the first thing that a region needs and these pieces do not have; empty if they have all.

        A region needs a piece of each kind that it must have. Then the pieces of the box must be able to cover one
        percent more of the table than the region's least share.
        ``rows`` are the region's kinds of terrain, and ``names`` the printed name of each kind by its id.
        """
        for row in rows:
            if row["terrain"] not in self.kinds and (row["pieces"] or (0, 0))[0]:
                return f"no {names[row['terrain']]}"
        covered, least = self.covered(rows, table), region["share"][0] + 1
        return "" if covered >= least else f"pieces for {int(covered)} % of the table, {least} % needed"

    def covered(self, rows: Sequence[Row], table: Extent) -> float:
        """Return the share of a table that these pieces cover in a region, in percent.

        ``rows`` are the region's kinds of terrain. A kind counts up to the sum of the greatest shares in its rows.
        """
        most, owned, whole = Counter[str](), defaultdict[str, float](float), table.wide * table.deep
        for row in rows:
            most[row["terrain"]] += (row["share"] or (0, 0))[1]
        for piece in self.pieces:
            owned[piece.kind] += piece.area * 100 / whole
        return sum(min(share, owned[kind]) for kind, share in most.items())


def not_buildable(box: OwnTerrain, expected: str, reason: str) -> Problem:
    """Return S238 at the place of the box, for terrain that cannot be built from it.

    ``expected`` is the terrain that should be built, and ``reason`` is what is missing.
    """
    hint = "add pieces to the box, of more kinds too, or roll a smaller battle"
    return box.place.problem("S238", expected, reason, hint, at_key=True)


_DRAWN_FREELY = (*WAYS, "rail", "stream", "torrent", "brook")
"""The drawings of kinds that need no footprint: their pieces are laid as long as the table needs them."""


class OwnedModel(Model):
    """Pieces of terrain of one kind and one size."""

    kind: Word
    """The kind of terrain, from the rules."""
    size: Size | None = None
    """The two sides of a rectangle in which a piece fits, in inches."""
    radius: Length | None = None
    """The radius of a round piece, in inches."""
    count: Annotated[int, Field(ge=1, le=MAX_PIECES)] = 1
    """The number of such pieces."""


class OwnTerrainModel(Model):
    """The terrain that a player owns."""

    box: Label
    """The name of the collection."""
    pieces: Annotated[Seq[OwnedModel], Field(min_length=1, max_length=MAX_LISTED)]
    """The pieces."""


def read_box(path: Path, rules: RuleSet) -> OwnTerrain:
    """Return the terrain that a player owns from a file.

    Raises ProblemsError: F1xx if it cannot be read; R201 to R203 for wrong keys or values; S201 for an unknown kind of
    terrain. S203 for a piece with both a size and a radius, or with neither; roads, rivers, bridges and the like need
    neither.
    """
    model, part = read_model(OwnTerrainModel, path)
    problems: list[Problem] = []
    known = terrains(rules)
    kinds: set[str] = set()
    pieces: list[Owned] = []
    for number, item in enumerate(model.pieces):
        place, kind = part.place() / "pieces" / number, named(item.kind, known)
        if kind is None:
            problems.append(unknown_kind(item.kind, known, place / "kind"))
            continue
        kinds.add(kind.id)
        given = [key for key in ("size", "radius") if getattr(item, key) is not None]
        if len(given) > 1 or (not given and kind.drawn not in _DRAWN_FREELY):
            found = " and ".join(given) or "no footprint"
            hint = "write size: with two sides in inches, or radius:"
            problems.append(place.problem("S203", "size or radius", found, hint))
        elif given:
            size = item.size or (2 * (item.radius or 0), 2 * (item.radius or 0))
            pieces += [Owned(kind.id, size, item.radius is not None)] * item.count
    if problems:
        raise ProblemsError(*problems)
    return OwnTerrain(part.place() / "pieces", frozenset(kinds), tuple(pieces))


ARRIVALS = "arrivals"
"""The id of the table of events by turn, which belong to a mission or a complication."""
MAX_WORD = 200
"""The most characters of a one-line text in a scenario file."""
_WORD = re.compile(r"\{(\w+)(?: (\w+)/(\w+))?\}")
"""A placeholder: a name, or a name with the singular and the plural of the verb that follows it."""
_PLURAL = re.compile(r".*([^s]s|men)", re.IGNORECASE)
"""A name that takes a plural verb, such as “Hallam Engineers”."""


class Candidate(NamedTuple):
    """A unit that may be taken into a drawn force."""

    name: str
    size: int
    """The size of the unit: points, or elements in a game that counts elements."""
    arm: str
    """The arm of the unit, such as infantry or armour; empty for a unit of no arm."""
    share: int = 1
    """How often the arm is drawn, relative to the other arms."""
    most: int = 99
    """The most units of the arm in a force; a mission may need more."""
    moves: bool = True
    """Whether no design of the unit belongs to an arm that cannot move."""


class Shortfall(NamedTuple):
    """A result that is worse than the user asked for."""

    what: str
    """The name of a force, or ``Balance`` for both forces together."""
    found: str
    hint: str


class ScenarioTables:
    """The tables of a rule set for rolled scenarios, and what was recorded: rolls, and where the result falls short."""

    def __init__(self, rules: RuleSet) -> None:
        """Use the tables for scenarios in ``rules``, which must have no ``columns_problems``.

        Nothing is recorded yet, and there is no box of terrain. Raises ProblemsError (S218) if a required table is
        missing.
        """
        self.rules = rules
        self.rolls: list[dict[str, Any]] = []
        self.shortfalls: list[Shortfall] = []
        self.missed = False
        """Whether a force has fewer units of an arm than the mission needs, or no usable unit."""
        self.candidates: dict[Place, Candidate] = {}
        """The units of forces that were looked at so far, by their places."""
        self.box: OwnTerrain | None = None
        self.unbuildable: dict[str, str] = {}
        """The regions that cannot be built from the box, with the reason."""
        absent = [name for name in table_columns()["required"] if name not in rules.tables]
        if absent:
            hint = "write them into its folder scenario, or choose another rule set"
            found = f"no table {absent[0]}" + (f" and {len(absent) - 1} more" if absent[1:] else "")
            raise ProblemsError(refused("S218", rules.id, "tables to roll a scenario on", found, hint))
        self.by_elements = bool(self.rows("battle-sizes")[0]["counts"] == "elements")
        """Whether the size of a battle is a number of elements, not of points."""
        arms = {row["arm"]: row for row in self.rows("arms")}
        self.members = [(row, arms[row["arm"]]) for row in self.rows("arm-members")]
        """The rows that say which designs belong to an arm, each with the arm."""

    def rows(self, table: str, **wanted: Any) -> list[Row]:
        """Return the rows of a table with these values in the named columns; none if there is no such table.

        With a box, rows of ``region-terrain`` are only those of kinds in the box.
        """
        found = [*self.rules.rows(table)]
        if self.box is not None and table == "region-terrain":
            found = [row for row in found if row["terrain"] in self.box.kinds]
        return [row for row in found if all(row[name] == value for name, value in wanted.items())] if wanted else found

    def use_box(self, box: OwnTerrain, table: Extent) -> None:
        """Limit the terrain to that of a box, and bar the regions that cannot be built from it on a table of this size.

        The barred regions are in ``unbuildable``. Raises ProblemsError (S238) if no region can be built.
        """
        names = {str(row["terrain"]): str(row["name"]).lower() for row in self.rows("terrain")}
        regions = {str(region["region"]): region for region in self.rows("regions")}
        terrain = {key: self.rows("region-terrain", region=key) for key in regions}
        reasons = {key: box.lacks(region, terrain[key], names, table) for key, region in regions.items()}
        if all(reasons.values()):
            nearest = max(regions, key=lambda key: box.covered(terrain[key], table) / (regions[key]["share"][0] or 1))
            reason = f"none; nearest is {regions[nearest]['name']}: {reasons[nearest]}"
            raise ProblemsError(not_buildable(box, "terrain for one of the regions", reason))
        self.box, self.unbuildable = box, {region: reason for region, reason in reasons.items() if reason}

    def row(self, table: str, key: str) -> Row | None:
        """Return the row with this key or printed name, ignoring case; None if there is none.

        Raises KeyError if there is no such table.
        """
        found = self.rules.tables[table]
        word = key.strip().lower()
        names = (found.key[0], found.name or found.key[0])
        return next((row for row in found.rows if word in (str(row[name]).lower() for name in names)), None)

    def roll(self, table: str, chance: Chance, among: Sequence[Row] | None = None) -> Row:
        """Return a random row of a table, or of the rows given, likely in proportion to its weight; record the roll.

        Raises ProblemsError (S218) if there is no row with a weight above 0.
        """
        rows = self.rows(table) if among is None else among
        if not any(row["weight"] for row in rows):
            hint = "raise a weight, or add a row that fits"
            raise ProblemsError(self.rules.tables[table].place.problem("S218", "a row to roll", "none that fits", hint))
        index, roll = chance.weighed([row["weight"] for row in rows])
        self.record(table, roll, str(rows[index]["name"]))
        return rows[index]

    def record(self, table: str, roll: int | str, result: str) -> None:
        """Record a roll and its result for the scenario file. Table and result are cut at 200 characters.

        Instead of a number, ``roll`` may say how the result came about, such as "chosen" or "kept".
        """
        self.rolls.append({"table": table[:MAX_WORD], "roll": roll, "result": result[:MAX_WORD]})

    def admit(self, table: str, what: str, result: str, hint: str) -> None:
        """Record a result that is worse than the user asked for, as a roll of 0 on ``table`` and as a ``Shortfall``.

        ``what`` is the name of a force or another part that falls short, and ``hint`` says what to do.
        """
        self.record(table, 0, result)
        self.shortfalls.append(Shortfall(what, result, hint))


def has_one(row: Row, column: str, there: Collection[str]) -> bool:
    """Return whether one of the values in a row's column is in ``there``; True if the column is empty or missing."""
    asked = row.values.get(column)
    return not asked or any(value in there for value in asked)


def fill(row: Row, column: str, words: Mapping[str, str]) -> str:
    """Return a text of a row with its placeholders filled from ``words`` and a capital first letter; empty for no text.

    ``{attacker has/have}`` prints the attacker's name, and the verb that agrees with the name. Raises ProblemsError
    (S219) for a placeholder without a word.
    """
    text = str(row[column] or "")

    def word(found: re.Match[str]) -> str:
        name = found[1]
        if name not in words:
            hint = f"there are: {', '.join(f'{{{word}}}' for word in words)}"
            raise ProblemsError((row.place / column).problem("S219", "a word that is known", found[0], hint))
        verb = found[3 if _PLURAL.fullmatch(words[name]) else 2]
        return f"{words[name]} {verb}" if verb else words[name]

    filled = _WORD.sub(word, text)
    return filled[:1].upper() + filled[1:]
