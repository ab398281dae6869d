"""Trust, folders and configuration, followed while we work: a change holds for the next turn and the next run."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from teamwright.config.sources import WORKSPACE_FILES
from teamwright.lsp.features.config_support import config_path
from teamwright.lsp.features.context import FeatureContext
from teamwright.lsp.transport.messages import Json, is_list, mapping
from teamwright.lsp.transport.peer import PeerError
from teamwright.protocol.errors import UserError
from teamwright.protocol.events import NoticeRaised
from teamwright.protocol.records import EventRecord

_REGISTER_SECONDS: Final = 10.0


class ClientSettings:
    def __init__(self, context: FeatureContext) -> None:
        self._context = context

    def take_settings(self, params: Json) -> None:
        trusted = mapping(mapping(params.get("settings")).get("teamwright")).get("trusted")
        if isinstance(trusted, bool) and trusted != self._context.options.client_context.trusted:
            self._context.options.change_trust(trusted=trusted)
            self._context.background.start(self._renew, _NOW_TRUSTED if trusted else _NO_LONGER_TRUSTED)

    def take_files(self, params: Json) -> None:
        self._renew_if_ours(_changed(params))

    def take_saved(self, params: Json) -> None:
        self._renew_if_ours(iter([mapping(params.get("textDocument")).get("uri")]))

    def take_folders(self, params: Json) -> None:
        """A file that was the user's own may lie in a folder that is open now, and another folder may be the first."""
        self._context.options.change_folders(mapping(params.get("event")))
        self.tell_of_folders()

    def tell_of_folders(self) -> None:
        """That one which was named is not opened."""
        for path in self._context.options.client_context.folders.too_wide:
            text = (
                f"{path} is not opened: it holds more than a project, and keys among it. Open the project's own folder."
            )
            self._tell(NoticeRaised(level="error", text=text))
        self._context.background.start(self._renew, None)

    def watch_files(self) -> None:
        self.tell_of_folders()
        if self._context.peer.can("workspace", "didChangeWatchedFiles", "dynamicRegistration"):
            self._context.background.start(self._ask_to_watch)

    def _renew_if_ours(self, uris: Iterator[object]) -> None:
        if any(config_path(uri, self._context.options.client_context) for uri in uris):
            self._context.background.start(self._renew, _READ_ANEW)

    async def _renew(self, told: NoticeRaised | None) -> None:
        try:
            await self._context.application.renew()
        except UserError as fault:
            self._tell(NoticeRaised(level="error", text=fault.message, hint=_NOT_READ))
            if told is _READ_ANEW:
                return
        if told is not None:
            self._tell(told)

    def _tell(self, notice: NoticeRaised) -> None:
        record = EventRecord(seq=None, at=datetime.now(UTC), session_id=None, event=notice)
        self._context.client(record)
        if not self._context.peer.knows_our_protocol and notice.level == "error":
            self._context.peer.say("warning", notice.text)

    async def _ask_to_watch(self) -> None:
        watchers = [{"globPattern": f"**/{name.as_posix()}"} for name in WORKSPACE_FILES]
        method = "workspace/didChangeWatchedFiles"
        registration = {"id": "teamwright-config", "method": method, "registerOptions": {"watchers": watchers}}
        try:
            params = {"registrations": [registration]}
            await self._context.peer.request("client/registerCapability", params, deadline=_REGISTER_SECONDS)
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
