"""How fast YAML is read, against PyYAML's C composer and C loader on the same text in the same run.

Run it with ``python benchmarks/parse_yaml.py``. The text looks like a rule table: about 100 KB of rows in flow style,
seven cells each. Aim: at most 1.3 times ``yaml.compose``, which gives a node tree without values.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import TYPE_CHECKING

import yaml

from generator.parsing.yaml12 import parse_yaml

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 21
ROWS = 1100


def rule_table(rows: int) -> str:
    """Give a table's text: a short head, then one flow mapping to a line."""
    chance = random.Random(1)  # noqa: S311 - the same text each time, not a secret
    lines = ["table: guns", "columns: [gun, class, range, points, arc, valid, cite]", "rows:"]
    lines += [
        f"  - {{gun: gun {number}, class: {chance.randint(1, 5)}, range: {chance.randint(4, 60)}, "
        f"points: {chance.randint(1, 90)}.5, arc: front left, valid: [red, yellow], cite: p. {chance.randint(1, 99)}}}"
        for number in range(rows)
    ]
    return "\n".join(lines) + "\n"


def median_times(readers: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Give each reader's median time in seconds; the readers take turns, so that noise falls on all alike."""
    times: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(ROUNDS):
        for name, read in readers.items():
            start = time.perf_counter()
            read()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(taken) for name, taken in times.items()}


def main() -> None:
    """Print the ratios."""
    text = rule_table(ROWS)
    medians = median_times(
        {
            "yaml.compose": lambda: yaml.compose(text, Loader=yaml.CSafeLoader),
            "yaml.load": lambda: yaml.load(text, Loader=yaml.CSafeLoader),
            "parse_yaml": lambda: parse_yaml.__wrapped__(text, "table.yaml"),  # without its cache
        }
    )
    print(f"{len(text):,} characters, {ROWS:,} rows, median of {ROUNDS} runs")
    for name, seconds in medians.items():
        ratio, to_load = seconds / medians["yaml.compose"], seconds / medians["yaml.load"]
        print(f"{name:<24} {seconds * 1000:7.1f} ms   {ratio:5.2f} of compose   {to_load:5.2f} of load")


if __name__ == "__main__":
    main()
