"""Read a force file and its libraries, then check and price everything under its rules.

Each problem is reported at its place. ``read_force`` checks the structure of the file, ``load_force`` all the rest.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel, ValidationError

from generator.files import real_path
from generator.forces import fixes
from generator.forces.designs import COUNT, TIMES, read_fields, split_entries, unknown_field
from generator.forces.force import Design, Force, Unit, UnitEntry
from generator.forces.models import MAX_ENTRIES, DesignModel, EntryModel, ForceModel, LibraryModel, UnitModel, as_label
from generator.forces.pricing import Broken, Priced, price
from generator.parsing.tables import TABLES
from generator.parsing.yaml12 import is_named_yaml, read_yaml
from generator.problems import Problem, ProblemsError, Span, nearest, suggest
from generator.rules.entries.kinds import FORCE, UNIT, Field, Kind, kinds_of_designs, unit_fields
from generator.rules.formulas.functions import whole
from generator.rules.source.parts import Part, Place, in_order, located
from generator.rules.source.pictures import PictureModel, load_picture
from generator.rules.source.settings import Settings, settings_in
from generator.rules.source.validation import show, validate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from generator.forces.fixes import Change
    from generator.parsing.text import Document
    from generator.render.pictures import Picture
    from generator.rules.ruleset import RuleSet

NO_RULES = ["-"]
"""Placeholder rules for a file that names no valid rules."""
NO_FORCE = "a force has force: and rules:; a scenario has scenario:, rules: and sides:; for a book, name its folder"
"""The hint for a file that is not a force."""


class ForceFile(NamedTuple):
    """The contents of a force file, with the designs of its libraries."""

    plain: ForceModel
    """The keys of the file; a key that cannot be read has its default."""
    rules: tuple[str, ...]
    """Empty if the file names no valid rules."""
    settings: Settings
    designs: tuple[Place, ...]
    """The places of the designs: those of libraries, then those of the file itself."""
    units: tuple[Place, ...]
    complete: bool
    """Whether the file lists units (even if their names are missing), or is a library, which has no units."""
    place: Place
    problems: tuple[Problem, ...]
    """The problems with the structure of the file; the rest of the file can be used."""
    table: bool = False
    """Whether the file is a spreadsheet, which has headings instead of keys."""


def _says_force(value: Any) -> bool:
    """Return whether a file's contents have a key ``force``, ``units`` or ``designs``, in capitals or small letters."""
    return isinstance(value, dict) and bool({"force", "units", "designs"} & {*map(str.lower, value)})


def read_force(path: Path) -> ForceFile:
    """Read a force file and its libraries. A library of designs with ``rules`` is read as a force without units.

    Raises ProblemsError if nothing can be used. F1xx: the file cannot be read. F205: it is not a force. F122: a row
    that was left out may contain the missing columns. Other problems are returned with the file: F1xx for its text,
    F216 for cells of a spreadsheet, R201 to R203 for keys. Libraries can have these problems, and F205, F206 and F208.
    """
    document, problems = _read(path)
    if document is None:
        raise ProblemsError(*problems)
    return force_in(Part("", document), path, [*problems])


def force_in(
    part: Part, path: Path, problems: list[Problem], defaults: Mapping[str, Any] = MappingProxyType({})
) -> ForceFile:
    """Return the force in a part of a file; its problems begin with the ``problems`` of reading the file.

    The list ``problems`` is extended. ``defaults`` gives values to keys that the force may leave out; they are added to
    the value of ``part``. Raises ProblemsError for F122 and F205 as ``read_force`` does.
    """
    table = path.suffix.lower() in TABLES
    if isinstance(part.value, dict) and defaults:
        part.value |= {key: item for key, item in defaults.items() if key not in part.value}
    contents: Any = part.value
    of_forces = ForceModel.model_fields.keys() - LibraryModel.model_fields.keys() - {"note", "libraries"}
    library = isinstance(contents, dict) and "designs" in contents and of_forces.isdisjoint(map(str.lower, contents))
    if any(problem.code == "F122" for problem in problems) and not {"force", "rules"} <= set(contents):
        raise ProblemsError(*problems)  # the missing columns may be in a row that was left out
    if not _says_force(contents) or (library and "rules" not in contents):
        text = isinstance(contents, str) and len(contents.split()) > 1 and not is_named_yaml(path)
        found = "a library of designs without rules" if library else "a text" if text else show(contents)
        hint = NO_FORCE
        if library:
            hint = "add rules: [...] to check it by itself; a force names it under libraries:"
        if table:
            hint = "add the columns force and rules, and fill them in once"
        if isinstance(contents, dict) and "sides" in contents:
            found, hint = "a scenario", "check and build take one; the forces of its sides may have files of their own"
        span = part.place().span()
        span = span if isinstance(contents, dict) or is_named_yaml(path) else span._replace(text="")
        problems.append(Problem("F205", span, "a force", found, hint=hint))
        raise ProblemsError(*problems)
    model_problems: list[Problem] = []
    validate(LibraryModel if library else ForceModel, contents, part.place, model_problems)
    about_units = any(problem.code == "R201" and problem.field.startswith("unit") for problem in problems)
    problems += (_of_a_heading(problem, part.place().span()) for problem in model_problems) if table else model_problems
    designs = _from_libraries(path, part, problems)
    doubled = any((problem.code, problem.field) == ("F106", "budget") for problem in problems)
    plain = sound(ForceModel, part.place(), {"force": as_label(path.stem), "rules": NO_RULES})
    return ForceFile(
        plain.model_copy(update={"budget": None}) if doubled else plain,  # nobody knows which budget counts
        () if plain.rules == tuple(NO_RULES) else plain.rules,
        settings_in(part),
        (*designs, *_listed(part, "designs")),
        _listed(part, "units"),
        library or about_units or contents.get("units", []) != [],
        part.place(),
        tuple(problems),
        table,
    )


def sound(model: type[BaseModel], place: Place, otherwise: Mapping[str, Any], left_out: Collection[str] = ()) -> Any:
    """Return the value at a place as its model, without its invalid keys; None if it is invalid even so.

    ``otherwise`` are values for required keys that are missing or invalid. Keys in ``left_out`` are not read.
    """
    value = place.value()
    items = value.items() if isinstance(value, dict) else ()
    kept: dict[str, Any] = {key: item for key, item in items if key not in left_out}
    for _ in range(2):
        try:
            return model.model_validate({**otherwise, **kept}, context=place)
        except ValidationError as error:
            wrong = {item["loc"][0] for item in error.errors(include_url=False) if item["loc"]}
            kept = {key: item for key, item in kept.items() if key not in wrong}
    return None


def _read(path: Path) -> tuple[Document | None, tuple[Problem, ...]]:
    """Return the document of a YAML file or spreadsheet (None if it cannot be used) and the problems of reading it."""
    if path.suffix.lower() in TABLES:
        from generator.forces.spreadsheet import read_spreadsheet

        return read_spreadsheet(path, str(path))
    return read_yaml(path, str(path))


def _of_a_heading(problem: Problem, start: Span) -> Problem:
    """Return a problem in the words of a spreadsheet: a missing key (R201) is a column to add or to fill in.

    ``start`` is where the force begins: a missing key that is reported there has no heading.
    """
    if problem.code != "R201":
        return problem
    hint = f"add the heading {problem.field}, and fill it in once" if problem.span == start else "fill it in once"
    return problem._replace(expected=f"the column {problem.field}", hint=hint)


def _listed(part: Part, what: str) -> tuple[Place, ...]:
    """Return the places of the mappings among the first ``MAX_ENTRIES`` entries of the list under the key ``what``.

    Other entries are left out without a problem. Empty if the part has no such list.
    """
    entries = part.value.get(what) if isinstance(part.value, dict) else None
    if not isinstance(entries, list):
        return ()
    listed = enumerate(entries[:MAX_ENTRIES])
    return tuple(part.place((what, index)) for index, item in listed if isinstance(item, dict))


def _from_libraries(path: Path, part: Part, problems: list[Problem]) -> list[Place]:
    """Return the places of the designs in the libraries that a force names.

    Adds F208 for a library that is named twice, and F206 for a file outside the force's folder or the force itself.
    Adds problems of the libraries as ``_designs_of`` does.
    """
    listed = part.value.get("libraries")
    designs: list[Place] = []
    seen: set[Path] = set()
    for index, name in enumerate(listed if isinstance(listed, list) else [listed]):
        place = part.place(("libraries", index) if isinstance(listed, list) else ("libraries",))
        if not isinstance(name, str):
            continue
        target = path.parent / name
        real = real_path(target)
        if real in seen:
            problems.append(place.problem("F208", "each library once", name, "remove this one"))
        elif real == path.resolve():
            hint = "remove it: a force always has its own designs"
            problems.append(place.problem("F206", "another file", name, hint))
        elif not real.is_relative_to(path.parent.resolve()):
            hint = "move it into the folder of the force, and use no link to another folder"
            problems.append(place.problem("F206", "a file in the force's folder", name, hint))
        else:
            designs += _designs_of(target, place, name, problems)
        seen.add(real)
    return designs


def _designs_of(target: Path, place: Place, name: str, problems: list[Problem]) -> tuple[Place, ...]:
    """Return the places of the designs in the library file ``target``, which the force calls ``name`` at ``place``.

    Adds F205 if the file is not a library, R201 to R203 for its keys, and the problems of reading the file. The designs
    of a file that is a force are returned as well. The result is empty if the file cannot be read.
    """
    document, unread = _read(target)
    problems += [located(problem, place) for problem in unread]
    if document is None:
        return ()
    library = Part("", document)
    if not _says_force(library.value):
        hint = "a library begins with designs: and lists them"
        problems.append(place.problem("F205", "a library of designs", name, hint))
    elif {"force", "units"} & {*library.value}:
        hint = "move its designs into a file that has only designs:"
        problems.append(place.problem("F205", "a library of designs", "a force", hint))
    else:
        validate(LibraryModel, library.value, library.place, problems)
    return _listed(library, "designs")


_PICTURE = 76
"""The greatest width of a picture on a card in millimetres, with its bleed."""


def load_force(file: ForceFile, rules: RuleSet) -> Force:
    """Return the force of a file under its rules, with the problems of the file and all others.

    Raises ProblemsError (R241) if the rule data gives no price, and OSError as ``load_picture`` does. The total leaves
    out what is not valid, and then the force's own cost, too. Limits that depend on invalid parts are not checked.
    Codes: R201 to R203 for keys; F201 to F204 for fields; F207 an unknown kind; F208 a repeated name; F209 an unknown
    design; F210 over budget; F211 (advice) a design in no unit; F212 (advice) no units. F101, F142 and F206 are for
    pictures; the code of a broken limit is its rule set and its id.
    """
    return _ForceReader(file, rules).force()


class _ForceReader:
    """Builds a force from its file and collects the problems."""

    def __init__(self, file: ForceFile, rules: RuleSet) -> None:
        self.file = file
        self.rules = rules
        self.costs = rules.manifest.costs
        whole = rules.kinds[FORCE].lines if FORCE in rules.kinds else ()
        self.paid = {name for line in whole if line.points is not None for name in line.points.names}
        """The names in the formulas of what the whole force pays, such as tallies of its designs."""
        self.kinds = kinds_of_designs(rules.kinds)
        self.kinds_by_name = {word: kind for name, kind in self.kinds.items() for word in (name, kind.title.lower())}
        self.problems = list(file.problems)
        self.designs: dict[str, Design] = {}
        self.units: dict[str, Unit] = {}
        self.first: dict[str, Place] = {}
        """The first place of each design name, whether or not the design is valid."""
        self.first_units: dict[str, Place] = {}
        self.hidden = any(
            problem.code in ("R202", "F105") or problem.field.startswith(("designs", "libraries"))
            for problem in file.problems
        )
        """Whether a design may be unreadable; a unit may then name a design that is not known."""
        self.whole = not self.hidden
        """Whether every design and unit so far is valid."""

    def force(self) -> Force:
        """Return the force with all of its problems. Raises as ``load_force`` does."""
        for place in self.file.designs:
            self.design(place)
        for place in self.file.units:
            self.unit(place)
        file, plain, units = self.file, self.file.plain, tuple(self.units.values())
        loose = tuple(UnitEntry(design, 1, design.place) for design in self.designs.values()) if not file.units else ()
        priced = self.whole_force(units, loose) if self.whole else None
        if priced:  # for display
            for name in {entry.design.name for unit in units for entry in unit.of} or [*self.designs]:
                self.designs[name] = fixes.with_shares(self.designs[name], priced)
        own = priced.total if priced else 0
        total = whole(own + sum((unit.known_points for unit in units), start=0) + sum(item.points for item in loose))
        force = Force(
            plain.force, self.rules, plain.budget, plain.note, plain.edition, file.settings,
            tuple(self.designs.values()), units, bool(file.units), total, self.whole, priced, file.place, (),
        )  # fmt: skip
        if plain.budget is not None and total > plain.budget:
            self.problems.append(fixes.over_budget(force, plain.budget, file.place / "budget"))
        if self.whole:
            self.problems += self.advice(units)
        return force._replace(problems=in_order(file.place, self.problems))

    def whole_force(self, units: tuple[Unit, ...], loose: tuple[UnitEntry, ...]) -> Priced | None:
        """Return the force's own cost lines and limits, and add a problem for each broken limit.

        ``loose`` has every design once, or nothing if there are units. Return None without a kind ``force``.
        """
        parts = [entry for unit in units for entry in unit.of] or list(loose)
        priced = fixes.price_whole(self.rules, parts, [unit.priced for unit in units])

        if priced is None:
            return None

        def changes(broken: Broken) -> Iterable[Change]:
            removed, added = fixes.removals(parts, units), fixes.additions(self.designs.values())
            return [*removed, *added, *fixes.value_changes(parts, broken)]

        self.problems += fixes.sum_problems(priced, parts, changes, self.file.place)
        return priced

    def design(self, place: Place) -> None:
        """Read the design at a place, and add it to the designs if its name is new and all of its keys are valid.

        If only the picture's file is refused, the design is added without it. Adds problems, also of broken limits.
        """
        given, problems = place.value(), self.problems
        before = len(problems)
        name, kind = given.get("design"), self.kind(given.get("kind"), place / "kind")
        fields = kind.fields if kind else tuple(field for each in self.kinds.values() for field in each.fields)
        head, rest = self.head(DesignModel, fields, given, place)
        if kind is None:  # other problems depend on the kind
            known, hint = [field.name for field in fields], "give the design a kind of these rules first"
            problems += [unknown_field(key, rest, place, known, hint) for key in rest if key not in known]
        values = read_fields(kind.fields, rest, place, problems) if kind else None
        if isinstance(name, str) and name in self.first:
            problems.append(name_twice(place / "design", name, self.first[name]))
        elif head is not None and kind is not None and values is not None:
            priced = price(kind, values, self.costs)
            problems += fixes.design_problems(priced, self.paid, place)
            picture = self.picture(head.picture, place / "picture")
            own = tuple(problems[before:])
            self.designs[name] = Design(name, kind, values, priced, place, head.note, own, picture)
        self.hidden |= name is None or isinstance(name, list | dict)
        self.first.setdefault(name.strip() if isinstance(name, str) else show(name), place)
        self.whole &= isinstance(name, str) and name in self.designs

    def picture(self, model: PictureModel | None, place: Place) -> Picture | None:
        """Return the picture of a design; None without a picture, or if it is refused.

        Adds F101, F142 or F206 if refused, F142 as advice for too few pixels. Raises OSError as ``load_picture`` does.
        """
        try:
            folder = Path(place.inside.document.name).parent
            return load_picture(folder, model, place, _PICTURE, self.problems) if model else None
        except ProblemsError as error:
            self.problems += error.problems
            return None

    def kind(self, word: Any, at: Place) -> Kind | None:
        """Return the kind of a design, by id or printed name, ignoring case; None for an unknown kind.

        Adds F207 for an unknown kind. A value that is not a text is reported with the other keys of the design.
        """
        kind = self.kinds_by_name.get(word.strip().lower()) if isinstance(word, str) else None
        if isinstance(word, str) and kind is None:
            kinds = f"kinds: {', '.join(sorted(self.kinds))}" if self.kinds else "these rules have no kinds of designs"
            hint = suggest(word, self.kinds_by_name, kinds)
            self.problems.append(at.problem("F207", "a kind of these rules", word, hint))
        return kind

    def head(
        self, model: type[BaseModel], fields: Iterable[Field], given: Mapping[str, Any], place: Place
    ) -> tuple[Any, dict[str, Any]]:
        """Return the keys that all designs or units have, as their model, and the remaining keys.

        Adds R201 to R203, but no R201 if an unknown key remains: it may be the missing key, misspelt. The model is None
        if a key is missing or wrong. A key that resembles a missing common key does not remain: it is reported as R202.
        ``fields`` are the fields that may be among the remaining keys.
        """
        names = [field.name for field in fields]
        keys = [*model.model_fields]
        own: dict[str, Any] = {}
        for key, value in given.items():
            near = "" if key in keys or key in names else nearest(key, [*keys, *names])
            if key in keys or (near in keys and near not in given):
                own[key] = value
        rest = {key: value for key, value in given.items() if key not in own}
        problems: list[Problem] = []
        head = validate(model, own, lambda path: place._replace(path=(*place.path, *path)), problems)
        strange = rest.keys() - {*names}  # an unknown key may be the missing key, misspelt
        self.problems += (problem for problem in problems if not (strange and problem.code == "R201"))
        return head, rest

    def unit(self, place: Place) -> None:
        """Read the unit at a place, and add it with its valid entries if its name is new and its fields are valid.

        Adds the problems of the unit, with its broken limits.
        """
        given, problems = place.value(), self.problems
        before = len(problems)
        kind, fields, name = self.rules.kinds.get(UNIT), unit_fields(self.rules.kinds), given.get("unit")
        members = read_members(given.get("of"), place / "of", self.first)
        head, rest = self.head(UnitModel, fields, {**given, "of": members} if members else given, place)
        entries = tuple(self.entries(members, place / "of"))
        values = read_fields(fields, rest, place, problems)
        known = head is not None and len(entries) == len(head.of)
        self.whole &= known and values is not None
        priced = None
        if kind and known and values is not None:
            sums = fixes.added_up(kind, entries)
            priced = price(kind, values, self.costs, sums)
            changes = [*fixes.removals(entries)] or [*fixes.additions(self.designs.values())]
            problems += fixes.sum_problems(priced, entries, lambda _: changes, place)
        if not isinstance(name, str):
            return
        if self.first_units.setdefault(name, place) is not place:
            problems.append(name_twice(place / "unit", name, self.first_units[name]))
            self.whole = False
        elif values is not None:
            note = head.note if head is not None else ""
            self.units[name] = Unit(name, values, entries, known, priced, place, note, tuple(problems[before:]))

    def entries(self, members: Iterable[Any], place: Place) -> Iterator[UnitEntry]:
        """Yield the valid entries of a unit. Entries of designs that are not valid are left out.

        Adds F209 for a design that neither the file nor its libraries name, unless a design may be unreadable.
        Members that are not valid entries are left out, too: ``head`` reports them.
        """
        for index, item in enumerate(members):
            name = item.get("design") if isinstance(item, dict) else None
            if not isinstance(name, str):
                continue
            if name in self.designs:
                if (entry := validate(EntryModel, item, place.inside.place, [])) is not None:
                    yield UnitEntry(self.designs[name], entry.count, place / index)
            elif name.strip() not in self.first and not self.hidden:  # ``head`` reports spaces around a name
                hint = suggest(name, self.first, f"designs: {', '.join(self.first) or 'there are none'}")
                at = place / index / "design"
                self.problems.append(at.problem("F209", "a design of this force", name, hint))

    def advice(self, units: tuple[Unit, ...]) -> Iterator[Problem]:
        """Yield F212 (advice) for a file without units, or F211 (advice) for each design that no unit has.

        Designs of libraries need no unit. A library, and a file with problems but no designs, have no F212. There is no
        F211 if a unit is empty.
        """
        if not self.file.complete and (self.designs or not self.problems):
            listed = self.file.place.inside.value
            at = self.file.place / ("units" if "units" in listed else "designs" if self.designs else "force")
            how = "add the headings unit and unit.count" if self.file.table else "add units: with the designs in each"
            hint = f"{how}; without units every design counts once"
            yield at.problem("F212", "units", "none", hint, severity="advice", at_key=True)
            return
        if not self.file.units or not self.file.complete or not all(unit.of for unit in units):
            return  # the design may be meant for an empty unit
        fielded = {entry.design.name for unit in units for entry in unit.of}
        for design in self.designs.values():
            if design.name not in fielded and design.place.inside is self.file.place.inside:
                at, hint = design.place / "design", "name it in a unit, or delete it"
                yield at.problem("F211", "a design that a unit contains", design.name, hint, severity="advice")


def name_twice(at: Place, name: str, first: Place) -> Problem:
    """Return F208 for a name that is used at ``first`` and again at ``at``."""
    there = first.span()
    hint = f"give one of them another name: the first is at {there.file}:{there.line}"
    return at.problem("F208", "a name that is not used yet", name, hint)


def read_members(listed: Any, place: Place, names: Collection[str]) -> list[Any]:
    """Return the entries of a unit from a list or a text, such as ``2 x Tank; Car``; empty for any other value.

    Each text that is not blank becomes a mapping with ``design`` and perhaps ``count``, and its places are recorded.
    Other items of a list are returned unchanged. Only a text outside a list may have semicolons between entries. A text
    that is one of ``names``, the names of designs, is never split. No problems are added.
    """
    if isinstance(listed, str):
        parts = [(listed, 0)] if listed in names else split_entries(listed)
        return [_member(part, place, place / index, offset, names) for index, (part, offset) in enumerate(parts)]
    return [
        _member(item, place / index, place / index, 0, names) if isinstance(item, str) and item.strip() else item
        for index, item in enumerate(listed if isinstance(listed, list) else ())
    ]


def _member(text: str, holder: Place, at: Place, offset: int, names: Collection[str]) -> dict[str, Any]:
    """Return the entry that a text stands for. A text that is a known design's name has no count.

    The entry has the place ``at``; its text begins at ``offset`` of the text at ``holder``.
    """
    times = None if text in names else TIMES.match(text)
    if times is None or times.end() == len(text):
        at.place_words(holder, offset, {"design": offset})
        return {"design": text}
    at.place_words(holder, offset, {"design": offset + times.end(), COUNT: offset})
    part = (times["part"] or "").replace(",", ".")
    count = Fraction(times["whole"] + part) if part else int(times["whole"])
    return {"design": text[times.end() :], COUNT: count}
