"""The balance note of a scenario: how many shots the main designs of two sides need against each other.

The odds are exact, for the questions that the rules' cards name under ``duels``. A chance of one in three means three
shots.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from generator.documents.pack.battle import battle_sheet
from generator.documents.words import NOTHING, decimal
from generator.forces.card_values import no_figure
from generator.forces.exchange import Target, shots, targets
from generator.render.blocks import Cell, Column, Prose, Section, Sheet, Table
from generator.render.language import Phrase
from generator.rules.formulas.errors import FormulaUseError
from generator.scenarios.check import inches
from generator.scenarios.facts import map_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from generator.forces.force import Force
    from generator.forces.target_profiles import Known
    from generator.scenarios.scenario import Scenario

_FIRERS, _SHOTS, _TARGETS = 6, 2, 4
"""Most designs of a side as firers, most weapons of each, and most targets of the other side."""
_NEVER = "never"
_SAYS = (
    "Shots needed on average, by exact odds, at middle range and at a target in the open where the rules tell these "
    "apart; fights in contact are left out. At most six designs of a side are shown as firers, with two weapons each. "
    "Targets with the same odds share a column; at most four columns are shown."
)


def balance_sheet(scenario: Scenario, fingerprint: str) -> Sheet | None:
    """Return a sheet for the umpire: distances to objectives, the balance note, and the dice of a rolled scenario.

    None if there is nothing of the three. Raises ProblemsError as ``balance`` does.
    """
    sections = [_ways(scenario), balance(scenario), _rolls(scenario) if scenario.rolls else None]
    if not any(sections):
        return None
    return battle_sheet(scenario, "balance", "Balance", scenario.name, ("umpire", "appendix"), sections, fingerprint)


def _rolls(scenario: Scenario) -> Section:
    rows = tuple(
        (Cell(roll.table, plain=True), Cell(str(roll.roll), plain=True), Cell(roll.result, plain=True))
        for roll in scenario.rolls
    )
    heads = (Column("Table", share=7), Column("Roll", share=2), Column("Result", share=12))
    aside = f"seed {scenario.seed}" if scenario.seed is not None else ""
    return Section("How it was rolled", (Table(heads, rows, "Rolls", dense=True, breakable=True),), aside=aside)


def _ways(scenario: Scenario) -> Section | None:
    """Return how far each objective is from where each side begins, what the side sees, and how the sides differ.

    Return None if no objective has a distance from several sides.
    """
    measured = map_facts(scenario)
    distances = [ways for _, ways in measured.distances if len(ways) > 1] if measured is not None else []
    if measured is None or not distances:
        return None
    names = [name for name, _ in distances[0]]
    rows = [(f"To F{n}", [far for _, far in ways], inches) for n, ways in enumerate(distances, start=1)]
    if [name for name, _ in measured.seen_from] == names:
        rows.append(("Of the table seen", [share for _, share in measured.seen_from], "{} %".format))
    heads = (Column(""), *(Column(name, align="right") for name in (*names, "Difference")))
    cells = tuple(
        (Cell(what, strong=True), *(Cell(write(number)) for number in (*each, max(each) - min(each))))
        for what, each, write in rows
    )
    return Section("Ways and sight", (Table(heads, cells, "From where each side begins", dense=True),))


def balance(scenario: Scenario) -> Section | None:
    """Return the balance note: how many shots each side needs, for every pair of sides; None without odds.

    Raises ProblemsError (R241) if a formula of a card has no answer.
    """
    known: Known = {}
    try:
        tables = [
            block
            for firing, fired_at in permutations(scenario.sides, 2)
            if firing.force is not None and fired_at.force is not None
            for block in _table(
                firing.force,
                fired_at.force,
                Phrase("{firer} at {target}: shots needed", firer=firing.name, target=fired_at.name),
                known,
            )
        ]
    except FormulaUseError as error:
        raise no_figure(error, scenario.place, "the balance note") from None
    return Section("Balance", (Prose((_SAYS,), "text", plain=True), *tables)) if tables else None


def expected(chance: Fraction | None) -> str:
    """Return the average number of shots needed at this chance; a dash if the chance is not known.

    >>> from fractions import Fraction
    >>> expected(Fraction(5, 12)), expected(Fraction(1)), expected(Fraction(0)), expected(None)
    ('2.4', '1.0', 'never', '–')
    """
    if chance is None:
        return NOTHING
    return decimal(1 / chance) if chance else _NEVER


def _table(firing: Force, fired_at: Force, caption: str, known: Known) -> Iterator[Table | Prose]:
    """Yield a table with a row for each way to fire at the targets, then the names of targets that share a column.

    Firers with the same way and the same odds share a row. Yield nothing if no shot has odds.
    """
    found = targets(fired_at)
    asked = [(shot, [shot.chance(target.inputs, known) for target in found]) for shot in shots(firing)]
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
    names = (Cell(""), Cell(""), Cell(""), *(Cell(target.label, plain=True, strong=True) for _, target in columns))
    heads = [Column("Firer", share=8), Column("With", share=8), Column("To", share=4)]
    heads += [Column("", align="right", share=5) for _ in columns]
    cells = tuple(
        (*(Cell(text, plain=True) for text in (", ".join(dict.fromkeys(firers)), name, says)), *map(Cell, needed))
        for (name, says, *needed), firers in rows.items()
    )
    yield Table(tuple(heads), (names, *cells), caption, show_caption=True, plain_caption=True, dense=True)
    shared = [f"{target.label}: {', '.join(target.names)}." for _, target in columns if len(target.names) > 1]
    if shared:
        yield Prose((" ".join(shared),), plain=True)


def _columns(found: Sequence[Target], given: Sequence[Sequence[Fraction | None]]) -> list[tuple[int, Target]]:
    """Return the first targets with odds, each with its index in ``found``; targets with equal odds are joined.

    ``given`` holds, for each shot, the chance at each target.
    """
    columns: dict[tuple[Fraction | None, ...], tuple[int, Target]] = {}
    for index, target in enumerate(found):
        chances = tuple(row[index] for row in given)
        if any(chance is not None for chance in chances):
            first, same = columns.get(chances, (index, Target((), target.inputs)))
            columns[chances] = first, same._replace(names=(*same.names, *target.names))
    return list(columns.values())[:_TARGETS]
