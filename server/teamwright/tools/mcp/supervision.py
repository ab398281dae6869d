"""One MCP server under supervision: started when needed, started anew when it failed, ended with its owner."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup, TaskStatus

from teamwright.config.backend_settings import McpServer
from teamwright.models.programs.complaints import Complaints
from teamwright.preload import preload
from teamwright.tools.limits import MAX_RESULT_CHARACTERS
from teamwright.tools.mcp.port import CallFailed, Disconnected, ListedTool, Overrun, SecretValues, secret_values
from teamwright.tools.port import Failed, Outcome, Succeeded, head_and_tail

if TYPE_CHECKING:
    from teamwright.tools.mcp.client import McpConnection


# A sentence for whoever waits.
Report = Callable[[str], Awaitable[None]]


async def unheard(sentence: str) -> None:
    del sentence


_FIRST_SECONDS: Final = 5.0
_LONGEST_SECONDS: Final = 60.0
_LONGEST_LINE: Final = 300


@dataclass(frozen=True, slots=True)
class McpDeadlines:
    """Seconds. A call that reports progress is not silent."""

    start: float = 30.0
    silence: float = 120.0
    whole: float = 900.0
    farewell: float = 10.0


@dataclass(frozen=True, slots=True)
class _Life:
    """From a successful start to the end, whoever brings it about."""

    connection: "McpConnection"
    tools: tuple[ListedTool, ...]
    secrets: SecretValues
    complaints: Complaints
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    ended: anyio.Event = field(default_factory=anyio.Event)


class SupervisedServer:
    def __init__(
        self, settings: McpServer, environ: Mapping[str, str], tasks: TaskGroup, deadlines: McpDeadlines
    ) -> None:
        self.settings = settings
        self._environ = environ
        self._tasks = tasks
        self._deadlines = deadlines
        self._starting = anyio.Lock()
        self._life: _Life | None = None
        self._backoff = Backoff()
        self._why = ""
        self._end = ""

    async def tools(self) -> tuple[ListedTool, ...]:
        """Those that the configuration lets be called. Raises Disconnected."""
        allowed, excluded = self.settings.allowed_tools, self.settings.exclude_tools
        return tuple(
            tool
            for tool in (await self._alive()).tools
            if tool.name not in excluded and (allowed is None or tool.name in allowed)
        )

    async def call(self, tool: ListedTool, arguments: Mapping[str, Any], report: Report) -> Outcome:
        """Only as it was listed: a server that was started anew may have another tool by the same name."""
        try:
            life = await self._alive()
        except Disconnected as fault:
            return Failed(str(fault))
        if tool not in life.tools:
            return Failed(f"The MCP server `{self.settings.name}` has changed `{tool.name}`; it is not called.")
        try:
            outcome = await self._call(life, tool.name, arguments, report)
            self._backoff = Backoff()
        except CallFailed as fault:
            outcome = Failed(f"The MCP server `{self.settings.name}` refused the call: {fault}.")
        except Disconnected:
            outcome = await self._lost(life)
        text = head_and_tail(life.secrets.redacted(outcome.text), MAX_RESULT_CHARACTERS, "ask for less at a time")
        return Succeeded(text) if isinstance(outcome, Succeeded) else Failed(text)

    async def _call(self, life: _Life, tool: str, arguments: Mapping[str, Any], report: Report) -> Outcome:
        latest = anyio.current_time() + self._deadlines.whole
        with anyio.move_on_after(self._deadlines.silence) as patience:

            async def progressed(progress: float, total: float | None, message: str | None) -> None:
                patience.deadline = min(latest, anyio.current_time() + self._deadlines.silence)
                share = f"{progress:g} of {total:g}" if total is not None else f"{progress:g}"
                await report(life.secrets.redacted(f"{tool}: {share} {message or ''}".rstrip()))

            return await life.connection.call(tool, arguments, progressed)
        return Failed(f"`{tool}` gave no answer in time and was told to stop.")

    async def _alive(self) -> _Life:
        async with self._starting:
            if self._life is None or self._life.ended.is_set():
                self._life = await self._started()
            return self._life

    async def _started(self) -> _Life:
        name, left = self.settings.name, self._backoff.seconds_left(anyio.current_time())
        if left > 0:
            raise Disconnected(f"The MCP server `{name}` keeps failing: {self._why}. Try again in {left:.0f} s.")
        try:
            with anyio.fail_after(self._deadlines.start):
                return await self._tasks.start(self._live)
        except TimeoutError:
            self._why = f"it did not start within {self._deadlines.start:g} s"
        except Disconnected as fault:
            self._why = str(fault)
        self._backoff = self._backoff.after_failure(anyio.current_time())
        raise Disconnected(f"The MCP server `{name}` could not be started: {self._why}.")

    async def _live(self, *, task_status: TaskStatus[_Life]) -> None:
        """The task that is the server's life. What goes wrong before it has started is its starter's to handle."""
        await preload("teamwright.tools.mcp.client", "jsonschema", "referencing")
        from teamwright.tools.mcp.client import connected  # noqa: PLC0415 - preloaded beside the event loop

        secrets, complaints = secret_values(self.settings, self._environ), Complaints()
        self._end = "it ended"
        life: _Life | None = None
        try:
            with complaints:
                async with connected(self.settings, secrets.values, complaints.sink) as connection:
                    tools = tuple(map(secrets.described, await connection.tools()))
                    life = _Life(connection, tools, secrets, complaints)
                    with life.scope:
                        task_status.started(life)
                        await anyio.sleep_forever()
        except Disconnected as fault:
            if life is None:
                raise Disconnected(await _with_last_words(str(fault), secrets, complaints)) from fault
            if isinstance(fault, Overrun):
                self._end = str(fault)
        finally:
            if life is not None:
                self._backoff = self._backoff.after_failure(anyio.current_time())
                life.ended.set()

    async def _lost(self, life: _Life) -> Failed:
        """The server went away under a call. Nobody knows what the call has done, so it is not repeated."""
        life.scope.cancel()
        with anyio.move_on_after(self._deadlines.farewell):
            await life.ended.wait()
        self._why = await _with_last_words(self._end, life.secrets, life.complaints)
        return Failed(
            f"The MCP server `{self.settings.name}` failed during the call: {self._why}. "
            "It is started again when it is next needed; check first what this call has done."
        )


async def _with_last_words(why: str, secrets: SecretValues, complaints: Complaints) -> str:
    lines = (await to_thread.run_sync(complaints.last_words)).split("\n")
    said = lines[-1].strip()[:_LONGEST_LINE]
    return secrets.redacted(f"{why} ({said})" if said else why)


@dataclass(frozen=True, slots=True)
class Backoff:
    """The first failure may be chance: the server is started again at once. Then it rests, longer each time."""

    failures: int = 0
    not_before: float = 0.0

    def after_failure(self, now: float) -> "Backoff":
        rest = 0.0 if self.failures == 0 else min(_FIRST_SECONDS * 2 ** (self.failures - 1), _LONGEST_SECONDS)
        return Backoff(self.failures + 1, now + rest)

    def seconds_left(self, now: float) -> float:
        return max(0.0, self.not_before - now)
