"""Charts of a procedure's results: its outcomes, or one of its numbers."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field

from generator.documents.blocks.grids import cut_short, labelled
from generator.documents.words import decimal, number, percent, within
from generator.render.blocks import Chart, Panel, Prose, Series
from generator.rules.check.sheets import BlockChecker, values_of
from generator.rules.model.base import Id, Name, NonBlank, Ref
from generator.rules.model.block import Block
from generator.rules.procedures.answers import Answer, answer
from generator.rules.procedures.inputs import complete_inputs, spell_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.documents.blocks.composition import Composition
    from generator.rules.ruleset import RuleSet

MAX_VALUES = 40
"""Most values of one chart; whole numbers between them that never occur are shown if there is room."""


MAX_PANELS, MAX_SIDE_BY_SIDE = 6, 3
"""The most charts of one block, and the most bars for one value that can be told apart without colour."""


ChartInput = Annotated[Name, Ref("input", of="chart")]


class ChartBlock(Block):
    """Exact odds as bars: the chances of a procedure's outcomes, or of each value of one of its numbers."""

    keyword = "chart"

    chart: Annotated[Id, Ref("procedure with dice")]
    """The procedure."""
    number: Annotated[Id, Ref("number", of="chart")] | None = None
    """One of the procedure's numbers; without a number the outcomes are drawn."""
    caption: NonBlank
    """The question that the chart answers, printed over it."""
    axis: str = ""
    """The meaning of the values under the bars, printed below them."""
    given: dict[ChartInput, Annotated[Any, Ref("value", of="chart")]] = Field(default_factory=dict)
    """Fixed inputs; a list of values for the input under ``each``."""
    each: ChartInput | None = None
    """The input that has bars for each of its values."""
    panel: str = ""
    """Printed before each value of ``each``."""
    names: dict[str, str] = Field(default_factory=dict)
    """Printed names of values of ``each``, instead of the values’ own."""
    beside: bool = False
    """Set to true: the bars for all values of ``each`` are side by side in one chart, instead of a chart for each."""
    lack: str = ""
    """The label of the bar for no number; without it the chart covers only rolls with a number."""
    most: Annotated[int, Field(ge=1, le=40)] | None = None
    """This number and all above it share the last bar."""
    height: Annotated[int, Field(ge=15, le=80)] = 30
    """Height in millimetres of the bar with the highest chance."""

    def only_odds_of(self) -> str:
        """Return the id of the procedure whose odds are all that the chart shows."""
        return self.chart

    def check(self, checker: BlockChecker) -> None:
        """Report R203 for a key without the key that it needs or for too many charts.

        Report R314 or R316 for inputs that do not make a complete question.
        """
        before = len(checker.problems)
        for key, needs in (("lack", "number"), ("most", "number"), ("beside", "each")):
            if getattr(self, key) and getattr(self, needs) is None:
                hint = f"say {needs}, or leave {key} out"
                checker.refuse("R203", f"{key} without {needs}", f"{key} together with {needs}", key, hint=hint)
        procedure = checker.ruleset.procedures[self.chart]
        checker.check_values(self.given, (self.each,))
        wanted = values_of(procedure, self.each, self.given) if self.each else (None,)
        most = MAX_SIDE_BY_SIDE if self.beside else MAX_PANELS
        if len(wanted) > most:
            hint = "list the values to draw under given"
            checker.refuse("R203", f"{len(wanted)} values", f"at most {most}", "each", hint=hint)
        for value in wanted if len(checker.problems) == before else ():
            fixed = {name: values_of(procedure, name, self.given)[0] for name in self.given}
            checker.complete(procedure, fixed | ({self.each: value} if self.each else {}), checker.place)

    def compose(self, context: Composition) -> tuple[Chart | Prose, ...]:
        """Return the chart, and a note if dice stop after their last re-roll.

        Adds R241 if the procedure gives no number for the inputs, R203 if there are too many bars. The result is then
        empty.
        """
        procedure = context.ruleset.procedures[self.chart]
        fixed = {name: values_of(procedure, name, self.given)[0] for name in self.given if name != self.each}
        told: list[_Told] = []
        answers: list[Answer] = []
        for value in values_of(procedure, self.each, self.given) if self.each else (None,):
            given = {**fixed, self.each: value} if self.each else fixed
            inputs = complete_inputs(procedure, given)
            answers.append(answer(procedure, inputs))
            told.append(_told(self, answers[-1], _named(context.ruleset, self, value)))
            if not told[-1].chances:
                hint = "say under lack what stands under the bar for no number, or give other inputs"
                reason = f"no {self.number} ({spell_inputs(given)})"
                context.problems.append((context.place / "number").problem("R241", "an answer", reason, hint))
                return ()
        values = _values(self, told)
        if len(values) > MAX_VALUES:
            expected = f"at most {MAX_VALUES}"
            context.problems.append(
                (context.place / "chart").problem("R203", expected, f"{len(values)} bars", "say most")
            )
            return ()
        labels = [_label(self, value) for value in values]
        places = 2 if any(item.mean is not None and item.mean < 1 for item in told) else 1
        series = [_series(item, values, self, places) for item in told]
        beside = self.beside or len(series) == 1
        panels = (Panel("", tuple(series)),) if beside else tuple(Panel(item.name, (item,)) for item in series)
        alt = _alt(self, labels, series)
        chart = Chart(self.caption, tuple(labels), panels, alt, self.height, self.axis)
        note = cut_short(answers)
        return (chart, Prose((note,))) if note else (chart,)


class _Told(NamedTuple):
    """A distribution: each value's chance, and the mean of its numbers."""

    name: str
    chances: dict[Any, Fraction]
    mean: Fraction | None = None


def _named(ruleset: RuleSet, block: ChartBlock, value: object) -> str:
    """Return the printed name of a value of ``each``; empty without ``each``."""
    if block.each is None:
        return ""
    own = ruleset.procedures[block.chart].input(block.each).choice.names.get(value, str(value))  # type: ignore[union-attr] # the sheet was checked
    return f"{block.panel} {block.names.get(str(value), block.names.get(own, own))}".strip()


def _told(block: ChartBlock, found: Answer, name: str) -> _Told:
    """Return the distribution of an answer under a ``name``: of its outcomes, or of the values of its number."""
    if block.number is None:
        return _Told(name, labelled(found))
    numbers = found.numbers.get(block.number)
    none = found.none(block.number) if block.lack else Fraction(0)
    chances: dict[Any, Fraction] = {None: none} if block.lack else {}
    if numbers is None:
        return _Told(name, chances)
    for value, _ in numbers.weights:
        kept = value if block.most is None or value < block.most else block.most
        chances[kept] = chances.get(kept, Fraction(0)) + numbers.probability(value) * (1 - none)
    return _Told(name, chances, numbers.mean())


def _values(block: ChartBlock, told: Sequence[_Told]) -> list[Any]:
    """Return the values under the bars of all series, the numbers in order.

    None comes first if a bar stands for no number.
    """
    there = list(dict.fromkeys(value for item in told for value in item.chances))
    if block.number is None:
        return there
    numbers = sorted(value for value in there if value is not None)
    if numbers and all(isinstance(item, int) or item.denominator == 1 for item in numbers):
        whole = range(int(numbers[0]), int(numbers[-1]) + 1)
        numbers = list(whole) if len(whole) <= MAX_VALUES else numbers
    return [*([None] if None in there else []), *numbers]


def _label(block: ChartBlock, value: Any) -> str:
    """Return the label under the bar of a value."""
    if block.number is None:
        return str(value)
    if value is None:
        return block.lack
    return f"{number(value)}+" if value == block.most else number(value)


def _series(told: _Told, values: Sequence[Any], block: ChartBlock, places: int) -> Series:
    """Return a distribution as the bars of a chart."""
    chances = tuple(told.chances.get(value, Fraction(0)) for value in values)
    there = [index for index, (value, chance) in enumerate(zip(values, chances, strict=True)) if chance]
    first = next((index for index in there if values[index] is not None), 0)
    texts = tuple(
        percent(chance) if value is None or first <= index <= there[-1] else ""
        for index, (value, chance) in enumerate(zip(values, chances, strict=True))
    )
    if told.mean is None:
        return Series(told.name, chances, texts)
    but = f", not counting {within(block.lack)}" if told.chances.get(None) else ""
    return Series(told.name, chances, texts, _position(told.mean, values), f"mean {decimal(told.mean, places)}{but}")


def _position(mean: Fraction, values: Sequence[Any]) -> float:
    """Return the position of a mean among the values; a mean between two values is placed in proportion."""
    numbers = [(index, value) for index, value in enumerate(values) if value is not None]
    for (index, low), (_, high) in itertools.pairwise(numbers):
        if low <= mean < high:
            return index + float((mean - low) / (high - low))
    return float(numbers[-1][0])


def _alt(block: ChartBlock, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Return the chart in words, for screen readers: the caption, and every figure with its label."""
    said = [block.caption]
    for item in series:
        figures = ", ".join(f"{label}: {text} %" for label, text in zip(labels, item.texts, strict=True) if text)
        name = f"{item.name}: " if item.name else ""
        said.append(f"{name}{figures}{f'; {item.mean_text}' if item.mean_text else ''}")
    axis = f" ({block.axis})" if block.axis else ""
    return f"{said[0]}{axis} {'. '.join(said[1:])}"
