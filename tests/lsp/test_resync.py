"""A client that stopped reading for too long is told so, and then finds exactly what it missed."""

import asyncio

import pytest

from tests.bench.process_figures import megabytes
from tests.support.doors import Serve, team_config
from tests.support.model_server import ModelServer, text

TURNS = 6
# Together much more than the server keeps for a client that does not read.
ANSWER = ["0123456789abcdef" * 512] * 256


@pytest.mark.asyncio
@pytest.mark.proves("D6")
async def test_whoever_stops_reading_is_told_to_open_again_and_misses_nothing(
    serve: Serve, models: ModelServer
) -> None:
    gate = models.gate("all is said")
    models.model("alpha").replies(*[text(*ANSWER)] * TURNS, text("And done.").waits_for(gate))
    client = await serve(
        config=team_config(models, "alpha").replace("model: alpha", "model: alpha, context_window: 100000000")
    )
    chat = await client.command("teamwright.chat", text="Talk.")
    client.stop_reading()
    session = {"sessionId": chat["sessionId"]}
    more = [asyncio.create_task(client.command("teamwright.chat", text="More.", **session)) for _ in range(TURNS)]
    await gate.reached()
    assert megabytes(client.pid, "VmHWM") < 300
    client.read_on()
    *_, last = await asyncio.gather(*more)

    resync = await client.event("session.resync")
    before = [record["seq"] for record in client.events[: client.events.index(resync)] if record["seq"] is not None]
    last_seq = resync["event"]["lastSeq"]
    assert before == list(range(1, last_seq + 1)), "what came before has no gap"

    missed = await client.command("teamwright.session.open", **session, afterSeq=last_seq)
    known = last_seq + len(missed["events"])
    assert [record["seq"] for record in missed["events"]] == list(range(last_seq + 1, known + 1))
    assert not missed["more"]
    assert sum(record["event"]["type"] == "turn.finished" for record in missed["events"]) >= TURNS - 2

    gate.release()
    await client.event("turn.finished", lambda record: record["turnId"] == last["turnId"])
    told = [record["seq"] for record in client.events if (record["seq"] or 0) > known]
    assert told == list(range(known + 1, known + 1 + len(told))), "and goes on exactly behind it"
