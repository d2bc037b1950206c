"""Where rule sets are found: the shipped folder and any folder a user names."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.resources import rulesdata
from generator.rules.source.settings import NOTHING_SET, Setting, Settings
from generator.suggest import CLOSE, nearest, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from generator.rules.model.block import Block

CATEGORIES = {"tables": "table", "kinds": "kind", "procedures": "procedure", "sheets": "sheet", "cards": "card"}
"""The folders of a rule set, and the key that names the thing in each of their files."""

SCENARIO = "scenario"
"""A folder with tables that scenarios alone lean on, and with changes to those of parents: read where asked for."""
FOLDERS = CATEGORIES | {SCENARIO: "table"}
"""Every folder of a rule set, those that few commands read too."""
SAMPLES = "samples"
"""The folder of forces that come with a rule set. They are no part of its rules."""
BATTLES = "battles"
"""The folder of finished scenarios that come with a rule set, and are no part of its rules either."""

MANIFEST = "ruleset.yaml"
CHANGES = "changes.yaml"
ERRATA = "errata.yaml"

ONCE, TAKE_OUT = "each rule set once", "take one of the two out"
"""Expected value and hint for a rule set that is named twice."""


class Folder(NamedTuple):
    """One rule set on disk: its id (the folder's name), where it is, and how problems name it."""

    ruleset: str
    path: Path
    shown: str
    shipped: bool

    def show(self, *parts: str) -> str:
        """How a file in it is named to people."""
        return "/".join((self.shown, *parts))

    def ids(self, category: str) -> tuple[str, ...]:
        """The ids of its tables, kinds, procedures, sheets, samples or battles: its file names."""
        folder = self.path / category
        return tuple(sorted(file.stem for file in folder.glob("*.yaml"))) if folder.is_dir() else ()

    def scenario_ids(self) -> tuple[str, ...]:
        """The ids of the tables that scenarios lean on."""
        return tuple(text for text in self.ids(SCENARIO) if f"{text}.yaml" != CHANGES)


class Library(NamedTuple):
    """All rule sets in reach; of two with one id, the user's comes before the shipped one."""

    folders: tuple[Folder, ...]
    settings: Settings = NOTHING_SET
    """How their player sets options, and what fills the gaps of their sources."""
    blocks: Callable[[], tuple[type[Block], ...]] = tuple
    """Returns the kinds of block of sheets. It is called where a sheet is read; without any kind none is read."""

    def find(self, ruleset: str) -> Folder | None:
        """The folder of this rule set, if there is one."""
        return next((folder for folder in self.folders if folder.ruleset == ruleset), None)

    def inside(self, folder: Path) -> tuple[str, ...]:
        """The ids of the rule sets whose folder this is, or that are in it."""
        here = folder.resolve()
        return tuple(item.ruleset for item in self.folders if here in (item.path.resolve(), item.path.resolve().parent))

    def ids(self) -> tuple[str, ...]:
        """Every rule set's id, once, in alphabetical order."""
        return tuple(sorted({folder.ruleset for folder in self.folders}))

    def hint(self, word: str) -> str:
        """Which rule set may have been meant."""
        return suggest(word, self.ids())

    def nearest(self, word: str) -> str | None:
        """The one rule set that a misspelt id is meant for; None where it may be another."""
        return nearest(word, self.ids(), CLOSE) or None

    def with_options(self, values: Mapping[str, Any]) -> Library:
        """The same rule sets, with these options set too."""
        nowhere = Span("")
        given = tuple(Setting("", name, value, nowhere, nowhere) for name, value in values.items())
        return self._replace(settings=self.settings | Settings(given))

    def with_blocks(self, *kinds: type[Block]) -> Library:
        """Return the same rule sets, whose sheets may have blocks of these kinds too."""
        return self._replace(blocks=lambda: (*self.blocks(), *kinds))


def open_library(
    *user_folders: Path, settings: Settings = NOTHING_SET, blocks: Callable[[], tuple[type[Block], ...]] = tuple
) -> Library:
    """The user's folders first, then the shipped rule sets.

    A user's folder holds rule sets or is one itself. Raises ProblemsError for a folder that is not there (F101),
    is a file (F102) or holds no rule set (R301).
    """
    found: list[Folder] = []
    for given in user_folders:
        if not given.exists():
            hint = "check its spelling where --rules-path or FIELDPRESS_RULES names it"
            raise ProblemsError(Problem("F101", Span(str(given)), "a folder", "nothing with that name", hint=hint))
        if not given.is_dir():
            raise ProblemsError(Problem("F102", Span(str(given)), "a folder", "a file", hint="name its folder"))
        inside = _rulesets(given, str(given), shipped=False)
        if not inside:
            hint = f"a rule set is a folder with a file {MANIFEST}"
            raise ProblemsError(Problem("R301", Span(str(given)), "rule sets", "a folder without any", hint=hint))
        found.extend(inside)
    shipped = rulesdata()
    found.extend(_rulesets(shipped, shipped.name, shipped=True))
    return Library(tuple(found), settings, blocks)


def beside(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return the folders with rule sets among these folders, and among the folders of these files and one level up."""
    shipped = rulesdata().resolve()
    found: dict[Path, None] = {}
    for path in paths:
        with suppress(OSError, ValueError):  # a word that no path can be
            near = [path] if path.is_dir() else [path.parent, path.parent.parent] if path.is_file() else []
            ours = (folder for folder in near if shipped not in (folder.resolve(), *folder.resolve().parents))
            found |= dict.fromkeys(folder for folder in ours if _rulesets(folder, "", shipped=False))
    return tuple(found)


def _rulesets(root: Path, shown: str, *, shipped: bool) -> list[Folder]:
    if (root / MANIFEST).is_file():
        return [Folder(root.resolve().name, root, shown, shipped)]
    folders = sorted(path for path in root.iterdir() if (path / MANIFEST).is_file())
    before = "" if shown == "." else f"{shown}/"
    return [Folder(path.name, path, f"{before}{path.name}", shipped) for path in folders]
