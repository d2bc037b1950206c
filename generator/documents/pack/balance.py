"""The balance note of a scenario: how many shots the main designs of two sides need against each other.

The odds are exact, for the questions that the rules' cards name under ``duels``. A chance of one in three means three
shots.
"""

from __future__ import annotations

from itertools import combinations, groupby
from typing import TYPE_CHECKING, Any

from generator.documents.pack.battle import battle_sheet
from generator.documents.words import NOTHING, decimal
from generator.forces.card_values import no_figure
from generator.forces.exchange import Shot, Target, shots, targets
from generator.forces.target_profiles import Known, target_inputs
from generator.render.blocks import Cell, Column, Prose, Row, Section, Sheet, Table
from generator.render.geometry import narrowest
from generator.render.type.text_length import length
from generator.rules.formulas.errors import FormulaUseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from generator.forces.force import Force
    from generator.scenarios.scenario import Scenario, Side

_FIRERS, _SHOTS, _TARGETS = 6, 2, 4
"""Most designs of a side as firers, most weapons of each, and most targets of the other side."""
_NEVER, _REST, _ANY = "never", "All others", "Any of them"
_FEW = 2
"""Most names of a column before it is headed "All others"."""
_SAYS = (
    "Shots needed on average, by exact odds, at middle range and at a target in the open where the rules tell these "
    "apart; fights in contact are left out."
)
_CUT = "At most six designs of a side are shown as firers, with two weapons each: those {}."
"""The note that is added if a design was left out."""
_SPENT, _MANY = "on which most is spent", "that are most numerous"
_SHARED = "Targets with the same odds share a column; at most four columns are shown."
_LONGEST, _AIMED = (24, 34, 18), 15
"""Most letters per line in the columns of firers, and letters in each column of a target."""
_LEAST = 12
"""Least letters in a column of firers, so that few words are broken."""
_LETTERS = "ABCD"
"""Heads for names without room."""
_HEAD, _SPACED, _PADDING = 8, 1.12, 2.5
"""Type size of a head in points, the factor for its spaced capitals, and its padding in millimetres."""


def balance_sheet(scenario: Scenario, fingerprint: str) -> Sheet | None:
    """Return the balance note and the dice rolls as a sheet for the umpire; None if there are neither."""
    sections = [balance(scenario), _rolls(scenario) if scenario.rolls else None]
    rows = [Row(((section,),)) for section in sections if section is not None]
    kicker = ("umpire", "appendix")
    return battle_sheet(scenario, "balance", "Balance", scenario.name, kicker, rows, fingerprint) if rows else None


def _rolls(scenario: Scenario) -> Section:
    rows = tuple(
        (Cell(roll.table, plain=True), Cell(str(roll.roll), plain=True), Cell(roll.result, plain=True))
        for roll in scenario.rolls
    )
    heads = (Column("Table", share=7), Column("Roll", share=2), Column("Result", share=12))
    aside = f"seed {scenario.seed}" if scenario.seed is not None else ""
    return Section("How it was rolled", (Table(heads, rows, "Rolls", dense=True, breakable=True),), aside=aside)


def balance(scenario: Scenario) -> Section | None:
    """Return the balance note for every pair of sides; None if there are no odds.

    Raises ProblemsError (R241) if a formula of a card has no answer.
    """
    told: list[str] = []
    tables: list[Table | Prose] = []
    known: Known = {}
    notes: set[str] = set()
    try:
        for item, other in combinations(scenario.sides, 2):
            for firing, fired_at in ((item, other), (other, item)):
                tables += _table(firing, fired_at, known, notes)
            told += _in_words(item, other, known)
    except FormulaUseError as error:
        raise no_figure(error, scenario.place, "the balance note") from None
    if not tables:
        return None
    says = " ".join((_SAYS, *sorted(notes)))
    if all(table.columns[-1].head == _ANY for table in tables if isinstance(table, Table)):
        told = []  # if odds do not depend on the target, the tables are enough
    return Section("Balance", (Prose((says, *told), "text", plain=True), *tables))


def expected(chance: Fraction | None) -> str:
    """Return the average number of shots needed at this chance.

    >>> from fractions import Fraction
    >>> expected(Fraction(5, 12)), expected(Fraction(1)), expected(Fraction(0)), expected(None)
    ('2.4', '1.0', 'never', '–')
    """
    if chance is None:
        return NOTHING
    return decimal(1 / chance) if chance else _NEVER


def _table(firing: Side, fired_at: Side, known: Known, notes: set[str]) -> Iterator[Table | Prose]:
    """Yield a table with a row for each way to fire at the targets, and its keys; equal ways share a row.

    Notes to print above all tables are added to ``notes``.
    """
    if firing.force is None or fired_at.force is None:
        return
    found = targets(fired_at.force)
    asked_of = [(shot, [shot.chance(target.inputs, known) for target in found]) for shot in shots(firing.force)]
    given = [(item, chances) for item, chances in asked_of if any(chance is not None for chance in chances)]
    designs = list(dict.fromkeys(item.design.name for item, _ in given))
    if len(designs) > _FIRERS:
        notes.add(_CUT.format(_SPENT if any(item.design.points for item, _ in given) else _MANY))
    designs = designs[:_FIRERS]
    given = [(item, chances) for item, chances in given if item.design.name in designs]
    aimed = _alike(found, [chances for _, chances in given])
    rows: dict[tuple[str, ...], list[str]] = {}
    seen: dict[str, set[tuple[str, ...]]] = {}
    for item, chances in given:
        told = [expected(chances[index]) for index, _ in aimed]
        ways = seen.setdefault(item.design.name, set())
        again = (item.duel.says, *told)  # two ways of a design with equal odds are one
        if set(told) - {NOTHING} and again not in ways and len(ways) < _SHOTS:
            ways.add(again)
            rows.setdefault((item.name, *again), []).append(item.design.name)
    if not rows:
        return
    if len(aimed) > 1:
        notes.add(_SHARED)
    others = _others(found, [item for _, item in aimed])
    ends = {says for _, says, *_ in rows}
    texts = ("Firer", "With", "To") if len(ends) > 1 else ("Firer", "With")
    cells = [
        tuple(Cell(text, plain=True) for text in (", ".join(dict.fromkeys(names)), way, says)[: len(texts)])
        + tuple(map(Cell, told))
        for (way, says, *told), names in rows.items()
    ]
    said = zip(*([cell.text for cell in row[: len(texts)]] for row in cells), strict=True)
    shares = [max(_LEAST, min(max(map(len, item)), most) + 2) for item, most in zip(said, _LONGEST, strict=False)]
    rest = _REST if len(aimed) > 1 else _ANY
    names = [rest if item is others else item.label for _, item in aimed]
    apart = all(_has_room(name, _AIMED / (sum(shares) + _AIMED * len(names))) for name in names)
    heads = (
        *(Column(head, share=share) for head, share in zip(texts, shares, strict=True)),
        *(
            Column(name if apart else letter, align="right", plain=True, share=_AIMED)
            for letter, name in zip(_LETTERS, names, strict=False)
        ),
    )
    caption = f"{firing.name} at {fired_at.name}: shots needed{f' to {next(iter(ends))}' if len(ends) == 1 else ''}"
    yield Table(heads, tuple(cells), caption, show_caption=True, plain_caption=True, dense=True)
    full = [rest.lower() if item is others else ", ".join(item.names) for _, item in aimed]
    key = "; ".join(f"{letter}: {names}" for letter, names in zip(_LETTERS, full, strict=False))
    if not apart:
        yield Prose((f"{key}.",), plain=True)
    several = [
        f"{item.label}: {', '.join(item.names)}." for _, item in aimed if len(item.names) > 1 and item is not others
    ]
    if several and apart:
        yield Prose((" ".join(several),), plain=True)


def _has_room(name: str, share: float) -> bool:
    """Return whether each word of a name fits the head of a column with this share of a page."""
    room = narrowest().width * share - _PADDING
    return all(length(word.upper(), _HEAD) * _SPACED <= room for word in name.split())


def _others(found: Sequence[Target], aimed: Sequence[Target]) -> Target | None:
    """Return the target with the most names if it may be headed "All others"; None otherwise.

    It needs more names than a head has room for, and every target must have a column.
    """
    most = max(aimed, key=lambda target: len(target.names))
    whole = sum(len(target.names) for target in aimed) == sum(len(target.names) for target in found)
    return most if whole and len(most.names) > _FEW else None


def _alike(found: Sequence[Target], given: Sequence[Sequence[Fraction | None]]) -> list[tuple[int, Target]]:
    """Return the first targets with odds, each with its index; targets with equal odds are joined."""
    columns: dict[tuple[Fraction | None, ...], tuple[int, Target]] = {}
    for index, target in enumerate(found):
        chances = tuple(row[index] for row in given)
        if any(chance is not None for chance in chances):
            first, same = columns.get(chances, (index, Target((), target.inputs)))
            columns[chances] = first, same._replace(names=(*same.names, *target.names))
    return list(columns.values())[:_TARGETS]


def _in_words(side: Side, other: Side, known: Known) -> Iterator[str]:
    """Yield a sentence on the first two designs that can settle each other, with the shots needed."""
    if side.force is None or other.force is None:
        return
    for mine in _by_design(side.force):
        for theirs in _by_design(other.force):
            there = _best(mine, target_inputs(other.force, theirs[0].design), known)
            back = _best(theirs, target_inputs(side.force, mine[0].design), known)
            if there and back:
                (chance, shot), (chance_back, shot_back) = there, back
                first, second = shot.design.name, shot_back.design.name
                yield (
                    f"{first} ({side.name}) at {second} ({other.name}): {expected(chance)} shots to {shot.duel.says}, "
                    f"with {shot.name}. {second} at {first}: {expected(chance_back)} to {shot_back.duel.says}, with "
                    f"{shot_back.name}."
                )
                return


def _by_design(force: Force) -> list[list[Shot]]:
    """Return the ways of firing, in a list for each design."""
    return [list(some) for _, some in groupby(shots(force), lambda item: item.design.name)]


def _best(given: Sequence[Shot], target: Mapping[str, Any] | None, known: Known) -> tuple[Fraction, Shot] | None:
    """Return the highest chance to settle a target, with its shot; None if no shot can."""
    found = [(shot.chance(target, known), shot) for shot in given] if target is not None else []
    return max(((chance, item) for chance, item in found if chance), key=lambda item: item[0], default=None)
