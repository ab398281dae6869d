"""Fake command-line programs that speak the real streaming JSON of Claude Code, Gemini CLI and Codex CLI.

programs.install("claude").replies(play(thinks("Hm"), says("Hello there")), play(then=crashes(1, "out of memory")))
"""

import json
import re
from typing import TYPE_CHECKING, Any

from tests.support.programs.play import (
    Act,
    CallsTools,
    Crashes,
    Ending,
    Fails,
    Hangs,
    Play,
    Prints,
    PrintsPartly,
    Says,
    Thinks,
    UsesTool,
    WaitsAt,
    Warns,
)
from tests.support.usage import Usage

if TYPE_CHECKING:
    # The fake program starts with this module, and is to start fast.
    from tests.support.model_server import Gate


def play(*acts: Act, then: Ending | None = None, usage: Usage | None = None) -> Play:
    """One run of the program. It ends well unless `then` says otherwise."""
    return Play(acts, then, usage or Usage())


def says(*fragments: str) -> Says:
    """One string is streamed word by word, several are streamed as they are given."""
    return Says(_fragments(fragments))


def thinks(*fragments: str) -> Thinks:
    return Thinks(_fragments(fragments))


def uses(name: str, output: str = "done", /, *, ok: bool = True, **arguments: Any) -> UsesTool:
    return UsesTool(name, arguments, output, ok)


def calls(*tools: tuple[str, str]) -> CallsTools:
    return CallsTools(tools)


def tool(name: str, /, **arguments: Any) -> tuple[str, str]:
    return name, json.dumps(arguments)


def garbled_tool(name: str, arguments: str) -> tuple[str, str]:
    """For Claude Code alone, which passes on what its model wrote, though it be no JSON."""
    return name, arguments


def prints(line: str) -> Prints:
    return Prints(line)


def prints_partly(text: str) -> PrintsPartly:
    return PrintsPartly(text)


def warns(line: str) -> Warns:
    return Warns(line)


def waits_at(gate: "Gate") -> WaitsAt:
    return WaitsAt(gate.url)


def crashes(code: int = 1, stderr: str = "Error: something broke") -> Crashes:
    return Crashes(code, stderr)


def reports(status: int, message: str) -> Fails:
    """The provider behind the program refuses with this status."""
    return Fails(status, message)


def hangs(*, ignoring_termination: bool = False) -> Hangs:
    return Hangs(ignoring_termination)


def _fragments(given: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(re.findall(r"\S+\s*|\s+", given[0])) if len(given) == 1 else given
