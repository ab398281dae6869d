"""Texts too long for an event or a view: cut, and marked as such. The commands that open one thing have it whole."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar, cast

from teamwright.protocol.base import Wire

MAX_TEXT_BYTES: Final = 64 * 1024
# What a cut text ends with; it fits in, too.
_ELLIPSIS: Final = "…"

W = TypeVar("W", bound=Wire)


def shortened(message: W) -> W:
    """The same object where nothing in it is too long. Only types that can say `truncated` are cut."""
    changed = {name: short for name, value in message if (short := _shortened(message, value)) is not value}
    if not changed:
        return message
    was_cut = any(isinstance(getattr(message, name), str | Mapping) for name in changed)
    return message.model_copy(update={**changed, "truncated": True} if was_cut else changed)


def _shortened(owner: Wire, value: object) -> object:
    match value:
        case str() if "truncated" in type(owner).model_fields:
            return _cut(value)
        case Wire():
            return shortened(value)
        case tuple():
            items = cast("tuple[object, ...]", value)
            each = tuple(_shortened(owner, item) for item in items)
            return each if any(new is not old for new, old in zip(each, items, strict=True)) else items
        case dict() if "truncated" in type(owner).model_fields:
            entries = cast("dict[str, Any]", value)
            cut = {key: _cut(item) if isinstance(item, str) else item for key, item in entries.items()}
            return cut if any(cut[key] is not entries[key] for key in entries) else entries
        case _:
            return value


def _cut(text: str) -> str:
    # Most texts are far too short to be counted byte by byte.
    if len(text) * 4 <= MAX_TEXT_BYTES or len(data := text.encode(errors="replace")) <= MAX_TEXT_BYTES:
        return text
    return data[: MAX_TEXT_BYTES - len(_ELLIPSIS.encode())].decode(errors="ignore") + _ELLIPSIS
