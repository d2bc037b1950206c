"""The imprint and the draft warning of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.documents.words import date
from generator.render.imprinted import Imprint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.problems import Problem
    from generator.rules.model.manifest import Manifest


def imprint(manifest: Manifest, fingerprint: str, author: str = "fieldpress") -> Imprint:
    """Return the imprint of a document by its rule set and data fingerprint.

    The date inside the file is the edition's; an edition that is only a year counts from 1 January.
    """
    return Imprint(
        author=author,
        edition=date(manifest.edition),
        fingerprint=fingerprint,
        source=manifest.title,
        rights=manifest.rights,
        created=manifest.edition if "-" in manifest.edition else f"{manifest.edition}-01-01",
    )


def draft(problems: Iterable[Problem]) -> str:
    """Return the draft warning for every page, such as "Draft: 2 problems"; empty if no problem is an error."""
    errors = sum(problem.severity == "error" for problem in problems)
    return f"Draft: {errors} problem{'s' if errors != 1 else ''}" if errors else ""
