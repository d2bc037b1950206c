"""Charts of what a procedure comes to: its outcomes, or one of its numbers."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.documents.blocks.grids import cut_short
from generator.documents.words import decimal, number, percent, within
from generator.render.blocks import Chart, Panel, Prose, Series
from generator.rules.check.sheets import values_of
from generator.rules.procedures.answers import answer
from generator.rules.procedures.inputs import complete_inputs, spell_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.problems import Problem
    from generator.rules.model.pictures import ChartBlock
    from generator.rules.procedures.answers import Answer
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place

MAX_VALUES = 40
"""The most values of one chart; whole numbers between them that never come up are shown where there is room."""


class _Told(NamedTuple):
    """One distribution: each value's chance, and the mean of its numbers."""

    name: str
    chances: dict[Any, Fraction]
    mean: Fraction | None = None


def chart_block(
    ruleset: RuleSet, block: ChartBlock, place: Place, problems: list[Problem]
) -> tuple[Chart | Prose, ...]:
    """The chart. R241 where there is nothing to draw for the inputs, R203 where there are too many values."""
    procedure = ruleset.procedures[block.chart]
    fixed = {name: values_of(procedure, name, block.given)[0] for name in block.given if name != block.each}
    told: list[_Told] = []
    answers: list[Answer] = []
    for value in values_of(procedure, block.each, block.given) if block.each else (None,):
        given = {**fixed, block.each: value} if block.each else fixed
        inputs = complete_inputs(procedure, given)
        answers.append(answer(procedure, inputs))
        told.append(_told(block, answers[-1], _named(ruleset, block, value)))
        if not told[-1].chances:
            hint = "under lack, name the bar for no number, or give other inputs"
            reason = f"no {block.number} ({spell_inputs(given)})"
            problems.append((place / "number").problem("R241", found=reason, expected="an answer", hint=hint))
            return ()
    values = _values(block, told)
    if len(values) > MAX_VALUES:
        expected = f"at most {MAX_VALUES}"
        problems.append(
            (place / "chart").problem("R203", found=f"{len(values)} bars", expected=expected, hint="say most")
        )
        return ()
    labels = [_label(block, value) for value in values]
    places = 2 if any(one.mean is not None and one.mean < 1 for one in told) else 1
    series = [_series(one, values, block, places) for one in told]
    beside = block.beside or len(series) == 1
    panels = (Panel("", tuple(series)),) if beside else tuple(Panel(one.name, (one,)) for one in series)
    alt = _alt(block, labels, series)
    apart = bool(block.lack) and None in values and len(values) > 1
    chart = Chart(block.caption, tuple(labels), panels, alt, block.height, block.axis, apart)
    note = cut_short(answers)
    return (chart, Prose((note,))) if note else (chart,)


def _named(ruleset: RuleSet, block: ChartBlock, value: object) -> str:
    if block.each is None:
        return ""
    own = ruleset.procedures[block.chart].input(block.each).choice.names.get(value, str(value))  # type: ignore[union-attr] # the sheet was checked
    return f"{block.panel} {block.names.get(str(value), block.names.get(own, own))}".strip()


def _told(block: ChartBlock, found: Answer, name: str) -> _Told:
    if block.number is None:
        labels = dict.fromkeys(outcome.label for outcome, _ in found.outcomes)
        return _Told(name, {label: _called(found, label) for label in labels})
    numbers = found.numbers.get(block.number)
    none = found.none(block.number) if block.lack else Fraction(0)
    chances: dict[Any, Fraction] = {None: none} if block.lack else {}
    if numbers is None:
        return _Told(name, chances)
    for value, _ in numbers.weights:
        kept = value if block.most is None or value < block.most else block.most
        chances[kept] = chances.get(kept, Fraction(0)) + numbers.probability(value) * (1 - none)
    return _Told(name, chances, numbers.mean())


def _called(found: Answer, label: str) -> Fraction:
    """The chance of all outcomes of one name."""
    return sum((chance for outcome, chance in found.outcomes if outcome.label == label), Fraction(0))


def _values(block: ChartBlock, told: Sequence[_Told]) -> list[Any]:
    """The values under the bars, of all series together: no number first, then the numbers in order, without a gap."""
    there = list(dict.fromkeys(value for one in told for value in one.chances))
    if block.number is None:
        return there
    numbers = sorted(value for value in there if value is not None)
    if numbers and all(isinstance(one, int) or one.denominator == 1 for one in numbers):
        whole = range(int(numbers[0]), int(numbers[-1]) + 1)
        numbers = list(whole) if len(whole) <= MAX_VALUES else numbers
    return [*([None] if None in there else []), *numbers]


def _label(block: ChartBlock, value: Any) -> str:
    if block.number is None:
        return str(value)
    if value is None:
        return block.lack
    return f"{number(value)}+" if value == block.most else number(value)


def _series(told: _Told, values: Sequence[Any], block: ChartBlock, places: int) -> Series:
    chances = tuple(told.chances.get(value, Fraction(0)) for value in values)
    there = [index for index, (value, chance) in enumerate(zip(values, chances, strict=True)) if chance]
    first = next((index for index in there if values[index] is not None), 0)
    texts = tuple(
        percent(chance) if value is None or first <= index <= there[-1] else ""
        for index, (value, chance) in enumerate(zip(values, chances, strict=True))
    )
    if told.mean is None:
        return Series(told.name, chances, texts)
    return Series(
        told.name, chances, texts, _position(told.mean, values), f"mean {decimal(told.mean, places)}{_but(block, told)}"
    )


def _but(block: ChartBlock, told: _Told) -> str:
    """That the mean is of those rolls alone that have a number."""
    if not told.chances.get(None):
        return ""
    if block.mean:
        return f" {block.mean}"
    return f", {within(block.lack)} left out"


def _position(mean: Fraction, values: Sequence[Any]) -> float:
    """Where a mean stands among the values: between two of them as far as it lies between them."""
    numbers = [(index, value) for index, value in enumerate(values) if value is not None]
    for (index, low), (_, high) in itertools.pairwise(numbers):
        if low <= mean < high:
            return index + float((mean - low) / (high - low))
    return float(numbers[-1][0])


def _alt(block: ChartBlock, labels: Sequence[str], series: Sequence[Series]) -> str:
    said = [block.caption]
    for one in series:
        figures = ", ".join(f"{label}: {text} %" for label, text in zip(labels, one.texts, strict=True) if text)
        name = f"{one.name}: " if one.name else ""
        said.append(f"{name}{figures}{f'; {one.mean_text}' if one.mean_text else ''}")
    axis = f" ({block.axis})" if block.axis else ""
    return f"{said[0]}{axis} {'. '.join(said[1:])}"
