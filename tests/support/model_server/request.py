"""One request that the server has received, and what the test may ask about it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from tests.support.model_server.conversation import READERS, Called, Conversation, Result, Role
from tests.support.model_server.frames import JsonObject
from tests.support.model_server.waiting import Tally


@dataclass(frozen=True, eq=False)
class Request:
    order: int
    method: str
    path: str
    headers: Mapping[str, str]
    """By lower-case name."""
    raw: bytes
    arrived_at: float
    """On the monotonic clock."""
    gone: Tally = field(default_factory=lambda: Tally("the client went away"))
    answered: Tally = field(default_factory=lambda: Tally("the reply was sent whole"))

    @cached_property
    def body(self) -> JsonObject:
        """The JSON object that was sent, or an empty one if it was none."""
        try:
            value = json.loads(self.raw)
        except ValueError:
            return {}
        return cast("JsonObject", value) if isinstance(value, dict) else {}

    @property
    def model(self) -> str:
        return self.body.get("model", "")

    @property
    def streaming(self) -> bool:
        return self.body.get("stream") is True

    @property
    def key(self) -> str:
        """The API key, wherever the provider wants it."""
        return self.headers.get("x-api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")

    @property
    def client_left(self) -> bool:
        """Whether the client closed the connection before it had the whole reply."""
        return self.gone.count > 0

    async def disconnected(self) -> None:
        await self.gone.reaches()

    def wait_disconnected(self) -> None:
        self.gone.wait()

    @cached_property
    def conversation(self) -> Conversation:
        return READERS[self.path](self.body)

    @property
    def system(self) -> str:
        return self.conversation.system

    @property
    def messages(self) -> list[tuple[Role, str]]:
        return self.conversation.messages

    @property
    def tool_names(self) -> list[str]:
        return list(self.conversation.tools)

    @property
    def tool_calls(self) -> list[Called]:
        return self.conversation.calls

    @property
    def tool_results(self) -> list[Result]:
        return self.conversation.results

    @property
    def text(self) -> str:
        """Everything that the model is shown, to look for a word in it."""
        return "\n".join([self.system, *(said for _, said in self.messages)])

    def choices(self, tool: str, argument: str) -> list[str]:
        """The values that the schema of a tool allows for one of its arguments."""
        return self.conversation.tools[tool]["properties"][argument]["enum"]
