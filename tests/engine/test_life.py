"""Before the start, after a restart, and what clients see."""

from datetime import timedelta

from teamwright.engine.run.commands import StartRun
from teamwright.engine.run.decide import decide
from teamwright.engine.run.reduce import fold, reduce
from teamwright.engine.run.state import QueuedRun
from teamwright.engine.run.view import view
from teamwright.engine.spending import Spending, spending_of
from teamwright.protocol.decisions import (
    InputDecision,
    InputDetail,
    ResumeDecision,
    ResumeDetail,
    RunDecision,
    RunDetail,
)
from teamwright.protocol.events import (
    AgentStarted,
    AgentStopped,
    CancelRequested,
    DecisionRequested,
    DecisionResolved,
    DurableEvent,
    NoticeRaised,
    RunFinished,
    RunStarted,
    TurnStarted,
)
from teamwright.protocol.ids import AgentId, DecisionId, SessionId
from teamwright.protocol.records import EventRecord
from teamwright.protocol.usage import Usage
from tests.engine.story import RUN, Story, check, spec
from tests.engine.telling import START, told

SES = SessionId("ses_1")
APPROVAL = RunDecision(
    decision_id=DecisionId("dec_run"),
    title="Run?",
    choices=(),
    detail=RunDetail(spec=spec(), files=(), estimate=None, reason=""),
)


def queued(*events: DurableEvent) -> QueuedRun:
    records = [
        EventRecord(seq=number, at=START + timedelta(seconds=number), session_id=SES, run_id=RUN, event=event)
        for number, event in enumerate((DecisionRequested(decision=APPROVAL), *events))
    ]
    run = fold(records)
    assert isinstance(run, QueuedRun)
    return run


def resolved(choice: str) -> DecisionResolved:
    return DecisionResolved(
        decision_id=DecisionId("dec_run"), choice=choice, by="user", edits={"agents": ["a"]}, text="be brief"
    )


def test_a_run_that_waits_for_approval_is_queued_and_wants_nothing() -> None:
    run = queued()
    assert decide(run) == ()
    seen = view(run)
    assert (seen.phase, seen.decisions, [agent.status for agent in seen.agents]) == (
        "queued",
        ("dec_run",),
        ["waiting"] * 3,
    )


def test_an_approved_run_is_to_be_started_with_the_edits() -> None:
    assert decide(queued(resolved("approve"))) == (StartRun({"agents": ["a"]}, instructions="be brief"),)


def test_a_refused_run_is_finished_as_cancelled() -> None:
    assert told(decide(queued(resolved("cancel")))) == ["finish cancelled: nothing"]


def test_a_run_cancelled_before_its_approval_takes_the_question_back() -> None:
    assert told(decide(queued(CancelRequested()))) == ["withdraw dec_run"]
    assert told(decide(queued(CancelRequested(), resolved("cancel")))) == ["finish cancelled: nothing"]
    finished = queued(resolved("cancel"), RunFinished(outcome="cancelled", usage=Usage()))
    assert (decide(finished), view(finished).phase, view(finished).outcome) == ((), "finished", "cancelled")


def test_an_approved_run_starts_with_the_specification_that_came_of_it() -> None:
    started = EventRecord(seq=3, at=START, session_id=SES, run_id=RUN, event=RunStarted(spec=spec("x y")))
    run = reduce(queued(resolved("approve")), started)
    assert run is not None
    assert [agent.agent_id for agent in view(run).agents] == ["x", "y"]


def test_what_does_not_concern_the_run_leaves_it_as_it_was() -> None:
    story = Story()
    run = story.run
    for event in (TurnStarted(text="hello"), NoticeRaised(level="info", text="hm")):
        record = EventRecord(seq=None, at=START, session_id=SES, event=event)
        assert reduce(run, record) == run
    assert reduce(None, EventRecord(seq=1, at=START, session_id=SES, event=TurnStarted(text="hi"))) is None


def test_a_finished_run_wants_nothing_and_no_fact_changes_it() -> None:
    story = Story("a b").all_answer().all_vote("a").selects().presents("a").finishes()
    before = story.state
    assert story.wanted == ()
    assert story.is_cancelled().state == before


def test_while_a_person_is_waited_for_no_clock_runs() -> None:
    story = Story("a b", initial_round_timeout_seconds=60).starts("a", "b")
    question = InputDecision(
        decision_id=DecisionId("dec_q"), title="?", choices=(), detail=InputDetail(question="Which port?")
    )
    story.fact(DecisionRequested(decision=question), "a")
    check(story, "a#1 first answer [new_answer]", "b#1 first answer [new_answer]", timers=[], decisions=["dec_q"])
    story.is_decided("8080", after=3600)
    check(
        story,
        "a#1 first answer [new_answer]",
        "b#1 first answer [new_answer]",
        timers=["run at 5400", "round_wrap_up a#1 at 3661", "round_wrap_up b#1 at 3662"],
    )


def test_what_begins_while_or_after_a_person_was_waited_for_is_timed_rightly() -> None:
    story = Story("a b c", initial_round_timeout_seconds=60).starts("a")
    detail = InputDetail(question="?", agent_id=AgentId("a"))
    question = InputDecision(decision_id=DecisionId("dec_q"), title="?", choices=(), detail=detail)
    story.fact(DecisionRequested(decision=question), after=9)
    story.fact(AgentStarted(attempt=1, purpose="answer"), "b", after=20)
    story.is_decided("8080", after=80)
    story.fact(AgentStarted(attempt=1, purpose="answer"), "c", after=5)
    check(
        story,
        *(f"{agent}#1 first answer [new_answer]" for agent in "abc"),
        timers=[
            "run at 1900",
            "round_wrap_up a#1 at 161",
            "round_wrap_up b#1 at 170",
            "round_wrap_up c#1 at 175",
        ],
    )


def test_what_an_agent_asked_before_it_stopped_is_taken_back() -> None:
    story = Story("a b").starts("a", "b")
    detail = InputDetail(question="?", agent_id=AgentId("a"))
    question = InputDecision(decision_id=DecisionId("dec_q"), title="?", choices=(), detail=detail)
    story.fact(DecisionRequested(decision=question)).fails("a")
    check(story, "b#1 first answer [new_answer]", "withdraw dec_q")


def test_the_time_between_a_crash_and_the_yes_to_go_on_does_not_count() -> None:
    story = Story("a b").starts("a", "b")
    resume = ResumeDecision(
        decision_id=DecisionId("dec_r"),
        title="Go on?",
        choices=(),
        detail=ResumeDetail(what="run", task="Do it", done=""),
    )
    story.fact(DecisionRequested(decision=resume), after=7200)
    check(story, timers=[])
    story.is_decided("approve", after=60)
    check(
        story,
        "a#1 first answer [new_answer]",
        "b#1 first answer [new_answer]",
        timers=["run at 9060"],
    )


def test_a_run_that_is_not_to_go_on_is_cancelled() -> None:
    story = Story("a b").starts("a", "b").answers("a").ends("b", "superseded")
    resume = ResumeDecision(
        decision_id=DecisionId("dec_r"), title="?", choices=(), detail=ResumeDetail(what="run", task="t", done="")
    )
    story.fact(DecisionRequested(decision=resume)).is_decided("cancel")
    check(story, 'finish cancelled: "a\'s answer 1" of a (best_answer)')


def test_clients_see_where_everybody_stands() -> None:
    story = Story("a b c d e").starts("a", "b", "c", "d", "e").answers("a").answers("b").fails("c", "no credit")
    story.ends("d", "abstained").elapses("first_answer_grace").starts("a").votes("a", "b")
    detail = InputDetail(question="?", agent_id=AgentId("e"))
    question = InputDecision(decision_id=DecisionId("dec_q"), title="?", choices=(), detail=detail)
    story.fact(DecisionRequested(decision=question))
    seen = view(story.state, {AgentId("e"): Spending(Usage(input_tokens=1, calls=1), 0.5)})
    assert [(agent.agent_id, agent.status, agent.voted_for, agent.note) for agent in seen.agents] == [
        ("a", "voted", "b", None),
        ("b", "answered", None, None),
        ("c", "failed", None, "no credit"),
        ("d", "abstained", None, None),
        ("e", "working", None, "waits for you"),
    ]
    assert seen.usage == Usage(input_tokens=51, output_tokens=25, calls=6)


def test_clients_see_an_answer_as_soon_as_it_is_in() -> None:
    story = Story("a b").starts("a", "b").submits("a")
    assert [agent.status for agent in view(story.state).agents] == ["answered", "working"]


def test_clients_see_who_presents_and_who_ran_out_of_time() -> None:
    story = Story("a b").starts("a", "b").answers("a").elapses("round_over", "b").is_stopped("b").starts("a")
    story.votes("a", "a").selects().starts("a")
    seen = view(story.state)
    assert [(agent.status, agent.note) for agent in seen.agents] == [
        ("presenting", None),
        ("stopped", "ran out of time"),
    ]


def test_clients_see_the_beginning_of_long_answers() -> None:
    story = Story("a b").starts("a", "b").answers("a", "word " * 100)
    (preview,) = view(story.state).answers
    assert (len(preview.preview), preview.preview[-5:]) == (280, "word…")


def test_costs_add_up() -> None:
    one, two = spending_of(Usage(calls=1), 0.25), spending_of(Usage(calls=2), 0.5)
    assert one + two == Spending(Usage(calls=3), 0.75)
    assert one + spending_of(Usage(calls=1), None) == Spending(Usage(calls=2), None)
    assert spending_of(Usage(calls=1), None) + one == Spending(Usage(calls=2), None)
    assert one + spending_of(Usage(), None) == one


def test_a_price_that_is_not_known_is_not_shown_as_free() -> None:
    story = Story("a b").starts("a", "b")
    story.fact(AgentStopped(attempt=1, reason="failed", usage=Usage(calls=1), cost_usd=0.25), "a")
    assert view(story.state).cost_usd == 0.25
    story.fact(AgentStopped(attempt=1, reason="failed", usage=Usage(calls=1)), "b")
    assert view(story.state).cost_usd is None
