"""The wire as tables of Markdown, for the protocol's document."""

import re
from collections.abc import Mapping

from scripts.generate.shapes import Constant, Dialect, Record, Schema, declarations, type_name

_MARKDOWN = Dialect(
    primitives={},
    named="{}",
    list_of="[{}]",
    map_of="{{…: {}}}",
    either=" \\| ",
    parenthesised="{}",
)
_LITERAL_FIELDS = frozenset({"type", "kind", "v"})


def fill_in(document: str, wire: Schema) -> str:
    """Replaces what stands between `<!-- generated: NAME -->` and `<!-- end -->`."""
    tables = {"commands": _commands(wire), "events": _events(wire), "types": _types(wire)}

    def table(match: re.Match[str]) -> str:
        return f"<!-- generated: {match[1]} -->\n{tables[match[1]]}\n<!-- end -->"

    return re.sub(r"<!-- generated: (\w+) -->.*?<!-- end -->", table, document, flags=re.DOTALL)


def _records(wire: Schema) -> Mapping[str, Record]:
    return {each.name: each for each in declarations(wire) if isinstance(each, Record)}


def _commands(wire: Schema) -> str:
    records = _records(wire)
    rows = ["| command | params | result |", "| --- | --- | --- |"]
    for name, command in wire["commands"].items():
        params, result = (records[_ref(command[side])] for side in ("params", "result"))
        rows.append(f"| `{name}` | {_fields(params) or 'none'} | {_fields(result)} |")
    reserved = ", ".join(f"`{name}`" for name in wire["reservedCommands"])
    return "\n".join([*rows, f"| {reserved} | reserved | error 501 |"])


def _events(wire: Schema) -> str:
    records = _records(wire)
    rows = ["| type | durable | fields |", "| --- | --- | --- |"]
    for name, event in wire["events"].items():
        rows.append(f"| `{name}` | {'yes' if event['durable'] else 'no'} | {_fields(records[event['type']])} |")
    return "\n".join(rows)


def _types(wire: Schema) -> str:
    """The types that the two tables name, without the commands' and events' own."""
    named = {event["type"] for event in wire["events"].values()}
    named |= {_ref(command[side]) for command in wire["commands"].values() for side in ("params", "result")}
    rows = ["| type | fields |", "| --- | --- |"]
    rows += [f"| `{name}` | {_fields(record)} |" for name, record in _records(wire).items() if name not in named]
    return "\n".join(rows)


def _ref(schema: Schema) -> str:
    return type_name(schema["$ref"].rsplit("/", 1)[1])


def _fields(record: Record) -> str:
    return ", ".join(
        f"`{field.name}{'' if field.required else '?'}: {_MARKDOWN.spell(field.shape)}`"
        for field in record.fields
        if not (field.name in _LITERAL_FIELDS and isinstance(field.shape, Constant))
    )
