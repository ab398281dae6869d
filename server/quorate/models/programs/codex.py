"""Codex CLI, as `codex exec --json`. Its messages come whole, not in fragments."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from quorate.models.adapter import Generation
from quorate.models.assembly import ToolCallAssembly
from quorate.models.decoding import Ending, JsonObject
from quorate.models.faults import ProviderWords, Target, provider_fault
from quorate.models.port import ModelRequest, Part, ReasoningDelta, TextDelta, UsageReported
from quorate.models.programs.dialect import Call
from quorate.models.programs.workplace import Workplace
from quorate.protocol.usage import Usage

_TOOLS: Final = ("shell_tool", "unified_exec", "view_image", "multi_agent", "apps", "plugins", "image_generation")
_STATUS: Final = re.compile(r"\bstatus:? (?:code )?(\d{3})\b")


class CodexCli:
    maker = "openai"
    oldest = (0, 130, 0)
    how_to_update = "run `npm install -g @openai/codex`"

    def call(self, generation: Generation, place: Workplace) -> Call:
        settings = {
            "model_instructions_file": str(place.system_file),
            "project_doc_max_bytes": 0,
            "web_search": "disabled",
            **{f"features.{tool}": False for tool in _TOOLS},
        }
        if generation.effort is not None:
            settings["model_reasoning_effort"] = generation.effort
        arguments = [
            *("exec", "--json", "--color", "never", "--sandbox", "read-only", "--cd", str(place.directory)),
            *("--skip-git-repo-check", "--ephemeral", "--ignore-user-config", "--ignore-rules"),
            # Settings are TOML, and JSON's strings, numbers and booleans are TOML too.
            *(part for name, value in settings.items() for part in ("--config", f"{name}={json.dumps(value)}")),
        ]
        if generation.model:
            arguments += ["--model", generation.model]
        return Call((*arguments, "-"))

    def decoder(self, request: ModelRequest, target: Target) -> "CodexDecoder":
        return CodexDecoder(request, target)


class CodexDecoder:
    def __init__(self, request: ModelRequest, target: Target) -> None:
        self._target = target
        self._ending = Ending(target, ToolCallAssembly(request))

    @property
    def finished(self) -> bool:
        return self._ending.reason is not None

    def decode(self, event: JsonObject) -> Sequence[Part]:
        match event.get("type"):
            case "item.completed":
                return self._item(event["item"])
            case "turn.completed":
                self._ending.usage = _usage(event["usage"])
                self._ending.reason = "stop"
            case "turn.failed":
                # An `error` alone is no end: the program reconnects by itself and goes on.
                said: str = event["error"]["message"]
                status = _STATUS.search(said)
                raise provider_fault(self._target, ProviderWords(said, status=int(status[1]) if status else None))
            case _:
                pass
        return ()

    def end(self) -> Iterator[Part]:
        return self._ending.parts()

    def _item(self, item: JsonObject) -> Sequence[Part]:
        match item["type"]:
            case "agent_message":
                again, self._ending.spoke = self._ending.spoke, True
                return (TextDelta(f"\n\n{item['text']}" if again else item["text"]),)
            case "reasoning":
                return (ReasoningDelta(f"{item['text']}\n"),)
            case _:
                return ()


def _usage(usage: JsonObject) -> UsageReported:
    reported = Usage(
        input_tokens=usage["input_tokens"],
        output_tokens=usage["output_tokens"],
        cached_tokens=usage.get("cached_input_tokens"),
        calls=1,
    )
    return UsageReported(reported, cache_write_tokens=usage.get("cache_write_input_tokens") or 0)
