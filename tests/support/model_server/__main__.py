"""The server as a program, for tests in other languages.

python -m tests.support.model_server --script team.py [--port N]

The script is a Python file that defines `script(server)`. One line of JSON on stdout says where the server listens.
It runs until its stdin is closed, and fails if it was asked what the script did not foresee.
"""

import argparse
import json
import runpy
import sys
from pathlib import Path

from tests.support.model_server import ModelServer


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.support.model_server")
    parser.add_argument("--script", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    arguments = parser.parse_args()
    with ModelServer(arguments.port) as server:
        runpy.run_path(str(arguments.script))["script"](server)
        print(json.dumps({"url": server.url, "openaiUrl": server.openai_url}), flush=True)
        sys.stdin.buffer.read()
    for complaint in (complaints := server.take_complaints()):
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
