"""Load a rule set: read its files and those of its parents, apply layers, and compile everything."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generator.rules.cards.card import Card, read_card
from generator.rules.check.references import References, check_cells, words_of
from generator.rules.entries.errata import read_errata
from generator.rules.entries.kinds import ADDED_UP, FORCE, UNIT, Kind, read_kind
from generator.rules.entries.namespace import Namespace
from generator.rules.entries.options import read_options, set_options
from generator.rules.entries.tables import Table, read_table
from generator.rules.formulas.scope import identifier
from generator.rules.load.chain import (
    LEANS_ON,
    OF_ALL_KINDS,
    LoadState,
    add_missions,
    ancestors,
    as_tables,
    is_named,
    manifest_of,
    models_of,
    read_chain,
    read_file,
    read_replacements,
    resolver,
    with_bases,
    words_in,
)
from generator.rules.load.changes import apply_answers, apply_layers, check_citation
from generator.rules.model.base import Ref, several
from generator.rules.model.block import Block
from generator.rules.model.card import CardModel
from generator.rules.model.change import ChangeModel, ChangesModel, PartKey, addressed
from generator.rules.model.kind import KindModel
from generator.rules.model.mission import ErrataModel
from generator.rules.model.procedure import ProcedureModel
from generator.rules.model.sheet import sheet_model
from generator.rules.model.table import TableModel
from generator.rules.procedures.answers import reply_of
from generator.rules.procedures.procedure import Procedure, read_procedure
from generator.rules.procedures.rolls import Callbacks
from generator.rules.ruleset import Reference, RuleSet, Sheet
from generator.rules.source.library import CATEGORIES, CHANGES, ERRATA, SCENARIO, Folder, Library
from generator.rules.source.parts import Layer, Part, Place
from generator.rules.source.validation import validate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from generator.problems import Problem
    from generator.rules.entries.choices import Option
    from generator.rules.entries.compiled import Compiled
    from generator.rules.model.sheet import SectionModel

ALL = "*"
"""The word that replaces an id: every part of a category."""


def load(
    library: Library, ruleset: str, problems: list[Problem], only: Iterable[PartKey] | None = None
) -> RuleSet | None:
    """Load the rule set of this id, with its parents and their layers; ``a+b`` combines sibling layers.

    ``only`` names the needed parts, as (category, id), or (category, ``ALL``). Only these and the parts that they use
    are read. Tables of the folder ``scenario`` are read if they are named, as (``SCENARIO``, id) or
    (``SCENARIO``, ``ALL``). Problems are appended; the result is None if the rule set cannot be loaded at all.
    """
    keys = None if only is None else tuple(only)
    for_scenario = any(category == SCENARIO for category, _ in keys or ())
    state = LoadState(library, problems)
    chain = read_chain(state, ruleset)
    if chain is None:
        return None
    manifest = manifest_of(state, ruleset, chain)
    sources = {key: source for folder in chain for key, source in state.manifests[folder.ruleset].sources.items()}
    for folder in chain:
        state.resolvers[folder.ruleset] = resolver(state, folder)
        for where in CATEGORIES:
            for part_id in folder.ids(where):
                state.known.setdefault((where, part_id), []).append((folder, where))
        for part_id in folder.scenario_ids() if for_scenario else ():
            state.known.setdefault(("tables", part_id), []).append((folder, SCENARIO))
    if keys is None or any("procedures" in LEANS_ON.get(category, ()) for category, _ in keys):
        read_replacements(state, chain)
    layers = _layers(state, chain, for_scenario=for_scenario)
    if layers is None:
        return None
    own = frozenset(ruleset.split("+"))
    rules = RuleSet(ruleset, manifest, chain, state.manifests, sources, layers=layers, own=own, replaced=state.replaced)
    read_keys = _read_parts(state, chain, layers, keys if keys is None else tuple(as_tables(state, keys, ALL)))
    state.invalid |= {key for key in read_keys - state.parts.keys() if key[0] != "sheets"}
    if for_scenario:
        for folder in chain:
            add_missions(state, folder)
    of_scenarios = {("tables", text) for folder in chain for text in folder.scenario_ids()}
    refused = apply_layers(layers, state.parts, state.known, of_scenarios)
    state.invalid |= refused.unchecked
    for key, refusals in refused.problems.items():
        problems.extend(_own_problems(state, key, rules) or refusals)
    answers = library.settings.answers_for({folder.ruleset for folder in chain})
    apply_answers(answers, state.parts, state.known, problems)
    references = References(rules, problems, state.invalid)
    rules = references.rules = rules._replace(tables=_tables(state, references))
    namespace = Namespace(rules.tables)
    namespace.reported = references.missing_tables
    columns = [column for table in rules.tables.values() for column in table.columns]
    namespace.used |= {identifier(listed) for column in columns for listed in column.listed}
    rules = references.rules = rules._replace(options=_options(state, chain, namespace, references))
    rules = references.rules = rules._replace(kinds=_kinds(state, namespace, references))
    rules = references.rules = rules._replace(procedures=_procedures(state, namespace, references))
    rules = rules._replace(sheets=_sheets(state, rules.procedures), cards=_cards(state, namespace, references))
    listed = keys is None or any(sheet.model.lists_everything for sheet in rules.sheets.values())
    errata = _errata(state, chain, ruleset.split("+"), namespace) if listed and not state.invalid else ()
    used, later = frozenset(namespace.used), tuple(references.later)
    return rules._replace(errata=errata, used=used, references=later, scope=namespace.scope)


def _layers(state: LoadState, chain: tuple[Folder, ...], *, for_scenario: bool) -> tuple[Layer, ...] | None:
    """Return the changes of all layers; None if a file of changes cannot be read."""
    paths = ((CHANGES,), (SCENARIO, CHANGES)) if for_scenario else ((CHANGES,),)
    files = {folder: [path for path in paths if folder.path.joinpath(*path).is_file()] for folder in chain}
    layers = []
    for folder, there in files.items():
        changes: list[tuple[ChangeModel, Place]] = []
        for path in there:
            part = read_file(state, folder, *path)
            if part is None:
                return None
            model = validate(ChangesModel, part.value, part.place, state.problems)
            if model is None:
                state.invalid |= addressed(part.value)
            else:
                changes += [(change, part.place(("changes", i))) for i, change in enumerate(model.changes)]
        for change, place in changes:
            check_citation(change, place, state.problems)
        if changes:
            layers.append(Layer(folder.ruleset, tuple(changes), frozenset(ancestors(state, folder.ruleset))))
    return tuple(layers)


def _read_parts(
    state: LoadState, chain: tuple[Folder, ...], layers: tuple[Layer, ...], only: tuple[PartKey, ...] | None
) -> set[PartKey]:
    """Read all parts, or the parts of ``only`` and the parts that they use; return the keys of the parts tried."""
    by_name = {(category, identifier(part_id)): (category, part_id) for category, part_id in state.known}
    heads = [state.manifests[folder.ruleset] for folder in chain]
    listed = {table for head in heads for option in head.options.values() for table in several(option.from_)}
    named = sorted(state.known) if only is None else (*only, *(("tables", table_id) for table_id in sorted(listed)))
    waiting = [key for key in named if key in state.known]
    waiting += [key for key in sorted(state.known) if (key[0], ALL) in named]
    seen: set[PartKey] = set()
    while waiting:
        key = waiting.pop(0)
        key = ("procedures", state.replaced.get(key[1], key[1])) if key[0] == "procedures" else key
        if key in seen:
            continue
        seen.add(key)
        owner = state.replaced_by.get(key)
        for folder, home in state.known.get(key, ()):
            if owner is None or owner in {folder.ruleset, *ancestors(state, folder.ruleset)}:
                _read_part(state, folder, home, *key)
        if only is not None:
            leans_on = LEANS_ON[key[0]]
            words = {identifier(word) for word in _words_of(state, layers, key)}
            waiting += [by_name[where, word] for where in leans_on for word in words if (where, word) in by_name]
            if key in OF_ALL_KINDS:
                waiting += [other for other in sorted(state.known) if other[0] == "kinds"]
    return seen


def _words_of(state: LoadState, layers: tuple[Layer, ...], key: PartKey) -> set[str]:
    """Return every word in a part and in the changes of layers to it. All names of tables are among them."""
    words = words_in(state.parts[key].value) if key in state.parts else set()
    for layer in layers:
        for change, _ in layer.changes:
            if change.part == key:
                words |= words_in(change.to) | words_in(change.with_)
    return words


def _read_part(state: LoadState, folder: Folder, home: str, category: str, part_id: str) -> None:
    """Read one file of the folder ``home``. Adds R303 if its id is not its file name, R304 if a parent has that id."""
    part = read_file(state, folder, home, f"{part_id}.yaml")
    if part is None:
        return
    key = CATEGORIES[category]
    if not is_named(state, part, key, part_id):
        return
    if category == "sheets":
        _store_sheet(state, folder, part_id, part)
        return
    existing = state.parts.get((category, part_id))
    if existing is not None:
        found = f"{key} {part_id}, which {existing.owner} has"
        hint = f"add replaces: [{part_id}]" if category == "procedures" else f"use {CHANGES}, or another id"
        state.problems.append(part.place((key,)).problem("R304", "a new id", found, hint))
        return
    state.parts[(category, part_id)] = part


def _store_sheet(state: LoadState, folder: Folder, part_id: str, part: Part) -> None:
    """Store a sheet. It replaces sheets of its name from its parents; a sheet of a sibling layer is kept as well."""
    below, plain = ancestors(state, folder.ruleset), ("sheets", part_id)
    same = [key for key in state.parts if key[0] == "sheets" and key[1].rpartition("/")[2] == part_id]
    lower = [key for key in same if state.parts[key].owner in below]
    for key in lower[1:]:
        del state.parts[key]
    beside = ("sheets", f"{folder.ruleset}/{part_id}") if same else plain
    state.parts[lower[0] if lower else beside] = part


def _own_problems(state: LoadState, key: PartKey | None, rules: RuleSet) -> list[Problem]:
    """Return the problems of a table without the changes of layers; they may be why a change was refused."""
    problems: list[Problem] = []
    if key is not None and key[0] == "tables" and key in state.parts:
        part = Part(state.parts[key].owner, state.parts[key].document)
        _read_table(state, part, References(rules, problems, state.known))
    return problems


def _read_table(state: LoadState, part: Part, references: References) -> tuple[Table, TableModel] | None:
    """Return a table and its model; None if it has a problem."""
    problems = references.problems
    before = len(problems)
    model = validate(TableModel, part.value, part.place, problems)
    if model is None or not references.check(model, part.place()):
        return None
    table = read_table(part, model, state.resolvers, problems)
    fielded = Ref("fielded")
    for row in table.rows:
        places = (row.place / "concerns" / index for index in range(len(row.concerns)))
        references.look_up(Reference(fielded, *item, ()) for item in zip(row.concerns, places, strict=True))
    return (table, model) if len(problems) == before else None


def _tables(state: LoadState, references: References) -> dict[str, Table]:
    """Read the tables; those with problems are invalid."""
    every: dict[str, Any] = {part_id: None for category, part_id in state.known if category == "tables"}
    references.rules = references.rules._replace(tables=every)
    parts = {part_id: part for (category, part_id), part in state.parts.items() if category == "tables"}
    read = {
        part_id: table_and_model
        for part_id, part in parts.items()
        if ("tables", part_id) not in state.invalid and (table_and_model := _read_table(state, part, references))
    }
    tables = {part_id: table for part_id, (table, _) in read.items()}
    valid = [table for table in tables if check_cells(tables[table], read[table][1], tables, state.problems)]
    state.invalid |= {("tables", part_id) for part_id in parts.keys() - valid}
    return {part_id: tables[part_id] for part_id in valid}


def _options(
    state: LoadState, chain: tuple[Folder, ...], namespace: Namespace, references: References
) -> dict[str, Option]:
    """Return the options of the rule set and its parents, as the player sets them.

    Adds R304 if two rule sets have an option of the same name.
    """
    options: dict[str, Option] = {}
    for folder in chain:
        name = folder.ruleset
        part = state.heads[name]
        own = read_options(state.manifests[name], part, namespace, state.resolvers[name], references)
        for twice in options.keys() & own.keys():
            found = f"the option {twice}, which {options[twice].owner} has"
            state.problems.append(part.place(("options", twice)).problem("R304", "a new name", found, at_key=True))
        options |= own
    unread = {name for folder in chain for name in state.manifests[folder.ruleset].options} - options.keys()
    state.invalid |= {("options", name) for name in unread}
    settings = state.library.settings.options_for({folder.ruleset for folder in chain})
    set_options(options, [setting for setting in settings if setting.name not in unread], state.problems)
    namespace.name_options(options)
    return options


def _errata(
    state: LoadState, chain: tuple[Folder, ...], own: Collection[str], namespace: Namespace
) -> tuple[Compiled, ...]:
    """Return the errata of all rule sets of the chain."""
    errata: tuple[Compiled, ...] = ()
    for folder in chain:
        part = read_file(state, folder, ERRATA) if (folder.path / ERRATA).is_file() else None
        if part is None:
            continue
        model = validate(ErrataModel, part.value, part.place, state.problems)
        if model is not None:
            changed = folder.ruleset not in own
            errata += read_errata(
                part, model, namespace, state.resolvers[folder.ruleset], state.problems, changed=changed
            )
    return errata


def _procedures(state: LoadState, namespace: Namespace, references: References) -> dict[str, Procedure]:
    """Compile the procedures; those with problems are invalid."""
    procedures: dict[str, Procedure] = {}
    models = models_of(state, "procedures", ProcedureModel)
    read: dict[str, Any] = {part_id: model for part_id, (model, _) in models.items()}
    references.rules = references.rules._replace(procedures=read)
    new = state.replaced
    callbacks = Callbacks(
        lambda name: tuple(outcome.outcome for outcome in models[new.get(name, name)].model.outcomes),
        lambda name, inputs, figure: reply_of(procedures, new.get(name, name), inputs, figure),
    )
    for part_id, (model, part) in models.items():
        procedure = read_procedure(part, model, namespace, state.resolvers, callbacks, references)
        if procedure is None:
            state.invalid.add(("procedures", part_id))
        else:
            procedures[part_id] = replace(procedure, asks=frozenset(new.get(ask, ask) for ask in procedure.asks))
    return procedures


def _sheets(state: LoadState, procedures: Mapping[str, Procedure]) -> dict[str, Sheet]:
    """Return the sheets by id, play sheets first; sheets of one id from several layers have their layer in front.

    A sheet that a layer changes is the layer's own.
    """
    kinds = state.library.blocks() if any(where == "sheets" for where, _ in state.parts) else ()
    if not kinds:
        return {}
    models = models_of(state, "sheets", sheet_model(kinds))
    sheets = [
        _without_replaced(state, Sheet(model, part.last_layer(), part.place()), procedures)
        for model, part in models.values()
    ]
    sheets.sort(key=lambda item: not item.model.plays)
    counted = Counter(item.model.sheet for item in sheets)
    several = {name for name, count in counted.items() if count > 1}
    return {
        f"{item.owner}/{item.model.sheet}" if item.model.sheet in several else item.model.sheet: item for item in sheets
    }


def _without_replaced(state: LoadState, sheet: Sheet, procedures: Mapping[str, Procedure]) -> Sheet:
    """Return the sheet without blocks about replaced procedures, and without sections that this leaves empty.

    A block stays if the new procedure has the same id and the inputs and outcomes that the block names. Removed blocks
    are hidden, so that the other blocks keep their places in the file. A sheet of the replacing layer, or of a layer
    based on it, is not changed: there such a block is a mistake (R231).
    """
    reach = ancestors(state, sheet.owner) | {sheet.owner}
    replaced = {old for (_, old), owner in state.replaced_by.items() if owner not in reach}
    hidden = Block(when="no")

    def is_gone(block: Block) -> bool:
        mentioned = words_of(block, "procedure with dice", "procedure with steps") & replaced
        needed = words_of(block, "input"), words_of(block, "outcome")
        return any(word not in procedures or not procedures[word].fits(*needed) for word in mentioned)

    def with_hidden(section: SectionModel) -> SectionModel:
        blocks = tuple(hidden if is_gone(block) else block for block in section.blocks)
        bare = hidden in blocks and all(block is hidden or block.explains for block in blocks)
        return section.model_copy(update={"blocks": blocks, "when": "no" if bare else section.when})

    rows = [
        row.model_copy(update={"columns": tuple(tuple(map(with_hidden, column)) for column in row.columns)})
        for row in sheet.model.rows
    ]
    return sheet._replace(model=sheet.model.model_copy(update={"rows": tuple(rows)})) if replaced else sheet


def _kinds(state: LoadState, namespace: Namespace, references: References) -> dict[str, Kind]:
    """Compile the kinds, bases first; those with problems are invalid."""
    sources = models_of(state, "kinds", KindModel)
    kinds: dict[str, Kind] = {}
    added = tuple(dict.fromkeys((*ADDED_UP, *(name for source in sources.values() for name in source.model.tallies))))
    for kind_id, source in with_bases(state, "kinds", sources).items():
        if source.model.based_on is None or source.model.based_on in kinds:
            names = added if kind_id in (UNIT, FORCE) else ()
            kind = read_kind(source, namespace, state.resolvers, references, names)
            if kind is not None:
                kinds[kind_id] = replace(kind, place=sources[kind_id].part.place())
    state.invalid |= {("kinds", kind_id) for kind_id in sources.keys() - kinds.keys()}
    return {kind_id: kinds[kind_id] for kind_id in sources if kind_id in kinds}


def _cards(state: LoadState, namespace: Namespace, references: References) -> dict[str, Card]:
    """Compile the cards, bases first; cards with problems, or based on such a card, are left out."""
    sources = models_of(state, "cards", CardModel)
    kinds, procedure, problems = references.rules.kinds, references.rules.procedure, state.problems
    cards: dict[str, Card] = {}
    for kind_id, source in with_bases(state, "cards", sources).items():
        base, before = source.model.based_on, len(problems)
        if kind_id not in kinds:
            if ("kinds", kind_id) not in state.known:
                references.check_name("kind", kind_id, source.part.place(("card",)))
        elif base is None or base in cards or base not in kinds:  # problems of a base are reported once
            card = read_card(source, kinds[kind_id], references, procedure, namespace, state.resolvers)
            cards |= {kind_id: card} if card is not None else {}
            hint = f"the card {kind_id} inherits this entry and its kind does not: list the entry there under without"
            inherited = sources[base].part.document.name if base else ""
            problems[before:] = [
                item._replace(hint=hint) if item.span.file == inherited else item for item in problems[before:]
            ]
    return {card_id: cards[card_id] for card_id in sources if card_id in cards}
