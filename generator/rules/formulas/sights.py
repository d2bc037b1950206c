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
    last: bool = False
    """Whether what is seen ends with what holds where none of the choices that are judged does: it plays no part."""


def sight(
    choices: Sequence[Formula | None],
    formulas: Sequence[Formula],
    varying: Sequence[str],
    sets: Collection[str] = (),
    conditions: Sequence[Formula] = (),
) -> Sight:
    """The same as ``native`` makes, in two steps; choices stand alone.

    Of the choices, the first ones that can be made by sight alone are: whatever else is seen then plays no part. So
    are the last ones, for where none before them holds.

    >>> from generator.rules.formulas.compiler import compile_formula
    >>> from generator.rules.formulas.scope import VALUE, Scope
    >>> scope = Scope({"size": VALUE, "roll": VALUE})
    >>> texts = "roll > 5", "roll % 2 > 0 and roll > size", "roll < 2"
    >>> made = sight([*(compile_formula(text, scope) for text in texts), None], [], ["roll"])
    >>> seen = [made.look.function(roll) for roll in (9, 6, 5, 4, 1)]
    >>> seen
    [(0, None, None, -1), (0, None, None, -1), (-1, True, 5, 3), (-1, False, 4, 3), (-1, True, 1, 2)]
    >>> [made.judge.function(*one[:-1], *(fixed({"size": 3}) for fixed in made.judge.fixed)) for one in seen]
    [(0,), (0,), (1,), (-1,), (-1,)]
    """
    looking = NativeBuilder(varying, sets)
    pure = [one is None or sees_only(looking, one.tree()) for one in choices]
    if all(pure) and all(sees_only(looking, one.tree()) for one in (*conditions, *formulas)):
        return Sight(native(choices, formulas, varying, sets, conditions), None)
    if not choices:
        judging = _JudgeBuilder(looking)
        body = judging.tuple_of(_number(-1), conditions, formulas)
        judge = judging.function(body, len(judging.views))
        return Sight(looking.function(ast.Tuple(judging.views, ast.Load())), judge)
    end = max(place for place, seen in enumerate(pure, start=1) if not seen)
    tests = _decided(choices, looking)
    judging = _JudgeBuilder(looking, 1, {ast.dump(part) for _, part, _ in tests})
    choice = judging.choice(choices[:end])
    look: ast.expr = ast.Tuple([_number(-1), *judging.views, looking.choice(choices[end:], end)], ast.Load())
    nothing = [ast.Constant(None)] * len(judging.views)
    for place, _, test in reversed(tests):
        look = ast.IfExp(test, ast.Tuple([_number(place), *nothing, _number(-1)], ast.Load()), look)
    if tests:
        decided = ast.Name("v0", ast.Load())
        choice = ast.IfExp(ast.Compare(decided, [ast.GtE()], [_number(0)]), decided, choice)
    judge = judging.function(ast.Tuple([choice], ast.Load()), 1 + len(judging.views))
    return Sight(looking.function(look), judge, last=True)


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

    def __init__(self, looking: NativeBuilder, first: int = 0, untrue: Collection[str] = ()) -> None:
        """``first`` is the first argument for a view; ``untrue`` holds nowhere where there is something to judge."""
        super().__init__(list(looking.places), looking.sets)
        self.looking = looking
        self.first = first
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
            self.known[key] = self.first + len(self.views)
            self.views.append(self.looking.node(self.of_formula, node))
        return ast.Name(f"v{self.known[key]}", ast.Load())

    def _boolop(self, node: ast.BoolOp) -> ast.expr:
        values = [value for value in node.values if ast.dump(value) not in self.untrue]
        if isinstance(node.op, ast.And) or len(values) == len(node.values):
            return super()._boolop(node)
        return self._truth(values[0]) if len(values) == 1 else super()._boolop(ast.BoolOp(node.op, values))


def _number(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))
