"""What an agent brings to its run: its answers, plans, votes and findings, each with the call it came in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anyio import CancelScope, get_cancelled_exc_class

from teamwright.engine.run.answers import agent_called
from teamwright.engine.run.judging import AcceptedAnswer, Brought, NotAccepted, judge_answer, judge_text, judge_vote
from teamwright.engine.run.planning import plan_as_text
from teamwright.engine.run.state import RunState
from teamwright.engine.spending import NOTHING_SPENT, Spending
from teamwright.models.port import ModelUsage
from teamwright.prompts.reproduction_report import ignored_reproduction, told_proof
from teamwright.protocol.checks import Candidate
from teamwright.protocol.events import (
    AgentStopped,
    AnswerSubmitted,
    DurableEvent,
    FindingReported,
    ItemFinished,
    ItemStarted,
    PlanProposed,
    StopReason,
    UsageReported,
    VoteCast,
)
from teamwright.protocol.findings import Finding, Reproduction
from teamwright.protocol.ids import AgentId, AnswerId, FindingId
from teamwright.protocol.items import Position, Range, ToolCall
from teamwright.protocol.plans import Plan
from teamwright.runtime.checks.reproducing import NotAllowed, Reproducer
from teamwright.runtime.identity import fresh_id
from teamwright.runtime.runs.agents.tool_calls import ended_item
from teamwright.runtime.runs.files import RunFiles
from teamwright.runtime.runs.run_log import JudgeSubmission, RunLog
from teamwright.runtime.sessions.decisions import Decisions
from teamwright.runtime.sessions.questions import put_question_once
from teamwright.tools.port import Succeeded
from teamwright.tools.workflow import FindingReport, NotTaken, Taken

_MOST_LEFT_OUT = 10
# Of one agent in one run. Nobody reads more, and each is compared with those of the others.
_MOST_FINDINGS = 200

JudgeAnswer = Callable[[RunState, Brought], AcceptedAnswer | NotAccepted]


@dataclass(slots=True)
class AttemptProgress:
    """How far an agent has come with the attempt under way."""

    number: int
    spending: Spending = NOTHING_SPENT
    # What happened and nobody waits for: it goes into the log ahead of the next fact.
    unrecorded: tuple[DurableEvent, ...] = ()
    # The call by which something is submitted now, and the step that made it.
    call: ToolCall | None = None
    step: int = 0

    def take_unrecorded(self) -> tuple[DurableEvent, ...]:
        """For whoever records it now."""
        taken, self.unrecorded = self.unrecorded, ()
        return taken

    def stopped(self, reason: StopReason, error: str | None = None, candidate: Candidate | None = None) -> AgentStopped:
        """The fact that ends the attempt, with all that it has used."""
        spent = self.spending
        return AgentStopped(
            attempt=self.number,
            reason=reason,
            error=error,
            usage=spent.usage,
            cost_usd=spent.cost_usd,
            candidate=candidate,
        )

    def closed_by(self, fact: DurableEvent, reason: StopReason, told: Taken) -> tuple[DurableEvent, ...]:
        """What ends the attempt, in one piece with what it brought and with the call that brought it: whenever the
        process ends, the log has all of that or nothing."""
        if self.call is None:
            return (fact, self.stopped(reason))
        begun = ItemStarted(item=self.call, step=self.step)
        ended = ItemFinished(item=ended_item(self.call, Succeeded(told.text)))
        return (begun, fact, ended, self.stopped(reason))


class AgentSubmissions:
    """Implements `SubmissionPort` for one agent, attempt after attempt."""

    def __init__(
        self, agent_id: AgentId, log: RunLog, files: RunFiles, decisions: Decisions, reproducer: Reproducer
    ) -> None:
        self.attempt = AttemptProgress(0)
        self._agent_id = agent_id
        self._log = log
        self._files = files
        self._decisions = decisions
        self._reproducer = reproducer

    async def say(self, text: str) -> Taken | NotTaken:
        return await self._submit(lambda state, brought: judge_text(state, self._agent_id, text, brought), text)

    async def answer(self, content: str) -> Taken | NotTaken:
        return await self._submit(lambda state, brought: judge_answer(state, self._agent_id, content, brought), content)

    async def propose(self, plan: Plan) -> Taken | NotTaken:
        text = plan_as_text(plan)
        if not self._presents:
            return await self._submit(
                lambda state, brought: judge_answer(state, self._agent_id, text, brought), text, plan
            )
        proposed = PlanProposed(plan=plan, path=await self._files.save_plan(plan))
        taken = Taken("The plan is submitted.")
        return await self._submit_judged(lambda _state: (self.attempt.closed_by(proposed, "finished", taken), taken))

    async def vote(self, target: str, reason: str, disputed: Sequence[FindingId]) -> Taken | NotTaken:
        def judge(state: RunState) -> tuple[Sequence[DurableEvent], Taken | NotTaken]:
            agent_id = agent_called(state.spec, target)
            verdict = judge_vote(state, self._agent_id, agent_id or AgentId(target))
            if isinstance(verdict, NotAccepted) or agent_id is None:
                return (), NotTaken(verdict.reason if isinstance(verdict, NotAccepted) else "There is no such agent.")
            vote = VoteCast(target=agent_id, reason=reason, disputed=tuple(disputed) or None)
            taken = Taken("Your vote is cast.")
            return self.attempt.closed_by(vote, "voted", taken), taken

        return await self._submit_judged(judge)

    async def remark(self, remark: FindingReport) -> Taken | NotTaken:
        uri = self._files.uri_of(remark.path)
        if uri is None:
            return NotTaken(f"There is no file {remark.path!r} in the workspace; name it as the file tools do.")
        if sum(each.agent_id == self._agent_id for each in self._log.state.findings) >= _MOST_FINDINGS:
            return NotTaken(f"You have reported {_MOST_FINDINGS} findings, which is the most; sum up now.")
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
        if remark.reproduction is None:
            return await self._reported(finding)
        try:
            proof = await self._reproducer.run(remark.reproduction, self._reproductions_before())
        except get_cancelled_exc_class():
            # Its author is stopped meanwhile: what it has found holds all the same.
            unproven = {"reproduced": "not_run", "not_run_because": "The run went on before it came to its end."}
            with CancelScope(shield=True):
                await self._reported(finding.model_copy(update=unproven))
            raise
        if isinstance(proof, NotAllowed):
            taken = await self._reported(finding)
            return Taken(f"{taken.text} {ignored_reproduction(proof.reason)}")
        shown = {"reproduced": proof.reproduced, "not_run_because": proof.because}
        kept = remark.reproduction if proof.has_run else None
        taken = await self._reported(finding.model_copy(update=shown), kept)
        return Taken(f"{taken.text} {told_proof(proof.reproduced, proof.because, proof.printed)}")

    async def _reported(self, finding: Finding, reproduction: Reproduction | None = None) -> Taken:
        before = self.attempt.take_unrecorded()
        reported = FindingReported(finding=finding, reproduction=reproduction)
        await self._log.append(*before, reported, agent_id=self._agent_id)
        return Taken(f"Reported as {finding.finding_id}.")

    def _reproductions_before(self) -> int:
        findings = self._log.state.findings
        return sum(each.agent_id == self._agent_id and each.reproduction is not None for each in findings)

    def spend(self, report: ModelUsage) -> None:
        """What a model call for the attempt under way has used."""
        self.attempt.spending += Spending(report.usage, report.cost_usd)
        self._log.meter(self._agent_id, self.attempt.number, self.attempt.spending)
        news = UsageReported(usage=report.usage, cost_usd=report.cost_usd)
        self._log.journal.announce(news, self._log.scope.of_agent(self._agent_id))

    async def ask_person(self, question: str, choices: Sequence[str]) -> str:
        return await put_question_once(self._decisions, self._log.scope.of_agent(self._agent_id), question, choices)

    async def adopt(self, label: str) -> Taken | NotTaken:
        """The agent's copy becomes that answer's, whole."""
        answer = next((each for each in self._log.state.answers if each.label == label), None)
        if answer is None:
            known = ", ".join(each.label for each in self._log.state.answers if each.candidate is not None)
            return NotTaken(f"There is no answer {label!r}; those with changes are {known or 'none yet'}.")
        change_set_id = None if answer.candidate is None else answer.candidate.change_set_id
        await self._files.start(self._agent_id, change_set_id, label)
        what = "changes nothing, as your copy does now" if change_set_id is None else "is what your copy holds now"
        return Taken(f"{label} {what}. Improve on it and submit that, or vote for it.")

    async def bring(self) -> Candidate | None:
        """What the agent's copy differs in, where its run is one that changes files."""
        if not self._log.state.serves_writes:
            return None
        return await self._files.candidates.bring(self._files.of(self._agent_id))

    @property
    def _presents(self) -> bool:
        attempt = self._log.state.agents[self._agent_id].attempt
        return attempt is not None and attempt.purpose == "present"

    async def _submit(self, judge: JudgeAnswer, content: str, plan: Plan | None = None) -> Taken | NotTaken:
        candidate = await self.bring()
        adopted = self._files.of(self._agent_id).adopted
        brought = Brought(None if candidate is None else candidate.change_set_id, adopted)
        first_verdict = judge(self._log.state, brought)
        if isinstance(first_verdict, NotAccepted):
            return NotTaken(first_verdict.reason)
        # Copying takes its time, and the log of the whole session must not wait for it: so it is judged once more.
        files = await self._files.keep_answer(self._agent_id, first_verdict.label)
        left_out = await self._files.left_out(self._agent_id) if self._log.state.serves_writes else ()

        def judge_finally(state: RunState) -> tuple[Sequence[DurableEvent], Taken | NotTaken]:
            verdict = judge(state, brought)
            if isinstance(verdict, NotAccepted):
                return (), NotTaken(verdict.reason)
            answer = AnswerSubmitted(
                answer_id=AnswerId(fresh_id("ans")),
                label=verdict.label,
                content=content,
                plan=plan,
                files=files or None,
                candidate=candidate,
            )
            taken = Taken(f"Submitted as {verdict.label}.{_without(left_out)}")
            return self.attempt.closed_by(answer, "answered", taken), taken

        return await self._submit_judged(judge_finally)

    async def _submit_judged(self, judge: JudgeSubmission[Taken | NotTaken]) -> Taken | NotTaken:
        """With what has happened before it, which comes first."""
        attempt = self.attempt
        before = attempt.take_unrecorded()

        def judge_with_it(state: RunState) -> tuple[Sequence[DurableEvent], Taken | NotTaken]:
            facts, word = judge(state)
            return (*before, *facts) if facts else (), word

        try:
            return await self._log.submit(judge_with_it, self._agent_id)
        finally:
            if not self._log.state.agents[self._agent_id].has_ended(attempt.number):
                attempt.unrecorded = (*before, *attempt.unrecorded)


def _without(left_out: Sequence[str]) -> str:
    """For the author, who would take these for part of the answer."""
    if not left_out:
        return ""
    more = f" and {len(left_out) - _MOST_LEFT_OUT} more" if len(left_out) > _MOST_LEFT_OUT else ""
    named = ", ".join(left_out[:_MOST_LEFT_OUT])
    return f" Left out of its changes, because the project's ignore rules name them: {named}{more}."
