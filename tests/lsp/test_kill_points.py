"""kill -9 of the real server at any point of a chat, an approval, a run, an apply and a compaction.

Nothing acknowledged is lost, nothing happens twice, and the session opens again. A seed says where the server is
killed: the same seed tells the same story.
"""

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.lsp.story import MESSAGES, SUMMARY, WRITTEN, Story
from tests.runtime.audit import audit
from tests.support.doors import Serve
from tests.support.lsp_client import Json
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.asyncio

# About as many durable events as the story has when nothing goes wrong.
LENGTH = 70
KILLS = 5


@pytest.mark.proves("A6", "A7", "D6")
async def test_the_story_without_a_kill(serve: Serve, models: ModelServer, workspace: Path) -> None:
    story = Story(serve, models, workspace)
    log = await story.told([])
    assert LENGTH - 10 <= len(log) <= LENGTH + 10, "the points where the server is killed span the whole story"
    check(story, log)


@pytest.mark.proves("A6", "A7", "D1", "D6", "C8")
@pytest.mark.parametrize("seed", range(3))
async def test_a_killed_server_loses_nothing_and_repeats_nothing(
    seed: int, serve_forked: Serve, models: ModelServer, workspace: Path
) -> None:
    await survives(seed, Story(serve_forked, models, workspace))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 103))
async def test_a_server_killed_anywhere_loses_nothing_and_repeats_nothing(
    seed: int, serve_forked: Serve, models: ModelServer, workspace: Path
) -> None:
    await survives(seed, Story(serve_forked, models, workspace))


async def survives(seed: int, story: Story) -> None:
    points = random.Random(seed).sample(range(1, LENGTH - 10), KILLS)
    log = await story.told(points)
    assert story.kills == KILLS
    check(story, log)


def check(story: Story, log: list[Json]) -> None:
    events = [record["event"] for record in log]
    assert [record["seq"] for record in log] == list(range(1, len(log) + 1))
    assert story.seen.items() <= {record["seq"]: record for record in log}.items(), "what a client saw is on disk"
    said = [event["item"]["text"] for event in events if event["type"] == "item.finished" and _is_message(event)]
    assert said == list(MESSAGES), "each message is there once, in its order"
    decided = Counter(event["decisionId"] for event in events if event["type"] == "decision.resolved")
    assert set(decided.values()) == {1}
    answered = [each for each in story.acknowledged if each not in MESSAGES]
    assert Counter(answered) == Counter(set(answered)), "no answer was taken twice"
    assert set(answered) <= decided.keys()
    for kind, times in {"run.started": 1, "run.finished": 1, "session.compacted": 1, "turn.finished": 3}.items():
        assert sum(event["type"] == kind for event in events) == times, kind
    ended = next(event for event in events if event["type"] == "run.finished")
    assert (ended["outcome"], ended["result"]["text"], ended["written"]) == ("completed", WRITTEN, ["notes.txt"])
    assert {event["outcome"] for event in events if event["type"] == "turn.finished"} == {"completed"}
    assert next(event for event in events if event["type"] == "session.compacted")["summary"] == SUMMARY
    assert story.notes.read_text(encoding="utf-8") == "two\n"
    audit(log)


def _is_message(event: Json) -> bool:
    return event["item"]["kind"] == "user_message"
