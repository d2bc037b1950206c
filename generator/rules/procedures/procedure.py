"""Compile procedures: inputs with their allowed values, cases with their rolls, outcomes in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.entries.choices import Choice, chosen, read_choice, read_default, with_words
from generator.rules.entries.compiled import Compiler, Reading
from generator.rules.entries.tables import CERTIFICATE_KEYS
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import VALUE, FormulaText, Scope
from generator.rules.procedures.rolls import Callbacks, RollReader
from generator.rules.source.parts import Part, Place, Provenance, Written, provenance_at
from generator.rules.source.validation import check_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from generator.problems import Problem
    from generator.rules.formulas.compiler import Formula
    from generator.rules.model.procedure import ProcedureModel
    from generator.rules.procedures.sequence import Program


class Input(NamedTuple):
    """An input of a procedure, with its allowed values; ``also`` has its other names.

    It applies if ``when`` holds for the inputs before it, or always without ``when``.
    """

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
    """A possible result of a procedure, if ``when`` holds for the inputs, or always without ``when``."""

    id: str
    label: str
    when: Formula | None


class Case(NamedTuple):
    """The rolls with their results; the first case whose ``when`` holds is taken.

    They are made ``times`` times. Of all their outcomes, the one that comes first in the procedure counts.
    """

    when: Formula | None
    program: Program
    times: Formula
    note: str


class Remark(NamedTuple):
    """A note that an answer carries if ``when`` holds, or always."""

    when: Formula | None
    note: str


@dataclass(frozen=True, slots=True, eq=False)
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

    def results(self, *fields: str) -> tuple[str, ...]:
        """Return the names of the results of all cases, each once, under ``events``, ``numbers`` or ``which``.

        ``fields`` are one or more of these keys.
        """
        keys = (key for case in self.cases for key in case.program.results)
        return tuple(dict.fromkeys(name for field, name in keys if field in fields))

    def steps_now(self) -> tuple[Step, ...]:
        """Return the steps that apply with the options as they are set."""
        return tuple(step for step in self.steps if step.when is None or step.when.holds(self.names))

    def input(self, name: str) -> Input | None:
        """Return the input of exactly this name, or None."""
        return next((item for item in self.inputs if item.name == name), None)

    def fits(self, inputs: Iterable[str], outcomes: Iterable[str]) -> bool:
        """Return whether the procedure has an input for each name (see ``find_input``) and an outcome for each id."""
        ids = {outcome.id for outcome in self.outcomes}
        return None not in map(self.find_input, inputs) and ids.issuperset(outcomes)

    def find_input(self, name: str) -> Input | None:
        """Return the input with ``name`` as its name, or among its other names under ``also``; None if there is none.

        Capital letters count as small letters, and hyphens as underscores. An exact name goes before a similar one.
        """
        word = name.lower().replace("-", "_")
        return self.input(name) or next((item for item in self.inputs if word == item.name or word in item.also), None)


def read_procedure(source: Written[ProcedureModel], reading: Reading, callbacks: Callbacks) -> Procedure | None:
    """Compile a procedure. Return None if it has a problem, which is added to those of ``reading``.

    ``callbacks`` are for rolls that ask other procedures.

    Codes: R201, R203, R207 to R209, R221 to R226, R231, R232, R237, R241, R331. Also returns None if a reference,
    not in a formula, names a missing table that was reported before.
    """
    problems, (model, part) = reading.problems, source
    before = len(problems)
    _check_dice(part, model, problems)
    if not reading.references.check(model, part.place()):
        return None
    step_ids = [str(index) if isinstance(item, str) else item.step for index, item in enumerate(model.steps)]
    check_ids(step_ids, part.place(("steps",)), "step", problems)
    check_ids([outcome.outcome for outcome in model.outcomes], part.place(("outcomes",)), "outcome", problems)
    compiler = Compiler(reading)
    provenance = reading.resolvers[part.owner].provenance(model, part.place())
    steps = tuple(_steps(source, compiler, reading, provenance))
    inputs, scope = _inputs(part, model, compiler)

    def formula(text: FormulaText | None, *path: str | int) -> Any:
        return compiler.formula(text, scope, part.place(path))

    outcomes = tuple(
        Outcome(item.outcome, item.label, formula(item.when, "outcomes", i, "when"))
        for i, item in enumerate(model.outcomes)
    )
    cases = tuple(
        Case(
            formula(item.when, "cases", i, "when"),
            RollReader(scope, compiler, callbacks).case(item, part.place(("cases", i))),
            formula(item.times, "cases", i, "times"),
            item.note,
        )
        for i, item in enumerate(model.cases)
    )
    remarks = tuple(Remark(formula(item.when, "notes", i, "when"), item.note) for i, item in enumerate(model.notes))
    if len(problems) > before:
        return None
    leans = reading.options.keys() & (compiler.names | {item.option for item in model.inputs.values()})
    return Procedure(
        model.procedure, part.owner, model.title, model.says, steps, inputs, outcomes, cases, remarks,
        reading.names(), provenance, part.place(), frozenset(leans), frozenset(compiler.asks), model,
    )  # fmt: skip


def _steps(source: Written[ProcedureModel], compiler: Compiler, reading: Reading, above: Provenance) -> Iterator[Step]:
    """Yield the steps. A step has a provenance of its own only with a certificate, or after a change of a layer.

    It is then as ``provenance_at`` gives it; ``above`` is the procedure's provenance.

    Adds R208, R209, and the problems of ``Compiler.formula`` for conditions. Adds R241 if the condition of a step has
    no answer with the options as they are set.
    """
    model, part = source
    for index, item in enumerate(model.steps):
        raw, place = part.value["steps"][index], part.place(("steps", index))
        if isinstance(item, str):
            yield Step("", item, None, None, part.owner)
            continue
        changes = part.changes_in(raw)
        born = provenance_at(item, place, reading.resolvers, above)
        certified = born if item.model_fields_set & CERTIFICATE_KEYS or changes else None
        when = compiler.formula(item.when, reading.scope, place / "when")
        try:
            if when is not None:
                when.holds(reading.names())
        except FormulaUseError as error:
            expected = "an answer, whatever the options"
            reading.problems.append((place / "when").problem("R241", expected, str(error)))
        yield Step(item.step, item.says, when, certified, part.last_changed_by(raw), item.concerns)


def _inputs(part: Part, model: ProcedureModel, compiler: Compiler) -> tuple[tuple[Input, ...], Scope]:
    """Compile the inputs; return them, and the scope with their names.

    Adds R207 for a name under ``also`` that is in use, and R203 or R207 for wrong words and defaults. Adds R225 for an
    input with values from an empty table: that input is left out, but its name is in the scope. Also adds the problems
    of ``Compiler.formula`` for conditions.
    """
    namespace, problems, scope = compiler.namespace, compiler.problems, compiler.namespace.scope
    inputs, owners = [], dict.fromkeys(model.inputs, "")
    for name, item in model.inputs.items():
        place = part.place(("inputs", name))
        when = compiler.formula(item.when, scope, place / "when")
        known = namespace.options[item.option] if item.option is not None else None
        choice = known.choice if known else read_choice(item, namespace.tables, place, problems)
        scope |= {name: VALUE if choice is None else chosen(choice)}
        for index, other in enumerate(item.also):
            if owners.setdefault(other, name) != name or index != item.also.index(other):
                problems.append((place / "also" / index).problem("R207", "a name that no other input has", other))
        if choice is None:
            continue
        choice = with_words(choice, item.known_as, place / "known_as", problems)
        default = read_default(choice, item.default, place, problems)
        if known and default is None:
            default = known.value
        inputs.append(Input(name, item.label, choice, default, default is None, when, item.also))
    return tuple(inputs), scope


def _check_dice(part: Part, model: ProcedureModel, problems: list[Problem]) -> None:
    """Add R201 for each missing key: a procedure with inputs, outcomes or cases needs all three, others need steps."""
    parts = ("inputs", "outcomes", "cases")
    present = [name for name in parts if getattr(model, name)]
    required = parts if present else ("steps",)
    missing = [name for name in required if not getattr(model, name)]
    problems += (part.place().problem("R201", f"the key {name}", "nothing", f"add {name}: ...") for name in missing)
