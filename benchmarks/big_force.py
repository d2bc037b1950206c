"""Checking and pricing a large force: a whole process against an empty click program, and how it grows with units.

Run from the checkout: ``python benchmarks/big_force.py [ROUNDS]``. See the README beside this file for how to read it.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.start_up import EMPTY_CLICK, compile_all, timed
from generator.commands.access import open_library
from generator.forces.load import load_force, read_force
from generator.rules.load.load import ALL, load

RULES = "dirtside2-iceburg"
DESIGNS, UNITS = 60, 200
MOST, MOST_MEMORY, MOST_GROWTH = 10.0, 150, 1.5
ROUNDS = 15
UNREAD, UNLAWFUL = "the rule set cannot be read", "the force is not lawful"
WEAPONS = ("HKP", "HVC", "MDC", "SLAM")
MOBILITIES = ("fast tracked", "slow GEV", "grav", "slow tracked")
QUALITIES = ("basic", "enhanced", "superior")
"""Without fire control, ``check`` would look for remedies, which is not what is timed here."""


def force(units: int) -> str:
    """A lawful force of sixty different tanks in so many units, as a file has it."""
    lines = ["force: Large", f"rules: [{RULES}]", "designs:"]
    for number in range(DESIGNS):
        size = 3 + number % 2
        lines.append(
            f"  - {{design: D{number}, kind: vehicle, size: {size}, armour: {1 + number % size}, plant: FGP, "
            f"mobility: {MOBILITIES[number % 4]}, fire_control: {QUALITIES[number // 4 % 3]}, "
            f"ecm: {QUALITIES[number // 12 % 3]}, "
            f"weapons: [{{weapon: {WEAPONS[number // 2 % 4]}, class: 3}}, {{weapon: RFAC, class: 1}}]}}"
        )
    lines.append("units:" if units else "units: []")
    for number in range(units):
        entries = [f"{{design: D{(number * step) % DESIGNS}, count: {1 + number % 4}}}" for step in (1, 7)]
        lines.append(f"  - {{unit: U{number}, of: [{', '.join(entries)}]}}")
    return "\n".join(lines) + "\n"


def whole_processes(folder: str, rounds: int) -> tuple[float, float]:
    """How many times as long as an empty click program ``check`` and ``cost`` of the force take."""
    path = Path(folder) / "large.yaml"
    path.write_text(force(UNITS), encoding="utf-8")
    commands = {
        "click": ("-c", EMPTY_CLICK),
        **{name: ("-m", "generator", name, str(path)) for name in ("check", "cost")},
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, arguments in commands.items():
            taken = timed(arguments, folder)
            if turn:  # the first round fills the disk's cache
                times[name].append(taken)
    middle = {name: statistics.median(one) for name, one in times.items()}
    print(", ".join(f"{name} {seconds * 1000:.0f} ms" for name, seconds in middle.items()))
    return middle["check"] / middle["click"], middle["cost"] / middle["click"]


def growth(folder: str, rounds: int) -> float:
    """What one more unit costs in a force of many, over what it costs in one of few."""
    rules = load(open_library(), RULES, [], only=[("kinds", ALL)])
    if rules is None:
        raise SystemExit(UNREAD)
    sizes = (0, UNITS, 5 * UNITS)
    files = []
    for units in sizes:
        path = Path(folder) / f"{units}.yaml"
        path.write_text(force(units), encoding="utf-8")
        files.append(path)
    times: list[list[float]] = [[] for _ in sizes]
    for _ in range(rounds):
        for taken, path in zip(times, files, strict=True):
            start = perf_counter()
            found = load_force(read_force(path), rules)
            taken.append(perf_counter() - start)
            if any(one.severity == "error" for one in found.problems):
                raise SystemExit(UNLAWFUL)
    none, few, many = map(statistics.median, times)
    for units, seconds in zip(sizes, (none, few, many), strict=True):
        print(f"{units:>5} units {seconds * 1000:7.1f} ms")
    return (many - none) / 5 / (few - none)


def peak_memory(folder: str) -> float:
    """The most memory that ``cost`` of the force holds at once, in MiB."""
    arguments = [sys.executable, "-m", "generator", "cost", str(Path(folder) / "large.yaml")]
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - a descriptor for the child
        actions = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
        child = os.posix_spawn(sys.executable, arguments, environment, file_actions=actions)
        _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(UNLAWFUL)
    return usage.ru_maxrss / 1024


def main(rounds: int) -> int:
    """Print times and ratios; 1 if one is above its aim."""
    compile_all()
    with tempfile.TemporaryDirectory() as folder:
        check, cost = whole_processes(folder, rounds)
        found = (
            ("check of 200 units to an empty click program", check, MOST),
            ("cost of 200 units to an empty click program", cost, MOST),
            ("a unit among many to a unit among few", growth(folder, rounds), MOST_GROWTH),
            ("peak memory in MiB", peak_memory(folder), MOST_MEMORY),
        )
    for what, ratio, most in found:
        print(f"{what}: {ratio:.2f} ({'ABOVE its aim' if ratio > most else 'aim'}: at most {most})")
    return int(any(ratio > most for _, ratio, most in found))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
