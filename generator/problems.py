"""What can be wrong with a file or a question, as data.

A :class:`Problem` says where it stands, what stood there, what was expected and how to mend it. Stages collect
problems and go on; nothing here is raised (``generator.errors`` holds the exceptions).
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Severity: TypeAlias = Literal["error", "advice"]


class Span(NamedTuple):
    """A place in a text: lines and columns are counted in code points from 1; 0 stands for "the whole file"."""

    file: str
    line: int = 0
    column: int = 0
    text: str = ""
    """The source line itself, without its line end."""


class Problem(NamedTuple):
    """One thing to mend. ``code`` never changes its meaning; ``fieldpress explain CODE`` tells more."""

    code: str
    span: Span
    expected: str
    found: str
    field: str = ""
    hint: str = ""
    cite: str = ""
    severity: Severity = "error"


def has_errors(problems: tuple[Problem, ...] | list[Problem]) -> bool:
    """Whether anything here is more than advice."""
    return any(problem.severity == "error" for problem in problems)


def spell_path(path: tuple[str | int, ...]) -> str:
    """A field's full path as people write it.

    >>> spell_path(("designs", 0, "weapons", 1, "class"))
    'designs[0].weapons[1].class'
    """
    spelled = ""
    for step in path:
        if isinstance(step, int):
            spelled += f"[{step}]"
        else:
            spelled += f".{step}" if spelled else step
    return spelled
