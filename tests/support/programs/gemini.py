"""Gemini CLI: `gemini --output-format stream-json`. It does not show its thoughts in this format."""

import argparse
import itertools
import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.programs.dialect import SESSION_ID, Event, Invocation, Use
from tests.support.programs.play import CallsTools, Fails, UsesTool
from tests.support.programs.tool_server import ServerCommand, ToolServer
from tests.support.usage import Usage

VERSION = "0.56.0"

_AUTHENTICATION_EXIT = 41
_TURN_LIMIT_EXIT = 53
_FLAGS = (
    "--debug",
    "--skip-trust",
    "--sandbox",
    "--yolo",
    "--list-extensions",
    "--list-sessions",
    "--screen-reader",
    "--raw-output",
    "--accept-raw-output-risk",
)
_OPTIONS = (
    "--approval-mode",
    "--policy",
    "--admin-policy",
    "--allowed-mcp-server-names",
    "--allowed-tools",
    "--extensions",
    "--resume",
    "--session-id",
    "--session-file",
    "--include-directories",
)


def version_line(version: str) -> str:
    return version


def invocation(argv: Sequence[str]) -> Invocation:
    parser = argparse.ArgumentParser(prog="gemini", allow_abbrev=False)
    parser.add_argument("query", nargs="?")
    parser.add_argument("-p", "--prompt")
    parser.add_argument("-m", "--model", default="gemini-scripted")
    parser.add_argument("-o", "--output-format", choices=["text", "json", "stream-json"], default="text")
    for flag in _FLAGS:
        parser.add_argument(flag, action="store_true")
    for option in _OPTIONS:
        parser.add_argument(option, action="append")
    given = parser.parse_intermixed_args(argv)
    if given.output_format != "stream-json":
        parser.error("only --output-format stream-json is played")
    settings, system = _workspace_settings(), os.environ.get("GEMINI_SYSTEM_MD")
    return Invocation(
        prompt=given.prompt or given.query,
        model=given.model,
        system=Path(system).read_text(encoding="utf-8") if system else "",
        servers=[
            ServerCommand(name, server["command"], server["args"], shown=_allows(given.policy or [], name))
            for name, server in settings.get("mcpServers", {}).items()
            if name in (given.allowed_mcp_server_names or [name])
        ],
        one_turn=settings.get("model", {}).get("maxSessionTurns") == 1,
    )


def _workspace_settings() -> Event:
    """Those of a directory that is not trusted are not read."""
    file, trusted = Path(".gemini", "settings.json"), os.environ.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH")
    if not file.exists() or trusted is None:
        return {}
    folders = json.loads(Path(trusted).read_text(encoding="utf-8"))
    return json.loads(file.read_text(encoding="utf-8")) if folders.get(str(Path.cwd())) == "TRUST_FOLDER" else {}


def _allows(policies: Sequence[str], server: str) -> bool:
    """A tool that the first rule for it denies is not shown to the model."""
    rules: list[Event] = [
        rule for file in policies for rule in tomllib.loads(Path(file).read_text(encoding="utf-8"))["rule"]
    ]
    matching = [rule for rule in rules if rule["toolName"] == "*" and rule.get("mcpName", server) == server]
    return not matching or max(matching, key=lambda rule: rule["priority"])["decision"] == "allow"


class Gemini:
    def __init__(self, asked: Invocation, _version: str) -> None:
        self._asked = asked
        self._calls = itertools.count(1)
        self._tool_calls = 0

    def begins(self, prompt: str, _servers: Sequence[ToolServer], /) -> Iterator[Event]:
        yield _line("init", session_id=SESSION_ID, model=self._asked.model)
        yield _line("message", role="user", content=prompt)

    def says(self, fragments: Sequence[str]) -> Iterator[Event]:
        for fragment in fragments:
            yield _line("message", role="assistant", content=fragment, delta=True)

    def thinks(self, _fragments: Sequence[str], /) -> Iterator[Event]:
        yield from ()

    def uses_tool(self, use: UsesTool) -> Iterator[Event]:
        self._tool_calls += 1
        call_id = f"{use.name}-{next(self._calls)}"
        yield _line("tool_use", tool_name=use.name, tool_id=call_id, parameters=use.input)
        if use.ok:
            yield _line("tool_result", tool_id=call_id, status="success", output=use.output)
        else:
            error = {"type": "TOOL_EXECUTION_ERROR", "message": use.output}
            yield _line("tool_result", tool_id=call_id, status="error", output=use.output, error=error)

    def calls_tools(self, called: CallsTools, use: Use) -> Iterator[Event]:
        ids = [f"mcp_teamwright_{name}-{next(self._calls)}" for name, _ in called.calls]
        for call_id, (name, arguments) in zip(ids, called.calls, strict=True):
            tool = f"mcp_teamwright_{name}"
            yield _line("tool_use", tool_name=tool, tool_id=call_id, parameters=json.loads(arguments))
        # All are used before the result of any is told.
        outputs = [use(*call) for call in called.calls]
        for call_id, output in zip(ids, outputs, strict=True):
            yield _line("tool_result", tool_id=call_id, status="success", output=output)

    def stops_after_a_turn(self, usage: Usage) -> Iterator[Event]:
        error = {"type": "FatalTurnLimitedError", "message": "Reached max session turns for this session."}
        yield _line("result", status="error", error=error, stats=self._stats(usage))

    @property
    def turn_limit_exit(self) -> int:
        return _TURN_LIMIT_EXIT

    def ends(self, usage: Usage) -> Iterator[Event]:
        yield _line("result", status="success", stats=self._stats(usage))

    def fails(self, failure: Fails) -> Iterator[Event]:
        kind = "FatalAuthenticationError" if failure.status == 401 else "ApiError"
        message = f"[API Error: {failure.message}]"
        yield _line("result", status="error", error={"type": kind, "message": message}, stats=self._stats(Usage(0, 0)))

    def exit_code(self, failure: Fails) -> int:
        return _AUTHENTICATION_EXIT if failure.status == 401 else 1

    def _stats(self, usage: Usage) -> Event:
        counts = {
            "total_tokens": usage.input + usage.output,
            "input_tokens": usage.input,
            "output_tokens": usage.output,
            "cached": usage.cached,
            "input": usage.input - usage.cached,
        }
        per_model = {self._asked.model: counts} if usage.input else {}
        return {**counts, "duration_ms": 1500, "tool_calls": self._tool_calls, "models": per_model}


def _line(kind: str, **fields: object) -> Event:
    return {"type": kind, "timestamp": "2026-11-16T12:00:00.000Z", **fields}
