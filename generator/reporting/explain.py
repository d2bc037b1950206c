"""The page of each problem code: what it means, an example, the fix."""

from __future__ import annotations

import re
from pathlib import Path

_PAGES = Path(__file__).with_name("problems.md")
_HEAD = re.compile(r"^## ([FRS]\d{3}): (.+)$", re.MULTILINE)


def pages() -> dict[str, str]:
    """Every code's page, head included, in the order of the file."""
    text = _PAGES.read_text(encoding="utf-8")
    starts = [*_HEAD.finditer(text)]
    ends = [*(one.start() for one in starts[1:]), len(text)]
    return {one[1]: text[one.start() : end].strip() for one, end in zip(starts, ends, strict=False)}
