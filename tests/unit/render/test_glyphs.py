from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.render.type import fonts
from generator.render.type.dice_font import drawn_font, inset

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def bold() -> Path:
    return next(fonts._path(face) for face in fonts.FACES if face.id == "sans-bold")


def test_an_outline_moves_inwards_by_the_stroke() -> None:
    square = ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))
    assert inset(square, 0.25) == ((0.75, 0.75), (-0.75, 0.75), (-0.75, -0.75), (0.75, -0.75))


def test_the_font_is_the_same_bytes_every_time(bold: Path) -> None:
    assert drawn_font(bold) == drawn_font(bold)


def test_every_face_is_installed_and_only_our_addresses_lead_to_one() -> None:
    for face in fonts.FACES:
        assert fonts.font_file(f"fieldpress-font:{face.id}")
    assert fonts.font_file("file:///etc/hostname") is None
