"""What no file tool does, whoever asks: each refusal is one sentence that says why, and nothing is touched."""

import pytest

from teamwright.tools.port import Failed, Outcome, Succeeded
from tests.tools.desk import Caller, Desk

pytestmark = pytest.mark.asyncio

READS = ("read_file", "list_files", "search_files")
WRITES = ("write_file", "edit_file", "delete_file")


async def ask(caller: Caller, tool: str, path: str) -> Outcome:
    """Any file tool, with arguments that would do something."""
    more = {
        "search_files": {"pattern": "secret"},
        "write_file": {"content": "changed"},
        "edit_file": {"old": "secret", "new": "changed"},
    }
    return await caller(tool, path=path, **more.get(tool, {}))


@pytest.fixture
def guarded(desk: Desk) -> Desk:
    for path in ("src/main.py", "src/keys/own.txt", "docs/guide.md", ".env", ".git/config", ".vscode/tasks.json"):
        desk.put(path, "secret\n")
    desk.put("AGENTS.md", "secret\n")
    desk.put("secret.txt", "secret\n", below=desk.outside)
    (desk.app / "src" / "way out").symlink_to(desk.outside)
    (desk.app / "src" / "out.txt").symlink_to(desk.outside / "secret.txt")
    return desk


@pytest.mark.parametrize("tool", [*READS, *WRITES])
@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("../outside/secret.txt", "`..` is not allowed in a path"),
        ("src/../../outside/secret.txt", "`..` is not allowed in a path"),
        ("scratch/../../secret.txt", "`..` is not allowed in a path"),
        ("{outside}/secret.txt", "`{outside}/secret.txt` is outside the workspace"),
        ("/etc/passwd", "`/etc/passwd` is outside the workspace"),
        ("~/.ssh/id_rsa", "`~` is not expanded; give a path relative to the workspace folder"),
        ("file:///etc/passwd", "give a path, not a URI"),
        ("src\\main.py", "parts of a path are separated by `/`, not by a backslash"),
        ("src/ma\0in.py", "a path may not hold control characters or broken Unicode"),
        ("answers/../main.py", "`..` is not allowed in a path"),
        ("answers/claude/main.py", "`claude` is not the label of an answer; labels look like `agent1.2`"),
        ("", "a path is needed; `.` is the workspace folder"),
    ],
)
async def test_a_path_that_leads_astray_is_refused_before_anything_is_opened(
    guarded: Desk, tool: str, path: str, told: str
) -> None:
    outcome = await ask(guarded.presenter(), tool, path.format(outside=guarded.outside))
    assert outcome == Failed(told.format(outside=guarded.outside))


@pytest.mark.parametrize("tool", READS)
@pytest.mark.parametrize(
    "path", [".env", "src/.ENV.local", ".git/config", ".git", "id_rsa", "deep/server.pem", "teamwright.yaml"]
)
async def test_secrets_are_never_read(guarded: Desk, tool: str, path: str) -> None:
    for caller in (guarded.assistant(), guarded.agent(), guarded.presenter()):
        assert await ask(caller, tool, path) == Failed(f"`{path}` may hold secrets and is never read")


@pytest.mark.parametrize("tool", WRITES)
@pytest.mark.parametrize(
    "path", [".env", ".git/hooks/pre-commit", ".vscode/tasks.json", "AGENTS.md", ".github/workflows/ci.yml"]
)
async def test_what_steers_other_programs_is_never_written(guarded: Desk, tool: str, path: str) -> None:
    told = f"`{path}` holds secrets or steers other programs and is never written; tell the user"
    assert await ask(guarded.presenter(), tool, path) == Failed(told)


@pytest.mark.parametrize("tool", [*READS, *WRITES])
async def test_links_are_not_followed(guarded: Desk, tool: str) -> None:
    told = "and links are not followed; name the real path."
    for path in ("src/way out/secret.txt", "src/out.txt"):
        outcome = await ask(guarded.presenter(), tool, path)
        assert isinstance(outcome, Failed)
        assert outcome.text.endswith(told)
    assert (guarded.outside / "secret.txt").read_text(encoding="utf-8") == "secret\n"


@pytest.mark.parametrize("tool", READS)
async def test_a_run_reads_only_its_own_paths(guarded: Desk, tool: str) -> None:
    agent = guarded.agent(guarded.roots(read=["src"]))
    told = "`docs/guide.md` is not among the paths of this run; it may read `src`"
    assert await ask(agent, tool, "docs/guide.md") == Failed(told)
    assert isinstance(await ask(agent, tool, "src/main.py"), Succeeded)


@pytest.mark.parametrize("tool", WRITES)
async def test_the_presenter_writes_only_to_write_paths_that_are_not_protected(guarded: Desk, tool: str) -> None:
    presenter = guarded.presenter(guarded.roots(read=["docs"], write=["src"], protected=["src/keys"]))
    paths = ("docs/guide.md", "src/keys/own.txt", "src/KEYS/new.txt", "src")
    assert {path: await ask(presenter, tool, path) for path in paths} == {
        "docs/guide.md": Failed("`docs/guide.md` is not among the write paths of this run"),
        "src/keys/own.txt": Failed("`src/keys/own.txt` is protected by the configuration"),
        "src/KEYS/new.txt": Failed("`src/KEYS/new.txt` is protected by the configuration"),
        "src": Failed("`src` is a folder; name a file in it."),
    }
    assert isinstance(await ask(presenter, tool, "src/main.py"), Succeeded)


@pytest.mark.parametrize("tool", WRITES)
async def test_who_may_write_where_depends_on_the_part_that_is_played(guarded: Desk, tool: str) -> None:
    astray = "this run changes no file of the workspace; write under `scratch/`"
    assert await ask(guarded.agent(), tool, "src/main.py") == Failed(astray)
    launch = Failed("the assistant does not write files; launch a run that does")
    assert await ask(guarded.assistant(), tool, "src/main.py") == launch
    assert await ask(guarded.assistant(), tool, "scratch/notes.md") == launch
    for caller in (guarded.agent(), guarded.presenter()):
        assert await caller("write_file", path="scratch/notes.md", content="secret\n") == Succeeded("Written.")
        assert isinstance(await ask(caller, tool, "scratch/notes.md"), Succeeded)
        assert await ask(caller, tool, "scratch") == Failed("`scratch` is a folder; name a file in it")
        unchanging = Failed("answers do not change; write under `scratch/`")
        assert await ask(caller, tool, "answers/agent1.1/main.py") == unchanging


@pytest.mark.parametrize("tool", READS)
async def test_the_assistant_has_no_scratch_folder_and_no_answers(guarded: Desk, tool: str) -> None:
    none = Failed("only agents of a run have a scratch folder")
    assert await ask(guarded.assistant(), tool, "scratch/notes.md") == none
    assert await ask(guarded.assistant(), tool, "answers/agent1.1/notes.md") == none


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("read_file", {}, "`read_file`: path: field required"),
        ("read_file", {"path": "a", "lines": 3}, "`read_file`: lines: extra inputs are not permitted"),
        ("read_file", {"path": "a", "line": "3"}, "`read_file`: line: input should be a valid integer"),
        ("read_file", {"path": "a", "line": 0}, "`read_file`: line: input should be greater than or equal to 1"),
        ("read_file", {"path": 7}, "`read_file`: path: input should be a valid string"),
        (
            "search_files",
            {"pattern": "x", "literal": "yes"},
            "`search_files`: literal: input should be a valid boolean",
        ),
        ("write_file", {"path": "a"}, "`write_file`: content: field required"),
        ("write_file", {"path": "a", "content": None}, "`write_file`: content: input should be a valid string"),
        (
            "edit_file",
            {"path": "a", "old": "", "new": "x"},
            "`edit_file`: old: string should have at least 1 character",
        ),
        (
            "read_files",
            {"path": "a"},
            f"`read_files`: there is no such tool here; there are: {', '.join((*READS, *WRITES))}",
        ),
    ],
)
async def test_a_call_that_does_not_fit_the_schema_runs_nothing(
    guarded: Desk, tool: str, arguments: dict[str, object], told: str
) -> None:
    assert await guarded.presenter()(tool, **arguments) == Failed(told)
