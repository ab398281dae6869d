"""A small MCP server that does what servers do, and what they should not. On stdio, or on a socket that it inherits."""

import fcntl
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import anyio
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("small")


@server.tool()
def add(first: int, second: int) -> int:
    """Add two numbers."""
    return first + second


@server.tool(name="odd name/with.dots")
def odd() -> str:
    return "odd"


@server.tool()
def refuse() -> str:
    raise ToolError("not on a Sunday")


@server.tool()
def environment() -> str:
    return "\n".join(sorted(os.environ))


@server.tool()
def reveal(ctx: Context) -> str:
    """The secrets that it was given."""
    return f"{os.environ.get('SMALL_TOKEN')} {(ctx.headers or {}).get('authorization')}"


@server.tool()
def recite(characters: int) -> str:
    return "x" * characters


@server.tool()
def draw() -> Image:
    return Image(data=b"\x89PNG", format="png")


@server.tool()
def place() -> str:
    return str(Path.cwd())


@server.tool()
def die() -> str:
    """Without a word on the wire, and its secret as its last word."""
    print("out of memory", os.environ.get("SMALL_TOKEN"), file=sys.stderr, flush=True)
    os._exit(3)


@server.tool()
async def dawdle(told: str, ctx: Context) -> str:
    """Goes on until it is told to stop, which it writes into the named file."""
    await ctx.report_progress(1, 3, "warming up")
    try:
        await anyio.sleep_forever()
        return "never"
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.Path(told).write_text("told to stop", encoding="utf-8")


@server.tool()
def cling(lock: str) -> str:
    """Goes on for ever, whatever the client does, with a child that does so too; both hold the lock."""
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    subprocess.Popen(["sh", "-c", "trap '' TERM; sleep 1000"], pass_fds=[descriptor])
    threading.Thread(target=threading.Event().wait).start()
    return "done"


def serve_http(descriptor: int) -> None:
    import uvicorn

    config = uvicorn.Config(server.streamable_http_app(), log_level="warning")
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        serve_http(int(sys.argv[1]))
    else:
        server.run("stdio")
