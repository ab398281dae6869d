"""From the first answers to the vote's end: which agent works now, on what, with which tools."""

from collections.abc import Sequence
from dataclasses import dataclass

from teamwright.engine.run.commands import Command, Deliberate, SelectWinner, Stage, StopAgent, Wanted, WorkflowTool
from teamwright.engine.run.ending import cut_of
from teamwright.engine.run.evidence import is_evidence_in, policy_of, shown_answers
from teamwright.engine.run.presentation import may_still_present, next_presenter
from teamwright.engine.run.state import Agent, GivenAnswer, Message, RunState
from teamwright.engine.run.voting import (
    candidates,
    choose,
    global_cap_met,
    has_run_out_of_tries,
    may_answer_again,
    standing_vote,
    tally,
    voting_is_on,
)
from teamwright.protocol.events import Seen, StopReason
from teamwright.protocol.ids import AgentId


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
    if _awaits_checks(state):
        return ()
    votes = tally(state)
    chosen = choose(state, votes)
    if chosen is None:
        return None
    by = "only" if len(candidates(state)) == 1 else "checks" if chosen.by_checks else "votes"
    return (SelectWinner(chosen.agent_id, votes, by, chosen.note),)


def _awaits_checks(state: RunState) -> bool:
    """Somebody is still to be asked, once the results are in that are to be shown; or they are to have a say."""
    has_choice = len(candidates(state)) > 1
    asks = any(stage_of(state, agent, voting=voting_is_on(state)) is not None for agent in state.agents.values())
    return (asks or (has_choice and policy_of(state) != "inform")) and not is_evidence_in(state)


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
    if stage is None or (attempt is None and stage == "evaluation" and not is_evidence_in(state, agent.seen.answers)):
        return None
    return Deliberate(
        agent_id=agent.agent_id,
        attempt=attempt.number if attempt is not None else agent.attempts + 1,
        purpose="plan" if state.spec.planning_mode else "answer",
        stage=stage,
        tools=_tools(state, agent, stage),
        show=_shown(state, agent, stage),
        pressure=attempt.pressure if attempt is not None else "none",
        writes=state.serves_writes,
        start_from=change_set_of(agent),
    )


def change_set_of(agent: Agent) -> str | None:
    """What its last answer changes."""
    candidate = agent.latest.candidate if agent.latest is not None else None
    return None if candidate is None else candidate.change_set_id


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
    seen = agent.seen.answers
    answers = seen if is_left_alone and seen else shown_answers(state, seen)
    return Seen(answers=answers, messages=agent.addressed)


@dataclass(frozen=True, slots=True)
class News:
    answers: tuple[GivenAnswer, ...]
    messages: tuple[Message, ...]


def news(state: RunState, agent_id: AgentId, show: Seen, seen: Seen) -> News:
    """What lies between what an agent was shown and what it is to be shown, its own answers included."""
    messages = state.messages[seen.messages : show.messages]
    return News(
        answers=state.answers[seen.answers : show.answers],
        messages=tuple(message for message in messages if message.after_vote or agent_id in message.to),
    )


def steerable(state: RunState, agents: Sequence[AgentId] | None = None) -> tuple[AgentId, ...]:
    """The agents, of those meant, that will work on with a person's word: all that deliberate, later the presenter."""
    if state.finished is not None or cut_of(state) is not None:
        return ()
    if state.winner is None:
        reached = [agent.agent_id for agent in state.agents.values() if _will_be_asked(state, agent)]
    else:
        presenter = next_presenter(state) if may_still_present(state) else None
        reached = [] if presenter is None else [presenter.agent_id]
    return tuple(agent_id for agent_id in reached if agents is None or agent_id in agents)


def _will_be_asked(state: RunState, agent: Agent) -> bool:
    """An agent that has voted is asked again; without a vote, one that has answered is not."""
    skips_vote = state.spec.coordination_overrides.skip_voting
    return agent.standing == "live" and (not skips_vote or stage_of(state, agent, voting=False) is not None)
