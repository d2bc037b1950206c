"""The exceptions of this program, for control flow only. Users read a :class:`generator.problems.Problem`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from generator.problems import Problem


class FieldpressError(Exception):
    """The base class of all exceptions that this program raises on purpose."""


class ProblemsError(FieldpressError):
    """Raised if work cannot continue; ``problems`` say why."""

    def __init__(self, *problems: Problem) -> None:
        """Keep the problems; the message is that of the first problem."""
        super().__init__(f"{problems[0].code}: {problems[0].expected}" if problems else "no problem given")
        self.problems = problems


class RenderError(FieldpressError):
    """Raised if a page cannot be made: the engine is missing or reports an error, or a text does not fit."""

    def __init__(self, message: str, problem: Problem | None = None) -> None:
        """``problem`` is the fault in the data, if it is known."""
        super().__init__(message)
        self.problem = problem


def missing_package(what: str, package: str, extra: str) -> RenderError:
    """Return the error for an optional package that is not installed; ``extra`` is the extra that installs it."""
    return RenderError(f"{what} needs the package {package}. Install it: pip install 'fieldpress[{extra}]'")


class Remedy(NamedTuple):
    """Hints for the author of the text, and for the author of the sheet if they differ."""

    to_text: str
    to_sheet: str = ""


class LayoutError(RenderError):
    """Raised if the content of a sheet cannot be laid out."""

    def __init__(self, found: str, block: str, text: str, remedy: Remedy, sheet: str = "", page: int = 0) -> None:
        """Keep what was ``found``, the printed name of the ``block`` (empty: the whole sheet), and its ``text``."""
        self.found = f"page {page}: {found}" if page else found
        """The message without the id of the sheet, which players do not know."""
        super().__init__(f"sheet {sheet!r}{', ' if page else ': '}{self.found}" if sheet else self.found)
        self.block = block
        self.text = text
        self.remedy = remedy
        self._arguments = found, block, text, remedy, sheet, page

    def __reduce__(self) -> tuple[type[LayoutError], tuple[Any, ...]]:
        """Return how to pickle the exception, so that it can pass between processes."""
        return LayoutError, self._arguments
