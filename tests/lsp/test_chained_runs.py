"""What comes back from runs that did not go as they should, and from those that wrote much."""

import re
from pathlib import Path

import anyio
import pytest

from tests.runtime.lines import gives
from tests.support.doors import Serve, team_config
from tests.support.model_server import ModelServer, calls, fails, never_answers, text, tool

pytestmark = pytest.mark.asyncio

UNASKED = "orchestrator:\n  interactive_mode: {require_approval: false, apply_changes: auto}\n"


@pytest.mark.proves("A4")
async def test_a_failed_run_comes_back_with_its_reason_and_the_next_one_is_launched(
    serve: Serve, models: ModelServer
) -> None:
    first = tool("launch_run", task="Say it.", agent_mode="single", agents=["beta"])
    second = tool("launch_run", task="Say it again.", agent_mode="single", agents=["gamma"])
    models.model("alpha").replies(calls(first), calls(second), text("Gamma said it."))
    models.model("beta").replies(fails(401))
    models.model("gamma").replies(text("It."))
    client = await serve(config=team_config(models, "alpha", "beta", "gamma", extra=UNASKED), trusted=True)
    await client.command("teamwright.chat", text="Have it said.")
    assert (await client.event("turn.finished"))["event"]["outcome"] == "completed"
    failed, said = models.requests_to("alpha")[-1].tool_results
    assert ": failed.\nTask: Say it.\nError: No agent gave an answer (beta: " in failed.text
    assert "\nIt.\n" in said.text


@pytest.mark.proves("A4")
async def test_a_run_that_ran_out_of_time_comes_back_with_the_best_so_far(serve: Serve, models: ModelServer) -> None:
    launch = tool(
        "launch_run",
        task="Say it.",
        agents=["beta", "gamma"],
        coordination_overrides={"orchestrator_timeout_seconds": 3},
    )
    models.model("alpha").replies(calls(launch), text("There was no time."))
    models.model("beta").replies(gives("Half of it."))
    models.model("gamma").replies(never_answers())
    client = await serve(config=team_config(models, "alpha", "beta", "gamma", extra=UNASKED), trusted=True)
    await client.command("teamwright.chat", text="Have it said.")
    await client.event("turn.finished")
    (told,) = models.requests_to("alpha")[-1].tool_results
    assert "timed out; what follows is the best so far" in told.text
    assert "\nHalf of it.\n" in told.text


@pytest.mark.proves("C9")
async def test_more_than_five_written_files_are_counted_and_listed_in_a_file(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    names = [f"src/part{number}.py" for number in range(6)]
    (workspace / "src").mkdir()
    models.model("alpha").replies(*(calls(tool("write_file", path=name, content="x = 1\n")) for name in names))
    models.model("alpha").replies(text("Written."))
    client = await serve(config=team_config(models, "alpha", extra=UNASKED), trusted=True)
    paths = [{"path": "src", "permission": "write"}]
    await client.command("teamwright.launch_run", task="Write it.", agentMode="single", contextPaths=paths)
    ended = (await client.event("run.finished"))["event"]
    assert sorted(ended["written"]) == names
    found = re.fullmatch(r"6 files written; (.*context_path_writes\.txt) names them\.", ended["footer"])
    assert found is not None
    assert sorted((await anyio.Path(found[1]).read_text()).split()) == names
