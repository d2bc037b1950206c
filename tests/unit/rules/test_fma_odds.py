"""Every cell of the four FMA procedures, against rolls counted one by one.

The dice tables are copied out of the readings of the document (power, impact and armour dice restored from its damaged
print). They are not taken from the rule data: a slip in either shows up here.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import icepool
import pytest

from generator.commands import decisions
from generator.commands.access import open_library

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

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
    rolls = inputs["guns"] if inputs["sheaf"] == "closed" else 1
    return worst_of(GUN[inputs["artillery"]][target], impact, die, rolls, vehicle=target == "armour")


@cache
def higher(firer: int, *target: int) -> Fraction:
    """Count every roll of the firer's die against the best of the target's."""
    rolls = list(product(range(1, firer + 1), *(range(1, sides + 1) for sides in target)))
    return Fraction(sum(mine > max(theirs) for mine, *theirs in rolls), len(rolls))


def once_hit(chance: Fraction, then: Odds) -> Odds:
    return {"missed": 1 - chance} | {state: chance * its for state, its in then.items()}


def asked(procedure: str, *words: str) -> Iterator[tuple[Inputs, Odds, list[str]]]:
    """What the program answers: inputs, the chances that are not 0, and notes."""
    for cell in decisions.ask(decisions.Query(open_library(), RULES, procedure, words))["cells"]:
        odds = {one["outcome"]: Fraction(one["probability"]) for one in cell["outcomes"]}
        assert sum(odds.values()) == 1
        yield cell["inputs"], {outcome: chance for outcome, chance in odds.items() if chance}, cell["notes"]


FIRE_CONTROL = {"basic": (8, 6, 4), "enhanced": (10, 8, 6), "superior": (12, 10, 8)}


@pytest.mark.parametrize(
    ("weapon", "size", "band", "kind", "impact"),
    [
        ("HKP", 3, "close", "standard", 10),
        ("HKP", 3, "medium", "standard", 8),
        ("HKP", 3, "long", "reactive", 6),
        ("HEL", 2, "long", "standard", 6),
        ("HEL", 2, "close", "ablative", 4),
        ("SLAM", 5, "medium", "reactive", 6),
        ("DFFG", 4, "close", "ablative", 12),
    ],
)
def test_direct_fire_hits_by_the_core_rules_and_destroys_by_dice(
    weapon: str, size: int, band: str, kind: str, impact: int
) -> None:
    place = 0 if weapon == "HEL" else ("close", "medium", "long").index(band)
    question = (f"weapon={weapon}", f"class={size}", f"band={band}", f"armour_type={kind}", "signature=3")
    cells = list(
        asked("direct-fire", *question, "fire_control=basic,enhanced,superior", "armour=0..7", "cover=none,hull-down")
    )
    assert len(cells) == 3 * 8 * 2
    for inputs, odds, _ in cells:
        target = [8, *([10] if inputs["cover"] == "hull-down" else [])]
        hit = higher(FIRE_CONTROL[inputs["fire_control"]][place], *target)
        die = ARMOUR[inputs["armour"]]
        then = certain("destroyed") if die is None else one_roll(WEAPON[size], impact, die, vehicle=True)
        assert odds == once_hit(hit, then)


@pytest.mark.parametrize(("missile", "power"), [("GMS/L", 8), ("GMS/H", 12)])
@pytest.mark.parametrize(("pds", "kind", "impact"), [("none", "standard", 8), ("superior", "reactive", 6)])
def test_a_missile_that_comes_through_destroys_by_dice(
    missile: str, power: int, pds: str, kind: str, impact: int
) -> None:
    die_of = {"none": 4, "basic": 6, "enhanced": 8, "superior": 10}
    question = (f"missile={missile}", "guidance=basic,enhanced,superior", "ecm=none,basic,enhanced,superior")
    cells = list(asked("missile-fire", *question, f"pds={pds}", "armour=0..7", f"armour_type={kind}"))
    assert len(cells) == 3 * 4 * 8
    for inputs, odds, _ in cells:
        target = [die_of[inputs["ecm"]], *([] if pds == "none" else [die_of[pds]])]
        die = ARMOUR[inputs["armour"]]
        then = certain("destroyed") if die is None else one_roll(power, impact, die, vehicle=True)
        assert odds == once_hit(higher(die_of[inputs["guidance"]], *target), then)


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


def test_guns_of_two_and_three_chits_are_as_infantry_with_the_same_die() -> None:
    for inputs, odds, _ in asked(
        "vehicle-at-infantry", "chits=2,3", f"cover={','.join(COVER)}", f"target={','.join(TYPE)}"
    ):
        firer = {2: "other", 3: "powered"}[inputs["chits"]]
        assert odds == infantry_fire(firer=firer, cover=inputs["cover"], target=inputs["target"]), inputs


def test_close_assault_in_every_cell() -> None:
    cells = list(
        asked("close-assault", f"firer={','.join(FIRER)}", f"cover={','.join(COVER)}", f"target={','.join(TYPE)}")
    )
    assert len(cells) == 3 * 3 * 3
    for inputs, odds, _ in cells:
        assert odds == close_assault(**inputs), inputs


@pytest.mark.parametrize("sheaf", ["open", "closed"])
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


EFFECTIVENESS = {1: (1, 2), 2: (2, 4), 3: (3, 6)}
"""What the quality die must show for half of the elements to fire, and for all, by the leader's grade."""
QUALITY = {"green": 6, "regular": 8, "veteran": 10}


def unit_fire(inputs: Inputs) -> tuple[Odds, dict[int, Fraction]]:
    """Count every face of the quality die, and every way that the rolls of the elements that fire can go."""
    arms = inputs["firer"] if inputs["firer"] in ("powered", "apsw") else "other"
    cover = "dug-in" if inputs["cover"] == "urban" else inputs["cover"]
    once = one_roll(FIRER[arms], COVER[cover], TYPE[inputs["target"]], vehicle=False)
    sides = QUALITY[inputs["quality"]] - (2 if inputs["under_fire"] else 0)
    half, everyone = EFFECTIVENESS[inputs["leadership"]]
    odds: Counter[str] = Counter()
    killed: Counter[int] = Counter()
    for face in range(1, sides + 1):
        firing = inputs["elements"] if face >= everyone else -(-inputs["elements"] // 2) if face >= half else 0
        for states in product(once, repeat=firing):
            chance = prod((once[one] for one in states), start=Fraction(1, sides))
            lost = states.count("element-destroyed")
            outcome = "losses" if lost else "under-fire" if "under-fire" in states else "no-losses"
            odds[outcome if firing else "no-fire"] += chance  # type: ignore[assignment] # exact, as fractions are
            killed[lost] += chance  # type: ignore[assignment] # as above
    return dict(odds), dict(killed)  # type: ignore[arg-type] # as above


@pytest.mark.parametrize("target", TYPE)
@pytest.mark.parametrize("cover", [*COVER, "urban"])
def test_a_unit_on_foot_fires_by_effectiveness_and_dice(target: str, cover: str) -> None:
    words = (f"target={target}", f"cover={cover}", "under_fire=no,yes", "quality=green,veteran", "leadership=1..3")
    for firer, elements in (("militia", 1), ("line", 4), ("powered", 3), ("apsw", 2)):
        found = decisions.ask(
            decisions.Query(
                open_library(), RULES, "infantry-firefight", (f"firer={firer}", f"elements={elements}", *words)
            )
        )
        assert len(found["cells"]) == 12
        for cell in found["cells"]:
            odds, killed = unit_fire(cell["inputs"])
            assert {one["outcome"]: Fraction(one["probability"]) for one in cell["outcomes"] if one["decimal"]} == odds
            numbers = {one["value"]: Fraction(one["probability"]) for one in cell["distributions"]["killed"]}
            assert numbers == killed, cell["inputs"]


def test_one_rifle_team_at_another_as_the_dice_of_the_document_have_it() -> None:
    question = ("firer=line", "elements=1", "quality=veteran", "leadership=1", "target=line", "cover=open")
    ((_, odds, _),) = asked("infantry-firefight", *question)
    assert odds["losses"] == Fraction(203, 480)


@pytest.mark.parametrize("type_", TYPE)
def test_chits_at_infantry_turn_into_dice(type_: str) -> None:
    cells = list(asked("infantry-chits", "chits=1..5", f"valid={','.join(VALID)}", f"type={type_}"))
    assert len(cells) == 5 * 7
    for inputs, odds, notes in cells:
        once = one_roll(WEAPON[inputs["chits"]], VALID[inputs["valid"]], TYPE[type_], vehicle=False)
        assert odds.get("killed", 0) == once.get("element-destroyed", 0)
        assert odds.get("under-fire", 0) == once.get("under-fire", 0)
        assert "dice-at-infantry" in " ".join(notes)


@pytest.mark.parametrize("sheaf", ["open", "closed", "converged"])
@pytest.mark.parametrize("target", ["target=vehicle", "target=infantry"])
def test_a_whole_barrage_is_the_artillery_of_the_document(target: str, sheaf: str) -> None:
    word = "armour=0..7" if target == "target=vehicle" else "type=militia,line,powered"
    names = {"element-destroyed": "killed", "under-fire": "survives"} | (
        {"no-effect": "survives"} if "type" in word else {}
    )
    for shell, dug_in in product(("HEF", "MAK"), ("no", "yes")):
        words = (
            target,
            word,
            f"dug_in={dug_in}",
            f"sheaf={sheaf}",
            f"round={shell}",
            "artillery=light,heavy",
            "guns=1,4",
        )
        for inputs, odds, _ in asked("artillery-barrage", *words):
            expected: Odds = {}
            what = {**inputs, "target": "armour" if inputs["target"] == "vehicle" else "infantry"}
            for state, chance in artillery_fire(what).items():
                expected[names.get(state, state)] = expected.get(names.get(state, state), Fraction(0)) + chance
            assert odds == expected, inputs


@pytest.mark.parametrize(("system", "attack", "power"), [("basic", 6, 6), ("enhanced", 8, 8), ("superior", 10, 10)])
@pytest.mark.parametrize("armour", range(8))
def test_air_defence_rolls_power_and_impact_at_the_aircraft(system: str, attack: int, power: int, armour: int) -> None:
    ((_, odds, _),) = asked("air-defence", f"system={system}", "pilot=regular", "ecm=enhanced", f"armour={armour}")
    stays = Fraction(5, 8)  # a regular pilot of grade 2 must come above 3 with his D8
    expected: Counter[str] = Counter({"breaks-off": 1 - stays})
    die = ARMOUR[armour]
    for mine, nerve, ecm in product(range(1, attack + 1), range(1, 9), range(1, 9)):
        chance = stays / (attack * 64)
        if mine < max(nerve, ecm):
            expected["through"] += chance  # type: ignore[assignment] # as above
        elif mine == max(nerve, ecm):
            expected["aborts"] += chance  # type: ignore[assignment] # as above
        else:
            once = certain("destroyed") if die is None else one_roll(power, 10, die, vehicle=True)
            for state, its in once.items():
                end = {"destroyed": "shot-down", "no-effect": "aborts"}.get(state, "damaged")
                expected[end] += chance * its  # type: ignore[assignment] # as above
    assert odds == {outcome: chance for outcome, chance in expected.items() if chance}


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
