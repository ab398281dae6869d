"""A question in words, to whoever is there: durable, and answered in one's own words or by one of the choices."""

from collections.abc import Sequence

from teamwright.protocol.decisions import Choice, InputDecision, InputDetail, Resolution
from teamwright.protocol.ids import DecisionId
from teamwright.protocol.records import Scope
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.sessions.decisions import Decisions


async def put_question(decisions: Decisions, scope: Scope, question: str, choices: Sequence[str]) -> str:
    return as_told(await decisions.ask(_question(scope, question, choices), scope))


def _question(scope: Scope, question: str, choices: Sequence[str]) -> InputDecision:
    return InputDecision(
        decision_id=DecisionId(fresh_id("dec")),
        title=question,
        choices=tuple(Choice(id=choice, label=choice) for choice in choices),
        detail=InputDetail(question=question, choices=tuple(choices), agent_id=scope.agent_id),
    )


async def put_question_once(decisions: Decisions, scope: Scope, question: str, choices: Sequence[str] = ()) -> str:
    """For agents of one run: who asks what another has asked waits for the same answer, or has it already."""
    async with decisions.questioning:
        decision_id = decisions.question_alike(scope, question)
        if decision_id is None:
            decision = _question(scope, question, choices)
            decision_id = decision.decision_id
            await decisions.request(decision, scope)
    return as_told(await decisions.answer_to(decision_id))


def as_told(answer: Resolution) -> str:
    """A person's answer as the model that asked is told it."""
    if answer.choice == "cancel":
        return "The user gave no answer. Go on as well as you can, and say what is open."
    return answer.text or answer.choice
