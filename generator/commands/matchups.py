"""Odds of two forces against each other: every way to fire at every design of the enemy."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from generator.commands.decisions import decimal
from generator.commands.forces import load_force_file
from generator.commands.jobs import CARDS
from generator.errors import ProblemsError
from generator.forces.cards import no_figure, shots, targets
from generator.parsing.assignments import Assignment, split_words
from generator.problems import Problem, has_errors
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.procedures.questions import read_input, unknown_input

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from generator.commands.access import Data
    from generator.forces.cards import Known
    from generator.forces.force import Force
    from generator.rules.procedures.procedure import Input
    from generator.rules.source.library import Library


def matchup(library: Library, paths: Sequence[Path], words: Sequence[str]) -> Data:
    """Return the odds of two forces against each other.

    Each of the ``words`` sets an input of shots, such as the range band, to one value or several. Other inputs are
    those of the rules' cards. Raises ProblemsError: the problems of the forces; S209 for forces of two games. Further
    codes: R201 for a force without designs, R241 for a formula without an answer, R312 and R313 for an unknown input or
    value.
    """
    first, second = (load_force_file(library, path, (CARDS,)) for path in paths)
    of_files = (*first.problems, *second.problems)
    if has_errors(of_files):
        raise ProblemsError(*of_files)
    if first.rules.chain[0].ruleset != second.rules.chain[0].ruleset:
        found, expected = f"a force of {second.rules.id}", f"a force of the game of {first.rules.id}"
        raise ProblemsError((second.place / "rules").problem("S209", expected, found))
    empty, hint = [force for force in (first, second) if not force.designs], "add designs: and list the force's designs"
    problems = [force.place.problem("R201", "the key designs", "nothing", hint) for force in empty]
    choices = _read(split_words(words), _inputs(first) | _inputs(second), problems)
    if problems:
        raise ProblemsError(*problems)
    return {"fires": fires_of(first, second, choices), "problems": []}


def fires_of(first: Force, second: Force, choices: Mapping[str, list[Any]] = MappingProxyType({})) -> list[Data]:
    """Return the odds of each of two forces against the other; ``choices`` gives values to inputs of shots.

    Raises ProblemsError (R241) if a formula has no answer.
    """
    known: Known = {}
    fires = []
    for firing, enemy in ((first, second), (second, first)):
        try:
            shots_of = [*_fire(firing, enemy, choices, known)]
        except FormulaUseError as error:
            raise no_figure(error, firing.place, "the odds of the forces") from None
        cards = firing.rules.cards.values()
        asked = dict.fromkeys(ask.procedure.id for card in cards for duel in card.duels for ask in duel.asks)
        asks = [f"{firing.rules.id}/{name}" for name in asked]
        named = {"force": firing.name, "at": enemy.name, "asks": asks}
        fires.append({**named, "shots": shots_of, "together": _together(shots_of)})
    return fires


def _inputs(force: Force) -> dict[str, Input]:
    """Return the inputs of shots that a word may change: the names that cards give to them for a range."""
    return {
        name: known
        for card in force.rules.cards.values()
        for duel in card.duels
        for name, _ in duel.let
        for ask in duel.asks
        if (known := ask.procedure.find_input(name)) is not None
    }


def _read(words: Sequence[Assignment], inputs: Mapping[str, Input], problems: list[Problem]) -> dict[str, list[Any]]:
    """Return the values of each named input. Adds R312 for an unknown input, and R313 for an unknown value."""
    choices: dict[str, list[Any]] = {}
    for word in words:
        if word.name in inputs:
            choices.setdefault(word.name, []).extend(read_input(inputs[word.name], word, problems))
        else:
            problems.append(unknown_input(word.name, word.span, list(inputs), "an input of these forces’ shots"))
    return choices


def _fire(firing: Force, enemy: Force, choices: Mapping[str, list[Any]], known: Known) -> Iterator[Data]:
    """Yield the odds of each way to fire at each target, for each combination of ``choices``.

    A way to fire without odds is left out. A second way with the same firer, name and target is left out, too.
    ``known`` stores answers.
    """
    aims = targets(enemy)
    seen = set()
    for values in product(*choices.values()):
        fixed = MappingProxyType(dict(zip(choices, values, strict=True)))
        for shot in shots(firing, fixed):
            elements = firing.counts.get(shot.design.name, 1)
            for aim in aims:
                chance = shot.chance(aim.inputs, known)
                key = shot.design.name, shot.name, aim.names
                if chance is not None and key not in seen:
                    seen.add(key)
                    named = {
                        "firer": shot.design.name,
                        "shot": shot.name,
                        "to": shot.duel.says,
                        "targets": [*aim.names],
                    }
                    yield named | {"chance": str(chance)} | _fired([(chance, elements)])


def _together(fires: Sequence[Data]) -> list[Data]:
    """Return, for each target, the chances if each element of the force fires its best shot at the target once."""
    best: dict[tuple[str, ...], dict[str, Data]] = {}
    for shot in fires:
        firers = best.setdefault(tuple(shot["targets"]), {})
        known = firers.setdefault(shot["firer"], shot)
        if Fraction(shot["chance"]) > Fraction(known["chance"]):
            firers[shot["firer"]] = shot
    together = []
    for names, firers in best.items():
        chances = [(Fraction(shot["chance"]), shot["elements"]) for shot in firers.values()]
        together.append({"targets": [*names], **_fired(chances)})
    return together


def _fired(chances: Sequence[tuple[Fraction, int]]) -> Data:
    """Return the results of shots, each with its chance and the number of elements that fire it once.

    The results are the expected number of successes, and the chance of at least one success. This chance is 1 only if
    success is certain.
    """
    any_hit = 1 - prod(((1 - chance) ** elements for chance, elements in chances), start=Fraction(1))
    return {
        "elements": sum(elements for _, elements in chances),
        "expected": decimal(sum((chance * elements for chance, elements in chances), Fraction(0))),
        "at_least_one": decimal(any_hit if any_hit == 1 else min(any_hit, Fraction(999_999, 10**6))),
    }
