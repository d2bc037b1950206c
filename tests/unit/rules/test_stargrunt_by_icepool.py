"""Chains of Stargrunt II against icepool: built a second time, from the figures of the book."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import icepool
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.rules.procedures.answers import Answer

    Ask = Callable[..., Answer]

LADDER = (4, 6, 8, 10, 12)
QUALITY = dict(zip(("untrained", "green", "regular", "veteran", "elite"), LADDER, strict=True))
CONTROL = {"none": 4, "basic": 6, "enhanced": 8, "superior": 10}
STEPS = {"none": 0, "soft": 1, "hard": 2}
IMPACT = {
    "RFAC": (10, 1, 1, 2), "HVC": (10, 1, 3, 5), "HKP": (12, 1, 3, 5), "GAC": (12, 1, 1, 2), "MDC": (12, 1, 3, 5),
    "HEL": (8, 1, 1, 5), "DFFG": (12, 2, 1, 5),
}  # fmt: skip
"""Die, times for each class, and the classes it is made in."""


def chances(pool: Any) -> dict[Any, Fraction]:
    return {outcome: Fraction(ways, pool.denominator()) for outcome, ways in pool.items() if ways}


def said(found: Answer) -> dict[str, Fraction]:
    return {outcome.id: Fraction(chance) for outcome, chance in found.outcomes if chance}


def firepower(total: int) -> int:
    return next((die for die in LADDER if total <= die), 12)


@pytest.mark.parametrize(("quality", "total", "support", "bands", "cover", "position"), [
    ("regular", 10, (), 3, "none", False), ("green", 3, (), 1, "none", False), ("veteran", 8, (8,), 2, "soft", False),
    ("elite", 25, (10,), 1, "hard", True), ("untrained", 6, (6, 12), 4, "none", True),
    ("regular", 7, (10, 10), 1, "soft", False),
    ("veteran", 12, (12,), 5, "none", False), ("elite", 36, (12,), 4, "hard", False),
])  # fmt: skip
def test_fire_at_a_squad(
    shipped: Ask, quality: str, total: int, support: tuple[int, ...], bands: int, cover: str,
    position: bool,  # noqa: FBT001
) -> None:  # fmt: skip
    told: dict[str, Any] = {f"{name}support": f"D{die}" for name, die in zip(("", "second_"), support, strict=False)}
    found = shipped(
        "stargrunt2/squad-fire", quality=quality, firepower=total, bands=bands, cover=cover, position=position, **told
    )
    place = bands + STEPS[cover] + position
    if place > 5:
        assert said(found) == {"no-effect": 1}
        return
    sides = LADDER[place - 1]
    dice = (QUALITY[quality], firepower(total), *support)

    def fire(bar: int, *faces: int) -> tuple[int, int]:
        above = sum(face > bar for face in faces)
        return min(above, 2), sum(faces) if above > 1 else 0

    fired = icepool.map(fire, icepool.d(sides), *map(icepool.d, dice))
    assert said(found) == chances(fired.map(lambda above, _: ("no-effect", "suppressed", "hits")[above], star=True))

    def casualties(above: int, whole: int) -> Any:
        more = icepool.d(sides) <= whole % sides
        return more.map(lambda one: whole // sides + int(one)) if above > 1 else -1

    hits = {number: chance for number, chance in chances(fired.map(casualties, star=True)).items() if number >= 0}
    weight = sum(hits.values())
    told_hits = found.numbers["casualties"]
    assert {value: told_hits.probability(value) for value, _ in told_hits.weights} == {
        number: chance / weight for number, chance in hits.items()
    }


@pytest.mark.parametrize("weapon", IMPACT)
@pytest.mark.parametrize(("quality", "control", "bands", "cover", "size", "face", "armour"), [
    ("regular", "basic", 2, "none", 1, "front", 2), ("green", "none", 1, "soft", 3, "front", 4),
    ("elite", "superior", 5, "none", 5, "other-faces", 1), ("veteran", "enhanced", 3, "hard", 4, "other-faces", 5),
    ("regular", "enhanced", 3, "none", 2, "soft-skinned", None), ("elite", "superior", 4, "hard", 3, "front", 1),
])  # fmt: skip
def test_heavy_weapons(  # noqa: PLR0913, PLR0917 - each is an input of the question
    shipped: Ask, weapon: str, quality: str, control: str, bands: int, cover: str, size: int, face: str,
    armour: int | None,
) -> None:  # fmt: skip
    told: dict[str, Any] = {} if armour is None else {"armour_class": armour}
    found = shipped(
        "stargrunt2/heavy-fire", quality=quality, fire_control=control, bands=bands, cover=cover, weapon=weapon,
        face=face, **told, **{"class": size},
    )  # fmt: skip
    die, per_class, least, most = IMPACT[weapon]
    place = bands + STEPS[cover]
    if place > 5 or not least <= size <= most:
        assert said(found) == {"missed": 1}
        return
    times = 1 if armour is None else armour if face == "front" else max(1, armour - 1)
    above = icepool.map(
        lambda bar, crew, sight: (crew > bar) + (sight > bar), icepool.d(LADDER[place - 1]),
        icepool.d(QUALITY[quality]), icepool.d(CONTROL[control]),
    )  # fmt: skip

    def strike(blow: int, guard: int, hits: int) -> str:
        force, plate = blow * per_class * size * hits, guard * times
        return "destroyed" if force > 2 * plate else "disabled" if force > plate else "holds"

    def struck(hits: int) -> Any:
        guard = icepool.d(6 if armour is None else 12)
        return icepool.map(lambda one, other: strike(one, other, hits), icepool.d(die), guard) if hits else "missed"

    assert said(found) == chances(above.map(struck))
    assert found.events["minor-hit"] == chances(above).get(1, 0)
    assert found.events["major-hit"] == chances(above).get(2, 0)


@pytest.mark.parametrize(("attacker", "my_steps", "defender", "their_steps", "dice"), [
    ("regular", 0, "regular", 0, (8, 8)), ("elite", 2, "regular", 0, (12, 4)), ("veteran", 1, "elite", 1, (10, 12)),
    ("green", 0, "veteran", 2, (4, 12)), ("elite", 1, "elite", 2, (8, 10)),
])  # fmt: skip
def test_figure_against_figure(
    shipped: Ask, attacker: str, my_steps: int, defender: str, their_steps: int, dice: tuple[int, int]
) -> None:
    """Types past D12 push the other one's die down: the dice are written out."""
    weapons = ("none", "close-combat", "flamer-or-shotgun")
    found = shipped(
        "stargrunt2/melee", attacker=attacker, attacker_weapon=weapons[my_steps], defender=defender,
        defender_weapon=weapons[their_steps],
    )  # fmt: skip
    mine, theirs = map(icepool.d, dice)
    wins = (mine - theirs).sign()
    names = {1: "attacker-wins", 0: "level", -1: "defender-wins"}
    assert said(found) == {names[int(sign)]: chance for sign, chance in chances(wins).items()}


@pytest.mark.parametrize(("my_times", "their_times"), [(1, 2), (2, 1), (2, 2)])
def test_power_armour_doubles_the_roll(shipped: Ask, my_times: int, their_times: int) -> None:
    for attacker, mine in QUALITY.items():
        for defender, theirs in QUALITY.items():
            found = shipped(
                "stargrunt2/melee", attacker=attacker, defender=defender,
                attacker_suit=my_times > 1, defender_suit=their_times > 1,
            )  # fmt: skip
            margin = my_times * icepool.d(mine) - their_times * icepool.d(theirs)
            names = {1: "attacker-wins", 0: "level", -1: "defender-wins"}
            assert said(found) == {names[int(sign)]: chance for sign, chance in chances(margin.sign()).items()}


@pytest.mark.parametrize("leadership", [1, 2, 3])
@pytest.mark.parametrize("quality", QUALITY)
def test_nerves(shipped: Ask, quality: str, leadership: int) -> None:
    die = QUALITY[quality]
    removed = shipped("stargrunt2/suppression-removal", quality=quality, leadership=leadership)
    assert removed.chance("removed") == Fraction(max(0, die - leadership), die)
    for threat in range(7):
        found = shipped("stargrunt2/confidence-test", quality=quality, leadership=leadership, threat=threat)
        assert found.chance("passed") == Fraction(max(0, die - leadership - threat), die)
