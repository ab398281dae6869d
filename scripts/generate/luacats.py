"""The wire as LuaCATS annotations, for the Neovim client."""

import json
from collections.abc import Iterator

from scripts.generate.shapes import Alias, Dialect, Record, Schema, declarations, shape_of

_LUACATS = Dialect(
    primitives={"null": "vim.NIL", "object": "table<string, any>", "unknown": "any"},
    named="teamwright.{}",
    list_of="{}[]",
    map_of="table<string, {}>",
    either="|",
)


def luacats(wire: Schema) -> str:
    lines = ["---@meta", "-- Generated from the server's types by `make generate`. Do not edit.", ""]
    for declaration in declarations(wire):
        lines += [*_declaration(declaration), ""]
    lines.append("---@alias teamwright.CommandName")
    lines += [f"---| {json.dumps(name)}" for name in wire["commands"]]
    lines += ["", "---@class teamwright.Commands"]
    for name, command in wire["commands"].items():
        params, result = _LUACATS.spell(shape_of(command["params"])), _LUACATS.spell(shape_of(command["result"]))
        lines.append(f"---@field [{json.dumps(name)}] {{ params: {params}, result: {result} }}")
    return "\n".join([*lines, ""])


def _declaration(declaration: Record | Alias) -> Iterator[str]:
    if isinstance(declaration, Alias):
        yield f"---@alias teamwright.{declaration.name} {_LUACATS.spell(declaration.shape)}"
        return
    if declaration.doc:
        yield f"---{' '.join(declaration.doc.split())}"
    yield f"---@class teamwright.{declaration.name}"
    for field in declaration.fields:
        yield f"---@field {field.name}{'' if field.required else '?'} {_LUACATS.spell(field.shape)}"
