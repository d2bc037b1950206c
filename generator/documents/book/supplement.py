"""Read the manifest of a supplement, and the files of its folder."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field

from generator.errors import ProblemsError
from generator.parsing.text import read_text
from generator.problems import Problem, Span
from generator.render.own_templates import mistakes
from generator.rules.model.base import Date, Line, Model, Seq
from generator.rules.source.library import SUPPLEMENT
from generator.rules.source.pictures import PictureModel, load_picture, path_inside
from generator.rules.source.validation import read_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from generator.render.own_templates import Mistake
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
        """Return the bytes of the manifest and of every file that was asked for, by the name in the folder."""
        return {name: (self.folder / name).read_bytes() for name in (SUPPLEMENT, *sorted(self.used))}

    def shown(self, name: str) -> str:
        """Return the name of a file of the folder for messages."""
        return str(self.folder / name)

    def path(self, name: str, place: Place) -> Path:
        """Return the path of a file of the folder, and record the file as used.

        Raises ProblemsError: F101 for a missing file, F206 for a file outside the folder.
        """
        path = path_inside(self.folder, name, place)
        self.used.add(name)
        return path

    def text(self, name: str, place: Place) -> str:
        """Return the text of a file of the folder.

        Raises ProblemsError as ``path`` does, and for a file that is not text.
        """
        text, problems = read_text(self.path(name, place), self.shown(name))
        if text is None:
            raise ProblemsError(*problems)
        return text

    def template(self, piece: str, place: Place, problems: list[Problem]) -> str:
        """Return the source of the template for a piece. Adds F144 for each mistake in the template.

        Raises ProblemsError as ``text`` does, and KeyError for a piece without a template.
        """
        file = self.model.templates[piece]  # type: ignore[index] # a piece of the model
        source = self.text(file, place)
        problems += mistaken("F144", self.shown(file), source.splitlines(), mistakes(piece, source))
        return source

    def picture(self, model: PictureModel, place: Place, across: float, problems: list[Problem]) -> Picture | None:
        """Return a picture that is printed ``across`` millimetres wide.

        If the picture is refused, add F142 and return None. F142 is advice if the picture has fewer than 150 pixels to
        the inch. Raises ProblemsError as ``path`` does.
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
