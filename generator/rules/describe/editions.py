"""Fingerprints of the data and settings of a rule set, which tell printed editions apart."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from generator.rules.source.library import BATTLES, MISSIONS, SAMPLES, SCENARIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from generator.rules.ruleset import RuleSet


def fingerprint(ruleset: RuleSet, *, scenario: bool = False) -> str:
    """Return eight hexadecimal digits that identify this state of the data, as two groups of four: ``1a2b 3c4d``.

    They are computed from every file of the rule set and its parents, and from the players' settings. Scenario files
    count only if ``scenario``; samples and finished battles do not count.
    """
    left_out = {BATTLES, SAMPLES, *(() if scenario else (SCENARIO, MISSIONS))}
    return _mark(ruleset, lambda part: part not in left_out, _settings(ruleset))


def fingerprints(ruleset: RuleSet) -> Iterator[str]:
    """Yield every fingerprint that paper of this data may carry: of sheets and of packs, with settings and without."""
    for scenario in (False, True):
        yield fingerprint(ruleset, scenario=scenario)
        yield fingerprint(ruleset._replace(options={}, tables={}), scenario=scenario)


def samples_fingerprint(ruleset: RuleSet) -> str:
    """Return a fingerprint, as two groups of four digits, of only the sample forces, from which scenarios are drawn."""
    return _mark(ruleset, lambda part: part == SAMPLES)


def _mark(ruleset: RuleSet, counts: Callable[[str], bool], besides: str = "") -> str:
    """Return eight hexadecimal digits of a hash of the files that ``counts`` selects, and of the text ``besides``."""
    digest = sha256(besides.encode())
    for folder in ruleset.chain:
        for file in sorted(folder.path.rglob("*")):
            relative = file.relative_to(folder.path)
            if counts(relative.parts[0]) and file.is_file() and file.suffix in (".yaml", ".csv"):
                digest.update(f"{folder.ruleset}/{relative.as_posix()}\0".encode())
                digest.update(file.read_bytes())
    mark = digest.hexdigest()
    return f"{mark[:4]} {mark[4:8]}"


def _settings(ruleset: RuleSet) -> str:
    """Return the changed options and the figures that players gave as text; empty if there are none."""
    options = {name: item.value for name, item in ruleset.options.items() if item.value != item.default}
    rows = (row for table in ruleset.tables.values() for row in table.rows if row.provenance.status == "yours")
    answers = [f"yours {row.values}" for row in rows]
    return f"{options}{answers}" if options or answers else ""


def set_words(ruleset: RuleSet) -> str:
    """Return the options that are not at their defaults as part of a file name, such as ``-fog-yes``; may be empty."""
    changed = (option for option in ruleset.options.values() if option.value != option.default)
    words = (f"-{option.name}-{option.choice.names.get(option.value, option.value)}" for option in changed)
    return "".join(words).replace("_", "-").replace(" ", "-").lower()
