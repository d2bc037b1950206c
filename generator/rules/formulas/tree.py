"""Export formulas as nested lists, so that a program in another language can compute them without parsing."""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.rules.formulas.compiler import CONSTANTS

if TYPE_CHECKING:
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.scope import Scope

_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in", ast.USub: "neg", ast.Not: "not", ast.And: "and", ast.Or: "or", ast.IfExp: "if",
    ast.Tuple: "list", ast.List: "list",
}  # fmt: skip


def exported(formula: Formula, *, row: bool = False) -> Any:
    """Return a formula as nested lists, or as a constant. Each list is the name of an operation, then its parts.

    With ``row``, the formula is a look-up of a whole row.

    >>> from generator.rules.formulas.compiler import compile_formula
    >>> from generator.rules.formulas.scope import VALUE, Scope
    >>> exported(compile_formula("max(0, class * 0.5) if class >= 2 else none", Scope({"class": VALUE})))
    ['if', ['compare', ['get', 'class'], '>=', 2], ['call', 'max', 0, ['*', ['get', 'class'], ['/', 1, 2]]], None]
    """
    node = formula.tree()
    return _row(node, formula.scope) if row else _tree(node, formula.scope)


def _row(node: ast.expr, scope: Scope) -> Any:
    """Return the look-up of a row, or the name of a joined row."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return _tree(node, scope)
    keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return ["row", node.value.id, [_tree(key, scope) for key in keys]]


def _tree(node: ast.expr, scope: Scope) -> Any:
    """Return the export of a node."""
    match node:
        case ast.Constant(value=float(number)):
            return ["/", *Fraction(repr(number)).as_integer_ratio()]
        case ast.Constant():
            return node.value
        case ast.Name(id=word):
            return CONSTANTS[word] if word in CONSTANTS and word not in scope.names else ["get", word]
        case ast.Attribute(value=ast.Name(id=word), attr=column) if scope.names[word].shape == "records":
            return ["each", word, column]
        case ast.Attribute(value=holder, attr=column):
            return ["cell", _row(holder, scope), column]
        case ast.Subscript():
            row = _row(node, scope)
            return ["cell", row, scope.names[row[1]].only]
        case ast.Compare(left=left, ops=ops, comparators=others):
            pairs = zip(ops, others, strict=True)
            return [
                "compare",
                _tree(left, scope),
                *(x for sign, other in pairs for x in (_SIGNS[type(sign)], _tree(other, scope))),
            ]
        case ast.Call(func=ast.Name(id=name), args=parts):
            return ["call", name, *(_tree(part, scope) for part in parts)]
        case _:
            inside = (_tree(part, scope) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
            sign: Any = getattr(node, "op", node)
            return [_SIGNS[type(sign)], *inside]
