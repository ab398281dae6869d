"""A question in words, to whoever is there: durable, and answered in one's own words or by one of the choices."""

from collections.abc import Sequence
from typing import Literal

from quorate.protocol.decisions import Choice, InputDecision, InputDetail, Resolution, ResumeDecision, ResumeDetail
from quorate.protocol.ids import DecisionId
from quorate.runtime.decisions import Decisions
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Scope


def resume_question(what: Literal["turn", "run"], task: str, done: str) -> ResumeDecision:
    """After a restart: whether something that was at work goes on."""
    return ResumeDecision(
        decision_id=DecisionId(fresh_id("dec")),
        title=f"This {what} was interrupted. Go on with it?",
        choices=(Choice(id="approve", label="Go on"), Choice(id="cancel", label="Stop")),
        detail=ResumeDetail(what=what, task=task, done=done),
    )


async def put_question(decisions: Decisions, scope: Scope, question: str, choices: Sequence[str]) -> str:
    decision = InputDecision(
        decision_id=DecisionId(fresh_id("dec")),
        title=question,
        choices=tuple(Choice(id=choice, label=choice) for choice in choices),
        detail=InputDetail(question=question, choices=tuple(choices), agent_id=scope.agent_id),
    )
    return as_told(await decisions.ask(decision, scope))


def as_told(answer: Resolution) -> str:
    """A person's answer as the model that asked is told it."""
    if answer.choice == "cancel":
        return "The user gave no answer. Go on as well as you can, and say what is open."
    return answer.text or answer.choice
