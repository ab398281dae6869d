"""From the first answers to the vote's end: which agent works now, on what, with which tools."""

from quorate.engine.commands import Command, Deliberate, SelectWinner, Stage, StopAgent, Wanted, WorkflowTool
from quorate.engine.limits import global_cap_met, has_run_out_of_tries, may_answer_again
from quorate.engine.state import Agent, RunState
from quorate.engine.voting import candidates, leader, standing_vote, tally, voting_is_on
from quorate.protocol.events import Seen, StopReason
from quorate.protocol.ids import AgentId


def deliberate(state: RunState) -> Wanted | None:
    """None: the vote is over, and there is a winner or nothing to choose from."""
    if state.winner is not None:
        return None
    voting = voting_is_on(state)
    commands = tuple(
        command for agent in state.agents.values() if (command := _for_agent(state, agent, voting=voting)) is not None
    )
    if commands:
        return commands
    votes = tally(state)
    winner = leader(state, votes)
    if winner is None:
        return None
    return (SelectWinner(winner, votes, "only" if len(candidates(state)) == 1 else "votes"),)


def stage_of(state: RunState, agent: Agent, *, voting: bool) -> Stage | None:
    """What there is to do for an agent now; nothing while it waits for the others or has voted."""
    if state.winner is not None or agent.standing != "live":
        return None
    if state.is_direct:
        unheard = agent.latest is None or agent.latest.seen_messages < agent.addressed
        return "first_answer" if unheard else None
    if agent.latest is None and not global_cap_met(state):
        return "first_answer"
    return "evaluation" if voting and standing_vote(state, agent) is None else None


def offered_tools(state: RunState, agent_id: AgentId) -> tuple[WorkflowTool, ...]:
    """The workflow tools of an agent that deliberates; files and the like are not the run's business."""
    agent = state.agents[agent_id]
    stage = stage_of(state, agent, voting=voting_is_on(state))
    return () if stage is None else _tools(state, agent, stage)


def _tools(state: RunState, agent: Agent, stage: Stage) -> tuple[WorkflowTool, ...]:
    submit: WorkflowTool = "submit_plan" if state.spec.planning_mode else "new_answer"
    if stage == "first_answer":
        return () if state.is_direct and submit == "new_answer" else (submit,)
    return (submit, "vote") if may_answer_again(state, agent) else ("vote",)


def _for_agent(state: RunState, agent: Agent, *, voting: bool) -> Command | None:
    stage = stage_of(state, agent, voting=voting)
    attempt = agent.attempt
    if attempt is not None and (reason := _reason_to_stop(agent, stage)) is not None:
        return StopAgent(agent.agent_id, attempt.number, reason)
    if stage is None:
        return None
    return Deliberate(
        agent_id=agent.agent_id,
        attempt=attempt.number if attempt is not None else agent.attempts + 1,
        purpose="plan" if state.spec.planning_mode else "answer",
        stage=stage,
        tools=_tools(state, agent, stage),
        show=_shown(state, agent, stage),
        pressure=attempt.pressure if attempt is not None else "none",
        writes=state.is_direct and state.serves_writes,
    )


def _reason_to_stop(agent: Agent, stage: Stage | None) -> StopReason | None:
    attempt = agent.attempt
    if attempt is None:
        return None
    if attempt.brought is not None:
        return attempt.brought
    if attempt.pressure == "over":
        return "timeout"
    if has_run_out_of_tries(agent):
        return "abstained"
    return "superseded" if stage is None else None


def _shown(state: RunState, agent: Agent, stage: Stage) -> Seen:
    """First answers are independent: nobody is shown a peer's before its own is given."""
    if stage == "first_answer":
        return Seen(messages=agent.addressed)
    is_left_alone = state.spec.coordination_overrides.disable_injection and agent.attempt is not None
    answers = agent.seen.answers if is_left_alone and agent.seen.answers else len(state.answers)
    return Seen(answers=answers, messages=agent.addressed)
