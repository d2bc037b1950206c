"""What can be used of an entry that does not keep its shape, so that one slip hides no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic.fields import FieldInfo

    from generator.rules.models.base import Model
    from generator.rules.places import Place

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


class Partly(NamedTuple):
    """An entry as far as it can be used."""

    model: Any
    holes: frozenset[str]
    """The keys that are refused, unknown or lacking: what stands in their place is nothing to go by."""


def partly(model: type[Model], value: Any, place: Place) -> Partly | None:
    """What can be used of a value; None where it has no keys. What is wrong has been told of the whole file."""
    if not isinstance(value, dict):
        return None
    looked = value if place.inside.document.refused else ()
    refused = {key for key in looked if isinstance(key, str) and (place / key).refused()}
    try:
        whole = model.model_validate(value)
    except ValidationError as error:
        refused |= {str(one["loc"][0]) for one in error.errors(include_url=False)}
    else:
        if not refused:
            return Partly(whole, frozenset())
    keys = {info.alias or name: info for name, info in model.model_fields.items()}
    kept = {key: one for key, one in value.items() if key in keys and key not in refused}
    lacking = {key: _stand_in(key, info) for key, info in keys.items() if info.is_required() and key not in kept}
    return Partly(model.model_validate(kept | lacking), frozenset(refused) | lacking.keys())


def _stand_in(key: str, info: FieldInfo) -> Any:
    """What keeps the shape; a key may be a text in one model and something else in another."""
    return "-" if info.annotation is str else _STAND_INS.get(key, "-")
