"""Projects through the real server: begun by command and by chat, kept current by runs, taken up in a new session."""

import json
from pathlib import Path

import pytest

from tests.support.doors import Serve, team_config
from tests.support.lsp_client import LspError
from tests.support.model_server import ModelServer, calls, text, tool

NO_APPROVAL = "orchestrator: {interactive_mode: {require_approval: false}}\n"


def home_of(workspace: Path, name: str) -> Path:
    return workspace / ".teamwright" / "projects" / name


@pytest.mark.asyncio
@pytest.mark.proves("B1")
async def test_a_project_is_created_by_command_with_its_files(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    client = await serve(config=team_config(models, "alpha"), trusted=True)

    created = await client.command("teamwright.project.create", goal="Migrate the user service to gRPC.")

    assert created["name"] == "migrate-the-user-service-to-grpc"
    home = home_of(workspace, created["name"])
    assert created["goal"] == "Migrate the user service to gRPC."
    assert "Migrate the user service to gRPC." in (home / "CONTEXT.md").read_text(encoding="utf-8")
    assert json.loads((home / "filepaths.json").read_text(encoding="utf-8")) == {}
    assert (await client.command("teamwright.project.list"))["projects"] == [created]
    assert await client.command("teamwright.project.open", name=created["name"]) == created


@pytest.mark.asyncio
@pytest.mark.proves("B1", "B2", "B3")
async def test_the_assistant_begins_a_project_and_a_run_leaves_its_record_there(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    models.model("alpha").replies(
        calls(tool("update_project", project="grpc", goal="Move the user service to gRPC.")),
        calls(tool("launch_run", task="Write the proto files.", agent_mode="single")),
        text("Three proto files, one for each resource."),
        calls(
            tool(
                "update_project",
                notes="Phase 1 is done: the proto files.",
                filepaths={"protos": {"path": "protos", "kind": "directory", "description": "The interface."}},
            )
        ),
        text("Phase 1 is done."),
    )
    client = await serve(config=team_config(models, "alpha", extra=NO_APPROVAL), trusted=True)

    chat = await client.command("teamwright.chat", text="Start a new project: move the user service to gRPC.")
    await client.event("turn.finished")

    opened = await client.command("teamwright.project.open", sessionId=chat["sessionId"])
    home = home_of(workspace, "grpc")
    (run_id,) = opened["runs"]
    description = json.loads((home / "runs" / run_id / "run_description.json").read_text(encoding="utf-8"))
    assert (description["task"], description["outcome"]) == ("Write the proto files.", "completed")
    (deliverable,) = opened["deliverables"]
    assert (home / "deliverables" / deliverable).read_text(encoding="utf-8") == (
        "Three proto files, one for each resource.\n"
    )
    context = (home / "CONTEXT.md").read_text(encoding="utf-8")
    assert "Phase 1 is done: the proto files." in context
    assert f"`{run_id}` · completed: Write the proto files." in context
    assert opened["filepaths"]["protos"]["description"] == "The interface."
    listed = await client.command("teamwright.session.list", project="grpc")
    assert [session["sessionId"] for session in listed["sessions"]] == [chat["sessionId"]]


@pytest.mark.asyncio
@pytest.mark.proves("B3")
async def test_a_new_session_is_told_of_the_projects_and_can_continue_one(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    await client.command("teamwright.project.create", name="grpc", goal="Move the user service to gRPC.")
    context = home_of(workspace, "grpc") / "CONTEXT.md"
    context.write_text(context.read_text(encoding="utf-8") + "\nStill to do: the auth interceptor.\n", encoding="utf-8")
    models.model("alpha").replies(
        calls(
            tool("update_project", project="grpc"),
            tool("read_file", path=".teamwright/projects/grpc/CONTEXT.md"),
        ),
        text("The auth interceptor is left."),
    )

    chat = await client.command("teamwright.chat", text="Continue the gRPC migration.")
    await client.event("turn.finished")

    first, second = models.requests
    assert "- grpc: Move the user service to gRPC." in first.system
    assert "Still to do: the auth interceptor." in str(second.body)
    opened = await client.command("teamwright.session.open", sessionId=chat["sessionId"])
    assert opened["session"]["project"] == "grpc"


@pytest.mark.asyncio
@pytest.mark.proves("B3")
async def test_what_a_person_wrote_into_the_context_stays(serve: Serve, models: ModelServer, workspace: Path) -> None:
    models.model("alpha").replies(text("Done."))
    client = await serve(config=team_config(models, "alpha", extra=NO_APPROVAL), trusted=True)
    await client.command("teamwright.project.create", name="grpc", goal="Move.")
    context = home_of(workspace, "grpc") / "CONTEXT.md"
    context.write_text("# grpc\n\nWritten by hand, all of it.\n", encoding="utf-8")
    models.model("alpha").replies(text("The result."))
    chat = await client.command("teamwright.chat", text="Hello.")
    await client.event("turn.finished")
    await client.command("teamwright.project.select", sessionId=chat["sessionId"], name="grpc")

    await client.command("teamwright.launch_run", sessionId=chat["sessionId"], task="Do it.", agentMode="single")
    await client.event("run.finished")

    after = context.read_text(encoding="utf-8")
    assert after.startswith("# grpc\n\nWritten by hand, all of it.\n")
    assert "completed: Do it." in after


@pytest.mark.asyncio
@pytest.mark.proves("B3")
async def test_a_project_that_is_selected_for_no_session_is_that_of_the_next_ones(
    serve: Serve, models: ModelServer
) -> None:
    models.model("alpha").replies(text("Hello."))
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    await client.command("teamwright.project.create", name="grpc", goal="Move.")
    await client.command("teamwright.project.select", name="grpc")
    chat = await client.command("teamwright.chat", text="Hello.")
    opened = await client.command("teamwright.session.open", sessionId=chat["sessionId"])
    assert opened["session"]["project"] == "grpc"


@pytest.mark.asyncio
@pytest.mark.proves("B1")
@pytest.mark.parametrize(
    ("command", "params", "refusal"),
    [
        ("teamwright.project.open", {"name": "nowhere"}, (404, "There is no project `nowhere`")),
        ("teamwright.project.open", {}, (400, "name")),
        ("teamwright.project.create", {"name": "../escape", "goal": "x"}, (400, "name")),
        ("teamwright.project.create", {"name": "taken"}, (409, "There is a project `taken` already")),
        ("teamwright.project.select", {}, (400, "name")),
    ],
)
async def test_what_cannot_be_is_refused_by_name(
    serve: Serve, models: ModelServer, command: str, params: dict[str, str], refusal: tuple[int, str]
) -> None:
    client = await serve(config=team_config(models, "alpha"), trusted=True)
    await client.command("teamwright.project.create", name="taken", goal="x")
    with pytest.raises(LspError) as refused:
        await client.command(command, **params)
    assert refused.value.code == refusal[0]
    assert refusal[1] in f"{refused.value} {refused.value.data}"
