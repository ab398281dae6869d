"""Commands in a fresh copy of a workspace, for tests of the sandbox."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from teamwright.workspace.copies.sandbox import CommandEnd, CommandLimits, SandboxedCommand, run
from teamwright.workspace.copies.trees import Tree, fresh_tree
from tests.support.patience import PATIENCE_SECONDS
from tests.workspace.desk import Desk


class Box:
    """What a command leaves is thrown away."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.directory = desk.run_directory / "copies"

    async def run(self, *argv: str, cwd: str = ".", limits: CommandLimits | None = None, **more: Any) -> CommandEnd:
        with fresh_tree(self.desk.live, (), self.directory) as tree:
            command = SandboxedCommand(
                argv, self.desk.folder / cwd, tree, limits=limits or CommandLimits(seconds=PATIENCE_SECONDS), **more
            )
            return await run(command)

    async def shell(self, script: str, **more: Any) -> CommandEnd:
        return await self.run("sh", "-c", script, **more)

    async def says(self, script: str, **more: Any) -> str:
        """Of a command that must end well."""
        end = await self.shell(script, **more)
        assert (end.how, end.exit_code) == ("exited", 0), end.output
        return end.output


def processes_with(word: str) -> list[str]:
    """The command lines of all processes of this machine that hold a word."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            if word in line:
                found.append(line)
    return found


def files_below(folder: Path, *, apart: Sequence[str] = ()) -> dict[str, bytes]:
    """Every file, by its path: what must not change."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and path.name not in apart
    }


@contextmanager
def sandbox_tree(box: Box) -> Generator[tuple[Tree, Path]]:
    with fresh_tree(box.desk.live, (), box.directory) as tree:
        yield tree, box.desk.folder
