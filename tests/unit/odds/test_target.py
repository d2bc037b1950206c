from fractions import Fraction

import pytest

from generator.odds.dice import LADDER
from generator.odds.distribution import Distribution
from generator.odds.target import target_roll


@pytest.mark.parametrize("die", [*LADDER, 1, 20])
@pytest.mark.parametrize("modifier", [-3, 0, 2])
def test_every_face_is_counted_once(die: int, modifier: int) -> None:
    for needed in range(-5, 30):
        faces = [face + modifier for face in range(1, die + 1)]
        at_least, above = sum(face >= needed for face in faces), sum(face > needed for face in faces)
        assert target_roll(die, needed, modifier) == Distribution({"passed": at_least, "failed": die - at_least})
        assert target_roll(die, needed, modifier, strictly=True) == Distribution(
            {"passed": above, "failed": die - above}
        )


def test_a_test_that_must_come_up_greater() -> None:
    assert target_roll(8, 2, strictly=True).probability("passed") == Fraction(6, 8)
    assert target_roll(8, 2 + 1, strictly=True).probability("passed") == Fraction(5, 8)
    assert target_roll(4, 3 + 1, strictly=True).probability("passed") == 0


def test_out_of_reach_fails_and_always_reached_passes() -> None:
    assert target_roll(6, 7).weights == (("failed", 6),)
    assert target_roll(6, 1).weights == (("passed", 6),)
    assert target_roll(6, -4).weights == (("passed", 6),)


def test_a_die_needs_a_side() -> None:
    with pytest.raises(ValueError, match="at least one side, not 0"):
        target_roll(0, 1)
