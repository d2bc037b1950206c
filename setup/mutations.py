"""What ``fuzz.py`` feeds to the commands: the project's own files and words, mutated."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from generator.resources import rulesdata

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

CASES = Path(__file__).resolve().parents[1] / "tests" / "cases"
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
VALUES = (
    "yes", "no", "null", "~", "0", "-1", "3", "1.5", "1_000", "0x1F", "1e999", ".inf", "NaN", "9" * 30, "9" * 5000,
    "''", '""', "[]", "{}", "[1, 2]", "[[[[1]]]]", "{a: b}", "{a: {b: [c]}}", "- x", "? x", "# x", ": ", ",", ";", "|",
    ">-", "&a x", "*a", "!!str 3", "!!python/name:os.system x", "%", "@", "`", "\t", "\r\n", "---", "\0", "\u202e",
    "\u200b", "\ud7ff", "\ufeff", "é", "ﬁ", "\U0001d431", "🂡", "x" * 300, "[" * 120 + "]" * 120, "../../etc/passwd",
    "con", "a/b", "2 x", "1/0", "size ** 9", "yes + 1", "times([times([1],10000)],10000)",
    "times(times([1],10000),9) == times([1],9)",
    "count('abc')", "max()", "none", "D6", "d6", "D7", "1..9", "9..1", "1..999999999", "force", "rules", "tin", "steel",
)  # fmt: skip
"""What stands in the place of a token: another type, a huge number, nesting, odd characters, a formula."""


def mutated(text: str, rng: random.Random) -> str:
    """A text with one to three changes."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        text = rng.choice(MUTATIONS)(text, rng)
    return text


def _change_token(text: str, rng: random.Random) -> str:
    tokens = TOKEN.findall(text) or [""]
    tokens[rng.randrange(len(tokens))] = rng.choice(VALUES)
    return "".join(tokens)


def _swap_tokens(text: str, rng: random.Random) -> str:
    tokens = TOKEN.findall(text) or [""]
    one, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[one], tokens[other] = tokens[other], tokens[one]
    return "".join(tokens)


def _delete_token(text: str, rng: random.Random) -> str:
    tokens = TOKEN.findall(text) or [""]
    del tokens[rng.randrange(len(tokens))]
    return "".join(tokens)


def _change_line(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    lines[at : at + 1] = rng.choice(
        ([], [lines[at]] * 2, [f"  {lines[at]}"], [lines[at].lstrip()], lines[at:][:1] * 40)
    )
    return "\n".join(lines)


def _cut(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


MUTATIONS: tuple[Callable[[str, random.Random], str], ...] = (
    _change_token, _change_token, _swap_tokens, _delete_token, _change_line, _cut,
)  # fmt: skip


@cache
def corpus() -> dict[str, list[str]]:
    """The files that are mutated, by kind: those of the cases, and those that come with the shipped rule sets."""
    found: dict[str, list[str]] = {
        kind: [path.read_text(encoding="utf-8") for path in sorted(rulesdata().glob(f"*/{kind}/*.yaml"))]
        for kind in ("samples", "battles")
    } | {"force": [], "scenario": [], "options": [], "csv": []}
    for case in sorted((CASES / "problems").glob("*.yaml")):
        for name, text in yaml.safe_load(case.read_text(encoding="utf-8")).get("files", {}).items():
            kind = "csv" if name.endswith(".csv") else str(text).partition(":")[0]
            if isinstance(text, str) and kind in found:
                found[kind].append(text)
    return found


def pick(rng: random.Random, kind: str, shipped: str = "") -> str:
    """A mutated file of this kind; one of ten is a large one that is ``shipped``."""
    return mutated(rng.choice(corpus()[shipped if shipped and rng.random() < 0.1 else kind]), rng)  # noqa: PLR2004
