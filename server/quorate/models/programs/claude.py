"""Claude Code, in print mode with partial messages."""

from collections.abc import Iterator, Sequence
from typing import Final

from quorate.models.adapter import Effort, Generation
from quorate.models.assembly import ToolCallAssembly
from quorate.models.decoding import Ending, JsonObject
from quorate.models.faults import ProviderWords, Target, provider_fault
from quorate.models.port import FinishReason, ModelRequest, Part, ReasoningDelta, TextDelta, UsageReported
from quorate.models.programs.dialect import Call
from quorate.models.programs.workplace import Workplace
from quorate.protocol.usage import Usage

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
    how_to_update = "run `claude update`"

    def call(self, generation: Generation, place: Workplace) -> Call:
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
        return Call(tuple(arguments))

    def decoder(self, request: ModelRequest, target: Target) -> "ClaudeDecoder":
        return ClaudeDecoder(request, target)


class ClaudeDecoder:
    """Anthropic's own stream events, wrapped, and a last line that says how it went."""

    def __init__(self, request: ModelRequest, target: Target) -> None:
        self._target = target
        self._ending = Ending(target, ToolCallAssembly(request))

    @property
    def finished(self) -> bool:
        return self._ending.reason is not None

    def decode(self, event: JsonObject) -> Sequence[Part]:
        match event.get("type"):
            case "stream_event":
                inner = event["event"]
                return self._delta(inner["delta"]) if inner["type"] == "content_block_delta" else ()
            case "result":
                return self._result(event)
            case _:
                return ()

    def end(self) -> Iterator[Part]:
        return self._ending.parts()

    def _delta(self, delta: JsonObject) -> Sequence[Part]:
        match delta["type"]:
            case "text_delta":
                self._ending.note_text(delta["text"])
                return (TextDelta(delta["text"]),)
            case "thinking_delta":
                return (ReasoningDelta(delta["thinking"]),)
            case _:
                return ()

    def _result(self, event: JsonObject) -> Sequence[Part]:
        said: str = event.get("result") or ""
        if event.get("is_error"):
            raise provider_fault(self._target, ProviderWords(said, status=event.get("api_error_status")))
        self._ending.usage = _usage(event)
        self._ending.reason = _REASONS.get(event.get("stop_reason") or "", "stop")
        if self._ending.spoke or not said:
            return ()
        self._ending.spoke = True
        return (TextDelta(said),)


def _usage(event: JsonObject) -> UsageReported:
    usage: JsonObject = event["usage"]
    read: int = usage.get("cache_read_input_tokens") or 0
    written: int = usage.get("cache_creation_input_tokens") or 0
    reported = Usage(
        input_tokens=usage["input_tokens"] + read + written,
        output_tokens=usage["output_tokens"],
        cached_tokens=read,
        calls=1,
    )
    return UsageReported(reported, cache_write_tokens=written, cost_usd=event.get("total_cost_usd"))
