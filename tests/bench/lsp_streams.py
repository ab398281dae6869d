"""Five sessions of five agents at a hundred tokens a second each: the loop stays free, every delta comes in time.

A server with nothing to do is asked at the same time: what even that one takes is the machine's own delay.
"""

import statistics
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from tests.bench.models_server import replaying
from tests.bench.process_figures import cpu_seconds
from tests.lsp.raw_server import Json, RawServer, command, request

SESSIONS: Final = 5
AGENTS: Final = 5
PACE: Final = 0.01
SECONDS: Final = 5.0
PING_SECONDS: Final = 0.05
LAG_LIMIT_MS: Final = 50
# Of the hundred milliseconds that a delta may take, thirty are for gathering it.
DELIVERY_LIMIT_MS: Final = 70


@contextmanager
def crowd(home: Path) -> Generator[RawServer]:
    with replaying("chat", chunks=int(SECONDS / PACE) * 3, pace=PACE) as url:
        backend = f"{{type: chatcompletion, model: bench, base_url: '{url}/v1', api_key: '${{BENCH_KEY}}'}}"
        agents = "".join(f"  - {{id: a{number}, backend: {backend}}}\n" for number in range(AGENTS))
        (home / "config.yaml").write_text(f"agents:\n{agents}", encoding="utf-8")
        server = RawServer(home, env={"BENCH_KEY": "sk-bench"})
        try:
            server.greet(initializationOptions={"configPath": str(home / "config.yaml")})
            for number in range(SESSIONS):
                server.send(command(f"run {number}", "teamwright.launch_run", task="Talk.", approval="given"))
            yield server
        finally:
            server.end()


class Observed:
    def __init__(self) -> None:
        self.delivery_ms: list[float] = []
        self.lag_ms: list[float] = []
        self.tokens = 0
        self._pinged_at = time.monotonic()
        self._is_waiting = False

    def take(self, message: Json) -> None:
        if message.get("id") == "ping":
            self._is_waiting = False
            self.lag_ms.append((time.monotonic() - self._pinged_at) * 1000)
        elif message.get("method") == "teamwright/event" and message["params"]["event"]["type"] == "item.delta":
            told_at = datetime.fromisoformat(message["params"]["at"]).timestamp()
            self.delivery_ms.append((time.time() - told_at) * 1000)
            self.tokens += message["params"]["event"]["text"].count(" ")

    def ping_if_due(self, server: RawServer) -> None:
        if not self._is_waiting and time.monotonic() - self._pinged_at >= PING_SECONDS:
            self._is_waiting = True
            self._pinged_at = time.monotonic()
            server.send(request("ping", "teamwright/ping", {}))


def observe(server: RawServer) -> tuple[Observed, float]:
    items: set[str] = set()
    while len(items) < SESSIONS * AGENTS:
        message = server.next()
        assert message is not None
        if message.get("method") == "teamwright/event" and message["params"]["event"]["type"] == "item.delta":
            items.add(message["params"]["event"]["itemId"])
    observed, worked, ends_at = Observed(), cpu_seconds(server.process.pid), time.monotonic() + SECONDS
    while time.monotonic() < ends_at:
        observed.ping_if_due(server)
        message = server.next()
        assert message is not None
        observed.take(message)
    return observed, cpu_seconds(server.process.pid) - worked


def ask_an_idle_one(home: Path, lag_ms: list[float], is_over: threading.Event) -> None:
    server = RawServer(home)
    try:
        server.greet()
        while not is_over.wait(PING_SECONDS):
            asked_at = time.monotonic()
            server.send(request("ping", "teamwright/ping", {}))
            server.answer_to("ping")
            lag_ms.append((time.monotonic() - asked_at) * 1000)
    finally:
        server.end()


def main() -> bool:
    idle_ms: list[float] = []
    is_over = threading.Event()
    with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryDirectory() as beside:
        idle = threading.Thread(target=ask_an_idle_one, args=(Path(beside), idle_ms, is_over))
        idle.start()
        with crowd(Path(directory)) as server:
            observed, worked = observe(server)
        is_over.set()
        idle.join()
    machine = statistics.quantiles(idle_ms[1:], n=100)[-1]
    lag = statistics.quantiles(observed.lag_ms, n=100)[-1] - machine
    slowest = max(observed.delivery_ms) - machine
    print(
        f"{SESSIONS} sessions x {AGENTS} agents x {1 / PACE:.0f} tokens/s: loop lag p99 {lag:.0f} ms (at most "
        f"{LAG_LIMIT_MS}), slowest delta {slowest:.0f} ms (at most {DELIVERY_LIMIT_MS}), "
        f"{worked / observed.tokens * 1e6:.0f} us of CPU a token, {worked / SECONDS:.0%} of a core "
        f"(the machine's own delay of {machine:.0f} ms is taken off)"
    )
    return lag <= LAG_LIMIT_MS and slowest <= DELIVERY_LIMIT_MS
