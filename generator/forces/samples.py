"""Copy a sample force as a first force to change, for other rules if necessary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.rules.load.examples import examples
from generator.rules.source.library import SAMPLES
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.rules.source.library import Folder

_RULES = re.compile(r"^rules:.*\n(?:[ \t-].*\n)*", re.MULTILINE)
"""The key ``rules`` of a file, with the lines of a list below it."""


def sample_force(chain: Iterable[Folder], rules: Iterable[str], name: str) -> str:
    """Return the text of a sample with these rules instead of its own. Raises ProblemsError: R327 no such sample."""
    known = examples(chain, SAMPLES)
    if name not in known:
        hint = suggest(name, known, None if known else "this rule set has none: leave --sample out")
        span = Span("command line", 1, 1, name)
        raise ProblemsError(Problem("R327", span, "a sample of this rule set", name, "sample", hint))
    return _RULES.sub(f"rules: [{', '.join(rules)}]\n", known[name].document().text, count=1)
