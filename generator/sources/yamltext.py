"""Plain values as YAML text that reads back the same."""

from __future__ import annotations

from typing import Any

_WIDTH = 118


def to_yaml(value: Any) -> str:
    """Mappings and lists of texts, whole numbers and yes or no, in the order in which they were built.

    >>> print(to_yaml({"force": "Reds", "rules": ["tin"], "note": "no"}), end="")
    force: Reds
    rules:
    - tin
    note: 'no'
    """
    import yaml

    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=_WIDTH)
    return text
