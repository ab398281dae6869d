"""What is typed with a slash: about the conversation, and not part of it."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, Final, Protocol
from urllib.parse import unquote

from teamwright.application import modes, runs, sessions, tasks
from teamwright.cli.history.tables import sessions_table
from teamwright.cli.terminal.blocks import Cell, Columns, Line
from teamwright.cli.terminal.decision_prompter import needs_windows
from teamwright.cli.terminal.field_prompts import completed
from teamwright.cli.terminal.run_options import session_named
from teamwright.cli.terminal.terminal_client import TerminalClient
from teamwright.cli.terminal.terminal_io import TerminalIO
from teamwright.engine.transcript.tasks import state_in_words
from teamwright.engine.transcript.words import counted, duration, spending
from teamwright.protocol.commands import (
    ChangesResult,
    LaunchRunParams,
    ModesParams,
    SessionListParams,
    SessionParams,
    SessionRenameParams,
    SessionTasksParams,
)
from teamwright.protocol.errors import BadParams, FieldError, NotFound, UserError
from teamwright.protocol.ids import SessionId
from teamwright.protocol.modes import Modes
from teamwright.protocol.plans import ListedTask, TaskList, TaskState
from teamwright.protocol.transcript import Action, DiffPart, Entry, LinkPart
from teamwright.protocol.validation import parse_params

# Each with what it takes and what it does.
_COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "/help": ("", "this list"),
    "/run": ("TASK", "put a task to the team straight away"),
    "/sessions": ("[TEXT]", "the latest sessions, or those with a text"),
    "/open": ("ID", "go on with another session"),
    "/new": ("", "begin a new session"),
    "/rename": ("TITLE", "give this session another title"),
    "/actions": ("[NUMBER]", "what can be done with what stands above, or do it"),
    "/tasks": ("[add TITLE | done N | drop N | open N]", "the list of tasks, or change it"),
    "/modes": ("[NAME=VALUE ...]", "show how work is done, or change it"),
    "/plan": ("[on|off]", "let the team plan first, and carry out what you approve"),
    "/compact": ("", "have what was said earlier summed up"),
    "/stats": ("", "what this session has used"),
    "/quit": ("", "leave; the session is kept"),
}
COMMANDS: Final[Mapping[str, str]] = {name: meaning for name, (_, meaning) in _COMMANDS.items()}

_COMMAND: Final = re.compile(r"/[a-z]*(?=\s|$)")
_SESSIONS_SHOWN: Final = 15
_ACTIONS_SHOWN: Final = 60
# As the guide calls them, where the wire has other names.
_MODES: Final[Mapping[str, str]] = {"agents": "agentMode", "agent": "agentId"}
_MODE_NAMES: Final[Mapping[str, str]] = {"agent_mode": "agents", "agent_id": "agent"}
_TASK_STATES: Final[Mapping[str, TaskState]] = {"done": "done", "drop": "dropped", "open": "pending"}
_VALUES: Final[dict[str, object]] = {"on": True, "off": False, "true": True, "false": False, "null": None}


class Leave:
    """The wish to end the conversation."""


class Conversation(Protocol):
    """As far as commands change what it is about."""

    async def open(self, session_id: SessionId) -> None: ...

    async def leave_session(self) -> None: ...


def is_command(line: str) -> bool:
    """A path such as /etc/hosts is none."""
    return _COMMAND.match(line) is not None


class SlashCommands:
    def __init__(self, conversation: Conversation, client: TerminalClient, io: TerminalIO) -> None:
        self._conversation = conversation
        self._client = client
        self._io = io
        self._functions: dict[str, Callable[[str], Awaitable[type[Leave] | None]]] = {
            "/help": self._help,
            "/run": self._run,
            "/sessions": self._sessions,
            "/open": self._open,
            "/new": self._new,
            "/rename": self._rename,
            "/actions": self._actions,
            "/tasks": self._tasks,
            "/modes": self._modes,
            "/plan": self._plan,
            "/compact": self._compact,
            "/stats": self._stats,
            "/quit": self._quit,
            "/exit": self._quit,
        }

    async def carry_out(self, line: str) -> type[Leave] | None:
        name, _, rest = line.strip().partition(" ")
        function = self._functions.get(name)
        if function is None:
            self._io.show(Line(f"There is no command {name}; /help lists them.", "alarm"))
            return None
        try:
            return await function(rest.strip())
        except UserError as fault:
            self._io.show(Line(fault.message, "alarm"))
            return None

    async def _help(self, _rest: str) -> None:
        rows = ((Cell(f"{name} {takes}".rstrip()), Cell(meaning)) for name, (takes, meaning) in _COMMANDS.items())
        self._io.show(Columns(tuple(rows), indent=2))

    async def _run(self, rest: str) -> None:
        if not rest:
            raise NotFound("Say what the team shall do: /run TASK")
        launched = await runs.launch_run(
            self._client.context, LaunchRunParams(task=rest, session_id=self._client.session_id)
        )
        self._client.session_id = launched.session_id

    async def _sessions(self, rest: str) -> None:
        asked = {"limit": _SESSIONS_SHOWN, **({"query": rest} if rest else {})}
        params = parse_params(SessionListParams, asked)
        listed = (await sessions.list_sessions(self._client.context, params)).sessions
        if listed:
            self._io.show(*(Line(row, is_code=True) for row in sessions_table(listed)))
        else:
            self._io.show(Line("There is no such session." if rest else "There are no sessions yet.", "faint"))

    async def _open(self, rest: str) -> None:
        if not rest:
            raise NotFound("Which one? /sessions shows their ids.")
        await self._conversation.open(session_named(rest))

    async def _new(self, _rest: str) -> None:
        await self._conversation.leave_session()
        self._io.show(Line("What you say next begins a new session.", "faint"))

    async def _rename(self, rest: str) -> None:
        params = parse_params(SessionRenameParams, {"session_id": self._current(), "title": rest})
        renamed = await sessions.rename(self._client.context, params)
        self._io.show(Line(f"This session is now called “{renamed.title}”.", "faint"))

    async def _actions(self, rest: str) -> None:
        every = list(_offered(self._client.printer.entries))
        offered = every[-_ACTIONS_SHOWN:]
        if not rest:
            rows = tuple(
                (Cell(str(number), "faint", is_number=True), Cell(action.label), Cell(_about(entry, action), "faint"))
                for number, (entry, action) in enumerate(offered, 1)
            )
            self._io.show(Columns(rows, indent=2) if rows else Line("There is nothing that could be done.", "faint"))
            if unlisted := len(every) - len(offered):
                self._io.show(Line(f"({counted(unlisted, 'earlier one')} not listed)", "faint", indent=2))
            return
        if not rest.isdecimal() or not 1 <= int(rest) <= len(offered):
            raise NotFound("There is no such action; /actions shows them.")
        _, action = offered[int(rest) - 1]
        arguments = await completed(self._io, action, {})
        if arguments is not None:
            done = await self._client.execute(action.command, arguments)
            if isinstance(done, ChangesResult):
                # What was refused is no fact of the transcript's.
                refused = [file for file in done.settled if file.outcome == "conflicted"]
                self._io.show(*(Line(f"{_name_of(file.uri)}: {file.reason}", "alarm") for file in refused))

    async def _tasks(self, rest: str) -> None:
        context, session_id = self._client.context, self._current()
        known = (await tasks.tasks(context, SessionTasksParams(session_id=session_id))).tasks
        if rest:
            edited = {"session_id": session_id, "tasks": _edited(known, rest)}
            known = (await tasks.tasks(context, parse_params(SessionTasksParams, edited))).tasks
        rows = tuple((Cell(str(number), "faint", is_number=True), *_task(task)) for number, task in enumerate(known, 1))
        self._io.show(Columns(rows, indent=2) if rows else Line("There is no list of tasks yet.", "faint"))

    async def _modes(self, rest: str) -> None:
        await self._set_modes(dict(_assignments(rest)))

    async def _plan(self, rest: str) -> None:
        now = await self._changed({})
        await self._set_modes({"plan": _VALUES.get(rest, rest) if rest else not now.plan})

    async def _compact(self, _rest: str) -> None:
        await sessions.compact(self._client.context, SessionParams(session_id=self._current()))

    async def _stats(self, _rest: str) -> None:
        stats = await sessions.stats(self._client.context, SessionParams(session_id=self._current()))
        figures = (
            counted(stats.turns, "turn"),
            counted(stats.runs, "run"),
            counted(stats.messages, "message"),
            counted(stats.usage.calls, "model call"),
            *spending(stats.usage, stats.cost_usd),
            f"{duration(stats.seconds)} at work",
        )
        self._io.show(Line(", ".join(figures)))

    async def _quit(self, _rest: str) -> type[Leave]:
        return Leave

    async def _set_modes(self, change: dict[str, Any]) -> None:
        in_force = await self._changed(change)
        rows = ((Cell(_MODE_NAMES.get(name, name)), Cell(_shown(value))) for name, value in dict(in_force).items())
        self._io.show(Columns(tuple(rows), indent=2))

    async def _changed(self, change: dict[str, Any]) -> Modes:
        session_id = self._client.session_id
        about = {} if session_id is None else {"session_id": session_id}
        return await modes.modes(self._client.context, parse_params(ModesParams, {**change, **about}))

    def _current(self) -> SessionId:
        if self._client.session_id is None:
            raise NotFound("There is no session yet; it begins with your first message.")
        return self._client.session_id


def _offered(entries: Iterator[Entry]) -> Iterator[tuple[Entry, Action]]:
    """Decisions are asked by themselves; what opens or marks something is for clients with windows."""
    for entry in entries:
        if entry.state != "waiting":
            yield from ((entry, action) for action in entry.actions if not needs_windows(action))


def _about(entry: Entry, action: Action) -> str:
    """The part that it is for, such as one finding of many; else the whole entry."""
    part = next((part for part in entry.parts if action.part is not None and part.part == action.part), None)
    if isinstance(part, LinkPart):
        return f"{part.title} ({part.text})" if part.title else part.text
    return part.text if isinstance(part, DiffPart) else entry.title or ""


def _edited(known: TaskList, words: str) -> list[dict[str, object]]:
    """Raises BadParams with how it is said."""
    verb, _, rest = words.partition(" ")
    edits: list[dict[str, object]] = [task.to_wire() for task in known]
    if verb == "add" and rest.strip():
        return [*edits, {"title": rest.strip()}]
    number = rest.strip()
    if verb not in _TASK_STATES or not number.isdecimal() or not 1 <= int(number) <= len(edits):
        raise BadParams([FieldError(path="tasks", message="say add TITLE, done N, drop N or open N")])
    edits[int(number) - 1]["state"] = _TASK_STATES[verb]
    return edits


def _task(task: ListedTask) -> tuple[Cell, Cell]:
    words, tone = state_in_words(task.state)
    return Cell(words, tone), Cell(task.title)


def _assignments(text: str) -> Iterator[tuple[str, object]]:
    for part in text.split():
        name, _, value = part.partition("=")
        yield _MODES.get(name, name), _VALUES.get(value.lower(), value)


def _shown(value: object) -> str:
    match value:
        case None:
            return "as the assistant decides"
        case bool():
            return "on" if value else "off"
        case _:
            return str(value)


def _name_of(uri: str) -> str:
    return unquote(uri.rpartition("/")[2])
