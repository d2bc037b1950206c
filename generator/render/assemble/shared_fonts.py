"""Sharing of one font program per face by all parts of a bound file."""

from __future__ import annotations

import io
from typing import Any


def share_fonts(pdf: Any) -> None:
    """Make all parts use one font program per face, with the glyphs of all parts.

    The engine leaves out glyphs that a part does not use but keeps glyph numbers, so the programs of a face differ only
    in that.
    """
    faces: dict[str, list[Any]] = {}
    for descriptor in _descriptors(pdf).values():
        faces.setdefault(str(descriptor.FontName).partition("+")[2], []).append(descriptor)
    for descriptors in faces.values():
        programs = dict.fromkeys(descriptor.FontFile2.read_bytes() for descriptor in descriptors)
        merged = _merge([*programs])
        shared = pdf.make_indirect(pdf.make_stream(merged, Length1=len(merged)))
        for descriptor in descriptors:
            descriptor.FontFile2 = shared


def _descriptors(pdf: Any) -> dict[tuple[int, int], Any]:
    """Return the descriptors of TrueType fonts, each once."""
    resources = {page.obj.Resources.objgen: page.obj.Resources for page in pdf.pages if "/Font" in page.obj.Resources}
    fonts = [font for resource in resources.values() for font in resource.Font.values()]
    found = [font.DescendantFonts[0].FontDescriptor for font in fonts if "/DescendantFonts" in font]
    return {FontDescriptor.objgen: FontDescriptor for FontDescriptor in found if "/FontFile2" in FontDescriptor}


def _merge(programs: list[bytes]) -> bytes:
    """Return a font program with every glyph that any of the programs has."""
    from fontTools.ttLib import TTFont

    if len(programs) == 1:
        return programs[0]
    fonts = [TTFont(io.BytesIO(program), recalcBBoxes=False, recalcTimestamp=False) for program in programs]
    for font in fonts:
        font.setGlyphOrder([str(number) for number in range(font["maxp"].numGlyphs)])
    merged = max(fonts, key=lambda font: font["maxp"].numGlyphs)
    glyphs, widths = merged["glyf"].glyphs, merged["hmtx"].metrics
    for font in fonts:
        own_glyphs, own_widths = font["glyf"].glyphs, font["hmtx"].metrics
        for number, glyph in own_glyphs.items():
            if hasattr(glyph, "data") and not hasattr(glyphs[number], "data"):  # an empty glyph has no data
                glyphs[number], widths[number] = glyph, own_widths[number]
    out = io.BytesIO()
    merged.save(out)
    return out.getvalue()
