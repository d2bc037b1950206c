"""Load a rule set: read its files and those of its parents, apply layers, and compile everything."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.problems import Problem, has_errors, suggest
from generator.rules.cards.card import Card, read_card
from generator.rules.check.references import References, check_cells, words_of
from generator.rules.entries.choices import Option, chosen, read_choice, read_default, set_options
from generator.rules.entries.compiled import Compiled, Compiler, Reading, table_scope
from generator.rules.entries.kinds import ADDED_UP, FORCE, UNIT, Kind, read_kind
from generator.rules.entries.tables import CERTIFICATE_KEYS, Table, read_table
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.working import arithmetic, spell
from generator.rules.load.chain import LoadState, apply_answers, apply_layers, check_citation
from generator.rules.model.base import Block, Ref
from generator.rules.model.kind import CardModel, KindModel
from generator.rules.model.manifest import ChangeModel, ChangesModel, ErrataModel, PartKey
from generator.rules.model.procedure import ProcedureModel
from generator.rules.model.sheet import SectionModel, sheet_model
from generator.rules.model.table import MissionModel, TableModel
from generator.rules.procedures.answers import reply_of
from generator.rules.procedures.procedure import Procedure, read_procedure
from generator.rules.procedures.rolls import Callbacks
from generator.rules.ruleset import Reference, RuleSet, Sheet
from generator.rules.source.library import CATEGORIES, CHANGES, ERRATA, MISSIONS, SCENARIO, Folder, Library
from generator.rules.source.parts import Layer, Part, Place, Provenance, Written
from generator.rules.source.settings import NOTHING_SET
from generator.rules.source.validation import check_ids, show, validate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from generator.rules.formulas.compiler import Formula

ALL = "*"
"""The word that replaces an id: every part of a category."""
_NEEDS: dict[str, tuple[str, ...]] = {name: ("tables", name) for name in ("tables", "procedures", "kinds", SCENARIO)}
_NEEDS |= {name: ("tables", "procedures", "kinds", name) for name in ("sheets", "cards")}
"""For each category of files, the categories that its files may name, with itself."""


def load(
    library: Library, ruleset: str, problems: list[Problem], only: Iterable[PartKey] | None = None
) -> RuleSet | None:
    """Load the rule set of this id and its parents, with the changes of each; ``a+b`` combines sibling layers.

    ``only`` names the needed parts, as (category, id) or (category, ``ALL``): only their categories, and those that
    they may name, are read. None stands for all categories except ``SCENARIO``. Tables and missions for scenarios are
    read only if ``SCENARIO`` is one of the categories.

    Adds all problems. After a stage with errors, loading stops, and the parts of later stages are missing. None if
    ``LoadState.read_chain`` refuses the rule set. Without settings, results are cached until a file changes.
    """
    key = library, ruleset, None if only is None else frozenset(only)
    has_hash = library.settings == NOTHING_SET  # settings may be lists
    loaded = LOADED.pop(key, None) if has_hash else None
    if loaded is None or any(folder.states() != before for folder, before in loaded.states.items()):
        loaded = _load(*key)
    if has_hash:
        LOADED[key] = loaded
    if len(LOADED) > _MOST:
        del LOADED[next(iter(LOADED))]
    problems.extend(loaded.problems)
    return loaded.rules


class _Loaded(NamedTuple):
    """A rule set, or None, with its problems, and with the states of the files of the folders that it depends on."""

    rules: RuleSet | None
    problems: Sequence[Problem]
    states: Mapping[Folder, object]


LOADED: dict[tuple[Library, str, frozenset[PartKey] | None], _Loaded] = {}
"""The rule sets that were loaded last, by library, id and needed parts. They are loaded again after a change."""
_MOST = 16


def _load(library: Library, ruleset: str, only: Collection[PartKey] | None) -> _Loaded:
    state, rules = LoadState(library, []), None
    categories = {*CATEGORIES} if only is None else {need for category, _ in only for need in _NEEDS[category]}
    for stage in _stages(state, ruleset, categories):
        rules = stage
        if has_errors(state.problems):  # later stages would report only consequences
            break
    return _Loaded(rules, state.problems, state.states)


def _stages(state: LoadState, ruleset: str, categories: Collection[str]) -> Iterator[RuleSet]:
    """Yield the rule set after each stage of loading; nothing if its chain cannot be read.

    A stage expects that the stages before it found no errors. Only parts of ``categories`` are read; without
    ``tables``, loading ends after the changes of layers.
    """
    if not state.read_chain(ruleset):
        return
    chain, manifest = state.chain, state.manifest_of(ruleset)
    sources = {key: source for folder in chain for key, source in state.manifests[folder.ruleset].sources.items()}
    for folder in chain:
        state.resolvers[folder.ruleset] = state.resolver(folder)
        for where in CATEGORIES:
            for part_id in folder.ids(where):
                state.known.setdefault((where, part_id), []).append((folder, where))
        for part_id in folder.scenario_ids() if SCENARIO in categories else ():
            state.known.setdefault(("tables", part_id), []).append((folder, SCENARIO))
    layers = _layers(state, for_scenario=SCENARIO in categories)
    _read_parts(state, categories)
    own = frozenset(ruleset.split("+"))
    rules = RuleSet(ruleset, manifest, chain, state.manifests, sources, layers=layers, own=own, replaced=state.replaced)
    yield rules
    for folder in chain if SCENARIO in categories else ():
        _add_missions(state, folder)
    every: dict[str, Any] = {part_id: None for category, part_id in state.known if category == "tables"}
    references = References(rules._replace(tables=every), state.problems)
    if refused := apply_layers(state, layers):
        state.problems += _before_layers(state, references) or refused
    yield rules
    if "tables" not in categories:
        return
    apply_answers(state)
    yield (rules := rules._replace(tables=_tables(state, references)))
    references.rules = rules
    scope, reported = table_scope(rules.tables.values()), references.missing_tables
    reading = Reading(
        rules.tables, {}, scope, state.problems, reported, resolvers=state.resolvers, references=references
    )
    options = _options(state, reading)
    yield rules
    set_options(options, state.library.settings.options_for({*state.manifests}), state.problems)
    reading.options = options
    reading.scope |= {name: chosen(option.choice) for name, option in options.items()}
    rules = references.rules = rules._replace(options=options)
    kind_models, procedure_models = state.models_of("kinds", KindModel), state.models_of("procedures", ProcedureModel)
    yield rules
    kind_models = state.with_bases("kinds", kind_models)
    written: dict[str, Any] = {**kind_models}
    references.rules = rules._replace(kinds=written)
    rules = references.rules = rules._replace(kinds=_kinds(state, kind_models, reading))
    read: dict[str, Any] = {part_id: model for part_id, (model, _) in procedure_models.items()}
    references.rules = rules._replace(procedures=read)
    yield (rules := rules._replace(procedures=_procedures(state, procedure_models, reading)))
    references.rules = rules
    rules = rules._replace(sheets=_sheets(state, rules.procedures), cards=_cards(state, reading, rules))
    errata = _errata(state, own, reading) if "sheets" in categories else ()
    yield rules._replace(errata=errata, references=tuple(references.later), scope=reading.scope)


def _layers(state: LoadState, *, for_scenario: bool) -> tuple[Layer, ...]:
    """Return the changes of all layers, parents first; layers without changes are left out.

    Files that cannot be read are left out with problems. Adds R209 as ``check_citation`` does. Changes in the folder
    ``scenario`` are read only ``for_scenario``.
    """
    layers = []
    for folder in state.chain:
        changes: list[tuple[ChangeModel, Place]] = []
        for path in ((CHANGES,), (SCENARIO, CHANGES)) if for_scenario else ((CHANGES,),):
            exists = folder.path.joinpath(*path).is_file()
            if exists and (read := state.read_model(ChangesModel, folder, *path)):
                at = read.part.place(("changes",))
                changes += [(change, at / index) for index, change in enumerate(read.model.changes)]
        for change, place in changes:
            check_citation(change, place, state.problems)
        if changes:
            layers.append(Layer(folder.ruleset, tuple(changes), frozenset(state.ancestors(folder.ruleset))))
    return tuple(layers)


def _read_parts(state: LoadState, categories: Collection[str]) -> None:
    """Read the parts of these categories into ``state.parts``, without procedures that others replace.

    Adds R303 for an id that is not the file name, and problems as ``read_file``, ``_store`` and ``_find_replacements``.
    """
    read: dict[PartKey, list[tuple[Folder, Part]]] = {}
    for (category, part_id), files in sorted(state.known.items()):
        for folder, home in files if category in categories else ():
            part = state.read_file(folder, home, f"{part_id}.yaml")
            if part is not None and state.is_named(part, CATEGORIES[category], part_id):
                read.setdefault((category, part_id), []).append((folder, part))
    procedures = [(key[1], *item) for key, listed in read.items() if key[0] == "procedures" for item in listed]
    _find_replacements(state, sorted(procedures, key=lambda item: state.chain.index(item[1])))
    for (category, part_id), listed in read.items():
        owner = state.replaced_by.get(part_id) if category == "procedures" else None
        for folder, part in listed:
            if category == "sheets":
                _store_sheet(state, folder, part_id, part)
            elif owner is None or owner in {folder.ruleset, *state.ancestors(folder.ruleset)}:
                _store(state, category, part_id, part)


def _store(state: LoadState, category: str, part_id: str, part: Part) -> None:
    """Store a part in ``state.parts``, unless a part of its category and id is there already.

    In that case, add R304 and keep the part that is there.
    """
    existing = state.parts.setdefault((category, part_id), part)
    if existing is not part:
        key = CATEGORIES[category]
        found = f"{key} {part_id}, which {existing.owner} has"
        hint = f"add replaces: [{part_id}]" if category == "procedures" else f"use {CHANGES}, or another id"
        state.problems.append(part.place((key,)).problem("R304", "a new id", found, hint))


def _store_sheet(state: LoadState, folder: Folder, part_id: str, part: Part) -> None:
    """Store a sheet in ``state.parts`` instead of all sheets of its id from parents, under the key of the first.

    Without such sheets it keeps its id, or gets the id ``layer/id`` if a sibling layer has a sheet of its id.
    """
    below, plain = state.ancestors(folder.ruleset), ("sheets", part_id)
    same = [key for key in state.parts if key[0] == "sheets" and key[1].rpartition("/")[2] == part_id]
    lower = [key for key in same if state.parts[key].owner in below]
    for key in lower[1:]:
        del state.parts[key]
    beside = ("sheets", f"{folder.ruleset}/{part_id}") if same else plain
    state.parts[lower[0] if lower else beside] = part


def _find_replacements(state: LoadState, read: Sequence[tuple[str, Folder, Part]]) -> None:
    """Record replaced procedures of parents in ``state.replaced_by``, and in ``state.replaced`` if the new id differs.

    ``read`` are the procedures with their ids, parents first. A ``replaces`` that is not a list is reported later.
    Codes: R210 no parent has a procedure of that id, R212 a procedure of the same or a sibling layer replaces it, too.
    """
    replacements: dict[str, tuple[str, str]] = {}
    for own, folder, part in read:
        below, listed = state.ancestors(folder.ruleset), part.value.get("replaces")
        theirs = [name for name, lower, _ in read if lower.ruleset in below]
        for index, old in enumerate(map(str, listed) if isinstance(listed, list) else ()):
            at, (rival, name) = part.place(("replaces", index)), replacements.get(old, ("", ""))
            if old not in theirs:
                state.problems.append(at.problem("R210", "a procedure of a parent", old, suggest(old, theirs)))
            elif rival and rival not in below:
                found, hint = f"{old}, which {rival}/{name} replaces", f"delete {old} here or there"
                state.problems.append(at.problem("R212", "one procedure that replaces it", found, hint))
            else:
                replacements[old] = folder.ruleset, own
    state.replaced_by = {old: owner for old, (owner, _) in replacements.items()}
    for old in replacements:
        new = old
        for _ in replacements:  # a layer may replace a procedure that itself replaces another
            new = replacements[new][1] if new in replacements else new
        if new != old:
            state.replaced[old] = new


_PARTS = {
    "goals": ("goals", "mission", "goal"),
    "awards": ("awards", "mission", "award"),
    "pieces": ("fixtures", "mission", "fixture"),
    "events": ("arrivals", "cause", "arrival"),
}
"""For each list of a mission: the table of its rows, and the table's columns for the mission and the number."""


def _add(tables: dict[str, Part], mission_id: str, part: Part) -> None:
    """Add a mission file's rows, with ``mission_id``, to ``tables`` by id; rows of a missing table are left out."""
    written: dict[str, Any] = part.value
    certificate = {key: value for key, value in written.items() if key in CERTIFICATE_KEYS}
    if "missions" in tables:
        row = {key: value for key, value in written.items() if key not in (*_PARTS, "order")}
        tables["missions"].add_row(row, part.place())
    for key, (table, owner, number) in _PARTS.items():
        for index, entry in enumerate(written.get(key, ()) if table in tables else ()):
            row = {owner: mission_id, number: index + 1, **certificate, **entry}
            tables[table].add_row(row, part.place((key, index)))


def _add_missions(state: LoadState, folder: Folder) -> None:
    """Add the rows of a rule set's mission files to the tables of missions and their parts, if these were read.

    Adds the problems of ``read_model`` for a mission file, and R303 if its id is not its file name.
    """
    names = ("missions", *(table for table, *_ in _PARTS.values()))
    tables = {name: state.parts["tables", name] for name in names if ("tables", name) in state.parts}
    if not tables:
        return
    missions = []
    for mission_id in folder.ids(MISSIONS):
        read = state.read_model(MissionModel, folder, MISSIONS, f"{mission_id}.yaml")
        if read is not None and state.is_named(read.part, "mission", mission_id):
            missions.append((read.model.order, mission_id, read.part))
    for _, mission_id, part in sorted(missions, key=lambda item: item[:2]):
        _add(tables, mission_id, part)


def _before_layers(state: LoadState, references: References) -> list[Problem]:
    """Return the problems of the tables without the changes of layers: they may be why a change is refused."""
    before = len(state.problems)
    for (category, _), part in state.parts.items():
        if category == "tables":
            _read_table(state, Part(part.owner, part.document), references)
    problems = state.problems[before:]
    del state.problems[before:]
    return problems


def _read_table(state: LoadState, part: Part, references: References) -> Table | None:
    """Return the table of a part, before ``check_cells``; None for a fault. Adds problems, also from ``references``."""
    problems = state.problems
    before = len(problems)
    model = validate(TableModel, part.value, part.place, problems)
    if model is None or not references.check(model, part.place()):
        return None
    table = read_table(part, model, state.resolvers)
    concerns = ((word, row.place / "concerns" / index) for row in table.rows for index, word in enumerate(row.concerns))
    references.look_up(Reference(Ref("fielded"), word, place, ()) for word, place in concerns)
    return table if len(problems) == before else None


def _tables(state: LoadState, references: References) -> dict[str, Table]:
    """Return the tables by id; tables that are not valid are left out with problems.

    Adds R206 as ``check_cells`` does; these tables are not left out.
    """
    parts = {part_id: part for (category, part_id), part in state.parts.items() if category == "tables"}
    tables = {part_id: table for part_id, part in parts.items() if (table := _read_table(state, part, references))}
    for table in tables.values():
        check_cells(table, tables, state.problems)
    return tables


def _options(state: LoadState, reading: Reading) -> dict[str, Option]:
    """Return the options of the rule set and its parents by name, with their defaults as values.

    An option with wrong values or a wrong default is left out. Adds R203 for its default, R225 for its table, R208 and
    R209 for its citation. Adds R304 if two rule sets have an option of the same name.
    """
    options: dict[str, Option] = {}
    for owner in (folder.ruleset for folder in state.chain):
        for name, model in state.manifests[owner].options.items():
            place = state.heads[owner].place(("options", name))
            provenance = state.resolvers[owner].provenance(model, place)
            if not reading.references.check(model, place):
                continue
            choice = read_choice(model, reading.tables, place, state.problems)
            default = None if choice is None else read_default(choice, model.default, place, state.problems)
            if choice is None or default is None:
                continue
            if name in options:
                found = f"the option {name}, which {options[name].owner} has"
                state.problems.append(place.problem("R304", "a new name", found, at_key=True))
            options[name] = Option(name, model.label, model.says, choice, default, default, owner, provenance)
    return options


def _errata(state: LoadState, own: Collection[str], reading: Reading) -> tuple[Compiled, ...]:
    """Return the errata of the chain, parents first, as compiled entries with ``id``, ``owner`` and ``provenance``.

    The figures and the working are texts; a missing working is empty. Adds R207 for an id twice in a file, R234 as
    ``_check_working``, and problems as ``read_model``, ``citations`` and ``Compiler.entry``. R234 is only
    for rule sets in ``own``, not for parents: layers may have changed the figures, and an erratum is about its source.
    """
    errata, problems = [], state.problems
    for folder in state.chain:
        read = state.read_model(ErrataModel, folder, ERRATA) if (folder.path / ERRATA).is_file() else None
        if read is None:
            continue
        model, part = read
        check_ids([item.erratum for item in model.errata], part.place(("errata",)), "erratum", problems)
        for index, item in enumerate(model.errata):
            compiler, place = Compiler(reading), part.place(("errata", index))
            before, erratum = len(problems), compiler.entry(item, place, reading.scope)
            if erratum.working is not None and folder.ruleset in own and len(problems) == before:
                _check_working(erratum.working, item.holds, reading, place)
            cite = state.resolvers[folder.ruleset].citations(item.cite, place / "cite")
            spelled = {name: str(getattr(item, name)) for name in ("printed", "holds")}
            spelled["working"] = "" if erratum.working is None else arithmetic(erratum.working)
            provenance = Provenance(cite, "erratum", note=item.note)
            errata.append(erratum.replaced(id=item.erratum, owner=part.owner, provenance=provenance, **spelled))
    return tuple(errata)


def _check_working(working: Formula, holds: str | int, reading: Reading, place: Place) -> None:
    """Add R234 if a working does not give ``holds``. Numbers are compared by value; options have their defaults."""
    options = {name: option.default for name, option in reading.options.items()}
    try:
        result = working(reading.names() | options)
    except FormulaUseError as error:
        reading.problems.append((place / "working").problem("R234", "a result", str(error)))
        return
    exact = isinstance(result, int | Fraction) and not isinstance(result, bool)
    spelled = spell(result) if exact else show(result)
    number = re.fullmatch(r"-?\d{1,18}(\.\d{1,18}|/0*[1-9]\d{0,17})?", str(holds), re.ASCII)
    if Fraction(number[0]) != result if exact and number else spelled != str(holds):
        hint = "correct the working, or the figure under holds"
        reading.problems.append((place / "holds").problem("R234", spelled, show(holds), hint))


def _procedures(
    state: LoadState, models: Mapping[str, Written[ProcedureModel]], reading: Reading
) -> dict[str, Procedure]:
    """Return the compiled procedures by id; a procedure with problems is left out, and its problems are added."""
    procedures: dict[str, Procedure] = {}
    new = state.replaced
    callbacks = Callbacks(
        lambda name: tuple(outcome.outcome for outcome in models[new.get(name, name)].model.outcomes),
        lambda name, inputs, figure: reply_of(procedures, new.get(name, name), inputs, figure),
    )
    for part_id, source in models.items():
        procedure = read_procedure(source, reading, callbacks)
        if procedure is not None:
            asks = frozenset(new.get(ask, ask) for ask in procedure.asks)
            procedures[part_id] = dataclasses.replace(procedure, asks=asks)
    return procedures


def _sheets(state: LoadState, procedures: Mapping[str, Procedure]) -> dict[str, Sheet]:
    """Return the sheets by id, play sheets first; if several layers have a sheet of one id, by ``layer/id``.

    A sheet that a layer changes belongs to the last such layer. Blocks about replaced procedures are hidden as in
    ``_without_replaced``. Empty if no sheets or block models are loaded. An invalid sheet is left out and reported.
    """
    kinds = state.library.blocks() if any(where == "sheets" for where, _ in state.parts) else ()
    if not kinds:
        return {}
    models = state.models_of("sheets", sheet_model(kinds))
    read = (Sheet(model, part.last_layer, part.place()) for model, part in models.values())
    kept = (_without_replaced(state, item, procedures) for item in read)
    sheets = sorted(kept, key=lambda item: not item.model.plays)
    counted = Counter(item.model.sheet for item in sheets)
    several = {name for name, count in counted.items() if count > 1}
    return {
        f"{item.owner}/{item.model.sheet}" if item.model.sheet in several else item.model.sheet: item for item in sheets
    }


def _without_replaced(state: LoadState, sheet: Sheet, procedures: Mapping[str, Procedure]) -> Sheet:
    """Return the sheet, hiding blocks about replaced procedures, and sections left with nothing but explanations.

    A block stays if the new procedure has the same id and the inputs and outcomes that the block names. A sheet of the
    replacing layer, or of a layer over it, is not changed: such a block is a mistake (R231).
    """
    reach = state.ancestors(sheet.owner) | {sheet.owner}
    if not (replaced := {old for old, owner in state.replaced_by.items() if owner not in reach}):
        return sheet
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
    return sheet._replace(model=sheet.model.model_copy(update={"rows": tuple(rows)}))


def _kinds(state: LoadState, sources: Mapping[str, Written[KindModel]], reading: Reading) -> dict[str, Kind]:
    """Return the compiled kinds by id, in the order of the parts. ``sources`` have bases first.

    A kind that ``read_kind`` refuses, and each kind that is based on it, is left out.
    """
    kinds: dict[str, Kind] = {}
    added = tuple(dict.fromkeys((*ADDED_UP, *(name for source in sources.values() for name in source.model.tallies))))
    for kind_id, source in sources.items():
        if source.model.based_on is None or source.model.based_on in kinds:
            names = added if kind_id in (UNIT, FORCE) else ()
            kind = read_kind(source, reading, names)
            if kind is not None:
                kinds[kind_id] = dataclasses.replace(kind, place=state.parts["kinds", kind_id].place())
    return {kind_id: kinds[kind_id] for category, kind_id in state.parts if category == "kinds" and kind_id in kinds}


def _cards(state: LoadState, reading: Reading, rules: RuleSet) -> dict[str, Card]:
    """Return the compiled cards by kind. Cards that ``read_card`` refuses are left out.

    A card whose base is left out is left out too, unless the kind of the base is unknown. Adds R231 for a card of an
    unknown kind, and the problems of ``models_of``, ``with_bases`` and ``read_card``.
    """
    sources = state.models_of("cards", CardModel)
    kinds, problems = rules.kinds, state.problems
    cards: dict[str, Card] = {}
    for kind_id, source in state.with_bases("cards", sources).items():
        base, before = source.model.based_on, len(problems)
        if kind_id not in kinds:
            reading.references.check_name("kind", kind_id, source.part.place(("card",)))
        elif base is None or base in cards or base not in kinds:  # problems of a base are reported once
            card = read_card(source, kinds[kind_id], rules.procedure, reading)
            cards |= {kind_id: card} if card is not None else {}
            hint = f"the card {kind_id} inherits this entry and its kind does not: list the entry there under without"
            inherited = sources[base].part.document.name if base else ""
            problems[before:] = [
                item._replace(hint=hint) if item.span.file == inherited else item for item in problems[before:]
            ]
    return {card_id: cards[card_id] for card_id in sources if card_id in cards}
