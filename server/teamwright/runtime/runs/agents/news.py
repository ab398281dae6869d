"""What an agent is told, in words: the task, the answers of the others, a person's word, the time that is left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from teamwright.engine.run.answers import alias
from teamwright.engine.run.check_words import answer_words, base_words, final_words
from teamwright.engine.run.commands import Deliberate, Present, Work
from teamwright.engine.run.deliberation import news
from teamwright.engine.run.state import GivenAnswer, Pressure, RunState
from teamwright.prompts.agent_messages import (
    ShownAnswer,
    evaluate_again_message,
    evaluation_message,
    last_call_message,
    new_answers_message,
    presentation_message,
    repair_message,
    steering_message,
    wrap_up_message,
)
from teamwright.protocol.events import Seen
from teamwright.protocol.ids import AgentId


@dataclass(frozen=True, slots=True)
class Aside:
    """What goes with the answers: the findings of a review so far, and by candidates what each changes."""

    findings: str = ""
    diffs: Mapping[str, str] = field(default_factory=dict[str, str])


def opening(state: RunState, work: Work, seen: Seen, aside: Aside) -> list[str]:
    """What a new attempt begins with, after what the agent knows already."""
    match work:
        case Deliberate(stage="first_answer"):
            return _steering(state, work, seen)
        case Deliberate():
            return [_evaluation(state, work, seen, aside), *_steering(state, work, seen)]
        case Present(repairs=True):
            return [repair_message(final_words(state)), *_steering(state, work, seen)]
        case Present():
            answers = _latest(state, work.show)
            own = _own_label(state, work.agent_id) or alias(state.spec, work.agent_id)
            synthesize = work.strategy == "synthesize" or own not in {answer.label for answer in answers}
            told = presentation_message(
                state.spec.task, _shown(state, answers, aside), own, synthesize=synthesize, findings=aside.findings
            )
            return [told, *_steering(state, work, seen)]
        case _:
            assert_never(work)


def meanwhile(state: RunState, work: Work, seen: Seen, aside: Aside) -> list[str]:
    """What has happened since the agent was last told, while it works."""
    if isinstance(work, Deliberate) and work.stage == "evaluation" and seen.answers == 0:
        # Its first answer is no longer awaited: it evaluates those of the others.
        return [_evaluation(state, work, seen, aside), *_steering(state, work, seen)]
    new = [answer for answer in news(state, work.agent_id, work.show, seen).answers if answer.agent_id != work.agent_id]
    told = [new_answers_message(_shown(state, new, aside))] if new else []
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


def _evaluation(state: RunState, work: Deliberate, seen: Seen, aside: Aside) -> str:
    may_answer = work.tools != ("vote",)
    if seen.answers == 0:
        return evaluation_message(
            _shown(state, _latest(state, work.show), aside),
            _own_label(state, work.agent_id),
            may_answer=may_answer,
            findings=aside.findings,
            base=base_words(state),
        )
    news = state.answers[seen.answers : work.show.answers]
    new = [answer for answer in news if answer.agent_id != work.agent_id]
    own = [f"{each.label}: {words}" for each in news if each not in new and (words := answer_words(state, each))]
    return evaluate_again_message(_shown(state, new, aside), may_answer=may_answer, own_checks=own)


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


def _shown(state: RunState, answers: Sequence[GivenAnswer], aside: Aside) -> tuple[ShownAnswer, ...]:
    return tuple(
        ShownAnswer(
            answer.label,
            answer.content,
            answer.files,
            diff=aside.diffs[answer.candidate.change_set_id] if answer.candidate is not None else "",
            checks=answer_words(state, answer),
        )
        for answer in answers
    )
