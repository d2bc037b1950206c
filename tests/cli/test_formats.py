"""The same result as text, Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def cells(text: str) -> list[list[str]]:
    """The rows of a CSV text."""
    return list(csv.reader(io.StringIO(text)))


def markdown_rows(text: str) -> list[list[str]]:
    """The cells of the tables in a Markdown text, as a reader of Markdown sees them."""
    rows: list[list[str]] = []
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for token, following in pairwise(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(following.content)
    return rows


@pytest.fixture
def path(rules: Path) -> tuple[str, str]:
    return "--rules-path", str(rules)


@pytest.fixture
def bare(rules: Path) -> None:
    """A rule set that has nothing but its head."""
    text = (rules / "duel" / "ruleset.yaml").read_text(encoding="utf-8").partition("        options:")[0]
    (rules / "bare").mkdir()
    (rules / "bare" / "ruleset.yaml").write_text(text.replace("ruleset: duel", "ruleset: bare"), encoding="utf-8")


def test_one_answer(run: Run, path: tuple[str, str]) -> None:
    # The better of D4 and D6 against D6: 70 of 144 above, 24 level, 50 below.
    words = ("odds", "duel/shot", "nerve=shaky", "paces=1", "wind=gale", *path)
    text = run(*words).stdout
    assert text.splitlines()[0] == "nerve shaky, paces 1, rain no, wind gale"
    assert [line.split() for line in text.splitlines()[4:7]] == [
        ["hit", "48.6%", "35/72", "█████████▋"],
        ["graze", "16.7%", "1/6", "███▎"],
        ["miss", "34.7%", "25/72", "██████▉"],
    ]
    assert text.splitlines()[-1] == "Note: Hold on to your hat."
    written = run(*words, "--format", "markdown").stdout
    assert [row[:3] for row in markdown_rows(written)] == [
        ["outcome", "chance", "exact"],
        ["hit", "48.6%", "35/72"],
        ["graze", "16.7%", "1/6"],
        ["miss", "34.7%", "25/72"],
    ]
    assert cells(run(*words, "--format", "csv").stdout) == [
        ["nerve", "paces", "rain", "wind", "outcome", "probability", "decimal", "notes"],
        ["shaky", "1", "no", "gale", "hit", "35/72", "0.486111", "Hold on to your hat."],
        ["shaky", "1", "no", "gale", "graze", "1/6", "0.166667", "Hold on to your hat."],
        ["shaky", "1", "no", "gale", "miss", "25/72", "0.347222", "Hold on to your hat."],
    ]


def test_each_note_is_a_paragraph_of_its_own(run: Run, path: tuple[str, str]) -> None:
    words = ("odds", "duel/shot", "nerve=shaky", "paces=1", "rain=yes", "shelter=no", "wind=gale", *path)
    assert run(*words).stdout.splitlines()[-3:] == ["", "Note: The powder is wet.", "Note: Hold on to your hat."]
    written = MarkdownIt("commonmark").enable("table").parse(run(*words, "--format", "markdown").stdout)
    said = [token.content for token in written if token.type == "inline" and token.level == 1]
    assert said[1:] == ["Note: The powder is wet.", "Note: Hold on to your hat."]


def test_a_grid(run: Run, path: tuple[str, str]) -> None:
    words = ("odds", "duel/shot", "nerve=steady,shaky", "paces=1..3", "wind=gale", *path)
    data = json.loads(run(*words, "--format", "json").stdout)
    rows = markdown_rows(run(*words, "--format", "markdown").stdout)
    assert rows[0] == ["nerve", "paces", "hit", "graze", "miss"]
    assert [row[:2] for row in rows[1:]] == [
        [cell["inputs"]["nerve"], str(cell["inputs"]["paces"])] for cell in data["cells"]
    ]
    text = run(*words).stdout.splitlines()
    assert text[0] == "rain no, wind gale"
    assert [line.split() for line in text[4:10]] == rows[1:]
    assert text[10:] == ["", "Note: Hold on to your hat."]
    flat = cells(run(*words, "--format", "csv").stdout)
    assert len(flat) == 1 + 6 * 3
    assert [(row[-4], row[-3]) for row in flat[1:]] == [
        (one["outcome"], one["probability"]) for cell in data["cells"] for one in cell["outcomes"]
    ]


def test_procedures(run: Run, path: tuple[str, str]) -> None:
    heads = ["procedure", "input", "allowed"]
    first = ["shot", "nerve", "steady, shaky"]
    last = ["shot", "shelter", "no, yes (else yes), when rain"]
    listed = cells(run("odds", "duel", *path, "--format", "csv").stdout)
    assert (listed[0], listed[1], listed[-1]) == (heads, first, last)
    assert markdown_rows(run("odds", "duel", *path, "--format", "markdown").stdout) == listed
    text = run("odds", "duel", *path).stdout.splitlines()
    assert text[2].split() == ["shot", "nerve", "steady,", "shaky"]
    assert text[3].split() == ["paces", "1", "to", "3"]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("duel",),
        ("duel", "nerves"),
        ("duel", "duellist"),
        ("duel", "greeting"),
        ("duel", "shot"),
        ("duel", "options"),
        ("duel", "errata"),
    ],
)
def test_rules(run: Run, path: tuple[str, str], words: tuple[str, ...]) -> None:
    listed = cells(run("rules", *words, *path, "--format", "csv").stdout)
    markdown = markdown_rows(run("rules", *words, *path, "--format", "markdown").stdout)
    text = run("rules", *words, *path).stdout
    assert listed == markdown[: len(listed)] if not words else len(listed) == len(markdown) > 1
    for row in listed[1:]:
        assert all(word in text for cell in row for word in cell.split())
    if words == ("duel", "nerves"):
        assert listed[0] == ["nerve", "die", "span", "share", "marks", "brave", "cite", "status", "raw", "note"]
        assert listed[2][-3:] == ["read", "d&", "A smudge."]
        assert markdown[3][-1] == "No nerve | no die."
        assert listed[1][:2] == ["steady", "D8"]
        assert listed[1][5] == "yes"


def test_a_kind(run: Run, path: tuple[str, str]) -> None:
    listed = cells(run("rules", "duel", "duellist", *path, "--format", "csv").stdout)
    assert listed[0] == ["part", "id", "says", "rule", "cite", "status"]
    assert listed[1] == ["kind", "duellist", "Somebody with a grudge.", "", "Duels p. 3", "plain"]
    assert listed[4] == ["field", "arms.reach", "Reach", "1 to 3", "", ""]
    assert listed[7] == [
        "line",
        "arms",
        "Arms",
        "each arms; points reach; capacity 1; when not dusk",
        "Duels p. 4",
        "plain",
    ]
    assert markdown_rows(run("rules", "duel", "duellist", *path, "--format", "markdown").stdout) == listed
    text = run("rules", "duel", "duellist", *path).stdout.splitlines()
    assert text[5].split() == ["field", "arms.reach", "Reach", "1", "to", "3"]
    assert [line.split()[0] for line in text[2:]] == [row[0] for row in listed[1:]]


def test_a_procedure_in_steps(run: Run, path: tuple[str, str]) -> None:
    listed = cells(run("rules", "duel", "greeting", *path, "--set", "dusk=yes", "--format", "csv").stdout)
    assert listed == [
        ["part", "id", "says", "rule", "cite", "status", "note"],
        ["procedure", "greeting", "Greeting", "", "Duels p. 10", "plain", ""],
        ["step", "1", "Bow.", "", "", "", ""],
        ["step", "lantern", "Raise a lantern.", "when dusk", "Duels p. 11", "ruled", "Page 10 is dark."],
        ["step", "turn", "Turn.", "", "", "", ""],
    ]


def test_options(run: Run, path: tuple[str, str]) -> None:
    words = ("rules", "duel", "options", *path, "--set", "dusk=yes")
    heads = ["option", "label", "allowed", "set", "says", "cite", "status", "note"]
    listed = cells(run(*words, "--format", "csv").stdout)
    assert listed == [
        heads,
        ["dusk", "Dusk", "no, yes", "yes", "Nobody sees | much.", "Duels p. 5", "plain", ""],
        ["paces", "Paces", "1 to 3", "2", "", "Duels p. 6", "ruled", "Page 6 forgets it."],
        ["garb", "Garb", "cloak, shirt", "cloak", "", "Duels p. 7", "plain", ""],
    ]
    assert markdown_rows(run(*words, "--format", "markdown").stdout) == listed
    assert run(*words).stdout.splitlines()[0].split() == heads


def test_errata(run: Run, path: tuple[str, str]) -> None:
    listed = cells(run("rules", "duel", "errata", *path, "--format", "csv").stdout)
    assert listed[0] == ["erratum", "example", "printed", "holds", "working", "cite", "status", "note"]
    assert listed[1][2:5] == ["30", "36", "6 × 3 + 6 × 3"]
    assert listed[2][2:5] == ["none", "one", ""]


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    ("word", "heads"),
    [
        ("options", ["option", "label", "allowed", "set", "says"]),
        ("errata", ["erratum", "example", "printed", "holds", "working"]),
    ],
)
def test_an_empty_list_has_heads_in_every_format(run: Run, path: tuple[str, str], word: str, heads: list[str]) -> None:
    words = ("rules", "bare", word, *path)
    assert cells(run(*words, "--format", "csv").stdout) == [heads]
    assert markdown_rows(run(*words, "--format", "markdown").stdout) == [heads]
    assert run(*words).stdout.splitlines()[0].split() == heads


def test_the_list_of_a_rule_set_says_how_to_ask_for_what_is_two_things(
    run: Run, path: tuple[str, str], rules: Path
) -> None:
    (rules / "duel" / "procedures" / "nerves.yaml").write_text(
        "procedure: nerves\ntitle: Wind\ncite: p. 9\nsteps: [Wet a finger., Hold it up.]\n", encoding="utf-8"
    )
    listed = cells(run("rules", "duel", *path, "--format", "csv").stdout)
    assert {"tables/nerves", "procedures/nerves", "shot"} <= {row[1] for row in listed}
    shown = cells(run("rules", "duel", "procedures/nerves", *path, "--format", "csv").stdout)
    assert [row[2] for row in shown[2:]] == ["Wet a finger.", "Hold it up."]
