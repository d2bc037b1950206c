"""Estimated widths of texts, against the widths that the engine gives them."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING, Any

import pytest
from markupsafe import escape

from generator.documents.unprintable import OF_PRINT
from generator.render.page.pdf import _fetcher
from generator.render.type.fonts import FACE_RULES, FACES
from generator.render.type.prose import inline
from generator.render.type.text_length import _widths, length, unknown_signs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

pytestmark = pytest.mark.slow

SIZE = 8
PIXEL = 25.4 / 96
ROUNDING = 0.005
"""Millimetres: the engine reckons in 1/1024 of a point."""
USED = {"sans": "400", "sans-semibold": "600", "sans-bold": "700", "sans-black": "900", "serif-italic": "400"}
"""The faces that parts of cards are measured in, and their weights."""
TEXT = (
    "Höhere Gewalt, Übung “Fünf”: Waffe (1) AV To Ty VAT. LAW fjord office waffle, Łódź Škoda Ærø naïve "
    "D12 of the 4th Tank’s crew / first to fire at 36″ · 2 × HKP/3 – stopped? Yes! 100 % of 1–12 {f} [f] ¿qué? "
    "Нападение на мост Αθήνα"
)
WORDS = TEXT.split()


def laid_out(face: str, texts: Sequence[str], *, drawn: bool = False) -> list[float]:
    """How wide the engine makes each of these lines, in millimetres."""
    from weasyprint import HTML

    family = next(one.family for one in FACES if one.id == face)
    slant = "italic" if "italic" in face else "normal"
    style = f"p{{position:absolute;margin:0;white-space:pre;font:{slant} {USED[face]} {SIZE}pt '{family}'}}"
    style += ".die{font:100 1em 'FP Source Sans'}"
    body = "".join(f"<p>{inline(text) if drawn else escape(text)}</p>" for text in texts)
    page = f'<html lang="en-GB"><title>t</title><style>{FACE_RULES}{style}</style><body>{body}'
    html = HTML(string=page, url_fetcher=_fetcher())
    widths: dict[Any, float] = {}
    for one in html.render().pages:
        for element, width in _widths_below(one._page_box, None):
            widths[element] = widths.get(element, 0.0) + width
    return [widths[element] * PIXEL for element in html.etree_element.iter("p")]


def _widths_below(box: Any, paragraph: Any) -> Iterator[tuple[Any, float]]:
    box = getattr(box, "_box", box)
    if box.element_tag == "p":
        paragraph = box.element
    if getattr(box, "text", None) is not None:
        yield paragraph, box.width
    for child in getattr(box, "children", ()):
        yield from _widths_below(child, paragraph)


def lines(face: str, chance: random.Random) -> list[str]:
    """Lines as somebody may write them, and lines of anything that the face has."""
    known = [letter for letter in _widths(face) if letter.isprintable()]
    plain = [letter for letter in known if letter in string.printable]
    return [
        *(" ".join(chance.choices(WORDS, k=12)) for _ in range(200)),
        *("".join(chance.choices(known, k=40)) for _ in range(200)),
        *("".join(chance.choices(plain, k=40)) for _ in range(200)),
    ]


@pytest.mark.soak
@pytest.mark.parametrize("face", USED)
def test_no_line_is_longer_than_told(face: str) -> None:
    texts = lines(face, random.Random(face))  # noqa: S311 - the same lines each time
    for text, width in zip(texts, laid_out(face, texts), strict=True):
        assert width <= length(text, SIZE, face) + ROUNDING, text


@pytest.mark.parametrize("face", USED)
def test_a_line_is_not_much_shorter_than_told(face: str) -> None:
    texts = [" ".join(word for word in WORDS if word.isascii())]
    (width,) = laid_out(face, texts)
    assert width > 0.95 * length(texts[0], SIZE, face)


@pytest.mark.soak
@pytest.mark.parametrize("face", USED)
def test_a_word_that_kerning_parts_is_off_by_less_than_the_air_in_a_cell(face: str) -> None:
    pairs = [one + other for one in string.ascii_letters for other in "\"'’”)]}|\\/!?*fjTVWYbkl²³®"]
    words = [*WORDS, *pairs]
    for text, width in zip(words, laid_out(face, words), strict=True):
        assert width <= length(text, SIZE, face) + 0.35, text


@pytest.mark.parametrize("text", ["D4", "D12", "roll D10, then D8", "D6·D6 ☐", "D12 D12 D12"])
@pytest.mark.parametrize("drawn", [True, False])
def test_dice_are_as_long_as_told_drawn_or_not(text: str, drawn: bool) -> None:  # noqa: FBT001
    for face in USED:
        assert laid_out(face, [text], drawn=drawn)[0] <= length(text, SIZE, face) + ROUNDING, face


def test_twice_the_size_is_twice_as_long() -> None:
    assert length("Sabre", 16) == pytest.approx(2 * length("Sabre", 8))


def test_signs_that_are_taken_for_granted_are_in_our_faces() -> None:
    letters = "".join(map(chr, range(0x20, 0x12C)))
    assert unknown_signs(letters + "".join(OF_PRINT)) == ()
