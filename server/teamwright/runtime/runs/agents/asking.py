"""Questions between the agents of a run: answered by a side call on a copy of what the asked one knows, so that nobody
waits for anybody who is busy."""

from collections.abc import Callable, Mapping
from typing import Final, Literal, Protocol

import anyio

from teamwright.engine.run.answers import alias
from teamwright.engine.run.asking import peers_called, refusal_of_question
from teamwright.engine.run.state import RunState
from teamwright.models.port import ModelUsage
from teamwright.permissions.actions import AskPersonAction
from teamwright.permissions.judgement import judge
from teamwright.permissions.verdicts import Deny
from teamwright.prompts.assistant.quoting import quoted
from teamwright.protocol.events import DurableEvent, MessageShared
from teamwright.protocol.ids import AgentId
from teamwright.runtime.runs.agents.members import RunMember
from teamwright.runtime.runs.run_log import RunLog
from teamwright.runtime.sessions.decisions import Decisions
from teamwright.runtime.sessions.questions import put_question_once
from teamwright.tools.port import Failed, Outcome, Succeeded

_SECONDS: Final = 60.0
_NO_ANSWER: Final = "(no answer)"


class AskedAgent(Protocol):
    """An agent as the others can ask it."""

    async def answer_aside(self, asker: str, question: str, spent: Callable[[ModelUsage], None]) -> str:
        """What it would say by what it knows now; nothing of its own work waits for it. Empty where it says nothing."""
        ...

    def overhear(self, text: str) -> None:
        """It is told so at its next step."""
        ...


class PeerQuestions:
    """Of one agent; `peers` are all of its run, once they are there."""

    def __init__(
        self,
        member: RunMember,
        log: RunLog,
        decisions: Decisions,
        peers: Mapping[AgentId, AskedAgent],
        spent: Callable[[ModelUsage], None],
    ) -> None:
        self._member = member
        self._log = log
        self._decisions = decisions
        self._peers = peers
        self._spent = spent

    async def ask(self, question: str, to: list[str] | Literal["user"] | None) -> Outcome:
        own = self._member.agent_id
        labels = None if to == "user" else to
        asked = () if to == "user" else peers_called(self._log.state, own, labels)
        if to == "user" and isinstance(refusal := judge(self._member.rules("agent"), AskPersonAction()), Deny):
            return Failed(refusal.reason)
        if to != "user" and not asked:
            return Failed("Nobody of those is at work in this run; go on with what you know.")

        def put(state: RunState) -> tuple[tuple[DurableEvent, ...], str | None]:
            if (refusal := refusal_of_question(state, own)) is not None:
                return (), refusal
            return (MessageShared(sender=own, to=asked, text=question, part="question"),), None

        if (refused := await self._log.submit(put, own)) is not None:
            return Failed(refused)
        if to == "user":
            return Succeeded(await put_question_once(self._decisions, self._log.scope.of_agent(own), question))
        return Succeeded(await self._answers(question, asked))

    async def _answers(self, question: str, asked: tuple[AgentId, ...]) -> str:
        answers: dict[AgentId, str] = dict.fromkeys(asked, "")
        async with anyio.create_task_group() as tasks:
            for agent_id in asked:
                tasks.start_soon(self._one, agent_id, question, answers)
        spec = self._log.state.spec
        return "\n\n".join(
            f"{alias(spec, agent_id)}:\n{quoted('reply', answer) if answer else _NO_ANSWER}"
            for agent_id, answer in answers.items()
        )

    async def _one(self, agent_id: AgentId, question: str, answers: dict[AgentId, str]) -> None:
        own, spec = self._member.agent_id, self._log.state.spec
        with anyio.move_on_after(_SECONDS):
            answers[agent_id] = await self._peers[agent_id].answer_aside(alias(spec, own), question, self._spent)
        answer = answers[agent_id]
        if answer:
            told = MessageShared(sender=agent_id, to=(own,), text=answer, part="answer")
            await self._log.append(told, agent_id=agent_id)
            exchange = f"{quoted('question', question)}\nand you answered:\n{quoted('reply', answer)}"
            self._peers[agent_id].overhear(f"Meanwhile {alias(spec, own)} asked you, aside:\n{exchange}")
