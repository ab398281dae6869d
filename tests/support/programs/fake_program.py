"""A command-line program that plays a script: it records how it was called, and then speaks in its dialect.

Its directory holds `<name>.script.json`, and gets one `<name>.call-<number>.json` for each call. Nothing comes from
the environment, which the caller may have emptied.
"""

import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NoReturn, assert_never

from tests.support.programs.dialect import Dialect, Event, Invocation, Use
from tests.support.programs.kinds import KINDS, ProgramName
from tests.support.programs.play import (
    Act,
    CallsTools,
    Crashes,
    Ending,
    Fails,
    Hangs,
    Prints,
    PrintsPartly,
    ProgramScript,
    Says,
    Thinks,
    UsesTool,
    WaitsAt,
    Warns,
    script_from_json,
)
from tests.support.programs.tool_server import ToolServer

UNSCRIPTED_EXIT = 70


def main(name: ProgramName, home: Path, argv: Sequence[str]) -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    kind = KINDS[name]
    script = script_from_json((home / f"{name}.script.json").read_text(encoding="utf-8"))
    if argv == ["--version"]:
        _print(kind.version_line(script.version))
        return 0
    number = _claimed_number(name, home)
    record = home / f"{name}.call-{number}.json"
    _record(record, argv)
    asked = kind.invocation(argv)
    stdin = _stdin(asked)
    servers = _servers(asked, script)
    _record(record, argv, stdin, asked.system, servers)
    if number > len(script.plays):
        complaint = f"fake {name}: the script has no play for call {number}"
        (home / f"{name}.complaint-{number}.txt").write_text(complaint, encoding="utf-8")
        _warn(complaint)
        return UNSCRIPTED_EXIT
    play = script.plays[number - 1]
    if play.ending == Hangs(ignoring_termination=True):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    dialect = kind.dialect(asked, script.version)
    _emit(dialect.begins(asked.prompt or stdin, servers))
    for act in play.acts:
        _perform(act, dialect, _use(servers))
        if asked.one_turn and script.heeds_turn_limit and isinstance(act, UsesTool | CallsTools):
            _emit(dialect.stops_after_a_turn(play.usage))
            return dialect.turn_limit_exit
    if play.ending is not None:
        return _end(play.ending, dialect)
    _emit(dialect.ends(play.usage))
    for server in servers:
        server.close()
    return 0


def _servers(asked: Invocation, script: ProgramScript) -> list[ToolServer]:
    if not asked.servers or not script.servers_start:
        return []
    if script.watcher_port is None:
        return [ToolServer(server, None) for server in asked.servers]
    with socket.create_connection(("127.0.0.1", script.watcher_port)) as watcher:
        return [ToolServer(server, watcher) for server in asked.servers]


def _use(servers: Sequence[ToolServer]) -> Use:
    def use(name: str, arguments: str) -> str:
        server = next(server for server in servers if any(tool["name"] == name for tool in server.tools))
        try:
            return server.use(name, json.loads(arguments))
        except json.JSONDecodeError:
            return "the input is no JSON"

    return use


def _perform(act: Act, dialect: Dialect, use: Use) -> None:
    match act:
        case Says(fragments=fragments):
            _emit(dialect.says(fragments))
        case Thinks(fragments=fragments):
            _emit(dialect.thinks(fragments))
        case UsesTool():
            _emit(dialect.uses_tool(act))
        case CallsTools():
            _emit(dialect.calls_tools(act, use))
        case Prints(line=line):
            _print(line)
        case Warns(line=line):
            _warn(line)
        case WaitsAt(gate_url=url):
            _pass(url)
        case _:
            assert_never(act)


def _pass(gate_url: str) -> None:
    import urllib.request  # takes longer to import than all the rest, and few plays need it

    urllib.request.urlopen(f"{gate_url}/passage").close()


def _end(ending: Ending, dialect: Dialect) -> int:
    match ending:
        case PrintsPartly(text=text):
            _write(text)
            return 0
        case Crashes(code=code, stderr=stderr):
            _warn(stderr)
            return code
        case Fails():
            _emit(dialect.fails(ending))
            return dialect.exit_code(ending)
        case Hangs():
            return _hang()
        case _:
            assert_never(ending)


def _hang() -> NoReturn:
    while True:
        threading.Event().wait()


def _claimed_number(name: ProgramName, home: Path) -> int:
    """The number of this call. Calls at the same time each get their own: only one can create a file."""
    number = 1
    while True:
        try:
            (home / f"{name}.claim-{number}").touch(exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return number


def _stdin(asked: Invocation) -> str:
    stdin = sys.stdin.buffer
    return (stdin.readline() if asked.input_lines else stdin.read()).decode()


def _record(
    path: Path, argv: Sequence[str], stdin: str | None = None, system: str = "", servers: Sequence[ToolServer] = ()
) -> None:
    call = {
        "argv": list(argv),
        "env": sorted(os.environ),
        "cwd": str(Path.cwd()),
        "stdin": stdin,
        "pid": os.getpid(),
        "system": system,
        "tools": [tool for server in servers for tool in server.tools],
    }
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps(call), encoding="utf-8")
    unfinished.replace(path)


def _emit(events: Iterable[Event]) -> None:
    for event in events:
        _print(json.dumps(event, ensure_ascii=False, separators=(",", ":")))


def _print(line: str) -> None:
    _write(f"{line}\n")


def _write(text: str) -> None:
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def _warn(line: str) -> None:
    sys.stderr.buffer.write(f"{line}\n".encode())
    sys.stderr.buffer.flush()
