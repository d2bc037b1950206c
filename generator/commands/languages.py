"""Print in another language: the catalogues of rule sets, and the texts that they do not have."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from generator.commands.jobs import BLANKS, MARKERS, Job, Pack, Selection, changed, span_of
from generator.errors import ProblemsError
from generator.parsing.catalogues import find_tag, has_decimal_comma, read_catalogue, tag_hint, write_catalogue
from generator.parsing.text import read_text
from generator.problems import Problem, Span, refused
from generator.render.language import Language, message_of, translated
from generator.resources import templates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from generator.errors import LayoutError
    from generator.rules.source.library import Library

WORDS = "words"
"""The folder of catalogues, one for each language: in the templates, and in each rule set."""
_MOST = 3
"""Most texts that a piece of advice names."""


def load_language(library: Library, word: str) -> tuple[Language, dict[Path, dict[str, str]]]:
    """Return a language with the entries of all its catalogues, and the entries of each catalogue by path.

    The catalogues are the program's own and those of all rule sets. ``word`` is the tag of the language in any
    spelling: ``DE`` and ``de_DE`` are German, too. An entry of a user's rule set replaces the entry of a shipped
    catalogue.

    Raises ProblemsError: F145 for a word that names no language, or a catalogue with mistakes.
    """
    tag = find_tag(word)
    if not tag:
        raise ProblemsError(refused("F145", word, "the tag of a language", word, tag_hint(word)))
    folders = [templates(), *(folder.path for folder in reversed(library.folders))]
    if not any(_path(folder, tag).exists() for folder in folders):
        tag = tag.partition("-")[0]  # de_DE is the language of de.po
    found: dict[Path, dict[str, str]] = {}
    problems: list[Problem] = []
    for path in (_path(folder, tag) for folder in folders if _path(folder, tag).exists()):
        text, unread = read_text(path, str(path))
        found[path], mistakes = read_catalogue(text or "", str(path))
        problems += (*unread, *mistakes)
    if problems:
        raise ProblemsError(*problems)
    entries = {message: entry for catalogue in found.values() for message, entry in catalogue.items()}
    return Language(tag, entries, has_decimal_comma(tag)), found


def _path(folder: Path, tag: str) -> Path:
    """Return the path of the catalogue of a language in a folder."""
    return folder / WORDS / f"{tag}.po"


def in_language(library: Library, jobs: Sequence[Job | Pack], word: str, problems: list[Problem]) -> list[Job | Pack]:
    """Return the jobs in a language; F145 is added as advice if texts have no entry.

    Raises ProblemsError as :func:`load_language` does.
    """
    language, catalogues = load_language(library, word)
    tag, blame_for = language.tag, partial(blame, [*catalogues])
    missing: dict[str, None] = {}
    found = [changed(job, lambda item: translated(item, language, missing.setdefault), tag, blame_for) for job in jobs]
    if missing:
        theirs = b"\n".join(data for job in jobs if isinstance(job, Pack) for data in job.files.values()).decode()
        # A name has capital letters, or is in the user's file: it may stay as it is.
        sorted_by_use = sorted(missing, key=lambda message: (message in theirs, message.istitle()))
        some = "; ".join(sorted_by_use[:_MOST])
        said = f"{len(missing)} without one, such as: {some}" if len(missing) > _MOST else f"none for: {some}"
        hint = f"fieldpress words NAME --language {tag} prints a catalogue to fill in"
        span = Span("command line", 1, 1, f"--language {tag}")
        problems.append(Problem("F145", span, "an entry for each text", said, hint=hint, severity="advice"))
    return found


def blame(paths: Sequence[Path], usual: Callable[[LayoutError], Problem], error: LayoutError) -> Problem:
    """Return F132 at the catalogue that has the text that does not fit; if none has it, the ``usual`` problem."""
    for path in reversed(paths):
        text, _ = read_text(path, str(path))
        span = span_of(str(path), text or "", message_of(error.text)) if error.text else None
        if span is not None:
            return usual(error)._replace(span=span, hint="write a shorter entry")
    return usual(error)


def catalogue(
    library: Library, names: Sequence[str], word: str, jobs_of: Callable[[Selection], Sequence[Job | Pack]]
) -> str:
    """Return a catalogue of the texts of rule sets (their sheets, blank cards and markers) and battles.

    First come the texts without an entry, then the entries of the rule sets. Texts in the program's own catalogue are
    left out. ``jobs_of`` returns the print jobs of all ``names`` for a selection.

    Raises ProblemsError: the problems of :func:`load_language` and of the rule sets.
    """
    language, catalogues = load_language(library, word)
    own = catalogues.get(_path(templates(), language.tag), {})
    messages: dict[str, None] = {}
    folders = [*filter(None, map(library.find, names))]
    for only in ((), (MARKERS, BLANKS)) if len(folders) == len(names) else ((),):
        for job in jobs_of(Selection(only=only)):
            changed(job, lambda item: translated(item, language, messages.setdefault, messages.setdefault))
    for folder in folders:
        messages |= dict.fromkeys(catalogues.get(_path(folder.path, language.tag), ()))
    return write_catalogue([message for message in messages if message not in own], language.entries)
