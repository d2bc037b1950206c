"""The examples of a rule set: sample forces and battles, named by their file names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.errors import ProblemsError
from generator.parsing.yaml12 import read_yaml
from generator.rules.source.library import BATTLES, MANIFEST, SAMPLES, Folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from generator.parsing.values import Document

_TITLES = {SAMPLES: "force", BATTLES: "scenario"}
"""For each folder, the key of a file that holds its title."""


class Example(NamedTuple):
    """A sample force or a battle of a rule set."""

    name: str
    folder: Folder
    """The folder of its rule set."""
    namespace: str
    """The name of the subfolder: ``samples`` or ``battles``."""

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self.folder.path / self.namespace / f"{self.name}.yaml"

    def title(self) -> str:
        """Return the title in the file, or the file's name if it cannot be read."""
        document, _ = read_yaml(self.path, self.name)
        value = document.value if document is not None else None
        title = value.get(_TITLES[self.namespace]) if isinstance(value, dict) else None
        return title if isinstance(title, str) else self.name

    def document(self) -> Document:
        """Read the file. Raises ProblemsError if it cannot be read."""
        document, problems = read_yaml(self.path, self.folder.show(self.namespace, self.path.name))
        if document is None:
            raise ProblemsError(*problems)
        return document


def examples(folders: Iterable[Folder], namespace: str) -> dict[str, Example]:
    """Return the examples of these rule sets by name, from their ``samples`` or ``battles``.

    An example of a later folder replaces one of the same name.
    """
    return {name: Example(name, folder, namespace) for folder in folders for name in folder.ids(namespace)}


def is_example(path: Path) -> bool:
    """Return whether a file is in the samples or battles folder of a rule set."""
    folder = path.absolute().parent
    return folder.name in _TITLES and (folder.parent / MANIFEST).is_file()
