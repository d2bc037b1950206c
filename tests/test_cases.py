"""Runs the text files of tests/cases: see the README there for what one holds."""

from __future__ import annotations

import shlex
import shutil
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from generator.cli.data import odds, split_at_against
from generator.cli.group import fieldpress
from generator.commands import decisions, forces, printing, rulesets, scenarios
from generator.commands.access import open_library
from generator.commands.jobs import Selection
from generator.commands.printer import Output
from generator.parsing.tables import parse_csv
from generator.parsing.text import split_lines
from generator.parsing.yaml12 import LOADER
from generator.problems import Problem, ProblemsError, RenderError
from generator.reporting.problems import problem_text
from generator.rules.procedures.answers import spell_inputs
from generator.rules.source.settings import read_settings, settings_of_words
from generator.scenarios.generate.roll import ScenarioRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.rules.source.library import Library

pytestmark = pytest.mark.slow

CASES = Path(__file__).with_name("cases")
PROBLEM_CASES = sorted((CASES / "problems").glob("*.yaml"))
ODDS_CASES = sorted((CASES / "odds").glob("*.yaml"))
DECISION_CASES = sorted((CASES / "decisions").glob("*.yaml"))
RULES = Path("rules")
"""Where a case finds its rule sets: in the folder that it is run in."""

UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The beginning of a file whose lines cannot be shown."""
KEYS = {"says", "change", "files", "without", "run", "problems"}
EXPECTED = {"code", "at", "field", "caret", "found", "expected", "hint"}


def named(path: Path) -> str:
    return path.stem


def read_case(path: Path) -> dict[str, Any]:
    case: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), LOADER)  # noqa: S506 - a safe one
    return case


# What a case asks the program to do


def run_check(*targets: str) -> Sequence[Problem]:
    names = targets or sorted(folder.name for folder in RULES.iterdir())
    return rulesets.check((RULES,), names)


def run_check_with(settings: str, *targets: str) -> Sequence[Problem]:
    def check() -> None:
        given = settings_of_words((settings,)) if "=" in settings else read_settings(Path(settings))
        problems.extend(rulesets.check((RULES,), targets, given))

    problems: list[Problem] = []
    return [*refused_by(check), *problems]


def run_odds(*words: str) -> Sequence[Problem]:
    return refused_by(lambda: ask_odds(open_library(RULES), *words))


def ask_odds(library: Library, *words: str) -> Any:
    """What ``fieldpress odds`` would make of these words."""
    # Under its group: a command keeps the names of its help option, which the group says.
    group = fieldpress.make_context("fieldpress", ["odds"])
    said = odds.make_context("odds", list(words), parent=group).params
    given = {name: said[name] for name in ("against", "reach", "best", "worst", "by", "greatest")}
    inputs, own = split_at_against(said["question"], said["inputs"])
    ruleset, _, procedure = said["question"].partition("/")
    return decisions.ask(decisions.Query(library, ruleset, procedure, inputs, own=own, **given))


def run_rules(ruleset: str, table: str) -> Sequence[Problem]:
    return refused_by(lambda: rulesets.show(open_library(RULES), ruleset, table))


def run_rules_path(folder: str) -> Sequence[Problem]:
    return refused_by(lambda: open_library(Path(folder)))


def run_explain(code: str) -> Sequence[Problem]:
    return refused_by(lambda: rulesets.explain(open_library(RULES), code))


def run_build(ruleset: str, out: str = "out", *only: str) -> Sequence[Problem]:
    return refused_by(
        lambda: printing.build(open_library(RULES), (ruleset,), Output(Path(out)), selection=Selection(only))
    )


def run_build_several(*files: str) -> Sequence[Problem]:
    return refused_by(lambda: printing.build(open_library(RULES), files, Output(Path("out"))))


def run_build_part(what: str, *parts: str) -> Sequence[Problem]:
    return refused_by(
        lambda: printing.build(open_library(RULES), (what,), Output(Path("out")), selection=Selection((), parts))
    )


def run_build_only(sheet: str, what: str, other: str, *parts: str) -> Sequence[Problem]:
    wanted = Selection((sheet,), parts, Path(other))
    return refused_by(lambda: printing.build(open_library(RULES), (what,), Output(Path("out")), selection=wanted))


def run_build_against(what: str, other: str) -> Sequence[Problem]:
    wanted = Selection(against=Path(other))
    return refused_by(lambda: printing.build(open_library(RULES), (what,), Output(Path("out")), selection=wanted))


def run_build_language(ruleset: str, tag: str) -> Sequence[Problem]:
    return refused_by(lambda: printing.build(open_library(RULES), (ruleset,), Output(Path("out"), language=tag)))


def run_cost(*files: str) -> Sequence[Problem]:
    return refused_by(lambda: forces.cost(open_library(RULES), [Path(file) for file in files]))


def run_convert(source: str, target: str) -> Sequence[Problem]:
    return refused_by(lambda: forces.convert(open_library(RULES), Path(source), Path(target)))


def run_new(folder: str, ruleset: str, sample: str) -> Sequence[Problem]:
    if ruleset == "--battle":
        return refused_by(lambda: scenarios.new_battle(open_library(RULES), sample, Path(folder)))
    return refused_by(lambda: forces.new(open_library(RULES), ruleset, Path(folder), sample))


def run_scenario(ruleset: str, *words: str) -> Sequence[Problem]:
    said = dict(word.split("=") for word in words)
    points, size = (int(said[name]) if name in said else None for name in ("points", "size"))
    files = [Path(said["force"])] if "force" in said else ()
    pin = (said["pin"], Path(said.get("from", "battle.yaml"))) if "pin" in said else None
    box = Path(said["terrain"]) if "terrain" in said else None
    wanted = ScenarioRequest(1, points, size, said.get("mission"), files, pin, said.get("map"), box)
    return refused_by(lambda: scenarios.set_up(open_library(RULES), ruleset).roll(wanted)[0])


def run_csv(file: str) -> Sequence[Problem]:
    return parse_csv(Path(file).read_text(encoding="utf-8"), file)[1]


def refused_by(action: Any) -> Sequence[Problem]:
    try:
        action()
    except ProblemsError as error:
        return error.problems
    except RenderError as error:
        return [error.problem] if error.problem else []
    return ()


RUNNERS: dict[str, Any] = {
    "check": run_check,
    "check-with": run_check_with,
    "odds": run_odds,
    "build-language": run_build_language,
    "rules": run_rules,
    "rules-path": run_rules_path,
    "explain": run_explain,
    "build": run_build,
    "build-against": run_build_against,
    "build-several": run_build_several,
    "build-part": run_build_part,
    "build-only": run_build_only,
    "cost": run_cost,
    "convert": run_convert,
    "new": run_new,
    "scenario": run_scenario,
    "csv": run_csv,
}


def run(line: str) -> Sequence[Problem]:
    verb, *words = shlex.split(line)
    found: Sequence[Problem] = RUNNERS[verb](*words)
    return found


# The files that it is given


def lay_out(case: dict[str, Any]) -> None:
    shutil.copytree(CASES / "rules", RULES)
    for change in case.get("change", ()):
        path = RULES / change["file"]
        text = path.read_text(encoding="utf-8")
        assert text.count(change["replace"]) == 1, f"{change['replace']!r} must stand in {path} once"
        path.write_text(text.replace(change["replace"], change["with"]), encoding="utf-8")
    for name in case.get("without", ()):
        (RULES / name).unlink()
    for name, content in case.get("files", {}).items():
        write(Path(name), content)


def write(path: Path, content: str | dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    match content:
        case str():
            path.write_text(content, encoding="utf-8")
        case {"text": text, "encoding": encoding}:
            path.write_bytes(text.encode(encoding))
        case {"text": text, "times": times}:
            path.write_text(text * times, encoding="utf-8")
        case {"link_to": target}:
            path.symlink_to(target)
        case _:
            message = f"{path}: the README of the cases knows no such file"
            raise ValueError(message)


# What comes out


def place_of(problem: Problem) -> str:
    span = problem.span
    file = span.file.removeprefix(f"{RULES}/")
    return f"{file}:{span.line}:{span.column}" if span.line else file


def assert_points_into_the_text(problem: Problem) -> None:
    span = problem.span
    assert bool(span.line) == bool(span.column)
    assert not span.text or span.column <= len(span.text) + 1
    if span.line and span.file != "command line":
        data = Path(span.file).read_bytes()
        lines = [] if data.startswith(UTF_16) else split_lines(data.decode("utf-8", "replace"))
        named = Path(span.file).suffix in (".yaml", ".yml", ".csv", ".md", ".html", ".po")  # others show no lines
        assert span.text == (lines[span.line - 1] if named and span.line <= len(lines) else "")


@pytest.mark.parametrize("path", PROBLEM_CASES, ids=named)
def test_a_problem_case_gives_its_problems_and_no_others(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = read_case(path)
    assert case["says"]
    assert set(case) <= KEYS
    wanted = case["problems"]
    assert all(set(one) <= EXPECTED and {"code", "at", "found"} <= set(one) for one in wanted)
    assert path.stem.partition("-")[0] in {one["code"].partition("/")[0] for one in wanted}, (
        "a case is named after its code"
    )
    monkeypatch.chdir(tmp_path)
    lay_out(case)

    problems = run(case.get("run", "check"))

    told = "\n\n".join(map(problem_text, problems)) or "no problem"
    found = [(one.code, place_of(one), one.field) for one in problems]
    assert found == [(one["code"], one["at"], one.get("field", "")) for one in wanted], told
    for problem, one in zip(problems, wanted, strict=True):
        assert problem.expected, told
        assert one["found"], "a case says what was found"
        assert one["found"] in problem.found, told
        assert one.get("expected", "") in problem.expected, told
        assert one.get("hint", "") in problem.hint, told
        span = problem.span
        assert span.text[max(0, span.column - 1) :].startswith(one.get("caret", "")), told
        assert_points_into_the_text(problem)


def test_the_rule_sets_that_the_cases_change_have_no_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lay_out({})
    assert run_check() == ()


def test_there_are_cases() -> None:
    assert len(PROBLEM_CASES) > 50
    assert len(ODDS_CASES) >= 4
    assert len(DECISION_CASES) >= 4


# Odds


@pytest.mark.parametrize("path", ODDS_CASES, ids=named)
def test_an_odds_case_gives_its_fractions(path: Path) -> None:
    case = read_case(path)
    assert set(case) <= {"says", "ask", "cells"}

    data = ask_odds(open_library(), *shlex.split(case["ask"]))

    assert data["problems"] == []
    found = [
        {
            "inputs": cell["inputs"],
            "outcomes": [f"{one['outcome']} {one['probability']}" for one in cell["outcomes"]],
            "notes": cell["notes"],
        }
        for cell in data["cells"]
    ]
    assert found == case["cells"]
    for cell in data["cells"]:
        assert sum(Fraction(one["probability"]) for one in cell["outcomes"]) == 1


# Decisions


def spelled(data: dict[str, Any]) -> list[str]:
    """What was answered, a line for each cell, answer or option."""
    if "against" in data:
        return [
            f"{inputs_of(pair['first'])} | {inputs_of(pair['second'])}: {one['outcome']} "
            f"{one['first']} {one['second']} {one['difference']}"
            for pair in data["cells"]
            for one in pair["outcomes"]
        ]
    if "reach" in data:
        return [
            f"{inputs_of(one)}: {'' if one['reached'] else 'none, '}{one['value']} {one['probability']}"
            f"{'' if one['steady'] or not one['reached'] else ', not all'}"
            for one in data["answers"]
        ]
    return [
        f"{inputs_of(ranking)}: {one['rank']}{'=' if one['tied'] else ''} {inputs_of(one)} {one['exact']}"
        for ranking in data["rankings"]
        for one in ranking["options"]
    ]


def inputs_of(cell: dict[str, Any]) -> str:
    return spell_inputs(cell["inputs"])


@pytest.mark.parametrize("path", DECISION_CASES, ids=named)
def test_a_decision_case_gives_its_lines(path: Path) -> None:
    case = read_case(path)
    assert set(case) == {"says", "ask", "answers"}
    data = ask_odds(open_library(), *shlex.split(case["ask"]))
    assert data["problems"] == []
    assert spelled(data) == case["answers"]
