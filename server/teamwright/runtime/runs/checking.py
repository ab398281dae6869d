"""The checks that a run wants, at work beside everything else: begun when they are wanted, stopped when they no longer
are, each to its end or not at all."""

import logging
from collections.abc import Callable, Iterable

import anyio
from anyio.abc import TaskGroup

from teamwright.engine.run.commands import CompareCheck, RunCheck
from teamwright.protocol.checks import CheckDefinition, CheckSubject
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import CheckCompared, CheckFinished, CheckOutput, CheckStarted
from teamwright.runtime.checks.comparing import Comparison
from teamwright.runtime.checks.results import FinishedCheck
from teamwright.runtime.checks.runner import CheckedTree, CheckRunner
from teamwright.runtime.runs.files import RunFiles
from teamwright.runtime.runs.run_log import RunLog

log = logging.getLogger(__name__)

WantedCheck = RunCheck | CompareCheck
_OUR_FAULT = "Teamwright failed at this check; its log has the details."


class RunChecking:
    def __init__(self, log: RunLog, files: RunFiles, runner: CheckRunner) -> None:
        self._log = log
        self._files = files
        self._runner = runner
        self._at_work: dict[WantedCheck, anyio.CancelScope] = {}
        # Of which nothing can become: whoever waits for them waits no longer than they may take.
        self._given_up: set[WantedCheck] = set()

    def keep(self, wanted: Iterable[WantedCheck], tasks: TaskGroup) -> None:
        wanted = set(wanted)
        for command, scope in tuple(self._at_work.items()):
            if command not in wanted:
                scope.cancel()
                del self._at_work[command]
        for command in wanted - self._at_work.keys() - self._given_up:
            scope = self._at_work[command] = anyio.CancelScope()
            tasks.start_soon(self._carry_out, command, scope)

    async def _carry_out(self, command: WantedCheck, scope: anyio.CancelScope) -> None:
        with scope:
            try:
                await (self._run(command) if isinstance(command, RunCheck) else self._compare(command))
            except Exception:
                log.exception("The check %s failed", command.name)
                self._given_up.add(command)
        if self._at_work.get(command) is scope:
            del self._at_work[command]

    async def _run(self, command: RunCheck) -> None:
        of, name, change_set_id = command.of, command.name, command.change_set_id
        started = CheckStarted(of=of, name=name, change_set_id=change_set_id)
        if not await self._log.append_if_wanted(command, started):
            return
        try:
            tree = await self._tree(change_set_id)
            finished = await self._runner.run(self._check(name), tree, lambda text: self._tell(of, name, text))
        except UserError as fault:
            finished = FinishedCheck("error", 0.0, output=fault.message)
        fact = as_fact(of, name, change_set_id, finished, self._files.uri_of)
        await self._log.append_if_wanted(command, fact)

    async def _compare(self, command: CompareCheck) -> None:
        compared = await self._runner.compare(self._check(command.name), await self._tree(command.change_set_id))
        fact = as_compared(command.of, command.name, command.change_set_id, compared)
        await self._log.append_if_wanted(command, fact)

    def _check(self, name: str) -> CheckDefinition:
        return next(check for check in self._log.state.spec.checks if check.name == name)

    async def _tree(self, change_set_id: str | None) -> CheckedTree:
        return CheckedTree(self._files.live, change_set_id, await self._files.candidates.load(change_set_id))

    def _tell(self, of: CheckSubject, name: str, text: str) -> None:
        self._log.journal.announce(CheckOutput(of=of, name=name, text=text), self._log.scope)


def as_fact(
    of: CheckSubject,
    name: str,
    change_set_id: str | None,
    finished: FinishedCheck,
    uri_of: Callable[[str], str | None],
) -> CheckFinished:
    """`uri_of`: where a file is that tools name so, for people to follow."""
    failures = tuple(
        failure.model_copy(update={"uri": uri_of(failure.path)}) if failure.path is not None else failure
        for failure in finished.failures
    )
    return CheckFinished(
        of=of,
        name=name,
        change_set_id=change_set_id,
        outcome=finished.outcome,
        exit_code=finished.exit_code,
        seconds=finished.seconds,
        tests=finished.tests,
        failures=failures,
        output=finished.output,
        reused=True if finished.reused else None,
        tree=finished.tree or None,
    )


def as_compared(of: CheckSubject, name: str, change_set_id: str | None, compared: Comparison) -> CheckCompared:
    return CheckCompared(
        of=of,
        name=name,
        change_set_id=change_set_id,
        broke=compared.broke,
        broke_count=compared.broke_count,
        not_fixed=compared.not_fixed,
        flaky=compared.flaky,
    )
