"""Pictures from files: PNG, JPEG, and SVG without anything that runs or leads elsewhere."""

from __future__ import annotations

import base64
import io
import re
import struct
import warnings
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import quote
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from generator.render.blocks import Ink
    from generator.render.imprinted import Theme

MAX_BYTES = 16 * 1024 * 1024
_MAX_PIXELS = 40_000_000
_MAX_ELEMENTS = 20_000
_SHAPES = frozenset((
    "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
    "defs", "linearGradient", "radialGradient", "stop", "clipPath", "title", "desc",
))  # fmt: skip
_SKIPPED = frozenset(("metadata", "namedview", "RDF"))
"""What drawing programs add for themselves; it is left out."""
_OUTSIDE = re.compile(r"url\(\s*['\"]?(?!#)|javascript:|@import|expression\(|data:|\\", re.IGNORECASE)
_SVG = "http://www.w3.org/2000/svg"
_REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")]*)")
_PAINT = re.compile(r"""(?P<key>\b(?:color|fill|stroke)(?:=["']|\s*:))(?P<colour>[^"';]+)""")
"""An attribute or a style that gives a shape a colour."""
_BOX = re.compile(r'<svg[^>]* viewBox="[-0-9.]+[ ,]+[-0-9.]+[ ,]+([0-9]+\.?[0-9]*)[ ,]+([0-9]+\.?[0-9]*)"')
_ORIENTATION = 0x0112
"""The number of the orientation in the data that a camera adds."""
_TOO_LARGE = ("more pixels than that", "40 million pixels at most", "save it smaller")
_NO_PICTURE = ("no picture", "a PNG, JPEG or SVG picture", "save it again as PNG")
_DRAW_IT = "remove it, or let your drawing program export plain SVG with texts as paths"


class PictureError(Exception):
    """Raised for a picture that cannot be used: what was ``found``, what is ``expected``, and a hint."""

    def __init__(self, found: str, expected: str, hint: str, line: int = 0) -> None:
        """Keep the parts of the problem. ``line`` is the line of the file, from 1; 0 means the whole file."""
        super().__init__(found)
        self.found, self.expected, self.hint, self.line = found, expected, hint, line


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with the text that says what it shows."""

    data: str
    """An SVG, which may name tokens of the theme; or a data address."""
    alt: str
    pixels: int = 0
    """The width in pixels; 0 for an SVG, which is sharp at any size."""
    shape: float = 1.0
    """The width divided by the height."""

    def __repr__(self) -> str:
        """Return a short text that is equal only for equal pictures."""
        return f"Picture({sha256(self.data.encode()).hexdigest()}, {self.alt!r})"

    def address(self, theme: Theme, ink: Ink) -> str:
        """Return the picture as a data address, in grey unless the ink is colour.

        Tokens in an SVG get the colours of the theme. A picture of pixels in grey is a PNG.
        """
        if self.data.startswith("data:"):
            return self.data if ink == "colour" else _grey(self.data)
        drawing = theme.resolve(self.data, ink)
        return f"data:image/svg+xml,{quote(drawing if ink == 'colour' else _PAINT.sub(_in_grey, drawing))}"


def read_picture(data: bytes, alt: str) -> Picture:
    """Return the picture in the bytes of a file; ``alt`` says what it shows.

    Raises PictureError if the file is not a PNG, JPEG or SVG, or is damaged. Raises PictureError, too, for an SVG with
    texts, scripts or other content that :func:`_clean_svg` refuses, and above 16 MiB, 40 million pixels or 20,000
    elements. The width and shape of a photograph are those after it is turned as its camera says. An SVG without a
    ``viewBox`` counts as square.
    """
    if len(data) > MAX_BYTES:
        raise PictureError("more", f"{MAX_BYTES:,} bytes at most", "save it smaller")
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        drawing = _clean_svg(data)
        box = _BOX.match(drawing)
        return Picture(drawing, alt, shape=float(box[1]) / float(box[2]) if box and float(box[2]) else 1.0)
    from PIL import Image, ImageFile

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the limit here is lower, and damaged data of a camera does not matter
            image = Image.open(io.BytesIO(data), formats=["PNG", "JPEG"])
            turned = "exif" in image.info and image.getexif().get(_ORIENTATION) in range(5, 9)  # as the engine does
        with image:
            width, height = (image.height, image.width) if turned else image.size
            if width * height > _MAX_PIXELS:
                raise PictureError(f"{width} × {height} pixels", "40 million pixels at most", "save it smaller")
            ImageFile.LOAD_TRUNCATED_IMAGES = False  # the engine sets it, and then Pillow fills what is missing
            image.draft("L", (1, 1))  # a coarse JPEG is read in half the time, and shows the same damage
            image.load() if image.format == "JPEG" else image.verify()  # of a JPEG, Pillow verifies nothing
    except Image.DecompressionBombError:
        raise PictureError(*_TOO_LARGE) from None
    except (OSError, ValueError, SyntaxError, LookupError, struct.error):  # as Pillow has them for damaged files
        raise PictureError(*_NO_PICTURE) from None
    address = f"data:image/{str(image.format).lower()};base64,{base64.b64encode(data).decode()}"
    return Picture(address, alt, width, width / height)


def _in_grey(paint: re.Match[str]) -> str:
    """Return the paint of a shape with its colour in grey; unchanged without a colour in RGB, HSL or HWB."""
    from tinycss2.color5 import parse_color  # as the engine does

    colour = parse_color(paint["colour"])
    if colour in (None, "currentcolor") or colour.space not in ("srgb", "hsl", "hwb"):
        return paint[0]
    red, green, blue = colour.to("srgb")[:3]
    grey = f"{29.9 * red + 58.7 * green + 11.4 * blue:.1f}%"
    return f"{paint['key']}rgba({grey},{grey},{grey},{colour.alpha:.3g})"


@lru_cache(maxsize=8)
def _grey(address: str) -> str:
    """Return the picture of a data address in grey, as the data address of a PNG."""
    from PIL import Image, ImageOps

    grey = io.BytesIO()
    with ImageOps.exif_transpose(Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))) as image:
        light = image.convert("I").point(lambda value: value / 256) if image.mode.startswith("I") else image  # 16 bits
        light.convert("LA" if image.has_transparency_data else "L").save(grey, "PNG")
    return f"data:image/png;base64,{base64.b64encode(grey.getvalue()).decode()}"


def _clean_svg(data: bytes) -> str:
    """Return an SVG with its shapes, titles and descriptions, without metadata and elements of other namespaces.

    Raises PictureError with the line for any other content, such as a script, a text or an outside address. A reference
    must lead to an element that ends before it, and may not stand in a ``clipPath``. Raises PictureError, too, for more
    than 20,000 elements, or if the SVG is damaged.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    written: list[str] = []
    skipping = count = 0
    opened: list[tuple[str, str]] = []
    """The name and id of each element around the current one."""
    known: set[str] = set()
    """The ids of finished elements: a reference to any other could lead back to itself."""

    def refuse(what: str, expected: str = "shapes without scripts, texts or references") -> None:
        raise PictureError(what, expected, _DRAW_IT, parser.CurrentLineNumber)

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal skipping, count
        space, _, name = tag.rpartition(" ")
        count += 1
        if skipping or name in _SKIPPED or (space not in ("", _SVG) and written and name.lower() != "script"):
            skipping += 1
            return
        if name not in _SHAPES or (not written and name != "svg") or count > _MAX_ELEMENTS:
            refuse(f"the element {name}" if count <= _MAX_ELEMENTS else f"more than {_MAX_ELEMENTS:,} elements")
        spelled = [f"<{name}"] if written else [f'<svg xmlns="{_SVG}"']
        for key, value in attributes.items():
            of, _, plain = key.rpartition(" ")
            led = {value.removeprefix("#")} if plain == "href" else {*_REFERENCE.findall(value)}
            nested = led and any(around == "clipPath" for around, _ in opened)
            if plain.lower().startswith("on") or _OUTSIDE.search(value) or not led <= known or nested:
                refuse(f"{plain}={value[:40]!r}")
            if not of or plain == "href":
                spelled.append(f"{plain}={quoteattr(value)}")
        written.append(" ".join(spelled) + ">")
        opened.append((name, attributes.get("id", "")))

    def end(_tag: str) -> None:
        nonlocal skipping
        if skipping:
            skipping -= 1
        else:
            name, id_ = opened.pop()
            known.add(id_)
            written.append(f"</{name}>")

    def characters(text: str) -> None:
        if not skipping and text.strip():
            written.append(escape(text))

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, characters
    parser.StartDoctypeDeclHandler = lambda *_: refuse("a DOCTYPE")
    parser.ProcessingInstructionHandler = lambda *_: refuse("a processing instruction")
    try:
        parser.Parse(data, True)  # noqa: FBT003 - as expat wants it
    except expat.ExpatError as error:
        raise PictureError(expat.errors.messages[error.code], "a whole SVG", "export it again", error.lineno) from None
    return "".join(written)
