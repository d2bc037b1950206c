"""Procedures, compiled: inputs with their allowed values, cases with their rolls, outcomes in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.choices import Choice, chosen, with_words
from generator.rules.entries.namespace import Binder
from generator.rules.entries.read_choice import read_choice, read_default
from generator.rules.entries.tables import CERTIFICATE_KEYS
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import VALUE
from generator.rules.procedures.rolls import Asked, RollReader
from generator.rules.procedures.sequence import Program
from generator.rules.source.provenance import changed_birth, layer_birth, registrar_of
from generator.rules.source.validation import check_ids
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generator.problems import Problem
    from generator.rules.entries.namespace import Shelf
    from generator.rules.entries.tables import Table
    from generator.rules.formulas.compiler import Formula
    from generator.rules.model.procedure import CaseModel, FollowUp, Opposed, ProcedureModel, Target
    from generator.rules.source.parts import Part, Place
    from generator.rules.source.provenance import Birth, Registrar
    from generator.rules.source.validation import ReferenceChecker


class Input(NamedTuple):
    """One thing a question says."""

    name: str
    label: str
    choice: Choice
    default: Any
    required: bool
    when: Formula | None
    also: tuple[str, ...] = ()


class Step(NamedTuple):
    """One thing that players do."""

    id: str
    """Nothing where no layer may replace it."""
    says: str
    when: Formula | None
    birth: Birth | None
    """None where the procedure's own certificate is all."""
    owner: str


class Outcome(NamedTuple):
    """One thing that can come out."""

    id: str
    label: str
    when: Formula | None


class TableRoll(NamedTuple):
    """A roll on a table of outcomes."""

    die: Formula
    table: Table


class OpposedRoll(NamedTuple):
    """Dice against dice, and what follows from each result."""

    attacker: tuple[Formula, ...]
    defender: tuple[Formula, ...]
    above: str
    level: str | TableRoll
    below: str


class TargetRoll(NamedTuple):
    """One die against a number."""

    die: Formula
    needed: Formula
    strict: bool
    passed: str
    failed: str


class Case(NamedTuple):
    """What happens when ``when`` holds: a roll, or one outcome without any."""

    when: Formula | None
    roll: OpposedRoll | TargetRoll | Program | str
    times: Formula
    note: str


class Remark(NamedTuple):
    """A note that an answer carries when ``when`` holds, or always."""

    when: Formula | None
    note: str


@dataclass(frozen=True, slots=True)
class Procedure:
    """A procedure ready to be asked; one without cases is only its steps."""

    id: str
    owner: str
    title: str
    says: str
    steps: tuple[Step, ...]
    inputs: tuple[Input, ...]
    outcomes: tuple[Outcome, ...]
    cases: tuple[Case, ...]
    remarks: tuple[Remark, ...]
    names: Mapping[str, Any]
    """What its formulas find behind the names of tables and options."""
    birth: Birth
    place: Place
    leans: frozenset[str]
    """The options that it leans on by itself."""
    asks: frozenset[str]
    """The procedures that it asks, and leans on what they lean on."""
    model: ProcedureModel
    """As it is written: what references to it name."""

    def figures(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of its figures over all cases, and those of its joint distributions."""
        programs = [case.roll for case in self.cases if isinstance(case.roll, Program)]
        single = dict.fromkeys(name for one in programs for name in (*one.numbers, *one.which))
        return tuple(single), tuple(dict.fromkeys(name for one in programs for name in one.together))

    def steps_now(self) -> tuple[Step, ...]:
        """The steps that hold with the options as they are set."""
        return tuple(step for step in self.steps if step.when is None or step.when.holds(self.names))

    def input(self, name: str) -> Input | None:
        """The input of this name."""
        return next((one for one in self.inputs if one.name == name), None)

    def fits(self, inputs: Iterable[str], outcomes: Iterable[str]) -> bool:
        """Whether it has all these inputs and outcomes."""
        return None not in map(self.called, inputs) and {one.id for one in self.outcomes}.issuperset(outcomes)

    def called(self, name: str) -> Input | None:
        """The input that a question means: by its name or another one, small or capital, hyphens for underscores.

        A name as it is written goes before what it is like.
        """
        word = name.lower().replace("-", "_")
        return self.input(name) or next((one for one in self.inputs if word == one.name or word in one.also), None)


class _Reader:
    def __init__(
        self, part: Part, shelf: Shelf, outcomes: tuple[str, ...], asked: Asked, problems: list[Problem]
    ) -> None:
        self.part = part
        self.asked = asked
        self.shelf = shelf
        self.scope = shelf.scope
        self.binder = Binder(shelf, problems)
        self.problems = problems
        self.outcomes = outcomes

    def place(self, *path: str | int) -> Place:
        return self.part.place(path)

    def formula(self, text: Any, *path: str | int) -> Formula | None:
        return self.binder.formula(text, self.scope, self.place(*path))

    def dice(self, text: Any, *path: str | int) -> Formula | None:
        return self.binder.dice(text, self.scope, self.place(*path))

    def inputs(self, model: ProcedureModel) -> tuple[Input, ...]:
        found = []
        for name, one in model.inputs.items():
            place = self.place("inputs", name)
            when = self.formula(one.when, "inputs", name, "when")
            known = self.shelf.options[one.option] if one.option is not None else None
            choice = known.choice if known else None
            if one.option is None:
                choice = read_choice(one, self.shelf, place, self.problems)
            elif one.range or one.of or one.from_ or one.yes_no:
                expected = "one of range, of, from, yes_no and option"
                self.problems.append(place.problem("R224", found="an option and more", expected=expected))
            self.scope |= {name: VALUE if choice is None else chosen(choice)}
            if choice is None:
                continue
            choice = with_words(choice, one.known_as, place / "known_as", self.problems)
            default = read_default(choice, one.default, place, self.problems)
            if known and default is None:
                default = known.value
            found.append(Input(name, one.label, choice, default, default is None, when, one.also))
        self.other_names(model)
        return tuple(found)

    def other_names(self, model: ProcedureModel) -> None:
        """R207: a question could mean two inputs by one name."""
        taken = dict.fromkeys(model.inputs, "")
        for name, one in model.inputs.items():
            for index, other in enumerate(one.also):
                if taken.setdefault(other, name) != name or index != one.also.index(other):
                    place, expected = self.place("inputs", name, "also", index), "a name that no input has yet"
                    self.problems.append(place.problem("R207", found=other, expected=expected))

    def steps(self, model: ProcedureModel, registrars: Mapping[str, Registrar], above: Birth) -> tuple[Step, ...]:
        found = []
        for index, one in enumerate(model.steps):
            raw, place = self.part.value["steps"][index], self.place("steps", index)
            if isinstance(one, str):
                found.append(Step("", one, None, None, self.part.owner))
                continue
            changes = self.part.changes_in(raw)
            registrar, over = registrar_of(self.part, raw, registrars), above
            written = [change for change in changes if change.change.action in ("add", "replace")]
            if written:  # what the step does not say of itself, the change that wrote it does
                said = layer_birth(written[-1], registrar, self.problems)
                over = said._replace(cite=said.cite or above.cite)
            born = changed_birth(registrar.birth(one, place, self.problems, over), changes, registrars, self.problems)
            certified = born if one.model_fields_set & CERTIFICATE_KEYS or changes else None
            when = self.formula(one.when, "steps", index, "when")
            if when is not None:
                self.try_now(when, place / "when")
            found.append(Step(one.step, one.says, when, certified, self.part.last_hand(raw)))
        return tuple(found)

    def try_now(self, when: Formula, place: Place) -> None:
        """Whether a condition has an answer with the options as they are set (R241)."""
        try:
            when.holds(self.shelf.names())
        except FormulaUseError as error:
            self.problems.append(place.problem("R241", found=str(error), expected="an answer, whatever the options"))

    def follow(self, model: FollowUp, *path: str | int) -> TableRoll | None:
        table = self.shelf.table(model.table)
        types = {column.name: column.type for column in table.columns}
        if len(table.key) != 1 or types.get("outcome") != "word":
            expected = "a table with one key, the roll, and a column outcome of words"
            self.problems.append(self.place(*path, "table").problem("R225", found=model.table, expected=expected))
            return None
        unknown = {row["outcome"] for row in table.rows} - {None, *self.outcomes}
        for outcome in sorted(unknown):
            at, hint = self.place(*path, "table"), suggest(outcome, self.outcomes)
            self.problems.append(at.problem("R226", found=outcome, expected="an outcome of this procedure", hint=hint))
        die = self.dice(model.roll, *path, "roll")
        return TableRoll(die, table) if die else None

    def opposed(self, model: Opposed, *path: str | int) -> OpposedRoll | None:
        attacker = [self.dice(text, *path, "attacker", i) for i, text in enumerate(model.attacker)]
        defender = [self.dice(text, *path, "defender", i) for i, text in enumerate(model.defender)]
        level = model.level if isinstance(model.level, str) else self.follow(model.level, *path, "level")
        if level is None or None in attacker or None in defender:
            return None
        return OpposedRoll(
            tuple(one for one in attacker if one),
            tuple(one for one in defender if one),
            model.above,
            level,
            model.below,
        )

    def target(self, model: Target, *path: str | int) -> TargetRoll | None:
        die, needed = self.dice(model.die, *path, "die"), self.formula(model.needed, *path, "needed")
        return TargetRoll(die, needed, model.strict, model.passed, model.failed) if die and needed else None

    def case(self, model: CaseModel, *path: str | int) -> Case | None:
        ways = [way for way in ("opposed", "target", "always", "rolls") if getattr(model, way) not in (None, ())]
        if len(ways) != 1:
            found = " and ".join(ways) or "none of them"
            expected = "one of opposed, target, always and rolls"
            self.problems.append(self.place(*path).problem("R224", found=found, expected=expected))
            return None
        when = self.formula(model.when, *path, "when")
        times = self.formula(model.times, *path, "times")
        roll: OpposedRoll | TargetRoll | Program | str | None = None
        if model.always is not None:
            roll = model.always
        elif model.opposed is not None:
            roll = self.opposed(model.opposed, *path, "opposed")
        elif model.target is not None:
            roll = self.target(model.target, *path, "target")
        else:
            reader = RollReader(self.shelf, self.scope, self.binder, self.asked, self.problems)
            roll = reader.program(model, self.place(*path))
        if roll is None or times is None or (model.when is not None and when is None):
            return None
        return Case(when, roll, times, model.note)


def read_procedure(
    part: Part,
    model: ProcedureModel,
    shelf: Shelf,
    registrars: Mapping[str, Registrar],
    asked: Asked,
    references: ReferenceChecker,
) -> Procedure | None:
    """The procedure of a part, compiled; None when a problem (R201, R207, R221 to R226, R241) leaves it incomplete."""
    problems = references.problems
    before = len(problems)
    _check_dice(part, model, problems)
    if not references.check(model, part.place()):
        return None
    named = [str(index) if isinstance(one, str) else one.step for index, one in enumerate(model.steps)]
    check_ids(named, part.place(("steps",)), "step", problems)
    ids = tuple(one.outcome for one in model.outcomes)
    check_ids(ids, part.place(("outcomes",)), "outcome", problems)
    reader = _Reader(part, shelf, ids, asked, problems)
    birth = registrars[part.owner].birth(model, part.place(), problems)
    steps = reader.steps(model, registrars, birth)
    inputs = reader.inputs(model)
    outcomes = tuple(
        Outcome(one.outcome, one.label, reader.formula(one.when, "outcomes", i, "when"))
        for i, one in enumerate(model.outcomes)
    )
    cases = [reader.case(one, "cases", i) for i, one in enumerate(model.cases)]
    remarks = [(reader.formula(one.when, "notes", i, "when"), one.note) for i, one in enumerate(model.notes)]
    if len(problems) > before or reader.binder.lost:
        return None
    leans = shelf.options.keys() & (reader.binder.names | {one.option for one in model.inputs.values()})
    return Procedure(
        model.procedure, part.owner, model.title, model.says, steps, inputs, outcomes,
        tuple(case for case in cases if case), tuple(Remark(when, note) for when, note in remarks if when),
        shelf.names(), birth, part.place(), frozenset(leans), frozenset(reader.binder.asked), model,
    )  # fmt: skip


def _check_dice(part: Part, model: ProcedureModel, problems: list[Problem]) -> None:
    """R201: inputs, outcomes or cases are missing in a procedure with dice; steps are missing in any other."""
    parts = ("inputs", "outcomes", "cases")
    given = [name for name in parts if getattr(model, name)]
    wanted = parts if given else ("steps",)
    for name in wanted:
        if not getattr(model, name):
            hint = f"add {name}: ..."
            problems.append(part.place().problem("R201", found="nothing", expected=f"the key {name}", hint=hint))
