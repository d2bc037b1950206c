"""Read themes: files of design tokens with a parent, checked for contrast."""

from __future__ import annotations

import io
import re
from base64 import b64decode, b64encode
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from generator.errors import ProblemsError
from generator.render.inks import BLACK, WHITE
from generator.render.theme import SOBER, THEME_FAMILY, Font, Theme, contrast, is_colour, luminance
from generator.render.type.fonts import SANS, SERIF
from generator.resources import templates
from generator.rules.model.base import Id, Line, Model, Seq
from generator.rules.source.validation import read_model
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from generator.problems import Problem
    from generator.rules.source.parts import Place

_LEAST = 4.5
"""The contrast that WCAG 2.2 asks of text."""
_TEXTS = (
    ("ink", "paper"), ("soft", "paper"), ("accent", "paper"), ("ink", "pale"), ("accent", "pale"), ("on-bar", "bar"),
    (BLACK, "step-1"), (BLACK, "step-2"), (BLACK, "step-3"), (WHITE, "step-4"), (WHITE, "step-5"),
    ("art-7", "art-0"),
)  # fmt: skip
"""The colours of text, each with the colour behind it; the figures of odds have fixed colours."""
_STEPS = ("paper", "step-1", "step-2", "step-3", "step-4", "step-5")
_LENGTH = re.compile(r"0|-?\d{1,2}(\.\d+)?(mm|pt|em)")
_FONTS = {"Sans": SANS, "Serif": SERIF}
_WORDS = {
    "head-case": ("none", "uppercase"),
    "head-weight": ("400", "600", "700", "900"),
    "strap-style": ("normal", "italic"),
}


class FontModel(Model):
    """A font file of the publisher's folder."""

    name: Id
    """The name that tokens give it."""
    file: Line
    """The TrueType or OpenType file."""
    weight: Literal[400, 600, 700, 900] = 400
    """Its weight in style sheets."""
    italic: bool = False
    """Whether it is the italic face."""


class ThemeModel(Model):
    """A theme as written."""

    theme: Id
    """Its id: the name of its file."""
    title: Line
    """Its printed name."""
    parent: Line = "sober"
    """The theme whose tokens it keeps where it gives none."""
    tokens: dict[str, str | None] = Field(default_factory=dict)
    """Values of design tokens, by their names. None for a colour without quotes, which YAML reads as a comment."""
    fonts: Seq[FontModel] = ()
    """Fonts of the publisher's own."""


def shipped_themes() -> list[str]:
    """Return the names of the themes that ship with the program: ``sober``, then the others by name."""
    return [SOBER.name, *sorted(file.stem for file in (templates() / "themes").glob("*.yaml"))]


def load_theme(
    name: str, find: Callable[[str, Place], Path], place: Place, problems: list[Problem], depth: int = 0
) -> Theme:
    """Return the theme with this name, or the theme in this file of the publisher's folder.

    ``find`` returns the path of a file of that folder. ``depth`` is the count of themes that lead to this one as a
    parent. Adds F143 for a token or contrast that is refused. Raises ProblemsError (F143) if there is no such theme.
    """
    if name == SOBER.name:
        return SOBER
    shipped = shipped_themes()
    if depth > len(shipped) or (name not in shipped and not name.endswith(".yaml")):
        raise ProblemsError(place.problem("F143", "a theme, or the file of a theme", name, suggest(name, shipped)))
    path = templates() / "themes" / f"{name}.yaml" if name in shipped else find(name, place)
    model, part = read_model(ThemeModel, path)
    found: list[Problem] = []
    parent = load_theme(model.parent, find, part.place() / "parent", problems, depth + 1)
    fonts = list(parent.fonts)
    names = _FONTS | {font.family[len(THEME_FAMILY) + 1 :]: font.family for font in fonts}
    for index, font in enumerate(model.fonts):
        at = part.place() / "fonts" / index / "file"
        names[font.name] = f"{THEME_FAMILY} {font.name}"
        fonts.append(Font(names[font.name], font.weight, font.italic, _address(find(font.file, at), at)))
    tokens = dict(parent.tokens)
    known = SOBER.values("colour")
    for token, value in model.tokens.items():
        at = part.place() / "tokens" / token
        if value is None:
            found.append(at.problem("F143", "a value", "nothing", "put a colour in quotes, because # begins a comment"))
            continue
        expected = _expected(token, value, known, names)
        if token not in known:
            found.append(at.problem("F143", "a token", token, suggest(token, known), at_key=True))
        elif expected:
            found.append(at.problem("F143", expected, value))
        tokens[token] = f'"{names[value]}"' if token.endswith("-font") and value in names else value
    theme = Theme(model.theme, tuple(tokens.items()), tuple(fonts))
    problems += found or _faint(theme, part.place())
    return theme


def letters_of(theme: Theme) -> set[str]:
    """Return the letters that a theme's own fonts have, all together; empty for a theme without fonts of its own."""
    from fontTools.ttLib import TTFont

    files = (io.BytesIO(b64decode(font.address.partition(",")[2])) for font in theme.fonts)
    return {chr(code) for file in files for code in TTFont(file).getBestCmap() or ()}


def _address(path: Path, place: Place) -> str:
    """Return a font file as a data address. Raises ProblemsError (F143) if it is not a font."""
    from fontTools.ttLib import TTFont, TTLibError

    data = path.read_bytes()
    try:
        TTFont(io.BytesIO(data)).getBestCmap()
    except (TTLibError, OSError, ValueError, KeyError, AssertionError) as error:
        hint = "save the font as .ttf or .otf"
        raise ProblemsError(place.problem("F143", "a font file", f"no font ({error})", hint)) from None
    return f"data:font/ttf;base64,{b64encode(data).decode()}"


def _expected(token: str, value: str, known: dict[str, str], fonts: dict[str, str]) -> str:
    """Return what the value of a token must be; empty if the value is allowed."""
    usual = known.get(token, value)
    if is_colour(usual):
        return "" if is_colour(value) else "a colour such as #1f5c8b, in quotes and small letters"
    if token.endswith("-font"):
        return "" if value in fonts else f"a font: {', '.join(fonts)}"
    if token in _WORDS:
        return "" if value in _WORDS[token] else " or ".join(_WORDS[token])
    return "" if _LENGTH.fullmatch(value) else "a length such as 1.2mm"


def _faint(theme: Theme, place: Place) -> Iterator[Problem]:
    """Yield F143 for each text with too little contrast, and for steps of odds that do not darken."""
    values = theme.values("colour")
    for text, ground in _TEXTS:
        colour = values.get(text, text)
        ratio = contrast(colour, values[ground])
        if ratio < _LEAST:
            found = f"{text.removeprefix(colour)} {colour} on {ground} {values[ground]}: contrast {ratio:.1f}".lstrip()
            hint = f"make {text} or {ground} lighter or darker"
            at = place / "tokens" / (text if (place / "tokens" / text).value() else ground)
            yield at.problem("F143", f"contrast {_LEAST} or more", found, hint)
    for lighter, darker in pairwise(_STEPS):
        if luminance(values[darker]) >= luminance(values[lighter]):
            at = place / "tokens" / darker
            found = f"{darker} {values[darker]} after {lighter} {values[lighter]}"
            yield at.problem("F143", "each step darker than the step before", found, "darken it")
