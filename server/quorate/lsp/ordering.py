"""Which session a command is about, before it is carried out: its events wait behind the command's answer."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from quorate.lsp.transport.messages import Json, is_list, mapping
from quorate.protocol.errors import UserError
from quorate.protocol.ids import RunId, SessionId
from quorate.runtime.supervisor import Supervisor

# It names the session that it copies, and all that it causes is in the copy.
_FORK: Final = "quorate.session.fork"
_SESSION_KEYS: Final = ("sessionId", "session_id")
_PART_KEYS: Final = ("runId", "run_id", "turnId", "turn_id", "decisionId", "decision_id")
# Of one session, all of them.
_FINDINGS_KEYS: Final = ("findingIds", "finding_ids")


async def session_of(params: Json, supervisor: Supervisor) -> SessionId | None:
    """None: none that is known yet. What is wrong with the params is said by whoever carries the command out."""
    if params.get("command") == _FORK:
        return None
    arguments = params.get("arguments")
    given = mapping(arguments[0]) if is_list(arguments) and arguments else {}
    for session_id in _texts(given, _SESSION_KEYS):
        return SessionId(session_id)
    for part in (*_texts(given, _PART_KEYS), *_first_texts(given, _FINDINGS_KEYS)):
        with suppress(UserError):
            house = await supervisor.house()
            return await house.store.find_session(RunId(part))
    return None


def _texts(given: Json, keys: tuple[str, ...]) -> Iterator[str]:
    return (value for key in keys if isinstance(value := given.get(key), str) and value.isascii())


def _first_texts(given: Json, keys: tuple[str, ...]) -> Iterator[str]:
    firsts = {key: value[0] for key in keys if is_list(value := given.get(key)) and value}
    return _texts(firsts, keys)
