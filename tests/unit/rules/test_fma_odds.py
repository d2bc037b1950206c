"""Every cell of the four FMA procedures, against rolls counted one by one.

The dice tables are copied out of the readings of the document (power, impact and armour dice restored from its damaged
print), not taken from the rule data: a slip in either shows up here.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import icepool
import pytest

from generator.pipeline import questions
from generator.rules.library import open_library

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = "dirtside2-fma"

WEAPON = {1: 4, 2: 6, 3: 8, 4: 10, 5: 12}
VALID = {"yellow": 4, "green": 4, "red": 6, "all-half": 6, "red+yellow": 8, "all": 10, "all-double": 12}
ARMOUR = {0: None, 1: 4, 2: 6, 3: 8, 4: 10, 5: 12, 6: 12, 7: 12}
FIRER = {"powered": 8, "apsw": 8, "other": 6}
COVER = {"open": 8, "soft": 6, "dug-in": 4}
ASSAULT_COVER = {"open": 10, "soft": 8, "dug-in": 6}
TYPE = {"militia": 8, "line": 10, "powered": 12}
GUN = {
    "light": {"armour": 4, "infantry": 6},
    "medium": {"armour": 6, "infantry": 8},
    "heavy": {"armour": 8, "infantry": 10},
}
ROUND = {
    ("HEF", "infantry", False): 8,
    ("HEF", "infantry", True): 6,
    ("HEF", "armour", False): 4,
    ("HEF", "armour", True): None,
    ("MAK", "infantry", False): 4,
    ("MAK", "infantry", True): None,
    ("MAK", "armour", False): 8,
    ("MAK", "armour", True): 6,
}

VEHICLE_STATES = (
    "destroyed",
    "disabled",
    "immobilised",
    "defender-weapon-jammed",
    "attacker-weapon-jammed",
    "no-effect",
)
"""The worst first."""
INFANTRY_STATES = ("element-destroyed", "under-fire", "no-effect")

Odds = dict[str, Fraction]
Inputs = dict[str, Any]


def level_die(face: int) -> str:
    if face == 1:
        return "attacker-weapon-jammed"
    if face <= 6:
        return "disabled"
    return "immobilised" if face <= 8 else "defender-weapon-jammed"


@cache
def one_roll(power: int, impact: int, target: int, *, vehicle: bool) -> Odds:
    """Count every roll of power, impact and target die, and of the D10 that settles a level one."""
    tally: Counter[str] = Counter()
    for mine, other, theirs, settling in product(*(range(1, sides + 1) for sides in (power, impact, target, 10))):
        best = max(mine, other)
        if best > theirs:
            tally["destroyed" if vehicle else "element-destroyed"] += 1
        elif best < theirs:
            tally["no-effect"] += 1
        else:
            tally[level_die(settling) if vehicle else "under-fire"] += 1
    return {state: Fraction(count, tally.total()) for state, count in tally.items()}


@cache
def worst_of(power: int, impact: int, target: int, rolls: int, *, vehicle: bool) -> Odds:
    """Put roll after roll on one target; the worse state of the two stays each time."""
    states = VEHICLE_STATES if vehicle else INFANTRY_STATES
    once = one_roll(power, impact, target, vehicle=vehicle)
    so_far = {"no-effect": Fraction(1)}
    for _ in range(rolls):
        after: Odds = {}
        for (old, chance), (new, its) in product(so_far.items(), once.items()):
            worse = min(old, new, key=states.index)
            after[worse] = after.get(worse, Fraction(0)) + chance * its
        so_far = after
    return so_far


def certain(state: str) -> Odds:
    return {state: Fraction(1)}


def armour_fire(weapon_size: int, valid: str, armour: int) -> Odds:
    die = ARMOUR[armour]
    return certain("destroyed") if die is None else one_roll(WEAPON[weapon_size], VALID[valid], die, vehicle=True)


def infantry_fire(firer: str, cover: str, target: str) -> Odds:
    return one_roll(FIRER[firer], COVER[cover], TYPE[target], vehicle=False)


def close_assault(firer: str, cover: str, target: str) -> Odds:
    return one_roll(FIRER[firer], ASSAULT_COVER[cover], TYPE[target], vehicle=False)


def artillery_fire(inputs: Inputs) -> Odds:
    target = inputs["target"]
    impact = ROUND[inputs["round"], target, inputs["dug_in"]]
    die = ARMOUR[inputs["armour"]] if target == "armour" else TYPE[inputs["type"]]
    if impact is None:
        return certain("no-effect")
    if die is None:
        return certain("destroyed")
    rolls = inputs["guns"] if inputs["sheaf"] == "converged" else 1
    return worst_of(GUN[inputs["artillery"]][target], impact, die, rolls, vehicle=target == "armour")


def asked(procedure: str, *words: str) -> Iterator[tuple[Inputs, Odds, list[str]]]:
    """What the program answers: inputs, the chances that are not 0, and notes."""
    for cell in questions.odds(open_library(), RULES, procedure, words)["cells"]:
        odds = {one["outcome"]: Fraction(one["probability"]) for one in cell["outcomes"]}
        assert sum(odds.values()) == 1
        yield cell["inputs"], {outcome: chance for outcome, chance in odds.items() if chance}, cell["notes"]


def test_shooting_at_armour_in_every_cell() -> None:
    cells = list(asked("armour-fire", "weapon_size=1..5", f"valid={','.join(VALID)}", "armour=0..7"))
    assert len(cells) == 5 * 7 * 8
    for inputs, odds, _ in cells:
        assert odds == armour_fire(**inputs), inputs


def test_infantry_fire_in_every_cell() -> None:
    cells = list(
        asked("infantry-fire", f"firer={','.join(FIRER)}", f"cover={','.join(COVER)}", f"target={','.join(TYPE)}")
    )
    assert len(cells) == 3 * 3 * 3
    for inputs, odds, _ in cells:
        assert odds == infantry_fire(**inputs), inputs


def test_close_assault_in_every_cell() -> None:
    cells = list(
        asked("close-assault", f"firer={','.join(FIRER)}", f"cover={','.join(COVER)}", f"target={','.join(TYPE)}")
    )
    assert len(cells) == 3 * 3 * 3
    for inputs, odds, _ in cells:
        assert odds == close_assault(**inputs), inputs


@pytest.mark.parametrize("sheaf", ["open", "converged"])
@pytest.mark.parametrize("shell", ["HEF", "MAK"])
@pytest.mark.parametrize("target", ["armour=0..7", "type=militia,line,powered"])
def test_artillery_in_every_cell(sheaf: str, shell: str, target: str) -> None:
    count = 8 if target.startswith("armour") else 3
    what = "armour" if target.startswith("armour") else "infantry"
    for dug_in in ("no", "yes"):
        words = (f"target={what}", target, f"dug_in={dug_in}", f"sheaf={sheaf}", f"round={shell}")
        cells = list(asked("artillery-fire", *words, "artillery=light,medium,heavy", "guns=1..6"))
        assert len(cells) == count * 3 * 6
        for inputs, odds, _ in cells:
            assert odds == artillery_fire(inputs), inputs


def test_what_is_ruled_or_impossible_is_noted() -> None:
    def notes(procedure: str, *words: str) -> list[str]:
        ((_, _, told),) = asked(procedure, *words)
        return told

    assert notes("armour-fire", "weapon_size=3", "valid=red", "armour=3") == []
    assert notes("armour-fire", "weapon_size=3", "valid=red", "armour=0") == [
        "armour 0 has no die: every hit destroys (ruled)"
    ]
    assert notes("armour-fire", "weapon_size=3", "valid=red", "armour=6") == ["armour above 5 keeps the D12 (ruled)"]
    dug_in = ("artillery=heavy", "round=HEF", "target=armour", "armour=3", "dug_in=yes")
    assert notes("artillery-fire", *dug_in) == ["ineffective"]


@pytest.mark.parametrize("guns", range(1, 7))
@pytest.mark.parametrize(("gun", "shell", "armour"), [("light", "HEF", 1), ("medium", "MAK", 3), ("heavy", "MAK", 5)])
def test_a_closed_sheaf_agrees_with_icepool(gun: str, shell: str, armour: int, guns: int) -> None:
    impact, target = ROUND[shell, "armour", False], ARMOUR[armour]
    assert impact is not None
    assert target is not None
    settled = icepool.d10.map(lambda face: VEHICLE_STATES.index(level_die(face)))
    best = icepool.highest(icepool.d(GUN[gun]["armour"]), icepool.d(impact))
    rank = icepool.map(
        lambda mine, theirs: 0 if mine > theirs else 5 if mine < theirs else settled, best, icepool.d(target)
    )
    worst = rank.lowest(guns)
    expected = {VEHICLE_STATES[state]: Fraction(ways, worst.denominator()) for state, ways in worst.items()}
    words = (f"artillery={gun}", f"round={shell}", "target=armour", f"armour={armour}", "sheaf=closed", f"guns={guns}")
    ((_, odds, _),) = asked("artillery-fire", *words)
    assert odds == expected


def test_the_published_figure() -> None:
    ((_, odds, _),) = asked("armour-fire", "weapon_size=3", "valid=red+yellow", "armour=3")
    assert odds == {
        "destroyed": Fraction(77, 128),
        "no-effect": Fraction(35, 128),
        "disabled": Fraction(1, 16),
        "immobilised": Fraction(1, 40),
        "defender-weapon-jammed": Fraction(1, 40),
        "attacker-weapon-jammed": Fraction(1, 80),
    }
