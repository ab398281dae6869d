"""Runs checks: each in a fresh copy, as many at once as there are cores, and none twice on the same bytes."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

import anyio
from anyio import to_thread

from teamwright.config.check_settings import CommandSettings
from teamwright.permissions.paths import Places, WorkspacePath, parse_path, render_path
from teamwright.protocol.checks import CheckDefinition, CheckFailure
from teamwright.protocol.errors import UserError
from teamwright.runtime.checks.comparing import CheckResult, Comparison, compare, is_suspect
from teamwright.runtime.checks.live_output import LiveOutput
from teamwright.runtime.checks.reports.reading import Reading, placed, read_result
from teamwright.runtime.checks.reports.report import MOST_FAILURES
from teamwright.runtime.checks.results import FinishedCheck, KeptChecks, installed_stamp, key_of
from teamwright.runtime.checks.touching import is_concerned
from teamwright.workspace.copies.fingerprint import fingerprint
from teamwright.workspace.copies.sandbox import (
    CommandEnd,
    CommandLimits,
    Ending,
    Sandbox,
    SandboxedCommand,
    Unavailable,
    availability,
    run,
)
from teamwright.workspace.copies.staging import StagedFile
from teamwright.workspace.copies.trees import fresh_tree
from teamwright.workspace.files.live_files import LiveFiles

OnOutput = Callable[[str], None]

_DIRECTORY: Final = "check-trees"
# What is read: names of thousands of tests are a few hundred kilobytes.
_OUTPUT_BYTES: Final = 4_000_000
_TAIL_BYTES: Final = 1_000_000
# What is told of it.
_TOLD_HEAD: Final = 4_000
_TOLD_TAIL: Final = 12_000
# pytest names what passes, so that a test that is gone is noticed; no line is cut to a terminal's width; what Python
# compiles would be thrown away, or stand for a file that changed within the same second.
_ENVIRONMENT: Final = {
    "PYTEST_ADDOPTS": "-rfEpxX",
    "COLUMNS": "200",
    "FORCE_COLOR": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_ENDED: Final[dict[Ending, str]] = {
    "out_of_memory": "It was ended because it took too much memory.",
    "too_many_processes": "It was ended because it started too many processes.",
    "disk_full": "It was ended because it wrote too much to the disk.",
    "killed": "It was killed.",
}
_NOT_STARTED: Final = re.compile(r"bwrap: execvp (?P<program>.+): (?P<why>.+)")
# What pytest was asked to name, and nobody wants to read.
_NAMED: Final = re.compile(r"^(?:PASSED|XFAIL|XPASS) .+\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CheckedTree:
    """What a check is run on: the workspace with unsaved text, and over it what a candidate changes."""

    live: LiveFiles
    change_set_id: str | None = None
    changes: tuple[StagedFile, ...] = ()

    @property
    def base(self) -> "CheckedTree":
        return CheckedTree(self.live)


def checks_off(sandbox: Sandbox = "auto") -> str | None:
    """Why no check can be run on this machine, as a sentence. Blocks at the first call."""
    match availability(sandbox):
        case Unavailable(sentence):
            return sentence
        case _:
            return None


class CheckRunner:
    """One for the process, so that all runs together take no more than the machine has."""

    def __init__(self, state_path: Path, get_commands: Callable[[], CommandSettings], cores: int | None = None) -> None:
        self._state_path = state_path
        self._get_commands = get_commands
        self._kept = KeptChecks(state_path)
        self._cores = anyio.CapacityLimiter(cores or os.cpu_count() or 1)
        self._at_work: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    async def run(
        self, check: CheckDefinition, on: CheckedTree, on_output: OnOutput | None = None, *, anew: bool = False
    ) -> FinishedCheck:
        """What has been run on the same bytes is told again, `reused`, unless somebody wants it anew.

        Cancelled, it ends with all that it started.
        """
        if on.change_set_id is not None and not is_concerned(check, [_name(each, on.live) for each in on.changes]):
            return replace(await self.run(check, on.base, on_output, anew=anew), reused=True)
        tree = await to_thread.run_sync(fingerprint, on.live)
        installed = await to_thread.run_sync(_installed, check, on.live)
        key = key_of(check, tree, installed, on.change_set_id)
        lock = self._at_work.setdefault(key, anyio.Lock())
        async with lock:
            if not anew and (kept := await to_thread.run_sync(self._kept.load, key)) is not None:
                return replace(kept, reused=True)
            finished = replace(await self._executed(check, on, on_output), tree=tree)
            # What did not come to its end, or ran while files were saved, is run again when somebody wants to know.
            is_settled = finished.outcome in {"passed", "failed"}
            if is_settled and await to_thread.run_sync(fingerprint, on.live) == tree:
                await to_thread.run_sync(self._kept.keep, key, finished)
            return finished

    async def compare(self, check: CheckDefinition, on: CheckedTree) -> Comparison:
        """With the workspace as it is without the candidate. What broke is run once more, on both."""
        base = await self.run(check, on.base)
        finished = await self.run(check, on)
        if not is_suspect(check.name, base.result, finished.result):
            return compare(check.name, base.result, finished.result)
        again: dict[bool, CheckResult] = {}

        async def run_again(which: CheckedTree, *, is_base: bool) -> None:
            again[is_base] = (await self._executed(check, which, None)).result

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: run_again(on.base, is_base=True))
            tasks.start_soon(lambda: run_again(on, is_base=False))
        return compare(check.name, base.result, finished.result, (again[True], again[False]))

    async def _executed(self, check: CheckDefinition, on: CheckedTree, on_output: OnOutput | None) -> FinishedCheck:
        async with self._cores:
            live_output = LiveOutput(on_output or _unheard)
            try:
                end, folder, cwd = await self._command(check, on, live_output.feed)
            except UserError as fault:
                return _not_run(check, fault.message)
            finally:
                live_output.close()
        return await to_thread.run_sync(_finished, check, end, folder, cwd, on.live.folders.places)

    async def _command(
        self, check: CheckDefinition, on: CheckedTree, on_output: OnOutput
    ) -> tuple[CommandEnd, Path, WorkspacePath]:
        """Raises UserError where it cannot be begun."""
        commands, live = self._get_commands(), on.live.pinned()
        places = live.folders.places
        cwd = _located(check.cwd or ".", places)
        folder = live.folders.root(cwd).path
        needs = [_located(need, places) for need in check.needs or ()]
        own = [StagedFile(_located(file.path, places), None, file.content) for file in check.files or ()]
        tree = fresh_tree(live, (*on.changes, *own), self._state_path / _DIRECTORY)
        try:
            made = await to_thread.run_sync(tree.__enter__)
        except (OSError, ValueError) as fault:
            raise _NoCopy(fault) from fault
        try:
            command = SandboxedCommand(
                argv=check.argv,
                cwd=folder.joinpath(*cwd.parts),
                tree=made,
                environment=_ENVIRONMENT,
                limits=CommandLimits(seconds=check.timeout_seconds, output_bytes=_OUTPUT_BYTES, tail_bytes=_TAIL_BYTES),
                toolchains=tuple(Path(each) for each in commands.toolchains),
                needs=tuple(live.folders.root(need).path.joinpath(*need.parts) for need in needs),
                wanted=(folder.joinpath(*cwd.parts, check.report),) if check.report else (),
                closed=(self._state_path,),
                sandbox=commands.sandbox,
            )
            return await run(command, on_output), folder, cwd
        finally:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(tree.__exit__, None, None, None)


def _installed(check: CheckDefinition, live: LiveFiles) -> str:
    roots = {folder.root.path for folder in live.folders.folders}
    return installed_stamp(sorted({*roots, *(root / (check.cwd or ".") for root in roots)}))


def _unheard(text: str) -> None:
    del text


def _name(change: StagedFile, live: LiveFiles) -> str:
    return render_path(change.path, live.folders.places)


def _located(text: str, places: Places) -> WorkspacePath:
    match parse_path(text, places):
        case WorkspacePath() as path:
            return path
        case other:
            raise _NotInWorkspace(getattr(other, "reason", f"`{text}` is not in the workspace"))


class _NotInWorkspace(UserError):
    """A check's path leads nowhere."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason[:1].upper()}{reason[1:]}.")


class _NoCopy(UserError):
    """The disk is full, or what a check brings along does not fit into the copy."""

    def __init__(self, fault: Exception) -> None:
        why = getattr(fault, "strerror", None) or str(fault)
        super().__init__(f"The copy that it is run in could not be made: {why}.")


def _not_run(check: CheckDefinition, sentence: str) -> FinishedCheck:
    return FinishedCheck("error", 0.0, failures=(CheckFailure(name=check.name, message=sentence),), output=sentence)


def _finished(
    check: CheckDefinition, end: CommandEnd, folder: Path, cwd: WorkspacePath, places: Places
) -> FinishedCheck:
    reading = _reading(check, end, folder.joinpath(*cwd.parts))
    report = placed(reading.report, folder.as_posix(), cwd.parts) if reading.report is not None else None
    failures = [
        CheckFailure(
            name=each.name,
            path=render_path(WorkspacePath(cwd.folder, tuple(each.path.split("/"))), places) if each.path else None,
            line=each.line,
            message=each.message,
        )
        for each in (report.failures if report is not None else ())[:MOST_FAILURES]
    ]
    notes = [CheckFailure(name=check.name, message=reading.note)] if reading.note else []
    return FinishedCheck(
        reading.outcome,
        end.seconds,
        end.exit_code if end.how == "exited" else None,
        (*notes, *failures),
        _told(end.output),
        report,
    )


def _reading(check: CheckDefinition, end: CommandEnd, directory: Path) -> Reading:
    if end.how == "timed_out":
        return Reading("timed_out", None, f"It was ended after {check.timeout_seconds:g} seconds.")
    if end.how != "exited":
        return Reading("error", None, _ENDED[end.how])
    if end.exit_code != 0 and (refused := _NOT_STARTED.fullmatch(end.output.strip())):
        return Reading("error", None, _not_started(refused["program"], refused["why"]))
    report = end.files.get(directory / check.report) if check.report else None
    return read_result(check.argv, end.exit_code, end.output, report=report, report_name=check.report)


def _not_started(program: str, why: str) -> str:
    if why == "No such file or directory":
        return f"`{program}` was not found; install it, name its path, or add its folder to `commands.toolchains`."
    return f"`{program}` cannot be run: {why.lower()}."


def _told(output: str) -> str:
    output = _NAMED.sub("", output)
    if len(output) <= _TOLD_HEAD + _TOLD_TAIL:
        return output
    left_out = len(output) - _TOLD_HEAD - _TOLD_TAIL
    return f"{output[:_TOLD_HEAD]}\n[… {left_out} characters left out …]\n{output[-_TOLD_TAIL:]}"
