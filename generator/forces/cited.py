"""Where the lines of designs come from: each line once, under the documents of its rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from generator.forces.pricing import CostLine, Priced
    from generator.rules.source.provenance import Citation, Provenance

_FILLED, _COUNT = "\0", re.compile(r"^\0\s*×")
_FIELD, _SIGN, _PART = re.compile(r"\{[^}]*\}"), re.compile(r"[,(:]"), re.compile(r"[,(:\0]")
_LETTER = re.compile(r"[^\W\d_]")


class Cited(NamedTuple):
    """Sources, and the lines that stand on them."""

    cite: str
    lines: tuple[str, ...]


def cited(every: Iterable[Priced], own: Collection[str]) -> tuple[Cited, ...]:
    """Return the lines of all that is priced, each once, by their sources, in the order in which they come.

    ``own`` are the documents that the rule sets themselves stand on: what else bears a line out is not its source.
    """
    sources: dict[str, dict[Citation, None]] = {}
    for priced in every:
        for line in priced.lines:
            for citation in _from(line.provenance, own):
                sources.setdefault(subject(line), {})[citation] = None
    found: dict[str, list[str]] = {}
    for about, citations in sources.items():
        found.setdefault("; ".join(map(str, citations)), []).append(about)
    return tuple(Cited(cite, tuple(lines)) for cite, lines in found.items())


def _from(provenance: Provenance, own: Collection[str]) -> tuple[Citation, ...]:
    """The documents of the rules that it stands on; where there is none of these, all that it cites."""
    return tuple(citation for citation in provenance.cite if citation.source in own) or provenance.cite


def subject(line: CostLine) -> str:
    """What a line is about: the words of its label before its figures and names, those behind them, or its id."""
    said = _FIELD.sub(_FILLED, line.template)
    if said.startswith(_FILLED):
        about = _PART.split(_COUNT.sub("", said).lstrip(_FILLED))[0]
    else:
        about, *counted = re.split(r"\0\s*×", _SIGN.split(said)[0], maxsplit=1)
        about = f"{about.strip()} …" if counted else about.split(_FILLED)[0]
    about = about.strip() if _LETTER.search(about) else line.id.replace("-", " ")
    return about[:1].upper() + about[1:]
