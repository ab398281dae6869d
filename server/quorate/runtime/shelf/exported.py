"""A session's log as one JSON text, and back. Pure.

A record stands on a line of its own, as it was written; one that is damaged stands as a string of what is left of it.
"""

from collections.abc import Sequence
from typing import Any, Final, cast

from pydantic_core import from_json, to_json

from quorate.protocol.errors import BadParams, FieldError

_FORMAT: Final = "quorate.session"
_VERSION: Final = 1


def exported(log: Sequence[str]) -> str:
    records = ",\n".join(body if _is_object(body) else to_json(body).decode() for body in log)
    return f'{{"format": "{_FORMAT}", "version": {_VERSION}, "records": [\n{records}\n]}}\n'


def log_in(text: str) -> list[str]:
    """Raises BadParams for what was not exported by us."""
    try:
        data = from_json(text)
    except ValueError as fault:
        raise _not_exported(f"it is not JSON ({fault})") from None
    if not isinstance(data, dict):
        raise _not_exported("it is not an object")
    envelope = cast("dict[str, Any]", data)
    records = envelope.get("records")
    if envelope.get("format") != _FORMAT or not isinstance(records, list):
        raise _not_exported(f'"format" must be "{_FORMAT}", and "records" a list')
    if envelope.get("version") != _VERSION:
        raise _not_exported(f"it is of version {envelope.get('version')!r}; update Quorate to read it")
    listed = cast("list[object]", records)
    return [record if isinstance(record, str) else to_json(record).decode() for record in listed]


def _is_object(body: str) -> bool:
    try:
        return isinstance(from_json(body), dict)
    except ValueError:
        return False


def _not_exported(reason: str) -> BadParams:
    return BadParams([FieldError(path="text", message=f"this is not an exported session: {reason}")])
