"""Diagrams of hexes with the chance of each: a map for each set of inputs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.documents.words import percent, tint
from generator.render.blocks import Hex, Hexes
from generator.render.drawing import SIDES
from generator.rules.check.sheets import values_of
from generator.rules.procedures.answers import answer
from generator.rules.procedures.inputs import complete_inputs
from generator.rules.source.model_errors import show

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generator.odds.distribution import Distribution
    from generator.problems import Problem
    from generator.rules.model.pictures import HexesBlock, HexMap, HexOdds
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place


def map_block(
    ruleset: RuleSet,
    block: HexesBlock,
    odds: HexOdds,
    one: HexMap,
    hexes: Sequence[Hex],
    place: Place,
    problems: list[Problem],
) -> Hexes:
    """The diagram with the chance of each hex for these inputs, and that of none below it.

    R225 where something comes up that is no hex of the table.
    """
    table, procedure = ruleset.tables[block.hexes], ruleset.procedures[odds.procedure]
    given = {name: values_of(procedure, name, {**odds.given, **one.given})[0] for name in {**odds.given, **one.given}}
    inputs = complete_inputs(procedure, given)
    found = answer(procedure, inputs).which.get(odds.which)
    keys = [row[table.key[0]] for row in table.rows]
    _check_hexes(odds, found, keys, place, problems)
    chances = [found.probability(key) if found is not None else Fraction(0) for key in keys]
    names, inner = _named(hexes, flat=block.flat)
    drawn = tuple(
        replace(
            cell,
            text=percent(chance) if chance else "",
            below=name,
            tint=tint(chance, odds.steps),
            aim=odds.aim is not None and inputs.get(odds.aim) == key,
        )
        for cell, key, chance, name in zip(hexes, keys, chances, inner, strict=True)
    )
    under = f"{odds.beside}: {percent(1 - sum(chances))} %" if odds.beside else ""
    return Hexes(
        drawn, _alt(one.title, hexes, drawn, under), block.size, block.flat, one.title, names, one.title, under
    )


def _check_hexes(
    odds: HexOdds, found: Distribution[Any] | None, keys: Sequence[Any], place: Place, problems: list[Problem]
) -> None:
    values = [value for value, _ in found.weights] if found is not None else []
    stray = next((value for value in values if value not in (None, *keys)), None)
    if stray is not None:
        said, expected = f"{odds.which} with {show(stray)}", "keys of the table of hexes, or none"
        problem = (place / "odds" / "which").problem("R225", found=said, expected=expected)
        if problem not in problems:
            problems.append(problem)


def _named(hexes: Sequence[Hex], *, flat: bool) -> tuple[tuple[Hex, ...], list[str]]:
    """The names of groups in free places beside them; and each hex's text, nothing where its group is so named.

    A group whose hexes have one text is named by it. Of the free places within the diagram the one that touches most
    of its hexes and fewest of the others is taken.
    """
    there = {(one.q, one.r): one.group for one in hexes}
    texts = {one.group: {other.text for other in hexes if other.group == one.group} for one in hexes}
    box = [sorted(across) for across in zip(*(_lattice(one.q, one.r, flat=flat) for one in hexes), strict=True)]
    taken: dict[tuple[int, int], Hex] = {}
    for group, (text, *more) in ((group, sorted(said)) for group, said in texts.items()):
        free = {
            (q + dq, r + dr)
            for (q, r), own in there.items()
            for dq, dr in SIDES
            if own == group and (q + dq, r + dr) not in there and (q + dq, r + dr) not in taken
        }
        inside = [
            at
            for at in free
            if all(one[0] <= place <= one[-1] for one, place in zip(box, _lattice(*at, flat=flat), strict=True))
        ]
        if group and not more and inside:
            best = min(inside, key=lambda at: (_strangeness(at, group, there), _lattice(*at, flat=flat)[::-1]))
            taken[best] = Hex(*best, text, group)
    named = {one.group for one in taken.values()}
    return tuple(taken.values()), ["" if one.group in named else one.text for one in hexes]


def _lattice(q: int, r: int, *, flat: bool) -> tuple[int, int]:
    """How far to the right and down a hex stands, in halves of the way from hex to hex."""
    return (q, 2 * r + q) if flat else (2 * q + r, r)


def _strangeness(at: tuple[int, int], group: str, there: Mapping[tuple[int, int], str]) -> int:
    around = [there[at[0] + q, at[1] + r] for q, r in SIDES if (at[0] + q, at[1] + r) in there]
    return 2 * len(around) - 3 * around.count(group)


def _alt(title: str, hexes: Sequence[Hex], drawn: Sequence[Hex], under: str) -> str:
    """What a diagram of odds tells: each chance with the hexes that have it, but for those that never come up."""
    said: dict[str, list[str]] = {}
    for plain, one in zip(hexes, drawn, strict=True):
        mark = " (aimed at)" if one.aim else ""
        said.setdefault(one.text, []).append(f"{plain.text} at {one.q}, {one.r}{mark}")
    told = [f"{text} %: {'; '.join(places)}" for text, places in said.items() if text]
    return ". ".join((title, *told, *([under] if under else [])))
