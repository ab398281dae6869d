"""What an agent is told, in words: the task, the answers of the others, a person's word, the time that is left."""

from collections.abc import Sequence
from typing import assert_never

from quorate.engine.commands import Deliberate, Present, Work
from quorate.engine.labels import alias
from quorate.engine.state import GivenAnswer, Pressure, RunState
from quorate.engine.steering import news
from quorate.prompts.agent_messages import (
    ShownAnswer,
    evaluate_again_message,
    evaluation_message,
    last_call_message,
    new_answers_message,
    presentation_message,
    steering_message,
    wrap_up_message,
)
from quorate.protocol.events import Seen
from quorate.protocol.ids import AgentId


def opening(state: RunState, work: Work, seen: Seen, findings: str = "") -> list[str]:
    """What a new attempt begins with, after what the agent knows already. `findings` are those of a review so far."""
    match work:
        case Deliberate(stage="first_answer"):
            return _steering(state, work, seen)
        case Deliberate():
            return [_evaluation(state, work, seen, findings), *_steering(state, work, seen)]
        case Present():
            answers = _latest(state, work.show)
            own = _own_label(state, work.agent_id) or alias(state.spec, work.agent_id)
            synthesize = work.strategy == "synthesize" or own not in {answer.label for answer in answers}
            told = presentation_message(state.spec.task, _shown(answers), own, synthesize=synthesize, findings=findings)
            return [told, *_steering(state, work, seen)]
        case _:
            assert_never(work)


def meanwhile(state: RunState, work: Work, seen: Seen, findings: str = "") -> list[str]:
    """What has happened since the agent was last told, while it works."""
    if isinstance(work, Deliberate) and work.stage == "evaluation" and seen.answers == 0:
        # Its first answer is no longer awaited: it evaluates those of the others.
        return [_evaluation(state, work, seen, findings), *_steering(state, work, seen)]
    new = [answer for answer in news(state, work.agent_id, work.show, seen).answers if answer.agent_id != work.agent_id]
    told = [new_answers_message(_shown(new))] if new else []
    return [*told, *_steering(state, work, seen)]


def pressed(pressure: Pressure, grace_seconds: float) -> str | None:
    match pressure:
        case "wrap_up":
            return wrap_up_message(seconds_left=grace_seconds)
        case "tools_closed":
            return last_call_message()
        case "none" | "over":
            return None
        case _:
            assert_never(pressure)


def _evaluation(state: RunState, work: Deliberate, seen: Seen, findings: str) -> str:
    may_answer = work.tools != ("vote",)
    if seen.answers == 0:
        return evaluation_message(
            _shown(_latest(state, work.show)),
            _own_label(state, work.agent_id),
            may_answer=may_answer,
            findings=findings,
        )
    new = [answer for answer in state.answers[seen.answers : work.show.answers] if answer.agent_id != work.agent_id]
    return evaluate_again_message(_shown(new), may_answer=may_answer)


def _steering(state: RunState, work: Work, seen: Seen) -> list[str]:
    messages = news(state, work.agent_id, work.show, seen).messages
    return [steering_message(message.text) for message in messages]


def _latest(state: RunState, show: Seen) -> list[GivenAnswer]:
    """Each agent's latest of those that are to be shown, in the order of the run's agents."""
    by_agent = {answer.agent_id: answer for answer in state.answers[: show.answers]}
    return [by_agent[agent_id] for agent_id in state.agents if agent_id in by_agent]


def _own_label(state: RunState, agent_id: AgentId) -> str | None:
    latest = state.agents[agent_id].latest
    return latest.label if latest is not None else None


def _shown(answers: Sequence[GivenAnswer]) -> tuple[ShownAnswer, ...]:
    return tuple(ShownAnswer(answer.label, answer.content, answer.files) for answer in answers)
