"""The grammar of tool paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamwright.permissions.names import fault_in_name
from teamwright.permissions.paths import (
    AnswerPath,
    PlacedFolder,
    Places,
    RefusedPath,
    ScratchPath,
    Target,
    ToolPath,
    WorkspacePath,
    parse_path,
    render_path,
    unique_names,
)

PLACES = Places(
    (
        PlacedFolder("app", ("/projects/ada/app", "/mnt/disk/app")),
        PlacedFolder("docs", ("/projects/ada/docs",)),
        PlacedFolder("inner", ("/projects/ada/app/inner",)),
    )
)
WINDOWS = Places(
    (PlacedFolder("app", (r"C:\Users\Ada Lovelace\app",)), PlacedFolder("share", (r"\\server\share\docs",))), "windows"
)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (".", WorkspacePath("app")),
        ("src/main.py", WorkspacePath("app", ("src", "main.py"))),
        ("./src//main.py/", WorkspacePath("app", ("src", "main.py"))),
        ("app/main.py", WorkspacePath("app", ("app", "main.py"))),
        ("docs/index.md", WorkspacePath("docs", ("index.md",))),
        ("docs", WorkspacePath("docs")),
        ("scratch", ScratchPath()),
        ("scratch/a b/ü.txt", ScratchPath(("a b", "ü.txt"))),
        ("answers", AnswerPath()),
        ("answers/agent1.2/notes.md", AnswerPath(("agent1.2", "notes.md"))),
        ("/projects/ada/app/src/main.py", WorkspacePath("app", ("src", "main.py"))),
        ("/mnt/disk/app/src", WorkspacePath("app", ("src",))),
        ("/projects/ada/app/inner/x", WorkspacePath("inner", ("x",))),
        ("/projects/ada/app", WorkspacePath("app")),
        ("aux.c", WorkspacePath("app", ("aux.c",))),
    ],
)
def test_a_path_names_one_place(text: str, path: ToolPath) -> None:
    assert parse_path(text, PLACES) == path


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a path is needed"),
        ("   ", "a path is needed"),
        ("../secrets", "`..` is not allowed"),
        ("src/../../x", "`..` is not allowed"),
        ("scratch/../x", "`..` is not allowed"),
        ("/projects/ada/app/../other", "`..` is not allowed"),
        ("/etc/passwd", "outside the workspace"),
        ("/projects/ada/application/x", "outside the workspace"),
        ("~/x", "`~` is not expanded"),
        ("file:///projects/ada/app/x", "not a URI"),
        ("src\\main.py", "separated by `/`"),
        ("a\0b", "control characters"),
        ("a\nb", "control characters"),
        ("\ud800", "broken Unicode"),
        ("a" * 256, "too long"),
        ("a/" * 3000, "too long"),
        ("answers/claude/notes.md", "not the label of an answer"),
    ],
)
def test_a_path_that_could_lead_out_is_refused_with_its_reason(text: str, reason: str) -> None:
    parsed = parse_path(text, PLACES)
    assert isinstance(parsed, RefusedPath)
    assert reason in parsed.reason


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (r"src\main.py", WorkspacePath("app", ("src", "main.py"))),
        (r"c:\users\ada lovelace\APP\src", WorkspacePath("app", ("src",))),
        ("C:/Users/Ada Lovelace/app/src", WorkspacePath("app", ("src",))),
        (r"\\server\share\docs\index.md", WorkspacePath("share", ("index.md",))),
    ],
)
def test_windows_spellings_are_understood_on_windows(text: str, path: ToolPath) -> None:
    assert parse_path(text, WINDOWS) == path


@pytest.mark.parametrize(
    "text",
    [
        "CON",
        "src/aux.c",
        "nul .txt",
        "COM1",
        "lpt³.log",
        "file.txt:stream",
        "file.txt::$DATA",
        ".git.",
        "name ",
        "GIT~1",
        "what?.txt",
        "C:relative",
        "D:\\x",
        r"\Windows\System32",
        r"\\?\C:\Users\Ada Lovelace\app\x",
        r"\\.\PhysicalDrive0",
    ],
)
def test_names_that_windows_reads_as_something_else_are_refused_there(text: str) -> None:
    assert isinstance(parse_path(text, WINDOWS), RefusedPath)


def test_without_a_folder_only_scratch_and_answers_exist() -> None:
    nowhere = Places(())
    assert parse_path("src", nowhere) == RefusedPath("no folder is open in the editor")
    assert parse_path("scratch/a", nowhere) == ScratchPath(("a",))


def test_a_folder_whose_name_is_taken_gets_another() -> None:
    assert unique_names(["app", "app", "scratch", "app"]) == ("app", "app-2", "scratch-2", "app-3")


names = st.text(min_size=1, max_size=8).filter(lambda name: name != "." and "/" not in name) | st.sampled_from(
    ["scratch", "answers", "docs", "src", "~", "a:"]
)
lawful = names.filter(lambda name: fault_in_name(name, "posix") is None)
parts = st.lists(lawful, max_size=4).map(tuple)
targets = (
    st.builds(WorkspacePath, st.sampled_from(["app", "docs"]), parts)
    | st.builds(ScratchPath, parts)
    | parts.map(lambda rest: AnswerPath(("agent2.1", *rest)))
)


@given(targets)
def test_a_rendered_path_is_read_back_as_the_same_path(path: Target) -> None:
    expected = path
    if isinstance(path, WorkspacePath) and path.folder == "app" and path.parts[:1] == ("inner",):
        expected = WorkspacePath("inner", path.parts[1:])
    assert parse_path(render_path(path, PLACES), PLACES) == expected


@given(st.text(max_size=40))
def test_whatever_the_text_a_parsed_path_holds_only_plain_names(text: str) -> None:
    parsed = parse_path(text, PLACES)
    if not isinstance(parsed, RefusedPath):
        assert all(part not in {"", ".", ".."} and "/" not in part and "\0" not in part for part in parsed.parts)
