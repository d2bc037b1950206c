"""Make the print jobs of a force: its roster, its cards, and the sheets of its designs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from generator.commands.forces import load_force_file
from generator.commands.jobs import (
    CARDS,
    MATCHUP,
    ROSTER,
    SHEETS,
    Findings,
    Job,
    Selection,
    in_known_spelling,
    unknown_parts,
    unprintable,
)
from generator.commands.matchups import fires_of
from generator.documents.force.cards import by_sides, deck
from generator.documents.force.designs import sheets_of_designs
from generator.documents.force.matchup import matchup_sheet
from generator.documents.force.rosters import roster, with_code
from generator.documents.unprintable import strange_signs
from generator.problems import refused
from generator.rules.describe.editions import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from generator.forces.force import Force
    from generator.problems import Problem
    from generator.render.blocks import Sheet
    from generator.rules.source.library import Library

_MAX_LISTED = 12
"""The most names that a hint lists."""


def force_jobs(library: Library, paths: Sequence[Path], selection: Selection, found: Findings) -> list[Job]:
    """Return the print jobs of forces. Forces with errors are printed as drafts.

    The names of sheets and the problems of the forces are added to ``found``.

    Adds to ``found.problems``, and returns no jobs: F214 for an unknown part, F215 for a force of another game to
    compare with. Also F132 for characters that cannot be printed, and R328 for options without a sheet. Raises
    ProblemsError as ``load_force_file`` does.
    """
    found.known.update(dict.fromkeys((ROSTER, CARDS, *((MATCHUP,) if selection.against else ()))))
    cards = selection.sheet(CARDS) or bool(selection.against and selection.sheet(MATCHUP))
    more = (*((CARDS,) if cards else ()), *((SHEETS,) if selection.of_kinds() else ()))
    forces = [load_force_file(library, path, more) for path in paths]
    for force in forces:
        found.known.update(dict.fromkeys(kind.model.sheet for kind in force.rules.sheets_of_kinds()))
    enemy = load_force_file(library, selection.against, (CARDS,)) if selection.against and cards else None
    before = load_force_file(library, selection.since, more) if selection.since and more else None
    found.compared.extend(problem for force in (enemy, before) if force is not None for problem in force.problems)
    names = [design.name for force in forces for design in force.designs]
    names += [unit.name for force in forces for unit in force.units]
    several = [*dict.fromkeys(names)]
    more_names = " and others" if len(several) > _MAX_LISTED else ""
    listed = f"there are: {', '.join(several[:_MAX_LISTED])}{more_names}" if several else "correct the force first"
    selection = selection._replace(parts=[*in_known_spelling(selection.parts, several)])
    missing = unknown_parts(selection.parts, names, "a design or a unit of the force", listed)
    missing += _options_without_sheets(selection)
    missing += _of_another_game(forces, "--against", enemy)
    missing += _of_another_game(forces, "--since", before)
    missing += [problem for force in forces for problem in strange_signs(force)]
    found.problems.extend(missing)
    for force in forces:
        found.faults.extend(force.problems)
    if missing:
        return []
    return [job for force in forces for job in _jobs(force, selection, enemy, before)]


def _jobs(force: Force, selection: Selection, enemy: Force | None, before: Force | None) -> Iterator[Job]:
    """Yield the wanted jobs of a force: its roster, its cards, its odds against ``enemy``, the sheets of its designs.

    Without an enemy there are no odds. Cards and sheets that are the same in the earlier force ``before`` are left out.
    """
    mark = fingerprint(force.rules)
    blame = partial(unprintable, force.place)
    if selection.sheet(ROSTER):
        sheet = with_code(roster(force, mark), force)
        yield Job(sheet, ROSTER, sheet.id, blame)
    if selection.sheet(CARDS):
        cards = deck(force, mark, enemy, frozenset(selection.parts))
        if before is not None:
            printed = frozenset(deck(before, mark, enemy).cards)
            cards = replace(cards, cards=tuple(card for card in cards.cards if card not in printed))
        yield from (Job(some, CARDS, some.id, blame) for some in by_sides(cards))
    if enemy is not None and selection.sheet(MATCHUP):
        sheet = matchup_sheet(force, enemy.name, fires_of(force, enemy), mark)
        yield Job(sheet, MATCHUP, sheet.id, blame)
    if not force.rules.sheets_of_kinds():
        return
    earlier = [_contents(sheet) for _, sheet in sheets_of_designs(before, mark)] if before is not None else []
    for name, sheet in sheets_of_designs(force, mark, frozenset(selection.parts)):
        if selection.sheet(name) and _contents(sheet) not in earlier:
            yield Job(sheet, name, sheet.id, blame)


def _contents(sheet: Sheet) -> tuple[object, ...]:
    """Return the contents of a sheet for comparison, without the name of its force."""
    return sheet.title, sheet.strap, sheet.banner, sheet.rows


def _options_without_sheets(selection: Selection) -> Iterator[Problem]:
    """Yield R328 for each option about cards or sheets of designs, if ``--only`` leaves these out."""
    cards = selection.sheet(CARDS) or selection.sheet(MATCHUP)
    for option in selection.of_cards():
        if not cards and (option.startswith("--against") or not selection.of_kinds()):
            expected, hint = "cards or sheets of designs to print", f"add --only {CARDS}, or leave it out"
            yield refused("R328", option, expected, option, hint)


def _of_another_game(forces: Sequence[Force], option: str, other: Force | None) -> Iterator[Problem]:
    """Yield F215 for each printed force that shares no rules with the ``other`` force, which ``option`` names.

    Yield nothing if there is no other force.
    """
    theirs = {folder.ruleset for folder in other.rules.chain} if other is not None else set()
    for force in forces:
        if other is not None and theirs.isdisjoint(folder.ruleset for folder in force.rules.chain):
            at, expected = other.place / "rules", f"a force of {force.rules.id}"
            hint = f"name a force of this game after {option}, or leave it out"
            yield at.problem("F215", expected, other.rules.id, hint)
