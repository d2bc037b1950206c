"""The lock files: exact, hashed, without addresses, and what pyproject.toml asks for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PIN = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>[^ ;]+)(?: ; (?P<when>.+?))? \\$")
HASH = re.compile(r"^    --hash=sha256:(?P<hash>[0-9a-f]{64})(?: \\)?$")

Pins = dict[tuple[str, str, str], set[str]]


def pins(lock: str) -> Pins:
    read: Pins = {}
    latest: set[str] = set()
    for line in (ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8").splitlines():
        if pin := PIN.match(line):
            latest = read.setdefault((pin["name"], pin["version"], pin["when"] or ""), set())
        elif found := HASH.match(line):
            latest.add(found["hash"])
        else:
            assert line.lstrip().startswith("#"), line
    return read


def asked(*groups: str) -> list[Requirement]:
    wanted = [Requirement(text) for text in PYPROJECT["project"]["dependencies"]]
    for group in groups:
        wanted += [Requirement(one) for one in PYPROJECT["dependency-groups"][group] if isinstance(one, str)]
    return wanted


@pytest.mark.parametrize("lock", ["run", "dev"])
def test_every_pin_has_its_hashes(lock: str) -> None:
    read = pins(lock)
    assert len(read) > len(PYPROJECT["project"]["dependencies"])
    assert [pin for pin, hashes in read.items() if not hashes] == []


@pytest.mark.parametrize("lock", ["run", "dev"])
def test_no_lock_names_an_address(lock: str) -> None:
    text = (ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8")
    assert re.findall(r"://|--(?:extra-)?index-url|--find-links|--trusted-host", text) == []


@pytest.mark.parametrize(("lock", "groups"), [("run", ("editable",)), ("dev", ("editable", "dev"))])
def test_a_lock_holds_what_the_project_file_asks_for(lock: str, groups: tuple[str, ...]) -> None:
    read = pins(lock)
    missing = [
        str(wanted)
        for wanted in asked(*groups)
        if not any(
            name == canonicalize_name(wanted.name) and wanted.specifier.contains(version) for name, version, _ in read
        )
    ]
    assert missing == [], "run: make lock"


def test_the_build_backend_is_locked_as_the_build_asks() -> None:
    read = {name: version for name, version, _ in pins("run")}
    for text in PYPROJECT["build-system"]["requires"]:
        wanted = Requirement(text)
        assert wanted.specifier.contains(read[canonicalize_name(wanted.name)])


def test_the_locks_agree() -> None:
    run, dev = pins("run"), pins("dev")
    assert {pin: hashes for pin, hashes in run.items() if dev.get(pin) != hashes} == {}
    assert len(run) < len(dev)
