"""The checks of blocks that are drawn: hexes have places, odds a procedure that tells them, inputs have values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.errors import ProblemsError
from generator.rules.complaints import show
from generator.rules.programs import Program
from generator.rules.questions import complete_inputs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.rules.block_checks import Checker
    from generator.rules.models.pictures import ChartBlock, HexesBlock, HexOdds
    from generator.rules.places import Place
    from generator.rules.procedures import Procedure
    from generator.rules.tables import Table

MAX_PANELS, MAX_SIDE_BY_SIDE = 6, 3
"""The most charts of one block, and the most bars for one value that can be told apart without colour."""


def check_hexes(checker: Checker, block: HexesBlock) -> None:
    """R225 a table that has no place for each hex, R232 no such column, and what is wrong with the odds."""
    before = len(checker.problems)
    grouped = [(block.group, ("group",))] if block.group is not None else []
    checker.table(block.hexes, [("q", ("hexes",)), ("r", ("hexes",)), (block.text, ("text",)), *grouped], "hexes")
    if len(checker.problems) > before:
        return
    table = checker.ruleset.tables[block.hexes]
    places = [(row["q"], row["r"]) for row in table.rows]
    odd = next((at for at in places if not all(type(one) is int for one in at)), None)
    twice = next((at for index, at in enumerate(places) if at in places[:index]), None)
    at = odd or twice
    if at is not None:
        found = f"the table {block.hexes} with {'a hex' if odd else 'two hexes'} at {', '.join(map(show, at))}"
        expected = "a table with whole numbers q and r, each pair of them once"
        checker.problems.append(checker.at("hexes").problem("R225", found=found, expected=expected))
    if block.odds is not None:
        _check_hex_odds(checker, block.odds, table)


def check_chart(checker: Checker, block: ChartBlock) -> None:
    """R203 a value that is not allowed, R231 no such procedure, R232 no such input or number, R314, R316 its inputs."""
    procedure = _procedure(checker, block.chart, "chart")
    if procedure is None:
        return
    if block.number is not None:
        checker.known(block.number, _told(procedure, "numbers"), "a number", "number", code="R232")
    for key, needs, lacks in (
        ("lack", "number", block.number is None),
        ("most", "number", block.number is None),
        ("beside", "each", block.each is None),
    ):
        if lacks and getattr(block, key):
            found, hint = f"{key} without {needs}", f"say {needs}, or leave {key} out"
            checker.problems.append(
                checker.at(key).problem("R203", found=found, expected=f"{key} together with {needs}", hint=hint)
            )
    before = len(checker.problems)
    inputs = [one.name for one in procedure.inputs]
    if block.each is not None:
        checker.known(block.each, inputs, "an input", "each", code="R232")
    given = _given(checker, procedure, block.given, block.each)
    if len(checker.problems) > before:
        return
    fixed = {name: one for name, one in given.items() if name != block.each}
    if block.each is None:
        _complete(checker, procedure, fixed, checker.place)
        return
    wanted = given.get(block.each, procedure.input(block.each).choice.values)  # type: ignore[union-attr] # it is known
    most = MAX_SIDE_BY_SIDE if block.beside else MAX_PANELS
    if len(wanted) > most:
        hint = "list the values to draw under given"
        found, expected = f"{len(wanted)} values", f"at most {most}"
        checker.problems.append(checker.at("each").problem("R203", found=found, expected=expected, hint=hint))
        return
    for value in wanted:
        _complete(checker, procedure, {**fixed, block.each: value}, checker.place)


def _check_hex_odds(checker: Checker, odds: HexOdds, table: Table) -> None:
    procedure = _procedure(checker, odds.procedure, "odds", "procedure")
    if procedure is None:
        return
    checker.known(odds.which, _told(procedure, "which"), "a distribution", "odds", "which", code="R232")
    if len(table.key) > 1:
        found = f"the table {table.id} with {len(table.key)} keys"
        checker.problems.append(checker.at("hexes").problem("R225", found=found, expected="a table with one key"))
        return
    if odds.aim is not None:
        keys = set(table.names())
        aimed = [one.name for one in procedure.inputs if keys.issuperset(one.choice.values)]
        checker.known(odds.aim, aimed, f"an input with the key of {table.id}", "odds", "aim", code="R232")
    inner = type(checker)(checker.ruleset, checker.at("odds"), checker.problems)
    before = len(checker.problems)
    common = _given(inner, procedure, odds.given)
    for index, one in enumerate(odds.maps):
        place = inner.place / "maps" / index
        own = _given(type(checker)(checker.ruleset, place, checker.problems), procedure, one.given)
        if len(checker.problems) == before:
            _complete(checker, procedure, {**common, **own}, place)


def _procedure(checker: Checker, wanted: str, *path: str) -> Procedure | None:
    """The procedure, if it has dice (R231)."""
    rolled = [name for name, one in checker.ruleset.procedures.items() if one.cases]
    found = checker.known(wanted, rolled, "a procedure with dice", *path)
    return checker.ruleset.procedures[wanted] if found else None


def _told(procedure: Procedure, what: str) -> list[str]:
    """What the cases of a procedure tell beside its outcomes, by name."""
    programs = [case.roll for case in procedure.cases if isinstance(case.roll, Program)]
    return list(dict.fromkeys(name for one in programs for name in getattr(one, what)))


def _given(checker: Checker, procedure: Procedure, given: Mapping[str, Any], each: str | None = None) -> dict[str, Any]:
    """The values that are given, as the procedure knows them; of the input that varies, all of its values."""
    inputs = {one.name: one for one in procedure.inputs}
    found: dict[str, Any] = {}
    for name, value in given.items():
        if not checker.known(name, inputs, "an input", "given", name, code="R232"):
            continue
        choice = inputs[name].choice
        if isinstance(value, list) and name != each:
            expected = choice.spell() if each == name else f"one value: {choice.spell()}"
            checker.problems.append(checker.at("given", name).problem("R203", found=show(value), expected=expected))
            continue
        checker.allowed(name, value, choice)
        values = [choice.read(one) for one in (value if isinstance(value, list) else [value])]
        found[name] = values if name == each else values[0]
    return found


def _complete(checker: Checker, procedure: Procedure, given: Mapping[str, Any], place: Place) -> None:
    """R314, R316: whether these inputs are a question that the procedure answers; told at the block."""
    try:
        complete_inputs(procedure, given)
    except ProblemsError as error:
        for one in error.problems:
            told = (place / "given" / one.field).problem(
                one.code, found=one.found, expected=one.expected, hint=one.hint
            )
            if told not in checker.problems:
                checker.problems.append(told)
