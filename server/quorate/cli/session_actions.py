"""What `quorate sessions` does. It needs the history alone: neither a team nor its configuration."""

import os
from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from anyio import to_thread

from quorate.cli import output
from quorate.cli.session_tables import hits_table, sessions_table
from quorate.cli.terminal.options import UsageFault, premises_from
from quorate.cli.terminal.printable import printable
from quorate.protocol.base import Wire
from quorate.protocol.commands import (
    SessionExportParams,
    SessionForkParams,
    SessionImportParams,
    SessionListParams,
    SessionRenameParams,
    SessionSearchParams,
)
from quorate.protocol.ids import SessionId
from quorate.protocol.validation import parse_params
from quorate.runtime.bus import Bus
from quorate.runtime.neighbours import Neighbours
from quorate.runtime.reading import read_session
from quorate.runtime.shelf.shelf import Shelf
from quorate.store.locks import Owner
from quorate.store.sqlite import SqliteStore


async def perform(args: Namespace) -> None:
    """Raises UsageFault, and UserError where it could not be done."""
    premises = premises_from(args)
    state_path = premises.state_path(os.environ)
    store = await SqliteStore.open(state_path, Owner.this_process(premises.editor))
    bus, neighbours = Bus(), Neighbours()
    try:
        if store.notice is not None:
            output.complain(f"quorate sessions: {store.notice}")
        await neighbours.settle(state_path)
        bus.tell_neighbours_by(neighbours.tell)
        await _ACTIONS[args.action](args, Shelf(store, bus, premises.folders), store)
    finally:
        await store.close()
        await neighbours.leave()


async def _list(args: Namespace, shelf: Shelf, _store: SqliteStore) -> None:
    asked = {"query": args.query, "project": args.project, "limit": args.limit, "before": args.before}
    listed = await shelf.list(parse_params(SessionListParams, _given(asked)))
    if args.json:
        _say_json(listed)
    elif listed.sessions:
        _say(*sessions_table(listed.sessions))
    else:
        output.complain("There is no such session in this workspace." if _given(asked, but="limit") else _NO_SESSIONS)


async def _show(args: Namespace, shelf: Shelf, store: SqliteStore) -> None:
    session_id = SessionId(args.session)
    if args.json:
        _say_json((await read_session(store, session_id)).state.view())
    else:
        _say((await shelf.export(SessionExportParams(session_id=session_id, format="markdown"))).text.rstrip("\n"))


async def _search(args: Namespace, shelf: Shelf, _store: SqliteStore) -> None:
    found = await shelf.search(parse_params(SessionSearchParams, {"text": args.text, "limit": args.limit}))
    if args.json:
        _say_json(found)
    elif found.hits:
        _say(*hits_table(found.hits))
    else:
        output.complain("Nobody said that in this workspace.")


async def _fork(args: Namespace, shelf: Shelf, _store: SqliteStore) -> None:
    asked = _given({"session_id": args.session, "at_seq": args.at})
    fork = await shelf.fork(parse_params(SessionForkParams, asked))
    _say_done(args, fork, f"{fork.session_id} is a copy of {args.session}.")


async def _rename(args: Namespace, shelf: Shelf, _store: SqliteStore) -> None:
    params = parse_params(SessionRenameParams, {"session_id": args.session, "title": args.title})
    renamed = await shelf.rename(params)
    _say_done(args, renamed, f"{renamed.session_id} is now called “{renamed.title}”.")


async def _delete(args: Namespace, shelf: Shelf, _store: SqliteStore) -> None:
    deleted = await shelf.delete(SessionId(args.session))
    way_back = f"`quorate sessions restore {deleted.session_id}` brings it back."
    _say_done(args, deleted, f"“{deleted.title}” is deleted; {way_back}")


async def _restore(args: Namespace, shelf: Shelf, _store: SqliteStore) -> None:
    restored = await shelf.restore(SessionId(args.session))
    _say_done(args, restored, f"“{restored.title}” is back.")


async def _export(args: Namespace, shelf: Shelf, _store: SqliteStore) -> None:
    params = SessionExportParams(session_id=SessionId(args.session), format=args.format)
    text = (await shelf.export(params)).text
    if args.output is None:
        output.say(text.rstrip("\n"))
        return
    try:
        await to_thread.run_sync(lambda: Path(args.output).write_text(text, encoding="utf-8", newline="\n"))
    except OSError as fault:
        raise UsageFault(f"{args.output} cannot be written ({fault.strerror}); name another file.") from None


async def _import(args: Namespace, shelf: Shelf, _store: SqliteStore) -> None:
    try:
        text = await to_thread.run_sync(output.read_input if args.file == "-" else lambda: _read(args.file))
    except OSError as fault:
        raise UsageFault(f"{args.file} cannot be read ({fault.strerror}); name a file that was exported.") from None
    except UnicodeDecodeError:
        raise UsageFault(f"{args.file} is not an exported session: it is not UTF-8 text.") from None
    taken_in = await shelf.import_session(parse_params(SessionImportParams, {"text": text}))
    _say_done(args, taken_in, f"It is now the session {taken_in.session_id}.")


def _read(name: str) -> str:
    return Path(name).read_text(encoding="utf-8")


Action = Callable[[Namespace, Shelf, SqliteStore], Awaitable[None]]
_ACTIONS: Final[Mapping[str, Action]] = {
    "list": _list,
    "show": _show,
    "search": _search,
    "fork": _fork,
    "rename": _rename,
    "delete": _delete,
    "restore": _restore,
    "export": _export,
    "import": _import,
}
_NO_SESSIONS: Final = "There are no sessions in this workspace yet; `quorate chat` starts one."


def _given(asked: Mapping[str, object], but: str | None = None) -> dict[str, object]:
    return {name: value for name, value in asked.items() if value is not None and name != but}


def _say_done(args: Namespace, result: Wire, sentence: str) -> None:
    if args.json:
        _say_json(result)
    else:
        _say(sentence)


def _say_json(result: Wire) -> None:
    output.say(result.model_dump_json(indent=2))


def _say(*lines: str) -> None:
    """What people and models wrote must not steer a terminal."""
    terminal = output.stdout_terminal()
    text = "\n".join(lines)
    output.say(text if terminal is None else printable(text, terminal))
