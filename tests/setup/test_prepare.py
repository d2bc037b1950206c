"""``setup/prepare.sh`` on machines with missing packages: what it fetches, what it prints, and that it runs once."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator.doctor import install_command

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PACKAGES = "python3-venv libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"

# A Python that has no ensurepip and finds no Pango until apt-get was here; its environments only note what they do.
PYTHON = """\
#!/bin/sh
case "$*" in
    *"import ensurepip"*) [ -e fetched ] || exit 1 ;;
    *"for one in system_libraries"*) [ -e fetched ] || echo "  Pango: cannot load libpango-1.0.so.0" ;;
    "-m venv "*)
        mkdir -p "$3/bin"
        touch "$3/pyvenv.cfg"
        cp {notes} "$3/bin/python" ;;
    *) exec {python} "$@" ;;
esac
"""
NOTES = """\
#!/bin/sh
case "$*" in
    *" pip "*) echo "$*" >>log ;;
    *) exec {python} "$@" ;;
esac
"""
APT = '#!/bin/sh\necho "apt-get $*" >>log\n[ "$1" != install ] || touch fetched\n'
OLD = "#!/bin/sh\n[ \"$1\" != --version ] || echo 'Python 3.9.2'\nexit 1\n"


@dataclass(frozen=True, slots=True)
class Machine:
    """A project folder and the commands that can be found."""

    project: Path
    commands: Path

    def install(self, name: str, text: str) -> None:
        path = self.commands / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def prepare(self, kind: str = "run", **variables: str) -> subprocess.CompletedProcess[str]:
        sh = shutil.which("sh")
        assert sh is not None
        usual = {"PATH": f"{self.commands}{os.pathsep}{os.defpath}", "PYTHONPATH": str(ROOT), "PYTHON": ""}
        return subprocess.run(  # noqa: S603 - our own script
            [sh, str(self.project / "setup" / "prepare.sh"), kind],
            env={**usual, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    def log(self) -> list[str]:
        path = self.project / "log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path / "project", tmp_path / "commands")
    for folder in (made.project / "setup", made.project / "requirements", made.commands):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / "setup" / "prepare.sh", made.project / "setup")
    for name in ("pyproject.toml", "requirements/run.lock", "requirements/dev.lock"):
        (made.project / name).write_text(f"# {name}\n", encoding="utf-8")
    real = shlex.quote(sys.executable)
    made.install("notes", NOTES.format(python=real))
    python = PYTHON.format(python=real, notes=shlex.quote(str(made.commands / "notes")))
    for name in ("python3", "python3.13", "python3.12", "python3.11"):
        made.install(name, python)
    made.install("id", "#!/bin/sh\necho 0\n")
    made.install("apt-get", APT)
    return made


def command() -> str:
    """The first line of what the script prints to users of this system."""
    return install_command(packages=tuple(PACKAGES.split())).splitlines()[0]


def installs(lock: str) -> list[str]:
    pip = "-m pip --disable-pip-version-check --quiet install --no-deps"
    return [
        f"{pip} --no-compile --require-hashes -r .venv/uv.lock",
        f"{pip} --no-compile --require-hashes -r requirements/{lock}.lock",
        f"{pip} --no-build-isolation --editable .",
    ]


def test_root_gets_what_is_missing_once(machine: Machine) -> None:
    first = machine.prepare()
    assert first.returncode == 0, first.stderr
    assert machine.log() == [
        "apt-get update -q",
        f"apt-get install -q -y --no-install-recommends {PACKAGES}",
        *installs("run"),
    ]
    before = machine.log()
    second = machine.prepare()
    assert (second.returncode, second.stderr, second.stdout) == (0, "", "")
    assert machine.log() == before


def test_a_changed_lock_or_project_file_is_installed_again(machine: Machine) -> None:
    for name, again in (
        ("requirements/run.lock", True),
        ("pyproject.toml", True),
        ("requirements/dev.lock", False),
    ):
        machine.prepare()
        before = machine.log()
        with (machine.project / name).open("a", encoding="utf-8") as stream:
            stream.write("# changed\n")
        assert machine.prepare().returncode == 0
        assert machine.log() == before + (installs("run") if again else [])


def test_uv_installs_where_it_can_and_pip_where_it_fails(machine: Machine) -> None:
    machine.prepare()
    uv = machine.project / ".venv" / "bin" / "uv"
    for status in (0, 2):
        uv.write_text(f'#!/bin/sh\necho "uv $*" >>log\nexit {status}\n', encoding="utf-8")
        uv.chmod(0o755)
        with (machine.project / "requirements" / "run.lock").open("a", encoding="utf-8") as stream:
            stream.write("# changed\n")
        before = machine.log()
        assert machine.prepare().returncode == 0
        with_uv, with_pip, project = installs("run")
        install = "uv pip install --quiet --python .venv/bin/python --no-deps"
        by_uv = f"{install} --require-hashes -r requirements/run.lock"
        rest = [with_pip, project] if status else [f"{install} --no-build-isolation --editable ."]
        assert machine.log() == [*before, with_uv, by_uv, *rest]


def test_tools_come_on_top(machine: Machine) -> None:
    machine.prepare()
    before = machine.log()
    assert machine.prepare("dev").returncode == 0
    assert machine.log() == before + installs("dev")


def test_an_environment_that_was_moved_is_made_again(machine: Machine) -> None:
    machine.prepare()
    moved = Machine(machine.project.with_name("moved"), machine.commands)
    machine.project.rename(moved.project)
    before = moved.log()
    done = moved.prepare()
    assert "Making the environment" in done.stderr
    assert moved.log() == before + installs("run")


def test_a_folder_that_is_no_environment_is_left_alone(machine: Machine) -> None:
    (machine.project / "mine").mkdir()
    (machine.project / "mine" / "letter").touch()
    done = machine.prepare(VENV="mine")
    assert done.returncode == 1
    assert "mine is in the way" in done.stderr
    assert (machine.project / "mine" / "letter").exists()


def test_who_is_not_root_is_told_everything_in_one_command(machine: Machine) -> None:
    machine.install("id", "#!/bin/sh\necho 1000\n")
    done = machine.prepare()
    assert done.returncode == 1
    assert "its module ensurepip is missing" in done.stderr
    assert "Pango: cannot load libpango-1.0.so.0" in done.stderr
    assert command() in done.stderr
    assert machine.log() == []
    assert not (machine.project / ".venv").exists()


def test_packages_that_do_not_help_are_not_asked_for_again(machine: Machine) -> None:
    machine.install("apt-get", '#!/bin/sh\necho "apt-get $*" >>log\n')
    done = machine.prepare()
    assert done.returncode == 1
    assert "the packages are installed, but still" in done.stderr
    assert [line.split()[1] for line in machine.log()] == ["update", "install"]


def test_a_failed_fetch_stops_with_the_command(machine: Machine) -> None:
    machine.install("apt-get", "#!/bin/sh\nexit 100\n")
    done = machine.prepare()
    assert done.returncode == 1
    assert "apt-get failed" in done.stderr
    assert command() in done.stderr


def test_an_old_python_is_passed_over(machine: Machine) -> None:
    for name in ("python3", "python3.13"):
        machine.install(name, OLD)
    done = machine.prepare()
    assert done.returncode == 0, done.stderr
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    assert machine.log()[1].split()[5] == f"{version}-venv"
    assert "python3.12 cannot make environments" in done.stderr


def test_no_suitable_python_is_said_with_the_commands(machine: Machine) -> None:
    for name in ("python3", "python3.13", "python3.12", "python3.11"):
        machine.install(name, OLD)
    done = machine.prepare()
    assert done.returncode == 1
    assert "no Python 3.11 or newer found; python3 is: Python 3.9.2" in done.stderr
    assert "apt-get install -y python3 python3-venv" in done.stderr
    assert machine.log() == []


def test_the_python_that_is_named_is_used(machine: Machine) -> None:
    assert machine.prepare(PYTHON="python3.12").returncode == 0
    machine.install("python3.12", OLD)
    done = machine.prepare(PYTHON="python3.12")
    assert done.returncode == 1
    assert done.stderr == "fieldpress set-up stopped: PYTHON=python3.12 is not a Python 3.11 or newer.\n"
