"""First answers, evaluation and the vote."""

from teamwright.engine.run.deliberation import news, offered_tools
from teamwright.protocol.events import AgentInformed, AgentStarted, Seen, VoteCast
from teamwright.protocol.ids import AgentId
from tests.engine.story import Story, check

A, B, C = AgentId("a"), AgentId("b"), AgentId("c")


def test_every_agent_starts_at_once_and_cannot_vote_yet() -> None:
    check(
        Story(),
        "a#1 first answer [new_answer]",
        "b#1 first answer [new_answer]",
        "c#1 first answer [new_answer]",
        phase="answering",
    )


def test_a_faster_peer_changes_nothing_for_an_agent_at_its_first_answer() -> None:
    story = Story().starts("a", "b", "c")
    before = story.work_of("c")
    story.answers("a").answers("b")
    assert story.work_of("c") == before
    check(story, "c#1 first answer [new_answer]", phase="answering")


def test_an_agent_stops_once_its_answer_is_in() -> None:
    check(
        Story().starts("a", "b", "c").submits("a"),
        "stop a#1: answered",
        "b#1 first answer [new_answer]",
        "c#1 first answer [new_answer]",
    )


def test_everybody_evaluates_as_soon_as_everybody_has_answered() -> None:
    check(
        Story().all_answer(),
        "a#2 evaluation [new_answer vote, shown 3+0]",
        "b#2 evaluation [new_answer vote, shown 3+0]",
        "c#2 evaluation [new_answer vote, shown 3+0]",
        phase="voting",
    )


def test_who_waits_too_long_for_a_slow_peer_evaluates_without_it() -> None:
    story = Story().starts("a", "b", "c").answers("a").answers("b")
    check(story, "c#1 first answer [new_answer]", timers=["run at 1800", "first_answer_grace at 126"])
    check(
        story.elapses("first_answer_grace"),
        "a#2 evaluation [new_answer vote, shown 2+0]",
        "b#2 evaluation [new_answer vote, shown 2+0]",
        "c#1 first answer [new_answer]",
        timers=["run at 1800"],
    )


def test_the_wait_for_slow_peers_begins_anew_with_each_first_answer() -> None:
    story = Story("a b c d").starts("a", "b", "c", "d").answers("a").answers("b").answers("c")
    check(story, "d#1 first answer [new_answer]", timers=["run at 1800", "first_answer_grace at 129"])


def test_one_answer_is_not_enough_to_evaluate() -> None:
    story = Story().starts("a", "b", "c").answers("a")
    check(story, "b#1 first answer [new_answer]", "c#1 first answer [new_answer]", timers=["run at 1800"])


def test_voting_can_be_put_off_until_everybody_has_answered() -> None:
    story = Story(defer_voting_until_all_answered=True).starts("a", "b", "c").answers("a").answers("b")
    check(story, "c#1 first answer [new_answer]", timers=["run at 1800"])


def test_the_last_one_alive_evaluates_alone() -> None:
    story = Story().starts("a", "b", "c").answers("a").fails("b").fails("c")
    check(story, "a#2 evaluation [new_answer vote, shown 1+0]")
    check(story.starts("a").votes("a", "a"), "select a by only: a=1")


def test_the_winner_has_the_most_votes() -> None:
    story = Story().all_answer().starts("a", "b", "c").votes("a", "b").votes("b", "c").votes("c", "b")
    check(story, "select b by votes: b=2 c=1", tally={"b": 2, "c": 1})


def test_among_equals_the_first_of_the_team_wins() -> None:
    story = Story().all_answer().starts("a", "b", "c").votes("a", "c").votes("b", "b").votes("c", "a")
    check(story, "select a by votes: a=1 b=1 c=1")


def test_without_any_vote_the_newest_answer_wins() -> None:
    story = Story().starts("a", "b", "c").answers("b").answers("c").answers("a").starts("a", "b", "c")
    check(story.ends("a", "abstained").ends("b", "abstained").ends("c", "abstained"), "select a by votes: no votes")


def test_an_agent_may_vote_for_itself() -> None:
    check(Story("a b").all_answer().starts("a", "b").votes("a", "a").votes("b", "a"), "select a by votes: a=2")


def test_a_new_answer_voids_the_votes_that_were_cast_without_it() -> None:
    story = Story().all_answer().starts("a", "b", "c").votes("a", "b").votes("b", "b").answers("c", "better")
    check(
        story,
        "a#3 evaluation [new_answer vote, shown 4+0]",
        "b#3 evaluation [new_answer vote, shown 4+0]",
        "c#3 evaluation [new_answer vote, shown 4+0]",
        tally={},
        votes=[
            {"agentId": "a", "target": "b", "reason": "better", "counts": False},
            {"agentId": "b", "target": "b", "reason": "better", "counts": False},
        ],
    )


def test_an_agent_that_is_asked_again_is_told_only_what_is_new() -> None:
    story = Story().all_answer().starts("a", "b", "c").votes("a", "b").answers("c", "better")
    show, seen = story.work_of("a").show, story.state.agents[A].seen
    assert [answer.label for answer in news(story.state, A, show, seen).answers] == ["agent3.2"]


def test_an_agent_in_the_middle_of_its_evaluation_is_to_be_shown_a_new_answer() -> None:
    story = Story().all_answer().starts("a", "b", "c").answers("c", "better")
    check(
        story,
        "a#2 evaluation [new_answer vote, shown 4+0]",
        "b#2 evaluation [new_answer vote, shown 4+0]",
        "c#3 evaluation [new_answer vote, shown 4+0]",
    )


def test_a_vote_cast_with_the_new_answer_in_sight_stands() -> None:
    story = Story().all_answer().starts("a", "b", "c").answers("c", "better").is_shown_the_news("a").votes("a", "c")
    check(
        story,
        "b#2 evaluation [new_answer vote, shown 4+0]",
        "c#3 evaluation [new_answer vote, shown 4+0]",
        tally={"c": 1},
    )


def test_a_vote_cast_just_before_the_news_arrived_is_void_and_asked_for_again() -> None:
    story = Story("a b").all_answer().starts("a", "b").answers("b", "better").votes("a", "b")
    check(
        story,
        "a#3 evaluation [new_answer vote, shown 3+0]",
        "b#3 evaluation [new_answer vote, shown 3+0]",
        tally={},
    )


def test_without_injection_an_agent_is_left_alone_until_it_has_voted() -> None:
    story = Story("a b", disable_injection=True).all_answer().starts("a", "b").answers("b", "better")
    check(
        story,
        "a#2 evaluation [new_answer vote, shown 2+0]",
        "b#3 evaluation [new_answer vote, shown 3+0]",
    )
    check(
        story.votes("a", "a"),
        "a#3 evaluation [new_answer vote, shown 3+0]",
        "b#3 evaluation [new_answer vote, shown 3+0]",
    )


def test_a_late_first_answer_is_voted_on_like_the_others() -> None:
    story = Story().starts("a", "b", "c").answers("a").answers("b").elapses("first_answer_grace")
    story.starts("a", "b").votes("a", "a").votes("b", "a")
    check(story, "c#1 first answer [new_answer]", tally={"a": 2})
    check(
        story.answers("c"),
        "a#3 evaluation [new_answer vote, shown 3+0]",
        "b#3 evaluation [new_answer vote, shown 3+0]",
        "c#2 evaluation [new_answer vote, shown 3+0]",
        tally={},
    )


def test_without_a_vote_the_newest_answer_is_presented_once_everybody_has_answered() -> None:
    check(Story(skip_voting=True).all_answer(), "select c by votes: no votes", phase="answering")


def test_which_tools_an_agent_is_offered_follows_from_the_state() -> None:
    story = Story().starts("a", "b", "c").answers("a").answers("b")
    assert (offered_tools(story.state, A), offered_tools(story.state, C)) == ((), ("new_answer",))
    story.elapses("first_answer_grace")
    assert (offered_tools(story.state, A), offered_tools(story.state, C)) == (("new_answer", "vote"), ("new_answer",))


def test_after_the_vote_no_workflow_tool_is_offered() -> None:
    assert offered_tools(Story("a b").all_answer().all_vote("a").selects().state, A) == ()


def test_at_the_global_cap_an_agent_without_an_answer_is_shown_the_others_even_without_injection() -> None:
    story = Story(disable_injection=True, max_new_answers_global=2).starts("a", "b", "c").answers("a").answers("b")
    check(
        story,
        "a#2 evaluation [vote, shown 2+0]",
        "b#2 evaluation [vote, shown 2+0]",
        "c#1 evaluation [vote, shown 2+0]",
    )


def test_a_vote_of_an_agent_that_was_shown_nothing_is_void() -> None:
    story = Story("a b").all_answer().fact(AgentStarted(attempt=2, purpose="answer"), "a").votes("a", "a")
    check(
        story,
        "a#3 evaluation [new_answer vote, shown 2+0]",
        "b#2 evaluation [new_answer vote, shown 2+0]",
    )


def test_nobody_has_seen_what_is_not_there_yet() -> None:
    story = Story("a b").all_answer().starts("a", "b")
    story.fact(AgentInformed(attempt=2, seen=Seen(answers=99, messages=99)), "a")
    story.votes("a", "a").answers("b", "better")
    check(
        story,
        "a#3 evaluation [new_answer vote, shown 3+0]",
        "b#3 evaluation [new_answer vote, shown 3+0]",
        tally={},
    )


def test_of_two_votes_of_one_agent_the_last_one_counts() -> None:
    story = Story("a b").all_answer().starts("a", "b")
    story.fact(VoteCast(target=A, reason="at first"), "a").fact(VoteCast(target=B, reason="rather"), "a").is_stopped(
        "a"
    )
    check(
        story,
        "b#2 evaluation [new_answer vote, shown 2+0]",
        tally={"b": 1},
        votes=[
            {"agentId": "a", "target": "a", "reason": "at first", "counts": False},
            {"agentId": "a", "target": "b", "reason": "rather", "counts": True},
        ],
    )


def test_a_vote_for_nobody_or_for_no_answer_never_counts() -> None:
    story = Story().starts("a", "b", "c").answers("a").answers("b").elapses("first_answer_grace").starts("a", "b")
    story.fact(VoteCast(target=C, reason="?"), "a").fact(VoteCast(target=AgentId("x"), reason="?"), "b")
    check(
        story.is_stopped("a", "b"),
        "a#3 evaluation [new_answer vote, shown 2+0]",
        "b#3 evaluation [new_answer vote, shown 2+0]",
        "c#1 first answer [new_answer]",
        tally={},
    )


def test_news_for_an_attempt_that_is_over_was_seen_by_nobody() -> None:
    story = Story("a b").all_answer().all_vote("a", "a").starts("b").answers("b", "better")
    story.fact(AgentInformed(attempt=2, seen=Seen(answers=3)), "a")
    assert story.state.agents[A].seen == Seen(answers=2)
    story.starts("a", "b").answers("b", "best").fact(AgentInformed(attempt=2, seen=Seen(answers=4)), "a")
    assert story.state.agents[A].seen == Seen(answers=3)
