"""How many tokens: guessed from characters before a request, counted for every attempt after it."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Final, TypeAlias, assert_never

from teamwright.models.adapter import Adapter
from teamwright.models.errors import ModelError
from teamwright.models.limits import MAX_COST_USD, MAX_TOKENS
from teamwright.models.port import (
    Message,
    ModelReply,
    ModelRequest,
    ModelUsage,
    Part,
    ReasoningDelta,
    StreamFinished,
    TextDelta,
    ToolArgumentsDelta,
    ToolResultMessage,
    UserPrompt,
)
from teamwright.protocol.usage import Usage

Price: TypeAlias = Callable[[ModelUsage], Awaitable[float | None]]
# Below what most tokenizers do with English or code, so that a first guess is too high rather than too low.
FIRST_CHARACTERS_PER_TOKEN: Final = 3.5
TOKENS_PER_IMAGE: Final = 1600
# Roles and separators.
CHARACTERS_PER_MESSAGE: Final = 16
# How far one real count moves the guess. A single odd request (all base64, all Chinese) should not turn it round.
WEIGHT: Final = 0.3
PLAUSIBLE: Final = (0.5, 10.0)


class TokenEstimate:
    """One model's characters per token."""

    def __init__(self) -> None:
        self.characters_per_token = FIRST_CHARACTERS_PER_TOKEN

    def tokens(self, request: ModelRequest) -> int:
        return round(characters(request) / self.characters_per_token) + TOKENS_PER_IMAGE * images(request)

    def tokens_of_text(self, length: int) -> int:
        return round(length / self.characters_per_token)

    def learn(self, request: ModelRequest, input_tokens: int) -> None:
        """Requests with images teach nothing about characters."""
        if input_tokens <= 0 or images(request):
            return
        low, high = PLAUSIBLE
        seen = min(max(characters(request) / input_tokens, low), high)
        self.characters_per_token += WEIGHT * (seen - self.characters_per_token)


def characters(request: ModelRequest) -> int:
    tools = sum(len(tool.description) + characters_of_call(tool.name, tool.schema) for tool in request.tools)
    return len(request.system) + tools + sum(map(characters_of_message, request.messages))


def characters_of_message(message: Message) -> int:
    match message:
        case UserPrompt() | ToolResultMessage():
            return CHARACTERS_PER_MESSAGE + len(message.text)
        case ModelReply(text, calls):
            called = sum(characters_of_call(call.name, call.arguments) for call in calls)
            return CHARACTERS_PER_MESSAGE + len(text) + called
        case _:
            assert_never(message)


def characters_of_call(name: str, arguments: Mapping[str, Any]) -> int:
    # Python's own form is about as long as JSON, and made in a tenth of the time; a session can have thousands.
    return len(name) + len(repr(arguments))


def images(request: ModelRequest) -> int:
    return sum(len(message.images) for message in request.messages if isinstance(message, UserPrompt))


def plausible(report: ModelUsage) -> ModelUsage:
    """What a provider says it used, within what can be: a budget must not grow by it, nor a sum become no number."""
    usage = report.usage
    cost = report.cost_usd
    cached = usage.cached_tokens
    return replace(
        report,
        usage=usage.model_copy(
            update={
                "input_tokens": _tokens(usage.input_tokens),
                "output_tokens": _tokens(usage.output_tokens),
                "cached_tokens": None if cached is None else _tokens(cached),
            }
        ),
        cache_write_tokens=_tokens(report.cache_write_tokens),
        cost_usd=cost if isinstance(cost, int | float) and 0 <= cost <= MAX_COST_USD else None,
    )


def _tokens(said: int) -> int:
    return min(max(said, 0), MAX_TOKENS) if isinstance(said, int) else 0  # pyright: ignore[reportUnnecessaryIsInstance] - a provider's word


class MeteredAdapter:
    def __init__(self, opened: Callable[[], Awaitable[Adapter]], estimate: TokenEstimate, price: Price) -> None:
        self._opened = opened
        self._estimate = estimate
        self._price = price

    async def attempt(self, request: ModelRequest) -> AsyncGenerator[Part]:
        adapter = await self._opened()
        length = 0
        reported = False
        try:
            async with aclosing(adapter.attempt(request)) as parts:
                async for part in parts:
                    if isinstance(part, (TextDelta, ReasoningDelta, ToolArgumentsDelta)):
                        length += len(part.text)
                        yield part
                    elif isinstance(part, ModelUsage):
                        reported = True
                        report = plausible(part)
                        self._estimate.learn(request, report.usage.input_tokens)
                        yield await self._priced(report)
                    else:
                        if isinstance(part, StreamFinished) and not reported:
                            yield await self._guessed(request, length)
                        yield part
        except ModelError:
            # What was streamed is paid for, though the provider had no time to say how much it was.
            if length and not reported:
                yield await self._guessed(request, length)
            raise

    async def _priced(self, part: ModelUsage) -> ModelUsage:
        return replace(part, cost_usd=await self._price(part))

    async def _guessed(self, request: ModelRequest, length: int) -> ModelUsage:
        usage = Usage(
            input_tokens=self._estimate.tokens(request), output_tokens=self._estimate.tokens_of_text(length), calls=1
        )
        return await self._priced(ModelUsage(usage, estimated=True))
