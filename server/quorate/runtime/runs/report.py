"""What came of a run, for the assistant to judge."""

from quorate.engine.results import result_of
from quorate.engine.state import QueuedRun, RunState
from quorate.protocol.errors import NotFound
from quorate.runtime.runs.active_run import ActiveRun

_LONGEST_ANSWER = 4_000


def run_report(active: ActiveRun) -> str:
    run = active.run
    if run is None:
        raise NotFound(f"The run {active.run_id} has not begun.")
    if isinstance(run, QueuedRun):
        outcome = run.finished.outcome if run.finished is not None else "waiting for approval"
        return f"Run {run.run_id}: {outcome}. It never started."
    return "\n\n".join(_sections(run))


def _sections(run: RunState) -> list[str]:
    result = result_of(run)
    sections = [f"Run {run.run_id}: {run.finished.outcome if run.finished is not None else 'under way'}."]
    if result is not None:
        sections.append(f"# Result\n{result.text}")
    if len(run.agents) > 1:
        sections += [f"# Answer {answer.label}\n{answer.content[:_LONGEST_ANSWER]}" for answer in run.answers]
        sections += [f"{vote.voter} voted for {vote.target}: {vote.reason}" for vote in run.votes]
    for settled in run.changes.settled or ():
        sections.append(f"{settled.uri}: {settled.outcome}{f' ({settled.reason})' if settled.reason else ''}")
    sections += [f"{agent.agent_id} failed: {agent.error}" for agent in run.agents.values() if agent.error]
    return sections
