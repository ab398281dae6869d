"""How each turn and run of a session stands: at work, waiting for somebody, interrupted, or only to be ended.

One judgement for everybody: who may begin, what is counted as active, what a crash has left, and what is asked.
"""

from dataclasses import dataclass
from typing import Literal

from teamwright.engine.run.commands import CompareCheck, Deliberate, Present, RunCheck
from teamwright.engine.run.decide import decide as decide_run
from teamwright.engine.run.state import ASKED_BY_AGENTS, QueuedRun, Run, RunState
from teamwright.engine.session.state import SessionRun, SessionState, TurnState
from teamwright.protocol.decisions import ResumeDecision, ResumeItem
from teamwright.protocol.ids import DecisionId, RunId
from teamwright.protocol.records import Scope

# Of a turn: in line; at work; until a person answers; until its run ends; a process that is gone was at work on it;
# said all there is to say; to be ended because somebody wants it so.
Standing = Literal["queued", "at_work", "asks", "follows_run", "interrupted", "answered", "called_off"]


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Something a process that is gone was at work on, for the person who is asked whether to go on."""

    item: ResumeItem
    scope: Scope
    done: str


def standing_of(state: SessionState, turn: TurnState) -> Standing:
    if not turn.has_started:
        return "queued"
    if turn.cancel_requested:
        return "called_off"
    if asks(state, turn):
        return "asks"
    if follows_run(state, turn):
        return "follows_run"
    if turn.worked_on is not None and turn.worked_on <= state.gone_up_to:
        return "answered" if turn.is_answered else "interrupted"
    return "at_work"


def asks(state: SessionState, turn: TurnState) -> bool:
    """A person, about nothing but itself, or with all else that was interrupted."""
    return bool(state.decisions.open_in(Scope(turn.turn_id))) or turn.turn_id in _resumed(state)


def follows_run(state: SessionState, turn: TurnState) -> bool:
    """It has nothing to do but to wait for the runs that its open calls came to."""
    return bool(followed_runs(state, turn))


def followed_runs(state: SessionState, turn: TurnState) -> tuple[RunId, ...]:
    """Those that are not over, where every open call has come to one."""
    calls = [key for key, each in turn.open_items.items() if each.item.kind == "tool_call"]
    runs = [run_id for call in calls if (run_id := turn.runs_of.get(call)) is not None]
    return tuple(run_id for run_id in runs if run_id in state.runs.open) if len(runs) == len(calls) else ()


def is_run_interrupted(state: SessionState, known: SessionRun) -> bool:
    """Agents were at work in a process that is gone, and did not only wait for a person."""
    return known.worked_on <= state.gone_up_to and has_agents_at_work(known.run)


def has_agents_at_work(run: Run) -> bool:
    """As far as its own log says; whoever waits for a person is not at work. Who waits for checks is: models are asked
    as soon as these are in."""
    if not isinstance(run, RunState) or run.is_pending("resume"):
        return False
    waiting = {pending.agent_id for pending in run.pending.values() if pending.kind in ASKED_BY_AGENTS}
    wanted = decide_run(run)
    at_work = {work.agent_id for work in wanted if isinstance(work, Deliberate | Present)}
    is_asking = any(pending.kind not in ASKED_BY_AGENTS for pending in run.pending.values())
    is_checking = not is_asking and any(isinstance(work, RunCheck | CompareCheck) for work in wanted)
    return is_checking or bool(at_work - waiting)


def interrupted(state: SessionState) -> tuple[Interrupted, ...]:
    """What there is to ask about after a crash, runs first; a turn that waits for one of them is not asked about."""
    runs = tuple(
        Interrupted(ResumeItem(what="run", id=run_id, task=known.run.spec.task), known.scope, _progress(known.run))
        for run_id, known in state.runs.open.items()
        if is_run_interrupted(state, known)
    )
    turn = state.turns.under_way
    if turn is None or standing_of(state, turn) != "interrupted":
        return runs
    done = "nothing so far" if not turn.calls_done else _counted(turn.calls_done, "tool call") + " so far"
    item = ResumeItem(what="turn", id=turn.turn_id, task=turn.text)
    return (*runs, Interrupted(item, Scope(turn.turn_id), done))


def is_at_work(state: SessionState) -> bool:
    """By the log alone: a turn or run has something to do that no person must do first."""
    return _work(state, is_alive=True)


def is_active(state: SessionState) -> bool:
    """In this process: as above, without what was left by one that is gone and nobody has taken up yet."""
    return _work(state, is_alive=False)


def _work(state: SessionState, *, is_alive: bool) -> bool:
    waiting: set[str | None] = {*_resumed(state)}
    for each in state.decisions.open.values():
        waiting |= {each.scope.turn_id, each.scope.run_id}
    for run_id, known in state.runs.open.items():
        if run_id in waiting or _only_follows(known.run):
            continue
        if is_alive or not is_run_interrupted(state, known):
            return True
    turn = state.turns.under_way
    if turn is None or turn.turn_id in waiting or follows_run(state, turn):
        return False
    return is_alive or standing_of(state, turn) != "interrupted"


def resume_question(state: SessionState, run_id: RunId) -> DecisionId | None:
    """The open question whether an interrupted run goes on, be it asked for the whole session."""
    for key, each in state.decisions.open.items():
        if isinstance(each.decision, ResumeDecision):
            items = each.decision.detail.items or ()
            if each.scope.run_id == run_id or any(item.id == run_id for item in items):
                return key
    return None


def _resumed(state: SessionState) -> frozenset[str]:
    """What is named in a question about the whole session."""
    return frozenset(
        item.id
        for each in state.decisions.open.values()
        if isinstance(each.decision, ResumeDecision)
        for item in each.decision.detail.items or ()
    )


def _only_follows(run: Run) -> bool:
    """A plan's run, while another carries the plan out."""
    return isinstance(run, RunState) and run.planning.execution is not None and run.planning.execution.outcome is None


def _progress(run: Run) -> str:
    if isinstance(run, QueuedRun):
        return "it had not started"
    return f"{_counted(len(run.answers), 'answer')} and {_counted(len(run.votes), 'vote')} so far"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
