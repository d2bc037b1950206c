"""Provenance: the source of a statement, and how well it is supported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.problems import Problem
    from generator.rules.model.base import Certificate, Cite, Status, Support
    from generator.rules.model.manifest import Source
    from generator.rules.source.parts import Applied, Part, Place

    Standing: TypeAlias = Status | Literal["yours"]


class Citation(NamedTuple):
    """A place in a source: the source's id, its short printed name, and page or section."""

    source: str
    short: str
    place: str

    def __str__(self) -> str:
        return f"{self.short} {self.place}".strip()


class Provenance(NamedTuple):
    """The citations, status and notes of a statement."""

    cite: tuple[Citation, ...]
    status: Standing = "plain"
    """The status in the rule data, or ``yours`` for a figure that the players gave for a gap of the source."""
    support: Support | None = None
    raw: str = ""
    note: str = ""
    used: str = ""
    """The value that is used, in words, if the figure alone does not say it."""

    @property
    def cite_text(self) -> str:
        """The citations as one line."""
        return "; ".join(map(str, self.cite))


class CitationResolver(NamedTuple):
    """Resolver that makes the provenance of statements in one rule set.

    ``own`` is the source of a citation that names no source; ``sources`` are all sources that can be cited.
    """

    own: str
    sources: Mapping[str, Source]

    def citations(self, cite: Cite | None, place: Place, problems: list[Problem]) -> tuple[Citation, ...]:
        """Return the citations under the key ``cite``; none without it.

        Adds R208 for each source that it names and that is not listed, and leaves it out.
        """
        if cite is None:
            return ()
        places = {self.own: cite} if isinstance(cite, str) else cite
        citations = []
        for source, at in places.items():
            if source in self.sources:
                citations.append(Citation(source, self.sources[source].short, at))
                continue
            if isinstance(cite, str):
                continue  # reported at the key source of the rule set
            hint = f"listed under sources: {', '.join(sorted(self.sources))}"
            problems.append((place / source).problem("R208", "a listed source", f"the source {source}", hint))
        return tuple(citations)

    def provenance(
        self, own: Certificate, place: Place, problems: list[Problem], above: Provenance | None = None
    ) -> Provenance:
        """Return the provenance of a statement; missing keys are taken from the statement above (a table, kind ...).

        Adds R209 if there is no citation here or above, or if a ruling, erratum or gap has no note.
        """
        cite = self.citations(own.cite, place / "cite", problems) or (above.cite if above else ())
        own_keys = own.model_fields_set
        keys = ("status", "support", "raw", "note")
        status, support, raw, note = (getattr(own if key in own_keys or above is None else above, key) for key in keys)
        if not cite and (above is None or own.cite is not None):
            if own.cite is None:
                expected, hint = "cite: page or section", "add cite: with the place where it is printed"
                problems.append(place.problem("R209", expected, "no citation", hint))
        elif status in ("ruled", "erratum", "gap") and not note and (above is None or own_keys & {"status", "note"}):
            hint = "say in a few words what was unclear and what was decided"
            problems.append(place.problem("R209", "a note", f"status {status}, no note", hint))
        used = own.used if own_keys & {"used", "status", "note"} or above is None else above.used
        return Provenance(cite, status, support, raw, note, used)


def resolver_of(part: Part, container: object, resolvers: Mapping[str, CitationResolver]) -> CitationResolver:
    """Return the resolver for a row, line or limit: of the layer that wrote it, else of the file's rule set."""
    changes = part.changes_in(container)
    written = [change.layer for change in changes if change.layer and change.change.action in ("add", "replace")]
    return resolvers[written[-1] if written else part.origin(container).owner]


def layer_provenance(applied: Applied, resolver: CitationResolver, problems: list[Problem]) -> Provenance:
    """Return the provenance of an entry that a layer adds or replaces; without a note, the reason is the note."""
    change = applied.change
    cite = resolver.citations(change.cite, applied.place / "cite", problems)
    return Provenance(cite, change.status, change.support, change.raw, change.note or change.reason, change.used)


def provenance_at(
    own: Certificate,
    place: Place,
    resolvers: Mapping[str, CitationResolver],
    problems: list[Problem],
    above: Provenance | None = None,
) -> Provenance:
    """Return the provenance of the entry at a place: that of the last layer that set a figure in it, or its own.

    If players filled gaps, the status is ``yours`` and the note names their figures before the text of the gap.
    """
    part, raw = place.inside, place.value()
    changes = part.changes_in(raw)
    provenance = resolver_of(part, raw, resolvers).provenance(own, place, problems, above)
    for applied in changes:
        if applied.layer and applied.change.action == "set":
            provenance = layer_provenance(applied, resolvers[applied.layer], problems)
    answered = {applied.key: applied.change.reason for applied in changes if not applied.layer}
    if answered:
        return Provenance(provenance.cite, "yours", None, "", " ".join((*answered.values(), provenance.note)).strip())
    return provenance
