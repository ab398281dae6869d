"""A session's context: records in, requests out, with everything that stands around the conversation."""

from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from teamwright.config.load import load_text
from teamwright.config.settings import Settings
from teamwright.engine.run.reduce import fold
from teamwright.models.factory import Models
from teamwright.models.port import (
    Model,
    ModelReply,
    ModelRequest,
    ModelToolCall,
    Replay,
    ToolResultMessage,
    ToolSpec,
    UserPrompt,
)
from teamwright.prompts.assistant.facts import Spent
from teamwright.protocol.modes import Modes
from teamwright.protocol.usage import Budget, Usage
from teamwright.runtime.context.context import Context, Now
from teamwright.runtime.context.request import Outlook
from teamwright.runtime.context.summarising import compact
from tests.context.place import Place
from tests.context.telling import Told
from tests.models.asking import KEY, KEY_VARIABLE, answer_of, backend
from tests.support.marks import unmarked
from tests.support.model_server import ModelServer, text
from tests.support.model_server import Usage as Used

CONFIG = """
agents:
  - id: sage
    backend: {type: claude, model: claude-sonnet-5-5}
    system_message: Thinks of security.
  - id: rival
    backend: {type: codex}
  - id: ruler
    backend: {type: offline}
mcp_servers:
  docs: {command: docs-server}
orchestrator:
  context_paths: [{path: src, permission: write}]
  interactive_mode: {require_approval: {above_usd: 0.5}, append_system_prompt: Be kind.}
"""
TOOL = ToolSpec("read_file", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
NOW = Now(date(2026, 11, 16), Modes(), Spent(Usage(input_tokens=90, output_tokens=10, calls=2), 0.5), Budget(usd=2.0))


@pytest_asyncio.fixture
async def open_model(models: ModelServer) -> AsyncGenerator[Callable[..., Model]]:
    async with Models({KEY_VARIABLE: KEY}) as services:

        def opened(window: int = 200_000, name: str = "alpha", **settings: Any) -> Model:
            return services.open(backend(models, model=name, context_window=window, **settings))

        yield opened


OpenModel = Callable[..., Model]


def settings_of(config: str = CONFIG) -> Settings:
    settings = load_text(config, "teamwright.yaml").settings
    assert settings is not None
    return settings


class Desk:
    """A context, and the log that it follows."""

    def __init__(self, place: Place, *, trusted: bool = True) -> None:
        self.told = Told()
        self.trusted = trusted
        self.context = Context(settings_of, place.live, trusted=lambda: self.trusted, own_directory=place.own)
        self._folded = 0

    def follow(self) -> Context:
        for record in self.told.records[self._folded :]:
            self.context.fold(record)
        self._folded = len(self.told.records)
        return self.context

    async def outlook(self, model: Model, tools: Sequence[ToolSpec] = ()) -> Outlook:
        return await self.follow().outlook(model, tuple(tools))

    async def request(self, model: Model, now: Now | None = None) -> ModelRequest:
        outlook = await self.outlook(model, [TOOL])
        return self.context.request(outlook, now)


@pytest.fixture
def desk(place: Place) -> Desk:
    return Desk(place)


@pytest.mark.asyncio
async def test_the_prompt_tells_of_the_team_the_policy_and_the_given_files(
    desk: Desk, place: Place, open_model: OpenModel
) -> None:
    place.put(place.app, "AGENTS.md", "Run the tests.")
    desk.told.created(project="migration")
    desk.told.asks("Hello")
    request = await desk.request(open_model())
    for told in (
        "- `sage` (claude-sonnet-5-5 at Anthropic): Thinks of security. Has the tools of docs.",
        "- `rival` (the program Codex CLI) Has the tools of docs.",
        "- `ruler` (rule-based analyser, no language model",
        "A run that names no `context_paths` gets `src` (write).",
        "more than $0.5",
        "The current project is migration.",
        '<project_instructions source="AGENTS.md">\nRun the tests.',
        "# From the user's configuration\nBe kind.",
    ):
        assert told in unmarked(request.system)
    assert request.tools == (TOOL,)


@pytest.mark.asyncio
async def test_the_prompt_stays_as_it_is_within_a_turn_and_while_nothing_changes(
    desk: Desk, place: Place, open_model: OpenModel, models: ModelServer
) -> None:
    models.model("alpha").replies(text("Hi."))
    model = open_model()
    place.put(place.own, "MEMORY.md", "Prefers tabs.")
    desk.told.asks("Hello")
    first = await desk.request(model, NOW)
    await answer_of(model, first)
    place.put(place.own, "MEMORY.md", "Prefers spaces.")
    desk.told.says("Hi.")
    assert (await desk.request(model)).system == first.system, "not in mid-turn"
    desk.told.asks("And?")
    changed = (await desk.request(model)).system
    assert unmarked(changed) == unmarked(first.system).replace("Prefers tabs.", "Prefers spaces.")
    desk.told.asks("Still?")
    assert (await desk.request(model)).system == changed


@pytest.mark.asyncio
async def test_trust_counts_from_the_next_turn_on(desk: Desk, place: Place, open_model: OpenModel) -> None:
    place.put(place.app, "AGENTS.md", "Run the tests.")
    desk.trusted = False
    desk.told.asks("Hello")
    assert "Run the tests." not in (await desk.request(open_model())).system
    desk.trusted = True
    desk.told.asks("Hello again")
    assert "Run the tests." in (await desk.request(open_model())).system


@pytest.mark.asyncio
async def test_what_changes_by_the_minute_is_said_last(desk: Desk, place: Place, open_model: OpenModel) -> None:
    desk.told.runs("run_1", "Fix it")
    desk.told.proposes("run_1", [place.uri("src/a.py"), "untitled:x"])
    desk.told.run_ends("run_1", "Fixed.", outcome="timed_out")
    desk.told.runs("run_2", "Review it")
    desk.told.asks("How much so far?")
    request = await desk.request(open_model(), NOW)
    assert request.messages[-1] == UserPrompt(
        "[As of now, said by Teamwright.\n"
        "- Today is 2026-11-16.\n"
        "- Spent in this session: $0.50, 100 tokens in 2 calls. Left of the budget: $1.50.\n"
        "- Run run_2 is under way: Review it\n"
        "- Changes of run run_1 wait for the user's decision: src/a.py, untitled:x.]"
    )
    assert "2026" not in request.system


@pytest.mark.asyncio
async def test_attachments_are_shown_as_they_were_when_they_were_sent(
    desk: Desk, place: Place, open_model: OpenModel
) -> None:
    place.edit("a.py", "x = 1")
    desk.told.asks("What is x?", place.attachment("a.py"))
    first = (await desk.request(open_model())).messages[0]
    assert isinstance(first, UserPrompt)
    shown = '<attachment path="a.py" language="py">\nx = 1\n</attachment>'
    assert unmarked(first.text) == f"What is x?\n\n{shown}"
    place.edit("a.py", "x = 2")
    desk.told.says("One.")
    desk.told.asks("And now?", place.attachment("a.py"))
    sent = (await desk.request(open_model())).messages
    assert sent[0] == first
    assert "x = 2" in sent[2].text


@pytest.mark.asyncio
async def test_a_session_read_from_its_log_shows_attachments_as_they_are_now(
    place: Place, open_model: OpenModel
) -> None:
    place.put(place.app, "a.py", "x = 3")
    desk = Desk(place)
    desk.told.asks("What is x?", place.attachment("a.py"))
    desk.told.says("One.")
    desk.told.asks("And?")
    assert "x = 3" in (await desk.request(open_model())).messages[0].text


REPLAY = Replay("origin", ({"role": "assistant"},))


@pytest.mark.asyncio
async def test_what_the_provider_wants_back_is_sent_with_the_next_call(desk: Desk, open_model: OpenModel) -> None:
    desk.told.asks("Read.")
    context = desk.follow()
    context.recall([ModelToolCall("call_1", "read_file", {})], REPLAY)
    desk.told.calls("read_file", "x")
    assert (await desk.request(open_model())).messages[1:] == (
        ModelReply("", (ModelToolCall("call_1", "read_file", {}),), REPLAY),
        ToolResultMessage("call_1", "x"),
    )
    context.recall([ModelToolCall("call_2", "read_file", {})], None)
    item = desk.told.calls("read_file", "y")
    assert (await desk.request(open_model())).messages[-1] == ToolResultMessage(item, "y")


@pytest.mark.asyncio
async def test_a_request_fits_the_window_of_its_model(desk: Desk, open_model: OpenModel) -> None:
    for number in range(50):
        desk.told.asks(f"Question {number}?")
        desk.told.calls("read_file", "x" * 5_000)
        desk.told.says("y" * 1_000)
    for window in (4_000, 8_000, 32_000, 200_000):
        model = open_model(window, name=f"model{window}")
        request = await desk.request(model, NOW)
        reserve = min(16_000, window // 4)
        assert model.estimated_tokens(request) <= max(window - reserve, 4_500)


@pytest.mark.asyncio
async def test_what_did_not_fit_after_all_is_made_less(desk: Desk, open_model: OpenModel) -> None:
    for number in range(50):
        desk.told.asks(f"Question {number}?")
        desk.told.calls("read_file", "x" * 5_000)
    model = open_model(100_000)
    before = model.estimated_tokens(await desk.request(model))
    desk.context.overflowed()
    after = model.estimated_tokens(await desk.request(model))
    assert after < before * 0.6


@pytest.mark.asyncio
async def test_a_slightly_other_estimate_changes_nothing_that_was_decided(
    desk: Desk, open_model: OpenModel, models: ModelServer
) -> None:
    models.model("alpha").replies(text("Hi.").costing(Used(input=29, output=1)))
    model = open_model()
    desk.told.asks("Hello")
    before = await desk.outlook(model)
    await answer_of(model, ModelRequest((UserPrompt("x" * 100),)))
    assert model.estimated_tokens(ModelRequest((UserPrompt("x" * 9_984),))) != 2_857, "the estimate has learned"
    assert (await desk.outlook(model)).room == before.room


@pytest.mark.asyncio
async def test_a_long_session_is_compacted_once_a_turn_and_goes_on(
    desk: Desk, open_model: OpenModel, models: ModelServer
) -> None:
    models.model("alpha").replies(text("They talked at length."))
    model = open_model(16_000)
    for number in range(12):
        desk.told.turn(f"Question {number}?", "y" * 2_500)
    desk.told.asks("And now?")
    outlook = await desk.outlook(model)
    due = desk.context.compaction_due(outlook)
    assert due is not None
    compaction = await compact(model, due, lambda _: None)
    desk.told.fact(compaction.event)
    outlook = await desk.outlook(model)
    assert desk.context.compaction_due(outlook) is None
    sent = [message.text for message in desk.context.request(outlook).messages]
    assert "They talked at length." in sent[0]
    assert sent[-1] == "And now?"
    assert len(sent) > 3, "the latest turns are still there word for word"
    assert desk.context.compaction(outlook) is not None, "on request"


def test_agents_are_told_the_latest_exchanges_and_results(desk: Desk) -> None:
    desk.told.runs("run_1", "Fix it")
    desk.told.run_ends("run_1", "Fixed.")
    desk.told.run_ends("run_2", None, outcome="cancelled")
    desk.told.asks("Does it work?")
    desk.told.calls("read_file")
    desk.told.says("It does.")
    assert unmarked(desk.follow().history()) == (
        "<run_result>\nTask: Fix it\nFixed.\n</run_result>\n"
        "<user>\nDoes it work?\n</user>\n"
        "<assistant>\nIt does.\n</assistant>"
    )


def test_a_run_is_reported_from_its_state_and_its_end(desk: Desk, place: Place) -> None:
    desk.told.runs("run_1", "Fix it")
    desk.told.proposes("run_1", [place.uri("src/a.py")])
    under_way = fold(desk.told.records)
    assert under_way is not None
    assert desk.follow().report(under_way).startswith("Run run_1: under way (")
    desk.told.settles("run_1", [place.uri("src/a.py")])
    desk.told.run_ends("run_1", "Fixed.")
    ended = fold(desk.told.records)
    assert ended is not None
    assert unmarked(desk.follow().report(ended)) == (
        "Run run_1: completed.\nTask: Fix it\nCost: not known; 0 tokens in 1 calls.\n\n"
        '# Result\n<result by="a" how="winner_reuse">\nFixed.\n</result>\n\n'
        "# Changes\n- src/a.py: applied"
    )


def test_the_users_own_folder_is_that_of_their_configuration(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TEAMWRIGHT_CONFIG", str(tmp_path / "mine" / "config.yaml"))
    context = Context(settings_of, place.live, trusted=lambda: True)
    assert context.own_directory == tmp_path / "mine"
