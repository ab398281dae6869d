"""Frames out of bytes, however they are cut and whatever stands between them."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.lsp.transport.frames import MAX_BODY_BYTES, BadFrame, FrameParser

bodies = st.lists(st.binary(max_size=60), max_size=6)


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def parsed(*chunks: bytes) -> list[bytes | BadFrame]:
    parser = FrameParser()
    return [frame for chunk in chunks for frame in parser.feed(chunk)]


@given(bodies, st.integers(1, 30))
def test_frames_are_the_same_however_the_stream_is_cut(given_bodies: list[bytes], size: int) -> None:
    stream = b"".join(map(framed, given_bodies))
    chunks = [stream[start : start + size] for start in range(0, len(stream), size)]
    assert parsed(*chunks) == given_bodies


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: 2\r\n\r\n",
        b"CONTENT-LENGTH:2 \r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 2\n\n",
        b"\r\n\r\nContent-Length: 2\r\n\r\n",
    ],
)
def test_headers_are_taken_as_clients_write_them(header: bytes) -> None:
    assert parsed(header + b"{}" + framed(b"next")) == [b"{}", b"next"]


@pytest.mark.parametrize(
    "junk",
    [
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: 5.0\r\n\r\nhello",
        b"Content-Length: 123456789012\r\n\r\n{}",
        b"Content-Type: text/plain\r\n\r\nhello",
        b"what is this\r\n\r\n",
        b"no end of line " * 5_000,
        bytes(range(256)) * 100,
    ],
)
def test_junk_is_told_once_and_the_next_frame_is_found(junk: bytes) -> None:
    fault, *rest = parsed(junk + framed(b"next") + framed(b"and next"))
    assert isinstance(fault, BadFrame)
    assert rest == [b"next", b"and next"]


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_a_frame_behind_any_junk_without_a_header_in_it_is_found(chunks: list[bytes]) -> None:
    # The separator keeps junk that happens to end like a header from swallowing the frame.
    assert parsed(*chunks, b"\n\n\0\n\n", framed(b"found"))[-1] == b"found"


def test_a_body_that_is_too_large_is_passed_over_without_being_kept() -> None:
    parser = FrameParser()
    size = MAX_BODY_BYTES + 1
    (fault,) = parser.feed(b"Content-Length: %d\r\n\r\n" % size)
    assert isinstance(fault, BadFrame)
    piece = bytes(1 << 20)
    tracemalloc.start()
    for _ in range(size // len(piece)):
        assert list(parser.feed(piece)) == []
    assert tracemalloc.get_traced_memory()[1] < 4 * len(piece)
    tracemalloc.stop()
    assert list(parser.feed(piece[: size % len(piece)] + framed(b"next"))) == [b"next"]
