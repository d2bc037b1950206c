"""Read PyYAML's events with its C parser if there is one, else with its Python parser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 50
"""How many levels of lists and mappings a file may have."""

LOADER: type[yaml.CSafeLoader | yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader. Only its event parser is used, because the C composer crashes on deep nesting."""


def open_events(text: str) -> Callable[[], Any]:
    """Return a function that returns the next event, up to the end of the stream. Both may raise ``yaml.YAMLError``."""
    next_event: Callable[[], Any] = LOADER(text).get_event
    if LOADER is not yaml.SafeLoader:
        return next_event

    def guarded() -> object:
        try:
            return next_event()
        except (ValueError, OverflowError) as error:  # raised by the Python parser on an escape beyond Unicode
            raise yaml.YAMLError from error

    return guarded
