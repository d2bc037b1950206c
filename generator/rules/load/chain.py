"""Find a rule set with its parents, and read their files, missions among them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from generator.parsing.yaml12 import read_yaml
from generator.problems import Problem, Span, refused, suggest
from generator.rules.entries.tables import CERTIFICATE_KEYS
from generator.rules.model.manifest import DOT, Manifest, PartKey
from generator.rules.source.library import CATEGORIES, MANIFEST, MISSIONS, Folder, Library
from generator.rules.source.parts import INHERITED_LISTS, CitationResolver, Part, Place, Written
from generator.rules.source.validation import show, validate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import BaseModel

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
    parts: dict[PartKey, Part] = field(default_factory=dict)
    resolvers: dict[str, CitationResolver] = field(default_factory=dict)
    known: dict[PartKey, list[tuple[Folder, str]]] = field(default_factory=dict)
    """Every part that has a file, with the rule sets that have it, each with the subfolder of the file."""
    replaced: dict[str, str] = field(default_factory=dict)
    """The replaced procedures of parents, each with the id of the procedure that answers instead."""
    replaced_by: dict[str, str] = field(default_factory=dict)
    """For each replaced procedure of a parent, the rule set that replaces it."""

    def resolver(self, folder: Folder) -> CitationResolver:
        """Return the resolver of a rule set's citations, which may name the sources of the rule set and of its parents.

        Adds R208 if the rule set's own source is not listed.
        """
        own = self.manifests[folder.ruleset].source
        reach = (*sorted(self.ancestors(folder.ruleset)), folder.ruleset)
        sources = {key: source for ancestor in reach for key, source in self.manifests[ancestor].sources.items()}
        if own not in sources:
            at = self.heads[folder.ruleset].place(("source",))
            hint = f"listed under sources: {', '.join(sorted(sources)) or 'none'}"
            self.problems.append(at.problem("R208", "a listed source", f"the source {own}", hint))
        return CitationResolver(own, sources)

    def read_chain(self, ruleset: str) -> bool:
        """Find the rule set and all its parents, and read their manifests; return whether there is no problem.

        ``ruleset`` is an id, or several ids of sibling layers joined by ``+``.

        Adds R301 for an unknown rule set, R302 for a circle, R305 for unrelated rule sets joined by ``+``.
        """
        folders: dict[str, Folder] = {}

        def visit(name: str, at: Place | None, lineage: tuple[str, ...]) -> bool:
            """Add a rule set after its parents; return whether all of them can be used."""
            if name in lineage:
                self.problems.append(self._circle(lineage[lineage.index(name) :]))
                return False
            if name in folders:
                return True
            folder = self.library.find(name)
            if folder is None:
                hint = self.library.hint(name)
                problem = at.problem("R301", "a rule set", name, hint) if at else None
                self.problems.append(problem or refused("R301", ruleset, "a rule set", name, hint))
                return False
            manifest = self.read_model(Manifest, folder, MANIFEST)
            named = "give the folder and the rule set the same name"
            if manifest is None or not self.is_named(manifest.part, "ruleset", name, named):
                return False
            self.manifests[name], self.heads[name] = manifest
            extends = manifest.part.place(("extends",))
            parents = [
                visit(parent, extends / index, (*lineage, name)) for index, parent in enumerate(manifest.model.extends)
            ]
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

    def _circle(self, names: tuple[str, ...]) -> Problem:
        """Return R302 for rule sets that extend each other in a circle.

        The circle begins with its first name in the alphabet, so that it is always reported alike.
        """
        start = names.index(min(names))
        circle = (*names[start:], *names[:start], names[start])
        at = self.heads[circle[0]].place(("extends", self.manifests[circle[0]].extends.index(circle[1])))
        hint = f"remove {circle[1]} from extends here, or break the circle in another rule set"
        return at.problem("R302", "rule sets without a circle", " > ".join(circle), hint)

    def is_named(self, part: Part, key: str, name: str, hint: str = "") -> bool:
        """Return whether a file's value under ``key`` is ``name``, the name of the file or folder; add R303 if not."""
        found = part.value.get(key)
        if found != name:
            hint = hint or f"the file is named after its {key}"
            self.problems.append(part.place((key,)).problem("R303", f"{key}: {name}", f"{key}: {show(found)}", hint))
        return bool(found == name)

    def manifest_of(self, ruleset: str) -> Manifest:
        """Return the manifest of the rule set; for ``a+b`` the manifest of ``a``, joined with that of ``b``.

        Titles, short names, authors and rights are joined, without repeated authors and sentences. The edition is the
        latest of the whole chain.
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
        """Read a file of a rule set, which must hold keys with values; None with a problem otherwise.

        Adds F102 for a link that leads out of the rule set's folder.
        """
        path = folder.path.joinpath(*steps)
        if path.is_symlink() or path.parent.is_symlink():
            inside = Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder.path))
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
        """Read a file of a rule set as a model; None with a problem for each error."""
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

        Bases come first. An entry whose base cannot be used is left out.

        Adds R229 for an unknown base, or for a circle, which leaves nothing. Adds R232 for a name under ``without``
        that the base does not have.
        """
        bases: dict[str, str | None] = {name: source.model.based_on for name, source in sources.items()}  # type: ignore[attr-defined] # kinds and cards have it
        what, whole = f"another {CATEGORIES[category]}", dict[str, Written[M]]()
        try:
            order = [*TopologicalSorter({name: [base] if base else [] for name, base in bases.items()}).static_order()]
        except CycleError as error:
            circle = error.args[1][:0:-1]
            start = circle.index(min(circle))
            found = " > ".join((*circle[start:], *circle[: start + 1]))
            hint = f"remove based_on from one {CATEGORIES[category]} of the circle"
            self.problems.append(sources[min(circle)].part.place(("based_on",)).problem("R229", what, found, hint))
            return {}
        for name in filter(sources.__contains__, order):
            (model, part), base = sources[name], bases[name]
            if base is None:
                whole[name] = sources[name]
            elif base in whole:
                names = [item for key in INHERITED_LISTS for item in whole[base].part.named(key)]
                for index, item in enumerate(part.value.get("without", ())):
                    if item not in names:
                        at = part.place(("without", index))
                        self.problems.append(
                            at.problem("R232", "a part of what this is based on", item, suggest(item, names))
                        )
                merged = part.based_on(whole[base].part)
                valid = validate(type(model), merged.value, merged.place, self.problems)
                whole |= {name: Written(valid, merged)} if valid is not None else {}
            elif base not in sources:
                hint = suggest(base, sources, f"{CATEGORIES[category]}s here: {', '.join(sorted(sources))}")
                self.problems.append(part.place(("based_on",)).problem("R229", what, base, hint))
        return whole

    def ancestors(self, ruleset: str) -> set[str]:
        """Return the parents of a rule set, their parents, and so on."""
        parents = self.manifests[ruleset].extends
        return set(parents).union(*(self.ancestors(parent) for parent in parents)) if parents else set()

    def add_missions(self, folder: Folder) -> None:
        """Add the rows of a rule set's mission files to the tables of missions and their parts, if these were read.

        Adds R201 to R203 for a mission file of another shape, and R303 if its id is not its file name.
        """
        from generator.rules.model.table import MissionModel

        names = ("missions", *(table for table, *_ in _PARTS.values()))
        tables = {name: self.parts["tables", name] for name in names if ("tables", name) in self.parts}
        if not tables:
            return
        missions = []
        for mission_id in folder.ids(MISSIONS):
            read = self.read_model(MissionModel, folder, MISSIONS, f"{mission_id}.yaml")
            if read is not None and self.is_named(read.part, "mission", mission_id):
                missions.append((read.model.order, mission_id, read.part))
        for _, mission_id, part in sorted(missions, key=lambda item: item[:2]):
            _add(tables, mission_id, part)

    def find_replacements(self, read: Sequence[tuple[str, Folder, Part]]) -> None:
        """Record which procedures replace procedures of parents. ``read`` are the procedures by id, parents first.

        A key that is not a list is reported later. Codes: R210 no parent has a procedure of that id, R212 two
        procedures replace the same procedure.
        """
        replacements: dict[str, tuple[str, str]] = {}
        for own, folder, part in read:
            below, listed = self.ancestors(folder.ruleset), part.value.get("replaces")
            theirs = [name for name, lower, _ in read if lower.ruleset in below]
            for index, old in enumerate(map(str, listed) if isinstance(listed, list) else ()):
                at, (rival, name) = part.place(("replaces", index)), replacements.get(old, ("", ""))
                if old not in theirs:
                    self.problems.append(at.problem("R210", "a procedure of a parent", old, suggest(old, theirs)))
                elif rival and rival not in below:
                    found, hint = f"{old}, which {rival}/{name} replaces", f"delete {old} here or there"
                    self.problems.append(at.problem("R212", "one procedure that replaces it", found, hint))
                else:
                    replacements[old] = folder.ruleset, own
        self.replaced_by = {old: owner for old, (owner, _) in replacements.items()}
        for old in replacements:
            new = old
            for _ in replacements:  # a layer may replace a procedure that itself replaces another
                new = replacements[new][1] if new in replacements else new
            if new != old:
                self.replaced[old] = new


def _joined(names: Sequence[str]) -> str:
    """Join short names; the game's name before the dot is kept once if all names share it.

    >>> _joined(["Game · Dice", "Game · House rules"]), _joined(["Game", "Game · Dice"])
    ('Game · Dice + House rules', 'Game + Game · Dice')
    """
    game, dot, _ = names[0].partition(DOT)
    if dot and all(name.startswith(game + dot) for name in names):
        return game + dot + " + ".join(name.removeprefix(game + dot) for name in names)
    return " + ".join(names)


_PARTS = {
    "goals": ("goals", "mission", "goal"),
    "awards": ("awards", "mission", "award"),
    "pieces": ("fixtures", "mission", "fixture"),
    "events": ("arrivals", "cause", "arrival"),
}
"""For each list of a mission: the table of its rows, and the table's columns for the mission and the number."""


def _add(tables: dict[str, Part], mission_id: str, part: Part) -> None:
    """Add the rows of one mission file to the tables."""
    written: dict[str, Any] = part.value
    certificate = {key: value for key, value in written.items() if key in CERTIFICATE_KEYS}
    if "missions" in tables:
        row = {key: value for key, value in written.items() if key not in (*_PARTS, "order")}
        tables["missions"].add_row(row, part.place())
    for key, (table, owner, number) in _PARTS.items():
        for index, entry in enumerate(written.get(key, ()) if table in tables else ()):
            row = {owner: mission_id, number: index + 1, **certificate, **entry}
            tables[table].add_row(row, part.place((key, index)))
