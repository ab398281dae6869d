"""The port's side of an agent without a model: its replies streamed like a model's, at no cost."""

from collections.abc import AsyncGenerator
from itertools import count
from typing import Final

from teamwright.config.backends import OfflineBackend
from teamwright.models.metering import TokenEstimate
from teamwright.models.offline.agent import Analyst
from teamwright.models.offline.analysts import PROFILES, Speciality
from teamwright.models.offline.assistant import assistant_reply
from teamwright.models.port import (
    ModelRequest,
    ModelToolCall,
    ModelUsage,
    Part,
    StreamFinished,
    TextDelta,
    ToolCallCompleted,
    ToolCallStarted,
)
from teamwright.protocol.usage import Usage

_WINDOW: Final = 1_000_000
_BY_NAME: Final[dict[str, Speciality]] = {name: name for name in PROFILES}


def open_offline(backend: OfflineBackend) -> "OfflineModel":
    return OfflineModel(_BY_NAME.get(backend.analyser or "", "lint"))


class OfflineModel:
    def __init__(self, speciality: Speciality) -> None:
        self._speciality: Speciality = speciality
        self._analyst = Analyst(speciality)
        self._numbers = count(1)
        self._estimate = TokenEstimate()

    @property
    def name(self) -> str:
        return f"offline {self._speciality}"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Part]:
        leads = any(tool.name == "launch_run" for tool in request.tools)
        reply = await assistant_reply(request) if leads else await self._analyst.reply(request)
        for line in reply.text.splitlines(keepends=True):
            yield TextDelta(line)
        for made in reply.calls:
            call = ModelToolCall(f"offline-{self._speciality}-{next(self._numbers)}", made.tool, made.arguments)
            yield ToolCallStarted(call.call_id, call.name)
            yield ToolCallCompleted(call)
        yield ModelUsage(Usage(calls=1), cost_usd=0.0)
        yield StreamFinished("tool_calls" if reply.calls else "stop")

    async def window(self) -> int:
        return _WINDOW

    def estimated_tokens(self, request: ModelRequest) -> int:
        return self._estimate.tokens(request)

    async def cost_usd(self, usage: Usage) -> float | None:
        del usage
        return 0.0
