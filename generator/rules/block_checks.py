"""What the checks of all blocks of a sheet share: names are looked up, formulas are tried."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.rules.binding import bind, missing_table, names_of, option_names
from generator.rules.complaints import show
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import Scope
from generator.rules.rolls import sides_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from generator.problems import Problem
    from generator.rules.choices import Choice
    from generator.rules.models.base import FormulaText
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet
    from generator.sources.document import Path

    Case: TypeAlias = tuple[str, Mapping[str, Any]]
    """What a formula is tried with: how that is told, and the values of its names."""


class Checker:
    """Looks names up for one block and notes those that are not there."""

    def __init__(self, ruleset: RuleSet, place: Place, problems: list[Problem]) -> None:
        """For the block at this place; what is wrong is added to ``problems``."""
        self.ruleset = ruleset
        self.place = place
        self.problems = problems
        self.uses: set[str] = set()
        """The tables that its formulas look up, as these spell them."""

    def known(self, word: str | int, known: Collection[Any], what: str, *path: str | int, code: str = "R231") -> bool:
        """Whether ``word`` is among those known; a problem at ``path`` in the block if it is not."""
        if word in known:
            return True
        spelled = [str(one) for one in known]
        near = get_close_matches(str(word), spelled, n=1)
        others = f"there are: {', '.join(spelled)}" if spelled else "there is none"
        hint = f"did you mean {near[0]}?" if near else others
        new = self.ruleset.replaced.get(str(word))
        hint = f"use {new}, which replaces it" if new else hint
        place = self.at(*path)
        self.problems.append(place.problem(code, found=str(word), expected=f"{what} that is there", hint=hint))
        return False

    def at(self, *path: str | int) -> Place:
        """A place in the block."""
        place = self.place
        for step in path:
            place /= step
        return place

    def table(self, table_id: str, columns: Iterable[tuple[str, Path]], *path: str | int) -> None:
        """The table, and the columns each of which is named at a place of its own."""
        table = self.ruleset.tables.get(table_id)
        if table is None:
            self.problems.append(missing_table(table_id, self.ruleset.tables, self.at(*path)))
            return
        names = [column.name for column in table.columns]
        for column, where in columns:
            self.known(column, names, "a column", *where, code="R232")

    def reckon(
        self, text: FormulaText, scope: Scope, cases: Iterable[Case], place: Place, *, as_condition: bool
    ) -> list[Any] | None:
        """What a formula, over the options and more, comes to in every case that it will be asked about.

        That is yes or no for a condition, else a die.
        """
        options = names_of({}, self.ruleset.options)
        formula = bind(text, Scope(option_names(self.ruleset.options)) | scope.names, place, self.problems)
        if formula is None:
            return None
        self.uses |= formula.uses
        names = names_of(self.ruleset.tables, {}) | options
        found = []
        for said, values in cases:
            try:
                found.append((formula.holds if as_condition else formula)({**names, **values}))
                if not as_condition and found[-1] is not None:
                    sides_of(found[-1])
            except FormulaUseError as error:
                reason = f"{error} ({said})" if said else str(error)
                self.problems.append(place.problem("R241", found=reason, expected="an answer", hint=error.hint))
                return None
        return found

    def allowed(self, name: str, given: Any, choice: Choice) -> None:
        """Whether the value held, or each of those varied over, is one that may be (R203)."""
        at, several = self.place / "given" / name, isinstance(given, list)
        if given == []:
            hint = "leave it out for all of them"
            self.problems.append(at.problem("R203", found=show(given), expected=choice.spell(), hint=hint))
        for index, value in enumerate(given if several else [given]):
            if choice.read(value) is None:
                expected, hint = choice.spell(), choice.near(value)
                there = at / index if several else at
                self.problems.append(there.problem("R203", found=show(value), expected=expected, hint=hint))

    def missing(self, code: str, name: str, expected: str, hint: str) -> None:
        """Something that has no default and is neither varied nor held at a value."""
        self.problems.append((self.place / "given" / name).problem(code, found="nothing", expected=expected, hint=hint))
