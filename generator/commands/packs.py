"""Make the print jobs of a scenario: its parts, each a document, and the pack that lists or binds them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from generator.commands.jobs import (
    CARDS,
    COVER,
    MARKERS,
    PACK,
    ROSTER,
    SHEETS,
    Findings,
    Job,
    Pack,
    Selection,
    unknown_parts,
    unprintable,
)
from generator.commands.scenarios import load_scenario_file
from generator.documents.force.cards import by_sides, deck
from generator.documents.force.rosters import file_name, roster
from generator.documents.pack import public, side_sheets
from generator.documents.pack.battle import slug
from generator.documents.pack.maps import board
from generator.documents.pack.markers import marker_sheet
from generator.documents.pack.reference import PackReference
from generator.documents.unprintable import strange_signs_of_battle
from generator.problems import ProblemsError, raise_any, refused
from generator.render.drawing import colour_word
from generator.render.language import Phrase
from generator.render.type.prose import breakable
from generator.rules.describe.differences import fingerprint
from generator.rules.load.load import ALL
from generator.rules.source.library import SCENARIO, Library
from generator.rules.source.parts import Place, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from generator.forces.force import Force
    from generator.render.blocks import Sheet
    from generator.render.cards.deck import Deck
    from generator.render.page.html import Document
    from generator.rules.ruleset import RuleSet
    from generator.rules.ruleset import Sheet as SheetData
    from generator.scenarios.scenario import Scenario, Side

P = TypeVar("P", "Sheet", "Deck")
EVERY = "all"
"""The part name that stands for every part of a pack, except the poster and the board."""
_EVERYBODY, _UMPIRE = "everybody", "the umpire"
_PLAY = "play"
"""The name of the play sheet of a rule set."""
_POSTER, _BOARD = "1-poster", "1-board"
"""The map on paper of double size, and on a page that is exactly the table: printed only if asked for by name."""


class _Planned(NamedTuple):
    """A part of a pack before it is composed. ``compose`` may take long, and returns None if the part is empty."""

    id: str
    title: str
    whose: str
    compose: Callable[[], Document | None]
    place: Place
    listed: str = ""
    """The title in the contents, which all may read, if the part's own title reveals a secret or says too little."""


def scenario_jobs(
    library: Library, path: Path, selection: Selection, found: Findings, begin: Callable[[Job], None] = lambda _: None
) -> list[Job | Pack]:
    """Return the bound pack of a scenario, or its wanted parts as separate jobs.

    If nothing or ``all`` is named, every part is wanted. A bound pack always has every part. The poster and the board
    are left out unless they are named. The cover comes after the parts if nothing, ``all`` or ``0-cover`` is named. If
    only other parts are named, these are returned alone, even if ``selection.bind`` is set. A scenario with errors is
    printed as a draft.

    ``begin`` is called with each part as soon as it is composed, so that it is rendered while others are composed. The
    names of the parts and the problems of the scenario are added to ``found``, also if an error is raised afterwards.
    Raises ProblemsError as ``load_scenario_file`` does, and with all problems if the table cannot be read. Codes: F132
    characters that cannot be printed; F214 a word of ``selection.parts`` that is no part of the pack; R241 a formula of
    a part without an answer; R319 an empty part that ``only`` names.
    """
    names = (*selection.only, *selection.parts)
    more = [(SHEETS, ALL), (CARDS, ALL), ("tables", ALL), ("procedures", ALL), (SCENARIO, MARKERS)]
    scenario = load_scenario_file(library, path, more)
    strange = tuple(strange_signs_of_battle(scenario))
    problems = in_order(scenario.place, (*scenario.problems, *strange))
    found.faults.extend(problems)
    if "table" in scenario.broken:
        raise ProblemsError(*problems)
    raise_any(strange)
    mark = fingerprint(scenario.rules, scenario=True)
    planned = tuple(_planned(scenario, _references(scenario.rules), mark, selection.size))
    known = [*(item.id for item in planned), COVER]
    found.known.update(dict.fromkeys((COVER, *known)))
    hint = f"parts: {', '.join(known)}; or {EVERY}"
    raise_any(unknown_parts(selection.parts, (*known, EVERY), "a part of the pack", hint))
    stem = file_name(scenario)
    every = EVERY in names or not names
    whole = every or COVER in names  # the cover lists the pages of all parts
    composed = []
    for item in planned:
        if item.id not in names and (not whole or item.id in (_POSTER, _BOARD)):
            continue
        paper = item.compose()
        if paper is not None:
            blame = partial(unprintable, item.place)
            part = Job(paper, item.id, f"{stem}/{item.id}", blame, item.title, item.whose, item.listed)
            begin(part)
            composed.append(part)
        elif item.id in selection.only:
            empty, hint = "nothing of it in this battle", "leave it out"
            raise ProblemsError(refused("R319", item.id, f"the part {item.title}", empty, hint))
    wanted = [part for part in composed if every or part.sheet in names]
    if not whole:
        return [*wanted]
    cover = partial(_cover, scenario, composed, mark)
    name, sheet = (f"{stem}-{PACK}", PACK) if selection.bind else (f"{stem}/{COVER}", COVER)
    files = {path.name: path.read_bytes()} if path.is_file() else {}  # standard input is no file
    pack = Pack(tuple(composed), cover, name, files, partial(unprintable, scenario.place), sheet)
    # The cover comes last, so that parts printed before it need not be rendered again to count their pages.
    return [pack] if selection.bind else [*wanted, pack]


def _references(rules: RuleSet) -> list[list[SheetData]]:
    """Return the sheets of a pack's reference, whole, in a list for each of its parts.

    The sheet ``play`` is a part, and all others are the second. They are the sheets with ``handout``, sorted by its
    number, then other sheets that have sections with ``handout: true``. If several layers wrote such other sheets, only
    those that the last of these layers or a later layer wrote or changed are returned. A part without sheets is left
    out.
    """
    sheets, chain = rules.printed_sheets(), [folder.ruleset for folder in rules.chain]
    handouts = [sheet for sheet in sheets if sheet.model.handout is not None and sheet.model.sheet != _PLAY]
    play = [sheet for sheet in sheets if sheet.model.sheet == _PLAY]
    more = sorted(handouts, key=lambda sheet: sheet.model.handout or 0)
    others = (sheet for sheet in sheets if sheet not in (*play, *more))
    parts = [sheet for sheet in others if any(section.handout for section in sheet.model.sections())]
    last = max((chain.index(sheet.place.inside.owner) for sheet in parts), default=0)
    more += [sheet for sheet in parts if sheet.owner in chain[last:]]
    return [part for part in (play, more) if part]


def _planned(scenario: Scenario, references: Sequence[list[SheetData]], mark: str, size: str) -> Iterator[_Planned]:
    """Yield every part except the cover, in the order of their numbers: from the table (1) to the appendix (9).

    A part may turn out to be empty when it is composed. Raises ProblemsError (R241) as ``PackReference`` does.

    ``references`` has the sheets of each part of the reference. ``mark`` is the fingerprint for the feet of the sheets;
    ``size`` is the format of cards.
    """

    def part(id_: str, title: str, whose: str, compose: Callable[..., Document | None], *given: object) -> _Planned:
        return _Planned(id_, title, whose, partial(compose, *given, mark), scenario.place)

    reference = PackReference(scenario, [sheet for sheets in references for sheet in sheets])
    told = tuple(public.procedures(scenario, reference.told()))
    fielded = [(side, side.force) for side in scenario.sides if side.force is not None]
    yield part("1-table", "The table", _EVERYBODY, public.table_sheet, scenario, scenario.table, told)
    yield part(_POSTER, "The map as a poster", _EVERYBODY, public.poster, scenario, scenario.table)
    yield part(_BOARD, "The map for a virtual table", _EVERYBODY, board, scenario, scenario.table)
    for side in scenario.sides:
        id_, title, whole = f"2-{slug(scenario, side)}", f"{side.name}: orders", f"{side.name}: orders, secrets, map"
        yield part(id_, title, side.name, side_sheets.side_sheet, scenario, side)._replace(listed=whole)
    if scenario.has_secrets:
        yield part("3-umpire", "For the umpire", _UMPIRE, side_sheets.umpire_sheet, scenario)
    for number, sheets in enumerate(references):
        id_, title = _part("4-reference", number), f"Reference: {', '.join(sheet.model.title for sheet in sheets)}"
        listed = Phrase("Reference: {what}", what=reference.titles(sheets))
        yield part(id_, title, _EVERYBODY, reference.sheet, sheets)._replace(listed=listed)
    for side, force in fielded:
        yield from _elements(scenario, side, force, mark, size)
    yield part("6-markers", "Markers and turn track", _EVERYBODY, marker_sheet, scenario)
    for side, force in fielded:
        id_ = f"9-{ROSTER}-{slug(scenario, side)}"
        yield part(id_, f"{side.name}: roster", side.name, _roster, side, force)._replace(place=force.place)
    yield part("9-readings", "Readings and options", _EVERYBODY, reference.readings)
    yield part("9-balance", "Balance", _UMPIRE, side_sheets.balance_sheet, scenario)


def _part(name: str, number: int) -> str:
    """Return the id of one of several parts with a name: without a number for 0, with 2 for 1, and so on."""
    return f"{name}-{number + 1}" if number else name


def _roster(side: Side, force: Force, mark: str) -> Sheet:
    return _headed(roster(force, mark), side)


def _elements(scenario: Scenario, side: Side, force: Force, mark: str, size: str) -> Iterator[_Planned]:
    """Yield two parts with the cards of a side's designs, one for each deck that ``by_sides`` returns.

    The second part is empty if there is only one deck. Both are empty for a force without designs. ``mark`` is the
    fingerprint for the feet; ``size`` is the format of the cards.
    """
    name = slug(scenario, side)

    @cache
    def decks() -> list[Deck | None]:
        """Return the decks of the cards of ``force``, as ``by_sides`` returns them, then None twice.

        So there are always at least two items. The decks have the name, colour and emblem of ``side``.
        Raises ProblemsError (R241) as ``deck`` does.
        """
        cards = deck(force, mark, aside=scenario.aside)
        number = scenario.sides.index(side)
        cards = replace(cards, owner=side.name, colour=colour_word(side.colour, number), emblem=number)
        return [*(_headed(some, side) for some in by_sides(cards, size)), None, None]

    for number, more in enumerate(("", " printed on one side")):
        part, title = _part(f"5-{CARDS}-{name}", number), f"{side.name}: cards{more}"
        yield _Planned(part, title, side.name, partial(lambda number: decks()[number], number), force.place)


def _headed(paper: P, side: Side) -> P:
    """Return a force's document with the side's name in its strap.

    The document is unchanged if the force has the same name.
    """
    if side.force is None or side.force.name == side.name:
        return paper
    return replace(paper, strap=f"{breakable(side.name)}. {paper.strap}")


def _cover(scenario: Scenario, parts: Sequence[Job], mark: str, counts: Sequence[int], *, linked: bool) -> Sheet:
    """Return the cover with the print plan; ``counts`` are the pages of each of the ``parts``.

    With ``linked`` the rows of the plan link to the parts. ``mark`` is the fingerprint for the foot.
    """
    plan = [
        public.PlanRow(part.sheet, part.sheet if linked else "", part.listed or part.title, part.whose, count)
        for part, count in zip(parts, counts, strict=True)
    ]
    played = (part.paper for part in parts if not part.sheet.startswith("9"))
    return public.cover(scenario, plan, played, mark)
