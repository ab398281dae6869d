"""The server as a process with pipes, and nothing between: for what a well-behaved client would never send."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from tests.support.patience import PATIENCE_SECONDS

Json = dict[str, Any]

GREETING: Json = {"processId": None, "rootUri": None, "capabilities": {"experimental": {"teamwright": {}}}}


def frame(message: object) -> bytes:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def request(message_id: int | str, method: str, params: object = None) -> bytes:
    return frame({"jsonrpc": "2.0", "id": message_id, "method": method, "params": params})


def notification(method: str, params: object = None) -> bytes:
    return frame({"jsonrpc": "2.0", "method": method, "params": params})


def command(message_id: int | str, name: str, **params: object) -> bytes:
    return request(message_id, "workspace/executeCommand", {"command": name, "arguments": [params]})


class RawServer:
    def __init__(
        self, home: Path, *, env: dict[str, str] | None = None, code: str | None = None, stderr: int | None = None
    ) -> None:
        """`stderr`: a descriptor of the test's own instead of a file that takes everything."""
        self._log = (home / "stderr.txt").open("w+b")
        # What lies in the folder that is worked on is the folder's word, not the user's.
        folder = home / "folder"
        folder.mkdir(exist_ok=True)
        program = ["-c", code] if code is not None else ["-m", "teamwright", "serve"]
        self.process = subprocess.Popen(
            [sys.executable, *program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log if stderr is None else stderr,
            cwd=folder,
            env={
                **os.environ,
                "TEAMWRIGHT_STATE_DIR": str(home / "state"),
                "TEAMWRIGHT_CONFIG": str(home / "none.yaml"),
                **(env or {}),
            },
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._stdin, self._stdout = self.process.stdin, self.process.stdout
        self._buffer = b""
        self._early: list[Json] = []

    def send(self, *data: bytes) -> Self:
        self._stdin.write(b"".join(data))
        self._stdin.flush()
        return self

    def greet(self, **params: object) -> Json:
        self.send(request("greeting", "initialize", {**GREETING, **params}))
        answer = self.answer_to("greeting")
        self.send(notification("initialized", {}))
        return answer

    def next(self, seconds: float = PATIENCE_SECONDS) -> Json | None:
        """The next message; None when the output has ended. Anything on stdout that is no frame fails the test."""
        deadline = time.monotonic() + seconds
        while (message := self._unframed()) is None:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._stdout], [], [], left)[0]:
                raise TimeoutError(f"no message within {seconds} s; stderr: {self.stderr()}")
            data = os.read(self._stdout.fileno(), 1 << 16)
            if not data:
                assert self._buffer == b""
                return None
            self._buffer += data
        return message

    def answer_to(self, message_id: int | str | None) -> Json:
        """Answers come in any order; one that nobody has asked for yet is kept."""
        if (early := next((each for each in self._early if each["id"] == message_id), None)) is not None:
            self._early.remove(early)
            return early
        while (message := self.next()) is not None:
            if "method" not in message and message["id"] == message_id:
                return message
            if "method" not in message:
                self._early.append(message)
        raise AssertionError(f"the output ended without an answer to {message_id}; stderr: {self.stderr()}")

    def rest(self) -> list[Json]:
        """All that still comes until the output ends."""
        return list(iter(self.next, None))

    def close_input(self) -> Self:
        self._stdin.close()
        return self

    def signal(self, number: signal.Signals) -> Self:
        self.process.send_signal(number)
        return self

    def ended(self, seconds: float = PATIENCE_SECONDS) -> int:
        return self.process.wait(seconds)

    def stderr(self) -> str:
        self._log.flush()
        return Path(self._log.name).read_text(encoding="utf-8")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        with_streams = (self._stdin, self._stdout, self._log)
        for stream in with_streams:
            try:
                stream.close()
            except BrokenPipeError:
                continue

    def _unframed(self) -> Json | None:
        header, found, rest = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return None
        length = int(header.partition(b"\r\n")[0].removeprefix(b"Content-Length: "))
        if len(rest) < length:
            return None
        self._buffer = rest[length:]
        return json.loads(rest[:length])


@contextmanager
def raw_server(home: Path, **options: Any) -> Generator[RawServer]:
    server = RawServer(home, **options)
    try:
        yield server
    finally:
        server.end()
