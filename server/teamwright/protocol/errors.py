"""The errors a user meets. One sentence each: what happened and what to do.

TeamwrightError
└── UserError              shown as it is; its status is the JSON-RPC error's code
    ├── BadParams          400, with the faulty fields
    ├── NotPermitted       403
    ├── NotFound           404
    ├── Conflict           409, with what was decided or who is busy
    ├── LimitReached       429, with the limit
    └── Reserved           501

A fault of ours is any other exception: it is logged whole at the nearest boundary and shown as a plain 500.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from teamwright.protocol.base import Wire


class TeamwrightError(Exception):
    """The root of all that Teamwright raises on purpose."""


class UserError(TeamwrightError):
    status: ClassVar[int]

    @property
    def message(self) -> str:
        return str(self)

    @property
    def data(self) -> dict[str, Any] | None:
        return None


class FieldError(Wire):
    path: str
    message: str


class BadParams(UserError):
    status = 400

    def __init__(self, errors: Sequence[FieldError]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(f"{e.path}: {e.message}" if e.path else e.message for e in self.errors))

    @property
    def data(self) -> dict[str, Any]:
        return {"errors": [error.to_wire() for error in self.errors]}


class NotPermitted(UserError):
    status = 403


class NotFound(UserError):
    status = 404


class NothingToDo(NotFound):
    """What was asked for is so already: good news, and no work."""


class Conflict(UserError):
    status = 409

    def __init__(self, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self._data = data

    @property
    def data(self) -> dict[str, Any] | None:
        return self._data


class LimitReached(UserError):
    status = 429

    def __init__(self, message: str, limit: int) -> None:
        super().__init__(message)
        self.limit = limit

    @property
    def data(self) -> dict[str, Any]:
        return {"limit": self.limit}


class Reserved(UserError):
    status = 501
