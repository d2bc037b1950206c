"""Read the choices that the models of fields, inputs and options declare."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.rules.entries.choices import Choice
from generator.rules.entries.tables import listed_names
from generator.rules.model.base import several
from generator.rules.source.model_errors import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.problems import Problem
    from generator.rules.entries.namespace import Namespace
    from generator.rules.model.kind import FieldModel
    from generator.rules.model.manifest import OptionModel
    from generator.rules.model.procedure import FractionsModel, InputModel
    from generator.rules.source.parts import Place


def read_choice(
    model: InputModel | FieldModel | OptionModel, namespace: Namespace, place: Place, problems: list[Problem]
) -> Choice | None:
    """Return the choice that an input, a field or an option declares; None if it has a problem.

    Adds R224 unless the values are declared in exactly one way, and R225 for an empty table.
    """
    fractions: FractionsModel | None = getattr(model, "fractions", None)
    sources = [bool(model.range), bool(model.of), bool(model.from_), model.yes_no, fractions is not None]
    if sum(sources) != 1:
        found, expected = f"{sum(sources)} of these keys", "one of range, of, from, yes_no"
        problems.append(place.problem("R224", found=found, expected=expected))
        return None
    if fractions is not None:
        return _fractions(fractions)
    if model.yes_no:
        return Choice((False, True), {False: "no", True: "yes"})
    if model.range:
        low, high = map(int, model.range.split(".."))
        return Choice(tuple(range(low, high + 1)), {})
    if model.of:
        return Choice(model.of, {})
    tables = [namespace.table(table_id) for table_id in several(model.from_)]
    empty = next((table for table in tables if not table.rows), None)
    if empty is not None:
        found, expected = f"the table {empty.id} without rows", "a table that lists values"
        problems.append((place / "from").problem("R225", found=found, expected=expected))
        return None
    names = listed_names(namespace.tables, several(model.from_))
    former = tuple(value for table in tables for value in table.former(table.key[0]))
    return Choice(tuple(names), names, former, tables=several(model.from_))


def _fractions(model: FractionsModel) -> Choice:
    """Return the choice of all fractions from 0 to ``to`` with these denominators."""
    parts = sorted(set(model.parts))
    numbers = {Fraction(number, part) for part in parts for number in range(model.to * part + 1)}
    values = tuple(int(item) if item.denominator == 1 else item for item in sorted(numbers))
    example = f"{model.to * parts[-1] - 1}/{parts[-1]}"
    return Choice(values, {}, description=f"0 to {model.to}, or a fraction of {_or(parts)} parts such as {example}")


def _or(numbers: Sequence[int]) -> str:
    """Return numbers as text, the last after "or"."""
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last


def read_default(choice: Choice, text: object, place: Place, problems: list[Problem]) -> Any:
    """Return the default that an input or a field declares. Adds R203 for a default that it does not allow."""
    if text is None:
        return None
    default = choice.read(text)
    if default is None:
        hint = choice.near(text)
        problems.append((place / "default").problem("R203", found=show(text), expected=choice.spell(), hint=hint))
    return default
