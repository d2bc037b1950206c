"""The finished battles of a rule set, in its folder ``battles/``: to play as they stand, or to copy and change."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.rules.library import BATTLES, MANIFEST
from generator.sources.yaml12 import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from generator.rules.library import Folder, Library


class Battle(NamedTuple):
    """A finished scenario on disk: its name is that of its file."""

    name: str
    folder: Folder
    """The rule set that brings it."""

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder.path / BATTLES / f"{self.name}.yaml"

    def title(self) -> str:
        """What the scenario is called; the name of its file where it cannot be read."""
        document, _ = read_yaml(self.path, self.name)
        value = document.value if document is not None else None
        said = value.get("scenario") if isinstance(value, dict) else None
        return said if isinstance(said, str) else self.name

    def text(self) -> str:
        """The file as it stands. Raises ProblemsError for one that cannot be read."""
        document, problems = read_yaml(self.path, self.folder.show(BATTLES, self.path.name))
        if document is None:
            raise ProblemsError(*problems)
        return document.text


def battles(folders: Iterable[Folder]) -> dict[str, Battle]:
    """Those of some rule sets by name; of two with one name the last, as a layer comes after its parents."""
    return {name: Battle(name, folder) for folder in folders for name in folder.ids(BATTLES)}


def battles_in_reach(library: Library) -> dict[str, Battle]:
    """Those of every rule set in reach, by name; of two with one name the user's comes before the shipped one."""
    return dict(sorted(battles(reversed(library.folders)).items()))


def is_battle(path: Path) -> bool:
    """Whether a file stands where the battles of a rule set are."""
    folder = path.absolute().parent
    return folder.name == BATTLES and (folder.parent / MANIFEST).is_file()


def battle_named(known: Mapping[str, Battle], name: str) -> Battle:
    """The battle of this name. Raises ProblemsError: R329 no such battle."""
    if name not in known:
        near = get_close_matches(name, known, n=1)
        listed = f"there are: {', '.join(known)}" if known else "there is none: roll one with fieldpress scenario"
        hint = f"did you mean {near[0]}?" if near else listed
        span = Span("command line", 1, 1, name)
        raise ProblemsError(Problem("R329", span, "a finished battle", name, "battle", hint))
    return known[name]
