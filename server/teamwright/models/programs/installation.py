"""A program on this machine: where it is, whether it is new enough, and what it may see of the environment."""

import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import anyio
from anyio import EndOfStream, to_thread

from teamwright.config.presets import PRESETS
from teamwright.config.surroundings import find_program
from teamwright.models.errors import ModelError
from teamwright.models.faults import Target, quoted
from teamwright.models.programs.dialect import ProgramDialect
from teamwright.models.programs.process import running

Version: TypeAlias = tuple[int, int, int]

VERSION_SECONDS: Final = 20.0
_VERSION: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)")
# A program that finds these believes to run inside itself, and refuses.
_NESTING: Final = frozenset({"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"})


@dataclass(frozen=True, slots=True)
class InstalledProgram:
    path: str
    version: Version


def spelled(version: Version) -> str:
    return ".".join(map(str, version))


class Installation:
    def __init__(self, program: str, dialect: ProgramDialect, target: Target, environ: Mapping[str, str]) -> None:
        self._program = program
        self._dialect = dialect
        self._target = target
        self._environ = environ
        self._lock = anyio.Lock()
        self._found: InstalledProgram | None = None

    @property
    def environment(self) -> dict[str, str]:
        """Without the keys of other makers: the program has no business with them."""
        foreign = {
            name for preset in PRESETS.values() if preset.maker != self._dialect.maker for name in preset.key_variables
        }
        return {name: value for name, value in self._environ.items() if name not in foreign | _NESTING}

    async def version(self) -> str:
        return spelled((await self.found()).version)

    async def found(self) -> InstalledProgram:
        """Looked for once: asking for the version takes as long as starting the program."""
        async with self._lock:
            if self._found is None:
                path = await self._located()
                version = self._parsed(await self._output(path, "--version"))
                self._refuse_old(version)
                self._found = InstalledProgram(path, version)
            return self._found

    def _parsed(self, said: str) -> Version:
        match = _VERSION.search(said)
        if match is None:
            message = f"{self._target.provider} did not say its version ({quoted(said) or 'no output'}): reinstall it."
            raise ModelError("program_version", message)
        return int(match[1]), int(match[2]), int(match[3])

    async def _located(self) -> str:
        path = await to_thread.run_sync(find_program, self._program, self._environ)
        if path is None:
            message = (
                f"The program {self._program} is not on the PATH: install {self._target.provider}, or set `program`."
            )
            raise ModelError("program_missing", message)
        return path

    def _refuse_old(self, version: Version) -> None:
        if version < self._dialect.oldest:
            found, needed = spelled(version), spelled(self._dialect.oldest)
            message = f"{self._target.provider} {found} is too old, {needed} is needed: {self._dialect.how_to_update}."
            raise ModelError("program_version", message)

    async def _output(self, path: str, *arguments: str) -> str:
        said = b""
        try:
            with anyio.fail_after(VERSION_SECONDS):
                async with running(
                    [path, *arguments],
                    env=self.environment,
                    cwd=Path(tempfile.gettempdir()),
                    stdin=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                ) as process:
                    stream = process.stdout
                    while stream is not None and len(said) < 65_536:
                        said += await stream.receive()
        except EndOfStream:
            pass
        except TimeoutError:
            message = (
                f"{self._target.provider} did not say its version within {VERSION_SECONDS:g} s: start it by hand once."
            )
            raise ModelError("timeout", message) from None
        except OSError as error:
            message = f"{self._target.provider} cannot be started ({error.strerror}): reinstall it."
            raise ModelError("program_missing", message) from None
        return said.decode("utf-8", errors="replace")
