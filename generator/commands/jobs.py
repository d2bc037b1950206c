"""What is to be printed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from generator.problems import Problem, Span
from generator.suggest import nearest, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from generator.errors import LayoutError
    from generator.render.blocks import Sheet
    from generator.render.page.page_setup import Document
    from generator.rules.source.parts import Place


class Job(NamedTuple):
    """One document to print."""

    paper: Document
    sheet: str
    """What the result calls it."""
    stem: str
    """The name of its file, without paper and ink."""
    blame: Callable[[LayoutError], Problem]
    """Return the problem for content that cannot be laid out."""
    folded: bool = False
    """A booklet: two pages to a side of the paper, in the order in which it is folded."""


class Part(NamedTuple):
    """One part of a pack."""

    id: str
    title: str
    whose: str
    """Who gets it, as the contents say it."""
    job: Job
    leaf: bool
    """Begins on a leaf of its own: it is handed to somebody, or cut out."""
    cut: bool = False
    """Is cut out, and has empty backs."""
    listed: str = ""
    """What the contents say of it and of those like it, once: they name nothing that a side fields."""


class Pack(NamedTuple):
    """Parts to be bound into one file."""

    parts: tuple[Part, ...]
    cover: Callable[..., Sheet]
    """The cover, when it is known on which page each part begins; ``linked`` if the parts are there to lead to."""
    stem: str
    """The name of its file, without what it is, paper and ink."""
    files: Mapping[str, bytes]
    """What goes with it: the files that it was made of."""
    blame: Callable[[LayoutError], Problem]
    alone: bool = False
    """The cover alone is wanted: the parts are made to count their pages."""


class Wanted(NamedTuple):
    """Which sheets, and which cards of a force."""

    only: Sequence[str] = ()
    """Sheets by name; all where there is none."""
    parts: Sequence[str] = ()
    """Designs and units with wanted cards and sheets, and wanted parts of packs; empty for all."""
    against: Path | None = None
    """The force that the odds on cards are against."""
    since: Path | None = None
    """The force as it was printed before: only cards that it has otherwise are wanted."""
    booklet: bool = False
    """What is handed out is wanted as booklets to fold."""

    def sheet(self, name: str) -> bool:
        """Whether this sheet is wanted. Who names parts, or a force of before, wants no roster."""
        return name in self.only if self.only else name != ROSTER or not (self.parts or self.since)

    def of_kinds(self) -> bool:
        """Whether sheets may be wanted that the rules have for kinds of designs."""
        return not self.only or any(text not in (ROSTER, CARDS) for text in self.only)

    def of_cards(self) -> tuple[str, ...]:
        """What is said about cards alone, as it is typed."""
        files = (("--against", self.against), ("--since", self.since))
        return (*(f"--part {part}" for part in self.parts), *(f"{name} {file}" for name, file in files if file))


EVERYTHING = Wanted()
ROSTER, CARDS, PACK, COVER = "roster", "cards", "pack", "cover"
MAP, RULES, MARKERS, SCORE_SHEET, RECORDS = "map", "rules", "markers", "score-sheet", "records"
"""Parts of a pack."""
SHEETS = "sheets"
"""Where a rule set has the descriptions of sheets."""


def in_capitals(parts: Sequence[str], known: Sequence[str]) -> Iterator[str]:
    """Names as they are written, for names that say the same in other letters, small or capital.

    >>> [*in_capitals(["sabre", "RED"], ["Sabre", "Red", "red"])]
    ['Sabre', 'Red', 'red']
    """
    for name in parts:
        yield from [name] if name in known else [text for text in known if text.lower() == name.lower()] or [name]


_SURE = 0.9
"""So alike are a word and what was meant by it if nothing else can be."""


def unknown_parts(parts: Sequence[str], known: Sequence[str], expected: str, otherwise: str) -> list[Problem]:
    """F214: parts asked for that there are not; ``otherwise`` is the remedy where none is nearly so called."""
    problems = []
    for name in parts:
        if name not in known:
            of_sides = [text for text in known if "-" in text and text.rpartition("-")[2] == name.rpartition("-")[2]]
            sure = [item for item in [nearest(name, known, _SURE)] if item]
            near = sure or (of_sides if len(of_sides) > 1 else [])
            hint = f"did you mean {' or '.join(near)}?" if near else suggest(name, known, otherwise)
            at = Span("command line", 1, 1, f"--part {name}")
            problems.append(Problem("F214", at, expected, name, hint=hint))
    return problems


_LONG_WORD = re.compile(r"\w\S{23,}\w")
"""A word that is known again by itself, without a sign that is printed behind it."""
_OURS = "nothing that this file says is too long: print the other parts with --part, and report a fault of fieldpress"


def unprintable(place: Place, error: LayoutError) -> Problem:
    """F132 for a player's file, where the text stands that cannot be laid out."""
    from generator.parsing.text import place_of, split_lines

    document = place.inside.document
    text = error.text.replace("\N{ZERO WIDTH SPACE}", "")  # which long words of players are parted with
    offset = _offset(document.text, text)
    expected = "a page that can be made"
    hint = _OURS if text and offset is None else error.remedy.to_text
    problem = place.problem("F132", found=error.found, expected=expected, hint=hint)
    if offset is None:
        return problem
    line, column = place_of(document.text, offset)
    return problem._replace(span=Span(document.name, line, column, split_lines(document.text)[line - 1]))


def _offset(document: str, text: str) -> int | None:
    """Where a printed text stands in a file, which may have other line ends, small letters and signs of emphasis.

    Where it is not there as it is printed, its longest word may be.
    """
    words, long = text.split(), _LONG_WORD.findall(text)
    for some in (words, [max(long, key=len)] if long else []):
        apart = r"[\s*_\\]+".join(map(re.escape, some))
        bounded = apart if len(text) == 1 else rf"(?<!\w){apart}(?!\w)"
        match = re.search(bounded, document, re.IGNORECASE) if some else None
        if match is not None:
            return match.start()
    return None
