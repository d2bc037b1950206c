"""Compare rule sets or other entries by address, and tell printed editions apart by fingerprints."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from generator.rules.describe.browse import plain_row, row_value
from generator.rules.entries.tables import CERTIFICATE_KEYS, Table
from generator.rules.model.manifest import ENTRIES
from generator.rules.source.library import BATTLES, MISSIONS, SAMPLES, SCENARIO
from generator.rules.source.parts import CitationResolver, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from generator.rules.ruleset import RuleSet

Verdict: TypeAlias = Literal["added", "changed", "removed"]


class Difference(NamedTuple):
    """A difference between two rule sets."""

    what: str
    """The address of the entry, as layers write it."""
    kind: Verdict
    before: Any
    """The value in the first rule set; None if it has none."""
    after: Any
    """The value in the second rule set; None if it has none."""
    reason: str
    """The reason, if a layer of one of the rule sets gives one."""
    cite: str
    """The citations of both, the first rule set's before the second's."""


class Item(NamedTuple):
    """A row, line, design or other entry to compare: its content in short, its values by name, and its citations."""

    short: Any
    leaves: Mapping[str, Any]
    cite: str = ""


def differences(before: RuleSet, after: RuleSet) -> tuple[Difference, ...]:
    """Return the differences in options, tables, kinds, procedures and errata.

    Entries that only ``after`` has come last. A table, kind or procedure that only one rule set has is one difference;
    its contents are not listed.
    """
    old, new = dict(_everything(before)), dict(_everything(after))
    listed = compare(old, new, (dict(_changes(before)), dict(_changes(after))))
    holders = ((item, _holder(item.what)) for item in listed)
    return tuple(
        item
        for item, holder in holders
        if item.kind == "changed" or holder == item.what or (holder in old) == (holder in new)
    )


def compare(
    old: Mapping[str, Item], new: Mapping[str, Item], changes: tuple[Mapping[str, tuple[str, str]], ...] = ({}, {})
) -> Iterator[Difference]:
    """Yield the differences between two sets of entries by address: each changed value, each entry that only one has.

    ``changes`` has a mapping for each of the two sets: the reason and citation of each layer's change, by its address
    without spaces. The citations of an entry without such a change are its own.
    """
    for address in dict.fromkeys((*old, *new)):
        was, now = old.get(address), new.get(address)
        reasons = [change.get(address.replace(" ", "")) for change in changes]
        if was is None or now is None:
            kind: Verdict = "removed" if now is None else "added"
            yield Difference(address, kind, was and was.short, now and now.short, *_reasons(reasons, was, now))
            continue
        for leaf in dict.fromkeys((*was.leaves, *now.leaves)):
            values = was.leaves.get(leaf), now.leaves.get(leaf)
            if values[0] != values[1]:
                what = f"{address}.{leaf}".removeprefix(".")
                closer = [change.get(what.replace(" ", "")) for change in changes]
                why, cite = _reasons([near or far for near, far in zip(closer, reasons, strict=True)], was, now)
                yield Difference(what, "changed", *values, why, cite)


def related(before: RuleSet, after: RuleSet) -> bool:
    """Return whether the chains of two rule sets share a rule set, or the smaller one shares at least half its ids.

    One may be a layer, a sibling or an edition of the other. Unrelated games share only a few ids. The ids are those of
    tables, kinds, procedures and options.
    """
    chains = ({folder.ruleset for folder in item.chain} for item in (before, after))
    if set.intersection(*chains):
        return True
    numbers = counts(before, after).values()
    only_a, only_b, both = (sum(item[index] for item in numbers) for index in range(3))
    return 2 * both >= min(only_a, only_b) + both


def counts(before: RuleSet, after: RuleSet) -> dict[str, tuple[int, int, int]]:
    """Return three numbers of ids for tables, kinds, procedures and options.

    They count the ids only in ``before``, only in ``after``, and in both.
    """
    categories = ("tables", "kinds", "procedures", "options")
    return {what: shared(set(getattr(before, what)), set(getattr(after, what))) for what in categories}


def shared(old: AbstractSet[str], new: AbstractSet[str]) -> tuple[int, int, int]:
    """Return three numbers: how many names are only in the first set, only in the second, and in both."""
    return len(old - new), len(new - old), len(old & new)


def _holder(address: str) -> str:
    """Return the address of the table, kind or procedure that an entry is part of.

    >>> _holder("tables.guns[pop, 1]"), _holder("kinds.squad.lines.pay"), _holder("options.fog")
    ('tables.guns', 'kinds.squad', 'options.fog')
    """
    category, _, rest = address.partition(".")
    return f"{category}.{rest.partition('[')[0].partition('.')[0]}"


def _reasons(changes: list[tuple[str, str] | None], was: Item | None, now: Item | None) -> tuple[str, str]:
    """Return the reason for a difference, which may be empty, and the citations of both sides as ``first > second``.

    ``changes`` has the reason and citation of a layer's change for each rule set, or None. If a change has a
    citation, it replaces the citation of the entry. Two equal citations are written once. The reason is that of the
    second change. If there is only the first change, the reason says that this change is taken back.
    """
    cites = []
    for change, entry in zip(changes, (was, now), strict=True):
        cites.append(change[1] if change and change[1] else entry.cite if entry else "")
    undone, applied = changes
    reason = applied[0] if applied else f"Taken back: {undone[0]}" if undone else ""
    return reason, " > ".join(dict.fromkeys(cite for cite in cites if cite))


def _changes(ruleset: RuleSet) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the address of each change of a layer, without spaces, with its reason and citation."""
    for layer in ruleset.layers:
        resolver = CitationResolver(ruleset.manifests[layer.ruleset].source, ruleset.sources, [])
        for change, place in layer.changes:
            cite = "; ".join(map(str, resolver.citations(change.cite, place / "cite")))
            yield change.target.replace(" ", ""), (change.reason, cite)


def _everything(ruleset: RuleSet) -> Iterator[tuple[str, Item]]:
    """Yield options, tables, rows, kinds and procedures with their parts, and errata, each with its address."""
    for name, option in ruleset.options.items():
        leaves = {"allowed": option.choice.spell(), "default": option.default}
        yield f"options.{name}", Item(option.label, leaves, option.provenance.cite_text)
    for table in ruleset.tables.values():
        yield from _table(table)
    for what, entries in (("kinds", ruleset.kinds), ("procedures", ruleset.procedures)):
        for entry in entries.values():
            resolver = CitationResolver(ruleset.manifests[entry.owner].source, ruleset.sources, [])
            yield from _written(f"{what}.{entry.id}", entry.place.inside.value, resolver, entry.place)
    for erratum in ruleset.errata:
        leaves = {"printed": erratum.printed, "holds": erratum.holds}
        yield f"errata.{erratum.id}", Item(erratum.title, leaves, erratum.provenance.cite_text)


def _table(table: Table) -> Iterator[tuple[str, Item]]:
    address = f"tables.{table.id}"
    count = f"{table.title}: {len(table.rows)} rows"
    yield address, Item(count, {"title": table.title, "says": table.says}, table.provenance.cite_text)
    for row in table.rows:
        raw = row.place.inside.value["rows"][row.place.path[-1]]
        keys = ", ".join(str(raw.get(name)) for name in table.key)
        leaves = {name: value for name, value in plain_row(table, row).items() if name not in table.key}
        yield f"{address}[{keys}]", Item(row_value(table, row), leaves, row.provenance.cite_text)


_NAMED = ("fields", "inputs", "list", "let", "tallies")
"""Keys of kinds and procedures that hold entries by name."""
_IN_SHORT = ("says", "points", "subtotal", "figure", "die", "capacity", "label")
"""The keys that say in short what an entry is; the first that is there counts."""
_NOT_SPELLED = ("cite", "status", "support")
"""Keys without which data is spelled."""
_ASIDE = {*CERTIFICATE_KEYS, *_NAMED, *ENTRIES, *ENTRIES.values(), "concerns", "replaces", "kind", "procedure"}


def _written(
    address: str, raw: Any, resolver: CitationResolver, place: Place, above: str = ""
) -> Iterator[tuple[str, Item]]:
    """Yield the ``Item`` of a kind, a procedure or a part of it, then the entries of its own parts, with addresses.

    ``raw`` is the data as written. ``resolver`` reads citations, with problems at ``place``. ``above`` is the citation
    of the entry around it, for an entry without a citation.
    """
    value = raw if isinstance(raw, dict) else {"formula": raw}
    leaves = {key: _spell(item) for key, item in value.items() if key not in _ASIDE}
    short = next((leaves[key] for key in _IN_SHORT if key in leaves), _spell(leaves))
    cite = "; ".join(map(str, resolver.citations(value.get("cite"), place))) or above
    yield address, Item(value.get("title", short), leaves, cite)
    for key in _NAMED:
        for name, inner in (value.get(key) or {}).items():
            yield from _written(f"{address}.{key}.{name}", inner, resolver, place, cite)
    for key, id_key in ENTRIES.items():
        for number, item in enumerate(value.get(key) or (), start=1):
            inner = item if isinstance(item, dict) else {"says": item}
            yield from _written(f"{address}.{key}.{inner.get(id_key, number)}", inner, resolver, place, cite)


def _spell(value: Any) -> str:
    """Return rule data, such as cases, as text, without citations, statuses and support.

    >>> _spell([{"always": "hit", "times": 2}, {"rolls": [{"die": 6}]}])
    'always: hit, times: 2; rolls: die: 6'
    """
    if isinstance(value, list):
        joint = "; " if any(isinstance(item, dict) for item in value) else ", "
        return joint.join(map(_spell, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_spell(item)}" for key, item in value.items() if key not in _NOT_SPELLED)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def fingerprint(ruleset: RuleSet, *, scenario: bool = False) -> str:
    """Return eight hexadecimal digits that identify this state of the data, as two groups of four: ``1a2b 3c4d``.

    They are computed from every YAML and CSV file of the rule set and its parents, and from the players' settings.
    Options at their defaults do not count, nor do figures for tables that are not loaded. Files for scenarios and
    missions count only if ``scenario``; samples and finished battles do not count.
    """
    left_out = {BATTLES, SAMPLES, *(() if scenario else (SCENARIO, MISSIONS))}
    return _mark(ruleset, lambda part: part not in left_out, _settings(ruleset))


def fingerprints(ruleset: RuleSet) -> Iterator[str]:
    """Yield the four fingerprints that paper of this data may carry: of sheets, then of packs.

    The fingerprint with the settings of ``ruleset`` comes before the fingerprint without settings.
    """
    for scenario in (False, True):
        yield fingerprint(ruleset, scenario=scenario)
        yield fingerprint(ruleset._replace(options={}, tables={}), scenario=scenario)


def samples_fingerprint(ruleset: RuleSet) -> str:
    """Return a fingerprint of only the sample forces, from which scenarios are drawn. Settings do not count."""
    return _mark(ruleset, lambda part: part == SAMPLES)


def _mark(ruleset: RuleSet, counts: Callable[[str], bool], text: str = "") -> str:
    """Return eight hexadecimal digits, such as ``1a2b 3c4d``: a hash of ``text`` and of YAML and CSV files.

    The files are those of the rule set and its parents. ``counts`` gets the first step of a file's path in its rule
    set's folder, and returns whether the file counts.
    """
    digest = sha256(text.encode())
    for folder in ruleset.chain:
        for file in sorted(folder.path.rglob("*")):
            relative = file.relative_to(folder.path)
            if counts(relative.parts[0]) and file.is_file() and file.suffix in (".yaml", ".csv"):
                digest.update(f"{folder.ruleset}/{relative.as_posix()}\0".encode())
                digest.update(file.read_bytes())
    mark = digest.hexdigest()
    return f"{mark[:4]} {mark[4:8]}"


def _settings(ruleset: RuleSet) -> str:
    """Return a text for a fingerprint: the options that are not at their defaults, and the rows with players' figures.

    Empty if there are neither.
    """
    options = {name: item.value for name, item in ruleset.options.items() if item.value != item.default}
    rows = (row for table in ruleset.tables.values() for row in table.rows if row.provenance.status == "yours")
    answers = [f"yours {row.values}" for row in rows]
    return f"{options}{answers}" if options or answers else ""


def set_words(ruleset: RuleSet) -> str:
    """Return the options that are not at their defaults as part of a file name, such as ``-fog-yes``; may be empty."""
    changed = (option for option in ruleset.options.values() if option.value != option.default)
    words = (f"-{option.name}-{option.choice.names.get(option.value, option.value)}" for option in changed)
    return "".join(words).replace("_", "-").replace(" ", "-").lower()
