"""What every document says of where it comes from, and whether it is a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.documents.words import date
from generator.render.imprinted import Imprint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.problems import Problem
    from generator.rules.model.manifest import Manifest


def imprint(manifest: Manifest, fingerprint: str, author: str = "fieldpress") -> Imprint:
    """Whose the rules are, and which state of their data this is; the file is as old as the edition."""
    return Imprint(
        author=author,
        edition=date(manifest.edition),
        fingerprint=fingerprint,
        source=manifest.title,
        rights=manifest.rights,
        created=manifest.edition if "-" in manifest.edition else f"{manifest.edition}-01-01",
    )


def draft(problems: Iterable[Problem]) -> str:
    """The word for every page of what is not lawful; empty for what is."""
    errors = sum(problem.severity == "error" for problem in problems)
    return f"Draft: {errors} problem{'s' if errors != 1 else ''}" if errors else ""
