"""Read the values of one ``key=value`` of a question: a single value, a list or a range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.problems import Problem, Span

if TYPE_CHECKING:
    from generator.parsing.assignments import Assignment
    from generator.rules.entries.choices import Choice
    from generator.rules.procedures.procedure import Input


def read_input(known: Input, word: Assignment, problems: list[Problem]) -> tuple[Any, ...]:
    """Return the values that one ``key=value`` names. Adds R313 for a value that the input does not allow."""
    whole = known.choice.read(word.value)
    if whole is not None:
        return (whole,)
    chosen: list[Any] = []
    column = word.value_span.column
    for piece in word.value.split(","):
        values = _piece(known.choice, piece)
        if values:
            chosen.extend(value for value in values if value not in chosen)
        else:
            span = Span(word.span.file, 1, column, word.span.text)
            first, last = known.choice.values[0], known.choice.values[-1]
            ends = f"write a range from the smaller to the greater value, such as {first}..{last}"
            hint = ends if ".." in piece else known.choice.near(piece)
            problems.append(Problem("R313", span, known.choice.spell(), piece or "nothing", word.name, hint))
        column += len(piece) + 1
    return tuple(chosen)


def _piece(choice: Choice, piece: str) -> tuple[Any, ...]:
    """Return the values of one piece of a list: a value or a range; nothing if the piece is not allowed."""
    low, dots, high = piece.partition("..")
    if not dots:
        value = choice.read(piece)
        return () if value is None else (value,)
    first, last = choice.read(low), choice.read(high)
    if first is None or last is None:
        return ()
    order = choice.values
    between = order[order.index(first) : order.index(last) + 1]
    if choice.description and isinstance(first, int) and isinstance(last, int):  # 0..3 means 0, 1, 2, 3
        return tuple(value for value in between if isinstance(value, int))
    return between
