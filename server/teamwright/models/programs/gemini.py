"""Gemini CLI, headless."""

import json
from collections.abc import Sequence
from typing import Final

from teamwright.models.adapter import Generation, JsonObject
from teamwright.models.faults import ProviderWords, Target, provider_fault
from teamwright.models.port import ModelRequest, ModelUsage, Part, TextDelta, ToolSpec
from teamwright.models.programs.dialect import ProgramCall, ProgramDecoder
from teamwright.models.programs.workplace import SERVER, Offer, Workplace, offer
from teamwright.protocol.usage import Usage

_PREFIX: Final = f"mcp_{SERVER}_"
# A tool that a rule denies is not even shown to the model.
_NO_TOOLS: Final = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 998\n'
_OUR_TOOLS: Final = f'[[rule]]\nmcpName = "{SERVER}"\ntoolName = "*"\ndecision = "allow"\npriority = 999\n'


class GeminiCli:
    maker = "google"
    oldest = (0, 40, 0)
    oldest_with_tools = (0, 40, 0)
    how_to_update = "run `npm install -g @google/gemini-cli`"

    def call(self, generation: Generation, place: Workplace, tools: Sequence[ToolSpec]) -> ProgramCall:
        policy, trusted = place.root / "policy.toml", place.root / "trusted.json"
        arguments = [
            *("--output-format", "stream-json", "--approval-mode", "default"),
            *("--policy", str(policy), "--extensions", "none"),
            *("--allowed-mcp-server-names", SERVER if tools else "none"),
        ]
        if generation.model:
            arguments += ["--model", generation.model]
        # It refuses to work in a directory that it does not trust; ours is empty, and trusted by this one call.
        files = {policy: _NO_TOOLS, trusted: json.dumps({str(place.directory): "TRUST_FOLDER"})}
        if tools:
            offered = offer(tools, place, calls_answered=True)
            files[policy] = _OUR_TOOLS + _NO_TOOLS
            files[offered.file] = offered.text
            files[place.directory / ".gemini" / "settings.json"] = _settings(offered)
        return ProgramCall(
            tuple(arguments),
            {"GEMINI_SYSTEM_MD": str(place.system_file), "GEMINI_CLI_TRUSTED_FOLDERS_PATH": str(trusted)},
            files,
        )

    def decoder(self, request: ModelRequest, target: Target) -> "GeminiDecoder":
        return GeminiDecoder(request, target)


def _settings(offered: Offer) -> str:
    server = {"command": offered.command, "args": offered.arguments}
    # After one turn it stops by itself, and says what the turn has used.
    return json.dumps({"mcpServers": {SERVER: server}, "model": {"maxSessionTurns": 1}})


class GeminiDecoder(ProgramDecoder):
    def _decode(self, event: JsonObject) -> Sequence[Part]:
        match event.get("type"):
            case "message" if event["role"] == "assistant" and event["content"]:
                self._ending.note_text(event["content"])
                return (TextDelta(event["content"]),)
            case "tool_use" if self._offered:
                name: str = event["tool_name"]
                return self._call(event["tool_id"], name.removeprefix(_PREFIX), json.dumps(event["parameters"]))
            case "tool_result" if self._ending.calls.calls:
                # Tools are used when the message is complete, so all its calls are known.
                self._ending.reason = "tool_calls"
            case "result":
                if event["status"] != "success":
                    raise provider_fault(self._target, ProviderWords.of_body(event))
                self._ending.usage = _usage(event)
                self._ending.reason = "stop"
            case _:
                pass
        return ()

    def _decode_afterwards(self, event: JsonObject) -> None:
        match event.get("type"):
            case "result":
                self._ending.usage = _usage(event)
            case "message" | "tool_use":
                self.over = True
            case _:
                pass


def _usage(event: JsonObject) -> ModelUsage:
    stats: JsonObject = event.get("stats") or {}
    usage = Usage(
        input_tokens=stats.get("input_tokens") or 0,
        output_tokens=stats.get("output_tokens") or 0,
        cached_tokens=stats.get("cached"),
        calls=1,
    )
    return ModelUsage(usage)
