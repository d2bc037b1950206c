"""Entry kinds, compiled: fields with their allowed values, lines of the working, limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.binding import bind, bind_row
from generator.rules.births import changed_birth, registrar_of
from generator.rules.choices import Choice, read_choice
from generator.rules.formulas.scope import VALUE, Name, Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.problems import Problem, Severity
    from generator.rules.births import Birth, Registrar
    from generator.rules.formulas.compiler import Formula
    from generator.rules.models.base import Certificate, FormulaText
    from generator.rules.models.kind import FieldModel, KindModel, LimitModel, LineModel
    from generator.rules.parts import Part
    from generator.rules.places import Place
    from generator.rules.tables import Table


class Field(NamedTuple):
    """A field of a design: one value, or a list of records with fields of their own."""

    name: str
    label: str
    choice: Choice | None
    """None for a list."""
    fields: tuple[Field, ...] = ()
    default: Any = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the working; see ``generator.rules.models.kind.LineModel`` for what its parts mean."""

    id: str
    label: str
    each: str | None
    for_n: tuple[Formula, Formula] | None
    join: tuple[tuple[str, Formula], ...]
    when: Formula | None
    points: Formula | None
    subtotal: Formula | None
    capacity: Formula | None
    systems: Formula | None
    name: str | None
    birth: Birth
    origin: str
    """The kind that it was written for."""
    owner: str
    """The rule set that says it: the kind's, or the layer that changed it last."""


class Limit(NamedTuple):
    """A rule that a design must keep."""

    id: str
    each: str | None
    join: tuple[tuple[str, Formula], ...]
    when: Formula | None
    that: Formula
    blame: str
    says: str
    severity: Severity
    birth: Birth
    origin: str
    """The kind that it was written for."""
    owner: str
    """The rule set that says it: the kind's, or the layer that changed it last."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entry, ready to price and check designs."""

    id: str
    owner: str
    title: str
    says: str
    fields: tuple[Field, ...]
    let: tuple[tuple[str, Formula], ...]
    lines: tuple[Line, ...]
    capacity: Formula | None
    systems: Formula | None
    limits: tuple[Limit, ...]
    tables: Mapping[str, Table]
    birth: Birth
    place: Place

    def field(self, name: str) -> Field | None:
        """The field of this name."""
        return next((one for one in self.fields if one.name == name), None)


class KindSource(NamedTuple):
    """A kind's model and the part that it was written in: what a kind based on it takes over."""

    model: KindModel
    part: Part


class _Reader:
    def __init__(
        self, tables: Mapping[str, Table], scope: Scope, registrars: Mapping[str, Registrar], problems: list[Problem]
    ) -> None:
        self.tables = tables
        self.scope = scope
        self.registrars = registrars
        self.problems = problems

    def fields(self, models: Mapping[str, FieldModel], place: Place) -> tuple[Field, ...]:
        found = []
        for name, model in models.items():
            at = place / name
            if model.list_ is not None:
                inner = self.fields(model.list_, at / "list")
                found.append(Field(name, model.label, None, inner, (), required=False))
                continue
            choice = read_choice(model, self.tables, at, self.problems)
            if choice is None:
                continue
            default = None
            if model.default is not None:
                default = choice.read(model.default)
                if default is None:
                    problem = (at / "default").problem("R203", found=str(model.default), expected=choice.spell())
                    self.problems.append(problem)
            found.append(Field(name, model.label, choice, (), default, required=default is None))
        return tuple(found)

    def formula(self, text: FormulaText | None, scope: Scope, place: Place) -> Formula | None:
        return None if text is None else bind(text, scope, place, self.problems)

    def joins(
        self, joins: Mapping[str, FormulaText], scope: Scope, place: Place
    ) -> tuple[tuple[tuple[str, Formula], ...], Scope]:
        """Joined rows and a scope that knows their columns."""
        bound = []
        for name, text in joins.items():
            found = bind_row(text, scope, place / name, self.problems)
            if found is not None:
                formula, table = found
                scope |= {name: Name("row", table.columns)}
                bound.append((name, formula))
        return tuple(bound), scope

    def inside(self, each: str | None, fields: tuple[Field, ...], scope: Scope, place: Place) -> Scope:
        """The scope of one entry of a list field. R228: no such list."""
        if each is None:
            return scope
        listed = next((one for one in fields if one.name == each and one.choice is None), None)
        if listed is None:
            lists = ", ".join(one.name for one in fields if one.choice is None)
            problem = (place / "each").problem("R228", found=each, expected=f"a list field: {lists or 'there is none'}")
            self.problems.append(problem)
            return scope
        return scope | {one.name: VALUE for one in listed.fields}

    def line(self, model: LineModel, fields: tuple[Field, ...], scope: Scope, place: Place, part: Part) -> Line:
        inner = self.inside(model.each, fields, scope, place)
        for_n = None
        if model.for_n is not None:
            first, last = (self.formula(text, inner, place / "for_n" / i) for i, text in enumerate(model.for_n))
            for_n = (first, last) if first and last else None
            inner |= {"n": VALUE}
        join, inner = self.joins(model.join, inner, place / "join")
        raw = next(one for one in part.value["lines"] if one.get("line") == model.line)
        birth = self.birth(model, raw, place, part)
        if (model.points is None) == (model.subtotal is None) and model.capacity is None and model.systems is None:
            problem = place.problem("R224", found=f"the line {model.line}", expected="one of points and subtotal")
            self.problems.append(problem)
        return Line(
            model.line, model.label, model.each, for_n, join,
            self.formula(model.when, inner, place / "when"),
            self.formula(model.points, inner, place / "points"),
            self.formula(model.subtotal, inner, place / "subtotal"),
            self.formula(model.capacity, inner, place / "capacity"),
            self.formula(model.systems, inner, place / "systems"),
            model.name, birth, part.value["kind"], part.last_hand(raw),
        )  # fmt: skip

    def birth(self, model: Certificate, raw: object, place: Place, part: Part) -> Birth:
        born = registrar_of(part, raw, self.registrars).birth(model, place, self.problems)
        return changed_birth(born, part.changes_in(raw), self.registrars, self.problems)

    def limit(
        self, model: LimitModel, fields: tuple[Field, ...], scope: Scope, place: Place, part: Part
    ) -> Limit | None:
        inner = self.inside(model.each, fields, scope, place)
        join, inner = self.joins(model.join, inner, place / "join")
        raw = next(one for one in part.value["limits"] if one.get("limit") == model.limit)
        birth = self.birth(model, raw, place, part)
        when = self.formula(model.when, inner, place / "when")
        that = self.formula(model.that, inner, place / "that")
        if model.blame not in inner.names:
            problem = (place / "blame").problem("R223", found=model.blame, expected="a field of the design")
            self.problems.append(problem)
        if that is None:
            return None
        return Limit(
            model.limit,
            model.each,
            join,
            when,
            that,
            model.blame,
            model.says,
            model.severity,
            birth,
            part.value["kind"],
            part.last_hand(raw),
        )


def read_kind(
    source: KindSource,
    lineage: tuple[KindSource, ...],
    tables: Mapping[str, Table],
    scope: Scope,
    registrars: Mapping[str, Registrar],
    problems: list[Problem],
) -> Kind | None:
    """A kind with all that it takes from the kinds it is based on (``lineage``, the most basic first)."""
    before = len(problems)
    reader = _Reader(tables, scope, registrars, problems)
    model, part = source.model, source.part
    birth = registrars[part.owner].birth(model, part.place(), problems)
    without = {name for one in (*lineage, source) for name in one.model.without}
    everyone = (*lineage, source)

    fields: dict[str, Field] = {}
    for one in everyone:
        for field in reader.fields(one.model.fields, one.part.place(("fields",))):
            fields[field.name] = field
    kept = tuple(field for name, field in fields.items() if name not in without or name in model.fields)

    names = {field.name: _name(field) for field in kept}
    here = scope | names
    let: dict[str, Formula] = {}
    for one in everyone:
        for name, text in one.model.let.items():
            formula = bind(text, here, one.part.place(("let", name)), problems)
            here |= {name: VALUE}
            if formula:
                let[name] = formula

    line_models = _merged(everyone, "lines", without)
    lines = []
    for line_model, place, owner in line_models:
        lines.append(reader.line(line_model, kept, here, place, owner))
        if line_model.name:
            here |= {line_model.name: VALUE}
    here |= dict.fromkeys(("capacity_used", "capacity_allowed", "systems_used", "systems_allowed"), VALUE)
    limits = [reader.limit(one, kept, here, place, owner) for one, place, owner in _merged(everyone, "limits", without)]
    capacity = systems = None
    for one in everyone:
        if one.model.allowed is not None:
            place = one.part.place(("allowed",))
            registrars[one.part.owner].birth(one.model.allowed, place, problems)
            capacity = reader.formula(one.model.allowed.capacity, here, place / "capacity") or capacity
            systems = reader.formula(one.model.allowed.systems, here, place / "systems") or systems
    if len(problems) > before:
        return None
    by_name = {table_id.replace("-", "_"): table for table_id, table in tables.items()}
    return Kind(
        model.kind, part.owner, model.title, model.says, kept, tuple(let.items()), tuple(lines), capacity, systems,
        tuple(limit for limit in limits if limit), by_name, birth, part.place(),
    )  # fmt: skip


def _name(field: Field) -> Name:
    if field.choice is not None:
        return VALUE
    return Name("records", frozenset(inner.name for inner in field.fields))


def _merged(lineage: tuple[KindSource, ...], what: str, without: set[str]) -> list[tuple[Any, Place, Part]]:
    """Lines or limits in order; one of the same id takes the earlier one's place."""
    found: dict[str, tuple[Any, Place, Part]] = {}
    for source in lineage:
        for index, model in enumerate(getattr(source.model, what)):
            model_id = getattr(model, what.removesuffix("s"))
            found[model_id] = (model, source.part.place((what, index)), source.part)
    own = {getattr(one, what.removesuffix("s")) for one in getattr(lineage[-1].model, what)}
    return [entry for model_id, entry in found.items() if model_id not in without or model_id in own]
