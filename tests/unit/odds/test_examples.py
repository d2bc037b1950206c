"""Every public function of the odds shows how it is used, and the example runs with the other tests."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ODDS = Path(__file__).parents[3] / "generator" / "odds"
FEWEST = 20
"""A search that finds fewer functions than this looks in the wrong place."""


def public(body: list[ast.stmt], of: str) -> Iterator[tuple[str, str]]:
    """The functions and methods that others may call, each with its docstring; overloads are the same once more."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public(node.body, f"{of}.{node.name}")
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and not is_overload(node):
            yield f"{of}.{node.name}", ast.get_docstring(node) or ""


def is_overload(node: ast.FunctionDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "overload" for one in node.decorator_list)


def test_every_public_function_has_an_example() -> None:
    found = [
        one for file in sorted(ODDS.glob("*.py")) for one in public(ast.parse(file.read_text("utf-8")).body, file.stem)
    ]
    assert len(found) >= FEWEST
    assert [name for name, says in found if ">>> " not in says] == []
