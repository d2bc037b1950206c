"""Make the print job of a supplement: a folder of a publisher with a manifest, chapters, pictures and rule data."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from generator.commands.access import load_valid, open_library, rulesets_named
from generator.commands.jobs import BOOK, CARDS, Findings, Job, Pack, Selection, changed, span_of
from generator.files import TEMPORARY, real_path
from generator.parsing.text import ENDINGS
from generator.parsing.yaml12 import parse_yaml, to_yaml
from generator.problems import LayoutError, Problem, ProblemsError, Span, has_errors, raise_any, refused
from generator.render.book import Book, Handout
from generator.render.cards.deck import Deck
from generator.render.imprinted import SOBER, Theme
from generator.resources import supplements
from generator.rules.source.library import SUPPLEMENT, Library, beside, is_supplement
from generator.rules.source.parts import Part, Place
from generator.scenarios.files import misspelt_battle, path_of_battle, read_scenario

_MOST_ATTACHED = 64 * 1024 * 1024
"""The most bytes that are unpacked from a PDF."""

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from generator.documents.supplement import Supplement
    from generator.render.blocks import Map
    from generator.rules.ruleset import RuleSet

    JobsOf = Callable[[Sequence[str], Selection], list[Job | Pack]]


def find_supplements(words: Sequence[str]) -> dict[str, Path]:
    """Return the folder of each word that is the path of a supplement, or the name of a supplement that ships.

    ``all`` stands for every supplement that ships, by its name. Other words are left out.
    """
    shipped = {file.parent.name: file.parent for file in sorted(supplements().glob(f"*/{SUPPLEMENT}"))}
    found = {word: Path(word) for word in words if word and is_supplement(Path(word))}
    return {word: shipped[word] for word in words if word in shipped} | found | (shipped if "all" in words else {})


@contextmanager
def unpacked(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the words; inside the ``with`` block, a temporary folder of the attached files replaces each PDF of a book.

    Raises ProblemsError (F102) for a PDF that is not a book of this program.
    """
    with ExitStack() as folders:
        yield [
            _unpacked(word, folders) if word.lower().endswith(".pdf") and Path(word).is_file() else word
            for word in words
        ]


def _unpacked(word: str, folders: ExitStack) -> str:
    from generator.render.assemble.binding import attached_files

    try:
        files, found = attached_files(Path(word), _MOST_ATTACHED), "a PDF without a supplement"
    except (ValueError, OSError) as error:
        files, found = {}, str(error)
    root = Path(folders.enter_context(TemporaryDirectory(prefix=TEMPORARY)))
    outside = [name for name in files if "\\" in name or not (root / name).resolve().is_relative_to(root.resolve())]
    if SUPPLEMENT not in files or outside:
        found = f"the attached file {outside[0]}" if outside else found
        hint = "name a PDF that fieldpress made of a book"
        raise ProblemsError(Problem("F102", Span(word), "the PDF of a book", found, hint=hint))
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return str(root)


def supplement_job(
    library: Library,
    folder: Path,
    problems: list[Problem],
    jobs_of: Callable[[Library, Sequence[str], Selection, Findings], list[Job | Pack]] = lambda *_: [],
    *,
    faults: list[Problem] | None = None,
    alone: bool = False,
) -> Pack:
    """Return the print job of the book in a folder, with its handouts unless it is ``alone``.

    Advice is added to ``problems``. The problems of players' files that ``jobs_of`` finds are added to ``faults``, or
    to ``problems`` without it. ``jobs_of`` returns the print jobs of words of the command line.

    Raises ProblemsError if the manifest, a chapter, a picture, a theme or the rule data has errors. Raises it also if a
    handout cannot be printed; but if the book is ``alone``, only if the file of a handout is missing or outside.
    """
    from generator.documents.book import BookComposer
    from generator.documents.supplement import read_supplement

    supplement = read_supplement(folder)
    near = beside([folder])
    own = tuple(item for item in open_library(*near).folders if not item.shipped) if near else ()
    library = library._replace(folders=(*own, *library.folders))

    load_once = cache(partial(load_valid, library))

    def loaded(name: str, place: Place) -> RuleSet:
        with _reported_at(place):
            rulesets_named(library, [name])
            return load_once(name)

    found: list[Problem] = []

    def of_library(words: Sequence[str], selection: Selection) -> list[Job | Pack]:
        """Return the print jobs that ``jobs_of`` makes of words with the book's ``library``.

        The problems of players' files are added to ``faults``, or to ``problems`` if ``faults`` is None. The other
        problems are added to ``found``. Raises ProblemsError as ``jobs_of`` does; but if players' files have errors,
        only with the problems of these files.
        """
        findings = Findings()
        try:
            jobs = jobs_of(library, words, selection, findings)
        except ProblemsError as error:
            raise ProblemsError(*(findings.faults if has_errors(findings.faults) else error.problems)) from None
        found.extend(findings.problems)
        (problems if faults is None else faults).extend(findings.faults)
        return jobs

    maps, cards = partial(_map, library, supplement), partial(_cards, supplement, of_library)
    book = BookComposer(supplement, library.blocks(), loaded, maps, cards, found).compose()
    parts = tuple(_handouts(supplement, of_library, book.theme if book else SOBER, found, alone=alone))
    if book is None or has_errors(found):
        raise ProblemsError(*dict.fromkeys(found))
    problems += found

    def cover(counts: Sequence[int] = (), **_: Any) -> Book:
        handouts = zip(parts, accumulate(counts, initial=1), strict=False)
        return replace(book, handouts=tuple(Handout(part.sheet, part.title, after) for part, after in handouts))

    supplement.used.update(
        file.relative_to(folder).as_posix() for item in own for file in sorted(item.path.rglob("*.yaml"))
    )
    return Pack(parts, cover, book.id, supplement.files(), partial(_unprintable, supplement), BOOK)


def _map(library: Library, supplement: Supplement, word: str, place: Place) -> Map:
    """Return the map of a battle: a finished battle by its id, or a file in the folder by its path.

    ``word`` is the id or the path, and ``place`` where a chapter names it. Raises ProblemsError if the battle is
    unknown or has errors.
    """
    from generator.commands.scenarios import load_scenario_file
    from generator.documents.pack.maps import battlefield

    with _reported_at(place):
        misspelt = misspelt_battle(library, word)
        if misspelt is not None:
            raise ProblemsError(misspelt)
    scenario = load_scenario_file(library, path_of_battle(library, word) or _attached(supplement, word, place))
    if has_errors(scenario.problems):
        raise ProblemsError(*scenario.problems)
    return battlefield(scenario, scenario.table)


def _cards(supplement: Supplement, jobs_of: JobsOf, word: str, name: str, place: Place) -> Deck:
    """Return the cards of a design or unit of a force in the folder.

    ``word`` is the path of the force, ``name`` names the design or unit, and ``place`` is the place of the chapter's
    entry with both. Raises ProblemsError: F214 if there are no cards to print; others as ``_attached`` and ``jobs_of``
    do.
    """
    with _reported_at(place / "name"):
        jobs = jobs_of([str(_attached(supplement, word, place / "force"))], Selection((CARDS,), (name,)))
    decks = [job.paper for job in jobs if isinstance(job, Job) and isinstance(job.paper, Deck)]
    if decks:
        return replace(decks[0], cards=tuple(card for deck in decks for card in deck.cards))
    hint = "correct the force first, or name another design"
    raise ProblemsError((place / "name").problem("F214", "a design or unit with cards", name, hint))


def _attached(supplement: Supplement, word: str, place: Place) -> Path:
    """Return the path of a force or battle of the folder, and attach its file and the folder's files that it names.

    A file that cannot be read is attached alone. ``word`` is the path as the supplement gives it, at ``place``. Raises
    ProblemsError as ``Supplement.path`` does.
    """
    from generator.forces.load import read_force

    attached = word in supplement.used
    path, root = supplement.path(word, place), supplement.folder.resolve()
    if attached:
        return path
    with suppress(ProblemsError):  # reported when the file is loaded
        try:
            forces = [read_force(path)]
        except ProblemsError:  # a battle
            forces = [side.force for side in read_scenario(path).sides if side.force]
        for force in forces:
            home = Path(force.place.span().file)
            files = [home, *(home.parent / name for name in force.plain.libraries)]
            shown = [part / "picture" for part in force.designs if isinstance(part.value().get("picture"), dict)]
            files += [Path(part.span().file).parent / str(part.value().get("file")) for part in shown]
            supplement.used.update(
                used.relative_to(root).as_posix()
                for used in map(real_path, files)
                if used.is_relative_to(root) and used.is_file()
            )
    return path


@contextmanager
def _reported_at(place: Place, sheets: Place | None = None) -> Iterator[None]:
    """Move problems that the ``with`` block raises at the command line to this place of the manifest or a chapter.

    Of these, R319 and R328 are reported at ``sheets`` instead, if it is given. Problems in files stay where they are.
    """
    try:
        yield
    except ProblemsError as error:

        def moved(item: Problem) -> Problem:
            at = sheets if sheets and item.code in ("R319", "R328") else place
            return item._replace(span=at.span()) if item.span.file == "command line" else item

        raise ProblemsError(*map(moved, error.problems)) from None


def _handouts(
    supplement: Supplement, jobs_of: JobsOf, theme: Theme, problems: list[Problem], *, alone: bool
) -> Iterator[Job]:
    """Yield the print jobs of the handouts of a book: documents of rule sets, forces and battles.

    All are printed in the theme. The ``sheet`` of a job begins with the index of its handout in the manifest, and its
    ``title`` is that of the document. The covers of packs are left out, and a file is marked as used by the book. A
    handout that cannot be printed is left out, and its problems are added, at its place in the manifest or in its own
    file. If the book is ``alone``, no jobs are made, but files are still marked.
    """
    from generator.documents.supplement import collected

    for index, handout in enumerate(supplement.model.handouts):
        at = supplement.place / "handouts" / index
        is_file = "/" in handout.build or handout.build.endswith(ENDINGS)
        with collected(problems), _reported_at(at / "build", at / "only"):
            word = str(_attached(supplement, handout.build, at / "build")) if is_file else handout.build
            for job in () if alone else jobs_of([word], Selection(handout.only)):
                if isinstance(job, Job):
                    paper = replace(job.paper, theme=theme)
                    yield job._replace(paper=paper, sheet=f"{index}-{job.stem}", title=paper.title)


def in_theme(jobs: Iterable[Job | Pack], word: str) -> list[Job | Pack]:
    """Return the jobs, all in the theme that a word names: a theme that ships, or the path of a theme's file.

    Raises ProblemsError: F143 for an unknown theme, or a token, font or contrast that is refused. F101 or F206 if the
    file or a font is missing, or outside the folder of the file. Other F1xx and R201 to R203 as ``read_model`` does.
    """
    from generator.documents.supplement import load_theme
    from generator.rules.source.pictures import path_inside

    document, _ = parse_yaml(to_yaml(word), "command line")
    problems: list[Problem] = []
    if document is None:
        raise ProblemsError(refused("F143", word, "the name of a theme", word))
    path, place = Path(word), Part("", document).place()
    theme = load_theme(path.name if path.suffix else word, partial(path_inside, path.parent), place, problems)
    raise_any(problems)
    return [changed(job, partial(replace, theme=theme)) for job in jobs]


def _unprintable(supplement: Supplement, error: LayoutError) -> Problem:
    """Return F132 at the block or the text that the error names; at the manifest if no file has it."""
    names = [*(chapter.file for chapter in supplement.model.chapters), SUPPLEMENT]
    texts = [(supplement.shown(name), supplement.text(name, supplement.place)) for name in names]
    spans = (span_of(*text, printed) for printed in (error.block, error.text) for text in texts)
    span = next(filter(None, spans), Span(supplement.shown(SUPPLEMENT)))
    hint = error.remedy.to_sheet or error.remedy.to_text
    return Problem("F132", span, "a page that can be printed", error.found, hint=hint)
