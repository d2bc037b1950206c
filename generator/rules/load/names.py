"""Find the rule sets that a word on the command line names by id, folder or file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from generator.parsing.text import ENDINGS, name_a_file, near_misses
from generator.problems import Problem, Span, refused
from generator.rules.source.library import MANIFEST, SAMPLES, Library, open_library

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.rules.source.settings import Settings


def folders_of(user_folders: tuple[Path, ...], words: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the words that are paths of rule-set folders and not ids of known rule sets."""
    library = open_library(*user_folders)
    return tuple(Path(word) for word in words if library.find(word) is None and (Path(word) / MANIFEST).is_file())


def unknown_target(library: Library, word: str) -> Problem:
    """Return F101 or R301 for a word of the command line that names neither a rule set nor a player's file."""
    path = Path(word)
    if path.exists():
        hint = name_a_file(path) if path.is_dir() and not _holds_rules(path) else ""
        hint = hint or "give the id of a rule set; --rules-path names the folder that holds it"
        return Problem("R301", Span(word), "a rule set", "a folder" if path.is_dir() else "a file", hint=hint)
    sample = next((folder for folder in library.folders if path.stem in folder.ids(SAMPLES)), None)
    copied = f"a sample: fieldpress new FOLDER {sample.ruleset} --sample {path.stem} copies it" if sample else ""
    if "/" in word or "." in word:
        hint = copied or near_misses(path)
        return Problem("F101", Span(word), "a file, a folder or a rule set", "nothing with that name", hint=hint)
    files = [f"{word}{ending}" for ending in ENDINGS if Path(f"{word}{ending}").is_file()]
    hint = copied or (f"did you mean {' or '.join(files)}?" if files else library.hint(word))
    return refused("R301", word, "a rule set", word, hint)


def _holds_rules(folder: Path) -> bool:
    """Return whether a folder holds rule sets, or is inside a rule set."""
    around = (folder.absolute(), *folder.absolute().parents)
    return any((up / MANIFEST).is_file() for up in around) or any(folder.glob(f"*/{MANIFEST}"))


def targets_of(
    opened: Callable[..., Library],
    user_folders: tuple[Path, ...],
    target: str,
    settings: Settings,
    problems: list[Problem],
) -> list[tuple[Library, str]]:
    """Return the ids of the rule sets that a word on the command line names, each with a library that has its parents.

    The word may be an id, ids joined by ``+``, a folder that is or holds rule sets, or a file in a rule set.
    ``opened`` opens a library. Adds F101 or R301 for a word that names no rule set; the list is then empty.
    """
    library = opened(*user_folders, settings=settings)
    if all(library.find(name) for name in target.split("+")):
        return [(library, target)]
    path = Path(target)
    folder = None
    with suppress(OSError):  # the word may be too long for a name
        if path.exists():
            folder = path if path.is_dir() else next((up for up in path.parents if (up / MANIFEST).is_file()), None)
    if folder is None or (folder == path and not _holds_rules(path) and name_a_file(path)):
        problems.append(unknown_target(library, target))
        return []
    beside = [folder.parent if folder.name else folder / ".."] if (folder / MANIFEST).is_file() else []
    own = opened(folder, *user_folders, *beside, settings=settings)  # a parent may stand beside its layer
    inside = {item.ruleset for item in own.folders if not item.shipped and folder in (item.path, item.path.parent)}
    return [(own, name) for name in sorted(inside)]
