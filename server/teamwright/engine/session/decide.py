"""What a session wants now. The same state, in the same circumstances, always wants the same things."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, assert_never

from teamwright.engine.run.state import Approved, QueuedRun
from teamwright.engine.session.standing import (
    Interrupted,
    followed_runs,
    has_agents_at_work,
    interrupted,
    is_run_interrupted,
    standing_of,
)
from teamwright.engine.session.state import PlacedItem, SessionRun, SessionState, TurnState
from teamwright.engine.session.tasks import current_tasks
from teamwright.engine.session.wants import (
    AskResume,
    CancelRun,
    CloseItem,
    Closing,
    ConductRun,
    EndTurn,
    HoldTurn,
    PutAway,
    Relist,
    RunTurn,
    StopTurn,
    TickTasks,
    Want,
    Wants,
    WithdrawQuestion,
)
from teamwright.protocol.decisions import Choice, Decision, ResumeDecision, ResumeDetail
from teamwright.protocol.records import Scope


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the log does not say."""

    # Whether we are the session's writer: nobody else may want anything of it.
    is_writer: bool
    resume: Literal["ask", "auto"]
    # Whether the limit of active sessions lets this one begin something.
    has_room: bool
    # The tools whose calls only read, and may be made twice.
    reading: frozenset[str]
    # When somebody last looked for it or wrote to it, and how long it stays at hand from then on.
    last_used: datetime
    idle: timedelta


def decide(state: SessionState, given: Circumstances) -> Wants:
    if not given.is_writer:
        return ()
    return tuple(_wants(state, given))


def _wants(state: SessionState, given: Circumstances) -> Iterator[Want]:
    left = interrupted(state)
    if left:
        # First: the clocks stop with the last fact of the process that is gone.
        yield _resume_question(state, left, given)
    yield from _withdrawals(state)
    for known in state.runs.open.values():
        yield from _run(state, known, given)
    if (turn := state.turns.first) is not None:
        yield from _turn(state, turn, given)
    if (tasks := current_tasks(state)) != state.tasks:
        yield TickTasks(tasks)
    if state.heading.is_stale:
        yield Relist()
    elif not state.is_busy:
        yield PutAway(given.last_used + given.idle)


def _run(state: SessionState, known: SessionRun, given: Circumstances) -> Iterator[Want]:
    run = known.run
    if is_run_interrupted(state, known):
        return
    for placed in _left_open(state, known.open_items.values()):
        # An agent that is taken up again begins its words and calls anew.
        yield CloseItem(placed.item, placed.scope, "given_up")
    turn = None if known.scope.turn_id is None else state.turns.open.get(known.scope.turn_id)
    if turn is not None and turn.cancel_requested and not run.cancel_requested:
        yield CancelRun(run.run_id)
    if isinstance(run, QueuedRun):
        is_settled = run.cancel_requested or run.approval is not None
        is_held = isinstance(run.approval, Approved) and not run.cancel_requested and not given.has_room
        if is_settled and not is_held:
            yield ConductRun(run.run_id)
    elif run.cancel_requested or (given.has_room and (not run.pending or has_agents_at_work(run))):
        # One that only waits for a person needs nobody until there is an answer.
        yield ConductRun(run.run_id)


def _turn(state: SessionState, turn: TurnState, given: Circumstances) -> Iterator[Want]:
    standing = standing_of(state, turn)
    match standing:
        case "queued" | "at_work":
            if given.has_room:
                yield RunTurn(turn.turn_id, turn.steps, tuple(_concluded(state, turn, given)))
        case "asks":
            yield from (HoldTurn(turn.turn_id, key) for key in state.decisions.open_in(Scope(turn.turn_id)))
        case "follows_run":
            yield from (HoldTurn(turn.turn_id, run_id) for run_id in followed_runs(state, turn))
        case "answered":
            yield _end(state, turn, "completed")
        case "called_off":
            yield StopTurn(turn.turn_id)
            if not any(known.scope.turn_id == turn.turn_id for known in state.runs.open.values()):
                yield _end(state, turn, "cancelled")
        case "interrupted":
            # It is asked about first.
            return
        case _:
            assert_never(standing)


def _end(state: SessionState, turn: TurnState, outcome: Literal["completed", "cancelled"]) -> EndTurn:
    given_up = tuple(CloseItem(each.item, each.scope, "given_up") for each in turn.open_items.values())
    return EndTurn(turn.turn_id, outcome, given_up, state.decisions.open_in(Scope(turn.turn_id)))


def _concluded(state: SessionState, turn: TurnState, given: Circumstances) -> Iterator[CloseItem]:
    for placed in _left_open(state, turn.open_items.values()):
        yield CloseItem(placed.item, placed.scope, _how(state, placed, turn, given))


def _how(state: SessionState, placed: PlacedItem, turn: TurnState, given: Circumstances) -> Closing:
    item = placed.item
    if item.kind != "tool_call":
        return "given_up"
    if item.item_id in turn.runs_of:
        return "run"
    if turn.question_id is not None:
        return "answer"
    # Whoever asked whether it may be made is gone: nothing was done before the answer, and nothing since.
    is_only_answered = turn.permitted_at is not None and turn.permitted_at > state.gone_up_to
    return "again" if is_only_answered or item.name in given.reading else "interrupted"


def _left_open(state: SessionState, items: Iterable[PlacedItem]) -> Iterator[PlacedItem]:
    """By a process that is gone."""
    return (placed for placed in items if placed.seq <= state.gone_up_to)


def _withdrawals(state: SessionState) -> Iterator[WithdrawQuestion]:
    """A question without anybody who waits for its answer; and a window whose time was kept by who is gone."""
    for decision_id, each in state.decisions.open.items():
        is_expired = each.decision.kind == "override" and each.seq <= state.gone_up_to
        if is_expired or not _has_owner(state, each.decision, each.scope):
            yield WithdrawQuestion(decision_id)


def _has_owner(state: SessionState, decision: Decision, scope: Scope) -> bool:
    if scope.run_id is not None:
        return scope.run_id in state.runs.open
    if scope.turn_id is not None:
        return scope.turn_id in state.turns.open
    items = decision.detail.items or () if isinstance(decision, ResumeDecision) else ()
    return not items or any(item.id in state.runs.open or item.id in state.turns.open for item in items)


def _resume_question(state: SessionState, left: tuple[Interrupted, ...], given: Circumstances) -> AskResume:
    if len(left) == 1:
        only = left[0]
        detail = ResumeDetail(what=only.item.what, task=only.item.task, done=only.done)
        title, scope = f"This {only.item.what} was interrupted. Go on with it?", only.scope
    else:
        done = "; ".join(f"{_short(each.item.task)}: {each.done}" for each in left)
        items = tuple(each.item for each in left)
        detail = ResumeDetail(what="session", task=state.heading.title, done=done, items=items)
        title, scope = f"{len(left)} things were interrupted. Go on with them?", Scope()
    choices = (Choice(id="approve", label="Go on"), Choice(id="cancel", label="Stop"))
    return AskResume(detail, title, choices, scope, policy="approve" if given.resume == "auto" else None)


def _short(task: str) -> str:
    line = " ".join(task.split())
    return line if len(line) <= 40 else line[:39].rstrip() + "…"
