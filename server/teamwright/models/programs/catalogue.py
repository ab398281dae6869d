"""An MCP server on stdio that lists our tools to a program, and does nothing when one is called: the call is seen in
the program's own output, and run by us.

Standard library only: importing the MCP SDK takes 1.7 s of CPU, of the 2 s that we may add to a program's first word.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

Json: TypeAlias = dict[str, Any]

_PROTOCOL_VERSION: Final = "2025-06-18"
_METHOD_NOT_FOUND: Final = -32601


def main(catalogue_file: str) -> None:
    """Ends with its input, and so with the program: some programs put their servers out of our reach."""
    catalogue: Json = json.loads(Path(catalogue_file).read_text(encoding="utf-8"))
    for line in sys.stdin.buffer:
        message = json.loads(line)
        answer = answer_to(cast("Json", message), catalogue) if isinstance(message, dict) else None
        if answer is not None:
            sys.stdout.buffer.write(json.dumps(answer).encode("ascii") + b"\n")
            sys.stdout.buffer.flush()


def answer_to(message: Json, catalogue: Json) -> Json | None:
    """None where no answer is due, as for every notification."""
    if "id" not in message or "method" not in message:
        return None
    match message["method"]:
        case "initialize":
            result: Json = {
                "protocolVersion": message.get("params", {}).get("protocolVersion", _PROTOCOL_VERSION),
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "teamwright", "version": "1"},
            }
        case "ping":
            result = {}
        case "tools/list":
            result = {"tools": catalogue["tools"]}
        case "tools/call" if catalogue["answer"] is None:
            return None
        case "tools/call":
            result = {"content": [{"type": "text", "text": catalogue["answer"]}]}
        case method:
            error = {"code": _METHOD_NOT_FOUND, "message": f"There is no method {method!r}."}
            return {"jsonrpc": "2.0", "id": message["id"], "error": error}
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


if __name__ == "__main__":
    main(sys.argv[1])
