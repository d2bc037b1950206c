"""What holds for the figures and tints of any grid, map or chart."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from generator.documents.blocks.odds import tint_key
from generator.documents.words import percent, tint

CHANCE = st.fractions(0, 1)
STEPS = st.lists(st.integers(1, 99), min_size=1, max_size=5, unique=True).map(sorted)


@given(CHANCE)
def test_a_printed_percentage_is_off_by_rounding_alone(chance: Fraction) -> None:
    text = percent(chance)
    if text == "<1":
        assert 0 < chance < Fraction(1, 100)
    elif text == ">99":
        assert Fraction(99, 100) < chance < 1
    else:
        assert abs(Fraction(int(text), 100) - chance) <= Fraction(1, 200)
        assert (text == "0") == (chance == 0)
        assert (text == "100") == (chance == 1)


@given(CHANCE, CHANCE, STEPS)
def test_a_higher_chance_is_never_lighter(one: Fraction, other: Fraction, steps: list[int]) -> None:
    low, high = sorted((one, other))
    assert tint(low, steps) <= tint(high, steps) <= len(steps)


@given(st.integers(0, 100), STEPS)
def test_a_percentage_has_the_tint_under_which_the_key_has_it(whole: int, steps: list[int]) -> None:
    bound = tint_key(steps).bounds[tint(Fraction(whole, 100), steps)]
    if bound.startswith("under"):
        assert whole < int(bound.split()[1])
    elif bound.endswith("up"):
        assert whole >= int(bound.split()[0])
    else:
        low, _, high = bound.partition("–")
        assert int(low) <= whole <= int(high or low)
