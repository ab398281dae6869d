"""A command's way: name, params as a dict, typed params, handler, result."""

from collections.abc import Awaitable, Callable
from typing import Any, cast

from quorate.lsp.handlers import changes, chat, decisions, modes, projects, reviews, runs, sessions, status
from quorate.lsp.handlers.desk import Desk
from quorate.protocol.commands import COMMANDS
from quorate.protocol.errors import BadParams, FieldError, NotFound, Reserved
from quorate.protocol.names import RESERVED_COMMAND_NAMES
from quorate.protocol.validation import parse_params

Handler = Callable[[Desk, Any], Awaitable[Any]]

HANDLERS: dict[str, Handler] = {
    "quorate.chat": chat.chat,
    "quorate.modes": modes.modes,
    "quorate.cancel": chat.cancel,
    "quorate.launch_run": runs.launch_run,
    "quorate.override": runs.override,
    "quorate.steer": runs.steer,
    "quorate.run.list": runs.list_runs,
    "quorate.run.open": runs.open_run,
    "quorate.changes.open": changes.open_change,
    "quorate.changes.apply": changes.apply,
    "quorate.changes.discard": changes.discard,
    "quorate.changes.undo": changes.undo,
    "quorate.approve": decisions.approve,
    "quorate.respond": decisions.respond,
    "quorate.session.list": sessions.list_sessions,
    "quorate.session.open": sessions.open_session,
    "quorate.session.close": sessions.close_session,
    "quorate.session.search": sessions.search,
    "quorate.session.fork": sessions.fork,
    "quorate.session.rename": sessions.rename,
    "quorate.session.delete": sessions.delete,
    "quorate.session.restore": sessions.restore,
    "quorate.session.compact": sessions.compact,
    "quorate.session.stats": sessions.stats,
    "quorate.session.export": sessions.export,
    "quorate.session.import": sessions.import_session,
    "quorate.project.list": projects.list_projects,
    "quorate.project.create": projects.create_project,
    "quorate.project.select": projects.select_project,
    "quorate.project.open": projects.open_project,
    "quorate.review": reviews.review,
    "quorate.explain": reviews.explain,
    "quorate.fix": reviews.fix,
    "quorate.test": reviews.test,
    "quorate.finding.dismiss": reviews.dismiss_findings,
    "quorate.status": status.status,
}


async def execute(desk: Desk, name: object, arguments: object) -> dict[str, Any]:
    """Raises UserError."""
    handler, params = _handler(name), _only_argument(arguments)
    command = COMMANDS[str(name)]
    result = await handler(desk, parse_params(command.params, params))
    return result.to_wire()


def _handler(name: object) -> Handler:
    if not isinstance(name, str) or name not in {*COMMANDS, *RESERVED_COMMAND_NAMES}:
        raise NotFound(f"There is no command {name!r}; the server's capabilities list those it has.")
    if name not in HANDLERS:
        raise Reserved(f"The command {name} is not available in this version.")
    return HANDLERS[name]


def _only_argument(arguments: object) -> object:
    if arguments is None:
        return None
    if not isinstance(arguments, list) or len(cast("list[object]", arguments)) > 1:
        raise BadParams([FieldError(path="arguments", message="must be a list with one object in it")])
    return next(iter(cast("list[object]", arguments)), None)
