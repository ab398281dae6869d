"""list_files and search_files: what git would see, what the editor shows, and only what may be read."""

import pytest

from teamwright.tools.port import Failed, Succeeded
from tests.tools.desk import Desk

pytestmark = pytest.mark.asyncio


@pytest.fixture
def project(desk: Desk) -> Desk:
    desk.put(".gitignore", "build/\n*.log\n")
    desk.put("README.md", "Says hello.\n")
    desk.put("src/main.py", "def hello():\n    return 'Hello (world)'\n")
    desk.put("src/deep/test_main.py", "hello()\n")
    desk.put("build/main.py", "hello\n")
    desk.put("debug.log", "hello\n")
    desk.put(".env", "hello=secret\n")
    desk.put("keys/server.pem", "hello\n")
    desk.put("module.py", "hello\n", below=desk.lib)
    desk.put("secret.txt", "hello\n", below=desk.outside)
    (desk.app / "link").symlink_to(desk.outside)
    (desk.app / "link.txt").symlink_to(desk.outside / "secret.txt")
    return desk


@pytest.mark.parametrize(
    ("arguments", "listed"),
    [
        ({}, ".gitignore\nREADME.md\nsrc/main.py\nsrc/deep/test_main.py"),
        ({"path": "src"}, "src/main.py\nsrc/deep/test_main.py"),
        ({"path": "lib"}, "lib/module.py"),
        ({"glob": "test_*"}, "src/deep/test_main.py"),
        ({"glob": "src/*.py"}, "src/main.py"),
        ({"path": "src/main.py"}, "src/main.py"),
        ({"glob": "*.rs"}, "[no files]"),
    ],
)
async def test_a_listing_leaves_out_what_is_ignored_secret_or_linked(
    project: Desk, arguments: dict[str, str], listed: str
) -> None:
    assert await project.agent()("list_files", **arguments) == Succeeded(listed)


async def test_a_listing_knows_what_is_only_in_the_editor_or_only_staged(project: Desk) -> None:
    project.show("src/unsaved.py", "")
    presenter = project.presenter()
    assert await presenter("write_file", path="src/staged.py", content="") == Succeeded("Written.")
    assert await presenter("delete_file", path="src/main.py") == Succeeded("Deleted.")
    below_src = Succeeded("src/staged.py\nsrc/unsaved.py\nsrc/deep/test_main.py")
    assert await presenter("list_files", path="src") == below_src
    assert not (project.app / "src" / "staged.py").exists()


async def test_a_long_listing_is_cut_and_says_how_to_go_on(desk: Desk) -> None:
    for number in range(310):
        desk.put(f"file{number:03}.txt")
    listing = await desk.agent()("list_files")
    shown = "\n".join(f"file{number:03}.txt" for number in range(300))
    assert listing == Succeeded(f"{shown}\n[cut off: there are more than 300 files; name a folder or a glob]")


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (
            {"pattern": "hello"},
            "README.md\n1\tSays hello.\nsrc/main.py\n1\tdef hello():\nsrc/deep/test_main.py\n1\thello()",
        ),
        ({"pattern": r"^def \w+"}, "src/main.py\n1\tdef hello():"),
        ({"pattern": "(world)", "literal": True}, "src/main.py\n2\t    return 'Hello (world)'"),
        (
            {"pattern": "HELLO", "ignore_case": True, "path": "src"},
            "src/main.py\n1\tdef hello():\n2\t    return 'Hello (world)'\nsrc/deep/test_main.py\n1\thello()",
        ),
        ({"pattern": "hello", "glob": "test_*"}, "src/deep/test_main.py\n1\thello()"),
        ({"pattern": "hello", "path": "src/main.py"}, "src/main.py\n1\tdef hello():"),
        ({"pattern": "hello", "path": "lib"}, "lib/module.py\n1\thello"),
        ({"pattern": "secret"}, "[no match]"),
    ],
)
async def test_a_search_finds_lines_in_what_may_be_read(
    project: Desk, arguments: dict[str, object], found: str
) -> None:
    assert await project.agent()("search_files", **arguments) == Succeeded(found)


async def test_a_search_sees_what_the_editor_shows(project: Desk) -> None:
    project.show("src/main.py", "unsaved greeting\n")
    assistant = project.assistant()
    assert await assistant("search_files", pattern="greeting") == Succeeded("src/main.py\n1\tunsaved greeting")
    assert await assistant("search_files", pattern="def hello") == Succeeded("[no match]")


async def test_a_search_with_too_many_matches_is_cut_and_says_how_to_go_on(desk: Desk) -> None:
    desk.put("many.txt", "match\n" * 101)
    found = await desk.agent()("search_files", pattern="match")
    shown = "\n".join(f"{number}\tmatch" for number in range(1, 101))
    note = "[cut off: there are more than 100 matches; narrow the pattern, the path or the glob]"
    assert found == Succeeded(f"many.txt\n{shown}\n{note}")


async def test_a_pattern_that_cannot_be_used_is_answered_with_why(project: Desk) -> None:
    agent = project.agent()
    broken = await agent("search_files", pattern="(unclosed")
    assert isinstance(broken, Failed)
    assert broken.text.startswith("pattern: is not a regular expression: missing )")
    assert await agent("search_files", pattern="") == Failed(
        "`search_files`: pattern: string should have at least 1 character"
    )
    assert await agent("search_files", pattern="x", path="nowhere") == Failed("`nowhere` does not exist.")
    assert await agent("list_files", path="nowhere") == Failed("`nowhere` does not exist.")


async def test_scratch_and_answers_are_listed_and_searched_like_folders(desk: Desk) -> None:
    first, second = desk.agent(name="agent1"), desk.agent(name="agent2")
    assert await first("write_file", path="scratch/notes/plan.md", content="step one\n") == Succeeded("Written.")
    desk.files("agent1").submit_answer("agent1.1")
    assert {path: await second("list_files", path=path) for path in ("scratch", "answers", "answers/agent1.1")} == {
        "scratch": Succeeded("[no files]"),
        "answers": Succeeded("answers/agent1.1/notes/plan.md"),
        "answers/agent1.1": Succeeded("answers/agent1.1/notes/plan.md"),
    }
    found = Succeeded("answers/agent1.1/notes/plan.md\n1\tstep one")
    assert await second("search_files", pattern="step", path="answers") == found
    assert await second("read_file", path="answers/agent1.1/notes/plan.md") == Succeeded("1\tstep one")
    assert await first("list_files", path="scratch") == Succeeded("scratch/notes/plan.md")
