"""Codex CLI: `codex exec --json`. Messages come whole, not in fragments."""

import argparse
import itertools
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.support.programs.dialect import SESSION_ID, Event, Invocation, Use
from tests.support.programs.play import CallsTools, Fails, UsesTool
from tests.support.programs.tool_server import ServerCommand, ToolServer
from tests.support.usage import Usage

VERSION = "0.149.0"

_FLAGS = (
    "--strict-config",
    "--skip-git-repo-check",
    "--ephemeral",
    "--ignore-user-config",
    "--ignore-rules",
    "--oss",
    "--approve-for-me",
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-bypass-hook-trust",
)
_OPTIONS = ("--output-schema", "--color", "--local-provider", "--add-dir", "--enable", "--disable")


def version_line(version: str) -> str:
    return f"codex-cli {version}"


def invocation(argv: Sequence[str]) -> Invocation:
    parser = argparse.ArgumentParser(prog="codex", allow_abbrev=False)
    parser.add_argument("command", choices=["exec"])
    parser.add_argument("prompt", nargs="?")
    parser.add_argument("--json", "--experimental-json", action="store_true")
    parser.add_argument("-m", "--model", default="codex-scripted")
    parser.add_argument("-c", "--config", action="append")
    parser.add_argument("-i", "--image", action="append")
    parser.add_argument("-p", "--profile")
    parser.add_argument("-s", "--sandbox", choices=["read-only", "workspace-write", "danger-full-access"])
    parser.add_argument("-C", "--cd")
    parser.add_argument("-o", "--output-last-message")
    for flag in _FLAGS:
        parser.add_argument(flag, action="store_true")
    for option in _OPTIONS:
        parser.add_argument(option, action="append")
    given = parser.parse_intermixed_args(argv)
    if not given.json:
        parser.error("only exec --json is played")
    config = tomllib.loads("\n".join(given.config or []))
    instructions = config.get("model_instructions_file")
    return Invocation(
        prompt=None if given.prompt == "-" else given.prompt,
        model=given.model,
        system=Path(instructions).read_text(encoding="utf-8") if instructions else "",
        servers=list(_servers(config.get("mcp_servers", {}))),
    )


def _servers(servers: Mapping[str, Event]) -> Iterator[ServerCommand]:
    """Unless that is left out, the model is not shown their tools, but may search for them."""
    for name, server in servers.items():
        shown = "deferred" in server.get("omit_tools_from", [])
        yield ServerCommand(name, server["command"], server["args"], own_group=True, shown=shown)


class Codex:
    def __init__(self, _asked: Invocation, _version: str) -> None:
        self._items = itertools.count()

    def begins(self, _prompt: str, _servers: Sequence[ToolServer], /) -> Iterator[Event]:
        yield {"type": "thread.started", "thread_id": SESSION_ID}
        yield {"type": "turn.started"}

    def says(self, fragments: Sequence[str]) -> Iterator[Event]:
        yield _completed(self._item("agent_message", text="".join(fragments)))

    def thinks(self, fragments: Sequence[str]) -> Iterator[Event]:
        yield _completed(self._item("reasoning", text="".join(fragments)))

    def uses_tool(self, use: UsesTool) -> Iterator[Event]:
        if "command" in use.input:
            begun = self._item(
                "command_execution",
                command=use.input["command"],
                aggregated_output="",
                exit_code=None,
                status="in_progress",
            )
            outcome: Event = {"aggregated_output": use.output, "exit_code": 0 if use.ok else 1}
        else:
            begun = self._item(
                "mcp_tool_call",
                server="scripted",
                tool=use.name,
                arguments=use.input,
                result=None,
                error=None,
                status="in_progress",
            )
            content = {"content": [{"type": "text", "text": use.output}], "structured_content": None}
            outcome = {"result": content} if use.ok else {"error": {"message": use.output}}
        yield {"type": "item.started", "item": begun}
        yield _completed({**begun, **outcome, "status": "completed" if use.ok else "failed"})

    def calls_tools(self, called: CallsTools, use: Use) -> Iterator[Event]:
        """As soon as a call is complete it is carried out, while the model may still be at the next."""
        for name, arguments in called.calls:
            begun = self._item(
                "mcp_tool_call",
                server="teamwright",
                tool=name,
                arguments=json.loads(arguments),
                result=None,
                error=None,
                status="in_progress",
            )
            yield {"type": "item.started", "item": begun}
            result = {"content": [{"type": "text", "text": use(name, arguments)}], "structured_content": None}
            yield _completed({**begun, "result": result, "status": "completed"})

    def stops_after_a_turn(self, _usage: Usage, /) -> Iterator[Event]:
        raise NotImplementedError("it has no such limit")

    @property
    def turn_limit_exit(self) -> int:
        raise NotImplementedError("it has no such limit")

    def ends(self, usage: Usage) -> Iterator[Event]:
        counts = {
            "input_tokens": usage.input,
            "cached_input_tokens": usage.cached,
            "cache_write_input_tokens": usage.cache_written,
            "output_tokens": usage.output,
            "reasoning_output_tokens": usage.reasoning,
        }
        yield {"type": "turn.completed", "usage": counts}

    def fails(self, failure: Fails) -> Iterator[Event]:
        yield {"type": "error", "message": failure.message}
        yield {"type": "turn.failed", "error": {"message": failure.message}}

    def exit_code(self, _failure: Fails, /) -> int:
        return 1

    def _item(self, kind: str, **fields: object) -> Event:
        return {"id": f"item_{next(self._items)}", "type": kind, **fields}


def _completed(item: Event) -> Event:
    return {"type": "item.completed", "item": item}
