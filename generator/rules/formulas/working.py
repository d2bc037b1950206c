"""Print a formula as a working that a reader can follow, and export it as lists that another program can compute."""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.parsing.text import shown
from generator.rules.formulas.compiler import CONSTANTS, Formula, Values

if TYPE_CHECKING:
    from generator.rules.formulas.scope import Scope

_LONGEST = 60
"""The most characters of a printed value."""
_SIGNS = (
    (" * ", " × "), (" / ", " ÷ "), (" - ", " − "), (" <= ", " ≤ "), (" >= ", " ≥ "), (" == ", " = "), (" != ", " ≠ "),
)  # fmt: skip
_SPACE = "\0"
"""A space in a value while the signs between values are replaced."""


def working(formula: Formula, values: Values) -> str:
    """Return the formula with names, columns, look-ups and functions replaced by their values, in printed signs.

    For an if-else, only the chosen branch is printed. A rounded calculation is printed with the rounding in words.
    Raises FormulaUseError if a part has no value, and SyntaxError as ``Formula.tree`` does.

    >>> from generator.rules.formulas.compiler import compile_formula
    >>> from generator.rules.formulas.scope import Scope, VALUE
    >>> working(compile_formula("5 * max(size, 2) - 1", Scope({"size": VALUE})), {"size": 3})
    '5 × 3 − 1'
    >>> working(compile_formula("floor((size + 2) / 2)", Scope({"size": VALUE})), {"size": 3})
    '(3 + 2) ÷ 2, rounded down'
    """
    return _bare(_Filled(formula, values).visit(formula.tree()))


_ROUNDED = {"floor": "rounded down", "ceil": "rounded up", "round_half_up": "rounded, a half up"}

_BOUNDS = {"max": "at least", "min": "at most"}


def arithmetic(formula: Formula) -> str:
    """Return the formula as text with printed signs such as ×, and with roundings and bounds in words.

    Unlike ``working``, names stay names. A bound is ``min`` or ``max`` of two parts, exactly one of them a plain
    number; other functions stay as they are. Raises SyntaxError as ``Formula.tree`` does.

    >>> from generator.rules.formulas.compiler import compile_formula
    >>> from generator.rules.formulas.scope import Scope
    >>> arithmetic(compile_formula("floor((10 * 5 - 28) / 5)", Scope()))
    '(10 × 5 − 28) ÷ 5, rounded down'
    >>> arithmetic(compile_formula("10 * ceil(9 / 2)", Scope()))
    '10 × (9 ÷ 2, rounded up)'
    >>> arithmetic(compile_formula("max(0, 7 - 10)", Scope()))
    '7 − 10, at least 0'
    """
    return _bare(_Rounded().visit(formula.tree()))


def _bare(tree: ast.expr) -> str:
    """Return a tree as printed text; a single value, rounding or bound loses brackets at both of its ends.

    A bound is as in ``arithmetic``.
    """
    text = _printed(tree).replace(_SPACE, " ")
    return text[1:-1] if isinstance(tree, ast.Name) and text[:1] + text[-1:] == "()" else text


def _printed(tree: ast.expr) -> str:
    """Return a tree as text with printed signs such as ×; each ``_SPACE`` in it stays."""
    text = ast.unparse(tree)
    for sign, printed in _SIGNS:
        text = text.replace(sign, printed)
    return text


class _Rounded(ast.NodeTransformer):
    """Transformer that replaces rounding functions and bounds by words."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _ROUNDED:
            return ast.Name(f"({_printed(node.args[0])}, {_ROUNDED[node.func.id]})")
        bounds = [argument for argument in node.args if isinstance(argument, ast.Constant)]
        if isinstance(node.func, ast.Name) and node.func.id in _BOUNDS and (len(bounds), len(node.args)) == (1, 2):
            other = next(argument for argument in node.args if argument is not bounds[0])
            return ast.Name(f"({_printed(other)}, {_BOUNDS[node.func.id]} {_printed(bounds[0])})")
        return node


def spell(number: int | Fraction) -> str:
    """Return a number as exact text: as a decimal of at most three places, or else as a fraction.

    >>> spell(Fraction(48, 5)), spell(Fraction(1, 3)), spell(7), spell(Fraction(-1, 4))
    ('9.6', '1/3', '7', '-0.25')
    """
    thousandths = Fraction(number) * 1000
    if thousandths.denominator != 1:
        return str(number)
    whole, rest = divmod(abs(thousandths.numerator), 1000)
    return f"{'-' if number < 0 else ''}{whole}.{rest:03}".rstrip("0").rstrip(".")


def printed(value: Any) -> str:
    """Return a value as text for a working: yes, no or none in words, fractions by ``spell``, others by ``str``.

    A text of more than 60 characters is cut, and invisible characters are spelled out (see ``shown``).
    """
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "none"}[value]
    return shown(spell(value) if isinstance(value, Fraction) else str(value), _LONGEST)


class _Filled(ast.NodeTransformer):
    """Transformer that replaces names, columns, look-ups and functions by their values."""

    def __init__(self, formula: Formula, values: Values) -> None:
        self.formula = formula
        self.values = values

    def value(self, node: ast.expr) -> ast.expr:
        """Return a name node whose text is the value of a node, as ``printed`` gives it, with ``_SPACE`` for spaces.

        Raises FormulaUseError if the node has no value.
        """
        return ast.Name(printed(self.formula.part(node, self.values)).replace(" ", _SPACE))

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Return yes and no in words, and a text without quotes; keep numbers as they are."""
        return self.value(node) if isinstance(node.value, bool | str) else node

    visit_Name = visit_Attribute = visit_Subscript = value  # noqa: N815 - ast calls them so

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Return the value of a function, or a rounded calculation with its figures and the rounding in words."""
        if isinstance(node.func, ast.Name) and node.func.id in _ROUNDED and isinstance(node.args[0], ast.BinOp):
            return ast.Name(f"({_printed(self.visit(node.args[0]))}, {_ROUNDED[node.func.id]})")
        return self.value(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Return the chosen branch with its values."""
        branch = node.body if self.formula.part(node.test, self.values) else node.orelse
        filled: ast.expr = self.visit(branch)
        return filled


_OPERATIONS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in", ast.USub: "neg", ast.Not: "not", ast.And: "and", ast.Or: "or", ast.IfExp: "if",
    ast.Tuple: "list", ast.List: "list",
}  # fmt: skip


def exported(formula: Formula, *, row: bool = False) -> Any:
    """Return a formula as nested lists, or as a constant. An operation is a list of its name and its parts.

    With ``row``, a look-up of a whole row stays one: ``guns[gun]`` is ``["row", "guns", [["get", "gun"]]]``.
    Raises SyntaxError as ``Formula.tree`` does.

    >>> from generator.rules.formulas.compiler import compile_formula
    >>> from generator.rules.formulas.scope import VALUE, Scope
    >>> exported(compile_formula("max(0, class * 0.5) if class >= 2 else none", Scope({"class": VALUE})))
    ['if', ['compare', ['get', 'class'], '>=', 2], ['call', 'max', 0, ['*', ['get', 'class'], ['/', 1, 2]]], None]
    """
    node = formula.tree()
    return _row(node, formula.scope) if row else _tree(node, formula.scope)


def _row(node: ast.expr, scope: Scope) -> Any:
    """Return a look-up of a whole row as ``["row", table, keys]``; another node, such as a joined row, as ``_tree``."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return _tree(node, scope)
    keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return ["row", node.value.id, [_tree(key, scope) for key in keys]]


def _tree(node: ast.expr, scope: Scope) -> Any:
    """Return a node as a list of an operation and its parts, or as a constant; see ``exported``."""
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
                *(x for sign, other in pairs for x in (_OPERATIONS[type(sign)], _tree(other, scope))),
            ]
        case ast.Call(func=ast.Name(id=name), args=parts):
            return ["call", name, *(_tree(part, scope) for part in parts)]
        case _:
            inside = (_tree(part, scope) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
            sign: Any = getattr(node, "op", node)
            return [_OPERATIONS[type(sign)], *inside]
