"""The rows of a database file that SQLite can no longer make sense of, page by page.

The schema, and the trees above the rows, are not needed for it: a page of rows says of itself what it is, and a record
of a log says where it belongs. What was committed to the write-ahead log counts, also where that is all there is left.
"""

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_ROWS_PAGE = 0x0D
_USUAL_PAGE_SIZE = 4096
_PAGE_SIZES = {1 << n for n in range(9, 17)}
_LOG_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
_LOG_HEADER, _FRAME_HEADER = 32, 24
_FILE_HEADER = 100
_MAGIC = b"SQLite format 3\0"
_MOST_COLUMNS = 16
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)
_FLOAT, _ZERO, _ONE, _FIRST_BLOB = 7, 8, 9, 12

# Texts as their bytes: they may no longer be UTF-8.
Value = int | float | bytes | None


class RawRow(NamedTuple):
    rowid: int
    values: tuple[Value, ...]


class _Malformed(Exception):
    pass


class DatabasePages:
    """A file and its log as they are now; nothing is written, and nothing is locked."""

    def __init__(self, path: Path) -> None:
        self._content = _mapped(path)
        self._log = _mapped(path.with_name(path.name + "-wal"))
        self._page_size = self._told_page_size()
        self._logged = dict(self._committed_frames())
        first = self._page(1)
        self._usable = self._page_size - (first[20] if len(first) > _FILE_HEADER and first[20] < 64 else 0)
        self._count = max(len(self._content) // self._page_size, max(self._logged, default=0))

    def rows(self) -> Iterator[RawRow]:
        free = self._free_pages()
        for number in range(1, self._count + 1):
            page = self._page(number)
            start = _FILE_HEADER if number == 1 else 0
            if number in free or len(page) <= start or page[start] != _ROWS_PAGE:
                continue
            for cell in range(min(_u16(page, start + 3), (len(page) - start - 8) // 2)):
                try:
                    yield self._row(page, _u16(page, start + 8 + 2 * cell))
                except (_Malformed, IndexError, struct.error):
                    continue

    def _told_page_size(self) -> int:
        told = _u16(self._content, 16) if len(self._content) >= _FILE_HEADER else 0
        logged = struct.unpack_from(">I", self._log, 8)[0] if len(self._log) >= _LOG_HEADER else 0
        # The largest size does not fit its two bytes, and is told as one.
        sizes = (65536 if told == 1 else told, logged)
        return next((size for size in sizes if size in _PAGE_SIZES), _USUAL_PAGE_SIZE)

    def _committed_frames(self) -> Iterator[tuple[int, int]]:
        """Page numbers, and where in the log each page stands, up to the last commit that is whole."""
        if len(self._log) < _LOG_HEADER:
            return
        magic, _, size, _, *_ = struct.unpack_from(">8I", self._log)
        if magic not in _LOG_MAGIC or size != self._page_size:
            return
        order, salts = _LOG_MAGIC[magic], self._log[16:24]
        sums = _checksum(self._log[:24], (0, 0), order)
        waiting: list[tuple[int, int]] = []
        for at in range(_LOG_HEADER, len(self._log) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
            header, body = self._log[at : at + _FRAME_HEADER], at + _FRAME_HEADER
            sums = _checksum(header[:8], sums, order)
            sums = _checksum(self._log[body : body + size], sums, order)
            if header[8:16] != salts or struct.unpack(">2I", header[16:]) != sums:
                return
            number, is_commit = struct.unpack(">2I", header[:8])
            waiting.append((number, body))
            if is_commit:
                yield from waiting
                waiting.clear()

    def _page(self, number: int) -> bytes:
        at = self._logged.get(number)
        if at is not None:
            return self._log[at : at + self._page_size]
        return self._content[(number - 1) * self._page_size : number * self._page_size]

    def _free_pages(self) -> set[int]:
        """What was removed for good may still stand there. A list that is not as long as it says is not believed."""
        first, free = self._page(1), set[int]()
        if not first.startswith(_MAGIC):
            return free
        trunk, told = _u32(first, 32), _u32(first, 36)
        while 0 < trunk <= self._count and trunk not in free:
            page = self._page(trunk)
            if len(page) < 8:
                break
            free.add(trunk)
            leaves = min(_u32(page, 4), self._usable // 4 - 2)
            free.update(struct.unpack_from(f">{leaves}I", page, 8))
            trunk = _u32(page, 0)
        return free if len(free) == told else set()

    def _row(self, page: bytes, at: int) -> RawRow:
        size, at = _varint(page, at)
        rowid, at = _varint(page, at)
        return RawRow(rowid, _values(self._payload(page, at, size)))

    def _payload(self, page: bytes, at: int, size: int) -> bytes:
        """The part that lies on the page itself, and what lies on others."""
        most = self._usable - 35
        if size <= most:
            return page[at : at + size]
        least = (self._usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (self._usable - 4)
        local = local if local <= most else least
        parts, following, left = [page[at : at + local]], _u32(page, at + local), size - local
        while left > 0:
            overflow = self._page(following) if following else b""
            if len(overflow) < self._usable:
                raise _Malformed
            parts.append(overflow[4 : min(4 + left, self._usable)])
            following, left = _u32(overflow, 0), left - (self._usable - 4)
        return b"".join(parts)


def _mapped(path: Path) -> bytes | mmap.mmap:
    """Not read at once: it may be larger than the memory."""
    if not path.exists() or path.stat().st_size == 0:
        return b""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _values(payload: bytes) -> tuple[Value, ...]:
    end, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
        if len(kinds) > _MOST_COLUMNS:
            raise _Malformed
    values: list[Value] = []
    at = end
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in (_ZERO, _ONE):
        return kind - _ZERO, at
    size = 8 if kind == _FLOAT else (kind - _FIRST_BLOB) // 2 if kind >= _FIRST_BLOB else _INTEGER_BYTES[kind]
    content = payload[at : at + size]
    if len(content) != size:
        raise _Malformed
    if kind >= _FIRST_BLOB:
        return content, at + size
    number: float = struct.unpack(">d", content)[0] if kind == _FLOAT else int.from_bytes(content, "big", signed=True)
    return number, at + size


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = 0
    for n in range(8):
        byte = content[at + n]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    return value << 8 | content[at + 8], at + 9


def _checksum(content: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = sums
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def _u16(content: bytes | mmap.mmap, at: int) -> int:
    number: int = struct.unpack_from(">H", content, at)[0]
    return number


def _u32(content: bytes, at: int) -> int:
    number: int = struct.unpack_from(">I", content, at)[0]
    return number
