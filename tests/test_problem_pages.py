"""Each problem code has a page, a case file and one meaning; no page and no case is about a code that is gone."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import generator
from generator.reporting.problems import pages

pytestmark = pytest.mark.slow

CODE = re.compile(r"[FRS]\d{3}")
SOURCE = Path(generator.__file__).parent
CASES = Path(__file__).with_name("cases") / "problems"
TEXT = (SOURCE / "reporting" / "problems.md").read_text(encoding="utf-8")
WIDEST = 100


def texts_of(file: Path) -> list[str]:
    """Every text literal of a module that is no docstring and no other remark."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    remarks = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in remarks
    ]


@cache
def codes_in_use() -> set[str]:
    found = {text for file in SOURCE.rglob("*.py") for text in texts_of(file) if CODE.fullmatch(text)}
    assert len(found) > 50, "the codes stand as text literals in the modules: has the search lost them?"
    return found


def test_every_code_has_a_page() -> None:
    assert codes_in_use() - set(pages()) == set()


def test_every_page_is_about_a_code_that_can_come_up() -> None:
    assert set(pages()) - codes_in_use() == set()


def test_every_code_has_a_case() -> None:
    cases = {file.stem.partition("-")[0] for file in CASES.glob("*.yaml")}
    assert codes_in_use() - cases == set()


def test_no_code_has_two_pages_and_the_pages_are_in_order() -> None:
    heads = re.findall(r"^## (\w+):", TEXT, re.MULTILINE)
    assert heads == sorted(set(heads))
    assert heads == list(pages())


@pytest.mark.parametrize("code", pages())
def test_a_page_has_a_title_a_meaning_an_example_and_a_cure(code: str) -> None:
    page = pages()[code]
    title, meaning, example, fix = re.fullmatch(
        rf"## {code}: (.+?)\n\n(.+?)\n\nExample:(.+?)\n\nFix: (.+)", page, re.DOTALL
    ).groups()  # type: ignore[union-attr] # a page of another form fails here
    assert "\n" not in title
    assert meaning.endswith(".")
    assert example.strip()
    assert fix.endswith((".", ":"))


def test_the_pages_fit_a_terminal() -> None:
    wide = [line for line in TEXT.splitlines() if len(line) > WIDEST]
    assert wide == []
