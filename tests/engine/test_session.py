"""What a session wants, told in facts: the line of turns, what a crash has left, budgets, modes, limits."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from teamwright.engine.session.admission import (
    modes_of_next,
    refusal_of_compaction,
    refusal_of_deletion,
    refusal_of_modes,
    refusal_of_work,
    route,
    title_of,
)
from teamwright.engine.session.budget import limit_of, reached, total_spending
from teamwright.engine.session.decide import Circumstances, decide
from teamwright.engine.session.reduce import reduce, taken_over
from teamwright.engine.session.standing import is_active, is_at_work
from teamwright.engine.session.state import SessionState
from teamwright.engine.session.view import summary, view
from teamwright.engine.session.wants import (
    AskResume,
    CancelRun,
    ConductRun,
    EndTurn,
    HoldTurn,
    PutAway,
    Relist,
    RunTurn,
    StopTurn,
    Want,
)
from teamwright.protocol.decisions import (
    BudgetDecision,
    BudgetDetail,
    BudgetSpent,
    Decision,
    InputDecision,
    InputDetail,
    ResumeDecision,
    RunDecision,
    RunDetail,
)
from teamwright.protocol.events import (
    AgentStarted,
    CancelRequested,
    DecisionRequested,
    DecisionResolved,
    DurableEvent,
    ItemFinished,
    ItemStarted,
    RunFinished,
    RunStarted,
    SessionCreated,
    SessionUpdated,
    TurnFinished,
    TurnQueued,
    TurnStarted,
)
from teamwright.protocol.ids import AgentId, DecisionId, ItemId, RunId, TurnId
from teamwright.protocol.items import AssistantMessage, ToolCall, UserMessage
from teamwright.protocol.modes import Modes
from teamwright.protocol.records import EventRecord, Scope
from teamwright.protocol.usage import Budget, Usage
from teamwright.protocol.views import SessionSummary
from tests.engine.session_log import READING, SESSION
from tests.engine.story import spec
from tests.engine.telling import START

TURN, NEXT, RUN, OTHER = TurnId("turn_1"), TurnId("turn_2"), RunId("run_1"), RunId("run_2")
ASKED = DecisionId("dec_1")


class SessionStory:
    def __init__(self) -> None:
        self.state = SessionState(SESSION)
        self.at = START
        described = SessionSummary(session_id=SESSION, title="A session", created_at=START, updated_at=START)
        self.fact(SessionCreated(session=described))

    def fact(self, event: DurableEvent, turn: TurnId | None = None, run: RunId | None = None) -> "SessionStory":
        self.at += timedelta(seconds=1)
        seq = self.state.last_seq + 1
        record = EventRecord(seq=seq, at=self.at, session_id=SESSION, turn_id=turn, run_id=run, event=event)
        self.state = reduce(self.state, record)
        return self

    def of_agent(self, event: DurableEvent, run: RunId, agent: str = "a") -> "SessionStory":
        self.at += timedelta(seconds=1)
        place: dict[str, Any] = {"run_id": run, "agent_id": AgentId(agent), "session_id": SESSION}
        self.state = reduce(
            self.state, EventRecord(seq=self.state.last_seq + 1, at=self.at, turn_id=None, event=event, **place)
        )
        return self

    def says(self, turn: TurnId = TURN) -> "SessionStory":
        message = UserMessage(item_id=ItemId(f"item_{turn}"), text="Do it.")
        self.fact(TurnStarted(text="Do it."), turn)
        return self.fact(ItemStarted(item=message), turn).fact(ItemFinished(item=message), turn)

    def calls(self, name: str, turn: TurnId = TURN) -> "SessionStory":
        return self.fact(ItemStarted(item=ToolCall(item_id=ItemId("item_call"), name=name), step=1), turn)

    def asks(self, decision: Decision, turn: TurnId | None = None, run: RunId | None = None) -> "SessionStory":
        return self.fact(DecisionRequested(decision=decision), turn, run)

    def answers(self, choice: str, turn: TurnId | None = None, run: RunId | None = None) -> "SessionStory":
        return self.fact(DecisionResolved(decision_id=ASKED, choice=choice, by="user"), turn, run)

    def at_work(self, run: RunId = RUN) -> "SessionStory":
        self.fact(RunStarted(spec=spec("a", refinement=False)), run=run)
        return self.of_agent(AgentStarted(attempt=1, purpose="answer"), run)

    def crash(self) -> "SessionStory":
        self.at += timedelta(hours=1)
        self.state = taken_over(self.state)
        return self

    def wants(self, **given: Any) -> list[Want]:
        """What there is to do, but for the line in the browser."""
        plain = Circumstances(
            is_writer=True,
            resume="ask",
            has_room=True,
            reading=READING,
            last_used=self.at,
            idle=timedelta(minutes=30),
        )
        circumstances = replace(plain, **given)
        return [want for want in decide(self.state, circumstances) if not isinstance(want, Relist)]

    def resumes(self, choice: str) -> "SessionStory":
        """It is asked whether to go on, and answered."""
        asked = self.question()
        self.asks(
            ResumeDecision(decision_id=ASKED, title=asked.title, choices=asked.choices, detail=asked.detail),
            asked.scope.turn_id,
            asked.scope.run_id,
        )
        assert not [want for want in self.wants() if not isinstance(want, HoldTurn)], "nothing is done before a yes"
        assert not is_at_work(self.state)
        return self.answers(choice, asked.scope.turn_id, asked.scope.run_id)

    def question(self, **given: Any) -> AskResume:
        (asked,) = [want for want in self.wants(**given) if isinstance(want, AskResume)]
        return asked


def question(text: str = "Which port?") -> InputDecision:
    return InputDecision(decision_id=ASKED, title=text, choices=(), detail=InputDetail(question=text))


def run_question() -> RunDecision:
    detail = RunDetail(spec=spec("a"), files=(), estimate=None, reason="")
    return RunDecision(decision_id=ASKED, title="Run?", choices=(), detail=detail)


def test_one_turn_at_a_time_and_the_next_when_it_is_over() -> None:
    story = SessionStory().says().fact(TurnQueued(text="And then."), NEXT)
    assert route(story.state) == "queue"
    assert story.wants() == [RunTurn(TURN, 0, ())]
    story.fact(TurnFinished(outcome="completed", usage=Usage()), TURN)
    assert story.wants() == [RunTurn(NEXT, 0, ())]
    assert story.wants(has_room=False) == []
    assert story.wants(is_writer=False) == []


def test_a_session_without_work_is_put_away_after_a_while() -> None:
    story = SessionStory()
    assert story.wants() == [PutAway(story.at + timedelta(minutes=30))]
    story.says().asks(question(), TURN)
    assert not [want for want in story.wants() if isinstance(want, PutAway)], "what waits for a person stays at hand"


def test_a_turn_that_was_at_work_is_asked_about_and_goes_on_where_it_was() -> None:
    story = SessionStory().says().calls("write_memory").crash()
    asked = story.question()
    assert (asked.detail.what, asked.detail.done, asked.scope) == ("turn", "nothing so far", Scope(TURN))
    assert story.wants() == [asked], "nothing else is done before a yes"
    assert story.question(resume="auto").policy == "approve"
    assert (is_at_work(story.state), is_active(story.state)) == (True, False)
    (kept,) = story.state.turns.open.values()
    story.resumes("approve")
    (turn,) = story.wants()
    assert isinstance(turn, RunTurn)
    assert [(each.item.item_id, each.how) for each in turn.close] == [("item_call", "interrupted")]
    assert turn.steps_done == kept.steps == 1


def test_a_call_that_only_read_is_made_again() -> None:
    story = SessionStory().says().calls("read_file").crash()
    story.resumes("approve")
    (turn,) = story.wants()
    assert isinstance(turn, RunTurn)
    assert [each.how for each in turn.close] == ["again"]


def test_what_only_waited_for_a_person_goes_on_by_the_answer() -> None:
    story = SessionStory().says().calls("request_input").asks(question(), TURN).crash()
    assert story.wants() == [HoldTurn(TURN, ASKED)]
    story.answers("answer", TURN)
    (turn,) = story.wants()
    assert isinstance(turn, RunTurn)
    assert [each.how for each in turn.close] == ["answer"]


def test_a_turn_that_waits_for_its_run_is_not_asked_about() -> None:
    story = SessionStory().says().calls("launch_run").asks(run_question(), TURN, RUN).crash()
    assert story.wants() == [HoldTurn(TURN, RUN)]
    story.answers("approve", TURN, RUN)
    assert story.wants() == [ConductRun(RUN), HoldTurn(TURN, RUN)]
    assert story.wants(has_room=False) == [HoldTurn(TURN, RUN)]
    story.fact(RunFinished(outcome="cancelled", usage=Usage()), TURN, RUN)
    (turn,) = story.wants()
    assert isinstance(turn, RunTurn)
    assert [each.how for each in turn.close] == ["run"]


def test_several_things_are_one_question_and_each_hears_the_answer() -> None:
    story = SessionStory().says().at_work().at_work(OTHER).crash()
    asked = story.question()
    assert (asked.detail.what, asked.scope) == ("session", Scope())
    assert [(item.what, item.id) for item in asked.detail.items or ()] == [
        ("run", RUN),
        ("run", OTHER),
        ("turn", TURN),
    ]
    story.resumes("cancel")
    wants = story.wants()
    assert [type(want) for want in wants] == [ConductRun, ConductRun, StopTurn, EndTurn]
    assert all(known.run.cancel_requested for known in story.state.runs.open.values())


def test_a_complete_answer_is_only_ended() -> None:
    said = AssistantMessage(item_id=ItemId("item_words"), text="Done.")
    story = SessionStory().says().fact(ItemStarted(item=said, step=1), TURN)
    story.fact(ItemFinished(item=said, ends_turn=True), TURN).crash()
    assert story.wants() == [EndTurn(TURN, "completed", (), ())]


def test_who_calls_a_turn_off_calls_its_runs_off() -> None:
    story = SessionStory().says().calls("launch_run")
    story.fact(RunStarted(spec=spec("a", refinement=False)), TURN, RUN).fact(CancelRequested(), TURN)
    assert story.wants() == [CancelRun(RUN), ConductRun(RUN), StopTurn(TURN)]
    story.fact(CancelRequested(), TURN, RUN).fact(RunFinished(outcome="cancelled", usage=Usage()), TURN, RUN)
    (stop, end) = story.wants()
    assert stop == StopTurn(TURN)
    assert isinstance(end, EndTurn)
    assert [each.item.item_id for each in end.close] == ["item_call"]


def test_a_budget_that_is_reached_is_raised_by_as_much_again() -> None:
    limit = Budget(tokens=100)
    spent = BudgetSpent(usd=1.0, tokens=120, seconds=1, usage=Usage())
    detail = BudgetDetail(of="session", spent=spent, limit=limit)
    story = SessionStory().says()
    story.fact(TurnFinished(outcome="completed", usage=Usage(input_tokens=120), cost_usd=1.0), TURN).says(NEXT)
    total = total_spending(story.state)
    at_limit = reached(story.state, limit, total, story.at)
    assert at_limit is not None
    assert at_limit.spent.tokens == 120
    story.asks(BudgetDecision(decision_id=ASKED, title="?", choices=(), detail=detail), NEXT)
    assert story.wants() == [HoldTurn(NEXT, ASKED)]
    story.answers("approve", NEXT)
    assert limit_of(story.state, limit) == Budget(tokens=220)
    assert reached(story.state, limit, total, story.at) is None


def test_a_budget_that_is_refused_ends_the_turn_also_after_a_crash() -> None:
    spent = BudgetSpent(usd=1.0, tokens=120, seconds=1, usage=Usage())
    detail = BudgetDetail(of="session", spent=spent, limit=Budget(tokens=100))
    story = SessionStory().says().asks(BudgetDecision(decision_id=ASKED, title="?", choices=(), detail=detail), TURN)
    story.crash().answers("cancel", TURN)
    assert [type(want) for want in story.wants()] == [StopTurn, EndTurn]


def test_what_is_refused_while_something_is_at_work() -> None:
    story, plan = SessionStory(), Modes(plan=True)
    idle = (refusal_of_modes(story.state, plan), refusal_of_deletion(story.state))
    assert idle == (None, None)
    story.says()
    assert refusal_of_modes(story.state, Modes()) is None, "what changes nothing is no change"
    for refusal in (
        refusal_of_modes(story.state, plan),
        refusal_of_deletion(story.state),
        refusal_of_compaction(story.state, is_under_way=False),
    ):
        assert refusal is not None
        assert refusal.status == 409
    refused = refusal_of_work(is_active=False, others_active=5, limit=5)
    assert refused is not None
    assert refused.status == 429
    assert refusal_of_work(is_active=True, others_active=5, limit=5) is None
    assert refusal_of_work(is_active=False, others_active=4, limit=5) is None


def test_the_modes_of_a_message_build_on_those_of_the_last_in_line() -> None:
    story = SessionStory().says().fact(TurnQueued(text="Then.", modes=Modes(plan=True)), NEXT)
    assert modes_of_next(story.state, Modes(team="never")) == Modes(plan=True, team="never")


def test_what_the_browser_lists_is_stale_until_it_is_written() -> None:
    story = SessionStory()
    assert not story.state.heading.is_stale
    story.says()
    assert story.state.heading.is_stale
    told = summary(story.state)
    assert (told.turns, told.busy, told.last_message) == (1, True, "Do it.")
    assert not story.fact(SessionUpdated(session=told)).state.heading.is_stale
    assert [item.turn_id for item in view(story.state).items] == [TURN]
    assert title_of("  Why\n is it so?  ") == "Why is it so?"
