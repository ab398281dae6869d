"""A person's hand on the changes of a run: to look at them, make them, drop them, take them back."""

from typing import Any

from anyio import to_thread

from teamwright.application.context import CommandContext
from teamwright.application.registry import carries_out
from teamwright.engine.run.state import RunState
from teamwright.permissions.judgement import may_read
from teamwright.permissions.rules import Rules, whole_workspace
from teamwright.protocol import command_table as table
from teamwright.protocol.changes import FileChoice, SettledFile
from teamwright.protocol.commands import (
    ChangesOpenParams,
    ChangesOpenResult,
    ChangesParams,
    ChangesProposeParams,
    ChangesProposeResult,
    ChangesResult,
    RunCheckParams,
    RunCheckResult,
    RunProblemsParams,
    RunProblemsResult,
)
from teamwright.protocol.errors import BadParams, Conflict, FieldError, NotPermitted
from teamwright.protocol.ids import DecisionId, RunId
from teamwright.runtime.runs.active_run import ActiveRun
from teamwright.runtime.runs.files import run_directory
from teamwright.runtime.sessions.session import Session
from teamwright.workspace.changes.change_ledger import ChangeLedger
from teamwright.workspace.changes.guarding import require_place
from teamwright.workspace.files.safe_files import Root


@carries_out(table.CHANGES_OPEN)
async def open_change(context: CommandContext, params: ChangesOpenParams) -> ChangesOpenResult:
    services = await context.services()
    owner = await services.store.find_session(params.run_id)
    directory = run_directory(services.state_path, params.run_id)
    if params.answer_id is not None:
        _, run = await _run(context, params.run_id)
        change = await run.change_of_answer(params.answer_id, params.uri)
    else:
        change = await to_thread.run_sync(lambda: ChangeLedger(Root(directory, private=True), owner).change(params.uri))
    require_place(services.live, change.path, change.uri)
    places = services.live.folders.places
    if not may_read(Rules(role="presenter", places=places, roots=whole_workspace(places)), change.path):
        raise NotPermitted(f"`{services.name_of(change.uri)}` is closed to the team and is not shown.")
    return ChangesOpenResult(before=change.before or "", after=change.after or "")


@carries_out(table.CHANGES_PROPOSE)
async def propose(context: CommandContext, params: ChangesProposeParams) -> ChangesProposeResult:
    """Nothing is written: they stand there to be applied, with what the checks said of them."""
    _, run = await _run(context, params.run_id)
    await _end_of(run)
    proposed = await run.propose_answer(params.answer_id)
    return ChangesProposeResult(
        change_set_id=proposed.change_set_id or "", uris=tuple(change.uri for change in proposed.changes)
    )


@carries_out(table.CHANGES_APPLY)
async def apply(context: CommandContext, params: ChangesParams) -> ChangesResult:
    session, run = await _run(context, params.run_id)
    if params.answer_id is not None:
        await _end_of(run)
        await run.propose_answer(params.answer_id)
    elif (decision_id := _pending_decision(session, params.run_id)) is not None:
        edits = None if params.files is None else {"files": [file.to_wire() for file in params.files]}
        return await _decided(session, run, decision_id, "approve", edits)
    await _end_of(run)
    settled = await run.changes.apply(params.files)
    await run.tell_settled(settled)
    return ChangesResult(settled=settled)


@carries_out(table.CHANGES_DISCARD)
async def discard(context: CommandContext, params: ChangesParams) -> ChangesResult:
    _require_whole_files(params.files)
    _require_no_answer(params)
    session, run = await _run(context, params.run_id)
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


@carries_out(table.CHANGES_UNDO)
async def undo(context: CommandContext, params: ChangesParams) -> ChangesResult:
    """`applied` says of a file that it reads as before again. What is told to all is what is true of the changes: that
    they are no longer applied."""
    _require_whole_files(params.files)
    _require_no_answer(params)
    _, run = await _run(context, params.run_id)
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


@carries_out(table.RUN_CHECK)
async def check(context: CommandContext, params: RunCheckParams) -> RunCheckResult:
    """In the form that would be applied. Answers at once: what comes of it are events of the run."""
    _, run = await _run(context, params.run_id)
    services = await context.services()
    form = await run.form_to_check(params.files)
    services.tasks.start_soon(run.check_form, form)
    return RunCheckResult(change_set_id=form.change_set_id, checks=tuple(each.name for each in form.checks))


@carries_out(table.RUN_PROBLEMS)
async def show_problems(context: CommandContext, params: RunProblemsParams) -> RunProblemsResult:
    """They are told to whoever shows files: the log has them already."""
    _, run = await _run(context, params.run_id)
    return RunProblemsResult(count=run.show_problems(params.of or "final", shown=params.shown is not False))


def _require_no_answer(params: ChangesParams) -> None:
    if params.answer_id is not None:
        raise BadParams([FieldError(path="answerId", message="an answer's changes can only be applied")])


async def _run(context: CommandContext, run_id: RunId) -> tuple[Session, ActiveRun]:
    session = await context.supervisor.session_with(run_id)
    await context.attend(session)
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
    """Once everything is settled, the end is near; and behind its last fact a run still puts its copies away."""
    state = run.run
    is_near = isinstance(state, RunState) and (state.changes.settled is not None or state.finished is not None)
    if not is_near and not run.finished.is_set():
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
