"""A kind of block outside the package, made as docs/how-to/add-a-block.md says: checked and printed like our own."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pypdfium2
import pytest

from generator.commands.access import open_library
from generator.documents.blocks.registry import BLOCKS
from generator.documents.sheets import compose, proof
from generator.render.page.pdf import render_pdf
from generator.rules.load.load import load
from tests.conftest import reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.problems import Problem
    from generator.rules.model.base import Block
    from tests.conftest import Bench

HOW_TO = Path(__file__).parents[3] / "docs" / "how-to" / "add-a-block.md"
SHEET = "sheet: own\ntitle: Own\nstrap: x\nkicker: x\nrows:\n  - columns: [[{{section: Turns, blocks: [{block}]}}]]\n"


@pytest.fixture
def kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Block]]:
    """The kind of block of the page, from a module and a template that stand in a folder of their own."""
    page = HOW_TO.read_text(encoding="utf-8")
    for language, name in (("python", "countdown.py"), ("jinja", "countdown.html.j2")):
        ((code),) = re.findall(rf"^   ```{language}\n(.*?)^   ```$", page, re.DOTALL | re.MULTILINE)
        (tmp_path / name).write_text(dedent(code), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield import_module("countdown").CountdownBlock
    del sys.modules["countdown"]


def test_its_module_keeps_the_rules_of_the_code(kind: type[Block]) -> None:
    code = Path(str(sys.modules[kind.__module__].__file__)).read_bytes()
    ruff = [str(Path(sys.executable).with_name("ruff")), "check", "--stdin-filename", "generator/documents/blocks/x.py"]
    done = subprocess.run([*ruff, "-"], input=code, cwd=HOW_TO.parents[2], capture_output=True, check=False)  # noqa: S603 - our linter
    assert done.returncode == 0, done.stdout.decode()


def problems_with(bench: Bench, kind: type[Block], block: str) -> list[tuple[str, int, str]]:
    bench.write("tin/sheets/own.yaml", SHEET.format(block=block))
    found = proof(open_library(bench.folder)._replace(blocks=lambda: (*BLOCKS, kind)), "tin")
    line = SHEET.format(block=block).splitlines()[5]
    return [(one.code, one.span.line, line[one.span.column - 1 :]) for one in found if one.severity == "error"]


@pytest.mark.parametrize(
    ("block", "code", "at"),
    [
        ("{countdown: 0}", "R203", "0}"),
        ("{countdown: six}", "R203", "six}"),
        ("{countdown: 6, upwards: yes}", "R202", "upwards"),
    ],
)
def test_a_wrong_value_is_refused_at_its_place(bench: Bench, kind: type[Block], block: str, code: str, at: str) -> None:
    ((found, line, rest),) = problems_with(bench, kind, block)
    assert (found, line) == (code, 6)
    assert rest.startswith(at)


def test_it_is_printed(bench: Bench, kind: type[Block]) -> None:
    assert problems_with(bench, kind, "{countdown: 6}") == []
    problems: list[Problem] = []
    rules = load(open_library(bench.folder)._replace(blocks=lambda: (*BLOCKS, kind)), "tin", problems)
    assert rules is not None
    pdf = render_pdf(compose(rules, rules.sheets["own"], "0", problems), paper="a4", ink="mono").pdf
    assert problems == []
    assert "6 5 4 3 2 1" in pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_bounded()


def test_it_is_refused_where_nobody_added_it(bench: Bench) -> None:
    bench.write("tin/sheets/own.yaml", SHEET.format(block="{countdown: 6}"))
    assert [line.split()[0] for line in bench.problems()] == ["R203"]


def test_its_keys_are_in_the_schema(kind: type[Block]) -> None:
    made = reference().schemas((*BLOCKS, kind))["sheet"]["$defs"]["CountdownBlock"]["properties"]
    assert made["countdown"] == {"description": "The first number.", "type": "integer"}
