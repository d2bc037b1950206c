"""What a value of a schema may be, in words for people."""

from __future__ import annotations

import json
import re
from typing import Any, TypeAlias

from generator.rules.models.base import FORMS
from generator.rules.schemas import words

Schema: TypeAlias = dict[str, Any]

FORM_WORDS = dict(zip(FORMS, ("id", "name", "range", "date", "filled text", "line of text"), strict=True))
"""What a text of each form is called."""

_TYPES = {"string": "text", "integer": "whole number", "number": "number", "boolean": "yes or no"}
_FORMULA = {"string", "boolean", "number"}
_PLURALS = {
    "text": "texts",
    "id": "ids",
    "name": "names",
    "formula": "formulas",
    "whole number": "whole numbers",
}
_SINGULAR = re.compile(rf"\b(?:{'|'.join(_PLURALS)})\b(?![(\]])")


def kind_of(schema: Schema) -> str:
    """What a value may be.

    >>> kind_of({"type": "array", "items": {"type": "string"}, "minItems": 1})
    'list of texts, at least 1'
    """
    match schema:
        case {"$ref": str(target)}:
            return link(words(target.rpartition("/")[2]))
        case {"const": value}:
            return code(value)
        case {"enum": list(values)}:
            return f"one of {', '.join(map(code, values))}"
        case {"anyOf": list(ways)} | {"oneOf": list(ways)}:
            return either([kind_of(one) for one in ways])
        case {"type": list(types)}:
            return "formula" if set(types) == _FORMULA else either([_TYPES[one] for one in types])
        case {"type": "array"}:
            return _list(schema)
        case {"type": "object"}:
            return _keys(schema)
        case {"type": str(name)}:
            return _plain(schema, name)
        case _:
            return "value"


def _plain(schema: Schema, name: str) -> str:
    if "pattern" in schema:
        return FORM_WORDS[schema["pattern"]]
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None or most is not None:
        return f"{_TYPES[name]}, {_bounds(least, most)}"
    return f"{_TYPES[name]} of at least {schema['minLength']} signs" if "minLength" in schema else _TYPES[name]


def _bounds(least: int | None, most: int | None) -> str:
    """How many there may be.

    >>> _bounds(1, 3), _bounds(1, None), _bounds(None, 3)
    ('1 to 3', 'at least 1', 'at most 3')
    """
    if least is None or most is None:
        return f"at most {most}" if least is None else f"at least {least}"
    return f"{least} to {most}"


def _list(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"list of {len(schema['prefixItems'])} {_plural(kind_of(schema['prefixItems'][0]))}"
    kind, least, most = _plural(kind_of(schema["items"])), schema.get("minItems"), schema.get("maxItems")
    if most is not None:
        return f"list of {_bounds(least, most)} {kind}"
    return f"list of {kind}, at least {least}" if least else f"list of {kind}"


def _plural(kind: str) -> str:
    """Several of a kind.

    >>> _plural("one of `a`, `b`"), _plural("list of ids"), _plural("text or whole number")
    ('any of `a`, `b`', 'lists of ids', 'texts or whole numbers')
    """
    if kind.startswith(("one of", "list of")):
        return kind.replace("one of", "any of", 1).replace("list of", "lists of", 1)
    return _SINGULAR.sub(lambda word: _PLURALS[word[0]], kind)


def _keys(schema: Schema) -> str:
    """Keys of the writer’s own: names, ids or any."""
    [(form, inner)] = schema.get("patternProperties", {"": schema.get("additionalProperties")}).items()
    of_own = _plural(FORM_WORDS[form]) if form else "keys"
    return f"{of_own}, each with {kind_of(inner)}" if isinstance(inner, dict) and inner else f"{of_own} with values"


def link(title: str) -> str:
    """A link to the heading with this title, on the same page."""
    return f"[{title}](#{title.lower().replace(' ', '-')})"


def code(value: object) -> str:
    """A value as it is written."""
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def either(ways: list[str]) -> str:
    """Several ways as one.

    >>> either(["a"]), either(["a", "b", "c"])
    ('a', 'a, b or c')
    """
    if ways[-1] == _TYPES["boolean"]:
        return ", ".join(ways)
    return " or ".join((", ".join(ways[:-1]), ways[-1])) if len(ways) > 1 else ways[0]
