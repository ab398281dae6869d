"""The types of LSP, loaded lightly: in an interpreter of their own, where nobody has loaded them before."""

import json
import subprocess
import sys
from typing import Any

_GREETING = """
import json
from quorate.lsp.language_server import initialize
from lsprotocol import types
import lsprotocol.types
from pygls.protocol import default_converter

said = {"textDocument": {"uri": "file:///a"}, "position": {"line": 1, "character": 2}}
converter = default_converter()
completion = converter.structure(said, types.CompletionParams)
print(json.dumps({
    "copies": "Position" in types.CompletionParams.__init__.__globals__,
    "one module": types is lsprotocol.types,
    "there and back": converter.unstructure(completion),
    "encoding": initialize({})["capabilities"]["positionEncoding"],
}))
"""


def _printed(code: str) -> Any:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60, check=True)
    return json.loads(done.stdout)


def test_types_without_copies_of_their_module_work_like_any_others() -> None:
    assert _printed(_GREETING) == {
        "copies": False,
        "one module": True,
        "there and back": {"textDocument": {"uri": "file:///a"}, "position": {"line": 1, "character": 2}},
        "encoding": "utf-16",
    }


def test_types_that_someone_has_loaded_before_are_left_as_they_are() -> None:
    code = (
        "from lsprotocol import types as first\nfrom quorate.lsp.light_types import types\nprint(int(first is types))"
    )
    assert _printed(code) == 1
