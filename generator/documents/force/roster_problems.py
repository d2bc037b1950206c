"""The problems of a force in the players' words: designs by name, fields by their labels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.documents.words import breakable, points
from generator.render.blocks import Cell, Column, Section, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.forces.force import Force
    from generator.problems import Problem
    from generator.rules.entries.kinds import Field, Kind

_PART = re.compile(r"(designs|units)\[(\d+)\]\.?(.*)")
_STEP = re.compile(r"\w+|\[\d+\]")
_PATH = re.compile(r"\b[a-z_]+(?:\[\d+\])?(?:\.[a-z_]+)?")
_FIGURES = re.compile(r" \(not [^()]*(?:\([^()]*\)[^()]*)*\)$")
_LARGE = re.compile(r"(?<![\w.,])\d{4,9}(?![\w.])")
_CHANGE = re.compile(_PATH.pattern + ": ")
_OWN = {"of": "what is in it", "budget": "Budget", "units": "Units", "design": "", "unit": ""}
"""Printed names of the fields of the file itself."""


def problem_section(force: Force, title: str, problems: Sequence[Problem]) -> Section:
    """Return the list of problems: what is wrong or odd, its place, and its fix."""
    helped = any(_helps(problem, None) for problem in problems)
    heads = (Column("Where"), Column("What"), *((Column("What helps"),) if helped else ()), Column("Code"))
    rows = []
    for problem in problems:
        name, kind, field = _where(force, problem)
        where = (Cell(breakable(", ".join(filter(None, (name, field)))) or f"line {problem.span.line}", plain=True),)
        cells = (
            Cell(breakable(_told(problem, kind)), plain=True),
            *([Cell(breakable(_helps(problem, kind)), plain=True)] if helped else []),
        )
        rows.append((*where, *cells, Cell(problem.code, plain=True)))
    return Section(
        title, (Table(heads, tuple(rows), f"{title} of this force", breakable=True, wordy=True, dense=True),)
    )


def _told(problem: Problem, kind: Kind | None) -> str:
    """Return the problem as sentences: for a limit the rule and the facts, else what was expected and found."""
    found = _plain(_FIGURES.sub("", problem.found), kind)
    if _is_limit(problem):
        return f"{_grouped(problem.expected)}. Here: {_grouped(found)}."
    if problem.code == "F210":
        return f"Expected {_grouped(problem.expected)}, found {_grouped(found)}."
    return f"Expected {problem.expected}, found {problem.found or 'nothing'}."


def _helps(problem: Problem, kind: Kind | None) -> str:
    """The remedy as a sentence: of a rule what to set, by the labels of fields, of a slip what to write in the file."""
    said = problem.hint if problem.hint != problem.expected else ""  # a limit that no change fixes repeats its rule
    if _is_limit(problem):
        sets = _CHANGE.match(said) is not None
        said = f"set {_plain(said, kind).replace(': ', ' to ')}" if sets else _plain(said, kind)
    if _is_limit(problem) or problem.code == "F210":
        said = _grouped(said)
    return said and said[0].upper() + said[1:] + ("" if said.endswith(("?", ".", "!")) else ".")


def _is_limit(problem: Problem) -> bool:
    return "/" in problem.code


def _grouped(text: str) -> str:
    """Return a text with a comma in its large numbers."""
    return _LARGE.sub(lambda match: points(int(match[0])), text)


def _where(force: Force, problem: Problem) -> tuple[str, Kind | None, str]:
    """Return the name of a problem's design or unit, its kind, and the label of the field."""
    found = _PART.match(problem.field)
    value = force.place.inside.value
    if not found or not isinstance(value, dict) or problem.span.file != force.place.span().file:
        return "", None, _OWN.get(problem.field, problem.field)
    what, index, rest = found[1], int(found[2]), found[3]
    entry = value[what][index]
    said = entry.get(what.removesuffix("s")) if isinstance(entry, dict) else None
    kinds = force.rules.kinds
    kind = kinds.get(str(entry.get("kind")) if what == "designs" else "unit") if isinstance(entry, dict) else None
    name = said if isinstance(said, str) else f"{what.removesuffix('s')} {index + 1}"
    return name, kind, _label(rest, kind)


def _label(path: str, kind: Kind | None) -> str:
    """Return a field path as printed labels, with list entries by number.

    >>> _label("weapons[1].class", None), _label("of[0]", None), _label("", None)
    ('weapons 2, class', 'what is in it', '')
    """
    fields: Iterable[Field] = kind.fields if kind is not None else ()
    parts: list[str] = []
    for step in _STEP.findall(path):
        if step.startswith("["):
            parts[-1] += f" {int(step[1:-1]) + 1}"
            continue
        if step in _OWN:
            return _OWN[step]
        field = next((field for field in fields if field.name == step), None)
        label = field.label if field is not None else step.replace("_", " ")
        parts.append(label[:1].lower() + label[1:] if not label[:2].isupper() else label)
        fields = field.fields if field is not None else ()
    return ", ".join(parts)


def _plain(text: str, kind: Kind | None) -> str:
    """Return a message with the kind's field names replaced by their labels."""
    if kind is None:
        return text
    names = {field.name for field in kind.fields} | {inner.name for field in kind.fields for inner in field.fields}

    def told(match: re.Match[str]) -> str:
        first = re.split(r"[.\[]", match[0])[0]
        if first not in names or (match[0] == first and not _is_named(text, match)):
            return match[0]
        return _label(match[0], kind) if any(field.name == first for field in kind.fields) else _inner(first, kind)

    return _PATH.sub(told, text)


def _is_named(text: str, match: re.Match[str]) -> bool:
    """Return whether a match is a field name, not a plain word: it begins the text or a change."""
    return match.start() == 0 or text[match.end() : match.end() + 2] == ": "


def _inner(name: str, kind: Kind) -> str:
    label = next(inner.label for field in kind.fields for inner in field.fields if inner.name == name)
    return label[:1].lower() + label[1:]
