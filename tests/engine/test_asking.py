"""Questions of agents to each other: bounded, and nobody has to vote again because of them."""

from teamwright.engine.run.asking import may_ask, peers_called, refusal_of_question
from teamwright.protocol.events import MessageShared
from teamwright.protocol.ids import AgentId
from tests.engine.story import Story

ADA, BOB = AgentId("a"), AgentId("b")


def question(story: Story, part: str = "question") -> Story:
    said = {"from": ADA, "to": (BOB,), "text": "Which?", "part": part}
    return story.fact(MessageShared.model_validate(said), ADA)


def test_an_agent_asks_twice_at_most() -> None:
    story = Story("a b c")
    assert refusal_of_question(story.state, ADA) is None
    story = question(question(story, "answer"))
    assert refusal_of_question(story.state, ADA) is None
    story = question(story)
    assert "2 questions" in (refusal_of_question(story.state, ADA) or "")
    assert refusal_of_question(story.state, BOB) is None


def test_a_question_voids_no_vote_and_addresses_nobody_anew() -> None:
    before = Story("a b c").all_answer().all_vote("b")
    wanted = before.wanted
    assert question(before).wanted == wanted


def test_those_are_asked_who_are_there() -> None:
    story = Story("a b c")
    assert peers_called(story.state, ADA, None) == (BOB, "c")
    assert peers_called(story.state, ADA, ["agent1", "agent3", "nobody"]) == ("c",)
    assert may_ask(story.state)
