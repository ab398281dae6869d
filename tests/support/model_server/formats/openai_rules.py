"""What OpenAI refuses with a 400: conversations that do not hang together."""

import re
from collections.abc import Iterable, Iterator

from tests.support.model_server.conversation import READERS, Called, Entry, Result
from tests.support.model_server.frames import JsonObject

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def chat_objection(body: JsonObject) -> str | None:
    return next(_chat_objections(body), None)


def responses_objection(body: JsonObject) -> str | None:
    return next(_responses_objections(body), None)


def _chat_objections(body: JsonObject) -> Iterator[str]:
    if not body.get("messages"):
        yield "Invalid 'messages': empty array. Expected an array with minimum length 1."
        return
    conversation = READERS["/v1/chat/completions"](body)
    yield from _bad_names(conversation.tools)
    awaited: set[str] = set()
    for entry in conversation.entries:
        if isinstance(entry, Result):
            if entry.call_id not in awaited:
                yield "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
            awaited.discard(entry.call_id)
        elif isinstance(entry, Called):
            awaited.add(entry.call_id)
        elif awaited:
            break
    if awaited:
        yield (
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id'. The following tool_call_ids did not have response messages: {', '.join(sorted(awaited))}"
        )


def _responses_objections(body: JsonObject) -> Iterator[str]:
    if not body.get("input"):
        yield "Missing required parameter: 'input'."
        return
    conversation = READERS["/v1/responses"](body)
    yield from _bad_names(conversation.tools)
    if body.get("previous_response_id"):
        return  # The other half of the conversation is with the provider.
    yield from _unpaired(conversation.entries)


def _unpaired(entries: tuple[Entry, ...]) -> Iterator[str]:
    called = {entry.call_id for entry in entries if isinstance(entry, Called)}
    answered = {entry.call_id for entry in entries if isinstance(entry, Result)}
    yield from (f"No tool call found for function call output with call_id {name}." for name in answered - called)
    yield from (f"No tool output found for function call {name}." for name in called - answered)


def _bad_names(tools: Iterable[str]) -> Iterator[str]:
    for index, name in enumerate(tools):
        if not _NAME.fullmatch(name):
            yield f"Invalid 'tools[{index}].name': string does not match pattern. Expected '^[a-zA-Z0-9_-]+$'."
