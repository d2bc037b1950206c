"""From a formula's text to a function: parsed with ``ast``, checked against a whitelist, built as closures.

Nothing is ever passed to ``eval``: each permitted node has its own small builder, and every literal is an int, a
Fraction (written as a decimal), a text, or yes/no.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.rules.formulas.arithmetic import ARITHMETIC, COMPARISON
from generator.rules.formulas.errors import NO_VALUE, FormulaError, FormulaUseError, no_value
from generator.rules.formulas.functions import FUNCTIONS, bounded, numeric, truth, whole
from generator.rules.formulas.spelling import placed, spell, written
from generator.rules.formulas.words import compared_as_numbers, is_no_truth, is_truth, unheard_of, unheard_of_mark
from generator.suggest import suggest

if TYPE_CHECKING:
    from generator.rules.formulas.scope import FormulaText, Name, Scope
    from generator.rules.places import Place

Values = Mapping[str, Any]
Run = Callable[[Values], Any]

_MAX_NESTING = 40
_MAX_NUMBER = 10**18
_PLAIN_NUMBER = re.compile(r"\d+(?:\.\d*)?|\.\d+")
_CONSTANTS = {"yes": True, "no": False, "none": None}


class Formula:
    """A formula ready to run. ``uses`` names the tables it looks up, ``names`` everything else that it reads."""

    __slots__ = ("__weakref__", "_run", "_scope", "names", "place", "text", "uses")

    def __init__(self, text: str, run: Run, uses: frozenset[str], names: frozenset[str], scope: Scope) -> None:
        """Keep the text and its scope for print, and the closure for use."""
        self.place: Place | None = None
        """Where it was written, where that is known."""
        self.text = text
        self.uses = uses
        self.names = names
        self._run = run
        self._scope = scope

    def __call__(self, values: Values) -> Any:
        """Compute with these values. Raises FormulaUseError where the values have no answer."""
        try:
            return self._run(values)
        except FormulaUseError as error:
            raise error.at(self.place, self.uses) from None
        except NO_VALUE as error:
            raise no_value(error).at(self.place, self.uses) from error

    def holds(self, values: Values) -> bool:
        """Whether the condition that this is holds. Raises FormulaUseError as a call does, and as ``truth``."""
        return self.truth(self(values))

    def truth(self, value: Any) -> bool:
        """What a condition came to; none is no. Raises FormulaUseError for what is neither yes nor no."""
        try:
            return truth(value)
        except FormulaUseError as error:
            raise error.at(self.place, self.uses) from None

    def tree(self) -> ast.expr:
        """A fresh syntax tree of the formula, for whoever wants to print it."""
        return ast.parse(spell(self.text), mode="eval").body

    def of(self, node: ast.expr) -> Run:
        """One node of the tree, ready to run."""
        return _Compiler(self.text, self._scope).build(node)

    def part(self, node: ast.expr, values: Values) -> Any:
        """What one node of the tree comes to with these values."""
        return self.of(node)(values)

    def is_truth(self, node: ast.expr | None = None) -> bool:
        """Whether the formula, or one node of it, is known to come to yes or no, or to none."""
        return is_truth(node or self.tree(), self._scope)

    def only_column(self, table: str) -> str:
        """The column that a look-up without one means; nothing where it means the row."""
        return self._scope.names[table].only

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"


def compile_formula(text: FormulaText, scope: Scope) -> Formula:
    """Read a formula in a scope.

    Raises FormulaError for syntax, for anything outside the whitelist, and for names and columns nobody declared.

    >>> from generator.rules.formulas.scope import VALUE, Scope
    >>> compile_formula("2 * class + 1", Scope({"class": VALUE}))({"class": 3})
    7
    >>> compile_formula("0.2 * 15", Scope())({})
    3
    """
    with placed(text):
        return _Compiler(written(text), scope).compile()


def compile_lookup(text: FormulaText, scope: Scope) -> tuple[Formula, Name]:
    """Read a look-up such as ``weapons[weapon]`` as the row it finds, and the table it finds it in.

    Raises FormulaError as ``compile_formula`` does, and for anything that is no look-up.
    """
    with placed(text):
        compiler = _Compiler(written(text), scope)
        node = compiler.parse()
        if not isinstance(node, ast.Subscript):
            compiler.build(node)
            raise compiler.refuse(node, "forbidden", compiler.said(node), "a row of a table, such as weapons[weapon]")
        table, row = compiler.lookup(node)
        return compiler.finished(row), table


class _Compiler:
    def __init__(self, source: str, scope: Scope) -> None:
        self.source = source
        self.scope = scope
        self.uses: set[str] = set()
        self.names: set[str] = set()
        self.depth = 0
        self.spelled = spell(source)

    def compile(self) -> Formula:
        return self.finished(self.build(self.parse()))

    def finished(self, run: Run) -> Formula:
        """What was built, with all that it turned out to read."""
        return Formula(self.source, run, frozenset(self.uses), frozenset(self.names), self.scope)

    def parse(self) -> ast.expr:
        try:
            return ast.parse(self.spelled, mode="eval").body
        except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
            place = getattr(error, "offset", 1)
            offset = place - 1 if place else len(self.source)  # Python says 0 for the end
            found = self.source[offset : offset + 12].strip() or "the end of the formula"
            expected, hint = "a formula such as 2 * size + 1", "check brackets and signs"
            raise FormulaError(kind="syntax", found=found, expected=expected, hint=hint, offset=offset) from None

    def offset(self, node: ast.AST) -> int:
        """Where a node starts, in characters; ``ast`` counts UTF-8 bytes of the spelled text."""
        before = self.spelled.encode()[: getattr(node, "col_offset", 0)]
        return len(before.decode())

    def said(self, node: ast.expr) -> str:
        """A node as it is written, shortened."""
        end = len(self.spelled.encode()[: node.end_col_offset].decode())
        return self.source[self.offset(node) : end][:40]

    def refuse(self, node: ast.expr, kind: str, found: str, expected: str, hint: str = "") -> FormulaError:
        return FormulaError(kind=kind, found=found, expected=expected, hint=hint, offset=self.offset(node))

    def build(self, node: ast.expr) -> Run:
        builder = getattr(self, f"build_{type(node).__name__.lower()}", None)
        if builder is None:
            expected = "sums, comparisons, and/or/not, if-else, look-ups and the listed functions"
            raise self.refuse(node, "forbidden", self.said(node), expected)
        self.depth += 1
        if self.depth > _MAX_NESTING:
            raise self.refuse(node, "forbidden", "deep nesting", f"at most {_MAX_NESTING} levels of brackets")
        run: Run = builder(node)
        self.depth -= 1
        return run

    def build_constant(self, node: ast.Constant) -> Run:
        value: Any = node.value
        if isinstance(value, int | float) and not isinstance(value, bool):
            literal = ast.get_source_segment(self.spelled, node) or ""
            if not _PLAIN_NUMBER.fullmatch(literal) or value > _MAX_NUMBER:
                raise self.refuse(node, "forbidden", self.said(node), "a number such as 12 or 0.25")
            value = whole(Fraction(literal))
        elif not isinstance(value, bool | str):
            raise self.refuse(node, "forbidden", self.said(node), "a number, a text in quotes, yes, no or none")
        return lambda _values: value

    def build_name(self, node: ast.Name) -> Run:
        word = node.id
        name = self.scope.names.get(word)
        if name is None:
            if word in _CONSTANTS:
                constant = _CONSTANTS[word]
                return lambda _values: constant
            raise self.unknown(node, word)
        if name.shape == "table":
            raise self.refuse(node, "name", word, f"a row of it: {word}[...]", "say which row is meant")
        if name.shape == "fields":
            expected = f"one of {', '.join(f'{word}.{one}' for one in sorted(name.columns))}"
            hint = "name the value that is meant; for the sum of a number, ask with figure and times"
            raise self.refuse(node, "name", word, expected, hint)
        if name.shape == "row":
            raise self.whole_row(node, word, name)
        self.names.add(word)
        return lambda values: values[word]

    def whole_row(self, node: ast.expr, said: str, row: Name) -> FormulaError:
        """A row stands where one of its values belongs."""
        return self.refuse(node, "name", said, f"one of its columns: {', '.join(sorted(row.columns))}")

    def unknown(self, node: ast.expr, word: str) -> FormulaError:
        known = sorted(name for name, what in self.scope.names.items() if what.shape != "table")
        hint = suggest(word, known, "")
        expected = f"one of {', '.join(known)}" if known else "no names here"
        return self.refuse(node, "unknown", word, expected, hint)

    def unknown_table(self, node: ast.expr, word: str) -> FormulaError:
        known = sorted(name for name, what in self.scope.names.items() if what.shape == "table")
        hint = suggest(word, known, f"tables here: {', '.join(known)}")
        return self.refuse(node, "table", word, "a table of this rule set or its parents", hint)

    def build_attribute(self, node: ast.Attribute) -> Run:
        column = node.attr
        if isinstance(node.value, ast.Subscript):
            table, row = self.lookup(node.value)
            self.need_column(node, table, column)
            return lambda values: row(values)[column]
        if not isinstance(node.value, ast.Name):
            raise self.refuse(node, "forbidden", self.said(node), "a column of a joined row or of a look-up")
        word = node.value.id
        name = self.scope.names.get(word)
        if name is None:
            raise self.unknown(node, word)
        if name.shape not in ("row", "records", "fields"):
            raise self.refuse(node, "name", f"{word}.{column}", f"{word} alone: it has no columns")
        self.need_column(node, name, column)
        if name.shape == "fields":
            field = f"{word}.{column}"
            self.names.add(field)
            return lambda values: values[field]
        self.names.add(word)
        if name.shape == "records":
            return lambda values: tuple(record[column] for record in values[word])
        return lambda values: values[word][column]

    def need_column(self, node: ast.Attribute, name: Name, column: str) -> None:
        if column not in name.columns:
            hint = suggest(column, name.columns, "")
            error = self.refuse(node, "form", column, f"a column: {', '.join(sorted(name.columns))}", hint)
            error.offset = len(self.spelled.encode()[: node.end_col_offset].decode()) - len(column)
            raise error

    def lookup(self, node: ast.Subscript) -> tuple[Name, Run]:
        if not isinstance(node.value, ast.Name):
            raise self.refuse(node, "forbidden", self.said(node), "a table's name before the bracket")
        word = node.value.id
        name = self.scope.names.get(word)
        if name is None:
            raise self.unknown_table(node, word)
        if name.shape != "table":
            raise self.refuse(node, "name", word, "a table before the bracket")
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(parts) != name.keys:
            found = f"{len(parts)} key{'s' if len(parts) != 1 else ''}"
            raise self.refuse(node, "form", found, f"{name.keys} for the table {word}")
        keys = [self.build(part) for part in parts]
        self.uses.add(word)

        def row(values: Values) -> Any:
            return values[word].find(tuple(key(values) for key in keys))

        return name, row

    def build_subscript(self, node: ast.Subscript) -> Run:
        name, row = self.lookup(node)
        if not name.only:
            raise self.whole_row(node, self.said(node), name)
        column = name.only
        return lambda values: row(values)[column]

    def build_binop(self, node: ast.BinOp) -> Run:
        # A long sum is a tree that leans to the left; it is wide and not deep, so its signs are taken one by one.
        signs = [node]
        while isinstance(signs[-1].left, ast.BinOp):
            signs.append(signs[-1].left)
        actions = [self.action(one) for one in signs]
        first = self.build(signs[-1].left)
        rest = [(action, self.build(one.right)) for action, one in zip(reversed(actions), reversed(signs), strict=True)]

        def run(values: Values) -> Any:
            result = first(values)
            for action, right in rest:
                result = action(result, right(values))
            return result

        return run

    def action(self, node: ast.BinOp) -> Callable[[Any, Any], Any]:
        """What a sign does with what stands on its left and on its right."""
        reckon = ARITHMETIC.get(type(node.op))
        if reckon is None:
            raise self.refuse(node, "forbidden", self.said(node), "only + - * / // and %")
        self.need_number(node.left, node.right)
        return reckon

    def need_number(self, *nodes: ast.expr) -> None:
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                raise self.refuse(node, "forbidden", self.said(node), "a number, not a text")
            if is_truth(node, self.scope):
                hint = "choose a number by it, such as 1 if ... else 0"
                raise self.refuse(node, "forbidden", self.said(node), "a number, not yes or no", hint)

    def condition(self, node: ast.expr) -> Run:
        """A node that has to come to yes or no."""
        run = self.build(node)
        if is_truth(node, self.scope):
            return run
        if is_no_truth(node, self.scope):
            raise self.refuse(node, "forbidden", self.said(node), "a condition: yes or no", "compare it, such as > 0")
        return lambda values: truth(run(values))

    def build_unaryop(self, node: ast.UnaryOp) -> Run:
        if isinstance(node.op, ast.Not):
            holds = self.condition(node.operand)
            return lambda values: not holds(values)
        inner = self.build(node.operand)
        if isinstance(node.op, ast.USub):
            self.need_number(node.operand)
            return lambda values: -numeric(inner(values))
        raise self.refuse(node, "forbidden", self.said(node), "- or not")

    def build_boolop(self, node: ast.BoolOp) -> Run:
        parts = [self.condition(value) for value in node.values]
        if isinstance(node.op, ast.And):
            return lambda values: all(part(values) for part in parts)
        return lambda values: any(part(values) for part in parts)

    def build_compare(self, node: ast.Compare) -> Run:
        first = self.build(node.left)
        rest = []
        for sign, other in zip(node.ops, node.comparators, strict=True):
            action = COMPARISON.get(type(sign))
            if action is None:
                raise self.refuse(node, "forbidden", self.said(node), "== != < <= > >= in, not in")
            rest.append((action, self.build(other)))
        self.need_number(*compared_as_numbers(node))
        refused = unheard_of(node, self.scope)
        if refused is not None:
            raise self.refuse(refused.node, "word", *refused.said())

        def run(values: Values) -> bool:
            left = first(values)
            for action, other in rest:
                right = other(values)
                if not action(left, right):
                    return False
                left = right
            return True

        return run

    def build_ifexp(self, node: ast.IfExp) -> Run:
        test, then, other = self.condition(node.test), self.build(node.body), self.build(node.orelse)
        return lambda values: then(values) if test(values) else other(values)

    def build_tuple(self, node: ast.Tuple | ast.List) -> Run:
        parts = [self.build(part) for part in node.elts]
        return lambda values: bounded(tuple([part(values) for part in parts]))

    build_list = build_tuple

    def build_call(self, node: ast.Call) -> Run:
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            found = self.said(node.func)
            hint = suggest(found, FUNCTIONS, "")
            raise self.refuse(node, "name", found, f"a function: {', '.join(sorted(FUNCTIONS))}", hint)
        function = FUNCTIONS[node.func.id]
        if node.keywords:
            raise self.refuse(node, "forbidden", f"{node.keywords[0].arg}=...", "arguments without names")
        if not function.least <= len(node.args) <= function.most:
            wanted = str(function.least) if function.least == function.most else f"{function.least} to {function.most}"
            found = f"{len(node.args)} argument{'s' if len(node.args) != 1 else ''}"
            raise self.refuse(node, "forbidden", found, f"{wanted} for {node.func.id}")
        parts = [self.build(part) for part in node.args]
        if node.func.id not in ("times", "where"):  # lists of yes and no have entries too
            self.need_number(*node.args)
        refused = unheard_of_mark(node, self.scope)
        if refused is not None:
            raise self.refuse(refused.node, "word", *refused.said())
        body = function.body
        return lambda values: body(*(part(values) for part in parts))
