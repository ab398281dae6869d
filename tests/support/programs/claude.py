"""Claude Code: `claude -p --output-format stream-json --verbose --include-partial-messages`."""

import argparse
import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.programs.dialect import SESSION_ID, Event, Invocation, Use
from tests.support.programs.play import CallsTools, Fails, UsesTool
from tests.support.programs.tool_server import ServerCommand, ToolServer
from tests.support.usage import Usage

VERSION = "2.1.232"

_FLAGS = (
    "--include-hook-events",
    "--fork-session",
    "--no-session-persistence",
    "--dangerously-skip-permissions",
    "--allow-dangerously-skip-permissions",
    "--strict-mcp-config",
    "--replay-user-messages",
    "--disable-slash-commands",
    "--bare",
)
_OPTIONS = (
    "--fallback-model",
    "--system-prompt",
    "--system-prompt-file",
    "--append-system-prompt",
    "--append-system-prompt-file",
    "--permission-mode",
    "--permission-prompt-tool",
    "--max-turns",
    "--max-budget-usd",
    "--max-thinking-tokens",
    "--settings",
    "--setting-sources",
    "--session-id",
    "--effort",
    "--thinking",
    "--json-schema",
    "--agent",
    "--agents",
)
_LISTS = ("--allowedTools", "--disallowedTools", "--tools", "--add-dir", "--mcp-config", "--betas", "--plugin-dir")
_ERRORS = {400: "invalid_request", 401: "authentication_failed", 402: "billing_error", 429: "rate_limit"}


def version_line(version: str) -> str:
    return f"{version} (Claude Code)"


def invocation(argv: Sequence[str]) -> Invocation:
    parser = argparse.ArgumentParser(prog="claude", allow_abbrev=False)
    parser.add_argument("prompt", nargs="?")
    parser.add_argument("-p", "--print", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--include-partial-messages", action="store_true")
    parser.add_argument("-c", "--continue", action="store_true")
    parser.add_argument("-r", "--resume", nargs="?")
    parser.add_argument("--output-format", choices=["text", "json", "stream-json"], default="text")
    parser.add_argument("--input-format", choices=["text", "stream-json"], default="text")
    parser.add_argument("--model", default="claude-scripted")
    for flag in _FLAGS:
        parser.add_argument(flag, action="store_true")
    for option in _OPTIONS:
        parser.add_argument(option)
    for option in _LISTS:
        parser.add_argument(option, nargs="+")
    given = parser.parse_intermixed_args(argv)
    if not given.print or given.output_format != "stream-json":
        parser.error("only --print with --output-format=stream-json is played")
    if not given.verbose:
        parser.error("When using --print, --output-format=stream-json requires --verbose")
    return Invocation(
        prompt=given.prompt,
        model=given.model,
        system=Path(given.system_prompt_file).read_text(encoding="utf-8") if given.system_prompt_file else "",
        partial_messages=given.include_partial_messages,
        input_lines=given.input_format == "stream-json",
        servers=list(_servers(given.mcp_config or [])),
        one_turn=given.max_turns == "1",
    )


def _servers(configs: Sequence[str]) -> Iterator[ServerCommand]:
    for config in configs:
        servers: dict[str, Event] = json.loads(Path(config).read_text(encoding="utf-8"))["mcpServers"]
        for name, server in servers.items():
            yield ServerCommand(name, server["command"], server["args"])


class Claude:
    def __init__(self, asked: Invocation, version: str) -> None:
        self._asked = asked
        self._version = version
        self._numbers = itertools.count(1)
        self._uses = itertools.count(1)
        self._message_id: str | None = None
        self._block = 0
        self._turns = 0
        self._last_text = ""

    def begins(self, _prompt: str, servers: Sequence[ToolServer], /) -> Iterator[Event]:
        yield self._line(
            "system",
            subtype="init",
            cwd=str(Path.cwd()),
            tools=[_qualified(server.name, tool["name"]) for server in servers for tool in server.tools],
            mcp_servers=[{"name": server.name, "status": "connected"} for server in servers],
            model=self._asked.model,
            permissionMode="default",
            slash_commands=[],
            apiKeySource="none",
            claude_code_version=self._version,
            output_style="default",
            agents=[],
            skills=[],
            plugins=[],
        )
        window = {"status": "allowed", "resetsAt": 1_780_000_000, "rateLimitType": "five_hour"}
        yield self._line("rate_limit_event", rate_limit_info=window)

    def says(self, fragments: Sequence[str]) -> Iterator[Event]:
        text = "".join(fragments)
        self._last_text = text
        deltas = [{"type": "text_delta", "text": fragment} for fragment in fragments]
        yield from self._block_events({"type": "text", "text": ""}, deltas, {"type": "text", "text": text})

    def thinks(self, fragments: Sequence[str]) -> Iterator[Event]:
        empty = {"type": "thinking", "thinking": "", "signature": ""}
        deltas = [{"type": "thinking_delta", "thinking": fragment} for fragment in fragments]
        signed = {"type": "signature_delta", "signature": "sig_scripted"}
        whole = {**empty, "thinking": "".join(fragments), "signature": "sig_scripted"}
        yield from self._block_events(empty, [*deltas, signed], whole)

    def uses_tool(self, use: UsesTool) -> Iterator[Event]:
        use_id = f"toolu_{next(self._uses)}"
        empty: Event = {"type": "tool_use", "id": use_id, "name": use.name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(use.input)}
        yield from self._block_events(empty, [delta], {**empty, "input": use.input})
        yield from self._message_stops("tool_use")
        result = {"tool_use_id": use_id, "type": "tool_result", "content": use.output, "is_error": not use.ok}
        message = {"role": "user", "content": [result]}
        yield self._line("user", message=message, parent_tool_use_id=None, tool_use_result=use.output)

    def calls_tools(self, called: CallsTools, use: Use) -> Iterator[Event]:
        ids: list[str] = []
        for name, arguments in called.calls:
            ids.append(f"toolu_{next(self._uses)}")
            empty: Event = {"type": "tool_use", "id": ids[-1], "name": _qualified("teamwright", name), "input": {}}
            half = len(arguments) // 2
            deltas = [
                {"type": "input_json_delta", "partial_json": piece} for piece in (arguments[:half], arguments[half:])
            ]
            yield from self._block_events(empty, deltas, {**empty, "input": _parsed(arguments)})
        yield from self._message_stops("tool_use")
        results = [
            {"tool_use_id": use_id, "type": "tool_result", "content": use(*call), "is_error": False}
            for use_id, call in zip(ids, called.calls, strict=True)
        ]
        yield self._line("user", message={"role": "user", "content": results}, parent_tool_use_id=None)

    def stops_after_a_turn(self, usage: Usage) -> Iterator[Event]:
        yield self._result(
            subtype="error_max_turns",
            is_error=True,
            stop_reason="tool_use",
            total_cost_usd=0.0123,
            usage=_usage(usage),
            modelUsage={},
            terminal_reason="max_turns",
            errors=["Reached maximum number of turns (1)"],
        )

    @property
    def turn_limit_exit(self) -> int:
        return 1

    def ends(self, usage: Usage) -> Iterator[Event]:
        yield from self._message_stops("end_turn", usage)
        per_model = {
            "inputTokens": usage.input - usage.cached - usage.cache_written,
            "outputTokens": usage.output,
            "cacheReadInputTokens": usage.cached,
            "cacheCreationInputTokens": usage.cache_written,
            "webSearchRequests": 0,
            "costUSD": 0.0123,
            "contextWindow": 200_000,
            "maxOutputTokens": 64_000,
        }
        yield self._result(
            is_error=False,
            api_error_status=None,
            result=self._last_text,
            stop_reason="end_turn",
            total_cost_usd=0.0123,
            usage=_usage(usage),
            modelUsage={self._asked.model: per_model},
            terminal_reason="completed",
        )

    def fails(self, failure: Fails) -> Iterator[Event]:
        error = _ERRORS.get(failure.status, "server_error")
        nothing = _usage(Usage(0, 0))
        yield self._line(
            "assistant",
            message={
                "id": "msg_synthetic",
                "type": "message",
                "role": "assistant",
                "model": "<synthetic>",
                "content": [{"type": "text", "text": failure.message}],
                "stop_reason": "stop_sequence",
                "stop_sequence": "",
                "usage": nothing,
            },
            parent_tool_use_id=None,
            error=error,
        )
        yield self._result(
            is_error=True,
            api_error_status=failure.status,
            result=failure.message,
            stop_reason="stop_sequence",
            total_cost_usd=0,
            usage=nothing,
            modelUsage={},
            terminal_reason="api_error",
        )

    def exit_code(self, _failure: Fails, /) -> int:
        return 1

    def _block_events(self, empty: Event, deltas: Sequence[Event], whole: Event) -> Iterator[Event]:
        yield from self._message_starts()
        place = {"index": self._block}
        yield from self._partial({"type": "content_block_start", **place, "content_block": empty})
        for delta in deltas:
            yield from self._partial({"type": "content_block_delta", **place, "delta": delta})
        # The snapshot of a block comes before the event that closes it.
        yield self._line("assistant", message=self._message([whole]), parent_tool_use_id=None)
        yield from self._partial({"type": "content_block_stop", **place})
        self._block += 1

    def _message_starts(self) -> Iterator[Event]:
        if self._message_id is None:
            self._message_id = f"msg_{next(self._numbers)}"
            self._block = 0
            self._turns += 1
            yield from self._partial({"type": "message_start", "message": self._message([])})

    def _message_stops(self, reason: str, usage: Usage | None = None) -> Iterator[Event]:
        if self._message_id is not None:
            delta = {"stop_reason": reason, "stop_sequence": None}
            yield from self._partial({"type": "message_delta", "delta": delta, "usage": _usage(usage or Usage(0, 0))})
            yield from self._partial({"type": "message_stop"})
            self._message_id = None

    def _message(self, content: list[Event]) -> Event:
        return {
            "id": self._message_id,
            "type": "message",
            "role": "assistant",
            "model": self._asked.model,
            "content": content,
            "stop_reason": None,
            "stop_sequence": None,
            "usage": _usage(Usage(0, 0)),
        }

    def _partial(self, event: Event) -> Iterator[Event]:
        if self._asked.partial_messages:
            yield self._line("stream_event", event=event, parent_tool_use_id=None)

    def _result(self, *, subtype: str = "success", **fields: object) -> Event:
        return self._line(
            "result",
            subtype=subtype,
            duration_ms=1500,
            duration_api_ms=1200,
            num_turns=max(self._turns, 1),
            permission_denials=[],
            fast_mode_state="off",
            **fields,
        )

    def _line(self, kind: str, **fields: object) -> Event:
        unique = f"00000000-0000-4000-8000-{next(self._numbers):012}"
        return {"type": kind, **fields, "session_id": SESSION_ID, "uuid": unique}


def _parsed(arguments: str) -> Event:
    try:
        return json.loads(arguments)
    except json.JSONDecodeError:
        return {}


def _qualified(server: str, tool: str) -> str:
    return f"mcp__{server}__{tool}"


def _usage(usage: Usage) -> Event:
    return {
        "input_tokens": usage.input - usage.cached - usage.cache_written,
        "cache_creation_input_tokens": usage.cache_written,
        "cache_read_input_tokens": usage.cached,
        "output_tokens": usage.output,
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
        "service_tier": "standard",
    }
