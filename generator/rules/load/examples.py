"""The finished files that a rule set brings: sample forces, battles. Each is named as its file is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.errors import ProblemsError
from generator.parsing.yaml12 import read_yaml
from generator.rules.source.library import BATTLES, MANIFEST, SAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from generator.parsing.document import Document
    from generator.rules.source.library import Folder

_TITLES = {SAMPLES: "force", BATTLES: "scenario"}
"""The key under which a file of each folder says what it is called."""


class Example(NamedTuple):
    """A finished file on disk."""

    name: str
    folder: Folder
    """The rule set that brings it."""
    namespace: str
    """The folder of the rule set in which it stands."""

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder.path / self.namespace / f"{self.name}.yaml"

    def title(self) -> str:
        """What it is called within; the name of its file where it cannot be read."""
        document, _ = read_yaml(self.path, self.name)
        value = document.value if document is not None else None
        said = value.get(_TITLES[self.namespace]) if isinstance(value, dict) else None
        return said if isinstance(said, str) else self.name

    def document(self) -> Document:
        """What it says. Raises ProblemsError for a file that cannot be read."""
        document, problems = read_yaml(self.path, self.folder.show(self.namespace, self.path.name))
        if document is None:
            raise ProblemsError(*problems)
        return document


def examples(folders: Iterable[Folder], namespace: str) -> dict[str, Example]:
    """Those of some rule sets by name; of two with one name the last, as a layer comes after its parents."""
    return {name: Example(name, folder, namespace) for folder in folders for name in folder.ids(namespace)}


def is_example(path: Path) -> bool:
    """Whether a file stands where a rule set has its finished files."""
    folder = path.absolute().parent
    return folder.name in _TITLES and (folder.parent / MANIFEST).is_file()
