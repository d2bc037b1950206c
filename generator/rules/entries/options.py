"""Read the choices that fields, inputs and options declare; read the options of a rule set, and set them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from generator.problems import Problem, suggest
from generator.rules.entries.choices import Choice, Option, spread
from generator.rules.entries.tables import listed_names
from generator.rules.model.base import several
from generator.rules.source.validation import ReferenceChecker, show

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from generator.rules.entries.namespace import Namespace
    from generator.rules.model.kind import FieldModel
    from generator.rules.model.manifest import Manifest, OptionModel
    from generator.rules.model.procedure import FractionsModel, InputModel
    from generator.rules.source.parts import CitationResolver, Part, Place
    from generator.rules.source.settings import Setting

MAX_SETTINGS = 12
"""How many ways to set the options a check tries at most."""


def read_options(
    manifest: Manifest, part: Part, namespace: Namespace, resolver: CitationResolver, references: ReferenceChecker
) -> dict[str, Option]:
    """Return the options that a rule set itself declares, by name, with their defaults as values.

    An option with a problem is left out. Adds R203, R208, R209 and R225 as for a field.
    """
    options, problems = {}, references.problems
    for name, model in manifest.options.items():
        place = part.place(("options", name))
        provenance = resolver.provenance(model, place, problems)
        if not references.check(model, place) or not all(text in namespace.tables for text in several(model.from_)):
            continue
        choice = read_choice(model, namespace, place, problems)
        default = None if choice is None else read_default(choice, model.default, place, problems)
        if choice is not None and default is not None:
            options[name] = Option(
                name, model.label, model.says, choice, default, default, manifest.ruleset, provenance
            )
    return options


def set_options(options: dict[str, Option], settings: Iterable[Setting], problems: list[Problem]) -> None:
    """Set the options to the player's values in ``options`` itself; the last setting of an option wins.

    Adds R331 for an unknown option, R332 for a value that is not allowed; such settings change nothing.
    """
    for setting in settings:
        option = options.get(setting.name)
        if option is None:
            hint = suggest(setting.name, options, None if options else "there are none: leave it out")
            problems.append(setting.refuse("R331", "an option of this rule set", setting.name, hint))
            continue
        value = option.choice.read(setting.value)
        if value is None:
            allowed, hint = option.choice.spell(), option.choice.near(setting.value)
            problems.append(setting.refuse("R332", allowed, show(setting.value), hint, at_value=True))
            continue
        options[setting.name] = option._replace(value=value)


def other_settings(options: Mapping[str, Option], fixed: Collection[str]) -> list[dict[str, Any]]:
    """Return other ways to set the options, each as the options that change; the ``fixed`` options keep their values.

    The ways with the fewest changes come first. They are all combinations, or, if these are too many, single values
    of each option, up to about MAX_SETTINGS.
    """
    free = {name: option.choice.values for name, option in options.items() if name not in fixed}
    if prod(map(len, free.values())) <= MAX_SETTINGS:
        combinations = [dict(zip(free, values, strict=True)) for values in product(*free.values())]
    else:
        combinations = [
            {name: value}
            for name, values in free.items()
            for value in spread(values, max(1, MAX_SETTINGS // len(free)))
        ]
    changed = (
        {name: value for name, value in combination.items() if value != options[name].value}
        for combination in combinations
    )
    return sorted((combination for combination in changed if combination), key=len)


def read_choice(
    model: InputModel | FieldModel | OptionModel, namespace: Namespace, place: Place, problems: list[Problem]
) -> Choice | None:
    """Return the choice that an input, a field or an option declares; None with R225 for an empty table."""
    fractions: FractionsModel | None = getattr(model, "fractions", None)
    if fractions is not None:
        return _fractions(fractions)
    if model.yes_no:
        return Choice((False, True), {False: "no", True: "yes"})
    if model.range:
        low, high = map(int, model.range.split(".."))
        return Choice(tuple(range(low, high + 1)), {})
    if model.of:
        return Choice(model.of, {})
    tables = [namespace.tables[table_id] for table_id in several(model.from_)]
    empty = next((table for table in tables if not table.rows), None)
    if empty is not None:
        found, expected = f"the table {empty.id} without rows", "a table that lists values"
        problems.append((place / "from").problem("R225", expected, found))
        return None
    names = listed_names(namespace.tables, several(model.from_))
    former = tuple(key for table in tables for key in table.former(table.key[0]))
    return Choice(tuple(names), names, former, tables=several(model.from_))


def _fractions(model: FractionsModel) -> Choice:
    """Return the choice of all fractions from 0 to ``to`` with these denominators."""
    parts = sorted(set(model.parts))
    numbers = {Fraction(number, part) for part in parts for number in range(model.to * part + 1)}
    values = tuple(int(item) if item.denominator == 1 else item for item in sorted(numbers))
    example = f"{model.to * parts[-1] - 1}/{parts[-1]}"
    or_parts = " or ".join(map(str, parts))
    return Choice(values, {}, description=f"0 to {model.to}, or a fraction of {or_parts} parts such as {example}")


def read_default(choice: Choice, text: object, place: Place, problems: list[Problem]) -> Any:
    """Return the default that an input, a field or an option declares; None if it declares none.

    Adds R203 and returns None for a default that it does not allow.
    """
    if text is None:
        return None
    default = choice.read(text)
    if default is None:
        problems.append((place / "default").problem("R203", choice.spell(), show(text), choice.near(text)))
    return default
