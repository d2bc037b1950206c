"""``generator.doctor``: what is missing on a machine, tried on machines with missing parts."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

from generator import doctor, resources
from generator.doctor import Check, can_make_pdfs, examine, install_command, system_name
from generator.render.libraries import PANGO, SUBSET, load
from generator.render.type import fonts

ROOT = Path(__file__).parents[2]
NAMES = (
    "Python",
    "Pango",
    "HarfBuzz subset",
    "font FP Source Sans",
    "font FP Source Serif",
    "WeasyPrint",
    "templates",
    "rule data",
    "output folder",
)
DEBIAN = "apt-get update && apt-get install -y libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"


def found(name: str, out: Path) -> Check:
    return next(one for one in examine(out) if one.check == name)


@pytest.fixture
def debian(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: {"ID": "debian"})
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def test_a_machine_that_runs_these_tests_can_make_pdfs(tmp_path: Path) -> None:
    checks = examine(tmp_path)
    assert tuple(one.check for one in checks) == NAMES
    assert [one for one in checks if not one.ok or one.hint or not one.found] == []
    assert can_make_pdfs(checks)


@pytest.mark.parametrize("place", range(len(NAMES)))
def test_one_thing_missing_is_enough_to_make_no_pdfs(place: int, tmp_path: Path) -> None:
    checks = list(examine(tmp_path))
    checks[place] = checks[place]._replace(hint="install it")
    assert not can_make_pdfs(tuple(checks))


@pytest.mark.usefixtures("debian")
def test_missing_libraries_are_named_with_their_cure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "load", lambda names: None if "pango" in names[0] or "subset" in names[0] else object)
    checks = {one.check: one for one in examine(tmp_path)}
    assert checks["Pango"] == Check("Pango", found="cannot load libpango-1.0.so.0, libpangoft2-1.0.so.0", hint=DEBIAN)
    assert checks["HarfBuzz subset"].found == "cannot load libharfbuzz-subset.so.0"
    assert checks["HarfBuzz subset"].hint == DEBIAN
    assert checks["WeasyPrint"] == Check("WeasyPrint", found="cannot start without Pango", hint=DEBIAN)
    assert capsys.readouterr().out == ""


def test_a_library_that_is_not_there_is_not_loaded() -> None:
    assert load(("libnosuch.so.0", "libnosuch.dylib", "libnosuch.dll")) is None


@pytest.mark.usefixtures("debian")
@pytest.mark.parametrize(
    ("pango", "harfbuzz", "old"),
    [
        ("1.44.0", "4.1.0", []),
        ("1.43.9", "4.1.0", ["Pango"]),
        ("1.44.0", "4.0.9", ["HarfBuzz subset"]),
        ("1.56.3", "10.2.0", []),
    ],
)
def test_libraries_that_are_too_old_do_not_do(
    pango: str, harfbuzz: str, old: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "load", lambda _names: object)
    monkeypatch.setattr(doctor, "version", lambda _library, prefix: {"pango": pango, "hb": harfbuzz}[prefix])
    checks = doctor.system_libraries()
    assert [one.check for one in checks if not one.ok] == old
    assert [(one.found.endswith(", too old"), one.hint) for one in checks if not one.ok] == [(True, DEBIAN)] * len(old)


def test_the_libraries_are_those_that_weasyprint_asks_for() -> None:
    spec = find_spec("weasyprint")
    assert spec is not None
    assert spec.origin is not None
    asked = (Path(spec.origin).parent / "text" / "ffi.py").read_text(encoding="utf-8")
    ours = [name for names in (*PANGO, SUBSET) for name in names]
    assert [name for name in ours if f"'{name}'" not in asked] == []


@pytest.mark.parametrize(
    ("on", "release", "name"),
    [
        ("linux", {"ID": "debian"}, "debian"),
        ("linux", {"ID": "ubuntu", "ID_LIKE": "debian"}, "debian"),
        ("linux", {"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, "debian"),
        ("linux", {"ID": "fedora"}, "fedora"),
        ("linux", {"ID": "rocky", "ID_LIKE": "rhel centos fedora"}, "fedora"),
        ("linux", {"ID": "arch"}, "arch"),
        ("linux", {"ID": "manjaro", "ID_LIKE": "arch"}, "arch"),
        ("linux", {"ID": "plan9"}, ""),
        ("darwin", {}, "darwin"),
        ("win32", {}, "win32"),
    ],
)
def test_systems_are_known_by_their_families(
    on: str, release: dict[str, str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", on)
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: release)
    assert system_name() == name


def test_a_system_that_does_not_say_what_it_is_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent() -> NoReturn:
        raise OSError

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "freedesktop_os_release", silent)
    assert system_name() == ""


def test_every_system_has_its_command_and_an_unknown_one_gets_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert install_command("debian") == DEBIAN
    assert install_command("debian", ("python3-venv",)) == "apt-get update && apt-get install -y python3-venv"
    assert install_command("fedora") == "dnf install -y pango"
    assert install_command("arch") == "pacman -S --needed pango"
    assert install_command("darwin") == "brew install pango"
    assert "pacman -S --noconfirm mingw-w64-ucrt-x86_64-pango" in install_command("win32")
    lines = install_command("").splitlines()
    assert [line.partition(":")[0] for line in lines] == ["Debian, Ubuntu", "Fedora", "Arch", "macOS", "Windows"]
    assert lines[0] == f"Debian, Ubuntu: {DEBIAN}"


@pytest.mark.parametrize(
    ("there", "command"),
    [
        ({"sudo", "su"}, "sudo apt-get update && sudo apt-get install -y x"),
        ({"su"}, 'su -c "apt-get update && apt-get install -y x"'),
        (set(), "sudo apt-get update && sudo apt-get install -y x"),
    ],
)
def test_who_is_not_root_is_told_how_to_be(there: set[str], command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr("shutil.which", lambda name: name if name in there else None)
    assert install_command("debian", ("x",)) == command


def test_a_font_package_that_is_not_installed_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if "serif" in name else find_spec(name))
    assert found("font FP Source Sans", tmp_path).ok
    serif = found("font FP Source Serif", tmp_path)
    assert (serif.ok, serif.found) == (False, "font_source_serif_pro is not installed")
    assert serif.hint.endswith("-m pip install --force-reinstall font-source-serif-pro")


def test_a_font_package_that_lacks_a_face_is_missing_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    faces = (*fonts.FACES, fonts.Face("sans-odd", fonts.SANS, "SourceSansPro-Odd.ttf"))
    monkeypatch.setattr(doctor, "FACES", faces)
    sans = found("font FP Source Sans", tmp_path)
    assert (sans.ok, sans.found) == (False, "SourceSansPro-Odd.ttf missing from font_source_sans_pro")


def test_an_engine_that_is_not_installed_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == "weasyprint" else find_spec(name))
    engine = found("WeasyPrint", tmp_path)
    assert (engine.ok, engine.found) == (False, "not installed")
    assert engine.hint.endswith("-m pip install weasyprint")


def test_an_engine_that_breaks_is_reported_without_its_noise(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_name: str) -> NoReturn:
        sys.stdout.write("-----\nplease read this\n")
        message = "no library\nand more"
        raise OSError(message)

    monkeypatch.setattr("importlib.import_module", broken)
    engine = found("WeasyPrint", tmp_path)
    assert (engine.ok, engine.found) == (False, "OSError: no library")
    assert engine.hint.endswith("-m pip install --force-reinstall weasyprint")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("check", "folder"), [("templates", "templates"), ("rule data", "rulesdata")])
def test_shipped_files_that_are_gone_are_missed(
    check: str, folder: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(resources, folder, lambda: tmp_path / folder)
    gone = found(check, tmp_path)
    assert (gone.ok, gone.found) == (False, f"nothing in {tmp_path / folder}")
    assert gone.hint.endswith("-m pip install --force-reinstall fieldpress")
    (tmp_path / "pyproject.toml").touch()
    assert found(check, tmp_path).hint == f'git -C "{tmp_path}" checkout -- {folder}'


def test_looking_at_the_output_folder_leaves_nothing_behind(tmp_path: Path) -> None:
    assert found("output folder", tmp_path / "new" / "deep").ok
    assert found("output folder", tmp_path).ok
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_of_the_output_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    inside = found("output folder", tmp_path / "file" / "deep")
    assert not inside.ok
    assert inside.found == f"{tmp_path / 'file' / 'deep'}: Not a directory"
    assert "--out" in inside.hint


def test_a_folder_that_may_not_be_written_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(**_where: Path) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert found("output folder", tmp_path).found == f"{tmp_path}: Permission denied"


def test_it_needs_no_installed_package() -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from pathlib import Path\n"
        "from generator.doctor import can_make_pdfs, examine\n"
        "checks = examine(Path('.')); print(*(one.check for one in checks if not one.ok), sep='|')\n"
        "assert not can_make_pdfs(checks)"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-I", "-S", "-B", "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout == "font FP Source Sans|font FP Source Serif|WeasyPrint\n"
