"""Random shapes of terrain are sound, however small."""

from __future__ import annotations

import pytest
from shapely import Polygon

from generator.scenarios.chance import Chance
from generator.scenarios.generate.shapes import SHAPES


@pytest.mark.parametrize("form", ["patch", "farm"])
@pytest.mark.parametrize("size", [2, 3, 4, 5, 40])
def test_a_shape_with_corners_has_ground_and_does_not_cross_itself(form: str, size: int) -> None:
    for seed in range(300):
        for shape in SHAPES[form](size, Chance(seed)):
            ground = Polygon(shape.corners)
            assert ground.is_valid, seed
            assert ground.area > 0, seed
