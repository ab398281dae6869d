"""Claude Code, in print mode with partial messages."""

import json
from collections.abc import Sequence
from typing import Final

from teamwright.models.adapter import Effort, Generation, JsonObject
from teamwright.models.errors import ModelError
from teamwright.models.faults import ProviderWords, Target, provider_fault
from teamwright.models.port import FinishReason, ModelRequest, ModelUsage, Part, ReasoningDelta, TextDelta, ToolSpec
from teamwright.models.programs.dialect import ProgramCall, ProgramDecoder
from teamwright.models.programs.workplace import SERVER, Offer, Workplace, offer
from teamwright.protocol.usage import Usage

_PREFIX: Final = f"mcp__{SERVER}__"
_REASONS: Final[dict[str, FinishReason]] = {"max_tokens": "length", "refusal": "content_filter"}
_EFFORTS: Final[dict[Effort, str]] = {
    "minimal": "low",
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "xhigh",
    "max": "max",
}


class ClaudeCode:
    maker = "anthropic"
    oldest = (2, 1, 0)
    # Before, servers might not be connected when the model began, and it wrote its calls as text.
    oldest_with_tools = (2, 1, 221)
    how_to_update = "run `claude update`"

    def call(self, generation: Generation, place: Workplace, tools: Sequence[ToolSpec]) -> ProgramCall:
        arguments = [
            *("--print", "--verbose", "--output-format", "stream-json", "--include-partial-messages"),
            *("--tools", "", "--strict-mcp-config", "--disable-slash-commands"),
            *("--setting-sources", "", "--no-session-persistence"),
            *("--system-prompt-file", str(place.system_file)),
        ]
        if generation.model:
            arguments += ["--model", generation.model]
        if generation.effort in _EFFORTS:
            arguments += ["--effort", _EFFORTS[generation.effort]]
        if not tools:
            return ProgramCall(tuple(arguments))
        offered, servers = offer(tools, place, calls_answered=True), place.root / "servers.json"
        # After one turn it stops by itself, and says what the turn has cost.
        arguments += ["--mcp-config", str(servers), "--allowedTools", f"mcp__{SERVER}", "--max-turns", "1"]
        return ProgramCall(tuple(arguments), files={offered.file: offered.text, servers: _servers(offered)})

    def decoder(self, request: ModelRequest, target: Target) -> "ClaudeDecoder":
        return ClaudeDecoder(request, target)


def _servers(offered: Offer) -> str:
    # Always loaded: the model is not to search for tools that it has to call.
    server = {"type": "stdio", "command": offered.command, "args": offered.arguments, "alwaysLoad": True}
    return json.dumps({"mcpServers": {SERVER: server}})


class ClaudeDecoder(ProgramDecoder):
    """Anthropic's own stream events, wrapped, and a last line that says how it went."""

    def __init__(self, request: ModelRequest, target: Target) -> None:
        super().__init__(request, target)
        self._in_call = False
        self._stopped = ""

    def _decode(self, event: JsonObject) -> Sequence[Part]:
        match event.get("type"):
            case "system" if event.get("subtype") == "init" and self._offered:
                self._check_servers(event.get("mcp_servers") or [])
                return ()
            case "stream_event":
                return self._streamed(event["event"])
            case "result":
                return self._result(event)
            case _:
                return ()

    def _decode_afterwards(self, event: JsonObject) -> None:
        match event.get("type"):
            case "result":
                self._ending.usage = _usage(event)
            case "stream_event":
                self.over = self.over or event["event"]["type"] == "message_start"
            case _:
                pass

    def _check_servers(self, servers: list[JsonObject]) -> None:
        status = next((server["status"] for server in servers if server["name"] == SERVER), "not allowed")
        if status in {"not allowed", "failed", "disabled"}:
            message = f"{self._target.provider} does not take our tools ({status}): set tool_calling to fenced."
            raise ModelError("tools_unsupported", message)

    def _streamed(self, event: JsonObject) -> Sequence[Part]:
        match event["type"]:
            case "content_block_start":
                block: JsonObject = event["content_block"]
                self._in_call = self._offered and block["type"] == "tool_use"
                if self._in_call:
                    return self._call(block["id"], block["name"].removeprefix(_PREFIX), "", index=event["index"])
            case "content_block_delta":
                return self._delta(event["delta"], event["index"])
            case "message_delta":
                self._stopped = event["delta"].get("stop_reason") or ""
            case "message_stop" if self._ending.calls.calls:
                self._ending.reason = _REASONS.get(self._stopped, "tool_calls")
            case _:
                pass
        return ()

    def _delta(self, delta: JsonObject, index: int) -> Sequence[Part]:
        match delta["type"]:
            case "text_delta":
                self._ending.note_text(delta["text"])
                return (TextDelta(delta["text"]),)
            case "thinking_delta":
                return (ReasoningDelta(delta["thinking"]),)
            case "input_json_delta" if self._in_call:
                return self._call("", "", delta["partial_json"], index=index)
            case _:
                return ()

    def _result(self, event: JsonObject) -> Sequence[Part]:
        said: str = event.get("result") or "; ".join(event.get("errors") or ())
        if event.get("is_error"):
            raise provider_fault(self._target, ProviderWords(said, status=event.get("api_error_status")))
        self._ending.usage = _usage(event)
        self._ending.reason = _REASONS.get(event.get("stop_reason") or "", "stop")
        if self._ending.spoke or not said:
            return ()
        self._ending.spoke = True
        return (TextDelta(said),)


def _usage(event: JsonObject) -> ModelUsage:
    usage: JsonObject = event["usage"]
    read: int = usage.get("cache_read_input_tokens") or 0
    written: int = usage.get("cache_creation_input_tokens") or 0
    reported = Usage(
        input_tokens=usage["input_tokens"] + read + written,
        output_tokens=usage["output_tokens"],
        cached_tokens=read,
        calls=1,
    )
    return ModelUsage(reported, cache_write_tokens=written, cost_usd=event.get("total_cost_usd"))
