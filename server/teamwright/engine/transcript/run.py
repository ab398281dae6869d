"""A run in full: one column an agent, with all that it says and does; what concerns them all stands above."""

from collections.abc import Iterator
from typing import Final

from teamwright.engine.run.reduce import reduce
from teamwright.engine.run.state import GivenAnswer, Run, RunState
from teamwright.engine.transcript.entries import Origin
from teamwright.engine.transcript.evidence import CheckSubjectEntry, problem_actions
from teamwright.engine.transcript.fold import Sources, TranscriptFold
from teamwright.engine.transcript.texts import MessageSubject, TextSubject, notice, remark
from teamwright.engine.transcript.words import PathOf, on_one_line, ordinal
from teamwright.protocol.checks import CheckSubject, OfAnswer
from teamwright.protocol.events import (
    AgentCorrected,
    AgentStopped,
    AnswerSubmitted,
    CheckFinished,
    CheckOutput,
    CheckProblemsShown,
    CheckStarted,
    DecisionRequested,
    DecisionResolved,
    FindingDismissed,
    ItemDelta,
    ItemFinished,
    ItemStarted,
    MessageShared,
    Misstep,
    NoticeRaised,
    RunFinished,
    VoteCast,
)
from teamwright.protocol.ids import AgentId, EntryId, RunId
from teamwright.protocol.items import Item, UserMessage
from teamwright.protocol.records import EventRecord
from teamwright.protocol.transcript import Action

_MISSTEPS: Final[dict[Misstep, str]] = {
    "plain_text": "Wrote text where an answer or a vote was due, and was told so",
    "bad_call": "Got a call wrong, and was told so",
    "refused": "Its answer did not count, and it was told why",
}


_CHECKED: Final = {"base": "the workspace without any change", "final": "what is to be applied"}


class RunTranscript(TranscriptFold):
    def __init__(self, run_id: RunId, path_of: PathOf) -> None:
        super().__init__(Sources(path_of, lambda _: self.run))
        self.run: Run | None = None
        self.last_seq = 0
        self._run_id = run_id
        self._answers: dict[AgentId, list[str]] = {}

    def fold(self, record: EventRecord) -> None:
        """Records of the run's session. What is known already, or of something else, changes nothing."""
        if isinstance(record.event, ItemDelta):
            self.grow(EntryId(record.event.item_id), record.event)
            return
        if record.seq is not None:
            if record.seq <= self.last_seq:
                return
            self.last_seq = record.seq
            if self.run is not None or record.run_id == self._run_id:
                self.run = reduce(self.run, record)
        if isinstance(record.event, FindingDismissed):
            self.dismiss(record.event)
        elif record.run_id == self._run_id:
            self._fold_own(record)

    def growing(self) -> Iterator[TextSubject]:
        """Texts that have not come to their end."""
        for entry_id in tuple(self.entries.latest_first()):
            subject = self.entries.get(entry_id)
            if isinstance(subject, TextSubject) and subject.stream is not None:
                yield subject

    def _fold_own(self, record: EventRecord) -> None:
        if self.entries.get(EntryId(self._run_id)) is None:
            self.show_card(record, self._run_id)
        self.fold_run(record, self._run_id)
        agent = record.agent_id
        match record.event:
            case ItemStarted(item=item):
                self._item(record, item, finished=False)
            case ItemFinished(item=item):
                self._item(record, item, finished=True)
            case DecisionRequested() | DecisionResolved() as event:
                self.fold_decision(record, event)
            case NoticeRaised() as event:
                self.remark(record, notice(event))
            case MessageShared() as event:
                self._message(record, event)
            case CheckStarted() | CheckFinished() | CheckOutput() | CheckProblemsShown() as event:
                self._check(record, event)
            case _ if agent is not None:
                self._of_agent(record, agent)
            case RunFinished(error=str() as error):
                self.remark(record, remark("error", on_one_line(error), state="error"), f"{self._run_id}:end")
            case _:
                pass

    def _check(
        self, record: EventRecord, event: CheckStarted | CheckFinished | CheckOutput | CheckProblemsShown
    ) -> None:
        """In the column of the agent whose answer is checked. What it prints comes from one that has begun."""
        if isinstance(event, CheckProblemsShown):
            self._show_checks_again()
            return
        answer = self._answer_of(event.of)
        name = answer.answer_id if answer is not None else event.of
        known = self.entries.get(entry_id := EntryId(f"check:{name}:{event.name}"))
        if not isinstance(known, CheckSubjectEntry):
            if isinstance(event, CheckOutput):
                return
            agent = None if answer is None else answer.agent_id
            origin = Origin.of(record.model_copy(update={"agent_id": agent}))
            words = _CHECKED.get(str(event.of), "the answer")
            known = CheckSubjectEntry(entry_id, origin, event.name, words, lambda: self._problem_actions(event.of))
        match event:
            case CheckStarted():
                known.output, known.finished = "", None
            case CheckOutput(text=text):
                known.print(text)
            case CheckFinished():
                known.finished = event
        self.entries.show(known)

    def _problem_actions(self, of: CheckSubject) -> Iterator[Action]:
        if isinstance(self.run, RunState):
            yield from problem_actions(self.run, of, self.sources.problems)

    def _show_checks_again(self) -> None:
        for entry_id in tuple(self.entries.latest_first()):
            if isinstance(subject := self.entries.get(entry_id), CheckSubjectEntry):
                self.entries.show(subject)

    def _answer_of(self, of: CheckSubject) -> GivenAnswer | None:
        answers = self.run.answers if isinstance(self.run, RunState) else ()
        return next((each for each in answers if isinstance(of, OfAnswer) and each.answer_id == of.answer_id), None)

    def _item(self, record: EventRecord, item: Item, *, finished: bool) -> None:
        if not isinstance(item, UserMessage):
            title = "Presentation" if item.kind == "presentation" else record.agent_id or "The team"
            self.fold_item(record, item, title, finished=finished)

    def _of_agent(self, record: EventRecord, agent: AgentId) -> None:
        match record.event:
            case AnswerSubmitted(answer_id=answer_id, content=content):
                earlier = self._answers.setdefault(agent, [])
                title = f"{ordinal(len(earlier) + 1).capitalize()} answer"
                answer = TextSubject(EntryId(answer_id), Origin.of(record), "answer", title)
                answer.earlier = earlier[-1] if earlier else None
                earlier.append(content)
                answer.finish(content)
                self.entries.show(answer)
            case VoteCast(target=target, reason=reason):
                self.remark(record, remark("activity", f"Voted for {target}", reason, state="done"))
            case AgentStopped(reason="failed", error=error):
                said = error or "No reason was given"
                self.remark(record, remark("error", on_one_line(f"Failed: {said}"), state="error"))
            case AgentStopped(reason="timeout"):
                self.remark(record, remark("notice", "Ran out of time", state="warning"))
            case AgentStopped(reason="abstained"):
                self.remark(record, remark("notice", "Abstains", state="info"))
            case AgentCorrected(misstep=misstep):
                self.remark(record, remark("notice", _MISSTEPS[misstep], state="info"))
            case _:
                pass

    def _message(self, record: EventRecord, event: MessageShared) -> None:
        """In the column of each whom it is for."""
        for agent in event.to:
            entry_id = EntryId(f"message:{record.seq}:{agent}")
            origin = Origin.of(record.model_copy(update={"agent_id": agent}))
            message = MessageSubject(entry_id, origin, event.text, (), self.sources.path_of, state="steered")
            message.title = _speaker(event)
            self.entries.show(message)


def _speaker(event: MessageShared) -> str:
    if event.sender == "user":
        return "You"
    return f"{event.sender} {'asks' if event.part == 'question' else 'answers'}"
