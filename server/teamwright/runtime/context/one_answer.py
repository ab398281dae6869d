"""A question to a model that is no turn of a conversation: its text, once it is whole."""

from collections.abc import Callable
from contextlib import aclosing

from teamwright.models.port import Model, ModelRequest, ModelUsage, Restarted, StreamFinished, TextDelta

Spent = Callable[[ModelUsage], None]


async def one_answer(model: Model, request: ModelRequest, spent: Spent) -> str:
    """Nothing where it was filtered. Raises ModelError."""
    said: list[str] = []
    async with aclosing(model.stream(request)) as parts:
        async for part in parts:
            match part:
                case TextDelta(text):
                    said.append(text)
                case Restarted():
                    said.clear()
                case ModelUsage():
                    spent(part)
                case StreamFinished(reason="content_filter"):
                    said.clear()
                case _:
                    pass
    return "".join(said).strip()
