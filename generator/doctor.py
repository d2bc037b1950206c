"""Find out what is missing on this machine for printing, and the exact command that installs it.

The module needs only the standard library, so it also runs before anything is installed, and if the PDF engine cannot
be imported. ``make handouts`` uses it to find the system libraries to install.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import platform
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TypeAlias

from generator import resources
from generator.render.libraries import PANGO, SUBSET, load, version
from generator.render.type.fonts import DICE, FACES, PACKAGES

DEBIAN_PACKAGES = ("libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0")
"""The packages of Debian with Pango and the subsetter of HarfBuzz."""

_Names: TypeAlias = tuple[str, str, str]
"""The names of a library on Linux, macOS and Windows."""
_SYSTEMS = {"debian": "Debian, Ubuntu", "fedora": "Fedora", "arch": "Arch", "darwin": "macOS", "win32": "Windows"}


class Check(NamedTuple):
    """A requirement of printing: the state of this machine, and the command that installs what is missing."""

    check: str
    found: str
    hint: str = ""
    """The command to run; empty if nothing is missing; a line for each system if this system is not known."""

    @property
    def ok(self) -> bool:
        """Whether this machine meets the requirement."""
        return not self.hint


def examine(out: Path) -> tuple[Check, ...]:
    """Return a check for everything that printing into the folder ``out`` needs; nothing is changed."""
    libraries, is_new = system_libraries(), sys.version_info >= (3, 11)
    return (
        Check("Python", platform.python_version(), "" if is_new else "install Python 3.11 or newer"),
        *libraries,
        *(_font(family) for family in PACKAGES),
        _weasyprint(libraries[0]),
        _shipped("templates", resources.templates(), "*.j2"),
        _shipped("rule data", resources.rulesdata(), "*.yaml"),
        _writable(out),
    )


def can_make_pdfs(checks: tuple[Check, ...]) -> bool:
    """Return whether nothing is missing in any of these checks."""
    return all(check.ok for check in checks)


def system_libraries() -> tuple[Check, Check]:
    """Return the checks that Pango and HarfBuzz's subsetter can be loaded and are new enough.

    ``pip install fieldpress`` does not install these libraries.
    """
    _look_where_weasyprint_looks()
    pango = _library("Pango", PANGO, PANGO[1], "pango", (1, 44))
    return pango, _library("HarfBuzz subset", (PANGO[3], SUBSET), PANGO[3], "hb", (4, 1))


def install_command(system: str | None = None, packages: tuple[str, ...] = DEBIAN_PACKAGES) -> str:
    """Return the command that installs Pango and HarfBuzz on a system, by default this system.

    If the system is not known, return a line for each system. ``packages`` are what to install on Debian. Set-up adds
    the package for ``venv``, which other systems include in Python.
    """
    system = system_name() if system is None else system
    commands = {
        "debian": _as_root("apt-get update", f"apt-get install -y {' '.join(packages)}"),
        "fedora": _as_root("dnf install -y pango"),
        "arch": _as_root("pacman -S --needed pango"),
        "darwin": "brew install pango",
        "win32": "winget install --exact --id MSYS2.MSYS2\n"
        'C:\\msys64\\usr\\bin\\bash -lc "pacman -S --noconfirm mingw-w64-ucrt-x86_64-pango"',
    }
    listed = (f"{spelled}: {' then '.join(commands[name].splitlines())}" for name, spelled in _SYSTEMS.items())
    return commands.get(system) or "\n".join(listed)


def system_name() -> str:
    """Return the family of this system: debian, fedora, arch, darwin or win32; empty if it is none of these."""
    if sys.platform in {"darwin", "win32"}:
        return sys.platform
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return ""
    names = {release.get("ID", ""), *release.get("ID_LIKE", "").split()}
    return next((name for name in _SYSTEMS if name in names), "")


def _as_root(*commands: str) -> str:
    """Return commands joined to a line that runs them as root: with sudo or su, or directly if the user is root."""
    if not hasattr(os, "geteuid") or os.geteuid() == 0:
        return " && ".join(commands)
    if shutil.which("sudo") or not shutil.which("su"):
        return " && ".join(f"sudo {command}" for command in commands)
    return f'su -c "{" && ".join(commands)}"'


def _pip(arguments: str) -> str:
    """Return the command that runs ``pip install`` with this Python."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python} -m pip install {arguments}"


def _library(name: str, files: Sequence[_Names], main: _Names, prefix: str, oldest: tuple[int, ...]) -> Check:
    """Return the check that all ``files`` can be loaded, and that the library ``main`` is not older than ``oldest``.

    ``prefix`` is the prefix of the function names of ``main``.
    """
    library = load(main)
    here = {"darwin": 1, "win32": 2}.get(sys.platform, 0)  # the place of the name on this system
    missing = [names[here] for names in files if load(names) is None]
    if missing or library is None:
        return Check(name, f"cannot load {', '.join(missing)}", install_command())
    found = version(library, prefix)
    is_new = tuple(map(int, re.findall(r"\d+", found))) >= oldest
    return Check(name, found) if is_new else Check(name, f"{found}, too old", install_command())


def _look_where_weasyprint_looks() -> None:
    """On Windows, let this process load libraries from the folders that WeasyPrint searches; elsewhere, do nothing."""
    if sys.platform == "win32":
        usual = "C:\\msys64\\ucrt64\\bin;C:\\msys64\\mingw64\\bin;C:\\Program Files\\GTK3-Runtime Win64\\bin"
        for folder in os.environ.get("WEASYPRINT_DLL_DIRECTORIES", usual).split(";"):
            with contextlib.suppress(OSError):
                os.add_dll_directory(folder)


def _font(family: str) -> Check:
    package = PACKAGES[family]
    files = [face.file for face in FACES if face.family == family and face.id != DICE]
    spec = find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    missing = [name for name in files if not folders or not Path(folders[0], "files", name).is_file()]
    distribution = package.replace("_", "-")
    if missing:
        found = f"{', '.join(missing)} missing from {package}" if folders else f"{package} is not installed"
        return Check(f"font {family}", found, _pip(f"--force-reinstall {distribution}"))
    return Check(f"font {family}", f"{len(files)} faces in {distribution}")


def _weasyprint(pango: Check) -> Check:
    name = "WeasyPrint"
    if find_spec("weasyprint") is None:
        return Check(name, "not installed", _pip("weasyprint"))
    if not pango.ok:
        # Importing it would print a banner to standard output.
        return Check(name, "cannot start without Pango", pango.hint)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            engine = importlib.import_module("weasyprint")
    except Exception as error:  # noqa: BLE001 - a broken installation may raise anything
        found = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        return Check(name, found, _pip("--force-reinstall weasyprint"))
    return Check(name, str(engine.__version__))


def _shipped(what: str, folder: Path, pattern: str) -> Check:
    """Return the check, named ``what``, that a folder of this program has files that match ``pattern`` at any depth."""
    count = sum(1 for _ in folder.rglob(pattern))
    if count:
        return Check(what, f"{count} files in {folder}")
    root = folder.parent
    checkout = (root / "pyproject.toml").is_file()
    hint = f'git -C "{root}" checkout -- {folder.name}' if checkout else _pip("--force-reinstall fieldpress")
    return Check(what, f"nothing in {folder}", hint)


def _writable(out: Path) -> Check:
    """Return the check that the output folder, or its nearest existing parent, can be written."""
    try:
        folder = next(parent for parent in (out, *out.parents) if parent.exists())
        with tempfile.TemporaryFile(dir=folder):
            return Check("output folder", f"{out} can be written")
    except OSError as error:
        hint = "fieldpress build all --out ~/handouts   (or any folder that you may write in)"
        return Check("output folder", f"{out}: {error.strerror}", hint)
