"""Sheets in the making: a description in, blocks of paper out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest

from generator.commands.access import open_library
from generator.documents.sheets import compose
from generator.rules.check.ruleset import check_sheet

if TYPE_CHECKING:
    from pathlib import Path

    from generator.problems import Problem
    from generator.render.blocks import Block, Sheet
    from generator.rules.source.library import Library
    from tests.conftest import Bench

HEAD = "sheet: own\ntitle: Own\nstrap: Made up.\nkicker: Test\nrows:\n"


class Printer(Protocol):
    """Compose a sheet of ``tin`` (or of a layer) from the text of its rows."""

    def __call__(self, rows: str, ruleset: str = "tin") -> Sheet:
        """The sheet, which has to be without problems."""


@pytest.fixture
def printer(bench: Bench) -> Printer:
    """A sheet ``own`` of ``tin``, checked and composed."""

    def call(rows: str, ruleset: str = "tin") -> Sheet:
        bench.write("tin/sheets/own.yaml", HEAD + rows)
        rules = bench.rules(ruleset)
        problems: list[Problem] = []
        check_sheet(rules, rules.sheets["own"], problems)
        assert problems == []
        sheet = compose(rules, rules.sheets["own"], "0000 0000", problems)
        assert problems == []
        return sheet

    return call


class Print(Protocol):
    """Compose one block of a sheet."""

    def __call__(self, block: str, ruleset: str = "tin") -> Any:
        """What it prints; several blocks as a list."""


@pytest.fixture
def printed(printer: Printer) -> Print:
    """A sheet with a single block."""

    def call(block: str, ruleset: str = "tin") -> Block | list[Block]:
        sheet = printer(f"  - columns:\n      - - section: S\n          blocks:\n            - {block}\n", ruleset)
        blocks = sheet.rows[0].columns[0][0].blocks
        return blocks[0] if len(blocks) == 1 else list(blocks)

    return call


class Refuse(Protocol):
    """Check one block of a sheet."""

    def __call__(self, block: str) -> list[Problem]:
        """The problems of the sheet."""


@pytest.fixture
def refused(bench: Bench) -> Refuse:
    """A sheet with a single block that is checked and not composed."""

    def call(block: str) -> list[Problem]:
        rows = f"  - columns:\n      - - section: S\n          blocks:\n            - {block}\n"
        bench.write("tin/sheets/own.yaml", HEAD + rows)
        rules = bench.rules()
        problems: list[Problem] = []
        check_sheet(rules, rules.sheets["own"], problems)
        return problems

    return call


HOUSE = """\
ruleset: house
title: House
short: House
edition: "2026-01-01"
extends: [dirtside2]
rights: mine
authors: [me]
source: own
sources: {own: {title: Own, short: own}}
"""


class Divide(Protocol):
    """A library with a layer of one's own, ``house``, in which a formula of Dirtside's divides by zero."""

    def __call__(self, formula: str, was: str) -> Library:
        """``formula`` is its address, ``was`` how it stands."""


@pytest.fixture
def divide(tmp_path: Path) -> Divide:
    """The layer stands in the folder of the test."""

    def call(formula: str, was: str) -> Library:
        (tmp_path / "house").mkdir()
        (tmp_path / "house/ruleset.yaml").write_text(HOUSE, encoding="utf-8")
        changes = f"changes:\n  - set: {formula}\n    was: {was}\n    to: 1 / 0\n    reason: To see.\n    cite: p. 1\n"
        (tmp_path / "house/changes.yaml").write_text(changes, encoding="utf-8")
        return open_library(tmp_path)

    return call
