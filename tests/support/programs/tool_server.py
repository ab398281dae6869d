"""An MCP server that a fake program starts: a client as small as can be, because the program is to start fast."""

import json
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any


@dataclass(frozen=True)
class ServerCommand:
    name: str
    command: str
    args: list[str]
    own_group: bool = False
    """Whether the program takes it out of its own group of processes."""
    shown: bool = True
    """Whether the model is shown its tools."""


class ToolServer:
    def __init__(self, given: ServerCommand, watcher: socket.socket | None) -> None:
        self.name = given.name
        self._ids = count(1)
        self._process = subprocess.Popen(
            [given.command, *given.args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=watcher and watcher.fileno(),
            process_group=0 if given.own_group else None,
        )
        client = {"name": "fake", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        assert "tools" in self._ask("initialize", hello)["capabilities"]
        self._send({"method": "notifications/initialized"})
        listed: list[dict[str, Any]] = self._ask("tools/list", {})["tools"]
        self.tools = listed if given.shown else []

    def use(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Waits for the answer, however long that takes."""
        return self._ask("tools/call", {"name": tool, "arguments": arguments})["content"][0]["text"]

    def close(self) -> None:
        self._process.communicate()

    def _ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        number = next(self._ids)
        self._send({"id": number, "method": method, "params": params})
        assert self._process.stdout is not None
        answer = json.loads(self._process.stdout.readline())
        assert answer["id"] == number
        return answer["result"]

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()
