"""Find rule sets, in the shipped folder and in folders that a user names, and their sample forces and battles."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.problems import Problem, ProblemsError, Span, refused, suggest
from generator.resources import rulesdata
from generator.rules.source.settings import NOTHING_SET, Setting, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from generator.parsing.text import Document
    from generator.rules.model.base import Block

CATEGORIES = {"tables": "table", "kinds": "kind", "procedures": "procedure", "sheets": "sheet", "cards": "card"}
"""The folders of a rule set, each with the key that holds the id in its files."""

SCENARIO = "scenario"
"""The folder with tables that only scenarios use, and with changes to parents' tables; read only for scenarios."""
FOLDERS = CATEGORIES | {SCENARIO: "table"}
"""All folders of a rule set, with the folder for scenarios."""
SAMPLES = "samples"
"""The folder of sample forces of a rule set. They are not part of its rules."""
MISSIONS = "missions"
"""The folder of missions, each with its goals, awards, pieces and events; read only for scenarios."""
BATTLES = "battles"
"""The folder of finished scenarios of a rule set. They are not part of its rules."""

MANIFEST = "ruleset.yaml"
SUPPLEMENT = "supplement.yaml"
"""The manifest of a folder that is printed as a book."""
CHANGES = "changes.yaml"
ERRATA = "errata.yaml"

ONCE, TAKE_OUT = "each rule set only once", "remove one of the two"
"""Expected value and hint for a rule set that is named twice."""


class Folder(NamedTuple):
    """A rule set on disk: its id (the folder's name), its path, and the path as problems print it."""

    ruleset: str
    path: Path
    shown: str
    shipped: bool

    def show(self, *parts: str) -> str:
        """Return the path of a file in the folder as problems print it, with slashes.

        ``parts`` are the folders inside this folder, and the file; without them, it is the path of this folder.
        """
        return "/".join((self.shown, *parts))

    def ids(self, category: str) -> tuple[str, ...]:
        """Return the ids in a category (tables, kinds, samples ...), sorted: the names of YAML files without ``.yaml``.

        Only files directly in the folder count; without such a folder, there are none. Among samples and battles, links
        do not count: a rule set from someone else must not show other files.
        """
        with suppress(OSError), os.scandir(self.path / category) as files:
            names = (file.name for file in files if category not in _TITLES or not file.is_symlink())
            return tuple(sorted(name[:-5] for name in names if name.endswith(".yaml")))
        return ()  # no such folder

    def states(self) -> dict[str, tuple[int, int]]:
        """Return the time of the last change (in nanoseconds) and the size (in bytes) of each YAML file, by its path.

        The files are those directly in the rule set's folder and in its folders of rule data. Both numbers
        are 0 for a file that cannot be looked up, such as a broken link.
        """
        found: dict[str, tuple[int, int]] = {}
        for where in (".", *FOLDERS, MISSIONS):
            with suppress(OSError), os.scandir(self.path / where) as files:
                for file in files:
                    if file.name.endswith(".yaml"):
                        found[file.path] = 0, 0
                        with suppress(OSError):  # a link to nothing
                            found[file.path] = file.stat().st_mtime_ns, file.stat().st_size
        return found

    def scenario_ids(self) -> tuple[str, ...]:
        """Return the ids of the tables that only scenarios use."""
        return tuple(text for text in self.ids(SCENARIO) if f"{text}.yaml" != CHANGES)


class Library(NamedTuple):
    """All rule sets that can be found; a user's rule set goes before a shipped one of the same id."""

    folders: tuple[Folder, ...]
    settings: Settings = NOTHING_SET
    """The options that the player sets, and the figures that fill gaps of sources."""
    blocks: Callable[[], tuple[type[Block], ...]] = tuple
    """A function that returns the block models of sheets. If it returns none, sheets are not read."""

    def find(self, ruleset: str) -> Folder | None:
        """Return the folder of this rule set, or None."""
        return next((folder for folder in self.folders if folder.ruleset == ruleset), None)

    def inside(self, folder: Path) -> tuple[str, ...]:
        """Return the ids of the library's rule sets directly in a folder; none if there are none, or no such folder.

        If the folder is itself a rule set, its id counts too. An id is repeated if the library has its folder twice. A
        rule set that is a link counts in the folder of the link, not in the folder of its target.
        """
        here = folder.resolve()
        return tuple(item.ruleset for item in self.folders if here in (item.path.resolve(), item.path.parent.resolve()))

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all rule sets, in alphabetical order."""
        return tuple(sorted({folder.ruleset for folder in self.folders}))

    def hint(self, word: str) -> str:
        """Return a hint that names the rule set nearest to a misspelt id, or the first rule sets if none is near."""
        return suggest(word, self.ids())

    def with_options(self, values: Mapping[str, Any]) -> Library:
        """Return this library with these options set for every rule set; they win over its other options.

        Names and values are checked when a rule set is loaded.
        """
        nowhere = Span("")
        options = tuple(Setting("", name, value, nowhere, nowhere) for name, value in values.items())
        return self._replace(settings=self.settings | Settings(options))


def open_library(
    *user_folders: Path, settings: Settings = NOTHING_SET, blocks: Callable[[], tuple[type[Block], ...]] = tuple
) -> Library:
    """Return a library of the rule sets in the user's folders and the shipped rule sets, in this order.

    A user's folder holds rule sets or is one itself. ``settings`` and ``blocks`` are stored in the library. Raises
    ProblemsError for a folder that does not exist (F101), is a file (F102) or holds no rule set (R301). Raises OSError
    for a folder that cannot be read, and for a name that is too long.
    """
    folders: list[Folder] = []
    for folder in user_folders:
        if not folder.exists():
            hint = "check its spelling where --rules-path or FIELDPRESS_RULES names it"
            raise ProblemsError(Problem("F101", Span(str(folder)), "a folder", "nothing with that name", hint=hint))
        if not folder.is_dir():
            raise ProblemsError(Problem("F102", Span(str(folder)), "a folder", "a file", hint="name its folder"))
        inside = _rulesets(folder, str(folder), shipped=False)
        if not inside:
            hint = f"a rule set is a folder with a file {MANIFEST}"
            raise ProblemsError(
                Problem("R301", Span(str(folder)), "rule sets", "a folder without rule sets", hint=hint)
            )
        folders.extend(inside)
    shipped = rulesdata()
    folders.extend(_rulesets(shipped, shipped.name, shipped=True))
    return Library(tuple(folders), settings, blocks)


def is_supplement(folder: Path) -> bool:
    """Return whether a folder has the manifest of a supplement.

    Raises OSError for a folder that cannot be read, and for a name that is too long.
    """
    return (folder / SUPPLEMENT).is_file()


def beside(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return each folder that is or holds a rule set, among the given folders and near the given files.

    Near a file are its folder and the folder one level up, both as its path names them. Shipped rule sets and paths
    that do not exist or cannot be read are left out.
    """
    shipped = rulesdata().resolve()
    holding: dict[Path, None] = {}
    for path in paths:
        with suppress(OSError, ValueError):  # the word cannot be a path
            near = [path] if path.is_dir() else [path.parent, path.parent / ".."] if path.is_file() else []
            folders = (Path(os.path.normpath(folder)) for folder in near)
            ours = (folder for folder in folders if not folder.resolve().is_relative_to(shipped))
            holding |= dict.fromkeys(folder for folder in ours if _rulesets(folder, "", shipped=False))
    return tuple(holding)


def _rulesets(root: Path, shown: str, *, shipped: bool) -> list[Folder]:
    """Return the rule sets in a folder, or the rule set that the folder is; ``shown`` is its name in problems.

    ``shipped`` says whether the rule sets come with this program.
    """
    if (root / MANIFEST).is_file():
        return [Folder(root.resolve().name, root, shown, shipped)]
    folders = sorted(path for path in root.iterdir() if (path / MANIFEST).is_file())
    before = "" if shown == "." else f"{shown}/"
    return [Folder(path.name, path, f"{before}{path.name}", shipped) for path in folders]


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
        """Return the title in the file, or the example's name if no title can be read."""
        document, _ = self._read()
        value = document.value if document is not None else None
        title = value.get(_TITLES[self.namespace]) if isinstance(value, dict) else None
        return title if isinstance(title, str) else self.name

    def document(self) -> Document:
        """Return the file as a document. Raises ProblemsError if ``read_yaml`` gives no document."""
        document, problems = self._read()
        if document is None:
            raise ProblemsError(*problems)
        return document

    def _read(self) -> tuple[Document | None, tuple[Problem, ...]]:
        from generator.parsing.yaml12 import read_yaml

        return read_yaml(self.path, self.folder.show(self.namespace, self.path.name))


def examples(folders: Iterable[Folder], namespace: str) -> dict[str, Example]:
    """Return the examples of these rule sets by name.

    ``namespace`` is the folder in each rule set that holds them: ``samples`` or ``battles``. An example of a later rule
    set replaces an example of the same name.
    """
    return {name: Example(name, folder, namespace) for folder in folders for name in folder.ids(namespace)}


def is_example(path: Path) -> bool:
    """Return whether a path is directly in the samples or battles folder of a rule set; it need not exist."""
    folder = path.absolute().parent
    return folder.name in _TITLES and (folder.parent / MANIFEST).is_file()


def folders_of(user_folders: tuple[Path, ...], words: tuple[str, ...]) -> tuple[Path, ...]:
    """Return, as paths, the words that name the folder of a rule set and are not ids of known rule sets.

    Raises ProblemsError as ``open_library`` does, and OSError for a word that is too long for a path.
    """
    library = open_library(*user_folders)
    return tuple(Path(word) for word in words if library.find(word) is None and (Path(word) / MANIFEST).is_file())


def unknown_target(library: Library, word: str) -> Problem:
    """Return the problem of a word of the command line that names neither a rule set nor a player's file.

    F101 if the word has ``/`` or ``.`` and no such path exists, else R301. Raises OSError if the word is too long for
    a path, and for a folder that cannot be read.
    """
    from generator.parsing.text import ENDINGS, name_a_file, near_misses  # few words name nothing

    path = Path(word)
    if path.exists():
        hint = name_a_file(path) if path.is_dir() and not _holds_rules(path) else ""
        hint = hint or "give the id of a rule set; --rules-path names the folder that holds it"
        return Problem("R301", Span(word), "a rule set", "a folder" if path.is_dir() else "a file", hint=hint)
    sample = next((folder for folder in library.folders if path.stem in folder.ids(SAMPLES)), None)
    copied = f"a sample: fieldpress new FOLDER {sample.ruleset} --sample {path.stem} copies it" if sample else ""
    if "/" in word or "." in word:
        hint = copied or near_misses(path, word, folders=True)
        return Problem("F101", Span(word), "a file, a folder or a rule set", "nothing with that name", hint=hint)
    files = [f"{word}{ending}" for ending in ENDINGS if Path(f"{word}{ending}").is_file()]
    part = next((part for part in word.split("+") if not library.find(part)), word)
    hint = copied or (f"did you mean {' or '.join(files)}?" if files else library.hint(part))
    return refused("R301", word, "a rule set", part, hint)


def _holds_rules(folder: Path) -> bool:
    """Return whether a folder is a rule set, has one directly in it, or is anywhere inside one."""
    around = (folder.absolute(), *folder.absolute().parents)
    return any((up / MANIFEST).is_file() for up in around) or any(folder.glob(f"*/{MANIFEST}"))


def targets_of(
    opened: Callable[..., Library],
    user_folders: tuple[Path, ...],
    target: str,
    settings: Settings,
    problems: list[Problem],
) -> list[tuple[Library, str]]:
    """Return the rule sets that the word ``target`` of the command line names: for each, a library and the id.

    The word may be an id, or ids joined by ``+``, which stay one id. It may also be a folder that is or holds rule
    sets, or a file in a rule set. Rule sets of a folder come in the order of ids, with one library for all. Each
    library has ``settings``. For a rule set's folder or a file in it, the library also has the rule sets beside this
    folder. ``opened`` is ``open_library``, or a function that is called in the same way.

    Adds F101 or R301 for a word that names no rule set; the list is then empty. Raises ProblemsError as
    ``open_library`` does: R301 also for a folder with neither rule sets nor players' files, and for a folder inside a
    rule set. Raises OSError for a word that is too long for a path.
    """
    from generator.parsing.text import name_a_file  # not loaded at the start of the program

    library = opened(*user_folders, settings=settings)
    if all(library.find(name) for name in target.split("+")):
        return [(library, target)]
    path, folder = Path(target), None
    with suppress(OSError):  # the word may be too long for a name
        if path.exists():
            above = (*path.parents, *path.absolute().parents)  # those of a relative path end at the current folder
            folder = path if path.is_dir() else next((up for up in above if (up / MANIFEST).is_file()), None)
    if folder is None or (folder == path and not _holds_rules(path) and name_a_file(path)):
        problems.append(unknown_target(library, target))
        return []
    beside = [Path(os.path.normpath(folder / ".."))] if (folder / MANIFEST).is_file() else []
    own = opened(folder, *user_folders, *beside, settings=settings)  # a parent may stand beside its layer
    return [(own, name) for name in sorted({*own.inside(folder)})]
