"""A scenario under its rules, checked: frozen, ready to be printed. Lengths count half inches, outlines finer units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from generator.forces.force import Force
    from generator.problems import Problem
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place
    from generator.rules.source.provenance import Provenance
    from generator.scenarios.table.outlines import Outline
    from generator.scenarios.table.reach import Extent

Edge = Literal["north", "south", "east", "west"]
EDGES: tuple[Edge, ...] = ("north", "south", "east", "west")


class Counted(NamedTuple):
    """What a kind of terrain counts as."""

    label: str
    name: str
    usual: bool
    """Whether that is so wherever nothing else is said."""


class Terrain(NamedTuple):
    """A kind of terrain, as the rules have it."""

    id: str
    name: str
    drawn: str
    """How a map draws it."""
    sight: str
    """Whether one sees through it or over it, in the table's own words."""
    counts: tuple[Counted, ...]
    """What else it is to the rules, such as its cover."""
    stops: tuple[str, ...]
    """The ways of moving that it stops."""
    over: tuple[str, ...]
    """The kinds that it may lie over."""
    frees: tuple[str, ...]
    """The kinds that it leads through."""
    provenance: Provenance


class Mover(NamedTuple):
    """A way of moving over the ground, as the rules have it."""

    id: str
    name: str


class Shape(NamedTuple):
    """How something was written: what print says of it, and its outline."""

    outline: Outline
    round: bool
    """Whether it is a circle."""
    flows: bool
    """Whether it is a road or a river."""


class Piece(NamedTuple):
    """A piece of terrain."""

    name: str
    terrain: Terrain
    shape: Shape
    note: str
    place: Place


class Side(NamedTuple):
    """One of those who fight."""

    name: str
    force: Force | None
    """None where it could not be read."""
    points: int | None
    briefing: tuple[str, ...]
    secret: tuple[str, ...]
    umpired: tuple[str, ...]
    """Units and designs that the umpire plays, too."""
    colour: str
    movers: tuple[Mover, ...]
    """How its designs move over the ground, in the order of the rules."""
    place: Place


class Zone(NamedTuple):
    """Where a side deploys."""

    name: str
    side: str
    shape: Shape
    note: str
    place: Place


class Entry(NamedTuple):
    """A stretch of an edge where a side comes on, in half inches from the west or the south."""

    name: str
    side: str
    edge: Edge
    start: int
    end: int
    turn: int
    note: str
    place: Place
    condition: str = ""
    """On what it comes at all: it goes on after “if”."""
    comes: str = ""
    """Who comes, in a few words; empty for the rest of the side."""


class Objective(NamedTuple):
    """Something that points are given for."""

    name: str
    at: tuple[int, int]
    radius: int
    points: int
    sides: tuple[str, ...]
    """Who may win it: all sides by name where the file names none."""
    note: str
    place: Place
    once: bool = False
    """Whether it is won once for all, and not by holding it."""


class Victory(NamedTuple):
    """Points for something else."""

    side: str
    """Nothing where anybody may have them."""
    points: int
    when: str
    once: bool = False
    """Whether it is counted once, and not in every turn."""


class SpecialRule(NamedTuple):
    """A special rule in force."""

    id: str
    """Nothing for one that the scenario brings itself."""
    name: str
    says: str
    procedure: str
    """The procedure that has its odds; or nothing."""
    sets_aside: tuple[str, ...] = ()
    """The procedures and tables that do not count where it is in force."""
    last_turns: int = 0
    """How many turns at the end it is about; 0 for all."""


class SetPiece(NamedTuple):
    """Something that stands or happens somewhere, and is no unit that moves."""

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
        """Whether it happens and is nothing that lies anywhere."""
        return self.turn is not None and self.at is None and not self.of


class Marker(NamedTuple):
    """A marker that the scenario brings itself."""

    name: str
    many: int
    back: str
    """What its other side says, if anything."""


class Roll(NamedTuple):
    """What a generator rolled."""

    table: str
    roll: str
    result: str


class Scenario(NamedTuple):
    """A battle under its rules."""

    name: str
    rules: RuleSet
    mission: str
    situation: tuple[str, ...]
    table: Extent | None
    """None where the file does not say it."""
    turns: int | None
    light: str
    weather: str
    sides: tuple[Side, ...]
    terrain: tuple[Piece, ...]
    zones: tuple[Zone, ...]
    entries: tuple[Entry, ...]
    objectives: tuple[Objective, ...]
    victory: tuple[Victory, ...]
    special: tuple[SpecialRule, ...]
    set_pieces: tuple[SetPiece, ...]
    markers: tuple[Marker, ...]
    umpire: tuple[str, ...]
    seed: int | None
    edition: str
    rolls: tuple[Roll, ...]
    place: Place
    problems: tuple[Problem, ...]
    """Every one, in the order of the file; those of forces in other files behind."""
    broken: frozenset[str] = frozenset()
    """The sections that have an entry with a problem: what depends on all of their entries is not checked."""
    first: str = ""
    """Who deploys and who moves first, where the battle says it itself."""
    needs_umpire: bool = False
    """Whether nobody can play it without one."""

    @property
    def late(self) -> tuple[tuple[int, str], ...]:
        """The special rules that are about the last turns alone, and from which turn on."""
        end = self.turns or 0
        late = (item for item in self.special if item.last_turns)
        return tuple((max(1, end - item.last_turns + 1), item.name) for item in late) if end else ()

    @property
    def aside(self) -> frozenset[str]:
        """The procedures, tables and kinds that its special rules set aside."""
        named = [name for special in self.special for name in special.sets_aside]
        return frozenset((*named, *(self.rules.replaced.get(name, name) for name in named)))
