"""Where analysers work: copies of the sources under neutral names in a directory of their own, gone afterwards."""

import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

import anyio
from anyio import to_thread

from teamwright.models.errors import ModelError
from teamwright.models.offline.remarks import CodeRemark, SourceFile
from teamwright.models.programs.process import running

_SECONDS: Final = 60.0


class AnalyserDirectory:
    """Nothing of the repository lies here that could configure an analyser."""

    def __init__(self, directory: Path, sources: Sequence[SourceFile]) -> None:
        self._directory = directory
        self._sources = sources

    async def output(self, module: str, arguments: Sequence[str]) -> str:
        # -P: what lies in the directory is looked at, never imported.
        argv = [sys.executable, "-P", "-m", module, *arguments]
        environment = {**os.environ, "PYTHONUTF8": "1"}
        try:
            with anyio.fail_after(_SECONDS):
                return await _output(argv, environment, self._directory)
        except TimeoutError:
            raise ModelError("timeout", f"{module} took longer than {_SECONDS:.0f} s: review fewer files.") from None

    def name_of(self, reported: str) -> str:
        return self._sources[int(Path(reported).stem)].path

    def placed(self, remark: CodeRemark) -> CodeRemark:
        """The same remark at the file that the copy was made of."""
        return replace(remark, place=replace(remark.place, path=self.name_of(remark.place.path)))

    async def texts(self) -> tuple[SourceFile, ...]:
        """The copies as an analyser has left them."""
        return await to_thread.run_sync(self._read)

    def _read(self) -> tuple[SourceFile, ...]:
        return tuple(
            SourceFile(source.path, _copy(self._directory, index, source).read_bytes().decode())
            for index, source in enumerate(self._sources)
        )


@asynccontextmanager
async def analyser_directory(sources: Iterable[SourceFile]) -> AsyncGenerator[AnalyserDirectory]:
    laid_out = tuple(sources)
    directory = await to_thread.run_sync(_lay_out, laid_out)
    with directory:
        yield AnalyserDirectory(Path(directory.name), laid_out)


def _lay_out(sources: Sequence[SourceFile]) -> tempfile.TemporaryDirectory[str]:
    directory = tempfile.TemporaryDirectory(prefix="teamwright-", ignore_cleanup_errors=True)
    for index, source in enumerate(sources):
        _copy(Path(directory.name), index, source).write_bytes(source.text.encode())
    return directory


def _copy(directory: Path, index: int, source: SourceFile) -> Path:
    return directory / f"{index}{PurePosixPath(source.path).suffix}"


async def _output(argv: Sequence[str], environment: dict[str, str], directory: Path) -> str:
    async with running(
        argv, env=environment, cwd=directory, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        output = b"".join([chunk async for chunk in process.stdout]) if process.stdout is not None else b""
        if await process.wait() != 0:
            raise ModelError("program_crashed", f"{argv[3]} could not do its work: install Teamwright anew.")
    return output.decode()
