"""Compile entries of kinds, cards and sheets about designs: models whose keys are formulas, labels or such models."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_args, get_origin

from generator.problems import Problem, suggest
from generator.rules.entries.choices import words_of_columns
from generator.rules.entries.namespace import Binder, Namespace
from generator.rules.formulas.scope import VALUE, FormulaText, Name, Scope
from generator.rules.formulas.words import texts_of
from generator.rules.model.base import Among, Label, Model, Numeric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.rules.entries.tables import Table
    from generator.rules.formulas.compiler import Formula
    from generator.rules.source.parts import Place

Named: TypeAlias = "tuple[tuple[str, Formula], ...]"
"""Formulas with their names, in order."""


class Compiled:
    """An entry of rule data with its formulas compiled.

    Its attributes are those of its model. A formula is a ``Formula``, a mapping of formulas is a tuple of pairs, and
    ``through`` is the table. ``place`` is the place of the entry.
    """

    def __init__(self, place: Place, values: Mapping[str, Any]) -> None:
        """Initialize with the compiled values by attribute."""
        self.place = place
        self.__dict__.update(values)

    def replaced(self, **values: Any) -> Compiled:
        """Return a copy of the entry with other values of some attributes; new attributes may be added."""
        return Compiled(self.place, {**self.__dict__, **values})

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


_FORMULA = object()
"""The role of a key whose value is a formula."""
_SCOPED = ("each", "for_n", "join")
"""Keys that add names for all other keys of an entry; they are compiled first."""


@cache
def _roles(model: type[Model]) -> tuple[tuple[str, str, Any], ...]:
    """Return for each field of a model: its name, its key in the file, and the role of its values."""
    fields = model.model_fields.items()
    return tuple((name, info.alias or name, _role(info.annotation, info.metadata)) for name, info in fields)


def _role(annotation: Any, metadata: Iterable[Any] = ()) -> Any:
    """Return ``_FORMULA``, a ``Label``, an ``Among`` or a ``Numeric``; None for values that are not compiled."""
    marked = next((item for item in metadata if isinstance(item, Label | Among | Numeric)), None)
    if marked is not None:
        return marked
    if get_origin(annotation) is Annotated:
        return _role(annotation.__origin__, annotation.__metadata__)
    if Fraction in get_args(annotation):
        return _FORMULA
    inner = (_role(argument) for argument in get_args(annotation))
    return next((role for role in inner if role is not None), None)


class Compiler:
    """Compiler for entries about the designs of one kind."""

    def __init__(self, scope: Scope, namespace: Namespace, problems: list[Problem]) -> None:
        """Initialize for designs whose formulas can read the names of ``scope``; problems are added to ``problems``."""
        self.scope = scope
        self.problems = problems
        self.binder = Binder(namespace, problems)

    def entry(self, model: Model, place: Place, scope: Scope | None = None) -> Compiled:
        """Return an entry, such as a line or a card, with its formulas compiled. Problems are added.

        Its formulas and labels can read the names of ``scope`` (without it, those of the kind), and the names that
        the keys before them add: ``each``, ``for_n`` and ``join`` for all keys, then ``through`` and ``let``.
        """
        values: dict[str, Any] = {name: getattr(model, name, None) for name in _SCOPED}
        scope = self._inside(values["each"], scope or self.scope)
        if values["for_n"] is not None:
            values["for_n"] = self.value(_FORMULA, values["for_n"], place / "for_n", scope)
            scope |= {"n": VALUE}
        values["join"], scope = self.binder.joins(values["join"] or {}, scope, place / "join")
        for name, key, role in _roles(type(model)):
            value = getattr(model, name)
            if name == "through":
                values[name], scope = self._through(value, scope)
            elif name == "let":
                values[name], scope = self._lets(value, scope, place / key)
            elif name not in _SCOPED:
                values[name] = self.value(role, value, place / key, scope)
                if name == "rows":  # the columns and odds beside them can read what rows name
                    scope |= dict.fromkeys((inner for row in value for inner in row.let), VALUE)
        return Compiled(place, values)

    def value(self, role: Any, value: Any, place: Place, scope: Scope) -> Any:
        """Compile the value of a key; a value without a role is returned as it is.

        ``role`` says what the value is, such as a formula or a label. Models inside are compiled as entries.
        """
        if isinstance(value, Model):
            return self.entry(value, place, scope)
        if isinstance(value, tuple):
            return tuple(self.value(role, item, place / index, scope) for index, item in enumerate(value))
        if role is None or value is None:
            return value
        if isinstance(value, dict):
            return tuple((name, self.binder.formula(text, scope, place / name)) for name, text in value.items())
        if isinstance(role, Label):
            return self.binder.label(value, scope, place)
        formula = self.binder.formula(value, scope, place, number=isinstance(role, Numeric))
        if isinstance(role, Among) and formula is not None:
            self._check_words(formula, scope, role.words, place)
        return formula

    def _check_words(self, formula: Formula, scope: Scope, words: Sequence[str], place: Place) -> None:
        """Add R203 for each text that a formula may give and that is not one of the words."""
        for found in sorted(texts_of(formula.tree(), scope) - set(words)):
            self.problems.append(place.problem("R203", f"one of {', '.join(words)}", found, suggest(found, words)))

    def _inside(self, each: str | None, scope: Scope) -> Scope:
        """Return the scope for one entry of the list field ``each``."""
        if each is None:
            return scope
        listed = scope.names[each]
        words = {name: item._replace(listed=False) for name, item in listed.inside.items()}
        return scope | {name: Name(words=words.get(name)) for name in listed.columns}

    def _through(self, table_id: str | None, scope: Scope) -> tuple[Table | None, Scope]:
        """Return the table of this id, and the scope with its columns added; without an id, None and the scope."""
        if table_id is None:
            return None, scope
        table = self.binder.namespace.tables[table_id]
        words = words_of_columns(table, self.binder.namespace.tables)
        return table, scope | {column.name: Name(words=words.get(column.name)) for column in table.columns}

    def _lets(self, texts: Mapping[str, FormulaText], scope: Scope, place: Place) -> tuple[Named, Scope]:
        """Compile named formulas; return them, and the scope with their names. Each can read the names before it."""
        let = []
        for name, text in texts.items():
            let.append((name, self.binder.formula(text, scope, place / name)))
            scope |= {name: VALUE}
        return tuple(let), scope
