"""What a fake program does in one run: the vocabulary of its scripts, and their form as JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from tests.support.usage import Usage


@dataclass(frozen=True)
class Says:
    fragments: Sequence[str]


@dataclass(frozen=True)
class Thinks:
    fragments: Sequence[str]


@dataclass(frozen=True)
class UsesTool:
    """The program uses one of its own tools. Such calls are not ours to answer."""

    name: str
    input: Mapping[str, Any]
    output: str
    ok: bool = True


@dataclass(frozen=True)
class CallsTools:
    """One message of the model with calls of tools that an MCP server offers, each a name and arguments as JSON."""

    calls: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Prints:
    """A line on stdout that is no event of the dialect."""

    line: str


@dataclass(frozen=True)
class Warns:
    """A line on stderr."""

    line: str


@dataclass(frozen=True)
class WaitsAt:
    """The program waits at a gate of the model server."""

    gate_url: str


@dataclass(frozen=True)
class PrintsPartly:
    """The beginning of a line, and then the program ends as if all were well."""

    text: str


@dataclass(frozen=True)
class Crashes:
    code: int
    stderr: str


@dataclass(frozen=True)
class Fails:
    """The provider refuses, and the program reports it in its own way."""

    status: int
    message: str


@dataclass(frozen=True)
class Hangs:
    ignoring_termination: bool


Act: TypeAlias = Says | Thinks | UsesTool | CallsTools | Prints | Warns | WaitsAt
Ending: TypeAlias = PrintsPartly | Crashes | Fails | Hangs

_ACTS: Mapping[str, type[Act]] = {
    kind.__name__: kind for kind in (Says, Thinks, UsesTool, CallsTools, Prints, Warns, WaitsAt)
}
_ENDINGS: Mapping[str, type[Ending]] = {kind.__name__: kind for kind in (PrintsPartly, Crashes, Fails, Hangs)}


@dataclass(frozen=True)
class Play:
    """One run of the program. It ends well unless it has another ending."""

    acts: Sequence[Act]
    ending: Ending | None
    usage: Usage


@dataclass(frozen=True)
class ProgramScript:
    version: str
    plays: Sequence[Play]
    servers_start: bool = True
    """Whether the program starts MCP servers as it is asked to."""
    heeds_turn_limit: bool = True
    watcher_port: int | None = None
    """Where someone waits until the last MCP server is gone."""


def script_to_json(script: ProgramScript) -> str:
    plays = [
        {
            "acts": [_named(act) for act in play.acts],
            "ending": play.ending and _named(play.ending),
            "usage": asdict(play.usage),
        }
        for play in script.plays
    ]
    return json.dumps({**vars(script), "plays": plays})


def script_from_json(text: str) -> ProgramScript:
    given = json.loads(text)
    plays = [
        Play(
            acts=[_ACTS[kind](**fields) for kind, fields in play["acts"]],
            ending=play["ending"] and _ENDINGS[play["ending"][0]](**play["ending"][1]),
            usage=Usage(**play["usage"]),
        )
        for play in given["plays"]
    ]
    return ProgramScript(**(given | {"plays": plays}))


def _named(step: Act | Ending) -> tuple[str, dict[str, Any]]:
    return type(step).__name__, asdict(step)
