"""A large deck of cards: what it costs over one page of the engine, how it grows, and the memory that it takes.

Run from the checkout: ``python benchmarks/cards.py [ROUNDS]``. See the README beside this file for how to read it.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pypdfium2

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.big_force import DESIGNS, force
from benchmarks.start_up import ONE_PAGE, compile_all

UNITS = 120
"""Two designs in each unit: 240 cards."""
MOST, MOST_GROWTH, MOST_MEMORY = 1.5, 1.4, 16.0
ROUNDS = 1
UNLAWFUL = "the deck cannot be printed"


def build(path: Path) -> tuple[str, ...]:
    """The command that prints the cards of a force."""
    return ("-m", "generator", "build", str(path), "--only", "cards", "--out", str(path.parent))


def main(rounds: int) -> int:
    """Print times and ratios; 1 if one is above its aim."""
    compile_all()
    with tempfile.TemporaryDirectory() as folder:
        paths = {units: Path(folder) / f"{units}.yaml" for units in (UNITS // 4, UNITS // 2, UNITS)}
        for units, path in paths.items():
            path.write_text(force(units), encoding="utf-8")
        commands = {"one page": ("-c", ONE_PAGE)} | {f"{2 * units} cards": build(one) for units, one in paths.items()}
        spent: dict[str, list[Spent]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, arguments in commands.items():
                spent[name].append(run(arguments, folder))
        (deck,) = Path(folder).glob("*-cards-*.pdf")  # the last and largest
        sheets = len(pypdfium2.PdfDocument(deck))
    middle = {name: statistics.median(one.seconds for one in runs) for name, runs in spent.items()}
    print(", ".join(f"{name} {seconds:.2f} s" for name, seconds in middle.items()))
    page, quarter, half, whole = middle.values()
    print(f"240 cards are {sheets} sheets")
    found = (
        (f"a sheet of cards ({DESIGNS} designs) to a one-page WeasyPrint document", whole / page / sheets, MOST),
        ("a card among 240 to a card among 120", (whole - half) / 2 / (half - quarter), MOST_GROWTH),
        (
            "peak memory in MiB for each sheet",
            max(one.memory for runs in spent.values() for one in runs) / sheets,
            MOST_MEMORY,
        ),
    )
    for what, ratio, most in found:
        print(f"{what}: {ratio:.2f} ({'ABOVE its aim' if ratio > most else 'aim'}: at most {most})")
    return int(any(ratio > most for _, ratio, most in found))


class Spent(NamedTuple):
    """What a whole process takes."""

    seconds: float
    """Of the processor: what else it does meanwhile falls out."""
    memory: float
    """The most that it holds at once, in MiB."""


def run(arguments: tuple[str, ...], folder: str, shelf: str = "off") -> Spent:
    """Run Python once, and see what it takes; finished pages are looked for on this ``shelf``."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - a descriptor for the child
        actions = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1), (os.POSIX_SPAWN_DUP2, nowhere.fileno(), 2)]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
        environment["FIELDPRESS_CACHE"] = shelf
        os.chdir(folder)
        child = os.posix_spawn(sys.executable, [sys.executable, *arguments], environment, file_actions=actions)
        _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(UNLAWFUL)
    return Spent(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
