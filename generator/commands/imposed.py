"""Prepare print jobs for imposition: cards on sheets in other ways than the usual one, or booklets."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from generator.commands.jobs import BOOK, Job, Pack
from generator.errors import ProblemsError
from generator.problems import refused
from generator.render.assemble import impose
from generator.render.blocks import Sheet
from generator.render.cards.deck import CUT, INDEX, Deck
from generator.render.cards.upright import with_sides
from generator.render.geometry import geometry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.render.assemble.impose import Imposition
    from generator.render.blocks import Paper

_TESTED = (
    "Print on both sides, flip on the short edge. Hold the back against the light. A step of a scale is 1 mm. "
    "Read how far to the right of the cross the middle of the scales lies, and how far below it: "
    "these are the two numbers of --shift-backs."
)
_NEEDED = {
    impose.BOOKLET: ("a document other than cards", "name a book, a rule set or a battle"),
    impose.TRIM: ("a book", "name the folder of a supplement"),
    "": ("cards", "name the file of a force, without --only or with --only cards"),
}
"""What each way of imposition is for, and how to get it; the empty word is for all other ways."""
_FOLDED = f"Print on one side, on stiff paper.{CUT} Fold in the middle and glue."


def imposed(jobs: Sequence[Job | Pack], imposition: Imposition, papers: Sequence[Paper]) -> list[Job | Pack]:
    """Return the jobs as the imposition needs them: cards as one page for each side of a card, a book with its bleed.

    Other jobs are unchanged. Raises ProblemsError (R328) if there is no document for this imposition, or the cards are
    too large for the paper. Also if a poster would be in a booklet.
    """
    if not any(is_imposed(job, imposition) for job in jobs):
        expected, hint = _NEEDED.get(imposition.way, _NEEDED[""])
        option = f"--impose {imposition.way}"
        if imposition.size != INDEX:
            option = f"--card-size {imposition.size}"
            hint += f"; for a card in a book, write size: {imposition.size} in its fence"
        raise ProblemsError(refused("R328", option, expected, "none to print", hint))
    for paper in papers:
        if not impose.fits(imposition, geometry(paper).paper):
            expected, hint = f"cards that fit on {paper} paper", "leave out --card-width, or use --impose cards"
            found = f"cards {imposition.card[0]:g} mm wide"
            raise ProblemsError(refused("R328", "--card-width", expected, found, hint))
    if imposition.way == impose.TRIM:
        return [
            job.with_cover(partial(replace, bleed=impose.BLEED)) if isinstance(job, Pack) and job.kind == BOOK else job
            for job in jobs
        ]
    if imposition.way == impose.BOOKLET:
        parts = [part.job for job in jobs if isinstance(job, Pack) for part in job.parts]
        printed = [*parts, *(job for job in jobs if isinstance(job, Job))]
        if any(isinstance(item.paper, Sheet) and item.paper.poster for item in printed):
            hint = "leave out --part 1-poster, or --impose booklet"
            raise ProblemsError(refused("R328", "--impose booklet", "pages of the paper’s size", "a poster", hint))
        return [*jobs]
    if imposition.way == impose.TEST:
        return [
            job._replace(paper=replace(job.paper, cards=(), frames=(False, False), strap=_TESTED))
            for job in jobs
            if isinstance(job, Job) and isinstance(job.paper, Deck)
        ]
    sides = {impose.FRONTS: (False,), impose.BACKS: (True,)}.get(imposition.way, (False, True))
    return [
        _apart(job, job.paper, imposition.size, sides) if isinstance(job, Job) and isinstance(job.paper, Deck) else job
        for job in jobs
    ]


def _apart(job: Job, deck: Deck, size: str, sides: tuple[bool, ...]) -> Job:
    """Return the job of a deck with a page for each side of a card of this size."""
    paper = with_sides(deck, size, sides)
    if size == INDEX:
        return job._replace(paper=paper)
    hint = "print the cards of this force with --card-size index"
    return job._replace(paper=paper, blame=lambda error: job.blame(error)._replace(hint=hint))


def frames_of(deck: Deck, imposition: Imposition, paper: Paper) -> Deck:
    """Return a deck's document with only what is printed around the cards on sheets.

    The document has no pages if nothing is printed there.
    """
    if imposition.way not in (impose.SHEETS, impose.FOLD):
        return replace(deck, cards=(), frames=())
    sheets = [*impose.card_sheets(2 * len(deck.cards), imposition, geometry(paper).paper)]
    both = "both sides, flip on the short edge"
    strap = _FOLDED if imposition.way == impose.FOLD else deck.strap.replace("on one side", both)
    strap = strap if imposition.marks in (impose.CORNERS, impose.GUIDES) else strap.replace(CUT, "")
    frames, upright = tuple(sheet.is_back for sheet in sheets), sheets[0].width < sheets[0].height
    strap = strap.replace("short edge", "long edge") if upright else strap
    return replace(deck, cards=(), apart=(), strap=strap, frames=frames, upright=upright)


def is_imposed(job: Job | Pack, imposition: Imposition) -> bool:
    """Return whether this job is imposed: trim is for books, booklets for all but cards, other ways are for cards."""
    if imposition.way == impose.TRIM:
        return isinstance(job, Pack) and job.kind == BOOK
    is_cards = isinstance(job, Job) and isinstance(job.paper, Deck)
    return is_cards != (imposition.way == impose.BOOKLET)
