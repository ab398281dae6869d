"""Whether a run was at work when its log ended, and what there is of it, for the person who is asked."""

from quorate.engine.commands import Deliberate, Present
from quorate.engine.decide import decide
from quorate.engine.state import QueuedRun, Run, RunState


def is_interrupted(run: Run) -> bool:
    """Agents were at work, and did not only wait for a person."""
    if not isinstance(run, RunState) or run.is_pending("resume"):
        return False
    waiting = {pending.agent_id for pending in run.pending.values() if pending.kind in {"input", "command"}}
    at_work = {work.agent_id for work in decide(run) if isinstance(work, Deliberate | Present)}
    return bool(at_work - waiting)


def progress_of(run: Run) -> str:
    if isinstance(run, QueuedRun):
        return "it had not started"
    return f"{len(run.answers)} answers and {len(run.votes)} votes so far"
