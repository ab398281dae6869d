"""Trust and configuration, followed while we work: a change holds for the next turn and the next run."""

from collections.abc import Iterator
from typing import Final

from quorate.config.sources import WORKSPACE_FILES
from quorate.lsp.features.config_files import config_path
from quorate.lsp.handlers.desk import Desk
from quorate.lsp.transport.messages import Json, is_list, mapping
from quorate.lsp.transport.methods import Methods
from quorate.lsp.transport.peer import PeerError
from quorate.protocol.errors import UserError
from quorate.protocol.events import NoticeRaised
from quorate.protocol.records import EventRecord
from quorate.runtime.identity import now

_REGISTER_SECONDS: Final = 10.0
_WARNING: Final = 2


def register(methods: Methods, desk: Desk) -> None:
    following = Following(desk)
    methods.on_notification("initialized", following.watch_files)
    methods.on_notification("workspace/didChangeConfiguration", following.take_settings)
    methods.on_notification("workspace/didChangeWatchedFiles", following.take_files)
    methods.on_notification("textDocument/didSave", following.take_saved)


class Following:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def take_settings(self, params: Json) -> None:
        trusted = mapping(mapping(params.get("settings")).get("quorate")).get("trusted")
        if isinstance(trusted, bool) and trusted != self._desk.options.premises.trusted:
            self._desk.options.change_trust(trusted=trusted)
            self._desk.errands.start(self._renew, _NOW_TRUSTED if trusted else _NO_LONGER_TRUSTED)

    def take_files(self, params: Json) -> None:
        self._renew_if_ours(_changed(params))

    def take_saved(self, params: Json) -> None:
        self._renew_if_ours(iter([mapping(params.get("textDocument")).get("uri")]))

    def watch_files(self, params: Json) -> None:
        del params
        if self._desk.peer.can("workspace", "didChangeWatchedFiles", "dynamicRegistration"):
            self._desk.errands.start(self._ask_to_watch)

    def _renew_if_ours(self, uris: Iterator[object]) -> None:
        if any(config_path(uri, self._desk.options.premises) for uri in uris):
            self._desk.errands.start(self._renew, _READ_ANEW)

    async def _renew(self, told: NoticeRaised) -> None:
        try:
            await self._desk.renew()
        except UserError as fault:
            self._tell(NoticeRaised(level="error", text=fault.message, hint=_NOT_READ))
            if told is _READ_ANEW:
                return
        self._tell(told)

    def _tell(self, notice: NoticeRaised) -> None:
        self._desk.client(EventRecord(seq=None, at=now(), session_id=None, event=notice))
        if not self._desk.peer.knows_our_protocol and notice.level == "error":
            self._desk.peer.notify("window/showMessage", {"type": _WARNING, "message": notice.text})

    async def _ask_to_watch(self) -> None:
        watchers = [{"globPattern": f"**/{name.as_posix()}"} for name in WORKSPACE_FILES]
        method = "workspace/didChangeWatchedFiles"
        registration = {"id": "quorate-config", "method": method, "registerOptions": {"watchers": watchers}}
        try:
            params = {"registrations": [registration]}
            await self._desk.peer.request("client/registerCapability", params, deadline=_REGISTER_SECONDS)
        except (PeerError, TimeoutError):
            # Then what is saved in the editor is all that we hear of.
            return


_NOT_READ: Final = "Of the configuration, what was in force before stays so until this is mended."
_READ_ANEW: Final = NoticeRaised(level="info", text="The configuration has changed; it holds from the next turn on.")
_NOW_TRUSTED: Final = NoticeRaised(
    level="info", text="This workspace is trusted: its own configuration and instructions hold from now on."
)
_NO_LONGER_TRUSTED: Final = NoticeRaised(
    level="info",
    text="This workspace is not trusted: nothing of it is read as configuration or instruction, and runs ask first.",
)


def _changed(params: Json) -> Iterator[object]:
    changes = params.get("changes")
    return (mapping(each).get("uri") for each in (changes if is_list(changes) else []))
