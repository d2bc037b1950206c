"""The base class of documents: id, title and imprint."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Self

from generator.render.theme import SOBER, Theme

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class Imprint:
    """The origin of a document: author, edition, data, source and rights."""

    author: str
    edition: str
    fingerprint: str
    source: str
    """The rule set's title."""
    rights: str
    created: str
    """ISO date, written into the file instead of the clock's."""

    def line(self, say: Callable[[str], str] = str) -> str:
        """Return the source line of the foot: the source, edition and data fingerprint; ``say`` translates."""
        edition = f"{say('edition')} {self.edition}" if self.edition else ""
        data = f"{say('data')} {self.fingerprint}" if self.fingerprint else ""
        return " · ".join(part for part in (self.source, edition, data) if part)


NO_IMPRINT = Imprint(author="", edition="", fingerprint="", source="", rights="", created="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Imprinted:
    """A document with a file name, a title and an imprint."""

    id: str
    title: str
    strap: str
    """One line about the document's purpose."""
    imprint: Imprint
    language: str = "en-GB"
    banner: str = ""
    """A warning on every page, such as "Draft: 2 problems"."""
    theme: Theme = SOBER
    words: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Labels of templates and drawings in the language of the document, each after the English label.

    The last is a digest of all entries of the language.
    """

    def say(self, label: str) -> str:
        """Return a label of a template or drawing in the language of the document; in English if there is no other."""
        return dict(self.words).get(label, label)

    def mark(self) -> str:
        """Return a fingerprint of the document's contents, 16 hexadecimal digits.

        Its edition and the fingerprint of the data do not count.
        """
        text = f"{replace(self, imprint=NO_IMPRINT)!r}{self.words or ''}"
        return sha256(text.encode()).hexdigest()[:16]

    def pieces(self) -> list[Self]:
        """Return the documents whose pages make up this document; they are rendered separately, and then joined."""
        return [self]
