"""Memory once idle behind the greeting, and after a thousand turns; and how soon a first chat shows a sign of life."""

import tempfile
import time
from pathlib import Path
from typing import Final

from tests.bench.models_server import replaying
from tests.bench.process_figures import megabytes
from tests.lsp.raw_server import RawServer, command, request

SESSIONS: Final = 50
TURNS: Final = 20
IDLE_LIMIT: Final = 68
TURNS_LIMIT: Final = 190


def turn(server: RawServer, number: int, session_id: str | None) -> str:
    """The session's id, once the turn is over."""
    where = {} if session_id is None else {"sessionId": session_id}
    server.send(command(number, "teamwright.chat", text="Go on.", **where))
    chat = server.answer_to(number)["result"]
    while (message := server.next()) is not None:
        if message.get("method") == "teamwright/event" and message["params"]["event"]["type"] == "turn.finished":
            break
    return chat["sessionId"]


def main() -> bool:
    with tempfile.TemporaryDirectory() as directory, replaying("chat", chunks=20, pace=0) as url:
        home = Path(directory)
        backend = f"{{type: chatcompletion, model: bench, base_url: '{url}/v1', api_key: '${{BENCH_KEY}}'}}"
        (home / "config.yaml").write_text(f"agents:\n  - {{id: a, backend: {backend}}}\n", encoding="utf-8")
        server = RawServer(home, env={"BENCH_KEY": "sk-bench"})
        try:
            server.greet(initializationOptions={"configPath": str(home / "config.yaml")})
            greeted_at = time.monotonic()
            server.send(request("loaded", "teamwright/ping", {}))
            server.answer_to("loaded")
            idle = megabytes(server.process.pid)
            turn(server, 0, None)
            first = time.monotonic() - greeted_at
            for session in range(SESSIONS):
                session_id = turn(server, session * TURNS + 1, None)
                for number in range(1, TURNS):
                    turn(server, session * TURNS + 1 + number, session_id)
            after = megabytes(server.process.pid)
        finally:
            server.end()
    print(
        f"idle {idle:.0f} MB (at most {IDLE_LIMIT}), after {SESSIONS * TURNS} turns {after:.0f} MB (at most "
        f"{TURNS_LIMIT}); a first chat was over {first * 1000:.0f} ms behind the greeting"
    )
    return idle <= IDLE_LIMIT and after <= TURNS_LIMIT
