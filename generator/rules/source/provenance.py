"""Provenance: where a figure comes from, and how sure it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.problems import Problem
    from generator.rules.model.base import Certificate, Cite, Status, Support

    Standing: TypeAlias = Status | Literal["yours"]
    from generator.rules.model.manifest import Source
    from generator.rules.source.parts import Applied, Part, Place


class Citation(NamedTuple):
    """A place in a source: the source's id, its short printed name, and page or section."""

    source: str
    short: str
    place: str

    def __str__(self) -> str:
        return f"{self.short} {self.place}".strip()


class Provenance(NamedTuple):
    """A statement's certificate."""

    cite: tuple[Citation, ...]
    status: Standing = "plain"
    """As in the rule data; ``yours`` is a figure that the players gave where the source has a gap."""
    support: Support | None = None
    raw: str = ""
    note: str = ""
    used: str = ""
    """What is used, in words, where the figure alone does not tell it."""

    @property
    def cite_text(self) -> str:
        """The citations as one line."""
        return "; ".join(map(str, self.cite))


class CitationResolver(NamedTuple):
    """Issues certificates inside one rule set: knows the sources in reach and the one a bare citation means."""

    own: str
    sources: Mapping[str, Source]

    def citations(self, cite: Cite | None, place: Place, problems: list[Problem]) -> tuple[Citation, ...]:
        """The citations of ``cite:``. R208: a source nobody lists."""
        if cite is None:
            return ()
        given = {self.own: cite} if isinstance(cite, str) else cite
        citations = []
        for source, at in given.items():
            if source in self.sources:
                citations.append(Citation(source, self.sources[source].short, at))
                continue
            if isinstance(cite, str):
                continue  # said where the rule set names its source
            hint = f"listed under sources: {', '.join(sorted(self.sources))}"
            found = f"the source {source}"
            problems.append((place / source).problem("R208", found=found, expected="a listed source", hint=hint))
        return tuple(citations)

    def provenance(
        self, own: Certificate, place: Place, problems: list[Problem], above: Provenance | None = None
    ) -> Provenance:
        """A certificate; what it leaves out is taken from the statement above it (a table, a kind, a procedure).

        R209: nobody up the line cites anything, or a ruling, erratum or gap without a note that says why.
        """
        cite = self.citations(own.cite, place / "cite", problems) or (above.cite if above else ())
        said = own.model_fields_set
        status = own.status if "status" in said or above is None else above.status
        support = own.support if "support" in said or above is None else above.support
        note = own.note if "note" in said or above is None else above.note
        raw = own.raw if "raw" in said or above is None else above.raw
        if not cite and (above is None or own.cite is not None):
            if own.cite is None:
                problems.append(
                    place.problem(
                        "R209", found="no citation", expected="cite: page or section", hint="say where it is printed"
                    )
                )
        elif status in ("ruled", "erratum", "gap") and not note and (above is None or said & {"status", "note"}):
            hint = "say in a few words what was unclear and what was decided"
            problems.append(place.problem("R209", found=f"status {status}, no note", expected="a note", hint=hint))
        used = own.used if said & {"used", "status", "note"} or above is None else above.used
        return Provenance(cite, status, support, raw, note, used)


def resolver_of(part: Part, container: object, resolvers: Mapping[str, CitationResolver]) -> CitationResolver:
    """Who certifies a row, line or limit: the layer that wrote it, else the rule set that brings the file."""
    changes = part.changes_in(container)
    written = [change.layer for change in changes if change.layer and change.change.action in ("add", "replace")]
    return resolvers[written[-1] if written else part.owner]


def layer_birth(applied: Applied, resolver: CitationResolver, problems: list[Problem]) -> Provenance:
    """The certificate of what a layer adds or puts in another's place: the change's own, its reason as the note."""
    change = applied.change
    cite = resolver.citations(change.cite, applied.place / "cite", problems)
    return Provenance(cite, change.status, change.support, change.raw, change.note or change.reason, change.used)


def changed_birth(
    born: Provenance, changes: tuple[Applied, ...], resolvers: Mapping[str, CitationResolver], problems: list[Problem]
) -> Provenance:
    """The certificate after layers set single figures: the last layer's citation, its reason as the note.

    Where players set figures, the note names the figures before the text of the gap.
    """
    answered = {applied.key: applied.change.reason for applied in changes if not applied.layer}
    for applied in changes:
        if applied.layer and applied.change.action == "set":
            born = layer_birth(applied, resolvers[applied.layer], problems)
    if answered:
        return Provenance(born.cite, "yours", None, "", " ".join((*answered.values(), born.note)).strip())
    return born
