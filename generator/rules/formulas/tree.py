"""Export formulas as nested lists, so that a program in another language can compute them without parsing."""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.rules.formulas.compiler import CONSTANTS
from generator.rules.formulas.errors import FormulaUseError

if TYPE_CHECKING:
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.scope import Scope

_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in", ast.USub: "neg", ast.Not: "not", ast.And: "and", ast.Or: "or",
}  # fmt: skip


def exported(formula: Formula, *, row: bool = False) -> Any:
    """Return a formula as nested lists, or as a constant. Each list is the name of an operation, then its parts.

    With ``row``, the formula is a look-up of a whole row. Raises FormulaUseError for an operation that has no export.

    >>> from generator.rules.formulas.compiler import compile_formula
    >>> from generator.rules.formulas.scope import VALUE, Scope
    >>> exported(compile_formula("max(0, class * 0.5) if class >= 2 else none", Scope({"class": VALUE})))
    ['if', ['compare', ['get', 'class'], '>=', 2], ['call', 'max', 0, ['*', ['get', 'class'], ['/', 1, 2]]], None]
    """
    exporter = _Exporter(formula)
    node = formula.tree()
    return exporter.row(node) if row else exporter.visit(node)


class _Exporter(ast.NodeVisitor):
    """Visitor that returns the export of each node."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.scope: Scope = formula.scope

    def generic_visit(self, node: ast.AST) -> Any:
        message = f"{type(node).__name__} in {self.formula.text}, which has no export"
        raise FormulaUseError(message, self.formula.place)

    def visit_Constant(self, node: ast.Constant) -> Any:
        """Return a text, yes, no or a whole number; a decimal number as a division."""
        if isinstance(node.value, float):
            number = Fraction(repr(node.value))
            return ["/", number.numerator, number.denominator]
        return node.value

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in CONSTANTS and node.id not in self.scope.names:
            return CONSTANTS[node.id]
        return ["get", node.id]

    def row(self, node: ast.expr) -> list[Any]:
        """Return the look-up of a row, or the name of a joined row."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            return self.visit(node)  # type: ignore[no-any-return] # a name
        keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return ["row", node.value.id, [self.visit(key) for key in keys]]

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and self.scope.names[node.value.id].shape == "records":
            return ["each", node.value.id, node.attr]
        return ["cell", self.row(node.value), node.attr]

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        row = self.row(node)
        return ["cell", row, self.scope.names[row[1]].only]

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        return [_SIGNS[type(node.op)], self.visit(node.left), self.visit(node.right)]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        return [_SIGNS[type(node.op)], self.visit(node.operand)]

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        return [_SIGNS[type(node.op)], *map(self.visit, node.values)]

    def visit_Compare(self, node: ast.Compare) -> Any:
        pairs = zip(node.ops, node.comparators, strict=True)
        rest = (part for sign, other in pairs for part in (_SIGNS[type(sign)], self.visit(other)))
        return ["compare", self.visit(node.left), *rest]

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return ["if", self.visit(node.test), self.visit(node.body), self.visit(node.orelse)]

    def visit_Tuple(self, node: ast.Tuple | ast.List) -> Any:
        return ["list", *map(self.visit, node.elts)]

    visit_List = visit_Tuple  # noqa: N815 - ast calls it so

    def visit_Call(self, node: ast.Call) -> Any:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        return ["call", name, *map(self.visit, node.args)]
