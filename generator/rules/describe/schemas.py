"""Make JSON Schemas of the files of a rule set, so that an editor completes and checks them.

They are made from the models and the docstrings of their fields. Only the command that prints a schema imports this
module, because reading docstrings takes time.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from generator.rules.model.base import Block, Certificate, OneOf, Repeated
from generator.rules.model.kind import CardModel, KindModel
from generator.rules.model.manifest import ChangeModel, ChangesModel, ErrataModel, Manifest, SettingsModel
from generator.rules.model.procedure import CaseModel, ProcedureModel
from generator.rules.model.sheet import SheetModel, sheet_model
from generator.rules.model.table import MissionModel, TableModel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic_core import core_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


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
"""Models that need exactly one of these groups of keys, in addition to those of ``OneOf``."""


_BY_NAME = ("properties", "patternProperties")
"""Parts of a schema whose keys are keys of our files, not words of JSON Schema."""


def schemas(kinds: tuple[type[Block], ...]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each kind of file, by names such as ``table``. ``kinds`` are the blocks of sheets."""
    by_name = {}
    for name, model, title in _FILES:
        whole = sheet_model(kinds) if model is SheetModel else model
        by_name[name] = schema_of(whole, {"$id": f"urn:fieldpress:rules:{name}", "title": title})
    return by_name


def schema_of(model: type[BaseModel], about: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a file of this model; the docstring of each field is the description of its key.

    ``about`` has keys that are put in front, such as ``title``.
    """
    raw = model.model_json_schema(schema_generator=_Described)
    definitions = {_short(name): _tidy(item) | {"title": words(name)} for name, item in raw.pop("$defs", {}).items()}
    head = {"$schema": DIALECT, **about}
    schema = head | {key: value for key, value in _tidy(raw).items() if key != "title"}
    return schema | {"$defs": definitions} if definitions else schema


class _Described(GenerateJsonSchema):
    """Schema generator that adds the docstring of each field as description, and leaves out titles of fields."""

    def field_title_should_be_set(self, schema: object) -> bool:
        """Return False: a title would only repeat the key."""
        del schema
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> dict[str, Any]:
        """Return pydantic's schema with descriptions and ``oneOf`` for groups of keys.

        The keys of ``Repeated`` come after the model's other keys, and the keys of ``Certificate`` come last.
        """
        cls: type[BaseModel] = schema["cls"]
        described = super().model_schema(schema)
        docs = _field_docs(cls)
        for name, info in cls.model_fields.items():
            if name in docs:
                described["properties"][info.alias or name]["description"] = docs[name]
        for base in (Repeated, Certificate):  # their keys come last
            if issubclass(cls, base):
                own = sorted(described["properties"].items(), key=lambda name: name[0] in base.model_fields)
                described["properties"] = dict(own)
        single = tuple((key,) for key in cls.one_of) if issubclass(cls, OneOf) and not cls.optional_with else ()
        if groups := _ONE_OF.get(cls, single):
            described["oneOf"] = [{"required": list(group)} for group in groups]
        return described


def _field_docs(cls: type[BaseModel]) -> dict[str, str]:
    """Return the docstrings of the fields of a model and of its base classes, by name of the field."""
    docs: dict[str, str] = {}
    for item in reversed(cls.__mro__):
        if issubclass(item, BaseModel) and item is not BaseModel:
            docs |= _docstrings(item.__module__).get(item.__name__, {})
    return docs


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """Return the docstrings of the attributes in a module, by class and name."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return {node.name: dict(_under_fields(node.body)) for node in classes}


def _under_fields(body: list[ast.stmt]) -> Iterable[tuple[str, str]]:
    """Yield the name and the docstring of each annotated attribute that has one, in the body of a class."""
    for field, under in pairwise(body):
        match field, under:
            case (ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as text))):
                yield name, text
            case _:
                pass


def _tidy(schema: Any) -> Any:
    """Return a schema without null for a missing value, empty defaults, and several number types for one value.

    Models lose "Model" in references to them, descriptions become one line, and a mapping with patterns allows no other
    keys.
    """
    if isinstance(schema, list):
        return [_tidy(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    tidied: dict[str, Any] = {
        key: {name: _tidy(item) for name, item in value.items()} if key in _BY_NAME else _tidy(value)
        for key, value in schema.items()
    }
    if tidied.get("default", 0) in (None, "", [], {}):
        del tidied["default"]
    if "anyOf" in tidied:
        tidied = _either(tidied.pop("anyOf")) | tidied
    if "patternProperties" in tidied:
        tidied["additionalProperties"] = False
    if "$ref" in tidied:
        tidied["$ref"] = "/".join(_short(step) for step in tidied["$ref"].split("/"))
    if isinstance(tidied.get("description"), str):
        tidied["description"] = " ".join(tidied["description"].replace("``", "`").split())
    return tidied


def _either(options: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of a value that matches one of several schemas, in its shortest form.

    Null and the format ``fraction`` are left out.
    """
    members = [option for option in options if option != {"type": "null"} and option.get("format") != "fraction"]
    if len(members) == 1:
        return members[0]
    if all(set(option) == {"type"} for option in members):
        types = [option["type"] for option in members]
        return {"type": [item for item in types if item != "integer" or "number" not in types]}
    return {"anyOf": members}


def _short(name: str) -> str:
    return name.removesuffix("Model")


def words(name: str) -> str:
    """Return the name of a model as words, without "Model" at its end.

    >>> words("AcrossRow"), words("ChangeModel")
    ('Across row', 'Change')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", _short(name)).capitalize()
