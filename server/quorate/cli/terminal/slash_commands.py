"""What is typed with a slash: about the conversation, and not part of it."""

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

from quorate.cli.session_tables import sessions_table
from quorate.cli.terminal.talk import Line, Talk
from quorate.cli.terminal.wording import counted, duration, spending
from quorate.protocol.commands import ModesParams, SessionListParams, SessionRenameParams
from quorate.protocol.errors import NotFound, UserError
from quorate.protocol.ids import SessionId
from quorate.protocol.modes import Modes
from quorate.protocol.validation import parse_params
from quorate.runtime.modes import set_modes
from quorate.runtime.shelf.shelf import Shelf
from quorate.runtime.supervisor import Supervisor

_COMMAND: Final = re.compile(r"/[a-z]*(?=\s|$)")
_SESSIONS_SHOWN: Final = 15
_VALUES: Final[dict[str, object]] = {"on": True, "off": False, "true": True, "false": False, "null": None}


class Leave:
    """The wish to end the conversation."""


class CurrentSession(Protocol):
    """The conversation, as far as commands change what it is about."""

    session_id: SessionId | None

    async def open(self, session_id: SessionId) -> None: ...

    def leave_session(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _Command:
    usage: str
    meaning: str
    carry_out: Callable[[str], Awaitable[type[Leave] | None]]


def is_command(line: str) -> bool:
    """A path such as /etc/hosts is none."""
    return _COMMAND.match(line) is not None


class SlashCommands:
    def __init__(self, conversation: CurrentSession, supervisor: Supervisor, shelf: Shelf, talk: Talk) -> None:
        self._conversation = conversation
        self._supervisor = supervisor
        self._shelf = shelf
        self._talk = talk
        self._commands: dict[str, _Command] = {
            "/help": _Command("/help", "this list", self._help),
            "/sessions": _Command("/sessions [TEXT]", "the latest sessions, or those with a text", self._sessions),
            "/open": _Command("/open ID", "go on with another session", self._open),
            "/new": _Command("/new", "begin a new session", self._new),
            "/rename": _Command("/rename TITLE", "give this session another title", self._rename),
            "/modes": _Command("/modes [NAME=VALUE ...]", "show how work is done, or change it", self._modes),
            "/plan": _Command("/plan [on|off]", "let the team plan first, and carry out what you approve", self._plan),
            "/compact": _Command("/compact", "have what was said earlier summed up", self._compact),
            "/stats": _Command("/stats", "what this session has used", self._stats),
            "/quit": _Command("/quit", "leave; the session is kept", self._quit),
        }

    async def carry_out(self, line: str) -> type[Leave] | None:
        name, _, rest = line.strip().partition(" ")
        command = self._commands.get("/quit" if name == "/exit" else name)
        if command is None:
            self._talk.tell(Line(f"There is no command {name}; /help lists them.", "alarm"))
            return None
        try:
            return await command.carry_out(rest.strip())
        except UserError as fault:
            self._talk.tell(Line(fault.message, "alarm"))
            return None

    async def _help(self, _rest: str) -> None:
        width = max(len(command.usage) for command in self._commands.values())
        self._talk.tell(*(Line(f"  {each.usage:<{width}}  {each.meaning}") for each in self._commands.values()))

    async def _sessions(self, rest: str) -> None:
        asked = {"limit": _SESSIONS_SHOWN, **({"query": rest} if rest else {})}
        listed = (await self._shelf.list(parse_params(SessionListParams, asked))).sessions
        if listed:
            self._talk.tell(*(Line(row) for row in sessions_table(listed)))
        else:
            self._talk.tell(Line("There is no such session." if rest else "There are no sessions yet.", "faint"))

    async def _open(self, rest: str) -> None:
        if not rest:
            raise NotFound("Which one? /sessions shows their ids.")
        await self._conversation.open(SessionId(rest))

    async def _new(self, _rest: str) -> None:
        self._conversation.leave_session()
        self._talk.tell(Line("What you say next begins a new session.", "faint"))

    async def _rename(self, rest: str) -> None:
        params = parse_params(SessionRenameParams, {"session_id": self._current(), "title": rest})
        renamed = await self._shelf.rename(params)
        self._talk.tell(Line(f"This session is now called “{renamed.title}”.", "faint"))

    async def _modes(self, rest: str) -> None:
        await self._set_modes(dict(_assignments(rest)))

    async def _plan(self, rest: str) -> None:
        now = await self._changed({})
        await self._set_modes({"plan": _VALUES.get(rest, rest) if rest else not now.plan})

    async def _compact(self, _rest: str) -> None:
        session = await self._supervisor.existing(self._current())
        carry_out = await session.compacting.begin()
        await carry_out()

    async def _stats(self, _rest: str) -> None:
        stats = await self._shelf.stats(self._current())
        figures = (
            counted(stats.turns, "turn"),
            counted(stats.runs, "run"),
            counted(stats.messages, "message"),
            counted(stats.usage.calls, "model call"),
            *spending(stats.usage, stats.cost_usd),
            f"{duration(stats.seconds)} at work",
        )
        self._talk.tell(Line(", ".join(figures)))

    async def _quit(self, _rest: str) -> type[Leave]:
        return Leave

    async def _set_modes(self, change: dict[str, Any]) -> None:
        modes = await self._changed(change)
        self._talk.tell(*(Line(f"  {name:<11} {_shown(value)}") for name, value in dict(modes).items()))

    async def _changed(self, change: dict[str, Any]) -> Modes:
        session_id = self._conversation.session_id
        about = {} if session_id is None else {"session_id": session_id}
        return await set_modes(self._supervisor, parse_params(ModesParams, {**change, **about}))

    def _current(self) -> SessionId:
        if self._conversation.session_id is None:
            raise NotFound("There is no session yet; it begins with your first message.")
        return self._conversation.session_id


def _assignments(text: str) -> Iterator[tuple[str, object]]:
    for part in text.split():
        name, _, value = part.partition("=")
        yield name, _VALUES.get(value.lower(), value)


def _shown(value: object) -> str:
    match value:
        case None:
            return "as the assistant decides"
        case bool():
            return "on" if value else "off"
        case _:
            return str(value)
