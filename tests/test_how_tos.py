"""Each how-to is followed literally on a copy of the program: write its files, make its changes, run its commands."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
BY_ITSELF = "add-a-block"
"""Its page is followed by the test of a kind of block from outside."""
PAGES = sorted(page for page in (ROOT / "docs" / "how-to").glob("*.md") if page.stem != BY_ITSELF)
BLOCK = re.compile(r"^ *```(?P<kind>\w+)\n(?P<body>.*?)^ *```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (?P<path>\S+/\S+)\n")
MATCHES = doctest.OutputChecker().check_output


def change(folder: Path, body: str) -> None:
    """Make the changes of a ``diff`` block: lines with a space or minus stand in the file once, and are replaced."""
    name, _, hunks = body.removeprefix("--- ").partition("\n")
    path = folder / name
    text = path.read_text(encoding="utf-8")
    for hunk in hunks.split("---\n"):
        lines = hunk.splitlines()
        old = "\n".join(line[1:] for line in lines if line[0] in " -")
        new = "\n".join(line[1:] for line in lines if line[0] in " +")
        assert text.count(old) == 1, f"{name} has {text.count(old)} times: {old}"
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def run(folder: Path, body: str) -> None:
    """Run the commands of a ``console`` block, and compare what they print."""
    for part in re.split(r"^\$ fieldpress ", body, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        words = [sys.executable, "-m", "generator", *shlex.split(command)]
        environment = {**os.environ, "COLUMNS": "100", "PYTHONPATH": str(folder)}
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own program
        printed = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
        assert done.returncode == 0, done.stderr
        assert MATCHES(shown.strip(), printed.strip(), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE), printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_how_to_followed_literally_works(page: Path, tmp_path: Path) -> None:
    for name in ("generator", "templates", "rulesdata"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        body = textwrap.dedent(match["body"])
        if match["kind"] == "diff":
            change(tmp_path, body)
        elif match["kind"] == "console":
            run(tmp_path, body)
        else:
            named = NAMED.match(body)
            assert named is not None, f"a block without a path: {body}"
            path = tmp_path / named["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, encoding="utf-8")
