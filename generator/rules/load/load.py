"""Load a rule set: read its files and those of its parents, apply layers, and compile everything."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generator.rules.check.references import References, check_cells
from generator.rules.entries.namespace import Namespace
from generator.rules.entries.tables import read_table
from generator.rules.formulas.scope import identifier
from generator.rules.load.chain import (
    LEANS_ON,
    OF_ALL_KINDS,
    Work,
    ancestors,
    as_tables,
    manifest_of,
    models_of,
    read_chain,
    read_file,
    resolver,
    words_in,
)
from generator.rules.load.replaced import read_replacements, without_replaced
from generator.rules.model.base import several
from generator.rules.ruleset import RuleSet, Sheet
from generator.rules.source.library import CATEGORIES, CHANGES, ERRATA, SCENARIO, Folder, Library
from generator.rules.source.model_errors import show
from generator.rules.source.parts import Part
from generator.rules.source.validation import validate
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from generator.problems import Problem
    from generator.rules.cards.card import Card
    from generator.rules.entries.choices import Option
    from generator.rules.entries.errata import Erratum
    from generator.rules.entries.kinds import Kind
    from generator.rules.entries.tables import Table
    from generator.rules.model.change import ChangeModel, PartKey
    from generator.rules.model.table import TableModel
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.source.parts import Layer, Place

ALL, OF_KINDS, HANDOUTS = "*", "of", "handout"
"""Words that replace an id: every part of a category; for sheets also the sheets of a kind, or of packs."""


def load(
    library: Library, ruleset: str, problems: list[Problem], only: Iterable[PartKey] | None = None
) -> RuleSet | None:
    """Load the rule set of this id, with its parents and their layers; ``a+b`` combines sibling layers.

    ``only`` names the needed parts, as (category, id), or (category, ``ALL``). Only these and the parts that they use
    are read. Tables of the folder ``scenario`` are read if they are named, as (``SCENARIO``, id) or
    (``SCENARIO``, ``ALL``). Problems are appended; the result is None if the rule set cannot be loaded at all.
    """
    wanted = None if only is None else tuple(only)
    for_scenario = any(category == SCENARIO for category, _ in wanted or ())
    work = Work(library, problems)
    chain = read_chain(work, ruleset)
    if chain is None:
        return None
    manifest = manifest_of(work, ruleset, chain)
    sources = {key: source for folder in chain for key, source in work.manifests[folder.ruleset].sources.items()}
    for folder in chain:
        work.resolvers[folder.ruleset] = resolver(work, folder)
        work.known |= {(category, part_id) for category in CATEGORIES for part_id in folder.ids(category)}
        if for_scenario:
            work.scenario[folder.ruleset] = frozenset(("tables", text) for text in folder.scenario_ids())
            work.known |= work.scenario[folder.ruleset]
    if wanted is None or any("procedures" in LEANS_ON.get(category, ()) for category, _ in wanted):
        read_replacements(work, chain)
    layers = _layers(work, chain, for_scenario=for_scenario)
    if layers is None:
        return None
    rules = RuleSet(
        ruleset, manifest, chain, work.manifests, sources, {}, {}, {}, {}, {}, layers, {}, (), frozenset(),
        frozenset(ruleset.split("+")), replaced=work.replaced,
    )  # fmt: skip
    tried = _read_parts(work, chain, layers, wanted if wanted is None else tuple(as_tables(work, wanted, ALL)))
    work.invalid |= {key for key in tried - work.parts.keys() if key[0] != "sheets"}
    if layers:
        from generator.rules.load.changes import apply_layers

        of_scenarios = {("tables", text) for folder in chain for text in folder.scenario_ids()}
        refused = apply_layers(layers, work.parts, work.known, of_scenarios)
        work.invalid |= refused.doubtful
        for key, complaints in refused.complaints.items():
            problems.extend(_own_problems(work, key, rules) or complaints)
    if library.settings.answers:
        from generator.rules.load.changes import apply_answers

        answers = library.settings.answers_for({folder.ruleset for folder in chain})
        apply_answers(answers, work.parts, work.known, problems)
    references = References(rules, problems, work.invalid)
    rules = references.rules = rules._replace(tables=_tables(work, references))
    namespace = Namespace(rules.tables)
    namespace.reported = references.missing_tables
    columns = [column for table in rules.tables.values() for column in table.columns]
    namespace.used |= {identifier(listed) for column in columns for listed in column.listed}
    rules = references.rules = rules._replace(options=_options(work, chain, namespace, references))
    rules = references.rules = rules._replace(kinds=_kinds(work, namespace, references))
    rules = references.rules = rules._replace(procedures=_procedures(work, namespace, references))
    rules = rules._replace(sheets=_sheets(work, rules.procedures), cards=_cards(work, namespace, references))
    listed = wanted is None or any(sheet.model.lists_everything for sheet in rules.sheets.values())
    errata = _errata(work, chain, ruleset.split("+"), namespace) if listed and not work.invalid else ()
    used, later = frozenset(namespace.used), tuple(references.later)
    return rules._replace(errata=errata, used=used, references=later, scope=namespace.scope)


def _layers(work: Work, chain: tuple[Folder, ...], *, for_scenario: bool) -> tuple[Layer, ...] | None:
    """Return the changes of all layers; None if a file of changes cannot be read."""
    ways = ((CHANGES,), (SCENARIO, CHANGES)) if for_scenario else ((CHANGES,),)
    files = {folder: [way for way in ways if folder.path.joinpath(*way).is_file()] for folder in chain}
    if not any(files.values()):
        return ()
    from generator.rules.load.changes import check_citation
    from generator.rules.model.change import ChangesModel, addressed
    from generator.rules.source.parts import Layer

    found = []
    for folder, there in files.items():
        changes: list[tuple[ChangeModel, Place]] = []
        for way in there:
            part = read_file(work, folder, *way)
            if part is None:
                return None
            model = validate(ChangesModel, part.value, part.place, work.problems)
            if model is None:
                work.invalid |= addressed(part.value)
            else:
                changes += [(change, part.place(("changes", i))) for i, change in enumerate(model.changes)]
        for change, place in changes:
            check_citation(change, place, work.problems)
            for index, name in enumerate(change.over):
                if work.library.find(name) is None:
                    at, hint = place / "over" / index, work.library.hint(name)
                    work.problems.append(at.problem("R301", found=name, expected="a rule set", hint=hint))
        if changes:
            found.append(Layer(folder.ruleset, tuple(changes), frozenset(ancestors(work, folder.ruleset))))
    return tuple(found)


def _read_parts(
    work: Work, chain: tuple[Folder, ...], layers: tuple[Layer, ...], only: tuple[PartKey, ...] | None
) -> set[PartKey]:
    """Read all parts, or the parts of ``only`` and the parts that they use; return the keys of the parts tried."""
    by_name = {(category, identifier(part_id)): (category, part_id) for category, part_id in work.known}
    heads = [work.manifests[folder.ruleset] for folder in chain]
    listed = {table for head in heads for option in head.options.values() for table in several(option.from_)}
    wanted = sorted(work.known) if only is None else (*only, *(("tables", table_id) for table_id in sorted(listed)))
    asked = frozenset(wanted)
    waiting = [key for key in wanted if key in work.known]
    waiting += [key for key in sorted(work.known) if asked & {(key[0], item) for item in (ALL, OF_KINDS, HANDOUTS)}]
    seen: set[PartKey] = set()
    while waiting:
        key = waiting.pop(0)
        key = ("procedures", work.replaced.get(key[1], key[1])) if key[0] == "procedures" else key
        if key in seen:
            continue
        seen.add(key)
        owner = work.replaced_by.get(key)
        for folder in chain:
            if key[1] in folder.ids(key[0]) and (
                owner is None or owner in {folder.ruleset, *ancestors(work, folder.ruleset)}
            ):
                _read_part(work, folder, key[0], *key)
            if key in work.scenario.get(folder.ruleset, ()):
                _read_part(work, folder, SCENARIO, *key)
        marks = {item for item in (OF_KINDS, HANDOUTS) if (key[0], item) in asked}
        if marks and marks.isdisjoint(getattr(work.parts.get(key), "value", ())):
            work.parts.pop(key, None)
        elif only is not None:
            leans_on = LEANS_ON[key[0]]
            words = {identifier(word) for word in _words_of(work, layers, key)}
            waiting += [by_name[where, word] for where in leans_on for word in words if (where, word) in by_name]
            if key in OF_ALL_KINDS:
                waiting += [other for other in sorted(work.known) if other[0] == "kinds"]
    return seen


def _words_of(work: Work, layers: tuple[Layer, ...], key: PartKey) -> set[str]:
    """Return every word in a part and in the changes of layers to it. All names of tables are among them."""
    words = words_in(work.parts[key].value) if key in work.parts else set()
    for layer in layers:
        for change, _ in layer.changes:
            if change.part == key:
                words |= words_in(change.to) | words_in(change.with_)
    return words


def _read_part(work: Work, folder: Folder, home: str, category: str, part_id: str) -> None:
    """Read one file of the folder ``home``. Adds R303 if its id is not its file name, R304 if a parent has that id."""
    part = read_file(work, folder, home, f"{part_id}.yaml")
    if part is None:
        return
    key = CATEGORIES[category]
    if part.value.get(key) != part_id:
        found, expected = f"{key}: {show(part.value.get(key))}", f"{key}: {part_id}"
        hint = f"the file is named after its {key}"
        work.problems.append(part.place((key,)).problem("R303", found=found, expected=expected, hint=hint))
        return
    if category == "sheets":
        _shelve_sheet(work, folder, part_id, part)
        return
    existing = work.parts.get((category, part_id))
    if existing is not None:
        found = f"{key} {part_id}, which {existing.owner} has"
        hint = f"add replaces: [{part_id}]" if category == "procedures" else f"use {CHANGES}, or another id"
        work.problems.append(part.place((key,)).problem("R304", found=found, expected="a new id", hint=hint))
        return
    work.parts[(category, part_id)] = part


def _shelve_sheet(work: Work, folder: Folder, part_id: str, part: Part) -> None:
    """Store a sheet. It replaces sheets of its name from its parents; a sheet of a sibling layer is kept as well."""
    below, plain = ancestors(work, folder.ruleset), ("sheets", part_id)
    same = [key for key in work.parts if key[0] == "sheets" and key[1].rpartition("/")[2] == part_id]
    lower = [key for key in same if work.parts[key].owner in below]
    for key in lower[1:]:
        del work.parts[key]
    beside = ("sheets", f"{folder.ruleset}/{part_id}") if same else plain
    work.parts[lower[0] if lower else beside] = part


def _own_problems(work: Work, key: PartKey | None, rules: RuleSet) -> list[Problem]:
    """Return the problems of a table without the changes of layers; they may be why a change was refused."""
    found: list[Problem] = []
    if key is not None and key[0] == "tables" and key in work.parts:
        part = Part(work.parts[key].owner, work.parts[key].document)
        _read_table(work, part, References(rules, found, work.known))
    return found


def _read_table(work: Work, part: Part, references: References) -> tuple[Table, TableModel] | None:
    """Return a table and its model; None if it has a problem."""
    from generator.rules.model.table import TableModel

    problems = references.problems
    before = len(problems)
    model = validate(TableModel, part.value, part.place, problems)
    if model is None or not references.check(model, part.place()):
        return None
    table = read_table(part, model, work.resolvers, problems)
    return (table, model) if len(problems) == before else None


def _has(work: Work, category: str) -> bool:
    """Return whether any part of this category was read; if not, its models are not imported."""
    return any(where == category for where, _ in work.parts)


def _tables(work: Work, references: References) -> dict[str, Table]:
    """Read the tables; those with problems are invalid."""
    every: dict[str, Any] = {part_id: None for category, part_id in work.known if category == "tables"}
    references.rules = references.rules._replace(tables=every)
    parts = {part_id: part for (category, part_id), part in work.parts.items() if category == "tables"}
    read = {
        part_id: found
        for part_id, part in parts.items()
        if ("tables", part_id) not in work.invalid and (found := _read_table(work, part, references))
    }
    tables = {part_id: table for part_id, (table, _) in read.items()}
    valid = [table for table in tables if check_cells(tables[table], read[table][1], tables, work.problems)]
    work.invalid |= {("tables", part_id) for part_id in parts.keys() - valid}
    return {part_id: tables[part_id] for part_id in valid}


def _options(work: Work, chain: tuple[Folder, ...], namespace: Namespace, references: References) -> dict[str, Option]:
    """Return the options of the rule set and its parents, as the player sets them.

    Adds R304 if two rule sets have an option of the same name.
    """
    options: dict[str, Option] = {}
    if any(work.manifests[folder.ruleset].options for folder in chain):
        from generator.rules.entries.options import read_options

        for folder in chain:
            name = folder.ruleset
            part = work.heads[name]
            own = read_options(work.manifests[name], part, namespace, work.resolvers[name], references)
            for twice in options.keys() & own.keys():
                found = f"the option {twice}, which {options[twice].owner} has"
                at = part.place(("options", twice))
                work.problems.append(at.problem("R304", found=found, expected="a new name", at_key=True))
            options |= own
    unread = {name for folder in chain for name in work.manifests[folder.ruleset].options} - options.keys()
    work.invalid |= {("options", name) for name in unread}
    settings = work.library.settings.options_for({folder.ruleset for folder in chain})
    if settings:
        from generator.rules.entries.options import set_options

        set_options(options, [setting for setting in settings if setting.name not in unread], work.problems)
    namespace.name_options(options)
    return options


def _errata(work: Work, chain: tuple[Folder, ...], asked: Collection[str], namespace: Namespace) -> tuple[Erratum, ...]:
    """Return the errata of all rule sets of the chain."""
    found: tuple[Erratum, ...] = ()
    for folder in chain:
        part = read_file(work, folder, ERRATA) if (folder.path / ERRATA).is_file() else None
        if part is None:
            continue
        from generator.rules.entries.errata import read_errata
        from generator.rules.model.errata import ErrataModel

        model = validate(ErrataModel, part.value, part.place, work.problems)
        if model is not None:
            changed = folder.ruleset not in asked
            found += read_errata(part, model, namespace, work.resolvers[folder.ruleset], work.problems, changed=changed)
    return found


def _procedures(work: Work, namespace: Namespace, references: References) -> dict[str, Procedure]:
    """Compile the procedures; those with problems are invalid."""
    if not _has(work, "procedures"):
        return {}
    from generator.rules.model.procedure import ProcedureModel
    from generator.rules.procedures.answers import figure_of, outcomes_of
    from generator.rules.procedures.procedure import read_procedure
    from generator.rules.procedures.rolls import Asked

    found: dict[str, Procedure] = {}
    models = models_of(work, "procedures", ProcedureModel)
    read: dict[str, Any] = {part_id: model for part_id, (_, model) in models.items()}
    references.rules = references.rules._replace(procedures=read)
    new = work.replaced
    asked = Asked(
        lambda wanted: tuple(outcome.outcome for outcome in models[new.get(wanted, wanted)][1].outcomes),
        lambda wanted, given: outcomes_of(found, new.get(wanted, wanted), given),
        lambda wanted, given, figure: figure_of(found, new.get(wanted, wanted), given, figure),
    )
    for part_id, (part, model) in models.items():
        procedure = read_procedure(part, model, namespace, work.resolvers, asked, references)
        if procedure is None:
            work.invalid.add(("procedures", part_id))
        else:
            found[part_id] = replace(procedure, asks=frozenset(new.get(ask, ask) for ask in procedure.asks))
    return found


def _sheets(work: Work, procedures: Mapping[str, Procedure]) -> dict[str, Sheet]:
    """Return the sheets by id, play sheets first; sheets of one id from several layers have their layer in front."""
    kinds = work.library.blocks() if _has(work, "sheets") else ()
    if not kinds:
        return {}
    from generator.rules.model.sheet import sheet_model

    models = models_of(work, "sheets", sheet_model(kinds))
    found = [
        without_replaced(work, Sheet(model, part.owner, part.place()), procedures) for part, model in models.values()
    ]
    found.sort(key=lambda item: not item.model.plays)
    named = Counter(item.model.sheet for item in found)
    several = {name for name, count in named.items() if count > 1}
    return {
        f"{item.owner}/{item.model.sheet}" if item.model.sheet in several else item.model.sheet: item for item in found
    }


def _lineages(work: Work, category: str, sources: Mapping[str, Any]) -> list[tuple[str, tuple[str, ...] | None]]:
    """Return what each kind or card is based on, bases first."""
    known = {part_id for listed, part_id in work.known if listed == category}
    found = {name: lineage(sources, name, known, CATEGORIES[category], work.problems) for name in sources}
    return sorted(found.items(), key=lambda item: len(item[1] or ()))


def _kinds(work: Work, namespace: Namespace, references: References) -> dict[str, Kind]:
    """Compile the kinds, bases first; those with problems are invalid."""
    if not _has(work, "kinds"):
        return {}
    from generator.rules.entries.kinds import ADDED_UP, FORCE, UNIT, KindSource, read_kind
    from generator.rules.model.kind import KindModel

    sources = {name: KindSource(model, part) for name, (part, model) in models_of(work, "kinds", KindModel).items()}
    lineages = _lineages(work, "kinds", sources)
    kinds: dict[str, Kind] = {}
    added = tuple(dict.fromkeys((*ADDED_UP, *(name for source in sources.values() for name in source.model.tallies))))
    for kind_id, bases in lineages:
        below = tuple(sources[base] for base in bases or ())
        if bases is not None and all(base in kinds for base in bases):
            names = added if kind_id in (UNIT, FORCE) else ()
            kind = read_kind(sources[kind_id], below, namespace, work.resolvers, references, names)
            if kind is not None:
                kinds[kind_id] = kind
    work.invalid |= {("kinds", kind_id) for kind_id in sources.keys() - kinds.keys()}
    return {kind_id: kinds[kind_id] for kind_id in sources if kind_id in kinds}


def _cards(work: Work, namespace: Namespace, references: References) -> dict[str, Card]:
    """Compile the cards, bases first; cards with problems, or based on such a card, are left out."""
    if not _has(work, "cards"):
        return {}
    from generator.rules.cards.card import CardSource, read_card
    from generator.rules.model.card import CardModel

    sources = {name: CardSource(model, part) for name, (part, model) in models_of(work, "cards", CardModel).items()}
    lineages = _lineages(work, "cards", sources)
    kinds, procedure = references.rules.kinds, references.rules.procedure
    found: dict[str, Card] = {}
    for kind_id, bases in lineages:
        source, below = sources[kind_id], tuple(sources[base] for base in bases or ())
        if kind_id in kinds and bases is not None:
            if all(base in found or base not in kinds for base in bases):  # problems of a base are reported once
                card = read_card(source, below, kinds[kind_id], references, procedure, namespace, work.resolvers)
                found |= {kind_id: card} if card is not None else {}
        elif ("kinds", kind_id) not in work.known:
            references.check_name("kind", kind_id, source.part.place(("card",)))
    return {card_id: found[card_id] for card_id in sources if card_id in found}


def lineage(
    sources: Mapping[str, Any], own: str, known: Collection[str], what: str, problems: list[Problem]
) -> tuple[str, ...] | None:
    """Return the ids that ``own`` is based on, the most basic first; None if they cannot be found.

    ``sources`` have a ``model`` with ``based_on`` and the ``part`` it was read from. ``known`` are all ids, with those
    that could not be read. Adds R229 for an unknown id or a circle, once: not for ids further up the same line.
    """
    way = [own]
    while (base := sources[way[-1]].model.based_on) is not None:
        if base in way and own != min(way[way.index(base) :]):
            return None
        if base in way or base not in sources:
            if base in way or (len(way) == 1 and base not in known):
                found = " > ".join((*way, base)) if base in way else base
                hint = suggest(base, sources, f"{what}s here: {', '.join(sorted(sources))}")
                hint = f"a {what} cannot stand on itself" if base in way else hint
                at = sources[own].part.place(("based_on",))
                problems.append(at.problem("R229", found=found, expected=f"another {what}", hint=hint))
            return None
        way.append(base)
    return tuple(reversed(way[1:]))
