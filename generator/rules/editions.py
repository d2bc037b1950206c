"""What tells one print of a rule set from another: the state of its data, and how players set it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from generator.rules.library import BATTLES, SAMPLES, SCENARIO

if TYPE_CHECKING:
    from generator.rules.ruleset import RuleSet


def fingerprint(ruleset: RuleSet, *, scenario: bool = False, samples: bool = False) -> str:
    """Eight figures that tell this state of the data from any other.

    They come from every file of the rule set and its parents, of those for scenarios where these are printed, and from
    what players set beside them. Samples are no rules, and count only where they are drawn from;
    finished battles count nowhere.
    """
    digest = sha256(_settings(ruleset).encode())
    for folder in ruleset.chain:
        for file in sorted(folder.path.rglob("*")):
            way = file.relative_to(folder.path)
            left_out = {BATTLES, *(() if samples else (SAMPLES,)), *(() if scenario else (SCENARIO,))}
            if way.parts[0] not in left_out and file.is_file() and file.suffix in (".yaml", ".csv"):
                digest.update(f"{folder.ruleset}/{way.as_posix()}\0".encode())
                digest.update(file.read_bytes())
    mark = digest.hexdigest()
    return f"{mark[:4]} {mark[4:8]}"


def _settings(ruleset: RuleSet) -> str:
    """Options that players set otherwise than the rule set does, and figures they give: part of what is printed."""
    options = {name: one.value for name, one in ruleset.options.items() if one.value != one.default}
    given = [
        f"{row.birth.status} {row.values}" for table in ruleset.tables.values() for row in table.rows if row.changes
    ]
    answers = [one for one in given if one.startswith("yours")]
    return f"{options}{answers}" if options or answers else ""


def set_words(ruleset: RuleSet) -> str:
    """For the name of a file: the options that are set otherwise than the rule set does."""
    changed = (option for option in ruleset.options.values() if option.value != option.default)
    words = (f"-{option.name}-{option.choice.names.get(option.value, option.value)}" for option in changed)
    return "".join(words).replace("_", "-").replace(" ", "-").lower()
