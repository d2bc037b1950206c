"""How long a person waits for a command, from an empty prompt: whole processes, against yardsticks in the same run.

Run from the checkout: ``python benchmarks/start_up.py [ROUNDS]``. See the README beside this file for how to read it.
"""

from __future__ import annotations

import compileall
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 15

EMPTY_CLICK = """
import click

@click.group()
def empty():
    "Nothing."

empty(["--help"], prog_name="empty")
"""

ONE_PAGE = """
import weasyprint

weasyprint.HTML(string="<html lang=en><title>One page</title><p>One line.</p></html>").write_pdf("one-page.pdf")
"""

LIBRARIES = ("click", "pydantic", "yaml", "tabulate", "jinja2", "markdown_it", "weasyprint", "fontTools")


class Aim(NamedTuple):
    """A command, the yardstick that it is held against, and how many times as long it may take."""

    command: str
    yardstick: str
    most: float


COMMANDS = {
    "empty click program": ("-c", EMPTY_CLICK),
    "fieldpress --help": ("-m", "generator", "--help"),
    "one odds call": ("-m", "generator", "odds", "dirtside2-fma/armour-fire", "weapon_size=3", "valid=red", "armour=2"),
    "burst of ten shots": ("-m", "generator", "odds", "sla-3d/burst", "skill=5", "rcl=3", "bullets=10", "support=5"),
    "one-page WeasyPrint document": ("-c", ONE_PAGE),
    "build of one quick reference": (
        "-m",
        "generator",
        "build",
        "dirtside2-fma",
        "--only",
        "quick-reference",
        "--quiet",
    ),
}
AIMS = (
    Aim("fieldpress --help", "empty click program", 2.0),
    Aim("one odds call", "empty click program", 5.0),
    Aim("burst of ten shots", "empty click program", 25.0),
    Aim("build of one quick reference", "one-page WeasyPrint document", 2.5),
)


def compile_all() -> None:
    """Compile our modules and the libraries, so that no round pays for a first import."""
    compileall.compile_dir(ROOT / "generator", quiet=2)
    for name in LIBRARIES:
        spec = importlib.util.find_spec(name)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            compileall.compile_dir(folder, quiet=2)


def timed(arguments: tuple[str, ...], folder: str) -> float:
    """Time one whole process, from its start to its end."""
    # Nothing is taken from the shelf of finished pages.
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FIELDPRESS_CACHE": "off"}
    start = time.perf_counter()
    result = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    taken = time.perf_counter() - start
    if result.returncode:
        raise SystemExit(result.stderr)
    return taken


def medians(rounds: int) -> dict[str, float]:
    """Give each command's median in seconds; they take turns, so that a busy machine slows all of them alike."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        for arguments in COMMANDS.values():
            timed(arguments, folder)  # a first round fills the disk's cache
        for _ in range(rounds):
            for name, arguments in COMMANDS.items():
                times[name].append(timed(arguments, folder))
    return {name: statistics.median(taken) for name, taken in times.items()}


def main(rounds: int) -> int:
    """Print medians and ratios; 1 if a ratio is above its aim."""
    compile_all()
    middle = medians(rounds)
    print(f"medians of {rounds} rounds, whole processes, Python {sys.version.split()[0]}")
    for name, seconds in middle.items():
        print(f"{name:<30} {seconds * 1000:7.0f} ms")
    missed = 0
    for aim in AIMS:
        ratio = middle[aim.command] / middle[aim.yardstick]
        missed += ratio > aim.most
        word = "ABOVE its aim" if ratio > aim.most else "aim"
        print(f"{aim.command}: {ratio:.2f} of the {aim.yardstick} ({word}: at most {aim.most})")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
