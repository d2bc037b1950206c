"""The JSON Schemas of a rule set's force and scenario files, with which an editor completes and checks them.

They are made from the models and the docstrings of their fields.
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

from generator.forces.designs import begins_with_a_number
from generator.forces.models import DesignModel, EntryModel, ForceModel, UnitModel
from generator.rules.entries.kinds import Field, kinds_of_designs, unit_fields
from generator.rules.source.pictures import PictureModel
from generator.scenarios.models import ScenarioModel
from generator.scenarios.scenario import special_rules, terrains

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic_core import core_schema

    from generator.rules.ruleset import RuleSet

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_BY_NAME = ("properties", "patternProperties")
"""Parts of a schema whose keys are keys of our files, not words of JSON Schema."""


def force_schema(rules: RuleSet) -> dict[str, Any]:
    """Return the JSON Schema for these rules that holds for force files and for libraries with ``rules``."""
    schema = schema_of(ForceModel, {"title": f"A force for {rules.manifest.title}"})
    schema["required"] = ["rules"]  # a library of designs has no name
    keys = schema["properties"]
    picture = {"description": "A picture at the head of upright cards.", **_plain(PictureModel)}
    designs = [
        _with_fields(DesignModel, kind.title, kind.fields, kind={"enum": _forms(kind.id, kind.title)}, picture=picture)
        for kind in kinds_of_designs(rules.kinds).values()
    ]
    keys["designs"]["items"] = {"oneOf": designs} if designs else False
    entries = _entries(_plain(EntryModel), "string")
    keys["units"]["items"] = _with_fields(UnitModel, "Unit", unit_fields(rules.kinds), of=entries)
    return schema


def _plain(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a model without ``$schema``, description and ``$defs``, to put it into another schema.

    Each ``$ref`` in the result leads to ``$defs`` that the other schema must have.
    """
    schema = schema_of(model, {})
    return {key: schema[key] for key in ("type", "additionalProperties", "required", "properties")}


def _with_fields(model: type[BaseModel], title: str, fields: Iterable[Field], **more: Any) -> dict[str, Any]:
    """Return the schema of a design or a unit: the keys of its model, some of them as in ``more``, and its fields."""
    schema = _plain(model)
    schema["properties"] |= more
    return {"title": title, **_added(schema, fields)}


def _added(schema: dict[str, Any], fields: Iterable[Field]) -> dict[str, Any]:
    """Return the schema of a mapping with these fields added."""
    by_name = {field.name: field for field in fields}
    required = [*schema["required"], *(name for name, field in by_name.items() if field.required)]
    properties = schema["properties"] | {name: _field(field) for name, field in by_name.items()}
    return {**schema, "required": required, "properties": properties}


def _entries(entry: dict[str, Any], *short: str) -> dict[str, Any]:
    """Return the schema of a list of entries, where ``entry`` is the schema of an entry.

    An entry, or the whole list, may also be in short notation: a value of one of the JSON types ``short``.
    """
    kinds = {"type": list(short)}
    notation = {**kinds, "description": "In the short way, semicolons between entries."}
    return {"oneOf": [{"type": "array", "items": {"oneOf": [entry, kinds]}}, notation]}


def _field(field: Field) -> dict[str, Any]:
    about: dict[str, Any] = {"description": field.label}
    if field.choice is None:
        empty: dict[str, Any] = {"type": "object", "additionalProperties": False, "required": [], "properties": {}}
        entry = _added(empty, field.fields)
        return about | _entries(entry, "string", *(["integer"] if begins_with_a_number(field) else []))
    if field.default is not None:
        about["default"] = field.default
    values = field.choice.values
    if field.choice.is_range:
        return about | {"type": "integer", "minimum": values[0], "maximum": values[-1]}
    if True in values:
        return about | {"enum": [True, False, "yes", "no"]}
    return about | {"enum": [form for value in values for form in _forms(value, field.choice.names.get(value, value))]}


def _forms(value: Any, name: Any) -> list[Any]:
    """Return the ways to write a value: as itself and, if that differs, by its printed name."""
    return [value] if value == name else [value, name]


_SHAPES = (("corners",), ("at", "size"), ("at", "radius"), ("path",))
"""The keys of each way to give a shape. A shape uses exactly one way; the checks enforce that, not the model."""


def scenario_schema(rules: RuleSet) -> dict[str, Any]:
    """Return the JSON Schema of a scenario for these rules, with forces inside the scenario or in their own files."""
    schema = schema_of(ScenarioModel, {"title": f"A scenario for {rules.manifest.title}"})
    parts = schema["$defs"]
    force = force_schema(rules)
    parts["Force"] = {key: force[key] for key in ("type", "additionalProperties", "properties")}
    parts["Force"]["title"] = "A force, written into its scenario"
    parts["Side"]["properties"]["force"] = {
        "description": parts["Side"]["properties"]["force"]["description"],
        "anyOf": [{"type": "string", "minLength": 1}, {"$ref": "#/$defs/Force"}],
    }
    parts["Piece"]["properties"]["kind"] |= {"enum": _forms_of(terrains(rules))}
    special = schema["properties"]["special"]
    special["items"] = {"anyOf": [{"enum": _forms_of(special_rules(rules))}, {"$ref": "#/$defs/Rule"}]}
    for name, ways in (("Piece", _SHAPES), ("Zone", _SHAPES[:-1])):
        parts[name]["oneOf"] = [{"required": list(keys)} for keys in ways]
    return schema


def _forms_of(known: Mapping[str, Any]) -> list[str]:
    """Return the ids and the printed names of the known things."""
    return list(dict.fromkeys(form for key, item in known.items() for form in (key, item.name)))


class Described(GenerateJsonSchema):
    """Schema generator that adds the docstring of each field as description, and leaves out titles of fields."""

    def field_title_should_be_set(self, schema: object) -> bool:
        """Return False: a title would only repeat the key."""
        del schema
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> dict[str, Any]:
        """Return pydantic's schema of a model, with the docstring of each field as its description."""
        cls: type[BaseModel] = schema["cls"]
        described = super().model_schema(schema)
        docs = _field_docs(cls)
        for name, info in cls.model_fields.items():
            if name in docs:
                described["properties"][info.alias or name]["description"] = docs[name]
        return described


def schema_of(model: type[BaseModel], about: dict[str, Any], generator: type[Described] = Described) -> dict[str, Any]:
    """Return the JSON Schema of a file of this model; the docstring of each field is the description of its key.

    ``about`` has keys that are put in front, such as ``title``. ``generator`` makes the schema of each model.
    """
    raw = model.model_json_schema(schema_generator=generator)
    definitions = {_short(name): _tidy(item) | {"title": words(name)} for name, item in raw.pop("$defs", {}).items()}
    head = {"$schema": _DIALECT, **about}
    schema = head | {key: value for key, value in _tidy(raw).items() if key != "title"}
    return schema | {"$defs": definitions} if definitions else schema


def _field_docs(cls: type[BaseModel]) -> dict[str, str]:
    """Return the docstrings of the fields of a model and of its base classes, by name of the field."""
    docs: dict[str, str] = {}
    for item in reversed(cls.__mro__):
        if issubclass(item, BaseModel) and item is not BaseModel:
            docs |= _docstrings(item.__module__).get(item.__name__, {})
    return docs


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """Return the docstrings of annotated attributes of the classes in a module, by class and name.

    Nested classes are left out. The module must be imported.
    """
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
