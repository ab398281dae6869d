"""Answers and votes: what reaches whom, which votes stand, and who presents."""

import pytest

from tests.runtime.conftest import Hire
from tests.support.model_server import ModelServer, calls, text, tool

TEAM = ("alpha", "beta", "gamma")


@pytest.mark.asyncio
async def test_seven(hire: Hire, models: ModelServer) -> None:
    for name in TEAM:
        models.model(name).replies(
            calls(tool("new_answer", content=f"The answer of {name}.")),
            calls(tool("vote", agent_id="agent2", reason="It is complete.")),
        )
    models.model("beta").replies(text("The final answer."))
    crew = await hire()
    run = await crew.launch()
    finished = await crew.finished(run)
    assert finished["outcome"] == "completed"
