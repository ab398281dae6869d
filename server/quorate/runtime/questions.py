"""A question in words, to whoever is there: durable, and answered in one's own words or by one of the choices."""

from collections.abc import Sequence

from quorate.protocol.decisions import Choice, InputDecision, InputDetail
from quorate.protocol.ids import DecisionId
from quorate.runtime.decisions import Decisions
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Scope


async def put_question(decisions: Decisions, scope: Scope, question: str, choices: Sequence[str]) -> str:
    decision = InputDecision(
        decision_id=DecisionId(fresh_id("dec")),
        title=question,
        choices=tuple(Choice(id=choice, label=choice) for choice in choices),
        detail=InputDetail(question=question, choices=tuple(choices), agent_id=scope.agent_id),
    )
    answer = await decisions.ask(decision, scope)
    if answer.choice == "cancel":
        return "The user gave no answer. Go on as well as you can, and say what is open."
    return answer.text or answer.choice
