"""A client of the language server, as an outsider would write it: the real process, real frames, nothing shared.

Every wait has a deadline.
"""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from typing import Any, Protocol

from tests.support.lsp_shapes import fault_in
from tests.support.patience import PATIENCE_SECONDS

Json = dict[str, Any]
Answering = Callable[[Any], Awaitable[Any]]

# Of what has come and is not read yet; a single message may be longer.
STREAM_LIMIT = 256 * 1024


class LspError(Exception):
    """The server answered a request with an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.data: Any = error.get("data")


class Process(Protocol):
    """Of a server, with pipes to its standard input and output."""

    stdin: asyncio.StreamWriter | None
    stdout: asyncio.StreamReader | None

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    def kill(self) -> None: ...

    async def wait(self) -> int: ...


class LspClient:
    def __init__(self, process: Process) -> None:
        self._process = process
        self._ids = count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._asked: dict[int, str] = {}
        self._news = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())
        self.events: list[Json] = []
        self.notifications: list[Json] = []
        # Everything in the order it arrived: responses by their id, events as they are.
        self.arrived: list[Json] = []
        # What was not of LSP's shape; the door fails the test for it.
        self.misshapen: list[str] = []
        self.returncode: int | None = None
        # Who answers what the server asks; what nobody answers is among the notifications.
        self.answers: dict[str, Answering] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self._may_read = asyncio.Event()
        self._may_read.set()

    @classmethod
    async def spawn(cls, *arguments: str, env: Mapping[str, str], cwd: str) -> "LspClient":
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "teamwright",
            "serve",
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **env},
            cwd=cwd,
            limit=STREAM_LIMIT,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    async def initialize(
        self,
        root_uri: str,
        *,
        capabilities: Json | None = None,
        folders: Mapping[str, str] | None = None,
        **options: object,
    ) -> Json:
        """`capabilities` besides those of a client that knows our protocol; `folders` are names by URI."""
        named = folders or {root_uri: "workspace"}
        result = await self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root_uri,
                "workspaceFolders": [{"uri": uri, "name": name} for uri, name in named.items()],
                "capabilities": {"experimental": {"teamwright": {"protocolVersion": 1}}, **(capabilities or {})},
                "initializationOptions": options,
            },
        )
        await self.notify("initialized", {})
        return result

    async def command(self, name: str, /, **params: object) -> Any:
        return await self.request("workspace/executeCommand", {"command": name, "arguments": [params]})

    async def request(self, method: str, params: object) -> Any:
        response = asyncio.get_running_loop().create_future()
        message_id = next(self._ids)
        self._waiting[message_id] = response
        self._asked[message_id] = method
        await self.send({"jsonrpc": "2.0", "id": message_id, "method": method, "params": params})
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await response

    async def notify(self, method: str, params: object) -> None:
        await self.send({"jsonrpc": "2.0", "method": method, "params": params})

    async def send(self, message: Json) -> None:
        await self.send_bytes(json.dumps(message).encode())

    async def send_bytes(self, body: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        await self._process.stdin.drain()

    async def event(self, event_type: str, where: Callable[[Json], bool] = lambda _: True) -> Json:
        """The first record with such an event, whether it has come already or is still to come."""
        return await self.record(lambda r: r["event"]["type"] == event_type and where(r))

    async def record(self, where: Callable[[Json], bool], *, within: float = PATIENCE_SECONDS) -> Json:
        def found() -> Json | None:
            return next((record for record in self.events if where(record)), None)

        async with asyncio.timeout(within), self._news:
            await self._news.wait_for(lambda: found() is not None)
        record = found()
        assert record is not None
        return record

    async def notification(self, method: str, where: Callable[[Json], bool] = lambda _: True) -> Json:
        """The params of the first such notification, whether it has come already or is still to come."""

        def found() -> list[Json]:
            return [each["params"] for each in self.notifications if each["method"] == method and where(each["params"])]

        async with asyncio.timeout(PATIENCE_SECONDS), self._news:
            await self._news.wait_for(found)
        return found()[0]

    async def request_of_the_server(self, method: str) -> Json:
        """The first such request, which nobody answers by itself."""
        async with asyncio.timeout(PATIENCE_SECONDS), self._news:
            await self._news.wait_for(lambda: any(each["method"] == method for each in self.notifications))
        return next(each for each in self.notifications if each["method"] == method)

    def stop_reading(self) -> None:
        """But for the little that the pipe and its buffer take in."""
        self._may_read.clear()

    def read_on(self) -> None:
        self._may_read.set()

    async def shutdown(self) -> int:
        await self.request("shutdown", None)
        await self.notify("exit", None)
        return await self.ended()

    async def close_input(self) -> int:
        assert self._process.stdin is not None
        self._process.stdin.close()
        return await self.ended()

    async def ended(self) -> int:
        async with asyncio.timeout(PATIENCE_SECONDS):
            self.returncode = await self._process.wait()
            await self._reader
        return self.returncode

    async def kill(self) -> None:
        self.read_on()
        if self._process.returncode is None:
            self._process.kill()
        await self.ended()

    async def _read(self) -> None:
        assert self._process.stdout is not None
        stream = self._process.stdout
        while header := await stream.readline():
            length = int(header.removeprefix(b"Content-Length: "))
            while (await stream.readline()).strip():
                pass
            await self._take(json.loads(await stream.readexactly(length)))
            await self._may_read.wait()

    async def _answer(self, message: Json) -> None:
        result = await self.answers[message["method"]](message["params"])
        await self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    async def _take(self, message: Json) -> None:
        self.arrived.append(message)
        if (fault := fault_in(message, self._asked.get(message.get("id", 0)))) is not None:
            self.misshapen.append(fault)
        if "id" in message and "method" not in message:
            response = self._waiting.pop(message["id"])
            if "error" in message:
                response.set_exception(LspError(message["error"]))
            else:
                response.set_result(message["result"])
        elif "id" in message and message["method"] in self.answers:
            answering = asyncio.create_task(self._answer(message))
            self._answering.add(answering)
            answering.add_done_callback(self._answering.discard)
        elif message.get("method") == "teamwright/event":
            self.events.append(message["params"])
        else:
            self.notifications.append(message)
        async with self._news:
            self._news.notify_all()
