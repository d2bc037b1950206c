"""Pictures that a player's or a publisher's file names, read from the folder of that file."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from generator.files import real_path
from generator.problems import Problem, ProblemsError, Span, suggest
from generator.render.pictures import MAX_BYTES, Picture, PictureError, read_picture
from generator.rules.model.base import Line, Model

if TYPE_CHECKING:
    from generator.rules.source.parts import Place

_SEARCHED = 5000
"""The most files of a folder among which a similar name is searched."""
_SHARP = 150
"""Pixels to the inch below which a picture looks blurred on paper."""


class PictureModel(Model):
    """A picture that a file names: an image file in the same folder, and what it shows."""

    file: Line
    """The PNG, JPEG or SVG file, named from the folder of the supplement, the force or its library."""
    alt: Line
    """What the picture shows, for those who cannot see it."""


def path_inside(folder: Path, name: str, place: Place, near: Path | None = None) -> Path:
    """Return the path of a file in a folder or below it; ``name`` is the file's path from the folder.

    If ``near`` is given, ``name`` is the path from this folder in ``folder``. ``place`` is where the user's file names
    it. Raises ProblemsError: F101 if it is missing or its name is too long, F206 if it is outside the folder, also
    through a link.
    """
    near = near or folder
    path = near / name
    if not real_path(path).is_relative_to(folder.resolve()):
        raise ProblemsError(place.problem("F206", "a file inside the folder", name, f"copy the file into {folder}"))
    if not os.path.isfile(path):  # noqa: PTH113 - False if the name is too long for a file
        found = (item for item in islice(folder.rglob("*"), _SEARCHED) if item.is_file())
        files = (Path(os.path.relpath(item, near)).as_posix() for item in found)
        hint = suggest(name, files, "check the spelling; the name of a file begins in the folder of this file")
        raise ProblemsError(place.problem("F101", "a file", "no such file", hint))
    return path


def load_picture(
    folder: Path, model: PictureModel, place: Place, across: float, problems: list[Problem]
) -> Picture | None:
    """Return a picture that is printed ``across`` millimetres wide; None, and add F142, if it is refused.

    A picture with fewer than 150 pixels to the inch is returned, and F142 is added as advice. F142 names the picture's
    file. ``place`` is the place of ``model``. Raises ProblemsError as ``path_inside`` does, and OSError if the file
    cannot be read.
    """
    path = path_inside(folder, model.file, place / "file")
    try:
        with path.open("rb") as stream:
            picture = read_picture(stream.read(MAX_BYTES + 1), model.alt)
    except PictureError as error:
        at = Span(str(path), error.line, 1 if error.line else 0)
        problems.append(Problem("F142", at, error.expected, error.found, hint=error.hint))
        return None
    needed = round(across / 25.4 * _SHARP)
    if picture.pixels and picture.pixels < needed:
        found, expected = f"{picture.pixels} pixels across", f"{needed} pixels or more for {across:.0f} mm"
        hint = "use a larger picture, or it prints blurred"
        problems.append(Problem("F142", Span(str(path)), expected, found, hint=hint, severity="advice"))
    return picture
