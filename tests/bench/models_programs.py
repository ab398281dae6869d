"""What we add to the time that a program takes to say its first word, our tools included."""

import asyncio
import os
import subprocess
import tempfile
import time
from contextlib import aclosing
from pathlib import Path
from typing import Final

from teamwright.models.factory import Models
from teamwright.models.port import TextDelta, ToolSpec
from tests.models.asking import VOTE, asking, program_backend
from tests.support.programs import play, says
from tests.support.programs.installation import Program, Programs

ROUNDS: Final = 5
LIMIT: Final = 2.0
_ARGUMENTS: Final = ("--print", "--verbose", "--output-format", "stream-json", "--include-partial-messages")


def by_itself(program: Program) -> float:
    """From its start to the first line that carries a word of the answer."""
    began = time.perf_counter()
    command = [str(program.path), *_ARGUMENTS]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if b"text_delta" in line)
        took = time.perf_counter() - began
        process.communicate()
        return took


async def through_us(models: Models, *tools: ToolSpec) -> float:
    began = time.perf_counter()
    request = asking("Hello", *tools)
    async with aclosing(models.open(program_backend("claude_code", "claude")).stream(request)) as parts:
        assert isinstance(await anext(parts), TextDelta)
        return time.perf_counter() - began


async def compare(home: Path) -> tuple[float, float, float, float]:
    programs = Programs(home)
    program = programs.install("claude").replies(*[play(says("Hello there"))] * (3 * ROUNDS + 1))
    environ = {**os.environ, "PATH": programs.path_variable}
    async with Models(environ) as models:
        first = await through_us(models, VOTE)
        with_tools = [await through_us(models, VOTE) for _ in range(ROUNDS)]
        later = [await through_us(models) for _ in range(ROUNDS)]
    alone = [await asyncio.to_thread(by_itself, program) for _ in range(ROUNDS)]
    return min(alone), first, min(with_tools), min(later)


def main() -> bool:
    with tempfile.TemporaryDirectory() as home:
        alone, first, with_tools, later = asyncio.run(compare(Path(home)))
    print(
        f"program: first word after {alone:.2f} s by itself; we add {first - alone:.2f} s to the first call "
        f"(its version is asked for), {with_tools - alone:.2f} s to later ones with tools "
        f"and {later - alone:.2f} s without (at most {LIMIT} s)"
    )
    return first - alone <= LIMIT
