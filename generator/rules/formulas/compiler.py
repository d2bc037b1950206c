"""Compile a formula: parse it with ``ast``, check it against a whitelist, write it as a Python function of its names.

A user's text is never evaluated. Each allowed node has a small builder, which writes Python from fixed parts. Names
and texts enter the Python only as literals (``repr``), numbers as ints.
The function has no builtins: it can call only the functions in ``KNOWN``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from keyword import kwlist
from typing import TYPE_CHECKING, Any

from generator.problems import suggest
from generator.rules.formulas.errors import NO_VALUE, FormulaError, FormulaUseError, no_value
from generator.rules.formulas.functions import ARITHMETIC, FUNCTIONS, KNOWN, truth, whole
from generator.rules.formulas.scope import Words, compared_as_numbers, is_certain, likely_mistake, texts_of_branches

if TYPE_CHECKING:
    from generator.rules.formulas.scope import FormulaText, Name, Scope

Values = Mapping[str, Any]
Run = Callable[[Values], Any]

MAX_LENGTH = 500
"""The most characters of a formula: far more than any real formula, and few enough to parse at once."""

_ASCII = 127
_INSTEAD = {"×": "*", "÷": "/", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "“": "'", "”": "'", "’": "'",
            "=>": ">=", "=<": "<=", "<>": "!=", "=": "==", "x": "*", "&&": "and", "||": "or"}  # fmt: skip
"""What to write instead of signs that formulas do not have."""
_MISTAKE = re.compile(r"""[\w\])'] *(=>|=<|<>|=|\bx\b|&&|\|\|) *[\w\[('-]""")
"""Such a sign between two values."""
# Names may be reserved words of Python ("class"). Python's parser looks for keywords before it converts
# mathematical letters to plain letters. So such a word is spelled with a mathematical letter for the parser.
_WORDS = "|".join({*filter(str.islower, kwlist)} - {"and", "else", "if", "in", "lambda", "not", "or"})
_RESERVED = re.compile(rf"""'[^']*'|"[^"]*"|\b(?:{_WORDS})\b""")
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
_FOLDED = 0x1D5BA - ord("a")
_MAX_NESTING = 80
"""The most levels of nesting. A sum of many terms nests on its left side; Python's parser allows 200 brackets."""
_MAX_NUMBER = 10**18
_PLAIN_NUMBER = re.compile(r"\d+(?:\.\d*)?|\.\d+")
CONSTANTS = {"yes": True, "no": False, "none": None}


@dataclass(slots=True, eq=False)
class Formula:
    """A compiled formula: a function of a mapping from names to values and tables."""

    text: str
    python: str = field(repr=False)
    """Its Python code, which is compiled at the first call."""
    scope: Scope = field(repr=False)
    uses: frozenset[str] = field(default=frozenset(), repr=False)
    """The tables that it looks up, by their names in formulas: ``level_dice`` for the table ``level-dice``."""
    names: frozenset[str] = field(default=frozenset(), repr=False)
    """The other names that it reads. A field of a roll is one name, such as ``drawn.points``."""
    place: Any | None = field(default=None, repr=False)
    """The place where the formula is written, if known."""
    parts: tuple[Formula, ...] = field(default=(), repr=False)
    """The conditions in a formula of ``first_that_holds``, in order; empty for other formulas.

    If a call has no answer, it raises the error of the first condition without an answer.
    """
    _run: Run | None = field(default=None, repr=False)

    @classmethod
    def constant(cls, text: str, value: Any, scope: Scope) -> Formula:
        """Return a formula whose result is always this value. ``text`` is kept as written; it may be dice (2D6)."""
        return cls(text, "", scope, _run=lambda _values: value)

    def __call__(self, values: Values) -> Any:
        """Compute the formula with these values. Raises FormulaUseError if it has no answer."""
        if self._run is None:
            self._run = _function(f"lambda values: {self.python}")
        try:
            return self._run(values)
        except (FormulaUseError, *NO_VALUE) as error:
            for part in self.parts:
                part.holds(values)
            if isinstance(error, FormulaUseError):
                raise error.at(self.place, self.uses) from None
            raise no_value(error).at(self.place, self.uses) from error

    def holds(self, values: Values) -> bool:
        """Return whether the condition holds; none is no.

        Raises FormulaUseError if the formula has no answer, or if the answer is not yes, no or none.
        """
        try:
            return truth(self(values))
        except FormulaUseError as error:
            raise error.at(self.place, self.uses) from None

    def each(self, values: dict[str, Any], names: Sequence[str], states: Iterable[Any], *, holds: bool) -> list[Any]:
        """Compute the formula for each state, a tuple of the values of ``names``. Changes ``values``.

        With ``holds``, return whether the condition holds. Raises FormulaUseError as a call does. Not for ``constant``.
        """
        targets = "".join(f"values[{name!r}], " for name in names) or "()"
        python = f"_truth({self.python})" if holds else self.python
        run: Callable[..., list[Any]] = _function(f"lambda values, states: [{python} for {targets} in states]")
        try:
            return run(values, states)
        except (FormulaUseError, *NO_VALUE):
            return [self.holds(values) if holds else self(values)]  # raises the error of the state that failed

    def tree(self) -> ast.expr:
        """Return a new syntax tree of the formula on each call, so that printing may change it.

        Names in it are as in the formula; ``col_offset`` counts bytes of the text of ``spell``. Raises SyntaxError if
        the text is not an expression: it is empty after ``first_that_holds``, and may be 2D6 after ``constant``.
        """
        return ast.parse(spell(self.text), mode="eval").body

    def part(self, node: ast.expr, values: Values) -> Any:
        """Compute one node of ``tree`` with these values.

        Raises FormulaUseError as a call does, and FormulaError for a node that has no value alone, such as a whole row.
        """
        compiler = _Compiler(self.text, self.scope)
        return compiler.finished(compiler.build(node))(values)


_COMPARISON: dict[type[ast.cmpop], str] = {
    ast.Eq: "_equal({}, {})",
    ast.NotEq: "not _equal({}, {})",
    ast.Lt: "{} < {}",
    ast.LtE: "{} <= {}",
    ast.Gt: "{} > {}",
    ast.GtE: "{} >= {}",
    ast.In: "_contains({}, {})",
    ast.NotIn: "not _contains({}, {})",
}


@lru_cache(maxsize=10_000)
def _function(python: str) -> Callable[..., Any]:
    """Compile the Python code of a function of a mapping of values, and perhaps of states.

    The functions are cached, because rule sets that extend each other share most formulas.
    """
    compiled: Callable[..., Any] = eval(python, KNOWN)  # noqa: S307 - written in this module
    return compiled


def compile_formula(text: FormulaText, scope: Scope, *, number: bool = False) -> Formula:
    """Compile a formula; return a function of a mapping with the values of the scope's names.

    Raises FormulaError for wrong syntax, for anything that formulas may not have, and for undeclared names, tables and
    columns. Also raises it for a text that the value or key beside it never is. With ``number``, raises it also for a
    quoted text as the whole formula, and a result known to be yes or no. A call does not compare values with the scope.

    >>> from generator.rules.formulas.scope import VALUE, Scope
    >>> compile_formula("2 * class + 1", Scope({"class": VALUE}))({"class": 3})
    7
    >>> compile_formula("0.2 * 15", Scope())({})
    3
    """
    compiler = _Compiler(written(text), scope)
    node = compiler.parse()
    formula = compiler.finished(compiler.build(node))
    if number:
        compiler.need_number(node)
    return formula


def first_that_holds(results: Sequence[tuple[str, Formula | None]], scope: Scope) -> Formula:
    """Return a formula of this scope; its result is the first text whose condition holds, or else none.

    A text without a condition counts as a text whose condition holds.
    """
    whens = tuple(when for _, when in results if when is not None)
    python = "None"
    for text, when in reversed(results):
        if when is None:
            python = repr(text)
        else:
            holds = when.python if is_certain(when.tree()) else f"_truth({when.python})"
            python = f"{text!r} if {holds} else {python}"
    uses, names = (
        frozenset[str]().union(*sets) for sets in ((when.uses for when in whens), (when.names for when in whens))
    )
    return Formula("", python, scope, uses, names, parts=whens)


def compile_lookup(text: FormulaText, scope: Scope) -> tuple[Formula, Name]:
    """Compile a look-up of a row, such as ``weapons[weapon]``; return it with what the scope knows about its table.

    The result of the formula is the row.
    Raises FormulaError as ``compile_formula`` does, and for any formula that is not a look-up.
    """
    compiler = _Compiler(written(text), scope)
    node = compiler.parse()
    if not isinstance(node, ast.Subscript):
        compiler.build(node)
        raise compiler.refuse(node, "forbidden", compiler.text_of(node), "a row of a table, such as weapons[weapon]")
    table, row = compiler.lookup(node)
    return compiler.finished(row), table


def written(text: FormulaText) -> str:
    """Return the formula as text on one line, without spaces around it.

    Raises FormulaError if it is too long, has a backslash, or has other than ASCII characters outside quotation marks.
    """
    if isinstance(text, bool):
        return "yes" if text else "no"
    source = str(text)
    if len(source) > MAX_LENGTH:
        expected = f"a formula of at most {MAX_LENGTH} characters"
        raise FormulaError(kind="forbidden", found=f"{len(source)} characters", expected=expected)
    line = source.strip().replace("\n", " ")
    outside = _QUOTED.sub(lambda match: " " * len(match[0]), line)
    for place, character in enumerate(line):
        if ord(outside[place]) > _ASCII or character == "\\":
            expected = "plain letters and signs only"
            instead = _INSTEAD.get(character)
            hint = f"write {instead}" if instead else ""
            raise FormulaError(kind="syntax", found=character, expected=expected, hint=hint, offset=place)
    return line


def spell(source: str) -> str:
    """Return the text so that Python reads keywords such as ``class`` as names; quoted texts stay."""
    return _RESERVED.sub(_fold, source)


def _fold(match: re.Match[str]) -> str:
    """Return a reserved word with a mathematical first letter, and a quoted text as it is."""
    word = match[0]
    return word if word[0] in "'\"" else chr(ord(word[0]) + _FOLDED) + word[1:]


class _Compiler:
    """Compiler for one formula. Each ``build`` method checks a node and returns a Python expression for it."""

    def __init__(self, source: str, scope: Scope) -> None:
        self.source = source
        self.scope = scope
        self.uses: set[str] = set()
        self.names: set[str] = set()
        self.depth = 0
        self.spelled = spell(source)

    def finished(self, python: str) -> Formula:
        """Return the formula with this Python code, and with the tables and names that all code built so far reads."""
        return Formula(self.source, python, self.scope, frozenset(self.uses), frozenset(self.names))

    def parse(self) -> ast.expr:
        """Return the syntax tree. Raises FormulaError (``syntax``) for a text that Python cannot parse."""
        try:
            return ast.parse(self.spelled, mode="eval").body
        except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
            place = getattr(error, "offset", 1)
            offset = place - 1 if place else len(self.source)  # Python's 0 means the end
            found = self.source[offset : offset + 12].strip() or "the end of the formula"
            mistake = _MISTAKE.search(_QUOTED.sub("''", self.source))
            hint = f"write {_INSTEAD[mistake[1]]}" if mistake else "check brackets and signs"
            expected = "a formula such as 2 * size + 1"
            raise FormulaError(kind="syntax", found=found, expected=expected, hint=hint, offset=offset) from None

    def offset(self, node: ast.AST) -> int:
        """Return the offset of a node in the source, in characters.

        ``ast`` counts UTF-8 bytes of the spelled text, which has as many characters as the source.
        """
        before = self.spelled.encode()[: getattr(node, "col_offset", 0)]
        return len(before.decode())

    def text_of(self, node: ast.expr) -> str:
        """Return the text of a node as the formula has it, at most its first 40 characters; for messages."""
        end = len(self.spelled.encode()[: node.end_col_offset].decode())
        return self.source[self.offset(node) : end][:40]

    def refuse(self, node: ast.expr, kind: str, found: str, expected: str, hint: str = "") -> FormulaError:
        """Return a FormulaError at a node, for the caller to raise; ``kind`` is one of those that its class lists."""
        return FormulaError(kind=kind, found=found, expected=expected, hint=hint, offset=self.offset(node))

    def build(self, node: ast.expr) -> str:
        """Return Python code for a node. Raises FormulaError for deep nesting, and if the node or a part is wrong."""
        builder = getattr(self, f"build_{type(node).__name__.lower()}", None)
        if builder is None:
            expected = "sums, comparisons, and/or/not, if-else, look-ups and the listed functions"
            raise self.refuse(node, "forbidden", self.text_of(node), expected)
        self.depth += 1
        if self.depth > _MAX_NESTING:
            raise self.refuse(node, "forbidden", "deep nesting", f"at most {_MAX_NESTING} levels of brackets")
        python: str = builder(node)
        self.depth -= 1
        return python

    def build_constant(self, node: ast.Constant) -> str:
        value: Any = node.value
        if isinstance(value, int | float) and not isinstance(value, bool):
            literal = ast.get_source_segment(self.spelled, node) or ""
            if not _PLAIN_NUMBER.fullmatch(literal) or value > _MAX_NUMBER:
                raise self.refuse(node, "forbidden", self.text_of(node), "a number such as 12 or 0.25")
            value = whole(Fraction(literal))
            if isinstance(value, Fraction):
                return f"_fraction({value.numerator}, {value.denominator})"
        elif not isinstance(value, bool | str):
            raise self.refuse(node, "forbidden", self.text_of(node), "a number, a text in quotes, yes, no or none")
        return repr(value)

    def build_name(self, node: ast.Name) -> str:
        word = node.id
        name = self.scope.names.get(word)
        if name is None:
            if word in CONSTANTS:
                return repr(CONSTANTS[word])
            raise self.unknown(node, word)
        if name.shape == "table":
            raise self.refuse(node, "name", word, f"a row of it: {word}[...]", "name the row")
        if name.shape == "fields":
            expected = f"one of {', '.join(f'{word}.{column}' for column in sorted(name.columns))}"
            hint = "name one value; for the sum of a number use figure and times"
            raise self.refuse(node, "name", word, expected, hint)
        if name.shape == "row":
            raise self.whole_row(node, word, name)
        self.names.add(word)
        return f"values[{word!r}]"

    def whole_row(self, node: ast.expr, text: str, row: Name) -> FormulaError:
        """Return the error at a node for a whole ``row``, written ``text``, where one of its columns is needed."""
        return self.refuse(node, "name", text, f"one of its columns: {', '.join(sorted(row.columns))}")

    def unknown(self, node: ast.expr, word: str, *, table: bool = False) -> FormulaError:
        """Return an error for the undeclared name ``word``, or with ``table``, for the missing table ``word``."""
        known = sorted(name for name, what in self.scope.names.items() if (what.shape == "table") == table)
        if table:
            hint = suggest(word, known, f"tables here: {', '.join(known)}")
            return self.refuse(node, "table", word, "a table of this rule set or its parents", hint)
        expected = f"one of {', '.join(known)}" if known else "no names here"
        return self.refuse(node, "unknown", word, expected, suggest(word, known, ""))

    def build_attribute(self, node: ast.Attribute) -> str:
        column = node.attr
        if isinstance(node.value, ast.Subscript):
            table, row = self.lookup(node.value)
            self.need_column(node, table, column)
            return f"{row}[{column!r}]"
        if not isinstance(node.value, ast.Name):
            raise self.refuse(node, "forbidden", self.text_of(node), "a column of a joined row or of a look-up")
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
            return f"values[{field!r}]"
        self.names.add(word)
        if name.shape == "records":
            return f"_column_of(values[{word!r}], {column!r})"
        return f"values[{word!r}][{column!r}]"

    def need_column(self, node: ast.Attribute, name: Name, column: str) -> None:
        """Raise FormulaError if a name does not have this column."""
        if column not in name.columns:
            hint = suggest(column, name.columns, "")
            error = self.refuse(node, "form", column, f"a column: {', '.join(sorted(name.columns))}", hint)
            error.offset = len(self.spelled.encode()[: node.end_col_offset].decode()) - len(column)
            raise error

    def lookup(self, node: ast.Subscript) -> tuple[Name, str]:
        """Return what is known about the table of a look-up, and Python code for the row. Adds the table to ``uses``.

        Raises FormulaError for anything but a known table, for a wrong number of keys, and for a key that is refused.
        """
        if not isinstance(node.value, ast.Name):
            raise self.refuse(node, "forbidden", self.text_of(node), "a table's name before the bracket")
        word = node.value.id
        name = self.scope.names.get(word)
        if name is None:
            raise self.unknown(node, word, table=True)
        if name.shape != "table":
            raise self.refuse(node, "name", word, "a table before the bracket")
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(parts) != len(name.keys):
            found = f"{len(parts)} key{'s' if len(parts) != 1 else ''}"
            raise self.refuse(node, "form", found, f"{len(name.keys)} for the table {word}")
        pairs = zip(parts, name.keys, strict=True)
        self.need_known_texts((text, words) for part, words in pairs for text in texts_of_branches(part))
        keys = "".join(f"{self.build(part)}, " for part in parts)
        self.uses.add(word)
        return name, f"values[{word!r}].find(({keys}))"

    def build_subscript(self, node: ast.Subscript) -> str:
        name, row = self.lookup(node)
        if not name.only:
            raise self.whole_row(node, self.text_of(node), name)
        return f"{row}[{name.only!r}]"

    def build_binop(self, node: ast.BinOp) -> str:
        if type(node.op) not in ARITHMETIC:
            raise self.refuse(node, "forbidden", self.text_of(node), "only + - * / // and %")
        self.need_number(node.left, node.right)
        return f"_{type(node.op).__name__}({self.build(node.left)}, {self.build(node.right)})"

    def need_number(self, *nodes: ast.expr) -> None:
        """Raise FormulaError for the first node that is a text in quotation marks, or is known to be yes or no."""
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                raise self.refuse(node, "forbidden", self.text_of(node), "a number, not a text")
            if self.scope.is_truth(node):
                hint = "turn it into a number, such as 1 if ... else 0"
                raise self.refuse(node, "forbidden", self.text_of(node), "a number, not yes or no", hint)

    def condition(self, node: ast.expr) -> str:
        """Return Python code for a condition. Raises FormulaError as ``build`` does, or for a known number or text."""
        python = self.build(node)
        if self.scope.is_no_truth(node):
            raise self.refuse(
                node, "forbidden", self.text_of(node), "a condition: yes or no", "compare it, such as > 0"
            )
        return python if is_certain(node) else f"_truth({python})"

    def build_unaryop(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return f"(not {self.condition(node.operand)})"
        inner = self.build(node.operand)
        if isinstance(node.op, ast.USub):
            self.need_number(node.operand)
            return f"(-{self.number(node.operand, inner)})"
        raise self.refuse(node, "forbidden", self.text_of(node), "- or not")

    def build_boolop(self, node: ast.BoolOp) -> str:
        word = " and " if isinstance(node.op, ast.And) else " or "
        return f"({word.join(map(self.condition, node.values))})"

    def build_compare(self, node: ast.Compare) -> str:
        nodes = [node.left, *node.comparators]
        sides = [self.build(node.left)]
        for sign, other in zip(node.ops, node.comparators, strict=True):
            if type(sign) not in _COMPARISON:
                raise self.refuse(node, "forbidden", self.text_of(node), "== != < <= > >= in, not in")
            sides.append(self.build(other))
        self.need_number(*compared_as_numbers(node))
        self.need_known_texts(self.scope.compared_texts(node))
        numbers = list(map(self.number, nodes, sides))
        tests = []
        for place, sign in enumerate(node.ops):
            compared = numbers if isinstance(sign, ast.Lt | ast.LtE | ast.Gt | ast.GtE) else sides
            tests.append(_COMPARISON[type(sign)].format(*compared[place : place + 2]))
        return f"({' and '.join(tests)})"

    def need_known_texts(self, pairs: Iterable[tuple[ast.Constant, Words]]) -> None:
        """Raise FormulaError for the first text that is not one of the words with which it is paired."""
        for node, words in pairs:
            if node.value not in words.texts:
                text = str(node.value)
                hint = suggest(text, sorted(words.texts), likely_mistake(text))
                raise self.refuse(node, "word", text, words.spelled, hint)

    def number(self, node: ast.expr, python: str) -> str:
        """Return ``python``, the code of the node, with a check that raises FormulaUseError for yes, no and texts.

        The check is left out for a constant, a calculation with two values, and a function.
        """
        return python if isinstance(node, ast.Constant | ast.BinOp | ast.Call) else f"_numeric({python})"

    def build_ifexp(self, node: ast.IfExp) -> str:
        test, then, other = self.condition(node.test), self.build(node.body), self.build(node.orelse)
        return f"({then} if {test} else {other})"

    def build_tuple(self, node: ast.Tuple | ast.List) -> str:
        parts = "".join(f"{self.build(part)}, " for part in node.elts)
        plain = all(isinstance(part, ast.Constant) for part in node.elts)
        return f"({parts})" if plain else f"_bounded(({parts}))"

    build_list = build_tuple

    def build_call(self, node: ast.Call) -> str:
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            found = self.text_of(node.func)
            hint = suggest(found, FUNCTIONS, "")
            raise self.refuse(node, "name", found, f"a function: {', '.join(sorted(FUNCTIONS))}", hint)
        function = FUNCTIONS[node.func.id]
        if node.keywords:
            raise self.refuse(node, "forbidden", f"{node.keywords[0].arg}=...", "arguments without names")
        if not function.least <= len(node.args) <= function.most:
            allowed = str(function.least) if function.least == function.most else f"{function.least} to {function.most}"
            found = f"{len(node.args)} argument{'s' if len(node.args) != 1 else ''}"
            raise self.refuse(node, "forbidden", found, f"{allowed} for {node.func.id}")
        parts = [self.build(part) for part in node.args]
        if node.func.id not in ("times", "where"):  # lists of yes and no have entries too
            self.need_number(*node.args)
        if node.func.id == "where":
            self.need_known_texts(self.scope.compared_texts(ast.Compare(node.args[2], [ast.In()], [node.args[1]])))
        return f"{node.func.id}({', '.join(parts)})"
