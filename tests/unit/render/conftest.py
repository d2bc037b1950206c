"""A sheet with one of everything, and the same sheet in print."""

from __future__ import annotations

import pytest

from generator.render.blocks import Cell, Column, Group, Prose, Row, Section, Sheet, Steps, Table, TintKey
from generator.render.imprinted import Imprint
from generator.render.page.pdf import Rendered, render_pdf


@pytest.fixture(scope="session")
def grid() -> Table:
    """A small grid with every tint."""
    heads = (Column("Weapon D4"), *(Column(f"A{number}", die=f"D{die}") for number, die in enumerate((4, 6, 8), 1)))
    rows = (
        (Cell("D4 Low"), Cell("18"), Cell("25", tint=1), Cell("45", tint=2)),
        (Cell("D12 High"), Cell("60", tint=3), Cell("75", tint=4), Cell("90", tint=5, mark="7")),
    )
    return Table(heads, rows, caption="Percent, by weapon and armour")


@pytest.fixture(scope="session")
def sheet(grid: Table) -> Sheet:
    """One of everything."""
    plain = Table(
        (Column("Roll", align="centre"), Column("Effect"), Column("Points", align="right", unit="each")),
        (
            (Cell("1", strong=True), Cell("Jams {ruled}"), Cell("1 000")),
            (Cell("2–6"), Cell("Total, both columns", span=2)),
        ),
        caption="Effects",
        show_caption=True,
        note="From the *core* rules.",
        group_rows=(1,),
    )
    key = Group("Key", (TintKey(("under 20", "20", "40", "55", "70", "85 and up")),))
    return Sheet(
        id="sample",
        title="Fire & movement",
        strap="One line that says what the sheet is for.",
        kicker=("Quick reference", "The rules"),
        rows=(
            Row(
                columns=(
                    (Section("Shooting", (Steps(("Roll **to hit**.", "Roll D10, then D8.")),), aside="roll D10"),),
                    (Section("Effects", (plain,)),),
                )
            ),
            Row(
                columns=(
                    (
                        Section("Chances", (grid, grid, grid, key), aside="percent", abreast=2),
                        Section("Notes", (Prose(("A *note*.",)), Prose(("A **text**.",), style="text"))),
                    ),
                )
            ),
        ),
        imprint=Imprint(
            author="A. Author",
            edition="1998-02-15",
            fingerprint="7c1e 04a9",
            source="The rules",
            rights="Shared with thanks.",
            created="1998-02-15",
        ),
    )


@pytest.fixture(scope="session")
def printed(sheet: Sheet) -> Rendered:
    """The sheet in print."""
    return render_pdf(sheet, paper="a4", ink="mono")
