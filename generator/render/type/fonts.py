"""The font faces that a page may use, and their files. System fonts are never used.

Families have names of our own: the name "Sans" would be an alias of the system's fonts and silently win.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from generator import resources
from generator.problems import RenderError
from generator.render.imprinted import face_rule

SANS = "FP Source Sans"
SERIF = "FP Source Serif"
FAMILIES = frozenset({SANS, SERIF})
DICE = "dice"
"""The face of drawn marks, which is not in the packages of the families."""

_SCHEME = "fieldpress-font:"


@dataclass(frozen=True, slots=True)
class Face:
    """A font face: its file, and its family, weight and style in style sheets."""

    id: str
    family: str
    file: str
    weight: int = 400
    italic: bool = False


_FILE = (resources.templates() / "fonts" / "faces.toml").read_text(encoding="utf-8")
FACES = tuple(Face(**face) for face in tomllib.loads(_FILE)["faces"])

PACKAGES = {SANS: "font_source_sans_pro", SERIF: "font_source_serif_pro"}
FACE_RULES = "\n".join(face_rule(face.family, face.weight, f"{_SCHEME}{face.id}", italic=face.italic) for face in FACES)
"""The ``@font-face`` rules of all faces. Only faces that a page uses are in its file."""


def font_file(url: str) -> bytes | None:
    """Return the bytes of a face for its address in ``FACE_RULES``; None for any other address.

    Raises RenderError as :func:`face_file` does.
    """
    return next((_path(face).read_bytes() for face in FACES if url == _SCHEME + face.id), None)


def face_file(face_id: str) -> Path:
    """Return the path of a face's file. Raises RenderError if the package with the font is not installed.

    Raises StopIteration for an id that is not in ``FACES``.
    """
    return _path(next(face for face in FACES if face.id == face_id))


def _path(face: Face) -> Path:
    if face.id == DICE:
        return resources.templates() / "fonts" / face.file
    package = PACKAGES[face.family]
    spec = find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    path = Path(folders[0], "files", face.file) if folders else None
    if path is None or not path.is_file():
        raise RenderError(f"the font {face.file} of the package {package} is not installed: see `fieldpress doctor`")
    return path
