"""Find the shipped templates and rule data. Only this module knows where they are.

In a checkout they are beside the package, in an installed wheel inside it.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def templates() -> Path:
    """Return the folder of Jinja templates and style sheets."""
    return _folder("templates")


def rulesdata() -> Path:
    """Return the folder that has a folder for each shipped rule set."""
    return _folder("rulesdata")


def supplements() -> Path:
    """Return the folder that has a folder for each shipped supplement."""
    return _folder("supplements")
