"""Write problems as text for people, and as data for programs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from generator.problems import Problem

_LONGEST = 160
"""The most characters shown of the value found."""


def problem_text(problem: Problem) -> str:
    """Return a problem as text, with its source line and a caret, and the help, as far as there are any.

    A source line is cut to 110 characters around the caret. Help that equals the expected value is left out.

    >>> from generator.problems import Problem, Span
    >>> print(problem_text(Problem("R203", Span("a.yaml", 2, 8, "range: x"), "1..5", "x", "range", "write 1..5")))
    a.yaml:2:8: R203: range
      expected 1..5, found x
      2 | range: x
        |        ^
      help: write 1..5
    """
    span = problem.span
    file = visible(span.file)
    place = f"{file}:{span.line}:{span.column}" if span.line else file
    word = "advice: " if problem.severity == "advice" else ""
    where = problem.where or problem.field
    lines = [f"{place}: {word}{problem.code}{f': {visible(where)}' if where else ''}"]
    cite = f"   [{problem.cite}]" if problem.cite else ""
    lines.append(f"  {visible(wrong(problem) + cite)}")
    if span.line and span.text.strip():
        text, column = _window("".join(map(_sign, span.text)), span.column)
        gutter = " " * len(str(span.line))
        lines += [f"  {span.line} | {text}", f"  {gutter} | {' ' * (column - 1)}^"]
    if problem.hint and problem.hint != problem.expected:
        lines.append(f"  help: {visible(problem.hint)}")
    return "\n".join(lines)


def wrong(problem: Problem) -> str:
    """Return what is wrong: for a limit its rule and the figures, else what was expected and found.

    The value found is cut at 160 characters, and its unprintable characters are escaped. An empty value is "nothing".
    """
    found, is_limit = _short(problem.found), "/" in problem.code
    return f"{problem.expected}. Here: {found}." if is_limit else f"expected {problem.expected}, found {found}"


def visible(text: str) -> str:
    r"""Return a text with unprintable characters escaped, such as control characters and no-break spaces.

    A file's name may contain such characters, and a terminal would obey them.

    >>> visible("a\x1b[2J\udcff")
    'a\\x1b[2J\\udcff'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _short(value: str) -> str:
    text = visible(value) or "nothing"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _sign(character: str) -> str:
    """Return a printable character unchanged, a space for other white space, else the replacement character.

    The result is always one character, so that the caret stays under its place.
    """
    if character.isprintable():
        return character
    return " " if character.isspace() else "\N{REPLACEMENT CHARACTER}"


def _window(text: str, column: int, width: int = 110) -> tuple[str, int]:
    """Return at most ``width`` characters of a line, around a column, and the column in this part.

    Columns count from 1.
    """
    if len(text) <= width:
        return text, column
    start = max(0, column - width // 2)
    return text[start : start + width], column - start


def problem_data(problem: Problem) -> dict[str, Any]:
    """Return a problem as data of the JSON contract: its code, severity and place, and the texts of its message."""
    span = problem.span
    head = {"code": problem.code, "severity": problem.severity}
    place = {"file": span.file, "line": span.line, "column": span.column, "field": problem.field}
    return head | place | {key: getattr(problem, key) for key in ("found", "expected", "hint", "cite")}


def problems_text(problems: Iterable[Problem]) -> str:
    """Return all problems as text, separated by empty lines, with a count at the end; a sentence if there are none."""
    listed = list(problems)
    if not listed:
        return "No problems."
    return "\n\n".join([*(problem_text(problem) for problem in listed), f"{_counted(listed)}."])


def problems_in_short(in_full: Collection[Problem], rest: Iterable[Problem]) -> str:
    """Return the problems ``in_full`` in full, and a line for each file that counts the errors and advice in ``rest``.

    Problems that are already in full are not counted. The text is empty if there are no problems.

    >>> from generator.problems import Problem, Span
    >>> print(problems_in_short((), [Problem("R203", Span("a.yaml", 2, 8, "range: x"), "1..5", "x")]))
    a.yaml: 1 problem. fieldpress check shows more.
    """
    by_file: dict[str, list[Problem]] = {}
    for problem in rest:
        if problem not in in_full:
            by_file.setdefault(problem.span.file, []).append(problem)
    lines = [
        f"{visible(file)}: {_counted(problems_of_file)}. fieldpress check shows more."
        for file, problems_of_file in by_file.items()
    ]
    return "\n\n".join([problem_text(problem) for problem in in_full] + (["\n".join(lines)] if lines else []))


def _counted(problems: Sequence[Problem]) -> str:
    """Return the numbers of errors and of pieces of advice: "2 problems and 1 piece of advice".

    A number that is 0 is left out.
    """
    errors = sum(problem.severity == "error" for problem in problems)
    advice = len(problems) - errors
    counts = [f"{errors} problem{'s' if errors != 1 else ''}"] if errors else []
    counts += [f"{advice} piece{'s' if advice != 1 else ''} of advice"] if advice else []
    return " and ".join(counts)


_HEAD = re.compile(r"^## ([FRS]\d{3}): (.+)$", re.MULTILINE)


def pages() -> dict[str, str]:
    """Return the explanations in ``problems.md`` by code, such as R206: Markdown with its heading."""
    text = Path(__file__).with_name("problems.md").read_text(encoding="utf-8")
    starts = [*_HEAD.finditer(text)]
    ends = [*(start.start() for start in starts[1:]), len(text)]
    return {item[1]: text[item.start() : end].strip() for item, end in zip(starts, ends, strict=False)}
