"""What everything that is printed says of itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Imprint:
    """Where it comes from."""

    author: str
    edition: str
    fingerprint: str
    source: str
    """The rule set's title."""
    rights: str
    created: str
    """ISO date, written into the file instead of the clock's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imprinted:
    """What its file is called, and where it comes from."""

    id: str
    title: str
    strap: str
    """One line that says what it is for."""
    imprint: Imprint
    language: str = "en-GB"
    banner: str = ""
    """A word on every page, such as "Draft: 2 problems"."""
