"""A formula with the figures in it: the working that a person can follow."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.rules.formulas.compiler import Formula, Values

_SIGNS = ((" * ", " × "), (" / ", " ÷ "), (" - ", " − "))


def working(formula: Formula, values: Values) -> str:
    """The formula with names, columns, look-ups and functions replaced by their values, in printed signs.

    Of an if-else only the branch that is taken is shown.

    >>> from generator.rules.formulas.compiler import compile_formula
    >>> from generator.rules.formulas.scope import Scope, VALUE
    >>> working(compile_formula("5 * max(size, 2) - 1", Scope({"size": VALUE})), {"size": 3})
    '5 × 3 − 1'
    """
    text = ast.unparse(_Filled(formula, values).visit(formula.tree()))
    for sign, printed in _SIGNS:
        text = text.replace(sign, printed)
    return text


class _Filled(ast.NodeTransformer):
    def __init__(self, formula: Formula, values: Values) -> None:
        self.formula = formula
        self.values = values

    def value(self, node: ast.expr) -> ast.expr:
        return ast.Name(str(self.formula.part(node, self.values)))

    visit_Name = visit_Attribute = visit_Subscript = visit_Call = value  # noqa: N815 - ast calls them so

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        taken = node.body if self.formula.part(node.test, self.values) else node.orelse
        filled: ast.expr = self.visit(taken)
        return filled
