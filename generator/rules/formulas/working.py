"""A formula with the figures in it: the working that a person can follow."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from generator.rules.formulas.compiler import Formula, Values

_SIGNS = ((" * ", " × "), (" / ", " ÷ "), (" - ", " − "), ("[", ""), ("]", ""))


def working(formula: Formula, values: Values) -> str:
    """The formula with each name, column and look-up replaced by its value, in printed signs.

    >>> from generator.rules.formulas.compiler import compile_formula
    >>> from generator.rules.formulas.scope import Scope, VALUE
    >>> working(compile_formula("5 * size - 1", Scope({"size": VALUE})), {"size": 3})
    '5 × 3 − 1'
    """
    tree = _Filled(values).visit(formula.tree())
    text = ast.unparse(tree)
    for sign, printed in _SIGNS:
        text = text.replace(sign, printed)
    return text


class _Filled(ast.NodeTransformer):
    def __init__(self, values: Values) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _literal(self.values[node.id]) if node.id in self.values else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name):
            owner = self.values[node.value.id]
            if isinstance(owner, tuple):
                return _literal(tuple(record[node.attr] for record in owner))
            return _literal(owner[node.attr])
        if isinstance(node.value, ast.Subscript):
            return _literal(self._row(node.value)[node.attr])
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        row, name = self._row(node), ast.unparse(node.value)
        table = self.values[name]
        others = [column.name for column in table.columns if column.name not in (*table.key, table.name)]
        return _literal(row[others[0]]) if len(others) == 1 else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(argument) for argument in node.args]
        return node

    def _row(self, node: ast.Subscript) -> Any:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        keys = tuple(ast.literal_eval(self.visit(part)) for part in parts)
        return self.values[ast.unparse(node.value)].find(keys)


def _literal(value: object) -> ast.expr:
    if isinstance(value, tuple):
        return ast.List([_literal(one) for one in value], ast.Load())
    return ast.Name(str(value)) if not isinstance(value, str) else ast.Constant(value)
