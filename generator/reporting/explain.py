"""Read the page of each problem code: its meaning, an example and the fix."""

from __future__ import annotations

import re
from pathlib import Path

_PAGES = Path(__file__).with_name("problems.md")
_HEAD = re.compile(r"^## ([FRS]\d{3}): (.+)$", re.MULTILINE)


def pages() -> dict[str, str]:
    """Return the page of every code, with its heading, in the order of the file."""
    text = _PAGES.read_text(encoding="utf-8")
    starts = [*_HEAD.finditer(text)]
    ends = [*(start.start() for start in starts[1:]), len(text)]
    return {item[1]: text[item.start() : end].strip() for item, end in zip(starts, ends, strict=False)}
