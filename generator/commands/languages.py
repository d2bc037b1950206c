"""Print in another language: the catalogues of rule sets, and the texts that they do not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.commands.jobs import BLANKS, MARKERS, Job, Pack, Selection, changed
from generator.errors import ProblemsError
from generator.parsing.catalogues import has_decimal_comma, name_of_language, read_catalogue, write_catalogue
from generator.parsing.text import read_text
from generator.problems import Problem, Span, refused
from generator.render.language import Language, translated
from generator.resources import templates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from generator.rules.source.library import Library

WORDS = "words"
"""The folder of catalogues, one for each language: in the templates, and in each rule set."""
_MOST = 3
"""Most texts that a piece of advice names."""


def load_language(library: Library, tag: str) -> Language:
    """Return a language with the entries of the program's own catalogue and of all rule sets.

    Raises ProblemsError: F145 for a tag that names no language, or a catalogue with a line of another form.
    """
    if not name_of_language(tag):
        hint = "write a tag such as de or pt-BR"
        raise ProblemsError(refused("F145", tag, "the tag of a language", tag, hint))
    folders = (templates(), *(folder.path for folder in library.folders))
    entries: dict[str, str] = {}
    for folder in folders:
        entries |= _entries(folder, tag)
    return Language(tag, entries, has_decimal_comma(tag))


def _entries(folder: Path, tag: str) -> dict[str, str]:
    """Return the entries of a folder's catalogue for a language; none if there is no such file."""
    path = folder / WORDS / f"{tag}.po"
    if not path.exists():
        return {}
    text, unread = read_text(path, str(path))
    entries, problems = read_catalogue(text or "", str(path))
    if unread or problems:
        raise ProblemsError(*unread, *problems)
    return entries


def in_language(jobs: Sequence[Job | Pack], language: Language, problems: list[Problem]) -> list[Job | Pack]:
    """Return the jobs in a language; F145 is added as advice if texts have no entry."""
    missing: dict[str, None] = {}
    found = [changed(job, lambda item: translated(item, language, missing.setdefault), language.tag) for job in jobs]
    if missing:
        some = "; ".join(list(missing)[:_MOST])
        said = f"{len(missing)} without one, such as: {some}" if len(missing) > _MOST else f"none for: {some}"
        hint = f"fieldpress words RULESET --language {language.tag} prints a catalogue to fill in"
        span = Span("command line", 1, 1, f"--language {language.tag}")
        problems.append(Problem("F145", span, "an entry for each text", said, hint=hint, severity="advice"))
    return found


def catalogue(
    library: Library, rulesets: Sequence[str], tag: str, jobs_of: Callable[[Selection], Sequence[Job | Pack]]
) -> str:
    """Return a catalogue of the texts that the sheets, blank cards and markers of rule sets print.

    Each text has its entry, or an empty one, and all other entries of the rule sets follow. Texts in the program's own
    catalogue are left out. ``jobs_of`` returns the print jobs of the rule sets for a selection.

    Raises ProblemsError: the problems of :func:`load_language` and of the rule sets.
    """
    language, own = load_language(library, tag), _entries(templates(), tag)
    messages: dict[str, None] = {}
    without = language._replace(entries={})
    for only in ((), (MARKERS, BLANKS)):
        for job in jobs_of(Selection(only=only)):
            changed(job, lambda item: translated(item, without, messages.setdefault))
    for name in rulesets:
        folder = library.find(name)
        messages |= dict.fromkeys(_entries(folder.path, tag) if folder is not None else ())
    return write_catalogue([message for message in messages if message not in own], language.entries)
