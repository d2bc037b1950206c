"""Headings of sheets: a heading names one thing in a rule set."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from generator.commands.access import open_library
from generator.resources import rulesdata
from generator.rules.load.load import load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.problems import Problem
    from generator.rules.model.base import Block
    from generator.rules.model.sheet import SectionModel


def subjects(section: SectionModel) -> set[str]:
    """Return what a section is about: the tables and procedures of its blocks; every glossary is one subject."""
    if section.section == "Abbreviations":
        return {"glossary"}
    return {name.replace("-", " ").rstrip("s") for block in section.blocks for name in _names(block)}


def _names(block: Block) -> Iterator[str]:
    yield from (row.table for row in getattr(block, "across", ()))
    about = getattr(block, block.keyword)
    if isinstance(about, str):
        yield about


@pytest.mark.parametrize("name", sorted(path.parent.name for path in rulesdata().glob("*/sheets")))
def test_a_heading_stands_once_on_a_sheet_and_names_one_thing(name: str) -> None:
    problems: list[Problem] = []
    rules = load(open_library(), name, problems)
    assert rules is not None, problems
    found: dict[str, list[tuple[str, set[str]]]] = defaultdict(list)
    for sheet in rules.sheets.values():
        if sheet.owner == name and sheet.model.of is None:
            for row in sheet.model.rows:
                for section in (section for column in row.columns for section in column if section.section):
                    if section.when is None:
                        found[section.section.lower()].append((sheet.model.sheet, subjects(section)))
    twice = {head for head, uses in found.items() if len({sheet for sheet, _ in uses}) < len(uses)}
    apart = {head for head, uses in found.items() if any(not a & b for (_, a), (_, b) in pairwise(uses))}
    assert (twice, apart) == (set(), set())
