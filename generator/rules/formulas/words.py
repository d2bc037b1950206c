"""Check the texts in formulas: a comparison with a text that the value never has can never be true."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from generator.problems import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.rules.formulas.scope import Scope, Words


class UnknownText(NamedTuple):
    """A text in a formula, and the texts that the compared value can be."""

    node: ast.Constant
    words: Words

    def message(self) -> tuple[str, str, str]:
        """Return three texts: what was found, what was expected, and a hint with the word that may be meant."""
        text = str(self.node.value)
        return text, self.words.spelled, suggest(text, sorted(self.words.texts), _bare(text))


def _bare(text: str) -> str:
    """Return a hint for a text that may be meant as a die, a number, yes, no or none; else an empty text."""
    if text[:1] in ("D", "d") and text[1:].isdigit():
        return f"a die is its number of sides: {text[1:]}"
    is_bare = text.isdigit() or text in ("yes", "no", "none")
    return "write it without quotation marks" if is_bare else ""


def unknown_text(node: ast.Compare, scope: Scope) -> UnknownText | None:
    """Return the first text in a comparison that the compared value never is.

    None if there is none, or if it is not known which texts the value can be. Only ==, !=, in and not in are checked.
    """
    sides = (node.left, *node.comparators)
    for (left, right), sign in zip(pairwise(sides), node.ops, strict=True):
        in_list = isinstance(sign, ast.In | ast.NotIn)
        if in_list or isinstance(sign, ast.Eq | ast.NotEq):
            for value, literal, listed in ((left, right, False), (right, left, in_list)):
                if unknown := _unknown_text(value, literal, scope, listed=listed):
                    return unknown
    return None


def unknown_key(parts: Iterable[ast.expr], keys: Iterable[Words]) -> UnknownText | None:
    """Return the first text among the keys of a look-up that its key column never has, or None.

    ``parts`` are the keys of the look-up, and ``keys`` are the texts in each key column, as many as parts.
    """
    pairs = ((text, words) for part, words in zip(parts, keys, strict=True) for text in _branches(part))
    return next((UnknownText(text, words) for text, words in pairs if text.value not in words.texts), None)


def _branches(node: ast.expr) -> Iterator[ast.Constant]:
    """Yield the texts written in a node; for an if-else, the texts of its branches."""
    if isinstance(node, ast.IfExp):
        yield from _branches(node.body)
        yield from _branches(node.orelse)
    else:
        yield from _texts(node)


def texts_of(node: ast.expr, scope: Scope) -> frozenset[str]:
    """Return the texts that a formula may give as its result, as far as they are known; empty for numbers."""
    if isinstance(node, ast.IfExp):
        return texts_of(node.body, scope) | texts_of(node.orelse, scope)
    if isinstance(node, ast.Constant):
        return frozenset([node.value]) if isinstance(node.value, str) else frozenset()
    words = words_of(node, scope)
    return words.texts if words is not None else frozenset()


def _unknown_text(value: ast.expr, node: ast.expr, scope: Scope, *, listed: bool) -> UnknownText | None:
    """Return the first text in ``node`` that the value never is, or None; ``listed`` if the value must be a list."""
    words = words_of(value, scope)
    if words is None or words.listed != listed:
        return None
    return next((UnknownText(text, words) for text in _texts(node) if text.value not in words.texts), None)


def _texts(node: ast.expr) -> Iterator[ast.Constant]:
    """Yield the texts written in a node: a single text, or the texts of a list."""
    for elt in node.elts if isinstance(node, ast.Tuple | ast.List) else (node,):
        if isinstance(elt, ast.Constant) and isinstance(elt.value, str):
            yield elt


def words_of(node: ast.expr, scope: Scope) -> Words | None:
    """Return the texts that a name, a column or a look-up can be; None if they are not known, or for anything else."""
    if isinstance(node, ast.Name):
        name = scope.names.get(node.id)
        return name.words if name is not None else None
    column = node.attr if isinstance(node, ast.Attribute) else ""
    holder = node.value if isinstance(node, ast.Attribute) else node
    if isinstance(holder, ast.Subscript):
        holder = holder.value
    name = scope.names.get(holder.id) if isinstance(holder, ast.Name) else None
    return name.inside.get(column or name.only) if name is not None else None


def is_truth(node: ast.expr, scope: Scope) -> bool:
    """Return whether the result of a node is known to be yes, no or none; False if it is not known."""
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Name) and node.id in ("yes", "no") and node.id not in scope.names:
            return True
        words = words_of(node, scope)
        return words is not None and words.truth and not words.listed
    if isinstance(node, ast.IfExp):
        return is_truth(node.body, scope) and is_truth(node.orelse, scope)
    return is_certain(node) or (isinstance(node, ast.Constant) and isinstance(node.value, bool))


def is_no_truth(node: ast.expr, scope: Scope) -> bool:
    """Return whether the result of a node is known to be a number, a text or a list; False if it is not known."""
    if isinstance(node, ast.BinOp | ast.Tuple | ast.List | ast.Call | ast.Constant):
        return not is_truth(node, scope)
    words = words_of(node, scope)
    return words is not None and not words.truth


def compared_as_numbers(node: ast.Compare) -> Iterator[ast.expr]:
    """Yield the sides of a comparison that must be numbers: both sides of < or >, and of == with a number."""
    for sign, sides in zip(node.ops, pairwise((node.left, *node.comparators)), strict=True):
        in_order = isinstance(sign, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
        if in_order or (isinstance(sign, ast.Eq | ast.NotEq) and any(map(_is_number, sides))):
            yield from sides


def _is_number(node: ast.expr) -> bool:
    number = isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)
    return number or isinstance(node, ast.BinOp)


def is_certain(node: ast.expr) -> bool:
    """Return whether the result of a node is always yes or no: a comparison, ``and``, ``or`` or ``not``."""
    return isinstance(node, ast.Compare | ast.BoolOp) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )
