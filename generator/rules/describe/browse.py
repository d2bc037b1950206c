"""List the contents of a rule set row by row for the screen: tables, kinds, procedures, options, errata."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.check.statements import line_name, spell
from generator.rules.entries.kinds import LINE_RESULTS, Kind, every_field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.rules.entries.tables import Row as TableRow
    from generator.rules.entries.tables import Table
    from generator.rules.formulas.compiler import Formula
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Provenance

Row = dict[str, Any]
_SPELLED = ("die", "target")
"""The column types whose whole numbers are spelled, such as D8 and 4+."""


class Listing(NamedTuple):
    """Rows under columns; each row also has its provenance: ``cite``, ``status``, ``raw`` and ``note``."""

    what: str
    """The contents: "table", "kind", "procedure", "options", "errata", or a single "option", "limit" or "erratum"."""
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


PARTS = ("tables", "kinds", "procedures")
"""The categories whose entries have a file each."""
_SHOWN = (*PARTS, "options", "limits", "errata")
"""All categories, in the order in which a word without a category is looked up."""


def split_word(word: str) -> tuple[str, str]:
    """Split a word such as ``procedures/shoot`` into category (empty if there is none) and id.

    >>> split_word("procedures/shoot"), split_word("shoot"), split_word("odd/shoot")
    (('procedures', 'shoot'), ('', 'shoot'), ('', 'odd/shoot'))
    """
    category, slash, name = word.partition("/")
    return (category, name or category) if slash and category in _SHOWN else ("", word)


def listing(ruleset: RuleSet, word: str) -> Listing | None:
    """Return the listing of a table, kind, procedure, option, limit or erratum by id, or of ``options`` or ``errata``.

    A category in front chooses between entries of the same id: ``procedures/shoot``. Returns None if there is no such
    entry.
    """
    category, name = split_word(word)
    listings = (_in_category(ruleset, item, name) for item in ((category,) if category else _SHOWN))
    return next(filter(None, listings), None)


def _in_category(ruleset: RuleSet, category: str, name: str) -> Listing | None:
    """Return the listing of an entry in one category, or None."""
    match category:
        case "tables" if name in ruleset.tables:
            return _table(ruleset.tables[name])
        case "kinds" if name in ruleset.kinds:
            return _listed("kind", _PART, _kind(ruleset.kinds[name]))
        case "procedures" if name in ruleset.procedures:
            return _listed("procedure", _PART, _procedure(ruleset.procedures[name]))
        case "options":
            return _entry(_options(ruleset), name)
        case "limits":
            parts = (part for kind in ruleset.kinds.values() for part in _kind(kind))
            limit = next((part for part in parts if part[:2] == ("limit", name)), None)
            return _listed("limit", _PART, [limit]) if limit else None
        case "errata":
            return _entry(_errata(ruleset), name)
        case _:
            return None


def _entry(listed: Listing, name: str) -> Listing | None:
    """Return one entry of a listing, or the whole listing if ``name`` is its own name; None if there is none."""
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
    rows = tuple(plain_row(table, row) | _certificate(row.provenance) for row in table.rows)
    return Listing("table", tuple(column.name for column in table.columns), rows)


def plain_row(table: Table, row: TableRow) -> Row:
    """Return the values of a row for JSON: numbers, yes and no as they are, other values as text."""
    plain = {
        column.name: row[column.name] is None or (isinstance(row[column.name], int) and column.type not in _SPELLED)
        for column in table.columns
    }
    return {name: row[name] if as_it_is else spell(table, row, name) for name, as_it_is in plain.items()}


def _certificate(provenance: Provenance | None) -> Row:
    """Return the columns of a provenance; they are empty if there is none."""
    shown = {"cite": "cite_text", "status": "status", "raw": "raw", "note": "note"}
    return {key: getattr(provenance, attribute, "") for key, attribute in shown.items()}


def _listed(what: str, columns: tuple[str, ...], entries: Iterable[tuple[Any, ...]]) -> Listing:
    """Return a listing of entries: the values of the columns, then the provenance."""
    rows = (dict(zip(columns, entry[:-1], strict=True)) | _certificate(entry[-1]) for entry in entries)
    return Listing(what, columns, tuple(rows))


_PART = ("part", "id", "says", "rule")
"""The columns for the entries of a kind or a procedure."""


def _kind(kind: Kind) -> Iterator[tuple[Any, ...]]:
    """Yield the entries of a kind."""
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
    """Yield the entries of a procedure."""
    yield "procedure", procedure.id, procedure.says or procedure.title, "", procedure.provenance
    for number, step in enumerate(procedure.steps, start=1):
        yield "step", step.id or str(number), step.says.replace("*", ""), _only(step.when).strip(", "), step.provenance
    for item in procedure.inputs:
        yield "input", item.name, item.label, item.choice.spell() + _only(item.when), None
    for outcome in procedure.outcomes:
        yield "outcome", outcome.id, outcome.label, _only(outcome.when).strip(", "), None


def _rule(formulas: Iterable[tuple[str, Formula | None]]) -> str:
    """Return named formulas as one line of text."""
    return "; ".join(f"{name} {formula.text}".strip() for name, formula in formulas if formula is not None)


def _only(when: Formula | None) -> str:
    """Return a condition as text behind a comma, or an empty text."""
    return f", when {when.text}" if when else ""


def _options(ruleset: RuleSet) -> Listing:
    options = ruleset.options.values()
    rows = ((item.name, item.label, item.choice.spell(), item.value, item.says, item.provenance) for item in options)
    return _listed("options", ("option", "label", "allowed", "set", "says"), rows)


def _errata(ruleset: RuleSet) -> Listing:
    rows = ((item.id, item.title, item.printed, item.holds, item.working, item.provenance) for item in ruleset.errata)
    return _listed("errata", ("erratum", "example", "printed", "holds", "working"), rows)
