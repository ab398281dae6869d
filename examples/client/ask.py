"""A Quorate client in one page: starts the server, says something, prints the answer as it comes.

python examples/client/ask.py "What does this project do?"
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast


class Client:
    def __init__(self, server: list[str]) -> None:
        process = subprocess.Popen(server, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._to_server, self._from_server = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
        self._last_id = 0

    def request(self, method: str, params: Any) -> int:
        self._last_id += 1
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        return self._last_id

    def notify(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def messages(self) -> Iterator[dict[str, Any]]:
        """Each is a header that says how long the body is, an empty line, and the body."""
        while header := self._from_server.readline():
            self._from_server.readline()
            yield json.loads(self._from_server.read(int(header.split(b":")[1])))

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        self._to_server.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._to_server.flush()


def main(words: str) -> int:
    client = Client(["quorate", "serve"])
    capabilities = {"experimental": {"quorate": {"protocolVersion": 1}}}
    client.request("initialize", {"processId": None, "rootUri": Path.cwd().as_uri(), "capabilities": capabilities})
    client.notify("initialized", {})
    chat = client.request("workspace/executeCommand", {"command": "quorate.chat", "arguments": [{"text": words}]})
    for message in client.messages():
        if message.get("id") == chat and "error" in message:
            print(message["error"]["message"])
            return 1
        event: dict[str, Any] = message["params"]["event"] if message.get("method") == "quorate/event" else {}
        match event.get("type"):
            case "item.delta":
                print(event["text"], end="", flush=True)
            case "decision.requested":
                # A whole client asks the person. This one says no, so that nothing happens unasked.
                answer = {"decisionId": event["decision"]["decisionId"], "choice": "cancel"}
                client.request("workspace/executeCommand", {"command": "quorate.approve", "arguments": [answer]})
            case "turn.finished":
                print()
                return 0 if event["outcome"] == "completed" else 1
            case _:
                pass
    return 1


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
