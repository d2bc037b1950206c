"""The chits of Dirtside II: published chances, and every cell against counting of its own."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library
from generator.rules.load.load import load
from generator.rules.procedures.answers import answer, complete_inputs

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.procedures.answers import Answer
    from generator.rules.procedures.procedure import Procedure

OUTCOMES = ("destroyed", "damaged", "special-only", "firer-down", "no-effect")

# Kurki-Suonio's table of 1998, as printed to six decimals; one of its figures, .108466, a digit lower than there.
PUBLISHED = {
    (1, "all", 1): (".453782", ".336134", ".100840", ".016807", ".092437"),
    (2, "all-half", 2): (".190856", ".171770", ".180316", ".033471", ".423586"),
    (2, "red+yellow", 2): (".430281", ".202963", ".117077", ".033471", ".216209"),
    (3, "red+yellow", 1): (".789719", ".108466", ".031897", ".049993", ".019926"),
    (3, "all-double", 2): (".906581", ".036959", ".005865", ".049993", ".000603"),
    (3, "red+yellow", 4): (".314295", ".146867", ".192930", ".049993", ".295914"),
}
KILLED = {
    (2, "all"): (".532118", ".281441", ".109671"),
    (2, "red+yellow"): (".364051", ".158952", ".061957"),
    (2, "red"): (".219342", ".071215", ".027774"),
    (2, "yellow"): (".095570", ".016522", ".006409"),
    (2, "green"): (".095570", ".016522", ".006409"),
    (3, "all"): (".790099", ".595152", ".380412"),
    (3, "red+yellow"): (".584864", ".372060", ".207783"),
    (3, "red"): (".366666", ".182785", ".089950"),
    (3, "yellow"): (".156534", ".046279", ".019977"),
}

POT = {
    "red": {0: 5, 1: 20, 2: 15, 3: 10},
    "yellow": {0: 3, 1: 10, 2: 7, 3: 5},
    "green": {0: 3, 1: 10, 2: 7, 3: 5},
}
SPECIAL = {"boom": 5, "mobility": 7, "target": 5, "firer": 2}
COLOURS = {
    "yellow": ["yellow"], "green": ["green"], "red": ["red"], "red+yellow": ["red", "yellow"],
    "all": list(POT), "all-half": list(POT), "all-double": list(POT),
}  # fmt: skip
FACTOR = {"all-half": Fraction(1, 2), "all-double": Fraction(2)}


@cache
def procedure(name: str) -> Procedure:
    problems: list[Problem] = []
    ruleset = load(open_library(), "dirtside2", problems, only=[("procedures", name)])
    assert ruleset is not None
    return ruleset.procedures[name]


def asked(name: str, **given: Any) -> Answer:
    return answer(procedure(name), complete_inputs(procedure(name), given))


def six(chance: Fraction) -> str:
    return f"{round(chance * 1_000_000) / 1_000_000:.6f}".removeprefix("0")


@pytest.mark.parametrize("cell", PUBLISHED)
def test_published_chances_against_vehicles(cell: tuple[int, str, int]) -> None:
    found = dict(asked("chit-damage", chits=cell[0], valid=cell[1], armour=cell[2]).outcomes)
    chances = {outcome.id: chance for outcome, chance in found.items()}
    assert tuple(six(chances[one]) for one in OUTCOMES) == PUBLISHED[cell]


@pytest.mark.parametrize("cell", KILLED)
def test_published_chances_against_infantry(cell: tuple[int, str]) -> None:
    for kind, expected in zip(("militia", "line", "powered"), KILLED[cell], strict=True):
        assert (
            six(Fraction(asked("infantry-chits", chits=cell[0], valid=cell[1], type=kind).chance("killed"))) == expected
        )


def counted(chits: int, valid: str, armour: int) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Every combination of how many chits of each sort are drawn, by its number of hands."""
    sorts: list[tuple[str, int, int, bool]] = []  # what it is, its points, how many, whether numbered
    for colour, numbers in POT.items():
        sorts += [("", value if colour in COLOURS[valid] else 0, count, True) for value, count in numbers.items()]
    sorts += [(mark, 0, count, False) for mark, count in SPECIAL.items()]
    outcomes: dict[str, Fraction] = dict.fromkeys(OUTCOMES, Fraction(0))
    events = {"immobilised": Fraction(0), "target-systems-down": Fraction(0)}
    whole = comb(119, chits)

    def go(place: int, left: int, points: int, marks: frozenset[str], numbered: bool, ways: int) -> None:  # noqa: FBT001
        if place == len(sorts):
            if left == 0:
                settle(points * FACTOR.get(valid, Fraction(1)), marks, numbered, Fraction(ways, whole))
            return
        mark, worth, count, is_number = sorts[place]
        for taken in range(min(left, count) + 1):
            more = marks | {mark} if mark and taken else marks
            seen = numbered or bool(is_number and taken)
            go(place + 1, left - taken, points + worth * taken, more, seen, ways * comb(count, taken))

    def settle(points: Fraction, marks: frozenset[str], numbered: bool, chance: Fraction) -> None:  # noqa: FBT001
        if "firer" in marks:
            outcomes["firer-down"] += chance
            return
        for mark, event in (("mobility", "immobilised"), ("target", "target-systems-down")):
            if mark in marks:
                events[event] += chance
        if "boom" in marks or points > armour:
            outcomes["destroyed"] += chance
        elif points == armour and (armour > 0 or numbered):
            outcomes["damaged"] += chance
        else:
            outcomes["special-only" if marks else "no-effect"] += chance

    go(0, chits, 0, frozenset(), False, 1)  # noqa: FBT003
    return outcomes, events


@pytest.mark.parametrize("valid", COLOURS)
@pytest.mark.parametrize("chits", [1, 2, 3])
def test_every_cell_against_plain_counting(chits: int, valid: str) -> None:
    for armour in range(8):
        found = asked("chit-damage", chits=chits, valid=valid, armour=armour)
        outcomes, events = counted(chits, valid, armour)
        assert {outcome.id: chance for outcome, chance in found.outcomes} == outcomes
        assert found.events == events


def test_the_book_s_shot() -> None:
    """Page 32: HKP/3, enhanced fire control, medium range, size 4 in soft cover: 127 of 288 hit."""
    shot = {
        "weapon": "HKP", "class": 3, "band": "medium", "fire_control": "enhanced", "signature": 4, "cover": "soft",
        "armour": 4,
    }  # fmt: skip
    found = asked("direct-fire", **shot)
    hit = Fraction(127, 288)
    assert found.chance("missed") == 1 - hit
    damage, _ = counted(3, "red+yellow", 4)
    for outcome in OUTCOMES:
        assert found.chance(outcome) == hit * damage[outcome]
    assert sum(chance for _, chance in found.outcomes) == 1


def test_what_cannot_be_fired_misses_and_says_why() -> None:
    shot = {"weapon": "HKP", "class": 1, "band": "close", "fire_control": "basic", "signature": 3, "armour": 1}
    found = asked("direct-fire", **shot)
    assert found.chance("missed") == 1
    assert found.notes == ("the weapon is not made in that class",)


@pytest.mark.parametrize(
    ("quality", "leadership", "threat", "expected"),
    [("regular", 2, 1, (5, 2, 1)), ("green", 3, 3, (0, 3, 3)), ("veteran", 1, 0, (9, 1, 0))],
)
def test_confidence(quality: str, leadership: int, threat: int, expected: tuple[int, int, int]) -> None:
    """The book's own: regular, leader 2, threat 1: passed on 4 or more, one level on 2 and 3, two on 1."""
    found = asked("morale-test", quality=quality, leadership=leadership, threat=threat)
    sides = sum(expected)
    assert [chance for _, chance in found.outcomes] == [Fraction(one, sides) for one in expected]


def test_guns_that_converge_draw_one_by_one() -> None:
    one = asked("artillery-barrage", artillery="light", round="HEF", target="infantry", type="line", guns=1)
    three = asked(
        "artillery-barrage", artillery="light", round="HEF", target="infantry", type="line", guns=3, sheaf="closed"
    )
    assert three.chance("survives") == one.chance("survives") ** 3
