"""What the server says it can do follows from what is registered on it."""

import json

import pytest

from teamwright.lsp.language_server import TeamwrightServer
from teamwright.lsp.transport.messages import Json
from teamwright.lsp.transport.outbox import Outbox
from teamwright.protocol.command_names import COMMAND_NAMES
from teamwright.protocol.names import CODE_ACTION_KINDS, PROTOCOL_VERSION


def greeted(**capabilities: object) -> tuple[TeamwrightServer, Json]:
    outbox = Outbox()
    server = TeamwrightServer(outbox)
    server.answer_initialize("hello", {"capabilities": capabilities})
    (body,) = outbox.take()
    answer = json.loads(body)
    assert answer["id"] == "hello"
    return server, answer["result"]


def test_capabilities_are_those_of_what_is_registered() -> None:
    server, result = greeted()
    assert result["capabilities"] == {
        "positionEncoding": "utf-16",
        "textDocumentSync": {"openClose": True, "change": 2, "save": True},
        "completionProvider": {"triggerCharacters": [":", " ", "$", "{"]},
        "hoverProvider": True,
        "codeActionProvider": {"codeActionKinds": list(CODE_ACTION_KINDS)},
        "executeCommandProvider": {"commands": list(COMMAND_NAMES)},
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {},
        },
        "experimental": {"teamwright": {"protocolVersion": PROTOCOL_VERSION}},
    }
    assert all(server.command_handler(name) is not None for name in COMMAND_NAMES)
    assert server.command_handler("teamwright.dance") is None


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["utf-32", "utf-16"], "utf-32"),
        (["utf-7", "utf-8"], "utf-8"),
        (["utf-7"], "utf-16"),
        ([], "utf-16"),
        ("utf-8", "utf-16"),
        (None, "utf-16"),
    ],
)
def test_the_clients_first_encoding_that_is_known_is_taken(offered: object, chosen: str) -> None:
    server, result = greeted(general={"positionEncodings": offered}, somethingNew={"of": ["a later version"]})
    assert result["capabilities"]["positionEncoding"] == chosen
    assert server.server_capabilities.position_encoding == chosen


def test_a_method_is_a_request_or_a_notification_and_nothing_is_both() -> None:
    server, _ = greeted()
    for request in ("textDocument/hover", "textDocument/completion", "textDocument/codeAction"):
        assert server.request_handler(request) is not None
        assert server.notification_handler(request) is None
    for notification in ("initialized", "textDocument/didChange", "workspace/didChangeWorkspaceFolders"):
        assert server.request_handler(notification) is None
        assert server.notification_handler(notification) is not None
    assert server.request_handler("textDocument/dance") is None
    assert server.notification_handler("textDocument/dance") is None
