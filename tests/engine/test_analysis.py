"""What can be learned from a run: each finding with its evidence, and the settings that follow from it."""

from datetime import timedelta
from typing import Any

import pytest

from teamwright.engine.analysis.analysis import analyse
from teamwright.engine.analysis.history import history_of, past_run
from teamwright.engine.analysis.team_stats import team_stats
from teamwright.engine.report.markdown import as_markdown
from teamwright.engine.report.page import as_page
from teamwright.engine.report.sections import run_report
from teamwright.protocol.errors import Conflict
from teamwright.protocol.events import AgentStopped
from teamwright.protocol.usage import Usage
from teamwright.protocol.views import RunAnalysis
from tests.engine.story import Story

LONG = "The parser drops the last line of every file that has no line break at its end, so mend read_lines."


def learned(story: Story) -> RunAnalysis:
    return analyse(past_run(history_of(story.records)))


def told(analysis: RunAnalysis) -> dict[str, tuple[str, ...]]:
    return {finding.title: finding.evidence for finding in analysis.findings}


def settings(analysis: RunAnalysis) -> dict[str, Any] | None:
    return None if analysis.settings is None else analysis.settings.to_wire()


def over(story: Story, winner: str) -> Story:
    return story.selects().presents(winner).finishes()


def different(story: Story, *agents: str) -> Story:
    contents = {"a": "Use a queue between both.", "b": "Lock every access instead.", "c": LONG}
    story.starts(*agents)
    for agent in agents:
        story.answers(agent, contents[agent])
    return story


def test_a_run_that_went_well_has_nothing_to_tell_but_where_it_went() -> None:
    analysis = learned(over(different(Story("a b c"), "a", "b", "c").all_vote("b"), "b"))
    assert told(analysis) == {}
    assert settings(analysis) is None
    assert [(stage.stage, stage.usage.calls) for stage in analysis.stages] == [
        ("answering", 3),
        ("voting", 3),
        ("presenting", 1),
    ]


def test_agents_that_answer_alike_are_one_agent_too_many() -> None:
    story = Story("a b c").starts("a", "b", "c").answers("a", "Lock every access instead.").answers("b", LONG)
    story.answers("c", LONG.replace("mend", "correct"))
    analysis = learned(over(story.all_vote("b"), "b"))
    assert told(analysis) == {"b and c came to nearly the same answer": ("b and c have 89% of their words in common.",)}
    assert [(each.text, each.why) for each in analysis.recommendations] == [("Leave c out", "c said what b said.")]
    assert settings(analysis) == {"agents": ["a", "b"]}


def test_where_all_came_to_the_same_change_one_agent_is_enough() -> None:
    story = Story("a b c", writes=True).starts("a", "b", "c")
    for agent, words in {"a": "One way.", "b": "Another way.", "c": "No way at all."}.items():
        story.answers(agent, words, changes="same")
    story.all_vote("c").selects().presents("c", changes="same").proposes_changes("file:///src/a.py")
    story.settles(**{"file:///src/a.py": "applied"}).finishes()
    analysis = learned(story)
    assert (
        told(analysis)["All agents came to nearly the same answer"][0]
        == "a and b change the same files to the same text."
    )
    assert settings(analysis) == {"agentMode": "single", "agents": ["c"], "refinement": False}


def test_votes_that_changed_sides_and_votes_in_vain_are_told_of() -> None:
    story = different(Story("a b c"), "a", "b", "c").starts("a", "b", "c").votes("a", "b").votes("b", "b")
    story.answers("c", "Throw the parser away and take one that is known to be right.")
    analysis = learned(over(story.all_vote("c"), "c"))
    assert told(analysis) == {
        "2 agents changed sides in the vote": (
            "a voted for b, then for c; at last because: better",
            "b voted for b, then for c; at last because: better",
        ),
        "2 votes of 5 were in vain": ("A newer answer or vote came after what a and b had voted on.",),
    }
    assert settings(analysis) == {"coordinationOverrides": {"deferVotingUntilAllAnswered": True}}


def test_rounds_that_changed_nothing_cost_what_they_cost() -> None:
    story = different(Story("a b c"), "a", "b", "c").starts("c").answers("c", LONG + " Again.")
    analysis = learned(over(story.all_vote("c"), "c"))
    assert told(analysis) == {
        "The rounds after the first changed nothing": (
            "c's second answer has 95% of its words in common with the one before it.",
            "Refining took 15 tokens.",
        )
    }
    assert settings(analysis) == {"coordinationOverrides": {"maxNewAnswersPerAgent": 1}}


def test_who_failed_and_who_was_slow_can_be_left_out() -> None:
    story = Story("a b c d").starts("a", "b", "c", "d").answers("a", "Use a queue.").answers("b", "Lock it instead.")
    story.fails("c", "The key is not valid.")
    story.fact(AgentStopped(attempt=1, reason="timeout", usage=Usage()), "d", after=90)
    analysis = learned(over(story.all_vote("a", "a", "b"), "a"))
    assert told(analysis) == {
        "c failed": ("It was told: The key is not valid.", "It gave no answer."),
        "d ran out of time": ("It gave no answer.",),
        "d took much longer than the others": ("It was at work for 1 min 35 s; the others usually for 8 s.",),
    }
    assert settings(analysis) == {"agents": ["a", "b"]}


def test_the_picture_has_a_lane_for_each_agent_with_what_came_when() -> None:
    story = over(different(Story("a b"), "a", "b").all_vote("a"), "a")
    picture = learned(story).timeline
    lane = picture.lanes[0]
    assert [each.label for each in picture.lanes] == ["a", "b"]
    assert [(span.label, span.tone) for span in lane.spans] == [
        ("answering", "busy"),
        ("voting", "idle"),
        ("presenting", "ok"),
    ]
    assert [(mark.sign, mark.label) for mark in lane.marks] == [
        ("A", "a's first answer"),
        ("V", "a votes for a"),
        ("W", "a is chosen"),
    ]
    assert picture.seconds == (story.records[-1].at - story.records[0].at) / timedelta(seconds=1)
    assert all(0 <= span.start <= span.end <= picture.seconds for each in picture.lanes for span in each.spans)


def test_a_run_under_way_is_not_judged() -> None:
    with pytest.raises(Conflict, match="still at work"):
        learned(different(Story("a b"), "a", "b"))


def test_a_report_holds_everything_and_runs_nothing_of_what_models_wrote() -> None:
    hostile = '<script src="https://evil.example/x.js"></script><img src=x onerror="alert(1)">'
    story = Story("a b").starts("a", "b").answers("a", hostile).answers("b", "Lock it.").all_vote("a").selects()
    past = past_run(history_of(story.presents("a", f"Final {hostile}").finishes().records))
    report = run_report(past, lambda uri: uri, f"An opinion {hostile}")
    page = as_page(report)
    assert [section.title for section in report.sections] == [
        "Summary",
        "Result",
        "What can be learned from it",
        "Answers",
        "Votes",
    ]
    assert page.count("&lt;script src=&quot;https://evil.example/x.js&quot;&gt;") == 3
    able = ("<script", "<img", "href=", 'src="', "javascript:", "style=", "<iframe", "<link", "@import", "url(")
    for forbidden in able:
        assert forbidden not in page, forbidden
    assert "default-src 'none'; style-src 'sha256-" in page
    markdown = as_markdown(report)
    assert "\n> Final <script" in markdown
    assert not any(line.startswith("<script") for line in markdown.splitlines())


def test_across_runs_it_is_known_who_wins_agrees_and_costs() -> None:
    runs = [
        over(different(Story("a b c"), "a", "b", "c").all_vote("b"), "b"),
        over(different(Story("a b c"), "a", "b", "c").all_vote("b", "a", "b").all_vote("c", "c"), "b"),
        over(different(Story("a b"), "a", "b").all_vote("a"), "a"),
    ]
    stats = team_stats(past_run(history_of(story.records)) for story in runs)
    assert [(each.agent_id, each.runs, each.won, each.votes_for_winner, each.votes) for each in stats] == [
        ("b", 3, 2, 3, 3),
        ("a", 3, 1, 3, 3),
        ("c", 2, 0, 1, 2),
    ]
    assert stats[0].usage.calls == 8
