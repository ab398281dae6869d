"""Twenty thousand messages that no client would send: the server lives, answers each request once, and has no bug."""

import json
import random
import re
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from teamwright.protocol.command_table import COMMANDS
from tests.lsp.raw_server import command, frame, notification, raw_server, request

SEED = 20_261
MESSAGES = 20_000

METHODS = [
    "workspace/executeCommand",
    "textDocument/codeAction",
    "textDocument/hover",
    "textDocument/completion",
    "initialize",
    "completionItem/resolve",
    "workspace/symbol",
    "teamwright/unheardOf",
    "$/optional",
]
NOTIFICATIONS = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    "window/workDoneProgress/cancel",
    "$/cancelRequest",
    "$/setTrace",
    "initialized",
    "teamwright/unheardOf",
]
KEYS = [
    "uri",
    "textDocument",
    "position",
    "contentChanges",
    "text",
    "version",
    "range",
    "start",
    "end",
    "line",
    "character",
    "sessionId",
    "runId",
    "turnId",
    "decisionId",
    "arguments",
    "command",
    "class",
    "my-key",
    "jsonrpc",
    "settings",
    "event",
    "added",
    "removed",
    "token",
    "id",
    "files",
    "hunks",
    "limit",
    "query",
]
# What would start work, or leave: the fuzz is about the way there.
WORKS = {
    "teamwright.chat",
    "teamwright.launch_run",
    "teamwright.review",
    "teamwright.explain",
    "teamwright.fix",
    "teamwright.test",
}
COMMAND_NAMES = [name for name in COMMANDS if name not in WORKS]

LEAVES: list[Any] = [None, True, 0, -1, 2**70, 1.5, "", "x" * 300, "\ud800", "file:///a.py", "ses_1", "run_1", [], {}]


class Chaos:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.ids: list[int | str] = []

    def message(self) -> bytes:
        kind = self._random.choices(
            [self._command, self._request, self._notification, self._response, self._nonsense, self._bad_frame],
            [40, 20, 20, 5, 12, 3],
        )[0]
        return kind()

    def _id(self) -> int | str:
        number = len(self.ids)
        self.ids.append(number if self._random.random() < 0.7 else f"id {number}")
        return self.ids[-1]

    def _command(self) -> bytes:
        if self._random.random() < 0.2:
            return request(self._id(), "workspace/executeCommand", self._value(3))
        return command(self._id(), self._random.choice(COMMAND_NAMES), **self._object(2))

    def _request(self) -> bytes:
        return request(self._id(), self._random.choice(METHODS), self._value(4))

    def _notification(self) -> bytes:
        return notification(self._random.choice(NOTIFICATIONS), self._value(4))

    def _response(self) -> bytes:
        return frame({"jsonrpc": "2.0", "id": self._random.choice([1, "teamwright-1"]), "result": self._value(2)})

    def _nonsense(self) -> bytes:
        """Without an id that could be answered."""
        text = json.dumps({"method": self._value(1) if self._random.random() < 0.3 else "m", "params": self._value(2)})
        cut = text[: self._random.randrange(len(text))]
        return frame(self._random.choice([cut.encode(), b"[]", b"null", b"\xff\xff", b"", b"[" * 5_000]))

    def _bad_frame(self) -> bytes:
        return self._random.choice(
            [b"Content-Length: x\r\n\r\n{}", b"junk\r\n\r\n", b"Content-Type: x\r\n\r\n", b"\0\1\2", b"\r\n\r\n"]
        )

    def _object(self, depth: int) -> dict[str, Any]:
        keys = self._random.sample(KEYS, self._random.randrange(4))
        return {key: self._value(depth - 1) for key in keys}

    def _value(self, depth: int) -> Any:
        if depth <= 0 or self._random.random() < 0.4:
            return self._random.choice(LEAVES)
        if self._random.random() < 0.3:
            return [self._value(depth - 1) for _ in range(self._random.randrange(3))]
        return self._object(depth)


def test_twenty_thousand_odd_messages_are_survived_and_every_request_is_answered_once(tmp_path: Path) -> None:
    chaos = Chaos(SEED)
    stream = [chaos.message() for _ in range(MESSAGES)]
    with raw_server(tmp_path) as server:
        server.greet()
        sender = threading.Thread(target=lambda: server.send(*stream, command("last", "teamwright.session.list")))
        sender.start()
        answered: Counter[int | str | None] = Counter()
        while "last" not in answered or answered.total() < len(chaos.ids):
            message = server.next(120)
            assert message is not None, server.stderr()
            if "method" not in message:
                answered[message["id"]] += 1
        sender.join()
        server.send(request("shutdown", "shutdown"), notification("exit"))
        answered.update(message["id"] for message in server.rest() if "method" not in message)
        assert server.ended() == 0
        assert not re.search("Traceback|Error", server.stderr()), server.stderr()
    del answered[None]
    assert answered == Counter([*chaos.ids, "last", "shutdown"])
