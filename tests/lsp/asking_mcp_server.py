"""An MCP server of the tests' own that writes down every call. What it says of its tool stands in a file beside it."""

import json
import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

home = Path(sys.argv[1])
said = json.loads((home / "said.json").read_text(encoding="utf-8"))
server = MCPServer("post")


@server.tool(description=said["description"], annotations=ToolAnnotations(**said["annotations"]))
def send(to: str) -> str:
    with (home / "calls.txt").open("a", encoding="utf-8") as calls:
        calls.write(f"{to}\n")
    return f"sent to {to}"


(home / "started").touch()
server.run("stdio")
