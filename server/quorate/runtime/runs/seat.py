"""One agent's place in its run: what it submits, reports and asks there."""

from collections.abc import Awaitable, Callable, Sequence

from quorate.engine.judging import AcceptedAnswer, NotAccepted, judge_answer, judge_text, judge_vote
from quorate.engine.labels import agent_called
from quorate.engine.plans import plan_as_text
from quorate.engine.state import RunState
from quorate.protocol.events import AnswerSubmitted, FindingReported, PlanProposed, VoteCast
from quorate.protocol.findings import Finding
from quorate.protocol.ids import AgentId, AnswerId, FindingId
from quorate.protocol.items import Position, Range
from quorate.protocol.plans import Plan
from quorate.runtime.agents.loop import Closing
from quorate.runtime.decisions import Decisions
from quorate.runtime.identity import fresh_id
from quorate.runtime.journal import Journal, Scope
from quorate.runtime.questions import put_question
from quorate.runtime.runs.submissions import Accepted, Submissions
from quorate.tools.workflow.floor import NotTaken, Remark, Taken

SavePlan = Callable[[Plan], Awaitable[str]]
UriOf = Callable[[str], str | None]
# Keeps what the agent has written for its peers, under the answer's label; names the files.
KeepFiles = Callable[[str], Awaitable[tuple[str, ...]]]
JudgeAnswer = Callable[[RunState], AcceptedAnswer | NotAccepted]


class Seat:
    def __init__(
        self,
        agent_id: AgentId,
        *,
        state: Callable[[], RunState],
        journal: Journal,
        submissions: Submissions,
        scope: Scope,
        decisions: Decisions,
        save_plan: SavePlan,
        keep_files: KeepFiles,
        uri_of: UriOf,
        closing: Closing,
    ) -> None:
        """`closing`: what ends the attempt is recorded as one with what it brought."""
        self._agent_id = agent_id
        self._state = state
        self._journal = journal
        self._submissions = submissions
        self._scope = scope
        self._decisions = decisions
        self._save_plan = save_plan
        self._keep_files = keep_files
        self._uri_of = uri_of
        self._closing = closing

    async def say(self, text: str) -> Taken | NotTaken:
        return await self._submit(lambda state: judge_text(state, self._agent_id, text), text)

    async def answer(self, content: str) -> Taken | NotTaken:
        return await self._submit(lambda state: judge_answer(state, self._agent_id, content), content)

    async def propose(self, plan: Plan) -> Taken | NotTaken:
        text = plan_as_text(plan)
        if self._presents:
            path = await self._save_plan(plan)
            await self._journal.append(PlanProposed(plan=plan, path=path), self._scope)
            return Taken("The plan is submitted.")
        return await self._submit(lambda state: judge_answer(state, self._agent_id, text), text, plan)

    async def vote(self, target: str, reason: str, disputed: Sequence[FindingId]) -> Taken | NotTaken:
        def judge(state: RunState) -> Accepted | NotTaken:
            agent_id = agent_called(state.spec, target)
            verdict = judge_vote(state, self._agent_id, agent_id or AgentId(target))
            if isinstance(verdict, NotAccepted) or agent_id is None:
                return NotTaken(verdict.reason if isinstance(verdict, NotAccepted) else "There is no such agent.")
            vote = VoteCast(target=agent_id, reason=reason, disputed=tuple(disputed) or None)
            taken = Taken("Your vote is cast.")
            return Accepted((vote, *self._closing("voted", taken.text)), taken)

        return await self._submissions.submit(judge, self._scope)

    async def remark(self, remark: Remark) -> Taken | NotTaken:
        uri = self._uri_of(remark.path)
        if uri is None:
            return NotTaken(f"There is no file {remark.path!r} in the workspace; name it as the file tools do.")
        finding = Finding(
            finding_id=FindingId(fresh_id("find")),
            uri=uri,
            range=Range(
                start=Position(line=remark.line - 1, character=0),
                end=Position(line=max(remark.line, remark.end_line or remark.line), character=0),
            ),
            severity=remark.severity,
            title=remark.title,
            detail=remark.detail,
            suggestion=remark.suggestion,
        )
        await self._journal.append(FindingReported(finding=finding), self._scope)
        return Taken(f"Reported as {finding.finding_id}.")

    async def ask_person(self, question: str, choices: Sequence[str]) -> str:
        return await put_question(self._decisions, self._scope, question, choices)

    @property
    def _presents(self) -> bool:
        attempt = self._state().agents[self._agent_id].attempt
        return attempt is not None and attempt.purpose == "present"

    async def _submit(self, judge: JudgeAnswer, content: str, plan: Plan | None = None) -> Taken | NotTaken:
        first_verdict = judge(self._state())
        if isinstance(first_verdict, NotAccepted):
            return NotTaken(first_verdict.reason)
        # Copying takes its time, and the log of the whole session must not wait for it: so it is judged once more.
        files = await self._keep_files(first_verdict.label)

        def judge_finally(state: RunState) -> Accepted | NotTaken:
            verdict = judge(state)
            if isinstance(verdict, NotAccepted):
                return NotTaken(verdict.reason)
            answer = AnswerSubmitted(
                answer_id=AnswerId(fresh_id("ans")),
                label=verdict.label,
                content=content,
                plan=plan,
                files=files or None,
            )
            taken = Taken(f"Submitted as {verdict.label}.")
            return Accepted((answer, *self._closing("answered", taken.text)), taken)

        return await self._submissions.submit(judge_finally, self._scope)
