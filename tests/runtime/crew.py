"""Scripted agents in a house of their own, in this process, and a client that hears all that happens there."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import anyio

from teamwright.config.sources import NamedFile
from teamwright.protocol.commands import (
    ApproveParams,
    CancelParams,
    LaunchRunParams,
    OverrideParams,
    RespondParams,
    SteerParams,
)
from teamwright.protocol.records import EventRecord
from teamwright.runtime.client_context import ClientContext
from teamwright.runtime.foundations import laid_foundations
from teamwright.runtime.services import Services, ServicesLifecycle
from teamwright.runtime.sessions.supervisor import Supervisor
from teamwright.workspace.files.documents import Documents
from teamwright.workspace.files.folders import Folders
from tests.support.model_server import ModelServer
from tests.support.patience import PATIENCE_SECONDS

Json = dict[str, Any]


class Crew:
    """Use it as an async context manager."""

    def __init__(self, models: ModelServer, workspace: Path, config: Path, state: Path) -> None:
        self.models = models
        self.workspace = workspace
        self.events: list[Json] = []
        self.services: Services
        self.supervisor: Supervisor
        self._client_context = ClientContext(
            folders=Folders.at(workspace), config=NamedFile(config), state_dir=state, trusted=True
        )
        self._news = asyncio.Condition()
        self._opened = asyncio.Event()
        self._closing = asyncio.Event()
        self._life = asyncio.create_task(self._live())

    async def __aenter__(self) -> Self:
        opened = asyncio.create_task(self._opened.wait())
        await asyncio.wait([opened, self._life], return_when=asyncio.FIRST_COMPLETED)
        if self._life.done():
            opened.cancel()
            self._life.result()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            await self._nothing_is_left_at_work()
        self._closing.set()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._life

    async def _nothing_is_left_at_work(self) -> None:
        """What a run has started ends with it; a run that the test left unfinished may go on."""
        if len(self.log(None, "run.finished")) < len(self.log(None, "run.started")):
            return
        if tasks := _tasks_of("teamwright.runtime.runs"):
            await asyncio.wait(tasks, timeout=PATIENCE_SECONDS)
        assert not _tasks_of("teamwright.runtime.runs"), "a finished run has left tasks behind"

    async def _live(self) -> None:
        """A task of its own: what enters a task group must be what leaves it."""
        async with (
            laid_foundations(lambda: self._client_context, Documents(), None) as foundations,
            anyio.create_task_group() as tasks,
        ):
            foundations.bus.join(self.hear)
            keeper = ServicesLifecycle(foundations)
            self.services = await keeper.services(tasks)
            self.supervisor = Supervisor(lambda: keeper.services(tasks))
            self._opened.set()
            await self._closing.wait()
            tasks.cancel_scope.cancel()

    def hear(self, record: EventRecord) -> None:
        self.events.append(record.to_wire())
        asyncio.get_running_loop().create_task(self._ring())

    async def _ring(self) -> None:
        async with self._news:
            self._news.notify_all()

    # What a client asks for

    async def launch(self, task: str = "Say it.", **params: Any) -> str:
        """The id of a run that starts at once, without an override window, unless told otherwise."""
        asked: Json = {"approval": "given", **params, "task": task}
        asked["coordinationOverrides"] = {"override": "off", **params.get("coordinationOverrides", {})}
        launched = await self.supervisor.launch_run(LaunchRunParams.model_validate(asked), self.hear)
        return launched.run_id

    async def approve(self, decision_id: str, choice: str = "approve", **more: Any) -> Json:
        params = ApproveParams.model_validate({"decisionId": decision_id, "choice": choice, **more})
        return (await self.supervisor.approve(params)).to_wire()["decision"]

    async def respond(self, decision_id: str, text: str) -> None:
        await self.supervisor.respond(RespondParams.model_validate({"decisionId": decision_id, "text": text}))

    async def override(self, run_id: str, agent: str | None) -> None:
        await self.supervisor.override(OverrideParams.model_validate({"runId": run_id, "agentId": agent}))

    async def steer(self, run_id: str, text: str, **more: Any) -> Sequence[str]:
        params = SteerParams.model_validate({"runId": run_id, "text": text, **more})
        return (await self.supervisor.steer(params)).delivered

    async def cancel(self, run_id: str) -> bool:
        return (await self.supervisor.cancel(CancelParams.model_validate({"runId": run_id}))).cancelled

    # What a client hears

    async def event(self, event_type: str, where: Callable[[Json], bool] = lambda _: True) -> Json:
        """The first record with such an event, whether it has come already or is still to come."""

        def found() -> Json | None:
            return next((r for r in self.events if r["event"]["type"] == event_type and where(r)), None)

        async with asyncio.timeout(PATIENCE_SECONDS), self._news:
            await self._news.wait_for(lambda: found() is not None)
        record = found()
        assert record is not None
        return record

    async def until(self, condition: Callable[[], bool]) -> None:
        """Returns with the first event after which it holds."""
        async with asyncio.timeout(PATIENCE_SECONDS), self._news:
            await self._news.wait_for(condition)

    async def heard(self, event_type: str, times: int) -> list[Json]:
        """The first so many records with such an event."""
        await self.event(event_type, lambda _: len(self._of_type(event_type)) >= times)
        return self._of_type(event_type)[:times]

    def _of_type(self, event_type: str) -> list[Json]:
        return [record for record in self.events if record["event"]["type"] == event_type]

    async def finished(self, run_id: str) -> Json:
        return (await self.event("run.finished", lambda r: r["runId"] == run_id))["event"]

    async def question(self, kind: str, number: int = 1) -> Json:
        """The n-th decision of that kind."""

        def asked() -> list[Json]:
            return [decision for decision in self._decisions() if decision["kind"] == kind]

        await self.event("decision.requested", lambda _: len(asked()) >= number)
        return asked()[number - 1]

    def _decisions(self) -> list[Json]:
        return [r["event"]["decision"] for r in self.events if r["event"]["type"] == "decision.requested"]

    def timers(self) -> int:
        """How many of the runs' timers are armed."""
        return len(_tasks_of("teamwright.runtime.runs.conductor.Conductor._wait"))

    def log(self, run_id: str | None = None, *types: str) -> list[Json]:
        """The durable records, of a run or of all."""
        return [
            record
            for record in self.events
            if record["seq"] is not None
            and run_id in {None, record.get("runId")}
            and (not types or record["event"]["type"] in types)
        ]

    async def phase(self, run_id: str, phase: str) -> Json:
        """The run as clients draw it when it has come to that phase."""
        drawn = await self.event("run.updated", lambda r: r["runId"] == run_id and r["event"]["run"]["phase"] == phase)
        return drawn["event"]["run"]

    def view(self, run_id: str) -> Json:
        """The run as clients draw it at last."""
        views = [r["event"]["run"] for r in self.events if r["event"]["type"] == "run.updated"]
        return [view for view in views if view["runId"] == run_id][-1]


def _tasks_of(module: str) -> "list[asyncio.Task[Any]]":
    return [task for task in asyncio.all_tasks() if task.get_name().startswith(module)]
