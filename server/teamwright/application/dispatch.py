"""From a command's name and JSON to its function: for doors that are told what to do by name."""

from dataclasses import dataclass
from typing import Any, cast

from teamwright.application import (
    changes,
    chat,
    decisions,
    lessons,
    modes,
    projects,
    remembered,
    reviews,
    runs,
    sessions,
    status,
    tasks,
)
from teamwright.application.context import CommandContext
from teamwright.application.registry import FUNCTIONS
from teamwright.protocol.base import Wire
from teamwright.protocol.command_table import (
    COMMANDS,
    RESERVED,
    Command,
    NamedSession,
    NewSession,
    NoSession,
    SessionWith,
)
from teamwright.protocol.errors import BadParams, FieldError, NotFound, Reserved, UserError
from teamwright.protocol.validation import parse_params

# Each registers its functions when it is loaded.
SUBJECTS = (changes, chat, decisions, lessons, modes, projects, remembered, reviews, runs, sessions, status, tasks)


@dataclass(frozen=True, slots=True)
class Call:
    """A command that can be carried out: it exists, and its params are sound."""

    command: Command[Any, Any]
    params: Wire


def read_call(name: object, arguments: object) -> Call:
    """`arguments` as in `workspace/executeCommand`: none, or a list of one object.

    Raises NotFound, Reserved and BadParams.
    """
    if isinstance(name, str) and name in RESERVED:
        raise Reserved(RESERVED[name])
    if not isinstance(name, str) or name not in COMMANDS:
        raise NotFound(f"There is no command {name!r}; the server's capabilities list those it has.")
    command = COMMANDS[name]
    return Call(command, parse_params(command.params, _only_argument(arguments)))


async def carry_out(context: CommandContext, call: Call) -> Wire:
    """Raises UserError."""
    return await FUNCTIONS[call.command.name](context, call.params)


async def session_of(context: CommandContext, call: Call) -> NamedSession | NewSession | NoSession:
    """The session that a call is about, as far as it can be known before it is carried out."""
    match call.command.concern(call.params):
        case SessionWith(part_id):
            services = await context.services()
            try:
                return NamedSession(await services.store.find_session(part_id))
            except UserError:
                # Whoever carries the call out says what is wrong.
                return NoSession()
        case known:
            return known


def _only_argument(arguments: object) -> object:
    if arguments is None:
        return None
    if not isinstance(arguments, list) or len(cast("list[object]", arguments)) > 1:
        raise BadParams([FieldError(path="arguments", message="must be a list with one object in it")])
    return next(iter(cast("list[object]", arguments)), None)
