"""Check what loading does not see: names, blocks of sheets, unused tables, procedures without an answer."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.problems import Problem, ProblemsError
from generator.rules.check.references import References, references, words_of
from generator.rules.entries.choices import spread, words_of_columns
from generator.rules.entries.compiled import bind
from generator.rules.entries.dice import dice_of
from generator.rules.entries.kinds import Kind, kinds_of_designs
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import FormulaText, Name, Scope, identifier
from generator.rules.procedures.answers import answer, complete_inputs, is_asked, spell_inputs
from generator.rules.source.library import CATEGORIES
from generator.rules.source.validation import show

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from generator.rules.entries.tables import Row, Table
    from generator.rules.model.base import Block
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.ruleset import RuleSet, Sheet
    from generator.rules.source.parts import Place

    Case: TypeAlias = tuple[str, Mapping[str, Any]]
    """Values to try a formula with: the text for messages, and the values by name."""

MAX_COMBINATIONS = 60
"""How many combinations of inputs are tried for each procedure; if there are more, they are spread evenly."""


def check_ruleset(
    ruleset: RuleSet, problems: list[Problem], most: int = MAX_COMBINATIONS, seen: Collection[str] = ()
) -> None:
    """Add every problem that can be found only in the whole rule set.

    These are names of missing entries, faults of sheets (see ``check_sheet``), gaps in ranges (R236), and missing rows
    (R241). Procedures are checked for inputs without an answer (R241) and for chances with another sum than 1 (R233).
    Tables that nothing uses (R235) and words that nothing checks (R240) are advice.

    At most ``most`` combinations of inputs are tried for each procedure whose id is not in ``seen``; none is tried if a
    range has a gap or a row is missing.
    """
    References(ruleset, problems, whole=True).look_up(ruleset.references)
    for sheet in ruleset.sheets.values():
        check_sheet(ruleset, sheet, problems, whole=True)
    before, roots = len(problems), set[tuple[object, ...]]()
    for table in ruleset.tables.values():
        _check_ranges(table, problems)
        _check_added(table, ruleset.tables, problems)
    for procedure in ruleset.procedures.values() if len(problems) == before else ():  # gaps in ranges break answers
        if procedure.cases and procedure.id not in seen:
            _check_total(procedure, problems, most, roots)
    _check_used(ruleset, problems)
    check_words(ruleset.tables.values(), ruleset.own, problems)


def untouched(procedures: Mapping[str, Procedure], options: Collection[str]) -> set[str]:
    """Return the ids of the procedures that read none of these options.

    A procedure also reads the options of the procedures that it asks.
    """
    touched = {procedure.id for procedure in procedures.values() if not procedure.leans.isdisjoint(options)}
    while (
        more := {procedure.id for procedure in procedures.values() if not procedure.asks.isdisjoint(touched)} - touched
    ):
        touched |= more
    return procedures.keys() - touched


def _check_used(ruleset: RuleSet, problems: list[Problem]) -> None:
    """Add R235 (advice) for each of the rule set's own tables whose id is a word in no other file of the rules.

    If a parent is named beside its layer, its tables are left out: the layer may replace what uses them. A table counts
    as used if it has no rows, or if sheets list the statuses of all its rows.
    """
    blocks = [block for sheet in ruleset.sheets.values() for block in sheet.model.blocks()]
    listed = {status for block in blocks for status in block.statuses()}
    entries = (entry for category in CATEGORIES for entry in getattr(ruleset, category).values())
    places = (entry.place for entry in (*entries, *ruleset.errata))
    texts = [*map(str, ruleset.manifests.values()), *(str(part.value) for part in {place.inside for place in places})]
    named = Counter(word for text in texts for word in _names_in(text))
    parents = {name for manifest in ruleset.manifests.values() for name in manifest.extends}
    for table in ruleset.tables.values():
        in_appendix = all(row.provenance.status in listed for row in table.rows)
        used = in_appendix or named[identifier(table.id)] > 1  # its own file names it, too
        if table.owner in ruleset.own - parents and not used:
            hint = "print it on a sheet, use it in a formula, or delete its file"
            found = f"the table {table.id}, which is used nowhere"
            expected = "a table that a sheet, a kind or a procedure uses"
            problems.append((table.place / "table").problem("R235", expected, found, hint, severity="advice"))


def _names_in(text: str) -> set[str]:
    """Return the words of a text, with underscores for hyphens as formulas spell tables.

    A hyphen may also be a minus sign, so the words on both sides of it are returned, too.
    """
    return {*re.findall(r"\w+", text), *(word.replace("-", "_") for word in re.findall(r"[\w-]+", text))}


def check_words(tables: Iterable[Table], own: Collection[str], problems: list[Problem]) -> None:
    """Add R240 (advice) for each word column whose words nothing checks, in tables of the rule sets ``own``.

    Words are checked by ``from`` or ``of``. A first key column, and a column with ``free``, need no check.
    """
    for table in tables:
        for column in table.columns if table.owner in own else ():
            checked = column.listed or column.of or column.free or column.name == table.key[0]
            if column.type == "word" and not checked:
                hint = "add from: and the table with its words, of: and the words, or free: true for any word"
                found, at = f"words of {column.name} that nothing checks", table.place / "columns" / column.name
                problems.append(at.problem("R240", "from, of or free", found, hint, severity="advice", at_key=True))


def _check_ranges(table: Table, problems: list[Problem]) -> None:
    """Add R236 for each gap between rows, in a table with one key column of spans or ranged numbers.

    The rows must cover the column's range, or without a range all numbers from the first row to the last.
    """
    key = table.key[0]
    column = table.column(key)
    rows = [row for row in table.rows if row[key] is not None]
    if len(table.key) != 1 or not rows or not (column.type == "span" or (column.type == "int" and column.bounds)):
        return
    cells = sorted(((row[key], row.place / key) for row in rows), key=lambda cell: cell[0])
    spans = [(*cell, place) if isinstance(cell, tuple) else (cell, cell, place) for cell, place in cells]
    low, high = column.bounds or (spans[0][0], spans[-1][1])
    hint = f"add a row, or change the range {low}..{high} of the column {key}" if column.bounds else ""
    due = low
    for first, last, place in (*spans, (high + 1, high + 1, spans[-1][2])):
        if due < first:
            found = f"no row for {due}" if due == first - 1 else f"no row for {due} to {first - 1}"
            before = f"the row before ends at {due - 1}"
            problems.append(place.problem("R236", "ranges without gaps", found, hint or before))
        due = last + 1


def _check_added(table: Table, tables: Mapping[str, Table], problems: list[Problem]) -> None:
    """Add R241 for each listed value without a row, if each value listed before the changes of layers has one.

    Listed values are the first keys of the tables that a key column of ``table`` names under ``from``.
    """
    for name in table.key:
        lists = [tables[text] for text in table.column(name).listed if text in tables]
        former = {value for listed in lists for value in listed.former(listed.key[0])}
        known = {row[name] for row in table.rows}
        for listed in lists if former <= known else ():
            for row in listed.rows:
                if (value := row[listed.key[0]]) not in known:
                    expected, found = f"a row for each of {listed.id}", f"the table {table.id} has no row for {value}"
                    hint = f"add a row in this layer: tables.{table.id}[{value}]"
                    problems.append(row.place.problem("R241", expected, found, hint))


def _check_total(procedure: Procedure, problems: list[Problem], most: int, roots: set[tuple[object, ...]]) -> None:
    """Add R233 if the outcomes of a combination of inputs do not add up to 1, R241 if a combination has no answer.

    Only the first such combination is reported. At most ``most`` combinations are tried, and only one or two if a roll
    is slow. ``roots`` are the causes reported so far, so that a fault in a table is not reported for every procedure; a
    new cause is added to them.
    """
    if any(roll.slow for case in procedure.cases for roll in case.program.rolls):
        most = 2 if most == MAX_COMBINATIONS else 1  # the first and the last, or the first
    try:
        for inputs in combinations(procedure, most):
            chances = sum(chance for _, chance in answer(procedure, inputs).outcomes)
            if chances != 1:
                found = f"outcomes with the sum {chances} for {spell_inputs(inputs)}"
                hint = "add the missing outcome, or change its when"
                problems.append((procedure.place / "outcomes").problem("R233", "1", found, hint))
                return
    except ProblemsError as error:
        root = error.__cause__.root if isinstance(error.__cause__, FormulaUseError) else (procedure.id,)
        if root not in roots:
            problems.extend(error.problems[:1])
        roots.add(root)


def combinations(procedure: Procedure, most: int = MAX_COMBINATIONS) -> list[dict[str, object]]:
    """Return combinations of the inputs that apply together, in order: all of them, or ``most`` if there are more.

    They are thinned out evenly after each input. A procedure without inputs has one empty combination.
    Raises ProblemsError (R241) if an input's ``when`` has no answer.
    """
    waiting: Sequence[dict[str, object]] = [{}]
    for item in procedure.inputs:
        extended: list[dict[str, object]] = []
        for inputs in waiting:
            asked = is_asked(procedure, item, inputs)
            extended += [{**inputs, item.name: value} for value in item.choice.values] if asked else [inputs]
        waiting = spread(extended, most)
    return list(waiting)


def check_sheet(ruleset: RuleSet, sheet: Sheet, problems: list[Problem], *, whole: bool = False) -> None:
    """Check the references and formulas of a sheet, and add a problem for each fault.

    Unless the whole rule set is read (``whole``), references that need it are not looked up. A block whose references
    are wrong is not checked further. Codes: R203, R207, R221 to R223, R225, R228, R231, R232, R237, R238, R241, R314,
    R316.
    """
    walker = References(ruleset, problems, whole=whole)
    kind = kinds_of_designs(ruleset.kinds).get(sheet.model.of or "")
    around = () if kind is None else (kind.model,)
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
            elif (kind is not None or not block.of_design) and walker.check(block, at, *around):
                checker.condition(block.when, at / "when")
                block.check(checker)
        BlockChecker(ruleset, place, problems).condition(section.when, place / "when")
    for r, row in enumerate(sheet.model.rows):
        if row.shares and len(row.shares) != len(row.columns):
            expected, found = f"a number for each of {len(row.columns)} columns", f"{len(row.shares)} of them"
            problems.append((sheet.place / "rows" / r / "shares").problem("R203", expected, found))


def tables_of(blocks: Iterable[Block]) -> set[str]:
    """Return the ids of the tables that blocks name outside formulas."""
    return {table for block in blocks for table in words_of(block, "table")}


def values_of(procedure: Procedure, name: str, given: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the values of an input that a block prints: those in ``given``, or all if it does not name the input.

    ``given`` has a value, or a list of values, for each input by name. A value that the input does not allow becomes
    None. The procedure must have the input.
    """
    choice = procedure.input(name).choice  # type: ignore[union-attr] # the sheet was checked
    chosen = given.get(name)
    if chosen is None:
        return choice.values
    return tuple(choice.read(item) for item in (chosen if isinstance(chosen, list) else [chosen]))


class BlockChecker:
    """Checker that tries the formulas and values of one block."""

    def __init__(self, ruleset: RuleSet, place: Place, problems: list[Problem], kind: Kind | None = None) -> None:
        """Initialize for the block at ``place``; ``kind`` is the kind of design that the sheet is printed for."""
        self.ruleset = ruleset
        self.place = place
        self.problems = problems
        self.kind = kind

    def refuse(self, code: str, found: str, expected: str, *path: str | int, **more: Any) -> None:
        """Add a problem with the value at a path of the block; ``more`` are further arguments of ``Place.problem``.

        ``found`` comes before ``expected``, unlike in ``Place.problem``.
        """
        place = self.place
        for step in path:
            place /= step
        self.problems.append(place.problem(code, expected, found, **more))

    def condition(self, text: FormulaText | None, place: Place) -> None:
        """Check a condition that reads only options. Nothing is checked for None.

        Adds R221 to R223, R225 or R237 if it cannot be read, or R241 if it has no answer.
        """
        if text is not None:
            self.reckon(text, Scope(), [("", {})], place, as_condition=True)

    def reckon(
        self, text: FormulaText, scope: Scope, cases: Iterable[Case], place: Place, *, as_condition: bool
    ) -> list[Any] | None:
        """Return the results of a formula, one for each case: yes or no ``as_condition``, else dice or None.

        A case is a label for messages, and values of names in ``scope``. Options can be read, too; tables only if they
        are in ``scope``. Returns None and adds a problem for the first fault. A formula that cannot be read has R221 to
        R223, R225 or R237. A case without an answer, or whose result must be dice and is not, has R241.
        """
        options = Scope({name: self.ruleset.scope.names[name] for name in self.ruleset.options})
        formula = bind(text, options | scope.names, place, self.problems)
        if formula is None:
            return None
        names = self.ruleset.namespace(self.problems).names()
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

    def where(self, table_id: str, where: FormulaText | None, place: Place) -> list[Row]:
        """Return the rows of a table for which the condition ``where`` of an entry holds; all rows for None.

        Adds R238 (advice) if the condition holds for no row. Returns no rows and adds R221 to R223, R225, R237 or R241
        if it cannot be evaluated. Raises KeyError for an unknown table.
        """
        table = self.ruleset.tables[table_id]
        if where is None:
            return list(table.rows)
        words = words_of_columns(table, self.ruleset.tables)
        scope = Scope({column.name: Name(words=words.get(column.name)) for column in table.columns})
        cases = [(spell_inputs({name: row[name] for name in table.key}), row.values) for row in table.rows]
        matches = self.reckon(where, scope, cases, place / "where", as_condition=True)
        if matches is not None and not any(matches):
            expected, hint = "a condition that holds for a row at least", "a table without rows prints “None”"
            self.problems.append((place / "where").problem("R238", expected, "no row", hint, severity="advice"))
        return [row for row, holds in zip(table.rows, matches or (), strict=False) if holds]

    def check_values(self, given: Mapping[str, Any], varied: Sequence[str | None], *path: str | int) -> bool:
        """Return whether every list of values under ``given`` is allowed; add R203 for each list that is not.

        Only the names in ``varied`` may have a list of values, and no list may be empty. ``path`` is the path in the
        block to the mapping that has the key ``given``.
        """
        before = len(self.problems)
        for name, value in given.items():
            if value == []:
                self.refuse("R203", show(value), "a value", *path, "given", name, hint="leave it out for all of them")
            elif isinstance(value, list) and name not in varied:
                self.refuse("R203", show(value), "one value", *path, "given", name)
        return len(self.problems) == before

    def complete(self, procedure: Procedure, given: Mapping[str, Any], place: Place, *codes: str) -> None:
        """Add problems if the ``given`` inputs are not a complete question to the procedure, but no problem twice.

        Codes: R314 a missing input, R316 an input that does not apply, R241 a condition without an answer. With
        ``codes``, only these are added. ``place`` is the place of the mapping that has the key ``given``.
        """
        try:
            complete_inputs(procedure, given)
        except ProblemsError as error:
            for item in error.problems:
                at = place / "given" / item.field
                problem = at.problem(item.code, item.expected, item.found, item.hint)
                if problem not in self.problems and (not codes or item.code in codes):
                    self.problems.append(problem)
