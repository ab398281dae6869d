"""Requests that the real providers refuse are refused here too, and fail the test."""

from typing import Any

import httpx2
import pytest

from tests.support.model_server import ModelServer

CALL = {"id": "c1", "type": "function", "function": {"name": "vote", "arguments": "{}"}}
USE: dict[str, Any] = {"type": "tool_use", "id": "c1", "name": "vote", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "c1", "content": "ok"}
USER = {"role": "user", "content": "Hi"}


def post(models: ModelServer, path: str, body: dict[str, Any], headers: dict[str, str] | None = None) -> str:
    """The sentence of the refusal."""
    models.model("alpha")
    response = httpx2.post(f"{models.url}{path}", json={"model": "alpha", **body}, headers=headers)
    assert response.status_code == 400
    assert len(models.take_complaints()) == 1
    return response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("messages", "refusal"),
    [
        ([], "empty array"),
        ([USER, {"role": "assistant", "tool_calls": [CALL]}], "did not have response messages: c1"),
        ([USER, {"role": "assistant", "tool_calls": [CALL]}, USER], "did not have response messages: c1"),
        ([USER, {"role": "tool", "tool_call_id": "c1", "content": "ok"}], "must be a response to a preceding message"),
    ],
)
def test_chat_completions_want_every_call_answered_in_its_place(
    models: ModelServer, messages: list[dict[str, Any]], refusal: str
) -> None:
    assert refusal in post(models, "/v1/chat/completions", {"messages": messages})


def test_a_body_that_is_not_json_is_refused(models: ModelServer) -> None:
    for body in (b"{not json", b"\xff", b"[1]", b""):
        assert httpx2.post(f"{models.url}/v1/responses", content=body).status_code == 400
    assert len(models.take_complaints()) == 4


def test_a_tool_needs_a_name_of_plain_characters(models: ModelServer) -> None:
    tools = [{"type": "function", "function": {"name": "mcp.read file"}}]
    assert "does not match pattern" in post(models, "/v1/chat/completions", {"messages": [USER], "tools": tools})


@pytest.mark.parametrize(
    ("items", "refusal"),
    [
        ([], "Missing required parameter: 'input'"),
        (
            [USER, {"type": "function_call", "call_id": "c1", "name": "vote", "arguments": "{}"}],
            "No tool output found for function call c1",
        ),
        (
            [USER, {"type": "function_call_output", "call_id": "c1", "output": "ok"}],
            "No tool call found for function call output with call_id c1",
        ),
    ],
)
def test_responses_want_calls_and_outputs_in_pairs(
    models: ModelServer, items: list[dict[str, Any]], refusal: str
) -> None:
    assert refusal in post(models, "/v1/responses", {"input": items})


@pytest.mark.parametrize(
    ("messages", "refusal"),
    [
        ([], "at least one message is required"),
        ([{"role": "assistant", "content": "Hi"}], 'first message must use the "user" role'),
        ([{"role": "user", "content": ""}], "text content blocks must be non-empty"),
        ([USER, {"role": "assistant", "content": [USE]}], "without `tool_result` blocks immediately after: c1"),
        ([USER, {"role": "assistant", "content": [USE]}, USER], "without `tool_result` blocks immediately after: c1"),
        ([{"role": "user", "content": [RESULT]}], "unexpected `tool_use_id` found in `tool_result` blocks: c1"),
        (
            [
                USER,
                {"role": "assistant", "content": [USE]},
                {"role": "user", "content": [RESULT]},
                {"role": "assistant", "content": [USE]},
                {"role": "user", "content": [RESULT]},
            ],
            "`tool_use` ids must be unique",
        ),
        (
            [
                USER,
                {"role": "assistant", "content": [{**USE, "id": "a b"}]},
                {"role": "user", "content": [{**RESULT, "tool_use_id": "a b"}]},
            ],
            "String should match pattern",
        ),
        (
            [{"role": "user", "content": [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}] * 5}],
            "A maximum of 4 blocks with cache_control may be provided. Found 5.",
        ),
    ],
)
def test_messages_want_every_use_answered_in_the_next_message(
    models: ModelServer, messages: list[dict[str, Any]], refusal: str
) -> None:
    version = {"anthropic-version": "2023-06-01"}
    assert refusal in post(models, "/v1/messages", {"max_tokens": 9, "messages": messages}, version)


def test_messages_want_a_version_and_a_limit(models: ModelServer) -> None:
    body = {"messages": [USER]}
    assert post(models, "/v1/messages", body) == "anthropic-version: header is required"
    assert post(models, "/v1/messages", body, {"anthropic-version": "2023-06-01"}) == "max_tokens: Field required"
