"""A scripted model server that speaks the providers' real wire formats on loopback.

    server.model("alpha").replies(text("Hello"), calls(tool("new_answer", content="…")), fails(429, retry_after=1))
    server.model("beta").always(lambda request: calls(tool("vote", agent_id=request.choices("vote", "agent_id")[0])))

It stands on asyncio streams with h11 for parsing and framing, not on a web framework: a test decides here about
single bytes (half a chunk and then a closed socket, a character split between two writes, headers that never come),
and a framework exists to keep such things from happening.
"""

from tests.support.model_server.replies import (
    Answer,
    Failure,
    Quirks,
    Reply,
    answer,
    calls,
    context_exceeded,
    empty,
    fails,
    filtered,
    hangs_up,
    never_answers,
    out_of_quota,
    raw_tool,
    refuses,
    text,
    thinking,
    tool,
)
from tests.support.model_server.request import Request
from tests.support.model_server.script import ModelScript
from tests.support.model_server.server import ModelServer
from tests.support.model_server.waiting import Gate
from tests.support.usage import Usage

__all__ = [
    "Answer",
    "Failure",
    "Gate",
    "ModelScript",
    "ModelServer",
    "Quirks",
    "Reply",
    "Request",
    "Usage",
    "answer",
    "calls",
    "context_exceeded",
    "empty",
    "fails",
    "filtered",
    "hangs_up",
    "never_answers",
    "out_of_quota",
    "raw_tool",
    "refuses",
    "text",
    "thinking",
    "tool",
]
