"""The scripted model server: its script, what it has received, and the thread in which it runs."""

import asyncio
import itertools
import socket
import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

from tests.support.model_server.connection import Connection, Received
from tests.support.model_server.control import control_steps
from tests.support.model_server.delivery import Step
from tests.support.model_server.request import Request
from tests.support.model_server.router import Router
from tests.support.model_server.script import ModelScript
from tests.support.model_server.waiting import Gate, Tally
from tests.support.patience import PATIENCE_SECONDS

LOOPBACK = "127.0.0.1"


class ModelServer:
    """Speaks the providers' formats on a port of loopback, from a thread and an event loop of its own.

    Use it as a context manager. Everything public may be called from any thread.
    """

    def __init__(self, port: int = 0) -> None:
        self._port = port
        self._router = Router()
        self._requests: list[Request] = []
        self._received = Tally("requests received")
        self._orders = itertools.count(1)
        self._gates: dict[str, Gate] = {}
        self._connections: set[asyncio.Task[None]] = set()
        self._ready: Future[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._thread = threading.Thread(target=self._run, name="model-server", daemon=True)
        self._refusing: socket.socket | None = None

    def model(self, name: str) -> ModelScript:
        """The script of a model. Asking for it makes the model known."""
        return self._router.scripts.setdefault(name, ModelScript(name))

    def new_script(self) -> None:
        """Forgets every model and what was left for it to say; what was received stays."""
        self._router.scripts.clear()

    @property
    def listing(self) -> ModelScript:
        """What goes wrong with the list of models, before it is answered truthfully."""
        return self._router.listing_faults

    def gate(self, name: str) -> Gate:
        return self._gates.setdefault(name, Gate(name, self.url))

    def requires_key(self, key: str) -> None:
        """From now on every other key is refused, as the provider would."""
        self._router.key = key

    @property
    def url(self) -> str:
        """Anthropic's base URL."""
        return f"http://{LOOPBACK}:{self._port}"

    @property
    def openai_url(self) -> str:
        return f"{self.url}/v1"

    @property
    def refusing_url(self) -> str:
        """An address that refuses every connection: its port is ours, and nobody listens."""
        if self._refusing is None:
            self._refusing = socket.socket()
            self._refusing.bind((LOOPBACK, 0))
        return f"http://{LOOPBACK}:{self._refusing.getsockname()[1]}"

    @property
    def requests(self) -> list[Request]:
        """Every request so far, in the order of arrival."""
        return list(self._requests)

    def requests_to(self, model: str) -> list[Request]:
        return [request for request in self.requests if request.model == model]

    async def received(self, count: int) -> None:
        """Returns as soon as so many requests have arrived."""
        await self._received.reaches(count)

    def wait_received(self, count: int) -> None:
        self._received.wait(count)

    def take_complaints(self) -> list[str]:
        """What was not foreseen. Who takes it answers for it: `check` will not report it again."""
        taken = list(self._router.complaints)
        self._router.complaints.clear()
        return taken

    def check(self) -> None:
        """Fails the test if anything was asked that the script did not foresee or the provider would refuse."""
        if complaints := self.take_complaints():
            raise AssertionError("The model server was asked what it did not expect:\n" + "\n".join(complaints))

    def __enter__(self) -> Self:
        self._thread.start()
        self._port, self._loop, self._stopping = self._ready.result(PATIENCE_SECONDS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(PATIENCE_SECONDS)
        if self._refusing is not None:
            self._refusing.close()
        if self._thread.is_alive():
            raise RuntimeError(f"the model server did not stop within {PATIENCE_SECONDS} s")

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except OSError as error:
            self._ready.set_exception(error)

    async def _serve(self) -> None:
        stopping = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._record_fault)
        server = await asyncio.start_server(self._connected, LOOPBACK, self._port)
        self._ready.set_result((server.sockets[0].getsockname()[1], loop, stopping))
        await stopping.wait()
        server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await server.wait_closed()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.ensure_future(Connection(reader, writer, self._respond).serve())
        self._connections.add(connection)
        connection.add_done_callback(self._connections.discard)

    def _respond(self, received: Received) -> tuple[Request, Iterable[Step]]:
        controls = received.path.startswith("/control/")
        request = Request(
            order=0 if controls else next(self._orders),
            method=received.method,
            path=received.path,
            headers=received.headers,
            raw=received.raw,
            arrived_at=time.monotonic(),
        )
        if controls:
            return request, control_steps(request, self.requests, self.gate)
        self._requests.append(request)
        steps = self._router.steps(request)
        self._received.add()
        return request, steps

    def _record_fault(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._router.complaints.append(f"a fault of the model server itself: {context!r}")
