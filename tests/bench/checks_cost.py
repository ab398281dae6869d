"""What checks cost besides themselves: a workspace's fingerprint, a check of nothing, and 10,000 names that are read.

The fingerprint is compared with a bare walk that asks each file's size, a check with its command in the same sandbox.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from teamwright.config.check_settings import CommandSettings
from teamwright.protocol.checks import CheckDefinition
from teamwright.runtime.checks.reports.reading import read_output
from teamwright.runtime.checks.runner import CheckedTree, CheckRunner
from teamwright.workspace.copies.fingerprint import fingerprint
from teamwright.workspace.copies.sandbox import SandboxedCommand, run
from teamwright.workspace.copies.trees import fresh_tree
from teamwright.workspace.files.documents import Documents
from teamwright.workspace.files.folders import Folders
from teamwright.workspace.files.live_files import LiveFiles

FILES = 10_000
TESTS = 10_000
ROUNDS = 5


def filled(root: Path) -> LiveFiles:
    for number in range(FILES):
        path = root / f"package{number // 100}" / f"module{number}.py"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("x = 1\n", encoding="utf-8")
    (root / ".gitignore").write_text("*.pyc\n/build/\n", encoding="utf-8")
    folders = Folders.at(root)
    return LiveFiles(lambda: folders, Documents())


def walked(root: Path) -> None:
    for directory, _, names in os.walk(root):
        for name in names:
            os.lstat(os.path.join(directory, name))  # noqa: PTH118 - as bare as can be


def seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


async def seconds_of(work: Callable[[], Awaitable[object]]) -> float:
    start = perf_counter()
    await work()
    return perf_counter() - start


async def measured(root: Path, state: Path) -> tuple[float, float]:
    """Of a check of nothing, and of its command alone."""
    folders = Folders.at(root)
    live = LiveFiles(lambda: folders, Documents())
    runner = CheckRunner(state, CommandSettings)

    async def alone() -> None:
        with fresh_tree(live, (), state / "trees") as tree:
            await run(SandboxedCommand(argv=("true",), cwd=root, tree=tree))

    checks, commands = list[float](), list[float]()
    for number in range(ROUNDS):
        check = CheckDefinition(name="nothing", argv=("true", str(number)), source="user")
        checks.append(await seconds_of(lambda check=check: runner.run(check, CheckedTree(live))))
        commands.append(await seconds_of(alone))
    return median(checks), median(commands)


def main() -> None:
    with TemporaryDirectory() as directory:
        root, state = Path(directory, "workspace"), Path(directory, "state")
        state.mkdir()
        live = filled(root)
        bare = median(seconds(lambda: walked(root)) for _ in range(ROUNDS))
        printed = median(seconds(lambda: fingerprint(live)) for _ in range(ROUNDS))
        print(f"fingerprint of {FILES:,} files: {printed * 1000:.0f} ms, {printed / bare:.1f} times a bare walk")
        check, command = asyncio.run(measured(root, state))
        print(f"a check of nothing: {check * 1000:.0f} ms, {check / command:.2f} times its command alone")
    output = "".join(f"PASSED tests/test_{number // 50}.py::test_{number}\n" for number in range(TESTS))
    summary = f"= short test summary info =\n{output}{TESTS} passed in 1.00s\n"
    took = median(seconds(lambda: read_output(summary)) for _ in range(ROUNDS))
    print(f"reading the names of {TESTS:,} tests: {took * 1000:.0f} ms")


if __name__ == "__main__":
    main()
