"""Checks as they really run: in a fresh copy, shut in, once for the same bytes, twice before anybody is blamed."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest
import pytest_asyncio

from teamwright.config.check_settings import CommandSettings
from teamwright.permissions.paths import WorkspacePath
from teamwright.protocol.checks import CheckCounts, CheckDefinition, CheckFailure
from teamwright.runtime.checks.comparing import Comparison
from teamwright.runtime.checks.results import FinishedCheck
from teamwright.runtime.checks.runner import CheckedTree, CheckRunner
from teamwright.workspace.copies.staging import StagedFile
from teamwright.workspace.files.documents import Document, Documents
from teamwright.workspace.files.folders import Folders, uri_of_path
from teamwright.workspace.files.live_files import LiveFiles
from tests.support.patience import PATIENCE_SECONDS

UUID = ("cat", "/proc/sys/kernel/random/uuid")


@dataclass
class Workshop:
    """A workspace, and a runner of its checks."""

    root: Path
    state: Path
    documents: Documents = field(default_factory=Documents)
    commands: CommandSettings = field(default_factory=CommandSettings)
    cores: int = 2

    def __post_init__(self) -> None:
        folders = Folders.at(self.root)
        self.live = LiveFiles(lambda: folders, self.documents)
        self.runner = self.another_runner()

    def another_runner(self) -> CheckRunner:
        """As after a restart."""
        return CheckRunner(self.state, lambda: self.commands, self.cores)

    def write(self, name: str, text: str, mode: int = 0o644) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)

    def candidate(self, name: str, **files: str) -> CheckedTree:
        changes = [
            StagedFile(WorkspacePath(self.root.name, tuple(path.replace("__", "/").split("/"))), None, text)
            for path, text in files.items()
        ]
        return CheckedTree(self.live, name, tuple(changes))

    async def run(
        self, *argv: str, on: CheckedTree | None = None, tell: Callable[[str], None] | None = None, **more: Any
    ) -> FinishedCheck:
        return await self.runner.run(check(*argv, **more), on or CheckedTree(self.live), tell)


def check(*argv: str, **more: Any) -> CheckDefinition:
    return CheckDefinition.model_validate({"name": "tests", "argv": argv, "source": "user", **more})


def shell(script: str) -> tuple[str, ...]:
    return "sh", "-c", script


@pytest_asyncio.fixture
async def workshop(tmp_path: Path) -> Workshop:
    for name in ("shop", "state"):
        (tmp_path / name).mkdir()
    return Workshop(tmp_path / "shop", tmp_path / "state")


TEST_FILE = """import unittest
from shop import total

class Shop(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_empty(self):
        self.assertEqual(total([]), 0)
"""
UNITTEST = ("python3", "-m", "unittest", "-v")


@pytest.mark.asyncio
async def test_a_check_is_run_and_read(workshop: Workshop) -> None:
    workshop.write("shop.py", "def total(prices): return sum(prices) + len(prices)\n")
    workshop.write("test_shop.py", TEST_FILE)
    finished = await workshop.run(*UNITTEST)
    assert (finished.outcome, finished.exit_code, finished.tests) == (
        "failed",
        1,
        CheckCounts(passed=1, failed=1, skipped=0),
    )
    assert finished.failures == (
        CheckFailure(
            name="test_total (test_shop.Shop.test_total)",
            path="test_shop.py",
            line=6,
            message="AssertionError: 5 != 3",
        ),
    )
    mended = await workshop.run(
        *UNITTEST, on=workshop.candidate("one", **{"shop.py": "def total(prices): return sum(prices)\n"})
    )
    assert (mended.outcome, mended.tests) == ("passed", CheckCounts(passed=2, failed=0, skipped=0))


@pytest.mark.asyncio
async def test_it_sees_unsaved_text_and_what_it_writes_is_thrown_away(workshop: Workshop) -> None:
    workshop.write("a.txt", "saved")
    workshop.documents.show(Document(uri_of_path(workshop.root / "a.txt"), 1, "unsaved"))
    finished = await workshop.run(*shell("cat a.txt; echo more > a.txt; echo new > b.txt"))
    assert finished.output == "unsaved"
    assert (workshop.root / "a.txt").read_text() == "saved"
    assert sorted(path.name for path in workshop.root.iterdir()) == ["a.txt"]
    assert list((workshop.state / "check-trees").iterdir()) == []


@pytest.mark.asyncio
async def test_the_same_bytes_are_checked_once(workshop: Workshop) -> None:
    workshop.write("a.txt", "1")
    base = await workshop.run(*UUID)
    one = await workshop.run(*UUID, on=workshop.candidate("one", **{"a.txt": "2"}))
    told: list[FinishedCheck] = []

    async def run_two() -> None:
        told.append(await workshop.run(*UUID, on=workshop.candidate("two", **{"a.txt": "3"})))

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(run_two)
    assert sorted(each.reused for each in told) == [False, True, True]
    assert len({each.output for each in told}) == 1
    again = await workshop.run(*UUID, on=workshop.candidate("one", **{"a.txt": "2"}))
    assert (again.reused, again.output) == (True, one.output)
    assert len({base.output, one.output, told[0].output}) == 3


@pytest.mark.asyncio
async def test_a_baseline_is_kept_by_its_content_over_restarts(workshop: Workshop) -> None:
    workshop.write("a.txt", "1")
    workshop.write(".gitignore", "cache\n")
    first = await workshop.run(*UUID)
    workshop.write("cache/x", "ignored")
    kept = await workshop.another_runner().run(check(*UUID), CheckedTree(workshop.live))
    assert (kept.reused, kept.output, kept.tree) == (True, first.output, first.tree)
    workshop.write("a.txt", "22")
    after = await workshop.run(*UUID)
    assert not after.reused
    assert after.tree != first.tree
    workshop.write("node_modules/x/index.js", "installed")
    workshop.write(".gitignore", "cache\n")
    assert not (await workshop.run(*UUID)).reused


@pytest.mark.asyncio
async def test_what_ran_while_a_file_was_saved_is_kept_for_nobody(workshop: Workshop) -> None:
    workshop.write("a.txt", "1")
    slow = shell("echo begun; cat /proc/sys/kernel/random/uuid; sleep 0.3")
    stamp = (workshop.root / "a.txt").stat()
    first = await workshop.run(*slow, tell=lambda _: workshop.write("a.txt", "22"))
    workshop.write("a.txt", "1")
    os.utime(workshop.root / "a.txt", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    second = await workshop.run(*slow)
    assert second.tree == first.tree
    assert (second.reused, second.output == first.output) == (False, False)


@pytest.mark.asyncio
async def test_no_more_run_at_once_than_there_are_cores(workshop: Workshop) -> None:
    workshop.cores = 1
    workshop.runner = workshop.another_runner()
    heard: list[str] = []

    async def run_one(name: str) -> None:
        await workshop.run(
            *shell(f"echo begin; sleep 0.3; echo end; : {name}"), tell=lambda text: heard.extend(text.split())
        )

    async with anyio.create_task_group() as tasks:
        for name in ("a", "b", "c"):
            tasks.start_soon(run_one, name)
    assert heard == ["begin", "end"] * 3


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("argv", "more", "outcome", "sentence"),
    [
        (("sleep", "1000"), {"timeoutSeconds": 0.5}, "timed_out", "It was ended after 0.5 seconds."),
        (
            ("no-such-program",),
            {},
            "error",
            "`no-such-program` was not found; install it, name its path, or add its folder to `commands.toolchains`.",
        ),
        (("./plain.txt",), {}, "error", "`./plain.txt` cannot be run: permission denied."),
        (
            ("python3", "-m", "nosuchmodule"),
            {},
            "error",
            "`python3` has no module `nosuchmodule`; install it, or name another command.",
        ),
        (("true",), {"cwd": "/etc"}, "error", "`/etc` is outside the workspace."),
        (("true",), {"report": "r.xml"}, "error", "It was to write `r.xml`, and did not."),
    ],
)
async def test_what_comes_to_no_end_is_told_in_a_sentence(
    workshop: Workshop, argv: tuple[str, ...], more: dict[str, Any], outcome: str, sentence: str
) -> None:
    workshop.write("plain.txt", "")
    finished = await workshop.run(*argv, **more)
    assert (finished.outcome, [failure.message for failure in finished.failures]) == (outcome, [sentence])


@pytest.mark.asyncio
async def test_it_runs_in_its_own_folder_and_its_report_is_read(workshop: Workshop) -> None:
    report = (
        '<testsuite><testcase name="a" file="x.py"><failure message="no">x.py:3: no</failure></testcase></testsuite>'
    )
    workshop.write("web/report.txt", report)
    finished = await workshop.run(*shell("cp report.txt r.xml; exit 1"), cwd="web", report="r.xml")
    assert (finished.outcome, finished.failures) == (
        "failed",
        (CheckFailure(name="a", path="web/x.py", line=3, message="no"),),
    )


@pytest.mark.asyncio
async def test_closed_files_are_seen_only_by_a_check_that_needs_them(workshop: Workshop) -> None:
    workshop.write(".env", "KEY=1")
    assert (await workshop.run("cat", ".env")).outcome == "failed"
    assert (await workshop.run("cat", ".env", needs=(".env",))).output == "KEY=1"


@pytest.mark.asyncio
async def test_a_flood_is_thinned_out_while_it_comes_and_bounded_when_it_is_told(workshop: Workshop) -> None:
    heard: list[str] = []
    finished = await workshop.run(*shell("seq 300000; echo last"), tell=heard.append)
    assert max(map(len, heard)) <= 4_000
    assert len(heard) < 1_000
    assert len(finished.output) < 20_000
    assert finished.output.endswith("\n300000\nlast\n")


@pytest.mark.asyncio
async def test_one_that_is_cancelled_leaves_its_place_to_the_next(workshop: Workshop) -> None:
    workshop.cores = 1
    workshop.runner = workshop.another_runner()
    begun = anyio.Event()

    async def endless() -> None:
        await workshop.run(*shell("echo begun; sleep 1000"), tell=lambda _: begun.set())

    with anyio.fail_after(PATIENCE_SECONDS):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(endless)
            await begun.wait()
            tasks.cancel_scope.cancel()
        assert (await workshop.run("true")).outcome == "passed"
    assert list((workshop.state / "check-trees").iterdir()) == []


@pytest.mark.asyncio
async def test_a_change_that_does_not_concern_a_check_has_the_bases_result(workshop: Workshop) -> None:
    workshop.write("web/a.txt", "1")
    base = await workshop.run(*UUID, paths=("web/**",))
    elsewhere = await workshop.run(*UUID, paths=("web/**",), on=workshop.candidate("one", **{"docs/b.txt": "x"}))
    touching = await workshop.run(*UUID, paths=("web/**",), on=workshop.candidate("two", **{"web/a.txt": "2"}))
    assert (elsewhere.output, elsewhere.reused) == (base.output, True)
    assert (touching.output == base.output, touching.reused) == (False, False)


@pytest.mark.asyncio
async def test_what_broke_is_named_after_it_was_run_once_more(workshop: Workshop) -> None:
    workshop.write("shop.py", "def total(prices): return sum(prices)\n")
    workshop.write("test_shop.py", TEST_FILE)
    broken = workshop.candidate("one", **{"shop.py": "def total(prices): return 3\n"})
    without = workshop.candidate("two", **{"test_shop.py": TEST_FILE.partition("    def test_empty")[0]})
    same = workshop.candidate("three", **{"notes.txt": "x"})
    tests = check(*UNITTEST)
    empty = "test_empty (test_shop.Shop.test_empty)"
    assert await workshop.runner.compare(tests, broken) == Comparison((empty,), 1)
    assert await workshop.runner.compare(tests, without) == Comparison((empty,), 1)
    assert await workshop.runner.compare(tests, same) == Comparison()


@pytest.mark.asyncio
async def test_what_varies_by_itself_judges_nobody(workshop: Workshop) -> None:
    """What is ignored is no part of the bytes, and so the one thing that can vary."""
    workshop.write(".gitignore", "weather\n")
    workshop.write("weather/today", "fair")
    sky = check("grep", "-q", "fair", "weather/today")
    candidate = workshop.candidate("one", **{"a.txt": "x"})
    assert (await workshop.runner.run(sky, CheckedTree(workshop.live))).outcome == "passed"
    workshop.write("weather/today", "foul")
    assert (await workshop.runner.run(sky, candidate)).outcome == "failed"
    workshop.write("weather/today", "fair")
    assert await workshop.runner.compare(sky, candidate) == Comparison(flaky=("tests",))


@pytest.mark.asyncio
async def test_pytest_names_what_passes_unasked(workshop: Workshop) -> None:
    """So that a test that was taken away is noticed, and not only counted."""
    workshop.commands = CommandSettings(toolchains=(sys.prefix, sys.base_prefix))
    workshop.write("test_a.py", "def test_one(): pass\ndef test_two(): assert False\n")
    tests = check(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    finished = await workshop.runner.run(tests, CheckedTree(workshop.live))
    assert finished.report is not None, finished
    assert finished.report.cases == {"test_a.py::test_one": "passed", "test_a.py::test_two": "failed"}
    assert "PASSED test_a.py" not in finished.output
    gone = workshop.candidate("one", **{"test_a.py": "def test_one(): pass\n"})
    assert await workshop.runner.compare(tests, gone) == Comparison(not_fixed=1)
