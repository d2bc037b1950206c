"""Squads, figures and characters: what follows from their fields, against printed examples and hand reckoning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from generator.commands.access import open_library
from generator.commands.forces import cost
from generator.reporting.forces import cost_text

if TYPE_CHECKING:
    from pathlib import Path

    from generator.commands.access import Data


def told(folder: Path, rules: str, design: dict[str, Any], **settings: Any) -> Data:
    set_here = {what: {rules: said} for what, said in settings.items()}
    force = {"force": "One", "rules": [rules], **set_here, "designs": [{"design": "A", **design}]}
    (folder / "force.yaml").write_text(yaml.safe_dump(force), "utf-8")
    return cost(open_library(), [folder / "force.yaml"])[0]


def figures(data: Data) -> dict[str, str]:
    (design,) = data["designs"]
    assert design["problems"] == []
    return {line["line"]: line["figure"] for line in design["lines"] if line["figure"]}


# Squads: the examples of Stargrunt II p. 34


def squad(*men: tuple[str, int], quality: str = "regular", **more: Any) -> dict[str, Any]:
    arms = [{"weapon": weapon, "count": count} for weapon, count in men]
    return {"kind": "squad", "quality": quality, "men": arms, **more}


@pytest.mark.parametrize(
    ("men", "die"),
    [
        ((("hunting-rifle", 7),), "D8"),  # 7 men of firepower 1
        ((("gauss-rifle", 5),), "D10"),  # 5 men of firepower 2
        ((("advanced-rifle", 2),), "D4"),  # 4 or less
        ((("improvised", 1),), "D4"),  # a half
        ((("gauss-rifle", 7),), "D12"),  # more than 12
        ((("gauss-rifle", 4), ("improvised", 1)), "D10"),  # 8 and a half: up to 10
        ((("low-tech-rifle", 2), ("low-tech-rifle-gl", 1)), "D8"),  # 4 + 3
    ],
)
def test_the_firepower_of_all_men_gives_a_die(tmp_path: Path, men: tuple[tuple[str, int], ...], die: str) -> None:
    assert figures(told(tmp_path, "stargrunt2", squad(*men)))["Firepower die of all men"] == die


def test_what_reaches_one_band_only_is_left_out_beyond(tmp_path: Path) -> None:
    shown = figures(told(tmp_path, "stargrunt2", squad(("gauss-rifle", 4), ("smg", 1))))
    assert (shown["Firepower die of all men"], shown["Firepower die past the first band"]) == ("D12", "D8")  # 11 and 8
    alone = figures(told(tmp_path, "stargrunt2", squad(("smg", 2))))
    assert "Firepower die past the first band" not in alone
    assert (alone["Range bands of its weapons"], alone["Longest shot, target in the open"]) == ("1", "8″")


@pytest.mark.parametrize(
    ("quality", "reach"),
    [("untrained", (20, 16, 12)), ("regular", (40, 32, 24)), ("veteran", (50, 40, 30)), ("elite", (60, 48, 36))],
)
def test_regulars_shoot_40_32_and_24_inches(tmp_path: Path, quality: str, reach: tuple[int, int, int]) -> None:
    shown = figures(told(tmp_path, "stargrunt2", squad(("advanced-rifle", 5), quality=quality)))
    said = [shown[f"Longest shot, target in {cover}"] for cover in ("the open", "soft cover", "hard cover")]
    assert said == [f"{inches}″" for inches in reach]


@pytest.mark.parametrize(
    ("armour", "dice", "ratings"),
    [
        ("battledress", ("D4", "D6", "D8"), ("2", "3", "4")),
        ("full-light", ("D8", "D10", "D12"), ("4", "5", "6")),
        ("Heavy power armour", ("D12", "D12", "D12"), ("6", "6", "6")),
    ],
)
def test_cover_lifts_armour_and_the_quick_rules_halve_it(
    tmp_path: Path, armour: str, dice: tuple[str, ...], ratings: tuple[str, ...]
) -> None:
    men = squad(("gauss-rifle", 5), armour=armour, troops="fast-power" if "power" in armour else "foot")
    shown = figures(told(tmp_path, "stargrunt2-quick", men))
    worn = next(figure for line, figure in shown.items() if line.startswith("Armour, "))
    assert (worn, shown["Armour in soft cover"], shown["Armour in hard cover"]) == dice
    rated = tuple(shown[f"Armour rating{cover}"] for cover in ("", " in soft cover", " in hard cover"))
    assert rated == ratings


def test_support_weapons_have_dice_of_their_own(tmp_path: Path) -> None:
    shown = figures(
        told(tmp_path, "stargrunt2", squad(support=[{"weapon": "saw"}, {"weapon": "plasma-gun", "count": 2}]))
    )
    assert shown["Firepower, 1 × Machine gun (SAW), each"] == "D8"
    assert shown["Impact, Machine gun (SAW)"] == "D10"
    assert shown["Firepower, 2 × Plasma gun, each"] == "D6"
    assert shown["Impact, Plasma gun, × 2 for a major hit on a point target"] == "D12"
    assert "Firepower die of all men" not in shown
    assert shown["Longest shot, target in the open"] == "40″"


def test_a_squad_is_not_paid_for(tmp_path: Path) -> None:
    data = told(tmp_path, "stargrunt2", squad(("gauss-rifle", 5)))
    assert data["total"] == 0
    assert all(line["points"] is None and line["subtotal"] is None for line in data["designs"][0]["lines"])
    text = cost_text(data, "text")
    assert "\nA\n" in text
    assert "A: 0 points" not in text
    assert "figure" in text
    assert "points" not in text.replace("no points", "")


# Figures of the FMA draft


@pytest.mark.parametrize(
    ("quality", "points", "die"),
    [("novice", 5, "D4"), ("green", 10, "D6"), ("regular", 15, "D8"), ("veteran", 20, "D10"), ("elite", 25, "D12")],
)
def test_a_figure_costs_its_quality_alone(tmp_path: Path, quality: str, points: int, die: str) -> None:
    data = told(tmp_path, "fma-skirmish", {"kind": "figure", "quality": quality, "motivation": 1})
    assert (data["total"], figures(data)["Quality die"]) == (points, die)


@pytest.mark.parametrize(("motivation", "points"), [(1, 25), (2, 20), (3, 15)])
def test_motivation_costs_points_only_where_the_fans_option_is_set(
    tmp_path: Path, motivation: int, points: int
) -> None:
    figure = {"kind": "figure", "quality": "veteran", "motivation": motivation}
    assert told(tmp_path, "fma-skirmish", figure, options={"motivation_points": "yes"})["total"] == points
    assert told(tmp_path, "fma-skirmish", figure)["total"] == 20


def test_a_regular_of_motivation_2_passes_on_3_and_moves_8_inches(tmp_path: Path) -> None:
    shown = figures(told(tmp_path, "fma-skirmish", {"kind": "figure", "quality": "regular"}))
    assert shown["Reaction test passed on"] == "3+"  # the draft’s own example
    assert (shown["Move, Normal"], shown["Both actions"], shown["Combat move"]) == ("8″", "16″", "D8")
    assert not [line for line in shown if line.startswith("Armour")]


def test_heavy_armour_and_guns_have_their_multipliers_and_gaps_are_dashes_or_the_players_own(tmp_path: Path) -> None:
    arms = [{"weapon": "gauss-rifle"}, {"weapon": "20 mm cannon"}]
    trooper = {"kind": "figure", "quality": "elite", "armour": "heavy-powered", "move": "fast", "arms": arms}
    shown = figures(told(tmp_path, "fma-skirmish", trooper))
    assert shown["Armour, Heavy power armour"] == "D12"
    assert shown["Armour and suppressing impact times"] == "2"
    assert (shown["Impact, Gauss rifle"], shown["Impact times, 20 mm cannon"]) == ("D12", "2")
    assert "Impact times, Gauss rifle" not in shown
    assert shown["Firepower, Gauss rifle"] == "–"
    answers = {"tables.weapons[gauss-rifle].firepower": "D8"}
    assert figures(told(tmp_path, "fma-skirmish", trooper, answers=answers))["Firepower, Gauss rifle"] == "D8"


# Characters of the 3d System


def character(**more: Any) -> dict[str, Any]:
    """Max.Rock of the text, STR 8 and DEX 6, with the other stats made up."""
    return {"kind": "character", "str": 8, "dex": 6, "dia": 7, "conc": 5, "phys": 9, "cool": 8, **more}


def test_what_follows_from_the_stats(tmp_path: Path) -> None:
    shown = figures(told(tmp_path, "sla-3d", character()))
    assert shown["Actions a round"] == "2"  # (7 + 9 + 8) / 10
    assert shown["Free parries a round"] == "1"
    assert shown["Initiative (INI), to be added to 3D6"] == "15"  # (7 + 8 + 9 + 6) / 2
    assert shown["Wound threshold (WT), a wound above"] == "9"
    assert (shown["Knockback above"], shown["Knocked down above"]) == ("9", "18")
    assert shown["Strength bonus of a blow"] == "2"  # 8 / 3
    assert "INI with Martial Arts" not in shown


def test_roundings_go_down_but_for_martial_arts(tmp_path: Path) -> None:
    arts = [{"skill": "martial-arts", "rank": 4}, {"skill": "dodge", "rank": 7}]
    data = told(tmp_path, "sla-3d", character(cool=13, skills=arts))
    shown = figures(data)
    assert shown["Actions a round"] == "2"  # 29 / 10
    assert shown["Initiative (INI), to be added to 3D6"] == "17"  # 35 / 2
    assert shown["INI with Martial Arts"] == "21"
    assert shown["Martial Arts, added to the strength bonus"] == "2"  # 4 / 3, up
    assert shown["Dodge 7: succeeds on 3D6"] == "6+"
    working = {line["line"]: line["working"] for line in data["designs"][0]["lines"]}
    assert working["Actions a round"] == "(7 + 9 + 13) ÷ 10, rounded down"


@pytest.mark.parametrize(("gun", "name", "shots"), [("mal-anvil", "MAL Anvil", "3"), ("nemesis", "Nemesis", "3")])
def test_semi_automatic_fire_as_in_the_text(tmp_path: Path, gun: str, name: str, shots: str) -> None:
    """8 − 5 = 3 shots with the Anvil; 7 with the Nemesis, but for a DEX of 6: 3."""
    shown = figures(told(tmp_path, "sla-3d", character(guns=[{"gun": gun, "rank": 6}])))
    assert shown[f"{name}: shots an action"] == shots
    assert shown[f"{name}: hits on 3D6"] == "7+"
    assert shown[f"{name}: optimum range"] == "–"


def test_a_weak_arm_is_told_what_a_gun_costs_it(tmp_path: Path) -> None:
    data = told(tmp_path, "sla-3d", character(str=1, guns=[{"gun": "mal-anvil"}]))
    (design,) = data["designs"]
    assert [one["code"] for one in design["problems"]] == ["sla-3d/heavy-recoil"]
    shown = {line["line"]: line["figure"] for line in design["lines"]}
    assert shown["MAL Anvil: to hit with one hand"] == "−4"
    assert shown["MAL Anvil: bruise to the arm at each shot"] == "1"  # RCL 5, STR + 3 = 4
    assert shown["MAL Anvil: shots an action"] == "1"


def test_ranges_come_with_the_players_own_figure(tmp_path: Path) -> None:
    answers = {"tables.firearms[mal-anvil].rng": 15}
    shown = figures(told(tmp_path, "sla-3d", character(guns=[{"gun": "mal-anvil"}]), answers=answers))
    bands = [
        shown[f"MAL Anvil: {band}"]
        for band in ("optimum range", "medium range to", "long range to", "extreme range to")
    ]
    assert bands == ["15 m", "30 m", "60 m", "120 m"]


def test_blades_armour_and_bodies(tmp_path: Path) -> None:
    shown = figures(
        told(
            tmp_path,
            "sla-3d",
            character(
                melee=[{"weapon": "sword", "rank": 5}, {"weapon": "chain-axe"}],
                armour="exo-base",
                incap=20,
                xeno=True,
                body=[{"location": "abdomen", "hits": 10}],
            ),
        )
    )
    assert shown["Sword: DAM and strength bonus, to be added to the die"] == "4"  # 2 and the bonus of 2
    assert shown["Sword: bruising only"] == "yes"  # its PEN is 0
    assert "Chain axe: bruising only" not in shown
    assert (shown["PV, Exo Base"], shown["ID, torso"], shown["Stats changed by the armour"]) == ("7", "20", "DEX −2")
    assert (shown["PV of the skin"], shown["ID of the skin, Abdomen"]) == ("7", "30")  # the text’s own example
    assert (shown["Incap"], shown["Fatal at damage of"]) == ("20", "30")


def test_two_layers_are_for_players_of_the_option(tmp_path: Path) -> None:
    both = character(armour="body-armour", deathsuit="light")
    shown = figures(told(tmp_path, "sla-3d", both, options={"layered_armour": "yes"}))
    assert (shown["PV of both layers"], shown["Dodge in both layers"]) == ("7", "−1")  # the better one 6, and 1
