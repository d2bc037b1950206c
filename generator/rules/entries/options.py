"""Read the options of a rule set and set them as the player says."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from generator.rules.entries.choices import Option, spread
from generator.rules.entries.read_choice import read_choice, read_default
from generator.rules.model.base import several
from generator.rules.source.model_errors import show
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from generator.problems import Problem
    from generator.rules.entries.namespace import Namespace
    from generator.rules.model.manifest import Manifest
    from generator.rules.source.parts import Part
    from generator.rules.source.provenance import CitationResolver
    from generator.rules.source.settings import Setting
    from generator.rules.source.validation import ReferenceChecker


MAX_SETTINGS = 12
"""How many ways to set the options a check tries at most."""


def read_options(
    manifest: Manifest, part: Part, namespace: Namespace, resolver: CitationResolver, references: ReferenceChecker
) -> dict[str, Option]:
    """Return the options that a rule set declares. Adds R203, R208, R209, R224 and R225 as for a field."""
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
    """Set the options to the player's values. Adds R331 for an unknown option, R332 for a value that is not allowed."""
    for setting in settings:
        option = options.get(setting.name)
        if option is None:
            problems.append(
                setting.refuse(
                    "R331",
                    "an option of this rule set",
                    setting.name,
                    suggest(setting.name, options, None if options else "there are none: leave it out"),
                )
            )
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
