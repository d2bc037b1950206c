"""Read a supplement: its manifest, the files of its folder, and themes, which are checked for contrast."""

from __future__ import annotations

import io
import os
import re
import tomllib
from base64 import b64decode, b64encode
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import Field

from generator.parsing.text import check_characters, read_text
from generator.problems import Problem, ProblemsError, Span, raise_any, suggest
from generator.render.imprinted import SOBER, THEME_FAMILY, Font, Theme, contrast, is_colour, luminance
from generator.render.own_templates import Mistake, mistakes
from generator.render.type.fonts import SANS, SERIF
from generator.resources import templates
from generator.rules.model.base import Date, Id, Line, Model, Seq
from generator.rules.source.library import SUPPLEMENT
from generator.rules.source.pictures import PictureModel, load_picture, path_inside
from generator.rules.source.validation import read_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from generator.render.pictures import Picture
    from generator.rules.source.parts import Place


class ChapterModel(Model):
    """A chapter of the book."""

    file: Line
    """The Markdown file, named from the folder of the supplement."""
    strap: str = ""
    """One line under the title about the purpose of the chapter."""
    picture: PictureModel | None = None
    """A wide picture over the head of its first page."""
    rules: Line | None = None
    """The rule set of its tables and odds, if not that of the book."""


class HandoutModel(Model):
    """Something printed behind the book."""

    build: Line
    """A rule set, a finished battle, or the file of a force or battle in the folder."""
    only: Seq[Line] = ()
    """Only these sheets, such as ``cards``."""


class SupplementModel(Model):
    """``supplement.yaml``: the manifest of a book."""

    title: Line
    """The title on the cover."""
    subtitle: str = ""
    """The line under it."""
    author: Line
    """Who made the book."""
    edition: Date
    """The date of this edition; also the date inside the PDF."""
    rules: Line
    """The rule set of tables and odds; several are joined by +."""
    rights: Line
    """One line about rights, on the cover and in the credits."""
    credits: Seq[Line] = ()
    """Paragraphs of the credits."""
    kicker: Annotated[Seq[Line], Field(max_length=2)] = ()
    """Up to two short lines at the head of the cover."""
    cover: PictureModel | None = None
    """A picture that fills the cover, 210 mm wide and 297 mm high."""
    logo: PictureModel | None = None
    """A small picture on the cover and beside the credits."""
    theme: Line = "sober"
    """A theme that ships, or the file of a theme in the folder."""
    page: Literal["portrait", "landscape", "a5"] = "portrait"
    """The shape of the pages: three columns on landscape pages, one on A5 or half of a Letter page."""
    chapters: Annotated[Seq[ChapterModel], Field(min_length=1)]
    """The chapters in order."""
    templates: dict[Literal["cover", "chapter", "box", "caption"], Line] = Field(default_factory=dict)
    """Templates of the publisher's own, by the piece of the book that each replaces."""
    handouts: Seq[HandoutModel] = ()
    """Sheets, cards and battles that follow the book in the same file."""


class Supplement(NamedTuple):
    """A valid manifest with the folder of its book."""

    folder: Path
    model: SupplementModel
    place: Place
    used: set[str]
    """The names of the files that were asked for; all of them are attached to the book."""

    def files(self) -> dict[str, bytes]:
        """Return the bytes of the manifest and of every file that ``path`` recorded, by the path from the folder."""
        return {name: (self.folder / name).read_bytes() for name in (SUPPLEMENT, *sorted(self.used))}

    def shown(self, name: str) -> str:
        """Return the path of a file of the folder, as messages show it."""
        return str(self.folder / name)

    def path(self, name: str, place: Place, near: Path | None = None) -> Path:
        """Return the path of a file of the folder, and record the file as used.

        ``name`` is its path from the folder, or from the folder ``near`` in it. ``place`` is where a file of the user
        names it. Raises ProblemsError: F101 for a missing file, F206 for a file outside the folder.
        """
        path = path_inside(self.folder, name, place, near)
        self.used.add(PurePath(os.path.relpath(path, self.folder)).as_posix())
        return path

    def text(self, name: str, place: Place) -> str:
        """Return the text of a file of the folder, and record the file as used.

        Raises as ``path`` and ``read_text`` do, and ProblemsError (F112) for forbidden characters.
        """
        text = read_text(self.path(name, place), self.shown(name))
        raise_any(check_characters(text, self.shown(name)))
        return text

    def template(self, piece: str, place: Place, problems: list[Problem]) -> str:
        """Return the source of the publisher's template for a piece of the book, such as "cover".

        ``place`` is where the manifest names the template. Records its file as used. Adds F144 for each mistake that
        ``mistakes`` yields. Raises as ``text`` does, and KeyError for a piece without a template.
        """
        file = self.model.templates[piece]  # type: ignore[index] # a piece of the model
        source = self.text(file, place)
        problems += mistaken("F144", self.shown(file), source.splitlines(), mistakes(piece, source))
        return source

    def picture(self, model: PictureModel, place: Place, across: float, problems: list[Problem]) -> Picture | None:
        """Return a picture that is printed ``across`` millimetres wide; None, and add F142, if it is refused.

        Its file is recorded as used. A picture with fewer than 150 pixels to the inch is returned, and F142 is added
        as advice. ``place`` is the place of ``model``. Raises ProblemsError as ``path`` does, and OSError if the file
        cannot be read.
        """
        self.path(model.file, place / "file")
        return load_picture(self.folder, model, place, across, problems)


def mistaken(code: str, file: str, lines: Sequence[str], found: Iterable[Mistake]) -> Iterator[Problem]:
    """Yield a problem with this code for each mistake in a file, which has these lines.

    The problem is at the text at fault, or at the first column if the line does not have this text.
    """
    for mistake in found:
        text = lines[mistake.line - 1] if mistake.line <= len(lines) else ""
        span = Span(file, mistake.line, text.find(mistake.found) + 1 or 1, text)
        yield Problem(code, span, mistake.expected, mistake.found, hint=mistake.hint)


@contextmanager
def collected(problems: list[Problem]) -> Iterator[None]:
    """Add the problems of a ProblemsError in the ``with`` block to ``problems``, and continue after the block."""
    try:
        yield
    except ProblemsError as error:
        problems += error.problems


def read_supplement(folder: Path) -> Supplement:
    """Return the supplement in a folder.

    Raises ProblemsError: F1xx if the manifest cannot be read, R201 to R203 for wrong keys or values.
    """
    model, part = read_model(SupplementModel, folder / SUPPLEMENT)
    return Supplement(folder, model, part.place(), set())


_RULES: dict[str, Any] = tomllib.loads((templates() / "themes" / "rules.toml").read_text(encoding="utf-8"))
"""The allowed words of tokens, the texts that need contrast, the least contrast, and the tints of odds in order."""
_LENGTH = re.compile(r"0|-?\d{1,2}(\.\d+)?(mm|pt|em)")
_FONTS = {"Sans": SANS, "Serif": SERIF}


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
    name: str, find: Callable[..., Path], place: Place, problems: list[Problem], below: tuple[Path, ...] = ()
) -> Theme:
    """Return the theme that ships under this name, or the theme in this file of the publisher's folder.

    ``find`` returns the path of a file, as ``Supplement.path`` does. A theme names its fonts and its parent from its
    own folder. ``below`` are the files of the themes that lead to this one as a parent. Adds F143 for each refused
    token, or if there is none, for each refused contrast or tint; the theme is returned anyway.

    Raises ProblemsError: F143 for an unknown theme, a circle of parents or a file that is not a font. Also raises as
    ``find`` and ``read_model`` do.
    """
    if name == SOBER.name:
        return SOBER
    shipped = shipped_themes()
    path = find(name, place) if name.endswith(".yaml") else None
    if name in shipped:
        path = templates() / "themes" / f"{name}.yaml"
    if path is None or path.resolve() in below:
        raise ProblemsError(place.problem("F143", "a theme, or the file of a theme", name, suggest(name, shipped)))
    find = partial(find, near=path.parent)
    model, part = read_model(ThemeModel, path)
    found: list[Problem] = []
    before = len(problems)
    parent = load_theme(model.parent, find, part.place() / "parent", problems, (*below, path.resolve()))
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
        # Families have no quotation marks, which would end the style of a publisher's template.
        tokens[token] = names.get(value, value) if token.endswith("-font") else value
    theme = Theme(model.theme, tuple(tokens.items()), tuple(fonts))
    if not found and len(problems) == before:  # a refused colour has no contrast
        found += _faint(theme, part.place())
    problems += found
    return theme


def letters_of(theme: Theme) -> set[str]:
    """Return the characters that at least one font of a theme has; empty for a theme without fonts."""
    from fontTools.ttLib import TTFont

    files = (io.BytesIO(b64decode(font.address.partition(",")[2])) for font in theme.fonts)
    return {chr(code) for file in files for code in TTFont(file).getBestCmap() or ()}


def _address(path: Path, place: Place) -> str:
    """Return a font file as a data URL. Raises ProblemsError (F143, at ``place``) if it is not a font."""
    from fontTools.ttLib import TTFont, TTLibError

    data = path.read_bytes()
    try:
        TTFont(io.BytesIO(data)).getBestCmap()
    except (TTLibError, OSError, ValueError, KeyError, AssertionError) as error:
        hint = "save the font as .ttf or .otf"
        raise ProblemsError(place.problem("F143", "a font file", f"no font ({error})", hint)) from None
    return f"data:font/ttf;base64,{b64encode(data).decode()}"


def _expected(token: str, value: str, known: dict[str, str], fonts: dict[str, str]) -> str:
    """Return what the value of a token must be; empty if the value is allowed.

    ``known`` has the value of each token in the sober theme, ``fonts`` the family of each font by its name.
    """
    usual = known.get(token, value)
    if is_colour(usual):
        return "" if is_colour(value) else "a colour such as #1f5c8b, in quotes and small letters"
    if token.endswith("-font"):
        return "" if value in fonts else f"a font: {', '.join(fonts)}"
    if words := _RULES["words"].get(token):
        return "" if value in words else " or ".join(words)
    return "" if _LENGTH.fullmatch(value) else "a length such as 1.2mm"


def _faint(theme: Theme, place: Place) -> Iterator[Problem]:
    """Yield F143 for each text with too little contrast, and each tint of odds not darker than the tint before."""
    values = theme.values("colour")
    for text, ground in _RULES["texts"]:
        colour = values.get(text, text)
        ratio = contrast(colour, values[ground])
        if ratio < _RULES["contrast"]:
            found = f"{text.removeprefix(colour)} {colour} on {ground} {values[ground]}: contrast {ratio:.1f}".lstrip()
            hint = f"make {text} or {ground} lighter or darker"
            at = place / "tokens" / (text if (place / "tokens" / text).value() else ground)
            yield at.problem("F143", f"contrast {_RULES['contrast']} or more", found, hint)
    for lighter, darker in pairwise(_RULES["steps"]):
        if luminance(values[darker]) >= luminance(values[lighter]):
            at = place / "tokens" / darker
            found = f"{darker} {values[darker]} after {lighter} {values[lighter]}"
            yield at.problem("F143", "each step darker than the step before", found, "darken it")
