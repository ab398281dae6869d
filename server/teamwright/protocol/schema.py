"""The JSON Schema of the whole wire: what the clients' types and the tables of PROTOCOL.md are generated from."""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from teamwright.protocol.base import Wire
from teamwright.protocol.command_table import COMMANDS, RESERVED
from teamwright.protocol.events import EVENT_CLASSES
from teamwright.protocol.names import EVENT_METHOD, PROTOCOL_VERSION
from teamwright.protocol.records import EventRecord


class _WireSchema(GenerateJsonSchema):
    """What we send has all its fields, but for those that are left out when there is nothing to say."""

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,
    ) -> bool:
        if self.mode == "serialization":
            return not _is_left_out_when_absent(field)
        return super().field_is_required(field, total)

    def model_field_schema(self, schema: core_schema.ModelField) -> JsonSchemaValue:
        json_schema = super().model_field_schema(schema)
        if self.mode == "serialization" and _is_left_out_when_absent(schema):
            return _without_null(json_schema)
        return json_schema

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        json_schema = super().model_schema(schema)
        if self.mode == "serialization":
            # Clients pass over keys they do not know: the wire may grow.
            json_schema.pop("additionalProperties", None)
        return json_schema

    def field_title_should_be_set(self, schema: object) -> bool:
        del schema
        return False


def _is_left_out_when_absent(field: Any) -> bool:
    return field.get("serialization_exclude_if") is not None


def _without_null(schema: JsonSchemaValue) -> JsonSchemaValue:
    kept = {key: value for key, value in schema.items() if key not in {"anyOf", "default"}}
    branches = [branch for branch in schema.get("anyOf", ()) if branch != {"type": "null"}]
    return {**kept, **(branches[0] if len(branches) == 1 else {"anyOf": branches})}


def wire_schema() -> dict[str, Any]:
    wanted: dict[tuple[type[Wire], JsonSchemaMode], None] = {(EventRecord, "serialization"): None}
    for command in COMMANDS.values():
        wanted[command.params, "validation"] = None
        wanted[command.result, "serialization"] = None
    refs, schema = models_json_schema(list(wanted), schema_generator=_WireSchema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The wire of Teamwright, version {PROTOCOL_VERSION}",
        "commands": {
            name: {"params": refs[command.params, "validation"], "result": refs[command.result, "serialization"]}
            for name, command in COMMANDS.items()
        },
        "reservedCommands": list(RESERVED),
        "notification": {"method": EVENT_METHOD, "params": refs[EventRecord, "serialization"]},
        "events": {name: {"durable": cls.durable, "type": cls.__name__} for name, cls in EVENT_CLASSES.items()},
        "$defs": schema["$defs"],
    }
