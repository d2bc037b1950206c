"""``procedures/<id>.yaml``: a question with an exact answer, built from our dice mechanics."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from generator.rules.models.base import Certificate, FormulaText, Id, Model, Name, Range, Seq


class StepModel(Certificate):
    """A step with an id of its own, which layers address, and a certificate where it needs one."""

    step: Id
    says: str
    when: FormulaText | None = None
    """Only printed where this holds for the options."""


class InputModel(Model):
    """Something a question must (or may) say. Exactly one of ``range``, ``of``, ``from``, ``yes_no``, ``option``."""

    label: str
    range: Range | None = None
    of: Seq[str] = ()
    from_: Annotated[Id | None, Field(alias="from")] = None
    """A table: its first key column lists the values."""
    yes_no: bool = False
    option: Name | None = None
    """An option of the rule set: its values, and how it is set as the default."""
    default: str | int | bool | None = None
    when: FormulaText | None = None
    """Only asked for when this holds for the inputs before it."""


class OutcomeModel(Model):
    """One thing that can come out; ``when`` restricts it to some inputs."""

    outcome: Id
    label: str
    when: FormulaText | None = None


class FollowUp(Model):
    """A further roll on a table whose key is the roll and which has an ``outcome`` column."""

    roll: FormulaText
    table: Id


class Opposed(Model):
    """The highest of the attacker's dice against the highest of the defender's."""

    attacker: Annotated[Seq[FormulaText], Field(min_length=1)]
    defender: Annotated[Seq[FormulaText], Field(min_length=1)]
    above: Id
    level: Id | FollowUp
    below: Id


class Target(Model):
    """One die that must come to ``needed`` or more, or above it where the roll is strict."""

    die: FormulaText
    needed: FormulaText
    strict: bool = False
    passed: Id
    failed: Id


class AskModel(Model):
    """Another procedure's outcome; with ``times`` how often each of its outcomes comes up."""

    procedure: Id
    given: Annotated[dict[Name, FormulaText], Field(alias="with", default_factory=dict)]
    """Its inputs; those left out take their defaults."""
    times: FormulaText | None = None


class DrawModel(Model):
    """Counters drawn from a pot without being put back."""

    pot: Id
    """A table with two keys, a group and a number, and a column ``count``."""
    marks: Id | None = None
    """A table with one key, a mark, and a column ``count``: counters without a number."""
    counters: FormulaText
    """How many are drawn."""
    groups: FormulaText
    """A list of the groups whose numbers count."""


class AboveModel(Model):
    """How many of several dice come above a number."""

    dice: Annotated[Seq[FormulaText], Field(min_length=1)]
    than: FormulaText


class RollModel(Model):
    """One thing that chance decides, under a name that later formulas know.

    Exactly one of ``die``, ``highest``, ``total``, ``above``, ``draw``, ``ask`` and ``be``.
    """

    roll: Name
    when: FormulaText | None = None
    """Only rolled where this holds; else it is none."""
    die: FormulaText | None = None
    """What one die shows."""
    highest: Seq[FormulaText] = ()
    """What the highest of several dice shows; a die that is none is left out."""
    total: Seq[FormulaText] = ()
    """What several dice show together; a die that is none is left out."""
    above: AboveModel | None = None
    draw: DrawModel | None = None
    """``name.points`` are the numbers that count, ``name.marks`` the marks, ``name.numbered`` how many had a number."""
    ask: AskModel | None = None
    be: FormulaText | None = None
    """No chance: a name for what a formula comes to."""


class ResultModel(Model):
    """An outcome, and when the rolls come to it; the first that fits is taken."""

    outcome: Id
    when: FormulaText | None = None


class CaseModel(Model):
    """What is rolled when ``when`` holds: the first case that fits is taken. ``always`` needs no roll.

    ``rolls`` is the general way: things that chance decides one after the other, and ``results`` of them.
    """

    when: FormulaText | None = None
    opposed: Opposed | None = None
    target: Target | None = None
    always: Id | None = None
    rolls: Seq[RollModel] = ()
    """What is rolled, in order."""
    results: Seq[ResultModel] = ()
    """What the rolls come to."""
    events: dict[Id, FormulaText] = Field(default_factory=dict)
    """What may also happen, whatever the outcome: the answer gives the chance of each."""
    numbers: dict[Id, FormulaText] = Field(default_factory=dict)
    """Figures that the rolls come to: the answer gives their distributions and means; none is no figure."""
    together: dict[Id, dict[Name, FormulaText]] = Field(default_factory=dict)
    """Figures whose joint distribution the answer gives."""
    times: FormulaText = 1
    """Several such rolls: the first of the outcomes, in their order, that any of them gave."""
    note: str = ""


class NoteModel(Model):
    """A remark that the answer carries when ``when`` holds."""

    when: FormulaText
    note: str


class ProcedureModel(Certificate):
    """A procedure as written: steps, and an exact answer where ``inputs``, ``outcomes`` and ``cases`` are given.

    ``replaces`` names the rule set whose procedure of the same id it takes over.
    """

    procedure: Id
    title: str
    says: str = ""
    replaces: Id | None = None
    steps: Seq[str | StepModel] = ()
    """What players do, in order, in our own words."""
    inputs: dict[Name, InputModel] = Field(default_factory=dict)
    outcomes: Seq[OutcomeModel] = ()
    cases: Seq[CaseModel] = ()
    notes: Seq[NoteModel] = ()
