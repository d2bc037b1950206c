"""The types of things to print: jobs and packs, and which of them are wanted."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.problems import LayoutError, Problem, ProblemsError, Span, refused, suggest
from generator.render.blocks import Sheet
from generator.render.cards.deck import INDEX
from generator.resources import rulesdata

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from generator.render.book import Book
    from generator.render.page.html import Document
    from generator.rules.source.parts import Place


class Job(NamedTuple):
    """One document to print, as a file of its own or as a part of a pack."""

    paper: Document
    sheet: str
    """The name of the sheet in the result, or the id of the part."""
    stem: str
    """The name of the file, without paper and ink."""
    blame: Callable[[LayoutError], Problem]
    """A function that returns the problem for content that cannot be laid out."""
    title: str = ""
    """The title of the part."""
    whose: str = ""
    """Who gets the part, as the contents say it."""
    listed: str = ""
    """The title in the contents, listed once for all such parts; it does not name what a side fields."""


class Pack(NamedTuple):
    """Parts to be bound into one file, or only a cover for parts that are files of their own."""

    parts: tuple[Job, ...]
    cover: Callable[..., Sheet | Book]
    """A function that returns the cover, given the pages of each part; ``linked`` if it links to the parts."""
    stem: str
    """The name of the file, without paper and ink."""
    files: Mapping[str, bytes]
    """The files to attach: the scenario's file, or all files from which a book was made."""
    blame: Callable[[LayoutError], Problem]
    sheet: str
    """The name of the sheet in the result: ``PACK``, ``BOOK``, or ``COVER`` if only the cover is wanted."""

    @property
    def is_bound(self) -> bool:
        """Whether the parts are bound into the file."""
        return self.sheet != COVER

    def with_cover(self, change: Callable[[Any], Any]) -> Pack:
        """Return the pack whose ``cover`` returns the cover with ``change`` made to it."""
        return self._replace(cover=lambda *counts, **more: change(self.cover(*counts, **more)))


def changed(
    job: Job | Pack,
    change: Callable[[Any], Any],
    word: str = "",
    blame: Callable[[Callable[[LayoutError], Problem], LayoutError], Problem] = lambda usual, error: usual(error),
) -> Job | Pack:
    """Return the job with ``change`` made to its documents; files of changed documents have the ``word`` in names.

    ``change`` returns the same object for a document that needs no change. The file of a pack always has the word.
    ``blame`` makes the problem for content that cannot be laid out, from the usual function and the error.
    """
    end = f"-{word}" if word else ""

    def change_one(item: Job) -> Job:
        paper = change(item.paper)
        if paper is item.paper:
            return item
        return item._replace(paper=paper, stem=f"{item.stem}{end}", blame=partial(blame, item.blame))

    if isinstance(job, Job):
        return change_one(job)
    parts = tuple(map(change_one, job.parts))
    return job._replace(parts=parts, stem=f"{job.stem}{end}", blame=partial(blame, job.blame)).with_cover(change)


def in_large_print(job: Job | Pack) -> Job | Pack:
    """Return the job with its sheets in large print, also those behind a book.

    Cards, markers, covers, the pages of a book itself, and sheets with a map, such as the orders of a side, keep their
    size. A file without a sheet in large print keeps its name.
    """

    def enlarge(paper: Document) -> Document:
        return paper.enlarged() if isinstance(paper, Sheet) else paper

    def blame(usual: Callable[[LayoutError], Problem], error: LayoutError) -> Problem:
        return usual(error)._replace(hint="print this sheet with --size usual; --only names the other sheets")

    large = changed(job, enlarge, "large", blame)
    if isinstance(job, Job) or isinstance(large, Job):
        return large
    is_large = job.is_bound and large.parts != job.parts
    return large._replace(cover=job.cover, blame=job.blame, stem=large.stem if is_large else job.stem)


class Selection(NamedTuple):
    """Which sheets, cards and parts are wanted."""

    only: Sequence[str] = ()
    """Sheets by name; empty for all."""
    parts: Sequence[str] = ()
    """Designs and units whose cards and sheets are wanted, and wanted parts of packs; empty for all."""
    against: Path | None = None
    """The file of the enemy force for the odds on cards."""
    since: Path | None = None
    """The force file as it was printed before: only cards and sheets that have changed are wanted."""
    bind: bool = False
    """Whether the parts of a pack are joined in one file."""
    size: str = INDEX
    """The format of cards, one of ``SIZES``."""

    def sheet(self, name: str) -> bool:
        """Return whether a sheet is wanted: if ``only`` names it, or if ``only`` is empty.

        With an empty ``only``, the roster is not wanted if parts or an earlier force are named.
        """
        return name in self.only if self.only else name != ROSTER or not (self.parts or self.since)

    def of_kinds(self) -> bool:
        """Return whether sheets that the rules have for kinds of designs may be wanted.

        False if ``only`` names nothing but the roster, the cards or the matchup; True if it is empty.
        """
        return not self.only or any(text not in (ROSTER, CARDS, MATCHUP) for text in self.only)

    def of_cards(self) -> tuple[str, ...]:
        """Return the options ``--part``, ``--against`` and ``--since`` that were given, as texts with their values."""
        files = (("--against", self.against), ("--since", self.since))
        return (*(f"--part {part}" for part in self.parts), *(f"{name} {file}" for name, file in files if file))


@dataclass(frozen=True, slots=True)
class Findings:
    """What is found out while the jobs of a build are made."""

    problems: list[Problem] = field(default_factory=list)
    """Advice on rule data, and errors of the question."""
    faults: list[Problem] = field(default_factory=list)
    """The problems of printed files of players."""
    compared: list[Problem] = field(default_factory=list)
    """The problems of forces that are only compared."""
    known: dict[str, None] = field(default_factory=dict)
    """The names of sheets and parts that may be asked for."""
    of_kinds: set[str] = field(default_factory=set)
    """The names of sheets that are printed with forces."""


RECORD = "editions.json"
"""The record of editions in the folder of the shipped rule sets, from the oldest."""
_DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_EDITION = re.compile(r"\d+\.\d+(\.\d+)?")


class Edition(NamedTuple):
    """A released edition."""

    edition: str
    date: str
    """The day of the release, such as 2026-11-27."""
    marks: Mapping[str, str]
    """The mark of each sheet of the shipped rule sets and part of the finished battles, by the name of its file."""

    def changed(self, jobs: Sequence[Job | Pack]) -> list[Job | Pack]:
        """Return the jobs, except those that are the same as in this edition.

        A pack is left out if all of its parts are the same; otherwise, it keeps all of them. A book is never left out.
        """
        return [job for job in jobs if not self._has(job)]

    def _has(self, job: Job | Pack) -> bool:
        if isinstance(job, Job):
            return self.marks.get(job.stem) == job.paper.mark()
        return job.sheet != BOOK and all(map(self._has, job.parts))


def edition_of(word: str) -> Edition | None:
    """Return the edition with this number, or the newest edition on or before this day, such as 2026-11-27.

    None for any other word. Raises ProblemsError (R328) if there is no such edition.
    """
    is_date = _DATE.fullmatch(word)
    if not is_date and not _EDITION.fullmatch(word):
        return None
    editions = [Edition(**entry) for entry in json.loads((rulesdata() / RECORD).read_text("utf-8"))]
    found = [item for item in editions if (item.date <= word if is_date else item.edition == word)]
    if not found:
        there = ", ".join(f"{item.edition} of {item.date}" for item in editions)
        raise ProblemsError(refused("R328", f"--since {word}", "an edition", word, f"there are: {there}"))
    return found[-1]


EVERYTHING = Selection()
ROSTER, CARDS, MATCHUP, PACK, COVER, BOOK = "roster", "cards", "matchup", "pack", "0-cover", "book"
BLANKS = "blanks"
"""The cards and sheets of a rule set to fill in by hand."""
MARKERS = "markers"
"""The table of a rule set for markers, which is also in the name of a part."""
SHEETS = "sheets"
"""The folder of a rule set with its sheets."""


def in_known_spelling(parts: Sequence[str], known: Sequence[str]) -> Iterator[str]:
    """Yield the known names that the given names mean, ignoring case; an unknown name is unchanged.

    A name that is exactly a known name means only that name. Any other name means all known names that differ from it
    only in case.

    >>> [*in_known_spelling(["sabre", "RED"], ["Sabre", "Red", "red"])]
    ['Sabre', 'Red', 'red']
    """
    for name in parts:
        yield from [name] if name in known else [text for text in known if text.lower() == name.lower()] or [name]


def unknown_parts(parts: Sequence[str], known: Sequence[str], expected: str, otherwise: str | None) -> list[Problem]:
    """Return F214 for each part that is not ``known``; ``expected`` says what a part should name.

    The hint is the most similar known part. If no known part is similar, the hint is ``otherwise``. If this is None,
    the hint lists known parts.
    """
    missing = (name for name in parts if name not in known)
    return [refused("F214", f"--part {name}", expected, name, suggest(name, known, otherwise)) for name in missing]


_LONG_WORD = re.compile(r"\w\S{23,}\w")
"""A word that is long enough to be found in a file by itself, without a character printed after it."""
_OURS = "this text comes from the rules: shorten it there, or print the other sheets with --only"


def unprintable(place: Place, error: LayoutError) -> Problem:
    """Return F132 for a text that cannot be laid out, at its place in the player's file as ``span_of`` finds it.

    If ``span_of`` does not find the text in the file, the problem is at ``place``.
    """
    document = place.inside.document
    span = span_of(document.name, document.text, error.text)
    hint = _OURS if error.text and span is None else error.remedy.to_text
    problem = place.problem("F132", "a page that can be printed", error.found, hint)
    return problem._replace(span=span) if span else problem


def span_of(name: str, document: str, printed: str) -> Span | None:
    """Return the place of a printed text in a file, found as ``_offset`` does; None if it is not found.

    If only a very long word of the text is found, the place is that of the word. ``name`` is the file's name for the
    place, and ``document`` the file's whole text.
    """
    from generator.parsing.text import place_of, split_lines

    offset = _offset(document, printed.replace("\N{ZERO WIDTH SPACE}", ""))  # inserted to break long words
    if offset is None:
        return None
    line, column = place_of(document, offset)
    return Span(name, line, column, split_lines(document)[line - 1])


def _offset(document: str, text: str) -> int | None:
    """Return the offset of a printed text in a file; None if neither the text nor its longest word is found.

    Case and marks for emphasis are ignored. Between two words, the file may have any spaces and line ends. If the whole
    text is not found, its longest word of at least 25 characters is searched. Parts of longer words do not count,
    unless the text is a single character.
    """
    plain = re.sub(r"[*_\\]", "", text) or text
    words, long = plain.split(), _LONG_WORD.findall(plain)
    for some in (words, [max(long, key=len)] if long else []):
        signs = (map(re.escape, re.findall(r"[*_\\]+|.", word)) for word in some)
        apart = r"[\s*_\\]+".join(map(r"[*_\\]*+".join, signs))
        bounded = apart if len(text) == 1 else rf"(?<![^\W_]){apart}(?![^\W_])"
        match = re.search(bounded, document, re.IGNORECASE) if some else None
        if match is not None:
            return match.start()
    return None
