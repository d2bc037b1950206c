"""Formulas as Python functions of the names that vary: for questions that ask them thousands of times.

A formula that was compiled is known to hold nothing but what the whitelist allows. Here its tree becomes one Python
function of plain arguments: whatever in it does not vary is worked out beforehand, once, and handed in. No text of
anybody's is evaluated: the tree is built node by node, and the function sees no names but those given to it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.rules.formulas.arithmetic import ARITHMETIC, find, listed
from generator.rules.formulas.functions import FUNCTIONS, bounded, truth

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from generator.rules.formulas.compiler import Formula

_WORDS = {"yes": True, "no": False, "none": None}


class Native(NamedTuple):
    """A function of the names that vary, then of what does not; and the formulas of the latter."""

    function: Callable[..., Any]
    fixed: tuple[Callable[[Mapping[str, Any]], Any], ...]


def native(
    choices: Sequence[Formula | None],
    formulas: Sequence[Formula],
    varying: Sequence[str],
    sets: Collection[str] = (),
    conditions: Sequence[Formula] = (),
) -> Native:
    """One function that gives a tuple: the place of the first of ``choices`` that holds, then what each formula is.

    Between them stands whether each of the ``conditions`` holds.

    Of the choices, None always holds, and -1 stands for none of them. The function takes the values of ``varying`` in
    order, then one value for each of ``fixed``, worked out with all names that do not vary. ``sets`` are names of which
    it is known that they stand for several values to look in.

    >>> from generator.rules.formulas.compiler import compile_formula
    >>> from generator.rules.formulas.scope import VALUE, Scope
    >>> scope = Scope({"size": VALUE, "roll": VALUE})
    >>> choices = [compile_formula(text, scope) for text in ("roll > 5", "roll > size")]
    >>> made = native(choices, [compile_formula("roll + 2 * size", scope)], ["roll"])
    >>> [made.function(roll, *(fixed({"size": 3}) for fixed in made.fixed)) for roll in (6, 4, 1)]
    [(0, 12), (1, 10), (-1, 7)]
    """
    builder = NativeBuilder(varying, sets)
    return builder.function(builder.tuple_of(builder.choice(choices), conditions, formulas))


_KNOWN: dict[str, Any] = {"__builtins__": {}, "_listed": listed, "_find": find, "_bounded": bounded, "_truth": truth}
_KNOWN |= {f"_{kind.__name__}": action for kind, action in ARITHMETIC.items()}
_KNOWN |= {f"f_{name}": function.body for name, function in FUNCTIONS.items()}
"""Everything that such a function can name beside its arguments."""


def is_truth(node: ast.expr) -> bool:
    """Whether a node is yes or no, whatever is in it."""
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return negated or isinstance(node, ast.Compare | ast.BoolOp)


def is_word(node: ast.AST) -> bool:
    """Whether a node is yes, no or none."""
    return isinstance(node, ast.Name) and node.id in _WORDS


class NativeBuilder:
    """Turns nodes into nodes that speak of arguments only."""

    of_formula: Formula

    def __init__(self, varying: Sequence[str], sets: Collection[str]) -> None:
        self.places = {name: index for index, name in enumerate(varying)}
        self.sets = sets
        self.fixed: list[Callable[[Mapping[str, Any]], Any]] = []
        self.worked: dict[str, str] = {}
        """Sums and calls that are worked out wherever the next node is reached: where what they came to is found."""
        self.certain = True
        """Whether the node that is being built is worked out wherever its formula is."""

    def function(self, body: ast.expr, arguments: int | None = None) -> Native:
        """The function with this body: of so many arguments, if not of the names that vary, and of what is fixed."""
        count = len(self.places) if arguments is None else arguments
        names = [*(f"v{i}" for i in range(count)), *(f"k{i}" for i in range(len(self.fixed)))]
        takes = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
        tree = ast.Expression(_placed(ast.Lambda(takes, body)))
        made = eval(compile(tree, "<formula>", "eval"), _KNOWN)  # noqa: S307 - code of a tree that was built here
        return Native(made, tuple(self.fixed))

    def choice(self, choices: Sequence[Formula | None], start: int = 0) -> ast.expr:
        """The place of the first that holds, counted from ``start``."""
        tests: list[ast.expr] = []
        sure: dict[str, str] = {}
        for formula in choices:
            tests.append(ast.Constant(value=True) if formula is None else self.condition(formula))
            sure = sure if len(tests) > 1 else dict(self.worked)
        self.worked = sure  # the other tests may never be reached
        choice: ast.expr = ast.UnaryOp(ast.USub(), ast.Constant(1))
        for place, test in reversed(list(enumerate(tests, start))):
            choice = ast.IfExp(test, ast.Constant(place), choice)
        return choice

    def tuple_of(self, choice: ast.expr, conditions: Sequence[Formula], formulas: Sequence[Formula]) -> ast.expr:
        """All that is asked for."""
        return ast.Tuple([choice, *map(self.condition, conditions), *map(self.formula, formulas)], ast.Load())

    def formula(self, formula: Formula) -> ast.expr:
        """A whole formula."""
        return self.node(formula, formula.tree())

    def node(self, formula: Formula, node: ast.expr) -> ast.expr:
        """One node of a formula."""
        self.of_formula = formula
        return self.of(node)

    def condition(self, formula: Formula) -> ast.expr:
        """A whole formula that has to come to yes or no: looked at where it might come to something else."""
        tree = formula.tree()
        made = self.node(formula, tree)
        if is_truth(tree) or formula.is_truth(tree):
            return made
        self.fixed.append(lambda _values: formula.truth)
        return _call(f"k{len(self.fixed) - 1}", made)

    def of(self, node: ast.expr) -> ast.expr:
        """A node that speaks of arguments only."""
        if not self.reads_varying(node):
            return self._fixed(node)
        name = self._name(node)
        if name in self.places:
            return _load(f"v{self.places[name]}")
        build = getattr(self, f"_{type(node).__name__.lower()}")  # one of those below
        if not isinstance(node, ast.BinOp | ast.Call):
            return build(node)  # type: ignore[no-any-return] # as all of them do
        key, certain = ast.dump(node), self.certain
        if key in self.worked:
            return _load(self.worked[key])
        made: ast.expr = build(node)
        if not certain:
            return made
        self.worked[key] = f"w{len(self.worked)}"
        return ast.NamedExpr(ast.Name(self.worked[key], ast.Store()), made)

    def _perhaps(self, build: Callable[[ast.expr], ast.expr], node: ast.expr) -> ast.expr:
        """A node that may be passed over."""
        certain, self.certain = self.certain, False
        made = build(node)
        self.certain = certain
        return made

    def reads_varying(self, node: ast.AST) -> bool:
        """Whether anything in a node varies."""
        if self.varies(node):
            return True
        return any(self.reads_varying(inner) for inner in ast.iter_child_nodes(node) if isinstance(inner, ast.expr))

    def varies(self, node: ast.AST) -> bool:
        """Whether a node is a name that varies."""
        return self._name(node) in self.places

    def _name(self, node: ast.AST) -> str:
        """A name as values have it: that of a roll, or of one field of it."""
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return f"{node.value.id}.{node.attr}"
        return ""

    def _fixed(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Constant) and type(node.value) in (str, int):
            return node
        if isinstance(node, ast.Name) and is_word(node):
            return ast.Constant(_WORDS[node.id])
        self.fixed.append(self.of_formula.of(node))
        return _load(f"k{len(self.fixed) - 1}")

    def _compare(self, node: ast.Compare) -> ast.expr:
        left = self.of(node.left)
        others: list[ast.expr] = []
        for sign, other in zip(node.ops, node.comparators, strict=True):
            build = self._list_of if isinstance(sign, ast.In | ast.NotIn) else self.of
            others.append(self._perhaps(build, other) if others else build(other))
        return ast.Compare(left, node.ops, others)

    def _list_of(self, node: ast.expr) -> ast.expr:
        """What to look in: what is known to be a set, or a list that is written out, needs no check."""
        if isinstance(node, ast.Tuple | ast.List) and self.reads_varying(node):
            return self._entries(node)
        made = self.of(node)
        return made if self._name(node) in self.sets else _call("_listed", made)

    def _boolop(self, node: ast.BoolOp) -> ast.expr:
        first, *others = node.values
        return ast.BoolOp(node.op, [self._truth(first), *(self._perhaps(self._truth, value) for value in others)])

    def _truth(self, node: ast.expr) -> ast.expr:
        """Yes or no, whatever the value: what comparisons give already."""
        made = self.of(node)
        if is_truth(made):
            return made
        if self.of_formula.is_truth(node):
            return ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), made))
        return _call("_truth", made)

    def _unaryop(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, self._truth(node.operand))
        return _call("_Sub", ast.Constant(0), self.of(node.operand))

    def _ifexp(self, node: ast.IfExp) -> ast.expr:
        test = self.of(node.test) if self.of_formula.is_truth(node.test) else self._truth(node.test)
        return ast.IfExp(test, self._perhaps(self.of, node.body), self._perhaps(self.of, node.orelse))

    def _entries(self, node: ast.Tuple | ast.List) -> ast.expr:
        return ast.Tuple([self.of(part) for part in node.elts], ast.Load())

    def _tuple(self, node: ast.Tuple | ast.List) -> ast.expr:
        return _call("_bounded", self._entries(node))

    _list = _tuple

    def _binop(self, node: ast.BinOp) -> ast.expr:
        return _call(f"_{type(node.op).__name__}", self.of(node.left), self.of(node.right))

    def _call(self, node: ast.Call) -> ast.expr:
        return _call(f"f_{_name(node.func)}", *(self.of(part) for part in node.args))

    def _subscript(self, node: ast.Subscript) -> ast.expr:
        return self._look_up(node, self.of_formula.only_column(_name(node.value)))

    def _attribute(self, node: ast.Attribute) -> ast.expr:
        return self._look_up(node.value, node.attr)  # a column of a look-up: other columns are names of their own

    def _look_up(self, node: Any, column: str) -> ast.expr:
        keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        table = _name(node.value)
        self.fixed.append(lambda values: values[table])
        found = _load(f"k{len(self.fixed) - 1}")
        return _call("_find", found, ast.Constant(column), *(self.of(key) for key in keys))


def _placed(node: Any) -> Any:
    """A node that was built, with a place for Python: the first character, as it has none of its own."""
    if isinstance(node, ast.expr | ast.arg):
        node.lineno = node.end_lineno = 1
        node.col_offset = node.end_col_offset = 0
    for field in node._fields:
        inner = getattr(node, field)
        if isinstance(inner, list):
            for one in inner:
                _placed(one)
        elif isinstance(inner, ast.expr | ast.arguments):
            _placed(inner)
    return node


def _name(node: Any) -> str:
    """The word of a node that the compiler saw to be a name."""
    return str(node.id)


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(_load(name), list(arguments), [])
