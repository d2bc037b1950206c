"""Compile procedures: inputs with their allowed values, cases with their rolls, outcomes in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.choices import Choice, chosen, with_words
from generator.rules.entries.namespace import Binder, Namespace
from generator.rules.entries.options import read_choice, read_default
from generator.rules.entries.tables import CERTIFICATE_KEYS
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import VALUE
from generator.rules.procedures.rolls import Callbacks, RollReader
from generator.rules.source.provenance import CitationResolver, Provenance, layer_provenance, provenance_at, resolver_of
from generator.rules.source.validation import ReferenceChecker, check_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generator.problems import Problem
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.scope import FormulaText
    from generator.rules.model.procedure import CaseModel, ProcedureModel
    from generator.rules.procedures.sequence import Program
    from generator.rules.source.parts import Part, Place


class Input(NamedTuple):
    """An input of a procedure, with its allowed values."""

    name: str
    label: str
    choice: Choice
    default: Any
    required: bool
    when: Formula | None
    also: tuple[str, ...] = ()


class Step(NamedTuple):
    """An instruction to the players."""

    id: str
    """Empty if no layer may replace the step."""
    says: str
    when: Formula | None
    provenance: Provenance | None
    """None if the step has only the procedure's own provenance."""
    owner: str
    concerns: tuple[str, ...] = ()
    """The parts of a force that the step is about; empty for a step about all."""


class Outcome(NamedTuple):
    """A possible result of a procedure."""

    id: str
    label: str
    when: Formula | None


class Case(NamedTuple):
    """The rolls with their results, if ``when`` holds."""

    when: Formula | None
    program: Program
    times: Formula
    note: str


class Remark(NamedTuple):
    """A note that an answer carries if ``when`` holds, or always."""

    when: Formula | None
    note: str


@dataclass(frozen=True, slots=True)
class Procedure:
    """A compiled procedure; a procedure without cases has only steps."""

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
    """The values of the tables and options that its formulas can read."""
    provenance: Provenance
    place: Place
    leans: frozenset[str]
    """The options that it reads directly."""
    asks: frozenset[str]
    """The procedures that it asks; it depends on their options, too."""
    model: ProcedureModel
    """The model as written in the rule data."""

    def figures(self, *fields: str) -> tuple[str, ...]:
        """Return the names of the figures of all cases under these keys: ``numbers`` or ``which``."""
        keys = (key for case in self.cases for key in case.program.figures)
        return tuple(dict.fromkeys(name for field, name in keys if field in fields))

    def steps_now(self) -> tuple[Step, ...]:
        """Return the steps that apply with the options as they are set."""
        return tuple(step for step in self.steps if step.when is None or step.when.holds(self.names))

    def input(self, name: str) -> Input | None:
        """Return the input of this name."""
        return next((item for item in self.inputs if item.name == name), None)

    def fits(self, inputs: Iterable[str], outcomes: Iterable[str]) -> bool:
        """Return whether it has all these inputs and outcomes."""
        return None not in map(self.find_input, inputs) and {outcome.id for outcome in self.outcomes}.issuperset(
            outcomes
        )

    def find_input(self, name: str) -> Input | None:
        """Return the input that a question means by a name or another of its names.

        Case and hyphens for underscores do not matter. An exact name goes before a similar one.
        """
        word = name.lower().replace("-", "_")
        return self.input(name) or next((item for item in self.inputs if word == item.name or word in item.also), None)


class _Reader:
    """Compiler for one procedure; each method reads one kind of entry and adds its problems."""

    def __init__(
        self, part: Part, namespace: Namespace, outcomes: tuple[str, ...], callbacks: Callbacks, problems: list[Problem]
    ) -> None:
        self.part = part
        self.callbacks = callbacks
        self.namespace = namespace
        self.scope = namespace.scope
        self.binder = Binder(namespace, problems)
        self.problems = problems
        self.outcomes = outcomes

    def place(self, *path: str | int) -> Place:
        """Return the place of an entry in the procedure's file."""
        return self.part.place(path)

    def formula(self, text: FormulaText | None, *path: str | int) -> Any:
        """Compile the formula of an entry, if it has one."""
        return self.binder.formula(text, self.scope, self.place(*path))

    def inputs(self, model: ProcedureModel) -> tuple[Input, ...]:
        """Compile the inputs and add their names to the scope."""
        inputs = []
        for name, item in model.inputs.items():
            place = self.place("inputs", name)
            when = self.formula(item.when, "inputs", name, "when")
            known = self.namespace.options[item.option] if item.option is not None else None
            choice = known.choice if known else None
            if item.option is None:
                choice = read_choice(item, self.namespace, place, self.problems)
            self.scope |= {name: VALUE if choice is None else chosen(choice)}
            if choice is None:
                continue
            choice = with_words(choice, item.known_as, place / "known_as", self.problems)
            default = read_default(choice, item.default, place, self.problems)
            if known and default is None:
                default = known.value
            inputs.append(Input(name, item.label, choice, default, default is None, when, item.also))
        self.other_names(model)
        return tuple(inputs)

    def other_names(self, model: ProcedureModel) -> None:
        """Add R207 if a name could mean two inputs, or is listed twice."""
        owners = dict.fromkeys(model.inputs, "")
        for name, item in model.inputs.items():
            for index, other in enumerate(item.also):
                if owners.setdefault(other, name) != name or index != item.also.index(other):
                    place, expected = self.place("inputs", name, "also", index), "a name that no other input has"
                    self.problems.append(place.problem("R207", expected, other))

    def steps(
        self, model: ProcedureModel, resolvers: Mapping[str, CitationResolver], above: Provenance
    ) -> tuple[Step, ...]:
        """Compile the steps. A step takes what its provenance leaves out from ``above``, the procedure's."""
        steps = []
        for index, item in enumerate(model.steps):
            raw, place = self.part.value["steps"][index], self.place("steps", index)
            if isinstance(item, str):
                steps.append(Step("", item, None, None, self.part.owner))
                continue
            changes = self.part.changes_in(raw)
            over = above
            written = [change for change in changes if change.change.action in ("add", "replace")]
            if written:  # the change that wrote the step gives the provenance that the step leaves out
                inherited = layer_provenance(written[-1], resolver_of(self.part, raw, resolvers), self.problems)
                over = inherited._replace(cite=inherited.cite or above.cite)
            born = provenance_at(item, place, resolvers, self.problems, over)
            certified = born if item.model_fields_set & CERTIFICATE_KEYS or changes else None
            when = self.formula(item.when, "steps", index, "when")
            if when is not None:
                self.check_condition(when, place / "when")
            last = self.part.last_changed_by(raw)
            steps.append(Step(item.step, item.says, when, certified, last, item.concerns))
        return tuple(steps)

    def check_condition(self, when: Formula, place: Place) -> None:
        """Add R241 if a condition has no answer with the options as they are set."""
        try:
            when.holds(self.namespace.names())
        except FormulaUseError as error:
            self.problems.append(place.problem("R241", "an answer, whatever the options", str(error)))

    def case(self, model: CaseModel, *path: str | int) -> Case:
        """Compile a case."""
        when = self.formula(model.when, *path, "when")
        times = self.binder.formula(model.times, self.scope, self.place(*path, "times"))
        reader = RollReader(self.namespace, self.scope, self.binder, self.callbacks, self.problems)
        return Case(when, reader.case(model, self.outcomes, self.place(*path)), times, model.note)


def read_procedure(
    part: Part,
    model: ProcedureModel,
    namespace: Namespace,
    resolvers: Mapping[str, CitationResolver],
    callbacks: Callbacks,
    references: ReferenceChecker,
) -> Procedure | None:
    """Compile the procedure of a part; None if it has a problem (R201, R207, R221 to R226, R241)."""
    problems = references.problems
    before = len(problems)
    _check_dice(part, model, problems)
    if not references.check(model, part.place()):
        return None
    step_ids = [str(index) if isinstance(item, str) else item.step for index, item in enumerate(model.steps)]
    check_ids(step_ids, part.place(("steps",)), "step", problems)
    ids = tuple(outcome.outcome for outcome in model.outcomes)
    check_ids(ids, part.place(("outcomes",)), "outcome", problems)
    reader = _Reader(part, namespace, ids, callbacks, problems)
    provenance = resolvers[part.owner].provenance(model, part.place(), problems)
    steps = reader.steps(model, resolvers, provenance)
    inputs = reader.inputs(model)
    outcomes = tuple(
        Outcome(item.outcome, item.label, reader.formula(item.when, "outcomes", i, "when"))
        for i, item in enumerate(model.outcomes)
    )
    cases = tuple(reader.case(item, "cases", i) for i, item in enumerate(model.cases))
    remarks = tuple(
        Remark(reader.formula(item.when, "notes", i, "when"), item.note) for i, item in enumerate(model.notes)
    )
    if len(problems) > before or reader.binder.lost:
        return None
    leans = namespace.options.keys() & (
        reader.binder.names | {formula_text.option for formula_text in model.inputs.values()}
    )
    return Procedure(
        model.procedure, part.owner, model.title, model.says, steps, inputs, outcomes, cases, remarks,
        namespace.names(), provenance, part.place(), frozenset(leans), frozenset(reader.binder.asks), model,
    )  # fmt: skip


def _check_dice(part: Part, model: ProcedureModel, problems: list[Problem]) -> None:
    """Add R201 for missing inputs, outcomes or cases in a procedure with dice, or for missing steps in any other."""
    parts = ("inputs", "outcomes", "cases")
    present = [name for name in parts if getattr(model, name)]
    required = parts if present else ("steps",)
    missing = [name for name in required if not getattr(model, name)]
    problems += (part.place().problem("R201", f"the key {name}", "nothing", f"add {name}: ...") for name in missing)
