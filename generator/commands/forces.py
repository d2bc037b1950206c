"""Price, compare, convert and create forces, and let two forces fire at each other."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from generator.commands.access import (
    Data,
    decimal,
    diff_data,
    load_for_file,
    load_valid,
    of_another_edition,
    write_new,
    write_with_schema,
)
from generator.forces.cards import no_figure, shots, targets
from generator.forces.designs import spell_fields, write_yaml
from generator.parsing.tables import CODE, TABLES, WORKBOOK
from generator.parsing.text import Assignment, split_words
from generator.problems import Problem, ProblemsError, Span, raise_any, raise_errors, refused
from generator.reporting.problems import problem_data
from generator.rules.describe.differences import Item, compare, fingerprint, shared
from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import FORCE, UNIT, unit_fields
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.working import spell
from generator.rules.load.load import ALL
from generator.scenarios.schema import force_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from generator.forces.force import Force
    from generator.forces.pricing import Priced, Use
    from generator.rules.formulas.functions import Number
    from generator.rules.procedures.procedure import Input
    from generator.rules.source.library import Library


def cost(library: Library, paths: Sequence[Path]) -> tuple[Data, tuple[Problem, ...]]:
    """Return the costs of a force, with working and capacity, and its problems; several forces are set side by side.

    Raises ProblemsError if any of the files cannot be read, or if its rules are unknown, have errors or give no price.
    """
    forces = [load_force_file(library, path) for path in paths]
    problems = tuple(dict.fromkeys(problem for force in forces for problem in force.problems))
    return (force_data(forces[0]) if len(forces) == 1 else side_by_side(forces)), problems


def load_force_file(library: Library, path: Path, more: Collection[str] = ()) -> Force:
    """Return the checked and priced force of a file. Settings of the library override settings of the file.

    ``more`` names the categories of rule data to load in addition to the kinds, such as ``cards`` or ``sheets``. All
    problems of the file and its settings are in the force. Raises ProblemsError if the file cannot be read or its rules
    cannot be used, such as R301 for unknown rules.
    """
    from generator.forces.load import load_force, read_force
    from generator.rules.source.settings import unknown_rulesets

    file = read_force(path)
    file = file._replace(problems=(*file.problems, *unknown_rulesets(file.settings, library.ids())))
    library = library._replace(settings=file.settings | library.settings)
    unset: list[Problem] = []
    keys = [(text, ALL) for text in ("kinds", *more)]
    rules = load_for_file(library, file, keys, unset, lambda rules: load_force(file, rules).problems)
    hint = "look at its price, print it again, then write the new data as its edition"
    older = of_another_edition("F217", file.plain.edition, file.place, library, rules, hint)
    return load_force(file._replace(problems=(*file.problems, *unset, *older)), rules)


def diff(library: Library, before: Path, after: Path) -> tuple[Data, tuple[Problem, ...]]:
    """Return the differences between two forces as ``diff_data`` makes them, and the problems of both forces.

    Designs and units are the same if they have the same name. Raises ProblemsError as ``load_force_file`` does.
    """
    first, second = load_force_file(library, before), load_force_file(library, after)
    related = bool({folder.ruleset for folder in first.rules.chain} & {folder.ruleset for folder in second.rules.chain})
    counts = {  # designs and units are the same if they have the same name
        what: shared(*({item.name for item in getattr(force, what)} for force in (first, second)))
        for what in ("designs", "units")
    }
    differences = [
        *compare(_entries(first), _entries(second)),
        *compare({"": _entry(_whole(first))}, {"": _entry(_whole(second))}),
    ]
    data = diff_data(str(before), str(after), counts, differences, related=related)
    return data, tuple(dict.fromkeys((*first.problems, *second.problems)))


def _entries(force: Force) -> dict[str, Item]:
    """Return the designs and the units as entries to compare, by address, such as ``designs.Sabre``."""
    fields, entries = unit_fields(force.rules.kinds), dict[str, Item]()
    for design in force.designs:
        values = {"kind": design.kind.id, **spell_fields(design.kind.fields, design.values), "note": design.note}
        values |= {"points": _points(design.points)} if design.kind.pays else {}
        entries[f"designs.{design.name}"] = _entry(values)
    for unit in force.units:
        of = ", ".join(f"{item.count} × {item.design.name}" for item in unit.of)
        values = {**spell_fields(fields, unit.values), "of": of, "note": unit.note}
        values |= {"points": _points(unit.points)} if unit.pays else {}
        entries[f"units.{unit.name}"] = _entry(values)
    return entries


def _entry(values: Mapping[str, str]) -> Item:
    """Return the values of a design, a unit or a force as an entry to compare.

    The entry's short content is the points, or else the designs, or else the kind; None for a force.
    """
    return Item(values.get("points", values.get("of", values.get("kind"))), values)


def _whole(force: Force) -> dict[str, str]:
    """Return the values of the force itself, by name: force, rules, note, settings, budget and total.

    A setting has its path as its name. A force without a budget has no ``budget``. The total is "?" if the force is not
    ``whole``. If the force does not pay points, ``elements``, the count of elements, takes the place of ``total``.
    """
    values = {"force": force.name, "rules": force.rules.id, "note": force.note}
    values |= {path: spell_value(value) for path, value in force.settings.by_path().items()}
    values |= {} if force.budget is None else {"budget": _points(force.budget)}
    if force.pays:
        return values | {"total": _points(force.total if force.whole else None)}
    return values | {"elements": spell(force.elements)}


def _points(points: Number | None) -> str:
    return "?" if points is None else spell(points)


def reading_problems(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems that prevent reading a part of a force: not limits, budgets and advice."""
    return tuple(
        problem
        for problem in problems
        if problem.severity == "error" and "/" not in problem.code and problem.code != "F210"
    )


def convert(library: Library, source: Path, target: Path) -> tuple[Problem, ...]:
    """Write a force in the format of the target's extension; return the problems of the force.

    The formats are YAML (.yaml, .yml), a spreadsheet (.csv, .xlsx) and a line for a QR code (.qr). Raises ProblemsError
    as ``cost`` does, and for each value that cannot be read, so that nothing is lost. It raises F131 if the target
    exists or cannot be written, F213 if it is a folder or has another extension. F213 (advice) names each picture and
    each unit without designs that a spreadsheet or a line leaves out. Raises OSError for a path that cannot be looked
    up.
    """
    from generator.forces.spreadsheet import write_code, write_spreadsheet, write_workbook

    writers: dict[str, Callable[[Force], str | bytes]] = {
        ".yaml": write_yaml, ".yml": write_yaml, ".csv": write_spreadsheet, WORKBOOK: write_workbook,
        CODE: lambda force: f"{write_code(force)}\n",
    }  # fmt: skip
    write = writers.get(target.suffix.lower())
    expected = ".yaml, .csv, .xlsx or .qr"
    if target.is_dir():
        ending = ".yaml" if source.suffix.lower() in TABLES else ".csv"
        hint = f"name the new file: {target / source.stem}{ending}"
        raise ProblemsError(Problem("F213", Span(str(target)), expected, "a folder", hint=hint))
    if write is None:
        found = f"a name ending in {target.suffix}" if target.suffix else "a name without an ending"
        hint = "end the new file's name in .yaml, .csv, .xlsx or .qr"
        raise ProblemsError(refused("F213", str(target), expected, found, hint))
    force = load_force_file(library, source)
    raise_any(reading_problems(force.problems))
    write_new({target: write(force)})
    if write is write_yaml:
        return force.problems
    lost = [(design.place / "picture", f"the picture of {design.name}") for design in force.designs if design.picture]
    lost += [(unit.place, f"the unit {unit.name}, without designs") for unit in force.units if not unit.of]
    advice = (at.problem("F213", "what a table holds", it, "write .yaml", severity="advice") for at, it in lost)
    return (*force.problems, *advice)


def schema(library: Library, name: str) -> Data:
    """Return the JSON Schema of a rule set's force files. Raises ProblemsError as ``load_valid`` does."""
    return force_schema(load_valid(library, name, only=[("kinds", ALL)]))


def new(library: Library, name: str, folder: Path, sample: str | None = None) -> tuple[Path, ...]:
    """Write a first force of a rule set, or a copy of a sample, and its schema into a folder; return the paths.

    ``name`` is the id of the rule set, or several ids joined by ``+``. The files are always ``force.yaml`` and
    ``force.schema.json``. Raises ProblemsError: F131 if a file exists already or cannot be written; others as
    ``load_valid``, and as ``sample_force`` or ``starter_force`` does.
    """
    from generator.forces.starter import sample_force, starter_force

    rules = load_valid(library, name, only=[("kinds", ALL)])
    if sample is None:
        text = starter_force(rules, fingerprint(rules))
    else:
        text = sample_force(rules.chain, name.split("+"), sample)
    return write_with_schema(folder, "force", text, force_schema(rules))


def force_data(force: Force) -> Data:
    """Return a force as data of the JSON contract.

    The points of a unit and its key ``own``, what it pays itself, are None if the unit is not ``known``. The total and
    the key ``whole``, what the force pays as a whole, are None if the force is not ``Force.whole``. Both keys are also
    None if the rules have no kind ``unit`` or ``force``.
    """
    return {
        "force": force.name,
        "rules": force.rules.id,
        "budget": force.budget,
        "total": _number(force.total) if force.whole else None,
        "whole": None if force.priced is None else _priced(force.priced),
        "designs": [
            {
                "design": design.name,
                "kind": design.kind.id,
                **_priced(design.priced),
                "problems": [problem_data(problem) for problem in design.problems],
            }
            for design in force.designs
        ],
        "units": [
            {
                "unit": unit.name,
                "points": _number(unit.points),
                "own": None if unit.priced is None else _priced(unit.priced),
                "of": [
                    {"design": entry.design.name, "count": entry.count, "points": _number(entry.points)}
                    for entry in unit.of
                ],
            }
            for unit in force.units
        ],
        "problems": [problem_data(problem) for problem in force.problems],
    }


def _priced(priced: Priced) -> Data:
    """Return the working of a design, or of what a unit or the whole force pays itself, as data of the contract."""
    return {
        "points": _number(priced.total),
        "capacity": _use(priced.capacity),
        "systems": _use(priced.systems),
        "lines": [
            {
                "line": line.label,
                "formula": line.formula.text if line.formula else "",
                "working": line.working,
                "points": _number(line.points),
                "subtotal": _number(line.amount) if line.points is None and not line.figure else None,
                "figure": line.figure,
                "capacity": _number(line.capacity),
                "systems": _number(line.systems),
                "cite": line.provenance.cite_text,
            }
            for line in priced.lines
        ],
    }


def _use(use: Use) -> Data:
    return {"used": _number(use.used), "allowed": _number(use.allowed)}


def _number(number: int | Fraction | None) -> Any:
    """Return a whole number as an int, a fraction as text, and None unchanged."""
    return number if number is None else int(number) if number.denominator == 1 else str(number)


def side_by_side(forces: Sequence[Force]) -> Data:
    """Return the costs of several forces, and for each kind that any of them fields its count and points in each force.

    Kinds are in alphabetical order. Last are ``unit`` and ``force``, the points that units and whole forces pay
    themselves, if any do. A kind that a force does not field has the count 0 and the points 0. The problems of all
    forces are in the result, too.
    """
    costs = [force_data(force) for force in forces]
    spent = [_spent(force) for force in forces]
    kinds = sorted(set[str]().union(*spent), key=lambda kind: (kind == FORCE, kind == UNIT, kind))
    rows = {kind: [by_kind.get(kind, (0, 0)) for by_kind in spent] for kind in kinds}
    return {
        "forces": costs,
        "kinds": [
            {"kind": kind, "counts": [count for count, _ in row], "points": [_number(cost) for _, cost in row]}
            for kind, row in rows.items()
        ],
        "problems": [problem for item in costs for problem in item["problems"]],
    }


def _spent(force: Force) -> dict[str, tuple[int, Number]]:
    """Return the count of elements of each kind, and their points in total.

    Only valid entries count; in a force without units, each design counts once. What units pay themselves, if anything,
    is under the kind ``unit`` with the count 0. What the whole force pays itself is under ``force`` in the same way.
    """
    by_kind: dict[str, tuple[int, Number]] = {}
    for entry in force.entries:
        count, points = by_kind.get(entry.design.kind.id, (0, 0))
        by_kind[entry.design.kind.id] = count + entry.count, points + entry.points
    shared = {UNIT: force.shared_points - force.own_points, FORCE: force.own_points}
    return by_kind | {kind: (0, points) for kind, points in shared.items() if points}


def matchup(library: Library, paths: Sequence[Path], words: Sequence[str]) -> tuple[Data, tuple[Problem, ...]]:
    """Return the odds of two forces against each other, and the advice about both forces, which the data have, too.

    Each of the ``words`` sets an input of shots, such as the range band, to one value or several. Other inputs are
    those of the rules' cards. Raises ProblemsError with the problems of the forces, or S209 for forces of two games.
    Other codes are R201 for a force without designs and R241 for a formula without an answer. R311 is for a word that
    is not ``key=value``, R312 for an unknown input, R313 for an unknown value.
    """
    from generator.commands.jobs import CARDS  # the other commands about forces print nothing

    first, second = (load_force_file(library, path, (CARDS,)) for path in paths)
    advice = tuple(dict.fromkeys((*first.problems, *second.problems)))
    raise_errors(advice)
    if first.rules.chain[0].ruleset != second.rules.chain[0].ruleset:
        found, expected = f"a force of {second.rules.id}", f"a force of the game of {first.rules.id}"
        raise ProblemsError((second.place / "rules").problem("S209", expected, found))
    empty, hint = [force for force in (first, second) if not force.designs], "add designs: and list the force's designs"
    problems = [force.place.problem("R201", "the key designs", "nothing", hint) for force in empty]
    choices = _read(split_words(words), _inputs(first) | _inputs(second), problems)
    raise_any(problems)
    fires = fires_of(first, second, choices)
    return {"fires": fires, "problems": [problem_data(problem) for problem in advice]}, advice


def fires_of(first: Force, second: Force, choices: Mapping[str, list[Any]] = MappingProxyType({})) -> list[Data]:
    """Return two entries: the odds of the first force against the second, then of the second against the first.

    ``choices`` gives values to inputs of shots; other inputs are those of the cards. Raises ProblemsError (R241) if a
    formula has no answer.
    """
    fires = []
    for firing, enemy in ((first, second), (second, first)):
        try:
            shots_of = [*_fire(firing, enemy, choices)]
        except FormulaUseError as error:
            raise no_figure(error, firing.place, "the odds of the forces") from None
        cards = firing.rules.cards.values()
        asked = dict.fromkeys(ask.procedure.id for card in cards for duel in card.duels for ask in duel.asks)
        asks = [f"{firing.rules.id}/{name}" for name in asked]
        named = {"force": firing.name, "at": enemy.name, "asks": asks}
        fires.append({**named, "shots": shots_of, "together": _together(shots_of)})
    return fires


def _inputs(force: Force) -> dict[str, Input]:
    """Return the inputs that the command line may change, by name: those that a shot of a card sets by ``let``."""
    return {
        name: known
        for card in force.rules.cards.values()
        for duel in card.duels
        for name, _ in duel.let
        for ask in duel.asks
        if (known := ask.procedure.find_input(name)) is not None
    }


def _read(words: Sequence[Assignment], inputs: Mapping[str, Input], problems: list[Problem]) -> dict[str, list[Any]]:
    """Return the values of each named input; the values of an input that is named several times are joined.

    Adds R312 for an unknown input. Adds R313 for an unknown value, which is left out.
    """
    from generator.rules.procedures.questions import read_input, unknown_input

    choices: dict[str, list[Any]] = {}
    for word in words:
        if word.name in inputs:
            choices.setdefault(word.name, []).extend(read_input(inputs[word.name], word, problems))
        else:
            problems.append(unknown_input(word.name, word.span, list(inputs), "an input of these forces’ shots"))
    return choices


def _fire(firing: Force, enemy: Force, choices: Mapping[str, list[Any]]) -> Iterator[Data]:
    """Yield the odds of each way to fire at each target, for each combination of ``choices``.

    ``choices`` are as in ``fires_of``. Targets at which a way has no odds are left out. A second way with the same
    firer and name is left out, too, if its chances are the same; otherwise its name says the choices.
    """
    aims = targets(enemy)
    seen: dict[tuple[str, str], list[list[Fraction | None]]] = {}
    for values in product(*choices.values()):
        fixed = MappingProxyType(dict(zip(choices, values, strict=True)))
        for shot in shots(firing, fixed):
            elements = firing.counts.get(shot.design.name, 1)
            chances = [shot.chance(aim.inputs) for aim in aims]
            earlier = seen.setdefault((shot.design.name, shot.name), [])
            if chances in earlier:
                continue
            said = [f"{name} {spell_value(value)}" for name, value in fixed.items()] if earlier else []
            named = {"firer": shot.design.name, "shot": ", ".join((shot.name, *said)), "to": shot.duel.says}
            for aim, chance in zip(aims, chances, strict=True):
                if chance is not None:
                    yield {**named, "targets": [*aim.names], "chance": str(chance), **_fired([(chance, elements)])}
            earlier.append(chances)


def _together(fires: Sequence[Data]) -> list[Data]:
    """Return the odds of all elements together at each target, for each effect of their shots, such as "destroy".

    The odds are the count of elements, the expected successes and the chance of at least one, to six places. The chance
    is 0 or 1 only if it is exactly that. Each element fires its likeliest shot with this effect at the target once.
    Firers without such a shot do not count.
    """
    best: dict[tuple[tuple[str, ...], str], dict[str, tuple[Fraction, int]]] = {}
    for shot in fires:
        of_firers = best.setdefault(((*shot["targets"],), shot["to"]), {})
        fired = Fraction(shot["chance"]), shot["elements"]
        of_firers[shot["firer"]] = max(fired, of_firers.get(shot["firer"], fired))
    return [{"targets": [*names], "to": to, **_fired([*of.values()])} for (names, to), of in best.items()]


def _fired(chances: Sequence[tuple[Fraction, int]]) -> Data:
    """Return the results of shots, each with its chance and the number of elements that fire it once.

    The results are the number of all these elements, the expected number of successes, and the chance of at least one
    success. This chance is 1 only if success is certain, and 0 only if success is impossible.
    """
    least = Fraction(1, 10**6)
    any_hit = 1 - prod(((1 - chance) ** elements for chance, elements in chances), start=Fraction(1))
    return {
        "elements": sum(elements for _, elements in chances),
        "expected": decimal(sum((chance * elements for chance, elements in chances), Fraction(0))),
        "at_least_one": decimal(any_hit if any_hit in (0, 1) else min(max(any_hit, least), 1 - least)),
    }
