"""A JSON Schema's shapes as the few that a client's type language needs, with no dialect in them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Primitive:
    name: str


@dataclass(frozen=True)
class Constant:
    value: str | int | bool


@dataclass(frozen=True)
class Named:
    name: str


@dataclass(frozen=True)
class ListOf:
    element: "Shape"


@dataclass(frozen=True)
class MapOf:
    value: "Shape"


@dataclass(frozen=True)
class Union:
    branches: tuple["Shape", ...]


Shape = Primitive | Constant | Named | ListOf | MapOf | Union


@dataclass(frozen=True)
class Field:
    name: str
    shape: Shape
    required: bool


@dataclass(frozen=True)
class Record:
    name: str
    doc: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Alias:
    name: str
    shape: Shape


@dataclass(frozen=True)
class Dialect:
    """How a type language spells the shapes."""

    primitives: Mapping[str, str]
    named: str
    list_of: str
    map_of: str
    either: str
    parenthesised: str = "({})"

    def spell(self, shape: Shape) -> str:
        match shape:
            case Primitive(name):
                return self.primitives.get(name, name)
            case Constant(value):
                return json.dumps(value)
            case Named(name):
                return self.named.format(name)
            case ListOf(element):
                spelt = self.spell(element)
                return self.list_of.format(self.parenthesised.format(spelt) if isinstance(element, Union) else spelt)
            case MapOf(value):
                return self.map_of.format(self.spell(value))
            case Union(branches):
                return self.either.join(self.spell(branch) for branch in branches)


def type_name(definition: str) -> str:
    """`Modes-Input` is what may be sent to the server, `Modes-Output` (plainly `Modes`) what comes from it."""
    return definition.removesuffix("-Output").replace("-", "")


def shape_of(schema: Schema) -> Shape:
    if "$ref" in schema:
        return Named(type_name(schema["$ref"].rsplit("/", 1)[1]))
    if "const" in schema:
        return Constant(schema["const"])
    if "enum" in schema:
        return Union(tuple(Constant(value) for value in schema["enum"]))
    if branches := schema.get("anyOf") or schema.get("oneOf"):
        return Union(tuple(shape_of(branch) for branch in branches))
    match schema.get("type"):
        case "array":
            return ListOf(shape_of(schema["items"]))
        case "object":
            values = schema.get("additionalProperties", True)
            return MapOf(Primitive("unknown") if values is True else shape_of(values))
        case None:
            return Primitive("unknown")
        case primitive:
            return Primitive(primitive)


def declarations(wire: Schema) -> Iterator[Record | Alias]:
    for definition, schema in sorted(wire["$defs"].items()):
        if "properties" not in schema and schema.get("type") != "object":
            yield Alias(type_name(definition), shape_of(schema))
            continue
        required = schema.get("required", ())
        fields = (
            Field(name, shape_of(field), name in required) for name, field in schema.get("properties", {}).items()
        )
        yield Record(type_name(definition), schema.get("description", "").split("\n\n")[0], tuple(fields))
