"""What tests of the shipped rules share: a question to a procedure, and its answer as plain fractions."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library
from generator.rules.load.load import load
from generator.rules.procedures.answers import answer, complete_inputs

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.problems import Problem
    from generator.rules.procedures.answers import Answer
    from generator.rules.procedures.procedure import Procedure


@cache
def procedure(ruleset: str, wanted: str) -> Procedure:
    problems: list[Problem] = []
    found = load(open_library(), ruleset, problems, only=[("procedures", wanted)])
    assert found is not None
    assert problems == []
    return found.procedures[wanted]


def put(name: str, **inputs: Any) -> Answer:
    """The answer of ``ruleset/procedure``; what is not given takes its default."""
    asked = procedure(*name.split("/"))
    return answer(asked, complete_inputs(asked, inputs))


@pytest.fixture(scope="session")
def shipped() -> Callable[..., Answer]:
    """Ask a procedure of the shipped rules."""
    return put
