"""Contents by their hash: written once, never changed, shared by whoever holds the same bytes."""

from dataclasses import dataclass

from quorate.protocol.errors import NotFound
from quorate.workspace.hashes import ContentHash, hash_of
from quorate.workspace.safe_files import READ_LIMIT_BYTES, Root

# Texts are kept in UTF-8, which may take more room than the encoding they came in.
_LIMIT_BYTES = 4 * READ_LIMIT_BYTES


@dataclass(frozen=True, slots=True)
class Blobs:
    root: Root

    def put(self, data: bytes) -> ContentHash:
        content = hash_of(data)
        if self.root.read_if_present(_parts(content), _LIMIT_BYTES) is None:
            self.root.write(_parts(content), data)
        return content

    def get(self, content: ContentHash) -> bytes:
        data = self.root.read(_parts(content), _LIMIT_BYTES)
        if hash_of(data) != content:
            raise NotFound(f"The saved content {content[:12]} is damaged.")
        return data

    # An editor may show what no file can hold, such as half of a surrogate pair; it is kept all the same.

    def put_text(self, text: str | None) -> ContentHash | None:
        return None if text is None else self.put(text.encode("utf-8", "surrogatepass"))

    def get_text(self, content: ContentHash | None) -> str | None:
        return None if content is None else self.get(content).decode("utf-8", "surrogatepass")


def _parts(content: ContentHash) -> tuple[str, ...]:
    return ("blobs", content[:2], content[2:])
