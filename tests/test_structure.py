"""How the code is laid out: what stands in no module, how large one may grow, and what a command may import."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import SMALL_RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "generator"
MODULES = sorted(PACKAGE.rglob("*.py"))
TEXTS = sorted([*MODULES, *PACKAGE.rglob("*.md")])

GAMES = ("dirtside", "dirtside2", "stargrunt", "stargrunt2", "iceburg", "dnotice", "fma", "sla")
GAME = re.compile(rf"\b(?:{'|'.join(GAMES)})\b", re.IGNORECASE)
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK|NotImplementedError)\b")
CATCH_ALL = re.compile(r"^_?(?:utils?|helpers?|common|managers?|misc|tools)$")

LONGEST = 500
FEWEST = 50
"""A search that looks at fewer files than this looks in the wrong place."""


def lines_with(pattern: re.Pattern[str], files: list[Path]) -> list[str]:
    """Every line that matches, with its place."""
    assert len(files) > FEWEST
    return [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]


def test_the_patterns_find_what_they_look_for() -> None:
    for name in GAMES:
        assert GAME.search(f"the {name.upper()}-rules")
    assert GAME.search("slang and islands and format_map") is None
    assert UNFINISHED.search("# TODO: later")
    assert [name for name in ("utils", "helper", "_common", "manager", "tables") if not CATCH_ALL.match(name)] == [
        "tables"
    ]


def test_code_knows_no_game() -> None:
    assert lines_with(GAME, TEXTS) == []


def test_no_file_or_folder_is_named_after_a_game() -> None:
    assert [path for path in TEXTS if GAME.search(" ".join(re.split(r"[/_.-]", str(path.relative_to(ROOT)))))] == []


def test_nothing_is_left_unfinished() -> None:
    assert lines_with(UNFINISHED, TEXTS) == []


def test_no_module_is_too_long() -> None:
    assert len(MODULES) > FEWEST
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_a_name_of_a_class_stands_once() -> None:
    """But for what rule data say and pages print, and for keys of files that have the same name in schemas."""
    twice = {"Block", "Card", "Column", "Figure", "Row", "RollModel", "Sheet", "Table", "TableModel"}
    names = Counter(
        node.name
        for path in MODULES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, many in names.items() if many > 1} == twice


def test_no_module_gathers_whatever_has_no_home() -> None:
    assert [path for path in MODULES if CATCH_ALL.match(path.stem) or CATCH_ALL.match(path.parent.name)] == []


def test_every_module_and_package_says_what_it_is() -> None:
    packages = {path.parent for path in MODULES}
    assert [folder for folder in packages if not (folder / "__init__.py").is_file()] == []
    assert [path for path in MODULES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))] == []


def public(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Public functions and classes, methods of public classes among them; of overloads the one with the body."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            if not any(isinstance(one, ast.Name) and one.id == "overload" for one in node.decorator_list):
                yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node)


def test_every_public_function_says_what_it_does() -> None:
    silent = []
    seen = 0
    for path in MODULES:
        for node in public(ast.parse(path.read_text(encoding="utf-8"))):
            seen += 1
            if not ast.get_docstring(node):
                silent.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}")
    assert silent == []
    assert seen > FEWEST


# ---------------------------------------------------------------- what a command imports

HEAVY = ("pydantic", "yaml", "jinja2", "weasyprint", "markdown_it", "tabulate", "pydyf", "fontTools")
SHOT = ("odds", "dirtside2-fma/armour-fire", "weapon_size=1..5", "valid=red", "armour=2")

WATCH = """
import json, sys
sys.argv[0] = "fieldpress"
from generator.cli import main
try:
    main()
except SystemExit as end:
    code = end.code
print(json.dumps([code, sorted(name for name in sys.modules if "." not in name)]), file=sys.stderr)
"""


def imported_by(*words: str) -> set[str]:
    """Which of the heavy libraries a command has imported at its end."""
    result = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", WATCH, *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "FIELDPRESS_CACHE": "off"},
        timeout=120,
        check=True,
    )
    assert result.stdout
    code, modules = json.loads(result.stderr.splitlines()[-1])
    assert not code
    assert {"click", "generator"} <= set(modules)
    return set(HEAVY) & set(modules)


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("odds", "--help"), ("build", "--help")], ids=" ".join)
def test_help_imports_nothing_heavy(words: tuple[str, ...]) -> None:
    assert imported_by(*words) == set()


@pytest.mark.parametrize(
    "words", [SHOT, ("rules", "dirtside2-fma", "power-die"), ("odds", "dirtside2-fma")], ids=" ".join
)
def test_data_as_json_needs_rules_alone(words: tuple[str, ...]) -> None:
    assert imported_by(*words, "--format", "json") == {"pydantic", "yaml"}


def test_csv_needs_rules_alone() -> None:
    assert imported_by(*SHOT, "--format", "csv") == {"pydantic", "yaml"}


@pytest.mark.parametrize("words", [SHOT, ("rules", "dirtside2-fma")], ids=" ".join)
def test_text_needs_tabulate_too(words: tuple[str, ...]) -> None:
    assert imported_by(*words) == {"pydantic", "yaml", "tabulate"}


def test_check_prints_nothing_and_needs_no_printer() -> None:
    assert imported_by("check", "tin", "--rules-path", str(SMALL_RULES)) == {"pydantic", "yaml"}


def test_the_watch_sees_what_a_build_imports(tmp_path: Path) -> None:
    assert {"jinja2", "weasyprint"} <= imported_by(
        "build", "dirtside2-fma", "--only", "readings", "--jobs", "1", "--out", str(tmp_path)
    )
