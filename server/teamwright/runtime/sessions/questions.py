"""A question in words, to whoever is there: durable, and answered in one's own words or by one of the choices."""

from collections.abc import Sequence

from teamwright.protocol.decisions import Choice, InputDecision, InputDetail, Resolution
from teamwright.protocol.ids import DecisionId
from teamwright.protocol.records import Scope
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.sessions.decisions import Decisions


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
