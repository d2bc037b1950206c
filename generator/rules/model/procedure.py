"""``procedures/<id>.yaml``: a question with an exact answer, built from our dice mechanics."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from generator.rules.formulas.scope import FormulaText
from generator.rules.model.base import (
    CHOICES,
    Certificate,
    ChoiceModel,
    Concerning,
    ExactlyOne,
    FreeName,
    Id,
    Model,
    Name,
    NonBlank,
    Ref,
    Seq,
    TableId,
)

OutcomeId = Annotated[Id, Ref("own outcome")]


class StepModel(Certificate, Concerning):
    """A step with an id of its own, which layers address, and a certificate if it needs one."""

    step: Id
    """Its id, which layers address."""
    says: str
    """What players do."""
    when: FormulaText | None = None
    """Only printed where this holds for the options."""


class FractionsModel(Model):
    """The values that an input may have: from 0 to a whole number, with fractions of certain denominators."""

    to: Annotated[int, Field(ge=1, le=100)]
    """The largest; the smallest is 0."""
    parts: Annotated[Seq[Annotated[int, Field(ge=2, le=20)]], Field(min_length=1)]
    """Into how many parts a whole may be divided: 8 allows 23/8."""


class InputModel(ChoiceModel):
    """An input that a question must or may give.

    Exactly one of ``range``, ``fractions``, ``of``, ``from``, ``yes_no`` and ``option``.
    """

    one_of = (*CHOICES, "fractions", "option")

    also: Seq[Name] = ()
    """Other names of the input in questions."""
    fractions: FractionsModel | None = None
    """Any of these numbers."""
    known_as: dict[str, Seq[NonBlank]] = Field(default_factory=dict)
    """Other words for its values, by value, such as the printed names of a table."""
    option: Annotated[Name, Ref("option")] | None = None
    """An option of the rule set: the input has its values, and the value that is set as the default."""
    default: str | int | bool | None = None
    """The value if the question leaves the input out; without a default it must be given."""
    when: FormulaText | None = None
    """The input applies only if this holds for the inputs before it."""


class OutcomeModel(Model):
    """A possible outcome; ``when`` restricts it to some inputs."""

    outcome: Id
    """Its id."""
    label: str
    """Its printed name."""
    when: FormulaText | None = None
    """Possible only if this holds for the inputs."""


class AskModel(Model):
    """The outcome or a figure of another procedure, asked once or several ``times``."""

    procedure: Annotated[Id, Ref("procedure to ask")]
    """The procedure asked."""
    inputs: Annotated[
        dict[Annotated[Name, Ref("input", of="procedure")], FormulaText], Field(alias="with", default_factory=dict)
    ]
    """Its inputs; those left out take their defaults."""
    times: FormulaText | None = None
    """How often it is asked: ``name.outcome`` is how often that outcome came up, a ``figure`` is added up."""
    figure: Annotated[Id, Ref("number", of="procedure")] | None = None
    """One of its numbers, instead of its outcome; if the number has no value, it adds nothing to a sum."""


class DrawModel(Model):
    """Counters drawn from a pot without being put back."""

    pot: TableId
    """A table with two keys, a group and a number, and a column ``count``."""
    marks: TableId | None = None
    """A table with one key, a mark, and a column ``count``: counters without a number."""
    counters: FormulaText
    """How many are drawn."""
    groups: FormulaText
    """A list of the groups whose numbers count."""


class AgainModel(Model):
    """Dice of a pool that are rolled again."""

    on: FormulaText | None = None
    """Roll a die again if it shows this or more; without it, if the die shows its highest face."""
    most: Annotated[int, Field(ge=1, le=20)]
    """How often one die is rolled again at most. The answer says how likely a die would go on."""


class PoolModel(ExactlyOne):
    """Several dice rolled together: their sum, or how many of them succeed.

    At most one of ``above``, ``at_least`` and ``highest``.
    """

    one_of = ("above", "at_least", "highest")
    optional_with = ("dice",)

    dice: Annotated[Seq[FormulaText], Field(min_length=1)]
    """The dice, such as 6, D20 or 2D6: a die that is none is left out, a list stands for all its dice."""
    above: FormulaText | None = None
    """Count the dice that show more than this number."""
    at_least: FormulaText | None = None
    """Count the dice that show this number or more."""
    highest: FormulaText | None = None
    """Add up only so many dice: the highest."""
    again: AgainModel | None = None
    """Roll dice again. Where dice add up, so do further rolls; where they are counted, each success gives a new die."""


class StrayModel(Model):
    """A shot that strays over hexes in a straight line; all directions are equally likely."""

    field: TableId
    """A table with one key and columns ``q`` and ``r``: the hexes that may be struck."""
    ways: TableId
    """A table with one key and columns ``q`` and ``r``: the change of both in one step of each direction, in order."""
    start: Annotated[Seq[FormulaText], Field(min_length=2, max_length=2)]
    """The hex that it strays from: ``q`` and ``r``."""
    by: FormulaText
    """How many hexes."""


class WalkModel(StrayModel):
    """Several further shots; each strays from the hex that the shot before struck."""

    by: FormulaText | AskModel  # type: ignore[assignment] # wider than of a single shot
    """How many hexes, or a figure of another procedure (none is a shot that strikes nothing)."""
    shots: FormulaText
    """The number of shots after the first, which strikes at ``start``."""
    steered: FormulaText = 0
    """How many of these shots, from the first, the player may turn by one direction, to the most expected strikes."""
    gives: Literal["strikes", "struck"]
    """``strikes``: how many shots strike the field; ``struck``: the hex that a random shot strikes (none outside)."""


class RollModel(ExactlyOne):
    """A roll with a name that later formulas can read.

    Exactly one of ``die``, ``pool``, ``draw``, ``ask``, ``stray``, ``walk``, ``chance`` and ``be``.
    """

    one_of = ("die", "pool", "draw", "ask", "stray", "walk", "chance", "be")

    roll: FreeName
    """The name of the result."""
    when: FormulaText | None = None
    """Rolled only if this holds; else the result is none."""
    die: FormulaText | None = None
    """The result of a die such as 6 or D20, or the sum of dice such as 2D6."""
    pool: PoolModel | None = None
    """The result of several dice: their sum, the sum of the highest, or the number of successes."""
    draw: DrawModel | None = None
    """``name.points`` are the numbers that count, ``name.marks`` the marks, ``name.numbered`` how many had a number."""
    ask: AskModel | None = None
    """The result of another procedure."""
    stray: StrayModel | None = None
    """The hex that a shot strikes: ``name.hex`` (none outside the field), ``name.q`` and ``name.r``."""
    walk: WalkModel | None = None
    """The strikes of several shots that each stray from the shot before."""
    chance: FormulaText | None = None
    """Yes with this chance, a number from 0 to 1; else no."""
    be: FormulaText | None = None
    """No roll: a name for the result of a formula."""


class ResultModel(Model):
    """An outcome with its condition; the first result whose condition holds is taken."""

    outcome: OutcomeId
    """One of the procedure's outcomes."""
    when: FormulaText | None = None
    """The condition for the outcome; the last result usually has none."""


class CaseModel(ExactlyOne):
    """The outcome if ``when`` holds: the first case whose condition holds is taken.

    Exactly one of ``always`` (an outcome without a roll) and ``rolls`` (a sequence of rolls, with ``results``).
    """

    one_of = ("always", "rolls")

    when: FormulaText | None = None
    """The case is taken if this holds for the inputs; without a condition, always."""
    always: OutcomeId | None = None
    """This outcome, without a roll."""
    rolls: Seq[RollModel] = ()
    """The rolls, in order."""
    results: Seq[ResultModel] = ()
    """The outcomes of the rolls, with their conditions."""
    events: dict[Id, FormulaText] = Field(default_factory=dict)
    """Events that may happen with any outcome: the answer gives the chance of each."""
    numbers: dict[Id, FormulaText] = Field(default_factory=dict)
    """Numbers computed from the rolls: the answer gives their distributions and means; none is no value."""
    which: dict[Id, FormulaText] = Field(default_factory=dict)
    """Results that are not numbers, such as a place: the answer gives their distributions; none counts as a value.

    A list of several results gives their joint distribution.
    """
    times: FormulaText = 1
    """How often the case is rolled: of all results, the outcome that comes first in ``outcomes`` is taken."""
    note: str = ""
    """A remark that is printed with the answer."""


class NoteModel(Model):
    """A remark that is printed with the answer if ``when`` holds."""

    when: FormulaText
    """The condition on the inputs."""
    note: str
    """The remark."""


class ProcedureModel(Certificate, Concerning):
    """A procedure as written: steps, and an exact answer if ``inputs``, ``outcomes`` and ``cases`` are given.

    Procedures under ``replaces`` do not answer in this rule set: this procedure answers for them.
    """

    procedure: Id
    """Its id: the name of its file."""
    title: str
    """Its printed name."""
    says: str = ""
    """A sentence about it."""
    replaces: Seq[Id] = ()
    """The procedures of parents that this procedure replaces; its own id too, if a parent has it."""
    steps: Seq[str | StepModel] = ()
    """What players do, in order, in our own words."""
    inputs: dict[FreeName, InputModel] = Field(default_factory=dict)
    """The inputs that a question must or may give."""
    outcomes: Seq[OutcomeModel] = ()
    """The possible outcomes, in order."""
    cases: Seq[CaseModel] = ()
    """The rolls: the first case whose condition holds is taken."""
    notes: Seq[NoteModel] = ()
    """Remarks that are printed with the answer under conditions."""
