"""The sheets of things to cut out, of a battle and of a rule set without a battle: markers, chits and templates."""

from __future__ import annotations

from itertools import groupby, product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.documents.force.rosters import file_name
from generator.documents.pack.battle import due_in, edge_of, flags, turns_of
from generator.documents.words import draft, imprint
from generator.render import markers as paper
from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import Field, unit_fields
from generator.rules.model.base import ANY_KIND

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.forces.force import Design, Force
    from generator.rules.entries.tables import Row, Table
    from generator.rules.ruleset import RuleSet
    from generator.scenarios.scenario import Scenario


_CUT = "To cut out: print on one side."
_FOLD = " Fold at the broken line and glue."
_TURNS = 10
"""The count of turns on the track of a rule set."""


def marker_sheet(scenario: Scenario, fingerprint: str) -> paper.MarkerSheets:
    """Return the sheets of a battle's markers to cut out, with its turn track.

    Markers show no names of units or of secret set pieces.
    """
    markers = markers_of_battle(scenario)
    folded = any(not isinstance(made.piece, paper.Counter) or made.piece.back for made in markers)
    return paper.MarkerSheets(
        id=f"{file_name(scenario)}-markers",
        title=f"{scenario.name}: markers",
        strap=_CUT + (_FOLD if folded else ""),
        trays=tuple(_trays(markers)),
        note=" ".join(_notes(markers)),
        turns=tuple(paper.Turn(n, tuple(due_in(scenario, n, brief=True))) for n in range(1, turns_of(scenario) + 1)),
        sides=tuple(item.name for item in scenario.sides),
        colours=tuple(item.colour for item in scenario.sides),
        banner=draft(scenario.problems),
        imprint=imprint(scenario.rules.manifest, fingerprint),
    )


def table_goods(rules: RuleSet, fingerprint: str) -> paper.MarkerSheets:
    """Return a document with the things to cut out that any battle of a rule set may need.

    They are chits, markers, flags, templates, rulers, boards, grids for draws without chits, and a track of ten turns.
    """
    markers = markers_of_rules(rules)
    trays = [*chits(rules), *_trays(markers), *templates(rules), *draws(rules)]
    return paper.MarkerSheets(
        id=f"{rules.id}-markers",
        title=f"{rules.manifest.title}: things to cut out",
        strap=_CUT + _FOLD,
        trays=tuple(trays),
        note=" ".join(_notes(markers)),
        turns=tuple(paper.Turn(number) for number in range(1, _TURNS + 1)),
        imprint=imprint(rules.manifest, fingerprint),
    )


def _trays(markers: Iterable[Made]) -> Iterator[paper.Tray]:
    """Yield a tray for each size of marker, the widest first, then the highest. Markers of a tray keep their order."""

    def size(made: Made) -> tuple[float, float]:
        return -made.piece.width, -made.piece.height

    for _, group in groupby(sorted(markers, key=size), size):
        yield paper.Tray(tuple(made.piece for made in group))


def _notes(markers: Sequence[Made]) -> Iterator[str]:
    """Yield the meaning of the chevrons on markers, if there are any, then each note on the use of markers once."""
    counters = [made.piece for made in markers if isinstance(made.piece, paper.Counter)]
    ranks = sorted({(counter.rank, counter.word.lower()) for counter in counters if counter.rank})
    if ranks:
        yield f"Chevrons: {', '.join(f'{rank} {word}' for rank, word in ranks)}."
    yield from dict.fromkeys(made.says for made in markers if made.says)


MARKERS = "markers"
"""The id of the table of markers, in the folder ``scenario`` of a rule set."""
_MANY = 40
"""Most markers of one table row for one unit or element, and the largest number that is read from a row."""


class Bearer(NamedTuple):
    """A unit or element that a marker may be for: the values of its fields and the fields, both by name."""

    values: Mapping[str, Any]
    fields: Mapping[str, Field]
    kinds: frozenset[str]
    """The ids of the kinds of its designs; for a unit, without idle kinds."""


_NOBODY = Bearer({}, {}, frozenset())
"""The bearer of a marker for a side or for the whole battle."""


class Made(NamedTuple):
    """A marker to print."""

    piece: paper.Counter | paper.Flag
    says: str = ""
    """The note on its use; empty if it needs none."""


def markers_of_battle(scenario: Scenario) -> list[Made]:
    """Return the markers and flags of the rules for everything in a battle, then the scenario's own markers.

    Each copy is in the list. Markers show no names of units or of secret set pieces. Rows of the rules that the battle
    does not need are left out. A row makes at most 40 markers for one unit or element.
    """
    found = [Made(piece, _text(row, "says")) for row in _rows(scenario) for piece in _pieces(scenario, row)]
    own = (Made(paper.Counter(item.marker, back=item.back)) for item in scenario.markers for _ in range(item.count))
    return [*found, *own]


def markers_of_rules(rules: RuleSet) -> list[Made]:
    """Return the markers for a game without a battle, each copy in the list; empty without a table of markers.

    The column ``sheet`` of the table of markers gives the count of copies, at most 40. A row whose marker shows a
    quality, a figure or both makes this count for each combination of values. Rows without a count make none.
    """
    fields = {field.name: field for kind in rules.kinds.values() for field in kind.fields}
    return [Made(piece, _text(row, "says")) for row in rules.rows(MARKERS) for piece in _of_rules(rules, row, fields)]


def _of_rules(rules: RuleSet, row: Row, fields: Mapping[str, Field]) -> Iterator[paper.Counter | paper.Flag]:
    """Yield the markers of a row for a game without a battle: as many as its count ``sheet``; none without a count.

    A marker that shows fields has this count for each combination of their values. ``fields`` are the fields of all
    kinds, by name. Objectives are numbered flags.
    """
    many = range(_number(row, "sheet", 0))
    if row.values.get("per") == "objective":
        yield from (paper.Flag(str(number + 1), "") for number in many)
        return
    shown = [row.values.get(name) for name in ("grade", "figure")]
    names = [str(name) for name in shown if name in fields]
    choices = [choice.values for name in names if (choice := fields[name].choice) is not None]
    for values in product(*choices):
        bearer = Bearer(dict(zip(names, values, strict=True)), fields, frozenset())
        yield from (_counter(rules, row, number, None, bearer) for number in many)


def _rows(scenario: Scenario) -> Iterator[Row]:
    """Yield the rows of the table of markers that this battle needs.

    Rows about other special rules, about options that are off, and about parts that are set aside are left out. Markers
    that the scenario lists with a count of 0 are left out, too.
    """
    special = {item.id for item in scenario.special}
    options = {None, *(name for name, item in scenario.rules.options.items() if item.value)}
    unwanted = {item.marker for item in scenario.markers if not item.count}

    def is_needed(row: Row) -> bool:
        given = row.values
        needed = given.get("special")
        in_play = given.get("option") in options and (not needed or not special.isdisjoint(needed))
        return in_play and _word(row) not in unwanted and given.get("uses") not in scenario.aside

    return filter(is_needed, scenario.rules.rows(MARKERS))


def _word(row: Row) -> str:
    """Return the word on the markers of a row: its ``name``, or its ``marker`` if it has no name."""
    return str(row.values.get("name") or row["marker"])


def _text(row: Row, name: str) -> str:
    return str(row.values.get(name) or "")


def _of_side(scenario: Scenario, row: Row, side: int) -> Iterator[paper.Counter]:
    """Yield a row's markers for the side with the index ``side``, or for the side's units or elements.

    Yield nothing if the row is about anything else, such as the battle or objectives.
    """
    force, per = scenario.sides[side].force, str(row.values.get("per"))
    many, most = _number(row, "many", 1), _number(row, "most", 10**6)
    owned = side if row.values.get("owned") else None
    if per == "side":
        yield from (_counter(scenario.rules, row, number, owned) for number in range(min(many, most)))
    if per not in ("unit", "element") or force is None:
        return
    kinds = row.values.get("kinds")
    wanted = [unit for unit in _bearers(force, per) if not kinds or any(_is_of(unit, word) for word in kinds)]
    each = [unit for unit in wanted for _ in range(min(many * _times(row, unit), _MANY))]
    needed = min(-(-len(each) // max(_number(row, "every", 1), 1)), most)
    for number, item in enumerate(each[:needed]):
        yield _counter(scenario.rules, row, number, owned, item)


def _pieces(scenario: Scenario, row: Row) -> Iterator[paper.Counter | paper.Flag]:
    """Yield a row's markers for sides, units or elements, for the battle, its objectives, set pieces or secrets.

    Set pieces have markers if they are public, are not events, and are not named by the scenario's own markers. Markers
    for secrets come in bundles of the row's count ``many``, at least one bundle, to hide how many secrets there are.
    """
    for side in range(len(scenario.sides)):
        yield from _of_side(scenario, row, side)
    per, many = str(row.values.get("per")), _number(row, "many", 1)
    if per == "game":
        yield from (_counter(scenario.rules, row, number) for number in range(many))
    elif per == "objective":
        yield from (paper.Flag(sign, item.name) for sign, item in flags(scenario))
    elif per == "piece":  # the battle's own markers may have it already
        own = {item.marker for item in scenario.markers}
        for piece in scenario.set_pieces:
            if not (piece.secret or piece.is_event or piece.name in own):
                yield paper.Counter(_word(row), name=piece.name, sign=_text(row, "sign"))
    elif per == "secret":  # full bundles, so that the number does not reveal how much is hidden
        secrets = [piece for piece in scenario.set_pieces if piece.secret and not piece.is_event]
        hidden = sum(edge_of(scenario, piece) is None for piece in secrets)
        bundles = max(1, -(-hidden // max(many, 1)))
        yield from (_counter(scenario.rules, row, number) for number in range(bundles * many))


def _counter(rules: RuleSet, row: Row, number: int, side: int | None = None, bearer: Bearer = _NOBODY) -> paper.Counter:
    """Return the marker that a row makes for the unit or element ``bearer``, for a side, or for the whole battle.

    ``number`` counts the markers of the row from 0; a numbered row prints it from 1. ``side`` is the index of the side
    whose marker it is, None for everybody.
    """
    grade, rank, colour = _grade(rules, row, bearer)
    value = number + 1 if row.values.get("numbered") else bearer.values.get(_text(row, "figure"))
    return paper.Counter(
        grade or _word(row),
        figure="" if value is None else str(value),
        sign=_text(row, "sign"),
        rank=rank,
        colour=colour,
        side=side,
        back=_text(row, "back"),
        tone=_text(row, "tone"),
    )


def _grade(rules: RuleSet, row: Row, bearer: Bearer) -> tuple[str, int, str]:
    """Return the printed name of a unit's or element's quality, its rank from 1, and its colour word.

    ``row`` is a row of the table of markers. Its ``grade`` names the field that holds the quality. Its ``colour`` names
    the table and column of the colour words, such as ``qualities.marker``; without one, the colour word is empty.
    Return empty texts and 0 if the unit or element has no such quality.
    """
    name = _text(row, "grade")
    field, value = bearer.fields.get(name), bearer.values.get(name)
    if field is None or field.choice is None or value not in field.choice.values:
        return "", 0, ""
    rank = field.choice.values.index(value) + 1
    table, _, column = _text(row, "colour").partition(".")
    shades = [line.values for line in rules.rows(table) if line[rules.tables[table].key[0]] == value]
    shade = str(shades[0].get(column) or "") if shades else ""
    return str(field.choice.names.get(value, value)), rank, shade


def _bearers(force: Force, per: str) -> list[Bearer]:
    """Return every unit of a force if ``per`` is "unit", else every element; in a force without units, every design."""
    fields = {field.name: field for field in unit_fields(force.rules.kinds)}
    if not force.units:
        return [_element(design, {}, fields) for design in force.designs]
    if per == "unit":
        kinds = ({of.design.kind.id for of in unit.of if not of.design.kind.idle} for unit in force.units)
        return [Bearer(unit.values, fields, frozenset(ids)) for unit, ids in zip(force.units, kinds, strict=True)]
    entries = [(unit, entry) for unit in force.units for entry in unit.of for _ in range(entry.count)]
    return [_element(entry.design, unit.values, fields) for unit, entry in entries]


def _element(design: Design, of_unit: Mapping[str, Any], fields: Mapping[str, Field]) -> Bearer:
    own = {field.name: field for field in design.kind.fields}
    return Bearer({**of_unit, **design.values}, {**fields, **own}, frozenset((design.kind.id,)))


def _is_of(bearer: Bearer, word: str) -> bool:
    """Return whether a unit or element fits a word: ``kind``, or ``kind.field=value`` for one value of a field.

    The kind ``*`` stands for any kind. A unit fits the kind of any of its designs that is not idle, and a field of the
    unit. An element fits its design's kind, and a field of its design or unit.
    """
    kind, _, asked = word.partition(".")
    field, _, value = asked.partition("=")
    return kind in {ANY_KIND, *bearer.kinds} and (not asked or spell_value(bearer.values.get(field)) == value)


def _times(row: Row, bearer: Bearer) -> int:
    """Return the product of the fields that a row names under ``times``, such as the count of guns of a battery.

    Fields without a whole number are left out, but yes counts as 1 and no as 0. The product is 1 without fields.
    """
    given = [bearer.values.get(name) for name in row.values.get("times") or ()]
    return prod(value for value in given if isinstance(value, int))


def _number(row: Row, name: str, otherwise: int) -> int:
    given = row.values.get(name)
    return max(0, min(given, _MANY)) if isinstance(given, int) else otherwise


TEMPLATES = "templates"
"""The id of the table of templates, in the folder ``scenario`` of a rule set."""
_DICE = (4, 6, 8, 10, 12, 20)


def chits(rules: RuleSet) -> Iterator[paper.Tray]:
    """Yield a tray for each pot that ``_pots`` returns, with every chit as often as it is in the pot."""
    for pot in _pots(rules):
        groups = dict.fromkeys(chit.word for chit in pot if chit.group is not None)
        counts = [f"{sum(chit.word == word for chit in pot)} {word}" for word in groups]
        marks = sum(chit.group is None for chit in pot)
        counts += [f"{marks} special"] if marks else []
        yield paper.Tray(
            pot, f"The whole pot of {len(pot)}: {', '.join(counts)}. Leave the backs plain. Draw from a mug."
        )


def draws(rules: RuleSet) -> Iterator[paper.Tray]:
    """Yield a tray for each pot with its grid of chits: a row die and a column die draw a chit from the grid.

    The dice are those that leave the fewest cells empty. A pot of more than 400 chits is left out.
    """
    for pot in _pots(rules):
        pairs = [(down, across) for across in _DICE for down in _DICE if down <= across and down * across >= len(pot)]
        if pairs:
            down, across = min(pairs, key=lambda pair: (pair[0] * pair[1], pair[1]))
            title = f"A draw without chits: roll D{down} for the row and D{across} for the column. "
            title += "Roll again if you drew this cell before in the same draw."
            yield paper.Tray((paper.Draws(down, across, pot),), title, gap=1)


def templates(rules: RuleSet) -> Iterator[paper.Tray]:
    """Yield a tray with the templates, rulers and boards of the rules; nothing if there are none.

    Pieces wider than 196 mm are left out.
    """
    pieces: list[paper.Piece] = []
    for row in rules.rows(TEMPLATES):
        name, given = str(row["name"]), row.values
        if row["shape"] == "board":
            pieces.append(paper.Board(name, tuple(str(given["boxes"] or "").split("; "))))
        elif row["shape"] == "ruler":
            pieces.append(paper.Ruler(name, int(given["reach"])))
        else:
            pieces.append(
                paper.Template(name, float(given["reach"]), float(given["inner"] or 0), given["degrees"] or 360)
            )
    if fitting := tuple(piece for piece in pieces if piece.width <= paper.WIDEST):
        yield paper.Tray(fitting, "Templates", gap=5)


def _pots(rules: RuleSet) -> list[tuple[paper.Chit, ...]]:
    """Return the chits of each pot in use, followed by its mark chits. A pot with different marks comes several times.

    A pot is in use if a procedure of its own rule set draws from it. Pots that are not in use are left out.
    """
    named = {
        (roll.draw.pot, roll.draw.marks or "")
        for procedure in rules.procedures.values()
        for case in procedure.model.cases
        for roll in case.rolls
        if roll.draw is not None and procedure.owner == rules.tables[roll.draw.pot].owner
    }
    return [
        (*_numbered_chits(rules.tables[pot]), *(_marked_chits(rules.tables[marks]) if marks else ()))
        for pot, marks in sorted(named)
    ]


def _numbered_chits(pot: Table) -> Iterator[paper.Chit]:
    group, number = pot.key
    groups = [*dict.fromkeys(row[group] for row in pot.rows)]
    for row in pot.rows:
        chit = paper.Chit(str(row[number]), str(row[group]), groups.index(row[group]))
        yield from [chit] * row["count"]


def _marked_chits(marks: Table) -> Iterator[paper.Chit]:
    """Yield the mark chits, each as often as its row says.

    The figure of a chit is the printed name of the mark. The word below it is the mark's key, or empty if the
    name is the same but for capitals.
    """
    names = marks.names()
    for row in marks.rows:
        key = row[marks.key[0]]
        yield from [paper.Chit(names[key], "" if names[key].lower() == str(key).lower() else str(key))] * row["count"]
