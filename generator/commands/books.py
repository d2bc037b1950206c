"""Make the print job of a supplement: a folder of a publisher with a manifest, chapters, pictures and rule data."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from generator.commands.access import load_valid
from generator.commands.jobs import Job
from generator.documents.book.book import compose_book
from generator.documents.book.supplement import SUPPLEMENT, read_supplement
from generator.errors import ProblemsError
from generator.problems import Problem, Span, has_errors

if TYPE_CHECKING:
    from pathlib import Path

    from generator.errors import LayoutError
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.library import Library
    from generator.rules.source.parts import Place

BOOK = "book"


def is_supplement(path: Path) -> bool:
    """Return whether a folder has the manifest of a supplement."""
    return (path / SUPPLEMENT).is_file()


def supplement_job(library: Library, folder: Path, problems: list[Problem]) -> Job:
    """Return the print job of the book in a folder; add advice to ``problems``.

    Raises ProblemsError if the manifest, a chapter, a picture, a theme or the rule data has errors.
    """
    supplement = read_supplement(folder)

    @cache
    def rules(name: str) -> RuleSet:
        return load_valid(library, name)

    def loaded(name: str, place: Place) -> RuleSet:
        from generator.rules.load.names import unknown_target

        if not all(map(library.find, name.split("+"))):
            problem = unknown_target(library, name)
            raise ProblemsError(problem._replace(span=place.span()))
        return rules(name)

    found: list[Problem] = []
    book = compose_book(supplement, library.blocks(), loaded, found)
    if book is None or has_errors(found):
        raise ProblemsError(*dict.fromkeys(found))
    problems += found
    return Job(book, BOOK, book.id, partial(_unprintable, folder))


def _unprintable(folder: Path, error: LayoutError) -> Problem:
    """Return F132 at the manifest; the error names the block."""
    expected = "a page that can be printed"
    return Problem("F132", Span(str(folder / SUPPLEMENT)), expected, error.found, hint=error.remedy.to_text)
