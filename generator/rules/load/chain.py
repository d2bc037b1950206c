"""Find a rule set with its parents, read their files, and apply layers and the figures that players give."""

from __future__ import annotations

import os
import pathlib
import re
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from generator.parsing.yaml12 import read_yaml
from generator.problems import Problem, Span, refused, suggest
from generator.rules.entries.tables import ROW_KEYS
from generator.rules.model.manifest import DOT, ENTRIES, OTHER, ROW, ChangeModel, Manifest, PartKey
from generator.rules.source.library import CATEGORIES, MANIFEST, Folder, Library
from generator.rules.source.parts import INHERITED_LISTS, Applied, CitationResolver, Layer, Part, Place, Written
from generator.rules.source.validation import show, validate

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pydantic import BaseModel

    from generator.parsing.text import Path

_SENTENCE_END = re.compile(r"(?<=\w\w\.)\s+")
"""The end of a sentence; the point after an initial, as in "© A. Player", does not count."""

M = TypeVar("M", bound="BaseModel")


@dataclass(slots=True)
class LoadState:
    """Reader of the files of one rule set and its parents, with everything that it has read so far."""

    library: Library
    problems: list[Problem]
    chain: tuple[Folder, ...] = ()
    """The folders of the rule set and all its parents, parents first."""
    manifests: dict[str, Manifest] = field(default_factory=dict)
    heads: dict[str, Part] = field(default_factory=dict)
    """The manifests as parts, by rule set, for the places of problems."""
    parts: dict[PartKey, Part] = field(default_factory=dict)
    """The parts that were read, by category and id. Some sheets of layers have the id ``layer/id``."""
    resolvers: dict[str, CitationResolver] = field(default_factory=dict)
    known: dict[PartKey, list[tuple[Folder, str]]] = field(default_factory=dict)
    """Every part that has a file, with the rule sets that have it, each with the subfolder of the file."""
    replaced: dict[str, str] = field(default_factory=dict)
    """The replaced procedures of parents, each with the id of the procedure that answers instead."""
    replaced_by: dict[str, str] = field(default_factory=dict)
    """For each replaced procedure of a parent, the rule set that replaces it."""
    states: dict[Folder, object] = field(default_factory=dict)
    """The states of the files of each folder that was found, before any file of it was read."""

    def resolver(self, folder: Folder) -> CitationResolver:
        """Return the resolver of a rule set's citations, which may name the sources of the rule set and of its parents.

        Adds R208 if the ``source`` in the manifest of the rule set is not one of these sources.
        """
        own = self.manifests[folder.ruleset].source
        reach = (*sorted(self.ancestors(folder.ruleset)), folder.ruleset)
        sources = {key: source for ancestor in reach for key, source in self.manifests[ancestor].sources.items()}
        if own not in sources:
            at = self.heads[folder.ruleset].place(("source",))
            hint = f"listed under sources: {', '.join(sorted(sources)) or 'none'}"
            self.problems.append(at.problem("R208", "a listed source", f"the source {own}", hint))
        return CitationResolver(own, sources, self.problems)

    def read_chain(self, ruleset: str) -> bool:
        """Find the rule set and all its parents, and read their manifests; return whether all can be used.

        ``ruleset`` is an id, or several ids of sibling layers joined by ``+``. Sets ``chain`` if it returns
        True or adds R305.

        Adds R301 for an unknown rule set, R302 for a circle, and R305 for unrelated rule sets joined by ``+``. Adds
        R303 for a manifest with another id than its folder, and the problems of ``read_model``.
        """
        folders: dict[str, Folder] = {}

        def visit(name: str, at: Place | None, lineage: tuple[str, ...]) -> bool:
            """Add a rule set, after its parents, to ``folders``; return whether it and its parents can be used.

            Adds a problem if not. ``lineage`` are the rule sets that led here; the last names this rule set at ``at``.
            """
            if name in lineage:
                first, second, *_ = circle = _circle(lineage[lineage.index(name) :])
                here = self.heads[first].place(("extends", self.manifests[first].extends.index(second)))
                hint = f"remove {second} from extends here, or break the circle in another rule set"
                self.problems.append(here.problem("R302", "rule sets without a circle", " > ".join(circle), hint))
                return False
            if name in folders:
                return True
            folder = self.library.find(name)
            if folder is None:
                hint = self.library.hint(name)
                problem = at.problem("R301", "a rule set", name, hint) if at else None
                self.problems.append(problem or refused("R301", ruleset, "a rule set", name, hint))
                return False
            self.states[folder] = folder.states()
            manifest = self.read_model(Manifest, folder, MANIFEST)
            if manifest is None or not self.is_named(manifest.part, "ruleset", name, "rename the folder or the id"):
                return False
            self.manifests[name], self.heads[name] = manifest
            extends, lineage = manifest.part.place(("extends",)), (*lineage, name)
            parents = [visit(parent, extends / index, lineage) for index, parent in enumerate(manifest.model.extends)]
            folders[name] = folder
            return all(parents)

        names = list(dict.fromkeys(ruleset.split("+")))
        found = [visit(name, None, ()) for name in names]
        if not all(found):
            return False
        self.chain = tuple(folders.values())
        reach = [{name} | self.ancestors(name) for name in names]
        if not set.intersection(*reach):
            index = next(index for index in range(len(names)) if not set.intersection(*reach[: index + 1]))
            parents = (f"{name}, which extends {', '.join(sorted(self.ancestors(name))) or 'none'}" for name in names)
            span = Span("command line", 1, 1 + sum(len(name) + 1 for name in names[:index]), ruleset)
            hint = f"name one of them, or print them in turn: fieldpress build {' '.join(names)}"
            self.problems.append(Problem("R305", span, "layers that share a parent", "; ".join(parents), hint=hint))
            return False
        return True

    def is_named(self, part: Part, key: str, name: str, hint: str = "") -> bool:
        """Return whether a file's value under ``key`` is ``name``, the name of the file or folder; add R303 if not."""
        found = part.value.get(key)
        if found != name:
            hint = hint or f"the file is named after its {key}"
            self.problems.append(part.place((key,)).problem("R303", f"{key}: {name}", f"{key}: {show(found)}", hint))
        return bool(found == name)

    def manifest_of(self, ruleset: str) -> Manifest:
        """Return the manifest of the rule set; for ``a+b``, a manifest that is joined from both.

        Titles, short names, authors and rights are joined, but authors and sentences of rights are not repeated. The
        edition of a joined manifest is the latest of the whole chain; its other values are those of ``a``.
        """
        heads = [self.manifests[name] for name in dict.fromkeys(ruleset.split("+"))]
        if len(heads) == 1:
            return heads[0]
        return heads[0].model_copy(
            update={
                "title": " + ".join(head.title for head in heads),
                "short": _joined([head.short for head in heads]),
                "edition": max(self.manifests[folder.ruleset].edition for folder in self.chain),
                "authors": tuple(dict.fromkeys(author for head in heads for author in head.authors)),
                "rights": " ".join(dict.fromkeys(part for head in heads for part in _SENTENCE_END.split(head.rights))),
            }
        )

    def read_file(self, folder: Folder, *steps: str) -> Part | None:
        """Return a file of a rule set as a part; None with a problem if it does not hold keys with values.

        ``steps`` are the folders inside the rule set's folder, and the file's name. Adds F102 for a link that leads out
        of the rule set's folder, R203 for a value of another type, and the problems of ``read_yaml``.
        """
        path = folder.path.joinpath(*steps)
        if path.is_symlink() or path.parent.is_symlink():
            inside = pathlib.Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder.path))
            if not inside:  # a rule set from someone else must not read other files of this machine
                at, found = Span(folder.show(*steps)), "a link that leads out of its folder"
                hint = "copy the file into the folder"
                self.problems.append(Problem("F102", at, "a file of the rule set", found, hint=hint))
                return None
        document, problems = read_yaml(path, folder.show(*steps))
        self.problems.extend(problems)
        if document is None:
            return None
        part = Part(folder.ruleset, document)
        if not isinstance(document.value, dict):
            self.problems.append(part.place().problem("R203", "a list of keys with values", show(document.value)))
            return None
        return part

    def read_model(self, model: type[M], folder: Folder, *steps: str) -> Written[M] | None:
        """Return a file of a rule set as a model with its part; None with a problem for each error.

        Adds the problems of ``read_file`` and ``validate``.
        """
        part = self.read_file(folder, *steps)
        read = validate(model, part.value, part.place, self.problems) if part is not None else None
        return None if part is None or read is None else Written(read, part)

    def models_of(self, category: str, model: type[M]) -> dict[str, Written[M]]:
        """Return the models of the parts of a category (``kinds``, ``sheets`` ...) by id, each with its part.

        A part that is not valid is left out, and its problems are added.
        """
        models = {}
        for (where, part_id), part in self.parts.items():
            if where == category and (read := validate(model, part.value, part.place, self.problems)) is not None:
                models[part_id] = Written(read, part)
        return models

    def with_bases(self, category: str, sources: Mapping[str, Written[M]]) -> dict[str, Written[M]]:
        """Return kinds or cards by id, with all that they inherit from their base, the entry under ``based_on``.

        Bases come first. An entry is left out if its base cannot be used, or if it is not valid with what it inherits.

        Adds R229 for an unknown base, and for a circle; after a circle, the result is empty. Adds R232 for a name under
        ``without`` that the base does not have, and the problems of ``validate``.
        """
        bases: dict[str, str | None] = {name: source.model.based_on for name, source in sources.items()}  # type: ignore[attr-defined] # kinds and cards have it
        what, whole = f"another {CATEGORIES[category]}", dict[str, Written[M]]()
        try:
            order = [*TopologicalSorter({name: [base] if base else [] for name, base in bases.items()}).static_order()]
        except CycleError as error:
            circle = _circle(error.args[1][:0:-1])
            hint = f"remove based_on from one {CATEGORIES[category]} of the circle"
            at = sources[circle[0]].part.place(("based_on",))
            self.problems.append(at.problem("R229", what, " > ".join(circle), hint))
            return {}
        for name in filter(sources.__contains__, order):
            (model, part), base = sources[name], bases[name]
            if base is None:
                whole[name] = sources[name]
            elif base in whole:
                names = [item for key in INHERITED_LISTS for item in whole[base].part.named(key)]
                for index, item in enumerate(part.value.get("without", ())):
                    if item not in names:
                        at, hint = part.place(("without", index)), suggest(item, names)
                        self.problems.append(at.problem("R232", "a part of what this is based on", item, hint))
                merged = part.based_on(whole[base].part)
                valid = validate(type(model), merged.value, merged.place, self.problems)
                whole |= {name: Written(valid, merged)} if valid is not None else {}
            elif (category, base) not in self.parts:  # problems of a base are reported once
                hint = suggest(base, sources, f"{CATEGORIES[category]}s here: {', '.join(sorted(sources))}")
                self.problems.append(part.place(("based_on",)).problem("R229", what, base, hint))
        return whole

    def ancestors(self, ruleset: str) -> set[str]:
        """Return the ids of the parents of a rule set, of their parents, and so on; without its own id."""
        parents = self.manifests[ruleset].extends
        return set(parents).union(*(self.ancestors(parent) for parent in parents)) if parents else set()


def _circle(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a circle, from the first in the alphabet back to that name, so that all reports agree."""
    start = names.index(min(names))
    return (*names[start:], *names[: start + 1])


def _joined(names: Sequence[str]) -> str:
    """Join short names; the game's name before the dot is kept once if all names share it.

    >>> _joined(["Game · Dice", "Game · House rules"]), _joined(["Game", "Game · Dice"])
    ('Game · Dice + House rules', 'Game + Game · Dice')
    """
    game, dot, _ = names[0].partition(DOT)
    if dot and all(name.startswith(game + dot) for name in names):
        return game + dot + " + ".join(name.removeprefix(game + dot) for name in names)
    return " + ".join(names)


_BRACKETS = "begin with the folder, and put only the key of a table's row in brackets"

_ChangeKey: TypeAlias = tuple[str, int]
"""A change: its layer's rule set and its index there."""


def check_citation(change: ChangeModel, place: Place, problems: list[Problem]) -> None:
    """Add R209 for a change without a citation, of its own or in its entry: the parent's does not cover the new value.

    A change that removes an entry needs no citation, and neither do changes of sheets and cards.
    """
    own = change.with_.get("cite") if isinstance(change.with_, dict) else None
    sheet = change.part is not None and change.part[0] in ("sheets", "cards")
    if change.cite is None and own is None and change.action != "remove" and not sheet:
        hint = "add cite: with the place in the layer’s source"
        problems.append((place / change.action).problem("R209", "cite: page or section", "no citation", hint))


def apply_layers(state: LoadState, layers: tuple[Layer, ...]) -> list[Problem]:
    """Write the changes of all layers into the parts of ``state``, in order; return the problems of refused changes.

    A change is skipped without a problem if its part is not read, or if a sibling layer overrides it. R210: a change
    cannot be made at its address, for example because nothing is there, or an added entry exists. R210 also for a
    scenario table while scenarios are not read, and as advice for a procedure that another replaces. R211: the parent's
    value is not the value under ``was``. R212: two changes are in conflict.
    """
    problems: list[Problem] = []
    beaten = _conflicts(layers, problems)
    of_scenarios = {("tables", text) for folder in state.chain for text in folder.scenario_ids()}
    for layer in layers:
        for index, (change, place) in enumerate(layer.changes):
            key, at = change.part, place / change.action
            if key is None:
                expected = "an address such as tables.guns[heavy].cost or kinds.tank.lines.hull.points"
                problems.append(at.problem("R210", expected, change.target, _BRACKETS))
            elif key in of_scenarios and key not in state.known:
                hint = "move this change to scenario/changes.yaml"
                problems.append(at.problem("R210", "an entry that is not only for scenarios", change.target, hint))
            elif key not in state.known:
                problems.append(at.problem("R210", "an entry of a parent", change.target, _near_part(key, state.known)))
            elif key[0] == "procedures" and key not in state.parts and (owner := state.replaced_by.get(key[1])):
                found, hint = f"{change.target}, which {owner} replaces", "this change has no effect"
                problems.append(at.problem("R210", "a procedure that answers", found, hint, severity="advice"))
            elif key in state.parts and (layer.ruleset, index) not in beaten:
                problems += filter(None, [_apply(state.parts[key], layer.ruleset, change, place)])
    return problems


def apply_answers(state: LoadState) -> None:
    """Write the figures that players give into the gaps of tables in ``state``; the last figure for a gap wins.

    Adds R333 if the address is not a gap, and for a scenario table while scenarios are not read. Adds R206 if no figure
    is given. Skips figures from no file, or for other tables that are not read or whose columns are not a mapping.
    """
    for answer in state.library.settings.answers_for({*state.manifests}):
        change = ChangeModel.model_construct(set=answer.name, to=answer.value, reason="")
        key = change.part
        part = state.parts.get(key) if key is not None else None
        if answer.place is None or (part is None and key in state.known):
            continue
        if part is not None and not isinstance(part.value.get("columns", {}), dict):
            continue
        target = _resolve(part, change) if part is not None else _near_part(key, state.known)
        row, column, _ = target if not isinstance(target, str) else ({}, "", ())
        if part is None or not _is_gap(part, row, str(column)):
            expected = "a gap, which is a figure that the source does not give"
            hint = target if isinstance(target, str) else "write a layer to change a figure that is not a gap"
            hint = "write an address such as tables.guns[heavy].cost" if key is None else hint
            state.problems.append(answer.refuse("R333", expected, answer.name, hint))
        elif answer.value is None:
            state.problems.append(answer.refuse("R206", "a figure", "nothing", "delete the line", at_value=True))
        else:
            about = part.value["columns"][column]
            label = about.get("label") if isinstance(about, dict) else column
            change = change.model_copy(update={"reason": f"{label} given by the players."})
            part.put(row, column, answer.value, answer.place, Applied("", change, column, answer.place))


def _is_gap(part: Part, row: Any, column: str) -> bool:
    """Return whether a cell is a gap, also if it holds a player's figure; False without such a row or column.

    In a gap, the source gives no figure; ``status`` is gap in the row (or else its table) or in a ``set`` of the row.
    """
    if not isinstance(row, dict) or column in ROW_KEYS:
        return False
    changes = part.changes_in(row)
    set_so = (change.change.status for change in changes if change.change.action == "set")
    is_gap = "gap" in (row.get("status", part.value.get("status")), *set_so)
    answered = any(not change.layer and change.key == column for change in changes)
    return is_gap and (answered or row.get(column) is None) and column in part.value.get("columns", {})


def _conflicts(layers: tuple[Layer, ...], problems: list[Problem]) -> set[_ChangeKey]:
    """Return the changes that must not be applied: each conflicts with another, as ``_conflict`` says, and loses.

    Each is a pair: the id of its layer and its index there. Of changes of two layers, the change that alone names the
    other's layer under ``over`` wins. Otherwise the later of the two changes loses, and R212 is added to ``problems``.
    """
    beaten: set[_ChangeKey] = set()
    claims: dict[PartKey | None, list[tuple[Layer, int]]] = {}
    for layer in layers:
        for index, (change, _) in enumerate(layer.changes):
            claims.setdefault(change.part, []).append((layer, index))
    pairs = (pair for part, listed in claims.items() if part is not None for pair in combinations(listed, 2))
    for (rival, number), (layer, index) in pairs:
        (other, there), (change, place) = rival.changes[number], layer.changes[index]
        earlier, later = (rival.ruleset, number), (layer.ruleset, index)
        if not beaten.isdisjoint((earlier, later)) or not _conflict(layer, change, rival, other):
            continue
        wins, loses = rival.ruleset in change.over, layer.ruleset in other.over
        beaten.add(earlier if wins and not loses and layer is not rival else later)
        if wins == loses or layer is rival:
            hint = f"add over: [{rival.ruleset}] to the change that must win"
            hint = "delete one of the two changes" if layer is rival else hint
            at = f"{there.span().file}:{there.span().line}"
            found = f"{change.target}, which {rival.ruleset} changes too ({at})"
            problems.append((place / change.action).problem("R212", "one change of this entry", found, hint))
    return beaten


def _conflict(layer: Layer, change: ChangeModel, rival: Layer, other: ChangeModel) -> bool:
    """Return whether ``change`` of ``layer`` conflicts with ``other``, an earlier change of ``rival`` to the same part.

    Two changes of one layer conflict only at the same address. Changes of sibling layers also conflict if one address
    is inside the other. A layer may change everything that its parents changed.
    """
    mine, theirs = _address(change), _address(other)
    if layer is rival:
        return mine == theirs
    return rival.ruleset not in layer.ancestors and all(a == b for a, b in zip(mine, theirs, strict=False))


def _address(change: ChangeModel) -> tuple[str, ...]:
    """Return the address of a change inside its part as a tuple of steps, such as ``("rows", "heavy, 1", "cost")``.

    Empty if the address cannot be read.
    """
    row = ROW.match(change.target)
    if row:
        keys = ", ".join(key.strip() for key in row["keys"].split(","))
        return "rows", keys, *([row["column"]] if row["column"] else ())
    other = OTHER.match(change.target)
    return tuple(other["steps"].split(".")) if other else ()


def _apply(part: Part, layer: str, change: ChangeModel, place: Place) -> Problem | None:
    """Write one change into a part; return R210 or R211 if that is not possible, else None.

    ``layer`` is the id of the layer, and ``place`` is the change's place in the layer's file.
    """
    at, action = place / change.action, change.action
    target = _resolve(part, change)
    if isinstance(target, str):
        return at.problem("R210", "an entry of a parent", change.target, target)
    container, key, path = target
    exists = key in container if isinstance(container, dict) else int(key) < len(container)
    before = container[key] if exists else None
    if action == "add" and exists:
        return at.problem("R210", "a new id", f"{change.target}, which exists", "use replace instead of add")
    if action == "set" and before != change.was:
        found, expected = f"was: {show(change.was)}", f"{show(before)}, the parent's value"
        return (place / "was").problem("R211", expected, found, "check the new value, then correct was")
    if action in ("remove", "replace") and not exists:
        hint = "use add instead of replace" if action == "replace" else "delete this change: the row has no such cell"
        return at.problem("R210", "an entry of a parent", change.target, hint)
    part.last_layer = layer
    if action == "remove":
        part.drop(container, key, path)
        return None
    step, value = ("to", change.to) if action == "set" else ("with", change.with_)
    if isinstance(container, list) and action != "set":
        names = _id_keys(part, change, path)
        expected, found = _address(change)[-1], _id(names, value)
        if expected != found:
            expected, found = _with_keys(names, expected), _with_keys(names, found)
            hint = "write the same id in the address and in the entry"
            return (place / "with").problem("R210", expected, found, hint)
        container += [] if exists else [None]
    part.put(container, key, value, place / step, Applied(layer, change, key, place))
    return None


def _id_keys(part: Part, change: ChangeModel, path: Path) -> list[str]:
    """Return the keys that hold ids in the list at ``path``: for a change of a row, the table's keys; empty if none."""
    names = part.value.get("key") if ROW.match(change.target) else [ENTRIES.get(str(path[-1]) if path else "")]
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else []


def _id(names: list[str], entry: object) -> str:
    """Return an entry's id in addresses: its values under ``names`` with commas; a missing value is "nothing"."""
    values = entry if isinstance(entry, dict) else {}
    return ", ".join(key.strip() for name in names for key in str(values.get(name, "nothing")).split(","))


def _with_keys(names: list[str], entry_id: str) -> str:
    """Return an id with one of these key names before each of its parts: ``gun: heavy, level: 1`` for ``heavy, 1``."""
    ids = entry_id.split(", ", len(names) - 1)
    return ", ".join(f"{name}: {item}" for name, item in zip(names, ids, strict=False))


def _resolve(part: Part, change: ChangeModel) -> tuple[Any, str | int, Path] | str:
    """Return the container and key that a change addresses, with the container's path, or a hint if not found.

    An entry that the change adds may be missing. So may a key of a mapping that it sets with ``was: null``, and a cell
    of a row for every change. The key of a new entry of a list is the length of the list.
    """
    here: Any = part.value
    path: Path = ()
    *outer, final = _address(change) or ("",)
    for step in (*outer, final):
        last = len(path) == len(outer)
        key: str | int = step
        adds = last and change.action == "add"
        spelled = ".".join(map(str, path))
        if isinstance(here, list):
            names = _id_keys(part, change, path)
            ids = [_id(names, entry) for entry in here]
            if not names or (here and not {*ids} - {_id(names, {})}):
                return f"the entries of {spelled} have no ids: change the whole list"
            if step not in ids and not adds:
                return suggest(step, [item for item in ids if item != _id(names, {})])
            if ROW.match(change.target) and last and change.action == "set":
                return "add the column after the row, such as .points"
            key = ids.index(step) if step in ids else len(here)
        elif not isinstance(here, dict):
            return f"{spelled} holds no further names"
        elif path[:1] == ("rows",) and ROW.match(change.target):
            columns = part.value.get("columns")
            if isinstance(columns, dict) and step not in (*columns, *ROW_KEYS):
                return suggest(step, [str(item) for item in columns])
        elif step not in here and not adds and not (last and change.action == "set" and change.was is None):
            return "name a table that has rows" if step == "rows" else suggest(step, list(here))
        if last:
            return here, key, path
        here, path = here[key], (*path, key)
    return ""


def _near_part(key: PartKey | None, known: Collection[PartKey]) -> str:
    """Return a hint with the part of this category that may be meant, or with the first parts if none is near.

    The hint is empty for None, the key of an address that cannot be read.
    """
    return suggest(".".join(key), [".".join(part) for part in sorted(known) if part[0] == key[0]]) if key else ""
