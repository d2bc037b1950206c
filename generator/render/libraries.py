"""The system libraries that the PDF engine needs, loaded without the engine."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util

# The names that WeasyPrint itself asks the system for: Linux, macOS, Windows.
PANGO = (
    ("libgobject-2.0.so.0", "libgobject-2.0.0.dylib", "libgobject-2.0-0.dll"),
    ("libpango-1.0.so.0", "libpango-1.0.dylib", "libpango-1.0-0.dll"),
    ("libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib", "libpangoft2-1.0-0.dll"),
    ("libharfbuzz.so.0", "libharfbuzz.0.dylib", "libharfbuzz-0.dll"),
    ("libfontconfig.so.1", "libfontconfig.1.dylib", "libfontconfig-1.dll"),
)
SUBSET = ("libharfbuzz-subset.so.0", "libharfbuzz-subset.0.dylib", "libharfbuzz-subset-0.dll")


def load(names: tuple[str, str, str]) -> ctypes.CDLL | None:
    """Return the system library with one of these names (Linux, macOS, Windows); None if it is not installed."""
    for name in names:
        with contextlib.suppress(OSError):
            return ctypes.CDLL(name)
    found = ctypes.util.find_library(names[0].removeprefix("lib").partition(".so")[0])
    with contextlib.suppress(OSError):
        return ctypes.CDLL(found) if found else None
    return None


def version(library: ctypes.CDLL, prefix: str) -> str:
    """Return the version that a library gives; ``prefix`` begins the names of its functions, such as "pango"."""
    function = getattr(library, f"{prefix}_version_string")
    function.restype = ctypes.c_char_p
    found: bytes = function()
    return found.decode()


def versions() -> tuple[str, ...]:
    """Return the versions of Pango and HarfBuzz; an empty string for a library that is not installed."""
    libraries = ((load(PANGO[1]), "pango"), (load(PANGO[3]), "hb"))
    return tuple(version(library, prefix) if library else "" for library, prefix in libraries)
