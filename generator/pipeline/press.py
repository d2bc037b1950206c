"""Prints jobs and packs: renders what is not on the shelf, binds, writes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from generator.errors import LayoutError, RenderError
from generator.files import write_atomically
from generator.pipeline.access import writing
from generator.pipeline.jobs import COVER, PACK, Job, Pack
from generator.render.binding import Volume, bind, first_pages, pages_of
from generator.render.blocks import Sheet
from generator.render.folding import fold
from generator.render.pdf import render_numbers, render_pdf

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from generator.pipeline.access import Data
    from generator.pipeline.jobs import Part
    from generator.problems import Problem
    from generator.render.blocks import Ink, Paper
    from generator.render.dress import Document
    from generator.render.pdf import Rendered
    from generator.render.shelf import Shelf

ELSEWHERE = "give another folder with --out"


class Press:
    """Prints in order, and tells how far it is."""

    def __init__(
        self, shelf: Shelf | None, out: Path, documents: int, progress: Callable[[int, int, str], None]
    ) -> None:
        """Write into the folder ``out``; ``documents`` is how many there will be, those inside of packs counted."""
        self._shelf = shelf
        self._out = out
        self._all = documents
        self._progress = progress
        self._done = 0
        self._counted: dict[tuple[str, Paper, Ink], int] = {}
        """The pages of what was printed apart."""

    def print(self, job: Job | Pack, paper: Paper, ink: Ink) -> Data:
        """One file, and what there is to say about it. Raises RenderError where a page cannot be made."""
        if isinstance(job, Pack):
            name = COVER if job.alone else PACK
            pdf, pages, reused = self._cover(job, paper, ink) if job.alone else self._pack(job, paper, ink)
        else:
            self._tell(job.paper)
            rendered = self._render(job.paper, paper, ink, job.blame, numbered=True, folded=job.folded)
            name, pdf, pages, reused = job.sheet, rendered.pdf, rendered.pages, rendered.reused
            self._counted[job.stem, paper, ink] = pages
            if job.folded:
                pdf, pages = fold(pdf, job.paper.title, job.paper.inside if isinstance(job.paper, Sheet) else "")
        more = f"-{name}" if isinstance(job, Pack) else "-folded" if job.folded else ""
        path = self._out / f"{job.stem}{more}-{paper}{'' if ink == 'colour' else f'-{ink}'}.pdf"
        with writing(path, "a file to write", ELSEWHERE):
            write_atomically(path, pdf)
        return {"path": str(path), "sheet": name, "pages": pages, "paper": paper, "ink": ink, "reused": reused}

    def finished(self) -> None:
        """Tell that nothing more comes."""
        self._progress(self._all, self._all, "")

    def _tell(self, document: Document) -> None:
        self._progress(self._done, self._all, document.id)
        self._done += 1

    def _render(
        self,
        document: Document,
        paper: Paper,
        ink: Ink,
        blame: Callable[[LayoutError], Problem],
        *,
        numbered: bool = False,
        folded: bool = False,
    ) -> Rendered:
        try:
            return render_pdf(document, paper=paper, ink=ink, numbered=numbered, folded=folded, shelf=self._shelf)
        except LayoutError as error:
            raise RenderError(str(error), blame(error)) from None

    def _pack(self, pack: Pack, paper: Paper, ink: Ink) -> tuple[bytes, int, bool]:
        """The file, its pages, and whether every part was found on the shelf."""
        made = [self._part(one, paper, ink) for one in pack.parts]
        front, pages = self._front(pack, [one.pages for one in made], paper, ink)
        volumes = [Volume(COVER, "Cover", front.pdf)]
        for part, one in zip(pack.parts, made, strict=True):
            volumes.append(Volume(part.id, part.title, one.pdf, part.leaf, part.cut))
        pdf = bind(volumes, partial(render_numbers, title=f"{pack.stem}-{PACK}"), pack.files)
        return pdf, pages, all(one.reused for one in (front, *made))

    def _cover(self, pack: Pack, paper: Paper, ink: Ink) -> tuple[bytes, int, bool]:
        """The cover alone, with the pages that the parts have in the pack."""
        counts = [
            self._counted.get((one.job.stem, paper, ink)) or self._part(one, paper, ink).pages for one in pack.parts
        ]
        front, _ = self._front(pack, counts, paper, ink)
        return front.pdf, front.pages, front.reused

    def _part(self, part: Part, paper: Paper, ink: Ink) -> Rendered:
        self._tell(part.job.paper)
        return self._render(part.job.paper, paper, ink, part.job.blame)

    def _front(self, pack: Pack, counts: Sequence[int], paper: Paper, ink: Ink) -> tuple[Rendered, int]:
        """The cover, and how many pages the whole has."""
        leaves = [False, *(one.leaf for one in pack.parts)]
        taken = [pages_of(count, cut=part.cut) for count, part in zip(counts, pack.parts, strict=True)]

        def cover(pages: int) -> tuple[Rendered, int]:
            starts, last = first_pages([pages, *taken], leaves)
            sheet = pack.cover(starts[1:], linked=not pack.alone)
            return self._render(sheet, paper, ink, pack.blame, numbered=pack.alone), last

        front, pages = cover(1)
        return (front, pages) if front.pages == 1 else cover(front.pages)


def documents_in(jobs: Sequence[Job | Pack]) -> int:
    """How many documents there are to be made; the cover of a pack is not counted."""
    return sum(len(one.parts) if isinstance(one, Pack) else 1 for one in jobs)
