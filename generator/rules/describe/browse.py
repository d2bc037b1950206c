"""List the contents of a rule set row by row, for the screen and as statements with their provenance."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.kinds import LINE_RESULTS, Kind, every_field
from generator.rules.entries.tables import Column, Row, Table, listed_names, written
from generator.rules.formulas.working import spell as exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction

    from generator.rules.entries.compiled import Compiled
    from generator.rules.formulas.compiler import Formula
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Provenance

_SPELLED = ("die", "target")
"""The column types whose whole numbers are spelled, such as D8 and 4+."""


class Listing(NamedTuple):
    """Rows under columns; each row also has its provenance: ``cite``, ``status``, ``raw`` and ``note``."""

    what: str
    """The contents: "table", "kind", "procedure", "options", "errata", or a single "option", "limit" or "erratum"."""
    columns: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]


PARTS = ("tables", "kinds", "procedures")
"""The categories whose entries have a file each."""
_SHOWN = (*PARTS, "options", "limits", "errata")
"""All categories, in the order in which a word without a category is looked up."""


def split_word(word: str) -> tuple[str, str]:
    """Split a word such as ``procedures/shoot`` into category (empty if there is none) and id.

    With nothing after the slash, the name of the category is also the id: ``options/`` means all options.

    >>> split_word("procedures/shoot"), split_word("options/"), split_word("shoot"), split_word("odd/shoot")
    (('procedures', 'shoot'), ('options', 'options'), ('', 'shoot'), ('', 'odd/shoot'))
    """
    category, slash, name = word.partition("/")
    return (category, name or category) if slash and category in _SHOWN else ("", word)


def listing(ruleset: RuleSet, word: str) -> Listing | None:
    """Return the listing of a table, kind, procedure, option, limit or erratum by id, or of ``options`` or ``errata``.

    A category in front chooses between entries of the same id: ``procedures/shoot``. Without a category, the first
    category in ``_SHOWN`` with the id counts. Kinds may have different limits of one id: all are listed. Returns None
    if there is no such entry.
    """
    category, name = split_word(word)
    listings = (_in_category(ruleset, item, name) for item in ((category,) if category else _SHOWN))
    return next(filter(None, listings), None)


def _in_category(ruleset: RuleSet, category: str, name: str) -> Listing | None:
    """Return the listing of an entry in one category; None if there is none.

    In the category ``options``, the name ``options`` means all options. In ``errata``, the name ``errata`` means all
    errata.
    """
    match category:
        case "tables" if name in ruleset.tables:
            return _table(ruleset.tables[name])
        case "kinds" if name in ruleset.kinds:
            return _with_provenance("kind", _PART, _kind(ruleset.kinds[name]))
        case "procedures" if name in ruleset.procedures:
            return _with_provenance("procedure", _PART, _procedure(ruleset.procedures[name]))
        case "options":
            return _entry(_options(ruleset), name)
        case "limits":
            parts = (part for kind in ruleset.kinds.values() for part in _kind(kind))
            limits = dict.fromkeys(part for part in parts if part[:2] == ("limit", name))
            return _with_provenance("limit", _PART, limits) if limits else None
        case "errata":
            return _entry(_errata(ruleset), name)
        case _:
            return None


def _entry(listed: Listing, name: str) -> Listing | None:
    """Return a listing of only the rows that are called ``name``; None if there are none.

    If ``name`` is the name of the listing itself, such as "options", the whole listing is returned.
    """
    if name == listed.what:
        return listed
    rows = tuple(row for row in listed.rows if row[listed.columns[0]] == name)
    return Listing(listed.columns[0], listed.columns, rows) if rows else None


def names(ruleset: RuleSet) -> list[str]:
    """Return the words that ``listing`` takes for tables, kinds and procedures, and ``options`` and ``errata``.

    An id that several categories have is written with its category.
    """
    counted = Counter(item for what in PARTS for item in getattr(ruleset, what))
    known = [f"{what}/{item}" if counted[item] > 1 else item for what in PARTS for item in getattr(ruleset, what)]
    return [*known, "options", "errata"]


def _table(table: Table) -> Listing:
    plain = ((plain_row(table, row), row.provenance) for row in table.rows)
    rows = tuple({**values, **_certificate(provenance), **values} for values, provenance in plain)
    return Listing("table", tuple(column.name for column in table.columns), rows)


def plain_row(table: Table, row: Row) -> dict[str, Any]:
    """Return the values of a row for JSON, by column: whole numbers, yes and no, and None for a missing value.

    Other values are texts as ``spell`` writes them, also fractions, dice, targets, spans and lists of words.
    """
    plain = {
        column.name: row[column.name] is None or (isinstance(row[column.name], int) and column.type not in _SPELLED)
        for column in table.columns
    }
    return {name: row[name] if as_it_is else spell(table, row, name) for name, as_it_is in plain.items()}


def _certificate(provenance: Provenance | None) -> dict[str, Any]:
    """Return the cite, status, raw signs and note of a provenance by column; all are empty texts for None."""
    shown = {"cite": "cite_text", "status": "status", "raw": "raw", "note": "note"}
    return {key: getattr(provenance, attribute, "") for key, attribute in shown.items()}


def _with_provenance(what: str, columns: tuple[str, ...], entries: Iterable[tuple[Any, ...]]) -> Listing:
    """Return a listing of entries; each entry has the values of the columns, and then its provenance or None.

    Rows of the listing have these values by column, and in addition those of ``_certificate``.
    """
    rows = (dict(zip(columns, entry[:-1], strict=True)) | _certificate(entry[-1]) for entry in entries)
    return Listing(what, columns, tuple(rows))


_PART = ("part", "id", "says", "rule")
"""The columns for the entries of a kind or a procedure."""


def _kind(kind: Kind) -> Iterator[tuple[Any, ...]]:
    """Yield the kind and each of its parts: the values of the columns ``_PART``, then the provenance or None."""
    yield "kind", kind.id, kind.says or kind.title, "", kind.provenance
    for name, field in every_field(kind.fields):
        rule = "a list" if field.choice is None else field.choice.spell()
        yield "field", name, field.label, rule, None
    for name, formula in kind.let:
        yield "let", name, "", formula.text, None
    for name, formula in kind.tallies:
        yield "tally", name, "", formula.text, None
    for line in kind.lines:
        counted = [(result, getattr(line, result)) for result in LINE_RESULTS]
        counted += [("capacity", line.capacity), ("systems", line.systems)]
        over = [f"each {line.each}"] if line.each else []
        over += [f"for n from {line.for_n[0].text} to {line.for_n[1].text}"] if line.for_n else []
        over += [f"{name} = {formula.text}" for name, formula in line.join]
        rule = "; ".join([*over, *filter(None, [_rule([*counted, ("when", line.when)])])])
        yield "line", line.id, line_name(line), rule, line.provenance
    allowed = _rule([("capacity", kind.capacity), ("systems", kind.systems)])
    if allowed:
        yield "allowed", "", "", allowed, None
    for limit in kind.limits:
        says = limit.says if limit.severity == "error" else f"Advice: {limit.says}"
        yield "limit", limit.id, says, _rule([("", limit.that), ("when", limit.when)]), limit.provenance


def _procedure(procedure: Procedure) -> Iterator[tuple[Any, ...]]:
    """Yield the procedure and each step, input and outcome: the columns ``_PART``, then the provenance or None."""
    yield "procedure", procedure.id, procedure.says or procedure.title, "", procedure.provenance
    for number, step in enumerate(procedure.steps, start=1):
        yield "step", step.id or str(number), step.says.replace("*", ""), _only(step.when).strip(", "), step.provenance
    for item in procedure.inputs:
        yield "input", item.name, item.label, item.choice.spell() + _only(item.when), None
    for outcome in procedure.outcomes:
        yield "outcome", outcome.id, outcome.label, _only(outcome.when).strip(", "), None


def _rule(formulas: Iterable[tuple[str, Formula | None]]) -> str:
    """Return named formulas as one line, such as ``capacity 4; systems 2``, without names whose formula is None."""
    return "; ".join(f"{name} {formula.text}".strip() for name, formula in formulas if formula is not None)


def _only(when: Formula | None) -> str:
    """Return a condition as text such as ``, when fog``; an empty text for None."""
    return f", when {when.text}" if when else ""


def _options(ruleset: RuleSet) -> Listing:
    options = ruleset.options.values()
    rows = ((item.name, item.label, item.choice.spell(), item.value, item.says, item.provenance) for item in options)
    return _with_provenance("options", ("option", "label", "allowed", "set", "says"), rows)


def _errata(ruleset: RuleSet) -> Listing:
    rows = ((item.id, item.title, item.printed, item.holds, item.working, item.provenance) for item in ruleset.errata)
    return _with_provenance("errata", ("erratum", "example", "printed", "holds", "working"), rows)


_FILLED = re.compile(r"[,:×/ ]*\{[^{}]*\}[×/ ]*")
_ROOM = re.compile(r" +(?=[ ,:])")
"""Spaces that are left over where a place was removed."""


class Statement(NamedTuple):
    """A statement of the rules: a row of a table, a procedure or step, a kind, line or limit, an option, an erratum."""

    owner: str
    """The id of the rule set that makes the statement."""
    subject: str
    """The printed title of the table, procedure or kind; "Option" for an option, "Example" for an erratum."""
    key: str
    """The printed name of the row, line, limit, option or erratum; empty for a procedure, a step or a kind."""
    value: str
    """The content in short, or ``used`` of the provenance; empty for a procedure, a kind or a line."""
    provenance: Provenance
    label: str = ""
    """The head of the key column, if the key is a number."""


def statements(ruleset: RuleSet, *, parents: bool = True) -> tuple[Statement, ...]:
    """Return the statements of tables, procedures, kinds, options and errata, in this order.

    Steps without a provenance are left out, and so are lines and limits that a kind inherits. If the provenance has
    ``used``, this is the value of the statement.

    Without ``parents``, return only statements that a rule set in ``ruleset.own`` makes.
    """
    return tuple(
        statement._replace(value=statement.provenance.used) if statement.provenance.used else statement
        for statement in _all(ruleset)
        if parents or statement.owner in ruleset.own
    )


def _all(ruleset: RuleSet) -> Iterator[Statement]:
    """Yield the statements of tables, procedures, kinds, options and errata.

    Steps without a provenance are left out, and so are lines and limits that a kind inherits.
    """
    for table in ruleset.tables.values():
        for row in table.rows:
            owner = next((change.layer for change in reversed(row.changes) if change.layer), table.owner)
            value = row_value(table, row, ruleset.tables)
            label = key.label if (key := table.column(table.key[0])).type == "int" and not table.name else ""
            yield Statement(owner, table.title, row_key(table, row), value, row.provenance, label)
    for procedure in ruleset.procedures.values():
        yield Statement(procedure.owner, procedure.title, "", "", procedure.provenance)
        for step in procedure.steps:
            if step.provenance is not None:
                yield Statement(step.owner, procedure.title, "", step.says, step.provenance)
    for kind in ruleset.kinds.values():
        yield Statement(kind.owner, kind.title, "", "", kind.provenance)
        for line in kind.lines:
            if line.origin == kind.id:
                yield Statement(line.owner, kind.title, line_name(line), "", line.provenance)
        for limit in kind.limits:
            if limit.origin == kind.id:
                name = limit.id.replace("-", " ").capitalize()
                yield Statement(limit.owner, kind.title, name, limit.says, limit.provenance)
    for option in ruleset.options.values():
        default = option.choice.names.get(option.default, str(option.default))
        yield Statement(option.owner, "Option", option.label, f"Standard: {default}", option.provenance)
    for erratum in ruleset.errata:
        text = f"{erratum.holds}, not {erratum.printed}"
        yield Statement(erratum.owner, "Example", erratum.title, text, erratum.provenance)


def row_key(table: Table, row: Row) -> str:
    """Return the key of a row as text; a printed name in the row takes the place of the first key.

    The first key stays if it is a span of numbers.
    """
    name = _name_column(table)
    first = table.key[0] if name is None or row[name] is None else name
    return ", ".join(spell(table, row, column) for column in (first, *table.key[1:]))


def row_value(table: Table, row: Row, tables: Mapping[str, Table] | None = None) -> str:
    """Return the values of a row as text, without its key and printed name.

    If the first key is a span of numbers, the printed name counts as a value. Columns of single words that no table
    lists are left out, unless all columns of values are such columns.

    If several columns are left, each value follows the head of its column. Yes and no, and a text that is the only
    value, have no head in front. Missing values are left out. A row without any value gives "none"; in a gap, or if
    several columns are left, it gives an empty text. ``tables`` give the printed names of the words that they list.
    """
    hidden = {*table.key, _name_column(table)}
    columns = [column for column in table.columns if column.name not in hidden]
    if any(column.type != "word" or column.listed for column in columns):
        # Words that no table lists, such as outcomes, are only for formulas.
        columns = [column for column in columns if column.type != "word" or column.listed]
    filled = [column for column in columns if row[column.name] is not None]
    values = [_printed_name(table, row, column, tables or {}) for column in filled]
    if len(columns) < 2:  # noqa: PLR2004 - one value needs no head
        return "".join(values) or ("" if row.provenance.status == "gap" else "none")
    alone = len(filled) == 1
    return ", ".join(
        value if column.type == "yes_no" or (alone and column.type == "text") else f"{column.label} {value}"
        for column, value in zip(filled, values, strict=True)
    )


def _name_column(table: Table) -> str | None:
    """Return the name of the column of printed names; None without one, or if the first key is a span of numbers."""
    return None if table.column(table.key[0]).type == "span" else table.name


def _printed_name(table: Table, row: Row, column: Column, tables: Mapping[str, Table]) -> str:
    """Return the printed name of a single value if a table lists it, else the value or the list of words as text."""
    return listed_names(tables, column.listed, printed=True).get(row[column.name]) or spell(table, row, column.name)


def _figure(value: int | Fraction, *, signed: bool) -> str:
    """Return a number as text with a real minus sign: as a decimal of at most three places, or else as a fraction.

    With ``signed``, 0 and positive numbers have a plus sign.

    >>> from fractions import Fraction
    >>> _figure(Fraction(3, 10), signed=False), _figure(-3, signed=False), _figure(3, signed=True)
    ('0.3', '−3', '+3')
    """
    text = exact(-value if value < 0 else value)
    return f"−{text}" if value < 0 else f"+{text}" if signed else text


def line_name(line: Compiled) -> str:
    """Return the label of a line (a step of a price) without the places that a design fills, such as ``{size}``.

    If nothing is left, return the id of the line as words.

    >>> from types import SimpleNamespace
    >>> [line_name(SimpleNamespace(id="x", label=label)) for label in ("SAM, {sam}", "Stealth, {n} × level")]
    ['SAM', 'Stealth level']
    """
    return _ROOM.sub("", _FILLED.sub(" ", line.label)).strip(" ,:") or line.id.replace("-", " ").capitalize()


def spell(table: Table, row: Row, name: str) -> str:
    """Return one value of a row as plain text: a die as D8, a span as "2 to 6" or "2", no value as "none".

    Yes and no become the head of the column in small letters, or this head after "not". Raises KeyError for an
    unknown column.
    """
    value: Any = row[name]
    if value is None:
        return "none"
    match table.column(name).type:
        case "die" | "target":
            return written(value, table.column(name).type)
        case "span":
            return str(value[0]) if value[0] == value[1] else f"{value[0]} to {value[1]}"
        case "yes_no":
            label = table.column(name).label.lower()
            return label if value else f"not {label}"
        case "words":
            return " ".join(value)
        case "int" | "number":
            return _figure(value, signed=table.column(name).signed)
        case _:
            return str(value)
