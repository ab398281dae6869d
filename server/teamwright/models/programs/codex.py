"""Codex CLI, as `codex exec --json`. Its messages come whole, not in fragments."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from teamwright.models.adapter import Generation, JsonObject
from teamwright.models.faults import ProviderWords, Target, provider_fault
from teamwright.models.port import ModelRequest, ModelUsage, Part, ReasoningDelta, TextDelta, ToolSpec
from teamwright.models.programs.dialect import ProgramCall, ProgramDecoder
from teamwright.models.programs.workplace import SERVER, Workplace, offer
from teamwright.protocol.usage import Usage

_TOOLS: Final = ("shell_tool", "unified_exec", "view_image", "multi_agent", "apps", "plugins", "image_generation")
_STATUS: Final = re.compile(r"\bstatus:? (?:code )?(\d{3})\b")


class CodexCli:
    maker = "openai"
    oldest = (0, 130, 0)
    # Before, the model had to search for the tools of a server, and did not know that there were any.
    oldest_with_tools = (0, 147, 0)
    how_to_update = "run `npm install -g @openai/codex`"

    def call(self, generation: Generation, place: Workplace, tools: Sequence[ToolSpec]) -> ProgramCall:
        settings: JsonObject = {
            "model_instructions_file": str(place.system_file),
            "project_doc_max_bytes": 0,
            "web_search": "disabled",
            **{f"features.{tool}": False for tool in _TOOLS},
        }
        if generation.effort is not None:
            settings["model_reasoning_effort"] = generation.effort
        files: dict[Path, str] = {}
        if tools:
            offered = offer(tools, place, calls_answered=False)
            files[offered.file] = offered.text
            settings |= {
                f"mcp_servers.{SERVER}.command": offered.command,
                f"mcp_servers.{SERVER}.args": offered.arguments,
                f"mcp_servers.{SERVER}.required": True,
                f"mcp_servers.{SERVER}.omit_tools_from": ["code_mode", "deferred"],
            }
        arguments = [
            *("exec", "--json", "--color", "never", "--sandbox", "read-only", "--cd", str(place.directory)),
            *("--skip-git-repo-check", "--ephemeral", "--ignore-user-config", "--ignore-rules"),
            *(part for name, value in settings.items() for part in ("--config", f"{name}={_toml(value)}")),
        ]
        if generation.model:
            arguments += ["--model", generation.model]
        return ProgramCall((*arguments, "-"), files=files)

    def decoder(self, request: ModelRequest, target: Target) -> "CodexDecoder":
        return CodexDecoder(request, target)


def _toml(value: object) -> str:
    """JSON's strings, numbers, booleans and lists are TOML too, but for characters escaped in two halves."""
    return json.dumps(value, ensure_ascii=False)


class CodexDecoder(ProgramDecoder):
    """The first call ends an answer: nothing tells where a message ends, and so whether more calls belong to it."""

    def _decode(self, event: JsonObject) -> Sequence[Part]:
        match event.get("type"):
            case "item.started":
                return self._begun(event["item"])
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

    def _decode_afterwards(self, event: JsonObject) -> None:
        """It cannot be told to stop after a turn, so it is not heard any more."""

    def _begun(self, item: JsonObject) -> Sequence[Part]:
        if not (item["type"] == "mcp_tool_call" and item["server"] == SERVER and self._offered):
            return ()
        arguments = json.dumps(item["arguments"]) if item["arguments"] is not None else ""
        parts = self._call(item["id"], item["tool"], arguments)
        self._ending.reason = "tool_calls"
        self.over = True
        return parts

    def _item(self, item: JsonObject) -> Sequence[Part]:
        match item["type"]:
            case "agent_message":
                again, self._ending.spoke = self._ending.spoke, True
                return (TextDelta(f"\n\n{item['text']}" if again else item["text"]),)
            case "reasoning":
                return (ReasoningDelta(f"{item['text']}\n"),)
            case _:
                return ()


def _usage(usage: JsonObject) -> ModelUsage:
    reported = Usage(
        input_tokens=usage["input_tokens"],
        output_tokens=usage["output_tokens"],
        cached_tokens=usage.get("cached_input_tokens"),
        calls=1,
    )
    return ModelUsage(reported, cache_write_tokens=usage.get("cache_write_input_tokens") or 0)
