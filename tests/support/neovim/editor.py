"""One running Neovim. Every wait is for something on the screen or in the editor, and has a deadline."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from tests.support.neovim.rpc import Rpc
from tests.support.neovim.screen import Screen
from tests.support.patience import PATIENCE_SECONDS

COLUMNS, LINES = 140, 44
PLUGIN = Path(__file__).resolve().parents[3] / "editors/neovim"


class Neovim:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._rpc = Rpc(process, self._notified)
        self._news = asyncio.Condition()
        self._tasks: set[asyncio.Task[None]] = set()
        self.screen = Screen(COLUMNS, LINES)

    @classmethod
    async def start(cls, binary: str, init: Path, *, cwd: Path, env: Mapping[str, str]) -> "Neovim":
        process = await asyncio.create_subprocess_exec(
            binary,
            "--embed",
            "-n",
            "--cmd",
            f"set runtimepath^={PLUGIN}",
            "-u",
            str(init),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, **env},
            limit=1 << 24,
        )
        editor = cls(process)
        await editor._rpc.call("nvim_ui_attach", COLUMNS, LINES, {"ext_linegrid": True, "rgb": True})
        return editor

    async def keys(self, keys: str) -> None:
        """As typed, in Neovim's notation: `<CR>`, `<C-s>`, `<lt>`."""
        await self._rpc.call("nvim_input", keys)

    async def command(self, command: str) -> None:
        await self._rpc.call("nvim_command", command)

    async def lua(self, code: str, *arguments: object) -> Any:
        return await self._rpc.call("nvim_exec_lua", code, list(arguments))

    async def shows(self, *texts: str, within: float = PATIENCE_SECONDS) -> str:
        """Waits until all of it is on the screen; gives the screen."""
        return await self._until(lambda: all(text in self.screen.text for text in texts), f"shows {texts}", within)

    async def hides(self, text: str) -> str:
        return await self._until(lambda: text not in self.screen.text, f"hides {text!r}")

    async def moves_to(self, row: int, column: int) -> None:
        """Waits until the cursor is there, as drawn."""
        await self._until(lambda: self.screen.cursor == (row, column), f"moves to {(row, column)}")

    async def rests(self) -> None:
        """Waits until the bar tells of no work: the last word of an answer is shown before its turn is over."""
        await self.becomes("require('teamwright.ui.status').under_way(require('teamwright.sessions').current())", None)

    async def becomes(self, code: str, value: object) -> None:
        """Waits until the Lua expression has that value; it is looked at whenever something is drawn."""
        await self.holds(code, lambda found: found == value, f"{code} is {value!r}")

    async def holds(self, code: str, accept: Callable[[Any], bool], what: str = "") -> Any:
        found: Any = None
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not accept(found := await self.lua(f"return {code}")):
                    await self._drawn(within=0.1)
        except TimeoutError:
            raise AssertionError(f"{what or code}: it is {found!r}\n{self.screen.text}") from None
        return found

    async def quit(self) -> None:
        """As a user leaves who has nothing to save."""
        await self._ending(self.command("qall!"))

    async def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._ending(asyncio.sleep(0))

    async def _ending(self, last_word: Awaitable[None]) -> None:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await last_word
        except (asyncio.CancelledError, ConnectionError):
            pass
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._process.wait()
            await self._rpc.closed()

    async def _until(self, holds: Callable[[], bool], what: str, within: float = PATIENCE_SECONDS) -> str:
        try:
            async with asyncio.timeout(within), self._news:
                await self._news.wait_for(holds)
        except TimeoutError:
            raise AssertionError(f"never {what}; the screen:\n{self.screen.text}\n{await self._messages()}") from None
        return self.screen.text

    async def _messages(self) -> str:
        try:
            async with asyncio.timeout(1):
                return await self.lua("return vim.fn.execute('messages')")
        except TimeoutError:
            return "(it waits for a key)"

    async def _drawn(self, within: float) -> None:
        try:
            async with asyncio.timeout(within), self._news:
                await self._news.wait()
        except TimeoutError:
            return

    def _notified(self, method: str, arguments: list[Any]) -> None:
        if method == "redraw" and self.screen.take(arguments):
            task = asyncio.get_running_loop().create_task(self._tell())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()
