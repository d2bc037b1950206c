"""The command line as tests use it, its JSON contract, and a small rule set to ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # ships no types

from generator.cli.group import fieldpress

CONTRACT = Path(__file__).parents[2] / "docs" / "reference" / "contract"

DUEL = {
    "ruleset.yaml": """
        ruleset: duel
        title: Duel at dawn
        short: Duel
        edition: "2020-02-29"
        authors: [Nobody]
        rights: Free to copy.
        source: book
        sources: {book: {title: The book of duels, short: Duels}}
        options:
          dusk: {label: Dusk, yes_no: true, default: false, says: "Nobody sees | much.", cite: p. 5}
          paces: {label: Paces, range: 1..3, default: 2, cite: p. 6, status: ruled, note: Page 6 forgets it.}
          garb: {label: Garb, of: [cloak, shirt], default: cloak, cite: p. 7}
    """,
    "errata.yaml": """
        errata:
          - {erratum: at-dawn, title: The duel at dawn, printed: 30, holds: 36, working: 6 * 3 + 6 * 3, cite: p. 8,
             note: Forgets the seconds.}
          - {erratum: at-noon, title: The duel at noon, printed: none, holds: one, cite: p. 9, note: Somebody fell.}
    """,
    "kinds/duellist.yaml": """
        kind: duellist
        title: Duellist
        says: Somebody with a grudge.
        cite: p. 3
        fields:
          nerve: {label: Nerve, from: nerves}
          arms:
            label: Arms
            list:
              reach: {label: Reach, range: 1..3, default: 1}
        let: {heavy: sum(arms.reach)}
        lines:
          - {line: nerve, label: "Nerve, {nerve}", points: "10 if nerves[nerve].brave else 5", cite: p. 3}
          - {line: arms, label: Arms, each: arms, points: reach, capacity: 1, when: not dusk, cite: p. 4}
        allowed: {capacity: 2, cite: p. 4}
        limits:
          - {limit: hands, that: capacity_used <= capacity_allowed, blame: arms, says: Two hands., cite: p. 4}
    """,
    "procedures/greeting.yaml": """
        procedure: greeting
        title: Greeting
        cite: p. 10
        steps:
          - Bow.
          - {step: lantern, says: Raise a **lantern**., when: dusk, cite: p. 11, status: ruled, note: Page 10 is dark.}
          - {step: turn, says: Turn.}
    """,
    "tables/nerves.yaml": """
        table: nerves
        title: Nerve
        cite: p. 1
        key: [nerve]
        columns:
          nerve: {type: word, label: Nerve}
          die: {type: die, label: Die, optional: true}
          span: {type: span, label: Aim}
          share: {type: number, label: Share}
          marks: {type: words, label: Marks}
          brave: {type: yes_no, label: Brave}
        rows:
          - {nerve: steady, die: D8, span: "2..6", share: 0.5, marks: [one, two], brave: yes}
          - {nerve: shaky, die: D4, span: 1, share: 2, marks: [], brave: no, status: read, raw: d&, note: A smudge.}
          - {nerve: "none", die: null, span: 1, share: 0, marks: [], brave: no, status: ruled, note: No nerve | no die.}
    """,
    "sheets/card.yaml": """
        sheet: card
        title: Duel
        strap: Who dares?
        kicker: Card
        rows:
          - columns:
              - - section: Nerve
                  blocks:
                    - {table: nerves, columns: [nerve, die], where: nerve != 'none'}
                - section: By lantern
                  when: dusk
                  blocks:
                    - {steps: greeting}
    """,
    "procedures/shot.yaml": """
        procedure: shot
        title: A shot
        cite: p. 2
        inputs:
          nerve: {label: Nerve, of: [steady, shaky]}
          paces: {label: Paces, range: 1..3}
          rain: {label: Rain, yes_no: true, default: false}
          wind: {label: Wind, of: [calm, gale], default: calm}
          shelter: {label: Shelter, yes_no: true, default: true, when: rain}
        outcomes:
          - {outcome: hit, label: Hit}
          - {outcome: graze, label: Graze}
          - {outcome: miss, label: Miss}
        cases:
          - {when: rain and not shelter, always: miss, note: The powder is wet.}
          - rolls:
              - {roll: first_attack, die: "nerves[nerve].die"}
              - {roll: second_attack, die: "4 if wind == 'calm' else 6"}
              - {roll: attack, be: "max(first_attack, second_attack)"}
              - {roll: defence, die: "up(4, paces)"}
            results:
              - {outcome: hit, when: attack > defence}
              - {outcome: graze, when: attack == defence}
              - {outcome: miss}
        notes:
          - {when: wind == 'gale', note: Hold on to your hat.}
    """,
}


class Run(Protocol):
    """Call the command line with these words."""

    def __call__(self, *words: str) -> Result:
        """Everything that it prints, and its exit code."""


@pytest.fixture(scope="session")
def run() -> Run:
    """The command line, in this process; a traceback fails the test."""

    def call(*words: str) -> Result:
        result = CliRunner().invoke(fieldpress, list(words), prog_name="fieldpress")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A folder with the rule set ``duel`` in it."""
    folder = tmp_path / "my-rules"
    for name, text in DUEL.items():
        path = folder / "duel" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


class Read(Protocol):
    """Read a result as JSON and hold it against the contract."""

    def __call__(self, contract: str, result: Result) -> Any:
        """The data, when it keeps the contract of this name."""


@pytest.fixture(scope="session")
def read() -> Read:
    """Standard output as data that keeps the contract; nothing may stand on standard error."""

    def call(contract: str, result: Result) -> Any:
        schema = json.loads((CONTRACT / f"{contract}.schema.json").read_text(encoding="utf-8"))
        data = json.loads(result.stdout)
        errors = [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema).iter_errors(data)]
        assert errors == []
        assert result.stderr == ""
        return data

    return call
