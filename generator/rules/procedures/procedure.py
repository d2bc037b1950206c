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
from generator.rules.source.provenance import changed_birth, layer_birth, resolver_of
from generator.rules.source.validation import check_ids
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generator.problems import Problem
    from generator.rules.entries.namespace import Namespace
    from generator.rules.entries.tables import Table
    from generator.rules.formulas.compiler import Formula
    from generator.rules.model.procedure import CaseModel, FollowUp, Opposed, ProcedureModel, Target
    from generator.rules.source.parts import Part, Place
    from generator.rules.source.provenance import CitationResolver, Provenance
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
    provenance: Provenance | None
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
    provenance: Provenance
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
        single = dict.fromkeys(name for program in programs for name in (*program.numbers, *program.which))
        return tuple(single), tuple(dict.fromkeys(name for program in programs for name in program.together))

    def steps_now(self) -> tuple[Step, ...]:
        """The steps that hold with the options as they are set."""
        return tuple(step for step in self.steps if step.when is None or step.when.holds(self.names))

    def input(self, name: str) -> Input | None:
        """The input of this name."""
        return next((item for item in self.inputs if item.name == name), None)

    def fits(self, inputs: Iterable[str], outcomes: Iterable[str]) -> bool:
        """Whether it has all these inputs and outcomes."""
        return None not in map(self.called, inputs) and {outcome.id for outcome in self.outcomes}.issuperset(outcomes)

    def called(self, name: str) -> Input | None:
        """The input that a question means: by its name or another one, small or capital, hyphens for underscores.

        A name as it is written goes before what it is like.
        """
        word = name.lower().replace("-", "_")
        return self.input(name) or next((item for item in self.inputs if word == item.name or word in item.also), None)


class _Reader:
    def __init__(
        self, part: Part, namespace: Namespace, outcomes: tuple[str, ...], asked: Asked, problems: list[Problem]
    ) -> None:
        self.part = part
        self.asked = asked
        self.namespace = namespace
        self.scope = namespace.scope
        self.binder = Binder(namespace, problems)
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
        for name, item in model.inputs.items():
            place = self.place("inputs", name)
            when = self.formula(item.when, "inputs", name, "when")
            known = self.namespace.options[item.option] if item.option is not None else None
            choice = known.choice if known else None
            if item.option is None:
                choice = read_choice(item, self.namespace, place, self.problems)
            elif item.range or item.of or item.from_ or item.yes_no:
                expected = "one of range, of, from, yes_no and option"
                self.problems.append(place.problem("R224", found="an option and more", expected=expected))
            self.scope |= {name: VALUE if choice is None else chosen(choice)}
            if choice is None:
                continue
            choice = with_words(choice, item.known_as, place / "known_as", self.problems)
            default = read_default(choice, item.default, place, self.problems)
            if known and default is None:
                default = known.value
            found.append(Input(name, item.label, choice, default, default is None, when, item.also))
        self.other_names(model)
        return tuple(found)

    def other_names(self, model: ProcedureModel) -> None:
        """R207: a question could mean two inputs by one name."""
        taken = dict.fromkeys(model.inputs, "")
        for name, item in model.inputs.items():
            for index, other in enumerate(item.also):
                if taken.setdefault(other, name) != name or index != item.also.index(other):
                    place, expected = self.place("inputs", name, "also", index), "a name that no input has yet"
                    self.problems.append(place.problem("R207", found=other, expected=expected))

    def steps(
        self, model: ProcedureModel, resolvers: Mapping[str, CitationResolver], above: Provenance
    ) -> tuple[Step, ...]:
        found = []
        for index, item in enumerate(model.steps):
            raw, place = self.part.value["steps"][index], self.place("steps", index)
            if isinstance(item, str):
                found.append(Step("", item, None, None, self.part.owner))
                continue
            changes = self.part.changes_in(raw)
            resolver, over = resolver_of(self.part, raw, resolvers), above
            written = [change for change in changes if change.change.action in ("add", "replace")]
            if written:  # what the step does not say of itself, the change that wrote it does
                said = layer_birth(written[-1], resolver, self.problems)
                over = said._replace(cite=said.cite or above.cite)
            born = changed_birth(
                resolver.provenance(item, place, self.problems, over), changes, resolvers, self.problems
            )
            certified = born if item.model_fields_set & CERTIFICATE_KEYS or changes else None
            when = self.formula(item.when, "steps", index, "when")
            if when is not None:
                self.try_now(when, place / "when")
            found.append(Step(item.step, item.says, when, certified, self.part.last_hand(raw)))
        return tuple(found)

    def try_now(self, when: Formula, place: Place) -> None:
        """Whether a condition has an answer with the options as they are set (R241)."""
        try:
            when.holds(self.namespace.names())
        except FormulaUseError as error:
            self.problems.append(place.problem("R241", found=str(error), expected="an answer, whatever the options"))

    def follow(self, model: FollowUp, *path: str | int) -> TableRoll | None:
        table = self.namespace.table(model.table)
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
            tuple(item for item in attacker if item),
            tuple(item for item in defender if item),
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
            reader = RollReader(self.namespace, self.scope, self.binder, self.asked, self.problems)
            roll = reader.program(model, self.place(*path))
        if roll is None or times is None or (model.when is not None and when is None):
            return None
        return Case(when, roll, times, model.note)


def read_procedure(
    part: Part,
    model: ProcedureModel,
    namespace: Namespace,
    resolvers: Mapping[str, CitationResolver],
    asked: Asked,
    references: ReferenceChecker,
) -> Procedure | None:
    """The procedure of a part, compiled; None when a problem (R201, R207, R221 to R226, R241) leaves it incomplete."""
    problems = references.problems
    before = len(problems)
    _check_dice(part, model, problems)
    if not references.check(model, part.place()):
        return None
    named = [str(index) if isinstance(item, str) else item.step for index, item in enumerate(model.steps)]
    check_ids(named, part.place(("steps",)), "step", problems)
    ids = tuple(outcome.outcome for outcome in model.outcomes)
    check_ids(ids, part.place(("outcomes",)), "outcome", problems)
    reader = _Reader(part, namespace, ids, asked, problems)
    provenance = resolvers[part.owner].provenance(model, part.place(), problems)
    steps = reader.steps(model, resolvers, provenance)
    inputs = reader.inputs(model)
    outcomes = tuple(
        Outcome(item.outcome, item.label, reader.formula(item.when, "outcomes", i, "when"))
        for i, item in enumerate(model.outcomes)
    )
    cases = [reader.case(item, "cases", i) for i, item in enumerate(model.cases)]
    remarks = [(reader.formula(item.when, "notes", i, "when"), item.note) for i, item in enumerate(model.notes)]
    if len(problems) > before or reader.binder.lost:
        return None
    leans = namespace.options.keys() & (
        reader.binder.names | {formula_text.option for formula_text in model.inputs.values()}
    )
    return Procedure(
        model.procedure, part.owner, model.title, model.says, steps, inputs, outcomes,
        tuple(case for case in cases if case), tuple(Remark(when, note) for when, note in remarks if when),
        namespace.names(), provenance, part.place(), frozenset(leans), frozenset(reader.binder.asked), model,
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
