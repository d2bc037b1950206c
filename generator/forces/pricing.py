"""What a design costs and how much it holds, line by line with the working."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.forces.designs import Partial
from generator.odds.dice import LADDER
from generator.rules.formulas.errors import FormulaUseError, RefusedError
from generator.rules.formulas.functions import MAX_LIST, Number, round_half_up, whole
from generator.rules.formulas.working import spell, working
from generator.rules.kinds import OTHERS, PLACEHOLDER, Line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from generator.rules.births import Birth
    from generator.rules.formulas.compiler import Formula
    from generator.rules.kinds import Kind, Limit
    from generator.rules.models.manifest import Costs

_NOTHING = Partial({})


@dataclass(frozen=True, slots=True)
class CostLine:
    """One line: ``points`` count towards the total; a subtotal's are None and its figure is ``amount``.

    What is shown and never counted has neither: ``figure`` is its text.
    """

    id: str
    label: str
    points: Number | None
    amount: Number
    capacity: Number
    systems: Number
    formula: Formula | None
    values: Mapping[str, Any]
    birth: Birth
    figure: str = ""

    @property
    def working(self) -> str:
        """The formula with the figures in it, and what it came to where that was rounded."""
        if self.formula is None:
            return ""
        exact = self.formula(self.values)
        text = working(self.formula, self.values)
        if self.figure:
            return "" if text == str(exact) else text
        return text + ("" if exact == self.amount else f" = {spell(exact)}")


@dataclass(frozen=True, slots=True)
class Use:
    """How much is used and how much there is; None for no limit."""

    used: Number
    allowed: Number | None


class Broken(NamedTuple):
    """A limit that is not kept, and by which entry of its list; None where it is about the whole design."""

    limit: Limit
    entry: int | None
    values: Mapping[str, Any]
    """With which values it does not hold."""


@dataclass(frozen=True, slots=True)
class Priced:
    """A design with its price. Lines that cost and hold nothing are left out."""

    lines: tuple[CostLine, ...]
    total: Number
    capacity: Use
    systems: Use
    broken: tuple[Broken, ...]
    """Limits that the design does not keep, advice included."""
    tallies: Mapping[str, Number]
    """What units and forces add up."""
    unknown_tallies: frozenset[str]
    """Those that lean on a value that was refused."""
    whole: bool
    """Whether every line could be worked out; not so where a value that it leans on was refused."""

    @property
    def lawful(self) -> bool:
        """Whether every limit is kept; advice does not count."""
        return self.whole and all(one.limit.severity == "advice" for one in self.broken)

    def line(self, name: str) -> CostLine | None:
        """The first line of this id."""
        return next((line for line in self.lines if line.id == name), None)


def price(kind: Kind, design: Partial, costs: Costs, more: Partial = _NOTHING) -> Priced:
    """Price a design (``generator.forces.designs``), rounding as the rule set says.

    What leans on a value that was refused is left out. ``more`` are values that the kind knows besides its fields:
    of a unit or a force, the tallies of what is in it.

    Raises ProblemsError (R241) where the rule data has no answer for these values.
    """
    try:
        return _price(kind, design, costs, more)
    except FormulaUseError as error:
        from generator.rules.answers import spell_inputs  # brings all of the odds along

        said = spell_inputs({name: value for name, value in design.items() if not isinstance(value, tuple)})
        hint = error.hint or "the rule data must cover every design that its fields allow"
        problem = (error.place or kind.place).problem("R241", found=f"{error} ({said})", expected="a price", hint=hint)
        raise ProblemsError(problem) from None


def _price(kind: Kind, design: Partial, costs: Costs, more: Partial) -> Priced:
    holes = design.holes | more.holes
    names = {name: value for name, value in kind.names.items() if name not in holes}
    values = _Values({**names, **more, **design}, holes)
    for name, formula in kind.let:
        values.learn(name, formula)
    lines: list[CostLine] = []
    unknown: set[str] = set()
    for line in kind.lines:
        made: list[CostLine] = []
        if line.last and "points" in unknown:
            values.holes.add(OTHERS)
        elif line.last:
            values.setdefault(OTHERS, _sum(lines))
        try:
            made += (_line(kind, line, here, costs) for here in _each(line, values))
        except RefusedError:
            unknown |= {what for what in ("points", "capacity", "systems") if getattr(line, what) is not None}
            values.holes |= {line.name} if line.name else set()
        else:
            if line.name:
                values[line.name] = whole(sum((one.amount for one in made), start=0))
        lines.extend(made)
    total = _sum(lines)
    if costs.total == "half-up":
        total = round_half_up(total)
    capacity = _use(kind.capacity, [line.capacity for line in lines], "capacity", values, unknown)
    systems = _use(kind.systems, [line.systems for line in lines], "systems", values, unknown)
    values |= {"points": total}
    kept = tuple(line for line in lines if line.points != 0 or line.capacity or line.systems)
    broken = tuple(one for limit in kind.limits for one in _broken(limit, values))
    tallies = _tallies(kind, values)
    untold = frozenset(name for name, _ in kind.tallies if name not in tallies)
    return Priced(kept, total, capacity, systems, broken, tallies, untold, not unknown)


def spell_change(points: Number) -> str:
    """How much dearer something becomes, as a remedy says it.

    >>> spell_change(4), spell_change(-12), spell_change(0)
    (' (+4 points)', ' (−12 points)', ' (±0 points)')
    """
    return f" ({'+' if points > 0 else '−' if points < 0 else '±'}{spell(max(points, -points))} points)"


def _sum(lines: Iterable[CostLine]) -> Number:
    return whole(sum((line.points for line in lines if line.points is not None), start=0))


def _use(allowed: Formula | None, used: Sequence[Number], what: str, values: _Values, unknown: Collection[str]) -> Use:
    """How much is used of what there is; formulas after this know both."""
    taken = whole(sum(used, start=0))
    known: dict[str, Number | None] = {f"{what}_used": taken} if what not in unknown else {}
    limit = None
    try:
        limit = _allowed(allowed, values)
    except RefusedError:
        values.holes.add(f"{what}_allowed")
    else:
        known[f"{what}_allowed"] = limit
    values.holes |= {f"{what}_used"} - known.keys()
    values |= known
    return Use(taken, limit)


def _tallies(kind: Kind, values: _Values) -> dict[str, Number]:
    found: dict[str, Number] = {}
    for name, formula in kind.tallies:
        with suppress(RefusedError):
            found[name] = _number(formula, values)
    return found


def _number(formula: Formula | None, values: Mapping[str, Any]) -> Number:
    """What a formula comes to, which has to be a number; 0 where there is none."""
    if formula is None:
        return 0
    value = formula(values)
    if not isinstance(value, int | Fraction):
        message = f"{'nothing' if value is None else value} where {formula.text} should give a number"
        raise FormulaUseError(message, formula.place)
    return whole(value)


def _allowed(formula: Formula | None, values: Mapping[str, Any]) -> Number | None:
    """How much there may be; None for no limit, which a table may say, too."""
    return None if formula is None or formula(values) is None else _number(formula, values)


class _Values(Partial):
    """Values with joined rows that are looked up when a formula first reads them, so that ``when`` can guard them."""

    __slots__ = ("_join",)

    def __init__(
        self, values: Mapping[str, Any], holes: Collection[str], join: tuple[tuple[str, Formula], ...] = ()
    ) -> None:
        super().__init__(values, holes)
        self._join = dict(join)

    def __missing__(self, name: str) -> Any:
        if name not in self._join:
            return super().__missing__(name)
        self[name] = row = self._join[name](self)
        return row

    def learn(self, name: str, formula: Formula) -> None:
        """What a formula comes to, from now on known by this name."""
        try:
            self[name] = formula(self)
        except RefusedError:
            self.holes.add(name)


def _each(line: Line, values: _Values) -> Iterator[_Values]:
    """The values for every entry of the line's list and every number it counts through, where ``when`` holds."""
    for record in values[line.each] if line.each else (_NOTHING,):
        here = _Values({**values, **record}, values.holes | record.holes, line.join)
        for number in _numbers(*line.for_n, here) if line.for_n else (None,):
            inside = here if number is None else _Values({**here, "n": number}, here.holes, line.join)
            if line.when is None or line.when.holds(inside):
                yield inside


def _numbers(first: Formula, last: Formula, values: Mapping[str, Any]) -> range:
    """The whole numbers that a line counts through."""
    low, high = _number(first, values), _number(last, values)
    if not isinstance(low, int) or not isinstance(high, int) or high - low > MAX_LIST:
        message = f"a line for every number from {low} to {high}"
        raise FormulaUseError(message)
    return range(low, high + 1)


def _line(kind: Kind, line: Line, values: _Values, costs: Costs) -> CostLine:
    formula = line.points or line.subtotal or line.figure or line.die
    shown = _shown(line, formula, values) if formula and not (line.points or line.subtotal) else ""
    amount = _number(formula, values) if line.name or not shown else 0
    if line.points and costs.line == "half-up":
        amount = round_half_up(amount)
    label = PLACEHOLDER.sub(lambda match: _said(kind, line, match[1], values[match[1]]), line.label)
    return CostLine(
        line.id,
        label,
        None if line.subtotal or shown else amount,
        amount,
        _number(line.capacity, values),
        _number(line.systems, values),
        formula,
        values,
        line.birth,
        shown,
    )


def _shown(line: Line, formula: Formula, values: _Values) -> str:
    """A figure or a die as it is read; a dash where the rules have none."""
    value = formula(values)
    if value is None:
        return "–"
    if line.die:
        if value not in LADDER:
            message = f"{value} where {formula.text} should give a die"
            raise FormulaUseError(message, formula.place)
        return f"D{value}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | Fraction):
        return f"−{spell(-value)}{line.unit}" if value < 0 else f"{spell(value)}{line.unit}"
    if not isinstance(value, str):
        message = f"{value} where {formula.text} should give a number or a word"
        raise FormulaUseError(message, formula.place)
    return value


def _said(kind: Kind, line: Line, name: str, value: Any) -> str:
    """A value in a label, by its printed name where it has one."""
    record = kind.field(line.each) if line.each else None
    field = next((one for one in (*(record.fields if record else ()), *kind.fields) if one.name == name), None)
    names = field.choice.names if field is not None and field.choice is not None else {}
    return str(names.get(value, value))


def _broken(limit: Limit, values: _Values) -> Iterator[Broken]:
    """Where a limit does not hold. What leans on a value that was refused is passed over."""
    if limit.each is not None and limit.each in values.holes:
        return
    entries: Sequence[Any] = values[limit.each] if limit.each else (_NOTHING,)
    for index, record in enumerate(entries):
        here = _Values({**values, **record}, values.holes | record.holes, limit.join)
        with suppress(RefusedError):
            if (limit.when is None or limit.when.holds(here)) and not limit.that.holds(here):
                yield Broken(limit, index if limit.each else None, here)
