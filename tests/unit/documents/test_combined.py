"""Layers beside each other: what each brings is printed, under a different name where they share one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pypdfium2
import pytest

from generator.commands import printing
from generator.commands.access import open_library
from generator.commands.jobs import Selection
from generator.commands.printer import Output
from generator.documents.sheets import compose
from generator.render.page.pdf import render_pdf

if TYPE_CHECKING:
    from pathlib import Path

    from generator.render.blocks import Paper, Sheet, Table
    from tests.conftest import Bench

READINGS = """\
sheet: {sheet}
title: Readings of {layer}
strap: Made up.
kicker: Test
rows:
  - columns:
      - - section: S
          blocks:
            - {{readings: [ruled], parents: false}}
            - {{sources: cited, parents: false}}
            - {{options: own}}
"""


def two_layers(bench: Bench, *sheets: str) -> None:
    """Layers ``brass`` and ``iron`` over ``tin``: each rules on one cost, has an option, and brings these sheets."""
    for layer, gun, was in (("brass", "pop", 3), ("iron", "cannon", 8)):
        bench.layer(
            layer,
            f'set: "tables.guns[{gun}].cost", was: {was}, to: 9, status: ruled, reason: So says {layer}., cite: x',
        )
        bench.change(
            f"{layer}/ruleset.yaml",
            "extends: [tin]",
            f"extends: [tin]\noptions: {{{layer}ed: {{label: Of {layer}, yes_no: true, default: false, cite: x}}}}",
        )
        for sheet in sheets:
            bench.write(f"{layer}/sheets/{sheet}.yaml", READINGS.format(sheet=sheet, layer=layer))


def composed(bench: Bench, name: str) -> dict[str, Sheet]:
    """Every sheet that is the rule set's own, by the name of its file."""
    rules = bench.rules(name)
    return {sheet.id: sheet for sheet in (compose(rules, one, "", []) for one in rules.own_sheets())}


def notes(sheet: Sheet) -> list[str]:
    """Why a reading is as it is, of each reading that the sheet lists."""
    table: Table = sheet.rows[0].columns[0][0].blocks[1]  # type: ignore[assignment] # behind the legend of READINGS
    return [row[1].text.rpartition("** ")[2] for row in table.rows if len(row) > 2]


def test_an_appendix_of_one_layer_holds_the_readings_of_both(bench: Bench) -> None:
    two_layers(bench)
    bench.write("iron/sheets/appendix.yaml", READINGS.format(sheet="appendix", layer="iron"))
    (sheet,) = composed(bench, "brass+iron").values()
    assert notes(sheet) == ["So says brass.", "So says iron."]
    _, options = sheet.rows[0].columns[0][0].blocks[2:]
    assert [row[0].text for row in options.rows] == ["Of brass", "Of iron"]  # type: ignore[attr-defined]


def test_sheets_of_one_name_are_both_printed_each_for_its_layer(bench: Bench) -> None:
    two_layers(bench, "appendix")
    sheets = composed(bench, "brass+iron")
    assert list(sheets) == ["brass+iron-brass-appendix", "brass+iron-iron-appendix"]
    assert [one.title for one in sheets.values()] == ["Readings of brass", "Readings of iron"]
    assert [one.kicker[1] for one in sheets.values()] == ["brass", "iron"]
    assert [notes(one) for one in sheets.values()] == [["So says brass."], ["So says iron."]]


def test_a_sheet_of_one_name_still_goes_over_that_of_a_parent(bench: Bench) -> None:
    two_layers(bench, "quick")
    assert list(composed(bench, "brass")) == ["brass-quick"]
    assert list(bench.rules("brass").sheets) == ["quick"]
    assert list(bench.rules("brass+iron").sheets) == ["brass/quick", "iron/quick"]
    bench.write("gold/ruleset.yaml", (bench.folder / "iron/ruleset.yaml").read_text().replace("iron", "gold"))
    bench.change("gold/ruleset.yaml", "extends: [tin]", "extends: [brass, iron]")
    assert list(bench.rules("gold").sheets) == ["brass/quick", "iron/quick"]
    bench.write("gold/sheets/quick.yaml", READINGS.format(sheet="quick", layer="gold"))
    assert list(bench.rules("gold").sheets) == ["quick"]
    assert bench.rules("gold").sheets["quick"].owner == "gold"


@pytest.mark.parametrize(
    ("only", "files"),
    [
        ((), ["brass+iron-brass-appendix-a4.pdf", "brass+iron-iron-appendix-a4.pdf"]),
        (("appendix",), ["brass+iron-brass-appendix-a4.pdf", "brass+iron-iron-appendix-a4.pdf"]),
        (("iron/appendix",), ["brass+iron-iron-appendix-a4.pdf"]),
    ],
)
def test_one_of_them_can_be_asked_for(bench: Bench, tmp_path: Path, only: tuple[str, ...], files: list[str]) -> None:
    two_layers(bench, "appendix")
    built = printing.build(
        open_library(bench.folder), ["brass+iron"], Output(tmp_path / "out"), selection=Selection(only)
    )[0]["built"]
    assert [one["path"].rpartition("/")[2] for one in built] == files
    assert all((tmp_path / "out" / file).is_file() for file in files)


def test_rights_are_joined_without_saying_a_sentence_twice(bench: Bench) -> None:
    two_layers(bench)
    for layer, rights in (
        ("brass", "© A. Brass. Copy it. Tin © T. Smith."),
        ("iron", "© A. Iron. Tin © T. Smith. No sale."),
    ):
        bench.change(f"{layer}/ruleset.yaml", "rights: Made up for the tests.", f'rights: "{rights}"')
    joined = bench.rules("brass+iron").manifest.rights
    assert joined == "© A. Brass. Copy it. Tin © T. Smith. © A. Iron. No sale."


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_long_line_of_rights_makes_the_foot_higher(bench: Bench, paper: Paper) -> None:
    two_layers(bench, "appendix")
    for layer in ("brass", "iron"):
        rights = f"{layer.capitalize()} belongs to somebody with a very long name and to all of that body’s heirs. " * 2
        bench.change(f"{layer}/ruleset.yaml", "rights: Made up for the tests.", f"rights: {rights}End of {layer}.")
    rules = bench.rules("brass+iron")
    sheet = compose(rules, rules.sheets["iron/appendix"], "", [])
    (page,) = pypdfium2.PdfDocument(render_pdf(sheet, paper=paper, ink="mono").pdf)
    text = page.get_textpage()
    assert "End of brass." in text.get_text_bounded()
    search = text.search("End of iron.")
    index, _ = search.get_next()
    assert text.get_charbox(index)[1] > 6.35 / 25.4 * 72, "nearer to the edge than printers reach"
