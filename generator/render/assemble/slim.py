"""Reduction of the size of a PDF before the engine writes it, without changing how it looks or reads.

The engine puts each picture of a style sheet into a transparent group of the size of the page, with resources of its
own. It puts each run of letters into a tag of its own. A pack of eighty pages has 1,500 groups and 20,000 tags. The
engine draws a tint of a cell as three rectangles. It draws a line on one side of a cell as a clip and two rectangles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_NUMBER = r"-?[\d.]+"
_SETTINGS = r"((?:[^\n]+ (?:gs|rg|g)\n)*)"
_TINT = re.compile(
    rf"q\n(?P<box>(?:{_NUMBER} ){{4}}re)\nW\nn\n/Artifact\nBMC\nq\n{_SETTINGS}(?P=box)\nW\nn\n(?P=box)\nf\nQ\nEMC\nQ"
)
_BOX = rf"((?:{_NUMBER} ){{4}})re\n"
_LINE = re.compile(rf"q\n((?:{_NUMBER} {_NUMBER} [ml]\n){{4}})W\*\nn\n{_SETTINGS}{_BOX}{_BOX}f\*\nQ")
_DRAW = re.compile(rb"/(x\d+) Do")
_SAME = 0.01
"""Tolerance for equal areas, in square points."""
_HOLDERS = frozenset({"/P", "/H1", "/H2", "/H3", "/TD", "/TH", "/Caption", "/LBody", "/Span"})
"""Tags that may hold letters themselves."""
_PLAIN = frozenset({"Type", "S", "K", "Pg", "P"})
"""The keys of a tag without information of its own."""


def slim(pdf: Any) -> None:
    """Make a PDF of the engine (a pydyf object) smaller in place.

    Pictures of style sheets are drawn directly on the page, simpler operations draw tints and lines, and tags without
    information are removed.
    """
    for number in pdf.pages["Kids"][::3]:
        page = pdf.objects[number]
        resources = _object(pdf, page["Resources"])
        content = _object(pdf, page["Contents"])
        pieces = [piece for item in content.stream for piece in _inlined(pdf, resources, item)]
        drawn = b"\n".join(map(_bytes, pieces)).decode("latin-1")
        drawn = _TINT.sub(r"/Artifact\nBMC\nq\n\2\g<box>\nf\nQ\nEMC", drawn)
        content.stream = [_LINE.sub(_line, drawn).encode("latin-1")]
    root = _object(pdf, pdf.catalog["StructTreeRoot"])
    moved: dict[bytes, bytes] = {}
    for reference in root["K"]:
        _simplify(pdf, _object(pdf, reference), moved)
    for letters in _object(pdf, root["ParentTree"])["Nums"][1::2]:
        if isinstance(letters, list):
            letters[:] = [_follow(moved, reference) for reference in letters]


def _object(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[int(reference.split()[0])]


def _drop(pdf: Any, what: Any) -> None:
    """Replace an object by an empty one: the engine writes a wrong index for objects marked as free."""
    pdf.objects[what.number] = empty = type(pdf.pages)()
    empty.number = what.number


def _inlined(pdf: Any, resources: Any, item: Any) -> Iterator[Any]:
    """Yield an operation of a page, or the operations of the vector picture that the operation draws.

    Such a picture is then removed from the PDF. A picture with text, patterns, shadings or nested pictures stays as it
    is.
    """
    match = _DRAW.fullmatch(item) if isinstance(item, bytes) else None
    name = match[1].decode() if match else ""
    form = _object(pdf, resources["XObject"][name]) if name else None
    own = _object(pdf, form.extra["Resources"]) if form and "Resources" in form.extra else None
    if form is None or own is None or own["XObject"] or own["Pattern"] or own["Shading"] or b"BT" in form.stream:
        yield item
        return
    resources["ExtGState"].update(own["ExtGState"])  # equal names mean equal settings
    del resources["XObject"][name]
    _drop(pdf, form)
    _drop(pdf, own)
    yield from (b"q", *form.stream, b"Q")


def _bytes(operation: Any) -> bytes:
    """Return an operation of a page as the bytes that the engine would write."""
    return operation if isinstance(operation, bytes) else getattr(operation, "data", None) or str(operation).encode()


def _line(match: re.Match[str]) -> str:
    """Return a rectangle instead of a frame with a clip.

    The text is unchanged if the part that the clip leaves is not a rectangle.
    """
    corners = [tuple(map(float, corner.split()[:2])) for corner in match[1].splitlines()]
    inner, outer = ([*map(float, box.split())] for box in match.group(3, 4))
    (left, *_, right), (low, *_, high) = (sorted(ends) for ends in zip(*corners, strict=True))
    upright = {*corners} == {(x, y) for x in (left, right) for y in (low, high)}
    rest = abs(outer[2] * outer[3]) - abs(inner[2] * inner[3])
    if not upright or abs(rest - (right - left) * (high - low)) > _SAME:
        return match[0]
    return f"q\n{match[2]}{left:.3f} {low:.3f} {right - left:.3f} {high - low:.3f} re\nf\nQ"


def _simplify(pdf: Any, element: Any, moved: dict[bytes, bytes]) -> None:
    """Remove empty tags below this tag, and merge plain spans into it. Record merged tags in ``moved``."""
    kids: list[Any] = []
    for kid in element["K"]:
        child = None if isinstance(kid, int) else _object(pdf, kid)
        if child is None or child["Type"] != "/StructElem":
            kids.append(kid)
            continue
        _simplify(pdf, child, moved)
        plain = child["S"] == "/Span" and child.keys() <= _PLAIN and child["Pg"] == element.get("Pg")
        letters = all(isinstance(name, int) for name in child["K"])
        if child["S"] in ("/Span", "/Div", "/NonStruct") and not child["K"]:
            _drop(pdf, child)
        elif plain and letters and element["S"] in _HOLDERS:
            _drop(pdf, child)
            moved[child.reference] = element.reference
            kids += child["K"]
        else:
            kids.append(kid)
    element["K"][:] = kids


def _follow(moved: dict[bytes, bytes], reference: bytes) -> bytes:
    while reference in moved:
        reference = moved[reference]
    return reference
