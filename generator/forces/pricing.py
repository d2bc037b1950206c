"""What a design costs and how much it holds, line by line with the working."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.errors import ProblemsError
from generator.rules.answers import spell_inputs
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.functions import MAX_LIST, Number, round_half_up, whole
from generator.rules.formulas.working import spell, working
from generator.rules.kinds import PLACEHOLDER, Line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generator.forces.designs import Design
    from generator.rules.births import Birth
    from generator.rules.formulas.compiler import Formula
    from generator.rules.kinds import Kind, Limit
    from generator.rules.models.manifest import Costs

Env: TypeAlias = "dict[str, Any]"


@dataclass(frozen=True, slots=True)
class CostLine:
    """One line: ``points`` count towards the total; a subtotal's are None and its figure is ``amount``."""

    id: str
    label: str
    points: Number | None
    amount: Number
    capacity: Number
    systems: Number
    formula: Formula | None
    values: Mapping[str, Any]
    birth: Birth

    @property
    def working(self) -> str:
        """The formula with the figures in it, and what it came to where that was rounded."""
        if self.formula is None:
            return ""
        exact = self.formula(self.values)
        return working(self.formula, self.values) + ("" if exact == self.amount else f" = {spell(exact)}")


@dataclass(frozen=True, slots=True)
class Use:
    """How much is used and how much there is; None for no limit."""

    used: Number
    allowed: Number | None


@dataclass(frozen=True, slots=True)
class Priced:
    """A design with its price. Lines that cost and hold nothing are left out."""

    lines: tuple[CostLine, ...]
    total: Number
    capacity: Use
    systems: Use
    broken: tuple[Limit, ...]
    """Limits that the design does not keep, advice included."""

    @property
    def lawful(self) -> bool:
        """Whether every limit is kept; advice does not count."""
        return all(limit.severity == "advice" for limit in self.broken)

    def line(self, name: str) -> CostLine | None:
        """The first line of this id."""
        return next((line for line in self.lines if line.id == name), None)


def price(kind: Kind, design: Design, costs: Costs) -> Priced:
    """Price a complete design (``generator.forces.designs``), rounding as the rule set says.

    Raises ProblemsError (R241) where the rule data has no answer for these values.
    """
    try:
        return _price(kind, design, costs)
    except FormulaUseError as error:
        said = spell_inputs({name: value for name, value in design.items() if not isinstance(value, tuple)})
        hint = error.hint or "the rule data must cover every design that its fields allow"
        problem = (error.place or kind.place).problem("R241", found=f"{error} ({said})", expected="a price", hint=hint)
        raise ProblemsError(problem) from None


def _price(kind: Kind, design: Design, costs: Costs) -> Priced:
    values: Env = {**kind.names, **design}
    for name, formula in kind.let:
        values[name] = formula(values)
    lines: list[CostLine] = []
    for line in kind.lines:
        made = [_line(kind, line, here, costs) for here in _each(line, values)]
        if line.name:
            values[line.name] = whole(sum((one.amount for one in made), start=0))
        lines.extend(made)
    total = whole(sum((line.points for line in lines if line.points is not None), start=0))
    if costs.total == "half-up":
        total = round_half_up(total)
    values |= {
        "capacity_used": whole(sum((line.capacity for line in lines), start=0)),
        "systems_used": whole(sum((line.systems for line in lines), start=0)),
    }
    capacity = Use(values["capacity_used"], _allowed(kind.capacity, values))
    systems = Use(values["systems_used"], _allowed(kind.systems, values))
    values |= {"capacity_allowed": capacity.allowed, "systems_allowed": systems.allowed}
    kept = tuple(line for line in lines if line.points != 0 or line.capacity or line.systems)
    return Priced(kept, total, capacity, systems, tuple(limit for limit in kind.limits if _is_broken(limit, values)))


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


class _Joined(dict[str, Any]):
    """Values with joined rows that are looked up when a formula first reads them, so that ``when`` can guard them."""

    def __init__(self, values: Mapping[str, Any], join: tuple[tuple[str, Formula], ...]) -> None:
        super().__init__(values)
        self._join = dict(join)

    def __missing__(self, name: str) -> Any:
        self[name] = row = self._join[name](self)
        return row


def _each(rule: Line | Limit, values: Env) -> Iterator[Env]:
    """The values for every entry of the rule's list, where ``when`` holds; a line may also count through numbers."""
    for record in values[rule.each] if rule.each else ({},):
        here = _Joined({**values, **record}, rule.join)
        counted = rule.for_n if isinstance(rule, Line) else None
        for number in _numbers(*counted, here) if counted else (None,):
            inside = here if number is None else _Joined({**here, "n": number}, rule.join)
            if rule.when is None or rule.when.holds(inside):
                yield inside


def _numbers(first: Formula, last: Formula, values: Mapping[str, Any]) -> range:
    """The whole numbers that a line counts through."""
    low, high = _number(first, values), _number(last, values)
    if not isinstance(low, int) or not isinstance(high, int) or high - low > MAX_LIST:
        message = f"a line for every number from {low} to {high}"
        raise FormulaUseError(message)
    return range(low, high + 1)


def _line(kind: Kind, line: Line, values: Env, costs: Costs) -> CostLine:
    formula = line.points or line.subtotal
    amount = _number(formula, values)
    if line.points and costs.line == "half-up":
        amount = round_half_up(amount)
    label = PLACEHOLDER.sub(lambda match: _said(kind, line, match[1], values[match[1]]), line.label)
    return CostLine(
        line.id,
        label,
        None if line.subtotal else amount,
        amount,
        _number(line.capacity, values),
        _number(line.systems, values),
        formula,
        values,
        line.birth,
    )


def _said(kind: Kind, line: Line, name: str, value: Any) -> str:
    """A value in a label, by its printed name where it has one."""
    record = kind.field(line.each) if line.each else None
    field = next((one for one in (*(record.fields if record else ()), *kind.fields) if one.name == name), None)
    names = field.choice.names if field is not None and field.choice is not None else {}
    return str(names.get(value, value))


def _is_broken(limit: Limit, values: Env) -> bool:
    return any(not limit.that.holds(here) for here in _each(limit, values))
