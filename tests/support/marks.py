"""Tags around what others wrote bear marks; where a test is about the rest, it compares without them."""

import re

_MARK = re.compile(r"(?<=[a-z])-[0-9a-f]{8}(?=[ >])")


def unmarked(text: str) -> str:
    return _MARK.sub("", text)
