"""Exceptions: control flow only. What a person reads is a :class:`generator.problems.Problem`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from generator.problems import Problem


class FieldpressError(Exception):
    """The root of all that this program raises on purpose."""


class ProblemsError(FieldpressError):
    """Work cannot go on: the problems say why."""

    def __init__(self, *problems: Problem) -> None:
        """Keep the problems; the message is the first one's."""
        super().__init__(f"{problems[0].code}: {problems[0].expected}" if problems else "no problem given")
        self.problems = problems


class RenderError(FieldpressError):
    """A page could not be made: an engine is missing, or it complained, or a text did not fit."""

    def __init__(self, message: str, problem: Problem | None = None) -> None:
        """``problem`` is the fault in the data, where it is known."""
        super().__init__(message)
        self.problem = problem


class Remedy(NamedTuple):
    """Hints for the author of the text, and for the author of the sheet if they differ."""

    to_text: str
    to_sheet: str = ""


class LayoutError(RenderError):
    """What a sheet says cannot be laid out."""

    def __init__(self, found: str, block: str, text: str, remedy: Remedy, sheet: str = "", page: int = 0) -> None:
        """What was seen, the printed name of the block that holds it (nothing: the whole sheet), the text itself."""
        self.found = f"page {page}: {found}" if page else found
        """Without the id of the sheet, which players do not know."""
        super().__init__(f"sheet {sheet!r}{', ' if page else ': '}{self.found}" if sheet else self.found)
        self.block = block
        self.text = text
        self.remedy = remedy
        self._arguments = found, block, text, remedy, sheet, page

    def __reduce__(self) -> tuple[type[LayoutError], tuple[Any, ...]]:
        """Say how it is made again in another process."""
        return LayoutError, self._arguments
