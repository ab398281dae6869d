"""A whole client: python examples/client/ask.py "What does this project do?" prints the conversation as it comes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, cast

Json = dict[str, Any]
server = subprocess.Popen(["teamwright", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
to_server, from_server = cast("IO[bytes]", server.stdin), cast("IO[bytes]", server.stdout)
entries, printed = dict[str, Json](), dict[str, str]()


def command(name: str, arguments: Json, request: str) -> None:
    send("workspace/executeCommand", {"command": name, "arguments": [arguments]}, request)


def send(method: str, params: Json, request: str | None = None) -> None:
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params} | ({"id": request} if request else {}))
    to_server.write(f"Content-Length: {len(body.encode())}\r\n\r\n{body}".encode())
    to_server.flush()


def receive() -> Json:
    header, _ = from_server.readline(), from_server.readline()
    return json.loads(from_server.read(int(header.split(b":")[1])))


def take(op: Json) -> None:
    """All that there is to keep is entries by id, and all that there is to do is to draw the one that has changed."""
    if op["op"] == "remove":
        return
    entry = entries[op["entryId"]] if op["op"] == "append" else op["entry"]
    entries[entry["entryId"]] = entry
    if op["op"] == "append":
        next(part for part in entry["parts"] if part["part"] == op["part"])["text"] += op["text"]
    texts = [part["text"] for part in entry["parts"] if part.get("text") and not part.get("folded")]
    drawn, before = "\n".join((f"\n{entry.get('title', entry['kind'])}", *texts)), printed.get(entry["entryId"], "")
    print(drawn.removeprefix(before), end="", flush=True)
    printed[entry["entryId"]] = drawn
    if entry["state"] == "waiting" and entry["actions"]:
        # A whole client draws all of them as buttons. The last one is a no: nothing happens unasked.
        command(entry["actions"][-1]["command"], entry["actions"][-1]["arguments"], "no")


hello = {"processId": None, "rootUri": Path.cwd().as_uri(), "initializationOptions": {"transcript": True}}
send("initialize", hello | {"capabilities": {"experimental": {"teamwright": {"protocolVersion": 1}}}}, "hello")
send("initialized", {})
command("teamwright.chat", {"text": " ".join(sys.argv[1:])}, "chat")
while (message := receive()).get("id") != "whole" and "error" not in message:
    event = message.get("params", {}).get("event", {})
    for op in event.get("patch", []):
        take(op)
    if event.get("type") == "turn.finished":
        command("teamwright.session.open", {"sessionId": message["params"]["sessionId"]}, "whole")
for entry in (
    message["result"]["transcript"]["entries"] if "result" in message else sys.exit(message["error"]["message"])
):
    take({"op": "upsert", "entry": entry})
