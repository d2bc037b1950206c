"""The sample forces of a rule set, in its folder ``samples/``: a stock to choose from, and a first force to change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.rules.library import MANIFEST, SAMPLES
from generator.sources.yaml12 import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from generator.rules.library import Folder
    from generator.sources.document import Document

_RULES = re.compile(r"^rules:.*\n(?:[ \t-].*\n)*", re.MULTILINE)
"""The key of a file that says its rules, with the lines of a list below it."""


class Sample(NamedTuple):
    """A sample force on disk: its name is that of its file."""

    name: str
    folder: Folder
    """The rule set that brings it."""

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder.path / SAMPLES / f"{self.name}.yaml"

    def title(self) -> str:
        """The name of the force in it; its own where it cannot be read."""
        document, _ = read_yaml(self.path, self.name)
        value = document.value if document is not None else None
        said = value.get("force") if isinstance(value, dict) else None
        return said if isinstance(said, str) else self.name

    def document(self) -> Document:
        """What it says. Raises ProblemsError for a file that cannot be read."""
        document, problems = read_yaml(self.path, self.folder.show(SAMPLES, self.path.name))
        if document is None:
            raise ProblemsError(*problems)
        return document


def samples(chain: Iterable[Folder]) -> dict[str, Sample]:
    """Those of a rule set and its parents by name, parents first; a layer's own comes before one of its parent."""
    return {name: Sample(name, folder) for folder in chain for name in folder.ids(SAMPLES)}


def is_sample(path: Path) -> bool:
    """Whether a file stands where the samples of a rule set are."""
    folder = path.absolute().parent
    return folder.name == SAMPLES and (folder.parent / MANIFEST).is_file()


def sample_force(chain: Iterable[Folder], rules: Iterable[str], name: str) -> str:
    """The text of a sample, under these rules in place of its parent's. Raises ProblemsError: R327 no such sample."""
    known = samples(chain)
    if name not in known:
        hint = f"there are: {', '.join(known)}" if known else "this rule set has none: leave --sample out"
        span = Span("command line", 1, 1, name)
        raise ProblemsError(Problem("R327", span, "a sample of this rule set", name, "sample", hint))
    return _RULES.sub(f"rules: [{', '.join(rules)}]\n", known[name].document().text, count=1)
