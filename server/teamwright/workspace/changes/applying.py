"""Change sets on their way into the user's files: by the editor's hand where one is there, by the disk's otherwise."""

from collections.abc import Callable, Sequence

import anyio
from anyio import to_thread

from teamwright.protocol.changes import SettledFile
from teamwright.protocol.errors import UserError
from teamwright.protocol.ids import AgentId
from teamwright.workspace.changes.file_writes import EditAccepted, Editor, Write, write_to_disk
from teamwright.workspace.changes.operations import ChangeOperation, Lost, Made, MovedOn, Outcome, WriteRefused
from teamwright.workspace.changes.verifying import EditVerifier
from teamwright.workspace.files.exact_writes import ExactWrites
from teamwright.workspace.files.live_files import LiveFiles
from teamwright.workspace.files.safe_files import ContentChanged

# How long an editor may take to tell of a change that it says it has made.
_SYNC_SECONDS = 2.0
# How long what was typed may be on its way when an editor declines because of it.
_TYPING_SECONDS = 0.5
# Whoever types without a pause gets this many chances to be merged.
_MOST_ATTEMPTS = 3

Outcomes = Sequence[tuple[Write, Outcome]]


class Applier:
    """One operation at a time, so that none plans over what another is about to write."""

    def __init__(self, live: LiveFiles, exact: ExactWrites, editor: Editor | None = None) -> None:
        self._live = live
        self._exact = exact
        self._editor = editor
        self._one_at_a_time = anyio.Lock()

    async def carry_out(self, open_operation: Callable[[], ChangeOperation]) -> tuple[SettledFile, ...]:
        """What became of every file. `open_operation` may block, and raises before anything is written."""
        async with self._one_at_a_time:
            operation = await to_thread.run_sync(open_operation)
            for attempts_left in reversed(range(_MOST_ATTEMPTS)):
                writes = await to_thread.run_sync(operation.plan)
                if not writes:
                    break
                outcomes = await self._make(writes, operation.agent_id)
                if not attempts_left:
                    outcomes = [(write, _given_up(outcome)) for write, outcome in outcomes]
                await to_thread.run_sync(operation.report, outcomes)
            return operation.settled

    async def _make(self, writes: Sequence[Write], agent_id: AgentId) -> Outcomes:
        in_editor, on_disk = list[Write](), list[Write]()
        for write in writes:
            (in_editor if self._editor is not None and self._editor.can_make(write) else on_disk).append(write)
        made = await to_thread.run_sync(self._make_on_disk, on_disk)
        if self._editor is None or not in_editor:
            return made
        return [*made, *await self._make_in_editor(self._editor, in_editor, agent_id)]

    def _make_on_disk(self, writes: Sequence[Write]) -> list[tuple[Write, Outcome]]:
        return [(write, self._written(write)) for write in writes]

    def _written(self, write: Write) -> Outcome:
        if self._live.document(write.path) is not None:
            return Lost("the file is open in the editor, which alone may change it; close it and apply again")
        try:
            write_to_disk(self._live, write, self._exact)
        except ContentChanged:
            return MovedOn()
        except UserError as refused:
            return WriteRefused(refused.message)
        return Made(write.text)

    async def _make_in_editor(self, editor: Editor, writes: Sequence[Write], agent_id: AgentId) -> Outcomes:
        verifier = EditVerifier(self._live, writes)
        with verifier.watching():
            answer = await editor.make(writes, agent_id)
            await verifier.wait(_SYNC_SECONDS if isinstance(answer, EditAccepted) else _TYPING_SECONDS)
            judged = await to_thread.run_sync(lambda: [(write, verifier.judged(write, answer)) for write in writes])
        if any(isinstance(outcome, MovedOn) for _, outcome in judged):
            # An editor declines a step as a whole: what was refused beside it may not have been the reason.
            return [(write, MovedOn() if isinstance(outcome, WriteRefused) else outcome) for write, outcome in judged]
        return judged


def _given_up(outcome: Outcome) -> Outcome:
    return Lost("the file was being changed all the while") if isinstance(outcome, MovedOn) else outcome
