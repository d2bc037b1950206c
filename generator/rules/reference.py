"""The reference of every key of a rule file, as a page.

``python -m generator.rules.reference FILE`` writes it. It is made from the schemas, and those from the models: what a
key means is said once, under it in its model. Nothing else imports this module.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from generator.rules.models.base import FORMS, Certificate
from generator.rules.schema_words import FORM_WORDS, code, either, kind_of, link
from generator.rules.schemas import schemas

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.rules.schema_words import Schema

CERTIFICATE = tuple(Certificate.model_fields)
"""Keys that many parts share: told once."""

_WORDS = (
    ("text", "any text; in quotation marks where it holds a colon and a space"),
    *((word, FORMS[form]) for form, word in FORM_WORDS.items()),
    ("formula", "a [formula](../rule-data.md#formulas), or a plain number, `true` or `false`"),
    ("yes or no", "`true` or `false`"),
    ("names, keys, ids", "keys of your own choice, with a colon and what is said of each"),
    ("value", "whatever the column, field or input takes that it is for"),
)
_INTRO = """\
# Every key

Every key of every file of a rule set, and of a player’s settings. [Rule data](../rule-data.md) explains them by an
example, [Write your own rule set](../write-your-own.md) step by step.

This page is made from the models, as the [schemas](schemas) are. After a change of a model it is written anew:

```text
python -m generator.rules.reference docs/reference/keys.md
```

In the tables below a key is needed, or it says what holds else; a dash means that it may be left out.

| what it may be | what is written |
|---|---|
"""


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
    """The parts of each kind of file, by its name: the file itself, then what stands in it, from the outside in."""
    found = {}
    for name, schema in schemas().items():
        where = re.sub(r"[^ ]+[.]yaml", r"`\g<0>`", schema["title"])
        says = f"{where}. {schema['description']}"
        file = schema | {"title": name.capitalize(), "description": says[0].upper() + says[1:]}
        found[name] = tuple(_part(one) for one in (file, *_inside(schema)))
    return found


def certificate() -> Part:
    """The keys that say where something comes from, as everything has them that may be cited."""
    holders = (one for schema in schemas().values() for one in (schema, *_inside(schema)) if _certified(one))
    properties = next(holders)["properties"]
    only = {"title": "Certificate", "properties": {key: properties[key] for key in CERTIFICATE}}
    return _part(only | {"description": " ".join((Certificate.__doc__ or "").split())})


def page() -> str:
    """The reference, as Markdown."""
    said = "".join(f"| {word} | {says} |\n" for word, says in _WORDS)
    files = parts()
    index = "".join(f"- {link(file.title)}{_listed(inside)}\n" for file, *inside in files.values())
    index += f"- {link('Certificate')}\n"
    sections = [
        _section(part, "##" if not depth else "###") for file in files.values() for depth, part in enumerate(file)
    ]
    return "\n".join((f"{_INTRO}{said}", index, *sections, _section(certificate(), "##")))


def write(path: Path) -> None:
    """Write the reference to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(), encoding="utf-8")


# ---------------------------------------------------------------- from a schema to parts


def _inside(schema: Schema) -> list[Schema]:
    """The objects of a schema, in the order in which one leads to the next."""
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


if __name__ == "__main__":
    write(Path(sys.argv[1]))
