"""``procedures/<id>.yaml``: a question with an exact answer, built from our dice mechanics."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from generator.rules.models.base import Certificate, FormulaText, Id, Model, Name, Range, Seq


class StepModel(Certificate):
    """A step with an id of its own, which layers address, and a certificate where it needs one."""

    step: Id
    """Its id, which layers address."""
    says: str
    """What players do."""
    when: FormulaText | None = None
    """Only printed where this holds for the options."""


class InputModel(Model):
    """Something a question must (or may) say. Exactly one of ``range``, ``of``, ``from``, ``yes_no``, ``option``."""

    label: str
    """Its printed name."""
    range: Range | None = None
    """Any whole number from..to, both included."""
    of: Seq[str] = ()
    """Any of these words."""
    from_: Annotated[Id | None, Field(alias="from")] = None
    """A table: its first key column lists the values."""
    yes_no: bool = False
    """Set to true: yes or no."""
    option: Name | None = None
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
    table: Id
    """The table to roll on."""


class Opposed(Model):
    """The highest of the attacker's dice against the highest of the defender's."""

    attacker: Annotated[Seq[FormulaText], Field(min_length=1)]
    """The attacker’s dice."""
    defender: Annotated[Seq[FormulaText], Field(min_length=1)]
    """The defender’s dice."""
    above: Id
    """The outcome if the attacker’s best is higher."""
    level: Id | FollowUp
    """The outcome if both are the same, or a further roll for it."""
    below: Id
    """The outcome if the attacker’s best is lower."""


class Target(Model):
    """One die that must come to ``needed`` or more, or above it where the roll is strict."""

    die: FormulaText
    """The die to roll: its number of sides."""
    needed: FormulaText
    """What it must come to."""
    strict: bool = False
    """Set to true: it must come above that."""
    passed: Id
    """The outcome if it does."""
    failed: Id
    """The outcome if it does not."""


class CaseModel(Model):
    """What is rolled when ``when`` holds: the first case that fits is taken. ``always`` needs no roll."""

    when: FormulaText | None = None
    """The case is taken where this holds for the inputs; without it, always."""
    opposed: Opposed | None = None
    """Dice against dice."""
    target: Target | None = None
    """One die against a number."""
    always: Id | None = None
    """This outcome, without a roll."""
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

    ``replaces`` names the rule set whose procedure of the same id it takes over.
    """

    procedure: Id
    """Its id: the name of its file."""
    title: str
    """Its printed name."""
    says: str = ""
    """A sentence about it."""
    replaces: Id | None = None
    """The parent whose procedure of the same id this one takes over."""
    steps: Seq[str | StepModel] = ()
    """What players do, in order, in our own words."""
    inputs: dict[Name, InputModel] = Field(default_factory=dict)
    """What a question must say, or may."""
    outcomes: Seq[OutcomeModel] = ()
    """What can come out, in order."""
    cases: Seq[CaseModel] = ()
    """What is rolled: the first case that fits is taken."""
    notes: Seq[NoteModel] = ()
    """Remarks that the answer carries under conditions."""
