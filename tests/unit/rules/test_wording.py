"""Texts that formulas compare values with: which comparisons are reported, and which are allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Bench

HEAD = """\
source: book
options:
  fog: {label: Fog, yes_no: true, default: false, cite: p. 9}
  level: {label: Level, range: 0..3, default: 1, cite: p. 9}
  crates: {label: Crates, of: [soft, hard], default: soft, cite: p. 9}
"""


@pytest.fixture(autouse=True)
def _options(bench: Bench) -> None:
    bench.change("tin/ruleset.yaml", "source: book\n", HEAD)


def found(bench: Bench, ruleset: str = "tin") -> list[tuple[str, str, str]]:
    return [(one.found, one.expected, one.hint) for one in bench.load(ruleset)[1] if one.code == "R237"]


def when(bench: Bench, formula: str) -> list[tuple[str, str, str]]:
    bench.change("tin/procedures/shoot.yaml", "when: wall == 0", f'when: "{formula}"')
    return found(bench)


@pytest.mark.parametrize(
    ("formula", "text", "expected", "hint"),
    [
        ("gun == 'popp'", "popp", "pop, cannon", "did you mean pop?"),
        ("'popp' == gun", "popp", "pop, cannon", "did you mean pop?"),
        ("gun != 'Cannon'", "Cannon", "pop, cannon", "did you mean cannon?"),
        ("gun in ['pop', 'bow']", "bow", "pop, cannon", ""),
        ("gun not in ['bow']", "bow", "pop, cannon", ""),
        ("wall == 0 and not (gun == 'bow')", "bow", "pop, cannon", ""),
        ("wall == 'high'", "high", "0 to 2", ""),
        ("wall == '2'", "2", "0 to 2", "write it without quotation marks"),
        ("aimed == 'yes'", "yes", "no, yes", "write it without quotation marks"),
        ("fog == 'no'", "no", "no, yes", "write it without quotation marks"),
        ("level == 'deep'", "deep", "0 to 3", ""),
        ("crates == 'sofft'", "sofft", "soft, hard", "did you mean soft?"),
        ("guns[gun].die == 'D8'", "D8", "a number of sides", "a die is its number of sides: 8"),
        ("walls[wall] == 'D8'", "D8", "a number of sides", "a die is its number of sides: 8"),
        ("guns[gun].cost == 'dear'", "dear", "a number", ""),
        ("guns[gun].words == 'Pop gan'", "Pop gan", "Big cannon, Pop gun", "did you mean Pop gun?"),
        ("effects[1] == 'mised'", "mised", "chipped, missed", "did you mean missed?"),
        ("0 < wall == 'high'", "high", "0 to 2", ""),
    ],
)
def test_a_text_that_a_value_never_is(bench: Bench, formula: str, text: str, expected: str, hint: str) -> None:
    assert when(bench, formula) == [(text, expected, hint)]


@pytest.mark.parametrize(
    "formula",
    [
        "gun == 'pop'",
        "gun in ['pop', 'cannon']",
        "gun == guns[gun].words",
        "crates == 'hard'",
        "guns[gun].words == 'Pop gun'",
        "('hard' if fog else 'x') == 'y'",
        "'a' == 'b'",
        "wall == 7",
        "gun == none",
    ],
)
def test_what_may_be_or_cannot_be_known_is_left_alone(bench: Bench, formula: str) -> None:
    assert when(bench, formula) == []


def test_a_column_with_words_of_its_own_knows_those(bench: Bench) -> None:
    own_words = "label: Outcome, of: [chipped, missed, hit]}"
    bench.change("tin/tables/effects.yaml", "label: Outcome, free: true}", own_words)
    assert when(bench, "effects[1] == 'hit'") == []


def test_a_figure_that_lacks_may_be_anything(bench: Bench) -> None:
    bench.change(
        "tin/tables/guns.yaml", "words: {type: text, label: Gun}", "words: {type: text, label: Gun, optional: true}"
    )
    assert when(bench, "guns[gun].words == 'Bow'") == [("Bow", "Big cannon, Pop gun", "")]
    bench.change("tin/tables/guns.yaml", "words: Pop gun, ", "")
    assert found(bench) == []


def test_lists_of_words_are_looked_into(bench: Bench) -> None:
    bench.change(
        "tin/tables/guns.yaml", "  die: {type", "  fits: {type: words, label: Fits, of: [turret, hull]}\n  die: {type"
    )
    bench.change("tin/tables/guns.yaml", "words: Pop gun,", "words: Pop gun, fits: [turret],")
    bench.change("tin/tables/guns.yaml", "words: Big cannon,", "words: Big cannon, fits: [hull],")
    assert when(bench, "'hul' in guns[gun].fits") == [("hul", "turret, hull", "did you mean hull?")]
    bench.change("tin/procedures/shoot.yaml", "'hul' in", "'hull' in")
    assert found(bench) == []


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("count * g.cost if gun == 'canon' else 1", "canon"),
        ("count * g.cost if g.words == 'Pop' else 1", "Pop"),
        ("count * g.cost if crewed == 'yes' else 1", "yes"),
        ("count * g.cost if 'bow' in weapons.gun else 1", "bow"),
        ("sum(where(weapons.count, weapons.gun, 'bow'))", "bow"),
        ("sum(where(weapons.count, weapons.gun, 'pop'))", ""),
    ],
)
def test_fields_of_a_kind_are_known_and_those_of_its_entries(bench: Bench, formula: str, text: str) -> None:
    bench.change("tin/kinds/tank.yaml", "points: count * g.cost", f'points: "{formula}"')
    assert [one[0] for one in found(bench)] == ([text] if text else [])


def test_a_kind_may_narrow_a_field_of_which_its_base_speaks(bench: Bench) -> None:
    bench.change(
        "tin/kinds/tank.yaml", "  crewed: {", "  mount: {label: Mount, of: [hull, turret], default: hull}\n  crewed: {"
    )
    bench.change("tin/kinds/tank.yaml", "points: 10,", "points: \"10 if mount == 'turret' else 8\",")
    mount = "{label: Mount, of: [hull], default: hull}"
    fort = f"kind: fort\ntitle: Fort\ncite: p. 9\nbased_on: tank\nfields:\n  mount: {mount}\n"
    bench.write("tin/kinds/fort.yaml", fort)
    assert bench.problems() == []


def test_what_a_layer_takes_away_may_still_be_spoken_of_below(bench: Bench) -> None:
    assert when(bench, "gun == 'cannon'") == []
    bench.layer("steel", 'remove: "tables.guns[cannon]", reason: Nobody has one.')
    assert found(bench, "steel") == []
    bench.layer("steel", 'add: "tables.guns[bow]", with: {gun: bow, words: Bow, die: D4, cost: 1}, reason: x, cite: x')
    bench.change("tin/procedures/shoot.yaml", "gun == 'cannon'", "gun == 'bow'")
    assert (len(found(bench)), found(bench, "steel")) == (1, [])


def test_a_text_is_only_told_where_its_table_was_read(bench: Bench) -> None:
    bench.change("tin/tables/guns.yaml", "die: D6", "die: D0")
    assert when(bench, "guns[gun].words == 'Bow'") == []
