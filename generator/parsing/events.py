"""PyYAML's event stream: its C parser where there is one, else the Python one. Only the marks and texts are used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 50
"""How many lists and mappings may stand inside one another."""

LOADER: type[yaml.CSafeLoader | yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Neither composes nor constructs here: the C composer crashes on deep nesting, its event parser does not."""


def open_events(text: str) -> Callable[[], Any]:
    """Give the function that gives the next event, up to the end of the stream. Both may raise ``yaml.YAMLError``.

    Any, because the quick reader looks at an event's type without ``isinstance``.
    """
    next_event: Callable[[], Any] = LOADER(text).get_event
    if LOADER is not yaml.SafeLoader:
        return next_event

    def guarded() -> object:
        try:
            return next_event()
        except (ValueError, OverflowError) as error:  # the Python parser's, on an escape beyond Unicode
            raise yaml.YAMLError from error

    return guarded
