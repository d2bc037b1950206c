"""Formulas in two steps: what they see of the names that vary, and what they come to by that.

Most that formulas ask of a roll does not lean on the inputs: whether a mark was drawn, not how many points suffice. It
is looked at once for all questions about the same roll. Ways that look the same are then one way, and what is left of
the formulas is judged for each of them.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from generator.rules.formulas.native import Native, NativeBuilder, is_truth, is_word, native

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from generator.rules.formulas.compiler import Formula


class Sight(NamedTuple):
    """A function of the names that vary, which gives a tuple, and one of what that tuple holds."""

    look: Native
    """Nothing that it takes leans on inputs."""
    judge: Native | None
    """It gives what ``native`` gives. None where that is what was seen: nothing is left to judge."""


def sight(
    choices: Sequence[Formula | None],
    formulas: Sequence[Formula],
    varying: Sequence[str],
    sets: Collection[str] = (),
    conditions: Sequence[Formula] = (),
) -> Sight:
    """The same as ``native`` makes, in two steps.

    Of the choices, the first ones that can be made by sight alone are: whatever else is seen then plays no part.

    >>> from generator.rules.formulas.compiler import compile_formula
    >>> from generator.rules.formulas.scope import VALUE, Scope
    >>> scope = Scope({"size": VALUE, "roll": VALUE})
    >>> choices = [compile_formula(text, scope) for text in ("roll > 5", "roll % 2 > 0 and roll > size", "yes")]
    >>> made = sight(choices, [], ["roll"])
    >>> zeros = [fixed({}) for fixed in made.look.fixed]
    >>> seen = [made.look.function(roll, *zeros) for roll in (9, 6, 5, 4)]
    >>> seen
    [(0, None, None), (0, None, None), (-1, True, 5), (-1, False, 4)]
    >>> [made.judge.function(*one, *(fixed({"size": 3}) for fixed in made.judge.fixed)) for one in seen]
    [(0,), (0,), (1,), (2,)]
    """
    looking = NativeBuilder(varying, sets)
    given = [one for one in (*choices, *conditions, *formulas) if one is not None]
    if all(sees_only(looking, one.tree()) for one in given):
        return Sight(native(choices, formulas, varying, sets, conditions), None)
    tests = _decided(choices, looking) if not conditions and not formulas else []
    judging = _JudgeBuilder(looking, {ast.dump(part) for _, part, _ in tests})
    choice = judging.choice(choices)
    body = judging.tuple_of(choice, conditions, formulas)
    undecided = ast.Tuple([_number(-1), *judging.views], ast.Load())
    nothing = [ast.Constant(None)] * len(judging.views)
    look: ast.expr = undecided
    for place, _, test in reversed(tests):
        look = ast.IfExp(test, ast.Tuple([_number(place), *nothing], ast.Load()), look)
    if tests:
        decided = ast.Compare(ast.Name("v0", ast.Load()), [ast.GtE()], [_number(0)])
        body = ast.IfExp(decided, ast.Tuple([ast.Name("v0", ast.Load())], ast.Load()), body)
    judge = judging.function(body, 1 + len(judging.views))
    return Sight(looking.function(look), judge)


def _decided(choices: Sequence[Formula | None], looking: NativeBuilder) -> list[tuple[int, ast.expr, ast.expr]]:
    """What the choices begin with that sight alone decides: the place, the condition or part of an ``or``, its test."""
    tests: list[tuple[int, ast.expr, ast.expr]] = []
    for place, formula in enumerate(choices):
        if formula is None:
            break
        node = formula.tree()
        parts = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) else [node]
        for part in parts:
            if not (is_truth(part) and sees_only(looking, part)):
                return tests
            tests.append((place, part, looking.node(formula, part)))
    return tests


def sees_only(builder: NativeBuilder, node: ast.AST) -> bool:
    """Whether nothing in a node leans on anything but what varies."""
    if builder.varies(node) or is_word(node):
        return True
    if isinstance(node, ast.Call):
        return all(sees_only(builder, part) for part in node.args)
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        return False
    return all(sees_only(builder, part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))


class _JudgeBuilder(NativeBuilder):
    """Builds of formulas what is left to judge; what they see becomes an argument."""

    def __init__(self, looking: NativeBuilder, untrue: Collection[str]) -> None:
        """``untrue`` are nodes that do not hold wherever there is something to judge."""
        super().__init__(list(looking.places), looking.sets)
        self.looking = looking
        self.untrue = untrue
        self.views: list[ast.expr] = []
        self.known: dict[str, int] = {}

    def of(self, node: ast.expr) -> ast.expr:
        if not self.reads_varying(node) or not sees_only(self, node):
            return super().of(node)
        key = ast.dump(node)
        alternatives = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) else [node]
        if all(ast.dump(one) in self.untrue for one in alternatives):
            return ast.Constant(value=False)
        if key not in self.known:
            self.views.append(self.looking.node(self.of_formula, node))
            self.known[key] = len(self.views)
        return ast.Name(f"v{self.known[key]}", ast.Load())

    def _boolop(self, node: ast.BoolOp) -> ast.expr:
        values = [value for value in node.values if ast.dump(value) not in self.untrue]
        if isinstance(node.op, ast.And) or len(values) == len(node.values):
            return super()._boolop(node)
        return self._truth(values[0]) if len(values) == 1 else super()._boolop(ast.BoolOp(node.op, values))


def _number(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))
