"""The cover of a pack: the battle, the print plan, and the terrain to bring."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.pack import table_goods
from generator.documents.pack.battle import battle_sheet, turns_of
from generator.documents.pack.maps import OPENING, models
from generator.documents.pack.markers import markers_of_battle
from generator.documents.pack.side_sheets import facts
from generator.render.blocks import Cell, Column, Prose, Section, Sheet, Table
from generator.render.language import Phrase, spoken_list
from generator.render.markers.counters import Counter as Marker
from generator.rules.model.manifest import DOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.render.page.page_setup import Document
    from generator.scenarios.scenario import Scenario

_HOW = (
    "Print at 100 %, on both sides of the paper: flip on the long edge, the wide pages of 1-table and of cards on the "
    "short edge. Print markers, and cards without backs, on one side. "
    "Record damage on the cards of part 5 and nowhere else."
)
_NEEDED = "**This battle cannot be played without an umpire**, who keeps its secrets."
_WITHOUT = (
    "**This battle has secrets, and an umpire keeps them.** Without an umpire nobody reads 3-umpire, and its events do "
    "not happen. Write down before the battle what you would tell the umpire. Announce each secret when it takes "
    "effect."
)
_TIME = "Time: about {} hour{}, at a minute for each unit or figure in a turn."
_EVERYBODY = "everybody"
_OWN = "14"
"""The first digits of the parts that each player needs on paper."""
_APPENDIX = "9"
"""The first digit of the parts that nobody needs to play."""
_DIE = re.compile(r"(?<![A-Za-z])D(4|6|8|10|12|20)\b")
_HOUR = 60


class Entry(NamedTuple):
    """A row of the print plan: a part of the pack, whose it is, and how many pages it has."""

    id: str
    part: str
    """The part that the row links to; empty for no link."""
    title: str
    whose: str
    pages: int

    def copies(self, people: int) -> int:
        """Return how many copies of the part to print for this count of people, the umpire included.

        Each person needs one copy of a part that everybody uses in play. Any other part is needed once.
        """
        return people if self.whose == _EVERYBODY and self.id[0] in _OWN else 1


def cover(scenario: Scenario, plan: Sequence[Entry], papers: Iterable[Document], fingerprint: str) -> Sheet:
    """Return the cover page: title, figures, print plan, and what to bring. The cover shows no secrets.

    ``plan`` are the rows of the print plan. The dice to bring are the dice that the ``papers`` name.
    """
    secrets = scenario.has_secrets
    players = f"Players: {len(scenario.sides)}{', and an umpire' if secrets else ''}."
    sizes = sorted({int(size) for paper in papers for size in _DIE.findall(repr(paper))})
    dice = f"Dice: {', '.join(f'D{size}' for size in sizes)}." if sizes else ""
    bringing = " ".join(filter(None, (players, _time(scenario), dice)))
    without = () if not secrets else (_NEEDED,) if scenario.needs_umpire else (_WITHOUT,)
    sections = (
        Section("", (facts(scenario),)),
        _plan(plan, len(scenario.sides) + secrets, umpired=secrets),
        Section("Print once for every battle", (Prose((_goods(scenario),), "text"),)),
        _bring(scenario),
        Section("", (Prose((bringing, *without, _HOW)),)),
    )
    # The place beside the title is narrow, so a game and its expansions have a line each.
    kicker = ("scenario pack", *scenario.rules.manifest.short.split(DOT))
    return battle_sheet(scenario, "cover", scenario.name, scenario.mission, kicker, sections, fingerprint, cover=True)


def _goods(scenario: Scenario) -> str:
    """Return what the rules have to cut out that is the same in every battle, and the command that prints it."""
    pots = [f"the pot of {len(tray.pieces)} chits" for tray in table_goods.chits(scenario.rules)]
    goods = [*pots, *(["templates"] if any(table_goods.templates(scenario.rules)) else []), "markers to spare"]
    listed = spoken_list([*map(Phrase, goods)])
    command = f"fieldpress build {scenario.rules.id} --only markers"
    return Phrase("**{command}** prints {goods}.", command=command, goods=listed)


def _time(scenario: Scenario) -> str:
    """Return an estimate of how long the battle takes.

    It depends on the turns and on the count of units or figures that act.
    """
    acting = sum(1 for made in markers_of_battle(scenario) if isinstance(made.piece, Marker) and made.piece.rank)
    forces = [side.force for side in scenario.sides if side.force is not None]
    acting = acting or sum(sum(force.counts.values()) or len(force.designs) for force in forces)
    hours = max(1, round(acting * turns_of(scenario) / _HOUR))
    return _TIME.format(hours, "s" if hours > 1 else "")


def _plan(plan: Sequence[Entry], people: int, *, umpired: bool) -> Section:
    """Return the print plan: who gets which part, with its printed sides and copies.

    ``people`` is the count of players, with the umpire if the battle is ``umpired``.
    """
    each = "each player, the umpire" if umpired else "each player"
    rows = tuple(
        (
            Cell(entry.id, plain=True, strong=True),
            Cell(entry.title, plain=True, part=entry.part),
            Cell(each if entry.copies(people) > 1 else entry.whose, plain=True),
            Cell(str(entry.pages)),
            Cell(str(entry.copies(people))),
        )
        for entry in plan
    )
    heads = (
        Column("File", share=8),
        Column("What it is", share=9),
        Column("Who gets it", share=7),
        Column("Sides", align="right", share=2),
        Column("Copies", align="right", share=2),
    )
    played = [entry for entry in plan if not entry.id.startswith(_APPENDIX)]
    once = 1 + sum(entry.pages for entry in played)
    copied = 1 + sum(entry.pages * entry.copies(people) for entry in played)
    table = Table(heads, rows, "Print plan", plain_caption=True, dense=True, head_first=False)
    return Section("Print plan", (table,), f"with this cover, without 9: {once} sides, {copied} with all copies")


def _bring(scenario: Scenario) -> Section | None:
    """Return how much terrain the table needs, by kind; None without terrain."""
    kinds: dict[str, Counter[str]] = {}
    for piece in scenario.terrain:
        if piece.terrain.drawn == OPENING:
            continue
        model, many = models(piece)
        kinds.setdefault(piece.terrain.name, Counter()).update({"": 1, model: many})
    rows = tuple(
        (
            Cell(name, plain=True, strong=True),
            Cell(str(counts.pop(""))),
            Cell(", ".join(f"{many} {model}{'s' if many > 1 else ''}" for model, many in counts.items())),
        )
        for name, counts in kinds.items()
    )
    heads = (Column("Bring", share=5), Column("Pieces", align="right", share=2), Column("Models in all", share=6))
    half = -(-len(rows) // 2)
    tables = (Table(heads, part, "Terrain to bring", dense=True) for part in (rows[:half], rows[half:]) if part)
    return Section("Terrain to bring", tuple(tables), abreast=2) if rows else None
