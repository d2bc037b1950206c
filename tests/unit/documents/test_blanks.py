"""Blank cards and sheets: every kind that has a card, its heads and boxes, and no figure of any design."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from generator.commands.access import load_valid, open_library
from generator.commands.forces import load_force_file
from generator.commands.jobs import CARDS, SHEETS
from generator.documents.force.designs import blank_deck, blank_sheets
from generator.forces.starter import starter_force
from generator.render.blocks import Strip
from generator.render.cards.columns import needs_back
from generator.render.cards.deck import EACH, IN_ROW, Line
from generator.render.page.pdf import render_pdf

if TYPE_CHECKING:
    from pathlib import Path

    from generator.forces.force import Force

pytestmark = pytest.mark.slow


def starter(rules: str, folder: Path) -> Force:
    path = folder / "blank.yaml"
    path.write_text(starter_force(load_valid(open_library(), rules)), encoding="utf-8")
    return load_force_file(open_library(), path, (CARDS, SHEETS))


@pytest.mark.parametrize("rules", ["dirtside2", "stargrunt2", "fma-skirmish", "sla-3d"])
def test_each_kind_has_a_sheet_of_blank_cards(rules: str, tmp_path: Path) -> None:
    made = blank_deck(starter(rules, tmp_path), "")
    assert len(made.cards) == EACH * len({card.who for card in made.cards})
    for card in made.cards:
        lines = [line for line in card.front if isinstance(line, Line)]
        figures = [stat.figure for stat in (*card.stats, *card.plan.beside)] + [*card.plan.faces]
        assert not any((*figures, card.points, card.note, *(text.strip() for line in lines for text in line.cells)))
        assert not any(chance.text for line in lines for chance in line.chances if chance)
        assert needs_back(card) == bool(card.runs)
        assert not card.own
        assert card.boxes
    assert render_pdf(replace(made, cards=made.cards[-EACH:]), paper="letter", ink="mono").pages == 1 + bool(
        made.cards[-1].runs
    )


def test_blank_cards_have_boxes_for_men_and_hits(tmp_path: Path) -> None:
    squad = blank_deck(starter("stargrunt2", tmp_path), "").cards[0]
    assert [(box.label, box.many) for box in squad.boxes] == [("Men lost", IN_ROW), ("Suppressed", 3)]
    assert squad.stats[0].label == "Quality"
    iceburg = {card.who: card for card in blank_deck(starter("dirtside2-iceburg", tmp_path), "").cards}
    assert [iceburg[who].elements for who in ("Vehicle", "Emplacement")] == [(1, 2, 3, 4, 5, 6)] * 2
    assert ("Destroyed", IN_ROW) in [(box.label, box.many) for box in iceburg["Cruise missiles"].boxes]
    character = blank_deck(starter("sla-3d", tmp_path), "").cards[0]
    assert [stat.label for stat in character.plan.beside] == ["PV", "suit PV"]
    assert [tell.partition(" ")[0] for tell in character.tells] == ["Move"]
    assert [run.label[:4] for run in character.runs] == [
        "Inca", "Beyo", "Head", "Tors", "Abdo", "Righ", "Left", "Righ", "Left"
    ]  # fmt: skip


def test_a_character_has_a_blank_combat_sheet(tmp_path: Path) -> None:
    [sheet] = blank_sheets(starter("sla-3d", tmp_path), "")
    blocks = [block for row in sheet.rows for column in row.columns for part in column for block in part.blocks]
    labels = [(figure.label, figure.text) for block in blocks if isinstance(block, Strip) for figure in block.figures]
    assert ("STR", "") in labels
    assert not any(text for _, text in labels)
