"""Print jobs as files: find each document in the cache or render it, place it on sheets, bind packs, and write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import groupby, product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from generator.commands.access import Data, writing
from generator.commands.jobs import BLANKS, BOOK, COVER, PACK, Edition, Job, Pack
from generator.files import all_or_none
from generator.problems import LayoutError, Problem, ProblemsError, RenderError, refused
from generator.render.assemble import impose
from generator.render.assemble.binding import Size, Volume, bind, join, mark_of
from generator.render.assemble.pictures import card_sheets, pictures, universal_vtt
from generator.render.book import Book, card_scale
from generator.render.cards.columns import needs_back
from generator.render.cards.deck import CUT, INDEX, LONG_EDGE, ONE_SIDE, SHORT_EDGE, Deck
from generator.render.cards.upright import with_sides
from generator.render.executors import RenderTask, number, open_executor, render, usual_jobs, warm_up
from generator.render.geometry import A5, HALVES, POSTERS, geometry
from generator.render.maps.map import BoardMap
from generator.render.pdf_cache import engine_digest, open_cache

if TYPE_CHECKING:
    from generator.render.blocks import Ink, Paper

T = TypeVar("T")
ELSEWHERE = "give another folder with --out"
LARGE = "large"
"""The size of large print."""
_NUMBERED = 100
"""Number of pages that get their numbers together, so that a large deck needs little memory."""


class Output(NamedTuple):
    """Where, how and in which looks a build prints."""

    out: Path
    """The folder to write in."""
    papers: Sequence[Paper] = ("a4",)
    inks: Sequence[Ink] = ("colour",)
    theme: str | None = None
    """The name of a theme that ships, or the path of a theme's file, instead of the documents' own themes."""
    language: str | None = None
    """The tag of a language, such as de."""
    centimetres: bool = False
    """Whether each inch is printed as one centimetre."""
    size: str | None = None
    """``LARGE`` for sheets with text of 14 pt."""
    imposition: impose.Imposition | None = None
    """The way to place cards on sheets, or to make booklets of all other documents."""
    earlier: Path | None = None
    """The folder of earlier prints: documents that are unchanged there are not written."""
    edition: Edition | None = None
    """The edition whose documents are not printed again if they are unchanged."""
    dpi: int | None = None
    """PNG pictures of the pages with this many dots to the inch, instead of PDFs."""
    jobs: int | None = None
    """The number of processes that render; one for each core if there is no number."""
    scheduler: str | None = None
    """The address of a Dask scheduler, whose cluster renders instead."""
    no_cache: bool = False
    """Whether everything is rendered anew."""

    @property
    def is_plain(self) -> bool:
        """Whether every document is printed exactly as it was composed: no option changes or leaves out a document."""
        changing = ("theme", "language", "centimetres", "imposition", "earlier", "edition")
        return self.size != LARGE and not any(getattr(self, name) for name in changing)


class Printed(NamedTuple):
    """A rendered PDF."""

    pdf: bytes
    pages: int
    reused: bool = False
    """Whether the PDF comes from the cache."""


class Printer(AbstractContextManager["Printer"]):
    """Prints jobs in order, and reports progress. It is a context manager; leaving it stops all rendering.

    Processes start only for ``warm_up`` or a document that the cache does not have.
    """

    def __init__(self, output: Output, progress: Callable[[int, int, str], None] = lambda *_: None) -> None:
        """Prepare to print for an ``output``.

        ``progress`` takes the count of documents done, the count of all documents, and a text about the pages.
        """
        self._cache = None if output.no_cache else open_cache()
        self._output, self._imposition, self._earlier = output, output.imposition, output.earlier
        self._forms = [*product(dict.fromkeys(output.papers), dict.fromkeys(output.inks))]
        """Each paper with each ink."""
        self._progress = progress
        self._open = ExitStack()
        self._executor: Executor | None = None
        self._begun: set[str] = set()
        self._printed: dict[str, Printed] = {}
        self._running: dict[str, Future[tuple[bytes, int, bytes]]] = {}
        """All three have the ``repr`` of the task as a key, as the cache has."""

    def __exit__(self, *error: object) -> None:
        """Stop rendering, and delete temporary files; if the executor was used, shrink a cache that is too large.

        Unfinished calls in local processes are lost; calls on a cluster are awaited.
        """
        self._open.close()
        if self._cache and self._executor:  # something may have been rendered
            self._cache.shrink()

    def warm_up(self, files: Iterable[Path]) -> None:
        """Let the executor import the layout engine, if one of the files is newer than the last use of the cache.

        Without a cache, every existing file counts as newer. Raises RenderError if no process can be used.
        """
        used = self._cache.last_used() if self._cache else 0
        if any(file.is_file() and file.stat().st_mtime_ns > used for file in files):
            self._submit(warm_up)

    def begin(self, task: RenderTask) -> None:
        """Start to render a document, or its pieces, unless it was begun before or the cache has the PDF.

        Raises RenderError if no process can be used.
        """
        made_of = repr(task)
        if made_of in self._begun:
            return
        self._begun.add(made_of)
        if self._find(made_of, task):
            return
        pieces = task.pieces()
        if len(pieces) > 1:
            for piece in pieces:
                self.begin(piece)
        else:
            engine = engine_digest() if self._output.scheduler else b""
            heights = self._cache.find(_heights_of(task)) if self._cache else None
            self._running[made_of] = self._submit(render, task, engine, heights[0] if heights else b"")
            self._running[made_of].add_done_callback(partial(self._finish, made_of, task))

    def begin_job(self, job: Job | Pack, *, bound: bool = False) -> None:
        """Start to render a job, or the parts of a pack, for each paper and ink, as ``begin`` does.

        If ``bound``, a job is a part of a bound pack.
        """
        for paper, ink in self._forms:
            for task in _tasks(job, paper, ink, bound=bound):
                self.begin(task)

    def print_all(self, jobs: Sequence[Job | Pack], written: Callable[[Data], None] = lambda _: None) -> list[Data]:
        """Write the files of each job, and return the data about each file; ``written`` is called for each file.

        The order is that of papers, inks and jobs. A file that is unchanged in the folder of earlier prints is not
        written and has no data. Files that follow each other appear together if they are of one job or one pack. Raises
        RenderError for the first page that cannot be made. Then its file does not appear, nor the files that would
        appear with it or after it. Raises ProblemsError (F131) if a file cannot be written.
        """
        out = self._output.out
        with writing(out, "a folder to write in", ELSEWHERE):
            out.mkdir(parents=True, exist_ok=True)
        files = [(job, *form) for form in self._forms for job in jobs if not self._is_printed(job, *form)]
        for job, paper, ink in files:
            for task in _tasks(job, paper, ink):
                self.begin(task)
        built: list[Data] = []
        for _, together in groupby(files, lambda file: Path(file[0].stem).parts[0]):
            with all_or_none() as write:
                complete = [file for job, paper, ink in together for file in self._print(job, paper, ink, write)]
            for file in complete:
                written(file)
            built += complete
        self._progress(len(self._begun), len(self._begun), "")
        return built

    def _is_printed(self, job: Job | Pack, paper: Paper, ink: Ink) -> bool:
        """Return whether the folder of earlier prints has the document with the same contents, whatever its imprint.

        False for a pack, and without such a folder.
        """
        if self._earlier is None or isinstance(job, Pack):
            return False
        return mark_of(self._earlier / f"{self._stem(job, paper, ink)}.pdf") == job.paper.mark()

    def _print(self, job: Job | Pack, paper: Paper, ink: Ink, write: Callable[[Path, bytes], None]) -> Iterator[Data]:
        """Write the files of a job, such as its PDF or its pictures; yield the data about each file that is written.

        A file that equals its namesake in the folder ``earlier`` is left out. Raises errors as ``print_all`` does.
        """
        dpi, imposition = self._output.dpi, self._imposition
        if isinstance(job, Pack):
            printed = self._pack(job, paper, ink)
        else:
            printed = self._document(task_of(job, paper, ink), job.blame)
        stem = self._stem(job, paper, ink)
        if imposition and is_imposed(job, imposition):
            stem += imposition.words
            imposition = imposition._replace(backs=getattr(getattr(job, "paper", None), "apart", ()) != (False,))
            printed = self._imposed(job, printed, imposition, paper, ink)
        files: list[tuple[str, int, bytes]] = [(f"{stem}.pdf", printed.pages, printed.pdf)]
        if dpi:
            numbered = enumerate(pictures(printed.pdf, dpi), start=1)
            files = [(f"{stem}-{number}.png", 1, picture) for number, picture in numbered]
            files += self._for_tables(job, printed, stem, paper, ink)
        if imposition and imposition.marks == impose.CUTTER and is_imposed(job, imposition):
            files.append((f"{stem}.svg", 1, impose.cut_lines(imposition, geometry(paper).paper)))
        for file, pages, content in files:
            path = self._output.out / file
            old = self._earlier / file if self._earlier else None
            if old and old.is_file() and old.read_bytes() == content:
                continue
            replaced = {"replaces": str(old)} if old and old.exists() else {}
            with writing(path, "a file to write", ELSEWHERE):
                path.parent.mkdir(parents=True, exist_ok=True)
                write(path, content)
            yield {
                "path": str(path), "sheet": job.sheet, "pages": pages, "paper": paper, "ink": ink,
                "reused": printed.reused, **replaced,
            }  # fmt: skip

    def _stem(self, job: Job | Pack, paper: Paper, ink: Ink) -> str:
        """Return the path of a job's file in the output folder, without extension or the words of an imposition."""
        size = POSTERS[paper] if isinstance(job, Job) and getattr(job.paper, "poster", False) else paper
        is_half = isinstance(job, Pack) and job.sheet == BOOK and getattr(job.cover(), "shape", "") == A5
        size = HALVES[paper] if is_half else size
        words = filter(None, (job.stem, Path(self._output.theme or "").stem, size, "" if ink == "colour" else ink))
        return "-".join(words)

    def _for_tables(
        self, job: Job | Pack, printed: Printed, stem: str, paper: Paper, ink: Ink
    ) -> Iterator[tuple[str, int, bytes]]:
        """Yield the files for virtual tables: for cards their picture sheets, for a board its grid and lines of sight.

        Each file is its name, its count of pages (1) and its content. Yield nothing for other jobs.
        """
        if isinstance(job, Job) and isinstance(job.paper, Deck):
            cards = RenderTask(replace(job.paper, apart=(False, True)), paper, ink, numbered=False)
            sheets = card_sheets(self._document(cards, job.blame).pdf)
            yield from ((f"{stem}-{name}.png", 1, picture) for name, picture in sheets)
        elif isinstance(job, Job) and isinstance(job.paper, BoardMap):
            yield f"{stem}.uvtt", 1, universal_vtt(printed.pdf, job.paper.plan, self._output.dpi or 0)

    def _find(self, made_of: str, task: RenderTask | None = None) -> bool:
        """Return whether the cache has a document with the key ``made_of``; if so, record it as ``_keep`` does."""
        cached = self._cache.find(made_of) if self._cache else None
        if cached:
            self._keep(made_of, Printed(*cached, reused=True), task)
        return cached is not None

    def _keep(self, made_of: str, printed: Printed, task: RenderTask | None = None) -> None:
        """Record a printed document under the key ``made_of``, and store it in the cache unless it comes from there.

        Progress is reported if there is a ``task``.
        """
        if self._cache and not printed.reused:
            self._cache.keep(made_of, printed.pdf, printed.pages)
        self._printed[made_of] = printed
        if task:
            # Covers and page numbers are printed in addition, and are not counted in advance.
            done = min(len(self._printed), len(self._begun) - 1)
            all_ = [*self._printed.values()]
            pages, reused = sum(item.pages for item in all_), sum(item.pages for item in all_ if item.reused)
            self._progress(done, len(self._begun), f"{pages} pages, {reused} reused: {task.document.title}")

    def _submit(self, call: Callable[..., T], *arguments: object) -> Future[T]:
        """Start a call in the executor, which is opened for the first call.

        Raises RenderError if a render process was stopped, and as ``open_executor`` does.
        """
        if self._executor is None:
            jobs, scheduler = self._output.jobs or usual_jobs(), self._output.scheduler or ""
            self._executor = self._open.enter_context(open_executor(jobs, scheduler))
        with _stopped():
            return self._executor.submit(call, *arguments)

    def _finish(self, made_of: str, task: RenderTask, future: Future[tuple[bytes, int, bytes]]) -> None:
        """Give the PDF that a call returned to ``_keep``, with its key ``made_of``; store the heights of its rows.

        Do nothing if the call failed or was cancelled.
        """
        if not future.cancelled() and future.exception() is None:
            pdf, pages, heights = future.result()
            self._keep(made_of, Printed(pdf, pages), task)
            if self._cache and heights:
                self._cache.keep(_heights_of(task), heights, 0)

    def _document(self, task: RenderTask, blame: Callable[[LayoutError], Problem]) -> Printed:
        """Return the PDF of a task with its count of pages; begin the task if needed, and wait for its end.

        Raises RenderError if the task cannot be rendered; ``blame`` makes the problem for a text that does not fit.
        """
        made_of = repr(task)
        self.begin(task)
        if made_of in self._running:
            try:
                with _stopped():
                    pdf, pages, _ = self._running[made_of].result()
                    return Printed(pdf, pages)
            except LayoutError as error:
                raise RenderError(str(error), blame(error)) from None
        if made_of not in self._printed:
            pieces = [self._document(piece, blame) for piece in task.pieces()]
            pdf = join(
                [piece.pdf for piece in pieces],
                partial(self._numbers, task.document.say("of")) if task.numbered else None,
            )
            self._keep(made_of, Printed(pdf, sum(piece.pages for piece in pieces)))
        return self._printed[made_of]

    def _pack(self, pack: Pack, paper: Paper, ink: Ink) -> Printed:
        """Return the bound pack, or only the cover of a pack that is not bound.

        A bound pack counts as reused if its cover and every part are reused. Raises RenderError as ``_document`` does.
        """
        if pack.is_bound:
            import pikepdf  # noqa: F401 - for :func:`bind`, imported while other processes render
        tasks = _tasks(pack, paper, ink)
        parts = [self._document(task, part.blame) for task, part in zip(tasks, pack.parts, strict=True)]
        cover = pack.cover([part.pages for part in parts], linked=pack.is_bound)
        front = self._document(RenderTask(cover, paper, ink, numbered=pack.sheet != PACK), pack.blame)
        if not pack.is_bound:
            return front
        if isinstance(cover, Book) and cover.decks:
            decks = (replace(deck, theme=cover.theme) for deck in cover.decks)
            pdfs = [self._document(RenderTask(deck, paper, ink, numbered=False), pack.blame).pdf for deck in decks]
            cards = [(pdf, card_scale(cover.shape, deck.size)) for pdf, deck in zip(pdfs, cover.decks, strict=True)]
            front = front._replace(pdf=impose.with_cards(front.pdf, cards))
        pages = front.pages + sum(part.pages for part in parts)
        own = front.pages if pack.sheet == BOOK else 0
        bound = [Volume(part.sheet, part.title, item.pdf) for part, item in zip(pack.parts, parts, strict=True)]
        volumes = [Volume(COVER, "Cover", front.pdf), *bound]
        pdf = bind(volumes, partial(self._numbers, cover.say("of")), pack.files, own)
        return Printed(pdf, pages, all(printed.reused for printed in (front, *parts)))

    def _imposed(
        self, job: Job | Pack, printed: Printed, imposition: impose.Imposition, paper: Paper, ink: Ink
    ) -> Printed:
        """Return a printed document as it is imposed. Cards on sheets get a title, a ruler and a foot around them."""
        whole, frames = printed.pdf, 0
        ground = (
            job.cover().theme.values(ink)["paper"] if imposition.way == impose.TRIM and isinstance(job, Pack) else ""
        )
        if isinstance(job, Job) and isinstance(job.paper, Deck):
            around = frames_of(job.paper, imposition, paper)
            frames = len(around.frames)
            if frames:
                whole = join([whole, self._document(RenderTask(around, paper, ink), job.blame).pdf], None)
        pdf, pages = impose.impose(whole, imposition, geometry(paper).paper, frames, ground)
        return printed._replace(pdf=pdf, pages=pages)

    def _numbers(self, of: str, sizes: Sequence[Size]) -> list[bytes]:
        """Return PDFs of at most 100 pages each, with only the page numbers; ``of`` is before the count of pages.

        ``sizes`` are those of all pages.
        """
        numbers = []
        for start in range(0, len(sizes), _NUMBERED):
            some = sizes[start : start + _NUMBERED]
            name = repr(("numbers", [*map(tuple, some)], start, len(sizes), of))
            if not self._find(name):
                with _stopped():
                    self._keep(name, Printed(self._submit(number, some, start, len(sizes), of).result(), 0))
            numbers.append(self._printed[name].pdf)
        return numbers


@contextmanager
def _stopped() -> Iterator[None]:
    """Raise RenderError if a render process was stopped during the ``with`` block."""
    try:
        yield
    except BrokenExecutor:
        raise RenderError("a render process was stopped, perhaps because memory ran out: try --jobs 1") from None


def _heights_of(task: RenderTask) -> str:
    """Return the key under which the cache has the heights of a document's rows; it does not depend on the rows.

    So after a change of some rows, the heights of the others are still found.
    """
    return repr(("heights", task.document.id, task.document.title, task.paper, task.ink))


def task_of(job: Job, paper: Paper, ink: Ink, *, bound: bool = False) -> RenderTask:
    """Return the render task of a document.

    Its pages have numbers, except in a part of a ``bound`` pack, and in a deck with one side of a card on each page.
    """
    return RenderTask(job.paper, paper, ink, numbered=not bound and not getattr(job.paper, "apart", ()))


def _tasks(job: Job | Pack, paper: Paper, ink: Ink, *, bound: bool = False) -> list[RenderTask]:
    """Return the tasks of a job's document, or of the parts of a pack, for one paper and ink.

    The cover of a pack is not among them, because it needs the page counts of the parts. ``bound`` means that a
    single document is a part of a bound pack.
    """
    if isinstance(job, Job):
        return [task_of(job, paper, ink, bound=bound)]
    return [task_of(part, paper, ink, bound=job.is_bound) for part in job.parts]


_TESTED = (
    "Print on both sides, flip on the short edge. Hold the back against the light. A step of a scale is 1 mm. "
    "Read how far to the right of the cross the middle of the scales lies, and how far below it: "
    "these are the two numbers of --shift-backs."
)
_NEEDED = {
    impose.BOOKLET: ("a document other than cards", "name a book, a rule set or a battle"),
    impose.TRIM: ("a book", "name the folder of a supplement"),
    "": ("cards of a force", "name the file of a force, without --only or with --only cards"),
}
"""What each way of imposition is for, and how to get it; the empty word is for all other ways."""
_FOLDED = f"Print on one side, on stiff paper. {CUT} Fold in the middle and glue."


def imposed(jobs: Sequence[Job | Pack], imposition: impose.Imposition, papers: Sequence[Paper]) -> list[Job | Pack]:
    """Return the jobs as the imposition needs them: a page for each wanted side of each card, a book with its bleed.

    Other jobs are unchanged. For a test page, cards become two sides without cards, and other jobs are left out. Raises
    ProblemsError (R328) if no document suits this imposition, the cards are too large for the paper, or a poster would
    be in a booklet.
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
    parts = [part for job in jobs for part in ([job] if isinstance(job, Job) else job.parts)]
    if imposition.way == impose.BOOKLET and any(getattr(part.paper, "poster", False) for part in parts):
        hint = "leave out --part 1-poster, or --impose booklet"
        raise ProblemsError(refused("R328", "--impose booklet", "pages of the paper’s size", "a poster", hint))
    test = imposition.way == impose.TEST
    return [_prepared(job, imposition) for job in jobs if is_imposed(job, imposition) or not test]


def _prepared(job: Job | Pack, imposition: impose.Imposition) -> Job | Pack:
    """Return the job as the imposition needs it: cards with a page for each wanted side, or a book with its bleed.

    For a test page, cards become two sides without cards. Blank cards have backs if one of them needs its back, or if
    only backs are wanted. A job that is not imposed, or is for a booklet, is unchanged.
    """
    if not is_imposed(job, imposition) or imposition.way == impose.BOOKLET:
        return job
    if isinstance(job, Pack):
        return job.with_cover(partial(replace, bleed=impose.BLEED))
    deck, usual = cast("Deck", job.paper), job.blame
    if imposition.way == impose.TEST:
        return job._replace(paper=replace(deck, cards=(), frames=(False, False), strap=deck.say(_TESTED)))
    usual_sides = (False,) if job.sheet == BLANKS and not any(map(needs_back, deck.cards)) else (False, True)
    sides = {impose.FRONTS: (False,), impose.BACKS: (True,)}.get(imposition.way, usual_sides)
    paper = with_sides(deck, imposition.size, sides)
    if imposition.size == INDEX:
        return job._replace(paper=paper)
    hint = "print the cards of this force with --card-size index"
    return job._replace(paper=paper, blame=lambda error: usual(error)._replace(hint=hint))


def frames_of(deck: Deck, imposition: impose.Imposition, paper: Paper) -> Deck:
    """Return the deck without its cards, as the document of what is printed around them on sheets.

    The document has no pages if the imposition does not place cards on sheets; otherwise the deck must have cards.
    """
    if imposition.way not in (impose.SHEETS, impose.FOLD):
        return replace(deck, cards=(), frames=())
    sheets = [*impose.card_sheets((1 + imposition.backs) * len(deck.cards), imposition, geometry(paper).paper)]
    one, short, long = map(deck.say, (ONE_SIDE, SHORT_EDGE, LONG_EDGE))  # the strap may be translated
    frames, upright = tuple(sheet.is_back for sheet in sheets), sheets[0].width < sheets[0].height
    strap = deck.strap.replace(one, short if imposition.backs else one).replace(short, long if upright else short)
    strap = deck.say(_FOLDED) if imposition.way == impose.FOLD and imposition.backs else strap
    strap = strap if imposition.marks in (impose.CORNERS, impose.GUIDES) else strap.replace(f" {deck.say(CUT)}", "")
    return replace(deck, cards=(), apart=(), strap=strap, frames=frames, upright=upright)


def is_imposed(job: Job | Pack, imposition: impose.Imposition) -> bool:
    """Return whether this job is imposed: trim is for books, booklets for all but cards, other ways are for cards.

    Blank cards are imposed only as index cards, because other cards have no room to write in.
    """
    if imposition.way == impose.TRIM:
        return isinstance(job, Pack) and job.sheet == BOOK
    is_cards = isinstance(job, Job) and isinstance(job.paper, Deck)
    is_cards = is_cards and (imposition.size == INDEX or job.sheet != BLANKS)
    return is_cards != (imposition.way == impose.BOOKLET)
