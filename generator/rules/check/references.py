"""Look up every reference: a text in the data that names an entry of the rules.

A model declares with ``Ref`` what a field names. ``References.check`` walks a model, and reports each missing name
with its line, its column and the most similar known name.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel

from generator.problems import Problem, suggest
from generator.rules.entries.choices import Choice, spell_value
from generator.rules.entries.kinds import ADDED_UP, FORCE, UNIT, Field, every_field, kinds_of_designs
from generator.rules.entries.tables import Table, listed_names
from generator.rules.formulas.scope import identifier
from generator.rules.model.base import ANY_KIND, SPECIAL, Ref, markers
from generator.rules.ruleset import Reference, RuleSet
from generator.rules.source.parts import Place
from generator.rules.source.validation import show

_HOLDERS = (BaseModel, dict, list, tuple)


def references(model: BaseModel, place: Place, around: tuple[Any, ...] = ()) -> Iterator[Reference]:
    """Yield every reference that a model, or a model inside it, declares with ``Ref``.

    ``place`` is where the model is written; ``around`` are the models around it, from the inside out.
    """
    for name, key, plan in _fields(type(model)):
        value = getattr(model, name)
        if value is not None:
            yield from _in_value(plan, value, place / key, (model, *around))


@cache
def _fields(model: type[BaseModel]) -> tuple[tuple[str, str, Any], ...]:
    """Return the markers of a model's fields, as ``markers`` does, without fields that cannot hold a reference."""
    fields = model.model_fields
    return tuple(item for item in markers(model, Ref) if item[2] or _may_hold_models(fields[item[0]].annotation))


def _may_hold_models(annotation: Any) -> bool:
    """Return whether a value of this type may be or hold a model."""
    if annotation is Any or (isinstance(annotation, type) and issubclass(annotation, _HOLDERS)):
        return True
    return any(map(_may_hold_models, get_args(annotation)))


def _in_value(plan: Any, value: Any, place: Place, around: tuple[Any, ...], key: str = "") -> Iterator[Reference]:
    """Yield the references in the value of a field; ``plan`` is the marker of the field, as from ``markers``.

    ``around`` are the models around the value, from the inside out. ``key`` is the value's key in its mapping.
    """
    if isinstance(value, BaseModel):
        yield from references(value, place, around)
    elif isinstance(value, dict):
        keys, values = plan if isinstance(plan, tuple) else (None, None)
        for name, inner in value.items():
            if keys is not None:
                yield Reference(keys, name, place / name, around)
            yield from _in_value(values, inner, place / name, around, name)
    elif isinstance(value, tuple | list):
        for index, inner in enumerate(value):
            yield from _in_value(plan, inner, place / index, around, key)
    elif isinstance(plan, Ref):
        yield Reference(plan, value, place, around, key)


def words_of(model: BaseModel, *what: str) -> set[Any]:
    """Return the words of a model's references of these kinds, such as ``"table"``. Names in formulas are left out.

    The references in models inside the model are included.
    """
    nowhere = Place(None)  # type: ignore[arg-type] # nothing is reported
    return {reference.word for reference in references(model, nowhere) if reference.ref.what in what}


@dataclasses.dataclass
class References:
    """Checker that looks up references and reports those that name nothing."""

    rules: RuleSet
    problems: list[Problem]
    whole: bool = False
    """Whether the rules are the whole rule set; if not, references that need it are put into ``later``."""
    later: list[Reference] = dataclasses.field(default_factory=list)
    missing_tables: set[str] = dataclasses.field(default_factory=set)
    """The missing tables that were reported, as formulas spell them; each is reported once."""

    def check(self, model: BaseModel, place: Place, *around: Any) -> bool:
        """Look up every reference of a model as ``look_up`` does, which adds problems; return whether all were found.

        ``place`` is where the model is written; ``around`` are the models around it, from the inside out.
        """
        return self.look_up(references(model, place, around))

    def check_name(self, what: str, word: str, place: Place, *around: Any) -> bool:
        """Look up one name that no model declares, as ``look_up`` does; return whether it was found.

        ``what`` is the kind of entry that ``word`` names; ``around`` are the models around the name.
        """
        return self.look_up([Reference(Ref(what), word, place, around)])

    def look_up(self, items: Iterable[Reference]) -> bool:
        """Look up references and add a problem for each that names nothing; return whether all were found.

        A reference that needs the whole rule set is put into ``later`` unless ``whole``, and counts as found. A
        reference that cannot be checked, such as one whose holder is missing, also counts as found. Of equal faults of
        ``items`` in one file, only the first is reported. A missing table that was reported before adds no problem, but
        counts as not found.

        The code depends on the kind of reference: R203, R204, R223, R225, R226, R228, R231, R232 or R331.
        """
        before, found = len(self.problems), True
        for reference in items:
            if reference.ref.what in _OF_ALL and not self.whole:
                self.later.append(reference)
            elif reference.ref.what in ("fielded", "bearers"):
                self._fielded(reference)
            else:
                code, what, known_to = _KNOWN[reference.ref.what]
                known = known_to(self.rules, reference)
                if isinstance(known, Choice):
                    self._value(reference, known)
                elif known is not None:
                    found &= self._known(code, what.format(reference.holder), reference.word, known, reference.place)
        once: dict[tuple[str, ...], Problem] = {}
        for problem in self.problems[before:]:
            once.setdefault((problem.code, problem.span.file, problem.expected, problem.found), problem)
        self.problems[before:] = once.values()
        return found and not once

    def _known(self, code: str, what: str, word: Any, known: Collection[Any], place: Place) -> bool:
        """Return whether a word is known; if not, add a problem with this code.

        R225 is for the id of a table: only the first time that a table is missing, a problem is added. ``what`` is the
        expected thing for the message.
        """
        if word in known:
            return True
        if code == "R225" and identifier(word) in self.missing_tables:
            return False
        self.missing_tables |= {identifier(word)} if code == "R225" else set()
        found = f"the table {word}" if code == "R225" else show(word)
        new = self.rules.replaced.get(word) if isinstance(word, str) else None
        hint = f"use {new}, which replaces it" if new else suggest(word, known)
        self.problems.append(place.problem(code, what, found, hint))
        return False

    def _value(self, reference: Reference, choice: Choice) -> None:
        """Add R203 if the value is not allowed by ``choice``, the choice of an input or a field."""
        if choice.read(reference.word) is None:
            expected, hint = choice.spell(), choice.near(reference.word)
            self.problems.append(reference.place.problem("R203", expected, show(reference.word), hint))

    def _fielded(self, reference: Reference) -> None:
        """Check the name of a part of a force, such as ``vehicle.weapons.weapon=HEL`` or ``weapon-types=HEL``.

        Adds R231 for an unknown kind or table, R232 for an unknown field or column, and R203 for an unknown value of
        these. An unknown procedure in ``special-rules.procedure=ID`` is R231. The bearers of a marker may only be kinds
        of designs, or a field of a kind with a value; anything else is R203.
        """
        path, equals, value = reference.word.partition("=")
        kind, _, name = path.partition(".")
        names = self._names_in(kind)
        if names is None:
            special = SPECIAL.partition(".")[0]
            known = (*kinds_of_designs(self.rules.kinds), ANY_KIND, special, *self.rules.tables)
            self._known("R231", "a kind or a table", kind, known, reference.place)
        elif name not in names:
            known = tuple(filter(None, names))
            self._known("R232", "a field, or a column of the table", name, known, reference.place)
        elif reference.ref.what == "bearers" and (bool(name) != bool(equals) or kind in self.rules.tables):
            expected = "a kind of designs, * for all kinds, or KIND.FIELD=VALUE"
            self.problems.append(reference.place.problem("R203", expected, show(reference.word)))
        elif equals:
            code, what = ("R231", "a procedure") if path == SPECIAL else ("R203", "a value of this field or column")
            self._known(code, what, value, names[name], reference.place)

    def _names_in(self, kind: str) -> dict[str, list[str]] | None:
        """Return the fields of a kind, or the columns of a table, with their values; None if there is neither.

        Values are texts as ``spell_value`` writes them: the die D8 of a table is "8".

        An empty name stands for the kind itself, without values, or for the first key column of the table. The kind
        ``*`` has the fields of all kinds. A field of a list is named as in ``arms.weapon``. Unit and force are not
        kinds here. ``special-rules`` counts as a kind with the field ``procedure`` alone, whose values are the ids of
        procedures and replaced procedures.
        """
        kinds, table = kinds_of_designs(self.rules.kinds), self.rules.tables.get(kind)
        if f"{kind}.procedure" == SPECIAL:
            return {"": [], "procedure": [*self.rules.procedures, *self.rules.replaced]}
        if kind == ANY_KIND or kind in kinds:
            names: dict[str, list[str]] = {"": []}
            for matching in kinds.values() if kind == ANY_KIND else [kinds[kind]]:
                for name, field in every_field(matching.fields):
                    names.setdefault(name, []).extend(map(spell_value, field.choice.values if field.choice else ()))
            return names
        if table is None:
            return None
        names = {column.name: [spell_value(row[column.name]) for row in table.rows] for column in table.columns}
        return names | {"": names[table.key[0]]}


def check_cells(table: Table, tables: Mapping[str, Table], problems: list[Problem]) -> None:
    """Add R206 for each word that is not a first key of any of the tables that its column names under ``from``.

    Columns that name a table that is not in ``tables`` are skipped, and so are missing values.
    """
    for column in table.columns:
        name, ids = column.name, column.listed
        if not ids or not all(text in tables for text in ids):
            continue  # a listing table that could not be read has problems of its own
        known = listed_names(tables, ids)
        for row in table.rows:
            for word in row[name] if isinstance(row[name], tuple) else (row[name],):
                if word is not None and word not in known:
                    expected, hint = f"one of {', '.join(map(str, known))}", suggest(word, known, "")
                    problems.append((row.place / name).problem("R206", expected, show(word), hint))


def _columns(rules: RuleSet, reference: Reference) -> list[str] | None:
    """Return the names of the columns of the reference's table; None if the table is missing."""
    table = rules.tables.get(reference.holder)
    return None if table is None else [column.name for column in table.columns]


def _keys_across(rules: RuleSet, reference: Reference) -> list[Any] | None:
    """Return the first key of each row of the tables under ``across``; None if one of the tables is missing."""
    ids = [row.table for row in reference.around[0].across]
    tables = [rules.tables[each] for each in ids if each in rules.tables]
    return [row[each.key[0]] for each in tables for row in each.rows] if len(tables) == len(ids) else None


def _procedures(rules: RuleSet, needs: str) -> list[str]:
    """Return the ids of the procedures that have entries under ``needs``, such as cases."""
    return [name for name, procedure in rules.procedures.items() if getattr(procedure, needs)]


def _titled(rules: RuleSet, _: Reference) -> list[str]:
    """Return the ids of procedures, replaced procedures, tables and kinds."""
    return [*rules.procedures, *rules.replaced, *rules.tables, *rules.kinds]


def _every_input(rules: RuleSet, _: Reference) -> set[str]:
    """Return the names of the inputs of all procedures."""
    return {item.name for procedure in rules.procedures.values() for item in procedure.inputs}


def _sheets_of_the_kind(rules: RuleSet, reference: Reference) -> list[str]:
    """Return the ids of the sheets that are printed for designs of the kind that the innermost model names."""
    return [sheet.model.sheet for sheet in rules.sheets.values() if sheet.model.of == reference.around[0].kind]


def _guises(rules: RuleSet, _: Reference) -> list[str]:
    """Return the ids of the guises of all cards."""
    return [guise.guise for card in rules.cards.values() for guise in card.guises]


def _of_procedure(rules: RuleSet, reference: Reference) -> list[str] | None:
    """Return the names of the inputs, outcomes, numbers or distributions of the reference's procedure.

    The kind of reference says which. None if the procedure is missing or has no dice.
    """
    procedure: Any = rules.procedures.get(reference.holder)
    if procedure is None or not procedure.cases:
        return None
    model = getattr(procedure, "model", procedure)
    names = {"input": model.inputs, "outcome": [outcome.outcome for outcome in model.outcomes]}
    names["number"], names["distribution"] = (
        [name for case in model.cases for name in getattr(case, key)] for key in ("numbers", "which")
    )
    return list(names[reference.ref.what])


def _input_values(rules: RuleSet, reference: Reference) -> Choice | None:
    """Return the allowed values of the input ``key`` of the reference's procedure; None if either is missing."""
    procedure = rules.procedures.get(reference.holder)
    known_input = procedure.input(reference.key) if procedure is not None else None
    return None if known_input is None else known_input.choice


def _fields_of(rules: RuleSet, reference: Reference) -> dict[str, Field] | None:
    """Return the fields of the reference's kind by name; None if the kind is missing.

    A field inside a list is included as ``list.field``.
    """
    return dict(every_field(rules.kinds[reference.holder].fields)) if reference.holder in rules.kinds else None


def _fields_with_values(rules: RuleSet, reference: Reference) -> list[str] | None:
    """Return the names of the fields of the reference's kind, except list fields; None if the kind is missing.

    A field inside a list is included as ``list.field``.
    """
    fields = _fields_of(rules, reference)
    return None if fields is None else [name for name, field in fields.items() if field.choice is not None]


def _field_values(rules: RuleSet, reference: Reference) -> Choice | None:
    """Return the allowed values of the field with the name ``reference.key`` of the reference's kind.

    A field inside a list has the name ``list.field``. None for a list, an unknown field or a missing kind.
    """
    field = (_fields_of(rules, reference) or {}).get(reference.key)
    return None if field is None else field.choice


def _blamed(rules: RuleSet, reference: Reference) -> Collection[str] | None:
    """Return the names that a limit may blame; None if its list field is unknown.

    They are the fields of its kind and of its list field. For a unit or a force, they are also tallies and
    ``ADDED_UP``.
    """
    each, kind = reference.around[0].each, reference.kind
    inside = (each in kind.fields and kind.fields[each].list_) or ()
    tallies = (name for other in rules.kinds.values() for name in other.model.tallies)
    added = (*ADDED_UP, *tallies) if kind.kind in (UNIT, FORCE) else ()
    return None if each and not inside else [*kind.fields, *inside, *added]


_OF_ALL = ("fielded", "bearers", "guise", "sheet of the kind", "input of a procedure")
"""The kinds of reference that need the whole rule set."""
_KNOWN: Mapping[str, tuple[str, str, Callable[[RuleSet, Reference], Collection[Any] | None]]] = {
    "table": ("R225", "a table of this rule set or its parents", lambda rules, _: rules.tables),
    "own column": ("R204", "a column of this table", lambda _, reference: reference.around[0].columns),
    "column": ("R232", "a column of {}", _columns),
    "key across": ("R203", "a key of these tables", _keys_across),
    "entry": ("R231", "a row or a step", lambda rules, at: at.around[0].entries(rules)),
    "procedure": ("R231", "a procedure", lambda rules, _: [*rules.procedures, *rules.replaced]),
    "procedure, table or kind": ("R231", "a procedure, a table or a kind", _titled),
    "procedure with dice": ("R231", "a procedure with dice", lambda rules, _: _procedures(rules, "cases")),
    "procedure to ask": (
        "R231",
        "a procedure with dice",
        lambda rules, _: [*_procedures(rules, "cases"), *rules.replaced],
    ),
    "procedure with steps": ("R231", "a procedure with steps", lambda rules, _: _procedures(rules, "steps")),
    "input": ("R232", "an input of {}", _of_procedure),
    "value": ("R203", "", _input_values),
    "outcome": ("R232", "an outcome of {}", _of_procedure),
    "number": ("R232", "a number of {}", _of_procedure),
    "distribution": ("R232", "a distribution of {}", _of_procedure),
    "input of a procedure": ("R231", "an input of a procedure", _every_input),
    "own outcome": ("R226", "an outcome of this procedure", lambda _, at: [x.outcome for x in at.around[-1].outcomes]),
    "option": ("R331", "an option of this rule set", lambda rules, _: rules.options),
    "kind": ("R231", "a kind of these rules", lambda rules, _: rules.kinds),
    "kind of designs": ("R231", "a kind of these rules", lambda rules, _: kinds_of_designs(rules.kinds)),
    "field": ("R232", "a field of {}", _fields_of),
    "field with values": ("R232", "a field of {} with values", _fields_with_values),
    "value of a field": ("R203", "", _field_values),
    "sheet of the kind": ("R231", "a sheet of this kind", _sheets_of_the_kind),
    "list field": ("R228", "a list field", lambda _, at: [x for x, field in at.kind.fields.items() if field.list_]),
    "blamed": ("R223", "a field of the design", _blamed),
    "line": ("R231", "a line of the kind", lambda _, at: [line.line for line in at.kind.lines]),
    "reference": ("R231", "a reference of this card", lambda _, at: [x.reference for x in at.around[-2].references]),
    "guise": ("R231", "a guise of some card", _guises),
}
"""For each kind of reference: the code, the expected thing, and a function that returns the known names.

The function returns a Choice for a value, and None if the reference cannot be checked.
"""
