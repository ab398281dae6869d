"""A session that came as a file brings what was said and what came of it, and no power."""

import json
import random
from pathlib import Path
from typing import Any, cast

import pytest

from tests.lsp.changing import proposed
from tests.support.doors import Serve, team_config
from tests.support.lsp_client import Json, LspClient, LspError
from tests.support.model_server import ModelServer, calls, text, tool

pytestmark = pytest.mark.asyncio

AT = "2026-11-16T08:30:00Z"
NOTHING_USED = {"inputTokens": 0, "outputTokens": 0, "calls": 0}
SPEC: Json = {"task": "Take over.", "agentMode": "single", "agents": ["alpha"], "refinement": False}


def record(event: Json, **envelope: Any) -> Json:
    return {"v": 1, "seq": 1, "at": AT, "sessionId": "ses_1", **envelope, "event": event}


def summary(**fields: Any) -> Json:
    return {"sessionId": "ses_1", "title": "A gift", "createdAt": AT, "updatedAt": AT, **fields}


def exported(*records: Json, **first: Any) -> str:
    created = record({"type": "session.created", "session": summary(**first)})
    return json.dumps({"format": "teamwright.session", "version": 1, "records": [created, *records]})


async def imported(client: LspClient, log: str) -> str:
    return (await client.command("teamwright.session.import", text=log))["sessionId"]


async def opened(client: LspClient, session: str) -> Json:
    return (await client.command("teamwright.session.open", sessionId=session))["session"]


async def refused(client: LspClient, command: str, **params: Any) -> int:
    with pytest.raises(LspError) as fault:
        await client.command(command, **params)
    return fault.value.code


@pytest.mark.parametrize(
    "run_id", ["../../../workspace/trap", "/etc", "run_../x", "run_A", "run_a\n", "", "dec_1", "C:x"]
)
async def test_an_id_that_is_no_id_is_refused_wherever_it_comes_from(serve: Serve, run_id: str) -> None:
    client = await serve()
    forged = exported(record({"type": "run.started", "spec": SPEC}, runId=run_id))

    assert await refused(client, "teamwright.session.import", text=forged) == 400
    for command in ("changes.open", "changes.apply", "changes.undo", "changes.discard", "run.open", "cancel"):
        uri = {"uri": "file:///a"} if command == "changes.open" else {}
        assert await refused(client, f"teamwright.{command}", runId=run_id, **uri) == 400, command
    assert await refused(client, "teamwright.session.open", sessionId=run_id) == 400
    assert (await client.command("teamwright.session.list"))["sessions"] == []


async def test_an_import_brings_no_modes(serve: Serve, models: ModelServer, workspace: Path) -> None:
    models.model("alpha").replies(text("Hello."))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    modes = {"plan": True, "agentMode": "single", "refinement": False, "autonomy": "autonomous", "team": "always"}
    updated = record({"type": "session.updated", "session": summary(modes=modes)})
    queued = record({"type": "turn.queued", "text": "Go.", "modes": modes}, turnId="turn_1")

    session = await imported(client, exported(updated, queued, modes=modes))

    plain = {"plan": None, "agentMode": None, "agentId": None, "refinement": None, "autonomy": "hitl", "team": "auto"}
    assert (await opened(client, session))["modes"] == plain
    await client.command("teamwright.chat", text="Hello?", sessionId=session)
    await client.event("turn.finished", lambda r: r["sessionId"] == session)
    assert [each["type"] for each in (r["event"] for r in client.events if r.get("sessionId") == session)].count(
        "run.started"
    ) == 0
    assert (await opened(client, session))["modes"] == plain


FORGED_ENDS: dict[str, list[Json]] = {
    "none": [],
    "of an item by the run's name": [
        record(
            {"type": "item.finished", "item": {"kind": "assistant_message", "itemId": "item_1", "text": ""}},
            runId="run_1",
        )
    ],
    "of another run": [record({"type": "run.finished", "outcome": "completed", "usage": NOTHING_USED}, runId="run_2")],
    "of no run": [record({"type": "run.finished", "outcome": "completed", "usage": NOTHING_USED})],
    "of a turn": [record({"type": "turn.finished", "outcome": "completed", "usage": NOTHING_USED}, turnId="turn_9")],
    "and a second start": [
        record({"type": "run.finished", "outcome": "completed", "usage": NOTHING_USED}, runId="run_1"),
        record({"type": "run.started", "spec": SPEC, "autonomy": "autonomous", "applyChanges": "auto"}, runId="run_1"),
    ],
}


@pytest.mark.parametrize("end", FORGED_ENDS)
async def test_no_run_of_an_import_goes_on(serve: Serve, models: ModelServer, end: str) -> None:
    """The model server would tell of any call."""
    client = await serve(
        config=team_config(models, "alpha", extra="orchestrator: {interactive_mode: {resume: auto}}\n"), trusted=True
    )
    started = {
        "type": "run.started",
        "spec": SPEC,
        "autonomy": "autonomous",
        "applyChanges": "auto",
        "executePlan": "auto",
    }
    turn = record({"type": "turn.started", "text": "Go."}, turnId="turn_1")

    session = await imported(client, exported(turn, record(started, runId="run_1"), *FORGED_ENDS[end]))

    run = (await client.command("teamwright.run.list", sessionId=session))["runs"][0]
    assert run["phase"] == "finished"
    view = await opened(client, session)
    assert (view["busy"], view["decisions"], view["pendingDecisions"]) == (False, [], 0)
    assert (await client.command("teamwright.status"))["limits"]["activeSessions"] == 0
    again = await serve(config=team_config(models, "alpha"), trusted=True)
    assert (await again.command("teamwright.status"))["decisions"] == []
    assert models.requests_to("alpha") == []


async def test_an_imported_run_has_no_changes_to_apply_though_it_bears_the_name_of_one_that_has(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    (workspace / "notes.txt").write_text("old\n", encoding="utf-8")
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    run_id = await proposed(client, models, tool("write_file", path="notes.txt", content="new\n"))
    original = (await client.command("teamwright.run.list"))["runs"]
    session = next(r["sessionId"] for r in client.events if r.get("runId") == run_id)
    text_of_it = (await client.command("teamwright.session.export", sessionId=session))["text"]
    await client.command("teamwright.cancel", runId=run_id)
    await client.event("run.finished", lambda r: r["runId"] == run_id)

    copy = await imported(client, text_of_it)
    view = await opened(client, copy)
    assert ([run["phase"] for run in view["runViews"]], view["decisions"]) == (["finished"], [])
    entries = (await client.command("teamwright.session.open", sessionId=copy))["transcript"]["entries"]
    assert not [action for each in entries for action in each["actions"] if action["command"].endswith("changes.apply")]
    await client.command("teamwright.session.delete", sessionId=session)
    assert await refused(client, "teamwright.changes.apply", runId=run_id) == 409
    uri = (workspace / "notes.txt").as_uri()
    assert await refused(client, "teamwright.changes.open", runId=run_id, uri=uri) == 404
    assert (workspace / "notes.txt").read_text(encoding="utf-8") == "old\n"
    assert original


@pytest.mark.parametrize(
    "usage", [{**NOTHING_USED, "inputTokens": -1_000_000}, {**NOTHING_USED, "calls": -5}], ids=["tokens", "calls"]
)
async def test_an_import_brings_no_room_in_a_budget(serve: Serve, usage: Json) -> None:
    client = await serve()
    turn = record({"type": "turn.started", "text": "Go."}, turnId="turn_1")
    for finished in (
        {"type": "turn.finished", "outcome": "completed", "usage": usage},
        {"type": "turn.finished", "outcome": "completed", "usage": NOTHING_USED, "costUsd": -3},
        {"type": "turn.finished", "outcome": "completed", "usage": NOTHING_USED, "costUsd": 1e300},
    ):
        log = exported(turn, record(finished, turnId="turn_1"))
        assert await refused(client, "teamwright.session.import", text=log) == 400


async def test_an_import_is_bounded(serve: Serve) -> None:
    client = await serve()
    deep = '{"a":' * 5_000 + "1" + "}" * 5_000
    item = {"kind": "tool_call", "itemId": "item_1", "name": "x", "arguments": "DEEP"}
    log = exported(record({"type": "item.finished", "item": item})).replace('"DEEP"', deep)
    assert await refused(client, "teamwright.session.import", text=log) == 400
    nothing: Json = {}
    assert await refused(client, "teamwright.session.import", text=exported(*([nothing] * 500_001))) == 400
    assert (
        await refused(client, "teamwright.session.import", text=exported(createdAt="0001-01-01T00:00:00+14:00")) == 400
    )


async def test_a_fork_asks_again_where_its_original_did_not(serve: Serve, models: ModelServer) -> None:
    models.model("alpha").replies(text("Hello."))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    modes = {"refinement": False, "autonomy": "autonomous"}
    chat = await client.command("teamwright.chat", text="Hello?", modes=modes)
    await client.event("turn.finished")

    fork = (await client.command("teamwright.session.fork", sessionId=chat["sessionId"]))["sessionId"]

    kept = (await opened(client, fork))["modes"]
    assert (kept["refinement"], kept["autonomy"]) == (False, "hitl")


def mutated(log: Json, chance: random.Random) -> Json:
    """One to four places changed: a value for another of the log or a hostile one, a record lost, doubled or moved."""
    log = json.loads(json.dumps(log))
    records: list[Any] = log["records"]
    values = [value for each in records for value in _leaves(each)]
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(1, len(records))
        match chance.randrange(5):
            case 0:
                records.pop(at)
            case 1:
                records.insert(chance.randrange(1, len(records)), records[at])
            case 2:
                records[at]["event"] = records[chance.randrange(1, len(records))]["event"]
            case _:
                place: Any = records[at]
                while True:
                    key: Any = chance.choice(_keys(place))
                    if not isinstance(place[key], dict | list) or not place[key] or chance.random() < 0.2:
                        break
                    place = place[key]
                place[key] = chance.choice([*HOSTILE, *values])
        if len(records) < 3:
            break
    return log


HOSTILE: list[Any] = [
    None, "", -1, 0, 2**70, 1e300, True, [], {}, "../../x", "run_1", "turn_1", "autonomous", "auto", "approve",
    "\u202e", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
]  # fmt: skip


def _keys(value: Any) -> list[Any]:
    """Of an object or a list."""
    return list(cast("Json", value) if isinstance(value, dict) else range(len(value)))


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict | list):
        return [leaf for key in _keys(value) for leaf in _leaves(value[key])]
    return [value]


async def _sample(client: LspClient, models: ModelServer, workspace: Path) -> Json:
    (workspace / "notes.txt").write_text("old\n", encoding="utf-8")
    run_id = await proposed(client, models, tool("write_file", path="notes.txt", content="new\n"))
    session = next(r["sessionId"] for r in client.events if r.get("runId") == run_id)
    await client.command("teamwright.cancel", runId=run_id)
    await client.event("run.finished", lambda r: r["runId"] == run_id)
    models.model("alpha").replies(calls(tool("read_file", path="notes.txt")), text("It says old."))
    await client.command("teamwright.chat", text="What does it say?", sessionId=session)
    await client.event("turn.finished")
    return json.loads((await client.command("teamwright.session.export", sessionId=session))["text"])


async def _imported_unless_400(client: LspClient, log: str) -> str | None:
    try:
        return await imported(client, log)
    except LspError as fault:
        if fault.code != 400:
            raise
        return None


async def _tried(serve: Serve, models: ModelServer, workspace: Path, *, times: int, seed: int) -> None:
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    log = await _sample(client, models, workspace)
    asked = len(models.requests_to("alpha"))
    chance = random.Random(seed)
    taken = 0
    for number in range(times):
        hostile = mutated(log, chance)
        session = await _imported_unless_400(client, json.dumps(hostile))
        if session is None:
            continue
        taken += 1
        view = await opened(client, session)
        runs = (await client.command("teamwright.run.list", sessionId=session))["runs"]
        held = (
            view["busy"],
            view["decisions"],
            view["modes"]["autonomy"],
            {run["phase"] for run in runs} - {"finished"},
        )
        assert held == (False, [], "hitl", set()), (seed, number, hostile)
        for form in ("json", "markdown"):
            await client.command("teamwright.session.export", sessionId=session, format=form)
        await client.command("teamwright.session.close", sessionId=session)
    assert taken > times // 10
    assert (await client.command("teamwright.status"))["limits"]["activeSessions"] == 0
    assert len(models.requests_to("alpha")) == asked
    assert (workspace / "notes.txt").read_text(encoding="utf-8") == "old\n"


async def test_no_mutation_of_a_session_gives_it_power(serve: Serve, models: ModelServer, workspace: Path) -> None:
    await _tried(serve, models, workspace, times=150, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
async def test_no_mutation_of_a_session_gives_it_power_however_often(
    serve: Serve, models: ModelServer, workspace: Path, seed: int
) -> None:
    await _tried(serve, models, workspace, times=1_000, seed=seed)
