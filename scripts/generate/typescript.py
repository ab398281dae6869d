"""The wire as TypeScript types, for the VS Code client."""

import json
from collections.abc import Iterator

from scripts.generate.shapes import Alias, Dialect, Record, Schema, declarations, shape_of

_TYPESCRIPT = Dialect(
    primitives={"integer": "number", "object": "Record<string, unknown>"},
    named="{}",
    list_of="{}[]",
    map_of="Record<string, {}>",
    either=" | ",
)


def typescript(wire: Schema) -> str:
    lines = ["// Generated from the server's types by `make generate`. Do not edit.", ""]
    for declaration in declarations(wire):
        lines += [*_declaration(declaration), ""]
    lines += ["export interface Commands {"]
    for name, command in wire["commands"].items():
        params, result = _TYPESCRIPT.spell(shape_of(command["params"])), _TYPESCRIPT.spell(shape_of(command["result"]))
        lines.append(f"  {json.dumps(name)}: {{ params: {params}; result: {result} }};")
    lines += ["}", "", "export type CommandName = keyof Commands;", ""]
    return "\n".join(lines)


def _declaration(declaration: Record | Alias) -> Iterator[str]:
    if isinstance(declaration, Alias):
        yield f"export type {declaration.name} = {_TYPESCRIPT.spell(declaration.shape)};"
        return
    if declaration.doc:
        yield f"/** {' '.join(declaration.doc.split())} */"
    yield f"export interface {declaration.name} {{"
    for field in declaration.fields:
        yield f"  {field.name}{'' if field.required else '?'}: {_TYPESCRIPT.spell(field.shape)};"
    yield "}"
