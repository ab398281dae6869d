"""An MCP server without measure, written by hand: an honest library would not let it be one. Its argument is how."""

import json
import os
import sys
from typing import Any

HUGE = 200_000_000
CATASTROPHE = "^(a+)+$"
VICTIM = "a" * 40 + "!"
PLAIN: dict[str, Any] = {"type": "object", "properties": {}}


def tool(name: str, schema: dict[str, Any] = PLAIN, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": f"Does {name}.", "inputSchema": schema, **more}


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"deeper": schema}}
    return schema


def doubling(count: int) -> dict[str, Any]:
    """Ten definitions, each of which refers twice to the next."""
    definitions: dict[str, Any] = {
        f"d{number}": {"allOf": [{"$ref": f"#/$defs/d{number + 1}"}, {"$ref": f"#/$defs/d{number + 1}"}]}
        for number in range(count)
    }
    definitions[f"d{count}"] = {"type": "string"}
    return {"type": "object", "properties": {"text": {"$ref": "#/$defs/d0"}}, "$defs": definitions}


PATTERN = {"type": "object", "properties": {"text": {"type": "string", "pattern": CATASTROPHE}}}
TOOLS: dict[str, list[dict[str, Any]]] = {
    "many": [tool(f"tool_{number}") for number in range(1_000)],
    "deep": [tool("fine"), tool("deep", nested(50))],
    "large": [tool("fine"), tool("large", {"type": "object", "description": "x" * 100_000})],
    "pattern": [tool("fine", PATTERN, outputSchema=PATTERN)],
    "doubling": [tool("fine", doubling(40))],
}


def answer(method: str, mode: str) -> dict[str, Any]:
    match method:
        case "initialize":
            info = {"name": "hostile", "version": "1"}
            return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
        case "tools/list":
            if mode == "list":
                pour()
            return {"tools": TOOLS.get(mode, [tool("fine")])}
        case "tools/call":
            if mode == "result":
                pour()
            text = [{"type": "text", "text": f"Done. {os.environ.get('HOSTILE_TOKEN', '')}"}]
            return {"content": text, "structuredContent": {"text": VICTIM}}
        case _:
            return {}


def pour() -> None:
    """A message that does not end."""
    sys.stdout.write('{"jsonrpc": "2.0", "id": 1, "result": {"text": "')
    for _ in range(HUGE // 1_000_000):
        sys.stdout.write("x" * 1_000_000)
        sys.stdout.flush()


def main(mode: str) -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            reply = {"jsonrpc": "2.0", "id": asked["id"], "result": answer(asked["method"], mode)}
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
