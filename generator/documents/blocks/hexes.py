"""Diagrams of tables whose rows are hexes, with the chance of each hex if a procedure has it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from generator.documents.blocks.odds import fixed_inputs, tint_key
from generator.documents.blocks.tables import printed_cell
from generator.documents.words import percent, tint
from generator.render.blocks import Hex, Hexes, Prose, TintKey
from generator.rules.model.base import Block, Id, Model, Name, NonBlank, Ref, Seq, TableId
from generator.rules.procedures.answers import answer, complete_inputs
from generator.rules.source.validation import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.documents.blocks.composition import Composition
    from generator.odds.distribution import Distribution
    from generator.rules.check.ruleset import BlockChecker


def _rising(steps: tuple[int, ...]) -> tuple[int, ...]:
    if list(steps) != sorted(set(steps)):
        raise PydanticCustomError("rising", "numbers that rise")
    return steps


HexColumn = Annotated[Name, Ref("column", of="hexes")]
OddsInput = Annotated[Name, Ref("input", of="procedure")]
OddsValue = Annotated[Any, Ref("value", of="procedure")]


class HexMap(Model):
    """One diagram of several."""

    title: NonBlank
    """Printed above the diagram."""
    given: dict[OddsInput, OddsValue] = Field(default_factory=dict)
    """Inputs of the procedure for this diagram only."""


class HexOdds(Model):
    """The chance of every hex of a diagram, from a procedure whose result is a hex."""

    procedure: Annotated[Id, Ref("procedure with dice")]
    """The procedure."""
    which: Annotated[Id, Ref("distribution", of="procedure")]
    """The distribution under the procedure's ``which``; its values are the table's keys."""
    given: dict[OddsInput, OddsValue] = Field(default_factory=dict)
    """Inputs that are the same for all diagrams."""
    maps: Annotated[Seq[HexMap], Field(min_length=1, max_length=12)]
    """The diagrams, in order."""
    aim: OddsInput | None = None
    """The input whose value is the key of the target hex, which is marked."""
    beside: str = ""
    """The name of the chance of no hex, in the line under a diagram."""
    names: dict[str, Annotated[tuple[int, int], Field(strict=False)]] = Field(default_factory=dict)
    """Texts of hexes that are printed once, each at a place without a hex, as q and r, instead of in every hex."""
    steps: Annotated[
        Seq[Annotated[int, Field(ge=1, le=99)]], Field(min_length=1, max_length=5), AfterValidator(_rising)
    ]
    """Percentages from which a hex takes the next tint, lowest first: the chances of single hexes are small."""


class HexesBlock(Block):
    """A diagram of a table whose rows are hexes, placed by its columns ``q`` and ``r``."""

    keyword = "hexes"

    hexes: TableId
    """The table."""
    text: HexColumn
    """The column with the text of each hex."""
    group: HexColumn | None = None
    """The column whose change from hex to hex draws a heavy line."""
    members: bool = False
    """Whether a line under the diagram says which hexes belong to which group."""
    flat: bool = False
    """Whether hexes have flat sides, not corners, at the top and bottom."""
    centre: str = ""
    """The text of a hex at 0, 0, if the table has no hex there."""
    size: Annotated[int, Field(ge=4, le=20)] = 8
    """Millimetres across a hex, flat to flat."""
    odds: HexOdds | None = None
    """The chance of every hex, printed and tinted; one diagram for each of its maps."""

    def only_odds_of(self) -> str | None:
        """Return the id of the procedure whose odds are all that the diagram shows; None if the diagram has no odds."""
        return None if self.odds is None else self.odds.procedure

    def check(self, checker: BlockChecker) -> None:
        """Report R232 for a table without columns ``q`` and ``r``, and for an aim whose values are not hexes.

        Report R225 for a hex without whole numbers as its place, and for two hexes at one place. Report R225, too, for
        odds of a table with several keys. Report R203 for a wrong list under ``given``, and R314, R316 or R241 for
        inputs that do not make a complete question.
        """
        table = checker.ruleset.tables[self.hexes]
        missing = [name for name in ("q", "r") if name not in [column.name for column in table.columns]]
        for name in missing:
            checker.refuse("R232", name, f"a column of {table.id}", "hexes", hint="a hex stands at its columns q and r")
        if missing:
            return
        places = [(row["q"], row["r"]) for row in table.rows]
        odd = next((at for at in places if not all(type(item) is int for item in at)), None)
        twice = next((at for index, at in enumerate(places) if at in places[:index]), None)
        if at := odd or twice:
            found = f"the table {table.id} with {'a hex' if odd else 'two hexes'} at {', '.join(map(show, at))}"
            checker.refuse("R225", found, "a table with whole numbers q and r, each pair of them once", "hexes")
        if self.odds is None:
            return
        if len(table.key) > 1:
            checker.refuse("R225", f"the table {table.id} with {len(table.key)} keys", "a table with one key", "hexes")
            return
        procedure = checker.ruleset.procedures[self.odds.procedure]
        aim = procedure.input(self.odds.aim) if self.odds.aim else None
        if aim is not None and not table.names().keys() >= set(aim.choice.values):
            checker.refuse("R232", aim.name, f"an input with the key of {table.id}", "odds", "aim")
        shared = checker.check_values(self.odds.given, (), "odds")
        for index, item in enumerate(self.odds.maps):
            if checker.check_values(item.given, (), "odds", "maps", index) and shared:
                given = {**self.odds.given, **item.given}
                checker.complete(procedure, fixed_inputs(procedure, given), checker.place / "odds" / "maps" / index)

    def compose(self, context: Composition) -> tuple[Hexes | Prose | TintKey, ...]:
        """Return the diagram, and a line that lists the members of each group if wanted.

        With odds, return a diagram for each of their maps and the key to the tints instead. Adds R225 if the odds have
        a value that is neither None nor a hex of the table. Raises ProblemsError (R241) if the procedure has no answer.
        """
        rules = context.ruleset
        table = rules.tables[self.hexes]
        text = table.column(self.text)
        hexes = [
            Hex(row["q"], row["r"], printed_cell(rules, text, row), str(row[self.group]) if self.group else "")
            for row in table.rows
        ]
        if self.odds is not None:
            maps = [_with_odds(context, self, self.odds, hex_map, hexes) for hex_map in self.odds.maps]
            return *maps, tint_key(self.odds.steps, "aimed at" if self.odds.aim else "")
        if self.centre and (0, 0) not in {(item.q, item.r) for item in hexes}:
            hexes.append(Hex(0, 0, self.centre))
        said = ", ".join(f"{item.text} at {item.q}, {item.r}" for item in hexes if item.text)
        drawn = Hexes(tuple(hexes), f"{table.title}: {said}", self.size, self.flat, table.title)
        if self.group is None or not self.members:
            return (drawn,)
        group = table.column(self.group)
        members: dict[str, list[str]] = {}
        for row in table.rows:
            members.setdefault(printed_cell(rules, group, row), []).append(printed_cell(rules, text, row))
        lines = (f"**{name}** {spans(texts)}".replace(" ", "\N{NO-BREAK SPACE}") for name, texts in members.items())
        return drawn, Prose(("; ".join(lines),))


def spans(texts: Sequence[str]) -> str:
    """Return texts as a list with commas, with two or more consecutive numbers as a range.

    >>> spans(["1", "2", "3", "7", "x"])
    '1–3, 7, x'
    """
    found: list[list[str]] = []
    for text in texts:
        last = found[-1][-1] if found else ""
        if text.isdecimal() and last.isdecimal() and int(text) == int(last) + 1:
            found[-1].append(text)
        else:
            found.append([text])
    return ", ".join(some[0] if len(some) == 1 else f"{some[0]}–{some[-1]}" for some in found)


def _with_odds(context: Composition, block: HexesBlock, odds: HexOdds, hex_map: HexMap, hexes: Sequence[Hex]) -> Hexes:
    """Return the diagram of one map: the chance of each hex, and in a line under it the chance of no hex.

    A hex that cannot come up has no chance printed. The line is left out if the odds have no text ``beside``.
    ``hexes`` are the hexes without odds, in the order of the table's rows. Adds R225 if a value of the odds is not a
    hex of the table. Raises ProblemsError (R241) if the procedure has no answer.
    """
    rules = context.ruleset
    table, procedure = rules.tables[block.hexes], rules.procedures[odds.procedure]
    given, title = {**odds.given, **hex_map.given}, hex_map.title
    inputs = complete_inputs(procedure, fixed_inputs(procedure, given))
    found = answer(procedure, inputs).which.get(odds.which)
    keys = [row[table.key[0]] for row in table.rows]
    _check_hexes(context, odds, found, keys)
    chances = [found.probability(key) if found is not None else Fraction(0) for key in keys]
    drawn = tuple(
        replace(
            cell,
            text=percent(chance) if chance else "",
            below="" if cell.text in odds.names else cell.text,
            tint=tint(chance, odds.steps),
            aim=odds.aim is not None and inputs.get(odds.aim) == key,
        )
        for cell, key, chance in zip(hexes, keys, chances, strict=True)
    )
    names = tuple(Hex(q, r, text) for text, (q, r) in odds.names.items())
    under = f"{odds.beside}: {percent(1 - sum(chances))} %" if odds.beside else ""
    return Hexes(drawn, _alt(title, hexes, drawn, under), block.size, block.flat, title, names, title, under)


def _check_hexes(context: Composition, odds: HexOdds, found: Distribution[Any] | None, keys: Sequence[Any]) -> None:
    """Add R225 for the first value of the distribution that is neither None nor one of ``keys``, but not twice."""
    values = [value for value, _ in found.weights] if found is not None else []
    stray = next((value for value in values if value not in (None, *keys)), None)
    if stray is not None:
        said, expected = f"{odds.which} with {show(stray)}", "keys of the table of hexes, or none"
        problem = (context.place / "odds" / "which").problem("R225", expected, said)
        if problem not in context.problems:
            context.problems.append(problem)


def _alt(title: str, hexes: Sequence[Hex], drawn: Sequence[Hex], under: str) -> str:
    """Return a diagram of odds in words: its title, each printed chance with its hexes, and the line ``under`` it.

    Hexes that cannot come up are left out. ``hexes`` are the hexes without odds, ``drawn`` the same hexes with odds.
    """
    said: dict[str, list[str]] = {}
    for plain, item in zip(hexes, drawn, strict=True):
        mark = " (aimed at)" if item.aim else ""
        said.setdefault(item.text, []).append(f"{plain.text} at {item.q}, {item.r}{mark}")
    told = [f"{text} %: {'; '.join(places)}" for text, places in said.items() if text]
    return ". ".join((title, *told, *([under] if under else [])))
