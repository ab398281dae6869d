"""Half characters. JSON can spell a surrogate without its other half; no file, database or client can hold it."""

import json
from collections.abc import Mapping


def whole_text(text: str) -> str:
    """Halves that belong together are joined, the others become the character that stands for what is unreadable."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def is_whole(arguments: Mapping[str, object]) -> bool:
    try:
        json.dumps(arguments, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
