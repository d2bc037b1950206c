"""``missions/<id>.yaml`` and ``errata.yaml``: missions with their parts, and examples that break their own rule."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from generator.rules.formulas.scope import FormulaText
from generator.rules.model.base import Certificate, Cite, Id, Model, Seq

Rows: TypeAlias = Seq[dict[str, Any]]
"""Rows of a table, without the columns for the mission and the number."""


class MissionModel(Certificate):
    """A mission as written: a row of the table ``missions``, and rows of the tables about its parts.

    Its certificate holds for each row without a certificate of its own.
    """

    mission: Id
    """Its id: the name of its file."""
    order: Annotated[int, Field(ge=1, le=999)] = 999
    """Its place among the missions of its rule set; missions with the same place are in the order of their ids."""
    name: str
    """Its printed name."""
    weight: int
    """How often it comes up, against the weights of the others."""
    attacker: int
    """The attacker’s part of the ratio of strengths."""
    defender: int
    """The defender’s part of the ratio of strengths."""
    turns: int | str
    """The length of the battle, from..to."""
    mobile: bool | Literal["yes", "no"]
    """Whether both sides move."""
    deployments: Seq[str]
    """The deployments that fit it."""
    attack_needs: Seq[str] = ()
    """The arms that the attacker needs."""
    defence_needs: Seq[str] = ()
    """The arms that the defender needs."""
    needs: Seq[str] = ()
    """Kinds of terrain: the mission is not fought without them."""
    special: Seq[str] = ()
    """The special rules that it brings."""
    title: str
    """The title of a battle with this mission."""
    says: str
    """What it is about, in a few words."""
    situation: str
    """The text for everybody."""
    attack: str
    """The text for the attacker."""
    defence: str
    """The text for the defender."""
    goals: Rows = ()
    """Its objectives: rows of the table ``goals``."""
    awards: Rows = ()
    """What else scores: rows of the table ``awards``."""
    pieces: Rows = ()
    """What stands or happens on the map: rows of the table ``fixtures``."""
    events: Rows = ()
    """What comes or happens in a turn: rows of the table ``arrivals``."""


class ErratumModel(Model):
    """A printed example that is wrong."""

    erratum: Id
    """Its id."""
    title: str
    """The example, in a few words."""
    printed: str | int
    """The result that the source prints."""
    holds: str | int
    """The result of the source's own rule."""
    working: FormulaText | None = None
    """The rule with its figures; its result must be ``holds``."""
    cite: Cite
    """Where it is printed: a page or section of the rule set’s own source, or source ids with a place in each."""
    note: Annotated[str, Field(min_length=3)]
    """How the example departs from the rule."""


class ErrataModel(Model):
    """The file of errata."""

    errata: Annotated[Seq[ErratumModel], Field(min_length=1)]
    """The errata, in order."""
