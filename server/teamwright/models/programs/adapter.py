"""One answer of a program: started in a workplace, read line by line, and ended with all that it has started."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Final, cast

import anyio
from anyio import to_thread
from anyio.abc import ByteReceiveStream, Process

from teamwright.models.adapter import Decoder, Generation, JsonObject, refuse_images
from teamwright.models.errors import ModelError
from teamwright.models.faults import Target, quoted
from teamwright.models.port import ModelRequest, Part
from teamwright.models.programs.complaints import Complaints
from teamwright.models.programs.dialect import ProgramDecoder, ProgramDialect
from teamwright.models.programs.installation import Installation, Version, spelled
from teamwright.models.programs.process import GRACE_SECONDS, running
from teamwright.models.programs.transcript import prompt_of, system_of
from teamwright.models.programs.workplace import workplace, write_files
from teamwright.models.reading import NO_EVENT, LineReader, StreamDeadline, json_of, read_answer

# What a name may hold if it is to stand on a command line: on Windows some programs are batch files.
_MODEL_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:/@[]-")
_KEPT_GARBAGE_BYTES: Final = 1_000


class ProgramAdapter:
    def __init__(
        self, installation: Installation, dialect: ProgramDialect, target: Target, generation: Generation
    ) -> None:
        self._installation = installation
        self._dialect = dialect
        self._target = target
        self._generation = generation

    async def attempt(self, request: ModelRequest) -> AsyncGenerator[Part]:
        refuse_images(request.messages, self._target)
        if not _MODEL_CHARACTERS.issuperset(self._generation.model):
            raise ModelError("unknown_model", f"{self._target.provider} cannot have such a model: correct `model`.")
        if request.tool_choice == "none":
            request = replace(request, tools=())
        found = await self._installation.found()
        if request.tools and found.version < self._dialect.oldest_with_tools:
            raise self._too_old_for_tools(found.version)
        decoder = self._dialect.decoder(request, self._target)
        lines = JsonLines(decoder, self._target)
        opening = self._started(found.path, request, lines, decoder)
        answer = read_answer(opening, lines, decoder, StreamDeadline(request.deadlines, self._target), self._target)
        try:
            async with aclosing(answer) as parts:
                async for part in parts:
                    yield part
        except OSError as error:
            message = f"{self._target.provider} cannot be started ({error.strerror}): try it in a terminal."
            raise ModelError("program_crashed", message) from error

    def _too_old_for_tools(self, version: Version) -> ModelError:
        who, needed = self._target.provider, spelled(self._dialect.oldest_with_tools)
        message = f"{who} {spelled(version)} does not take tools, {needed} does: {self._dialect.how_to_update}."
        return ModelError("tools_unsupported", message)

    @asynccontextmanager
    async def _started(
        self, path: str, request: ModelRequest, lines: "JsonLines", decoder: ProgramDecoder
    ) -> AsyncGenerator[AsyncIterator[bytes]]:
        async with workplace(system_of(request), prompt_of(request.messages)) as place:
            call = self._dialect.call(self._generation, place, request.tools)
            await to_thread.run_sync(write_files, call.files)
            with place.prompt_file.open("rb") as prompt, Complaints() as complaints:
                async with running(
                    [path, *call.arguments],
                    env={**self._installation.environment, **call.environment},
                    cwd=place.directory,
                    stdin=prompt,
                    stderr=complaints.sink.fileno(),
                ) as process:
                    if process.stdout is not None:
                        async with aclosing(_until_over(process.stdout, decoder)) as chunks:
                            yield chunks
                    if not decoder.finished:
                        raise await self._broken_off(process, complaints, lines)

    async def _broken_off(self, process: Process, complaints: Complaints, lines: "JsonLines") -> ModelError:
        with anyio.move_on_after(GRACE_SECONDS):
            await process.wait()
        who = self._target.provider
        if process.returncode:
            complaint = quoted(await to_thread.run_sync(complaints.last_words)) or "it said nothing"
            message = f"{who} ended with exit code {process.returncode} ({complaint}): try it in a terminal."
            return ModelError("program_crashed", message)
        if lines.garbage:
            message = f"{who} wrote something else than its streaming JSON ({quoted(lines.garbage)}): update it."
            return ModelError("program_garbage", message)
        return ModelError("truncated_stream", f"{who} ended before its answer was complete: try again.")


async def _until_over(stream: ByteReceiveStream, decoder: ProgramDecoder) -> AsyncGenerator[bytes]:
    async for chunk in stream:
        yield chunk
        if decoder.over:
            return


class JsonLines:
    """Lines that are no events are passed over: programs greet and warn on the same channel."""

    def __init__(self, decoder: Decoder, target: Target) -> None:
        self._decoder = decoder
        self._lines = LineReader(target)
        self.garbage = ""

    def feed(self, chunk: bytes) -> Sequence[Part]:
        return [part for line in self._lines.feed(chunk) for part in self._decoded(line)]

    def rest(self) -> Sequence[Part]:
        return self._decoded(self._lines.rest())

    def _decoded(self, line: bytes) -> Sequence[Part]:
        if not line.strip():
            return ()
        try:
            event = json_of(line)
            return self._decoder.decode(cast("JsonObject", event)) if isinstance(event, dict) else self._noted(line)
        except NO_EVENT:
            return self._noted(line)

    def _noted(self, line: bytes) -> Sequence[Part]:
        self.garbage = self.garbage or line[:_KEPT_GARBAGE_BYTES].decode("utf-8", errors="replace")
        return ()
