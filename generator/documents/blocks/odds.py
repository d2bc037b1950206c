"""Exact odds as blocks: grids with a panel for each value of an input, and charts of a procedure's results."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import groupby, pairwise
from math import prod
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import Field

from generator.documents.words import TINT_BOUNDS, decimal, number, percent, tint, within
from generator.render.blocks import Cell, Chart, Column, Panel, Prose, Series, Table, TintKey
from generator.rules.check.ruleset import BlockChecker, values_of
from generator.rules.entries.choices import chosen
from generator.rules.entries.compiled import bind
from generator.rules.entries.dice import spell_dice
from generator.rules.formulas.scope import VALUE, FormulaText
from generator.rules.model.base import Block, Id, Model, Name, NonBlank, Ref, Seq
from generator.rules.procedures.answers import Answer, answer, complete_inputs, spell_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.documents.blocks.composition import Composition
    from generator.rules.formulas.compiler import Formula
    from generator.rules.procedures.procedure import Procedure


MAX_CELLS = 2_000
"""The most cells of one grid."""


GridInput = Annotated[Name, Ref("input", of="grid")]


class Measure(Model):
    """The measure in a grid's cells: the chance of some outcomes."""

    outcomes: Annotated[Seq[Annotated[Id, Ref("outcome", of="grid")]], Field(min_length=1)]
    """The outcomes whose chances are added up."""


class GridBlock(Block):
    """Exact odds of a procedure over one input or two, one panel for each value of ``each``."""

    keyword = "grid"

    grid: Annotated[Id, Ref("procedure with dice")]
    """The procedure."""
    rows: GridInput | None = None
    """The input that goes down the side. Without one the grid is a single row of cells."""
    columns: GridInput
    """The input that goes along the top."""
    each: GridInput | None = None
    """The input that has a panel for each of its values."""
    given: dict[GridInput, Annotated[Any, Ref("value", of="grid")]] = Field(default_factory=dict)
    """Fixed inputs; a list of values for an input that rows, columns or panels vary over."""
    measure: Measure
    """The measure that is printed in the cells."""
    dice: dict[GridInput, FormulaText] = Field(default_factory=dict)
    """For an input, the die of each value, drawn beside the heads."""
    head: str = ""
    """The name of the rows, printed above them with an arrow; its default is the label of the input."""
    along: str = ""
    """The name of the columns, printed above them with an arrow; its default is the label of the input."""
    best: bool = False
    """Whether the greatest chance of each column is marked: for rows that are options, such as weapons."""
    merge: bool = False
    """Whether neighbouring rows that are equal in every panel are printed as one, with all their names."""
    names: dict[str, str] = Field(default_factory=dict)
    """Printed names of values, instead of the values' own; ``wall=2`` names the value of one input only."""
    column_prefix: str = ""
    """Put before each column's value: A1, A2."""
    panel: str = ""
    """A panel's head; the value of ``each`` follows it."""

    def only_odds_of(self) -> str | None:
        """Return the id of the procedure whose odds are all that the grid shows; None if the grid shows dice, too."""
        return None if self.dice else self.grid

    def check(self, checker: BlockChecker) -> None:
        """Report R203 for too many cells or a wrong list, and R314 for a missing input.

        A list is wrong if it is empty or belongs to an input that does not vary; then nothing else is checked. Report
        R221 to R223, R225, R237 or R241 for a formula of ``dice`` that cannot be read or has no answer. R241 is also
        for a value that is neither dice nor None.
        """
        procedure = checker.ruleset.procedures[self.grid]
        varied = [name for name in (self.rows, self.columns, self.each) if name is not None]
        if not checker.check_values(self.given, varied):
            return
        values = {name: values_of(procedure, name, self.given) for name in {*self.given, *varied}}
        cells = prod(len(values[name]) for name in varied)
        if cells > MAX_CELLS:
            hint = "list the values to print under given"
            checker.refuse("R203", f"{cells} cells", f"at most {MAX_CELLS}", "grid", hint=hint)
        # Whether an input applies differs from cell to cell.
        checker.complete(procedure, {name: some[0] for name, some in values.items()}, checker.place, "R314")
        for name, text in self.dice.items():
            scope = checker.ruleset.scope | {name: chosen(procedure.input(name).choice)}  # type: ignore[union-attr] # it is known
            named = [{name: value} for value in values_of(procedure, name, self.given)]
            cases = [(spell_inputs(case), case) for case in named]
            checker.reckon(text, scope, cases, checker.place / "dice" / name, as_condition=False)

    def compose(self, context: Composition) -> tuple[Table, ...]:
        """Return a table for each value of ``each``; without ``each``, a single table.

        With ``merge``, neighbouring rows whose cells print alike in every table become one row with all their names.
        Raises ProblemsError: R241 for a cell without an answer, R314 or R316 for inputs that are not a complete
        question.
        """
        procedure = context.ruleset.procedures[self.grid]
        scope, place = context.ruleset.scope, context.place / "dice"
        found = ((name, bind(text, scope | {name: VALUE}, place / name, context.problems))
                 for name, text in self.dice.items())  # fmt: skip
        dice = {name: formula for name, formula in found if formula}
        panels = []
        for value in values_of(procedure, self.each, self.given) if self.each else (None,):
            given = fixed_inputs(procedure, self.given, self.rows, self.columns, self.each)
            panels.append(_panel(procedure, self, given | ({self.each: value} if self.each else {}), dice))
        return _merged(panels) if self.merge else tuple(panels)


BEST = "▲"
"""The mark of the greatest chance of a column."""


class KeyBlock(Block):
    """The key to the tints of the grids."""

    keyword = "key"
    explains = True

    key: Literal["tints"]
    """The subject of the key: the tints."""

    def compose(self, _context: Composition) -> TintKey:
        """Return the key to the tints."""
        return tint_key()


def tint_key(bounds: Sequence[int] = TINT_BOUNDS, aim: str = "") -> TintKey:
    """Return the key of tint steps under grids or diagrams. ``bounds`` are the percentages where a step begins.

    ``aim`` is the meaning of the mark of an aimed hex, if any.

    >>> tint_key((1, 2, 4)).bounds
    ('under 1', '1', '2–3', '4 and up')
    """
    steps = [f"{low}–{high - 1}" if high > low + 1 else str(low) for low, high in pairwise(bounds)]
    return TintKey((f"under {bounds[0]}", *steps, f"{bounds[-1]} and up"), aim)


def _panel(procedure: Procedure, block: GridBlock, given: Mapping[str, Any], dice: Mapping[str, Formula]) -> Table:
    """Return the table of a grid for one value of ``each``.

    ``given`` has the fixed inputs and the value of ``each``; ``dice`` has the formulas of dice, by input. A cell has
    the chance in percent, its tint, and the chances of all possible outcomes. If the block has ``best``, the greatest
    chance in each column is marked. The note is that of ``cut_short``.
    """

    def die(name: str, value: object) -> str:
        sides = dice[name]({**procedure.names, name: value}) if name in dice else None
        return spell_dice(sides)

    def named(name: str, value: object) -> str:
        return _printed(procedure, name, value, block.names)

    panel = block.panel
    if block.each:
        value = given[block.each]
        panel = f"{block.panel} {named(block.each, value)} {die(block.each, value)}".strip()
    columns = values_of(procedure, block.columns, block.given)
    asked: list[tuple[Any, list[Answer]]] = []
    for row in values_of(procedure, block.rows, block.given) if block.rows else (None,):
        inputs = {**given, block.rows: row} if block.rows else given
        questions = (complete_inputs(procedure, {**inputs, block.columns: column}) for column in columns)
        asked.append((row, [answer(procedure, question, whole=False) for question in questions]))
    chances = [[found.chance(*block.measure.outcomes) for found in answers] for _, answers in asked]
    most = [max(column) for column in zip(*chances, strict=True)]
    rows = []
    for (row, answers), of_row in zip(asked, chances, strict=True):
        head = panel or block.head or procedure.title
        if block.rows:
            head = f"{die(block.rows, row)}\u00a0{named(block.rows, row)}".strip("\u00a0")
        cells = [Cell(head)]
        for found, chance, top in zip(answers, of_row, most, strict=True):
            mark = BEST if block.best and chance == top else ""
            odds = tuple(item for item in labelled(found).items() if item[1])
            cells.append(Cell(percent(chance), tint(chance), mark=mark, odds=odds))
        rows.append(tuple(cells))
    down, along = (
        f"{name or procedure.input(of).label}\u00a0{arrow}" if of else ""  # type: ignore[union-attr] # the sheet was checked
        for name, of, arrow in ((block.head, block.rows, "↓"), (block.along, block.columns, "→"))
    )
    heads = [Column(down)]
    for value in columns:
        text = f"{block.column_prefix}{named(block.columns, value)}"
        heads.append(Column(text, die=die(block.columns, value), align="centre"))
    caption = f"{procedure.title}: {panel or block.head}"
    note = cut_short(found for _, answers in asked for found in answers)
    above = panel if block.rows else ""
    return Table(tuple(heads), tuple(rows), caption, over=above, along=along, grid=True, note=note, roomy=True)


def _printed(procedure: Procedure, name: str, value: object, names: Mapping[str, str]) -> str:
    """Return the printed name of a value of an input.

    ``names`` may have it under ``input=value``, the value, or the value's own name, and is searched in this order.
    Without such a key, return the value's own name.
    """
    own = procedure.input(name).choice.names.get(value, str(value))  # type: ignore[union-attr] # the sheet was checked
    return next((names[key] for key in (f"{name}={value}", str(value), own) if key in names), own)


def fixed_inputs(procedure: Procedure, given: Mapping[str, Any], *varied: str | None) -> dict[str, Any]:
    """Return the ``given`` inputs of a block, without the ``varied`` inputs; of a list of values, take the first.

    A value that the input does not allow becomes None; a value None becomes the first value that the input allows.
    The procedure must have these inputs. Raises IndexError for an empty list.
    """
    return {name: values_of(procedure, name, given)[0] for name in given if name not in varied}


def labelled(answered: Answer) -> dict[str, Fraction]:
    """Return the total chance of all outcomes with the same label, by the label."""
    chances: dict[str, Fraction] = {}
    for outcome, chance in answered.outcomes:
        chances[outcome.label] = chances.get(outcome.label, Fraction(0)) + chance
    return chances


def cut_short(answers: Iterable[Answer]) -> str:
    """Return the note on dice that stop after their last re-roll; empty if all dice are followed to the end."""
    chances = [chance for item in answers for chance in item.remainders.values()]
    if not chances:
        return ""
    return f"Dice stop after the last re-roll. Largest chance that a die would go on: {percent(max(chances))} percent."


def _merged(panels: Sequence[Table]) -> tuple[Table, ...]:
    """Return the panels with neighbouring rows merged; a merged row begins with the names of its rows.

    The first cell of a row is its name. Only rows whose other cells print alike in every panel are merged, so that
    panels keep the same height.
    """
    lines = zip(*(panel.rows for panel in panels), strict=True)
    groups = [list(group) for _, group in groupby(lines, key=lambda rows: [row[1:] for row in rows])]
    return tuple(
        replace(panel, rows=tuple(_merged_row([rows[index] for rows in group]) for group in groups))
        for index, panel in enumerate(panels)
    )


def _merged_row(rows: Sequence[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    """Return the first of some rows that print alike, with the names of all of them.

    A cell keeps its odds only if all rows have the same.
    """
    heads, *columns = zip(*rows, strict=True)
    cells = (cell if all(cell.odds == other.odds for other in others) else replace(cell, odds=())
             for cell, *others in columns)  # fmt: skip
    return Cell(_joined([head.text for head in heads])), *cells


def _joined(names: list[str]) -> str:
    r"""Return row names joined by commas; a die from D4 to D12 that all names begin with is printed once.

    A no-break space separates the die from the name.

    >>> _joined(["D8\u00a0Powered", "D8\u00a0APSW"]) == "D8\u00a0Powered, APSW"
    True
    >>> _joined(["D4\u00a0Twig", "D6\u00a0Cane"]) == "D4\u00a0Twig, D6\u00a0Cane", _joined(["HKP", "MDC"])
    (True, 'HKP, MDC')
    """
    first, *rest = names
    die, space, _ = first.partition("\u00a0")
    shared = f"{die}{space}" if die in {"D4", "D6", "D8", "D10", "D12"} else ""
    alike = all(name.startswith(shared) for name in rest)
    return ", ".join([first, *(name.removeprefix(shared) if alike else name for name in rest)])


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
        """Return the id of the chart's procedure; a chart shows only odds of this procedure."""
        return self.chart

    def check(self, checker: BlockChecker) -> None:
        """Report R203 for a key without the key that it needs, for too many values of ``each``, or for a wrong list.

        A list is wrong if it is empty or belongs to an input that does not vary. If there is no R203, report R314, R316
        or R241 for inputs that do not make a complete question.
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
            fixed = fixed_inputs(procedure, self.given)
            checker.complete(procedure, fixed | ({self.each: value} if self.each else {}), checker.place)

    def compose(self, context: Composition) -> tuple[Chart | Prose, ...]:
        """Return the chart, and a note if dice stop after their last re-roll.

        Returns nothing and adds R241 if the procedure gives no number for the inputs and ``lack`` is empty. Returns
        nothing and adds R203 for too many bars. Raises ProblemsError: R241 if the procedure has no answer, R314 or R316
        for inputs that are not a complete question.
        """
        procedure = context.ruleset.procedures[self.chart]
        fixed = fixed_inputs(procedure, self.given, self.each)
        told: list[_Told] = []
        answers: list[Answer] = []
        for value in values_of(procedure, self.each, self.given) if self.each else (None,):
            given = {**fixed, self.each: value} if self.each else fixed
            inputs = complete_inputs(procedure, given)
            answers.append(answer(procedure, inputs))
            name = f"{self.panel} {_printed(procedure, self.each, value, self.names)}".strip() if self.each else ""
            told.append(_told(self, answers[-1], name))
            if not told[-1].chances:
                hint = "say under lack what stands under the bar for no number, or give other inputs"
                reason = f"no {self.number} ({spell_inputs(given)})"
                context.problems.append((context.place / "number").problem("R241", "an answer", reason, hint))
                return ()
        values = _values(self, told)
        if len(values) > MAX_VALUES:
            place, found = context.place / "chart", f"{len(values)} bars"
            context.problems.append(place.problem("R203", f"at most {MAX_VALUES}", found, "say most"))
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


def _told(block: ChartBlock, found: Answer, name: str) -> _Told:
    """Return the distribution of an answer under a ``name``: of its outcome labels, or of the block's number.

    With ``lack``, the key None has the chance of no number. Without ``lack``, only rolls with a number count, and there
    are no keys if no roll has one. The key ``most`` has the chance of that number and all above it.
    """
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
    """Return the values under the bars of all series: the labels of outcomes, or the numbers in rising order.

    None comes first if a bar stands for no number. If all numbers are whole, the numbers between them that never occur
    are included, unless there are then more than ``MAX_VALUES`` numbers.
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
    """Return the label under the bar of a value: the outcome, the number, or ``lack`` for None.

    The number ``most`` has a plus sign behind it.
    """
    if block.number is None:
        return str(value)
    if value is None:
        return block.lack
    return f"{number(value)}+" if value == block.most else number(value)


def _series(told: _Told, values: Sequence[Any], block: ChartBlock, places: int) -> Series:
    """Return a distribution as the bars of a chart, one for each of the ``values``.

    Values before the first and after the last possible value have no percentage; None always has one. ``places`` are
    the decimals of the mean.
    """
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
    """Return the position of a mean as an index of the values, with a fraction between two values.

    ``values`` are numbers in rising order, perhaps after a None. The mean is not below the first number. A mean beyond
    the last number is at the last number.
    """
    numbers = [(index, value) for index, value in enumerate(values) if value is not None]
    for (index, low), (_, high) in pairwise(numbers):
        if low <= mean < high:
            return index + float((mean - low) / (high - low))
    return float(numbers[-1][0])


def _alt(block: ChartBlock, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Return the chart in words, for screen readers: caption, axis, and the figures and the mean of each series.

    Each figure has the label of its bar; a bar without a printed percentage is left out.
    """
    said = [block.caption]
    for item in series:
        figures = ", ".join(f"{label}: {text} %" for label, text in zip(labels, item.texts, strict=True) if text)
        name = f"{item.name}: " if item.name else ""
        said.append(f"{name}{figures}{f'; {item.mean_text}' if item.mean_text else ''}")
    axis = f" ({block.axis})" if block.axis else ""
    return f"{said[0]}{axis} {'. '.join(said[1:])}"
