"""Reproductions that nobody allowed, that are not what they seem, that do not end, or of which there are too many."""

from pathlib import Path

import pytest

from tests.lsp.reproducing import (
    PROOF,
    approve,
    asked_for,
    findings_of,
    found,
    review,
    reviewed,
    script,
    shop_config,
    write_shop,
)
from tests.runtime.lines import gives, votes
from tests.support.doors import Serve
from tests.support.lsp_client import Json
from tests.support.model_server import ModelServer, Request, calls

LEFT_ASIDE = "Your reproduction was left aside, and the finding stands without it: "
AGAIN = " Report it again with one that fails because of the problem, or leave it as it is."
ALLOWED = "commands: {enabled: true, timeout_seconds: 2}\n"
SHORT = "commands: {timeout_seconds: 2}\n"


def results(request: Request) -> list[str]:
    """What came back of each report, without the name that the finding got."""
    return [result.text.partition(". ")[2] for result in request.tool_results]


def parameters(request: Request) -> set[str]:
    tools = {each["function"]["name"]: each["function"] for each in request.body["tools"]}
    return set(tools["report_finding"]["parameters"]["properties"])


def with_file(path: str, content: str = "") -> Json:
    return {"argv": ["true"], "files": [{"path": path, "content": content}]}


@pytest.mark.asyncio
@pytest.mark.proves("G6")
async def test_where_no_command_may_run_it_is_left_aside_and_its_author_is_told(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    write_shop(workspace)
    models.model("alpha").replies(calls(found(script(PROOF))), gives("A fault."), votes("agent1"))
    client = await serve(config=shop_config(models, "alpha"), trusted=True)
    run = await reviewed(client, workspace, commands=False)
    (finding,) = await findings_of(client, run)
    assert "reproduced" not in finding
    first, second, *_ = models.requests_to("alpha")
    assert "reproduce" not in parameters(first), "nobody writes for nobody"
    assert results(second) == [f"{LEFT_ASIDE}Commands are not enabled in the user's configuration."]


@pytest.mark.asyncio
async def test_nothing_is_run_in_a_workspace_that_is_not_trusted(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    write_shop(workspace)
    models.model("alpha").replies(calls(found(script(PROOF))), gives("A fault."), votes("agent1"))
    client = await serve(config=shop_config(models, "alpha", extra=ALLOWED))
    run = await reviewed(client, workspace)
    assert "reproduced" not in (await findings_of(client, run))[0]
    assert "this workspace is not trusted" in results(models.requests_to("alpha")[1])[0].lower()


@pytest.mark.asyncio
@pytest.mark.parametrize(("choice", "reproduced"), [("approve", "yes"), ("cancel", None)])
async def test_by_the_configuration_alone_each_is_asked_about_as_a_command_is(
    serve: Serve, models: ModelServer, workspace: Path, choice: str, reproduced: str | None
) -> None:
    write_shop(workspace)
    models.model("alpha").replies(calls(found(script(PROOF))), gives("A fault."), votes("agent1"))
    client = await serve(config=shop_config(models, "alpha", extra=ALLOWED), trusted=True)
    run = await review(client, workspace, commands=False)
    asked = await asked_for(client, "command", run["runId"])
    assert asked["title"] == "Run `python3 proof.py` in a copy of the workspace?"
    await client.command("teamwright.approve", decisionId=asked["decisionId"], choice=choice)
    await client.event("run.finished")
    assert (await findings_of(client, run))[0].get("reproduced") == reproduced


TEMPORARY = Path("/tmp")
NEVER = "holds secrets or steers other programs and is never written."
HOSTILE: dict[str, tuple[Json, str]] = {
    "way up": (with_file("../proof.py"), "`..` is not allowed in a path."),
    "absolute": (with_file("/etc/cron.d/proof"), "`/etc/cron.d/proof` is outside the workspace."),
    "scratch": (with_file("scratch/proof.py"), "`scratch/proof.py` is not in the workspace."),
    "secret": (with_file(".env", "KEY=1"), f"`.env` {NEVER}"),
    "hook": (with_file(".git/hooks/pre-commit"), f"`.git/hooks/pre-commit` {NEVER}"),
    "editor": (with_file(".vscode/tasks.json"), f"`.vscode/tasks.json` {NEVER}"),
    "protected": (with_file("kept.py"), "`kept.py` is protected by the configuration."),
    "huge": (with_file("proof.py", "x" * 60_000), "Its files are longer than 50,000 characters together."),
    "many": (
        {"argv": ["true"], "files": [{"path": f"f{n}.py", "content": ""} for n in range(21)]},
        "It brings 21 files, and 20 are the most.",
    ),
    "no program": ({"argv": [""]}, "It names no program."),
    "no text": ({"argv": ["true", "\0"]}, "Its command holds what is no text."),
    "long": ({"argv": ["true", "x" * 20_000]}, "Its command is too long; put what it does into a file."),
    "not there": (
        {"argv": ["no-such-program"]},
        "`no-such-program` was not found; install it, name its path, or add its folder to `commands.toolchains`.",
    ),
    "no module": (
        {"argv": ["python3", "-m", "no_such_runner"]},
        "`python3` has no module `no_such_runner`; install it, or name another command.",
    ),
    "hangs": ({"argv": ["sleep", "1000"]}, "It was ended after 2 seconds."),
}


@pytest.mark.asyncio
@pytest.mark.proves("G6")
async def test_what_cannot_be_run_or_judged_says_why_and_the_finding_holds(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    write_shop(workspace)
    reports = [found(each, f"Fault {name}", name) for name, (each, _) in HOSTILE.items()]
    models.model("alpha").replies(calls(*reports), gives("Many faults."), votes("agent1"))
    config = shop_config(models, "alpha").replace("orchestrator: {", "orchestrator: {protected_paths: [kept.py], ", 1)
    client = await serve(config=config + SHORT, trusted=True)
    run = await reviewed(client, workspace)
    said = {each["detail"]: each for each in await findings_of(client, run)}
    told = dict(zip(HOSTILE, results(models.requests_to("alpha")[1]), strict=True))
    assert {name: each.get("notRunBecause") for name, each in said.items()} == {
        name: why for name, (_, why) in HOSTILE.items()
    }
    assert {name: text.partition(AGAIN)[0] for name, text in told.items()} == {
        name: f"Your reproduction could not be judged: {why}" for name, (_, why) in HOSTILE.items()
    }
    assert [path.name for path in workspace.parent.rglob("proof*")] == []


OUTSIDE = """\
import pathlib

for place in (pathlib.Path.home(), pathlib.Path('/tmp'), pathlib.Path(__file__).parent.parent):
    try:
        (place / 'escaped').write_text('No.')
    except OSError:
        pass
pathlib.Path('shop.py').write_text('')
raise SystemExit(1)
"""


@pytest.mark.asyncio
@pytest.mark.proves("G6")
async def test_what_it_writes_stays_in_its_copy(serve: Serve, models: ModelServer, workspace: Path) -> None:
    shop = write_shop(workspace)
    before = shop.read_text(encoding="utf-8")
    models.model("alpha").replies(
        calls(found(script(OUTSIDE)), found(script(PROOF), "Again")), gives("A fault."), votes("agent1")
    )
    client = await serve(config=shop_config(models, "alpha"), trusted=True)
    run = await reviewed(client, workspace)
    assert [each["reproduced"] for each in await findings_of(client, run)] == ["yes", "yes"], "each in its own copy"
    assert shop.read_text(encoding="utf-8") == before
    assert not any((place / "escaped").exists() for place in (workspace.parent, TEMPORARY))


@pytest.mark.asyncio
async def test_a_run_that_is_cancelled_ends_them_and_keeps_the_finding(
    serve: Serve, models: ModelServer, workspace: Path
) -> None:
    write_shop(workspace)
    models.model("alpha").replies(calls(found({"argv": ["sleep", "1000"]})))
    client = await serve(config=shop_config(models, "alpha"), trusted=True)
    run = await review(client, workspace)
    await client.event("item.started", lambda r: r["event"]["item"].get("name") == "report_finding")
    await client.command("teamwright.cancel", runId=run["runId"])
    await client.event("run.finished")
    (finding,) = await findings_of(client, run)
    assert (finding["reproduced"], finding["notRunBecause"]) == (
        "not_run",
        "The run went on before it came to its end.",
    )


@pytest.mark.asyncio
@pytest.mark.proves("D6")
async def test_after_a_crash_it_is_run_again(serve: Serve, models: ModelServer, workspace: Path) -> None:
    write_shop(workspace)
    # It hangs for as long as nobody has mended it.
    waits = "import os, time\nwhile not os.path.exists('go'):\n    time.sleep(60)\nraise SystemExit(1)\n"
    models.model("alpha").replies(
        calls(found(script(waits))), calls(found(script(waits))), gives("A fault."), votes("agent1")
    )
    config = shop_config(models, "alpha")
    first = await serve(config=config, trusted=True)
    run = await review(first, workspace)
    await first.event("item.started", lambda r: r["event"]["item"].get("name") == "report_finding")
    await first.kill()
    (workspace / "go").touch()
    second = await serve(config=config, trusted=True)
    await second.command("teamwright.session.open", sessionId=run["sessionId"])
    await approve(second, "resume", run["runId"])
    await second.event("run.finished")
    assert [each["reproduced"] for each in await findings_of(second, run)] == ["yes"]


@pytest.mark.asyncio
@pytest.mark.parametrize(("answers", "taken"), [(1, 32), pytest.param(32, 200, marks=pytest.mark.slow)])
async def test_of_a_thousand_only_the_first_are_run(
    serve: Serve, models: ModelServer, workspace: Path, answers: int, taken: int
) -> None:
    write_shop(workspace)
    # As many as one answer may call.
    for _ in range(answers):
        models.model("alpha").replies(calls(*(found({"argv": ["false"]}, f"Fault {n}", "") for n in range(32))))
    models.model("alpha").replies(gives("Very many faults."), votes("agent1"))
    client = await serve(config=shop_config(models, "alpha"), trusted=True)
    await reviewed(client, workspace)
    because = [
        record["event"]["finding"].get("notRunBecause", "")
        for record in client.events
        if record["event"]["type"] == "finding.reported"
    ]
    no_more = {"20 of its author's have been run already, and no more are."}
    assert (len(because), because[:20], set(because[20:])) == (taken, [""] * 20, no_more)
    told = models.requests_to("alpha")[answers].tool_results[-1].text
    is_refused = told == "Error: You have reported 200 findings, which is the most; sum up now."
    assert is_refused == (taken == 200)
