"""Collect the sources of cost lines: each line once, with the documents that it cites."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from generator.forces.pricing import CostLine, Priced
    from generator.rules.source.provenance import Citation

_FILLED_FIRST = re.compile(r"^(\{[^}]*\}[ ×/]*)+")
_COUNTED = re.compile(r"\{[^}]*\} ×.*")
_END = re.compile(r"[,(:{]")


class Cited(NamedTuple):
    """A citation, and the names of the cost lines that cite it."""

    cite: str
    lines: tuple[str, ...]


def cited(every: Iterable[Priced], own: Collection[str]) -> tuple[Cited, ...]:
    """Return the cost lines of several designs, units or forces, each once, grouped by their citations.

    The groups are in the order of their first lines. ``own`` names the documents of the rule sets themselves. Citations
    of other documents are left out, unless a line cites only other documents.
    """
    sources: dict[str, dict[Citation, None]] = {}
    for priced in every:
        for line in priced.lines:
            every_cite = line.provenance.cite
            for citation in tuple(cite for cite in every_cite if cite.source in own) or every_cite:
                sources.setdefault(subject(line), {})[citation] = None
    lines_by_source: dict[str, list[str]] = {}
    for about, citations in sources.items():
        lines_by_source.setdefault("; ".join(map(str, citations)), []).append(about)
    return tuple(Cited(cite, tuple(lines)) for cite, lines in lines_by_source.items())


def subject(line: CostLine) -> str:
    """Return what a cost line is about, as a short name.

    The name is the part of the label before its first sign or placeholder. Placeholders at the start of the label are
    ignored. If nothing is left, the name is the line's id.
    """
    about = _END.split(_COUNTED.sub("…", _FILLED_FIRST.sub("", line.template)))[0].strip() or line.id.replace("-", " ")
    return about[:1].upper() + about[1:]
