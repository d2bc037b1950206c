"""From a force file and its rules to a force: everything checked and priced, every problem with its place."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from generator.forces.designs import Partial, examine
from generator.forces.force import Design, Entry, Force, Unit
from generator.forces.headings import OF_UNIT, in_its_cell, of_a_design, of_a_row, of_a_unit, of_heading
from generator.forces.limits import limit_problems, over_budget
from generator.forces.members import cut_off, meant_members, read_members, with_twice
from generator.forces.models import MAX_COUNT, DesignModel, EntryModel, UnitModel
from generator.forces.notation import COUNT
from generator.forces.pricing import price
from generator.forces.sums import added_up, changed, first_of_each, left_out, mended, one_more, with_shares
from generator.problems import spell_path
from generator.rules.complaints import show
from generator.rules.formulas.functions import whole
from generator.rules.kinds import FORCE, UNIT, kinds_of_designs, unit_fields
from generator.rules.misspelt import near_key, respell, respell_keys
from generator.rules.validation import MERGE, validate
from generator.suggest import nearest, suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pydantic import BaseModel

    from generator.forces.files import ForceFile, Written
    from generator.forces.members import Member
    from generator.forces.pricing import Broken, Priced
    from generator.forces.sums import Way
    from generator.problems import Problem
    from generator.rules.kinds import Field, Kind
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet


def muster(file: ForceFile, rules: RuleSet) -> Force:
    """The force of a file under its rules. Raises ProblemsError (R241) where the rule data has no answer.

    Codes: F201 to F204 fields, F207 no such kind, F208 a name twice, F209 no such design, F210 over budget,
    F211 a design that nobody fields (advice), F212 no units (advice); limits by their rule set and id.
    """
    return _Muster(file, rules).force()


def in_order(file: ForceFile | Force, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Each once, in the order of the force's file; those of libraries after it."""
    own = file.place.span().file
    once = dict.fromkeys(problems)
    headings = {of_heading(one): one for one in reversed(once)}
    told = [one for one in once if of_heading(one) is None or headings[of_heading(one)] is one]
    return tuple(sorted(told, key=lambda one: (one.span.file != own, one.span)))


class _Muster:
    """What is known while the file is gone through."""

    def __init__(self, file: ForceFile, rules: RuleSet) -> None:
        self.file = file
        self.rules = rules
        self.costs = rules.manifest.costs
        self.kinds = kinds_of_designs(rules.kinds)
        self.called = {word: kind for name, kind in self.kinds.items() for word in (name, kind.title.lower())}
        self.of_units = {COUNT, *(field.name for field in unit_fields(rules.kinds))}
        said = [kind for one in file.designs if (kind := self.kind(one)) is not None]
        kinds = said if len(said) == len(file.designs) else self.kinds.values()
        self.said = {field.name for kind in kinds for field in kind.fields}
        """The fields of all kinds that its designs are of."""
        self.problems = list(file.problems)
        self.designs: dict[str, Design] = {}
        self.refused: set[str] = set()
        """The names of designs that cannot be used: units that name them say nothing more."""
        self.first: dict[str, Written] = {}
        """Where each name of a design stands first."""
        self.nameless = False
        """Whether a design has no name: it may be the one that a unit names."""
        self.units: dict[str, Unit] = {}
        self.uncounted: list[Design] = []
        """Designs that stand in units, and nobody knows how many of them."""
        self.listed = True
        """Whether every unit is made of designs that are known, counted or not."""

    def kind(self, written: Written) -> Kind | None:
        """What kind a design is of, by its id or its printed name."""
        return self.called.get(str(written.given.get("kind")).strip().lower())

    def meant_kind(self, written: Written, found: list[Problem]) -> Kind | None:
        """The kind that is nearly right, so that what stands with it is looked at; it has no price. F207."""
        word, at = written.given.get("kind"), written.place / "kind"
        if not isinstance(word, str) or at.refused():
            return None
        meant = near_key(word, self.called)
        kinds = f"kinds: {', '.join(sorted(self.kinds))}" if self.kinds else "these rules have no kinds of designs"
        hint = f"did you mean {meant}?" if meant else suggest(word, self.called, kinds)
        found.append(at.problem("F207", found=word, expected="a kind of these rules", hint=hint))
        return self.called[meant] if meant else None

    def force(self) -> Force:
        for written in self.file.designs:
            self.design(written)
        for written in self.file.units:
            self.unit(written)
        file, units = self.file, tuple(self.units.values())
        loose = tuple(Entry(one, 1, one.place) for one in self.designs.values()) if not file.units else ()
        known = not self.refused and len(units) == len(file.units) and all(unit.known for unit in units)
        listed = not self.refused and len(units) == len(file.units) and self.listed
        priced = self.whole_force(units, loose, known=listed)
        if priced:
            self.share(priced, units)
        points = [unit.points for unit in units] or [entry.points for entry in loose]
        own = priced.total if priced else 0
        total = whole(own + sum((one.known_points for one in units), sum((one.points or 0 for one in loose), start=0)))
        force = Force(
            file.name, self.rules, file.budget, file.note, file.settings, tuple(self.designs.values()), units, total,
            known and None not in points and (priced is None or priced.whole), priced, file.place, (),
        )  # fmt: skip
        if file.budget is not None and total > file.budget:
            self.problems.append(over_budget(force, file.budget))
        if known:
            self.problems += self.advice(units)
        return force._replace(problems=in_order(file, self.problems))

    def share(self, priced: Priced, units: Iterable[Unit]) -> None:
        """Show each fielded design its share of what the whole force pays."""
        fielded = {entry.design.name for unit in units for entry in unit.of}
        for name in fielded or [*self.designs]:
            self.designs[name] = with_shares(self.designs[name], priced)

    def whole_force(self, units: tuple[Unit, ...], loose: tuple[Entry, ...], *, known: bool) -> Priced | None:
        """The force's own lines and limits."""
        kind = self.rules.kinds.get(FORCE)
        if kind is None:
            return None
        parts = [entry for unit in units for entry in unit.of] or list(loose)
        sums = added_up(kind, parts, [unit.priced for unit in units], known=known, uncounted=self.uncounted)
        priced = price(kind, Partial({}), self.costs, sums)

        def ways(broken: Broken) -> Iterable[Way]:
            changes = changed(parts, self.costs, broken)
            return *left_out(parts, units), *one_more(self.designs.values()), *changes

        mend = partial(mended, kind, {}, priced, sums, ways, self.costs)
        self.problems += limit_problems(priced, self.file.place, mend, first_of_each(parts))
        return priced

    def design(self, written: Written) -> None:
        """A design, and what is wrong with it."""
        found: list[Problem] = []
        fields = {one.name for kind in self.kinds.values() for one in kind.fields}
        written = _respelled(written, DesignModel, fields, found, {"name": "design"})
        known = self.kind(written)
        kind = known or self.meant_kind(written, found)
        head, rest = _head(DesignModel, kind.fields if kind else (), written, found)
        said = written.given.get("design")
        if head is None and known is None and self.kinds:
            hint = f"kinds: {', '.join(sorted(self.kinds))}"
            found = [one._replace(hint=hint) if _about_kind(one) else one for one in found]
        if kind is None and MERGE in rest:
            examine((), {MERGE: rest[MERGE]}, written.place, found)
        if kind is not None:
            values = examine(kind.fields, rest, written.place, found)
            if None in rest.values():
                found = [with_twice(one, self.problems) for one in found]
            found = [in_its_cell(of_a_unit(one, self.of_units), written.place, self.said) for one in found]
            priced = price(kind, values, self.costs)
            if any(one.code == "F203" for one in found):
                from generator.forces.refusals import in_sight  # most designs have nothing refused

                found = in_sight(kind, values, found, written.place, self.costs)
            told = priced if len(priced.broken) < 2 else _independent(kind, values, priced, self.costs)  # noqa: PLR2004 - one follows from another
            mend = partial(_design_mended, kind, values, priced, self.costs)
            found += limit_problems(told, written.place, mend, kind=kind)
        found = [of_a_row(one, written.place) for one in found]
        if kind is not None and kind is known and head is not None and said not in self.first:
            self.designs[said] = Design(said, kind, values, priced, written.place, head.note, tuple(found))
        if isinstance(said, str):
            if said in self.first:
                found.append(_twice(written, "design", said, self.first[said]))
            elif said not in self.designs:
                self.refused.add(said)
            self.first.setdefault(said, written)
        elif said is not None:
            self.refused.add(show(said))  # as a unit names it in the short way
        else:
            self.nameless = True
        self.problems += found

    def unit(self, written: Written) -> None:
        """A unit with what it is made of, and what is wrong with it."""
        kind = self.rules.kinds.get(UNIT)
        found: list[Problem] = []
        fields = unit_fields(self.rules.kinds)
        others = {"name": "unit", "designs": "of"}
        written = _respelled(written, UnitModel, {one.name for one in fields}, found, others)
        of = written.given.get("of")
        for index, one in enumerate(of if isinstance(of, list) else ()):
            if isinstance(one, dict):
                respell(EntryModel, written.place.inside, found, (*written.place.path, "of", index))
        heads = {*UnitModel.model_fields, *(one.name for one in fields)}
        written = written._replace(given=written.place.value())
        cut = cut_off(written.given, heads, self.first) if isinstance(of, str) else []
        if cut:
            written = written._replace(given={key: one for key, one in written.given.items() if key not in cut})
            found.append(_cut(written.place / "of", (str(of), *cut)))
        name = written.given.get("unit")
        members = read_members(written.given.get("of"), written.place / "of", self.designs)
        if any(one.offset is not None for one in members):
            written = written._replace(given={**written.given, "of": [one.given for one in members]})
        told: list[Problem] = []
        head, rest = _head(UnitModel, fields, written, told)
        found += (_in_short(one, members, spell_path(written.place.written()[1])) for one in told)
        uncounted: list[Design] = []
        entries = tuple(self.entries(members, found, uncounted))
        values = examine(fields, rest, written.place, found)
        found = [of_a_design(one, self.said) for one in found]
        known = head is not None and len(entries) == len(head.of) and not cut
        listed = (known or bool(members)) and len(entries) + len(uncounted) == len(members) and not cut
        self.listed &= listed
        self.uncounted += uncounted
        priced = None
        if kind:
            sums = added_up(kind, entries, known=listed, uncounted=uncounted)
            priced = price(kind, values, self.costs, sums)

            def ways(_: Broken) -> Iterable[Way]:
                return left_out(entries) if entries else one_more(self.designs.values())

            mend = partial(mended, kind, values, priced, sums, ways, self.costs)
            found += limit_problems(priced, written.place, mend, first_of_each(entries))
        found = [of_a_row(one, written.place, OF_UNIT) for one in found]
        if isinstance(name, str) and name in self.units:
            found.append(_twice(written, "unit", name, self.units[name]))
        elif isinstance(name, str):
            note = head.note if head is not None else ""
            self.units[name] = Unit(name, values, entries, known, priced, written.place, note, tuple(found))
        self.problems += found

    def entries(self, members: Iterable[Member], found: list[Problem], uncounted: list[Design]) -> Iterator[Entry]:
        """What a unit is made of, as far as it is known. F209. What is no entry is told by the model."""
        for one, at, offset, start in members:
            said = one.get("design") if isinstance(one, dict) else None
            if not isinstance(said, str):
                continue
            count = one.get("count", 1)
            if said in self.designs:
                if not one.keys() <= EntryModel.model_fields.keys():
                    uncounted.append(self.designs[said])  # a key that nobody knows may have said how many
                elif isinstance(count, int) and not isinstance(count, bool) and 1 <= count <= MAX_COUNT:
                    yield Entry(self.designs[said], count, at, None if offset is None else start)
                else:
                    uncounted.append(self.designs[said])
            elif said not in self.refused and not self.file.torn:
                near = nearest(said, self.first)
                if self.nameless and not near:
                    continue
                meant = meant_members(said, self.first) if offset is not None else near
                hint = f"did you mean {meant}?" if meant else f"designs: {', '.join(self.first) or 'there are none'}"
                where = at / "design" if offset is None else at
                expected = "a design of this force"
                found.append(where.problem("F209", found=said, expected=expected, hint=hint, offset=offset))

    def advice(self, units: tuple[Unit, ...]) -> Iterator[Problem]:
        """F211 and F212: designs that stand in no unit."""
        if not self.file.complete and (self.designs or not self.problems):
            listed = self.file.place.inside.value
            at = self.file.place / ("units" if "units" in listed else "designs" if self.designs else "force")
            how = "add the headings unit and unit.count" if self.file.table else "list units: with what is in each"
            hint = f"{how}; until then every design is counted once"
            yield at.problem("F212", found="none", expected="units", hint=hint, severity="advice", at_key=True)
            return
        if not self.file.units or not self.file.complete or not all(unit.of for unit in units):
            return  # what was meant for an empty unit, nobody can tell
        fielded = {entry.design.name for unit in units for entry in unit.of}
        for design in self.designs.values():
            if design.name not in fielded and design.place.inside is self.file.place.inside:
                at, hint = design.place / "design", "name it in a unit, or take it out"
                expected = "a design that some unit fields"
                yield at.problem("F211", found=design.name, expected=expected, hint=hint, severity="advice")


def _head(
    model: type[BaseModel], fields: Iterable[Field], written: Written, problems: list[Problem]
) -> tuple[Any, dict[str, Any]]:
    """What every design or unit says, as its model, and the rest. R201 to R203."""
    heads, names = list(model.model_fields), [field.name for field in fields]
    rest: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for key, value in written.given.items():
        known = key in heads or key in names
        near = "" if known else nearest(key, [*heads, *names])
        misspelt = near in heads and near not in written.given
        (own if key in heads or misspelt else rest)[key] = value
    place = written.place
    told: list[Problem] = []
    head = validate(model, own, lambda path: place._replace(path=(*place.path, *path)), told)
    problems += (one for one in told if one.code != "R201" or MERGE not in rest)  # that key would bring it in
    return head, rest


def _cut(place: Place, entries: Sequence[str]) -> Problem:
    """F203 for entries with commas between them, which end a value in braces."""
    hint = f"write of: {'; '.join(entries)}, or of: [{', '.join(entries)}]"
    return place.problem("F203", found=", ".join(entries), expected="semicolons between entries", hint=hint)


def _in_short(problem: Problem, members: Iterable[Member], unit: str) -> Problem:
    """What is wrong with an entry in the short way, where it stands."""
    about = (one for index, one in enumerate(members) if problem.field.startswith(f"{unit}.of[{index}]."))
    member = next(about, None)
    return member.told(problem) if member is not None else problem


def _about_kind(problem: Problem) -> bool:
    return problem.code in ("R201", "R203") and problem.field.endswith(".kind")


def _respelled(
    written: Written,
    model: type[BaseModel],
    fields: Collection[str],
    problems: list[Problem],
    others: Mapping[str, str],
) -> Written:
    """With the keys that every design or unit has as they were meant; its fields see to themselves. R202."""
    place = written.place
    given = respell_keys(place.inside, place.path, model.model_fields, problems, fields, others)
    return written._replace(given=given)


def _twice(written: Written, what: str, name: str, first: Written | Unit) -> Problem:
    there = first.place.span()
    hint = f"call one of the two otherwise: the first is at {there.file}:{there.line}"
    return (written.place / what).problem("F208", found=name, expected="a name of its own", hint=hint)


def _independent(kind: Kind, values: Partial, priced: Priced, costs: Any) -> Priced:
    from generator.forces.clashes import independent  # most designs have nothing to mend

    return replace(priced, broken=independent(kind, values, priced, costs))


def _design_mended(kind: Kind, values: Partial, priced: Priced, costs: Any, broken: Any) -> str:
    from generator.forces.remedies import remedies  # most designs have nothing to mend

    return remedies(kind, values, priced, broken, costs)
