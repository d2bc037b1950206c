"""A checked, immutable scenario, ready to print. Lengths are in half inches, outlines in 1/120 of a half inch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from generator.forces.force import Force
    from generator.problems import Problem
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place
    from generator.rules.source.provenance import Provenance
    from generator.scenarios.models import MarkerModel
    from generator.scenarios.table.outlines import Outline
    from generator.scenarios.table.reach import Extent

Edge = Literal["north", "south", "east", "west"]


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
    """Whether units can see through or over this terrain, in the words of the table."""
    counts: tuple[Counted, ...]
    """Its other properties in the rules, such as its cover."""
    stops: tuple[str, ...]
    """The ways of moving that cannot enter this terrain."""
    over: tuple[str, ...]
    """The kinds of terrain that this kind may lie over."""
    frees: tuple[str, ...]
    """The kinds of terrain that this kind makes passable, such as a bridge over water."""
    provenance: Provenance


class Mover(NamedTuple):
    """A way of moving over the ground from the rules."""

    id: str
    name: str


class Piece(NamedTuple):
    """A piece of terrain."""

    name: str
    terrain: Terrain
    outline: Outline
    note: str
    place: Place


class Side(NamedTuple):
    """A side of the battle."""

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


class Zone(NamedTuple):
    """A deployment zone of a side."""

    name: str
    side: str
    outline: Outline
    note: str
    place: Place


class Entry(NamedTuple):
    """A stretch of an edge where a side enters the table, in half inches from the west or the south."""

    name: str
    side: str
    edge: Edge
    start: int
    end: int
    turn: int
    note: str
    place: Place
    condition: str = ""
    """The condition on which units enter here: the words after “if”."""
    comes: str = ""
    """Who enters here, in a few words; empty for the rest of the side."""


class Objective(NamedTuple):
    """An objective: a place that a side holds for points."""

    name: str
    at: tuple[int, int]
    radius: int
    points: int
    sides: tuple[str, ...]
    """The names of the sides that may win the objective: all sides if the file names none."""
    note: str
    place: Place
    once: bool = False
    """Whether the objective is won once and for all, instead of by holding it."""


class Victory(NamedTuple):
    """A victory condition: points for something other than an objective."""

    side: str
    """The side that can get the points; empty if any side can."""
    points: int
    when: str
    once: bool = False
    """Whether the points are counted once, instead of every turn."""


class SpecialRule(NamedTuple):
    """A special rule of the scenario."""

    id: str
    """Empty for a rule that the scenario itself defines."""
    name: str
    says: str
    procedure: str
    """The procedure that gives the rule's odds; empty if there is none."""
    sets_aside: tuple[str, ...] = ()
    """The procedures, tables and kinds that do not apply while the rule is in force."""
    last_turns: int = 0
    """The number of turns at the end to which the rule applies; 0 for all turns."""


class SetPiece(NamedTuple):
    """Something on the table other than a moving unit, such as an emplacement or a minefield; or an event."""

    name: str
    of: str
    side: str
    at: tuple[int, int] | None
    radius: int
    secret: bool
    turn: int | None
    note: str
    place: Place

    @property
    def is_event(self) -> bool:
        """Whether this is an event: it has a turn, but no place and no design."""
        return self.turn is not None and self.at is None and not self.of


class Roll(NamedTuple):
    """A recorded roll of the generator: the table, the number or how the row came, and the result."""

    table: str
    roll: int | str
    result: str


class Scenario(NamedTuple):
    """A battle, its rules and its problems."""

    name: str
    rules: RuleSet
    place: Place
    mission: str = ""
    situation: tuple[str, ...] = ()
    table: Extent | None = None
    """None if the table in the file cannot be read."""
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
    rolls: tuple[Roll, ...] = ()
    problems: tuple[Problem, ...] = ()
    """Every problem, in the order of the file; problems in force files come last."""
    broken: frozenset[str] = frozenset()
    """The sections that have an entry with a problem: checks that need all entries of these sections are skipped."""

    @property
    def has_secrets(self) -> bool:
        """Whether anything is known only to one side or to the umpire."""
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
        """The ids of the procedures, tables and kinds that the scenario's special rules set aside."""
        named = [name for special in self.special for name in special.sets_aside]
        return frozenset((*named, *(self.rules.replaced.get(name, name) for name in named)))
