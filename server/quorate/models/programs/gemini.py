"""Gemini CLI, headless."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from quorate.models.adapter import Generation
from quorate.models.assembly import ToolCallAssembly
from quorate.models.decoding import Ending, JsonObject
from quorate.models.faults import ProviderWords, Target, provider_fault
from quorate.models.port import ModelRequest, Part, TextDelta, UsageReported
from quorate.models.programs.dialect import Call
from quorate.models.programs.workplace import Workplace
from quorate.protocol.usage import Usage

_NO_TOOLS: Final = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n'


class GeminiCli:
    maker = "google"
    oldest = (0, 40, 0)
    how_to_update = "run `npm install -g @google/gemini-cli`"

    def call(self, generation: Generation, place: Workplace) -> Call:
        policy, trusted = place.root / "no-tools.toml", place.root / "trusted.json"
        arguments = [
            *("--output-format", "stream-json", "--approval-mode", "default"),
            *("--policy", str(policy), "--extensions", "none", "--allowed-mcp-server-names", "none"),
        ]
        if generation.model:
            arguments += ["--model", generation.model]
        # It refuses to work in a directory that it does not trust; ours is empty, and trusted by this one call.
        return Call(
            tuple(arguments),
            {"GEMINI_SYSTEM_MD": str(place.system_file), "GEMINI_CLI_TRUSTED_FOLDERS_PATH": str(trusted)},
            {policy: _NO_TOOLS, trusted: json.dumps({str(place.directory): "TRUST_FOLDER"})},
        )

    def decoder(self, request: ModelRequest, target: Target) -> "GeminiDecoder":
        return GeminiDecoder(request, target)


class GeminiDecoder:
    def __init__(self, request: ModelRequest, target: Target) -> None:
        self._target = target
        self._ending = Ending(target, ToolCallAssembly(request))

    @property
    def finished(self) -> bool:
        return self._ending.reason is not None

    def decode(self, event: JsonObject) -> Sequence[Part]:
        match event.get("type"):
            case "message" if event["role"] == "assistant" and event["content"]:
                self._ending.note_text(event["content"])
                return (TextDelta(event["content"]),)
            case "result":
                self._close(event)
            case _:
                pass
        return ()

    def end(self) -> Iterator[Part]:
        return self._ending.parts()

    def _close(self, event: JsonObject) -> None:
        if event["status"] != "success":
            raise provider_fault(self._target, ProviderWords.of_body(event))
        stats: JsonObject = event.get("stats") or {}
        usage = Usage(
            input_tokens=stats.get("input_tokens") or 0,
            output_tokens=stats.get("output_tokens") or 0,
            cached_tokens=stats.get("cached"),
            calls=1,
        )
        self._ending.usage = UsageReported(usage)
        self._ending.reason = "stop"
