"""The fake command-line programs: real formats, real faults, and a record of how they were called."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import Message, RawMessageStreamEvent
from pydantic import TypeAdapter

from teamwright.models.programs.workplace import Workplace, offer, write_files
from tests.models.asking import VOTE
from tests.support.model_server import ModelServer
from tests.support.patience import PATIENCE_SECONDS
from tests.support.programs import (
    calls,
    crashes,
    hangs,
    play,
    prints,
    prints_partly,
    reports,
    says,
    thinks,
    tool,
    uses,
    waits_at,
    warns,
)
from tests.support.programs.installation import Programs
from tests.support.programs.kinds import KINDS, ProgramName
from tests.support.usage import Usage

CLAUDE = ["claude", "-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"]
GEMINI = ["gemini", "--output-format", "stream-json"]
CODEX = ["codex", "exec", "--json", "-"]
COMMANDS: dict[ProgramName, list[str]] = {"claude": CLAUDE, "gemini": GEMINI, "codex": CODEX}
USAGE = Usage(input=100, output=20, cached=64, reasoning=5)


def run(command: list[str], stdin: str = "Hi") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [found(command[0]), *command[1:]],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def start(command: list[str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [found(command[0]), *command[1:]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8"
    )


def found(name: str) -> str:
    path = shutil.which(name)
    assert path is not None
    return path


def events(command: list[str], stdin: str = "Hi") -> list[dict[str, Any]]:
    done = run(command, stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def test_claude_streams_the_events_of_its_provider_beside_whole_blocks(programs: Programs) -> None:
    programs.install("claude").replies(play(thinks("Hm"), says("Hello there")))
    got = events(CLAUDE)
    assert [(event["type"], event.get("event", {}).get("type")) for event in got] == [
        ("system", None),
        ("rate_limit_event", None),
        ("stream_event", "message_start"),
        ("stream_event", "content_block_start"),
        ("stream_event", "content_block_delta"),
        ("stream_event", "content_block_delta"),
        ("assistant", None),
        ("stream_event", "content_block_stop"),
        ("stream_event", "content_block_start"),
        ("stream_event", "content_block_delta"),
        ("stream_event", "content_block_delta"),
        ("assistant", None),
        ("stream_event", "content_block_stop"),
        ("stream_event", "message_delta"),
        ("stream_event", "message_stop"),
        ("result", None),
    ]
    assert len({event["uuid"] for event in got}) == len(got)
    assert len({event["session_id"] for event in got}) == 1


def test_what_claude_passes_on_is_valid_by_the_types_of_its_provider(programs: Programs) -> None:
    programs.install("claude").replies(play(thinks("Hm"), says("I look"), uses("Read", "text", path="a"), says("Done")))
    got = events(CLAUDE)
    partial: TypeAdapter[RawMessageStreamEvent] = TypeAdapter(RawMessageStreamEvent)
    for event in got:
        if event["type"] == "stream_event":
            partial.validate_python(event["event"])
        elif event["type"] == "assistant":
            Message.model_validate(event["message"])
    assert [block for event in got if event["type"] == "user" for block in event["message"]["content"]] == [
        {"tool_use_id": "toolu_1", "type": "tool_result", "content": "text", "is_error": False}
    ]
    assert (got[-1]["result"], got[-1]["num_turns"]) == ("Done", 2)


def test_claude_ends_with_the_result_its_cost_and_usage(programs: Programs) -> None:
    programs.install("claude").replies(play(says("Hello"), usage=USAGE))
    result = events(CLAUDE)[-1]
    assert {name: result[name] for name in ("type", "subtype", "is_error", "result", "total_cost_usd")} == {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": "Hello",
        "total_cost_usd": 0.0123,
    }
    assert {name: count for name, count in result["usage"].items() if name.endswith("tokens")} == {
        "input_tokens": 36,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 64,
        "output_tokens": 20,
    }


def test_without_partial_messages_claude_sends_whole_blocks_only(programs: Programs) -> None:
    programs.install("claude").replies(play(says("Hello there")))
    assert [event["type"] for event in events(CLAUDE[:-1])] == ["system", "rate_limit_event", "assistant", "result"]


def test_claude_uses_the_tools_of_a_server_and_stops_after_a_turn_if_it_is_told_to(
    programs: Programs, tmp_path: Path
) -> None:
    program = programs.install("claude").replies(play(calls(tool("vote", agent_id="a"), tool("vote")), says("Done")))
    servers = offered_server(tmp_path)

    done = run([*CLAUDE, "--mcp-config", str(servers), "--max-turns", "1"])

    lines = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert (done.returncode, done.stderr) == (1, "")
    assert [each["name"] for each in program.calls[0].tools] == ["vote"]
    assert (lines[0]["tools"], lines[0]["mcp_servers"]) == (
        ["mcp__teamwright__vote"],
        [{"name": "teamwright", "status": "connected"}],
    )
    for line in lines:
        if line["type"] == "stream_event":
            TypeAdapter[RawMessageStreamEvent](RawMessageStreamEvent).validate_python(line["event"])
    used, result = lines[-2:]
    assert [each["tool_use_id"] for each in used["message"]["content"]] == ["toolu_1", "toolu_2"]
    assert (result["subtype"], result["terminal_reason"]) == ("error_max_turns", "max_turns")


def offered_server(home: Path) -> Path:
    made = offer((VOTE,), Workplace(home), calls_answered=True)
    config = {"mcpServers": {"teamwright": {"command": made.command, "args": made.arguments}}}
    write_files({made.file: made.text, home / "servers.json": json.dumps(config)})
    return home / "servers.json"


def test_gemini_streams_deltas_and_ends_with_statistics(programs: Programs) -> None:
    programs.install("gemini").replies(
        play(
            thinks("Hm"), says("Hello there"), uses("ls", "a.py", dir="."), uses("rm", "no", ok=False, a=1), usage=USAGE
        )
    )
    counts = {"total_tokens": 120, "input_tokens": 100, "output_tokens": 20, "cached": 64, "input": 36}
    got = [{name: value for name, value in event.items() if name != "timestamp"} for event in events(GEMINI)]
    assert got == [
        {"type": "init", "session_id": "0b5c1d1e-5c1e-4c60-9d4c-0f0f0f0f0f0f", "model": "gemini-scripted"},
        {"type": "message", "role": "user", "content": "Hi"},
        {"type": "message", "role": "assistant", "content": "Hello ", "delta": True},
        {"type": "message", "role": "assistant", "content": "there", "delta": True},
        {"type": "tool_use", "tool_name": "ls", "tool_id": "ls-1", "parameters": {"dir": "."}},
        {"type": "tool_result", "tool_id": "ls-1", "status": "success", "output": "a.py"},
        {"type": "tool_use", "tool_name": "rm", "tool_id": "rm-2", "parameters": {"a": 1}},
        {
            "type": "tool_result",
            "tool_id": "rm-2",
            "status": "error",
            "output": "no",
            "error": {"type": "TOOL_EXECUTION_ERROR", "message": "no"},
        },
        {
            "type": "result",
            "status": "success",
            "stats": {**counts, "duration_ms": 1500, "tool_calls": 2, "models": {"gemini-scripted": counts}},
        },
    ]


def test_codex_sends_whole_items_and_ends_the_turn_with_its_usage(programs: Programs) -> None:
    programs.install("codex").replies(
        play(thinks("Hm"), uses("shell", "a.py", command="ls"), uses("ask", "yes", q="?"), says("Hi you"), usage=USAGE)
    )
    command = {"id": "item_1", "type": "command_execution", "command": "ls"}
    asked = {"id": "item_2", "type": "mcp_tool_call", "server": "scripted", "tool": "ask", "arguments": {"q": "?"}}
    answered = {"content": [{"type": "text", "text": "yes"}], "structured_content": None}
    assert events(CODEX) == [
        {"type": "thread.started", "thread_id": "0b5c1d1e-5c1e-4c60-9d4c-0f0f0f0f0f0f"},
        {"type": "turn.started"},
        {"type": "item.completed", "item": {"id": "item_0", "type": "reasoning", "text": "Hm"}},
        {
            "type": "item.started",
            "item": {**command, "aggregated_output": "", "exit_code": None, "status": "in_progress"},
        },
        {
            "type": "item.completed",
            "item": {**command, "aggregated_output": "a.py", "exit_code": 0, "status": "completed"},
        },
        {"type": "item.started", "item": {**asked, "result": None, "error": None, "status": "in_progress"}},
        {"type": "item.completed", "item": {**asked, "result": answered, "error": None, "status": "completed"}},
        {"type": "item.completed", "item": {"id": "item_3", "type": "agent_message", "text": "Hi you"}},
        {
            "type": "turn.completed",
            "usage": {
                "input_tokens": 100,
                "cached_input_tokens": 64,
                "cache_write_input_tokens": 0,
                "output_tokens": 20,
                "reasoning_output_tokens": 5,
            },
        },
    ]


@pytest.mark.parametrize(
    ("name", "status", "code", "last"),
    [
        ("claude", 429, 1, {"type": "result", "is_error": True, "api_error_status": 429, "result": "Too fast"}),
        ("gemini", 429, 1, {"type": "result", "error": {"type": "ApiError", "message": "[API Error: Too fast]"}}),
        (
            "gemini",
            401,
            41,
            {
                "type": "result",
                "error": {"type": "FatalAuthenticationError", "message": "[API Error: Too fast]"},
            },
        ),
        ("codex", 429, 1, {"type": "turn.failed", "error": {"message": "Too fast"}}),
    ],
)
def test_each_program_reports_a_refusal_of_its_provider_in_its_own_way(
    programs: Programs, name: ProgramName, status: int, code: int, last: dict[str, Any]
) -> None:
    programs.install(name).replies(play(then=reports(status, "Too fast")))
    done = run(COMMANDS[name])
    assert done.returncode == code
    assert last.items() <= json.loads(done.stdout.split("\n")[-2]).items()


@pytest.mark.parametrize(
    ("name", "line"),
    [("claude", "2.1.232 (Claude Code)"), ("gemini", "0.56.0"), ("codex", "codex-cli 0.149.0")],
)
def test_each_program_tells_its_version_and_does_not_count_it_as_a_call(
    programs: Programs, name: ProgramName, line: str
) -> None:
    program = programs.install(name)
    assert run([name, "--version"]).stdout == f"{line}\n"
    program.version("0.0.1")
    assert "0.0.1" in run([name, "--version"]).stdout
    assert program.calls == []


def test_a_call_is_recorded_with_its_arguments_environment_and_input(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = programs.install("codex").replies(play(says("Hello")), play(says("Again")))
    monkeypatch.setenv("SCRIPTED_SECRET", "sk-secret")
    run(CODEX, "Grüße")
    bare = {name: value for name, value in os.environ.items() if name == "SYSTEMROOT"}
    subprocess.run([program.path, "exec", "--json", "the prompt"], cwd=tmp_path, input=b"", env=bare, check=True)
    first, second = program.calls
    assert (first.argv, first.stdin, second.argv, second.stdin) == (
        ["exec", "--json", "-"],
        "Grüße",
        ["exec", "--json", "the prompt"],
        "",
    )
    assert second.cwd == str(tmp_path)
    assert "SCRIPTED_SECRET" in first.env
    assert "SCRIPTED_SECRET" not in second.env
    assert "sk-secret" not in "".join(file.read_text(encoding="utf-8") for file in programs.home.glob("*.json"))


@pytest.mark.parametrize("name", KINDS)
def test_a_crash_comes_after_what_was_said_with_its_code_and_its_stderr(programs: Programs, name: ProgramName) -> None:
    programs.install(name).replies(play(says("Hel"), warns("low on memory"), then=crashes(3, "out of memory")))
    done = run(COMMANDS[name])
    assert (done.returncode, done.stderr) == (3, "low on memory\nout of memory\n")
    assert "Hel" in done.stdout


def test_garbage_and_a_line_cut_short_are_printed_as_they_are(programs: Programs) -> None:
    programs.install("gemini").replies(
        play(prints("(node:7) Warning: deprecated"), says("Hi"), then=prints_partly('{"type":"resu'))
    )
    lines = run(GEMINI).stdout.split("\n")
    assert lines[2] == "(node:7) Warning: deprecated"
    assert lines[-1] == '{"type":"resu'


@pytest.mark.parametrize("ignoring", [False, True])
def test_a_hanging_program_has_said_what_it_had_to_say_and_waits_to_be_ended(
    programs: Programs, *, ignoring: bool
) -> None:
    programs.install("codex").replies(play(says("Hello"), then=hangs(ignoring_termination=ignoring)))
    with start(CODEX) as program:
        assert program.stdout is not None
        assert "Hello" in [program.stdout.readline() for _ in range(3)][-1]
        assert program.poll() is None
        program.kill() if ignoring else program.terminate()
        assert program.wait(10) != 0


def test_two_programs_wait_at_the_same_gate_at_the_same_time(programs: Programs, models: ModelServer) -> None:
    gate = models.gate("both of them / at once")
    codex = programs.install("codex").replies(play(waits_at(gate), says("A")), play(waits_at(gate), says("B")))
    with start(CODEX) as one, start(CODEX) as other:
        gate.wait_reached(2)
        gate.release()
        said = "".join(program.communicate(timeout=PATIENCE_SECONDS)[0] for program in (one, other))
    assert '"text":"A"' in said
    assert '"text":"B"' in said
    assert len({call.pid for call in codex.calls}) == 2


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ([*CLAUDE[:4], "--include-partial-messages"], "requires --verbose"),
        ([*CLAUDE, "--no-such-flag"], "--no-such-flag"),
        (["claude", "-p", "Hi"], "stream-json"),
        (["gemini", "-p", "Hi"], "stream-json"),
        ([*GEMINI, "--no-such-flag"], "--no-such-flag"),
        (["codex", "exec", "Hi"], "--json"),
        (["codex", "--json", "Hi"], "exec"),
    ],
)
def test_arguments_that_the_real_program_would_refuse_are_refused(
    programs: Programs, command: list[str], complaint: str
) -> None:
    program = next(programs.install(name) for name in KINDS if name == command[0])
    program.replies(play(says("never")))
    done = run(command)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert [call.argv for call in program.calls] == [command[1:]]


def test_a_call_too_many_fails_the_test(programs: Programs) -> None:
    programs.install("gemini")
    done = run(GEMINI)
    assert (done.returncode, done.stderr) == (70, "fake gemini: the script has no play for call 1\n")
    with pytest.raises(AssertionError, match="fake gemini: the script has no play for call 1"):
        programs.check()
    for file in programs.home.glob("*.complaint-*"):
        file.unlink()


def test_only_installed_programs_are_on_the_path(programs: Programs) -> None:
    programs.install("claude")
    assert [name for name in KINDS if shutil.which(name)] == ["claude"]
    assert os.environ["PATH"].startswith(f"{programs.home}{os.pathsep}")
    assert shutil.which(sys.executable) is not None
