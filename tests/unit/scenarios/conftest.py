"""Scenarios that are rolled and checked as ``make soak`` does it, rule data read once."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library

if TYPE_CHECKING:
    from collections.abc import Callable

SOAK = Path(__file__).parents[3] / "setup" / "soak.py"


@pytest.fixture(scope="session")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """For a shipped rule set what rolls its scenarios and says what is wrong with them."""
    proof, library = runpy.run_path(str(SOAK))["Proof"], open_library()
    made: dict[str, Any] = {}

    def of(ruleset: str) -> Any:
        if ruleset not in made:
            made[ruleset] = proof(library, ruleset, tmp_path_factory.mktemp(ruleset))
        return made[ruleset]

    return of


@pytest.fixture
def proof_of(tmp_path: Path) -> Callable[[str], Any]:
    """The same for a rule set in the folder of a test."""
    proof = runpy.run_path(str(SOAK))["Proof"]
    return lambda ruleset: proof(open_library(tmp_path), ruleset, tmp_path)
