"""The context in which a block of a sheet is composed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.forces.force import Design
    from generator.problems import Problem
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place


class Composition(NamedTuple):
    """What a block of a sheet is composed from: the rule set, the block's place in the data, the list of problems."""

    ruleset: RuleSet
    place: Place
    problems: list[Problem]
    design: Design | None = None
    """The design that the sheet is about, on a sheet of a kind."""
    compiled: dict[Place, Any] | None = None
    """The compiled blocks of the sheet, which all designs of one kind share."""
    large: bool = False
    """Whether tables have the larger type of play sheets."""
    numbers: Mapping[int, str] | None = None
    """The numbers of rulings, shown in tables without notes, by the ``id`` of the row's provenance."""
