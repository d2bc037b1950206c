"""Compile kinds of designs: fields with their allowed values, lines of the working, limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.choices import Choice, chosen, read_choice, read_default, words_of_choice
from generator.rules.entries.compiled import Compiled, Compiler, Reading
from generator.rules.formulas.scope import VALUE, Name, Scope
from generator.rules.model.kind import Capacity, FieldModel, KindModel, LimitModel, LineModel
from generator.rules.source.parts import Place, Provenance, Written, provenance_at
from generator.rules.source.validation import check_ids

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from generator.rules.formulas.compiler import Formula

UNIT, FORCE = "unit", "force"
"""The ids of the kinds for units and for the whole force, which hold designs."""
LINE_RESULTS = LineModel.one_of
"""The keys for the result of a line; each line has at most one of them."""
OTHERS = "others"
"""The name for the points of all lines that do not use this name."""
NONE = "none"
"""The default of a field with values from a table that may also have no value."""
ADDED_UP = ("elements", "points", "units")
"""Names in formulas of a unit and a force, in addition to tallies.

They are the number of elements, their points, and the number of units (0 in a unit). The points of a force include
what its units cost themselves.
"""


class Field(NamedTuple):
    """A field of a design: a single value, or a list of records with fields of their own."""

    name: str
    label: str
    choice: Choice | None
    """None for a list."""
    fields: tuple[Field, ...] = ()
    default: Any = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class Kind:
    """A compiled kind, ready to price and check designs."""

    id: str
    owner: str
    title: str
    says: str
    idle: bool
    """Whether its designs have no quality, confidence or other values of their unit."""
    on_sheet: str
    """The id of the sheet that prints the figures of its designs; empty if rosters print them."""
    fields: tuple[Field, ...]
    let: tuple[tuple[str, Formula], ...]
    tallies: tuple[tuple[str, Formula], ...]
    lines: tuple[Compiled, ...]
    """The lines of the working, in the order of computation: a line that uses the points of others is ``last``.

    Lines and limits have the attributes of their models, and these: ``id``, ``provenance``, ``origin`` (the kind in
    which the entry is written) and ``owner`` (the rule set that wrote or changed the entry last).
    """
    capacity: Formula | None
    systems: Formula | None
    limits: tuple[Compiled, ...]
    names: Mapping[str, Any]
    """The values of the tables and options that its formulas can read."""
    added: tuple[str, ...]
    """For a unit or a force: the names of the totals that its formulas can read."""
    scope: Scope
    """The names that formulas about a priced design may use: its fields, and the names of lines and ``let``."""
    provenance: Provenance
    place: Place
    model: KindModel
    """The model as written in the rule data, with everything that it inherits."""

    @property
    def pays(self) -> bool:
        """Whether designs of this kind have a price in points: at least one line of the kind gives points."""
        return any(line.points is not None for line in self.lines)

    def field(self, name: str) -> Field | None:
        """Return the field of this name, or None. Fields inside a list are not found."""
        return next((field for field in self.fields if field.name == name), None)


def kinds_of_designs(kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    """Return the kinds of designs: all kinds except unit and force."""
    return {name: kind for name, kind in kinds.items() if name not in (UNIT, FORCE)}


def every_field(fields: tuple[Field, ...], before: str = "") -> Iterator[tuple[str, Field]]:
    """Yield each field with its name; after a list field, also its fields, named ``list.field``.

    ``before`` is put before each name.
    """
    for field in fields:
        yield f"{before}{field.name}", field
        yield from every_field(field.fields, f"{before}{field.name}.")


def unit_fields(kinds: Mapping[str, Kind]) -> tuple[Field, ...]:
    """Return the fields of a unit; none if the rules have no kind ``unit``."""
    return kinds[UNIT].fields if UNIT in kinds else ()


def _field(name: str, model: FieldModel, place: Place, reading: Reading) -> Field | None:
    """Read a field; None with R225 if it takes its values from an empty table.

    Fields of a list that take their values from an empty table are left out of the list. The default ``none`` adds
    ``none`` to values from a table. Adds R203 for any other default that is not allowed; the field then has no default.
    """
    if model.list_ is not None:
        entries = model.list_.items()
        inner = (_field(item, entry, place / "list" / item, reading) for item, entry in entries)
        return Field(name, model.label, None, tuple(item for item in inner if item), (), required=False)
    choice = read_choice(model, reading.tables, place, reading.problems)
    if choice is None:
        return None
    if model.from_ and model.default == NONE and NONE not in choice.values:
        choice = choice._replace(values=(NONE, *choice.values))
    default = read_default(choice, model.default, place, reading.problems)
    return Field(name, model.label, choice, (), default, required=default is None)


def read_kind(source: Written[KindModel], reading: Reading, added: Collection[str] = ()) -> Kind | None:
    """Compile a kind. ``added`` are the names of totals, which only a unit and a force have.

    Returns None if it adds a problem to those of ``reading``: R203, R207 to R209, R221 to R223, R225, R228 or R237.
    Returns None without a problem if ``from`` names a missing table that was reported before. If only formulas have
    faults that were reported before, the kind is returned without a problem, and their values are always None.
    """
    problems, resolvers = reading.problems, reading.resolvers
    before = len(problems)
    compiler = Compiler(reading)
    formula, (model, part) = compiler.formula, source

    def written(key: str, entry: LineModel | LimitModel, place: Place, scope: Scope) -> Compiled:
        """Return a line or a limit of the kind, compiled, with its id, provenance, origin and owner.

        The id is the value of the field ``key``. The origin is the id of the kind that the entry comes from. The owner
        is the rule set that wrote the entry or changed it last. Problems are added to those of ``reading``.
        """
        return compiler.entry(entry, place, scope).replaced(
            id=getattr(entry, key),
            provenance=provenance_at(entry, place, resolvers),
            origin=place.inside.origin(place.value()).value["kind"],
            owner=place.inside.last_changed_by(place.value()),
        )

    provenance = resolvers[part.owner].provenance(model, part.place())
    for what, key in (("lines", "line"), ("limits", "limit")):
        check_ids([getattr(item, key) for item in getattr(model, what)], part.place((what,)), key, problems)
    if not reading.references.check(model, part.place()):
        return None

    fields = [_field(name, item, part.place(("fields", name)), reading) for name, item in model.fields.items()]
    choices = {field.name: field for field in fields if field is not None and field.name not in part.overridden}
    here = reading.scope | dict.fromkeys(added, VALUE)
    here |= {name: _name(field_model, choices.get(name)) for name, field_model in model.fields.items()}
    for name in (name for name in model.let if name in model.fields):
        problems.append(part.place(("let", name)).problem("R207", "no name of a field", name, "choose another name"))
    let, here = compiler.lets(model.let, here, part.place(("let",)))

    lines = []
    for index, item in enumerate(model.lines):
        known = OTHERS in here.names
        line = written("line", item, part.place(("lines", index)), here if known else here | {OTHERS: VALUE})
        worth = [result for key in LINE_RESULTS if (result := getattr(line, key)) is not None]
        lines.append(line.replaced(last=not known and any(OTHERS in result.names for result in worth)))
        if item.name:
            here |= {item.name: VALUE}
    here |= dict.fromkeys(("capacity_used", "capacity_allowed", "systems_used", "systems_allowed"), VALUE)
    tallies = tuple((name, formula(text, here, part.place(("tallies", name)))) for name, text in model.tallies.items())
    limits = tuple(
        written("limit", item, part.place(("limits", index)), here) for index, item in enumerate(model.limits)
    )
    allowed, place = model.allowed or Capacity(), part.place(("allowed",))
    if model.allowed is not None:
        resolvers[part.owner].provenance(allowed, place)
    capacity = formula(allowed.capacity, here, place / "capacity", number=True)
    systems = formula(allowed.systems, here, place / "systems", number=True)
    if len(problems) > before:
        return None
    lines.sort(key=lambda line: line.last)
    return Kind(
        model.kind, part.owner, model.title, model.says, model.idle, model.on_sheet or "",
        tuple(field for field in fields if field), let, tallies, tuple(lines), capacity, systems, limits,
        reading.names(), tuple(added), here, provenance, part.place(), model,
    )  # fmt: skip


def _name(model: FieldModel, field: Field | None) -> Name:
    """Return what a scope knows about a field; without ``field``, its allowed texts are not known."""
    if model.list_ is None:
        return VALUE if field is None or field.choice is None else chosen(field.choice)
    entries = field.fields if field is not None else ()
    inside = {entry.name: words_of_choice(entry.choice, listed=True) for entry in entries if entry.choice is not None}
    return Name("records", frozenset(model.list_), inside=inside)
