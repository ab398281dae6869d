"""Headers that an SDK takes from the environment: meant for its own provider, and not to be seen by another host."""

import os
from collections.abc import Mapping
from typing import TypeVar

_OmitT = TypeVar("_OmitT")


def own_headers_only(variable: str, own: Mapping[str, str], omit: _OmitT) -> dict[str, str | _OmitT]:
    """Our own headers, and the SDK's word for «leave it out» for each that a variable of `Name: value` lines names."""
    lines = os.environ.get(variable, "").split("\n")
    ambient = (line.partition(":")[0].strip() for line in lines if ":" in line)
    return {**dict.fromkeys(ambient, omit), **own}
