"""Problems with the rows of a spreadsheet that are problems of its headings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.problems import spell_path

if TYPE_CHECKING:
    from collections.abc import Collection

    from generator.problems import Problem
    from generator.rules.places import Place

OF_UNIT = "unit."
"""What the columns of a unit's fields begin with in a spreadsheet."""
_OF_KEYS = ("R202", "F201")
"""Problems of keys. In a spreadsheet these are headings, which many rows have in common."""
_LACKING = ("F202", "R201")
"""Problems of what is not there."""


def of_heading(problem: Problem) -> tuple[str, ...] | None:
    """What problems have in common that a spreadsheet has with one heading, or with one name; None for any other."""
    if problem.code in _OF_KEYS:
        return (problem.code, *map(str, problem.span))
    if problem.field.endswith(".design"):  # one cell says what a design is called, and which is in the unit
        return (problem.code, *map(str, problem.span), problem.expected)
    lacks = problem.code in _LACKING and problem.expected == f"the column {problem.field}"
    return (problem.code, problem.field) if lacks else None


def of_a_unit(problem: Problem, of_units: Collection[str]) -> Problem:
    """F201 for what is said of a unit, and stands in a design."""
    if problem.code != "F201" or problem.found not in of_units:
        return problem
    return problem._replace(hint=f"units have it; in a spreadsheet its column is unit.{problem.found}")


def of_a_design(problem: Problem, of_designs: Collection[str]) -> Problem:
    """F201 for what is said of a design, and stands in a unit; or where the rules ask nothing more of a unit."""
    if problem.code != "F201" or not problem.hint.startswith("fields: "):
        return problem
    if problem.found in of_designs:
        return problem._replace(hint=f"designs have it: write {problem.found} in those that the unit is made of")
    nothing = problem.hint == "fields: "
    return problem._replace(hint="take it out: these rules say nothing more of a unit") if nothing else problem


def in_its_cell(problem: Problem, place: Place, fields: Collection[str]) -> Problem:
    """F201 in a row of a spreadsheet: where other rows have the field, the heading is right, and the cell is wrong."""
    heading = problem.code == "F201" and problem.span.line < place.span().line
    return problem._replace(span=(place / problem.found).span()) if heading and problem.found in fields else problem


def of_a_row(problem: Problem, place: Place, before: str = "") -> Problem:
    """What a row of a spreadsheet lacks because there is no column for it: told of the heading, once for all rows.

    What else is wrong with a row that has no such column is told where the row begins.
    """
    row = place.span()
    if problem.span.file != row.file or problem.span.line >= row.line or problem.code in _OF_KEYS:
        return problem
    name = problem.field.removeprefix(f"{spell_path(place.written()[1])}.")
    if name.startswith("of[") and name.endswith("].design"):
        before, name = "", "design"  # one column names it to its unit, and describes it
    if problem.code not in _LACKING or not name.isidentifier():
        return problem._replace(span=row)
    heading = f"{before}{name}"
    allowed = "" if problem.hint.startswith("add ") else f" ({problem.hint})"
    hint = f"add the heading {heading}, and fill it in{allowed}"
    return problem._replace(expected=f"the column {heading}", field=heading, hint=hint)
