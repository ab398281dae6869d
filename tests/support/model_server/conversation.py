"""What a request shows the model, read alike from every provider's format."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from tests.support.model_server.frames import JsonObject

Role = Literal["user", "assistant", "tool"]


class Said(NamedTuple):
    role: Role
    text: str


class Called(NamedTuple):
    call_id: str
    name: str
    arguments: str


class Result(NamedTuple):
    call_id: str
    text: str


Entry: TypeAlias = Said | Called | Result


@dataclass(frozen=True)
class Conversation:
    """The system text, everything said, called and answered in its order, and the schemas of the tools offered."""

    system: str
    entries: tuple[Entry, ...]
    tools: Mapping[str, JsonObject]

    @property
    def messages(self) -> list[tuple[Role, str]]:
        """Who said what. The result of a tool is said by the role `tool`."""
        spoken = (Said("tool", entry.text) if isinstance(entry, Result) else entry for entry in self.entries)
        return [(entry.role, entry.text) for entry in spoken if isinstance(entry, Said)]

    @property
    def calls(self) -> list[Called]:
        return [entry for entry in self.entries if isinstance(entry, Called)]

    @property
    def results(self) -> list[Result]:
        return [entry for entry in self.entries if isinstance(entry, Result)]


def conversation_in_chat(body: JsonObject) -> Conversation:
    system: list[str] = []
    entries: list[Entry] = []
    for message in body.get("messages", []):
        match message["role"]:
            case "system" | "developer":
                system.append(_text(message["content"]))
            case "tool":
                entries.append(Result(message["tool_call_id"], _text(message["content"])))
            case role:
                entries.extend(_said(role, _text(message.get("content"))))
                entries.extend(
                    Called(call["id"], call["function"]["name"], call["function"]["arguments"])
                    for call in message.get("tool_calls") or ()
                )
    functions = [tool["function"] for tool in body.get("tools", [])]
    return Conversation("\n".join(system), tuple(entries), _schemas(functions, "parameters"))


def conversation_in_responses(body: JsonObject) -> Conversation:
    system = [body["instructions"]] if body.get("instructions") else []
    entries: list[Entry] = []
    given = body.get("input", [])
    items: Sequence[JsonObject] = [{"role": "user", "content": given}] if isinstance(given, str) else given
    for item in items:
        match item.get("type", "message"):
            case "message" if item["role"] in {"system", "developer"}:
                system.append(_text(item["content"]))
            case "message":
                entries.extend(_said(item["role"], _text(item["content"])))
            case "function_call":
                entries.append(Called(item["call_id"], item["name"], item["arguments"]))
            case "function_call_output":
                entries.append(Result(item["call_id"], _text(item["output"])))
            case _:
                pass
    functions = [tool for tool in body.get("tools", []) if tool["type"] == "function"]
    return Conversation("\n".join(system), tuple(entries), _schemas(functions, "parameters"))


def conversation_in_messages(body: JsonObject) -> Conversation:
    entries: list[Entry] = []
    for message in body.get("messages", []):
        content = message["content"]
        blocks: Sequence[JsonObject] = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            match block["type"]:
                case "text":
                    entries.extend(_said(message["role"], block["text"]))
                case "tool_use":
                    entries.append(Called(block["id"], block["name"], json.dumps(block["input"])))
                case "tool_result":
                    entries.append(Result(block["tool_use_id"], _text(block.get("content"))))
                case _:
                    pass
    return Conversation(_text(body.get("system")), tuple(entries), _schemas(body.get("tools", []), "input_schema"))


READERS: Mapping[str, Callable[[JsonObject], Conversation]] = {
    "/v1/chat/completions": conversation_in_chat,
    "/v1/responses": conversation_in_responses,
    "/v1/messages": conversation_in_messages,
}


def _said(role: Role, said: str) -> Iterator[Said]:
    if said:
        yield Said(role, said)


def _text(content: Any) -> str:
    """The text of a content that is a string, a list of typed parts, or nothing."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def _schemas(tools: Sequence[JsonObject], key: str) -> dict[str, JsonObject]:
    return {tool["name"]: tool.get(key, {}) for tool in tools}
