"""Canonical tables: typed columns, cited rows, look-up by key."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.births import Birth, Registrar, changed_birth, registrar_of
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.models.base import Certificate
from generator.rules.validation import show, validate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.problems import Problem
    from generator.rules.models.table import ColumnModel, ColumnType, TableModel
    from generator.rules.parts import Applied, Part
    from generator.rules.places import Place

DICE = {"D4": 4, "D6": 6, "D8": 8, "D10": 10, "D12": 12}
CERTIFICATE_KEYS = frozenset({"cite", "status", "support", "raw", "note"})


class Column(NamedTuple):
    """A column: its name in formulas, its type, its head in print."""

    name: str
    type: ColumnType
    label: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row: typed values (a die is its number of sides, a span a pair of whole numbers) and its certificate."""

    values: Mapping[str, Any]
    birth: Birth
    place: Place
    changes: tuple[Applied, ...] = ()

    def __getitem__(self, column: str) -> Any:
        return self.values[column]


@dataclass(frozen=True, slots=True)
class Table:
    """A table, its rows in printed order."""

    id: str
    owner: str
    title: str
    says: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    name: str | None
    rows: tuple[Row, ...]
    birth: Birth
    place: Place
    _index: Mapping[tuple[Any, ...], Row] = field(repr=False, default_factory=dict)

    def column(self, name: str) -> Column:
        """The column of this name. Raises KeyError."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def find(self, keys: tuple[Any, ...]) -> Row:
        """The row with this key; a span key matches every number inside it.

        Raises FormulaUseError where there is none.
        """
        row = self._index.get(keys)
        if row is not None:
            return row
        for candidate in self.rows:
            if all(_matches(candidate[name], key) for name, key in zip(self.key, keys, strict=True)):
                return candidate
        message = f"the table {self.id} has no row for {', '.join(map(str, keys))}"
        raise FormulaUseError(message)

    def names(self) -> Mapping[Any, str]:
        """The printed name of each value of the first key column."""
        return {row[self.key[0]]: str(row[self.name or self.key[0]]) for row in self.rows}


def _matches(cell: object, key: object) -> bool:
    if isinstance(cell, tuple) and isinstance(key, int):
        low, high = cell
        return bool(low <= key <= high)
    return cell == key


def read_table(
    part: Part, model: TableModel, registrars: Mapping[str, Registrar], problems: list[Problem]
) -> Table | None:
    """The typed table of a part. Codes R204 to R209 for whatever is wrong with columns, rows and keys."""
    place = part.place()
    birth = registrars[part.owner].birth(model, place, problems)
    columns = tuple(Column(name, one.type, one.label, one.unit) for name, one in model.columns.items())
    for name in (*model.key, *((model.name,) if model.name else ())):
        if name not in model.columns:
            hint = f"columns: {', '.join(model.columns)}"
            problems.append((place / "key").problem("R204", found=name, expected="a column of this table", hint=hint))
            return None
    rows: list[Row] = []
    index: dict[tuple[Any, ...], Row] = {}
    raw_rows = part.value.get("rows", ())
    for number, raw in enumerate(raw_rows):
        row = _read_row(part, number, raw, model, registrars, birth, problems)
        if row is None:
            continue
        key = tuple(row[name] for name in model.key)
        if key in index:
            first = index[key].place.span()
            problems.append(
                row.place.problem(
                    "R207",
                    found=f"the key {_spell(key)} again",
                    expected="one row for each key",
                    hint=f"the first is at {first.file}:{first.line}",
                )
            )
            continue
        index[key] = row
        rows.append(row)
    return Table(
        model.table,
        part.owner,
        model.title,
        model.says,
        columns,
        model.key,
        model.name,
        tuple(rows),
        birth,
        place,
        index,
    )


def _spell(key: tuple[Any, ...]) -> str:
    return ", ".join(map(str, key))


def _read_row(
    part: Part,
    number: int,
    raw: dict[str, Any],
    model: TableModel,
    registrars: Mapping[str, Registrar],
    above: Birth,
    problems: list[Problem],
) -> Row | None:
    place = part.place(("rows", number))
    values: dict[str, Any] = {}
    before = len(problems)
    for name in raw:
        if name not in model.columns and name not in CERTIFICATE_KEYS:
            hint = f"columns: {', '.join(model.columns)}"
            at = part.place(("rows", number, name))
            problems.append(at.problem("R205", found=f"the column {name}", expected="a column", hint=hint, at_key=True))
    for name, column in model.columns.items():
        given = raw.get(name)
        if given is None:
            if not column.optional:
                problems.append(place.problem("R206", found=f"no {name}", expected=f"a value for {name}"))
            values[name] = None
            continue
        problem = _cell(given, column)
        if isinstance(problem, _Refused):
            at = part.place(("rows", number, name))
            problems.append(at.problem("R206", found=show(given), expected=problem.expected, hint=problem.hint))
        else:
            values[name] = problem
    if len(problems) > before:
        return None
    changes = part.changes_in(raw)
    own = {key: raw[key] for key in raw if key in CERTIFICATE_KEYS}
    birth = above
    if own:
        certificate = validate(Certificate, own, lambda path: part.place(("rows", number, *path)), problems)
        registrar = registrar_of(part, raw, registrars)
        birth = registrar.birth(certificate, place, problems, above) if certificate else above
    birth = changed_birth(birth, changes, registrars, problems)
    return Row(values, birth, place, changes)


class _Refused(NamedTuple):
    expected: str
    hint: str = ""


def _cell(given: Any, column: ColumnModel) -> Any:  # noqa: PLR0911 - one branch for each type
    match column.type:
        case "int":
            if not isinstance(given, int) or isinstance(given, bool):
                return _Refused("a whole number")
            return _in_range(given, column)
        case "number":
            if not isinstance(given, int | Fraction) or isinstance(given, bool):
                return _Refused("a number")
            return _in_range(given, column)
        case "die":
            return DICE.get(given, _Refused("D4, D6, D8, D10 or D12"))
        case "word":
            if not isinstance(given, str):
                return _Refused("a word")
            return given if not column.of or given in column.of else _Refused(f"one of {', '.join(column.of)}")
        case "text":
            return given if isinstance(given, str) else _Refused("a text", "put quotes around it")
        case "yes_no":
            answer = {"yes": True, "no": False, True: True, False: False}.get(given)
            return _Refused("yes or no") if answer is None else answer
        case "span":
            return _span(given)
        case "words":
            if not isinstance(given, list) or not all(isinstance(word, str) for word in given):
                return _Refused("a list of words in square brackets")
            odd = [word for word in given if column.of and word not in column.of]
            return _Refused(f"only {', '.join(column.of)}") if odd else tuple(given)


def _in_range(given: int | Fraction, column: ColumnModel) -> int | Fraction | _Refused:
    if column.range is None:
        return given
    low, high = map(int, column.range.split(".."))
    return given if low <= given <= high else _Refused(f"{low} to {high}")


def _span(given: object) -> tuple[int, int] | _Refused:
    """A single number, or "2..6"."""
    low, _, high = str(given).partition("..")
    try:
        pair = int(low), int(high or low)
    except ValueError:
        return _Refused('a number, or from and to such as "2..6"')
    return pair if pair[0] <= pair[1] else _Refused("the smaller number first")
