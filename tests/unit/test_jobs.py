"""What is told of a player's text that no page can hold."""

from __future__ import annotations

import pytest

from generator.errors import LayoutError
from generator.pipeline.jobs import unprintable
from generator.rules.parts import Part
from generator.sources.yaml12 import parse_yaml

MESSAGE = "sheet 'reds-cards', page 2: 'Woooord' is wider than its cell in 'head'"


@pytest.mark.parametrize(
    ("remedy", "hint"),
    [
        ("shorten the text, or give it a wider column", "shorten it, or write it in several words"),
        ("let the table run over pages (long: true)", "shorten it, or write it in several words"),
        ("shorten the name of the side", "shorten the name of the side"),
    ],
)
def test_a_player_is_told_what_a_player_can_do(remedy: str, hint: str) -> None:
    document, _ = parse_yaml("force: Reds\nnote: A Woooord\n", "reds.yaml")
    assert document is not None
    problem = unprintable(Part("", document).place(), LayoutError(MESSAGE, "head", "Woooord", remedy))
    assert (problem.code, problem.span.line, problem.span.column, problem.hint) == ("F132", 2, 9, hint)
    assert problem.found == "page 2: 'Woooord' is wider than its cell in 'head'"
