"""``procedures/<id>.yaml``: a question with an exact answer, built from our dice mechanics."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from generator.rules.model.base import (
    Certificate,
    FormulaText,
    FreeName,
    Id,
    Model,
    Name,
    Range,
    Ref,
    Said,
    Seq,
    TableId,
    TableIds,
)

OutcomeId = Annotated[Id, Ref("own outcome")]


class StepModel(Certificate):
    """A step with an id of its own, which layers address, and a certificate where it needs one."""

    step: Id
    """Its id, which layers address."""
    says: str
    """What players do."""
    when: FormulaText | None = None
    """Only printed where this holds for the options."""


class FractionsModel(Model):
    """Whole numbers and the fractions between them."""

    to: Annotated[int, Field(ge=1, le=100)]
    """The largest; the smallest is 0."""
    parts: Annotated[Seq[Annotated[int, Field(ge=2, le=20)]], Field(min_length=1)]
    """Into how many parts a whole may be divided: 8 allows 23/8."""


class InputModel(Model):
    """Something a question must (or may) say.

    Exactly one of ``range``, ``fractions``, ``of``, ``from``, ``yes_no`` and ``option``.
    """

    label: str
    """Its printed name."""
    also: Seq[Name] = ()
    """Other names by which a question may call it."""
    range: Range | None = None
    """Any whole number from..to, both included."""
    fractions: FractionsModel | None = None
    """Any of these numbers."""
    of: Seq[str] = ()
    """Any of these words."""
    known_as: dict[str, Seq[Said]] = Field(default_factory=dict)
    """Other words for its values, by value, such as the printed names of a table."""
    from_: Annotated[TableIds | None, Field(alias="from")] = None
    """A table whose first key column lists the values, or several such tables."""
    yes_no: bool = False
    """Set to true: yes or no."""
    option: Annotated[Name, Ref("option")] | None = None
    """An option of the rule set: its values, and how it is set as the default."""
    default: str | int | bool | None = None
    """Used when the question leaves it out; without one it must be given."""
    when: FormulaText | None = None
    """Only asked for when this holds for the inputs before it."""


class OutcomeModel(Model):
    """One thing that can come out; ``when`` restricts it to some inputs."""

    outcome: Id
    """Its id."""
    label: str
    """Its printed name."""
    when: FormulaText | None = None
    """Only possible where this holds for the inputs."""


class FollowUp(Model):
    """A further roll on a table whose key is the roll and which has an ``outcome`` column."""

    roll: FormulaText
    """The die to roll: its number of sides."""
    table: TableId
    """The table to roll on."""


class Opposed(Model):
    """The highest of the attacker's dice against the highest of the defender's."""

    attacker: Annotated[Seq[FormulaText], Field(min_length=1)]
    """The attacker’s dice."""
    defender: Annotated[Seq[FormulaText], Field(min_length=1)]
    """The defender’s dice."""
    above: OutcomeId
    """The outcome if the attacker’s best is higher."""
    level: OutcomeId | FollowUp
    """The outcome if both are the same, or a further roll for it."""
    below: OutcomeId
    """The outcome if the attacker’s best is lower."""


class Target(Model):
    """One die that must come to ``needed`` or more, or above it where the roll is strict."""

    die: FormulaText
    """The die to roll: its number of sides."""
    needed: FormulaText
    """What it must come to."""
    strict: bool = False
    """Set to true: it must come above that."""
    passed: OutcomeId
    """The outcome if it does."""
    failed: OutcomeId
    """The outcome if it does not."""


class AskModel(Model):
    """Another procedure's outcome or figure; with ``times`` that of several askings."""

    procedure: Annotated[Id, Ref("procedure to ask")]
    """The procedure asked."""
    given: Annotated[
        dict[Annotated[Name, Ref("input", of="procedure")], FormulaText], Field(alias="with", default_factory=dict)
    ]
    """Its inputs; those left out take their defaults."""
    times: FormulaText | None = None
    """How often it is asked: ``name.outcome`` is how often that outcome came up, a ``figure`` is added up."""
    figure: Annotated[Id, Ref("number", of="procedure")] | None = None
    """One of its numbers, instead of its outcome; an asking without this number adds nothing to a sum."""


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


class PoolModel(Model):
    """Several dice rolled together: their sum, or how many of them succeed.

    At most one of ``above``, ``at_least`` and ``highest``.
    """

    dice: Annotated[Seq[FormulaText], Field(min_length=1)]
    """The dice, such as 6, D20 or 2D6: a die that is none is left out, a list is all of its dice."""
    above: FormulaText | None = None
    """Count the dice that show more than this number."""
    at_least: FormulaText | None = None
    """Count the dice that show this number or more."""
    highest: FormulaText | None = None
    """Add up only so many dice: the highest."""
    again: AgainModel | None = None
    """Roll dice again. Where dice add up, so do further rolls; where they are counted, each success gives a new die."""


class StrayModel(Model):
    """A shot that strays over hexes in a straight line, any way as likely."""

    field: TableId
    """A table with one key and columns ``q`` and ``r``: the hexes that may be struck."""
    ways: TableId
    """A table with one key and columns ``q`` and ``r``: what one step each way adds to them, going round."""
    start: Annotated[Seq[FormulaText], Field(min_length=2, max_length=2)]
    """Where it strays from: ``q`` and ``r``."""
    by: FormulaText | AskModel
    """How many hexes; for a ``walk`` also a figure of another procedure, where none is a shot that goes nowhere."""


class WalkModel(StrayModel):
    """Several shots more, each straying from where the last one struck."""

    shots: FormulaText
    """How many, beside the one at the start."""
    steered: FormulaText = 0
    """How many of the first of them may be turned by one way: to where most strikes are to be expected."""
    gives: Literal["strikes", "struck"]
    """How many of all shots strike the field; or the hex that any one of them strikes, none beside the field."""


class RollModel(Model):
    """One thing that chance decides, under a name that later formulas know.

    Exactly one of ``die``, ``pool``, ``draw``, ``ask``, ``stray``, ``walk``, ``chance`` and ``be``.
    """

    roll: FreeName
    """The name of what comes up."""
    when: FormulaText | None = None
    """Only rolled where this holds; else it is none."""
    die: FormulaText | None = None
    """What one die shows, such as 6 or D20; 2D6 adds up."""
    pool: PoolModel | None = None
    """What several dice come to: their sum, the sum of the highest, or the number of successes."""
    draw: DrawModel | None = None
    """``name.points`` are the numbers that count, ``name.marks`` the marks, ``name.numbered`` how many had a number."""
    ask: AskModel | None = None
    """What another procedure comes to."""
    stray: StrayModel | None = None
    """Where a shot strikes: ``name.hex`` (none beside the field), ``name.q`` and ``name.r``."""
    walk: WalkModel | None = None
    """What several shots strike that stray one from the other."""
    chance: FormulaText | None = None
    """Yes with this chance, a number from 0 to 1; else no."""
    be: FormulaText | None = None
    """No chance: a name for what a formula comes to."""


class ResultModel(Model):
    """An outcome, and when the rolls come to it; the first that fits is taken."""

    outcome: OutcomeId
    """One of the procedure's outcomes."""
    when: FormulaText | None = None
    """What must hold for it; the last result usually has none."""


class CaseModel(Model):
    """What is rolled when ``when`` holds: the first case that fits is taken. ``always`` needs no roll.

    ``rolls`` is the general way: things that chance decides one after the other, and ``results`` of them.
    """

    when: FormulaText | None = None
    """The case is taken where this holds for the inputs; without it, always."""
    opposed: Opposed | None = None
    """Dice against dice."""
    target: Target | None = None
    """One die against a number."""
    always: OutcomeId | None = None
    """This outcome, without a roll."""
    rolls: Seq[RollModel] = ()
    """What is rolled, in order."""
    results: Seq[ResultModel] = ()
    """What the rolls come to."""
    events: dict[Id, FormulaText] = Field(default_factory=dict)
    """What may also happen, whatever the outcome: the answer gives the chance of each."""
    numbers: dict[Id, FormulaText] = Field(default_factory=dict)
    """Figures that the rolls come to: the answer gives their distributions and means; none is no figure."""
    which: dict[Id, FormulaText] = Field(default_factory=dict)
    """What comes up that is no number, such as a place: the answer gives its distribution; none counts, too."""
    together: dict[Id, dict[Name, FormulaText]] = Field(default_factory=dict)
    """Figures whose joint distribution the answer gives."""
    times: FormulaText = 1
    """Several such rolls: the first of the outcomes, in their order, that any of them gave."""
    note: str = ""
    """A remark that the answer carries."""


class NoteModel(Model):
    """A remark that the answer carries when ``when`` holds."""

    when: FormulaText
    """Where this holds for the inputs."""
    note: str
    """The remark."""


class ProcedureModel(Certificate):
    """A procedure as written: steps, and an exact answer where ``inputs``, ``outcomes`` and ``cases`` are given.

    Procedures under ``replaces`` do not answer in this rule set: this procedure answers for them.
    """

    procedure: Id
    """Its id: the name of its file."""
    title: str
    """Its printed name."""
    says: str = ""
    """A sentence about it."""
    replaces: Seq[Id] = ()
    """The procedures of parents that this one replaces: its own id too, where a parent has it."""
    over: Seq[Id] = ()
    """Layers beside this one that replace the same procedures, and give way."""
    steps: Seq[str | StepModel] = ()
    """What players do, in order, in our own words."""
    inputs: dict[FreeName, InputModel] = Field(default_factory=dict)
    """What a question must say, or may."""
    outcomes: Seq[OutcomeModel] = ()
    """What can come out, in order."""
    cases: Seq[CaseModel] = ()
    """What is rolled: the first case that fits is taken."""
    notes: Seq[NoteModel] = ()
    """Remarks that the answer carries under conditions."""
