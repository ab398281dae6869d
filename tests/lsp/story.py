"""One session from its first word to its last, told by a user who comes back after every end of the server.

The user sends each message once unless the log does not have it, and says yes to whatever waits. The models decide by
what they are shown, so that the story goes on wherever it was cut.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from tests.runtime.lines import gives, votes
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import Answer, ModelServer, Request, calls, text, tool

MESSAGES = ("Tell me much.", "Do the work.", "And what now?")
WRITTEN = "All written."
SUMMARY = "They spoke of much, and the work is done."
_LIFE_SECONDS = 240


def _script(models: ModelServer) -> None:
    models.model("lead").always(_lead)
    for name in ("alpha", "beta"):
        models.model(name).always(_agent)


def _lead(request: Request) -> Answer:
    if "replaced by a summary" in request.messages[-1][1]:
        return text(SUMMARY)
    said = [words for role, words in request.messages if role == "user" and words in MESSAGES]
    if said[-1] == "Do the work." and not any(WRITTEN in result.text for result in request.tool_results):
        paths = [{"path": "notes.txt", "permission": "write"}]
        return calls(tool("launch_run", task="Write it down.", context_paths=paths))
    return text("Hm. " * 900 if said[-1] == "Tell me much." else f"Answer to {said[-1]}")


def _agent(request: Request) -> Answer:
    if "vote" in request.tool_names:
        return votes("agent1")
    if "new_answer" in request.tool_names:
        return gives(f"{request.model} would write two.")
    if any(call.name == "edit_file" for call in request.tool_calls):
        return text(WRITTEN)
    return calls(tool("edit_file", path="notes.txt", old="one", new="two"))


class Story:
    def __init__(self, serve: Serve, models: ModelServer, workspace: Path) -> None:
        _script(models)
        self._serve = serve
        lead = f"{{type: chatcompletion, model: lead, base_url: '{models.openai_url}', api_key: '${{SCRIPTED_KEY}}'}}"
        extra = f"orchestrator:\n  interactive_mode:\n    override: off\n    backend: {lead}\n"
        self._config = team_config(models, "alpha", "beta", extra=extra)
        self.notes = workspace / "notes.txt"
        self.notes.write_text("one\n", encoding="utf-8")
        self.session_id: str | None = None
        # What the server has said yes to, and the durable records that a client has seen, by their place in the log.
        self.acknowledged: list[str] = []
        self.seen: dict[int, Json] = {}
        self.kills = 0

    async def told(self, kill_after: Sequence[int]) -> list[Json]:
        """The whole log in the end. The server is killed each time a record with at least that seq is heard."""
        due = [*sorted(kill_after)]
        while True:
            client = await self._serve(config=self._config, trusted=True)
            if not await self._lives(client, due.pop(0) if due else None):
                return await self._log(client)

    async def _lives(self, client: LspClient, last_seq: int | None) -> bool:
        """Whether the server was killed before the story was over."""
        course = asyncio.create_task(self._course(client))
        tasks: list[asyncio.Task[None]] = [course]
        if last_seq is not None:
            tasks.append(asyncio.create_task(self._heard(client, last_seq)))
        done, _ = await asyncio.wait(tasks, timeout=_LIFE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        assert done, f"the story stands still at {max(self.seen, default=0)}"
        is_over = course.done()
        for task in tasks:
            task.cancel()
        if not is_over:
            await client.kill()
            self.kills += 1
        self._see(client.events)
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        for fault in outcomes:
            if isinstance(fault, Exception):
                raise fault
        return not is_over

    async def _heard(self, client: LspClient, seq: int) -> None:
        await client.record(lambda r: (r["seq"] or 0) >= seq, within=_LIFE_SECONDS)

    async def _course(self, client: LspClient) -> None:
        is_asked_to_sum_up = False
        # As editors do when they start; it asks about what the last server left behind.
        await client.command("teamwright.status")
        while True:
            log = await self._log(client)
            self._see(log)
            events = [record["event"] for record in log]
            done = {event["type"] for event in events}
            said = [event["item"]["text"] for event in events if _is_message(event)]
            waiting = {e["decision"]["decisionId"] for e in events if e["type"] == "decision.requested"}
            waiting -= {e["decisionId"] for e in events if e["type"] == "decision.resolved"}
            unsaid = [words for words in MESSAGES if words not in said]
            if waiting:
                await self._agree(client, min(waiting))
            elif _is_busy(log):
                await self._news(client, log)
            elif unsaid:
                await self._say(client, unsaid[0])
            elif "session.compacted" in done:
                return
            elif is_asked_to_sum_up:
                await self._news(client, log)
            else:
                await client.command("teamwright.session.compact", sessionId=self.session_id)
                is_asked_to_sum_up = True

    async def _say(self, client: LspClient, words: str) -> None:
        known = {} if self.session_id is None else {"sessionId": self.session_id}
        self.session_id = (await client.command("teamwright.chat", text=words, **known))["sessionId"]
        self.acknowledged.append(words)

    async def _agree(self, client: LspClient, decision_id: str) -> None:
        try:
            await client.command("teamwright.approve", decisionId=decision_id, choice="approve")
            self.acknowledged.append(decision_id)
        except LspError as refused:
            if refused.code != 409:
                raise

    async def _news(self, client: LspClient, log: list[Json]) -> None:
        await client.record(lambda r: (r["seq"] or 0) > len(log), within=_LIFE_SECONDS)

    async def _log(self, client: LspClient) -> list[Json]:
        if self.session_id is None:
            listed = (await client.command("teamwright.session.list"))["sessions"]
            if not listed:
                return []
            self.session_id = listed[0]["sessionId"]
        opened = await client.command("teamwright.session.open", sessionId=self.session_id, afterSeq=0)
        assert not opened["more"]
        return opened["events"]

    def _see(self, records: Sequence[Json]) -> None:
        for record in records:
            if record["seq"] is not None:
                assert self.seen.setdefault(record["seq"], record) == record, "a record that was seen has changed"


def _is_message(event: Json) -> bool:
    return event["type"] == "item.finished" and event["item"]["kind"] == "user_message"


def _is_busy(log: Sequence[Json]) -> bool:
    types = [record["event"]["type"] for record in log]
    return types.count("turn.started") > types.count("turn.finished")
