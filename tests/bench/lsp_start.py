"""From the start of the process to the answer to `initialize`: CPU against a minimal pygls server, in the same run.

Of the main thread, which makes the answer: what is loaded behind it in another has begun when the answer is read.
"""

import statistics
import tempfile
from pathlib import Path
from typing import Final

from tests.bench.process_figures import main_thread_seconds
from tests.lsp.raw_server import GREETING, RawServer, request

ROUNDS: Final = 9
LIMIT: Final = 1.05
STOCK: Final = "from pygls.lsp.server import LanguageServer\nLanguageServer('stock', '1').start_io()\n"


def started(home: Path, code: str | None) -> float:
    server = RawServer(home, code=code)
    try:
        server.send(request(1, "initialize", GREETING))
        server.answer_to(1)
        return main_thread_seconds(server.process.pid)
    finally:
        server.end()


def main() -> bool:
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        for code in (STOCK, None):
            started(home, code)  # The first of each compiles.
        pairs = [(started(home, STOCK), started(home, None)) for _ in range(ROUNDS)]
    stock, ours = (statistics.median(each) for each in zip(*pairs, strict=True))
    ratio = ours / stock
    print(f"initialize answered after {ours * 1000:.0f} ms of CPU: {ratio:.2f}x minimal pygls (at most {LIMIT}x)")
    return ratio <= LIMIT
