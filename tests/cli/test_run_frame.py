"""One picture of a run, for terminals and teams of every size."""

from datetime import UTC, datetime

import pytest
from inline_snapshot import snapshot
from rich.cells import cell_len

from quorate.cli.terminal.frame import Room, frame
from quorate.cli.terminal.story import Story
from quorate.protocol.ids import AgentId, RunId
from quorate.protocol.usage import Usage
from quorate.protocol.views import AgentView, RunView


def test_a_wide_terminal_has_room_for_everything() -> None:
    assert picture(voting_team(), width=80) == snapshot(
        [
            "Voting, 1 min 1 s, 3,702 tokens",
            "alpha  working  2 answers  for beta  $0.0123",
            "beta   working  1 answer             $0.5000       read_file src/main.py",
            "gamma  working                       1,234 tokens  waits for you",
            "Votes: beta 1",
        ]
    )


def test_a_narrow_terminal_keeps_what_matters_most() -> None:
    assert picture(voting_team(), width=40) == snapshot(
        [
            "Voting, 1 min 1 s, 3,702 tokens",
            "alpha  working  for beta  $0.0123",
            "beta   working            $0.5000",
            "gamma  working            1,234 tokens",
            "Votes: beta 1",
        ]
    )
    assert picture(voting_team(), width=20) == snapshot(
        ["Voting, 1 min 1 s", "alpha  working", "beta   working", "gamma  working", "Votes: beta 1"]
    )


def test_a_team_that_is_taller_than_the_terminal_is_counted() -> None:
    crowd = tuple(agent(f"agent-{number}") for number in range(1, 51))
    assert picture(Story({RUN: view(crowd)}, RUN), width=40, height=6) == snapshot(
        [
            "Voting, 1 min 1 s, 3,702 tokens",
            "agent-1  working  1,234 tokens",
            "agent-2  working  1,234 tokens",
            "agent-3  working  1,234 tokens",
            "and 47 more",
        ]
    )


def test_the_end_of_a_presentation_is_seen_as_far_as_there_is_room() -> None:
    story = Story({RUN: view((agent("alpha"),))}, RUN, presented="first\nsecond\n" + "x" * 25 + "\nlast")
    assert picture(story, width=20, height=7) == snapshot(
        ["Voting, 1 min 1 s", "alpha  working", "second", "xxxxxxxxxxxxxxxxxxxx", "xxxxx", "last"]
    )


@pytest.mark.parametrize("width", range(20, 120, 7))
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    wide = agent("日本語の名前をもつエージェント", note="とても長い説明 " * 9)
    story = Story({RUN: view((wide, agent("beta")))}, RUN, presented="日本語 👩‍👩‍👧 " * 30)
    room = Room(width, 12, str)
    assert max(cell_len(line.plain) for line in frame(story, room, 61)) <= width


RUN = RunId("run_1")


def picture(story: Story, *, width: int, height: int = 24) -> list[str]:
    return [line.plain for line in frame(story, Room(width, height, str), 61)]


def voting_team() -> Story:
    agents = (
        agent("alpha", answers=2, voted_for=AgentId("beta"), cost_usd=0.0123),
        agent("beta", answers=1, cost_usd=0.5),
        agent("gamma", note="waits for you", cost_usd=None),
    )
    return Story({RUN: view(agents, tally={AgentId("beta"): 1})}, RUN, doing={AgentId("beta"): "read_file src/main.py"})


def agent(name: str, **more: object) -> AgentView:
    used = Usage(input_tokens=1200, output_tokens=34, calls=1)
    given = {"agent_id": name, "status": "working", "attempt": 1, "answers": 0, "usage": used, **more}
    return AgentView.model_validate(given)


def view(agents: tuple[AgentView, ...], tally: dict[AgentId, int] | None = None) -> RunView:
    return RunView(
        run_id=RUN,
        task="Say it.",
        phase="voting",
        agents=agents,
        tally=tally or {},
        usage=Usage(input_tokens=3600, output_tokens=102, calls=3),
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
