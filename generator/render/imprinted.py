"""What every document has: id, title, imprint, language, and a theme of design tokens.

The style sheets name the tokens as custom properties, and a theme gives some of them other values. The values are put
into the style sheets before the engine reads them, because it would resolve them for every cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from typing import NamedTuple, Self

from generator import resources

THEME_FAMILY = "FP Theme"
"""The beginning of the family names of a theme's own fonts."""
_DEFINED = re.compile(r"^ {2}--([a-z0-9-]+): ([^;]+);", re.MULTILINE)
_USED = re.compile(r"var\(--([a-z0-9-]+)\)")
_COLOUR = re.compile(r"#[0-9a-f]{3}(?:[0-9a-f]{3})?")


class Font(NamedTuple):
    """A font file of a theme."""

    family: str
    """The family in style sheets, which begins with "FP Theme": never a name that the system knows."""
    weight: int
    italic: bool
    address: str
    """The file as a data address."""


@dataclass(frozen=True, slots=True)
class Theme:
    """A named set of tokens; all other tokens have the values of ``theme.css``."""

    name: str = "sober"
    tokens: tuple[tuple[str, str], ...] = ()
    fonts: tuple[Font, ...] = ()

    def values(self, ink: str) -> dict[str, str]:
        """Return the value of every token by its name, without the dashes before it.

        In the inks mono and low, the tokens of the ink replace those of the theme.
        """
        return tokens_of("colour") | dict(self.tokens) | (tokens_of(ink) if ink != "colour" else {})

    def resolve(self, text: str, ink: str) -> str:
        """Return a text of HTML or CSS with each use of a token, ``var(--NAME)``, replaced by its value.

        Unknown tokens stay as they are.
        """
        values = self.values(ink)
        return _USED.sub(lambda match: values[match[1]] if match[1] in values else match[0], text)


SOBER = Theme()
"""The look of everything that names no theme."""


@cache
def tokens_of(ink: str) -> dict[str, str]:
    """Return the value of each token that the style sheet of an ink defines, by its name without the dashes before it.

    The style sheet for colour, ``theme.css``, defines all tokens.
    """
    name = "theme.css" if ink == "colour" else f"theme-{ink}.css"
    return dict(_DEFINED.findall((resources.templates() / "css" / name).read_text(encoding="utf-8")))


def face_rule(family: str, weight: int, address: str, *, italic: bool) -> str:
    """Return the CSS ``@font-face`` rule of a face whose file is at an address."""
    style = "italic" if italic else "normal"
    return f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{style};src:url({address})}}'


def is_colour(value: str) -> bool:
    """Return whether a value of a token is a colour, written as #rgb or #rrggbb in small letters."""
    return _COLOUR.fullmatch(value) is not None


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours by WCAG 2.2: from 1 for equal colours to 21 for black on white.

    Both must be colours for :func:`is_colour`.

    >>> round(contrast("#000", "#fff"), 2), contrast("#abc", "#aabbcc")
    (21.0, 1.0)
    """
    dark, light = sorted(map(luminance, (first, second)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour by WCAG 2.2, from 0 for black to 1 for white.

    ``colour`` must be a colour for :func:`is_colour`.
    """
    parts = shares(colour)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)  # noqa: PLR2004
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def shares(colour: str) -> list[float]:
    """Return the shares of red, green and blue in a colour, from 0 to 1.

    ``colour`` must be a colour for :func:`is_colour`.

    >>> shares("#f00")
    [1.0, 0.0, 0.0]
    """
    from tinycss2.color5 import parse_color  # as the engine does

    return [*parse_color(colour).coordinates]


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
        """Return the source line of the foot: the source, the edition and the data fingerprint.

        Empty parts are left out. ``say`` translates the words "edition" and "data".
        """
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
        """Return a digest of the document's contents, 16 hexadecimal digits.

        Nothing in ``imprint`` counts: not the edition, the data fingerprint, the source, the rights or the date.
        """
        text = f"{replace(self, imprint=NO_IMPRINT)!r}{self.words or ''}"
        return sha256(text.encode()).hexdigest()[:16]

    def pieces(self) -> list[Self]:
        """Return a list of only this document. Subclasses may divide it into documents that are rendered separately."""
        return [self]
