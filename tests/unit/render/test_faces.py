"""Cards laid out: whatever stands on one, every part has its place and nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.render.assemble.imposition import pages
from generator.render.cards.card_foot import foot_lines
from generator.render.cards.deck import Asked, Boxes, Card, Chance, Deck, Grid, Line, Stat, Symbol, Ticks
from generator.render.cards.faces import BOTTOM, HEIGHT, SIDE, SPACINGS, TOP, WIDTH, faces
from generator.render.cards.unit_icons import FRAMES, SIGNS
from generator.render.imprinted import Imprint
from generator.render.page.pdf import render_pdf
from generator.render.type.text_length import _widths

if TYPE_CHECKING:
    from generator.render.blocks import Paper
    from generator.render.cards.faces import Face

pytestmark = pytest.mark.slow

EDGE = 6.35
"""What printers leave white, in millimetres."""
ROUNDING = 1e-6


@cache
def alphabet() -> list[str]:
    """Every letter that all our faces have; marks are left out, for they need a letter to stand on."""
    known = set.intersection(*(set(_widths(face)) for face in ("sans", "sans-semibold", "sans-bold", "sans-black")))
    return sorted(letter for letter in known if letter.isprintable() and category(letter)[0] != "M")


def written(chance: Random, most: int, least: int = 0) -> str:
    """What somebody may write: words, runs without a space, any letter, dice and marks."""
    size = chance.choice([least, chance.randint(least, most), most])
    way = chance.randrange(4)
    if way == 0:
        text = " ".join(chance.choices(WORDS, k=size))
    elif way == 1:
        text = "".join(chance.choices(alphabet(), k=size))
    elif way == 2:
        text = "".join(chance.choices("WMil—/", k=size))
    else:
        words = ("".join(chance.choices(alphabet(), k=chance.randint(1, 9))) for _ in range(size))
        text = " ".join(words)
    return text[:most].strip() or "x" * least


WORDS = ("Sabre", "a", "of", "D8", "D12", "*", "**x**", "{ruled}", "<b>", "&amp;", "HKP/3", "1–12", "·", "×", "Mg" * 9)
CELLS = ("12″", "D8", "–", "red, yellow", "yes", "4·3·3", "anything that is hit by it")
CHANCES = (Chance("60", 3), Chance(">99", 5), Chance("–", None), Chance("<1", 0))


def grid(chance: Random) -> Grid:
    columns, targets = chance.randint(0, 5), chance.randint(0, 6)

    def line() -> Line:
        cells = tuple(chance.choice([*CELLS, written(chance, 10)]) for _ in range(columns))
        return Line(written(chance, 40, 1), cells, tuple(chance.choices(CHANCES, k=targets)))

    heads = tuple(written(chance, 16) for _ in range(columns))
    over = tuple(written(chance, 10) for _ in range(targets))
    lines = tuple(line() for _ in range(chance.choice([1, 2, 3, 4, 30])))
    return Grid(written(chance, 60), heads, over, lines, (Asked(written(chance, 100), written(chance, 100)),))


def any_card(chance: Random, most_grids: int = 30, most_note: int = 2000) -> Card:
    """A card of anything."""

    def tick() -> Ticks:
        boxes = (Boxes(written(chance, 20), chance.choice([0, 1, 3, chance.randint(0, 60)])) for _ in range(4))
        return Ticks(chance.choice(["", "1", "12"]), tuple(boxes)[: chance.randint(0, 4)])

    figures = ("12″", "D8", "4·3·3", "Powered", written(chance, 6))
    return Card(
        name=written(chance, 80, 1),
        who=written(chance, 80),
        points=chance.choice(["", "?", "179", "12345"]),
        under_points=chance.choice([(), ("points",), ("points each", "178821 for 999")]),
        symbol=Symbol(chance.choice([*FRAMES, "other"]), chance.choice([*SIGNS]), chance.randint(0, 9)),
        stats=tuple(Stat(chance.choice(figures), written(chance, 30)) for _ in range(chance.randint(0, 12))),
        grids=tuple(grid(chance) for _ in range(chance.choice([0, 1, 2, chance.randint(0, most_grids)]))),
        also=written(chance, 300),
        note=written(chance, most_note),
        ticks=tuple(tick() for _ in range(chance.randint(0, 12))),
    )


def cards(most_grids: int = 30, most_note: int = 2000) -> st.SearchStrategy[Card]:
    """Any card. Drawn by a number: so large a thing would take longer to draw than to lay out."""
    return st.integers(0, 2**32 - 1).map(lambda seed: any_card(Random(seed), most_grids, most_note))  # noqa: S311


class Part(NamedTuple):
    """A rectangle of a face."""

    left: float
    top: float
    right: float
    bottom: float


def parts(face: Face) -> list[Part]:
    """Everything below the heavy rule, and what stands over it."""
    wide = (SIDE, WIDTH - SIDE)
    rows = [(one.top, one.height) for one in face.strip]
    below = [Part(wide[0], top, wide[1], top + height) for top, height in rows]
    below += [Part(one.left, one.top, one.left + one.width, one.top + one.height) for one in face.grids]
    below += [Part(wide[0], one.top, wide[1], one.top + one.height) for one in face.texts]
    below += [Part(one.left, one.top, one.left + one.width, one.top + one.height) for one in face.ticks]
    over = [Part(face.left, one.top, WIDTH - 31.5, one.top + one.height) for one in (face.name, face.who)]
    return [*over, *below, Part(wide[0], face.foot.top, wide[1], face.foot.top + face.foot.height)]


def stats_of(face: Face) -> tuple[Stat, ...]:
    """The big figures that it shows."""
    return tuple(place.stat for strip in face.strip for place in strip.stats)


def below(face: Face, first: Face) -> list[Part]:
    """What stands under the heavy rule; of a further face without the big figures that are shown again."""
    again = face is not first and stats_of(face) == stats_of(first)
    return parts(face)[2 + (len(face.strip) if again else 0) : -1]


def apart(one: Part, other: Part) -> bool:
    return (
        one.bottom <= other.top + ROUNDING
        or other.bottom <= one.top + ROUNDING
        or one.right <= other.left + ROUNDING
        or other.right <= one.left + ROUNDING
    )


ANY = settings(deadline=None, max_examples=6)


@ANY
@given(cards())
def test_every_part_lies_inside_its_face_and_clear_of_the_others(card: Card) -> None:
    for face in faces(card):
        found = parts(face)
        for one in found:
            assert one.left >= SIDE - ROUNDING
            assert one.right <= WIDTH - SIDE + ROUNDING
            assert one.top >= TOP - 0.7
            assert one.bottom <= BOTTOM + ROUNDING
        for index, one in enumerate(found):
            assert [(one, other) for other in found[index + 1 :] if not apart(one, other)] == []
        assert face.who.top + face.who.height <= face.rule
        assert all(one.top >= face.rule for one in found[2:])


@ANY
@given(cards())
def test_columns_and_figures_lie_inside_their_part(card: Card) -> None:
    for face in faces(card):
        for strip in face.strip:
            assert all(one.left + one.width <= other.left + ROUNDING for (one, other) in pairwise(strip.stats))
            assert strip.stats[0].left >= SIDE
            assert strip.stats[-1].left + strip.stats[-1].width <= WIDTH - SIDE + ROUNDING
        for place in face.grids:
            assert min(place.widths) > 0
            assert sum(place.widths) == pytest.approx(place.width)
            assert sum(place.rows) == pytest.approx(place.height)
            assert len(place.rows) == 1 + len(place.grid.lines)
            assert len(place.widths) == 1 + len(place.grid.heads) + len(place.grid.targets)


@ANY
@given(cards())
def test_nothing_is_lost_and_everything_keeps_its_order(card: Card) -> None:
    found = faces(card)
    shown = [stats_of(face) for face in found]  # on every face, or once where they are too many
    assert all(one == card.stats for one in shown) or sum(shown, ()) == card.stats
    lines = [(place.grid.title, line) for face in found for place in face.grids for line in place.grid.lines]
    assert lines == [(grid.title, line) for grid in card.grids for line in grid.lines]
    for plain, text in ((False, card.also), (True, card.note)):
        said = [line for face in found for words in face.texts if words.plain is plain for line in words.lines]
        left_out = plain and not said and len(found) == 1  # a short note goes before a second face comes
        assert "".join("".join(said).split()) == ("" if left_out else "".join(text.split()))
        assert not left_out or len(text) < 2 * 150
    ticks = [(place.ticks.name, boxes) for face in found for place in face.ticks for boxes in place.ticks.boxes]
    assert ticks == [(tick.name, boxes) for tick in card.ticks for boxes in tick.boxes]
    kinds = [what for face in found for what in _kinds(face)]
    if not any(face.ticks for face in found[1:]):  # boxes stand on the first face, or behind all else
        kinds = [what for what in kinds if what != 5]
    assert kinds == sorted(kinds)  # but for the big figures, with which every face begins


def _kinds(face: Face) -> list[int]:
    """Which parts a face has, in the order of a card."""
    texts = [4 if words.plain else 3 for words in face.texts]
    return [2] * len(face.grids) + texts + [5] * len(face.ticks)


def test_narrow_tables_stand_side_by_side_and_wide_ones_below_each_other() -> None:
    def tops(*heads: str) -> list[float]:
        grids = tuple(Grid(f"Guns {head}", (head, head), (), (Line("Rifle", ("1", "2"), ()),)) for head in heads)
        made = Card("a", "", "", (), Symbol("none", "none"), (), grids, "", "", ())
        (face,) = faces(made)
        return [place.top for place in face.grids]

    narrow = tops("Rank", "Skill")
    assert narrow[0] == narrow[1]
    wide = tops("Many words over it", "And as many over this")
    assert wide[0] < wide[1]


@ANY
@given(cards())
def test_every_face_says_which_of_how_many_it_is(card: Card) -> None:
    found = faces(card)
    assert [(face.number, face.of) for face in found] == [(n, len(found)) for n in range(1, len(found) + 1)]
    assert all(face.card is card for face in found)
    for face in found:
        for words, text in ((face.name, card.name), (face.who, card.who)):
            assert "".join("".join(words.lines).split()) == "".join(text.split())


@ANY
@given(cards(most_grids=3, most_note=300))
def test_what_fits_one_face_is_on_one(card: Card) -> None:
    found = faces(card)
    foot = foot_lines([one for grid in card.grids for one in grid.asked], WIDTH - 2 * SIDE)  # of all faces
    room = found[0].foot.top + found[0].foot.height - len(foot) * 2.85 - 0.5 - (found[0].rule + 1.0)
    under = [one for face in found for one in below(face, found[0])[: len(below(face, found[0])) - len(face.ticks)]]
    grids = [place for face in found for place in face.grids]
    lines: dict[tuple[int, float], float] = {}
    for face in found:
        for place in face.ticks:
            lines[face.number, place.top] = max(lines.get((face.number, place.top), 0.0), place.height)
    airs = [row % 3.05 - SPACINGS[-1].air for place in grids for row in place.rows]
    needed = sum(one.bottom - one.top + SPACINGS[-1].gap for one in under) - sum(airs) + sum(lines.values())
    tables = {(face.number, place.top) for face in found for place in face.grids}
    needed += (SPACINGS[-1].between - SPACINGS[-1].gap) * max(0, len(tables) - 1)
    whole = len(grids) == len(card.grids)  # what no face could hold is in pieces with heads of their own
    if len(found) > 1 and whole and stats_of(found[0]) == card.stats:
        assert needed > room
    ends = [max((part.bottom for part in parts(one)[2:-1]), default=one.rule) for one in found]
    rows = [{round(part.top, 3) for part in parts(one)[2 + len(one.strip) : -1]} for one in found]
    loose = [not one.ticks and len(row) > 1 for one, row in zip(found, rows, strict=True)]  # not one thing alone
    several = [end for end, one in zip(ends, loose, strict=True) if one]
    for (one, end), other in pairwise([*zip(found, ends, strict=True)]):
        first = min(below(other[0], found[0]), key=lambda part: part.top)  # with it a face were fuller than any is
        after = end + SPACINGS[0].gap + first.bottom - first.top
        assert one.ticks or after > max(several, default=0.0) - ROUNDING


def plain_card(*many: int, note: str = "", name: str = "a", boxes: int = 0) -> Card:
    """A card with wide tables of so many rows, in pairs that stay together, and lines of boxes."""
    wide = ("Many words over it", "And as many over this", "And over this", "And this")
    grids = tuple(
        Grid(f"T{n}", wide, (), tuple(Line(f"{row}", ("1",) * 4, (), goes_on=row % 2 == 1) for row in range(lines)))
        for n, lines in enumerate(many)
    )
    ticks = tuple(Ticks(f"{n}", (Boxes("Hit", 25),)) for n in range(boxes))
    return Card(name, "", "", (), Symbol("none", "none"), (), grids, "", note, ticks)


def rows_of(card: Card) -> list[list[int]]:
    return [[len(place.grid.lines) for place in face.grids] for face in faces(card)]


def test_what_needs_two_faces_is_shared_out_evenly() -> None:
    assert rows_of(plain_card(3, 3, 3, 3, 3, 3)) == [[3, 3, 3], [3, 3, 3]]


def test_no_face_parts_the_rows_of_one_weapon() -> None:
    for room in range(5):
        parts = [many for face in rows_of(plain_card(30, boxes=room)) for many in face]
        assert len(parts) > 1
        assert all(many % 2 == 0 for many in parts)


def test_cards_of_one_design_are_shared_out_alike_whatever_the_boxes() -> None:
    large = plain_card(6, 6, boxes=4)
    assert len(faces(large)) == 2
    assert len(faces(plain_card(6, 6))) == 1
    few = [replace(plain_card(6, 6, boxes=many), like=large) for many in range(4)]
    assert [rows_of(one) for one in few] == [rows_of(large)] * 4


@ANY
@given(st.lists(cards(most_grids=3, most_note=200), min_size=1, max_size=8), st.sampled_from(["a4", "letter"]))
def test_faces_of_a_card_stand_together_and_in_order(made: list[Card], paper: Paper) -> None:
    found = pages(deck(*made), paper)
    spots = [spot for page in found for spot in page.spots]
    every = [face for card in made for face in faces(card)]
    assert sorted(id(spot.face.card) for spot in spots) == sorted(id(face.card) for face in every)
    at = {(id(spot.face.card), spot.face.number): (page, spot) for page in found for spot in page.spots}
    for face in every:
        if face.number % 2 == 0:
            page, one = at[id(face.card), face.number - 1]
            other_page, other = at[id(face.card), face.number]
            beside, below = (one.left + WIDTH, one.top), (one.left, one.top + HEIGHT)
            assert page is other_page
            assert (other.left, other.top) in (beside, below)
    width, height = {"a4": (297, 210), "letter": (279.4, 215.9)}[paper]
    for page in found:
        corners = {(spot.left, spot.top) for spot in page.spots} | {(free.left, free.top) for free in page.blanks}
        assert len(corners) == len(page.spots) + len(page.blanks)
        assert len(found) == 1 or len(corners) == 4
        assert all(left >= EDGE and left + WIDTH <= width - EDGE for left, _ in corners)
        assert all(top >= EDGE and top + HEIGHT <= height - EDGE for _, top in corners)


def units_on_pages(*cards: str) -> list[list[str]]:
    """Cards named by their unit, those in capitals of two faces: what stands on each page, row by row."""
    made = [replace(plain_card(note="word " * 400 if one.isupper() else ""), unit=one.lower()) for one in cards]
    assert [len(faces(one)) for one in made] == [2 if one.isupper() else 1 for one in cards]
    found = []
    for page in pages(deck(*made), "a4"):
        places = [(blank.top, blank.left, "-") for blank in page.blanks]
        places += [(spot.top, spot.left, f"{spot.face.card.unit}{'' if spot.face.of == 1 else spot.face.number}")
                   for spot in page.spots]  # fmt: skip
        found.append([name for *_, name in sorted(places)])
    return found


def test_a_place_that_two_faces_leave_goes_to_a_card_of_their_unit_or_stays_free() -> None:
    assert units_on_pages("a", "b", "c", "D", "e") == [["a", "b", "c", "-"], ["d1", "d2", "e", "-"]]
    assert units_on_pages("a", "b", "c", "D", "d", "e") == [["a", "b", "c", "d"], ["d1", "d2", "e", "-"]]
    assert units_on_pages("a", "b", "d", "D", "e") == [["a", "b", "d1", "d2"], ["d", "e", "-", "-"]]
    assert units_on_pages("a", "B", "c", "d") == [["a", "c", "b1", "b2"], ["d", "-", "-", "-"]]
    assert units_on_pages("a", "B", "b", "d") == [["a", "b", "b1", "b2"], ["d", "-", "-", "-"]]
    assert units_on_pages("a", "B", "C") == [["a", "-", "b1", "b2"], ["c1", "c2", "-", "-"]]
    assert units_on_pages("a", "b") == [["a", "b"]]


def deck(*made: Card) -> Deck:
    return Deck(
        id="a", title="Reds: cards", strap="The rules.", cards=made, imprint=Imprint(
            author="A", edition="1", fingerprint="0000 0000", source="s", rights="r", created="2001-02-03"
        ),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_the_engine_agrees(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - the same decks each time
    made = deck(*(any_card(chance, most_grids=3, most_note=600) for _ in range(1 + seed % 2)))
    paper: Paper = "letter" if seed % 3 else "a4"
    assert render_pdf(made, paper=paper, ink="mono").pages == len(pages(made, paper))
