"""A person's hand on the changes of a run: to look at them, make them, drop them, take them back."""

from typing import Any

from quorate.engine.state import RunState
from quorate.protocol.changes import FileChoice, SettledFile
from quorate.protocol.commands import ChangesOpenParams, ChangesOpenResult, ChangesParams, ChangesResult
from quorate.protocol.errors import BadParams, Conflict, FieldError
from quorate.protocol.ids import DecisionId, RunId
from quorate.runtime.runs.active_run import ActiveRun
from quorate.runtime.runs.directories import run_directory
from quorate.runtime.runs.run_changes import RunChanges
from quorate.runtime.session import Session
from quorate.runtime.supervisor import Supervisor


async def open_change(supervisor: Supervisor, params: ChangesOpenParams) -> ChangesOpenResult:
    house = await supervisor.house()
    await house.store.find_session(params.run_id)
    change = await RunChanges(house, run_directory(house.state_path, params.run_id)).change(params.uri)
    return ChangesOpenResult(before=change.before or "", after=change.after or "")


async def apply(supervisor: Supervisor, params: ChangesParams) -> ChangesResult:
    session, run = await _run(supervisor, params.run_id)
    if (decision_id := _pending_decision(session, params.run_id)) is not None:
        edits = None if params.files is None else {"files": [file.to_wire() for file in params.files]}
        return await _decided(session, run, decision_id, "approve", edits)
    await _end_of(run)
    settled = await run.changes.apply(params.files)
    await run.tell_settled(settled)
    return ChangesResult(settled=settled)


async def discard(supervisor: Supervisor, params: ChangesParams) -> ChangesResult:
    _require_whole_files(params.files)
    session, run = await _run(supervisor, params.run_id)
    decision_id = _pending_decision(session, params.run_id)
    if decision_id is not None:
        if params.files is None:
            return await _decided(session, run, decision_id, "cancel")
        # Not an answer to the question, which is still open for the others; without others there is none.
        settled = await run.changes.discard(params.files)
        if not await run.changes.left():
            await _decided(session, run, decision_id, "cancel")
        return ChangesResult(settled=settled)
    await _end_of(run)
    settled = await run.changes.discard(params.files)
    await run.tell_settled(settled)
    return ChangesResult(settled=settled)


async def undo(supervisor: Supervisor, params: ChangesParams) -> ChangesResult:
    """`applied` says of a file that it reads as before again. What is told to all is what is true of the changes: that
    they are no longer applied."""
    _require_whole_files(params.files)
    _, run = await _run(supervisor, params.run_id)
    await _end_of(run)
    settled = await run.changes.undo(params.files)
    undone = tuple(
        SettledFile(uri=file.uri, outcome="rejected", reason=file.reason)
        for file in settled
        if file.outcome == "applied"
    )
    if undone:
        await run.tell_settled(undone)
    return ChangesResult(settled=settled)


async def _run(supervisor: Supervisor, run_id: RunId) -> tuple[Session, ActiveRun]:
    session = await supervisor.session_with(run_id)
    return session, session.runs.run(run_id)


def _pending_decision(session: Session, run_id: RunId) -> DecisionId | None:
    waiting = (
        decision_id
        for decision_id, pending in session.decisions.pending.items()
        if pending.decision.kind == "changes" and pending.scope.run_id == run_id
    )
    return next(waiting, None)


async def _decided(
    session: Session, run: ActiveRun, decision_id: DecisionId, choice: str, edits: dict[str, Any] | None = None
) -> ChangesResult:
    """The run itself carries the decision out, and is over with it."""
    await session.approve(decision_id, choice, edits, None)
    await run.finished.wait()
    return ChangesResult(settled=await run.changes.settled())


async def _end_of(run: ActiveRun) -> None:
    """Once everything is settled, the end is near."""
    is_settled = isinstance(run.run, RunState) and run.run.changes.settled is not None
    if not is_settled and not run.finished.is_set():
        raise Conflict("The run is still at work; it will ask about its changes when they are ready.")
    await run.finished.wait()


def _require_whole_files(files: tuple[FileChoice, ...] | None) -> None:
    faults = [
        FieldError(path=f"files.{place}.hunks", message="only whole files can be discarded or undone")
        for place, file in enumerate(files or ())
        if file.hunks is not None
    ]
    if faults:
        raise BadParams(faults)
