"""Check the blocks of sheets beyond their references: formulas must have answers, questions must be complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from generator.errors import ProblemsError
from generator.rules.check.references import References, references, words_of
from generator.rules.entries.choices import words_of_columns
from generator.rules.entries.dice import dice_of
from generator.rules.entries.kinds import Kind, Owner, kinds_of_designs
from generator.rules.entries.namespace import bind
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import FormulaText, Name, Scope
from generator.rules.procedures.inputs import complete_inputs, spell_inputs
from generator.rules.source.validation import show

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.problems import Problem
    from generator.rules.entries.tables import Row
    from generator.rules.model.block import Block
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.ruleset import RuleSet, Sheet
    from generator.rules.source.parts import Place

    Case: TypeAlias = tuple[str, Mapping[str, Any]]
    """Values to try a formula with: the text for messages, and the values by name."""


def check_sheet(ruleset: RuleSet, sheet: Sheet, problems: list[Problem], *, whole: bool = False) -> None:
    """Check the references and formulas of a sheet.

    Unless all kinds are read (``whole``), references that need the whole rule set are not looked up. Codes: R203,
    R207, R221 to R225, R228, R231, R232, R238, R241, F202, R314, R316.
    """
    walker = References(ruleset, problems, whole=whole)
    kind = kinds_of_designs(ruleset.kinds).get(sheet.model.of or "")
    owner = Owner.of(kind)
    walker.look_up(
        reference for reference in references(sheet.model, sheet.place) if "blocks" not in reference.place.path
    )
    for section, place in sheet.sections():
        for index, block in enumerate(section.blocks):
            at = place / "blocks" / index
            checker = BlockChecker(ruleset, at, problems, kind)
            if block.of_design and sheet.model.of is None:
                key = block.keyword
                hint = "say of: and the kind whose designs the sheet is printed for"
                checker.refuse("R203", f"{key} without of", "a sheet of a kind", key, hint=hint, at_key=True)
            elif (kind is not None or not block.of_design) and walker.check(block, at, owner):
                checker.condition(block.when, at / "when")
                block.check(checker)
        BlockChecker(ruleset, place, problems).condition(section.when, place / "when")
    for r, row in enumerate(sheet.model.rows):
        if row.shares and len(row.shares) != len(row.columns):
            expected, found = f"a number for each of {len(row.columns)} columns", f"{len(row.shares)} of them"
            problems.append((sheet.place / "rows" / r / "shares").problem("R203", expected, found))


def tables_of(blocks: Iterable[Block]) -> set[str]:
    """Return the ids of the tables that blocks print."""
    return {table for block in blocks for table in words_of(block, "table")}


def values_of(procedure: Procedure, name: str, given: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the values of an input that a block prints: those in ``given``, or all if it does not name the input.

    A given value that the input does not allow is None.
    """
    choice = procedure.input(name).choice  # type: ignore[union-attr] # the sheet was checked
    chosen = given.get(name)
    if chosen is None:
        return choice.values
    return tuple(choice.read(item) for item in (chosen if isinstance(chosen, list) else [chosen]))


class BlockChecker:
    """Checker that tries the formulas and values of one block."""

    def __init__(self, ruleset: RuleSet, place: Place, problems: list[Problem], kind: Kind | None = None) -> None:
        """Check the block at ``place``. ``kind`` is the kind of design that the sheet is printed for."""
        self.ruleset = ruleset
        self.place = place
        self.problems = problems
        self.kind = kind

    def refuse(self, code: str, found: str, expected: str, *path: str | int, **more: Any) -> None:
        """Add a problem with the value at a path of the block; ``more`` are further arguments of ``Place.problem``."""
        place = self.place
        for step in path:
            place /= step
        self.problems.append(place.problem(code, expected, found, **more))

    def condition(self, text: FormulaText | None, place: Place) -> None:
        """Check a condition that reads only options. Adds R221 to R225, or R241 if it has no answer."""
        if text is not None:
            self.reckon(text, Scope(), [("", {})], place, as_condition=True)

    def reckon(
        self, text: FormulaText, scope: Scope, cases: Iterable[Case], place: Place, *, as_condition: bool
    ) -> list[Any] | None:
        """Return the results of a formula for all cases: yes or no ``as_condition``, else dice.

        A case is a label for messages, and the values of the names in ``scope``. Returns None with a problem if the
        formula cannot be read (R221 to R225, R237) or a case has no answer (R241).
        """
        options = Scope({name: self.ruleset.scope.names[name] for name in self.ruleset.options})
        formula = bind(text, options | scope.names, place, self.problems)
        if formula is None:
            return None
        names = self.ruleset.namespace().names()
        results = []
        for label, values in cases:
            try:
                results.append((formula.holds if as_condition else formula)({**names, **values}))
                if not as_condition and results[-1] is not None:
                    dice_of(results[-1])
            except FormulaUseError as error:
                reason = f"{error} ({label})" if label else str(error)
                self.problems.append(place.problem("R241", "an answer", reason, error.hint))
                return None
        return results

    def where(self, table_id: str, where: FormulaText | None) -> list[Row]:
        """Return the rows of a table for which the condition holds.

        Adds R238 (advice) if there are none, and R221 to R225 or R241 if the condition cannot be evaluated.
        """
        table = self.ruleset.tables[table_id]
        if where is None:
            return list(table.rows)
        words = words_of_columns(table, self.ruleset.tables)
        scope = Scope({column.name: Name(words=words.get(column.name)) for column in table.columns})
        cases = [(spell_inputs({name: row[name] for name in table.key}), row.values) for row in table.rows]
        matches = self.reckon(where, scope, cases, self.place / "where", as_condition=True)
        if matches is not None and not any(matches):
            expected, hint = "a condition that holds for a row at least", "a table without rows prints “None”"
            self.refuse("R238", "no row", expected, "where", hint=hint, severity="advice")
        return [row for row, holds in zip(table.rows, matches or (), strict=False) if holds]

    def check_values(self, given: Mapping[str, Any], varied: Sequence[str | None], *path: str | int) -> bool:
        """Return whether no value is an empty list, and only inputs or fields that vary have a list; else add R203.

        ``path`` is the path to the key ``given`` in the block.
        """
        before = len(self.problems)
        for name, value in given.items():
            if value == []:
                self.refuse("R203", show(value), "a value", *path, "given", name, hint="leave it out for all of them")
            elif isinstance(value, list) and name not in varied:
                self.refuse("R203", show(value), "one value", *path, "given", name)
        return len(self.problems) == before

    def complete(self, procedure: Procedure, given: Mapping[str, Any], place: Place, *codes: str) -> None:
        """Add a problem if the ``given`` inputs are not a complete question to the procedure; each problem once.

        Codes: R314 a missing input, R316 an input that does not apply, R241 a condition without an answer. With
        ``codes``, only these are added. ``place`` is around the key ``given``.
        """
        try:
            complete_inputs(procedure, given)
        except ProblemsError as error:
            for item in error.problems:
                at = place / "given" / item.field
                problem = at.problem(item.code, item.expected, item.found, item.hint)
                if problem not in self.problems and (not codes or item.code in codes):
                    self.problems.append(problem)
