"""One client: its messages in, our answers and events out, and when it is over."""

import json
import logging
from collections.abc import AsyncIterator
from typing import Any, cast

import anyio
from anyio.abc import TaskGroup
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol.json_rpc import RPCMessage

from quorate.lsp.client_options import ClientOptions
from quorate.lsp.commands import Failure, execute
from quorate.lsp.handlers.desk import Desk
from quorate.lsp.host import Message, StdioHost
from quorate.lsp.outbound import Outbound
from quorate.protocol.names import EVENT_METHOD
from quorate.protocol.records import EventRecord
from quorate.runtime.bus import Bus
from quorate.runtime.supervisor import Supervisor

log = logging.getLogger(__name__)


class Connection:
    def __init__(
        self,
        server: LanguageServer,
        host: StdioHost,
        *,
        client: ClientOptions,
        supervisor: Supervisor,
        bus: Bus,
        tasks: TaskGroup,
    ) -> None:
        self._server = server
        self._host = host
        self._client = client
        self._tasks = tasks
        self._under_way: dict[str | int, anyio.CancelScope] = {}
        self._shut_down = False
        self._outbound = Outbound(self._notify)
        self._desk = Desk(supervisor, self._outbound)
        bus.join(self._outbound)

    async def serve(self, messages: AsyncIterator[Message]) -> int:
        """Until the client leaves; the exit code is as LSP asks: leaving without `shutdown` is an error."""
        async for message in messages:
            if message.get("method") == types.EXIT:
                break
            self._receive(message)
        return 0 if self._shut_down else 1

    def _receive(self, message: Message) -> None:
        match message:
            case {"method": types.WORKSPACE_EXECUTE_COMMAND, "id": msg_id}:
                self._tasks.start_soon(self._command, msg_id, message.get("params"))
            case {"method": types.CANCEL_REQUEST, "params": {"id": msg_id}} if msg_id in self._under_way:
                self._under_way[msg_id].cancel()
            case {"method": types.INITIALIZE, "params": params}:
                self._client.take(params)
                self._hand_to_pygls(message)
            case _:
                self._shut_down |= message.get("method") == types.SHUTDOWN
                self._hand_to_pygls(message)

    def _hand_to_pygls(self, message: Message) -> None:
        protocol = self._server.protocol
        try:
            protocol.handle_message(cast("RPCMessage", protocol.structure_message(message)))
        except JsonRpcException as fault:
            if "id" in message and "method" in message:
                self._respond(message["id"], Failure(fault.code, fault.message))

    async def _command(self, msg_id: str | int, params: object) -> None:
        call = cast("Message", params) if isinstance(params, dict) else {}
        with self._outbound.held(), anyio.CancelScope() as scope:
            self._under_way[msg_id] = scope
            try:
                answer = await execute(self._desk, call.get("command"), call.get("arguments"))
            finally:
                del self._under_way[msg_id]
            self._respond(msg_id, answer)
        if scope.cancelled_caught:
            self._respond(msg_id, Failure(types.LSPErrorCodes.RequestCancelled, "The request was cancelled."))

    def _respond(self, msg_id: str | int, answer: dict[str, Any] | Failure) -> None:
        if isinstance(answer, Failure):
            error: Message = {"code": answer.code, "message": answer.message}
            if answer.data is not None:
                error["data"] = answer.data
            self._write(json.dumps({"jsonrpc": "2.0", "id": msg_id, "error": error}))
        else:
            self._write(json.dumps({"jsonrpc": "2.0", "id": msg_id, "result": answer}))

    def _notify(self, record: EventRecord) -> None:
        self._write(f'{{"jsonrpc":"2.0","method":"{EVENT_METHOD}","params":{record.to_json()}}}')

    def _write(self, body: str) -> None:
        data = body.encode()
        self._host.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
