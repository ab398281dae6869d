"""The fenced form: rendered for a model without tools, and read back strictly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from teamwright.models.fenced import without_tools
from teamwright.models.fenced_reader import FencedPart, FencedReader
from teamwright.models.port import (
    FinishReason,
    ModelReply,
    ModelRequest,
    ModelToolCall,
    NamedTool,
    TextDelta,
    ToolCallCompleted,
    ToolCallInvalid,
    ToolCallStarted,
    ToolResultMessage,
    ToolSpec,
    UserPrompt,
)
from teamwright.prompts.assistant.quoting import quoted
from tests.models.asking import VOTE, asking

GO = ToolSpec("go", "Go on.", {"type": "object"})
CALL = '```json\n{"tool": "vote", "arguments": {"agent_id": "agent1"}}\n```'


def read(text: str, *, pieces: int = 1, reason: FinishReason = "stop") -> list[FencedPart]:
    reader = FencedReader(asking("Vote", VOTE))
    parts: list[FencedPart] = []
    for start in range(0, len(text), pieces):
        parts += reader.feed(text[start : start + pieces])
    return [*parts, *reader.end(reason)]


def said(parts: list[FencedPart]) -> str:
    return "".join(part.text for part in parts if isinstance(part, TextDelta))


def outcome(parts: list[FencedPart]) -> ToolCallCompleted | ToolCallInvalid | None:
    return next((part for part in parts if isinstance(part, ToolCallCompleted | ToolCallInvalid)), None)


def test_the_instruction_shows_the_form_and_the_tools() -> None:
    request = without_tools(asking("Vote", GO, system="Be brief."))
    assert request.tools == ()
    assert request.system == snapshot("""\
Be brief.

# Tools

You can call a tool. To do so, end your answer with a fenced block of exactly this form and write nothing after it:

```json
{"tool": "<name>", "arguments": {…}}
```

At most one call an answer; its result comes with the next message. An answer without such a block calls nothing.

The tools:
- `go`: Go on.
  Arguments: {"type": "object"}\
""")


def test_a_duty_to_call_is_said_and_a_ban_shows_no_tool() -> None:
    duty = without_tools(asking("Vote", GO, tool_choice="required")).system
    named = without_tools(asking("Vote", GO, tool_choice=NamedTool("go"))).system

    assert "Every answer must end with such a call." in duty
    assert "This answer must end with a call of `go`." in named
    assert without_tools(asking("Vote", GO, tool_choice="none", system="Be brief.")).system == "Be brief."


def test_calls_and_results_of_the_past_become_text_in_turns() -> None:
    conversation = (
        UserPrompt("Vote."),
        ModelReply("I look.", (ModelToolCall("c1", "vote", {"agent_id": "agent1"}),)),
        ToolResultMessage("c1", "noted"),
        UserPrompt("Go on."),
        ModelReply("", (ModelToolCall("c2", "vote", {}),)),
        ToolResultMessage("c2", "agent_id is missing", is_error=True),
    )
    noted, missing = quoted("output", "noted"), quoted("output", "agent_id is missing")
    assert without_tools(ModelRequest(conversation)).messages == (
        UserPrompt("Vote."),
        ModelReply(f"I look.\n\n{CALL}"),
        UserPrompt(f"Result of vote:\n{noted}\n\nGo on."),
        ModelReply('```json\n{"tool": "vote", "arguments": {}}\n```'),
        UserPrompt(f"Error of vote:\n{missing}"),
    )


@pytest.mark.parametrize("pieces", [1, 3, 7, 1000])
@pytest.mark.parametrize("tail", ["", "\n", "\n\n  \n"])
def test_a_block_at_the_end_is_a_call_and_is_not_shown(pieces: int, tail: str) -> None:
    parts = read(f"I vote.\n\n{CALL}{tail}", pieces=pieces)

    assert said(parts) == "I vote.\n\n"
    assert parts[-2:] == [
        ToolCallStarted("call_1_0", "vote"),
        ToolCallCompleted(ModelToolCall("call_1_0", "vote", {"agent_id": "agent1"})),
    ]


@pytest.mark.parametrize("pieces", [1, 5, 1000])
@pytest.mark.parametrize(
    "text",
    [
        "Only text.",
        "",
        "```json\n{}\n```",
        '```json\n{"name": "vote"}\n```',
        "```json\nnot json\n```",
        "```python\nprint(1)\n```",
        f"{CALL}\nAnd then I thought better of it.",
        f"In the middle: {CALL}",
        "```json",
        "``",
        "    ",
        '```json\n{"a": 1}',
    ],
)
def test_everything_else_is_text_to_the_last_character(text: str, pieces: int) -> None:
    parts = read(text, pieces=pieces)

    assert said(parts) == text
    assert outcome(parts) is None


@pytest.mark.parametrize(
    ("block", "problem"),
    [
        ('{"tool": "vote", "arguments": {"agent_id": }}', "not valid JSON"),
        ('{"tool": "vote", "tool": "vote", "arguments": {}}', "stands in them twice"),
        ('{"tool": "vote", "arguments": {}, "note": 1}', 'the keys "tool" (a name) and "arguments"'),
        ('{"tool": "vote"}', 'the keys "tool" (a name) and "arguments"'),
        ('{"tool": "vote", "arguments": {}}', "'agent_id' is a required property"),
        ('{"tool": "elect", "arguments": {}}', "There is no tool 'elect'"),
    ],
)
def test_a_call_that_is_not_right_is_described_to_the_model(block: str, problem: str) -> None:
    result = outcome(read(f"```json\n{block}\n```"))

    assert isinstance(result, ToolCallInvalid)
    assert problem in result.problem


def test_a_call_that_was_not_closed_or_cut_off_does_not_run() -> None:
    unclosed = outcome(read(CALL.removesuffix("\n```")))
    cut = outcome(read(CALL, reason="length"))

    assert isinstance(unclosed, ToolCallInvalid)
    assert "was not closed" in unclosed.problem
    assert isinstance(cut, ToolCallInvalid)
    assert "cut off" in cut.problem


def test_prose_is_not_held_back() -> None:
    reader = FencedReader(asking("Vote", VOTE))
    assert list(reader.feed("One")) == [TextDelta("One")]
    assert list(reader.feed(" two\nthree")) == [TextDelta(" two\n"), TextDelta("three")]


@given(text=st.text(alphabet='`json{"tool}: \nab', max_size=80), pieces=st.integers(min_value=1, max_value=9))
def test_how_the_text_was_cut_makes_no_difference(text: str, pieces: int) -> None:
    whole, cut = read(text), read(text, pieces=pieces)

    assert (said(whole), outcome(whole)) == (said(cut), outcome(cut))
