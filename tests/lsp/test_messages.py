"""What a body is: a request, a notification, an answer, or nothing that can be acted on."""

import pytest

from teamwright.lsp.transport.messages import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Malformed,
    Message,
    NotificationMessage,
    RequestMessage,
    ResponseMessage,
    read_messages,
)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"id": 1, "method": "m", "params": {"class": 1}}', RequestMessage(1, "m", {"class": 1})),
        (b'{"id": "a", "method": "m"}', RequestMessage("a", "m")),
        (b'{"method": "m", "params": [1]}', NotificationMessage("m", [1])),
        (b'{"id": 1, "result": null}', ResponseMessage(1)),
        (b'{"id": 1, "error": {"code": 3, "message": "no"}}', ResponseMessage(1, error={"code": 3, "message": "no"})),
    ],
)
def test_messages_are_told_apart(body: bytes, message: Message) -> None:
    assert list(read_messages(body)) == [message]


@pytest.mark.parametrize(
    ("body", "message_id", "code"),
    [
        (b"", None, PARSE_ERROR),
        (b'{"id": 1, "method": "m", "params": 1e999999', None, PARSE_ERROR),
        (b'{"id": %b, "method": "m"}' % (b"9" * 5_000), None, PARSE_ERROR),
        (b'{"id": 1, "method": "\xff"}', None, PARSE_ERROR),
        (b"Infinity", None, PARSE_ERROR),
        (b"3", None, INVALID_REQUEST),
        (b'{"id": true, "method": "m"}', None, INVALID_REQUEST),
        (b'{"id": [1], "method": "m"}', None, INVALID_REQUEST),
        (b'{"id": 4, "method": null}', 4, INVALID_REQUEST),
        (b'{"id": 4, "error": "no"}', 4, INVALID_REQUEST),
        (b'[{"id": 4, "method": "m"}]', 4, INVALID_REQUEST),
        (b"[[], 3]", None, INVALID_REQUEST),
    ],
)
def test_what_cannot_be_acted_on_says_so_where_its_sender_can_hear_it(
    body: bytes, message_id: int | None, code: int
) -> None:
    (malformed,) = read_messages(body)
    assert isinstance(malformed, Malformed)
    assert (malformed.id, malformed.failure.code) == (message_id, code)
