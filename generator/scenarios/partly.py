"""What can be used of an entry that does not keep its shape, so that one slip hides no other."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from generator.problems import spell_path
from generator.rules.validation import validate
from generator.scenarios.examples import SUCH_AS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.problems import Problem
    from generator.rules.models.base import Model
    from generator.rules.places import Place
    from generator.sources.document import Path

_STAND_INS: Mapping[str, Any] = {
    "at": [0, 0],
    "edge": "north",
    "points": 0,
    "roll": 0,
    "width": 12,
    "depth": 12,
    "sides": [{"side": "A", "force": {}}, {"side": "B", "force": {}}],
    "table": {"width": 12, "depth": 12},
}
"""For required keys that cannot be used, and are holes: what keeps the shape. A text stands for the others."""

NEAR = 0.8
"""How like a word another is that was meant as it: a letter or two are wrong."""


class Partly(NamedTuple):
    """An entry as far as it can be used."""

    model: Any
    holes: frozenset[str]
    """The keys that are refused, unknown or lacking: what stands in their place is nothing to go by."""
    written: Mapping[str, str]
    """How keys are spelled in the file that are meant as others."""


def partly(model: type[Model], value: Any, place: Place, problems: list[Problem]) -> Partly | None:
    """What can be used of a value; None where it has no keys.

    A misspelt key counts as the one that is meant: what is wrong with its value is added to ``problems``. All else
    has been told of the whole file.
    """
    if not isinstance(value, dict):
        return None
    written = _meant(model, value)
    given = _renamed(value, written)
    looked = value if place.inside.document.refused else ()
    refused = {key for key in looked if isinstance(key, str) and (place / key).refused()}
    try:
        whole = model.model_validate(given)
    except ValidationError as error:
        refused |= {str(one["loc"][0]) for one in error.errors(include_url=False)}
    else:
        if not refused:
            return Partly(whole, frozenset(), written)
    if written:
        problems += _told_of_meant(model, given, place, written)
    keys = {info.alias or name: info for name, info in model.model_fields.items()}
    kept = {key: one for key, one in given.items() if key in keys and key not in refused}
    lacking = {key: _STAND_INS.get(key, "-") for key, info in keys.items() if info.is_required() and key not in kept}
    return Partly(model.model_validate(kept | lacking), frozenset(refused) | lacking.keys(), written)


def _meant(model: type[Model], value: Mapping[Any, Any]) -> dict[str, str]:
    """By each key that is not there how it was misspelt."""
    known = {info.alias or name for name, info in model.model_fields.items()}
    found: dict[str, str] = {}
    for key in value:
        near = get_close_matches(str(key), known - set(value), n=1, cutoff=NEAR) if key not in known else ()
        for one in near:
            found.setdefault(one, str(key))
    return found


def _renamed(value: Mapping[Any, Any], written: Mapping[str, str]) -> dict[str, Any]:
    meant = {spelled: key for key, spelled in written.items()}
    return {meant.get(key, str(key)): one for key, one in value.items()}


def _told_of_meant(
    model: type[Model], given: Mapping[str, Any], place: Place, written: Mapping[str, str]
) -> list[Problem]:
    """What is wrong with the values of misspelt keys."""

    def at(path: Path) -> Place:
        spelled = place / written.get(str(path[0]), path[0]) if path else place
        return spelled._replace(path=(*spelled.path, *path[1:]))

    told: list[Problem] = []
    validate(model, given, at, told, SUCH_AS)
    inside = tuple(spell_path((*place.path, one)) for one in written.values())
    return [one for one in told if one.field.startswith(inside)]
