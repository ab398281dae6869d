"""What `teamwright sessions` does. It needs the history alone: neither a team nor its configuration."""

from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from anyio import to_thread

from teamwright.application.history import SessionHistory, opened_history
from teamwright.cli import output
from teamwright.cli.history.private_file import write_private
from teamwright.cli.history.tables import hits_table, sessions_table
from teamwright.cli.terminal.printable import printable
from teamwright.cli.terminal.run_options import UsageFault, client_context_from, session_named
from teamwright.protocol.base import Wire
from teamwright.protocol.commands import (
    SessionExportParams,
    SessionForkParams,
    SessionImportParams,
    SessionListParams,
    SessionRenameParams,
    SessionSearchParams,
)
from teamwright.protocol.validation import parse_params


async def perform(args: Namespace) -> None:
    """Raises UsageFault, and UserError where it could not be done."""
    client_context = client_context_from(args)
    async with opened_history(
        client_context, lambda notice: output.complain(f"teamwright sessions: {notice}")
    ) as history:
        await _ACTIONS[args.action](args, history)


async def _list(args: Namespace, history: SessionHistory) -> None:
    asked = {"query": args.query, "project": args.project, "limit": args.limit, "before": args.before}
    listed = await history.list(parse_params(SessionListParams, _given(asked)))
    if args.json:
        _say_json(listed)
    elif listed.sessions:
        _say(*sessions_table(listed.sessions))
    else:
        output.complain("There is no such session in this workspace." if _given(asked, but="limit") else _NO_SESSIONS)


async def _show(args: Namespace, history: SessionHistory) -> None:
    session_id = session_named(args.session)
    if args.json:
        _say_json(await history.view(session_id))
    else:
        _say((await history.export(SessionExportParams(session_id=session_id, format="markdown"))).text.rstrip("\n"))


async def _search(args: Namespace, history: SessionHistory) -> None:
    found = await history.search(parse_params(SessionSearchParams, {"text": args.text, "limit": args.limit}))
    if args.json:
        _say_json(found)
    elif found.hits:
        _say(*hits_table(found.hits))
    else:
        output.complain("Nobody said that in this workspace.")


async def _fork(args: Namespace, history: SessionHistory) -> None:
    asked = _given({"session_id": args.session, "at_seq": args.at})
    fork = await history.fork(parse_params(SessionForkParams, asked))
    _say_done(args, fork, f"{fork.session_id} is a copy of {args.session}.")


async def _rename(args: Namespace, history: SessionHistory) -> None:
    params = parse_params(SessionRenameParams, {"session_id": args.session, "title": args.title})
    renamed = await history.rename(params)
    _say_done(args, renamed, f"{renamed.session_id} is now called “{renamed.title}”.")


async def _delete(args: Namespace, history: SessionHistory) -> None:
    deleted = await history.delete(session_named(args.session))
    way_back = f"`teamwright sessions restore {deleted.session_id}` brings it back."
    _say_done(args, deleted, f"“{deleted.title}” is deleted; {way_back}")


async def _restore(args: Namespace, history: SessionHistory) -> None:
    restored = await history.restore(session_named(args.session))
    _say_done(args, restored, f"“{restored.title}” is back.")


async def _export(args: Namespace, history: SessionHistory) -> None:
    params = SessionExportParams(session_id=session_named(args.session), format=args.format, mask=args.mask)
    handed_over = await history.export(params)
    text = handed_over.text
    for warning in handed_over.warnings:
        output.complain(f"teamwright sessions: {warning} `--mask` leaves it out.")
    if args.output is None:
        output.say(text.rstrip("\n"))
        return
    try:
        await to_thread.run_sync(write_private, Path(args.output), text)
    except OSError as fault:
        raise UsageFault(f"{args.output} cannot be written ({fault.strerror}); name another file.") from None


async def _import(args: Namespace, history: SessionHistory) -> None:
    try:
        text = await to_thread.run_sync(output.read_input if args.file == "-" else lambda: _read(args.file))
    except OSError as fault:
        raise UsageFault(f"{args.file} cannot be read ({fault.strerror}); name a file that was exported.") from None
    except UnicodeDecodeError:
        raise UsageFault(f"{args.file} is not an exported session: it is not UTF-8 text.") from None
    taken_in = await history.import_session(parse_params(SessionImportParams, {"text": text}))
    _say_done(args, taken_in, f"It is now the session {taken_in.session_id}.")


def _read(name: str) -> str:
    return Path(name).read_text(encoding="utf-8")


Action = Callable[[Namespace, SessionHistory], Awaitable[None]]
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
_NO_SESSIONS: Final = "There are no sessions in this workspace yet; `teamwright chat` starts one."


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
