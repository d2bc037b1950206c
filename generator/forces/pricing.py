"""Price a design: its cost, capacity and systems, line by line, with the working and the sources."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.problems import ProblemsError
from generator.rules.entries.compiled import PLACEHOLDER, Compiled
from generator.rules.entries.dice import spell_dice
from generator.rules.entries.kinds import OTHERS, Kind
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.functions import Number, round_half_up, whole
from generator.rules.formulas.working import printed, spell, working
from generator.rules.source.validation import show

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from generator.rules.formulas.compiler import Formula
    from generator.rules.model.manifest import Costs
    from generator.rules.source.parts import Citation, Provenance


class Values(dict[str, Any]):
    """Values by name, with joined table rows that are looked up when a formula first reads them.

    A row that only an excluded line or limit reads is therefore never looked up.
    """

    __slots__ = ("_join",)

    def __init__(self, values: Mapping[str, Any], join: tuple[tuple[str, Formula], ...] = ()) -> None:
        super().__init__(values)
        self._join = dict(join)

    def __missing__(self, name: str) -> Any:
        """Look up a joined row when it is first read, and keep it. Raises KeyError for any other name.

        Raises FormulaUseError if the formula of the row has no answer.
        """
        if name not in self._join:
            raise KeyError(name)
        self[name] = row = self._join[name](self)
        return row

    def copied(self) -> Values:
        """Return a copy, to which values can be added."""
        return Values(self, tuple(self._join.items()))

    def entries(self, each: str | None, join: tuple[tuple[str, Formula], ...]) -> Iterator[Values]:
        """Yield the values once, or once for each entry of the list field ``each``.

        An entry's fields replace values of the same names. The rows ``join`` are looked up when they are first read.
        Without ``each`` and ``join``, the values themselves are yielded, not a copy.
        """
        if each is None and not join:
            yield self
            return
        for record in self[each] if each else ({},):
            yield Values({**self, **record}, join)


def filled(label: str, kind: Kind, each: str | None, values: Mapping[str, Any]) -> str:
    """Return a label with its placeholders filled in from ``values``. A value with a printed name appears by that name.

    ``each`` is the list field whose entry the label is about, None for the whole design. Raises KeyError for a
    placeholder without a value.
    """
    return PLACEHOLDER.sub(lambda match: _printed_value(kind, each, match[1], values[match[1]]), label)


def _printed_value(kind: Kind, each: str | None, name: str, value: Any) -> str:
    """Return a value for print: a span (3–5), its printed name, yes, no, a dash for None, or else plain text.

    ``name`` is the placeholder that the value fills, and ``each`` is as in ``filled``.
    """
    record = kind.field(each) if each else None
    field = next((field for field in (*(record.fields if record else ()), *kind.fields) if field.name == name), None)
    names = field.choice.names if field is not None and field.choice is not None else {}
    plain = ("no", "yes")[value] if isinstance(value, bool) else "–" if value is None else value
    return _span(value) or str(names.get(value, plain))


def _span(value: object) -> str:
    """Return a table's span, a pair of whole numbers, as text, such as "3–5" or "3"; empty for any other value."""
    match value:
        case (int(low), int(high)):
            return str(low) if low == high else f"{low}–{high}"
        case _:
            return ""


def shown(formula: Formula, values: Mapping[str, Any], unit: str = "", *, die: bool = False) -> str:
    """Return the result of a formula for print: a number with ``unit`` after it, a word, yes or no, or a span (3–5).

    None is printed as a dash. With ``die``, the result must be dice, such as 2D6. Raises FormulaUseError for any other
    result, or if the formula has no result.
    """
    value = formula(values)
    if value is None:
        return "–"
    if die:
        try:
            return spell_dice(value)
        except FormulaUseError as error:
            raise FormulaUseError(f"{error}, where {show(formula.text)} should give a die", formula.place) from None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | Fraction):
        return f"−{spell(-value)}{unit}" if value < 0 else f"{spell(value)}{unit}"
    if span := _span(value):
        return span
    if not isinstance(value, str):
        raise FormulaUseError(f"{show(value)} where {show(formula.text)} should give a number or a word", formula.place)
    return value


_MAX_LINES = 100
"""The most times that a line may repeat."""
_ONE = re.compile(r"\b1 × ")
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_PRICED = {OTHERS, "points", "capacity_used", "capacity_allowed", "systems_used", "systems_allowed"}
"""Values that are known only after the lines are computed, in addition to the named lines."""


@dataclass(frozen=True, slots=True)
class CostLine:
    """A cost line. Its ``points`` count towards the total; ``capacity`` and ``systems`` are what it uses of both.

    A subtotal has None as its ``points``, and its figure is ``amount``. A line that is only shown also has None there,
    and its text is in ``figure``.
    """

    id: str
    label: str
    points: Number | None
    amount: Number
    capacity: Number
    systems: Number
    formula: Formula | None
    values: Mapping[str, Any]
    provenance: Provenance
    figure: str = ""
    template: str = ""
    """The label with its placeholders, before the design's values are filled in."""

    @property
    def printed_label(self) -> str:
        """The label without a count of 1, for paper."""
        return _ONE.sub("", self.label)

    @property
    def working(self) -> str:
        """The formula with its figures, followed by the exact result if the amount was rounded.

        Empty without a formula. A line with a ``figure`` gets no result after its working. Its working is empty if it
        would only repeat the result.
        """
        if self.formula is None:
            return ""
        exact = self.formula(self.values)
        text = working(self.formula, self.values)
        if self.figure:
            return "" if text == printed(exact) else text
        return text + ("" if exact == self.amount else f" = {spell(exact)}")


@dataclass(frozen=True, slots=True)
class Use:
    """The capacity or systems used and allowed; ``allowed`` is None without a limit."""

    used: Number
    allowed: Number | None


class Broken(NamedTuple):
    """A broken limit, and the index of the list entry that breaks it.

    ``entry`` is None if the limit is about the whole design, unit or force.
    """

    limit: Compiled
    entry: int | None
    values: Values
    """The values with which the limit does not hold."""


@dataclass(frozen=True, slots=True)
class Priced:
    """A priced design, unit or force.

    Lines with 0 points and without capacity and systems are left out. Subtotals and lines that are only shown stay.
    """

    kind: Kind
    fields: Mapping[str, Any]
    """The values of the fields, by name."""
    costs: Costs
    lines: tuple[CostLine, ...]
    total: Number
    capacity: Use
    systems: Use
    broken: tuple[Broken, ...]
    """The limits that the design breaks, including advice."""
    tallies: Mapping[str, Number]
    """The figures that units and forces add up, by name."""
    values: Values
    """The values that formulas about the priced design can use, by name."""

    @property
    def lawful(self) -> bool:
        """Whether no limit is broken; advice does not count."""
        return all(item.limit.severity == "advice" for item in self.broken)

    def line(self, name: str) -> CostLine | None:
        """Return the first line with this id; None if there is no such line."""
        return next((line for line in self.lines if line.id == name), None)


def price(kind: Kind, design: Mapping[str, Any], costs: Costs, more: Mapping[str, Any] = _NOTHING) -> Priced:
    """Return a design, unit or force with its price, its tallies and its broken limits.

    ``design`` has the values of all fields, as from ``read_fields``, and ``costs`` says how points are rounded.
    ``more`` are values in addition to the fields: for a unit or a force, the sums of its entries. Its total is its own
    price, without that of its entries. Raises ProblemsError (R241) if the rule data gives no price for these values. A
    broken limit is no error.
    """
    try:
        return _price(kind, design, costs, more)
    except FormulaUseError as error:
        from generator.rules.procedures.answers import spell_inputs

        inputs = spell_inputs({name: value for name, value in design.items() if not isinstance(value, tuple)})
        hint = error.hint or "add a row for every value that the fields allow"
        problem = (error.place or kind.place).problem("R241", "a price", f"{error} ({inputs})", hint)
        raise ProblemsError(problem) from None


def names_read(limit: Compiled, *formulas: Formula | None) -> set[str]:
    """Return the names that these formulas of a limit read.

    If a joined row is among them, the names that its look-up reads are added.
    """
    read = {name for formula in formulas if formula is not None for name in formula.names}
    for word, row in reversed(limit.join):
        read.update(row.names if word in read else ())
    return read


def needs_price(kind: Kind, limit: Compiled) -> bool:
    """Return whether a limit depends on values that are known only after the lines are computed."""
    return not names_read(limit, limit.that, limit.when).isdisjoint({line.name for line in kind.lines} | _PRICED)


def times_broken(kind: Kind, design: Mapping[str, Any], limit: Compiled) -> int:
    """Return how often a design breaks a limit that needs no price; if the limit is on a list, count entries to blame.

    Raises FormulaUseError if a formula has no result. ``design`` has the values of all fields.
    """
    return len([*_broken(limit, _named(kind, design))])


def _named(kind: Kind, given: Mapping[str, Any]) -> Values:
    """Return the given values, the tables and options that formulas can read, and the results of the kind's ``let``.

    Raises FormulaUseError if a formula of ``let`` has no result.
    """
    values = Values({**kind.names, **given})
    for name, formula in kind.let:
        values[name] = formula(values)
    return values


def _price(kind: Kind, design: Mapping[str, Any], costs: Costs, more: Mapping[str, Any]) -> Priced:
    """Return a design with its price, tallies and broken limits.

    Lines of 0 points that use no capacity and no systems are left out. ``more`` holds further values for the formulas,
    as in ``price``. Raises FormulaUseError if a formula has no result.
    """
    values = _named(kind, {**more, **design})
    lines: list[CostLine] = []
    for line in kind.lines:
        if line.last:
            values.setdefault(OTHERS, _sum(lines))
        cost_lines = [_line(kind, line, here, costs) for here in _each(line, values)]
        if line.name:
            values[line.name] = whole(sum((item.amount for item in cost_lines), start=0))
        lines.extend(cost_lines)
    total = _sum(lines)
    if costs.total == "half-up":
        total = round_half_up(total)
    capacity = _use(kind.capacity, [line.capacity for line in lines], "capacity", values)
    systems = _use(kind.systems, [line.systems for line in lines], "systems", values)
    values.setdefault("points", total)  # units and forces have the sum of their entries
    counted_lines = tuple(line for line in lines if line.points != 0 or line.capacity or line.systems)
    broken = tuple(item for limit in kind.limits for item in _broken(limit, values))
    return Priced(kind, design, costs, counted_lines, total, capacity, systems, broken, _tallies(kind, values), values)


def spell_change(points: Number) -> str:
    """Return a change of price for a hint, in brackets after a space.

    >>> spell_change(4), spell_change(-1), spell_change(0)
    (' (+4 points)', ' (−1 point)', ' (±0 points)')
    """
    size = max(points, -points)
    sign = "+" if points > 0 else "−" if points < 0 else "±"
    return f" ({sign}{spell(size)} {'point' if size == 1 else 'points'})"


def _sum(lines: Iterable[CostLine]) -> Number:
    return whole(sum((line.points for line in lines if line.points is not None), start=0))


def _use(allowed: Formula | None, used: Sequence[Number], what: str, values: Values) -> Use:
    """Return the use of capacity or systems, and add both figures to the values for later formulas.

    ``what`` is the word before ``_used`` and ``_allowed`` in the names of these figures. ``used`` are the parts that
    are added up. There is no limit if there is no formula for it, or its result is None.
    Raises FormulaUseError if the formula has no result, or one that is neither a number nor None.
    """
    used_up = whole(sum(used, start=0))
    values[f"{what}_used"] = used_up
    limit = None if allowed is None or allowed(values) is None else _number(allowed, values)
    values[f"{what}_allowed"] = limit
    return Use(used_up, limit)


def _tallies(kind: Kind, values: Values) -> dict[str, Number]:
    """Return the figures that units and forces add up, by name; yes counts as 1 and no as 0.

    Raises FormulaUseError if a formula has no result, or one that is neither a number nor yes or no.
    """
    tallies: dict[str, Number] = {}
    for name, formula in kind.tallies:
        value = formula(values)
        tallies[name] = int(value) if isinstance(value, bool) else _number(formula, values)
    return tallies


def _number(formula: Formula | None, values: Mapping[str, Any]) -> Number:
    """Return a formula's result, or 0 without a formula. Raises FormulaUseError if the formula gives no number."""
    if formula is None:
        return 0
    value = formula(values)
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise FormulaUseError(f"{show(value)} where {show(formula.text)} should give a number", formula.place)
    return whole(value)


def _each(line: Compiled, values: Values) -> Iterator[Values]:
    """Yield the values for each repetition of a line: for each entry of its list, and in it for each number ``n``.

    A line with neither is worked once. Repetitions for which ``when`` does not hold are left out.
    """
    for here in values.entries(line.each, line.join):
        for number in _numbers(line.for_n, here) if line.for_n else (None,):
            inside = here if number is None else Values({**here, "n": number}, line.join)
            if line.when is None or line.when.holds(inside):
                yield inside


def _numbers(ends: tuple[Formula, ...], values: Mapping[str, Any]) -> range:
    """Return the whole numbers for which a line repeats, from the first result to the last, both included.

    The range is empty if the first is above the last.

    Raises FormulaUseError if an end is not a whole number, and for more than ``_MAX_LINES`` numbers.
    """
    low, high = (_number(end, values) for end in ends)
    if not isinstance(low, int) or not isinstance(high, int) or high - low >= _MAX_LINES:
        raise FormulaUseError(f"a line for every number from {low} to {high} (at most {_MAX_LINES})")
    return range(low, high + 1)


def _line(kind: Kind, line: Compiled, values: Values, costs: Costs) -> CostLine:
    """Return a computed cost line for one repetition, whose values are ``values``.

    Points are rounded as ``costs`` says; subtotals and figures are not. A figure or die that is none is a dash. Raises
    FormulaUseError if a formula has no result, or a result of the wrong type, such as a text for points. The figure or
    die of a line with a name must be a number.
    """
    formula = line.points or line.subtotal or line.figure or line.die
    is_shown = formula is not None and not (line.points or line.subtotal)
    figure = shown(formula, values, line.unit, die=line.die is not None) if formula and is_shown else ""
    amount = _number(formula, values) if line.name or not figure else 0
    if line.points and costs.line == "half-up":
        amount = round_half_up(amount)
    label = filled(line.label, kind, line.each, values)
    inputs = values.copied()  # values added later are not part of its working
    return CostLine(
        line.id, label, None if line.subtotal or figure else amount, amount, _number(line.capacity, values),
        _number(line.systems, values), formula, inputs, line.provenance, figure, line.label,
    )  # fmt: skip


def _broken(limit: Compiled, values: Values) -> Iterator[Broken]:
    """Yield the violations of a limit: for a limit on a list, each entry that breaks it.

    If several entries break a limit that reads its whole list, yield only those that also break it without the entries
    after them. If there are none of these, yield the last entry that breaks it.
    """
    violations = [
        Broken(limit, index if limit.each else None, here)
        for index, here in enumerate(values.entries(limit.each, limit.join))
        if not _is_kept(limit, here)
    ]
    if limit.each is None or limit.each not in limit.that.names or len(violations) < 2:  # noqa: PLR2004 - one is to blame
        yield from violations
        return
    entries = values[limit.each]
    to_blame = [item for item in violations if not _is_kept(limit, _up_to(entries, item))]
    yield from to_blame or violations[-1:]


def _up_to(entries: Sequence[Any], broken: Broken) -> Values:
    """Return the values with which a limit on a list is broken, as if ``entries`` ended with the one that breaks it.

    ``entries`` are all entries of the list.
    """
    values = broken.values.copied()
    values[broken.limit.each or ""] = entries[: (broken.entry or 0) + 1]
    return values


def _is_kept(limit: Compiled, values: Values) -> bool:
    """Return whether a limit holds for the values, or does not apply to them."""
    return (limit.when is not None and not limit.when.holds(values)) or limit.that.holds(values)


_FILLED_FIRST = re.compile(r"^(\{[^}]*\}[ ×/]*)+")
_COUNTED = re.compile(r"\{[^}]*\} ×.*")
_END = re.compile(r"[,(:{]")


class Cited(NamedTuple):
    """One or more citations as text, and the subjects of the cost lines that cite them."""

    cite: str
    lines: tuple[str, ...]


def cited(every: Iterable[Priced], own: Collection[str]) -> tuple[Cited, ...]:
    """Return the subjects of the cost lines of several designs, units or forces, grouped by their citations.

    Each subject is there once, with the citations of all its lines. Lines without a citation are left out. The groups
    are in the order of their first lines. ``own`` names the documents of the rule sets themselves. Citations of other
    documents are left out, unless a line cites only other documents.
    """
    sources: dict[str, dict[Citation, None]] = {}
    for priced in every:
        for line in priced.lines:
            every_cite = line.provenance.cite
            for citation in tuple(cite for cite in every_cite if cite.source in own) or every_cite:
                sources.setdefault(subject(line), {})[citation] = None
    lines_by_source: dict[str, list[str]] = {}
    for about, citations in sources.items():
        lines_by_source.setdefault("; ".join(map(str, citations)), []).append(about)
    return tuple(Cited(cite, tuple(lines)) for cite, lines in lines_by_source.items())


def subject(line: CostLine) -> str:
    """Return what a cost line is about, as a short name with a capital.

    Placeholders at the start of the label are skipped, with spaces, × and / after them. The name is the text from there
    to the next comma, colon, bracket or placeholder. A placeholder before a × ends the name with "…". If nothing is
    left, the name is the line's id, with spaces instead of hyphens.
    """
    about = _END.split(_COUNTED.sub("…", _FILLED_FIRST.sub("", line.template)))[0].strip() or line.id.replace("-", " ")
    return about[:1].upper() + about[1:]
