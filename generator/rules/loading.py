"""From the files of a rule set and its parents to a frozen RuleSet."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from generator.problems import Problem, Span
from generator.rules.binding import table_scope
from generator.rules.births import Registrar
from generator.rules.formulas.scope import identifier
from generator.rules.library import CATEGORIES, CHANGES, MANIFEST, Folder, Library
from generator.rules.models.manifest import Manifest
from generator.rules.parts import Part
from generator.rules.ruleset import RuleSet, Sheet
from generator.rules.tables import Table, read_table
from generator.rules.validation import show, validate
from generator.sources.yaml12 import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pydantic import BaseModel

    from generator.rules.changes import Layer
    from generator.rules.kinds import Kind, KindSource
    from generator.rules.models.change import PartKey
    from generator.rules.places import Place
    from generator.rules.procedures import Procedure

_LEANS_ON = {
    "tables": ("tables",),
    "procedures": ("tables",),
    "kinds": ("tables", "kinds"),
    "sheets": ("tables", "procedures", "kinds"),
}
_WORD = re.compile(r"[a-z][a-z0-9_-]*")
M = TypeVar("M", bound="BaseModel")


@dataclass(slots=True)
class _Loading:
    """The work on one rule set: what was read so far."""

    library: Library
    problems: list[Problem]
    manifests: dict[str, Manifest] = field(default_factory=dict)
    parts: dict[PartKey, Part] = field(default_factory=dict)
    registrars: dict[str, Registrar] = field(default_factory=dict)


def load(
    library: Library, ruleset: str, problems: list[Problem], only: Iterable[PartKey] | None = None
) -> RuleSet | None:
    """The rule set of this id, with its parents and their layers; ``a+b`` combines sibling layers.

    ``only`` names the parts that are needed, as (category, id): these and every table and kind they lean on are
    read, nothing else. Problems are appended; None where there is nothing to go on with.
    """
    work = _Loading(library, problems)
    chain = _chain(work, ruleset)
    if chain is None:
        return None
    manifest = _manifest_of(work, ruleset, chain)
    sources = {key: source for one in chain for key, source in work.manifests[one.ruleset].sources.items()}
    for folder in chain:
        work.registrars[folder.ruleset] = Registrar(work.manifests[folder.ruleset].source, sources)
    layers = _layers(work, chain)
    _read_parts(work, chain, layers, None if only is None else tuple(only))
    if layers:
        from generator.rules.changes import apply_layers

        apply_layers(layers, work.parts, problems)
    tables = _tables(work)
    kinds = _kinds(work, tables)
    procedures = _procedures(work, tables)
    return RuleSet(ruleset, manifest, chain, work.manifests, sources, tables, kinds, procedures, _sheets(work), layers)


def _chain(work: _Loading, ruleset: str) -> tuple[Folder, ...] | None:
    """The folders of the rule set and all its parents, parents first. R301 unknown, R302 a circle."""
    found: dict[str, Folder] = {}
    broken = False

    def visit(name: str, at: Place | None, way: tuple[str, ...]) -> None:
        nonlocal broken
        if name in way:
            broken = True
            hint = "a rule set cannot stand on itself"
            if at:
                work.problems.append(
                    at.problem("R302", found=" > ".join((*way, name)), expected="no circle", hint=hint)
                )
            return
        if name in found:
            return
        folder = work.library.find(name)
        manifest = _manifest(work, folder) if folder else None
        if folder is None:
            span = at.span() if at else Span("command line", 1, 1, ruleset)
            work.problems.append(Problem("R301", span, "a rule set", name, hint=work.library.hint(name)))
        if folder is None or manifest is None:
            broken = True
            return
        model, part = manifest
        for index, parent in enumerate(model.extends):
            visit(parent, part.place(("extends", index)), (*way, name))
        found[name] = folder

    for name in ruleset.split("+"):
        visit(name, None, ())
    return None if broken else tuple(found.values())


def _manifest(work: _Loading, folder: Folder) -> tuple[Manifest, Part] | None:
    part = _file(work, folder, MANIFEST)
    if part is None:
        return None
    model = validate(Manifest, part.value, part.place, work.problems)
    if model is None:
        return None
    if model.ruleset != folder.ruleset:
        at = part.place(("ruleset",))
        hint = "the folder and the rule set have one name"
        work.problems.append(at.problem("R303", found=model.ruleset, expected=folder.ruleset, hint=hint))
        return None
    work.manifests[folder.ruleset] = model
    return model, part


def _manifest_of(work: _Loading, ruleset: str, chain: tuple[Folder, ...]) -> Manifest:
    """The rule set's own head; for ``a+b`` one that joins the heads."""
    names = ruleset.split("+")
    heads = [work.manifests[name] for name in names]
    if len(heads) == 1:
        return heads[0]
    return heads[0].model_copy(
        update={
            "title": " + ".join(head.title for head in heads),
            "short": " + ".join(head.short for head in heads),
            "edition": max(work.manifests[folder.ruleset].edition for folder in chain),
            "authors": tuple(dict.fromkeys(author for head in heads for author in head.authors)),
            "rights": " ".join(dict.fromkeys(head.rights for head in heads)),
        }
    )


def _file(work: _Loading, folder: Folder, *way: str) -> Part | None:
    """A file of a rule set that holds keys with values, which all of them do."""
    document, problems = read_yaml(folder.path.joinpath(*way), folder.show(*way))
    work.problems.extend(problems)
    if document is None:
        return None
    part = Part(folder.ruleset, document)
    if not isinstance(document.value, dict):
        problem = part.place().problem("R203", found=show(document.value), expected="a list of keys with values")
        work.problems.append(problem)
        return None
    return part


def _layers(work: _Loading, chain: tuple[Folder, ...]) -> tuple[Layer, ...]:
    """Every layer's changes."""
    changing = [folder for folder in chain if (folder.path / CHANGES).is_file()]
    if not changing:
        return ()
    from generator.rules.changes import Layer
    from generator.rules.models.change import ChangesModel

    found = []
    for folder in changing:
        part = _file(work, folder, CHANGES)
        model = validate(ChangesModel, part.value, part.place, work.problems) if part else None
        if part and model:
            changes = tuple((change, part.place(("changes", i))) for i, change in enumerate(model.changes))
            found.append(Layer(folder.ruleset, changes, frozenset(_ancestors(work, folder.ruleset))))
    return tuple(found)


def _ancestors(work: _Loading, ruleset: str) -> set[str]:
    parents = work.manifests[ruleset].extends
    return set(parents).union(*(_ancestors(work, parent) for parent in parents)) if parents else set()


def _read_parts(
    work: _Loading, chain: tuple[Folder, ...], layers: tuple[Layer, ...], only: tuple[PartKey, ...] | None
) -> None:
    """Read every part, or those wanted and whatever they lean on: tables, and the kinds that a kind is based on."""
    known = {(category, part_id) for folder in chain for category in CATEGORIES for part_id in folder.ids(category)}
    by_name = {(category, identifier(part_id)): (category, part_id) for category, part_id in known}
    waiting = [key for key in (sorted(known) if only is None else only) if key in known]
    seen: set[PartKey] = set()
    while waiting:
        key = waiting.pop(0)
        if key in seen:
            continue
        seen.add(key)
        for folder in chain:
            if key[1] in folder.ids(key[0]):
                _read_part(work, folder, *key)
        if only is not None:
            leans_on = _LEANS_ON[key[0]]
            words = {identifier(word) for word in _words_of(work, layers, key)}
            waiting += [by_name[where, word] for where in leans_on for word in words if (where, word) in by_name]


def _words_of(work: _Loading, layers: tuple[Layer, ...], key: PartKey) -> set[str]:
    """Every word in the texts of a part and of what layers write into it: whatever names a table is among them."""
    words = _words(work.parts[key].value) if key in work.parts else set()
    for layer in layers:
        for change, _ in layer.changes:
            if change.part == key:
                words |= _words(change.to) | _words(change.with_)
    return words


def _words(value: Any) -> set[str]:
    if isinstance(value, str):
        return set(_WORD.findall(value))
    if isinstance(value, dict):
        return set().union(*(_words(inner) for inner in value.values())) if value else set()
    if isinstance(value, list):
        return set().union(*(_words(inner) for inner in value)) if value else set()
    return set()


def _read_part(work: _Loading, folder: Folder, category: str, part_id: str) -> None:
    """Read one file. R303: its id is not its file's name; R304: a parent has that id already."""
    part = _file(work, folder, category, f"{part_id}.yaml")
    if part is None:
        return
    key = CATEGORIES[category]
    if part.value.get(key) != part_id:
        found = part.value.get(key)
        there = part.place((key,)) if found is not None else part.place()
        hint = f"the file is named after its {key}"
        work.problems.append(there.problem("R303", found=f"{key}: {found}", expected=f"{key}: {part_id}", hint=hint))
        return
    existing = work.parts.get((category, part_id))
    if existing is not None and category != "sheets" and part.value.get("replaces") != existing.owner:
        hint = f"say replaces: {existing.owner}" if category == "procedures" else f"use {CHANGES}, or another id"
        found = f"{key} {part_id}, which {existing.owner} has"
        work.problems.append(part.place((key,)).problem("R304", found=found, expected="a new id", hint=hint))
        return
    work.parts[(category, part_id)] = part


def _has(work: _Loading, category: str) -> bool:
    """Whether any part of this category is wanted: if not, its models are not even imported."""
    return any(where == category for where, _ in work.parts)


def _models(work: _Loading, category: str, model: type[M]) -> Iterator[tuple[str, Part, M]]:
    for (where, part_id), part in work.parts.items():
        if where == category:
            read = validate(model, part.value, part.place, work.problems)
            if read is not None:
                yield part_id, part, read


def _tables(work: _Loading) -> dict[str, Table]:
    from generator.rules.models.table import TableModel

    found: dict[str, Table] = {}
    for part_id, part, model in _models(work, "tables", TableModel):
        table = read_table(part, model, work.registrars, work.problems)
        if table is not None:
            found[part_id] = table
    return found


def _procedures(work: _Loading, tables: Mapping[str, Table]) -> dict[str, Procedure]:
    if not _has(work, "procedures"):
        return {}
    from generator.rules.models.procedure import ProcedureModel
    from generator.rules.procedures import read_procedure

    scope = table_scope(tables.values())
    found: dict[str, Procedure] = {}
    for part_id, part, model in _models(work, "procedures", ProcedureModel):
        procedure = read_procedure(part, model, tables, scope, work.registrars[part.owner], work.problems)
        if procedure is not None:
            found[part_id] = procedure
    return found


def _sheets(work: _Loading) -> dict[str, Sheet]:
    if not _has(work, "sheets"):
        return {}
    from generator.rules.models.sheet import SheetModel

    found = _models(work, "sheets", SheetModel)
    return {part_id: Sheet(model, part.owner, part.place()) for part_id, part, model in found}


def _kinds(work: _Loading, tables: Mapping[str, Table]) -> dict[str, Kind]:
    if not _has(work, "kinds"):
        return {}
    from generator.rules.kinds import KindSource, read_kind
    from generator.rules.models.kind import KindModel

    sources = {part_id: KindSource(model, part) for part_id, part, model in _models(work, "kinds", KindModel)}
    scope = table_scope(tables.values())
    kinds: dict[str, Kind] = {}
    for kind_id, source in sources.items():
        lineage = _lineage(sources, source, work.problems)
        if lineage is None:
            continue
        kind = read_kind(source, lineage, tables, scope, work.registrars, work.problems)
        if kind is not None:
            kinds[kind_id] = kind
    return kinds


def _lineage(
    sources: Mapping[str, KindSource], source: KindSource, problems: list[Problem]
) -> tuple[KindSource, ...] | None:
    """The kinds that a kind is based on, the most basic first. R229: no such kind, or a circle."""
    lineage: list[KindSource] = []
    here = source
    while here.model.based_on is not None:
        parent = sources.get(here.model.based_on)
        if parent is None or parent is source or parent in lineage:
            at = here.part.place(("based_on",))
            hint = f"kinds here: {', '.join(sorted(sources))}"
            problems.append(at.problem("R229", found=here.model.based_on, expected="another kind", hint=hint))
            return None
        lineage.insert(0, parent)
        here = parent
    return tuple(lineage)
