"""The values that one ``key=value`` of a question names: a single one, a list, a range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.problems import Problem, Span

if TYPE_CHECKING:
    from generator.rules.choices import Choice
    from generator.rules.procedures import Input
    from generator.rules.questions import Said

_LONGEST = 12
"""Characters of a word of which an example is made: a longer one is shown no further."""


def read_input(known: Input, said: Said, problems: list[Problem]) -> tuple[Any, ...]:
    """The values that one ``key=value`` names, with R313 among the problems."""
    whole = known.choice.read(said.value)
    if whole is not None:
        return (whole,)
    found: list[Any] = []
    column = said.value_span.column
    for piece in said.value.split(","):
        values = _piece(known.choice, piece)
        if values:
            found.extend(value for value in values if value not in found)
        else:
            span = Span(said.span.file, 1, column, said.span.text)
            near = _range_hint(known.choice, piece) if ".." in piece else known.choice.near(piece)
            problems.append(Problem("R313", span, known.choice.spell(), piece or "nothing", said.name, near))
        column += len(piece) + 1
    return tuple(found)


def _piece(choice: Choice, piece: str) -> tuple[Any, ...]:
    low, dots, high = piece.partition("..")
    if not dots:
        value = choice.read(piece)
        return () if value is None else (value,)
    first, last = choice.read(low), choice.read(high)
    if first is None or last is None:
        return ()
    order = choice.values
    between = order[order.index(first) : order.index(last) + 1]
    if choice.said and isinstance(first, int) and isinstance(last, int):  # 0..3 means 0, 1, 2, 3
        return tuple(value for value in between if isinstance(value, int))
    return between


def _range_hint(choice: Choice, piece: str) -> str:
    """What a range lacks: an end, an end that is allowed, or the right way round."""
    low, _, high = (one.strip() for one in piece.partition(".."))
    example = f"{choice.values[0]}..{choice.values[-1]}"
    if not low or not high:
        return f"a range has two ends: {low or choice.values[0]}..{high or choice.values[-1]}"
    if high.startswith("."):
        return f"a range has two dots: {low}..{high.lstrip('.')}"
    for end in (low, high):
        if choice.read(end) is None:
            return choice.near(_number(end)) or choice.near(end) or f"the ends are values that it may have: {example}"
    return f"a range runs upwards: {high}..{low}"


def _number(text: str) -> int | str:
    """A whole number of any length, which is then beyond one end or the other; else the text."""
    bare = text.removeprefix("-")
    if not (bare.isascii() and bare.isdigit()):
        return text
    size = int(bare[:_LONGEST]) if len(bare) <= _LONGEST else 10**_LONGEST
    return -size if text.startswith("-") else size
