"""Documents in another language, and catalogues to translate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from generator.cli.group import fieldpress
from generator.parsing.catalogues import has_decimal_comma, read_catalogue, write_catalogue
from generator.render.blocks import Cell, Column, Prose, Row, Section, Sheet, Steps, Table
from generator.render.imprinted import NO_IMPRINT
from generator.render.language import LABELS, Language, message_of, translated
from generator.resources import rulesdata

if TYPE_CHECKING:
    from pathlib import Path

GERMAN = Language(
    "de",
    {
        "Move": "Bewegung",
        "cards": "Karten",
        "Costs # points, at most #": "Kostet # Punkte, höchstens #",
        "**Roll** D# above #.": "**Würfle** mit W# über #.",
        "of": "von",
    },
    comma=True,
)


def sheet(*blocks: Table | Prose | Steps, title: str = "Move") -> Sheet:
    return Sheet(
        id="Move",
        title=title,
        strap="",
        kicker=("Move",),
        rows=(Row(((Section("Move", blocks),),)),),
        imprint=NO_IMPRINT,
    )


def test_every_text_of_a_document_is_translated_and_its_name_is_not() -> None:
    table = Table((Column("Move"),), ((Cell("Costs 2.5 points, at most 1,200"),), (Cell("7.25"),)), "Move")
    found = translated(sheet(table, Steps(("**Roll** D6 above 4.",)), Prose(("Move",))), GERMAN)
    assert (found.id, found.title, found.kicker, found.language) == ("Move", "Bewegung", ("Bewegung",), "de")
    section = found.rows[0].columns[0][0]
    assert section.title == "Bewegung"
    said, steps, prose = section.blocks
    assert isinstance(said, Table)
    assert isinstance(steps, Steps)
    assert isinstance(prose, Prose)
    assert [row[0].text for row in said.rows] == ["Kostet 2,5 Punkte, höchstens 1.200", "7,25"]
    assert (said.columns[0].head, said.caption) == ("Bewegung", "Bewegung")
    assert steps.steps == ("**Würfle** mit W6 über 4.",)
    assert prose.paragraphs == ("Bewegung",)
    assert (found.say("of"), found.say("edition")) == ("von", "edition")


def test_texts_without_an_entry_stay_and_are_reported_once_joined_texts_piece_by_piece() -> None:
    missing: dict[str, None] = {}
    blocks = (Prose(("Red Company: cards", "Nobody moves 3 times")), Prose(("Mine",), plain=True))
    found = translated(sheet(*blocks), GERMAN, missing.setdefault)
    prose = found.rows[0].columns[0][0].blocks[0]
    assert isinstance(prose, Prose)
    assert prose.paragraphs == ("Red Company: Karten", "Nobody moves 3 times")
    assert [text for text in missing if text not in map(message_of, LABELS)][-2:] == [
        "Red Company",
        "Nobody moves # times",
    ]
    assert "Mine" not in missing


@given(st.dictionaries(st.text('abc ÄÖß"\\\n#{}*', min_size=1).filter(str.strip), st.text('xyz ü"\\\n', min_size=1)))
def test_a_catalogue_is_read_as_it_was_written(entries: dict[str, str]) -> None:
    assert read_catalogue(write_catalogue(entries, entries), "de.po") == (entries, [])


def test_a_catalogue_names_the_line_that_it_cannot_read() -> None:
    entries, (problem,) = read_catalogue('msgid "Move"\nmsgstr "Bewegung"\n\nmoves\n', "words/de.po")
    assert entries == {}
    assert (problem.code, problem.span.file, problem.span.line) == ("F145", "words/de.po", 4)


def test_decimals_follow_the_language() -> None:
    assert [has_decimal_comma(tag) for tag in ("de", "fr", "en-GB", "pt-BR", "ja")] == [True, True, False, True, False]


SHIPPED = sorted(path for path in rulesdata().glob("*/words/*.po"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_a_shipped_catalogue_has_an_entry_for_every_text_of_its_game(path: Path) -> None:
    words = ["words", path.parent.parent.name, "--language", path.stem]
    printed = CliRunner().invoke(fieldpress, words, prog_name="fieldpress").stdout
    entries, _ = read_catalogue(printed, "printed")
    messages = [line for line in printed.splitlines() if line.startswith("msgid ")]
    assert len(messages) == len(entries) > 100
    for message, entry in entries.items():
        assert entry.count("#") <= message.count("#"), message
        assert entry.count("**") == message.count("**"), message
