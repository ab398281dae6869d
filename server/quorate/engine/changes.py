"""What was staged for the user's files: proposed, decided, settled."""

from quorate.engine.commands import ProposeChanges, RequestDecision, SettleChanges, Wanted
from quorate.engine.state import RunState
from quorate.protocol.changes import Change
from quorate.protocol.decisions import ChangesDetail, Choice
from quorate.protocol.ids import AgentId

_CHOICES = (Choice(id="approve", label="Apply"), Choice(id="cancel", label="Discard"))


def settle_changes(state: RunState) -> Wanted | None:
    writer, changes = writer_of(state), state.changes
    if writer is None or changes.settled is not None:
        return None
    if changes.proposed is None:
        return (ProposeChanges(writer, partial=not _is_whole(state)),)
    if not _is_whole(state):
        # Half a presentation is kept for a person to look at, and never part of the run's course.
        return None
    if changes.verdict is not None:
        return (SettleChanges(changes.verdict.approved, changes.verdict.files),)
    return () if state.is_pending("changes") else (_question(state, changes.proposed),)


def keep_partial_changes(state: RunState) -> Wanted:
    """When a run is cut short."""
    writer = writer_of(state)
    if writer is None or state.changes.proposed is not None or state.changes.settled is not None:
        return ()
    return (ProposeChanges(writer, partial=True),)


def writer_of(state: RunState) -> AgentId | None:
    """The agent that had write paths open to it, if one has."""
    if not state.serves_writes:
        return None
    if state.is_direct:
        agent = next(iter(state.agents.values()))
        return agent.agent_id if agent.attempts else None
    return state.presentation.presenter


def _is_whole(state: RunState) -> bool:
    return state.presentation.done is not None or (state.is_direct and state.winner is not None)


def _question(state: RunState, changes: tuple[Change, ...]) -> RequestDecision:
    files = "one file" if len(changes) == 1 else f"{len(changes)} files"
    is_policy = state.apply_changes == "auto" or state.autonomy == "autonomous"
    return RequestDecision(
        detail=ChangesDetail(changes=changes),
        title=f"Apply the changes to {files}?",
        choices=_CHOICES,
        policy="approve" if is_policy else None,
    )
