"""Charts of what a procedure comes to: every bar worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from generator.documents.blocks.composition import Composition
from generator.rules.check.ruleset import check_sheet

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.render.blocks import Series
    from tests.conftest import Bench
    from tests.unit.documents.conftest import Print, Refuse

VOLLEY = """\
procedure: volley
title: Volley
cite: p. 4
steps: [Roll.]
inputs:
  men: {label: Men, range: 1..9}
  drill: {label: Drill, of: [raw, old], default: raw}
  flag: {label: Flag, yes_no: true, default: false, when: men > 1}
outcomes:
  - {outcome: down, label: Down}
  - {outcome: hurt, label: Hurt}
  - {outcome: bruised, label: Hurt}
cases:
  - when: men == 9
    always: down
  - rolls:
      - {roll: d, die: 6}
    results:
      - {outcome: down, when: d > 4}
      - {outcome: hurt, when: d == 4}
      - {outcome: bruised}
    numbers: {points: "none if d < 3 else d + men - 1", part: d / 2}
    which: {face: d}
"""


@pytest.fixture(autouse=True)
def volley(bench: Bench) -> None:
    bench.write("tin/procedures/volley.yaml", VOLLEY)


def bars(series: Series, values: tuple[str, ...]) -> dict[str, Fraction]:
    return dict(zip(values, series.chances, strict=True))


def test_outcomes_are_bars_and_those_of_one_name_are_one(printed: Print) -> None:
    chart = printed("{chart: volley, caption: What happens?, given: {men: 1}}")
    ((series,),) = [one.series for one in chart.panels]
    assert bars(series, chart.values) == {"Down": Fraction(1, 3), "Hurt": Fraction(2, 3)}
    assert (series.texts, series.mean, series.mean_text) == (("33", "67"), None, "")
    assert (chart.caption, chart.axis, chart.height) == ("What happens?", "", 30)
    assert chart.alt == "What happens? Down: 33 %, Hurt: 67 %"


def test_a_number_is_told_of_those_rolls_that_have_one(printed: Print) -> None:
    chart = printed("{chart: volley, number: points, caption: How many?, axis: points, given: {men: 2}}")
    ((series,),) = [one.series for one in chart.panels]
    assert bars(series, chart.values) == dict.fromkeys(("4", "5", "6", "7"), Fraction(1, 4))
    assert (series.mean, series.mean_text) == (1.5, "mean 5.5")
    assert chart.alt == "How many? (points) 4: 25 %, 5: 25 %, 6: 25 %, 7: 25 %; mean 5.5"


def test_with_a_lack_all_rolls_are_told(printed: Print) -> None:
    chart = printed("{chart: volley, number: points, caption: How many?, lack: Miss, given: {men: 2}}")
    ((series,),) = [one.series for one in chart.panels]
    assert bars(series, chart.values) == {"Miss": Fraction(1, 3)} | dict.fromkeys("4567", Fraction(1, 6))
    assert (series.mean, series.mean_text) == (2.5, "mean 5.5, not counting miss")
    assert sum(series.chances) == 1


def test_where_there_is_never_a_number_the_lack_is_all(printed: Print) -> None:
    chart = printed("{chart: volley, number: points, caption: Q, lack: Miss, each: men, given: {men: [2, 9]}}")
    assert [bars(one.series[0], chart.values)["Miss"] for one in chart.panels] == [Fraction(1, 3), 1]
    assert chart.panels[1].series[0].mean is None


def test_a_chart_with_nothing_in_it_is_a_problem(bench: Bench) -> None:
    block = "{chart: volley, number: points, caption: Q, given: {men: 9}}"
    sheet = "sheet: own\ntitle: O\nstrap: M\nkicker: T\nrows: [{columns: [[{section: S, blocks: [%s]}]]}]\n"
    bench.write("tin/sheets/own.yaml", sheet % block)
    rules = bench.rules()
    problems: list[Problem] = []
    own = rules.sheets["own"]
    check_sheet(rules, own, problems)
    assert problems == []
    (found,) = own.model.blocks()
    assert found.compose(Composition(rules, own.place, problems)) == ()
    assert [(one.code, one.found) for one in problems] == [("R241", "no points (men=9)")]


def test_the_last_bar_may_stand_for_all_above_it(printed: Print) -> None:
    chart = printed("{chart: volley, number: points, caption: Q, most: 5, given: {men: 2}}")
    ((series,),) = [one.series for one in chart.panels]
    assert bars(series, chart.values) == {"4": Fraction(1, 4), "5+": Fraction(3, 4)}
    assert (series.mean, series.mean_text) == (1, "mean 5.5")


def test_fractions_stand_where_they_are_and_the_mean_between_them(printed: Print) -> None:
    chart = printed("{chart: volley, number: part, caption: Q, given: {men: 1}}")
    assert chart.values == ("0.5", "1", "1.5", "2", "2.5", "3")
    assert chart.panels[0].series[0].mean == 2.5


def test_each_value_has_a_panel_over_the_same_values_with_its_name(printed: Print) -> None:
    block = "{chart: volley, number: points, caption: Q, each: men, panel: Men, names: {'3': three}, %s}"
    chart = printed(block % "given: {men: [1, 3]}")
    assert [one.title for one in chart.panels] == ["Men 1", "Men three"]
    assert chart.values == ("3", "4", "5", "6", "7", "8")
    one, three = (panel.series[0] for panel in chart.panels)
    assert one.texts == ("25", "25", "25", "25", "", "")
    assert three.texts == ("", "", "25", "25", "25", "25")
    assert chart.alt.endswith(
        "Men 1: 3: 25 %, 4: 25 %, 5: 25 %, 6: 25 %; mean 4.5. Men three: 5: 25 %, 6: 25 %, 7: 25 %, 8: 25 %; mean 6.5"
    )


def test_series_beside_each_other_share_a_panel(printed: Print) -> None:
    chart = printed("{chart: volley, caption: Q, each: drill, beside: true, given: {men: 1}}")
    ((panel),) = chart.panels
    assert (panel.title, [one.name for one in panel.series]) == ("", ["raw", "old"])


def test_a_small_mean_is_told_to_the_hundredth(bench: Bench, printed: Print) -> None:
    bench.change("tin/procedures/volley.yaml", "part: d / 2", "part: 1 if d == 1 else 0")
    chart = printed("{chart: volley, number: part, caption: Q, given: {men: 1}}")
    assert chart.panels[0].series[0].mean_text == "mean 0.17"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("chart: voley, caption: Q, given: {men: 1}", [("R231", "chart", "voley")]),
        ("chart: volley, number: point, caption: Q, given: {men: 1}", [("R232", "number", "point")]),
        ("chart: volley, number: face, caption: Q, given: {men: 1}", [("R232", "number", "face")]),
        ("chart: volley, caption: Q, each: man, given: {men: 1}", [("R232", "each", "man")]),
        ("chart: volley, caption: Q, given: {men: 1, dril: raw}", [("R232", "given.dril", "dril")]),
        ("chart: volley, caption: Q, given: {men: 10}", [("R203", "given.men", "10")]),
        ("chart: volley, caption: Q, given: {men: [1, 2]}", [("R203", "given.men", "a list")]),
        ("chart: volley, caption: Q", [("R314", "given.men", "nothing")]),
        ("chart: volley, caption: Q, each: drill", [("R314", "given.men", "nothing")]),
        ("chart: volley, caption: Q, given: {men: 1, flag: yes}", [("R316", "given.flag", "flag")]),
        ("chart: volley, caption: Q, each: men", [("R203", "each", "9 values")]),
        (
            "chart: volley, caption: Q, each: men, beside: true, given: {men: [1, 2, 3, 4]}",
            [("R203", "each", "4 values")],
        ),
        ("chart: volley, caption: Q, beside: true, given: {men: 1}", [("R203", "beside", "beside without each")]),
        (
            "chart: volley, caption: Q, lack: L, most: 3, given: {men: 1}",
            [("R203", "lack", "lack without number"), ("R203", "most", "most without number")],
        ),
    ],
)
def test_what_a_chart_names_must_be_there(refused: Refuse, more: str, told: list[tuple[str, str, str]]) -> None:
    found = [(one.code, one.field.rpartition("blocks[0].")[2], one.found) for one in refused(f"{{{more}}}")]
    assert found == told


@pytest.mark.parametrize("more", ["", "caption: ' '", "caption: Q, height: 14", "caption: Q, most: 0"])
def test_how_it_is_drawn_is_checked(bench: Bench, more: str) -> None:
    bench.change("tin/sheets/quick.yaml", "{steps: shoot}", f"{{chart: volley, {more}}}")
    assert [one[:4] for one in bench.problems()] == ["R201" if not more else "R203"]


def test_dice_that_stop_at_the_last_re_roll_are_noted_below_charts_and_grids(bench: Bench, printed: Print) -> None:
    roll = "{roll: d, pool: {dice: [D6], again: {on: 6, most: 1}}}"
    bench.write("tin/procedures/volley.yaml", VOLLEY.replace("{roll: d, die: 6}", roll))
    _, note = printed("{chart: volley, number: points, caption: How many?, given: {men: 2}}")
    assert "3 percent" in note.paragraphs[0]  # 1/36
    grid = printed("{grid: volley, rows: men, columns: drill, given: {men: [2, 3]}, measure: {outcomes: [down]}}")
    assert "3 percent" in grid.note
    bench.write("tin/procedures/volley.yaml", VOLLEY)
    assert (
        printed("{grid: volley, rows: men, columns: drill, given: {men: [2]}, measure: {outcomes: [down]}}").note == ""
    )
