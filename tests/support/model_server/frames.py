"""Server-sent events before they are bytes, each with its part in the stream."""

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

JsonObject: TypeAlias = dict[str, Any]

Part = Literal["frame", "delta", "finish", "done"]
"""`delta` carries content; `finish` says why the answer ended; `done` is the terminal event; `frame` is the rest."""
TERMINAL: frozenset[Part] = frozenset({"finish", "done"})


@dataclass(frozen=True)
class Frame:
    part: Part
    data: JsonObject | Literal["[DONE]"]
    event: str | None = None


def encoded(frame: Frame, line_end: str) -> bytes:
    name = f"event: {frame.event}{line_end}" if frame.event else ""
    data = frame.data if isinstance(frame.data, str) else json_text(frame.data)
    return f"{name}data: {data}{line_end}{line_end}".encode()


def json_text(value: object) -> str:
    """JSON as the providers write it: characters such as U+2028 stand in it as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
