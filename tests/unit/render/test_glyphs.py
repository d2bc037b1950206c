from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from fontTools.ttLib import TTFont

from generator.render.type import fonts
from generator.render.type.text_length import DRAWN_WIDTH

ROOT = Path(__file__).parents[3]


def test_the_font_of_drawn_marks_is_what_its_script_makes(tmp_path: Path) -> None:
    script, made = ROOT / "setup" / "dice_font.py", tmp_path / "dice.otf"
    subprocess.run([sys.executable, str(script), str(made)], check=True)  # noqa: S603 - our own command
    assert made.read_bytes() == fonts.face_file("dice").read_bytes()
    with TTFont(made) as font:
        # A language with a letter that the font lacks would print letters for dice.
        assert {*map(ord, "Éîœšığőăđñßåøčłțжω")} <= {*font.getBestCmap()}
        assert {advance for advance, _ in font["hmtx"].metrics.values()} == {0, DRAWN_WIDTH * 1000}


def test_every_face_is_installed_and_only_our_addresses_lead_to_one() -> None:
    for face in fonts.FACES:
        assert fonts.font_file(f"fieldpress-font:{face.id}")
    assert fonts.font_file("file:///etc/hostname") is None
