"""Write a first force file for a rule set: a small design of every kind, with all fields and values in comments."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from generator.forces.designs import given_values, read_fields
from generator.forces.fixes import cheapest_fix, price_whole
from generator.forces.force import Design, UnitEntry
from generator.forces.pricing import Priced, price
from generator.parsing.yaml12 import to_yaml
from generator.problems import ProblemsError, refused, suggest
from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import Field, Kind, kinds_of_designs, unit_fields
from generator.rules.source.library import SAMPLES, Folder, examples

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.rules.ruleset import RuleSet

_WIDE = 110
"""The most characters of a line."""


def starter_force(rules: RuleSet, data: str = "", *, every: bool = False) -> str:
    """Return the text of a ``force.yaml`` with a small design of every kind.

    Comments have its other fields, and the allowed values of all fields. ``data`` is the fingerprint of the rule data,
    which becomes the edition of the force. Kinds that would make the force unlawful are comments, unless every kind
    would, or ``every`` kind is wanted. Raises ProblemsError (R241) if the rule data gives no price.
    """
    kinds = list(kinds_of_designs(rules.kinds).values())
    lawful = {kind.id: _lawful(kind, rules) for kind in kinds}
    lines = [
        f"# A force for {rules.manifest.title}. What it costs:  fieldpress cost force.yaml",
        "# What is wrong with it:  fieldpress check force.yaml      On paper:  fieldpress build force.yaml",
        "force: My first force",
        f"rules: {rules.id.split('+') if '+' in rules.id else f'[{rules.id}]'}".replace("'", ""),
        *([f"edition: data {data}"] if data else ()),
        "# budget: 3000",
        "",
        "designs:" if kinds else "designs: []",
    ]
    fielded = kinds if every else _fielded(kinds, lawful, rules)
    for kind in kinds:
        own = _design(kind, given_values(kind.fields, lawful[kind.id].fields))
        lines += own if kind in fielded else (f"  # {line[2:]}" for line in own)
    lines += ["", "units:" if kinds else "units: []"]
    for number, kind in enumerate(fielded, start=1):
        lines.append(f"  - unit: Unit {number}")
        if number == 1:
            lines += [line for field in unit_fields(rules.kinds) for line in _comment(field)]
        lines.append(f"    of: [{{design: {_name(kind)}, count: 1}}]")
    return "\n".join(lines) + "\n"


def _fielded(kinds: list[Kind], lawful: Mapping[str, Priced], rules: RuleSet) -> list[Kind]:
    """Return the kinds that together make a lawful force with one design each.

    Each kind in turn is taken if the force stays lawful with it; kinds that were not taken are tried once more. All
    kinds if none is taken, as without a kind ``force``. ``lawful`` has the design of each kind by the kind's id.
    """
    fielded: list[Kind] = []
    for kind in kinds * 2:  # a kind that needs another kind may come before it
        candidates = [*fielded, kind]
        entries = [
            UnitEntry(Design(item.id, item, {}, lawful[item.id], item.place, "", ()), 1, item.place)
            for item in candidates
        ]
        priced_whole = price_whole(rules, entries, [None] * len(candidates))
        if kind not in fielded and priced_whole is not None and priced_whole.lawful:
            fielded.append(kind)
    return [kind for kind in kinds if kind in fielded] or kinds


def _name(kind: Kind) -> str:
    return f"My {kind.title.lower()}"


def _design(kind: Kind, values: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a design, with its other fields and the allowed values in comments."""
    yield f"  - design: {_name(kind)}"
    yield f"    kind: {kind.id}"
    for field in kind.fields:
        if field.name not in values:
            yield from _comment(field)
            continue
        first, *more = to_yaml({field.name: values[field.name]}).rstrip("\n").split("\n")
        beside = f"    {first}  # {_allowed(field)}"
        if more or len(beside) > _WIDE:
            yield from _comment(field)
            yield from (f"    {line}" for line in (first, *more))
        else:
            yield beside


def _comment(field: Field) -> Iterator[str]:
    """Yield comment lines, indented by four spaces, with a field, its allowed values and its default."""
    for line in wrap(f"{field.name}: {_allowed(field)}", _WIDE, break_long_words=False, break_on_hyphens=False):
        yield f"    # {line}"


def _allowed(field: Field) -> str:
    """Return the allowed values of a field as text, with its default."""
    if field.choice is None:
        inner = ", ".join(f"{item.name}: {_allowed(item)}" for item in field.fields)
        return f"a list of {{{inner}}}"
    default = f" (else {spell_value(field.default)})" if field.default is not None else ""
    return field.choice.spell().replace(", ", " | ") + default


def _lawful(kind: Kind, rules: RuleSet) -> Priced:
    """Return a small design: the first value of every required field and defaults, changed until it breaks no limit.

    Advice counts as a limit. The changes end at the first limit that no single change fixes; later limits may then stay
    broken, too.
    """
    firsts = {
        field.name: field.choice.values[0] for field in kind.fields if field.choice is not None and field.required
    }
    design = price(kind, read_fields(kind.fields, firsts, kind.place, []) or {}, rules.manifest.costs)
    while design.broken and (fix := cheapest_fix(design, design.broken[:1])):
        design = fix.after
    return design


_RULES = re.compile(r"""^(["']?)rules\1\s*:.*(?:\n(?:[ \t\]-].*|(?:(?:#.*)?\n)+[ \t]*-.*))*""", re.MULTILINE)
"""The key ``rules`` of a file, with the lines of a list below it."""


def sample_force(chain: Iterable[Folder], rules: Sequence[str], name: str) -> str:
    """Return the text of a sample with these rules instead of its own; unchanged if all of them are among its own.

    Raises ProblemsError: R327 if there is no such sample, F1xx if its file cannot be read.
    """
    known = examples(chain, SAMPLES)
    if name not in known:
        hint = suggest(name, known, None if known else "this rule set has none: leave --sample out")
        raise ProblemsError(refused("R327", name, "a sample of this rule set", name, hint, "sample"))
    new, text = f"rules: [{', '.join(rules)}]", known[name].document().text
    return _RULES.sub(lambda own: own[0] if {*rules} <= {*re.findall(r"#.*|[\w-]+", own[0])} else new, text, count=1)
