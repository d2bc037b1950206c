"""Write the page of every key of a rule file, and the schemas beside it: ``setup/reference.py FILE``.

The page is made from the schemas, and the schemas are made from the models.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.documents.blocks.registry import BLOCKS
from generator.rules.model.base import FORMS, Block, Certificate, ExactlyOne, Repeated
from generator.rules.model.kind import CardModel, KindModel
from generator.rules.model.manifest import ChangeModel, ChangesModel, ErrataModel, Manifest, SettingsModel
from generator.rules.model.procedure import CaseModel, ProcedureModel
from generator.rules.model.sheet import SheetModel, sheet_model
from generator.rules.model.table import MissionModel, TableModel
from generator.scenarios.schema import Described, schema_of, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel
    from pydantic_core import core_schema

Schema: TypeAlias = dict[str, Any]

CERTIFICATE = tuple(Certificate.model_fields)
"""Keys that many parts share: the page explains them once."""
FORM_WORDS = dict(zip(FORMS, ("id", "name", "range", "date", "filled text", "line of text", "edition"), strict=True))
"""The name of each form of text."""

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

_WORDS = (
    ("text", "any text; in quotation marks where it holds a colon and a space"),
    *((word, FORMS[form]) for form, word in FORM_WORDS.items()),
    ("formula", "a [formula](../rule-data.md#formulas), or a plain number, `true` or `false`"),
    ("yes or no", "`true` or `false`"),
    ("names, keys, ids", "keys of your own choice, with a colon and a value for each"),
    ("value", "whatever the column, field or input takes that it is for"),
)
_INTRO = """\
# Every key

Every key of every file of a rule set, and of a player’s settings. [Rule data](../rule-data.md) explains them by an
example, [Write your own rule set](../write-your-own.md) step by step.

This page is made from the models, as the [schemas](schemas) are. After a change of a model, write the page again:

```text
python setup/reference.py docs/reference/keys.md
```

The third column of each table says whether the key is needed, or names its default. A dash means that the key is
optional.

| what it may be | what is written |
|---|---|
"""


_FILES: tuple[tuple[str, type[BaseModel], str], ...] = (
    ("ruleset", Manifest, "ruleset.yaml of a rule set"),
    ("table", TableModel, "tables/<id>.yaml of a rule set"),
    ("kind", KindModel, "kinds/<id>.yaml of a rule set"),
    ("procedure", ProcedureModel, "procedures/<id>.yaml of a rule set"),
    ("sheet", SheetModel, "sheets/<id>.yaml of a rule set"),
    ("card", CardModel, "cards/<kind>.yaml of a rule set"),
    ("mission", MissionModel, "missions/<id>.yaml of a rule set"),
    ("changes", ChangesModel, "changes.yaml of a rule set"),
    ("errata", ErrataModel, "errata.yaml of a rule set"),
    ("settings", SettingsModel, "a player’s settings"),
)
"""For each kind of file: the name of its schema, its model, and its title."""

_ONE_OF: dict[type[BaseModel], tuple[tuple[str, ...], ...]] = {
    ChangeModel: (("set", "was", "to"), ("add", "with"), ("replace", "with"), ("remove",)),
    CaseModel: (("always",), ("rolls", "results")),
}
"""Models that need exactly one of these groups of keys, in addition to those of ``ExactlyOne``."""


class _Grouped(Described):
    """Schema generator of rule files."""

    def model_schema(self, schema: core_schema.ModelSchema) -> Schema:
        """Return the schema of a model with ``oneOf`` for groups of keys.

        The keys of ``Repeated`` come after the model's other keys, and the keys of ``Certificate`` come last.
        """
        cls: type[BaseModel] = schema["cls"]
        described = super().model_schema(schema)
        for base in (Repeated, Certificate):  # their keys come last
            if issubclass(cls, base):
                own = sorted(described["properties"].items(), key=lambda name: name[0] in base.model_fields)
                described["properties"] = dict(own)
        single = tuple((key,) for key in cls.one_of) if issubclass(cls, ExactlyOne) and not cls.optional_with else ()
        if groups := _ONE_OF.get(cls, single):
            described["oneOf"] = [{"required": list(group)} for group in groups]
        return described


def schemas(kinds: tuple[type[Block], ...]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each kind of file, by names such as ``table``. ``kinds`` are the blocks of sheets."""
    by_name = {}
    for name, model, title in _FILES:
        whole = sheet_model(kinds) if model is SheetModel else model
        by_name[name] = schema_of(whole, {"$id": f"urn:fieldpress:rules:{name}", "title": title}, _Grouped)
    return by_name


class Entry(NamedTuple):
    """A key of a part: what it may be, whether it is needed, and what it says."""

    key: str
    kind: str
    needed: str
    says: str


class Part(NamedTuple):
    """A file, or an object in it, with its keys."""

    title: str
    says: str
    choice: str
    """Which keys exclude one another."""
    entries: tuple[Entry, ...]
    certified: bool
    """Whether the keys of a certificate may stand there, too."""


def parts() -> dict[str, tuple[Part, ...]]:
    """Return the parts of each kind of file by its name: the file first, then the objects in it."""
    found = {}
    for name, schema in schemas(BLOCKS).items():
        where = re.sub(r"[^ ]+[.]yaml", r"`\g<0>`", schema["title"])
        says = f"{where}. {schema['description']}"
        file = schema | {"title": name.capitalize(), "description": says[0].upper() + says[1:]}
        found[name] = tuple(_part(one) for one in (file, *_inside(schema)))
    return found


def certificate() -> Part:
    """Return the keys of a certificate."""
    holders = (one for schema in schemas(BLOCKS).values() for one in (schema, *_inside(schema)) if _certified(one))
    properties = next(holders)["properties"]
    only = {"title": "Certificate", "properties": {key: properties[key] for key in CERTIFICATE}}
    return _part(only | {"description": " ".join((Certificate.__doc__ or "").split())})


def page() -> str:
    """Return the page as Markdown."""
    said = "".join(f"| {word} | {says} |\n" for word, says in _WORDS)
    files = parts()
    index = "".join(f"- {link(file.title)}{_listed(inside)}\n" for file, *inside in files.values())
    index += f"- {link('Certificate')}\n"
    sections = [
        _section(part, "##" if not depth else "###") for file in files.values() for depth, part in enumerate(file)
    ]
    return "\n".join((f"{_INTRO}{said}", index, *sections, _section(certificate(), "##")))


def write(path: Path) -> None:
    """Write the page to a file, and each schema into the folder ``schemas`` beside the file."""
    folder = path.parent / "schemas"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(page(), encoding="utf-8")
    for name, schema in schemas(BLOCKS).items():
        text = json.dumps(schema, ensure_ascii=False, indent=2)
        (folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


# ---------------------------------------------------------------- from a schema to parts


def _inside(schema: Schema) -> list[Schema]:
    """Return the objects of a schema, in the order of their first reference."""
    found: dict[str, Schema] = {}

    def visit(one: object) -> None:
        for name in _references(one):
            if name not in found:
                found[name] = schema["$defs"][name]
                visit(found[name])

    visit({key: value for key, value in schema.items() if key != "$defs"})
    return list(found.values())


def _references(one: object) -> Iterator[str]:
    if isinstance(one, dict):
        if isinstance(one.get("$ref"), str):
            yield one["$ref"].rpartition("/")[2]
        one = list(one.values())
    for inner in one if isinstance(one, list) else ():
        yield from _references(inner)


def _certified(schema: Schema) -> bool:
    return set(CERTIFICATE) < set(schema["properties"])


def _part(schema: Schema) -> Part:
    groups = [one["required"] for one in schema.get("oneOf", ())]
    chosen = {key for group in groups for key in group}
    needed = dict.fromkeys(schema.get("required", ()), "needed") | dict.fromkeys(chosen, "see above")
    certified = _certified(schema)
    entries = [
        Entry(key, kind_of(one), needed.get(key) or _default(one), one.get("description", ""))
        for key, one in schema["properties"].items()
        if not (certified and key in CERTIFICATE)
    ]
    says = re.sub(r" ?Exactly one of [^.]*[.]", "", schema["description"]) if groups else schema["description"]
    ordered = sorted(entries, key=lambda entry: entry.needed != "needed")
    return Part(schema["title"], says, _choice(groups), tuple(ordered), certified)


def _choice(groups: list[list[str]]) -> str:
    if not groups:
        return ""
    ways = [
        " with ".join(code(key) for key in group[:2]) + "".join(f" and {code(key)}" for key in group[2:])
        for group in groups
    ]
    return f"Exactly one of these: {either(ways)}."


def _default(schema: Schema) -> str:
    return f"else {code(schema['default'])}" if "default" in schema else "–"


# ---------------------------------------------------------------- on the page


def _section(part: Part, head: str) -> str:
    above = f"\n{part.choice}\n" if part.choice else ""
    rows = "".join(
        f"| `{entry.key}` | {_cell(entry.kind)} | {_cell(entry.needed)} | {_cell(entry.says)} |\n"
        for entry in part.entries
    )
    below = "\nAnd every key of a [certificate](#certificate).\n" if part.certified else ""
    table = f"| key | what it may be | needed or else | what it says |\n|---|---|---|---|\n{rows}"
    return f"{head} {part.title}\n\n{part.says}\n{above}\n{table}{below}"


def _listed(inside: list[Part]) -> str:
    return f": {', '.join(link(part.title) for part in inside)}" if inside else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# ---------------------------------------------------------------- what a value may be


def kind_of(schema: Schema) -> str:
    """Return what a value may be, in words.

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
    """Return the bounds of a number in words.

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
    """Return the plural.

    >>> _plural("one of `a`, `b`"), _plural("list of ids"), _plural("text or whole number")
    ('any of `a`, `b`', 'lists of ids', 'texts or whole numbers')
    """
    if kind.startswith(("one of", "list of")):
        return kind.replace("one of", "any of", 1).replace("list of", "lists of", 1)
    return _SINGULAR.sub(lambda word: _PLURALS[word[0]], kind)


def _keys(schema: Schema) -> str:
    """Return the words for an object whose keys the author chooses."""
    [(form, inner)] = schema.get("patternProperties", {"": schema.get("additionalProperties")}).items()
    of_own = _plural(FORM_WORDS[form]) if form else "keys"
    return f"{of_own}, each with {kind_of(inner)}" if isinstance(inner, dict) and inner else f"{of_own} with values"


def link(title: str) -> str:
    """Return a link to the heading with this title, on the same page."""
    return f"[{title}](#{title.lower().replace(' ', '-')})"


def code(value: object) -> str:
    """Return a value as a file has it."""
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def either(ways: list[str]) -> str:
    """Return alternatives as one phrase.

    >>> either(["a"]), either(["a", "b", "c"])
    ('a', 'a, b or c')
    """
    if ways[-1] == _TYPES["boolean"]:
        return ", ".join(ways)
    return " or ".join((", ".join(ways[:-1]), ways[-1])) if len(ways) > 1 else ways[0]


if __name__ == "__main__":
    write(Path(sys.argv[1]))
