"""The change set of a run: recorded, settled by a decision, and what is left of it afterwards."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from anyio import to_thread

from quorate.protocol.changes import FileChoice, SettledFile
from quorate.protocol.errors import Conflict
from quorate.protocol.ids import AgentId
from quorate.runtime.house import House
from quorate.workspace.applications import Application
from quorate.workspace.change_ledger import ChangeLedger, ChangeState
from quorate.workspace.change_sets import FileChange, check_hunks
from quorate.workspace.errands import Errand, Rejection
from quorate.workspace.reversals import Reversal
from quorate.workspace.safe_files import Root

# What a person may still come back to: a conflict can be resolved by hand, and the rest be applied.
_LEFT: tuple[ChangeState, ...] = ("proposed", "conflicted")


class RunChanges:
    """Of any run, at work or long finished: all that is known of it lies in its directory."""

    def __init__(self, house: House, directory: Path) -> None:
        self._live = house.live
        self._applier = house.applier
        self._directory = directory

    def record(self, changes: Iterable[FileChange], agent_id: AgentId) -> None:
        """Blocks on the disk."""
        ChangeLedger(Root(self._directory)).record(changes, agent_id)

    async def change(self, uri: str) -> FileChange:
        return await to_thread.run_sync(lambda: ChangeLedger(Root(self._directory)).change(uri))

    async def check(self, files: Sequence[FileChoice]) -> None:
        """Raises for a choice that makes no sense, while it can still be mended."""
        check_hunks([(await self.change(file.uri), file.hunks) for file in files])

    async def decide(self, files: tuple[FileChoice, ...] | None) -> tuple[SettledFile, ...]:
        """By the run's own decision: what is chosen is made, the rest is refused. The truth for every file."""
        await self._applier.carry_out(lambda: Application(self._ledger(), self._live, files))
        return await self.reject()

    async def settled(self) -> tuple[SettledFile, ...]:
        """The truth for every file about which something is settled."""
        return await to_thread.run_sync(lambda: ChangeLedger(Root(self._directory)).settled())

    async def left(self) -> tuple[str, ...]:
        """The files about which nothing is settled."""
        states = await to_thread.run_sync(lambda: ChangeLedger(Root(self._directory)).states())
        return tuple(uri for uri, state in states.items() if state == "proposed")

    async def reject(self) -> tuple[SettledFile, ...]:
        """Whatever is not settled yet. The truth for every file."""
        await self._applier.carry_out(lambda: Rejection(self._ledger(), reason="not chosen"))
        return await self.settled()

    async def apply(self, files: tuple[FileChoice, ...] | None) -> tuple[SettledFile, ...]:
        """What is chosen of what the run has left behind."""

        def errand(ledger: ChangeLedger) -> Errand:
            _require_left(ledger, files)
            return Application(ledger, self._live, files, left=_LEFT)

        return await self._carry_out(errand)

    async def discard(self, files: tuple[FileChoice, ...] | None) -> tuple[SettledFile, ...]:
        def errand(ledger: ChangeLedger) -> Errand:
            chosen = _require_left(ledger, files)
            return Rejection(ledger, chosen, reason="discarded", left=_LEFT)

        return await self._carry_out(errand)

    async def undo(self, files: tuple[FileChoice, ...] | None) -> tuple[SettledFile, ...]:
        """Of our own writes, all or these."""

        def errand(ledger: ChangeLedger) -> Errand:
            if not ledger.receipts():
                raise Conflict("Nothing that this run has written is left to undo.")
            chosen = None if files is None else [ledger.recorded(file.uri).uri for file in files]
            return Reversal(ledger, self._live, chosen)

        return await self._carry_out(errand)

    async def _carry_out(self, errand: Callable[[ChangeLedger], Errand]) -> tuple[SettledFile, ...]:
        return await self._applier.carry_out(lambda: errand(self._ledger()))

    def _ledger(self) -> ChangeLedger:
        """With what a crash left in doubt decided by what the files read. Only for one errand at a time."""
        ledger = ChangeLedger(Root(self._directory))
        ledger.recover(self._live.read_if_present)
        return ledger


def _require_left(ledger: ChangeLedger, files: Sequence[FileChoice] | None) -> list[str] | None:
    """The URIs as they were proposed. Raises Conflict where everything is settled."""
    if files is None:
        if not ledger.changes(*_LEFT):
            raise Conflict("Nothing of this run's changes is left to decide about.")
        return None
    chosen = [ledger.recorded(file.uri) for file in files]
    for change in chosen:
        if change.state not in _LEFT:
            raise Conflict(f"The change to {change.uri} is settled: {change.state}.")
    return [change.uri for change in chosen]
