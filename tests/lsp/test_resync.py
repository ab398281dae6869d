"""A client that stopped reading for too long is told so, and then finds exactly what it missed."""

from pathlib import Path

import pytest

from tests.bench.process_figures import megabytes
from tests.lsp.raw_server import Json, RawServer, command, raw_server
from tests.support.doors import team_config
from tests.support.model_server import ModelServer, text

TURNS = 6
# Together much more than the server keeps for a client that does not read.
ANSWER = ["0123456789abcdef" * 512] * 256


def next_event(server: RawServer) -> Json:
    while (message := server.next()) is not None:
        if message.get("method") == "quorate/event":
            return message["params"]
    raise AssertionError("the output has ended")


def opened_behind(server: RawServer, session_id: str, seq: int) -> Json:
    server.send(command(f"behind {seq}", "quorate.session.open", sessionId=session_id, afterSeq=seq))
    return server.answer_to(f"behind {seq}")["result"]


@pytest.mark.asyncio
@pytest.mark.proves("D6")
async def test_whoever_stops_reading_is_told_to_open_again_and_misses_nothing(
    tmp_path: Path, models: ModelServer
) -> None:
    gate = models.gate("all is said")
    models.model("alpha").replies(*[text(*ANSWER)] * TURNS, text("And done.").waits_for(gate))
    config = team_config(models, "alpha").replace("model: alpha", "model: alpha, context_window: 100000000")
    (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
    with raw_server(tmp_path, env={"SCRIPTED_KEY": "sk-scripted"}) as server:
        server.greet(initializationOptions={"configPath": str(tmp_path / "config.yaml")})
        server.send(command(0, "quorate.chat", text="Talk."))
        session_id = server.answer_to(0)["result"]["sessionId"]
        for number in range(1, TURNS + 1):
            server.send(command(number, "quorate.chat", text="More.", sessionId=session_id))
        await gate.reached()
        assert megabytes(server.process.pid, "VmHWM") < 300

        seqs: list[int] = []
        while (record := next_event(server))["event"]["type"] != "session.resync":
            seqs += [record["seq"]] if record["seq"] is not None else []
        last_seq = record["event"]["lastSeq"]
        assert seqs == list(range(1, last_seq + 1)), "what came before has no gap"

        missed = opened_behind(server, session_id, last_seq)
        known = last_seq + len(missed["events"])
        assert [each["seq"] for each in missed["events"]] == list(range(last_seq + 1, known + 1))
        assert missed["more"] is False
        finished = [each for each in missed["events"] if each["event"]["type"] == "turn.finished"]
        assert len(finished) == TURNS

        gate.release()
        told = [next_event(server)]
        while told[-1]["event"]["type"] != "turn.finished":
            told.append(next_event(server))
        assert next(each["seq"] for each in told if each["seq"] is not None) == known + 1, "and nothing is told twice"
