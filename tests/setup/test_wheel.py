"""The built wheel works from an empty folder, without the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULESET = "dirtside2-fma"
INSIDE = {
    "generator": "generator",
    "templates": "generator/templates",
    "rulesdata": "generator/rulesdata",
    "supplements": "generator/supplements",
}

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment that has the wheel, and an empty folder to stand in."""

    wheel: Path
    packages: Path
    commands: Path
    empty: Path

    def run(self, command: str, *arguments: str) -> str:
        # Nothing of the checkout may leak in through PYTHONPATH.
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        done = subprocess.run(  # noqa: S603 - our own command
            [str(self.commands / command), *arguments],
            cwd=self.empty,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def call(*arguments: str) -> None:
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    base = tmp_path_factory.mktemp("wheel")
    call("build", "--wheel", "--no-isolation", "--outdir", str(base / "dist"))
    (wheel,) = (base / "dist").glob("*.whl")
    call("venv", "--without-pip", str(base / "venv"))
    where = {"base": str(base / "venv"), "platbase": str(base / "venv")}
    scheme = sysconfig.get_preferred_scheme("prefix")
    packages = Path(sysconfig.get_path("purelib", scheme, where))
    # The packages that it needs are borrowed from this environment: nothing is fetched, no checkout comes along.
    borrowed = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    (packages / "borrowed.pth").write_text("\n".join(borrowed), encoding="utf-8")
    call("pip", "--python", str(base / "venv"), "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (base / "empty").mkdir()
    return Installed(wheel, packages, Path(sysconfig.get_path("scripts", scheme, where)), base / "empty")


def test_it_holds_every_file_of_the_program_and_no_other(installed: Installed) -> None:
    wanted = {
        f"{inside}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, inside in INSIDE.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(installed.wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        notes = {name.partition(".dist-info/")[2] for name in archive.namelist()} - {""}
    assert {one.partition("/")[0] for one in wanted} == {"generator"}
    assert any(name.startswith("generator/templates/") for name in names)
    assert any(name.startswith(f"generator/rulesdata/{RULESET}/") for name in names)
    assert names == wanted
    assert {"licenses/LICENSE", "entry_points.txt"} <= notes


def test_its_data_stand_inside_the_installed_package(installed: Installed) -> None:
    script = "from generator import resources as r; print(r.templates(), r.rulesdata(), sep='\\n')"
    lines = installed.run("python", "-c", script).splitlines()
    assert [Path(line) for line in lines] == [
        (installed.packages / "generator" / name).resolve() for name in ("templates", "rulesdata")
    ]
    assert all(Path(line).is_dir() for line in lines)


def test_it_says_its_version(installed: Installed) -> None:
    version = installed.wheel.name.split("-")[1]
    assert installed.run("fieldpress", "--version") == f"fieldpress, version {version}\n"


def test_it_lists_its_rule_sets(installed: Installed) -> None:
    assert RULESET in installed.run("fieldpress", "rules")


def test_it_tells_odds(installed: Installed) -> None:
    question = (f"{RULESET}/armour-fire", "weapon_size=3", "valid=red+yellow", "armour=3")
    told = json.loads(installed.run("fieldpress", "odds", *question, "--format", "json"))
    (cell,) = told["cells"]
    assert (told["ruleset"], told["procedure"], told["problems"]) == (RULESET, "armour-fire", [])
    assert sum(Fraction(one["probability"]) for one in cell["outcomes"]) == 1


def test_it_prints_and_writes_nowhere_else(installed: Installed) -> None:
    told = json.loads(
        installed.run("fieldpress", "build", RULESET, "--only", "readings", "--out", "sheets", "--format", "json")
    )
    written = sorted((installed.empty / "sheets").iterdir())
    assert len(written) == len(told["built"]) > 0
    assert {path.read_bytes()[:5] for path in written} == {b"%PDF-"}
    assert [path.name for path in installed.empty.iterdir()] == ["sheets"]


def test_its_doctor_finds_nothing_missing(installed: Installed) -> None:
    told = json.loads(installed.run("fieldpress", "doctor", "--format", "json"))
    assert [one for one in told["checks"] if not one["ok"]] == []
