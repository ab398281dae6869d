"""Agents are anonymous to each other and to themselves: no real id, no model's name, no real path reaches a model."""

from pathlib import Path

import pytest

from tests.runtime.conftest import Hire
from tests.runtime.lines import gives, votes
from tests.support.model_server import ModelServer, answer, calls, fails, text, tool

TEAM = {"the-owl": "strix-9", "the-crow": "corvus-3", "the-wren": "troglo-1"}
REAL_NAMES = (*TEAM.keys(), *TEAM.values())


def config_at(url: str) -> str:
    backend = f"type: chatcompletion, base_url: '{url}', api_key: '${{SCRIPTED_KEY}}'"
    return "agents:\n" + "".join(
        f"  - {{id: {agent}, backend: {{model: {model}, {backend}}}}}\n" for agent, model in TEAM.items()
    )


@pytest.mark.asyncio
async def test_nothing_that_a_model_is_sent_names_an_agent_a_model_or_a_place_on_the_disk(
    hire: Hire, models: ModelServer, workspace: Path, tmp_path: Path
) -> None:
    (workspace / "notes.md").write_text("Owls are wise.\n", encoding="utf-8")
    models.model("strix-9").replies(
        calls(
            tool("write_file", path="scratch/owl.md", content="Hoo."),
            tool("read_file", path="notes.md"),
            tool("read_file", path="nowhere.md"),
            tool("read_file", path="../outside.md"),
            tool("read_file", path=str(workspace / "notes.md")),
            tool("list_files"),
            tool("search_files", pattern="wise"),
        ),
        answer("Here it is.", tool("new_answer", content="Wise.")),
        calls(tool("vote", agent_id="the-crow", reason="By its real name.")),
        calls(tool("list_files", path="answers"), tool("read_file", path="answers/agent1.1/owl.md")),
        votes("agent1"),
        text("The end."),
    )
    models.model("corvus-3").replies(gives("Clever."), gives("Wise."), votes("agent1"))
    models.model("troglo-1").replies(fails(401))
    crew = await hire(config=config_at(models.openai_url))
    run = await crew.launch(
        contextPaths=[{"path": "notes.md"}], coordinationOverrides={"override": "ask", "maxNewAnswersPerAgent": 2}
    )
    await crew.question("override")
    await crew.override(run, None)
    finished = await crew.finished(run)

    assert finished["result"]["agentId"] == "the-owl"
    shown = [str({**request.body, "model": ""}) for request in models.requests]
    secrets = [*REAL_NAMES, str(tmp_path), str(crew.services.state_path), run, "sk-scripted"]
    leaked = {secret for secret in secrets for each in shown if secret in each.replace(str(workspace / "notes.md"), "")}
    assert leaked == {"the-crow"}, "the owl's own words are its own; nothing else may name anybody"
    results = "\n".join(result.text for request in models.requests for result in request.tool_results)
    assert "Owls are wise." in results, "the files were not read, and nothing is proven"
    assert "Hoo." in results
    assert not any(name in results for name in REAL_NAMES if name != "the-crow")
