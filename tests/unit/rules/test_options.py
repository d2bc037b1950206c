"""Options: what a rule set declares, how players set them, and every formula that knows them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands import rulesets
from generator.forces.designs import read_fields
from generator.forces.pricing import price
from generator.parsing.text import split_words
from generator.rules.check.ruleset import check_ruleset, untouched
from generator.rules.entries.choices import MAX_SETTINGS, other_settings
from generator.rules.procedures.questions import ask
from generator.rules.source.settings import settings_of_words

if TYPE_CHECKING:
    from generator.problems import Problem
    from tests.conftest import Bench

FOG = "fog: {label: Fog, yes_no: true, default: false, says: Nobody can aim., cite: p. 9}"
LEVEL = "level: {label: Level, range: 0..3, default: 1, cite: p. 9}"
CRATES = "crates: {label: Crates, of: [wood, tin], default: wood, cite: p. 9}"
CREW = "crew: {label: Crew, from: guns, default: Big cannon, cite: p. 9}"

SHOOT = "tin/procedures/shoot.yaml"
TANK = "tin/kinds/tank.yaml"


def declare(bench: Bench, *options: str, ruleset: str = "tin", source: str = "book") -> None:
    told = "".join(f"  {option}\n" for option in options)
    bench.change(f"{ruleset}/ruleset.yaml", f"source: {source}\n", f"source: {source}\noptions:\n{told}")


def values(bench: Bench, ruleset: str = "tin") -> dict[str, Any]:
    return {name: option.value for name, option in bench.rules(ruleset).options.items()}


def hit(bench: Bench, *words: str) -> Any:
    """The chance to hit, of one question."""
    [answer] = ask(bench.rules().procedures["shoot"], split_words(("gun=pop", *words)))
    return answer.chance("hit")


def cost(bench: Bench, **design: Any) -> Any:
    problems: list[Problem] = []
    rules = bench.rules()
    tank = rules.kinds["tank"]
    complete = read_fields(tank.fields, {"wall": 2, **design}, tank.place, problems)
    assert problems == []
    assert complete is not None
    return price(tank, complete, rules.manifest.costs).total


def checked(bench: Bench) -> list[tuple[str, str, str]]:
    problems: list[Problem] = []
    check_ruleset(bench.rules(), problems)
    return [(one.code, one.field, one.found) for one in problems]


# What is declared


def test_a_rule_set_need_not_have_any(bench: Bench) -> None:
    assert bench.rules().options == {}


def test_an_option_stands_as_its_default_says_until_it_is_set(bench: Bench) -> None:
    declare(bench, FOG, LEVEL, CRATES, CREW)
    assert values(bench) == {"fog": False, "level": 1, "crates": "wood", "crew": "cannon"}
    bench.set("fog=yes", "level=3", "crates=Tin", "crew=Pop gun")
    assert values(bench) == {"fog": True, "level": 3, "crates": "tin", "crew": "pop"}
    assert {option.default for option in bench.rules().options.values()} == {False, 1, "wood", "cannon"}


def test_an_option_keeps_its_words_its_owner_and_its_certificate(bench: Bench) -> None:
    declare(bench, FOG.replace("cite: p. 9", "cite: p. 9, status: ruled, note: Not said on page 9."))
    fog = bench.rules("steel").options["fog"]
    assert (fog.name, fog.label, fog.says, fog.owner) == ("fog", "Fog", "Nobody can aim.", "tin")
    assert (fog.provenance.cite_text, fog.provenance.status, fog.provenance.note) == (
        "Tin p. 9",
        "ruled",
        "Not said on page 9.",
    )
    assert fog.spelled() == [(False, "no"), (True, "yes")]


def test_the_values_of_an_option_are_told_by_their_printed_names(bench: Bench) -> None:
    declare(bench, CREW, LEVEL)
    options = bench.rules().options
    assert options["crew"].spelled() == [("pop", "Pop gun"), ("cannon", "Big cannon")]
    assert options["level"].spelled() == [(0, "0"), (1, "1"), (2, "2"), (3, "3")]


@pytest.mark.parametrize(
    ("old", "new", "code", "caret"),
    [
        ("range: 0..3, default: 1", "range: 0..3, default: 4", "R203", "4, cite"),
        ("range: 0..3, default: 1", "range: 0..3", "R201", "level: {label: Level"),
        ("range: 0..3", "range: 0..3, of: [a]", "R224", "{label: Level"),
        ("range: 0..3, ", "", "R224", "{label: Level"),
        ("range: 0..3", "from: gunz", "R225", "gunz"),
        (", cite: p. 9", "", "R209", "{label: Level"),
        ("cite: p. 9", "cite: {page: p. 9}", "R208", "p. 9"),
        ("cite: p. 9", "cite: p. 9, status: ruled", "R209", "{label: Level"),
        ("label: Level", "lable: Level", "R202", "lable"),
        ("level:", "le-vel:", "R203", "le-vel"),
    ],
)
def test_a_slip_is_one_problem_at_its_place(bench: Bench, old: str, new: str, code: str, caret: str) -> None:
    declare(bench, LEVEL.replace(old, new))
    (problem,) = bench.load("tin")[1]
    assert problem.code == code
    assert problem.span.file.endswith("tin/ruleset.yaml")
    assert problem.span.text[problem.span.column - 1 :].startswith(caret)


# Whose they are


def test_the_options_of_parents_answer_in_every_layer(bench: Bench) -> None:
    declare(bench, FOG)
    declare(bench, LEVEL, ruleset="steel", source="page")
    bench.set("fog=yes", "level=2")
    assert values(bench, "steel") == {"fog": True, "level": 2}
    assert [option.owner for option in bench.rules("steel").options.values()] == ["tin", "steel"]


def test_a_parent_does_not_know_the_options_of_its_layers(bench: Bench) -> None:
    declare(bench, LEVEL, ruleset="steel", source="page")
    assert values(bench) == {}
    bench.set("level=2")
    assert bench.problems() == ["R331 command line:1:1 level"]


def test_siblings_bring_their_options_together(bench: Bench) -> None:
    bench.layer("brass", 'set: "tables.guns[cannon].cost", was: 8, to: 7, reason: Cheaper., cite: x')
    declare(bench, LEVEL, ruleset="steel", source="page")
    declare(bench, FOG, ruleset="brass", source="page")
    assert values(bench, "steel+brass") == {"level": 1, "fog": False}


@pytest.mark.parametrize("ruleset", ["steel", "steel+brass"])
def test_an_option_is_declared_once(bench: Bench, ruleset: str) -> None:
    bench.layer("brass", 'set: "tables.guns[cannon].cost", was: 8, to: 7, reason: Cheaper., cite: x')
    declare(bench, FOG)
    declare(bench, LEVEL, FOG, ruleset="steel", source="page")
    assert bench.problems(ruleset) == ["R304 steel/ruleset.yaml:11:3 the option fog, which tin has"]


@pytest.mark.parametrize("address", ["options.fog.default", "ruleset.options.fog.default", "ruleset.tin.options.fog"])
def test_a_layer_cannot_change_the_default_of_its_parents_option(bench: Bench, address: str) -> None:
    declare(bench, FOG)
    bench.layer("steel", f"set: {address}, was: false, to: true, reason: It is always foggy., cite: x")
    assert bench.problems("steel") == [f"R210 steel/changes.yaml:2:11 {address}"]
    assert values(bench) == {"fog": False}


# How they are set


def test_of_an_option_that_is_set_twice_the_last_word_counts(bench: Bench) -> None:
    declare(bench, FOG)
    bench.set("fog=yes", "fog=no")
    assert values(bench) == {"fog": False}
    bench.set("fog=no", "fog=yes")
    assert values(bench) == {"fog": True}


@pytest.mark.parametrize(
    ("word", "problem", "hint"),
    [
        ("fgo=yes", "R331 command line:1:1 fgo", "did you mean fog?"),
        ("wind=yes", "R331 command line:1:1 wind", "there are: fog, level"),
        ("Fog=yes", "R331 command line:1:1 Fog", "did you mean fog?"),
        ("fog=perhaps", "R332 command line:1:5 perhaps", ""),
        ("level=4", "R332 command line:1:7 4", ""),
        ("level=1..2", "R332 command line:1:7 1..2", ""),
        ("level=yes", "R332 command line:1:7 yes", ""),
        ("fog=1", "R332 command line:1:5 1", ""),
    ],
)
def test_what_an_option_cannot_be_is_told_where_it_was_said(bench: Bench, word: str, problem: str, hint: str) -> None:
    declare(bench, FOG, LEVEL)
    bench.set(word)
    assert bench.problems() == [problem]
    assert bench.load("tin")[1][0].hint == hint


def test_a_slip_among_the_words_leaves_the_others_as_they_are(bench: Bench) -> None:
    declare(bench, FOG, LEVEL)
    bench.set("level=9", "fog=yes", "leevl=1")
    rules, problems = bench.load("tin")
    assert [(one.code, one.span.column) for one in problems] == [("R332", 7), ("R331", 17)]
    assert rules is not None
    assert (rules.options["fog"].value, rules.options["level"].value) == (True, 1)


@pytest.mark.parametrize("broken", ["option", "table"])
def test_nothing_follows_from_an_option_that_could_not_be_read(bench: Bench, broken: str) -> None:
    declare(bench, CREW if broken == "table" else CREW.replace("Big cannon", "Bow"))
    bench.change(TANK, "strength: wall + 1", "strength: crew")
    bench.change(SHOOT, "when: wall == 0", "when: crew == 'pop'")
    bench.change(SHOOT, "  shots: {", "  who: {label: Who, option: crew}\n  shots: {")
    bench.set("crew=pop")
    if broken == "table":
        bench.write("tin/tables/guns.yaml", "table: [\n")
    assert [one[:4] for one in bench.problems()] == ["F105" if broken == "table" else "R203"]


# In formulas


def test_a_procedure_knows_the_options(bench: Bench) -> None:
    declare(bench, FOG)
    bench.change(SHOOT, '"guns[gun].die"', '"down(guns[gun].die) if fog else guns[gun].die"')
    assert hit(bench, "wall=1") == Fraction(15, 36)
    bench.set("fog=yes")
    assert hit(bench, "wall=1") == Fraction(6, 24)  # D4 against D6


def test_conditions_of_inputs_outcomes_cases_and_notes_know_the_options(bench: Bench) -> None:
    declare(bench, FOG)
    bench.change(SHOOT, "when: shots == 1}", "when: shots == 1 and not fog}")
    bench.change(SHOOT, "when: wall == 0", "when: wall == 0 or fog")
    bench.change(SHOOT, "label: Chipped}", "label: Chipped, when: not fog}")
    bench.change(SHOOT, "{when: shots > 2", "{when: fog")
    shoot = split_words(("gun=pop", "wall=2"))
    [clear] = ask(bench.rules().procedures["shoot"], shoot)
    assert ("aimed" in clear.inputs, len(clear.outcomes), clear.notes) == (True, 3, ())
    bench.set("fog=yes")
    [foggy] = ask(bench.rules().procedures["shoot"], shoot)
    assert ("aimed" in foggy.inputs, len(foggy.outcomes), foggy.notes) == (False, 2, ("no wall", "a volley"))
    assert foggy.chance("hit") == 1


def test_a_price_knows_the_options(bench: Bench) -> None:
    declare(bench, LEVEL, CREW)
    bench.change(TANK, "points: 10, name", 'points: "10 * level + guns[crew].cost", name')
    bench.change(TANK, "strength: wall + 1", "strength: wall + level")
    bench.change(TANK, "that: capacity_used <= capacity_allowed", "that: level < 3")
    assert cost(bench) == 18 + 9
    bench.set("level=2", "crew=pop")
    assert cost(bench) == 23 + 12  # 11.5 rounded


def test_a_limit_holds_or_not_with_the_options(bench: Bench) -> None:
    declare(bench, LEVEL)
    bench.change(TANK, "that: capacity_used <= capacity_allowed", "when: level > 1, that: wall < level")
    tank = {"wall": 2}

    def broken() -> list[str]:
        rules = bench.rules()
        design = read_fields(rules.kinds["tank"].fields, tank, rules.kinds["tank"].place, [])
        assert design is not None
        return [one.limit.id for one in price(rules.kinds["tank"], design, rules.manifest.costs).broken]

    assert broken() == []
    bench.set("level=2")
    assert broken() == ["room"]
    bench.set("level=3")
    assert broken() == []


def test_an_option_hides_a_table_and_is_hidden_by_fields_and_inputs(bench: Bench) -> None:
    declare(bench, "walls: {label: Walls, range: 0..3, default: 2, cite: p. 9}")
    bench.change(SHOOT, '"walls[wall]"', '"4 + walls"')
    bench.change(TANK, "strength: wall + 1", "strength: walls")
    assert hit(bench, "wall=1") == Fraction(15, 36)  # D6 against 4 + 2
    bench.change(SHOOT, "  shots: {", "  walls: {label: Walls, range: 0..9, default: 4}\n  shots: {")
    assert hit(bench, "wall=1", "walls=0") == Fraction(14, 24)


def test_an_option_is_a_name_like_any_other_where_a_name_is_not_known(bench: Bench) -> None:
    declare(bench, FOG)
    bench.change(SHOOT, "when: wall == 0", "when: fgo")
    (problem,) = bench.load("tin")[1]
    assert (problem.code, problem.hint) == ("R223", "did you mean fog?")


def test_the_check_of_a_procedure_asks_with_the_options_as_they_are_set(bench: Bench) -> None:
    declare(bench, FOG)
    bench.change(SHOOT, '"walls[wall]"', '"none if fog else walls[wall]"')
    assert checked(bench) == []
    bench.set("fog=yes")
    [(code, _, found)] = checked(bench)
    assert (code, found[:24]) == ("R241", "there is no die to roll ")


# Inputs that take their values from an option


def test_an_input_may_have_the_values_of_an_option_and_stand_as_it_is_set(bench: Bench) -> None:
    declare(bench, FOG)
    bench.change(SHOOT, "  shots: {", "  mist: {label: Mist, option: fog}\n  shots: {")
    bench.change(SHOOT, "when: wall == 0", "when: wall == 0 or mist")
    assert hit(bench, "wall=2") < 1
    bench.set("fog=yes")
    mist = bench.rules().procedures["shoot"].input("mist")
    assert mist is not None
    assert (mist.choice.values, mist.default, mist.required) == ((False, True), True, False)
    assert hit(bench, "wall=2") == 1
    assert hit(bench, "wall=2", "mist=no") < 1


def test_an_input_hides_the_option_of_its_own_name(bench: Bench) -> None:
    declare(bench, FOG)
    bench.change(SHOOT, "  shots: {", "  fog: {label: Fog, option: fog}\n  shots: {")
    bench.change(SHOOT, "when: wall == 0", "when: fog")
    bench.set("fog=yes")
    assert hit(bench, "wall=2") == 1
    assert hit(bench, "wall=2", "fog=no") < 1


def test_a_default_of_its_own_stands_against_the_option(bench: Bench) -> None:
    declare(bench, LEVEL)
    bench.change(SHOOT, "  shots: {", "  height: {label: Height, option: level, default: 3}\n  shots: {")
    bench.set("level=2")
    height = bench.rules().procedures["shoot"].input("height")
    assert height is not None
    assert (height.default, height.choice.values) == (3, (0, 1, 2, 3))


@pytest.mark.parametrize(
    ("declared", "code", "caret"),
    [
        ("option: levle", "R331", "levle"),
        ("option: level, range: 1..2", "R224", "{label: Height"),
        ("option: level, of: [a]", "R224", "{label: Height"),
        ("option: level, from: guns", "R224", "{label: Height"),
        ("option: level, yes_no: true", "R224", "{label: Height"),
        ("option: level, default: 4", "R203", "4}"),
        ("option: Level", "R203", "Level}"),
    ],
)
def test_a_slip_in_such_an_input_is_one_problem(bench: Bench, declared: str, code: str, caret: str) -> None:
    declare(bench, LEVEL)
    bench.change(SHOOT, "  shots: {", f"  height: {{label: Height, {declared}}}\n  shots: {{")
    bench.change(SHOOT, "when: shots > 2", "when: height > 2")
    (problem,) = bench.load("tin")[1]
    assert problem.code == code
    assert problem.span.file.endswith(SHOOT)
    assert problem.span.text[problem.span.column - 1 :].startswith(caret)


# Only what is wanted


@pytest.mark.parametrize("only", [[("tables", "walls")], [("procedures", "shoot")]])
def test_an_option_whose_values_stand_in_a_table_is_there_whatever_is_wanted(
    bench: Bench, only: list[tuple[str, str]]
) -> None:
    bench.write(
        "tin/tables/crews.yaml",
        "table: crews\ntitle: Crews\ncite: p. 9\nkey: [crew]\ncolumns:\n  crew: {type: word, label: Crew}\n"
        "rows: [{crew: raw}, {crew: able}]\n",
    )
    declare(bench, "drill: {label: Drill, from: crews, default: raw, cite: p. 9}")
    bench.set("drill=able")
    assert bench.rules(only=only).options["drill"].value == "able"
    assert checked(bench) == []  # a table that lists the values of an option is used


# Every way to set them


WAYS = """\
options:
  fog: {label: Fog, yes_no: true, default: false, cite: p. 9}
  level: {label: Level, range: 0..2, default: 1, cite: p. 9}
"""


def test_a_check_tries_every_way_to_set_the_options_and_the_smallest_changes_first(bench: Bench) -> None:
    bench.change("tin/ruleset.yaml", "source: book\n", f"source: book\n{WAYS}")
    options = bench.rules().options
    alone = [{"level": 0}, {"level": 2}, {"fog": True}]
    assert other_settings(options, ()) == [*alone, {"fog": True, "level": 0}, {"fog": True, "level": 2}]
    assert other_settings(options, ["level"]) == [{"fog": True}]
    assert other_settings(options, ["fog", "level"]) == other_settings({}, ()) == []


def test_of_too_many_ways_each_value_is_tried_alone_from_the_first_to_the_last(bench: Bench) -> None:
    bench.change("tin/ruleset.yaml", "source: book\n", f"source: book\n{WAYS.replace('0..2', '0..999')}")
    ways = other_settings(bench.rules().options, ())
    levels = [way["level"] for way in ways if "level" in way]
    assert (levels[0], levels[-1], len(levels)) == (0, 999, MAX_SETTINGS // 2)
    assert {"fog": True} in ways
    assert all(len(way) == 1 for way in ways)


def test_of_many_options_each_is_tried_with_another_value(bench: Bench) -> None:
    fog = "  fog{}: {{label: Fog, yes_no: true, default: false, cite: p. 9}}\n"
    many = "".join(map(fog.format, range(MAX_SETTINGS)))
    bench.change("tin/ruleset.yaml", "source: book\n", f"source: book\noptions:\n{many}")
    assert other_settings(bench.rules().options, ()) == [{f"fog{number}": True} for number in range(MAX_SETTINGS)]


STEPS = "steps: [Roll the dice.]\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("sheets/quick", "{steps: shoot}", "{steps: shoot, when: level < 2 or crates > 1}", "level=2"),
        ("sheets/quick", "{table: guns, ", "{table: guns, where: level < 2 or cost > crates, ", "level=2"),
        ("sheets/quick", "- section: Odds", "- section: Odds\n          when: level < 2 or crates > 1", "level=2"),
        (
            "procedures/shoot",
            STEPS,
            "steps: [Go., {step: fog, says: Grope., when: not fog or crates > 1}]\n",
            "fog=yes",
        ),
        ("procedures/shoot", "when: wall == 0", "when: wall == 0 and (not fog or crates > 1)", "fog=yes"),
        ("kinds/tank", "points: 10,", 'points: "10 / (2 - level)",', "level=2"),
        ("kinds/tank", "points: 10,", 'points: "10 / (level if fog else 1)",', "fog=yes level=0"),
    ],
)
def test_what_another_option_breaks_is_told_once_with_that_option(
    bench: Bench, file: str, old: str, new: str, said: str
) -> None:
    bench.change("tin/ruleset.yaml", "source: book\n", f"source: book\n{WAYS}  {CRATES}\n")
    bench.change(f"tin/{file}.yaml", old, new)
    problems = [one for one in rulesets.check((bench.folder,), ("tin",)) if "with" in one.found]
    assert [(one.code, one.found.rpartition(", with ")[2]) for one in problems] == [("R241", said)]


def test_options_that_are_set_stay_so_in_a_check(bench: Bench) -> None:
    bench.change("tin/ruleset.yaml", "source: book\n", f"source: book\n{WAYS}")
    bench.change("tin/kinds/tank.yaml", "points: 10,", 'points: "10 / (2 - level)",')
    assert rulesets.check((bench.folder,), ("tin",), settings_of_words(("level=1",))) == ()
    (problem,) = rulesets.check((bench.folder,), ("tin",), settings_of_words(("level=2",)))
    assert problem.found == "a division by zero (wall=0 crewed=yes)"
    (other,) = rulesets.check((bench.folder,), ("tin",), settings_of_words(("fog=yes",)))
    assert other.found == "a division by zero (wall=0 crewed=yes), with level=2"


def test_odds_that_no_changed_option_touches_are_not_worked_out_again(bench: Bench) -> None:
    declare(bench, FOG, LEVEL)
    coin = "title: x\ncite: p. 1\noutcomes: [{outcome: up, label: Up}, {outcome: down, label: Down}]\n"
    ask = "cases: [{rolls: [{roll: it, ask: %s}], results: [{outcome: up, when: it == 'up'}, {outcome: down}]}]\n"
    flip = "cases: [{rolls: [{roll: it, die: 2}], results: [{outcome: up, when: it >= (%s)}, {outcome: down}]}]\n"
    given = "inputs: {side: {label: Side, range: 1..2}}\n"
    told = {
        "in-fog": given + flip % "2 if fog else side",
        "as-set": "inputs: {side: {label: Side, option: level}}\n" + flip % "1 + side % 2",
        "alone": given + flip % "side",
        "asks": given + ask % "{procedure: in-fog, with: {side: side}}",
        "asks-further": given + ask % "{procedure: asks, with: {side: side}}",
    }
    for name, rest in told.items():
        bench.write(f"tin/procedures/{name}.yaml", f"procedure: {name}\n{coin}{rest}")
    procedures = bench.rules().procedures
    of = [{*told} - untouched(procedures, options) for options in (["fog"], ["level"], ["fog", "level"], [])]
    assert of == [{"in-fog", "asks", "asks-further"}, {"as-set"}, {*told} - {"alone"}, set()]


def test_a_check_finds_what_another_option_breaks_in_a_procedure_that_asks(bench: Bench) -> None:
    declare(bench, FOG)
    head = "title: x\ncite: p. 1\ninputs: {side: {label: Side, range: 1..2}}\n"
    bench.write("tin/procedures/inner.yaml", f"procedure: inner\n{head}"
        "outcomes: [{outcome: up, label: Up}, {outcome: down, label: Down}]\n"
        "cases: [{when: fog, always: down}, {always: up}]\n")  # fmt: skip
    bench.write("tin/procedures/outer.yaml", f"procedure: outer\n{head}"
        "outcomes: [{outcome: up, label: Up}]\n"
        "cases: [{rolls: [{roll: it, ask: {procedure: inner, with: {side: side}}}],"
        " results: [{outcome: up, when: it == 'up'}]}]\n")  # fmt: skip
    found = rulesets.check((bench.folder,), ["tin"])
    assert [(one.code, one.span.file.rpartition("/")[2]) for one in found if one.severity == "error"] == [
        ("R241", "outer.yaml")
    ]
    assert found[0].found.endswith("with fog=yes")
