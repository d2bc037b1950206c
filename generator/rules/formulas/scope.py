"""The names that a formula may use, what is known about them, and whether texts in a formula can be right."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True)
class Role:
    """Declaration of what the text of a field is: a ``formula``, the formula of a ``number``, or a ``label``."""

    name: str
    words: tuple[str, ...] = ()
    """The possible results of the formula, if they are words."""


FormulaText: TypeAlias = Annotated[str | int | bool | Fraction, Role("formula")]
"""A formula as written in a file; plain numbers and yes/no need no quotes."""

Shape = Literal["value", "row", "fields", "records", "table"]


class Words(NamedTuple):
    """The texts that a value can be, so that a comparison with any other text can be reported."""

    texts: frozenset[str] = frozenset()
    """The texts; empty for a value that is never a text."""
    spelled: str = "a number"
    """The possible values in words, for messages."""
    listed: bool = False
    """Whether the value is a list whose entries are these texts."""
    truth: bool = False
    """Whether the value is yes or no, or none."""


class Name(NamedTuple):
    """What is known about a name: a plain value, a joined row, a list of records, or a table to look up in.

    The shape ``fields`` is a roll with several values, each with its own name: ``drawn.points``.
    """

    shape: Shape = "value"
    columns: frozenset[str] = frozenset()
    keys: tuple[Words, ...] = ()
    """The texts in each key column of a table."""
    only: str = ""
    """The column that a look-up without a column returns: the only one that is neither a key nor the printed name.

    Empty if there is not exactly one such column.
    """
    words: Words | None = None
    """The texts that the value can be, if they are known."""
    inside: Mapping[str, Words] = MappingProxyType({})
    """The texts of each column whose texts are known."""


VALUE = Name()
TRUTH = Name(words=Words(spelled="yes or no", truth=True))


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that formulas at one place in the data can use."""

    names: Mapping[str, Name] = field(default_factory=dict)

    def __or__(self, more: Mapping[str, Name]) -> Scope:
        """Return a new scope with further names; they replace equal names of this scope."""
        return Scope({**self.names, **more})

    def compared_texts(self, node: ast.Compare) -> Iterator[tuple[ast.Constant, Words]]:
        """Yield each text that is compared with a value whose possible texts are known, together with these texts.

        The comparisons are ``value == text``, ``text == value``, ``value in [text]``, and ``text in value`` for a value
        that is a list; ``!=`` and ``not in`` count, too. Texts in an if-else are left out.
        """
        for sides, sign in zip(pairwise((node.left, *node.comparators)), node.ops, strict=True):
            in_list = isinstance(sign, ast.In | ast.NotIn)
            if in_list or isinstance(sign, ast.Eq | ast.NotEq):
                for value, literal, listed in ((*sides, False), (*sides[::-1], in_list)):
                    words = self.words_of(value)
                    if words is not None and words.listed == listed:
                        yield from ((text, words) for text in _texts(literal))

    def texts_of(self, node: ast.expr) -> frozenset[str]:
        """Return the texts that a formula may give as its result, as far as they are known; empty for numbers."""
        if isinstance(node, ast.IfExp):
            return self.texts_of(node.body) | self.texts_of(node.orelse)
        if isinstance(node, ast.Constant):
            return frozenset([node.value]) if isinstance(node.value, str) else frozenset()
        words = self.words_of(node)
        return words.texts if words is not None else frozenset()

    def words_of(self, node: ast.expr) -> Words | None:
        """Return the texts that a name, a column or a look-up can be; None if not known, or for anything else."""
        if isinstance(node, ast.Name):
            name = self.names.get(node.id)
            return name.words if name is not None else None
        column = node.attr if isinstance(node, ast.Attribute) else ""
        holder = node.value if isinstance(node, ast.Attribute) else node
        if isinstance(holder, ast.Subscript):
            holder = holder.value
        name = self.names.get(holder.id) if isinstance(holder, ast.Name) else None
        return name.inside.get(column or name.only) if name is not None else None

    def is_truth(self, node: ast.expr) -> bool:
        """Return whether a node is known to give yes, no or none.

        False if not known, for the word ``none``, and for an if-else with such a branch.
        """
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            if isinstance(node, ast.Name) and node.id in ("yes", "no") and node.id not in self.names:
                return True
            words = self.words_of(node)
            return words is not None and words.truth and not words.listed
        if isinstance(node, ast.IfExp):
            return self.is_truth(node.body) and self.is_truth(node.orelse)
        return is_certain(node) or (isinstance(node, ast.Constant) and isinstance(node.value, bool))

    def is_no_truth(self, node: ast.expr) -> bool:
        """Return whether a node is known never to give yes or no; False if not known, or for a number with a sign.

        It is known of a number without a sign, a text, a list, a calculation and a function. For a name, a column or a
        look-up, the scope may know it.
        """
        if isinstance(node, ast.BinOp | ast.Tuple | ast.List | ast.Call | ast.Constant):
            return not self.is_truth(node)
        words = self.words_of(node)
        return words is not None and not words.truth


def identifier(table_id: str) -> str:
    """Return the id of a table or an outcome as it is written in formulas: hyphens become underscores.

    >>> identifier("level-dice")
    'level_dice'
    """
    return table_id.replace("-", "_")


def likely_mistake(text: str) -> str:
    """Return a hint for a text of digits, a die such as ``D8``, or yes, no or none; empty for any other text."""
    if text[:1] in ("D", "d") and text[1:].isdigit():
        return f"a die is its number of sides: {text[1:]}"
    is_bare = text.isdigit() or text in ("yes", "no", "none")
    return "write it without quotation marks" if is_bare else ""


def texts_of_branches(node: ast.expr) -> Iterator[ast.Constant]:
    """Yield the texts that a node is: a single text, or the texts of a list; for an if-else, those of its branches."""
    if isinstance(node, ast.IfExp):
        yield from texts_of_branches(node.body)
        yield from texts_of_branches(node.orelse)
    else:
        yield from _texts(node)


def _texts(node: ast.expr) -> Iterator[ast.Constant]:
    """Yield the texts that a node is: a single text, or the texts of a list; nothing for other nodes."""
    for elt in node.elts if isinstance(node, ast.Tuple | ast.List) else (node,):
        if isinstance(elt, ast.Constant) and isinstance(elt.value, str):
            yield elt


def compared_as_numbers(node: ast.Compare) -> Iterator[ast.expr]:
    """Yield the sides of a comparison that must be numbers.

    These are both sides of <, <=, > and >=. For == and !=, they are both sides if one of them is a number or a
    calculation such as ``a + b`` or ``-a``.
    """
    for sign, sides in zip(node.ops, pairwise((node.left, *node.comparators)), strict=True):
        in_order = isinstance(sign, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
        if in_order or (isinstance(sign, ast.Eq | ast.NotEq) and any(map(_is_number, sides))):
            yield from sides


def _is_number(node: ast.expr) -> bool:
    number = isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    return number or negated or isinstance(node, ast.BinOp)


def is_certain(node: ast.expr) -> bool:
    """Return whether a node is a comparison, ``and``, ``or`` or ``not``, so that its result is always yes or no."""
    return isinstance(node, ast.Compare | ast.BoolOp) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )
