"""A client that stops reading stalls nobody, and finds everything when it comes back."""

from pathlib import Path

import pytest

from tests.bench.process_figures import megabytes
from tests.lsp.raw_server import Json, RawServer, command, raw_server
from tests.support.doors import team_config
from tests.support.model_server import ModelServer, text

# A pipe holds 64 KB: this is more than the client's side takes in without reading.
PIECES = ["0123456789" * 100] * 200


def read_until_the_turn_ends(server: RawServer, turn_id: str) -> list[Json]:
    records: list[Json] = []
    while not records or (records[-1]["event"]["type"], records[-1]["turnId"]) != ("turn.finished", turn_id):
        message = server.next()
        assert message is not None
        if message.get("method") == "teamwright/event" and "turnId" in message["params"]:
            records.append(message["params"])
    return records


@pytest.mark.asyncio
async def test_the_work_goes_on_while_the_client_reads_nothing_and_its_text_comes_whole(
    tmp_path: Path, models: ModelServer
) -> None:
    gate = models.gate("the second turn")
    models.model("alpha").replies(text(*PIECES), text("And done.").waits_for(gate))
    (tmp_path / "config.yaml").write_text(team_config(models, "alpha"), encoding="utf-8")
    with raw_server(tmp_path, env={"SCRIPTED_KEY": "sk-scripted"}) as server:
        server.greet(initializationOptions={"configPath": str(tmp_path / "config.yaml")})
        server.send(command(1, "teamwright.chat", text="Talk."))
        chat = server.answer_to(1)["result"]
        before = megabytes(server.process.pid)
        server.send(command(2, "teamwright.chat", text="More.", sessionId=chat["sessionId"]))
        # The second turn begins when the first is over.
        await gate.reached()
        assert megabytes(server.process.pid) - before < 100
        gate.release()

        records = read_until_the_turn_ends(server, chat["turnId"])

    first = [record["event"] for record in records if record["event"]["type"] == "item.delta"]
    assert [delta["offset"] for delta in first[1:]] == [delta["offset"] + len(delta["text"]) for delta in first[:-1]]
    assert first[-1]["offset"] + len(first[-1]["text"]) == sum(map(len, PIECES))
