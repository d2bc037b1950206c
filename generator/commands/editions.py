"""The released editions: what each sheet said, so that only sheets that have changed are printed."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from generator.commands.jobs import BOOK, Job
from generator.errors import ProblemsError
from generator.problems import refused
from generator.resources import rulesdata

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generator.commands.jobs import Pack

RECORD = "editions.json"
"""The record of editions in the folder of the shipped rule sets, from the oldest."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_EDITION = re.compile(r"\d+\.\d+(\.\d+)?")


class Edition(NamedTuple):
    """A released edition."""

    edition: str
    date: str
    """The day of the release, such as 2026-11-27."""
    marks: Mapping[str, str]
    """The mark of each sheet of the shipped rule sets and part of the finished battles, by the name of its file."""

    def changed(self, jobs: Sequence[Job | Pack]) -> list[Job | Pack]:
        """Return the jobs without documents that are the same as in this edition.

        A pack is left out only if all of its parts are the same. A book is never left out.
        """
        return [job for job in jobs if not self._has(job)]

    def _has(self, job: Job | Pack) -> bool:
        if isinstance(job, Job):
            return self.marks.get(job.stem) == job.paper.mark()
        return job.kind != BOOK and all(self._has(part.job) for part in job.parts)


def edition_of(word: str) -> Edition | None:
    """Return the edition with this number, or the newest edition on or before this day; None for any other word.

    Raises ProblemsError (R328) if there is no such edition.
    """
    is_date = _DATE.fullmatch(word)
    if not is_date and not _EDITION.fullmatch(word):
        return None
    editions = [Edition(**entry) for entry in json.loads((rulesdata() / RECORD).read_text("utf-8"))]
    found = [item for item in editions if (item.date <= word if is_date else item.edition == word)]
    if not found:
        there = ", ".join(f"{item.edition} of {item.date}" for item in editions)
        raise ProblemsError(refused("R328", f"--since {word}", "an edition", word, f"there are: {there}"))
    return found[-1]
