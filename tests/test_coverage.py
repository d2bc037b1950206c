"""Everything that the five documents hold stands in the rule data, and on paper.

``tests/coverage/items.md`` lists what they hold, ``tests/coverage/places/*.yaml`` where each item lives. The page
``docs/coverage.md`` is made from both: ``python tests/test_coverage.py`` writes it anew.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
import yaml

from generator.commands.access import open_library
from generator.documents.blocks.designs import PricesBlock, WorkingBlock
from generator.documents.blocks.hexes import HexesBlock
from generator.documents.blocks.odds import GridBlock
from generator.documents.blocks.readings import ErrataBlock, LimitsBlock, OptionsBlock, ReadingsBlock, SourcesBlock
from generator.documents.blocks.tables import AcrossBlock, PivotBlock, TableBlock
from generator.documents.blocks.texts import StepsBlock, WeaponsBlock
from generator.rules.entries.compiled import bind, values_of_options
from generator.rules.formulas.scope import VALUE, Scope
from generator.rules.load.load import load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.problems import Problem
    from generator.rules.entries.kinds import Kind
    from generator.rules.entries.tables import Row, Table
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Provenance

pytestmark = pytest.mark.slow

T = TypeVar("T")

HERE = Path(__file__).with_name("coverage")
PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"
PLACES = {path.stem: path for path in sorted((HERE / "places").glob("*.yaml"))}
DOCUMENTS = {
    "000": "FMA enhancement for Dirtside II",
    "001": "FMA skirmish draft, part 1C",
    "002": "3d System conversion for SLA Industries",
    "003": "Revised quick fire combat for Stargrunt II",
    "004": "Iceburg’s Dirtside II house rules",
}

ITEM = re.compile(r"^- (?P<id>\d{3}-\d{3}) (?P<says>.+)$", re.MULTILINE)
PLACE = re.compile(
    r"^(?P<ruleset>[a-z0-9-]+)/(?P<what>[a-z]+)\.(?P<id>[a-z0-9_-]+)(?:\[(?P<keys>[^\]]*)\])?(?P<rest>.*)$"
)


def items() -> dict[str, str]:
    """Every item of the list, by its number."""
    return {match["id"]: match["says"] for match in ITEM.finditer((HERE / "items.md").read_text(encoding="utf-8"))}


@cache
def places() -> dict[str, list[str]]:
    """Where each item lives."""
    found: dict[str, list[str]] = {}
    for path in PLACES.values():
        found |= yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


@cache
def rules(name: str) -> RuleSet:
    problems: list[Problem] = []
    ruleset = load(open_library(), name, problems)
    assert ruleset is not None, problems
    return ruleset


def find(place: str) -> tuple[str, ...]:
    """The sheets that print what stands at a place. Raises LookupError, with what is wrong, where there is nothing."""
    match = PLACE.match(place)
    if match is None:
        message = f"{place} cannot be read"
        raise LookupError(message)
    ruleset = rules(match["ruleset"])
    finder = {
        "tables": _table, "kinds": _kind, "procedures": _procedure, "options": _option, "errata": _erratum,
        "sources": _source, "head": _head,
    }[match["what"]]  # fmt: skip
    return tuple(dict.fromkeys(finder(ruleset, match["id"], match["keys"], match["rest"].strip("."))))


def first(some: Iterator[T]) -> T:
    """The first of them. Raises LookupError where there is none."""
    for one in some:
        return one
    raise LookupError


def _table(ruleset: RuleSet, table_id: str, keys: str | None, rest: str) -> Iterator[str]:
    table = ruleset.tables[table_id]
    column = rest or None
    if column is not None:
        table.column(column)
    row = None
    if keys is not None:
        wanted = [one.strip() for one in keys.split(",")]
        row = first(one for one in table.rows if [_key(one, name) for name in table.key] == wanted)
    for sheet, block, place in _blocks(ruleset):
        if _shows(ruleset, block, table, row, column, place):
            yield sheet
        if row is not None and _listed(block, row.provenance):
            yield sheet


def _key(row: Row, name: str) -> str:
    raw = row.place.inside.value["rows"][row.place.path[-1]]
    value = raw[name]
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _shows(ruleset: RuleSet, block: Any, table: Table, row: Row | None, column: str | None, place: Any) -> bool:
    match block:
        case TableBlock():
            if block.table != table.id or (column and block.columns and column not in block.columns):
                return False
            if block.where is None or row is None:
                return True
            options = values_of_options(ruleset.options)
            scope = Scope(dict.fromkeys((*options, *(one.name for one in table.columns)), VALUE))
            where = bind(block.where, scope, place, [])
            return where is not None and bool(where({**options, **row.values}))
        case AcrossBlock():
            return any(one.table == table.id and column in (None, one.column) for one in block.across)
        case PivotBlock():
            return block.pivot == table.id and column in (None, block.column)
        case HexesBlock():
            return block.hexes == table.id
        case WeaponsBlock():
            return any(group.table == table.id and column in (None, *group.columns) for group in block.groups)
        case _:
            return False


def _listed(block: Any, provenance: Provenance | None) -> bool:
    return isinstance(block, ReadingsBlock) and provenance is not None and provenance.status in block.readings


def _kind(ruleset: RuleSet, kind_id: str, _keys: str | None, rest: str) -> Iterator[str]:
    kind = ruleset.kinds[kind_id]
    part, _, name = rest.partition(".")
    provenance = _part_of(kind, part, name)
    for sheet, block, _ in _blocks(ruleset):
        priced = isinstance(block, PricesBlock) and block.prices == kind_id
        worked = isinstance(block, WorkingBlock) and block.working == kind_id
        limited = isinstance(block, LimitsBlock) and block.limits == kind_id
        if (limited if part == "limits" else priced or worked or (limited and not part)) or _listed(block, provenance):
            yield sheet


def _part_of(kind: Kind, part: str, name: str) -> Any:
    match part:
        case "":
            return kind.provenance
        case "lines":
            return first(one for one in kind.lines if one.id == name).provenance
        case "limits":
            return first(one for one in kind.limits if one.id == name).provenance
        case "fields":
            assert kind.field(name.partition(".")[0]) is not None, f"{kind.id} has no field {name}"
            return None
        case _:
            raise LookupError(part)


def _procedure(ruleset: RuleSet, procedure_id: str, _keys: str | None, rest: str) -> Iterator[str]:
    procedure = ruleset.procedures[procedure_id]
    part, _, name = rest.partition(".")
    provenance: Provenance | None = procedure.provenance
    if part == "steps":
        provenance = first(one for one in procedure.steps if one.id == name).provenance
    elif part:
        raise LookupError(part)
    for sheet, block, _ in _blocks(ruleset):
        told = isinstance(block, StepsBlock) and block.steps == procedure_id
        counted = isinstance(block, GridBlock) and block.grid == procedure_id and not part
        if told or counted or _listed(block, provenance):
            yield sheet


def _option(ruleset: RuleSet, name: str, _keys: str | None, _rest: str) -> Iterator[str]:
    assert name in ruleset.options, f"no option {name}"
    for sheet, block, _ in _blocks(ruleset):
        if isinstance(block, OptionsBlock):
            yield sheet


def _erratum(ruleset: RuleSet, name: str, _keys: str | None, _rest: str) -> Iterator[str]:
    assert name in {one.id for one in ruleset.errata}, f"no erratum {name}"
    for sheet, block, _ in _blocks(ruleset):
        if isinstance(block, ErrataBlock):
            yield sheet


def _source(ruleset: RuleSet, name: str, _keys: str | None, _rest: str) -> Iterator[str]:
    assert name in ruleset.sources, f"no source {name}"
    for sheet, block, _ in _blocks(ruleset):
        if isinstance(block, SourcesBlock):
            yield sheet


def _head(ruleset: RuleSet, name: str, _keys: str | None, _rest: str) -> Iterator[str]:
    """Edition and rights stand at the foot of every page; what else the head says, on the screen alone."""
    assert getattr(ruleset.manifest, name), f"the head says nothing of {name}"
    if name in ("edition", "rights", "title"):
        yield from (sheet.model.sheet for sheet in ruleset.own_sheets())


def _blocks(ruleset: RuleSet) -> Iterator[tuple[str, Any, Any]]:
    """Every block of the rule set's own sheets that the options as they stand do not leave out for good."""
    for sheet in ruleset.own_sheets():
        for block in sheet.model.blocks():
            yield sheet.model.sheet, block, sheet.place


ITEMS = items()


def test_every_item_of_the_list_has_its_places() -> None:
    assert len(ITEMS) == 388
    assert {one: len([item for item in ITEMS if item.startswith(one)]) for one in DOCUMENTS} == {
        "000": 37, "001": 42, "002": 191, "003": 26, "004": 92,
    }  # fmt: skip
    assert sorted(places()) == sorted(ITEMS)


@pytest.mark.parametrize("item", sorted(ITEMS))
def test_an_item_lives_in_the_data_and_is_printed(item: str) -> None:
    where = places()[item]
    assert where, ITEMS[item]
    wrong, printed = [], set[str]()
    for place in where:
        try:
            printed.update(find(place))
        except (LookupError, AssertionError) as error:
            wrong.append(f"{place}: {error}")
    assert not wrong, ITEMS[item]
    assert printed, f"{ITEMS[item]}: on no sheet, though in {where}"


def test_a_place_that_is_not_there_is_noticed() -> None:
    assert "quick-reference" in find("dirtside2-fma/tables.power-die[3].die")
    for wrong in (
        "dirtside2-fma/tables.power-dye", "dirtside2-fma/tables.power-die[9]", "dirtside2-fma/tables.power-die[3].dye",
        "dirtside2/kinds.vehicle.limits.nosuch", "dirtside2/kinds.nosuch", "dirtside2/kinds.vehicle.lines.nosuch",
        "dirtside2-fma/errata.nosuch", "dirtside2-fma/options.nosuch", "dirtside2-fma/sources.nosuch", "nonsense",
    ):  # fmt: skip
        with pytest.raises((LookupError, AssertionError)):
            find(wrong)


def page() -> str:
    """The page of coverage."""
    lines = [
        "# What the documents hold, and where it is here",
        "",
        "Every rule, table, number, example and gap of the five documents, one line each: where it lives in the",
        "rule data, and which sheets print it. `python tests/test_coverage.py` makes this page; the tests see to it",
        "that no line of it is empty and no place leads nowhere.",
    ]
    for document, title in DOCUMENTS.items():
        lines += ["", f"## {title}", "", "| item | what | where it lives | on |", "|---|---|---|---|"]
        for item, says in ITEMS.items():
            if item.startswith(document):
                where = places()[item]
                sheets = [f"{one.partition('/')[0]} {sheet}" for one in where for sheet in find(one)]
                lived = "<br>".join(f"`{one}`" for one in where)
                printed = "<br>".join(dict.fromkeys(sheets))
                lines.append(f"| {item} | {says.replace('|', chr(92) + '|')} | {lived} | {printed} |")
    return "\n".join(lines) + "\n"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python tests/test_coverage.py"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
