"""Tables of rule data: typed columns, rows with their provenance, look-up by key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from generator.problems import Problem, nearest, suggest, suggest_key
from generator.rules.entries.dice import read_dice, spell_dice
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.model.base import Certificate
from generator.rules.model.table import ColumnModel, ColumnType, TableModel, TableRowModel
from generator.rules.source.parts import Applied, CitationResolver, Part, Place, Provenance, provenance_at
from generator.rules.source.validation import show, validate

_DIGITS = 9
"""The most digits of a number to reach."""
_SPAN = re.compile(r"(-?\d{1,9})(?:\.\.(-?\d{1,9}))?", re.ASCII)
CERTIFICATE_KEYS = frozenset(Certificate.model_fields)
ROW_KEYS = frozenset(TableRowModel.model_fields)
"""The keys of a row that are not columns."""


class Column(ColumnModel):
    """A column of a table with its name in formulas."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row: typed values (a die is its number of sides, 2D6 is ``Dice``, a span is a pair) and its provenance.

    A row is equal only to itself, so it can be a key of a dict.
    """

    values: Mapping[str, Any]
    provenance: Provenance
    place: Place
    changes: tuple[Applied, ...] = ()
    concerns: tuple[str, ...] = ()
    """The parts of a force that the row is about; empty for a row about all."""

    def __getitem__(self, column: str) -> Any:
        return self.values[column]

    @property
    def answered(self) -> frozenset[str]:
        """The columns whose gaps the players filled with figures of their own."""
        return frozenset(str(change.key) for change in self.changes if not change.layer)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table with its rows in printed order. Each table equals only itself."""

    id: str
    owner: str
    title: str
    says: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    name: str | None
    rows: tuple[Row, ...]
    provenance: Provenance
    place: Place
    concerns: tuple[str, ...] = ()
    """The parts of a force that the table is about; empty for a table about all."""
    _index: Mapping[tuple[Any, ...], Row] = field(repr=False, default_factory=dict)

    def column(self, name: str) -> Column:
        """Return the column of this name. Raises KeyError if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def find(self, keys: tuple[Any, ...]) -> Row:
        """Return the row with this key; a span in a key column matches every whole number inside it.

        ``keys`` has a value for each key column. Raises FormulaUseError if there is no such row.
        """
        row = self._index.get(keys)
        if row is not None:
            return row
        for candidate in self.rows:
            if all(_matches(candidate[name], key) for name, key in zip(self.key, keys, strict=True)):
                return candidate
        spelled = ", ".join(map(str, keys))
        hint = f"give the table {self.id} such a row, or do not ask it for {spelled}"
        raise FormulaUseError(f"the table {self.id} has no row for {spelled}", hint=hint)

    def names(self) -> Mapping[Any, str]:
        """Return the printed name of each value of the first key column; without a column of names, the value as text.

        A row without a name has its value as text. If several rows have the same value, the name in the last counts.
        """
        key, name = self.column(self.key[0]), self.column(self.name or self.key[0])
        columns = (key if row[name.name] is None else name for row in self.rows)
        return {row[key.name]: written(row[item.name], item.type) for row, item in zip(self.rows, columns, strict=True)}

    def former(self, column: str) -> tuple[Any, ...]:
        """Return the values of this column in the file, before layers changed them; the words of lists one by one.

        They are as the file writes them: a die is ``D8``, and a missing value is None.
        """
        as_read: Any = self.place.inside.document.value
        cells = [row.get(column) for row in as_read.get("rows") or () if isinstance(row, dict)]
        return tuple(item for cell in cells for item in (cell if isinstance(cell, list) else (cell,)))


def written(value: Any, kind: ColumnType) -> str:
    """Return a die, a target, a whole number, a word or a text as rule data writes it.

    Not for None. Other values are returned as Python prints them, such as ``True`` for yes and ``1/2`` for 0.5.

    >>> written(8, "die"), written(4, "target"), written("pop", "word")
    ('D8', '4+', 'pop')
    """
    return spell_dice(value) if kind == "die" else f"{value}+" if kind == "target" else str(value)


def _matches(cell: object, key: object) -> bool:
    """Return whether a cell of a key column equals the key, or is a span and the key is a whole number in it."""
    if isinstance(cell, tuple) and isinstance(key, int):
        low, high = cell
        return bool(low <= key <= high)
    return cell == key


def read_table(part: Part, model: TableModel, resolvers: Mapping[str, CitationResolver]) -> Table:
    """Return the typed table of a part; ``model`` is the validated value of the part.

    ``resolvers`` has the resolver of each rule set by id; problems are added to the resolvers. Adds R205 to R207 for
    unknown columns, wrong values and repeated or overlapping keys, and leaves out these rows; the first row with a key
    is kept. Adds R203, R208 and R209 for faults in certificates (``cite``, ``status``, ``note`` ...), but keeps their
    rows.
    """
    place, problems = part.place(), resolvers[part.owner].problems
    provenance = resolvers[part.owner].provenance(model, place)
    columns = tuple(Column.model_construct(name=name, **dict(item)) for name, item in model.columns.items())
    rows: list[Row] = []
    before = len(problems)
    index: dict[tuple[Any, ...], Row] = {}
    spans = any(model.columns[name].type == "span" for name in model.key)
    for number in range(len(part.value.get("rows", ()))):
        row = _read_row(place / "rows" / number, model, resolvers, provenance)
        if row is None:
            continue
        key = tuple(row[name] for name in model.key)
        other = index.get(key) or next((item for item in rows if spans and _overlap(model, item, row)), None)
        if other is not None:
            first = other.place.span()
            again = tuple(other[name] for name in model.key)
            found = f"the key {_spell(key)} {'again' if again == key else f'beside {_spell(again)}'}"
            hint = f"the first is at {first.file}:{first.line}"
            problems.append(row.place.problem("R207", "one row for each key", found, hint))
            continue
        index[key] = row
        rows.append(row)
    # A column that is misspelt in many rows is reported once.
    once = {item.found if item.code == "R205" else item: item for item in reversed(problems[before:])}
    problems[before:] = reversed(once.values())
    return Table(
        model.table, part.owner, model.title, model.says, columns, model.key, model.name, tuple(rows), provenance,
        place, model.concerns, index,
    )  # fmt: skip


def _overlap(model: TableModel, row: Row, other: Row) -> bool:
    """Return whether a look-up could find both rows: their span keys overlap and their other keys are equal."""
    for name in model.key:
        a, b = row[name], other[name]
        if model.columns[name].type == "span" and a is not None and b is not None:
            if a[1] < b[0] or b[1] < a[0]:
                return False
        elif a != b:
            return False
    return True


def _spell(key: tuple[Any, ...]) -> str:
    return ", ".join(f"{item[0]} to {item[1]}" if isinstance(item, tuple) else str(item) for item in key)


def listed_names(tables: Mapping[str, Table], ids: Iterable[str], *, printed: bool = False) -> dict[Any, str]:
    """Return the values of the first key columns of several tables, each with its printed name.

    A value without a printed name has itself as text. The first table with a value gives its name. Ids of unknown
    tables are skipped. With ``printed``, tables without a column of printed names are left out.
    """
    by_value: dict[Any, str] = {}
    for table in (tables[table_id] for table_id in ids if table_id in tables):
        if table.name or not printed:
            by_value |= {value: name for value, name in table.names().items() if value not in by_value}
    return by_value


def _read_row(
    place: Place, model: TableModel, resolvers: Mapping[str, CitationResolver], above: Provenance
) -> Row | None:
    """Return the typed row at a place; None if a column is unknown (R205) or a value is wrong (R206).

    ``above`` is the table's provenance; the row gets its own as ``provenance_at`` gives it. Adds R203, R208 and R209
    for faults in its certificate (``cite``, ``status``, ``note`` ...). Problems are added to the resolvers.
    """
    part, raw = place.inside, place.value()
    problems = resolvers[part.owner].problems
    values: dict[str, Any] = {}
    refused = False
    misspelt: set[str] = set()
    own = part.last_changed_by(raw) == part.owner  # a layer may add rows with keys that ``of`` does not list
    for name in raw:
        if name not in model.columns and name not in ROW_KEYS:
            refused = True
            near = nearest(name, model.columns)
            misspelt.add(near)
            hint = suggest_key(name, model.columns, raw, suggest(name, model.columns))
            if near and not any(near in other for other in part.value["rows"]):  # the slip may be in the column
                hint = f"write {near} in all rows, or {name} under columns"
            problems.append((place / name).problem("R205", "a column", f"the column {name}", hint, at_key=True))
    for name, column in model.columns.items():
        listed = column if own or name not in model.key else column.model_copy(update={"of": ()})
        try:
            values[name] = read_cell(raw.get(name), listed, name)
        except ValueError as error:
            refused = True
            if name not in misspelt:
                problems.append(cell_problem("R206", place / name, error, f"see the column {name} under columns"))
    if refused:
        return None
    keys = {key: raw[key] for key in raw if key in ROW_KEYS}
    about = validate(TableRowModel, keys, lambda path: part.place((*place.path, *path)), problems) if keys else None
    about = about or TableRowModel()
    provenance = provenance_at(about, place, resolvers, above)
    return Row(values, provenance, place, part.changes_in(raw), about.concerns)


def cell_problem(code: str, place: Place, error: ValueError, hint: str) -> Problem:
    """Return the problem of a cell that ``read_cell`` refused. ``hint`` counts if the error has none of its own."""
    found = f"no {place.path[-1]}" if place.value() is None else show(place.value())
    return place.problem(code, error.args[0], found, error.args[1] or hint)


def read_cell(raw: Any, column: ColumnModel, name: str) -> Any:
    """Return the typed value of a cell; None for an empty cell of an optional column.

    Raises ValueError as ``_need`` does for any other empty cell, and for a value that does not fit the column.
    """
    if raw is None:
        return _need(column.optional, None, f"a value for {name}")
    match column.type:
        case "int" | "number":
            is_number = isinstance(raw, int if column.type == "int" else int | Fraction) and not isinstance(raw, bool)
            return _in_range(_need(is_number, raw, "a whole number" if column.type == "int" else "a number"), column)
        case "die":
            die = read_dice(raw)
            return _need(die, die, "a die such as D8, D20 or 2D6", "use 2 to 1000 sides and at most 40 dice")
        case "target":
            needed = str(raw).removesuffix("+")
            is_number = needed.isascii() and needed.isdigit() and len(needed) <= _DIGITS
            return _in_range(int(_need(is_number, needed, "a number to reach", "write 4+ or 4")), column)
        case "word":
            return _among(_need(isinstance(raw, str), raw, "a word"), column)
        case "text":
            return _among(_need(isinstance(raw, str), raw, "a text", "put quotes around it"), column)
        case "words":
            are_words = isinstance(raw, list) and all(isinstance(word, str) for word in raw)
            return tuple(_among(word, column) for word in _need(are_words, raw, "a list of words in square brackets"))
        case "yes_no":
            answer = raw if isinstance(raw, bool) else {"yes": True, "no": False}.get(str(raw))
            return _need(answer is not None, answer, "yes or no")
        case "span":
            ends = _SPAN.fullmatch(str(raw))
            ends = _need(ends, ends, 'a number, or from and to such as "2..6"')
            low, high = int(ends[1]), int(ends[2] or ends[1])
            _need(low <= high, raw, "the smaller number first")
            return _in_range(low, column), _in_range(high, column)


def _need(fits: object, value: Any, expected: str, hint: str = "") -> Any:
    """Return ``value`` if ``fits`` is true. Otherwise raise ValueError with ``expected`` and ``hint`` as arguments."""
    if not fits:
        raise ValueError(expected, hint)
    return value


def _among(word: str, column: ColumnModel) -> str:
    """Return the word. Raises ValueError if the column has words under ``of`` and the word is not one of them."""
    fits = not column.of or word in column.of
    return str(_need(fits, word, f"one of {', '.join(column.of)}", "" if fits else suggest(word, column.of, "")))


def _in_range(number: Any, column: ColumnModel) -> Any:
    """Return the number. Raises ValueError if it is outside the column's range."""
    low, high = column.bounds or (number, number)
    return _need(low <= number <= high, number, f"{low} to {high}")
